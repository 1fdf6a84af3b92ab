//! The table for people: aligned, numbers at the right, long texts cut.

use super::grid::{Cell, Grid, clip};
use super::lines::hex;
use super::{Head, Rows, Shown, Tables};
use crate::error::{Error, Result};
use crate::pick::listed;
use crate::style::{HEADING, QUIET};
use crate::terminal;
use crate::units::count;
use anstyle::Style;
use std::borrow::Cow;
use std::io::Write;

/// Rows whose widths are measured before the first of them is written.
const TOGETHER: usize = 256;
/// The widest cell, in columns of the terminal.
const WIDEST: usize = 60;

/// Columns get the width that the rows seen so far need; rows that come later and are wider widen them from there on.
pub(crate) struct People<W> {
    out: W,
    color: bool,
    header: bool,
    tables: usize,
    grid: Grid,
    /// The names, until the first rows tell how wide the columns are.
    names: Option<Vec<Cell>>,
    columns: usize,
    /// Columns of the terminal, if the table is to fit into them.
    width: Option<usize>,
    /// The names of columns that do not.
    hidden: Vec<String>,
}

impl<W: Write> People<W> {
    pub(crate) fn new(out: W, header: bool, color: bool) -> Self {
        People {
            out,
            color,
            header,
            tables: 0,
            grid: Grid::default(),
            names: None,
            columns: 0,
            width: None,
            hidden: Vec::new(),
        }
    }

    /// Fits the tables into that many columns of a terminal.
    pub(crate) fn fitted(mut self, width: Option<usize>) -> Self {
        self.width = width;
        self
    }

    fn names(&mut self) -> Result<()> {
        let Some(names) = self.names.take() else { return Ok(()) };
        if self.header {
            self.grid.fit(&names);
        }
        if let Some(width) = self.width {
            self.columns = self.grid.squeeze(width);
            self.hidden.drain(..self.columns.min(self.hidden.len()));
        }
        match self.header {
            true => self.grid.write(&names, &mut self.out).map_err(Error::output),
            false => Ok(()),
        }
    }

    /// Tells which columns were left out.
    fn rest(&mut self) -> Result<()> {
        let names: Vec<&str> = self.hidden.iter().map(String::as_str).collect();
        if self.width.is_none() || names.is_empty() {
            return Ok(());
        }
        let style = crate::style::when(self.color, QUIET);
        let (more, all) = (count(names.len() as u64, "more column", "more columns"), listed(&names));
        let line = format!("… {more}: {all}; --columns chooses, --table shows all");
        writeln!(self.out, "{style}{}{style:#}", terminal::line(&line)).map_err(Error::output)
    }
}

/// As many bytes as are looked at of a cell that may contain a whole book: only its beginning can be shown.
const FRONT: usize = WIDEST * 8;

fn cell(rows: &dyn Rows, row: usize, column: usize, room: &mut Vec<u8>) -> Cell {
    let text = match rows.show(row, column, room) {
        Shown::Missing(None | Some(0)) => return Cell::new("null", QUIET),
        Shown::Missing(Some(code)) => return Cell::new(format!("null({code})"), QUIET),
        Shown::Plain(text) | Shown::Text(text) => text.get(..FRONT).unwrap_or(text).into(),
        Shown::Bytes(bytes) => {
            let front = bytes.get(..FRONT).unwrap_or(bytes);
            Cow::from(b"0x".iter().copied().chain(front.iter().flat_map(|b| hex(*b))).collect::<Vec<u8>>())
        }
    };
    Cell::new(clip(&terminal::field(&text), WIDEST), Style::new())
}

impl<W: Write> Tables for People<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.columns = head.columns.len();
        self.grid = Grid::new(head.columns.iter().map(|c| c.is_number), 0, self.color);
        let name = |c: &super::Column| Cell::new(terminal::field(c.name.as_bytes()), HEADING);
        self.names = Some(head.columns.iter().map(name).collect());
        self.hidden = head.columns.iter().map(|column| column.name.clone()).collect();
        let mut above = String::new();
        if self.tables > 0 {
            above.push('\n');
        }
        self.tables += 1;
        if self.header && !head.title.is_empty() {
            let style = crate::style::when(self.color, HEADING);
            above.push_str(&format!("{style}{}{style:#}\n", terminal::field(head.title.as_bytes())));
        }
        self.out.write_all(above.as_bytes()).map_err(Error::output)?;
        for (name, value) in head.notes.iter().filter(|_| self.header) {
            for piece in [name, ": ", value].into_iter().flat_map(|text| terminal::pieces(text.as_bytes())) {
                self.out.write_all(terminal::field(piece).as_bytes()).map_err(Error::output)?;
            }
            self.out.write_all(b"\n").map_err(Error::output)?;
        }
        Ok(())
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        let mut buffer = Vec::new();
        for first in (0..rows.num_rows()).step_by(TOGETHER) {
            let last = rows.num_rows().min(first + TOGETHER);
            // fewer, when it is known how many fit
            let columns = self.columns;
            let mut line = |row| -> Vec<Cell> {
                (0..columns).map(|column| cell(rows, row, column, &mut buffer)).collect()
            };
            let lines: Vec<Vec<Cell>> = (first..last).map(&mut line).collect();
            lines.iter().for_each(|line| self.grid.fit(line));
            self.names()?;
            for line in &lines {
                self.grid.write(line, &mut self.out).map_err(Error::output)?;
            }
        }
        self.out.flush().map_err(Error::output)
    }

    fn end(&mut self) -> Result<()> {
        self.names()?;
        self.rest()
    }
}
