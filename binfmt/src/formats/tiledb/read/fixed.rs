//! Values of attributes whose cells all have the same number of values.

use super::data_file::TileContent;
use super::file::TileFile;
use super::place::{self, Place, bytes_of};
use super::plan::{Part, Plan};
use super::select::Selected;
use crate::Result;
use crate::formats::tiledb::array::AnyArray;
use crate::formats::tiledb::region::{Needed, copy_cells};
use crate::formats::tiledb::{room, work};
use crate::numbers::{Element, Numbers, load_le, save_le, with_numbers};
use crate::wire::amount::plus;
use crate::wire::raw::huge;
use crate::wire::raw::plain::bytes_of_mut;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The cells of a dense result.
pub(super) fn read_dense(array: &AnyArray<'_>, a: usize, plan: &Plan<'_>, out: &mut Numbers) -> Result<()> {
    with_numbers!(out, values => dense(array, a, plan, values)?);
    Ok(())
}

/// The cells of a sparse result, fragment after fragment.
pub(super) fn read_sparse(
    array: &AnyArray<'_>,
    a: usize,
    selected: &[Selected<'_>],
    out: &mut Numbers,
) -> Result<()> {
    with_numbers!(out, values => for part in selected {
        append(array, a, part, values)?;
    });
    Ok(())
}

/// Values in a cell, and its bytes; more than any number are as many as no cell has.
fn size_of_cell(array: &AnyArray<'_>, a: usize) -> (usize, usize) {
    let attribute = &array.schema.attributes[a];
    let n = attribute.cell_val_num.fixed().unwrap_or(1) as usize;
    (n, n.saturating_mul(attribute.number_type().size()))
}

/// The bytes of that many cells, if the limit allows them.
fn check_limit(array: &AnyArray<'_>, a: usize, cells: usize) -> Result<usize> {
    let bytes = cells.checked_mul(size_of_cell(array, a).1);
    bytes.filter(|bytes| *bytes as u64 <= array.limit).ok_or_else(|| place::above_limit(array, a))
}

fn dense<T: Element>(array: &AnyArray<'_>, a: usize, plan: &Plan<'_>, out: &mut Vec<T>) -> Result<()> {
    let len = check_limit(array, a, plan.num_cells)? / size_of::<T>();
    let mut start = T::default();
    if !plan.covered {
        load_le(array.schema.attributes[a].datatype.fill(), std::slice::from_mut(&mut start));
    }
    if out.capacity() < len {
        room::check::<T>(len)?;
        *out = huge::to_overwrite(start, len, array.huge_pages);
    } else {
        // what is there already is written over where every cell is
        out.truncate(if plan.covered { len } else { 0 });
        out.resize(len, start);
    }
    write_over(out, &mut |bytes| dense_parts(array, a, plan, bytes))
}

/// The selected cells of a sparse fragment.
fn append<T: Element>(
    array: &AnyArray<'_>,
    a: usize,
    selected: &Selected<'_>,
    out: &mut Vec<T>,
) -> Result<()> {
    let ((n, _), start) = (size_of_cell(array, a), out.len());
    check_limit(array, a, plus(start / n.max(1), selected.len()))?;
    let more = selected.len() * n;
    room::reserve(out, more)?;
    huge::expect_filled(out, array.huge_pages);
    out.resize(start + more, T::default());
    write_over(&mut out[start..], &mut |bytes| selected_cells(array, a, selected, bytes))
}

/// Writes over the bytes of values, little-endian. So what reads is compiled once, and not for each type.
fn write_over<T: Element>(values: &mut [T], write: &mut dyn FnMut(&mut [u8]) -> Result<()>) -> Result<()> {
    if let Some(bytes) = bytes_of_mut(T::FACTS, values) {
        return write(bytes);
    }
    let mut bytes = room::zeros(size_of_val(values))?;
    save_le(values, &mut bytes);
    write(&mut bytes)?;
    load_le(&bytes, values);
    Ok(())
}

fn dense_parts(array: &AnyArray<'_>, a: usize, plan: &Plan<'_>, out: &mut [u8]) -> Result<()> {
    let (_, size) = size_of_cell(array, a);
    for part in &plan.parts {
        match part {
            Part::Tiles { fragment, tiles, needed } => {
                let open = || array.tiles(fragment, TileContent::Values(a), tiles);
                dense_tiles(array, open, needed, (plan.space.num_cells, size), out)?;
            }
            Part::Cells { selected, to } => {
                let mut cells = room::zeros(check_limit(array, a, to.len())?)?;
                selected_cells(array, a, selected, &mut cells)?;
                copy_cells(&cells, out, size, (0..).zip(to.iter().copied()));
            }
        }
    }
    Ok(())
}

/// The tiles of one dense fragment, of that many cells, each of that many bytes.
fn dense_tiles<'a>(
    array: &AnyArray<'_>,
    open: impl Fn() -> Result<TileFile<'a>>,
    needed: &[Needed],
    (num_cells, size): (usize, usize),
    out: &mut [u8],
) -> Result<()> {
    let tile_len = bytes_of(num_cells as u64, size);
    let batch = place::batch(array.threads, tile_len);
    let Some(places) = place::places(needed, size, &mut *out) else {
        // rows of several tiles lie between each other
        let jobs = place::ranges(needed.len(), batch);
        let out = Mutex::new(out);
        return work::each(array.threads, jobs, open, |file, batch: Range<usize>| {
            file.until(batch.end);
            for k in batch {
                let tile = file.tile(k, tile_len)?;
                // a thread that panics ends the reading
                let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                needed[k].cells.runs(|run| run.copy(tile, &mut out, size));
            }
            Ok(())
        });
    };
    work::each(array.threads, place::batches(places, batch), open, |file, places| {
        file.until(places.last().map_or(0, |place| place.k + 1));
        for Place { k, first, to } in places {
            match to.len() as u64 == tile_len {
                true => file.tile_into(k, to)?,
                false => to.copy_from_slice(&file.tile(k, tile_len)?[first * size..][..to.len()]),
            }
        }
        Ok(())
    })
}

