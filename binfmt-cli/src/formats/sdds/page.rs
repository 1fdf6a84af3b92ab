//! One page of the JSON form.

use super::seed::{Many, One, Shaped, within};
use binfmt::formats::sdds::{ArrayValue, DataType, Elements, Header, Page, RowCount, Value};
use binfmt::{Endian, Options};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Reads a page that fits the header.
pub(super) struct OnePage<'a>(pub(super) &'a Header);

impl<'de> DeserializeSeed<'de> for OnePage<'_> {
    type Value = Page;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Page, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OnePage<'_> {
    type Value = Page;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page: an object with \"rows\", \"parameters\", \"arrays\" and \"columns\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page, A::Error> {
        let header = self.0;
        let parameters: Vec<(&str, DataType)> =
            header.parameters.iter().map(|p| (p.name.as_str(), p.data_type)).collect();
        let arrays: Vec<(&str, DataType)> =
            header.arrays.iter().map(|a| (a.name.as_str(), a.data_type)).collect();
        let columns: Vec<(&str, DataType)> =
            header.columns.iter().map(|c| (c.name.as_str(), c.data_type)).collect();
        let mut rows = None;
        let mut values = named::<Value>(&parameters);
        let mut shaped = named::<ArrayValue>(&arrays);
        let mut lists = named::<Elements>(&columns);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "rows" => rows = map.next_value::<Option<u64>>()?,
                "parameters" => {
                    map.next_value_seed(Members::new("parameters", &parameters, &mut values, One))?
                }
                "arrays" => map.next_value_seed(Members::new("arrays", &arrays, &mut shaped, Shaped))?,
                "columns" => map.next_value_seed(Members::new("columns", &columns, &mut lists, Many))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let values = stored(header, values).map_err(A::Error::custom)?;
        let shaped = all("arrays", &arrays, shaped).map_err(A::Error::custom)?;
        let lists = all("columns", &columns, lists).map_err(A::Error::custom)?;
        page(header, rows, values, shaped, lists).map_err(A::Error::custom)
    }
}

/// A place for each member.
fn named<V>(names: &[(&str, DataType)]) -> Vec<Option<V>> {
    names.iter().map(|_| None).collect()
}

/// All of them, or which one is missing.
fn all<V>(what: &str, names: &[(&str, DataType)], found: Vec<Option<V>>) -> Result<Vec<V>, String> {
    let missing = |i: usize| format!("{what}: no `{}`", names.get(i).map_or("", |(name, _)| name));
    found.into_iter().enumerate().map(|(i, value)| value.ok_or_else(|| missing(i))).collect()
}

/// The parameters that a page contains. One with a fixed value may be left out, and may have no other value.
fn stored(header: &Header, values: Vec<Option<Value>>) -> Result<Vec<Value>, String> {
    let mut stored = Vec::new();
    for (p, value) in header.parameters.iter().zip(values) {
        match (p.fixed(), value) {
            (None, Some(value)) => stored.push(value),
            (None, None) => return Err(format!("parameters: no `{}`", p.name)),
            (Some(fixed), Some(value)) => {
                if !is_same(&fixed?, &value) {
                    return Err(format!("parameters.{}: not the fixed value of the header", p.name));
                }
            }
            (Some(_), None) => {}
        }
    }
    Ok(stored)
}

/// Whether they are the same, a NaN included.
fn is_same(a: &Value, b: &Value) -> bool {
    a == b || format!("{a:?}") == format!("{b:?}")
}

fn page(
    header: &Header,
    rows: Option<u64>,
    values: Vec<Value>,
    arrays: Vec<ArrayValue>,
    columns: Vec<Elements>,
) -> Result<Page, String> {
    let wrong = |e: binfmt::Error| e.kind().to_string();
    let page = Page::new(header, values, arrays, columns).map_err(wrong)?;
    match rows {
        Some(rows) if rows != page.rows() && header.columns.is_empty() => {
            counted(header, rows, &page).map_err(wrong)
        }
        Some(rows) if rows != page.rows() => {
            Err(format!("\"rows\" is {rows}, and the columns have {} values", page.rows()))
        }
        _ => Ok(page),
    }
}

/// A page without columns has a number of rows nevertheless: it is that of its bytes.
fn counted(header: &Header, rows: u64, page: &Page) -> binfmt::Result<Page> {
    let options = Options::new().endian(Endian::Little);
    let bytes = binfmt::to_vec_with(page, &options.ctx(header))?;
    let Some(count) = RowCount::of(rows) else { return Ok(page.clone()) };
    let mut counted = binfmt::to_vec_with(&count, &options)?;
    // the page was made with 0 rows, a number of four bytes
    counted.extend_from_slice(&bytes[4..]);
    binfmt::from_slice_with(&counted, &options.ctx(header))
}

/// The members of an object, each as its type.
struct Members<'a, V, F> {
    what: &'static str,
    names: &'a [(&'a str, DataType)],
    found: &'a mut Vec<Option<V>>,
    seed: F,
}

impl<'a, V, F> Members<'a, V, F> {
    fn new(
        what: &'static str,
        names: &'a [(&'a str, DataType)],
        found: &'a mut Vec<Option<V>>,
        seed: F,
    ) -> Self {
        Members { what, names, found, seed }
    }
}

impl<'de, V, S: DeserializeSeed<'de, Value = V>, F: Fn(DataType) -> S> DeserializeSeed<'de>
    for Members<'_, V, F>
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V, S: DeserializeSeed<'de, Value = V>, F: Fn(DataType) -> S> Visitor<'de> for Members<'_, V, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the {} by name", self.what)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let what = self.what;
            let at = self.names.iter().position(|(name, _)| *name == key);
            let place = at.and_then(|i| Some((self.names.get(i)?.1, self.found.get_mut(i)?)));
            let Some((kind, place)) = place else {
                return Err(A::Error::custom(format_args!(".{what}: the header has no `{key}`")));
            };
            if place.is_some() {
                return Err(A::Error::custom(format_args!(".{what}: a second `{key}`")));
            }
            let value = map.next_value_seed((self.seed)(kind));
            *place = Some(value.map_err(|e| within(format_args!(".{what}.{key}"), e))?);
        }
        Ok(())
    }
}
