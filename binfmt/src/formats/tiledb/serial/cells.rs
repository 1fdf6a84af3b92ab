//! The cells of a fragment: an object with columns, and with coordinates or a region.

use super::numbers::Cells;
use super::schema::of_type;
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, CellValNum, Layout};
use crate::formats::tiledb::values::Column;
use crate::numbers::{Number, Numbers};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::fmt;
use std::ops::Bound;

/// The first and the last coordinate of a dimension.
type Ends = (Bound<Number>, Bound<Number>);

/// The cells of one fragment in memory, with what a document says of it.
#[derive(Clone, Debug, Default)]
pub struct FragmentContent {
    /// The name that it has, if it is not a new one.
    pub name: Option<String>,
    /// When it was written: the first and the last time.
    pub times: Option<[u64; 2]>,
    /// The region of a dense fragment; the whole domain when nothing is said.
    pub region: Option<Vec<Ends>>,
    /// In which order the cells of a dense fragment are.
    pub order: Option<Layout>,
    /// The coordinates of a sparse fragment, of each dimension.
    pub coords: Option<Vec<Numbers>>,
    /// The attributes.
    pub columns: Vec<(String, Column)>,
}

/// Cells are read as those of an array of this schema: `{"subarray": [[1, 2]], "attributes": {"a": [0.5, 1.5]}}`, or with `"coords": [[1], [2]]` in
/// place of a region. `name`, `timestamps` and `order` (`row` or `col`) may be said, too.
///
/// ```
/// use binfmt::formats::tiledb::{ArraySchema, Attribute, Datatype, Dimension, FragmentSeed, Number};
/// use serde::de::DeserializeSeed;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
/// let mut schema = ArraySchema::dense(Datatype::Int32, [x]);
/// schema.attributes.push(Attribute::new("a", Datatype::Float64));
/// let mut json = serde_json::Deserializer::from_str(r#"{"subarray": [[1, 2]], "attributes": {"a": [0.5, 1.5]}}"#);
/// let content = FragmentSeed::new(&schema).deserialize(&mut json)?;
/// assert_eq!(content.columns[0].1.num_cells(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FragmentSeed<'a>(&'a ArraySchema);

impl<'a> FragmentSeed<'a> {
    /// Cells of an array of this schema.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{ArraySchema, Datatype, Dimension, FragmentSeed, Number};
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::sparse(Datatype::Int32, [x]);
    /// let seed = FragmentSeed::new(&schema);
    /// ```
    pub fn new(schema: &'a ArraySchema) -> Self {
        FragmentSeed(schema)
    }

    /// Takes one member, of a document that has others as well; those that are not known here are passed over.
    ///
    /// See [`FragmentSeed`] for an example: it calls this for each member.
    ///
    /// # Errors
    /// The value is not what the schema says.
    pub fn member<'de, A: MapAccess<'de>>(
        self,
        key: &str,
        map: &mut A,
        content: &mut FragmentContent,
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
fn region(json: &Json, schema: &ArraySchema) -> Result<Vec<Ends>, String> {
    let dims = schema.domain.dimensions.len();
    let ranges = json.as_array().filter(|ranges| ranges.len() == dims);
    let ranges = ranges.ok_or_else(|| format!("it must be a list of {dims} ranges"))?;
    let range = |range: &Json| match range.as_array().map(Vec::as_slice) {
        Some([low, high]) => {
            let end = |json| of_type(json, schema.domain.datatype).map(Bound::Included);
            Ok((end(low)?, end(high)?))
        }
        _ => Err(format!("{range} is not a range: it must be [low, high]")),
    };
    ranges.iter().map(range).collect()
}

impl<'de> DeserializeSeed<'de> for FragmentSeed<'_> {
    type Value = FragmentContent;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FragmentContent, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FragmentSeed<'_> {
    type Value = FragmentContent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"attributes\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FragmentContent, A::Error> {
        let mut content = FragmentContent::default();
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
        let (mut columns, places) = (Vec::new(), self.0.places());
        while let Some(name) = map.next_key::<String>()? {
            let wrong = |e: &dyn fmt::Display| A::Error::custom(format_args!("attributes.{name}: {e}"));
            let attribute = places.get(name.as_str()).and_then(|place| self.0.attributes.get(*place));
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
