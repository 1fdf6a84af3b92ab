//! The bytes of tiles before their filters, from the columns and coordinates that are written.

use crate::formats::tiledb::region::{Boxed, Needed, copy_cells};
use crate::formats::tiledb::values::{Column, gather};
use crate::numbers::{Element, Numbers, put_le, with_numbers};
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
            let size = n * column.values().number_type().size();
            let bytes = with_numbers!(column.values(), values => plain(values));
            if let Some(bytes) = bytes {
                return fixed(bytes, size, column.datatype().fill(), &cells, scratch);
            }
        }
        scratch.clear();
        match (self.content, &cells) {
            (Content::Fixed(column) | Content::Values(column), cells) => values(column, cells, scratch),
            (Content::Offsets(column), cells) => offsets(column, cells, scratch),
            (Content::Coords(dimensions), TileCells::List(cells)) => {
                for values in dimensions {
                    with_numbers!(&gather(values, cells, 1), values => put_le(values, scratch));
                }
            }
            // cells that are not listed have no coordinates
            (Content::Coords(_), _) => {}
        }
        scratch
    }
}

/// The bytes of numbers, where they are those of a file.
fn plain<T: Element>(values: &[T]) -> Option<&[u8]> {
    bytes_of(T::FACTS, values)
}

/// Cells of that many bytes each. `column` has them all, as the caller has checked.
fn fixed<'b>(
    column: &'b [u8],
    size: usize,
    fill: &[u8],
    cells: &TileCells<'_>,
    scratch: &'b mut Vec<u8>,
) -> &'b [u8] {
    match cells {
        TileCells::List(cells) => {
            scratch.resize(cells.len() * size, 0);
            copy_cells(column, scratch, size, cells.iter().copied().zip(0..));
        }
        TileCells::Box { num_cells, cells } => {
            let whole = cells.num_cells() == *num_cells;
            if let Some(run) = cells.run().filter(|run| whole && run.is_contiguous()) {
                return &column[run.to * size..][..num_cells * size];
            }
            scratch.resize(num_cells * size, 0);
            if !whole {
                scratch.chunks_exact_mut(fill.len().max(1)).for_each(|to| to.copy_from_slice(fill));
            }
            cells.runs(|run| run.back().copy(column, scratch, size));
        }
    }
    scratch
}

fn values(column: &Column, cells: &TileCells<'_>, out: &mut Vec<u8>) {
    // of variable values a cell that was not written has one, too
    let unwritten = column.datatype().fill().repeat(column.cell_val_num().fixed().unwrap_or(1) as usize);
    with_numbers!(column.values(), values => for cell in cells.list() {
        match cell.and_then(|i| values.get(column.range(i)?)) {
            Some(values) => put_le(values, out),
            None => out.extend_from_slice(&unwritten),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tiledb::layout::{CellValNum, Datatype};

    #[test]
    fn numbers_are_put_one_by_one_where_memory_is_something_else() {
        let pairs = Numbers::I16((1..=8).collect());
        let column = Column::fixed(Datatype::Int16, CellValNum::new(2).unwrap(), pairs).unwrap();
        // two columns of a tile of three
        let cells = Boxed::new(&[2, 2], (0, &[3, 1]), (0, &[2, 1]));
        for cells in [TileCells::Box { num_cells: 6, cells: &cells }, TileCells::List(&[3, 0])] {
            let (mut slow, mut scratch) = (Vec::new(), vec![9; 50]);
            values(&column, &cells, &mut slow);
            let bytes = column.values().to_le_bytes();
            assert_eq!(fixed(&bytes, 4, Datatype::Int16.fill(), &cells, &mut scratch), slow);
        }
    }
}
