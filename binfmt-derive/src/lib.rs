//! The derive macro of `binfmt`.
//!
//! The stages are `attr` (words with spans) → `model` (legal meanings) → `check` (rules between fields) →
//! `expand` (tokens). The impls are made of the model alone; the item as written is used for stubs, editors and unused parameters.
//! No stage knows the size of a type: sizes are constants of the runtime's traits.

// A derive holds a handful of these values, so a box in each would only cost clarity.
#![allow(clippy::large_enum_variant)]
// what only columns ask of the model
#![cfg_attr(not(feature = "columns"), allow(dead_code))]

mod attr;
mod bounds;
mod check;
mod diag;
mod expand;
mod keyword;
mod model;
mod names;
mod paths;

use proc_macro::TokenStream;

/// Derives the runtime's `Layout`, `Decode` and `Encode` from one description of the bytes.
///
/// The attribute words stand in `#[binfmt(..)]` on the item, its variants and its fields; each has its section in the
/// [reference](https://docs.rs/binfmt/latest/binfmt/attributes/index.html), with bytes, an example and its errors. The
/// [cookbook](https://docs.rs/binfmt/latest/binfmt/cookbook/index.html) begins with what a specification says.
///
#[doc = include_str!("../docs/words.md")]
#[proc_macro_derive(BinFormat, attributes(binfmt))]
pub fn derive_bin_format(input: TokenStream) -> TokenStream {
    match syn::parse::<syn::DeriveInput>(input) {
        Ok(input) => derive(&input).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// Either the three impls, or all errors with stub impls that keep one mistake from becoming many.
fn derive(input: &syn::DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = diag::Errors::default();
    if model::mapped::is_mapped(input) {
        let mapped = model::mapped::lower(input, &mut errors);
        return made(input, errors, mapped.as_ref().map(expand::mapped::impls));
    }
    let container = model::lower(input, &mut errors);
    if let Some(container) = &container {
        check::container(container, &mut errors);
    }
    match errors.is_empty() {
        true => {
            let impls = container.as_ref().map(|container| {
                let (impls, unused) =
                    (expand::container(container), expand::unused::parameters(input, container));
                quote::quote!(#impls #unused)
            });
            made(input, errors, impls)
        }
        false => made(input, errors, None),
    }
}

/// The impls, or the errors with stubs.
fn made(
    input: &syn::DeriveInput,
    errors: diag::Errors,
    impls: Option<proc_macro2::TokenStream>,
) -> proc_macro2::TokenStream {
    let krate = model::krate(&input.attrs);
    let paths = expand::editor::paths(input, &krate);
    match (errors.finish(), impls) {
        (None, Some(impls)) => quote::quote!(#impls #paths),
        (errors, _) => {
            let stubs = expand::fallback::stubs(input, &krate);
            quote::quote!(#errors #stubs #paths)
        }
    }
}

/// The words as modules, to which editors go from a `#[binfmt(..)]`. For the library alone.
#[doc(hidden)]
#[proc_macro]
pub fn words(_: TokenStream) -> TokenStream {
    expand::editor::modules().into()
}
