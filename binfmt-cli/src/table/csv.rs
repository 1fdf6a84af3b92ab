//! Comma-separated values (RFC 4180), for programs.

use super::lines::Lines;
use super::{Head, Rows, Shown, Tables};
use crate::error::Result;
use crate::terminal;
use std::borrow::Cow;
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

fn shown(text: &[u8], tame: bool) -> Cow<'_, str> {
    if tame { terminal::field(text) } else { terminal::valid(text) }
}

fn field(text: &str, out: &mut Lines<impl Write>) -> Result<()> {
    let quoted = text.is_empty()
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains([',', '"', '\n', '\r']);
    if !quoted {
        return out.push(text.as_bytes());
    }
    out.push(b"\"")?;
    for (i, piece) in text.split('"').enumerate() {
        if i > 0 {
            out.push(b"\"\"")?;
        }
        out.push(piece.as_bytes())?;
    }
    out.push(b"\"")
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
        for (i, column) in head.columns.iter().enumerate() {
            if i > 0 {
                self.out.push(b",")?;
            }
            field(&shown(column.name.as_bytes(), self.tame), &mut self.out)?;
        }
        self.out.push(b"\n")?;
        self.out.send()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            for column in 0..self.columns {
                if column > 0 {
                    self.out.push(b",")?;
                }
                self.cell.clear();
                match rows.show(row, column, &mut self.cell) {
                    // an empty line would be no row
                    Shown::Missing(_) if self.columns == 1 => self.out.push(b"\"\"")?,
                    Shown::Missing(_) => {}
                    Shown::Plain | Shown::Text => {
                        field(&shown(&self.cell, self.tame), &mut self.out)?;
                    }
                }
            }
            self.out.push(b"\n")?;
        }
        self.out.send()
    }

    fn end(&mut self) -> Result<()> {
        self.out.send()
    }
}
