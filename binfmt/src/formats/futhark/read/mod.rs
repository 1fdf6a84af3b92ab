//! Streams of values, and whole inputs as the fields of a struct.

mod arguments;
pub(super) mod fields;
#[cfg(feature = "std")]
mod outline;
#[cfg(feature = "std")]
mod pieces;
mod values;

pub use arguments::{arguments, arguments_with};
#[cfg(feature = "std")]
pub use arguments::{arguments_from_reader, arguments_from_reader_with};
#[cfg(feature = "std")]
pub(crate) use outline::Head;
#[cfg(feature = "table")]
pub use outline::outlines_from_seekable_with;
#[cfg(feature = "std")]
pub use outline::{
    Contents, Outline, OutlinesFromReader, outline_of, outlines_from_reader, outlines_from_reader_with,
};
#[cfg(feature = "std")]
pub use pieces::{Piece, PiecesFromReader, pieces_from_reader, pieces_from_reader_with};
pub use values::{Entry, Reader, Values, read, values, values_with};
#[cfg(feature = "std")]
pub use values::{ValuesFromReader, values_from_reader, values_from_reader_with};
