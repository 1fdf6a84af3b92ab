//! Futhark values: what compiled Futhark programs read from their standard input and print, binary and text.
//!
//! Written by compiled programs, by `futhark dataset`, by the server protocol and by futhark-data. Facts were observed on
//! the C runtime of Futhark (`rts/c/values.h`) and on futhark-data 1.0.3.
//!
//! # Bytes
//!
//! A binary value, little-endian:
//!
//! | offset | bytes | meaning |
//! |---|---|---|
//! | 0 | `62` | `b` |
//! | 1 | `02` | version |
//! | 2 | 1 | number of dimensions n, 0 for a scalar, at most 127 |
//! | 3 | 4 | type: `"  i8"`, `" i16"`, `" i32"`, `" i64"`, `"  u8"` … `" u64"`, `" f16"`, `" f32"`, `" f64"`, `"bool"` |
//! | 7 | 8 n | dimensions, `u64`, outermost first |
//! | 7 + 8 n | product × size | elements, the last index fastest; `bool` is a byte, 0 or 1 |
//!
//! A stream is values one after the other, binary and text mixed, with whitespace and comments (`-- ..`) between them.
//! A value that does not begin with `b` is text: `1i32`, `-0x10u8`, `1.5e3f64`, `f32.nan`, `[[1, 2], [3, 4]]`,
//! `empty([0][2]bool)`.
//!
//! ```
//! use binfmt::formats::futhark::{OutputStyle, Value, read, write};
//!
//! let input = b"b\x02\x01 f32\x02\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40 [[1u8, 2], [3, 4]] -- the end";
//! let values = read(input)?;
//! assert_eq!(values[0], Value::new([2], vec![1.0f32, 2.0])?);
//! assert_eq!(values[1].as_slice::<u8>(), Some(&[1, 2, 3, 4][..]));
//! assert_eq!(write(&values, OutputStyle::Text)?, b"[1f32, 2f32]\n[[1u8, 2u8], [3u8, 4u8]]\n");
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! # What is supported
//!
//! * Binary values of all types and any number of dimensions: [`Value`] with the functions of the crate
//!   ([`from_slice`](crate::from_slice), [`to_vec`](crate::to_vec), …). Bits of NaNs are kept, empty arrays keep their
//!   dimensions, a `bool` of another byte than 0 and 1 is an error.
//! * Streams in memory and from a reader, with the form of each value: [`values`], [`values_from_reader`], [`read`].
//! * What the values of a stream are, without memory for their elements: [`outlines_from_reader`]. All other readers
//!   hold a value whole: as much as its elements take, and for text the text beside them.
//! * Text in every form that the C reader takes, but for the differences below; written as compiled programs print it ([`OutputStyle::Text`]).
//! * Writing binary values packed or with a newline after each: [`Writer`], [`write`](write()).
//! * A whole input as the fields of a struct or tuple, each checked for type and rank: [`arguments`]; such an input from the
//!   fields: [`write_arguments`].
//! * Values as [`Array`](crate::Array) and [`ArrayD`](crate::ArrayD) and back: [`Value::into_array`],
//!   [`Value::from_array`]. With the feature `ndarray`, the arrays of that crate: `Value::into_ndarray`, `Value::view`,
//!   `Value::from_ndarray`.
//! * Random values of a type, the same ones for the same seed: [`Generator`].
//! * Annotated dumps of streams: [`dump::trace_all`](crate::dump::trace_all) with [`Entry`], and of large ones
//!   [`dump::trace_in_parts`](crate::dump::trace_in_parts) with [`Contents`].
//! * With the feature `serde`: `{"type": .., "shape": .., "values": ..}`. For exact floats `serde_json` needs its feature
//!   `float_roundtrip`.
//! * Not supported: strings (`"abc"`) in text, which the compiler's own tools take, but compiled programs do not.
//!
//! # Where this reader and others differ
//!
//! | | here | C | futhark-data |
//! |---|---|---|---|
//! | integer that does not fit | error | wraps | wraps |
//! | a `bool` of 2 in binary | error | kept | kept |
//! | dimensions whose product exceeds 64 bits | error | wraps: no elements | error |
//! | `f16` from text | nearest | cuts off | nearest |
//! | comment before a binary value | skipped | error | skipped |
//! | `+1`, `010` (octal), `[1, 2,]`, `nan`, `f64.inf` | read | read | error |
//! | `0x10u64` | read | error | read |
//! | `0b101` | read | error | read |
//! | words of 100 bytes and more | read | cut | read |
//! | a dimension in `empty(..)` that goes on after its digits: `1_0`, `0x10` | error | the digits alone: 1, 0 | 10, error |
//! | a dimension below 0 in `empty(..)`: `[-1][0]` | error | read as 2⁶⁴ - 1 | error |
//! | `empty([0i64]i32)` | read | read | error |
//! | numbers that break off: `1e`, `0x`, `0x1p` | error | read | error |
//!
//! Text without a suffix is taken as the type that is expected ([`arguments`]); where none is expected, as futhark-data takes it: an
//! integer is `i32`, a float `f64`, `[]` has elements `f64`. In an array one suffix holds for all elements. A leading zero
//! means octal but for `u64`, as in C. Text has one NaN: its sign and payload are lost when a value is written as text.

#[cfg(feature = "std")]
mod check;
mod generate;
mod layout;
mod options;
mod read;
#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "table")]
mod table;
mod text;
mod values;
mod write;

#[cfg(feature = "std")]
pub use check::{Verified, check_struct, description};
pub use generate::Generator;
pub use layout::{ElementType, Scalar, UnknownType, Value};
pub use options::{Form, OutputStyle};
#[cfg(feature = "table")]
pub use read::outlines_from_seekable_with;
#[cfg(feature = "std")]
pub use read::{
    Contents, Outline, OutlinesFromReader, Piece, PiecesFromReader, ValuesFromReader, arguments_from_reader,
    arguments_from_reader_with, outline_of, outlines_from_reader, outlines_from_reader_with,
    pieces_from_reader, pieces_from_reader_with, values_from_reader, values_from_reader_with,
};
pub use read::{Entry, Reader, Values, arguments, arguments_with, read, values, values_with};
#[cfg(feature = "table")]
pub use table::Tables;
#[cfg(feature = "std")]
pub use write::{Writer, write_arguments_to};
pub use write::{write, write_arguments};
