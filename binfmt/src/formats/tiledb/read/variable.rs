//! Values of attributes whose cells have any number of values.

use super::data_file::TileContent;
use super::file::TileFile;
use super::place::{self, bytes_of};
use super::plan::{Part, Plan};
use super::select::Selected;
use crate::formats::tiledb::array::{AnyArray, Fragment};
use crate::formats::tiledb::layout::Datatype;
use crate::formats::tiledb::storage::in_file;
use crate::formats::tiledb::{room, work};
use crate::numbers::{NumberType, Numbers};
use crate::{Error, ErrorKind, Result, Step};
use std::ops::{ControlFlow, Range};

/// The bytes of the tiles that were read, and which of them each cell of the result has.
struct Gathered {
    bytes: Vec<u8>,
    cells: Vec<Range<usize>>,
}

/// The cells of a dense result.
pub(super) fn read_dense(array: &AnyArray<'_>, a: usize, plan: &Plan<'_>) -> Result<(Numbers, Vec<usize>)> {
    let datatype = array.schema.attributes[a].datatype;
    // a cell that was never written has one fill value
    let bytes = datatype.fill().to_vec();
    check_limit(array, a, bytes_of(plan.num_cells as u64, size_of::<Range<usize>>()))?;
    room::check::<Range<usize>>(plan.num_cells)?;
    let mut out = Gathered { cells: vec![0..bytes.len(); plan.num_cells], bytes };
    for part in &plan.parts {
        match part {
            Part::Tiles { fragment, tiles, needed } => {
                let Gathered { bytes, cells } = &mut out;
                let pairs = |k: usize| {
                    let mut pairs = Vec::new();
                    needed[k].cells.runs(|run| pairs.extend(run.cells()));
                    pairs.into_iter()
                };
                each_tile(
                    array,
                    a,
                    (tiles.len(), || Files::open(array, fragment, a, tiles)),
                    |k| (plan.space.num_cells, pairs(k).map(|(from, _)| from).collect()),
                    bytes,
                    |k, of_tile| {
                        for ((_, to), cell) in pairs(k).zip(of_tile) {
                            cells[to] = cell.clone();
                        }
                    },
                )?;
            }
            Part::Cells { selected, to } => {
                let cells = append(array, a, selected, &mut out.bytes)?;
                for (to, cell) in to.iter().zip(cells) {
                    out.cells[*to] = cell;
                }
            }
        }
    }
    finish(array, a, datatype, &out.bytes, out.cells.into_iter())
}

