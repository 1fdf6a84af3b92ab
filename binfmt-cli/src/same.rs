//! Whether the rows of two tables are the same.

use crate::error::{Error, Result};
use crate::format::Selection;
use crate::table::{Shown, show_time};
use crate::terminal;
use binfmt::columns::{Column, ColumnData, Columns, ValueRef};
use binfmt::numbers::Number;
use binfmt::schema::Name;
use binfmt::table::{Batches, TimeUnit};
use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;

/// The rows of a table, batch by batch.
pub(crate) struct Cursor<'a> {
    selection: &'a Selection,
    name: String,
    batches: Batches,
    batch: Option<Columns>,
    /// The row of the batch that comes next.
    at: usize,
    /// The rows that were read.
    rows: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(selection: &'a Selection, path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let batches = selection.batches().map_err(|e| e.at(&name))?;
        Ok(Cursor { selection, name, batches, batch: None, at: 0, rows: 0 })
    }

    /// How many rows are at hand, of a next batch if those of the last are done with; 0 at the end.
    fn fill(&mut self) -> Result<usize> {
        loop {
            let left = self.batch.as_ref().map_or(0, |batch| batch.num_rows() - self.at);
            if left > 0 {
                return Ok(left);
            }
            match self.batches.next() {
                None => return Ok(0),
                Some(batch) => {
                    let batch = batch.map_err(|e| self.selection.failure(&e).at(&self.name))?;
                    self.rows += batch.num_rows() as u64;
                    (self.batch, self.at) = (Some(batch), 0);
                }
            }
        }
    }

    /// Whether a column has one value for all rows of a page, which is told once.
    fn is_constant(&self, place: usize) -> bool {
        let fields = &self.selection.table.schema().fields;
        let column = self.selection.leaves.get(place).map(|leaf| leaf.column);
        column.and_then(|column| fields.get(column)).is_some_and(|field| field.constant)
    }

    /// What the numbers of a column count, if they are times.
    fn time(&self, place: usize) -> Option<TimeUnit> {
        self.selection.leaves.get(place).and_then(|leaf| self.selection.time(leaf))
    }

    fn columns(&self) -> Vec<&Column> {
        self.batch.as_ref().map_or_else(Vec::new, |batch| self.selection.columns(batch))
    }
}

/// When two values are the same, and how many are shown that are not.
pub(crate) struct Same {
    /// By what part of the greater one numbers may differ, and by what in any case.
    pub(crate) tolerance: f64,
    pub(crate) absolute: f64,
    pub(crate) most: u64,
    /// The number of the first row.
    pub(crate) first: u64,
    /// Whether a bool is another value than a number: a format that has none has numbers instead.
    pub(crate) is_one_format: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: (u64, u64),
    /// Rows that both have and that differ.
    pub(crate) different: u64,
    pub(crate) values: u64,
    /// How many lines were written.
    shown: u64,
}

impl Same {
    /// Compares row with row, and writes the values that differ.
    pub(crate) fn compare(
        &self,
        one: &mut Cursor<'_>,
        other: &mut Cursor<'_>,
        out: &mut impl Write,
    ) -> Result<Found> {
        let mut found = Found::default();
        let mut row = self.first;
        loop {
            let (here, there) = (one.fill()?, other.fill()?);
            let rows = here.min(there);
            if rows == 0 {
                // the others are only counted
                while one.fill()? > 0 {
                    one.batch = None;
                }
                while other.fill()? > 0 {
                    other.batch = None;
                }
                found.rows = (one.rows, other.rows);
                return Ok(found);
            }
            self.block(one, other, rows, row, &mut found, out)?;
            one.at += rows;
            other.at += rows;
            row += rows as u64;
        }
    }

    /// Some rows of two batches.
    fn block(
        &self,
        one: &Cursor<'_>,
        other: &Cursor<'_>,
        rows: usize,
        first: u64,
        found: &mut Found,
        out: &mut impl Write,
    ) -> Result<()> {
        let (a, b) = (one.columns(), other.columns());
        let is_whole = |column: &Column| column.len() == rows;
        // most columns are equal as they stand
        let open: Vec<usize> = (0..a.len().min(b.len()))
            .filter(|i| !(is_whole(a[*i]) && is_whole(b[*i]) && a[*i] == b[*i]))
            .collect();
        for row in (0..rows).filter(|_| !open.is_empty()) {
            let before = found.values;
            for i in &open {
                let (Some(x), Some(y)) = (a[*i].get(one.at + row), b[*i].get(other.at + row)) else {
                    continue;
                };
                if self.is_same(x, y) {
                    continue;
                }
                if found.shown < self.most
                    && !(row > 0 && self.is_again(*i, (one, a[*i]), (other, b[*i]), row))
                {
                    found.shown += 1;
                    let (x, y) = widened(x, y);
                    let name = &one.selection.leaves[*i].name;
                    let (x, y) = (worded(x, one.time(*i)), worded(y, other.time(*i)));
                    let text = format!("[{}].{name}: {x} | {y}", first + row as u64);
                    writeln!(out, "{}", terminal::line(&text)).map_err(Error::output)?;
                }
                found.values += 1;
            }
            found.different += u64::from(found.values > before);
        }
        Ok(())
    }

