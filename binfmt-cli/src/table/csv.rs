//! Comma-separated values (RFC 4180), for programs.

use super::{Head, Rows, Shown, Tables};
use crate::error::{Error, Result};
use crate::tabular::PAGE;
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
    /// Which had a missing value with a code that says why.
    codes: Vec<bool>,
    /// What has no column.
    left_out: Vec<String>,
    tables: u64,
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
            codes: Vec::new(),
            left_out: Vec::new(),
            tables: 0,
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

    /// What is not kept as it is, each in a sentence.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let of = |is_one: &'_ [bool]| -> Vec<&String> {
            self.names.iter().zip(is_one).filter(|(_, is_one)| **is_one).map(|(name, _)| name).collect()
        };
        let bytes = of(&self.bytes).into_iter().map(|name| {
            format!("column `{name}`: bytes in hexadecimal, which --types {name}:bytes reads again")
        });
        let codes = of(&self.codes)
            .into_iter()
            .map(|name| format!("column `{name}`: the codes of missing values are left out; JSON has them"));
        let is_merged = self.tables > 1 && !self.names.iter().any(|name| name == PAGE);
        let pages = is_merged.then(|| in_one_table(self.tables));
        bytes.chain(codes).chain(self.left_out.iter().cloned()).chain(pages).collect()
    }

    /// The line of names, unless it is the one that was written last.
    fn name(&mut self, head: &Head) -> Result<()> {
        let names: Vec<String> = head.columns.iter().map(|c| c.name.clone()).collect();
        // pages of the same columns go on below one line of names; without columns there is nothing
        if self.names == names {
            return Ok(());
        }
        (self.bytes, self.codes) = (vec![false; names.len()], vec![false; names.len()]);
        self.names = names;
        if !self.header {
            return Ok(());
        }
        let names = self.names.iter().try_for_each(|name| text(&mut self.out, name.as_bytes(), self.tame));
        names.and_then(|()| self.out.end_line()).map_err(Error::output)
    }

    pub(crate) fn into_inner(self) -> Result<W> {
        self.out.into_inner().map_err(Error::output)
    }
}

/// That rows of so many pages are one table, in which nothing tells them apart.
pub(crate) fn in_one_table(pages: u64) -> String {
    let all = crate::units::count(pages, "page", "pages");
    format!("{all} in one table: --columns with {PAGE} among them tells them apart")
}

/// A field of text.
fn text(out: &mut Writer<impl Write>, text: &[u8], tame: bool) -> io::Result<()> {
    if tame { out.text(terminal::field(text).as_bytes()) } else { out.text(text) }
}

impl<W: Write> Tables for Csv<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.tables += 1;
        self.name(head)
    }

    fn none(&mut self, columns: &Head) -> Result<()> {
        self.name(columns)?;
        self.end()
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        for row in 0..rows.num_rows() {
            for column in 0..self.names.len() {
                let written = match rows.show(row, column, &mut self.cell) {
                    Shown::Missing(code) => {
                        if let Some(has_codes) = self.codes.get_mut(column) {
                            *has_codes |= code.is_some_and(|code| code != 0);
                        }
                        self.out.missing()
                    }
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

    fn leaves_out(&mut self, what: String) {
        // pages that cannot be read in ranges are read again
        if !self.left_out.contains(&what) {
            self.left_out.push(what);
        }
    }
}
