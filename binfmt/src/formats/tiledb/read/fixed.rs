//! Values of attributes whose cells all have the same number of values.

use super::copy::Run;
use super::dense::{Part, Plan};
use super::sparse::Selected;
use crate::formats::tiledb::array::Array;
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::{Value, Values, with_values};
use crate::{Error, Result};

/// The cells of a dense result.
pub(super) fn read_dense<S: Storage>(
    array: &Array<S>,
    a: usize,
    plan: &Plan<'_>,
    out: &mut Values,
) -> Result<()> {
    with_values!(out, values => dense(array, a, plan, values)?);
    Ok(())
}

/// The cells of a sparse result, fragment after fragment.
pub(super) fn read_sparse<S: Storage>(
    array: &Array<S>,
    a: usize,
    selected: &[Selected<'_>],
    out: &mut Values,
) -> Result<()> {
    with_values!(out, values => for part in selected {
        append(array, a, part, values)?;
    });
    Ok(())
}

fn values_per_cell<S>(array: &Array<S>, a: usize) -> usize {
    array.schema.attributes[a].cell_val_num.fixed().unwrap_or(1) as usize
}

/// Room for a result, if the limit allows it.
fn check_limit<S>(array: &Array<S>, a: usize, bytes: Option<usize>) -> Result<()> {
    match bytes {
        Some(bytes) if bytes as u64 <= array.limit => Ok(()),
        _ => {
            let name = &array.schema.attributes[a].name;
            let text = format!("the values of {name:?} take more than the limit of {} bytes", array.limit);
            Err(Error::message(text, 0))
        }
    }
}

fn dense<T: Value, S: Storage>(array: &Array<S>, a: usize, plan: &Plan<'_>, out: &mut Vec<T>) -> Result<()> {
    let n = values_per_cell(array, a);
    let len = plan.num_cells.checked_mul(n);
    check_limit(array, a, len.and_then(|len| len.checked_mul(T::SIZE)))?;
    let len = len.unwrap_or(0);
    let fill = T::one(array.schema.attributes[a].datatype.fill());
    let start = if plan.covered { T::default() } else { fill };
    if out.capacity() < len {
        *out = vec![start; len];
    } else {
        // what is there already is written over where every cell is
        out.truncate(if plan.covered { len } else { 0 });
        out.resize(len, start);
    }
    let tile_len = (plan.space.num_cells as u64).saturating_mul((n * T::SIZE) as u64);
    for part in &plan.parts {
        match part {
            Part::Tiles { fragment, tiles, needed } => {
                let mut file = array.values_file(fragment, a, tiles)?;
                for (k, needed) in needed.iter().enumerate() {
                    let tile = file.tile(k, tile_len)?;
                    needed.cells.runs(|run| copy(tile, out, run, n));
                }
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

/// The cells of a run, `n` values each.
fn copy<T: Value>(tile: &[u8], out: &mut [T], run: Run, n: usize) {
    if run.is_contiguous() {
        let from = &tile[run.from * n * T::SIZE..][..run.len * n * T::SIZE];
        return T::load(from, &mut out[run.to * n..][..run.len * n]);
    }
    for (from, to) in run.cells() {
        T::load(&tile[from * n * T::SIZE..][..n * T::SIZE], &mut out[to * n..][..n]);
    }
}

/// The selected cells of a sparse fragment.
fn append<T: Value, S: Storage>(
    array: &Array<S>,
    a: usize,
    selected: &Selected<'_>,
    out: &mut Vec<T>,
) -> Result<()> {
    let n = values_per_cell(array, a);
    let mut file = array.values_file(selected.fragment, a, &selected.tiles)?;
    for (k, chosen) in selected.cells.iter().enumerate() {
        let cells = selected.num_cells[k];
        let tile = file.tile(k, (cells as u64).saturating_mul((n * T::SIZE) as u64))?;
        let start = out.len();
        let bytes = (start + chosen.len() * n).checked_mul(T::SIZE);
        check_limit(array, a, bytes)?;
        out.resize(start + chosen.len() * n, T::default());
        if chosen.len() == cells {
            T::load(tile, &mut out[start..]);
        } else {
            for (from, to) in chosen.iter().zip(out[start..].chunks_exact_mut(n)) {
                T::load(&tile[from * n * T::SIZE..][..n * T::SIZE], to);
            }
        }
    }
    Ok(())
}
