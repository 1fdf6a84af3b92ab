//! The table for people: aligned, numbers at the right, long texts cut.

use super::grid::{Cell, Grid, clip};
use super::{Head, Rows, Shown, Tables};
use crate::error::{Error, Result};
use crate::style::{HEADING, QUIET};
use crate::terminal;
use anstyle::Style;
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
}

impl<W: Write> People<W> {
    pub(crate) fn new(out: W, header: bool, color: bool) -> Self {
        People { out, color, header, tables: 0, grid: Grid::default(), names: None, columns: 0 }
    }

    fn names(&mut self) -> Result<()> {
        match self.names.take() {
            Some(names) if self.header => {
                self.grid.fit(&names);
                self.grid.write(&names, &mut self.out).map_err(Error::output)
            }
            _ => Ok(()),
        }
    }
}

fn cell(rows: &dyn Rows, row: usize, column: usize, buffer: &mut Vec<u8>) -> Cell {
    buffer.clear();
    match rows.show(row, column, buffer) {
        Shown::Missing(None | Some(0)) => Cell::new("null", QUIET),
        Shown::Missing(Some(code)) => Cell::new(format!("null({code})"), QUIET),
        Shown::Plain | Shown::Text => {
            // a cell may hold a whole book: only its beginning can be shown
            let front = buffer.get(..WIDEST * 8).unwrap_or(buffer);
            Cell::new(clip(&terminal::field(front), WIDEST), Style::new())
        }
    }
}

impl<W: Write> Tables for People<W> {
    fn begin(&mut self, head: &Head) -> Result<()> {
        self.columns = head.columns.len();
        self.grid = Grid::new(head.columns.iter().map(|c| c.is_number), 0, self.color);
        let name = |c: &super::Column| Cell::new(terminal::field(c.name.as_bytes()), HEADING);
        self.names = Some(head.columns.iter().map(name).collect());
        let mut above = String::new();
        if self.tables > 0 {
            above.push('\n');
        }
        self.tables += 1;
        if self.header && !head.title.is_empty() {
            let style = crate::style::when(self.color, HEADING);
            above.push_str(&format!("{style}{}{style:#}\n", terminal::field(head.title.as_bytes())));
        }
        for (name, value) in head.notes.iter().filter(|_| self.header) {
            above.push_str(&format!(
                "{}: {}\n",
                terminal::field(name.as_bytes()),
                terminal::field(value.as_bytes())
            ));
        }
        self.out.write_all(above.as_bytes()).map_err(Error::output)
    }

    fn rows(&mut self, rows: &dyn Rows) -> Result<()> {
        let mut buffer = Vec::new();
        let columns = self.columns;
        let mut line =
            |row| -> Vec<Cell> { (0..columns).map(|column| cell(rows, row, column, &mut buffer)).collect() };
        for first in (0..rows.num_rows()).step_by(TOGETHER) {
            let last = rows.num_rows().min(first + TOGETHER);
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
        self.names()
    }
}
