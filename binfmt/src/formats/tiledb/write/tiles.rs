//! The bytes of tiles before their filters, from the columns and coordinates that are written.

use crate::formats::tiledb::region::{Boxed, Needed};
use crate::formats::tiledb::values::{Column, gather};
use crate::numbers::{Element, Numbers, put_le, save_le, with_numbers};
use crate::wire::raw::plain::bytes_of;

/// Which cells of a column make up the tiles.
#[derive(Clone, Copy)]
pub(super) enum Cut<'a> {
    /// Of tiles of that many cells these boxes; the others were not written.
    Boxes { num_cells: usize, tiles: &'a [Needed] },
    /// The cells in this order, that many in each tile.
    Lists { order: &'a [usize], capacity: usize },
}

impl Cut<'_> {
    fn tile(&self, tile: usize) -> TileCells<'_> {
        match self {
            Cut::Boxes { num_cells, tiles } => {
                TileCells::Box { num_cells: *num_cells, cells: &tiles[tile].cells }
            }
            Cut::Lists { order, capacity } => {
                let first = tile * capacity;
                TileCells::List(&order[first..first + (*capacity).min(order.len() - first)])
            }
        }
    }
}

/// The cells of one tile.
enum TileCells<'a> {
    List(&'a [usize]),
    Box { num_cells: usize, cells: &'a Boxed },
}

impl TileCells<'_> {
    /// The cell of the column for each cell of the tile.
    fn list(&self) -> Vec<Option<usize>> {
        match self {
            TileCells::List(cells) => cells.iter().copied().map(Some).collect(),
            TileCells::Box { num_cells, cells } => {
                let mut list = vec![None; *num_cells];
                cells.runs(|run| run.cells().for_each(|(from, to)| list[from] = Some(to)));
                list
            }
        }
    }
}

/// What a file contains of the cells.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    /// A fixed number of values each.
    Fixed(&'a Column),
    /// The values of variable cells.
    Values(&'a Column),
    /// Where variable cells begin among the bytes of their tile.
    Offsets(&'a Column),
    /// Coordinates: all of the first dimension, then all of the second.
    Coords(&'a [Numbers]),
}

/// The tiles of a file.
pub(super) struct Tiles<'a> {
    pub(super) content: Content<'a>,
    pub(super) cut: Cut<'a>,
}

impl Tiles<'_> {
    pub(super) fn num_tiles(&self) -> usize {
        match &self.cut {
            Cut::Boxes { tiles, .. } => tiles.len(),
            Cut::Lists { order, capacity } => order.len().div_ceil((*capacity).max(1)),
        }
    }

    /// Parts of the same length that share no chunk.
    pub(super) fn sections(&self) -> usize {
        if let Content::Coords(dimensions) = self.content { dimensions.len() } else { 1 }
    }

    /// The bytes of a tile: those of the column itself if they are together there, or else put together in `scratch`.
    pub(super) fn tile<'b>(&'b self, tile: usize, scratch: &'b mut Vec<u8>) -> &'b [u8] {
        let cells = self.cut.tile(tile);
        if let Content::Fixed(column) = self.content {
            let n = column.cell_val_num().fixed().unwrap_or(1) as usize;
            let fill = column.datatype().fill();
            return with_numbers!(column.values(), values => fixed(values, n, fill, &cells, scratch));
        }
        scratch.clear();
        match (self.content, &cells) {
            (Content::Values(column), cells) => values(column, cells, scratch),
            (Content::Offsets(column), cells) => offsets(column, cells, scratch),
            (Content::Coords(dimensions), TileCells::List(cells)) => {
                for values in dimensions {
                    with_numbers!(&gather(values, cells, 1), values => put_le(values, scratch));
                }
            }
            // cells that are not listed have no coordinates
            (Content::Fixed(_) | Content::Coords(_), _) => {}
        }
        scratch
    }
}

/// Cells of `n` values each. `column` has them all, as the caller has checked.
fn fixed<'b, T: Element>(
    column: &'b [T],
    n: usize,
    fill: &[u8],
    cells: &TileCells<'_>,
    scratch: &'b mut Vec<u8>,
) -> &'b [u8] {
    match cells {
        TileCells::List(cells) => {
            scratch.clear();
            for cell in *cells {
                put_le(&column[cell * n..(cell + 1) * n], scratch);
            }
        }
        TileCells::Box { num_cells, cells } => {
            let whole = cells.num_cells() == *num_cells;
            if let Some(run) = cells.run().filter(|run| whole && run.is_contiguous())
                && let Some(bytes) = bytes_of(T::FACTS, &column[run.to * n..][..num_cells * n])
            {
                return bytes;
            }
            scratch.resize(num_cells * n * size_of::<T>(), 0);
            if !whole {
                scratch.chunks_exact_mut(fill.len().max(1)).for_each(|to| to.copy_from_slice(fill));
            }
            let mut put = |at: usize, from: usize, len: usize| {
                let (at, len) = (at * n * size_of::<T>(), len * n);
                save_le(&column[from * n..][..len], &mut scratch[at..][..len * size_of::<T>()]);
            };
            cells.runs(|run| match run.is_contiguous() {
                true => put(run.from, run.to, run.len),
                false => run.cells().for_each(|(at, from)| put(at, from, 1)),
            });
        }
    }
    scratch
}

fn values(column: &Column, cells: &TileCells<'_>, out: &mut Vec<u8>) {
    with_numbers!(column.values(), values => for cell in cells.list() {
        match cell.and_then(|i| values.get(column.range(i)?)) {
            Some(values) => put_le(values, out),
            // a cell that was not written has one fill value
            None => out.extend_from_slice(column.datatype().fill()),
        }
    });
}

fn offsets(column: &Column, cells: &TileCells<'_>, out: &mut Vec<u8>) {
    let size = column.values().number_type().size();
    let mut at = 0u64;
    for cell in cells.list() {
        out.extend_from_slice(&at.to_le_bytes());
        let range = cell.and_then(|i| column.range(i));
        at += range.map_or(column.datatype().fill().len(), |range| range.len() * size) as u64;
    }
}
