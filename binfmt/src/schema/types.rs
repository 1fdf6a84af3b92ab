//! The plain data that a layout's description consists of.
#![allow(clippy::arithmetic_side_effects, reason = "types and depths are those of data in memory")]

use super::anatomy::{Anatomy, Text};
pub use super::extent::{ByteOrder, Extent, Magic};
use super::field_name::Name;
use crate::wire::{BitOrder, Encoding, Origin, Varint};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A layout as plain data: a type, and the types that it refers to by name.
///
/// ```
/// use binfmt::schema::{Description, Field, Record, Type};
/// let x = Field::new("x", Type::Int { bytes: 4, signed: true });
/// let point = Description::new(Type::Record(Record::new("Point", [x])));
/// assert_eq!(point.definitions.len(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields, try_from = "Unchecked")
)]
#[non_exhaustive]
pub struct Description {
    /// What the bytes are.
    pub root: Type,
    /// The types that are named by [`Type::Named`], mostly records and choices; a type may name itself. None is a name
    /// itself.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub definitions: BTreeMap<String, Type>,
}

/// A description that is being read: it is one if it does not contradict itself.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Description", deny_unknown_fields)]
struct Unchecked {
    root: Type,
    #[serde(default)]
    definitions: BTreeMap<String, Type>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Description {
    type Error = super::DescriptionError;

    fn try_from(Unchecked { root, definitions }: Unchecked) -> Result<Self, Self::Error> {
        let description = Description { root, definitions };
        description.validate().map(|()| description)
    }
}

impl Description {
    /// A description without named types.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// assert_eq!(Description::new(Type::Float { bytes: 8 }).root, Type::Float { bytes: 8 });
    /// ```
    pub fn new(root: Type) -> Self {
        Description { root, definitions: BTreeMap::new() }
    }

    /// The type itself, or the one that it names; `None` when nothing has that name.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// let d = Description::new(Type::Named("Missing".into()));
    /// assert_eq!(d.resolve(&d.root), None);
    /// assert_eq!(d.resolve(&Type::Unit), Some(&Type::Unit));
    /// ```
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> Option<&'a Type> {
        match ty {
            // one step is enough: a definition is never a name
            Type::Named(name) => self.definitions.get(name).filter(|ty| !matches!(ty, Type::Named(_))),
            ty => Some(ty),
        }
    }
}

impl Description {
    /// How many types there are, each with those in it.
    pub(crate) fn num_types(&self) -> usize {
        fn of(ty: &Type) -> usize {
            ty.children().map(of).sum::<usize>() + 1
        }
        of(&self.root) + self.definitions.values().map(of).sum::<usize>()
    }
}

