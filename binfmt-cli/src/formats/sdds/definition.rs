//! What a header says of its parameters, arrays and columns, for the JSON form and for people.

use super::value::Words;
use binfmt::formats::sdds::{Array, Column, DataType, Header, Parameter, Text};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

/// One of them; what the header does not say of it is left out of the JSON form.
pub(super) struct Definition<'a> {
    name: &'a str,
    data_type: DataType,
    texts: Vec<&'a Option<Text>>,
    /// The names of the texts.
    names: &'static [&'static str],
    /// Of an array.
    dimensions: Option<u32>,
}

const PARAMETER: &[&str] =
    &["name", "type", "units", "symbol", "description", "format_string", "fixed_value"];
const ARRAY: &[&str] =
    &["name", "type", "dimensions", "units", "symbol", "description", "format_string", "group_name"];
const COLUMN: &[&str] = &["name", "type", "units", "symbol", "description", "format_string"];

impl<'a> From<&'a Parameter> for Definition<'a> {
    fn from(p: &'a Parameter) -> Self {
        let texts = vec![&p.units, &p.symbol, &p.description, &p.format_string, &p.fixed_value];
        Definition { name: &p.name, data_type: p.data_type, texts, names: PARAMETER, dimensions: None }
    }
}

impl<'a> From<&'a Array> for Definition<'a> {
    fn from(a: &'a Array) -> Self {
        let texts = vec![&a.units, &a.symbol, &a.description, &a.format_string, &a.group_name];
        let dimensions = Some(a.dimensions);
        Definition { name: &a.name, data_type: a.data_type, texts, names: ARRAY, dimensions }
    }
}

impl<'a> From<&'a Column> for Definition<'a> {
    fn from(c: &'a Column) -> Self {
        let texts = vec![&c.units, &c.symbol, &c.description, &c.format_string];
        Definition { name: &c.name, data_type: c.data_type, texts, names: COLUMN, dimensions: None }
    }
}

impl Definition<'_> {
    /// A row of a table for people.
    pub(super) fn row(&self) -> Vec<Json> {
        let front = [self.name.into(), self.data_type.name().into()];
        let texts = self.texts.iter().map(|text| text.as_ref().map_or(Json::Null, |t| t.lossy().into()));
        front.into_iter().chain(self.dimensions.map(Json::from)).chain(texts).collect()
    }
}

/// Those of a header in tables: the key, the title, the names of the columns, and the rows.
pub(super) type Table = (&'static str, &'static str, &'static [&'static str], Vec<Vec<Json>>);

/// Three tables.
pub(super) fn tables(header: &Header) -> [Table; 3] {
    fn rows<'a, T>(list: &'a [T]) -> Vec<Vec<Json>>
    where
        Definition<'a>: From<&'a T>,
    {
        list.iter().map(|one| Definition::from(one).row()).collect()
    }
    [
        ("parameters", "Parameters", PARAMETER, rows(&header.parameters)),
        ("arrays", "Arrays", ARRAY, rows(&header.arrays)),
        ("columns", "Columns", COLUMN, rows(&header.columns)),
    ]
}

impl Serialize for Definition<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("type", self.data_type.name())?;
        // the names of the texts are the last ones
        let names = self.names.iter().rev().take(self.texts.len()).rev();
        for (name, text) in names.zip(&self.texts) {
            if let Some(text) = text {
                map.serialize_entry(name, &Words(text))?;
            }
        }
        if let Some(dimensions) = self.dimensions {
            map.serialize_entry("dimensions", &dimensions)?;
        }
        map.end()
    }
}
