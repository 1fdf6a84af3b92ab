//! Values of attributes whose cells all have the same number of values.

use super::data_file::TileContent;
use super::file::TileFile;
use super::place::{self, Place, bytes_of};
use super::plan::{Part, Plan};
use super::select::Selected;
use crate::Result;
use crate::formats::tiledb::array::AnyArray;
use crate::formats::tiledb::region::{Needed, Run};
use crate::formats::tiledb::{room, work};
use crate::numbers::{Element, Numbers, load_le, with_numbers};
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

fn values_per_cell(array: &AnyArray<'_>, a: usize) -> usize {
    array.schema.attributes[a].cell_val_num.fixed().unwrap_or(1) as usize
}

/// That many values, if the limit allows them.
fn check_limit<T>(array: &AnyArray<'_>, a: usize, len: Option<usize>) -> Result<usize> {
    let bytes = |len: usize| len.checked_mul(size_of::<T>());
    len.filter(|len| bytes(*len).is_some_and(|bytes| bytes as u64 <= array.limit))
        .ok_or_else(|| place::above_limit(array, a))
}

fn dense<T: Element>(array: &AnyArray<'_>, a: usize, plan: &Plan<'_>, out: &mut Vec<T>) -> Result<()> {
    let n = values_per_cell(array, a);
    let len = check_limit::<T>(array, a, plan.num_cells.checked_mul(n))?;
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
    let tile_len = bytes_of(plan.space.num_cells as u64, n * size_of::<T>());
    for part in &plan.parts {
        match part {
            Part::Tiles { fragment, tiles, needed } => {
                let open = || array.tiles(fragment, TileContent::Values(a), tiles);
                dense_tiles(array, open, needed, (tile_len, n), out)?;
            }
            Part::Cells { selected, to } => {
                let mut values: Vec<T> = Vec::new();
                append(array, a, selected, &mut values)?;
                for (to, from) in to.iter().zip(values.chunks_exact(n)) {
                    out[to * n..(to + 1) * n].copy_from_slice(from);
                }
            }
        }
    }
    Ok(())
}

/// The tiles of one dense fragment, each of that many bytes and that many values in a cell.
fn dense_tiles<'a, T: Element>(
    array: &AnyArray<'_>,
    open: impl Fn() -> Result<TileFile<'a>>,
    needed: &[Needed],
    (tile_len, n): (u64, usize),
    out: &mut [T],
) -> Result<()> {
    let batch = place::batch(array.threads, tile_len);
    let Some(places) = place::places(needed, n, &mut *out) else {
        // rows of several tiles lie between each other
        let jobs = place::ranges(needed.len(), batch);
        let out = Mutex::new(out);
        return work::each(array.threads, jobs, open, |file, batch: Range<usize>| {
            file.until(batch.end);
            for k in batch {
                let tile = file.tile(k, tile_len)?;
                // a thread that panics ends the reading
                let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                needed[k].cells.runs(|run| copy(tile, &mut out, run, n));
            }
            Ok(())
        });
    };
    work::each(array.threads, place::batches(places, batch), open, |file, places| {
        file.until(places.last().map_or(0, |place| place.k + 1));
        for Place { k, first, to } in places {
            match bytes_of_mut(T::FACTS, &mut *to).filter(|bytes| bytes.len() as u64 == tile_len) {
                Some(bytes) => file.tile_into(k, bytes)?,
                None => {
                    load_le(&file.tile(k, tile_len)?[first * n * size_of::<T>()..][..size_of_val(to)], to)
                }
            }
        }
        Ok(())
    })
}

/// The cells of a run, `n` values each.
fn copy<T: Element>(tile: &[u8], out: &mut [T], run: Run, n: usize) {
    if run.is_contiguous() {
        let from = &tile[run.from * n * size_of::<T>()..][..run.len * n * size_of::<T>()];
        return load_le(from, &mut out[run.to * n..][..run.len * n]);
    }
    for (from, to) in run.cells() {
        load_le(&tile[from * n * size_of::<T>()..][..n * size_of::<T>()], &mut out[to * n..][..n]);
    }
}

/// The selected cells of a sparse fragment.
fn append<T: Element>(
    array: &AnyArray<'_>,
    a: usize,
    selected: &Selected<'_>,
    out: &mut Vec<T>,
) -> Result<()> {
    let n = values_per_cell(array, a);
    let start = out.len();
    let end = selected.cells.iter().map(Vec::len).sum::<usize>().checked_mul(n);
    let end = check_limit::<T>(array, a, end.and_then(|len| len.checked_add(start)))?;
    room::reserve(out, end - start)?;
    huge::expect_filled(out, array.huge_pages);
    out.resize(end, T::default());
    let mut rest = &mut out[start..];
    let mut places = Vec::new();
    for (k, chosen) in selected.cells.iter().enumerate() {
        let (to, after) = rest.split_at_mut(chosen.len() * n);
        places.push(Place { k, first: 0, to });
        rest = after;
    }
    let num_cells = |k: usize| selected.num_cells.get(k).copied().unwrap_or(0);
    let tile_len = |k: usize| bytes_of(num_cells(k) as u64, n * size_of::<T>());
    let batch = place::batch(array.threads, tile_len(0));
    let open = || array.tiles(selected.fragment, TileContent::Values(a), &selected.tiles);
    work::each(array.threads, place::batches(places, batch), open, |file, places| {
        file.until(places.last().map_or(0, |place| place.k + 1));
        for Place { k, to, .. } in places {
            let (chosen, tile) = (&selected.cells[k], file.tile(k, tile_len(k))?);
            if chosen.len() == num_cells(k) {
                load_le(tile, to);
                continue;
            }
            for (from, to) in chosen.iter().zip(to.chunks_exact_mut(n)) {
                load_le(&tile[from * n * size_of::<T>()..][..n * size_of::<T>()], to);
            }
        }
        Ok(())
    })
}
