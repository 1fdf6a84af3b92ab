//! Tables as files of lines.

use super::read::delimiter;
use super::writer::Writer;
use crate::columns::{Column, ColumnData, ColumnType, Columns, ValueRef};
use crate::error::Result;
use crate::schema::Name;
use crate::storage::{Storage, StorageWriter};
use crate::table::cells::CellType;
use crate::table::filled::inner;
use crate::table::format::Settings;
use crate::table::retyped::inferred_times;
use crate::table::written::{Timed, json, named_once, plain, shown_time, time_unit, times_to_text};
use crate::table::{Logical, TableField, TableSchema, TableSink, TimeUnit, Written};
use crate::wire::amount::after;
use std::sync::Arc;

/// A line for each row.
pub(super) struct CsvSink {
    lines: Writer<StorageWriter>,
    cell: Vec<u8>,
    /// The columns, and what their times are counted in.
    columns: Vec<(Name, Option<TimeUnit>)>,
    /// Which of them had a missing value with a code that says why.
    codes: Vec<bool>,
    notes: Vec<String>,
    /// Columns whose times are written as they are in another file of text.
    reads: Vec<(usize, CellType)>,
    rows: u64,
}

impl CsvSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let delimiter = delimiter(settings, path)?;
        let has_header = settings.get("header").is_none() || settings.is_on("header")?;
        let names = || schema.fields.iter().map(|field| field.name.as_str());
        named_once(names())?;
        let lines = Writer::new(StorageWriter::new(storage, path)?).delimiter(delimiter);
        let mut lines = lines.missing_as(settings.get("missing").unwrap_or_default());
        if has_header && !schema.fields.is_empty() {
            names().try_for_each(|name| lines.text(name.as_bytes()))?;
            lines.end_line()?;
        }
        let notes = schema.fields.iter().filter_map(note).collect();
        let columns: Vec<_> =
            schema.fields.iter().map(|field| (field.name.clone(), time_unit(field))).collect();
        let codes = vec![false; columns.len()];
        let reads = inferred_times(schema);
        Ok(CsvSink { lines, cell: Vec::new(), columns, codes, notes, reads, rows: 0 })
    }

    fn value(&mut self, place: usize, value: ValueRef<'_>) -> Result<()> {
        match value {
            ValueRef::Missing(code) => {
                if let Some(has_codes) = self.codes.get_mut(place) {
                    *has_codes |= code != 0;
                }
                self.lines.missing()?;
            }
            ValueRef::Absent => self.lines.missing()?,
            ValueRef::Text(text) => self.lines.text(text)?,
            ValueRef::Bytes(bytes) => self.lines.bytes(bytes)?,
            ValueRef::Number(n) if self.columns.get(place).is_some_and(|(_, unit)| unit.is_some()) => {
                let unit = self.columns.get(place).and_then(|(_, unit)| *unit);
                let shown = unit.and_then(|unit| shown_time(unit, n)).unwrap_or_else(|| n.to_string());
                self.lines.text(shown.as_bytes())?;
            }
            other => {
                self.cell.clear();
                match self.columns.get(place).and_then(|(_, unit)| *unit) {
                    Some(unit) => json(&Timed::new(other, unit), &mut self.cell)?,
                    None => plain(other, &mut self.cell)?,
                }
                self.lines.text(&self.cell)?;
            }
        }
        Ok(())
    }
}

/// What becomes of a column whose values read as something else.
fn note(field: &TableField) -> Option<String> {
    let name = &field.name;
    match inner(&field.ty) {
        _ if matches!(field.logical, Some(Logical::Complex | Logical::X87)) => field.as_text(),
        ty @ (ColumnType::Bytes | ColumnType::FixedBytes(_)) => Some(format!(
            "column `{name}`, {ty} to text: hexadecimal, which the type {name}:bytes reads again"
        )),
        _ if time_unit(field).is_some() => times_to_text(field),
        ty @ (ColumnType::List(_) | ColumnType::Array { .. }) => {
            let kind = CellType::of_lists(ty)?;
            Some(format!(
                "column `{name}`, {ty} to text: a list of JSON, which the type {name}:{kind} reads again"
            ))
        }
        _ => field.as_text(),
    }
}

impl TableSink for CsvSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        self.reads.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        for row in 0..batch.num_rows() {
            for (place, column) in columns.iter().enumerate() {
                if let Some(value) = column.get(row) {
                    self.value(place, value)?;
                }
            }
            self.lines.end_line()?;
        }
        self.rows = after(self.rows, batch.num_rows() as u64);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        let coded = self.columns.iter().zip(&self.codes).filter(|(_, has_codes)| **has_codes);
        let lost = |name: &Name| format!("column `{name}`: the codes of missing values are left out");
        let notes = coded.map(|((name, _), _)| lost(name)).collect();
        let written = Written::new(self.rows, self.lines.into_inner()?.finish()?);
        Ok(Written { notes, ..written })
    }
}
