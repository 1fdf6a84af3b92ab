//! `checksum`: the sum of the bytes between two places on the wire.
//!
//! Both directions note the places as they pass them. Reading sums up at the end of the range, while the source has its bytes,
//! and compares when the struct is read; writing fills in the sums when all of it is written.

use super::form::{context_type, form_or_own};
use super::{Emit, decode};
use crate::model::field::{Content, Field, Form, Presence};
use crate::model::sums::{self, Cover, Edge};
use crate::model::{Body, Container, Tag, Variant};
use crate::paths::{local, q};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

/// The local that holds where an edge is.
fn place_of(edge: Edge) -> Ident {
    match edge {
        Edge::Start => local("__edge_start"),
        Edge::Before(place) => local(&format!("__edge_{place}")),
    }
}

/// The local that holds what the bytes give.
fn given(field: &Field) -> Ident {
    local(&format!("__sum{}", field.local))
}

/// Notes a place.
pub(super) fn noted(edge: Edge, pos: &TokenStream) -> TokenStream {
    let place = place_of(edge);
    q!(let #place = #pos;)
}

/// Notes a place when reading, sums up what ends there, and has the source keep its bytes from the first place to the last.
pub(super) fn read(emit: &Emit<'_>, edge: Edge) -> TokenStream {
    let (sums, _) = sums::ordered(emit.fields);
    let edges = sums::edges(emit.fields);
    let place = noted(edge, &q!(__src.pos()));
    let ending = sums.iter().filter(|(_, _, cover)| Edge::Before(cover.end) == edge);
    let summed: TokenStream =
        ending.map(|(place, field, cover)| summed(emit, *place, field, cover)).collect();
    let hold = (edges.iter().min() == Some(&edge)).then(|| q!(let __held = __src.hold();));
    // what began before the tag is kept by the enum
    let own = !starts_before_tag(emit);
    let release = (own && edges.iter().max() == Some(&edge)).then(|| q!(__src.release(__held);));
    q!(#place #hold #summed #release)
}

fn starts_before_tag(emit: &Emit<'_>) -> bool {
    emit.fields.tagged && sums::edges(emit.fields).contains(&Edge::Start)
}

fn summed(emit: &Emit<'_>, place: usize, field: &Field, cover: &Cover) -> TokenStream {
    let (Some(sum), Content::Coded(form, _)) = (&field.sum, &field.content) else {
        return TokenStream::new();
    };
    let (given, from, at, ty) = (given(field), place_of(cover.start), decode::local_at(field), &field.ty);
    let function = function(&sum.function, &q!(__p::sum::<__S, #ty>), &[q!(__src), q!(#from)], ty);
    let Some(own) = &sum.own else { return q!(let #given = #function?;) };
    let (order, wire, ctx_ty) = (&emit.order, form_or_own(form, Presence::Always), context_type(field, form));
    let ctx = emit.context(field, form, place, None);
    let function = self::function(
        &sum.function,
        &q!(__p::sum_with_own::<#order, __S, #wire, #ty, #ctx_ty>),
        &[q!(__src), q!((#from, #at)), q!(#own), ctx],
        ty,
    );
    q!(let #given = #function?;)
}

/// A call that ends with the user's function, whose mistakes are told where it stands.
fn function(function: &Expr, call: &TokenStream, args: &[TokenStream], ty: &Type) -> TokenStream {
    let (at, function) = (Span::mixed_site().located_at(function.span()), summing(function, ty));
    quote_spanned!(at=> #call(#(#args,)* #function))
}

/// The same closure when reading and writing, so that a mistake in it is told once.
fn summing(function: &Expr, ty: &Type) -> TokenStream {
    let at = Span::mixed_site().located_at(function.span());
    let called = if let Expr::Path(_) = function { q!(#function) } else { q!((#function)) };
    quote_spanned!(at=> |__bytes: &[__p::core::primitive::u8]| -> #ty { #called(__bytes) })
}

/// The sums that were read, held to what the bytes give.
pub(super) fn kept(emit: &Emit<'_>) -> TokenStream {
    let sums = emit.fields.on_wire().filter(|field| field.sum.is_some());
    let checks = sums.map(|field| {
        let (at, own, given, name) = (decode::local_at(field), &field.local, given(field), &field.name);
        q!(__p::is_sum(#at, &#own, #given, #name)?;)
    });
    checks.collect()
}

/// What stands in the place of a sum until it is known.
pub(super) fn placeholder(field: &Field, call: TokenStream) -> TokenStream {
    let Some(sum) = &field.sum else { return call };
    let (at, own, ty) = (decode::local_at(field), &field.local, &field.ty);
    let value = match &sum.own {
        Some(value) => q!(#value),
        None => q!(<#ty as __p::Sum>::ZERO),
    };
    q! {
        let #at = __out.pos();
        {
            let #own: &#ty = &#value;
            #call
        }
    }
}

/// Fills in the sums of what is written.
pub(super) fn put(emit: &Emit<'_>) -> TokenStream {
    let (sums, _) = sums::ordered(emit.fields);
    sums.iter().map(|(place, field, cover)| put_one(emit, *place, field, cover)).collect()
}

fn put_one(emit: &Emit<'_>, place: usize, field: &Field, cover: &Cover) -> TokenStream {
    let (Some(sum), Content::Coded(form, _)) = (&field.sum, &field.content) else {
        return TokenStream::new();
    };
    let (order, ty, name, ctx_ty) = (&emit.order, &field.ty, &field.name, context_type(field, form));
    let (wire, at) = (form_or_own(form, Presence::Always), decode::local_at(field));
    let (from, to) = (place_of(cover.start), place_of(Edge::Before(cover.end)));
    let ctx = ctx(emit, place, field, form);
    let call = q!(__p::put_sum::<#order, __W, #wire, #ty, #ctx_ty>);
    let at_function = Span::mixed_site().located_at(sum.function.span());
    let function = summing(&sum.function, ty);
    quote_spanned!(at_function=> #call(__out, (#from, #to, #at), #ctx, #function, #name)?;)
}

fn ctx(emit: &Emit<'_>, place: usize, field: &Field, form: &Form) -> TokenStream {
    emit.context(field, form, place, None)
}

/// A sink that forgets its bytes gets them when the sums are in: the whole is written to memory first.
pub(super) fn in_memory(container: &Container, ctx: &TokenStream) -> TokenStream {
    let has = |fields: &crate::model::Fields| {
        fields.all.iter().any(|field| field.sum.is_some() || field.is_peeked())
    };
    let any = match &container.body {
        Body::Struct(fields) => has(fields),
        Body::Enum { tag: Tag::Front { peek: true, .. }, .. } => true,
        Body::Enum { variants, .. } => variants.iter().any(|variant| has(&variant.fields)),
    };
    let tried = match &container.body {
        Body::Enum { tag: Tag::Untagged, variants } if !any && variants.len() > 1 => variants.first(),
        _ => None,
    };
    if !any && tried.is_none() {
        return TokenStream::new();
    }
    // none is tried before the first
    let but = tried.map(|first| {
        let first = &first.ident;
        q!(&&!__p::core::matches!(self, Self::#first { .. }))
    });
    // what is read ahead is compared with what is written there
    q! {
        if !<__W as __p::Sink>::COUNT && !<__W as __p::Sink>::MEMORY #but {
            return __p::in_memory(__out, |__out| {
                <Self as __p::Encode<#ctx>>::encode::<__O, _>(self, __out, __ctx)
            });
        }
    }
}

/// Whether a sum of some variant begins before the tag.
pub(super) fn begin_before_tag(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| sums::edges(&variant.fields).contains(&Edge::Start))
}

/// Where a variant begins, if a sum does.
pub(super) fn start_of_variant(variant: &Variant, pos: &TokenStream) -> TokenStream {
    match sums::edges(&variant.fields).contains(&Edge::Start) {
        true => noted(Edge::Start, pos),
        false => TokenStream::new(),
    }
}
