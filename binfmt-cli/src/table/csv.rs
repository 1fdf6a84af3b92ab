//! Comma-separated values (RFC 4180), for programs.

use super::lines::Lines;
use super::{Head, Rows, Shown, Tables};
use crate::error::Result;
use crate::terminal;
use std::io::Write;

/// Fields in quotes where they must be; a missing value is an empty field, an empty text is `""`.
pub(crate) struct Csv<W> {
    out: Lines<W>,
    header: bool,
    /// Whether what drives a terminal is escaped.
    tame: bool,
    columns: usize,
    /// The names in the line that was written last.
    names: Vec<String>,
    cell: Vec<u8>,
}

impl<W: Write> Csv<W> {
    pub(crate) fn new(out: W, header: bool) -> Self {
        Csv { out: Lines::new(out), header, tame: false, columns: 0, names: Vec::new(), cell: Vec::new() }
    }

    /// For a terminal and not for a program: characters that drive it are escaped.
    pub(crate) fn tame(mut self, tame: bool) -> Self {
        self.tame = tame;
        self
    }

    pub(crate) fn into_inner(self) -> W {
        self.out.into_inner()
    }
}

/// A field, in quotes where it must be. What is escaped for a terminal needs none for its line ends.
fn field(text: &[u8], tame: bool, out: &mut Lines<impl Write>) -> Result<()> {
    let is_special = |b: &u8| matches!(b, b',' | b'"') || (!tame && matches!(b, b'\n' | b'\r'));
    let quoted =
        text.is_empty() || text.starts_with(b" ") || text.ends_with(b" ") || text.iter().any(is_special);
    if quoted {
        out.push(b"\"")?;
    }
    for piece in terminal::pieces(text) {
        let shown = if tame { terminal::field(piece) } else { terminal::valid(piece) };
        for (i, part) in shown.split('"').enumerate() {
            if i > 0 {
                out.push(b"\"\"")?;
            }
            out.push(part.as_bytes())?;
        }
    }
    if quoted { out.push(b"\"") } else { Ok(()) }
}

impl<W: Write> Tables for Csv<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.columns = head.columns.len();
        let names: Vec<String> = head.columns.iter().map(|c| c.name.clone()).collect();
        // pages of the same columns go on below one line of names; without columns there is nothing
        if !self.header || self.names == names {
            return Ok(());
        }
        self.names = names;
        let name = |i: usize, out: &mut Lines<W>| field(head.columns[i].name.as_bytes(), self.tame, out);
        self.out.row(b",", self.columns, name)?;
        self.out.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            self.out.row(b",", self.columns, |column, out| match rows.show(row, column, &mut self.cell) {
                // an empty line would not be a row
                Shown::Missing(_) if self.columns == 1 => out.push(b"\"\""),
                Shown::Missing(_) => Ok(()),
                Shown::Plain(text) | Shown::Text(text) => field(text, self.tame, out),
                Shown::Bytes(bytes) => out.push_hex(bytes),
            })?;
        }
        self.out.send()
    }

    fn end(&mut self) -> Result<()> {
        self.out.send()
    }

    fn has_notes(&self) -> bool {
        false
    }
}
