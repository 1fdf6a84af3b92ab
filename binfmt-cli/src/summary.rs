//! What `inspect` tells: facts by name and tables, as text for people and as JSON.

use crate::error::{Error, Result};
use crate::style::{HEADING, QUIET};
use crate::table::grid::{Cell, Grid};
use crate::terminal;
use anstyle::Style;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use std::io::Write;

/// What a file is, in the order in which it is told.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    parts: Vec<(&'static str, Part)>,
    /// What people get in place of all, a line each.
    pub(crate) lines: Option<Vec<String>>,
    /// What ended the reading before the end of the file.
    pub(crate) damage: Option<Error>,
    /// What is told of it.
    pub(crate) error: Option<String>,
}

#[derive(Debug)]
enum Part {
    /// `text` for people, `value` for programs.
    Fact {
        label: &'static str,
        text: String,
        value: Value,
    },
    Table(Listing),
}

/// A table of a summary.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) title: &'static str,
    /// The names of the columns, for people and for programs.
    pub(crate) columns: &'static [&'static str],
    pub(crate) rows: Vec<Vec<Value>>,
}

/// A number of bytes for [`Summary`]: a number, or an object with `min` and, where there is one, `max`.
pub(crate) fn bytes(min: u64, max: Option<u64>) -> Value {
    match max {
        Some(max) if max == min => min.into(),
        Some(max) => serde_json::json!({ "min": min, "max": max }),
        None => serde_json::json!({ "min": min }),
    }
}

impl Summary {
    /// A fact: its name for programs and for people, and its value.
    pub(crate) fn fact(&mut self, key: &'static str, label: &'static str, value: impl Into<Value>) {
        let value = value.into();
        self.worded(key, label, value.clone(), plain(&value));
    }

    /// A fact that may have been told already, after the others.
    pub(crate) fn perhaps(&mut self, key: &'static str, label: &'static str, value: impl Into<Value>) {
        if self.parts.iter().any(|(known, _)| *known == key) {
            return;
        }
        let is_table = |(_, part): &(_, Part)| matches!(part, Part::Table(_));
        let tables = self.parts.iter().position(is_table).unwrap_or(self.parts.len());
        let tables = self.parts.split_off(tables);
        self.fact(key, label, value);
        self.parts.extend(tables);
    }

    /// A fact that is told to people in other words.
    pub(crate) fn worded(
        &mut self,
        key: &'static str,
        label: &'static str,
        value: impl Into<Value>,
        text: String,
    ) {
        self.parts.push((key, Part::Fact { label, text, value: value.into() }));
    }

    /// A table.
    pub(crate) fn table(&mut self, key: &'static str, listing: Listing) {
        self.parts.push((key, Part::Table(listing)));
    }

    /// Writes it for people.
    pub(crate) fn write(&self, out: &mut impl Write, color: bool) -> Result<()> {
        if let Some(lines) = &self.lines {
            let shown = lines.iter().try_for_each(|text| writeln!(out, "{}", terminal::line(text)));
            return shown.map_err(Error::output);
        }
        let mut facts = Grid::new([false, false], 0, color);
        let lines: Vec<Option<[Cell; 2]>> = self.parts.iter().map(|(_, part)| line(part)).collect();
        lines.iter().flatten().for_each(|line| facts.fit(line));
        for (line, (_, part)) in lines.iter().zip(&self.parts) {
            match (line, part) {
                (Some(line), _) => facts.write(line, out).map_err(Error::output)?,
                (None, Part::Table(listing)) => listing.write(out, color)?,
                (None, Part::Fact { .. }) => {}
            }
        }
        Ok(())
    }
}

fn line(part: &Part) -> Option<[Cell; 2]> {
    match part {
        Part::Fact { label, text, .. } => {
            Some([Cell::new(*label, HEADING), Cell::new(text.clone(), Style::new())])
        }
        Part::Table(_) => None,
    }
}

/// A value in a line of text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => String::new(),
        Value::Object(range) => match (range.get("min"), range.get("max")) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("{min} or more"),
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}

impl Listing {
    fn write(&self, out: &mut impl Write, color: bool) -> Result<()> {
        let is_number = |i: usize| self.rows.iter().any(|row| row.get(i).is_some_and(Value::is_number));
        let mut grid = Grid::new((0..self.columns.len()).map(is_number), 2, color);
        let names: Vec<Cell> = self.columns.iter().map(|name| Cell::new(*name, QUIET)).collect();
        // made twice rather than held twice
        let cells = |row: &Vec<Value>| -> Vec<Cell> {
            row.iter().map(|value| Cell::new(plain(value), Style::new())).collect()
        };
        grid.fit(&names);
        self.rows.iter().for_each(|row| grid.fit(&cells(row)));
        let style = crate::style::when(color, HEADING);
        writeln!(out, "\n{style}{}{style:#}", self.title).map_err(Error::output)?;
        grid.write(&names, out).map_err(Error::output)?;
        self.rows.iter().try_for_each(|row| grid.write(&cells(row), out)).map_err(Error::output)
    }
}

/// For programs.
impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, part) in &self.parts {
            match part {
                Part::Fact { value, .. } => map.serialize_entry(key, value)?,
                Part::Table(listing) => map.serialize_entry(key, listing)?,
            }
        }
        if let Some(text) = &self.error {
            map.serialize_entry("error", text)?;
        }
        map.end()
    }
}

/// A list of objects.
impl Serialize for Listing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(|row| Row(self.columns, row)))
    }
}

struct Row<'a>(&'a [&'static str], &'a [Value]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1))
    }
}
