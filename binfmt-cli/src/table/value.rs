//! Values as the text of a table's cell.

use super::Shown;
use crate::json;
use binfmt::columns::ValueRef;
use binfmt::table::{TimeUnit, Timed};
use binfmt::value::Value;

/// What a cell with this value shows. Numbers are those of the JSON form, and so is what is nested.
pub(crate) fn show<'a>(value: ValueRef<'a>, room: &'a mut Vec<u8>) -> Shown<'a> {
    match value {
        ValueRef::Text(text) => Shown::Text(text),
        ValueRef::Bytes(bytes) => Shown::Bytes(bytes),
        ValueRef::Missing(code) => Shown::Missing(Some(code)),
        ValueRef::Number(n) if !n.to_f64().is_finite() => Shown::Plain(odd(n.to_f64())),
        other => worded(&other, room),
    }
}

/// The same of a column whose numbers may be times.
pub(crate) fn show_time<'a>(value: ValueRef<'a>, time: Option<TimeUnit>, room: &'a mut Vec<u8>) -> Shown<'a> {
    match (time, value) {
        (Some(unit), ValueRef::Number(n)) => match n.as_i128().and_then(|n| i64::try_from(n).ok()) {
            Some(n) => {
                *room = unit.format_time(n).into_bytes();
                Shown::Plain(room)
            }
            None => show(value, room),
        },
        (Some(unit), ValueRef::List(_) | ValueRef::Array(..)) => worded(&Timed::new(value, unit), room),
        (_, value) => show(value, room),
    }
}

/// The same for a value that is on its own.
pub(crate) fn show_value<'a>(value: &'a Value, room: &'a mut Vec<u8>) -> Shown<'a> {
    match value {
        Value::Text(text) => Shown::Text(text.as_bytes()),
        Value::Bytes(bytes) => Shown::Bytes(bytes),
        Value::Missing(code) => Shown::Missing(Some(*code)),
        Value::Number(n) => show(ValueRef::Number(*n), room),
        other => worded(other, room),
    }
}

/// The same for a value that was made for the cell.
pub(crate) fn show_made(value: Value, room: &mut Vec<u8>) -> Shown<'_> {
    match value {
        Value::Text(text) => {
            *room = text.into_bytes();
            Shown::Text(room)
        }
        Value::Bytes(bytes) => {
            *room = bytes;
            Shown::Bytes(room)
        }
        Value::Missing(code) => Shown::Missing(Some(code)),
        other => worded(&other, room),
    }
}

fn worded<'a>(value: &impl serde::Serialize, room: &'a mut Vec<u8>) -> Shown<'a> {
    room.clear();
    // writing to memory does not fail
    drop(json::compact(&mut *room, value));
    Shown::Plain(room)
}

/// A float that is not a number.
fn odd(n: f64) -> &'static [u8] {
    match n {
        f64::INFINITY => b"inf",
        f64::NEG_INFINITY => b"-inf",
        _ => b"nan",
    }
}
