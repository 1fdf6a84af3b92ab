//! Tab-separated lines, for the next program of a pipe.

use super::{Head, Rows, Shown, Tables};
use crate::error::{Error, Result};
use crate::terminal;
use std::io::Write;

/// One row a line, one tab between cells. Tabs, newlines and backslashes in text are `\t`, `\n`, `\\`; a missing value
/// is `\N`.
pub(crate) struct Plain<W> {
    out: W,
    header: bool,
    tables: usize,
    columns: usize,
    line: Vec<u8>,
    cell: Vec<u8>,
}

impl<W: Write> Plain<W> {
    pub(crate) fn new(out: W, header: bool) -> Self {
        Plain { out, header, tables: 0, columns: 0, line: Vec::new(), cell: Vec::new() }
    }

    fn send(&mut self) -> Result<()> {
        self.line.push(b'\n');
        self.out.write_all(&self.line).map_err(Error::output)?;
        self.line.clear();
        Ok(())
    }

    /// A line about the table, which `grep -v '^#'` takes away.
    fn remark(&mut self, text: &str) -> Result<()> {
        self.line.extend_from_slice(b"# ");
        self.line.extend_from_slice(terminal::field(text.as_bytes()).as_bytes());
        self.send()
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
                self.line.push(b'\t');
            }
            self.line.extend_from_slice(terminal::field(column.name.as_bytes()).as_bytes());
        }
        self.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            for column in 0..self.columns {
                if column > 0 {
                    self.line.push(b'\t');
                }
                self.cell.clear();
                match rows.show(row, column, &mut self.cell) {
                    Shown::Missing(_) => self.line.extend_from_slice(b"\\N"),
                    Shown::Plain => self.line.extend_from_slice(&self.cell),
                    Shown::Text => self.line.extend_from_slice(terminal::field(&self.cell).as_bytes()),
                }
            }
            self.send()?;
        }
        self.out.flush().map_err(Error::output)
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}
