//! A value together with the place where the user wrote it.

use proc_macro2::Span;

/// A value and its span, so that a later stage can still point at the word it came from.
#[derive(Clone)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<T> Spanned<T> {
    pub(crate) fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}
