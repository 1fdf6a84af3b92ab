//! What bytes are, as constants: the side of a description that the compiler knows.
//!
//! Inner shapes are functions, so that recursive types have one. What an attribute says as an expression or in words (a
//! count, a condition, documentation) is not part of a shape: it stands beside it, see [`Notes`].

use super::facts::Sizes;
use super::part::{Part, VariantParts};
use super::terminator::Terminator;
use crate::error::owned::{self, String};
use crate::wire::amount::times;
use crate::wire::endian::Endian;
use crate::wire::origin::Origin;

/// What attributes and documentation say of a part or type in words: kinds of notes with their texts.
#[doc(hidden)]
pub type Notes = &'static [(Note, &'static str)];

/// A kind of note: the derive writes it and the schema looks it up, so that the two cannot differ.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Note {
    /// The documentation of a type or variant.
    Doc,
    /// A further rule: more of the values than of the bytes.
    Rule,
    /// A rule that passes arguments to a field's type.
    Args,
    /// The expression that chooses the byte order.
    Endian,
    /// The byte order of a codec of the user's own; no text.
    Order(Endian),
    /// The byte order of the tag in front; no text.
    TagOrder(Endian),
    /// The expression that is an enum's tag.
    TagFrom,
    /// An enum without a tag, whose variants are tried; no text.
    Untagged,
    /// A struct that is its field; no text.
    Transparent,
    /// The condition of `if`.
    If,
    /// The value where that does not hold.
    Else,
    /// The expression of `count`.
    Count,
    /// The length of a region.
    Region,
    /// The position of a part that lies elsewhere.
    At,
    /// The functions of `process`.
    Process,
    /// The list of `each`.
    Each,
    /// The expression for the number of dimensions.
    Rank,
    /// The condition of `until`.
    Until,
    /// What makes bytes that nothing else explains.
    By,
    /// A constant in one of the expressions: the text is its name as it stands there, the function its value as a literal,
    /// where it is a number or a bool.
    Constant(fn() -> Option<String>),
    /// A field of another type in one of the expressions: the text is how it stands there, the function what descriptions call
    /// it, where that differs.
    Member(fn() -> Option<String>),
}

/// What bytes a constant is.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Fixed {
    /// These, whatever the byte order.
    Bytes(owned::Bytes),
    /// This number.
    Number(i128),
}

/// Constants in a text, each with its name as it stands there and its value as a literal.
#[doc(hidden)]
pub type Known = &'static [(&'static str, fn() -> String)];

/// The encoding of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// Bytes below 0x80.
    Ascii,
    /// ISO 8859-1.
    Latin1,
    /// Whatever the bytes are.
    Any,
    /// UTF-16, the least significant byte of each unit first. Lengths count units of two bytes.
    #[cfg_attr(feature = "serde", serde(rename = "utf16le"))]
    Utf16Le,
    /// UTF-16, the most significant byte of each unit first.
    #[cfg_attr(feature = "serde", serde(rename = "utf16be"))]
    Utf16Be,
    /// UTF-32, the least significant byte of each unit first. Lengths count units of four bytes.
    #[cfg_attr(feature = "serde", serde(rename = "utf32le"))]
    Utf32Le,
    /// UTF-32, the most significant byte of each unit first.
    #[cfg_attr(feature = "serde", serde(rename = "utf32be"))]
    Utf32Be,
}

/// How an integer of variable length is bytes.
///
/// Each has one shortest form, which is the one that is written, and the only one that is read unless
/// [`Options::padded_integers`](crate::Options::padded_integers) allows others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Varint {
    /// Unsigned LEB128, the low bits first: DWARF, WebAssembly, protobuf.
    Leb128,
    /// Signed LEB128, the low bits first; bit 6 of the last byte is the sign: DWARF, WebAssembly.
    Sleb128,
    /// A signed integer as the unsigned LEB128 of 0, -1, 1, -2, ..: protobuf's `sint32` and `sint64`.
    Zigzag,
    /// Unsigned, the high bits first: MIDI's variable-length quantity, ASN.1's base 128.
    Vlq,
}

