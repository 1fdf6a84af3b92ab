//! One page.

use super::seeds::{Many, One, Shaped, within};
use crate::formats::sdds::layout::definition::{Header, Parameter};
use crate::formats::sdds::layout::page::{Page, RowCount};
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A page with the names of its values, to be written as JSON and its kin.
///
/// `{"rows": 2, "parameters": {"nux": 0.5}, "arrays": {}, "columns": {"s": [0.0, 1.0]}}`; fixed parameters are there, too.
#[derive(Clone, Copy, Debug)]
pub struct NamedPage<'a> {
    page: &'a Page,
    header: &'a Header,
    columns: Option<&'a [usize]>,
}

/// A page is read as one of this header: every value must be of the type that it says. Fixed parameters may be left out.
///
/// ```
/// use binfmt::formats::sdds::{Column, DataType, Header, Mode, PageSeed};
/// use serde::de::DeserializeSeed;
/// let mut header = Header::new(Mode::Binary);
/// header.columns.push(Column::new("s", DataType::Double));
/// let mut json = serde_json::Deserializer::from_str(r#"{"parameters": {}, "arrays": {}, "columns": {"s": [0.0, 1.5]}}"#);
/// let page = PageSeed::new(&header).deserialize(&mut json)?;
/// assert_eq!(page.rows(), 2);
/// assert_eq!(
///     serde_json::to_string(&page.named(&header))?,
///     r#"{"rows":2,"parameters":{},"arrays":{},"columns":{"s":[0.0,1.5]}}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PageSeed<'a>(&'a Header);

impl<'a> PageSeed<'a> {
    /// Pages of this header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, PageSeed};
    /// let seed = PageSeed::new(&Header::new(Mode::Ascii));
    /// ```
    pub fn new(header: &'a Header) -> Self {
        PageSeed(header)
    }
}

impl Page {
    /// The page with the names that the header has for its values.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Header, Mode, Page, Parameter, Value};
    /// let mut header = Header::new(Mode::Binary);
    /// header.parameters.push(Parameter::new("code", DataType::String));
    /// let page = Page::new(&header, [Value::from("elegant")], [], [])?;
    /// let json = serde_json::to_string(&page.named(&header)).unwrap();
    /// assert_eq!(json, r#"{"rows":0,"parameters":{"code":"elegant"},"arrays":{},"columns":{}}"#);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn named<'a>(&'a self, header: &'a Header) -> NamedPage<'a> {
        NamedPage { page: self, header, columns: None }
    }

    /// The parameters of the header with their values, fixed ones too.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Header, Mode, Page, Parameter, Value};
    /// let mut header = Header::new(Mode::Binary);
    /// header.parameters.push(Parameter::new("a", DataType::Long).fixed_value("3"));
    /// let page = Page::new(&header, [], [], [])?;
    /// assert_eq!(page.named_parameters(&header).next().unwrap().1.into_owned(), Value::from(3i32));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn named_parameters<'a>(
        &'a self,
        header: &'a Header,
    ) -> impl Iterator<Item = (&'a Parameter, Cow<'a, Value>)> {
        let mut stored = self.parameters().iter();
        header.parameters.iter().filter_map(move |p| {
            let value = match p.fixed() {
                Some(value) => Cow::Owned(value.ok()?),
                None => Cow::Borrowed(stored.next()?),
            };
            Some((p, value))
        })
    }
}

impl<'a> NamedPage<'a> {
    /// Only these columns, by their places, in this order.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Page};
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns.extend(["a", "b"].map(|name| Column::new(name, DataType::Short)));
    /// let page = Page::new(&header, [], [], [Elements::from(vec![1i16]), Elements::from(vec![2i16])])?;
    /// let json = serde_json::to_string(&page.named(&header).columns(&[1])).unwrap();
    /// assert!(json.ends_with(r#""columns":{"b":[2]}}"#));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn columns(mut self, places: &'a [usize]) -> Self {
        self.columns = Some(places);
        self
    }

    /// The values of the parameters by their names.
    ///
    /// ```
    /// # use binfmt::formats::sdds::{Header, Mode, Page};
    /// let header = Header::new(Mode::Binary);
    /// let page = Page::new(&header, [], [], [])?;
    /// assert_eq!(serde_json::to_string(&page.named(&header).parameters()).unwrap(), "{}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn parameters(self) -> impl Serialize + 'a {
        ByName(move || self.page.named_parameters(self.header).map(|(p, value)| (p.name.as_str(), value)))
    }

    /// The arrays by their names.
    ///
    /// ```
    /// # use binfmt::formats::sdds::{Header, Mode, Page};
    /// let header = Header::new(Mode::Binary);
    /// let page = Page::new(&header, [], [], [])?;
    /// assert_eq!(serde_json::to_string(&page.named(&header).arrays()).unwrap(), "{}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn arrays(self) -> impl Serialize + 'a {
        ByName(move || self.header.arrays.iter().map(|a| a.name.as_str()).zip(self.page.arrays()))
    }

    fn lists(self) -> impl Iterator<Item = (&'a str, &'a Elements)> {
        let all = 0..self.header.columns.len();
        let chosen = self.columns.into_iter().flatten().copied();
        let places = all.filter(move |_| self.columns.is_none()).chain(chosen);
        places.filter_map(move |i| Some((&*self.header.columns.get(i)?.name, self.page.columns().get(i)?)))
    }
}

