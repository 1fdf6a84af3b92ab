//! The dimensions that a declaration fixes.

use super::declaration::{Basic, FieldType, Format};
use crate::error::{Error, Result, Step};
use crate::value::{Elements, Value};
use alloc::format;
use alloc::string::ToString;

/// Compares the dimensions of all arrays with those that the declaration fixes; answers the size of the object.
pub(super) fn dimensions(value: &Value, format: &Format, at: u64) -> Result<u64> {
    let mut size = 0u64;
    for (i, (name, ty)) in format.fields().iter().enumerate() {
        let value = match value {
            Value::Record(fields) => fields.get(i).map(|(_, value)| value),
            _ => None,
        };
        // whatever else is missing, the encoder says it
        let Some(value) = value else { return Ok(size) };
        let found = field(value, ty, at.saturating_add(size));
        size = size.saturating_add(found.map_err(|e| e.within(Step::Name(name.to_string())))?);
    }
    Ok(size)
}

fn field(value: &Value, ty: &FieldType, at: u64) -> Result<u64> {
    match (ty, value) {
        (FieldType::Basic(Basic::String), value) => {
            Ok((value.as_bytes().map_or(0, <[u8]>::len) as u64).saturating_add(8))
        }
        (FieldType::Basic(basic), _) => Ok(basic.width() as u64),
        (FieldType::Object(format), value) => dimensions(value, format, at),
        (FieldType::Array(dims, item), Value::Array { shape, values }) => {
            for (i, (expected, found)) in dims.iter().zip(shape).enumerate() {
                if *expected != 0 && expected != found {
                    let at = at.saturating_add((i as u64).saturating_mul(8));
                    return Err(another(i, *found, *expected, at));
                }
            }
            elements(values, item, at, (dims.len() as u64).saturating_mul(8))
        }
        (FieldType::Array(..), _) => Ok(0),
    }
}

#[cold]
pub(super) fn another(i: usize, found: u64, expected: u64, at: u64) -> Error {
    Error::message(format!("dimension {i} is {found}, the declaration says {expected}"), at)
}

fn elements(values: &Elements, item: &FieldType, at: u64, head: u64) -> Result<u64> {
    if let FieldType::Basic(basic) = item
        && *basic != Basic::String
    {
        return Ok(head.saturating_add((basic.width() as u64).saturating_mul(values.len() as u64)));
    }
    let mut size = head;
    for (i, value) in values.iter().enumerate() {
        let found = field(&value, item, at.saturating_add(size));
        size = size.saturating_add(found.map_err(|e| e.within(Step::Index(i)))?);
    }
    Ok(size)
}
