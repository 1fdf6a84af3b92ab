//! Tables of Markdown, for what people write.

use super::lines::Lines;
use super::{Head, Rows, Shown, Tables};
use crate::error::Result;
use crate::terminal;
use std::io::Write;

/// A table of Markdown for each table, after its title and its single values as a list. A missing value is an empty cell.
pub(crate) struct Markdown<W> {
    out: Lines<W>,
    tables: usize,
    columns: usize,
    cell: Vec<u8>,
}

impl<W: Write> Markdown<W> {
    pub(crate) fn new(out: W) -> Self {
        Markdown { out: Lines::new(out), tables: 0, columns: 0, cell: Vec::new() }
    }

    fn row(&mut self, mut cell: impl FnMut(usize, &mut Lines<W>) -> Result<()>) -> Result<()> {
        self.out.push(b"|")?;
        for i in 0..self.columns {
            self.out.push(b" ")?;
            cell(i, &mut self.out)?;
            self.out.push(b" |")?;
        }
        self.out.push(b"\n")
    }
}

/// Text in a cell: what means something to Markdown is escaped.
fn field(text: &[u8], out: &mut Lines<impl Write>) -> Result<()> {
    for piece in terminal::pieces(text) {
        let shown = terminal::field(piece);
        let mut plain = 0;
        for (at, sign) in shown.match_indices(['|', '*', '_', '`', '<', '[']) {
            out.push(shown.get(plain..at).unwrap_or_default().as_bytes())?;
            out.push(b"\\")?;
            out.push(sign.as_bytes())?;
            plain = at + sign.len();
        }
        out.push(shown.get(plain..).unwrap_or_default().as_bytes())?;
    }
    Ok(())
}

impl<W: Write> Tables for Markdown<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        if self.tables > 0 {
            self.out.push(b"\n")?;
        }
        self.tables += 1;
        self.columns = head.columns.len();
        if !head.title.is_empty() {
            self.out.push(b"**")?;
            field(head.title.as_bytes(), &mut self.out)?;
            self.out.push(b"**\n\n")?;
        }
        for (name, value) in &head.notes {
            self.out.push(b"* ")?;
            field(name.as_bytes(), &mut self.out)?;
            self.out.push(b": ")?;
            field(value.as_bytes(), &mut self.out)?;
            self.out.push(b"\n")?;
        }
        if !head.notes.is_empty() {
            self.out.push(b"\n")?;
        }
        if self.columns == 0 {
            return self.out.send();
        }
        self.row(|i, out| field(head.columns[i].name.as_bytes(), out))?;
        self.out.push(b"|")?;
        for column in &head.columns {
            self.out.push(if column.is_number { b"--:|" } else { b"---|" })?;
        }
        self.out.push(b"\n")?;
        self.out.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        if self.columns == 0 {
            return Ok(());
        }
        let mut room = std::mem::take(&mut self.cell);
        for row in 0..rows.num_rows() {
            self.row(|column, out| match rows.show(row, column, &mut room) {
                Shown::Missing(_) => Ok(()),
                Shown::Plain(text) | Shown::Text(text) => field(text, out),
                Shown::Bytes(bytes) => out.push_hex(bytes),
            })?;
        }
        self.cell = room;
        self.out.flush()
    }

    fn end(&mut self) -> Result<()> {
        self.out.send()
    }
}
