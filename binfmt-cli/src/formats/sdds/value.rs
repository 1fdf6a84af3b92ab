//! Values as the JSON form and tables show them.

use crate::table::{Shown, show};
use binfmt::columns::ValueRef;
use binfmt::formats::sdds::{ArrayValue, Elements, Value, X87};
use serde::ser::{Serialize, Serializer};

/// A value that is looked at where it stands.
pub(super) enum Item<'a> {
    Plain(ValueRef<'a>),
    Extended(X87),
}

impl<'a> Item<'a> {
    /// One of many values.
    pub(super) fn of(elements: &'a Elements, i: usize) -> Option<Self> {
        Some(Item::Plain(match elements {
            Elements::Numbers(v) => ValueRef::Number(v.get(i)?),
            Elements::String(v) => ValueRef::Text(v.get(i)?),
            Elements::LongDouble(v) => return Some(Item::Extended(*v.get(i)?)),
        }))
    }

    /// A single value.
    pub(super) fn single(value: &'a Value) -> Self {
        Item::Plain(match value {
            Value::Number(n) => ValueRef::Number(*n),
            Value::String(text) => ValueRef::Text(text.as_bytes()),
            Value::LongDouble(n) => return Item::Extended(*n),
        })
    }

    /// What a cell shows.
    pub(super) fn show(self, room: &'a mut Vec<u8>) -> Shown<'a> {
        match self {
            Item::Plain(value) => show(value, room),
            Item::Extended(n) => {
                *room = n.to_string().into_bytes();
                Shown::Plain(room)
            }
        }
    }

    /// The same as text for people.
    fn text(self) -> String {
        let mut room = Vec::new();
        match self.show(&mut room) {
            Shown::Plain(text) | Shown::Text(text) => String::from_utf8_lossy(text).into_owned(),
            // no value of the format is shown so
            Shown::Bytes(_) | Shown::Missing(_) => String::new(),
        }
    }
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Item::Plain(value) => value.serialize(serializer),
            Item::Extended(n) => n.serialize(serializer),
        }
    }
}

/// A value in a line for people.
pub(super) fn line(value: &Value) -> String {
    Item::single(value).text()
}

/// The front of an array, for people: `2 x 3: 1 2 3 ..`.
pub(super) fn array_line(array: &ArrayValue) -> String {
    const SHOWN: usize = 8;
    let sizes: Vec<String> = array.sizes().iter().map(i32::to_string).collect();
    let elements = array.elements();
    let mut text = sizes.join(" x ") + ":";
    for item in (0..elements.len().min(SHOWN)).filter_map(|i| Item::of(elements, i)) {
        text.push(' ');
        text.push_str(&item.text());
    }
    text + if elements.len() > SHOWN { " .." } else { "" }
}