/// What some bytes are. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Type {
    /// Nothing.
    Unit,
    /// An integer, in the byte order of what it is in.
    Int {
        /// 1 to 8, or 16.
        bytes: u8,
        /// Two's complement.
        signed: bool,
    },
    /// An integer of as many bytes as it needs, in no byte order.
    Varint {
        /// How each byte is a part of it.
        code: Varint,
        /// Bytes of the largest in memory: 1, 2, 4, 8 or 16.
        bytes: u8,
    },
    /// An IEEE 754 number, in the byte order of what it is in.
    Float {
        /// 2, 4 or 8.
        bytes: u8,
    },
    /// One byte: 0 is false, 1 is true.
    Bool {
        /// Whether every byte but 0 is true, too.
        lax: bool,
    },
    /// Some bits of an integer, as a field of a record: the fields that follow one that opens a run have the other bits. They fill it.
    /// A tag in front may open a run, too, with which the fields of each variant go on.
    Bits {
        /// How many.
        bits: u8,
        /// Bytes of the integer that the field opens, 1 to 16; without it the bits are the next of those that are open.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        run: Option<u8>,
        /// Which bit of the integer comes first, the same in the whole run; without it the highest in big-endian order and the
        /// lowest in little-endian order.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        order: Option<BitOrder>,
        /// What they are: a type of which all values have the same 1 to 16 bytes, or padding of no bytes for bits without a value.
        body: Box<Type>,
    },
    /// An element of a list that has that many bits: it begins where the one before ends, inside a byte or not.
    Packed {
        /// How many.
        bits: u8,
        /// Which bit of a byte comes first, and which of the element; without it the highest in big-endian order and the lowest in
        /// little-endian order.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        order: Option<BitOrder>,
        /// Whether the bits that are left of the last byte must be zero.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
        strict: bool,
        /// What they are: a type of which all values have the same 1 to 16 bytes.
        body: Box<Type>,
    },
    /// Text.
    Text {
        /// How its characters are bytes.
        encoding: Encoding,
        /// Whether a NUL ends it; the NUL counts. In a fixed extent the text ends at the first one.
        nul: bool,
        /// How many bytes.
        len: Extent,
    },
    /// Bytes as they are.
    Bytes {
        /// How many.
        len: Extent,
    },
    /// Text or bytes whose last bytes, as far as they are a filling, are not part of the value. In a fixed extent a shorter
    /// value is filled when writing.
    Trimmed {
        /// The byte of the filling.
        byte: u8,
        /// A `Text` or `Bytes`.
        body: Box<Type>,
    },
    /// Some number of one thing.
    List {
        /// Each element.
        item: Box<Type>,
        /// How many elements.
        len: Extent,
    },
    /// An n-dimensional array: its dimensions, then its elements.
    Shaped {
        /// Each element.
        item: Box<Type>,
        /// Width of a dimension on the wire.
        dim_bytes: u8,
        /// Whether dimensions are signed on the wire (a negative one is refused).
        dim_signed: bool,
        /// The number of dimensions.
        rank: Extent,
        /// Whether the first index runs fastest (column-major) instead of the last.
        column_major: bool,
    },
    /// A body in that many bytes.
    Region {
        /// How many: a prefix stands before the body.
        len: Extent,
        /// What fills the bytes that the body leaves, which are ignored when reading; without it the body takes all of them.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        fill: Option<u8>,
        /// The body.
        body: Box<Type>,
    },
    /// A type at another position, before or after which it takes no bytes.
    At {
        /// The position in bytes, as a Rust expression over earlier fields and context.
        position: String,
        /// From where it counts.
        #[cfg_attr(feature = "serde", serde(default))]
        from: Origin,
        /// The type.
        body: Box<Type>,
    },
    /// A type at the next bytes, which stay unread: what follows has them, too.
    Peeked {
        /// The type.
        body: Box<Type>,
    },
    /// The bytes to the end of the input or region, of which functions make those of a type. At run time they are bytes.
    Processed {
        /// The functions, as they stand in the source.
        by: String,
        /// The type.
        body: Box<Type>,
    },
    /// There only if the input or region has a byte left.
    Tail {
        /// The type.
        body: Box<Type>,
    },
    /// A presence byte, then the body.
    Nullable {
        /// The byte of a present value.
        present: u8,
        /// Smallest and largest code of a missing one.
        missing: (u8, u8),
        /// Whether zeros (or a length of 0) stand for a missing body.
        blank: bool,
        /// What follows.
        body: Box<Type>,
    },
    /// There only under a condition.
    Conditional {
        /// The condition, as a Rust expression over earlier fields and context.
        condition: String,
        /// The value where it does not hold, as a Rust expression; without one there is none then.
        #[cfg_attr(
            feature = "serde",
            serde(default, rename = "else", skip_serializing_if = "Option::is_none")
        )]
        otherwise: Option<String>,
        /// What is there then.
        body: Box<Type>,
    },
    /// A type in a byte order of its own.
    Ordered {
        /// The order.
        order: ByteOrder,
        /// The type.
        body: Box<Type>,
    },
    /// A type in a fixed number of bytes, the rest filled.
    Padded {
        /// All its bytes.
        size: u64,
        /// The byte that fills.
        fill: u8,
        /// Whether other bytes are refused.
        strict: bool,
        /// The type.
        body: Box<Type>,
    },
    /// Bytes without a meaning: stepped over when reading, `fill` when writing.
    Padding {
        /// How many.
        len: Extent,
        /// The byte that is written.
        fill: u8,
        /// Whether other bytes are refused.
        strict: bool,
    },
    /// Bytes up to a multiple of `to`, counted from the first byte of the record.
    Alignment {
        /// The multiple.
        to: u64,
        /// The byte that is written.
        fill: u8,
        /// Whether other bytes are refused.
        strict: bool,
    },
    /// Bytes that must be these.
    Magic {
        /// The bytes, or the number as it stands in the source; that of a constant by its value.
        value: Magic,
    },
    /// Fields one after the other.
    Record(Record),
    /// One of several variants.
    Choice(Choice),
    /// The type of this name, see [`Description::definitions`].
    Named(String),
    /// Bytes that this description does not explain: a custom codec.
    Opaque {
        /// What makes them, as it stands in the source.
        by: String,
        /// At least that many.
        min: u64,
        /// At most that many.
        max: Option<u64>,
    },
}

