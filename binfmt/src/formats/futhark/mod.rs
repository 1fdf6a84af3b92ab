//! Futhark values: what compiled Futhark programs read and print, binary and text.

mod arguments;
mod float;
mod number;
mod print;
mod scan;
mod stream;
mod text;
mod value;
mod write;

pub use arguments::arguments;
#[cfg(feature = "std")]
pub use arguments::arguments_from_reader;
pub use stream::{Entry, Form, Values, read, values, values_with};
#[cfg(feature = "std")]
pub use stream::{ValuesFromReader, values_from_reader, values_from_reader_with};
pub use value::{Element, ElementType, Elements, UnknownType, Value};
#[cfg(feature = "std")]
pub use write::Writer;
pub use write::{Style, write};
