//! Layouts as data: what a derived type, or a file's own header, says of its bytes.
//!
//! [`SCHEMA`](Describe::SCHEMA) of a type is a constant; its [`description`](Schema::description) is plain data, as is that of
//! a file whose layout is known only at run time. Both are the same type here, so that everything below works for both.
//!
//! * *Text*: a schema displays as one line for each type, then one for each field: name, type, and the words of the derive
//!   in the order in which they nest. After `//` stands the first paragraph of the documentation. Bytes without a name are
//!   called `_`. The root comes first, then what it mentions. The same text is read again: see [below](#as-text).
//! * *JSON* and other forms of `serde`, in both directions (feature `serde`). What is empty is left out.
//! * *Comparison*: [`Schema::check`] lists everything in which a struct differs from a file.
//! * *Fingerprint*: [`Schema::fingerprint`] is a number that changes with the layout and with nothing else. An expression
//!   counts as it stands in the source, a constant in it by its value.
//!
//! The fingerprint regards the name of the root, and of all records and fields; [`Schema::check`] regards the names of
//! fields and of no type.
//!
//! * *Contradictions*: [`Description::validate`] finds what no codec could follow, or what would be written such that it
//!   reads differently. Plans, values and the reader of JSON refuse such a description before the first byte.
//!
//! What each word of the derive becomes is in the [reference](crate::attributes#what-a-schema-says).
//!
//! ```
//! use binfmt::{BinFormat, Describe, schema::Schema};
//! /// What a sensor sends.
//! #[derive(BinFormat)]
//! #[binfmt(be)]
//! struct Reading {
//!     sensor: u16,
//!     /// In degrees, if it could be read.
//!     #[binfmt(nullable)]
//!     celsius: Option<f32>,
//!     #[binfmt(length_prefixed(u8))]
//!     history: Vec<(u32, f32)>,
//! }
//! assert_eq!(Reading::SCHEMA.to_string(), "\
//! Reading: record, be  // What a sensor sends.
//!   sensor: u16
//!   celsius: f32, nullable  // In degrees, if it could be read.
//!   history: [record], length_prefixed(u8)
//!     0: u32
//!     1: f32
//! ");
//! # #[cfg(feature = "serde")] {
//! // the same, known only at run time
//! let json = serde_json::to_string(Reading::SCHEMA).unwrap();
//! let read: Schema = serde_json::from_str(&json).unwrap();
//! assert_eq!(read.fingerprint(), Reading::SCHEMA.fingerprint());
//! assert!(Reading::SCHEMA.check(&read).is_ok());
//! # }
//! ```
//!
//! # As text
//!
//! What a schema prints is a small language, and [`Description`] implements [`FromStr`](core::str::FromStr) for it, so that a
//! layout can also be written by hand. What does not change a byte, the type of a field in the language that it comes from, is
//! not part of it.
//!
//! ```text
//! layout     = line of the root, then lines of definitions
//! line       = [name ": "] type {", " word} ["//" documentation]
//! type       = "u8" .. "u64" | "u128" | "u24" .. | "i8" .. | "f16" | "f32" | "f64" | "bool" | "()"
//!            | "text" | "bytes" | "[" type {", " word} [";" count] "]"
//!            | ("record" | "choice") ["(" name ")"] | name of a definition
//!            | "magic = " bytes or number | "skip(bytes = " count ")" | "reserved(" count ")"
//!            | "align(" count ")" | "ignored" | "opaque(" what makes it ")"
//! word       = one of the derive: "le" "nullable" "length_prefixed(u16)" "count = n" "if(flags & 1 != 0)" ..
//! ```
//!
//! The fields of a record are the lines below it that are indented further, by any number of blanks; those of a choice are its
//! variants, `1 => Name`, with their fields below them. A name that is not a word stands in double quotes. The root is a
//! definition with a name, or a type without one. Words stand outermost first: `f32, nullable, le`. A line that is
//! only a comment says nothing.
//!
//! ```
//! use binfmt::schema::Description;
//! use binfmt::{Options, value::Value};
//! let layout: Description = "
//! Log: record, be
//!   _: magic = b\"LOG\"
//!   len: u8
//!   events: [Event], count = len
//! Event: choice, tag(u8)
//!   1 => Started
//!   2 => Moved
//!     by: i16
//! ".parse()?;
//! let log: Value = binfmt::from_slice_with(b"LOG\x02\x01\x02\xff\xfe", &Options::new().ctx(&layout))?;
//! let events = log.get("events").and_then(Value::as_list).unwrap();
//! assert!(matches!(&events[1], Value::Variant { name, .. } if name == "Moved"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod align;
mod anatomy;
pub(crate) mod call;
mod check;
mod compare;
mod expand;
pub(crate) mod expr;
mod extent;
mod field_name;
mod fingerprint;
mod integer;
mod item;
mod names;
#[doc(hidden)]
pub mod near;
mod number;
mod orders;
mod part;
mod places;
mod position;
mod read;
pub(crate) mod size;
mod text;
mod types;
mod validate;
mod version;

