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
    fn remark(&mut self, texts: &[&str]) -> Result<()> {
        self.out.push(b"# ")?;
        texts.iter().try_for_each(|text| field(text.as_bytes(), &mut self.out))?;
        self.out.push(b"\n")
    }
}

fn field(text: &[u8], out: &mut Lines<impl Write>) -> Result<()> {
    terminal::pieces(text).try_for_each(|piece| out.push(terminal::field(piece).as_bytes()))
}

impl<W: Write> Tables for Plain<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.columns = head.columns.len();
        self.tables += 1;
        if !self.header {
            return Ok(());
        }
        if !head.title.is_empty() {
            self.remark(&[&head.title])?;
        }
        for (name, value) in &head.notes {
            self.remark(&[name, ": ", value])?;
        }
        self.out.row(b"\t", self.columns, |i, out| field(head.columns[i].name.as_bytes(), out))?;
        self.out.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            self.out.row(b"\t", self.columns, |column, out| {
                match rows.show(row, column, &mut self.cell) {
                    Shown::Missing(_) => out.push(b"\\N"),
                    Shown::Plain(text) => out.push(text),
                    Shown::Text(text) => field(text, out),
                    Shown::Bytes(bytes) => out.push_hex(bytes),
                }
            })?;
        }
        self.out.flush()
    }

    fn end(&mut self) -> Result<()> {
        self.out.send()
    }
}
