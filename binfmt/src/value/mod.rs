//! Values of a layout that is known only at run time, one at a time.
//!
//! A [`Program`], made once of a [`Description`](crate::schema::Description), is the context of a [`Value`], so all functions of
//! this crate read and write values as they do structs. The rules are those of the derived codec: the same bytes, the same
//! leniency, and the same errors at the same places. Types inside types are followed to 256 of them, which is some 60 to 80
//! levels of a record that contains itself.
//!
//! A description itself may be the context, too. Then it is compiled for each value, which takes longer than the value does.
//!
//! ```
//! use binfmt::schema::{Description, Extent, Encoding, Field, Integer, Record, Type};
//! use binfmt::{Options, value::{Program, Value}};
//!
//! let text = Type::Text {
//!     encoding: Encoding::Utf8,
//!     nul: false,
//!     len: Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false },
//! };
//! let weight = Type::Nullable {
//!     present: 255,
//!     missing: (0, 127),
//!     blank: true,
//!     body: Box::new(Type::Int { bytes: 2, signed: true }),
//! };
//! let layout =
//!     Description::new(Type::Record(Record::new("Item", [Field::new("name", text), Field::new("weight", weight)])));
//!
//! let program = Program::new(&layout)?;
//! let options = Options::new().ctx(&program);
//! let item: Value = binfmt::from_slice_with(b"\x03nut\xff\x05\0", &options)?;
//! assert_eq!(item.get("name").and_then(Value::as_str), Some("nut"));
//! assert_eq!(item.get("weight"), Some(&Value::from(5i16)));
//! assert_eq!(binfmt::to_vec_with(&item, &options)?, b"\x03nut\xff\x05\0");
//!
//! let e = binfmt::from_slice_with::<Value, _>(b"\x03nut\x80\x05\0", &options).unwrap_err();
//! assert_eq!((e.path().to_string().as_str(), e.offset()), ("weight", Some(4)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a description must say
//!
//! Counts, conditions and tags may be expressions over earlier fields of the same record: integers, names, arithmetic,
//! comparisons, `&&`, `||`, `!`, `if`, casts to integers, and `len()`. Anything else, and a custom codec
//! ([`Type::Opaque`](crate::schema::Type::Opaque)), is an error that quotes it, for the value that needs it. Of the rules that
//! change no bytes the `range` of a number is checked, and the `dimensions = [0, 2]` of an array, where 0 stands for any; `assert`
//! is not.
//!
//! What a field passes to its type (`args`, `tag_from`) is computed in the same way: a number, a bool, bytes, or an earlier field
//! as it is. A root that has a `ctx` gets its values with the program:
//!
//! ```
//! use binfmt::{Options, schema::Description, value::{Program, Value}};
//! let row: Description = "Row: record, ctx(columns: usize)\n  cells: bytes, count = columns\n".parse()?;
//! let (program, three) = (Program::new(&row)?, [Value::from(3u8)]);
//! let value: Value = binfmt::from_slice_with(b"abc", &Options::new().ctx((&program, &three[..])))?;
//! assert_eq!(value.get("cells").and_then(Value::as_bytes), Some(&b"abc"[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A description that contradicts itself has no program: what
//! [`Description::validate`](crate::schema::Description::validate) finds.
//!
//! # As JSON
//!
//! With the feature `serde` a value is serialized as people expect it (see [`Value`]); the way back needs the layout:
//! [`ValueSeed`].

mod arrays;
mod bits;
mod choice;
mod decode;
mod elements;
mod encode;
mod expr;
mod fields;
mod integers;
mod lists;
mod otherwise;
mod packed;
mod place;
pub(crate) mod program;
mod records;
#[cfg(feature = "serde")]
mod seed;
#[cfg(feature = "serde")]
pub(crate) mod serial;
mod text;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::numbers::{Element, Number};
use crate::schema::Choice;
pub use crate::schema::Name;
use crate::schema::expr::{Patterns, Tag};
pub(crate) use decode::run;
pub use elements::{Elements, Iter};
pub(crate) use encode::put_run;
pub use fields::Fields;
pub use program::Program;
pub(crate) use program::are_numbers;
#[cfg(feature = "serde")]
pub use seed::ValueSeed;