impl Varint {
    /// The word that names it.
    ///
    /// ```
    /// assert_eq!(binfmt::integer::Varint::Sleb128.name(), "sleb128");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Varint::Leb128 => "leb128",
            Varint::Sleb128 => "sleb128",
            Varint::Zigzag => "zigzag",
            Varint::Vlq => "vlq",
        }
    }

    /// Whether it has negative numbers.
    ///
    /// ```
    /// assert!(binfmt::integer::Varint::Zigzag.is_signed());
    /// ```
    pub const fn is_signed(self) -> bool {
        matches!(self, Varint::Sleb128 | Varint::Zigzag)
    }

    /// The most bytes that an integer of that many bytes in memory takes.
    ///
    /// ```
    /// assert_eq!(binfmt::integer::Varint::Leb128.max_len(4), 5);
    /// ```
    pub const fn max_len(self, bytes: u8) -> usize {
        times(bytes as usize, 8).div_ceil(7)
    }
}

impl core::fmt::Display for Varint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Which bit of an integer comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BitOrder {
    /// The highest.
    Msb,
    /// The lowest.
    Lsb,
}

/// What a type's shape knows of the type: its Rust name with its path, and the byte order that it fixes.
#[doc(hidden)]
#[cfg_attr(not(feature = "dynamic"), expect(dead_code, reason = "schemas read it"))]
#[derive(Clone, Copy, Debug)]
pub struct TypeOf {
    pub(crate) name: fn() -> &'static str,
    pub(crate) order: fn() -> Option<Endian>,
}

/// How an integer that serves as a length is bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum IntShape {
    /// That many bytes, in byte order.
    Fixed { bytes: u8, signed: bool },
    /// As many as it needs; `bytes` is its width in memory.
    Varint { code: Varint, bytes: u8 },
    /// A form of the user's own.
    Custom { of: fn() -> &'static str, sizes: fn() -> Sizes },
}

impl IntShape {
    /// It as a value.
    pub(crate) const fn shape(self) -> Shape {
        match self {
            IntShape::Fixed { bytes, signed } => Shape::Int { bytes, signed },
            IntShape::Varint { code, bytes } => Shape::Varint { code, bytes },
            IntShape::Custom { of, sizes } => Shape::Foreign { of, sizes },
        }
    }
}

/// Where a body ends.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// After that many bytes or elements.
    Fixed(usize),
    /// An integer in front says it.
    Prefixed { len: IntShape, max: u64, inclusive: bool },
    /// An expression says it: `count`.
    Counted,
    /// An expression says how many bytes: `region`.
    Sized,
    /// One element for each item of a list: `each`.
    Each,
    /// Behind the element that fulfils a condition: `until`.
    Until,
    /// Behind a NUL.
    Terminated,
    /// At other bytes: `ends`.
    Ends(Terminator),
    /// At the end of the input or region.
    ToEnd,
    /// Where everything was read: `gaps`.
    Gaps,
}

