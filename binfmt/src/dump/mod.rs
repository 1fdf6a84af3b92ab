//! Annotated dumps: which bytes of the input are what, as the decoder itself says.
//!
//! The decoder runs on a source that notes every field while it is read, so a dump cannot disagree with the decoder. On
//! damaged input it shows everything up to the damage, and then the error at its place: of the field that `from_slice` names,
//! too. Only the number of missing bytes may be another one, since a slice asks for several fields at once.
//!
//! ```
//! use binfmt::{BinFormat, Nullable, dump};
//! #[derive(BinFormat)]
//! #[binfmt(le)]
//! struct Cell {
//!     a: i8,
//!     #[binfmt(nullable)]
//!     b: Nullable<i16>,
//!     #[binfmt(var_len, nul)]
//!     c: String,
//! }
//! let trace = dump::trace::<Cell>(b"\x01\xff\x0a\0\x03\0\0\0xy\0");
//! assert_eq!(trace.to_string(), "\
//! 0x00000000  01                                               .                 a: 1 (i8)
//! 0x00000001  ff                                               .                 b (presence): 0xff, present (0xff: present, 0..=127: missing)
//! 0x00000002  0a 00                                            ..                b: 10 (i16 le)
//! 0x00000004  03 00 00 00                                      ....              c (length): 3 (u32 le)
//! 0x00000008  78 79 00                                         xy.               c: \"xy\" (UTF-8)
//! ");
//! ```

mod node;
#[cfg(feature = "std")]
mod parts;
mod render;
mod style;
mod tame;
mod trace;
mod value;

pub use crate::wire::label::{Kind, Label};
pub use node::Node;
#[cfg(feature = "table")]
pub(crate) use parts::in_parts_from;
#[cfg(feature = "std")]
pub use parts::{PartOptions, trace_in_parts};
pub use render::Rendered;
pub use style::Style;
pub use tame::drives_terminal;
pub use trace::{Trace, Traces, trace, trace_all, trace_all_with, trace_with};
#[cfg(feature = "std")]
pub use trace::{TracesFromReader, trace_reader, trace_reader_with};