impl Type {
    /// Bytes that belong to no field: they have no value.
    pub(crate) fn is_silent(&self) -> bool {
        match self {
            Type::Padding { .. } | Type::Alignment { .. } | Type::Magic { .. } => true,
            Type::Ordered { body, .. } | Type::Bits { body, .. } => body.is_silent(),
            _ => false,
        }
    }

    /// The type that this one is around.
    pub(crate) fn body(&self) -> Option<&Type> {
        self.anatomy().body
    }

    /// The type without the byte orders around it.
    pub(crate) fn unordered(&self) -> &Type {
        let mut ty = self;
        while let Type::Ordered { body, .. } = ty {
            ty = body;
        }
        ty
    }

    /// The types that this one consists of, in the order of the wire. A name has none: its definition is elsewhere.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Type> {
        let (tag, fields, variants) = match self {
            Type::Record(record) => (None, &record.fields[..], &[][..]),
            Type::Choice(Choice { tag, variants, .. }) => (tag.front(), &[][..], &variants[..]),
            _ => (None, &[][..], &[][..]),
        };
        let fields = fields.iter().chain(variants.iter().flat_map(|variant| &variant.fields));
        self.body().or(tag).into_iter().chain(fields.map(|field| &field.ty))
    }

    /// The expressions of its own, which name fields that stand before it.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &str> {
        let Anatomy { text, extent, order, otherwise, .. } = self.anatomy();
        let extent = match extent {
            Some(Extent::Expr(expr) | Extent::Each(expr)) => Some(expr.as_str()),
            _ => None,
        };
        let own = match (self, text, order) {
            (_, Some(Text::Expr(expr)), _) => Some(expr),
            (_, _, Some(ByteOrder::Expr(expr))) | (Type::Choice(Choice { tag: Tag::Expr(expr), .. }), ..) => {
                Some(expr.as_str())
            }
            _ => None,
        };
        extent.into_iter().chain(own).chain(otherwise)
    }
}

/// Fields one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Record {
    /// The name of the type; empty for a tuple.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub name: String,
    /// Its documentation.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub doc: String,
    /// The byte order that it fixes for its fields; `None` takes that of what it is in.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub order: Option<ByteOrder>,
    /// Rules about the whole, as they stand in the source: `ctx(rows: u8)`, `assert(a < b)`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub rules: Vec<String>,
    /// In the order of the wire.
    pub fields: Vec<Field>,
}

impl Record {
    /// A record that inherits its byte order.
    ///
    /// ```
    /// use binfmt::schema::{Field, Record, Type};
    /// let r = Record::new("Flag", [Field::new("on", Type::Bool { lax: false })]);
    /// assert_eq!(r.fields[0].name, "on");
    /// ```
    pub fn new(name: impl Into<String>, fields: impl IntoIterator<Item = Field>) -> Self {
        let fields = fields.into_iter().collect();
        Record { name: name.into(), doc: String::new(), order: None, rules: Vec::new(), fields }
    }

    /// The same record in a byte order of its own.
    ///
    /// ```
    /// use binfmt::schema::{ByteOrder, Record};
    /// let r = Record::new("Nothing", []).ordered(ByteOrder::Little);
    /// assert_eq!(r.order, Some(ByteOrder::Little));
    /// ```
    #[must_use]
    pub fn ordered(mut self, order: ByteOrder) -> Self {
        self.order = Some(order);
        self
    }
}

/// A part of a record: a field, or bytes without one (padding, magic).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Field {
    /// The name on the wire; of a tuple its number; empty for bytes that belong to no field.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
    pub name: Name,
    /// What its bytes are.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub ty: Type,
    /// Its documentation.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
    pub doc: String,
    /// The type in the language or format that the description comes from: `Vec<u8>`, `datetimetz`. Of bytes beside a field
    /// of a struct what errors call them: `crc (padding)`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub native: String,
    /// Further rules as they stand in the source: `range = 1..=9`, `len_of(items)`, `args(*kind)`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub rules: Vec<String>,
}

