//! What differs between two schemas, in words and as data.

use super::text::one_line;
use super::types::{Description, Type};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Everything in which a struct differs from a file, in the order of the fields: see
/// [`Schema::check`](super::Schema::check).
///
/// ```
/// use binfmt::{BinFormat, Describe, schema::{Description, Field, Record, Schema, Type}};
/// #[derive(BinFormat)]
/// struct Row { a: u16, b: f32 }
/// let file = Record::new("row", [Field::new("a", Type::Int { bytes: 4, signed: false })]);
/// let differences = Row::SCHEMA.check(&Schema::from(Description::new(Type::Record(file)))).unwrap_err();
/// assert_eq!(differences.to_string(), "\
/// 2 differences between struct `Row` and the file:
///   a: struct has u16, file has u32
///   b: struct has f32, file has nothing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences {
    expected: String,
    found: String,
    list: Vec<Difference>,
    sides: Sides,
}

/// What the two sides of a difference are called.
type Sides = [&'static str; 2];

/// A struct, and the file that it is to fit.
const STRUCT_AND_FILE: Sides = ["struct", "file"];

impl Differences {
    pub(super) fn new(expected: &Description, list: Vec<Difference>) -> Self {
        let name = match &expected.root {
            Type::Named(name) => Some(name),
            Type::Record(record) if !record.name.is_empty() => Some(&record.name),
            _ => None,
        };
        let expected = match (name, expected.resolve(&expected.root)) {
            (Some(name), Some(Type::Record(_))) => format!("struct `{name}`"),
            (Some(name), Some(Type::Choice(_))) => format!("enum `{name}`"),
            (Some(name), _) => format!("`{name}`"),
            (None, _) => "the type".to_owned(),
        };
        Differences { expected, found: "the file".to_owned(), list, sides: STRUCT_AND_FILE }
    }

    /// The differences.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let differences = Schema::of::<u8>().check(&Schema::of::<u16>()).unwrap_err();
    /// assert_eq!(differences.list().len(), 1);
    /// ```
    pub fn list(&self) -> &[Difference] {
        &self.list
    }

    /// The same differences, with another name than "the file" for what was found.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let differences = Schema::of::<u8>().check(&Schema::of::<i8>()).unwrap_err().found_in("`x.bin`");
    /// assert!(differences.to_string().starts_with("1 difference between the type and `x.bin`:"));
    /// ```
    #[must_use]
    pub fn found_in(mut self, name: impl Into<String>) -> Self {
        self.found = name.into();
        self
    }

    /// The same differences between two layouts with these names, of which none is that of a struct.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let differences = Schema::of::<u8>().check(&Schema::of::<i8>()).unwrap_err();
    /// assert_eq!(differences.of_layouts("a.layout", "b.layout").to_string(), "\
    /// 1 difference between a.layout and b.layout:
    ///   the whole: the first has u8, the second has i8");
    /// ```
    #[must_use]
    pub fn of_layouts(mut self, first: impl Into<String>, second: impl Into<String>) -> Self {
        (self.expected, self.found) = (first.into(), second.into());
        self.sides = ["the first", "the second"];
        self
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, plural) = (self.list.len(), if self.list.len() == 1 { "" } else { "s" });
        let (expected, found) = (one_line(&self.expected), one_line(&self.found));
        write!(f, "{n} difference{plural} between {expected} and {found}:")?;
        self.list.iter().try_for_each(|difference| {
            f.write_str("\n  ")?;
            difference.told(self.sides, f)
        })
    }
}

impl core::error::Error for Differences {}

impl From<Differences> for crate::error::Error {
    fn from(e: Differences) -> Self {
        crate::error::Error::other(e.to_string())
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    path: String,
    kind: DifferenceKind,
    expected: String,
    found: String,
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The struct has a field that the file does not have.
    Missing,
    /// The file has a field that the struct does not have.
    Extra,
    /// The same fields in another order.
    Order,
    /// The type of the value: its width, its sign, integer or not.
    Type,
    /// Whether it may be missing, and how that is written.
    Presence,
    /// The byte order.
    ByteOrder,
    /// Where it ends: its length, or the integer before it.
    Extent,
    /// Bytes that must be these, or the tag of a variant.
    Value,
}

impl Difference {
    pub(super) fn new(path: &str, kind: DifferenceKind, expected: String, found: String) -> Self {
        Difference { path: path.to_owned(), kind, expected, found }
    }

    /// The field: `header.size`, `points[].x`; empty for the whole.
    ///
    /// What only a file without names has is called by its place: `field 3`.
    ///
    /// ```
    /// use binfmt::{BinFormat, Describe};
    /// #[derive(BinFormat)]
    /// struct Old { size: u16 }
    /// #[derive(BinFormat)]
    /// struct New { size: u32 }
    /// let differences = New::SCHEMA.check(Old::SCHEMA).unwrap_err();
    /// assert_eq!(differences.list()[0].path(), "size");
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What differs.
    ///
    /// ```
    /// use binfmt::schema::{DifferenceKind, Schema};
    /// let differences = Schema::of::<u8>().check(&Schema::of::<u16>()).unwrap_err();
    /// assert_eq!(differences.list()[0].kind(), DifferenceKind::Type);
    /// ```
    pub fn kind(&self) -> DifferenceKind {
        self.kind
    }

    /// What the struct has, in words.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let differences = Schema::of::<u8>().check(&Schema::of::<u16>()).unwrap_err();
    /// assert_eq!(differences.list()[0].expected(), "u8");
    /// ```
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What the file has, in words; after the name of a type in the format the words that a struct has for it.
    ///
    /// ```
    /// use binfmt::schema::Schema;
    /// let differences = Schema::of::<u8>().check(&Schema::of::<u16>()).unwrap_err();
    /// assert_eq!(differences.list()[0].found(), "u16");
    /// ```
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told(STRUCT_AND_FILE, f)
    }
}

impl Difference {
    fn told(&self, [one, other]: Sides, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DifferenceKind::Order => "order of fields",
            DifferenceKind::ByteOrder => "byte order",
            _ => "",
        };
        match (&*one_line(&self.path), what) {
            ("", "") => f.write_str("the whole")?,
            (path, "") => f.write_str(path)?,
            ("", what) => f.write_str(what)?,
            (path, what) => write!(f, "{path} ({what})")?,
        }
        write!(f, ": {one} has {}, {other} has {}", one_line(&self.expected), one_line(&self.found))
    }
}