/// A value of a layout that is known only at run time.
///
/// The width of a number is that of its layout. When a value is written, any integer will do that fits.
///
/// As JSON: integers and text as they are; floats as the shortest number that reads back to the same bits in its own
/// width, `"nan"`, `"inf"`, `"-inf"`, and `{"bits": ".."}` for a NaN that is not the usual one; bytes as `{"hex": ".."}`;
/// a missing value as `{"missing": 53}`; an array as `{"shape": [2, 3], "values": [..]}`; records as objects.
///
/// ```
/// use binfmt::schema::{Description, Type};
/// use binfmt::{Options, value::Value};
/// let layout = Description::new(Type::Int { bytes: 2, signed: false });
/// let values: Vec<Value> = binfmt::decode_all_with(&[1, 0, 2, 0], &Options::new().ctx(&layout))?;
/// assert_eq!(values, [Value::from(1u16), Value::from(2u16)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Nothing: a type without bytes.
    #[default]
    Unit,
    /// A number of any kind, or a bool.
    Number(Number),
    /// Text.
    Text(String),
    /// Bytes, and text of no known encoding that is not UTF-8.
    Bytes(Vec<u8>),
    /// Missing, with the code of why.
    Missing(u8),
    /// Not there, because a condition says so.
    Absent,
    /// Values of one type, or the fields of a tuple.
    List(Vec<Value>),
    /// An n-dimensional array.
    Array {
        /// How many along each dimension.
        shape: Box<[u64]>,
        /// The elements, the last index fastest.
        values: Elements,
    },
    /// The fields of a record in the order of the wire.
    Record(Fields),
    /// A variant of a choice.
    Variant {
        /// Its name.
        name: Name,
        /// Its fields: a record, a list where they have no names, `Unit` where there are none. A variant of several
        /// tags keeps the one that was read as the field `tag`.
        value: Box<Value>,
    },
}

impl Value {
    /// An array of these dimensions.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// assert_eq!(Value::array([1, 2], vec![0.5f64, 1.0]).as_array().map(|(shape, _)| shape), Some(&[1, 2][..]));
    /// ```
    pub fn array(shape: impl Into<Box<[u64]>>, values: impl Into<Elements>) -> Value {
        Value::Array { shape: shape.into(), values: values.into() }
    }

    /// A record of these fields.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// let item = Value::record([("name", Value::from("nut")), ("weight", Value::from(5i16))]);
    /// assert_eq!(item.get("weight"), Some(&Value::from(5i16)));
    /// ```
    pub fn record<N: Into<Name>, V: Into<Value>>(fields: impl IntoIterator<Item = (N, V)>) -> Value {
        Value::Record(fields.into_iter().collect())
    }

    /// A number of any kind, or a bool.
    ///
    /// ```
    /// use binfmt::{numbers::Number, value::Value};
    /// assert_eq!(Value::from(7u8).as_number(), Some(Number::U8(7)));
    /// assert_eq!(Value::from("7").as_number(), None);
    /// ```
    #[inline]
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// An integer, as the widest type.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// assert_eq!(Value::from(7u8).as_i128(), Some(7));
    /// assert_eq!(Value::from(7.0).as_i128(), None);
    /// ```
    #[inline]
    pub fn as_i128(&self) -> Option<i128> {
        self.as_number()?.as_i128()
    }

