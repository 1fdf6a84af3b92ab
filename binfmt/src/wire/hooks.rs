//! What a source may want to know of what is read from it.

use super::label::{Kind, Label};
use crate::error::Result;

/// What decoders tell the source that they read from. For most sources this is nothing, and what belongs to it is removed
/// when compiling.
pub trait Hooks {
    /// Whether the source notes what `open`, `mark` and `close` tell it.
    #[inline(always)]
    fn is_traced(&self) -> bool {
        false
    }

    /// Whether `begin_field` is called before each field of a struct or tuple.
    #[inline(always)]
    fn is_by_field(&self) -> bool {
        false
    }

    /// A field of a struct or tuple begins here: for a format that has bytes of its own between the fields.
    #[inline(always)]
    fn begin_field(&mut self) -> Result<()> {
        Ok(())
    }

    /// The bytes from here to the `close` that belongs to it are called so; `native` is their type in the source.
    #[inline(always)]
    fn open(&mut self, _label: Label<&str>, _native: &str) {}

    /// What the bytes of the innermost open span are, and their byte order.
    #[inline(always)]
    fn mark(&mut self, _kind: Kind<&str>, _little: bool) {}

    /// The end of the innermost open span.
    #[inline(always)]
    fn close(&mut self) {}
}

impl Hooks for super::Slice<'_> {}