/// What the bytes of a type or part are.
///
/// It is made by the wire forms and by the derive, and read by [`Schema`](crate::schema::Schema), which is the public
/// view of it. An implementation of [`Layout`](crate::Layout) by hand may take over the shape of another type.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Shape {
    /// Nothing.
    #[doc(hidden)]
    Unit,
    #[doc(hidden)]
    Int { bytes: u8, signed: bool },
    /// An integer other than 0.
    #[doc(hidden)]
    NonZero { bytes: u8, signed: bool },
    /// An integer of variable length; `bytes` is its width in memory.
    #[doc(hidden)]
    Varint { code: Varint, bytes: u8 },
    #[doc(hidden)]
    Float { bytes: u8 },
    #[doc(hidden)]
    Bool { lax: bool },
    /// Bits of an integer: of `run` bytes, where they are the first. Reserved ones have no value, and may have to be zero.
    #[doc(hidden)]
    Bits { bits: u8, run: Option<u8>, order: Option<BitOrder>, reserved: Option<bool>, body: fn() -> Shape },
    /// An element of a list that has that many bits; `strict` is about those that are left of the last byte.
    #[doc(hidden)]
    Packed { bits: u8, order: Option<BitOrder>, strict: bool, body: fn() -> Shape },
    /// Text; what is around it says how long.
    #[doc(hidden)]
    Text { encoding: Encoding, nul: bool },
    /// Text or bytes, then a filling that is not part of them.
    #[doc(hidden)]
    Trimmed { byte: u8, body: fn() -> Shape },
    /// Bytes without a meaning; what is around them says how many.
    #[doc(hidden)]
    Ignored,
    /// Any number of one thing; what is around says how many.
    #[doc(hidden)]
    Sequence { item: fn() -> Shape },
    /// Text, bytes or a sequence with its end.
    #[doc(hidden)]
    Bounded { by: Bound, body: fn() -> Shape },
    /// A number of bytes, and a form that takes exactly that many, or leaves some that are filled.
    #[doc(hidden)]
    Region { by: Bound, fill: Option<u8>, body: fn() -> Shape },
    /// A form at another position.
    #[doc(hidden)]
    At { from: Origin, body: fn() -> Shape },
    /// What comes next, which stays unread.
    #[doc(hidden)]
    Peeked { body: fn() -> Shape },
    /// Bytes up to the end, of which functions make those of the body: `by` of a whole type, else a note says which.
    #[doc(hidden)]
    Processed { by: &'static str, body: fn() -> Shape },
    /// There only if a byte is left.
    #[doc(hidden)]
    Tail { body: fn() -> Shape },
    /// A fixed number of one thing.
    #[doc(hidden)]
    Array { num: usize, item: fn() -> Shape },
    /// Dimensions, then elements. Without a rank an expression says it.
    #[doc(hidden)]
    Shaped { dim_bytes: u8, dim_signed: bool, rank: Option<usize>, column_major: bool, item: fn() -> Shape },
    #[doc(hidden)]
    Nullable { present: u8, missing: (u8, u8), blank: bool, body: fn() -> Shape },
    #[doc(hidden)]
    Conditional { body: fn() -> Shape },
    /// A byte order of its own; `None` when an expression chooses it.
    #[doc(hidden)]
    Ordered { little: Option<bool>, body: fn() -> Shape },
    /// That many bytes, whatever the body takes of them.
    #[doc(hidden)]
    Padded { size: usize, fill: u8, strict: bool, body: fn() -> Shape },
    /// The same bytes as what it holds.
    #[doc(hidden)]
    Boxed { body: fn() -> Shape },
    /// A struct.
    #[doc(hidden)]
    Record { name: &'static str, notes: Notes, parts: fn() -> &'static [Part], of: TypeOf },
    /// An enum; without a tag in front an expression says it.
    #[doc(hidden)]
    Choice {
        name: &'static str,
        notes: Notes,
        variants: fn() -> &'static [VariantParts],
        tag: Option<fn() -> Shape>,
        /// What stands before the tag.
        front: fn() -> &'static [Part],
        of: TypeOf,
    },
    #[doc(hidden)]
    Padding { num: usize, fill: u8, strict: bool },
    #[doc(hidden)]
    Alignment { to: usize, fill: u8, strict: bool },
    #[doc(hidden)]
    Magic { bytes: &'static [u8] },
    /// A number as it stands in the source, and what it is where that is a name.
    #[doc(hidden)]
    MagicNumber { value: &'static str, bytes: u8, known: Option<fn() -> Option<Fixed>> },
    /// Bytes of a part that only the user's code explains.
    #[doc(hidden)]
    Opaque,
    /// A type with a codec by hand.
    #[doc(hidden)]
    Foreign { of: fn() -> &'static str, sizes: fn() -> Sizes },
}

impl Shape {
    /// Whether this is one number.
    pub(crate) const fn is_scalar(self) -> bool {
        matches!(
            self,
            Shape::Int { .. }
                | Shape::NonZero { .. }
                | Shape::Varint { .. }
                | Shape::Float { .. }
                | Shape::Bool { .. }
        )
    }

    /// The same struct or enum with what its attributes say in words.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_notes(mut self, words: Notes) -> Self {
        match &mut self {
            Shape::Record { notes, .. } | Shape::Choice { notes, .. } => *notes = words,
            _ => {}
        }
        self
    }
}

impl core::fmt::Debug for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // what it is in full is a schema, which is made for reading
        match self {
            Shape::Record { name, .. } | Shape::Choice { name, .. } => write!(f, "Shape({name})"),
            Shape::Int { bytes, signed } => {
                write!(f, "Shape({}{})", if *signed { 'i' } else { 'u' }, times(usize::from(*bytes), 8))
            }
            Shape::Varint { code, .. } => write!(f, "Shape({code})"),
            Shape::Float { bytes } => write!(f, "Shape(f{})", times(usize::from(*bytes), 8)),
            _ => f.write_str("Shape"),
        }
    }
}
