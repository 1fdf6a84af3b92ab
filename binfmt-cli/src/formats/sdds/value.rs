//! Values as the JSON form and tables show them.

use crate::table::{Shown, show};
use binfmt::columns::ValueRef;
use binfmt::formats::sdds::{ArrayValue, Elements, Header, Page, Parameter, Text, Value, X87};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

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
            Item::Extended(n) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("x87", &hex(&n.to_le_bytes()))?;
                map.end()
            }
        }
    }
}

/// Text of the header: a string, or bytes that are not UTF-8.
pub(super) struct Words<'a>(pub(super) &'a Text);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueRef::Text(self.0.as_bytes()).serialize(serializer)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A list of values.
pub(super) struct List<'a>(pub(super) &'a Elements);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.len()).map_while(|i| Item::of(self.0, i)))
    }
}

/// An array with its shape.
pub(super) struct Shaped<'a>(pub(super) &'a ArrayValue);

impl Serialize for Shaped<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("shape", self.0.sizes())?;
        map.serialize_entry("values", &List(self.0.elements()))?;
        map.end()
    }
}

/// The parameters of a page with their values, fixed ones too.
pub(super) fn parameters<'a>(
    header: &'a Header,
    page: &'a Page,
) -> impl Iterator<Item = (&'a Parameter, Cow<'a, Value>)> {
    let mut stored = page.parameters().iter();
    header.parameters.iter().filter_map(move |p| {
        let value = match p.fixed() {
            Some(value) => Cow::Owned(value.ok()?),
            None => Cow::Borrowed(stored.next()?),
        };
        Some((p, value))
    })
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
