//! `len_of`: the length of another field, measured before anything is written.

use super::Emit;
use super::form::form_or_own;
use crate::attr::Rest;
use crate::model::field::{Content, Conversion, Extent, Field, Form, LenOf};
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;

/// Lengths that are fields: checked, or put in place of the field's own value, before anything uses them.
pub(super) fn all(emit: &Emit<'_>) -> TokenStream {
    let of = |field: &Field, len_of: &LenOf| {
        let target = emit.fields.all.iter().find(|other| other.scope.unraw() == len_of.field.unraw())?;
        let place = emit.fields.on_wire().position(|other| other.scope == target.scope)?;
        let (own, ty, auto, name) = (&field.local, &field.ty, len_of.auto, &field.name);
        let len = length(emit, target, place, len_of);
        Some(q! {
            let #own = &__p::len_of::<#ty>(__out.pos(), #len, #own, #auto, __p::core::option::Option::Some(#name))?;
        })
    };
    emit.fields.all.iter().filter_map(|field| of(field, field.len_of.as_ref()?)).collect()
}

/// The length of `target` as it stands on the wire: its bytes, or its elements.
fn length(emit: &Emit<'_>, target: &Field, place: usize, len_of: &LenOf) -> TokenStream {
    let value = &target.local;
    let measured = match &target.content {
        Content::Coded(form, conversion) => {
            let form = uncounted(form, len_of.auto);
            match (len_of.bytes || counts_bytes(&form), conversion) {
                (true, conversion) => Some(bytes(emit, target, place, &form, conversion.as_ref())),
                (false, Some(conversion)) => Some(items(emit, target, place, &form, conversion)),
                (false, None) => None,
            }
        }
        Content::With { encode, order, .. } if len_of.bytes => {
            let (order, args) = (emit.order_of(order), emit.more_args(target, place));
            let encode = encode.call(&order, &q!(__p::Counter), &q!(#value, &mut __n #args));
            Some(q!({
                let mut __n = __p::Counter::new();
                #encode.map(|()| __p::counted(&__n))
            }))
        }
        _ => None,
    };
    let name = &target.name;
    match measured {
        Some(measured) => q!(__p::measured(#measured, __out.pos(), #name)?),
        None => {
            let at = Span::mixed_site().located_at(len_of.field.span());
            let mut value = value.clone();
            value.set_span(at);
            quote_spanned!(at=> __p::num_items(#value))
        }
    }
}

/// The bytes that the field takes.
fn bytes(
    emit: &Emit<'_>,
    target: &Field,
    place: usize,
    form: &Form,
    conversion: Option<&Conversion>,
) -> TokenStream {
    let (value, ty) = (&target.local, &target.ty);
    // a condition may be about the very length that is asked for, and `Option` says the same
    let flag = (target.cond.is_some() && conversion.is_none())
        .then(|| q!(__p::core::option::Option::is_some(#value)));
    let ctx = emit.context(target, form, place, flag);
    let tokens = form_or_own(form, target.cond.is_some());
    let call = match conversion {
        None => q!(__p::form_len::<#tokens, #ty, _>(#value, #ctx)),
        Some(conversion) => {
            let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
            let function = Emit::function(&conversion.encode);
            match conversion.fallible {
                false => q!(__p::map_len::<#tokens, #wire, #ty, _, _>(#value, #ctx, #function)),
                true => q!(__p::try_map_len::<#tokens, #wire, #ty, _, _, _>(#value, #ctx, #function)),
            }
        }
    };
    emit.around(form, conversion.map(|conversion| &conversion.encode), place, call)
}

/// The elements of what a function makes of the field.
fn items(emit: &Emit<'_>, target: &Field, place: usize, form: &Form, conversion: &Conversion) -> TokenStream {
    let (value, ty) = (&target.local, &target.ty);
    let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
    let function = Emit::function(&conversion.encode);
    let call = match conversion.fallible {
        false => q!(__p::map_items::<#wire, #ty, _>(#value, #function)),
        true => q!(__p::try_map_items::<#wire, #ty, _, _>(#value, #function)),
    };
    emit.around(form, Some(&conversion.encode), place, call)
}

/// The form without its count, which may be made of the very length that is asked for. A field of fixed room that ends in
/// NULs is as long as its count says; only where the count is filled in does the text say it.
fn uncounted(form: &Form, auto: bool) -> Form {
    let mut form = form.clone();
    // what may leave a rest is as long as its region, unless that is what is asked for
    if auto || form.within.as_ref().is_some_and(|within| within.rest != Rest::Skip) {
        form.within = None;
    }
    let room = form.text.as_ref().is_some_and(|text| text.nul || text.trim.is_some());
    if matches!(form.extent, Extent::Counted(_)) && (auto || !room) {
        form.extent = Extent::ToEnd;
    }
    form
}

/// Whether the elements of a text are the bytes that its form takes and not those that it has in memory.
fn counts_bytes(form: &Form) -> bool {
    let Some(text) = &form.text else { return false };
    let bare = form.null.is_none() && form.pad_to.is_none();
    match form.extent {
        Extent::Counted(_) => bare,
        Extent::ToEnd => bare && (text.nul || text.encoding == "Latin1"),
        _ => false,
    }
}