impl Field {
    /// A field without documentation and further rules.
    ///
    /// ```
    /// use binfmt::schema::{Field, Type};
    /// assert_eq!(Field::new("n", Type::Unit).native, "");
    /// ```
    pub fn new(name: impl Into<Name>, ty: Type) -> Self {
        Field { name: name.into(), ty, doc: String::new(), native: String::new(), rules: Vec::new() }
    }

    /// The same field with its type's name in the format or language that it comes from.
    ///
    /// ```
    /// use binfmt::schema::{Field, Type};
    /// let f = Field::new("t", Type::Int { bytes: 8, signed: true }).native("datetime");
    /// assert_eq!(f.native, "datetime");
    /// ```
    #[must_use]
    pub fn native(mut self, name: impl Into<String>) -> Self {
        self.native = name.into();
        self
    }
}

/// One of several variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Choice {
    /// The name of the type.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub name: String,
    /// Its documentation.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub doc: String,
    /// The byte order that it fixes for its tag and fields.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub order: Option<ByteOrder>,
    /// Rules about the whole, as they stand in the source: `ctx(kind: u8)`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub rules: Vec<String>,
    /// The bytes before the tag, which must be these.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub magic: Option<Magic>,
    /// Where the tag is.
    pub tag: Tag,
    /// In the order of the source.
    pub variants: Vec<Variant>,
}

impl Choice {
    /// A choice that inherits its byte order.
    ///
    /// ```
    /// use binfmt::schema::{Choice, Tag, Variant};
    /// let c = Choice::new("Kind", Tag::Expr("kind".into()), [Variant::new("Empty", "0", [])]);
    /// assert_eq!(c.variants[0].tag, "0");
    /// ```
    pub fn new(name: impl Into<String>, tag: Tag, variants: impl IntoIterator<Item = Variant>) -> Self {
        let variants = variants.into_iter().collect();
        let (name, doc, rules) = (name.into(), String::new(), Vec::new());
        Choice { name, doc, order: None, rules, magic: None, tag, variants }
    }

    /// The same choice in a byte order of its own.
    ///
    /// ```
    /// use binfmt::schema::{ByteOrder, Choice, Tag};
    /// let c = Choice::new("Nothing", Tag::Expr("0".into()), []).ordered(ByteOrder::Little);
    /// assert_eq!(c.order, Some(ByteOrder::Little));
    /// ```
    #[must_use]
    pub fn ordered(mut self, order: ByteOrder) -> Self {
        self.order = Some(order);
        self
    }
}

/// Where the tag of a choice is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Tag {
    /// Before the variant, of this type.
    Front(Box<Type>),
    /// Known already: an expression as it stands in the source.
    Expr(String),
    /// There is none: the first variant is that which the bytes fit. Each has the tag `_`.
    Untagged,
}

impl Tag {
    /// The type of a tag that is written.
    pub(crate) fn front(&self) -> Option<&Type> {
        match self {
            Tag::Front(ty) => Some(ty),
            Tag::Expr(_) | Tag::Untagged => None,
        }
    }
}

/// A variant of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Its documentation.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub doc: String,
    /// The tags that choose it, as they stand in the source, constants as literals where their type is plain to see:
    /// `3`, `4..=7`, `b" i32"`; `_` for all others.
    pub tag: String,
    /// Rules about its fields, as they stand in the source: `assert(a < b)`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub rules: Vec<String>,
    /// In the order of the wire.
    pub fields: Vec<Field>,
}

impl Variant {
    /// A variant without documentation.
    ///
    /// ```
    /// use binfmt::schema::{Field, Type, Variant};
    /// let v = Variant::new("On", "1", [Field::new("level", Type::Int { bytes: 1, signed: false })]);
    /// assert_eq!((v.name.as_str(), v.fields.len()), ("On", 1));
    /// ```
    pub fn new(
        name: impl Into<Name>,
        tag: impl Into<String>,
        fields: impl IntoIterator<Item = Field>,
    ) -> Self {
        let fields = fields.into_iter().collect();
        Variant { name: name.into(), doc: String::new(), tag: tag.into(), rules: Vec::new(), fields }
    }
}
