//! An array in text as a table, whose rows are read some at a time.

use crate::columns::{Column, Columns};
use crate::error::{Error, Result, Step};
use crate::formats::futhark::layout::ElementType;
use crate::formats::futhark::text::parse::{InPieces, skip_blank};
use crate::numbers::Numbers;
use crate::schema::Name;
use crate::storage::{Storage, StorageReader};
use crate::table::{Batches, Estimate, Limited, Split, Table, TableField, TableSchema, Wanted};
use crate::wire::amount::{after, natural, times};
use crate::wire::{Cursor, Options, Source, Stream};
use std::fmt;
use std::sync::Arc;

/// Where an array is, and what it is: known from reading it once.
pub(super) struct TextRows {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) path: String,
    pub(super) options: Options,
    /// The value before it ends here.
    pub(super) begin: u64,
    /// The number of the value.
    pub(super) number: usize,
    pub(super) of: ElementType,
    pub(super) rows: u64,
    /// The elements of a row, if a row is not one element.
    pub(super) each: Option<usize>,
    /// Whether the file stays open from batch to batch.
    pub(super) stays_open: bool,
    pub(super) schema: TableSchema,
}

impl fmt::Debug for TextRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextRows").field("path", &self.path).field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl TextRows {
    /// What is in the file from there on.
    fn input(&self, from: u64) -> Result<Stream<StorageReader>> {
        let input = StorageReader::new(Arc::clone(&self.storage), &self.path, from..u64::MAX)?;
        let Options { limits, policy, .. } = self.options;
        Ok(Stream::with(input, limits, policy, false).starting_at(from))
    }

    /// The only column, without rows.
    pub(super) fn field(of: ElementType, each: Option<usize>) -> TableField {
        TableField::new("value", column(Numbers::new(of.number_type()), 0, each).column_type())
    }
}

/// The elements of so many rows, of `each` elements if a row is not one element.
pub(super) fn column(elements: Numbers, rows: usize, each: Option<usize>) -> Column {
    let items = Column::from(elements);
    match each {
        Some(len) => Column::Array { len, rows, items: Box::new(items) },
        None => items,
    }
}

impl Table for TextRows {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Exact(self.rows)
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        let rows = i64::try_from(self.rows).unwrap_or(i64::MAX);
        Ok(vec![Split { rows: wanted.rows_of(Some(rows)), ..Split::default() }])
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?.len();
        let row = times(self.each.unwrap_or(1), self.of.number_type().size()) as u64;
        let rows = wanted.batch_bytes.checked_div(row).unwrap_or(u64::MAX);
        let batch = usize::try_from(rows).unwrap_or(usize::MAX).min(wanted.batch_rows).max(1);
        let (text, left) = (InPieces::new(self.of), self.rows);
        let skip = natural(split.rows.start);
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        let (src, at) = (None, self.begin);
        let reading = Reading { table: self, src, at, text, left, skip, columns, batch };
        Ok(Box::new(Limited::new(reading, most).after(skip)))
    }
}

/// The rows of an array, from the first on.
struct Reading {
    table: Arc<TextRows>,
    /// None where the file is closed.
    src: Option<Stream<StorageReader>>,
    /// Where it goes on then.
    at: u64,
    text: InPieces,
    left: u64,
    /// How many rows come before the first that is wanted: a batch begins with that one, as it does in the columns beside.
    skip: u64,
    /// How often the column is wanted.
    columns: usize,
    batch: usize,
}

impl Reading {
    fn batch(&mut self, src: &mut Stream<StorageReader>) -> Result<Columns> {
        src.budget_mut().0.renew(self.table.options.limits);
        if self.left == self.table.rows {
            skip_blank(&mut src.erase())?;
        }
        let most = if self.skip > 0 { self.skip.min(self.left) } else { self.left };
        let rows = usize::try_from(most).unwrap_or(usize::MAX).min(self.batch);
        let is_last = rows as u64 == self.left;
        let wanted = times(rows, self.table.each.unwrap_or(1));
        // what is after the last one is the end of the array
        let most = after(wanted as u64, u64::from(is_last));
        let elements = self.text.next(&mut src.erase(), usize::try_from(most).unwrap_or(usize::MAX))?;
        if elements.len() != wanted || self.text.has_ended() != is_last {
            return Err(Error::other("the file has changed since it was opened"));
        }
        self.left = self.left.saturating_sub(rows as u64);
        self.skip -= self.skip.min(rows as u64);
        let column = column(elements, rows, self.table.each);
        let named = std::iter::repeat_n((Name::from("value"), column), self.columns);
        Ok(Columns::of_rows(rows, named.collect()))
    }
}

impl Iterator for Reading {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        if self.left == 0 {
            return None;
        }
        let src = self.src.take().map_or_else(|| self.table.input(self.at), Ok);
        let done = src.and_then(|mut src| {
            let batch = self.batch(&mut src)?;
            self.at = src.pos();
            self.src = self.table.stays_open.then_some(src);
            Ok(batch)
        });
        Some(done.map_err(|e| {
            self.left = 0;
            e.within(Step::Index(self.table.number))
        }))
    }
}
