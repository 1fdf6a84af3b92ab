//! Values as the text of files of lines.

use super::filled::inner;
use super::times::is_found_again;
use super::{Logical, TableField, TimeUnit};
use crate::columns::{ColumnType, ValueRef};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::Number;
use crate::value::serial;
use crate::wire::amount::plus;
use crate::wire::terminal::drives_terminal;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::collections::HashSet;
use std::io::{self, Write};

/// What the times of a column are counted in, also those in lists, if they are shown as times.
pub(super) fn time_unit(field: &TableField) -> Option<TimeUnit> {
    let mut ty = inner(&field.ty);
    while let ColumnType::List(items) | ColumnType::Array { items, .. } = ty {
        ty = inner(items);
    }
    match (&field.logical, ty) {
        (Some(Logical::Timestamp(unit)), ColumnType::Number(kind)) if kind.is_int() => Some(*unit),
        _ => None,
    }
}

/// A value whose integers are times, as the JSON of a cell shows it: text of ISO 8601, in lists, too.
///
/// ```
/// use binfmt::columns::{Column, ColumnData};
/// use binfmt::table::{TimeUnit, Timed};
/// let column = Column::Array { len: 2, rows: 1, items: Column::from(vec![19_000i64, i64::MIN]).into() };
/// let shown = column.get(0).map(|value| serde_json::to_string(&Timed::new(value, TimeUnit::Day)).unwrap());
/// assert_eq!(shown.as_deref(), Some(r#"["2022-01-08",null]"#));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Timed<'a> {
    value: ValueRef<'a>,
    unit: TimeUnit,
}

impl<'a> Timed<'a> {
    /// A value whose integers count that unit since 1970.
    ///
    /// ```
    /// use binfmt::{columns::ValueRef, table::{TimeUnit, Timed}};
    /// let shown = serde_json::to_string(&Timed::new(ValueRef::Number(0u8.into()), TimeUnit::Second))?;
    /// assert_eq!(shown, r#""1970-01-01T00:00:00""#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn new(value: ValueRef<'a>, unit: TimeUnit) -> Self {
        Timed { value, unit }
    }
}

impl Serialize for Timed<'_> {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let of = |value| Timed { value, unit: self.unit };
        match self.value {
            ValueRef::Number(n) if n.as_i128() == Some(i128::from(i64::MIN)) => s.serialize_none(),
            ValueRef::Number(n) => match shown_time(self.unit, n) {
                Some(time) => s.serialize_str(&time),
                None => n.serialize(s),
            },
            ValueRef::List(items) => s.collect_seq(items.iter().map(of)),
            ValueRef::Array(shape, items) => serial::array(shape, &of(ValueRef::List(items)), s),
            other => other.serialize(s),
        }
    }
}

/// What becomes of a column of times, unless it is read as the same again.
pub(super) fn times_to_text(field: &TableField) -> Option<String> {
    let (name, unit) = (&field.name, time_unit(field)?);
    let told = format!("column `{name}`, times to text: ISO 8601");
    match inner(&field.ty) {
        ColumnType::Number(_) if is_found_again(unit) => None,
        ColumnType::Number(_) => Some(format!("{told}, which the type {name}:time[{unit}] reads again")),
        _ => Some(told),
    }
}

/// A time as ISO 8601 has it.
pub(super) fn shown_time(unit: TimeUnit, n: Number) -> Option<String> {
    Some(unit.format_time(i64::try_from(n.as_i128()?).ok()?))
}

/// Bytes that are collected before they go to the file.
pub(super) const BLOCK: usize = 64 << 10;

/// An output of which small pieces are passed on together. What is larger than a block is not held.
pub(super) struct Held<W> {
    out: W,
    held: Vec<u8>,
}

impl<W: Write> Held<W> {
    pub(super) fn new(out: W) -> Self {
        Held { out, held: Vec::new() }
    }

    fn send(&mut self) -> io::Result<()> {
        self.out.write_all(&self.held)?;
        self.held.clear();
        Ok(())
    }

    /// The output, to which everything was passed on.
    pub(super) fn into_inner(mut self) -> io::Result<W> {
        self.send()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Held<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if plus(self.held.len(), bytes.len()) > BLOCK {
            self.send()?;
        }
        match bytes.len() > BLOCK {
            true => self.out.write_all(bytes)?,
            false => self.held.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.out.flush()
    }
}

/// JSON in one line, in which no text drives a terminal: what would is there by its number.
struct Tame;

impl Formatter for Tame {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        // both are much faster than a look at each character
        if text.is_ascii() && !text.as_bytes().contains(&0x7f) {
            return out.write_all(text.as_bytes());
        }
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| drives_terminal(*c)) {
            let (plain, after) = rest.split_at(at);
            // all of them have four digits
            write!(out, "{plain}\\u{:04x}", u32::from(c))?;
            rest = after.strip_prefix(c).unwrap_or_default();
        }
        out.write_all(rest.as_bytes())
    }
}

/// Appends a value as JSON.
pub(super) fn json(value: &impl Serialize, out: impl Write) -> Result<()> {
    let written = value.serialize(&mut Serializer::with_formatter(out, Tame));
    written.map_err(|e| Error::from(ErrorKind::Io(e.into())))
}

/// Appends what is neither text nor bytes nor missing: numbers and bools as they are, what is nested as JSON.
pub(super) fn plain(value: ValueRef<'_>, out: &mut Vec<u8>) -> Result<()> {
    match value {
        ValueRef::Number(n) if n.number_type().is_float() && !n.to_f64().is_finite() => {
            out.extend_from_slice(match n.to_f64() {
                f64::INFINITY => b"inf",
                f64::NEG_INFINITY => b"-inf",
                _ => b"nan",
            });
            Ok(())
        }
        // beyond 64 bits JSON has the digits in quotes
        ValueRef::Number(n) if !n.number_type().is_float() && n.number_type().size() > 8 => {
            let digits = n.as_i128().map(|n| n.to_string());
            out.extend_from_slice(digits.unwrap_or_else(|| n.to_string()).as_bytes());
            Ok(())
        }
        other => json(&other, out),
    }
}

/// Refuses two columns of one name, of which readers would see one.
pub(super) fn named_once<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        Some(name) => Err(Error::other(format!("two columns are called `{name}`"))),
        None => Ok(()),
    }
}