use crate::codec::Layout;
use crate::wire::Shape;
use alloc::borrow::Cow;
use core::fmt;

pub use crate::wire::{BitOrder, Encoding, Fate, Origin, Terminator, Varint};
pub use check::{Difference, DifferenceKind, Differences};
pub use field_name::Name;
pub use fingerprint::Fingerprint;
pub use integer::Integer;
pub use places::Place;
pub use read::SyntaxError;
pub(crate) use read::split;
pub use types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type, Variant};
pub use validate::DescriptionError;

/// Types inside types that are followed, regardless of the limit of levels: it bounds the stack.
pub(crate) const DEEPEST: u32 = 256;

/// What a type's bytes are: of a type known when compiling, or of a [`Description`] known only at run time.
///
/// ```
/// use binfmt::{BinFormat, schema::{Describe, Schema}};
/// /// A point on the screen.
/// #[derive(BinFormat)]
/// #[binfmt(le)]
/// struct Point { x: i32, y: i32 }
/// const POINT: &Schema = Point::SCHEMA;
/// let description = POINT.description();
/// assert_eq!(description.definitions.keys().collect::<Vec<_>>(), ["Point"]);
/// ```
#[derive(Clone)]
pub struct Schema(Made);

#[derive(Clone)]
enum Made {
    /// From a type, expanded when it is asked for.
    Const(Shape),
    Data(Description),
}

impl Schema {
    /// The schema of a type.
    ///
    /// ```
    /// use binfmt::schema::{Schema, Type};
    /// const NUMBER: Schema = Schema::of::<u16>();
    /// assert_eq!(NUMBER.description().root, Type::Int { bytes: 2, signed: false });
    /// ```
    pub const fn of<T: Layout>() -> Schema {
        Schema(Made::Const(T::SHAPE))
    }

