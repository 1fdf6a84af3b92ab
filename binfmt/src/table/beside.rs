//! Tables with the same number of rows as the columns of one.

use super::split::{Estimate, Split, cut};
use super::wanted::{Limited, Wanted};
use super::{Batches, Table, TableField, TableSchema};
use crate::columns::{Column, ColumnData, Columns};
use crate::error::{Error, Result};
use crate::schema::Name;
use crate::wire::amount::natural;
use std::sync::Arc;

/// Tables of one column each, all of the same number of rows, side by side.
#[derive(Debug)]
pub(crate) struct SideBySide {
    tables: Vec<Arc<dyn Table>>,
    schema: TableSchema,
    rows: u64,
}

impl SideBySide {
    /// Columns with their names. What is said of the table is what the first one says.
    pub(crate) fn new(tables: Vec<(String, Arc<dyn Table>)>, rows: u64) -> Self {
        let fields = tables.iter().filter_map(|(name, table)| {
            let field = table.schema().fields.first()?;
            Some(TableField { name: name.as_str().into(), ..field.clone() })
        });
        let meta = tables.first().map(|(_, table)| table.schema().meta.clone()).unwrap_or_default();
        let schema = TableSchema { fields: fields.collect(), meta };
        SideBySide { schema, rows, tables: tables.into_iter().map(|(_, table)| table).collect() }
    }

    pub(crate) fn describe(mut self, say: impl FnOnce(&mut TableSchema)) -> Self {
        say(&mut self.schema);
        self
    }
}

impl Table for SideBySide {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Exact(self.rows)
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        let rows = wanted.rows_of(Some(i64::try_from(self.rows).unwrap_or(i64::MAX)));
        Ok(cut(rows, parts).map(Split::of_rows).collect())
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let rows = split.rows.start..split.rows.end.min(i64::try_from(self.rows).unwrap_or(i64::MAX));
        let count = natural(rows.end.saturating_sub(rows.start));
        // as many bytes as are asked for of all together, and the same rows of each
        let asked = Wanted::new().rows(rows).batch_rows(wanted.batch_rows);
        let asked = Wanted { batch_bytes: u64::MAX, ..asked };
        let all = columns.iter().filter_map(|column| self.tables.get(*column));
        let sources = all.map(|table| Arc::clone(table).batches(&asked)).collect::<Result<Vec<_>>>()?;
        let batches = Together {
            table: self,
            columns,
            sources,
            left: count,
            step: wanted.batch_rows.max(1),
            short: None,
        };
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }
}

/// The batches of all columns, side by side.
struct Together {
    table: Arc<SideBySide>,
    columns: Vec<usize>,
    sources: Vec<Batches>,
    left: u64,
    step: usize,
    /// The column that had fewer rows than another: what is wrong with it comes next.
    short: Option<usize>,
}

impl Together {
    fn batch(&mut self) -> Result<Option<Columns>> {
        if let Some(short) = self.short.take() {
            let next = self.sources.get_mut(short).and_then(Iterator::next);
            next.unwrap_or_else(|| Err(Error::other("the file has become shorter")))?;
            return Err(Error::other("the columns have different numbers of rows"));
        }
        let rows = usize::try_from(self.left).unwrap_or(usize::MAX).min(self.step);
        if rows == 0 {
            return Ok(None);
        }
        let mut found = Vec::with_capacity(self.columns.len());
        let mut least = rows;
        for (i, (source, column)) in self.sources.iter_mut().zip(&self.columns).enumerate() {
            let batch = source.next().unwrap_or_else(|| Err(Error::other("the file has become shorter")))?;
            if batch.num_rows() < least {
                (least, self.short) = (batch.num_rows(), Some(i));
            }
            let name = self.table.schema.fields.get(*column).map(|field| field.name.clone());
            let column = batch.into_columns().into_iter().next();
            found.extend(name.zip(column.map(|(_, column)| column)));
        }
        self.left = self.left.saturating_sub(least as u64);
        let part = |(name, column): (Name, Column)| match column.len() == least {
            true => (name, column),
            false => (name, column.part(0..least)),
        };
        let found = found.into_iter().map(part).collect();
        // an error alone
        if least == 0 { self.batch() } else { Ok(Some(Columns::of_rows(least, found))) }
    }
}

impl Iterator for Together {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        let batch = self.batch();
        if batch.is_err() {
            (self.left, self.short) = (0, None);
        }
        batch.transpose()
    }
}
