//! Tables: what a format passes, and the forms in which it is shown.

mod csv;
pub(crate) mod grid;
mod lines;
mod markdown;
mod people;
mod plain;
mod value;

pub(crate) use csv::{Csv, in_one_table};
pub(crate) use markdown::Markdown;
pub(crate) use people::People;
pub(crate) use plain::Plain;
pub(crate) use value::{show, show_made, show_time, show_value};

use crate::error::Result;
use binfmt::table::TimeUnit;

/// A column, as it is announced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Numbers are at the right.
    pub(crate) is_number: bool,
    /// What its numbers count since 1970, if they are times.
    pub(crate) time: Option<TimeUnit>,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, is_number: bool) -> Self {
        Column { name: name.into(), is_number, time: None }
    }
}

/// What stands above a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// Which part of the file it is (`page 3`); empty where there is only one.
    pub(crate) title: String,
    /// Single values that belong to the part, by name.
    pub(crate) notes: Vec<(String, String)>,
    pub(crate) columns: Vec<Column>,
}

/// What a cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown<'a> {
    /// A number, a bool: letters that need no care.
    Plain(&'a [u8]),
    /// Text of any characters, which might not be UTF-8.
    Text(&'a [u8]),
    /// Bytes, which are shown in hexadecimal.
    Bytes(&'a [u8]),
    /// Nothing: the value is missing, with the code that says why if there is one.
    Missing(Option<u8>),
}

/// Some rows of a table, complete in themselves.
pub(crate) trait Rows {
    fn num_rows(&self) -> usize;

    /// What a cell contains: texts where they stand, for they may be as large as memory; what must be worded first, in `room`,
    /// whatever is there.
    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a>;
}

/// Takes tables, one after the other, batch by batch.
pub(crate) trait Tables {
    fn begin(&mut self, head: &Head) -> Result<()>;
    fn rows(&mut self, rows: &dyn Rows) -> Result<()>;
    fn end(&mut self) -> Result<()>;

    /// Hears of a file without pages, which of its rows would have been tables of these columns.
    fn none(&mut self, columns: &Head) -> Result<()> {
        let _ = columns;
        Ok(())
    }

    /// Hears what of the file is in no table: parameters, arrays.
    fn leaves_out(&mut self, what: String) {
        let _ = what;
    }

    /// Whether the single values above a table are shown.
    fn has_notes(&self) -> bool {
        true
    }
}

/// Tables that pass through, counted.
pub(crate) struct Counted<'a> {
    inner: &'a mut dyn Tables,
    pub(crate) tables: u64,
    pub(crate) rows: u64,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(inner: &'a mut dyn Tables) -> Self {
        Counted { inner, tables: 0, rows: 0 }
    }
}

impl Tables for Counted<'_> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.tables += 1;
        self.inner.begin(head)
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        self.rows += rows.num_rows() as u64;
        self.inner.rows(rows)
    }

    fn end(&mut self) -> Result<()> {
        self.inner.end()
    }

    fn none(&mut self, columns: &Head) -> Result<()> {
        self.inner.none(columns)
    }

    fn leaves_out(&mut self, what: String) {
        self.inner.leaves_out(what);
    }

    fn has_notes(&self) -> bool {
        self.inner.has_notes()
    }
}

#[cfg(test)]
mod tests;
