//! Values as tables show them.

use crate::table::{Shown, show, show_time};
use binfmt::columns::ValueRef;
use binfmt::formats::sdds::{ArrayValue, DataType, Elements, Text, Value, X87};
use binfmt::numbers::{Number, Numbers};
use binfmt::table::TimeUnit;

/// What the numbers of a type with these units count, if they are times.
pub(super) fn time(kind: DataType, units: &Option<Text>) -> Option<TimeUnit> {
    let units = units.as_ref().filter(|_| kind == DataType::Long64)?;
    TimeUnit::of_units(units.as_str()?)
}

/// What a cell with one of many values shows.
pub(super) fn show_element<'a>(
    elements: &'a Elements,
    i: usize,
    time: Option<TimeUnit>,
    room: &'a mut Vec<u8>,
) -> Shown<'a> {
    let shown = match elements {
        Elements::Numbers(Numbers::U8(v)) => v.get(i..).and_then(|v| v.get(..1)).map(character),
        Elements::Numbers(v) => v.get(i).map(|n| show_time(n.into(), time, room)),
        Elements::String(v) => v.get(i).map(Shown::Text),
        Elements::LongDouble(v) => v.get(i).map(|n| extended(*n, room)),
    };
    shown.unwrap_or(Shown::Missing(None))
}

/// The same of a value that is on its own.
pub(super) fn show_single<'a>(value: &'a Value, time: Option<TimeUnit>, room: &'a mut Vec<u8>) -> Shown<'a> {
    match value {
        Value::Number(Number::U8(n)) => {
            *room = vec![*n];
            character(room)
        }
        Value::Number(n) => show_time((*n).into(), time, room),
        Value::String(text) => Shown::Text(text.as_bytes()),
        Value::LongDouble(n) => extended(*n, room),
    }
}

/// A character of one byte, which is the only type of so few bits; zero stands for none.
fn character(byte: &[u8]) -> Shown<'_> {
    Shown::Text(if byte == [0] { &[] } else { byte })
}

/// As a number that every program knows.
fn extended(n: X87, room: &mut Vec<u8>) -> Shown<'_> {
    show(ValueRef::Number(f64::from(n).into()), room)
}

/// The same as text for people.
fn text(shown: Shown<'_>) -> String {
    match shown {
        Shown::Plain(text) | Shown::Text(text) => String::from_utf8_lossy(text).into_owned(),
        // no value of the format is shown so
        Shown::Bytes(_) | Shown::Missing(_) => String::new(),
    }
}

/// A value in a line for people.
pub(super) fn line(value: &Value, time: Option<TimeUnit>) -> String {
    text(show_single(value, time, &mut Vec::new()))
}

/// The front of an array, for people: `2 x 3: 1 2 3 ..`.
pub(super) fn array_line(array: &ArrayValue, time: Option<TimeUnit>) -> String {
    const SHOWN: usize = 8;
    let sizes: Vec<String> = array.sizes().iter().map(i32::to_string).collect();
    let elements = array.elements();
    let mut line = sizes.join(" x ") + ":";
    for i in 0..elements.len().min(SHOWN) {
        line.push(' ');
        line.push_str(&text(show_element(elements, i, time, &mut Vec::new())));
    }
    line + if elements.len() > SHOWN { " .." } else { "" }
}
