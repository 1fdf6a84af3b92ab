//! The header.

use super::seeds::One;
use crate::formats::sdds::layout::definition::{Array, Column, Definition, Header, Parameter};
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::{DataType, Mode};
use crate::formats::sdds::layout::value::Value;
use crate::wire::Endian;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// `{"version": 1, "mode": "binary", "byte_order": "little", "column_major": false, "description": {..}, "parameters": [..], ..}`. The byte
/// order of binary pages is there also where the header declares none; `fixed_row_count`, `no_row_counts` and `lines_per_row` where they are
/// not as usual. Associates are not.
impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let endian = match self.mode {
            Mode::Binary => Some(self.byte_order()),
            Mode::Ascii => self.endian,
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("mode", self.mode.name())?;
        let word = |endian| if endian == Endian::Big { "big" } else { "little" };
        map.serialize_entry("byte_order", &endian.map(word))?;
        map.serialize_entry("column_major", &self.column_major)?;
        if self.fixed_row_count {
            map.serialize_entry("fixed_row_count", &true)?;
        }
        if self.no_row_counts {
            map.serialize_entry("no_row_counts", &true)?;
        }
        if self.lines_per_row != 1 {
            map.serialize_entry("lines_per_row", &self.lines_per_row)?;
        }
        let description = Description { text: self.text.clone(), contents: self.contents.clone() };
        map.serialize_entry("description", &description)?;
        map.serialize_entry("parameters", &self.parameters)?;
        map.serialize_entry("arrays", &self.arrays)?;
        map.serialize_entry("columns", &self.columns)?;
        map.end()
    }
}

/// `&description`.
#[derive(serde::Serialize, serde::Deserialize)]
struct Description {
    text: Option<Text>,
    contents: Option<Text>,
}

/// What is said of a header; the rest is as usual.
#[derive(serde::Deserialize)]
struct Said {
    mode: Mode,
    #[serde(default)]
    byte_order: Option<ByteOrder>,
    #[serde(default)]
    column_major: Option<bool>,
    #[serde(default)]
    fixed_row_count: Option<bool>,
    #[serde(default)]
    no_row_counts: Option<bool>,
    #[serde(default)]
    lines_per_row: Option<u32>,
    #[serde(default)]
    description: Option<Description>,
    #[serde(default)]
    parameters: Vec<Parameter>,
    #[serde(default)]
    arrays: Vec<Array>,
    #[serde(default)]
    columns: Vec<Column>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum ByteOrder {
    Little,
    Big,
}

/// The same form; only `mode` must be there. The version is the lowest that will do.
impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let said = Said::deserialize(deserializer)?;
        let (text, contents) = said.description.map_or((None, None), |said| (said.text, said.contents));
        let mut header = Header {
            text,
            contents,
            parameters: said.parameters,
            arrays: said.arrays,
            columns: said.columns,
            endian: said.byte_order.map(|order| match order {
                ByteOrder::Little => Endian::Little,
                ByteOrder::Big => Endian::Big,
            }),
            column_major: said.column_major == Some(true),
            fixed_row_count: said.fixed_row_count == Some(true),
            no_row_counts: said.no_row_counts == Some(true),
            lines_per_row: said.lines_per_row.unwrap_or(1),
            ..Header::new(said.mode)
        };
        header.version = header.required_version();
        Ok(header)
    }
}

/// `"ascii"` or `"binary"`.
impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "binary" => Ok(Mode::Binary),
            "ascii" => Ok(Mode::Ascii),
            _ => Err(D::Error::custom("\"mode\" must be \"binary\" or \"ascii\"")),
        }
    }
}

/// A string, or `{"hex": ".."}`.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match One(DataType::String).deserialize(deserializer)? {
            Value::String(text) => Ok(text),
            _ => Err(D::Error::custom("it is not a text")),
        }
    }
}

/// Its name, such as `double`.
impl<'de> Deserialize<'de> for DataType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        DataType::named(&word).ok_or_else(|| {
            let known = DataType::ALL.map(DataType::name).join(", ");
            D::Error::custom(format_args!("unknown data type `{word}`, expected one of {known}"))
        })
    }
}

/// `{"name": "s", "type": "double", "units": "m"}`, with the texts that there are; the units are the first.
fn written<D: Definition, S: Serializer>(
    of: &D,
    sizes: Option<u32>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut texts: Vec<_> = D::TAGS.iter().copied().zip(of.texts()).collect();
    texts.sort_by_key(|(tag, _)| *tag != "units");
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("name", of.name())?;
    map.serialize_entry("type", of.data_type().name())?;
    for (tag, text) in texts {
        if let Some(text) = text {
            map.serialize_entry(tag, text)?;
        }
    }
    if let Some(sizes) = sizes {
        map.serialize_entry("dimensions", &sizes)?;
    }
    map.end()
}

/// A definition, made of its name, its type and its dimensions.
struct Made<D>(fn(String, DataType, u32) -> D);

impl<'de, D: Definition> Visitor<'de> for Made<D> {
    type Value = D;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the \"name\" and the \"type\" of the {}", D::COMMAND)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<D, A::Error> {
        let (mut name, mut kind, mut sizes, mut texts) = (None, None, 1, Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match (key.as_str(), D::TAGS.iter().position(|tag| *tag == key)) {
                ("name", _) => name = Some(map.next_value::<String>()?),
                ("type", _) => kind = Some(map.next_value::<DataType>()?),
                ("dimensions", _) => sizes = map.next_value()?,
                (_, Some(tag)) => texts.push((tag, map.next_value::<Option<Text>>()?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = |what| A::Error::custom(format_args!("a {} without \"{what}\"", D::COMMAND));
        let mut made =
            (self.0)(name.ok_or_else(|| missing("name"))?, kind.ok_or_else(|| missing("type"))?, sizes);
        for (tag, text) in texts {
            if let Some(place) = made.texts_mut().into_iter().nth(tag) {
                *place = text;
            }
        }
        Ok(made)
    }
}

/// `{"name": "s", "type": "double", "units": "m", ..}`, with the texts that the header has of it.
impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written(self, None, serializer)
    }
}

/// The same form; other members are passed over.
impl<'de> Deserialize<'de> for Parameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Made(|name, kind, _| Parameter::new(name, kind)))
    }
}

/// `{"name": "a", "type": "long", "dimensions": 2, ..}`, with the texts that the header has of it.
impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written(self, Some(self.dimensions), serializer)
    }
}

/// The same form; other members are passed over.
impl<'de> Deserialize<'de> for Array {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Made(Array::new))
    }
}

/// `{"name": "s", "type": "double", "units": "m", ..}`, with the texts that the header has of it.
impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written(self, None, serializer)
    }
}

/// The same form; other members are passed over.
impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Made(|name, kind, _| Column::new(name, kind)))
    }
}
