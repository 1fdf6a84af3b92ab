//! The parts of an array: its header, and its rows.

use super::dtype::{Dtype, Member};
use super::header::Header;
use super::survey::{Cells, changed};
use crate::columns::{Column, ColumnData, Columns};
use crate::error::Result;
use crate::numbers::Numbers;
use crate::table::leaf::Picked;
use crate::table::{Leaf, Table, Wanted};
use crate::wire::amount::after;
use std::sync::Arc;

/// Looks at the values of the columns that need it, and counts the rows.
pub(super) fn survey(
    table: &Arc<dyn Table>,
    leaves: &[Leaf],
    wanted: &Wanted,
    cells: &mut [Cells],
) -> Result<u64> {
    let (mut open, mut seen): (Vec<&mut Cells>, Vec<Leaf>) = (Vec::new(), Vec::new());
    for (cells, leaf) in cells.iter_mut().zip(leaves) {
        if cells.is_open() {
            open.push(cells);
            seen.push(leaf.clone());
        }
    }
    let picked = Picked::of(&seen);
    let mut rows = 0u64;
    for batch in Arc::clone(table).batches(&picked.wanted(wanted))? {
        let batch: Columns = batch?;
        for (cells, column) in open.iter_mut().zip(picked.columns(&batch)?) {
            cells.look(column, rows)?;
        }
        rows = after(rows, batch.num_rows() as u64);
    }
    Ok(rows)
}

pub(super) fn header(cells: &[Cells], rows: u64, is_single: bool) -> Header {
    let mut members: Vec<Member> = cells.iter().map(Cells::member).collect();
    let mut shape = if is_single { Vec::new() } else { vec![rows] };
    let dtype = match members.as_mut_slice() {
        [one] => {
            shape.append(&mut one.shape);
            one.dtype.clone()
        }
        _ => Dtype::Fields(members),
    };
    Header { dtype, shape, fortran: false }
}

/// Appends rows.
pub(super) fn put(cells: &[Cells], columns: &[&Column], rows: usize, out: &mut Vec<u8>) -> Result<()> {
    if let ([cells], [Column::Numbers(numbers)]) = (cells, columns)
        && cells.is_plain()
    {
        Numbers::put_le_bytes(numbers, out);
        return Ok(());
    }
    for row in 0..rows {
        for (cells, column) in cells.iter().zip(columns) {
            cells.put(column.get(row).ok_or_else(changed)?, out)?;
        }
    }
    Ok(())
}
