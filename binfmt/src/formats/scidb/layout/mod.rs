//! What a cell consists of, as annotated types: one for each row of the [table of bytes](super#bytes) that is not a plain
//! number.
//!
//! A cell is a struct of such fields in the order of the format. The same can be said with words on fields of Rust's own types;
//! [`Template`](super::Template) describes its columns by these types, so that both mean the same bytes.
//!
//! ```
//! use binfmt::{BinFormat, Nullable};
//! use binfmt::formats::scidb::{Template, layout::{Datetimetz, FixedText, NullOr, SizedText, Skip}};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[binfmt(le)]
//! struct Cell {
//!     taken: Datetimetz,
//!     station: FixedText<4>,
//!     unused: Skip<2>,
//!     note: NullOr<SizedText>,
//! }
//! let format: Template = "(datetimetz, string(4), skip(2), string null)".parse()?;
//! assert!(format.check_struct::<Cell>().is_ok());
//!
//! let cell = Cell {
//!     taken: Datetimetz { seconds: 3600, offset: 3600 },
//!     station: FixedText("ZRH".into()),
//!     unused: Skip::default(),
//!     note: NullOr(Nullable::Missing(7)),
//! };
//! let bytes = binfmt::to_vec(&cell)?;
//! assert_eq!(bytes.len(), 16 + 4 + 2 + 1 + 4);
//! assert_eq!(binfmt::from_slice::<Cell>(&bytes)?, cell);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod around;
mod fixed;
mod sized;

pub use around::{NullOr, SizedSkip, Skip};
pub use fixed::{Bool, Char, Datetime, Datetimetz, FixedBinary, FixedText};
pub use sized::{SizedBinary, SizedText};
