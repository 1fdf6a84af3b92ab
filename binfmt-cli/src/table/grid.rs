//! Aligned columns of short texts.

use crate::style::when;
use crate::terminal;
use anstyle::Style;
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// One cell: its text and how it looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, style: Style) -> Self {
        let text = text.into();
        // anything that is shown stays in its cell
        let text = match terminal::line(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(tame) => tame,
        };
        Cell { text, style }
    }
}

/// Columns whose widths grow with what was seen, and never shrink.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    widths: Vec<usize>,
    /// Which columns are at the right.
    right: Vec<bool>,
    indent: usize,
    color: bool,
}

impl Grid {
    pub(crate) fn new(right: impl IntoIterator<Item = bool>, indent: usize, color: bool) -> Self {
        let right: Vec<bool> = right.into_iter().collect();
        Grid { widths: vec![0; right.len()], right, indent, color }
    }

    /// Makes room for a row.
    pub(crate) fn fit(&mut self, row: &[Cell]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = (*width).max(cell.text.width());
        }
    }

    /// Writes a row; two spaces between columns, none at the end of the line.
    pub(crate) fn write(&self, row: &[Cell], out: &mut impl Write) -> io::Result<()> {
        write!(out, "{:1$}", "", self.indent)?;
        let used = row.iter().rposition(|cell| !cell.text.is_empty()).map_or(0, |last| last + 1);
        let row = row.get(..used).unwrap_or(row);
        for (i, (cell, (&width, &right))) in row.iter().zip(self.widths.iter().zip(&self.right)).enumerate() {
            let pad = width.saturating_sub(cell.text.width());
            let last = i + 1 == row.len();
            let (before, after) = match (right, last) {
                (true, _) => (pad, 0),
                (false, true) => (0, 0),
                (false, false) => (0, pad),
            };
            let style = when(self.color, cell.style);
            let after = after + if last { 0 } else { 2 };
            write!(out, "{:before$}{style}{}{style:#}{:after$}", "", cell.text, "")?;
        }
        out.write_all(b"\n")
    }
}

/// `text` in at most `most` columns of a terminal, with `…` where it was cut.
pub(crate) fn clip(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut width = 1;
    for c in text.chars() {
        width += c.encode_utf8(&mut [0; 4]).width();
        if width > most {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_at_the_right() {
        let mut grid = Grid::new([true, false, false], 1, false);
        let rows = [["1", "ab", "x"], ["100", "日本", "y"]];
        let rows: Vec<Vec<Cell>> =
            rows.iter().map(|r| r.iter().map(|t| Cell::new(*t, Style::new())).collect()).collect();
        rows.iter().for_each(|row| grid.fit(row));
        let mut out = Vec::new();
        rows.iter().for_each(|row| grid.write(row, &mut out).unwrap());
        assert_eq!(String::from_utf8(out).unwrap(), "   1  ab    x\n 100  日本  y\n");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip("abcd", 3), "ab…");
        assert_eq!(clip("日本語", 4), "日…");
    }
}