/// The cells of a sparse result, in this order of the selected cells.
pub(super) fn read_sparse(
    array: &AnyArray<'_>,
    a: usize,
    selected: &[Selected<'_>],
    order: &[usize],
) -> Result<(Numbers, Vec<usize>)> {
    let mut bytes = Vec::new();
    let mut cells = Vec::new();
    for part in selected {
        cells.extend(append(array, a, part, &mut bytes)?);
    }
    let datatype = array.schema.attributes[a].datatype;
    let ordered = order.iter().map(|i| cells.get(*i).cloned().unwrap_or(0..0));
    finish(array, a, datatype, &bytes, ordered)
}

fn check_limit(array: &AnyArray<'_>, a: usize, bytes: u64) -> Result<()> {
    if bytes <= array.limit {
        return Ok(());
    }
    Err(place::above_limit(array, a))
}

/// The selected cells of a sparse fragment.
fn append(
    array: &AnyArray<'_>,
    a: usize,
    selected: &Selected<'_>,
    bytes: &mut Vec<u8>,
) -> Result<Vec<Range<usize>>> {
    let mut out = Vec::new();
    each_tile(
        array,
        a,
        (selected.tiles.len(), || Files::open(array, selected.fragment, a, &selected.tiles)),
        |k| (selected.num_cells[k], selected.cells[k].clone()),
        bytes,
        |_, of_tile| out.extend_from_slice(of_tile),
    )?;
    Ok(out)
}

/// Some tiles of a file on their way to the result: their number, the bytes that are kept of them, and the places of the
/// cells among these.
type Found = Vec<(usize, Vec<u8>, Vec<Range<usize>>)>;

/// Appends the values of some cells of each tile, and says where these are. `wanted` tells of a tile how many cells it has
/// and which of them to keep.
fn each_tile<'a>(
    array: &AnyArray<'_>,
    a: usize,
    (tiles, open): (usize, impl Fn() -> Result<Files<'a>>),
    wanted: impl Fn(usize) -> (usize, Vec<usize>) + Sync,
    bytes: &mut Vec<u8>,
    mut done: impl FnMut(usize, &[Range<usize>]),
) -> Result<()> {
    let size = if tiles == 0 { 0 } else { wanted(0).0 as u64 * 8 };
    let batch = if array.threads.get() == 1 { 1 } else { place::batch(array.threads, size) };
    let read = |files: &mut Files<'a>, job: Range<usize>, found: &mut Found| {
        if array.threads.get() > 1 {
            files.offsets.until(job.end);
            files.values.until(job.end);
        }
        found.resize_with(job.len(), Default::default);
        for (k, (tile, bytes, cells)) in job.zip(found) {
            *tile = k;
            bytes.clear();
            let (num_cells, chosen) = wanted(k);
            *cells = files.cells(array, k, num_cells, &chosen, bytes)?;
        }
        Ok(())
    };
    work::ordered(array.threads, place::ranges(tiles, batch), open, read, |found| {
        for (k, values, cells) in found {
            let base = bytes.len();
            check_limit(array, a, (base + values.len()) as u64)?;
            grow(bytes, values.len())?;
            bytes.extend_from_slice(values);
            cells.iter_mut().for_each(|cell| *cell = cell.start + base..cell.end + base);
            done(*k, cells);
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Room for that many more bytes, and for as many again that may follow.
fn grow(bytes: &mut Vec<u8>, more: usize) -> Result<()> {
    if bytes.capacity() - bytes.len() >= more {
        return Ok(());
    }
    room::reserve(bytes, more.max(bytes.len()))
}

/// The cells one after the other.
fn finish(
    array: &AnyArray<'_>,
    a: usize,
    datatype: Datatype,
    bytes: &[u8],
    cells: impl ExactSizeIterator<Item = Range<usize>>,
) -> Result<(Numbers, Vec<usize>)> {
    let size = array.schema.attributes[a].number_type().size();
    let mut offsets = vec![0];
    room::reserve(&mut offsets, cells.len())?;
    let mut all = Vec::new();
    for cell in cells {
        grow(&mut all, cell.len())?;
        all.extend_from_slice(&bytes[cell]);
        offsets.push(all.len() / size);
    }
    check_limit(array, a, all.len() as u64)?;
    let values = match datatype.number_type() {
        Some(NumberType::U8) | None => Numbers::U8(all),
        Some(number) => {
            let mut values = Numbers::new(number);
            values.extend_from_le_bytes(&all)?;
            values
        }
    };
    Ok((values, offsets))
}

/// The two files of an attribute.
struct Files<'a> {
    offsets: TileFile<'a>,
    values: TileFile<'a>,
    sizes: &'a [u64],
    a: usize,
    value_size: usize,
    /// The memory of a tile that is taken apart.
    tile: Vec<u8>,
}

impl<'a> Files<'a> {
    fn open(array: &'a AnyArray<'_>, fragment: &'a Fragment, a: usize, tiles: &'a [usize]) -> Result<Self> {
        Ok(Files {
            offsets: array.tiles(fragment, TileContent::Offsets(a), tiles)?,
            values: array.tiles(fragment, TileContent::VariableValues(a), tiles)?,
            sizes: fragment.metadata.tile_var_sizes.get(a).map_or(&[], |list| &list.values),
            a,
            value_size: array.schema.attributes[a].number_type().size(),
            tile: Vec::new(),
        })
    }

    /// Appends the values of some cells of the k-th tile; gives the place of each among `bytes`.
    fn cells(
        &mut self,
        array: &AnyArray<'_>,
        k: usize,
        num_cells: usize,
        chosen: &[usize],
        bytes: &mut Vec<u8>,
    ) -> Result<Vec<Range<usize>>> {
        if chosen.len() == num_cells {
            let cells = self.tile(array, k, num_cells, bytes)?;
            return Ok(chosen.iter().map(|cell| cells[*cell].clone()).collect());
        }
        // of a tile of which little is needed little is kept
        let mut tile = std::mem::take(&mut self.tile);
        tile.clear();
        let cells = self.tile(array, k, num_cells, &mut tile)?;
        let mut kept = Vec::with_capacity(chosen.len());
        for cell in chosen {
            let start = bytes.len();
            bytes.extend_from_slice(&tile[cells[*cell].clone()]);
            kept.push(start..bytes.len());
        }
        self.tile = tile;
        check_limit(array, self.a, bytes.len() as u64)?;
        Ok(kept)
    }

    /// Appends the values of the k-th tile; gives the place of each cell among `bytes`.
    fn tile(
        &mut self,
        array: &AnyArray<'_>,
        k: usize,
        num_cells: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<Vec<Range<usize>>> {
        let base = bytes.len();
        let size = self.sizes.get(self.values.number(k)).copied().unwrap_or(0);
        // a sum beyond any number is above the limit too
        check_limit(array, self.a, size.saturating_add(base as u64))?;
        let values = self.values.tile(k, size)?;
        grow(bytes, values.len())?;
        bytes.extend_from_slice(values);
        let offsets = self.offsets.tile(k, bytes_of(num_cells as u64, 8))?;
        let starts = || offsets.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b));
        let ends = starts().skip(1).chain([size]);
        let mut cells = Vec::new();
        room::reserve(&mut cells, num_cells)?;
        for (start, end) in starts().zip(ends) {
            if start > end || end > size || !(end - start).is_multiple_of(self.value_size as u64) {
                let place = format!("{start} to {end} of {size}");
                let e = Error::from(ErrorKind::invalid("place of a cell", place, ""));
                let e = e.within(Step::Index(self.offsets.number(k))).within(Step::Field("tiles"));
                return Err(in_file(e, self.offsets.path()));
            }
            cells.push(base + start as usize..base + end as usize);
        }
        Ok(cells)
    }
}
