//! What a header says of its parameters, arrays and columns, for the JSON form and for people.

use super::value::Words;
use binfmt::formats::sdds::{Array, DataType, Definition, Header, Text};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

/// One of them; what the header does not say of it is left out of the JSON form.
pub(super) struct Entry<'a> {
    name: &'a str,
    data_type: DataType,
    /// Of an array.
    dimensions: Option<u32>,
    /// The texts by their tags.
    texts: Vec<(&'static str, &'a Option<Text>)>,
}

impl<'a> Entry<'a> {
    pub(super) fn new<D: Definition>(definition: &'a D) -> Self {
        let mut texts: Vec<_> = D::TAGS.iter().copied().zip(definition.texts()).collect();
        // people ask for the units first, which a header says after the symbol
        texts.sort_by_key(|(tag, _)| *tag != "units");
        Entry { name: definition.name(), data_type: definition.data_type(), dimensions: None, texts }
    }

    pub(super) fn array(array: &'a Array) -> Self {
        Entry { dimensions: Some(array.dimensions), ..Entry::new(array) }
    }

    /// A row of a table for people.
    fn row(&self) -> Vec<Json> {
        let front = [self.name.into(), self.data_type.name().into()];
        let texts = self.texts.iter().map(|(_, text)| text.as_ref().map_or(Json::Null, |t| t.lossy().into()));
        front.into_iter().chain(self.dimensions.map(Json::from)).chain(texts).collect()
    }
}

/// Those of a header in tables: the key, the title, the names of the columns, and the rows.
pub(super) type Table = (&'static str, &'static str, &'static [&'static str], Vec<Vec<Json>>);

/// Three tables.
pub(super) fn tables(header: &Header) -> [Table; 3] {
    const PARAMETER: &[&str] =
        &["name", "type", "units", "symbol", "description", "format_string", "fixed_value"];
    const ARRAY: &[&str] =
        &["name", "type", "dimensions", "units", "symbol", "description", "format_string", "group_name"];
    const COLUMN: &[&str] = &["name", "type", "units", "symbol", "description", "format_string"];
    let parameters = header.parameters.iter().map(|p| Entry::new(p).row()).collect();
    let arrays = header.arrays.iter().map(|a| Entry::array(a).row()).collect();
    let columns = header.columns.iter().map(|c| Entry::new(c).row()).collect();
    [
        ("parameters", "Parameters", PARAMETER, parameters),
        ("arrays", "Arrays", ARRAY, arrays),
        ("columns", "Columns", COLUMN, columns),
    ]
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("type", self.data_type.name())?;
        for (tag, text) in &self.texts {
            if let Some(text) = text {
                map.serialize_entry(tag, &Words(text))?;
            }
        }
        if let Some(dimensions) = self.dimensions {
            map.serialize_entry("dimensions", &dimensions)?;
        }
        map.end()
    }
}
