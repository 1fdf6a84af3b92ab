//! What generated code names of what needs a heap.

pub use alloc::vec::Vec;

#[cfg(feature = "dynamic")]
pub use crate::columns::dynamic::typed::TypedParts;
#[cfg(feature = "columns")]
pub use crate::columns::form::{ColumnAs, Store, Whole};
#[cfg(feature = "columns")]
pub use crate::columns::nested::Nested;
#[cfg(feature = "columns")]
pub use crate::columns::record::{ColumnSet, MagicBytes, MagicNum, Padding, Unsplit, Walk, WalkMut};
#[cfg(feature = "columns")]
pub use crate::columns::{ColumnData, ColumnMajor, Columnar, View};
pub use crate::containers::at::{At, float, offset};
pub use crate::containers::checksum::sum_with_own;
pub use crate::containers::encodings::{Encoded, encoding};
pub use crate::containers::ended::Ended;
pub use crate::containers::gaps::{Unread, noting};
pub use crate::containers::grown::{Each, Listed, Until, until};
pub use crate::containers::kept::Keep;
pub use crate::containers::pages::Paged;
pub use crate::containers::peek::is_ahead;
pub use crate::containers::process::{
    Inside, Process, WriteInside, decode_whole, encode_whole, functions, processed, processed_shape,
    processing,
};
pub use crate::containers::shaped::{Shaped, ShapedBy, ShapedTo};
pub use crate::containers::wide::{Utf16Be, Utf16Le, Utf32Be, Utf32Le, WideText};
