//! The cells of a fragment in JSON: an object with columns, and with coordinates or a region.

use super::number::Cells;
use super::schema::of_type;
use super::subarray::{Span, coordinate};
use super::write::Content;
use binfmt::formats::tiledb::{ArraySchema, ArrayType, CellValNum, Column, Layout, Numbers};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::fmt;
use std::ops::Bound;

/// Reads one.
#[derive(Clone, Copy)]
pub(super) struct ContentSeed<'a>(&'a ArraySchema);

impl<'a> ContentSeed<'a> {
    pub(super) fn new(schema: &'a ArraySchema) -> Self {
        ContentSeed(schema)
    }

    /// Takes one member.
    pub(super) fn member<'de, A: MapAccess<'de>>(
        self,
        key: &str,
        map: &mut A,
        content: &mut Content,
    ) -> Result<(), A::Error> {
        let schema = self.0;
        match key {
            "name" => content.name = map.next_value()?,
            "timestamps" => content.times = map.next_value()?,
            "order" => {
                content.order = match map.next_value::<String>()?.as_str() {
                    "col" => Some(Layout::ColumnMajor),
                    "row" => Some(Layout::RowMajor),
                    _ => return Err(A::Error::custom("\"order\" must be \"row\" or \"col\"")),
                }
            }
            "non_empty_domain" | "subarray" if schema.array_type == ArrayType::Dense => {
                let json: Json = map.next_value()?;
                content.region =
                    Some(region(&json, schema).map_err(|e| A::Error::custom(format_args!("{key}: {e}")))?);
            }
            "coords" => content.coords = Some(map.next_value_seed(Coords(schema))?),
            "attributes" => content.columns = map.next_value_seed(Columns(schema))?,
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// `[[low, high], …]`.
fn region(json: &Json, schema: &ArraySchema) -> Result<Vec<Span>, String> {
    let dims = schema.domain.dimensions.len();
    let ranges = json.as_array().filter(|ranges| ranges.len() == dims);
    let ranges = ranges.ok_or_else(|| format!("it must be a list of {dims} ranges"))?;
    let range = |range: &Json| match range.as_array().map(Vec::as_slice) {
        Some([low, high]) => {
            let end = |json| of_type(json, schema.domain.datatype).map(coordinate).map(Bound::Included);
            Ok((end(low)?, end(high)?))
        }
        _ => Err(format!("{range} is not a range: it must be [low, high]")),
    };
    ranges.iter().map(range).collect()
}

impl<'de> DeserializeSeed<'de> for ContentSeed<'_> {
    type Value = Content;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ContentSeed<'_> {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"attributes\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
        let mut content = Content::default();
        while let Some(key) = map.next_key::<String>()? {
            self.member(&key, &mut map, &mut content)?;
        }
        // a sparse fragment has no region, regardless of its document
        if content.coords.is_some() {
            content.region = None;
        }
        Ok(content)
    }
}

/// All attributes.
struct Columns<'a>(&'a ArraySchema);

impl<'de> DeserializeSeed<'de> for Columns<'_> {
    type Value = Vec<(String, Column)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Columns<'_> {
    type Value = Vec<(String, Column)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list for each attribute")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut columns = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let wrong = |e: &dyn fmt::Display| A::Error::custom(format_args!("attributes.{name}: {e}"));
            let attribute = self.0.attributes.iter().find(|a| a.name == name);
            let attribute = attribute.ok_or_else(|| wrong(&"the schema has no such attribute"))?;
            let cells = Cells::new(attribute.datatype, attribute.cell_val_num).map_err(|e| wrong(&e))?;
            let cells =
                map.next_value_seed(Rows { into: vec![cells], nested: false }).map_err(|e| wrong(&e))?;
            let column = cells.into_iter().next().and_then(Cells::finish);
            columns.push((name.clone(), column.ok_or_else(|| wrong(&"the cells are not a column"))?));
        }
        Ok(columns)
    }
}

/// The coordinates of all cells.
struct Coords<'a>(&'a ArraySchema);

impl<'de> DeserializeSeed<'de> for Coords<'_> {
    type Value = Vec<Numbers>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Numbers>, D::Error> {
        let wrong = |e: &dyn fmt::Display| D::Error::custom(format_args!("coords: {e}"));
        let domain = &self.0.domain;
        let one = |_| Cells::new(domain.datatype, CellValNum::ONE);
        let into = domain.dimensions.iter().map(one).collect::<Result<Vec<_>, _>>().map_err(|e| wrong(&e))?;
        let cells = Rows { into, nested: true }.deserialize(deserializer).map_err(|e| wrong(&e))?;
        Ok(cells.into_iter().map(Cells::into_values).collect())
    }
}

/// A list of cells, one by one; nested where each is a list, with one item for each column.
struct Rows {
    into: Vec<Cells>,
    nested: bool,
}

impl<'de> DeserializeSeed<'de> for Rows {
    type Value = Vec<Cells>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Cells>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows {
    type Value = Vec<Cells>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Vec<Cells>, A::Error> {
        let mut number = 0_u64;
        while let Some(json) = list.next_element::<Json>()? {
            let wrong = |e: String| A::Error::custom(format_args!("[{number}]: {e}"));
            let parts = if self.nested {
                let parts = json.as_array().filter(|parts| parts.len() == self.into.len());
                let count = self.into.len();
                parts.ok_or_else(|| wrong(format!("{json} is not a list of {count} coordinates")))?.as_slice()
            } else {
                std::slice::from_ref(&json)
            };
            for (cells, part) in self.into.iter_mut().zip(parts) {
                cells.push(part).map_err(wrong)?;
            }
            number += 1;
        }
        Ok(self.into)
    }
}
