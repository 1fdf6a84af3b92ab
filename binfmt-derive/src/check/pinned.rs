//! The rules of `fingerprint` and `schema`.

use crate::diag::Errors;
use crate::model::{Body, Container, Fields};
use crate::names;
use quote::quote;

/// A file describes one type, and constants cannot follow a type into itself.
pub(super) fn described(container: &Container, errors: &mut Errors) {
    let Some(span) = container.words.span("schema") else { return };
    if container.generics.params.iter().any(is_open) {
        let text = "a generic type has a layout for each of its arguments: write `schema` on a type that has it in a field, and `fingerprint` here";
        errors.at(span, text);
    }
    if contains_itself(container) {
        let text = "the layout of a type that contains itself is known at run time only: compare with `Schema::check` in a test";
        errors.at(span, text);
    }
}

fn is_open(param: &syn::GenericParam) -> bool {
    !matches!(param, syn::GenericParam::Lifetime(_))
}

/// A fingerprint is one number, and constants cannot follow a type into itself.
pub(super) fn rules(container: &Container, errors: &mut Errors) {
    let (Some(span), Some(pinned)) = (container.words.span("fingerprint"), &container.pinned) else { return };
    if pinned.is_some() && container.generics.params.iter().any(is_open) {
        let text = "a generic type has a fingerprint for each of its arguments: write `fingerprint` alone, and the number on a type that has it in a field";
        errors.at(span, text);
    }
    if contains_itself(container) {
        let text = "the fingerprint of a type that contains itself is known at run time only: compare `SCHEMA.fingerprint()` in a test";
        errors.at(span, text);
    }
}

/// Whether a field's type names the type itself, as far as its tokens show it.
fn contains_itself(container: &Container) -> bool {
    let all: Vec<&Fields> = match &container.body {
        Body::Struct(fields) => vec![fields],
        Body::Enum { variants, .. } => variants.iter().map(|variant| &variant.fields).collect(),
    };
    let own = container.ident.to_string();
    all.into_iter().flat_map(|fields| &fields.all).any(|field| {
        let ty = &field.ty;
        let named = names::mentioned(quote!(#ty));
        named.contains(&own) || named.contains("Self")
    })
}
