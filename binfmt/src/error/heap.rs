//! What errors own, where there is a heap: one word is what an error takes on its way up.

use super::path::Step;
use super::{ErrorKind, Inner};
pub(crate) use alloc::string::String;
use alloc::{borrow::Cow, boxed::Box, vec::Vec};

/// Text that is usually constant.
pub(crate) type Static = Cow<'static, str>;

/// Bytes at fault.
pub(crate) type Bytes = Vec<u8>;

/// The steps of a path, innermost first.
pub(crate) type Steps = Vec<Step>;

/// An error in memory of its own.
pub(super) type Held = Box<Inner>;

/// Gives an error its memory.
#[inline(always)]
pub(super) fn hold(inner: Inner) -> Held {
    Box::new(inner)
}

/// What is printed.
pub(crate) use alloc::fmt::format as printed;

/// A text that is made when it is needed; the second one is for programs without a heap.
pub fn told(text: core::fmt::Arguments<'_>, _: &'static str) -> Static {
    alloc::fmt::format(text).into()
}

/// An error of the user's own type.
pub(crate) fn custom(error: impl core::error::Error + Send + Sync + 'static) -> ErrorKind {
    ErrorKind::Custom(Box::new(error))
}
