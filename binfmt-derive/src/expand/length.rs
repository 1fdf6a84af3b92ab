//! `len_of` and `calc`: the length of another field, measured before anything is written, and what expressions give.

use super::form::form_or_own;
use super::{Emit, decode};
use crate::attr::Rest;
use crate::model::field::{Content, Conversion, Extent, Field, Form, LenOf, Presence, Text};
use crate::model::{computed, types};
use crate::paths::{local, q};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// Numbers that are computed when writing, before anything uses them: lengths that are fields are checked, or put in place of
/// the field's own value, like all numbers that are not fields.
///
/// `at` is where the writing stands, and `which` those that are asked for. If one cannot be measured, `again` writes the whole value,
/// to what is wrong with it.
pub(super) fn all(
    emit: &Emit<'_>,
    at: &TokenStream,
    again: Option<&TokenStream>,
    which: impl Fn(&Field) -> bool,
) -> TokenStream {
    let (ordered, others) = computed::order(emit.fields);
    let which = ordered.into_iter().chain(others).filter(|field| which(field));
    which.filter_map(|field| given(emit, field, at, again)).collect()
}

fn given(
    emit: &Emit<'_>,
    field: &Field,
    at: &TokenStream,
    again: Option<&TokenStream>,
) -> Option<TokenStream> {
    let (own, ty, name) = (&field.local, &field.ty, &field.name);
    if let Some(value) = field.calc.as_ref().filter(|_| types::is_array(ty)) {
        let value = emit.scoped(value, emit.fields.wire.len());
        return Some(q!(let #own: &#ty = &(#value);));
    }
    if let Some(value) = &field.calc {
        let is_flag = types::is_bool(ty);
        let (text, value) = (types::source(value), emit.calculated(value, is_flag, at, name));
        return Some(match is_flag {
            true => q!(let #own = &(#value != 0);),
            false => q!(let #own = &__p::calc::<#ty>(#at, #value, #text, #name)?;),
        });
    }
    let len_of = field.len_of.as_ref()?;
    let (target, place) = target(emit, len_of)?;
    let blank = match (field.hidden || len_of.auto, &len_of.plus) {
        (true, _) => q!(0),
        (false, None) => q!(__p::as_given::<#ty>(#own, 0)),
        (false, Some(plus)) => q!(__p::as_given::<#ty>(#own, #plus)),
    };
    let again = again.map(|again| (again, blank));
    let len = with_more(length(emit, target, place, len_of, (at, again)), len_of);
    let auto = len_of.auto;
    Some(match field.hidden {
        true => q!(let #own = &__p::hidden_len::<#ty>(#at, #len, #name)?;),
        false => q! {
            let #own = &__p::len_of::<#ty>(#at, #len, #own, #auto, __p::core::option::Option::Some(#name))?;
        },
    })
}

fn target<'f>(emit: &Emit<'f>, len_of: &LenOf) -> Option<(&'f Field, usize)> {
    let target = computed::target(emit.fields, len_of)?;
    Some((target, emit.fields.on_wire().position(|other| other.scope == target.scope)?))
}

/// The numbers that are not fields, held to what they would be when the value is written: the value does not keep them.
pub(super) fn kept(emit: &Emit<'_>) -> TokenStream {
    let hidden = emit.fields.on_wire().filter(|field| field.hidden);
    hidden.filter_map(|field| is_given(emit, field)).collect()
}

fn is_given(emit: &Emit<'_>, field: &Field) -> Option<TokenStream> {
    let (own, ty, name, at) = (&field.local, &field.ty, &field.name, decode::local_at(field));
    if let Some(value) = field.calc.as_ref().filter(|_| types::is_array(ty)) {
        let (text, value) = (types::source(value), emit.scoped(value, emit.fields.wire.len()));
        return Some(q!(__p::is_calc_array::<#ty>(#at, &#own, &(#value), #text, #name)?;));
    }
    if let Some(value) = &field.calc {
        let is_flag = types::is_bool(ty);
        let (text, value) = (types::source(value), emit.calculated(value, is_flag, &q!(#at), name));
        return Some(match is_flag {
            true => q!(__p::is_calc::<u8>(#at, #own.into(), #value, #text, #name)?;),
            false => q!(__p::is_calc::<#ty>(#at, #own, #value, #text, #name)?;),
        });
    }
    let len_of = field.len_of.as_ref()?;
    let (target, place) = target(emit, len_of)?;
    if computed::is_tied(field, target, len_of) {
        return None;
    }
    // of a field that lies elsewhere the bytes are not between the positions before and after it
    let by_bytes = match &target.content {
        Content::Coded(form, _) if form.at.is_some() || form.peek => false,
        Content::Coded(form, _) => len_of.bytes || counts_bytes(form),
        _ => len_of.bytes,
    };
    let len = match by_bytes {
        true => {
            let len = measured_len(target);
            match &target.content {
                Content::Coded(form, _) if unit(form, len_of) > 1 => {
                    let unit = unit(form, len_of);
                    q!((#len / #unit))
                }
                _ => q!(#len),
            }
        }
        false => length(emit, target, place, len_of, (&q!(#at), None)),
    };
    let len = with_more(len, len_of);
    Some(q!(__p::is_hidden_len::<#ty>(#at, #own, #len, #name)?;))
}

/// A length, and what else its number counts.
fn with_more(len: TokenStream, len_of: &LenOf) -> TokenStream {
    match &len_of.plus {
        Some(plus) => q!(__p::longer(#len, #plus)),
        None => len,
    }
}

/// The local that holds how many bytes of the input a field took.
pub(super) fn measured_len(target: &Field) -> Ident {
    local(&format!("__len{}", target.local))
}

/// The length of `target` as it stands on the wire: its bytes, or its elements. If that cannot be measured, `again` has what writes
/// the whole value, and what is the length then.
fn length(
    emit: &Emit<'_>,
    target: &Field,
    place: usize,
    len_of: &LenOf,
    (at, again): (&TokenStream, Option<(&TokenStream, TokenStream)>),
) -> TokenStream {
    let measured = match &target.content {
        Content::Coded(form, conversion) => {
            let mut form = uncounted(form, len_of.auto);
            if !len_of.bytes {
                units_alone(&mut form);
            }
            match (len_of.bytes || counts_bytes(&form), conversion) {
                (true, conversion) => {
                    let bytes = bytes(emit, target, place, &form, conversion.as_ref());
                    Some(match unit(&form, len_of) {
                        1 => bytes,
                        unit => q!(#bytes.map(|__n| __n / #unit)),
                    })
                }
                (false, Some(conversion)) => Some(items(emit, target, place, &form, conversion)),
                (false, None) => None,
            }
        }
        Content::With { encode, order, .. } if len_of.bytes => {
            let (order, args, value) = (emit.order_of(order), emit.more_args(target, place), &target.local);
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
        Some(measured) => match again {
            None => q!(__p::measured(#measured, #at, #name)?),
            Some((again, blank)) => q! {
                match __p::measured(#measured, #at, #name) {
                    __p::Ok(__n) => __n,
                    __p::Err(_) if const { <__W as __p::Sink>::FINDS } => #blank,
                    __p::Err(__e) => return __p::Err(__p::in_place(#at, __e, false, #again)),
                }
            },
        },
        None => {
            let span = Span::mixed_site().located_at(len_of.field.span());
            let mut value = target.local.clone();
            value.set_span(span);
            let by = (!emit.encode).then(|| quote_spanned!(span=> &));
            quote_spanned!(span=> __p::num_items(#by #value))
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
    let value = if emit.encode { q!(#value) } else { q!(&#value) };
    // a condition may be about the very length that is asked for, and `Option` says the same
    let flag = (target.presence() == Presence::Optional && conversion.is_none())
        .then(|| q!(__p::core::option::Option::is_some(#value)));
    let ctx = emit.context(target, form, place, flag);
    let tokens = form_or_own(form, target.presence());
    let call = match conversion {
        None => q!(__p::form_len::<#tokens, #ty, _>(#value, #ctx)),
        Some(conversion) => {
            let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
            let function = Emit::function(&conversion.encode);
            match conversion.fallible {
                false => q!(__p::map_len::<#tokens, #wire, #ty, _, _>(#value, #ctx, #function)),
                true => {
                    let raised = decode::raised();
                    q!(__p::try_map_len::<#tokens, #wire, #ty, _, _, _, _>(#value, #ctx, #function, #raised))
                }
            }
        }
    };
    emit.around(form, conversion.map(|conversion| &conversion.encode), place, call)
}

/// The elements of what a function makes of the field.
fn items(emit: &Emit<'_>, target: &Field, place: usize, form: &Form, conversion: &Conversion) -> TokenStream {
    let (value, ty, by) = (&target.local, &target.ty, (!emit.encode).then(|| q!(&)));
    let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
    let function = Emit::function(&conversion.encode);
    let call = match conversion.fallible {
        false => q!(__p::map_items::<#wire, #ty, _>(#by #value, #function)),
        true => {
            let raised = decode::raised();
            q!(__p::try_map_items::<#wire, #ty, _, _, _>(#by #value, #function, #raised))
        }
    };
    emit.around(form, Some(&conversion.encode), place, call)
}

/// The form without its count, which may be made of the very length that is asked for. A field of fixed room that ends in
/// NULs is as long as its count says; only where the count is filled in does the text say it.
fn uncounted(form: &Form, auto: bool) -> Form {
    let mut form = form.clone();
    form.at = None;
    form.peek = false;
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

/// Of text whose units are not those that it has in memory, and that says itself where it ends, the units without that end.
fn units_alone(form: &mut Form) {
    let is_bare = form.null.is_none() && form.pad_to.is_none();
    if let (true, Extent::Terminated | Extent::Ends(_) | Extent::Prefixed(_), Some(text)) =
        (is_bare, &form.extent, &mut form.text)
        && (text.encoding == "Latin1" || text.unit() > 1)
    {
        text.nul = false;
        form.extent = Extent::ToEnd;
    }
}

/// Bytes of what a length counts.
fn unit(form: &Form, len_of: &LenOf) -> usize {
    form.text.as_ref().filter(|_| !len_of.bytes).map_or(1, Text::unit)
}

/// Whether the elements of a text are the bytes that its form takes and not those that it has in memory.
fn counts_bytes(form: &Form) -> bool {
    let Some(text) = &form.text else { return false };
    let bare = form.null.is_none() && form.pad_to.is_none();
    match form.extent {
        Extent::Counted(_) => bare,
        Extent::ToEnd => {
            bare && (text.nul || text.encoding == "Latin1" || text.page.is_some() || text.unit() > 1)
        }
        _ => false,
    }
}
