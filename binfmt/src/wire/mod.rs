//! Bytes in and out: sources, sinks, byte order, limits. Nothing here knows a type's layout.

pub(crate) mod amount;
pub(crate) mod bits;
pub(crate) mod budget;
pub(crate) mod count;
pub(crate) mod cursor;
pub(crate) mod elsewhere;
pub(crate) mod endian;
pub(crate) mod ending;
pub(crate) mod erased;
pub(crate) mod hooks;
pub(crate) mod label;
pub(crate) mod limits;
pub(crate) mod options;
pub(crate) mod origin;
pub(crate) mod out;
pub(crate) mod packing;
#[allow(unsafe_code)]
pub(crate) mod raw;
pub(crate) mod sink;
pub(crate) mod source;
#[cfg(feature = "std")]
pub(crate) mod stream;
#[cfg(any(feature = "dump", feature = "table"))]
pub(crate) mod terminal;
#[cfg(feature = "dump")]
pub(crate) mod trace;
pub(crate) mod unit;
pub(crate) mod varint;

pub use budget::Budget;
#[doc(hidden)]
pub use budget::Lent;
pub use count::Counter;
pub use cursor::Cursor;
#[doc(hidden)]
pub use cursor::{Found, Saved};
pub use endian::{Be, Endian, Le, Order};
#[doc(hidden)]
pub use erased::Erased;
#[doc(hidden)]
pub use hooks::Hooks;
#[doc(hidden)]
pub use label::{Kind, Label};
pub use limits::{Len, Window};
pub use options::{Options, Policy};
pub use origin::Origin;
pub use out::Out;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use out::vec_sink;
pub use raw::{
    BitOrder, Bound, Encoding, Facts, Fixed, InputBytes, IntShape, Known, Note, Notes, Part, Shape, Sizes,
    Slice, Terminator, TypeOf, VariantParts, Varint,
};
#[doc(hidden)]
pub use raw::{Fate, Jump, OPEN, Visits};
pub use sink::Sink;
pub use source::Source;
#[cfg(feature = "std")]
pub use stream::Stream;
pub use unit::Unit;