    /// Whether both have the values of the row before, in a column that has one value for all rows of a page.
    fn is_again(
        &self,
        place: usize,
        one: (&Cursor<'_>, &Column),
        other: (&Cursor<'_>, &Column),
        row: usize,
    ) -> bool {
        let stays = |(cursor, column): (&Cursor<'_>, &Column)| {
            let at = cursor.at + row;
            let (before, here) = (column.get(at - 1), column.get(at));
            before.zip(here).is_some_and(|(before, here)| self.is_same(before, here))
        };
        one.0.is_constant(place) && stays(one) && stays(other)
    }

    fn is_same(&self, a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
        match (a, b) {
            (ValueRef::Number(a), ValueRef::Number(b)) => self.is_same_number(a, b),
            (ValueRef::Text(a) | ValueRef::Bytes(a), ValueRef::Text(b) | ValueRef::Bytes(b)) => a == b,
            (ValueRef::Missing(a), ValueRef::Missing(b)) => a == b,
            (ValueRef::Absent, ValueRef::Absent) => true,
            (ValueRef::List(a), ValueRef::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.is_same(a, b))
            }
            (ValueRef::Array(shape, a), ValueRef::Array(other, b)) => {
                shape == other && a.iter().zip(b.iter()).all(|(a, b)| self.is_same(a, b))
            }
            (ValueRef::Record(a, row), ValueRef::Record(b, other)) => {
                self.is_same_record((a, row), (b, other))
            }
            (
                ValueRef::Variant { name, fields: a, row },
                ValueRef::Variant { name: named, fields: b, row: other },
            ) => name == named && self.is_same_record((a, row), (b, other)),
            _ => false,
        }
    }

    /// Whether a row of fields is that of others: by name, one after the other.
    fn is_same_record(&self, a: (&[(Name, Column)], usize), b: (&[(Name, Column)], usize)) -> bool {
        a.0.len() == b.0.len()
            && a.0.iter().zip(b.0).all(|((name, column), (named, other))| {
                let values = column.get(a.1).zip(other.get(b.1));
                name == named && values.is_some_and(|(a, b)| self.is_same(a, b))
            })
    }

    fn is_same_number(&self, a: Number, b: Number) -> bool {
        let is_bool = |n: Number| matches!(n, Number::Bool(_));
        if self.is_one_format && is_bool(a) != is_bool(b) {
            return false;
        }
        if a.compare(b) == Some(Ordering::Equal) {
            return true;
        }
        let (a, b) = (a.to_f64(), b.to_f64());
        let allowed = self.absolute.max(self.tolerance * a.abs().max(b.abs()));
        // infinities differ by more than any part of them
        (a.is_nan() && b.is_nan())
            || (allowed > 0.0 && a.is_finite() && b.is_finite() && (a - b).abs() <= allowed)
    }
}

/// A value in a line; times are dates.
fn worded(value: ValueRef<'_>, time: Option<TimeUnit>) -> String {
    const SHOWN: usize = 60;
    let mut room = Vec::new();
    let text = match show_time(value, time, &mut room) {
        Shown::Missing(None) => return "missing".to_owned(),
        Shown::Missing(Some(code)) => return format!("missing ({code})"),
        Shown::Plain(text) => String::from_utf8_lossy(text).into_owned(),
        Shown::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Shown::Bytes(bytes) => bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Floats of two widths as those of the wider one: the shortest text of each may be the same.
fn widened<'a>(a: ValueRef<'a>, b: ValueRef<'a>) -> (ValueRef<'a>, ValueRef<'a>) {
    match (a, b) {
        (ValueRef::Number(x), ValueRef::Number(y)) if x.number_type() != y.number_type() => {
            let wide = |n: Number| if n.number_type().is_float() { Number::F64(n.to_f64()) } else { n };
            (ValueRef::Number(wide(x)), ValueRef::Number(wide(y)))
        }
        both => both,
    }
}
