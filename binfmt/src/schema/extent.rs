//! Where something in a description ends, byte orders that it fixes, and bytes that must be these.

use super::integer::Integer;
use crate::wire::Terminator;
use alloc::string::String;
use alloc::vec::Vec;

/// How many bytes or elements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Extent {
    /// Always this many.
    Fixed(u64),
    /// An integer before it says it, in the byte order of what it is in.
    #[cfg_attr(feature = "serde", serde(with = "super::integer::prefixed"))]
    Prefixed {
        /// The integer (a negative one is refused).
        len: Integer,
        /// The largest that is read or written.
        max: Option<u64>,
        /// Whether the integer counts its own bytes too: only one of a fixed size.
        inclusive: bool,
    },
    /// An expression over earlier fields and context, as it stands in the source: `n * 2`.
    Expr(String),
    /// One for each item of a list, an expression as it stands in the source.
    Each(String),
    /// Up to the element that fulfils a condition, as it stands in the source.
    Until(String),
    /// Up to a NUL.
    Terminated,
    /// Up to other bytes: of text and bytes.
    Ends(Terminator),
    /// To the end of the input or region.
    ToEnd,
    /// What nothing else has read, up to the end of the input or region: of a list of records with an offset and bytes.
    Gaps,
}

/// A byte order that a type fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
    /// Chosen by an expression, as it stands in the source.
    Expr(String),
}

/// What a magic is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Magic {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A number in the byte order of what it is in.
    Number {
        /// As it stands in the source, for example `0x1234u16`.
        value: String,
        /// Its width.
        bytes: u8,
    },
}

impl Magic {
    /// How many bytes it is.
    pub(crate) fn len(&self) -> usize {
        match self {
            Magic::Bytes(bytes) => bytes.len(),
            Magic::Number { bytes, .. } => usize::from(*bytes),
        }
    }
}
