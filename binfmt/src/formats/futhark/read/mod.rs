//! Streams of values, and whole inputs as the fields of a struct.

mod arguments;
#[cfg(feature = "std")]
mod outline;
mod values;

pub use arguments::{arguments, arguments_with};
#[cfg(feature = "std")]
pub use arguments::{arguments_from_reader, arguments_from_reader_with};
#[cfg(feature = "std")]
pub use outline::{Outline, OutlinesFromReader, outline_of, outlines_from_reader};
pub use values::{Entry, Reader, Values, read, values, values_with};
#[cfg(feature = "std")]
pub use values::{ValuesFromReader, values_from_reader, values_from_reader_with};
