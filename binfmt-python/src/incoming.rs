//! Columns from Python: the other direction of `parts`. Numbers come as their bytes in the order of this machine's NumPy, little-endian.

use crate::copied;
use crate::failure::{Failure, Result};
use crate::patience::every;
use binfmt::columns::{BytesColumn, Column, ColumnData, ListColumn, NullableColumn};
use binfmt::numbers::{NumberType, Numbers};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyTuple;

fn wrong(what: &str) -> Failure {
    Failure::other(format!("a column that Python has made: {what}"))
}

/// The column that a tuple of parts is.
pub(crate) fn column(parts: &Bound<'_, PyAny>) -> Result<Column> {
    let parts = parts.cast::<PyTuple>().map_err(PyErr::from)?;
    let kind: PyBackedStr = parts.get_item(0)?.extract()?;
    Ok(match &*kind {
        "numbers" => {
            let (_, name, bytes): (PyBackedStr, PyBackedStr, PyBackedBytes) = parts.extract()?;
            Column::Numbers(numbers(&name, &bytes)?)
        }
        "text" | "bytes" => {
            let strings = strings(&parts.get_item(1)?)?;
            if &*kind == "text" { Column::Text(strings) } else { Column::Bytes(strings) }
        }
        "fixed_bytes" => {
            let (_, size, rows, bytes): (PyBackedStr, usize, usize, PyBackedBytes) = parts.extract()?;
            if size.checked_mul(rows) != Some(bytes.len()) {
                return Err(wrong("bytes that are not as many as the rows need"));
            }
            Column::FixedBytes { size, rows, bytes: copied::bytes(&bytes)? }
        }
        "nullable" => {
            let (_, present, codes, values): (PyBackedStr, u8, PyBackedBytes, Bound<'_, PyAny>) =
                parts.extract()?;
            let column = NullableColumn::from_parts(copied::bytes(&codes)?, column(&values)?, present);
            Column::Nullable(Box::new(
                column.ok_or_else(|| wrong("codes that are not as many as the values"))?,
            ))
        }
        "list" => {
            let (_, offsets, items): (PyBackedStr, PyBackedBytes, Bound<'_, PyAny>) = parts.extract()?;
            let offsets = numbers("u64", &offsets)?.into_vec::<u64>().unwrap_or_default();
            let offsets = offsets.into_iter().map(|place| usize::try_from(place).unwrap_or(usize::MAX));
            let lists = ListColumn::from_parts(copied::collected(offsets)?, column(&items)?);
            Column::List(Box::new(lists.ok_or_else(|| wrong("offsets outside of the items"))?))
        }
        "array" => {
            let (_, len, rows, items): (PyBackedStr, usize, usize, Bound<'_, PyAny>) = parts.extract()?;
            let items = column(&items)?;
            if len.checked_mul(rows) != Some(items.len()) {
                return Err(wrong("items that are not as many as the rows need"));
            }
            Column::Array { len, rows, items: Box::new(items) }
        }
        "record" => {
            let (_, rows, fields): (PyBackedStr, usize, Vec<(String, Bound<'_, PyAny>)>) = parts.extract()?;
            let fields = fields.into_iter().map(|(name, field)| Ok((name.into(), column(&field)?)));
            let fields: Vec<_> = fields.collect::<Result<_>>()?;
            if fields.iter().any(|(_, field): &(_, Column)| field.len() != rows) {
                return Err(wrong("fields of different lengths"));
            }
            Column::Record { rows, fields }
        }
        other => return Err(wrong(&format!("unknown kind {other:?}"))),
    })
}

/// Numbers of a kind from their bytes.
pub(crate) fn numbers(name: &str, bytes: &[u8]) -> Result<Numbers> {
    let kind = NumberType::named(name).ok_or_else(|| wrong(&format!("unknown type {name:?}")))?;
    if bytes.len().checked_rem(kind.size()) != Some(0) {
        return Err(wrong("bytes that are not whole numbers"));
    }
    let mut numbers = Numbers::new(kind);
    numbers.extend_from_le_bytes(bytes)?;
    Ok(numbers)
}

/// A list of `str` or `bytes`.
fn strings(list: &Bound<'_, PyAny>) -> Result<BytesColumn> {
    let mut column = BytesColumn::new();
    for (row, item) in list.try_iter()?.enumerate() {
        every(list.py(), row)?;
        let item = item?;
        if let Ok(text) = item.extract::<PyBackedStr>() {
            column.push(text.as_bytes());
            continue;
        }
        if let Ok(bytes) = item.extract::<PyBackedBytes>() {
            column.push(&bytes);
            continue;
        }
        // text with what was not UTF-8 when it was read
        let bytes = item.call_method1("encode", ("utf-8", "surrogateescape"))?;
        column.push(&bytes.extract::<Vec<u8>>()?);
    }
    Ok(column)
}
