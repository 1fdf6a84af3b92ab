//! Columns in memory as a table.

use super::field::{TableField, TableSchema};
use super::split::{Estimate, Split, cut};
use super::wanted::Wanted;
use super::{Batches, Table};
use crate::columns::{Column, Columns};
use crate::error::Result;
use crate::schema::Name;
use std::sync::Arc;

/// Columns that are in memory as a table. Each batch is a copy of its rows.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Estimate, Table, Wanted};
/// use std::sync::Arc;
/// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2, 3]))])?;
/// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
/// assert_eq!(table.num_rows(), Estimate::Exact(3));
/// let batch = table.batches(&Wanted::new().rows(1..2))?.next().unwrap()?;
/// assert_eq!(batch.get("a"), Some(&Column::from(vec![2u8])));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColumnsTable {
    schema: TableSchema,
    columns: Vec<(Name, Column)>,
    rows: usize,
}

impl ColumnsTable {
    /// These columns, of which their names and types are said.
    ///
    /// ```
    /// use binfmt::{columns::Columns, table::{ColumnsTable, Table}};
    /// assert!(ColumnsTable::new(Columns::new(vec![])?).schema().fields.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(columns: Columns) -> Self {
        let fields = columns.iter().map(|(name, column)| TableField::new(name, column.column_type()));
        let schema = TableSchema::new(fields);
        ColumnsTable { schema, rows: columns.num_rows(), columns: columns.into_columns() }
    }

    /// Changes what is said of the columns.
    #[must_use]
    pub(crate) fn describe(mut self, say: impl FnOnce(&mut TableSchema)) -> Self {
        say(&mut self.schema);
        self
    }
}

/// A row of memory as tables count them.
fn number(row: usize) -> i64 {
    i64::try_from(row).unwrap_or(i64::MAX)
}

impl Table for ColumnsTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Exact(self.rows as u64)
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        let rows = wanted.rows_of(Some(number(self.rows)));
        Ok(cut(rows, parts).map(Split::of_rows).collect())
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let place = |row: i64| usize::try_from(row.max(0)).unwrap_or(usize::MAX).min(self.rows);
        let start = place(split.rows.start);
        let most = usize::try_from(wanted.limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let end = place(split.rows.end).min(start.saturating_add(most));
        let step = wanted.batch_rows.max(1);
        let batch = move |from: usize| {
            let rows = from..from.saturating_add(step).min(end);
            let of = |i: &usize| {
                let (name, column) = self.columns.get(*i)?;
                Some((name.clone(), column.part(rows.clone())))
            };
            Ok(Columns::of_rows(rows.len(), columns.iter().filter_map(of).collect()))
        };
        Ok(Box::new((start..end).step_by(step).map(batch)))
    }
}
