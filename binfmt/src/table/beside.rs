//! Tables with the same number of rows as the columns of one.

use super::split::{Estimate, Split, cut};
use super::wanted::{Limited, Wanted};
use super::{Batches, Table, TableField, TableSchema};
use crate::columns::{Column, ColumnData, ColumnType, Columns};
use crate::error::{Error, Result};
use crate::schema::Name;
use crate::wire::amount::{after, natural, row_after, times64};
use std::ops::Range;
use std::sync::Arc;

/// Tables of one column each, all of the same number of rows, side by side.
#[derive(Debug)]
pub(crate) struct SideBySide {
    tables: Vec<Arc<dyn Table>>,
    schema: TableSchema,
    rows: u64,
}

impl SideBySide {
    /// More columns are not all open at once, each with a file and memory of its own: a program may not have many more files.
    pub(crate) const KEPT: usize = 64;

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
        let row = columns.iter().filter_map(|column| self.schema.fields.get(*column));
        let row: u64 = row.map(|field| row_bytes(&field.ty)).fold(0, after);
        // as many bytes as are asked for of all together, and the same rows of each
        let most = wanted.batch_bytes.checked_div(row).unwrap_or(u64::MAX);
        let step = usize::try_from(most).unwrap_or(usize::MAX).min(wanted.batch_rows).max(1);
        let mut batches = Together { table: self, columns, sources: Vec::new(), rows, step, short: None };
        if batches.left() > batches.step {
            let all = batches.columns.iter().map(|column| batches.kept(*column));
            batches.sources = all.collect::<Result<_>>()?;
        }
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }
}

/// The bytes of a row, as far as all rows have the same.
fn row_bytes(ty: &ColumnType) -> u64 {
    match ty {
        ColumnType::Number(kind) => kind.size() as u64,
        ColumnType::Array { len, items } => times64(*len as u64, row_bytes(items)),
        _ => 0,
    }
}

/// The batches of all columns, side by side.
struct Together {
    table: Arc<SideBySide>,
    columns: Vec<usize>,
    /// Where columns are read on; the others are opened for each batch.
    sources: Vec<Option<Batches>>,
    /// The rows that come next.
    rows: Range<i64>,
    step: usize,
    /// The column that had fewer rows than another: what is wrong with it comes next.
    short: Option<usize>,
}

impl Together {
    /// A column, and what is asked of it.
    fn asked(&self, column: usize, rows: Range<i64>) -> Result<(Arc<dyn Table>, Wanted)> {
        let asked = Wanted::new().rows(rows).batch_rows(self.step);
        let table = self.table.tables.get(column).map(Arc::clone).ok_or_else(shorter)?;
        Ok((table, Wanted { batch_bytes: u64::MAX, ..asked }))
    }

    /// A column that is read on: one of a few, or one that is read from its first row on. Of many such the table closes the file itself.
    fn kept(&self, column: usize) -> Result<Option<Batches>> {
        let (table, asked) = self.asked(column, self.rows.clone())?;
        if self.columns.len() > SideBySide::KEPT {
            let last = self.rows.end.wrapping_sub(1);
            let split = table.splits(&Wanted::new().rows(last..self.rows.end), 1)?;
            if split.first().is_none_or(|split| split.first == last) {
                return Ok(None);
            }
        }
        table.batches(&asked).map(Some)
    }

    /// How many rows are left.
    fn left(&self) -> usize {
        // none of them is negative
        let left = natural(self.rows.end.wrapping_sub(self.rows.start));
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// The next rows of a column.
    fn next_of(&mut self, place: usize) -> Result<Columns> {
        let next = match self.sources.get_mut(place) {
            Some(Some(source)) => source.next(),
            _ => {
                let column = self.columns.get(place).copied().ok_or_else(shorter)?;
                let end = row_after(self.rows.start, self.step as u64).min(self.rows.end);
                let (table, asked) = self.asked(column, self.rows.start..end)?;
                table.batches(&asked)?.next()
            }
        };
        next.unwrap_or_else(|| Err(shorter()))
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        if let Some(short) = self.short.take() {
            self.next_of(short)?;
            return Err(Error::other("the columns have different numbers of rows"));
        }
        let rows = self.left().min(self.step);
        if rows == 0 {
            return Ok(None);
        }
        let mut found = Vec::with_capacity(self.columns.len());
        let mut least = rows;
        for place in 0..self.columns.len() {
            let batch = self.next_of(place)?;
            if batch.num_rows() < least {
                (least, self.short) = (batch.num_rows(), Some(place));
            }
            let field = self.columns.get(place).and_then(|column| self.table.schema.fields.get(*column));
            let column = batch.into_columns().into_iter().next();
            found.extend(field.map(|field| field.name.clone()).zip(column.map(|(_, column)| column)));
        }
        self.rows.start = row_after(self.rows.start, least as u64);
        let part = |(name, column): (Name, Column)| match column.len() == least {
            true => (name, column),
            false => (name, column.part(0..least)),
        };
        let found = found.into_iter().map(part).collect();
        // an error alone
        if least == 0 { self.batch() } else { Ok(Some(Columns::of_rows(least, found))) }
    }
}

fn shorter() -> Error {
    Error::other("the file has become shorter")
}

impl Iterator for Together {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        let batch = self.batch();
        if batch.is_err() {
            (self.rows, self.short) = (0..0, None);
        }
        batch.transpose()
    }
}
