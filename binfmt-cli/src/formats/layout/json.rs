//! The JSON form of records, written.

use super::records::Layout;
use super::values::values;
use crate::error::Result;
use crate::format::{Job, Selection};
use crate::json::JsonWriter;
use crate::pick::Pick;
use binfmt::columns::{Column, ColumnData};
use binfmt::value::Value;
use serde::ser::{Serialize, Serializer};
use std::io::Write;

/// Writes the document: what the layout is, and the records.
fn document(
    layout: &Layout,
    pick: &Pick,
    out: &mut JsonWriter<&mut dyn Write>,
    records: impl FnOnce(&mut JsonWriter<&mut dyn Write>) -> Result<()>,
) -> Result<()> {
    out.object()?;
    out.member("format", "layout")?;
    if pick.columns.is_none() {
        out.member("layout", layout.description())?;
        out.member("byte_order", layout.order_word())?;
    }
    out.member_list("records")?;
    records(out)?;
    out.end()?;
    out.end()
}

/// Writes records that are columns.
pub(super) fn rows(
    layout: &Layout,
    rows: &Selection,
    pick: &Pick,
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    let names: Vec<&str> = rows.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
    document(layout, pick, out, |out| {
        rows.each(|columns, count| {
            (0..count).try_for_each(|row| out.item(&Fields { names: &names, columns, row }))?;
            out.flush()
        })
    })
}

/// Writes records of any layout, one by one.
pub(super) fn records(
    layout: &Layout,
    job: &mut Job<'_>,
    pick: &Pick,
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    let values = values(layout, job)?.only(pick.rows);
    document(layout, pick, out, |out| {
        for value in values {
            let value = value?;
            match pick.columns.is_none() {
                true => out.item(&value)?,
                false => out.item(&Picked::of(&value, pick)?)?,
            }
            out.flush()?;
        }
        Ok(())
    })
}

/// A record in columns.
struct Fields<'a> {
    names: &'a [&'a str],
    columns: &'a [&'a Column],
    row: usize,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.columns.iter().map(|column| column.get(self.row));
        serializer.collect_map(self.names.iter().zip(values))
    }
}

/// Some fields of a record.
struct Picked<'a>(Vec<(&'a str, &'a Value)>);

impl<'a> Picked<'a> {
    fn of(record: &'a Value, pick: &Pick) -> Result<Self> {
        let fields: Vec<(&str, &Value)> = match record {
            Value::Record(fields) => fields.iter().map(|(name, value)| (name.as_str(), value)).collect(),
            _ => Vec::new(),
        };
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        Ok(Picked(pick.columns_of(&names)?.into_iter().filter_map(|i| fields.get(i).copied()).collect()))
    }
}

impl Serialize for Picked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
