//! Columns of a table as one array.

use super::dtype::{Dtype, Member};
use super::header::Header;
use super::survey::{Cells, changed};
use crate::columns::{Column, ColumnData, Columns};
use crate::error::{Error, Result};
use crate::numbers::Numbers;
use crate::table::leaf::Picked;
use crate::table::{Leaf, Table, Wanted, keys};
use std::io::Write;
use std::sync::Arc;

/// Writes some columns of a table as one array of NumPy, and tells its rows.
///
/// What the header needs and the schema does not say (how many rows there are, how long texts are) is looked for first; so the rows
/// are read twice then, and never held.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{ColumnsTable, Settings, Table, TableFormat, Wanted, npy};
/// use std::sync::Arc;
/// let names = Column::Text([&b"ab"[..], b"c"].into_iter().collect());
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![1.5f32, 2.5])), ("name".into(), names)])?;
/// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
///
/// let mut bytes = Vec::new();
/// let rows = npy::write(&table, &table.schema().leaves(), &Wanted::new(), &mut bytes)?;
/// let header = "{'descr': [('x', '<f4'), ('name', '<U2')], 'fortran_order': False, 'shape': (2,), }";
/// assert_eq!((rows, &bytes[10..][..header.len()]), (2, header.as_bytes()));
///
/// let files = Memory::new();
/// files.write("x.npy", &bytes)?;
/// let again = npy::Npy.open(Arc::new(files), "x.npy", &Settings::new())?;
/// let batch = again.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.get("x"), Some(&Column::from(vec![1.5f32, 2.5])));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A column is of a type that NumPy does not have, a value is missing that is neither a float nor a time, lists have several lengths,
/// the table cannot be read, or `out` cannot be written.
pub fn write(table: &Arc<dyn Table>, leaves: &[Leaf], wanted: &Wanted, out: &mut dyn Write) -> Result<u64> {
    let schema = table.schema();
    let cells = leaves.iter().map(|leaf| Cells::of(leaf, schema.fields.get(leaf.column)));
    let mut cells: Vec<Cells> = cells.collect::<Result<_>>()?;
    if cells.is_empty() {
        return Err(Error::other("an array needs a column"));
    }
    let picked = Picked::of(leaves);
    let wanted = picked.wanted(wanted);
    let is_open = cells.iter().any(Cells::is_open);
    let rows = match table.num_rows().exact().filter(|_| !is_open && wanted.ranges.is_empty()) {
        Some(all) => {
            let rows = wanted.rows_of(i64::try_from(all).ok());
            let count = rows.end.saturating_sub(rows.start).max(0).unsigned_abs();
            wanted.limit.unwrap_or(u64::MAX).min(count)
        }
        None => survey(table, leaves, &wanted, &mut cells)?,
    };
    let is_single = schema.meta.iter().any(|(key, _)| key == keys::SINGLE) && rows == 1;
    out.write_all(&header(&cells, rows, is_single).to_bytes())?;
    if cells.iter().all(Cells::has_no_elements) {
        return Ok(rows);
    }
    let mut room = Vec::new();
    let mut written = 0u64;
    for batch in Arc::clone(table).batches(&wanted)? {
        let batch = batch?;
        room.clear();
        put(&cells, &picked.columns(&batch)?, batch.num_rows(), &mut room)?;
        written = written.saturating_add(batch.num_rows() as u64);
        out.write_all(&room)?;
    }
    match written == rows {
        true => Ok(rows),
        false => Err(changed()),
    }
}

/// Looks at the values of the columns that need it, and counts the rows.
fn survey(table: &Arc<dyn Table>, leaves: &[Leaf], wanted: &Wanted, cells: &mut [Cells]) -> Result<u64> {
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
        rows = rows.saturating_add(batch.num_rows() as u64);
    }
    Ok(rows)
}

fn header(cells: &[Cells], rows: u64, is_single: bool) -> Header {
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
fn put(cells: &[Cells], columns: &[&Column], rows: usize, out: &mut Vec<u8>) -> Result<()> {
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
