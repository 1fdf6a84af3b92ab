// pages are read by rustdoc alone, so that one that changes costs no build: `tests/pages` runs their examples
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("../README.md"))]
#![cfg_attr(any(not(doc), doctest), doc = "Annotate a struct, get its binary format.")]
// unit tests have the standard library, whatever the features
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// each item says which feature it needs
#![cfg_attr(docsrs, feature(doc_cfg))]
// what takes memory uses more of the wire than what does not
#![cfg_attr(not(feature = "alloc"), allow(dead_code))]
#![deny(unsafe_code)]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
// formats use the derive as users do
extern crate self as binfmt;

#[doc(hidden)]
pub mod __private;
mod api;
// sizes come from outside: a sum or product says what happens when it is too large, or its file says what bounds it
#[deny(clippy::arithmetic_side_effects)]
mod codec;
#[cfg(feature = "columns")]
#[deny(clippy::arithmetic_side_effects)]
pub mod columns;
#[cfg(feature = "conformance")]
pub mod conformance;
#[deny(clippy::arithmetic_side_effects)]
mod containers;
#[cfg(feature = "dump")]
pub mod dump;
mod error;
#[cfg(feature = "alloc")]
pub mod formats;
// numbers may come from a file
#[cfg(any(feature = "dynamic", feature = "dump"))]
#[deny(clippy::arithmetic_side_effects)]
pub mod numbers;
#[cfg(feature = "table")]
mod open;
// sizes and counts of a description may come from a file
#[cfg(feature = "dynamic")]
#[deny(clippy::arithmetic_side_effects)]
pub mod schema;
#[cfg(any(feature = "table", feature = "tiledb"))]
pub mod storage;
#[cfg(feature = "table")]
#[deny(clippy::arithmetic_side_effects)]
pub mod table;
#[cfg(feature = "dynamic")]
#[deny(clippy::arithmetic_side_effects)]
pub mod value;
#[deny(clippy::arithmetic_side_effects)]
pub mod wire;

/// The attribute reference.
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/attributes.md")]
pub mod attributes {}

/// The features of this crate.
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/features.md")]
pub mod features {}

/// Recipes for layouts as specifications have them.
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/cookbook.md")]
pub mod cookbook {}

/// Integers on the wire in another form than their own: what the word `as` names.
pub mod integer {
    pub use crate::codec::duration::{Micros, Millis, Nanos, Seconds};
    pub use crate::codec::integer::{
        AnyInteger, FixedInt, IntegerForm, Leb128, Signed, Sleb128, Unsigned, Vlq, Zigzag,
    };
    pub use crate::wire::Varint;
}

/// Functions for the word [`process`](crate::attributes#process).
#[cfg(feature = "alloc")]
pub mod process {
    pub use crate::containers::bytewise::{rotate_left, rotate_right, xor};
}

/// What needs a heap.
#[cfg(feature = "alloc")]
mod owned {
    #[cfg(feature = "columns")]
    pub use crate::columns::{ColumnMajor, Columnar, TypedColumns};
    pub use crate::containers::array::{Array, ArrayBase, ArrayD};
    pub use crate::containers::gaps::{Gap, Gaps};
    pub use crate::containers::kept::Kept;
    pub use crate::containers::lazy::Lazy;
    pub use crate::containers::pages::CodePage;
}

pub use api::*;
pub use codec::{Decode, DecodeOwned, Encode, Layout};
pub use containers::magic::WithMagic;
pub use containers::nullable::Nullable;
pub use containers::padding::{Blank, Ignored};
pub use containers::records::{Records, RecordsColumn, RecordsIter};
pub use containers::tag::Tagged;
pub use error::{Error, ErrorKind, Excerpt, KeyProblem, Path, Result, Step};
#[cfg(feature = "alloc")]
pub use owned::*;
#[cfg(feature = "dynamic")]
#[doc(inline)]
pub use schema::Describe;
#[doc(inline)]
pub use wire::{Be, Endian, Facts, Le, Options, Order, Part, Shape, Sink, Sizes, Source, VariantParts};

#[cfg(feature = "table")]
pub use open::{FORMATS, create_as, create_in, open, open_as, open_in};

#[cfg(feature = "derive")]
pub use binfmt_derive::BinFormat;
