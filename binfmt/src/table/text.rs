//! Files of text whose rows come one after the other: what CSV and JSON lines share.

use super::cells::{CellType, Cells};
use super::wanted::Limited;
use super::{Batches, Estimate, Split, Table, TableField, TableSchema, Wanted};
use crate::columns::{ColumnType, Columns};
use crate::error::{Error, Result, Step};
use crate::schema::Name;
use crate::wire::amount::{between, natural};
use std::fmt;
use std::sync::Arc;

/// What a row has in a column, and where.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    Missing,
    /// An empty text; where texts are not expected nothing.
    Blank,
    Text(&'a [u8], u64),
    /// Bytes in hexadecimal, which are said to be some.
    Bytes(&'a [u8], u64),
    /// A list or an object of JSON.
    Nested(&'a [u8], u64),
}

/// Reads one row after the other.
pub(super) trait Lines: Send {
    /// Goes to the next row, if there is one.
    fn next(&mut self) -> Result<bool>;

    /// What is in a column of the row at hand.
    fn cell(&self, column: usize) -> Cell<'_>;

    /// The line that the row ends in, counted from 1.
    fn line(&self) -> u64;

    /// Where the next row begins.
    fn offset(&self) -> u64;
}

/// Opens the file again, before its first row.
pub(super) type Open = Arc<dyn Fn() -> Result<Box<dyn Lines>> + Send + Sync>;

/// A file whose names and types are known.
pub(super) struct TextTable {
    open: Open,
    types: Vec<CellType>,
    schema: TableSchema,
}

impl fmt::Debug for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextTable").field("types", &self.types).finish_non_exhaustive()
    }
}

impl TextTable {
    pub(super) fn new(names: Vec<String>, types: Vec<CellType>, open: Open) -> Self {
        let fields = names.into_iter().zip(&types).map(|(name, ty)| TableField::new(name, ty.column_type()));
        TextTable { open, schema: TableSchema::new(fields), types }
    }
}

impl Table for TextTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Unknown
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        Ok(vec![Split { rows: wanted.rows_of(None), ..Split::default() }])
    }

    fn read_as(&self, types: &[ColumnType]) -> Option<Arc<dyn Table>> {
        let types = types.iter().map(CellType::of).collect::<Option<Vec<CellType>>>()?;
        let names = self.schema.fields.iter().map(|field| field.name.to_string()).collect();
        (types.len() == self.types.len())
            .then(|| Arc::new(TextTable::new(names, types, Arc::clone(&self.open))) as Arc<dyn Table>)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let rows = TextRows {
            lines: (self.open)()?,
            table: self,
            columns,
            batch: wanted.batch_rows.max(1),
            bytes: wanted.batch_bytes,
            row: 0,
            failed: None,
            has_ended: false,
        };
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        let skip = natural(split.rows.start);
        Ok(Box::new(Limited::new(rows, most).after(skip)))
    }
}

/// The rows of a file, batch by batch.
struct TextRows {
    table: Arc<TextTable>,
    lines: Box<dyn Lines>,
    columns: Vec<usize>,
    batch: usize,
    bytes: u64,
    row: usize,
    /// What comes after the rows that were read.
    failed: Option<Error>,
    has_ended: bool,
}

impl TextRows {
    /// Goes to the next row and adds it.
    fn push(&mut self, cells: &mut [Cells]) -> Result<bool> {
        let row = self.row;
        let at_row = |e: Error| e.within(Step::Index(row));
        if !self.lines.next().map_err(at_row)? {
            return Ok(false);
        }
        for (cells, column) in cells.iter_mut().zip(&self.columns) {
            let (text, at, is_one) = match self.lines.cell(*column) {
                Cell::Missing => {
                    cells.push(None);
                    continue;
                }
                Cell::Blank => {
                    cells.push_blank();
                    continue;
                }
                Cell::Text(text, at) => (text, at, cells.push(Some(text))),
                Cell::Nested(text, at) => (text, at, cells.push_nested(text)),
                Cell::Bytes(text, at) => (text, at, cells.push_bytes(text)),
            };
            if !is_one {
                let shown = String::from_utf8_lossy(text);
                let ty = self.table.types.get(*column).copied().unwrap_or(CellType::Text);
                let text = format!("expected {ty}, found {shown:?} in line {}", self.lines.line());
                let name = self.table.schema.fields.get(*column).map_or("", |field| &*field.name);
                return Err(at_row(Error::message(text, at).within(Step::Name(name.into()))));
            }
        }
        Ok(true)
    }

    fn fill(&mut self) -> Result<Option<Columns>> {
        let types = self.columns.iter().filter_map(|column| self.table.types.get(*column));
        let mut cells: Vec<Cells> = types.map(|ty| Cells::new(*ty)).collect();
        let (begin, first) = (self.lines.offset(), self.row);
        let full = first.saturating_add(self.batch);
        while self.row < full && between(begin, self.lines.offset()) < self.bytes.max(1) {
            match self.push(&mut cells) {
                Ok(true) => self.row = self.row.saturating_add(1),
                Ok(false) => break,
                Err(e) => {
                    // the rows before it come first
                    self.failed = Some(e);
                    break;
                }
            }
        }
        let rows = self.row.saturating_sub(first);
        if rows == 0 {
            self.has_ended = true;
            return self.failed.take().map_or(Ok(None), Err);
        }
        let mut columns = Vec::new();
        for (mut cells, column) in cells.into_iter().zip(&self.columns) {
            cells.truncate(rows);
            let name =
                self.table.schema.fields.get(*column).map_or_else(|| Name::from(""), |f| f.name.clone());
            let column = cells.into_column().ok_or_else(|| Error::other("a column without all its rows"))?;
            columns.push((name, column));
        }
        Ok(Some(Columns::of_rows(rows, columns)))
    }
}

impl Iterator for TextRows {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        if self.has_ended {
            return None;
        }
        if let Some(e) = self.failed.take() {
            self.has_ended = true;
            return Some(Err(e));
        }
        self.fill().transpose()
    }
}
