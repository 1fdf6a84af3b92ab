//! What decoders say of the bytes that they read: for a source that listens.

use super::raw::{Shape, Varint};

/// What a decoder calls the bytes that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Label<T> {
    /// A field, by its name.
    Field(T),
    /// An element, by its index from 0.
    Index(usize),
    /// Bytes that serve the value around them: its length, presence byte, tag.
    Piece(T),
    /// The length of a dimension of an array, by the dimension's index from 0.
    Dimension(usize),
    /// The value of what is around, apart from its pieces.
    Value,
}

/// What bytes are, as their decoder says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind<T> {
    /// Integers of that many bytes: one, or several one after the other.
    Int {
        /// Bytes of each.
        bytes: usize,
        /// Two's complement.
        signed: bool,
    },
    /// Integers of variable length: one, or several one after the other.
    Varint {
        /// How each is written.
        code: Varint,
        /// Bytes of each in memory.
        bytes: usize,
    },
    /// IEEE 754 numbers of that many bytes: one, or several.
    Float {
        /// Bytes of each.
        bytes: usize,
    },
    /// Bytes of which 0 is false.
    Bool,
    /// That many bits of an integer, which stands before the first of its fields.
    Bits {
        /// What they are.
        value: i128,
        /// How many.
        bits: u8,
        /// What they say where that is not a number: the variant of an enum, `true` or `false`.
        name: Option<T>,
    },
    /// A list of integers of that many bits, each of which begins where the one before ends.
    Packed {
        /// Bits of each.
        bits: u8,
        /// Whether the lowest bit of a byte comes first.
        lowest: bool,
        /// Two's complement.
        signed: bool,
        /// How many there are.
        num: usize,
    },
    /// Text in this encoding, up to its first NUL.
    Text(T),
    /// A value that is written as text, with the blanks, quotes and line end around it.
    Token {
        /// What the format calls its type.
        of: T,
        /// The value without them, as text; `None` where they are several, such as those of `[1, 2]`.
        value: Option<T>,
    },
    /// Bytes as they are.
    Bytes,
    /// The byte in front of a nullable value.
    Presence {
        /// The byte of a present value.
        present: u8,
        /// Smallest and largest code of a missing one.
        missing: (u8, u8),
    },
    /// Bytes that are ignored, or must be a filling.
    Padding,
    /// Bytes that must be what they are.
    Magic,
    /// What stands for the body of a missing value.
    Blank,
    /// No bytes: a condition does not hold.
    Absent,
    /// A choice, whose variant is this.
    Variant(T),
    /// Read by a codec of the user's own.
    Custom,
}

impl Kind<&str> {
    /// Of a number, or of the numbers of an array; anything else is bytes.
    #[inline(always)]
    pub(crate) const fn of(shape: Shape) -> Self {
        match shape {
            Shape::Int { bytes, signed } | Shape::NonZero { bytes, signed } => {
                Kind::Int { bytes: bytes as usize, signed }
            }
            Shape::Varint { code, bytes } => Kind::Varint { code, bytes: bytes as usize },
            Shape::Foreign { .. } => Kind::Custom,
            Shape::Float { bytes } => Kind::Float { bytes: bytes as usize },
            Shape::Bool { .. } => Kind::Bool,
            _ => Kind::Bytes,
        }
    }
}
