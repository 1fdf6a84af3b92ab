//! Tables of arrays as tables of their elements, for formats that have no arrays.

use super::tasks::and_then;
use super::{Batches, Estimate, Split, Table, TableField, TableSchema, Tasks, Wanted};
use crate::columns::{Column, ColumnType, Columns};
use crate::error::{Error, Result};
use crate::wire::amount::{plus, times};
use std::sync::Arc;

/// The table with a column for each element, `c0`, `c1` and so on, if its one column has arrays of one dimension that are of the same
/// length in all rows; any other table as it is.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, Table, TableFormat, Wanted, spread};
/// use binfmt::value::Value;
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.in", b"[[1i32, 2], [3, 4], [5, 6]]")?;
/// let matrix = binfmt::formats::futhark::Tables.open(Arc::new(files), "x.in", &Settings::new())?;
/// let table = spread(matrix);
/// assert_eq!(table.schema().fields[1].name, "c1");
/// let batch = table.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.row(2), Some(Value::record([("c0", 5i32), ("c1", 6)])));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn spread(table: Arc<dyn Table>) -> Arc<dyn Table> {
    let [field] = &table.schema().fields[..] else { return table };
    let (ColumnType::Array { len, items }, None) = (&field.ty, &field.logical) else { return table };
    if *len > MOST || !matches!(**items, ColumnType::Number(_) | ColumnType::Text) {
        return table;
    }
    let of = |i: usize| TableField { name: format!("c{i}").into(), ty: (**items).clone(), ..field.clone() };
    let schema = TableSchema { fields: (0..*len).map(of).collect(), meta: table.schema().meta.clone() };
    Arc::new(Spread { table, schema })
}

/// The most columns: each takes memory, regardless of the number of rows.
const MOST: usize = 1 << 18;

#[derive(Debug)]
struct Spread {
    table: Arc<dyn Table>,
    schema: TableSchema,
}

impl Table for Spread {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        self.table.splits(&asked(wanted), parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let batches = Arc::clone(&self.table).read(split, &asked(wanted))?;
        Ok(Box::new(batches.map(move |batch| self.elements(&batch?, &columns))))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        let columns = wanted.columns_of(&self.schema)?;
        let tasks = Arc::clone(&self.table).tasks(split, &asked(wanted))?;
        Ok(and_then(tasks, move |batch| self.elements(&batch, &columns)))
    }
}

/// What is asked of the table: what ranges say of an element says nothing of an array.
fn asked(wanted: &Wanted) -> Wanted {
    let mut asked = wanted.clone().columns([0]);
    asked.ranges.clear();
    asked
}

impl Spread {
    /// These elements of the arrays.
    fn elements(&self, batch: &Columns, columns: &[usize]) -> Result<Columns> {
        let rows = batch.num_rows();
        let Some(Column::Array { len, items, .. }) = batch.at(0) else {
            return Err(Error::other("the table did not give its arrays"));
        };
        let of = |column: &usize| {
            let field = self.schema.fields.get(*column)?;
            let places: Vec<usize> = (0..rows).map(|row| plus(times(row, *len), *column)).collect();
            Some((field.name.clone(), items.take(&places)))
        };
        Ok(Columns::of_rows(rows, columns.iter().filter_map(of).collect()))
    }
}
