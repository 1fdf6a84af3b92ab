//! Tab-separated lines, for the next program of a pipe.

use super::lines::Lines;
use super::{Head, Rows, Shown, Tables};
use crate::error::Result;
use crate::terminal;
use std::io::Write;

/// One row a line, one tab between cells. Tabs, newlines and backslashes in text are `\t`, `\n`, `\\`; a missing value
/// is `\N`.
pub(crate) struct Plain<W> {
    out: Lines<W>,
    header: bool,
    tables: usize,
    columns: usize,
    cell: Vec<u8>,
}

impl<W: Write> Plain<W> {
    pub(crate) fn new(out: W, header: bool) -> Self {
        Plain { out: Lines::new(out), header, tables: 0, columns: 0, cell: Vec::new() }
    }

    /// A line about the table, which `grep -v '^#'` takes away.
    fn remark(&mut self, text: &str) -> Result<()> {
        self.out.push(b"# ")?;
        self.out.push(terminal::field(text.as_bytes()).as_bytes())?;
        self.out.push(b"\n")
    }
}

impl<W: Write> Tables for Plain<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.columns = head.columns.len();
        self.tables += 1;
        if !self.header {
            return Ok(());
        }
        if !head.title.is_empty() {
            self.remark(&head.title)?;
        }
        for (name, value) in &head.notes {
            self.remark(&format!("{name}: {value}"))?;
        }
        for (i, column) in head.columns.iter().enumerate() {
            if i > 0 {
                self.out.push(b"\t")?;
            }
            self.out.push(terminal::field(column.name.as_bytes()).as_bytes())?;
        }
        self.out.push(b"\n")?;
        self.out.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            for column in 0..self.columns {
                if column > 0 {
                    self.out.push(b"\t")?;
                }
                self.cell.clear();
                match rows.show(row, column, &mut self.cell) {
                    Shown::Missing(_) => self.out.push(b"\\N")?,
                    Shown::Plain => self.out.push(&self.cell)?,
                    Shown::Text => self.out.push(terminal::field(&self.cell).as_bytes())?,
                }
            }
            self.out.push(b"\n")?;
        }
        self.out.flush()
    }

    fn end(&mut self) -> Result<()> {
        self.out.send()
    }
}
