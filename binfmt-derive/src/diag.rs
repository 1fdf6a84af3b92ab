//! The accumulator of errors: a user sees every mistake of one build, each once.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use std::fmt::Display;

/// Errors gathered so far. [`Errors::finish`] is the only way to read them, so none is lost by accident.
#[must_use = "errors that are not finished are never shown"]
#[derive(Default)]
pub(crate) struct Errors {
    first: Option<syn::Error>,
    count: usize,
}

impl Errors {
    /// Adds an error that a parser made.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.first {
            Some(first) => first.combine(error),
            None => self.first = Some(error),
        }
    }

    /// Adds one error at one place.
    pub(crate) fn at(&mut self, span: Span, text: impl Display) {
        self.add(syn::Error::new(span, text));
    }

    /// Adds one error that underlines everything from `first` to `second`: stable macros cannot attach a
    /// second label, and two errors for one mistake would be one too many.
    pub(crate) fn between(&mut self, first: Span, second: Span, text: impl Display) {
        let (a, b) = (syn::Ident::new("a", first), syn::Ident::new("b", second));
        self.add(syn::Error::new_spanned(quote!(#a #b), text));
    }

    /// Adds one error that underlines all of these tokens.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, text: impl Display) {
        self.add(syn::Error::new_spanned(tokens, text));
    }

    /// How many mistakes so far: a stage that finds it risen looks no further into that item.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// The `compile_error!` calls, or nothing.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        self.first.map(|error| error.to_compile_error())
    }
}