    /// A floating-point number of any width.
    ///
    /// ```
    /// use binfmt::{numbers::F16, value::Value};
    /// assert_eq!(Value::from(0.5f32).as_f64(), Some(0.5));
    /// assert_eq!(Value::from(F16::from_bits(0x3c00)).as_f64(), Some(1.0));
    /// ```
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.as_f64()
    }

    /// A bool.
    ///
    /// ```
    /// assert_eq!(binfmt::value::Value::from(true).as_bool(), Some(true));
    /// ```
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        self.as_number()?.as_bool()
    }

    /// Text.
    ///
    /// ```
    /// assert_eq!(binfmt::value::Value::from("ab").as_str(), Some("ab"));
    /// ```
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Bytes, or those of a text.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// assert_eq!(Value::Bytes(vec![1]).as_bytes(), Some(&[1][..]));
    /// assert_eq!(Value::from("ab").as_bytes(), Some(&b"ab"[..]));
    /// ```
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Text(text) => Some(text.as_bytes()),
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The elements of a list, or the fields of a tuple.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// assert_eq!(Value::List(vec![1u8.into()]).as_list(), Some(&[Value::from(1u8)][..]));
    /// ```
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            _ => None,
        }
    }

    /// The dimensions and the elements of an array.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// let row = Value::array([1, 2], vec![0.5f64, 1.0]);
    /// let (shape, values) = row.as_array().unwrap();
    /// assert_eq!((shape, values.as_slice()), (&[1, 2][..], Some(&[0.5, 1.0][..])));
    /// ```
    pub fn as_array(&self) -> Option<(&[u64], &Elements)> {
        match self {
            Value::Array { shape, values } => Some((shape, values)),
            _ => None,
        }
    }

    /// Whether a value is missing.
    ///
    /// ```
    /// assert!(binfmt::value::Value::Missing(3).is_missing());
    /// ```
    pub fn is_missing(&self) -> bool {
        matches!(self, Value::Missing(_))
    }

    /// A field of a record or of a variant, or of a tuple by its number.
    ///
    /// ```
    /// use binfmt::value::Value;
    /// let point = Value::record([("x", 1u8)]);
    /// assert_eq!(point.get("x"), Some(&Value::from(1u8)));
    /// assert_eq!(Value::List(vec![7u8.into()]).get("0"), Some(&Value::from(7u8)));
    /// ```
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(fields) => fields.get(name),
            Value::List(values) => values.get(name.parse::<usize>().ok()?),
            Value::Variant { value, .. } => value.get(name),
            _ => None,
        }
    }

    /// The tag that a variant of a choice has: the one that it keeps, or the only one that selects it. `None` of a value that is
    /// not a variant of it, and of one whose tag was not kept.
    ///
    /// ```
    /// use binfmt::{BinFormat, Describe, Options, schema::Type, value::Value};
    /// #[derive(BinFormat)]
    /// #[binfmt(tag(u8))]
    /// enum Shape { #[binfmt(tag = 7)] Dot, #[binfmt(other)] Other { tag: u8 } }
    /// let layout = Shape::SCHEMA.description().into_owned();
    /// let Some(Type::Choice(choice)) = layout.resolve(&layout.root) else { panic!("not a choice") };
    /// let tag = |bytes| binfmt::from_slice_with::<Value, _>(bytes, &Options::new().ctx(&layout)).map(|v| v.tag(choice));
    /// assert_eq!(tag(&[7])?, Some(Value::from(7i128)));
    /// assert_eq!(tag(&[9])?, Some(Value::from(9u8)));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn tag(&self, choice: &Choice) -> Option<Value> {
        let Value::Variant { name, .. } = self else { return None };
        let variant = choice.variants.iter().find(|variant| variant.name == *name)?;
        match Patterns::new(&variant.tag).one(0).ok()? {
            Some(Tag::Int(n)) => Some((*n).into()),
            Some(Tag::Bool(b)) => Some((*b).into()),
            Some(Tag::Bytes(b)) => Some(Value::Bytes(b.clone())),
            None => self.get("tag").cloned(),
        }
    }

    /// How many elements a list has, or bytes a text.
    fn num_items(&self) -> Option<usize> {
        match self {
            Value::Text(text) => Some(text.len()),
            Value::Bytes(bytes) => Some(bytes.len()),
            Value::List(values) => Some(values.len()),
            Value::Array { values, .. } => Some(values.len()),
            _ => None,
        }
    }

    /// What this is, for messages.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Value::Unit => "nothing",
            Value::Number(Number::Bool(_)) => "a bool",
            Value::Number(n) if n.number_type().is_float() => "a floating-point number",
            Value::Number(_) => "an integer",
            Value::Text(_) => "text",
            Value::Bytes(_) => "bytes",
            Value::Missing(_) => "a missing value",
            Value::Absent => "an absent value",
            Value::List(_) => "a list",
            Value::Array { .. } => "an array",
            Value::Record(_) => "a record",
            Value::Variant { .. } => "a variant",
        }
    }
}

impl<T: Element> From<T> for Value {
    fn from(n: T) -> Self {
        Value::Number(n.into())
    }
}

impl From<Number> for Value {
    fn from(n: Number) -> Self {
        Value::Number(n)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Value::Bytes(bytes)
    }
}

impl From<Vec<Value>> for Value {
    fn from(values: Vec<Value>) -> Self {
        Value::List(values)
    }
}