/// The selected cells of a sparse fragment, which `out` has room for.
fn selected_cells(array: &AnyArray<'_>, a: usize, selected: &Selected<'_>, out: &mut [u8]) -> Result<()> {
    let (_, size) = size_of_cell(array, a);
    let mut rest = out;
    let mut places = Vec::new();
    for (k, chosen) in selected.cells.iter().enumerate() {
        let (to, after) = rest.split_at_mut(chosen.len() * size);
        places.push(Place { k, first: 0, to });
        rest = after;
    }
    let num_cells = |k: usize| selected.num_cells.get(k).copied().unwrap_or(0);
    let tile_len = |k: usize| bytes_of(num_cells(k) as u64, size);
    let batch = place::batch(array.threads, tile_len(0));
    let open = || array.tiles(selected.fragment, TileContent::Values(a), &selected.tiles);
    work::each(array.threads, place::batches(places, batch), open, |file, places| {
        file.until(places.last().map_or(0, |place| place.k + 1));
        for Place { k, to, .. } in places {
            let (chosen, tile) = (&selected.cells[k], file.tile(k, tile_len(k))?);
            match chosen.len() == num_cells(k) {
                true => to.copy_from_slice(tile),
                false => copy_cells(tile, to, size, chosen.iter().copied().zip(0..)),
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::write_over;

    #[test]
    fn what_is_more_than_bytes_is_written_over_too() {
        let mut bools = [true, false, false];
        write_over(&mut bools, &mut |bytes| {
            assert_eq!(*bytes, [1, 0, 0]);
            bytes.copy_from_slice(&[0, 2, 0]);
            Ok(())
        })
        .unwrap();
        assert_eq!(bools, [false, true, false]);
    }
}
