//! Comma-separated values (RFC 4180), for programs.

use super::{Head, Rows, Shown, Tables};
use crate::error::{Error, Result};
use crate::terminal;
use binfmt::table::csv::Writer;
use std::io::{self, Write};

/// Tables of the same columns below one line of names.
pub(crate) struct Csv<W: Write> {
    out: Writer<W>,
    header: bool,
    /// Whether texts are shown to people: none drives a terminal or begins a line.
    tame: bool,
    /// The names in the line that was written last.
    names: Vec<String>,
    /// Which columns had bytes.
    bytes: Vec<bool>,
    cell: Vec<u8>,
}

impl<W: Write> Csv<W> {
    pub(crate) fn new(out: W, header: bool) -> Self {
        Csv {
            out: Writer::new(out),
            header,
            tame: false,
            names: Vec::new(),
            bytes: Vec::new(),
            cell: Vec::new(),
        }
    }

    /// For a terminal and not for a program.
    pub(crate) fn tame(self, tame: bool) -> Self {
        Csv { tame, ..self }
    }

    pub(crate) fn delimiter(self, delimiter: u8) -> Self {
        Csv { out: self.out.delimiter(delimiter), ..self }
    }

    /// The columns whose values are bytes, which read as texts.
    pub(crate) fn bytes(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().zip(&self.bytes);
        names.filter(|(_, is_bytes)| **is_bytes).map(|(name, _)| name.as_str())
    }

    pub(crate) fn into_inner(self) -> Result<W> {
        self.out.into_inner().map_err(Error::output)
    }
}

/// A field of text.
fn text(out: &mut Writer<impl Write>, text: &[u8], tame: bool) -> io::Result<()> {
    if tame { out.text(terminal::field(text).as_bytes()) } else { out.text(text) }
}

impl<W: Write> Tables for Csv<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        let names: Vec<String> = head.columns.iter().map(|c| c.name.clone()).collect();
        // pages of the same columns go on below one line of names; without columns there is nothing
        if self.names == names {
            return Ok(());
        }
        (self.bytes, self.names) = (vec![false; names.len()], names);
        if !self.header {
            return Ok(());
        }
        let names = self.names.iter().try_for_each(|name| text(&mut self.out, name.as_bytes(), self.tame));
        names.and_then(|()| self.out.end_line()).map_err(Error::output)
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            for column in 0..self.names.len() {
                let written = match rows.show(row, column, &mut self.cell) {
                    Shown::Missing(_) => self.out.missing(),
                    Shown::Plain(shown) | Shown::Text(shown) => text(&mut self.out, shown, self.tame),
                    Shown::Bytes(bytes) => {
                        if let Some(is_bytes) = self.bytes.get_mut(column) {
                            *is_bytes = true;
                        }
                        self.out.bytes(bytes)
                    }
                };
                written.map_err(Error::output)?;
            }
            self.out.end_line().map_err(Error::output)?;
        }
        self.out.flush().map_err(Error::output)
    }

    fn end(&mut self) -> Result<()> {
        self.out.flush().map_err(Error::output)
    }

    fn has_notes(&self) -> bool {
        false
    }
}
