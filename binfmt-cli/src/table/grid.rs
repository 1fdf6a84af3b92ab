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
    /// The most that a text takes.
    widest: Option<usize>,
    /// As many columns are shown, from the left.
    shown: Option<usize>,
}

/// Texts are not cut to less.
const LEAST: usize = 8;

impl Grid {
    pub(crate) fn new(right: impl IntoIterator<Item = bool>, indent: usize, color: bool) -> Self {
        let right: Vec<bool> = right.into_iter().collect();
        Grid { widths: vec![0; right.len()], right, indent, color, widest: None, shown: None }
    }

    /// Makes room for a row.
    pub(crate) fn fit(&mut self, row: &[Cell]) {
        for ((width, right), cell) in self.widths.iter_mut().zip(&self.right).zip(row) {
            let most = self.widest.filter(|_| !right).unwrap_or(usize::MAX);
            *width = (*width).max(cell.text.width()).min(most);
        }
    }

    /// Fits the columns into so many of a terminal, as wide as they are now: texts are cut first, and never a number; then those at the
    /// right are left out, but for the first. How many are shown.
    pub(crate) fn squeeze(&mut self, most: usize) -> usize {
        let of = |width: usize, right: bool, widest: usize| if right { width } else { width.min(widest) };
        let total = |widest: usize| {
            let columns = self.widths.iter().zip(&self.right);
            columns.map(|(width, right)| of(*width, *right, widest) + 2).sum::<usize>() + self.indent
        };
        // no space is needed after the last one
        let most = most + 2;
        let text = self.widths.iter().zip(&self.right).filter(|(_, right)| !**right).map(|(width, _)| *width);
        let text = text.max().unwrap_or(0);
        if total(text) <= most {
            return self.widths.len();
        }
        let widest = (LEAST..text).rev().find(|widest| total(*widest) <= most).unwrap_or(LEAST);
        self.widths
            .iter_mut()
            .zip(&self.right)
            .for_each(|(width, right)| *width = of(*width, *right, widest));
        let mut used = self.indent;
        let fits = self.widths.iter().take_while(|width| {
            used += **width + 2;
            used <= most
        });
        let shown = fits.count().max(1);
        (self.widest, self.shown) = (Some(widest), Some(shown));
        shown
    }

    /// Writes a row; two spaces between columns, none at the end of the line.
    pub(crate) fn write(&self, row: &[Cell], out: &mut impl Write) -> io::Result<()> {
        write!(out, "{:1$}", "", self.indent)?;
        let used = row.iter().rposition(|cell| !cell.text.is_empty()).map_or(0, |last| last + 1);
        let used = used.min(self.shown.unwrap_or(used));
        let row = row.get(..used).unwrap_or(row);
        for (i, (cell, (&width, &right))) in row.iter().zip(self.widths.iter().zip(&self.right)).enumerate() {
            let text = match self.widest {
                Some(widest) if !right => Cow::Owned(clip(&cell.text, widest)),
                _ => Cow::Borrowed(cell.text.as_str()),
            };
            let pad = width.saturating_sub(text.width());
            let last = i + 1 == row.len();
            let (before, after) = match (right, last) {
                (true, _) => (pad, 0),
                (false, true) => (0, 0),
                (false, false) => (0, pad),
            };
            let style = when(self.color, cell.style);
            let after = after + if last { 0 } else { 2 };
            write!(out, "{:before$}{style}{}{style:#}{:after$}", "", text, "")?;
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
    fn columns_fit_into_a_terminal() {
        let shown = |most: usize| {
            let mut grid = Grid::new([false, true, false], 0, false);
            let row = ["a long text of words", "12345", "twelve chars"];
            let row: Vec<Cell> = row.iter().map(|text| Cell::new(*text, Style::new())).collect();
            grid.fit(&row);
            let shown = grid.squeeze(most);
            // what comes later is cut, too
            grid.fit(&row);
            let mut out = Vec::new();
            grid.write(&row, &mut out).unwrap();
            (shown, String::from_utf8(out).unwrap())
        };
        assert_eq!(shown(41), (3, "a long text of words  12345  twelve chars\n".to_owned()));
        assert_eq!(shown(40), (3, "a long text of wor…  12345  twelve chars\n".to_owned()));
        assert_eq!(shown(25), (3, "a long …  12345  twelve …\n".to_owned()));
        assert_eq!(shown(24), (2, "a long …  12345\n".to_owned()));
        assert_eq!(shown(1), (1, "a long …\n".to_owned()));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip("abcd", 3), "ab…");
        assert_eq!(clip("日本語", 4), "日…");
    }
}