    /// The schema as plain data; made again for each call when it comes from a type.
    ///
    /// ```
    /// use binfmt::schema::{Description, Schema, Type};
    /// let schema = Schema::from(Description::new(Type::Unit));
    /// assert_eq!(schema.description().root, Type::Unit);
    /// ```
    pub fn description(&self) -> Cow<'_, Description> {
        match &self.0 {
            Made::Const(shape) => Cow::Owned(expand::describe(*shape)),
            Made::Data(description) => Cow::Borrowed(description),
        }
    }

    /// Whether what this schema describes (a struct) reads what the other one describes (a file); if not, every
    /// difference at once.
    ///
    /// * *Fields* are compared by name where both records have names. A tuple has none, and a record without a name of
    ///   its own (the cells of a SciDB format string) has none that count: then fields are compared by position, a struct
    ///   inside a struct stands for its fields, and when their numbers differ those are left over that leave the
    ///   fewest differences.
    /// * *Names of types*, documentation, rules, the largest length of a prefix and what padding is filled with do not
    ///   count.
    /// * *Byte order* counts where both sides fix one, for numbers and prefixes of more than one byte.
    /// * *`Option` and `Nullable`* are the same; the presence byte and the codes count.
    /// * *Expressions* (`count`, `if`, `until`) mean something only where they stand: two of a kind are taken for the
    ///   same. A `count` that is always the same number is that number.
    /// * *Text* may be read as bytes and the other way round, a bool as `u8`, that many bytes as a struct or an array of
    ///   the same size, and bytes that one side does not explain as anything that may have their size.
    ///
    /// ```
    /// # #[cfg(feature = "scidb")] {
    /// use binfmt::{BinFormat, Describe, formats::scidb::Template};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell {
    ///     id: i64,
    ///     #[binfmt(nullable)]
    ///     mass: Option<f32>,
    ///     #[binfmt(var_len)]
    ///     name: String,
    /// }
    /// let file: Template = "(int64, double, string)".parse().unwrap();
    /// let differences = Cell::SCHEMA.check(&file.description().into()).unwrap_err();
    /// assert_eq!(differences.to_string(), "\
    /// 2 differences between struct `Cell` and the file:
    ///   mass: struct has Option<f32> (f32, nullable), file has double (f64)
    ///   name: struct has String (text, length_prefixed(u32)), \
    ///         file has string (text, length_prefixed(u32), nul, text = bytes)");
    /// # }
    /// ```
    ///
    /// # Errors
    /// All differences, in the order of the fields.
    pub fn check(&self, found: &Schema) -> Result<(), Differences> {
        let (expected, found) = (self.description(), found.description());
        match compare::differences(&expected, &found) {
            list if list.is_empty() => Ok(()),
            list => Err(Differences::new(&expected, list)),
        }
    }

    /// A number for what the bytes are, for example to keep beside them: the same in every build, on every machine, and
    /// for a schema that was written as JSON and read again.
    ///
    /// Names (that of the root, too), types, tags, byte orders, extents, paddings and expressions count (those of `args`, too, and
    /// the names and defaults in `ctx`), in which a constant
    /// stands for its value if it is a number or a bool, and is written `LIKE_THIS`. Documentation, other rules (`range`,
    /// `assert` ..), the Rust names of the types of fields, and paths of modules do not.
    ///
    /// ```
    /// use binfmt::{BinFormat, Describe, schema::Schema};
    /// #[derive(BinFormat)]
    /// struct Point { x: i32, y: i32 }
    /// let fingerprint = Point::SCHEMA.fingerprint();
    /// assert_eq!(fingerprint.to_string(), "55ad63f4a6fe5001");
    /// let read_again = Schema::from(Point::SCHEMA.description().into_owned());
    /// assert_eq!(read_again.fingerprint(), fingerprint);
    /// ```
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint::of(&self.description())
    }
}

impl From<Description> for Schema {
    fn from(description: Description) -> Self {
        Schema(Made::Data(description))
    }
}

/// The schema for a person: each type, then its fields, one a line, in the words of the derive; documentation after
/// `//`. The form is stable.
///
/// ```
/// use binfmt::{BinFormat, schema::Schema};
/// /// One measurement.
/// #[derive(BinFormat)]
/// #[binfmt(le)]
/// struct Row {
///     id: u16,
///     /// In kilograms.
///     #[binfmt(nullable)]
///     weight: Option<f32>,
///     #[binfmt(count = id * 2, pad_after = 1)]
///     data: Vec<u8>,
/// }
/// assert_eq!(Schema::of::<Row>().to_string(), "\
/// Row: record, le  // One measurement.
///   id: u16
///   weight: f32, nullable  // In kilograms.
///   data: bytes, count = id * 2
///   _: skip(bytes = 1)
/// ");
/// ```
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.description(), f)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(self, f)
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.description() == other.description()
    }
}

impl Eq for Schema {}

/// As its [`Description`].
#[cfg(feature = "serde")]
impl serde::Serialize for Schema {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.description().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Schema {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Description::deserialize(deserializer).map(Schema::from)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&*self.description()).finish()
    }
}

/// A type that says what its bytes are: every [`Layout`] does.
///
/// ```
/// use binfmt::schema::Describe;
/// assert_eq!(<(u8, u16)>::SCHEMA.to_string(), "record\n  0: u8\n  1: u16\n");
/// ```
pub trait Describe: Layout {
    /// What its bytes are.
    const SCHEMA: &'static Schema;
}

#[diagnostic::do_not_recommend]
impl<T: Layout> Describe for T {
    const SCHEMA: &'static Schema = &Schema::of::<T>();
}
