//! Layouts as data: what a derived type, or a file's own header, says of its bytes.

mod types;

pub use types::{ByteOrder, Choice, Description, Encoding, Extent, Field, Magic, Record, Tag, Type, Variant};
