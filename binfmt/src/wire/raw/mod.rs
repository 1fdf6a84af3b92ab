//! The facts and the moves of bytes that memory safety rests on: the only module with `unsafe` code.
//!
//! What may be trusted here: `Facts<T>` about a `T` (private fields, see [`facts`]), and the two counters `sure` of
//! [`Slice`] and [`RawOut`](out::RawOut) (private, never above what is there). Nothing that a safe `Layout`, `Decode` or `Encode`
//! implementation can say or do makes a function of this module read or write out of bounds: it may panic anywhere, swallow
//! errors, and call what it is given in any order. Nor can a module behind `#[binfmt(crate = ..)]`, whose names are in everything
//! that the derive writes: see [`Facts::placed`].

pub(crate) mod bulk;
pub(crate) mod facts;
#[cfg(feature = "alloc")]
pub(crate) mod grow;
#[cfg(feature = "alloc")]
pub(crate) mod huge;
pub(crate) mod input;
#[cfg(feature = "table")]
pub(crate) mod kept;
pub(crate) mod lent;
pub(crate) mod out;
pub(crate) mod part;
#[cfg(any(feature = "dynamic", feature = "dump"))]
pub(crate) mod plain;
#[cfg(feature = "tiledb")]
pub(crate) mod planes;
#[cfg(feature = "columns")]
pub(crate) mod records;
pub(crate) mod shape;
#[cfg(feature = "alloc")]
pub(crate) mod short;
pub(crate) mod slice;
#[cfg(feature = "columns")]
pub(crate) mod stride;
mod swap;
pub(crate) mod terminator;
pub(crate) mod visits;
#[cfg(all(feature = "std", feature = "table"))]
pub(crate) mod widest;
pub(crate) mod words;

pub use facts::{Facts, OPEN, Sizes};
pub use input::InputBytes;
pub use part::{Part, VariantParts, link};
pub use shape::{BitOrder, Bound, Encoding, Fixed, IntShape, Known, Note, Notes, Shape, TypeOf, Varint};
pub(crate) use slice::SavedSlice;
pub use slice::{Jump, Slice};
pub use terminator::{Fate, Terminator};
pub use visits::Visits;
