//! Tables: what a format hands over, and the forms in which it is shown.

mod csv;
pub(crate) mod grid;
mod lines;
mod people;
mod plain;
mod value;

pub(crate) use csv::Csv;
pub(crate) use people::People;
pub(crate) use plain::Plain;
pub(crate) use value::{show, show_value};

use crate::error::Result;

/// A column, as it is announced.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Numbers stand at the right.
    pub(crate) is_number: bool,
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

/// What a cell holds; its text, as it is, was appended to the caller's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A number, a bool, bytes: letters that need no care.
    Plain,
    /// Text of any characters.
    Text,
    /// Nothing: the value is missing, with the code that says why if there is one.
    Missing(Option<u8>),
}

/// Some rows of a table, complete in themselves.
pub(crate) trait Rows {
    fn num_rows(&self) -> usize;

    /// Appends the text of a cell to `out`. Bytes of a text that are no UTF-8 stay as they are.
    fn show(&self, row: usize, column: usize, out: &mut Vec<u8>) -> Shown;
}

/// Takes tables, one after the other, batch by batch.
pub(crate) trait Tables {
    fn begin(&mut self, head: &Head) -> Result<()>;
    fn rows(&mut self, rows: &dyn Rows) -> Result<()>;
    fn end(&mut self) -> Result<()>;
}

#[cfg(test)]
mod tests;
