//! The names that generated code may use beside the user's own.

use proc_macro2::Span;
use syn::Ident;

/// A local or generic parameter of the generated code, which no name of the user can meet.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// `quote!` with mixed-site hygiene: the generated locals are invisible to the user's expressions and the other
/// way round, and rustc treats the tokens as those of a foreign macro, so that the user's lints pass over them.
macro_rules! q {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
pub(crate) use q;