/// Pairs of names and values.
struct ByName<G>(G);

impl<N: Serialize, V: Serialize, I: Iterator<Item = (N, V)>, G: Fn() -> I> Serialize for ByName<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

impl Serialize for NamedPage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("rows", &self.page.rows())?;
        map.serialize_entry("parameters", &self.parameters())?;
        map.serialize_entry("arrays", &self.arrays())?;
        map.serialize_entry("columns", &ByName(|| self.lists()))?;
        map.end()
    }
}

impl<'de> DeserializeSeed<'de> for PageSeed<'_> {
    type Value = Page;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Page, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for PageSeed<'_> {
    type Value = Page;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page: an object with \"rows\", \"parameters\", \"arrays\" and \"columns\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page, A::Error> {
        let header = self.0;
        let mut rows = None;
        let names = header.parameters.iter().map(|p| (p.name.as_str(), p.data_type));
        let mut values = Members::new("parameters", names, One);
        let names = header.arrays.iter().map(|a| (a.name.as_str(), a.data_type));
        let mut arrays = Members::new("arrays", names, Shaped);
        let names = header.columns.iter().map(|c| (c.name.as_str(), c.data_type));
        let mut columns = Members::new("columns", names, Many);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "rows" => rows = map.next_value::<Option<u64>>()?,
                "parameters" => map.next_value_seed(&mut values)?,
                "arrays" => map.next_value_seed(&mut arrays)?,
                "columns" => map.next_value_seed(&mut columns)?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let values = stored(header, values.found).map_err(A::Error::custom)?;
        let arrays = arrays.all().map_err(A::Error::custom)?;
        let columns = columns.all().map_err(A::Error::custom)?;
        page(header, rows, values, arrays, columns).map_err(A::Error::custom)
    }
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
    let mut page = Page::new(header, values, arrays, columns).map_err(|e| format!("{}", e.kind()))?;
    match rows {
        // a page without columns has a number of rows nevertheless
        Some(rows) if header.columns.is_empty() => {
            if let Some(count) = RowCount::of(rows) {
                (page.head.rows, page.table.rows) = (count, rows);
            }
            Ok(page)
        }
        Some(rows) if rows != page.rows() => {
            Err(format!("\"rows\" is {rows}, and the columns have {} values", page.rows()))
        }
        _ => Ok(page),
    }
}

/// The members of an object, each as its type.
struct Members<'a, V, G> {
    what: &'static str,
    names: Vec<(&'a str, DataType)>,
    found: Vec<Option<V>>,
    seed: G,
}

impl<'a, V, G> Members<'a, V, G> {
    fn new(what: &'static str, names: impl Iterator<Item = (&'a str, DataType)>, seed: G) -> Self {
        let names: Vec<_> = names.collect();
        Members { what, found: names.iter().map(|_| None).collect(), names, seed }
    }

    /// All of them, or which one is missing.
    fn all(self) -> Result<Vec<V>, String> {
        let missing = |name: &str| format!("{}: no `{name}`", self.what);
        let found = self.found.into_iter().zip(&self.names);
        found.map(|(value, (name, _))| value.ok_or_else(|| missing(name))).collect()
    }
}

impl<'de, V, S, G> DeserializeSeed<'de> for &mut Members<'_, V, G>
where
    S: DeserializeSeed<'de, Value = V>,
    G: Fn(DataType) -> S,
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V, S, G> Visitor<'de> for &mut Members<'_, V, G>
where
    S: DeserializeSeed<'de, Value = V>,
    G: Fn(DataType) -> S,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the {} by name", self.what)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Members { what, names, found, seed } = self;
        let places: BTreeMap<&str, usize> = names.iter().map(|(name, _)| *name).zip(0..).collect();
        while let Some(key) = map.next_key::<String>()? {
            let at = places.get(key.as_str());
            let place = at.and_then(|i| Some((names.get(*i)?.1, found.get_mut(*i)?)));
            let Some((kind, place)) = place else {
                return Err(A::Error::custom(format_args!(".{what}: the header has no `{key}`")));
            };
            if place.is_some() {
                return Err(A::Error::custom(format_args!(".{what}: a second `{key}`")));
            }
            let value = map.next_value_seed(seed(kind));
            *place = Some(value.map_err(|e| within(format_args!(".{what}.{key}"), e))?);
        }
        Ok(())
    }
}
