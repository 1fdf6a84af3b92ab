//! Lengths that are filled in once what they count is written, if the sink is memory: nothing is measured before.
//!
//! They are found in the emitted code: a length is one if nothing mentions its local but its own call and the call of its region. For
//! sinks that are not memory one closure measures them all; a sink that is memory calls it only after an error, to report the same one. What
//! cannot be measured is written, to what is wrong with it (`Counter<true>`).

use super::form::form_or_own;
use super::{Emit, decode, length};
use crate::model::computed::{self, Filled};
use crate::model::field::{Content, Field};
use crate::names;
use crate::paths::{local, q};
use proc_macro2::{Ident, TokenStream};

/// The local that holds what stands in the place of a length.
fn blank(number: &Field) -> Ident {
    local(&format!("__blank{}", number.local))
}

/// The local that holds how many bytes a region has taken.
fn found(target: &Field) -> Ident {
    local(&format!("__found{}", target.local))
}

/// Whether they are filled in, as a constant.
fn is_filled(emit: &Emit<'_>) -> TokenStream {
    let is_placed = super::is_placed(emit.fields);
    let each = emit.filled.iter().map(|Filled { number, .. }| {
        let (wire, ty) = (wire(number), &number.ty);
        q!(__p::fills_in::<__W, #wire, #ty>(#is_placed))
    });
    q!(const { #(#each)&&* })
}

fn wire(number: &Field) -> TokenStream {
    match &number.content {
        Content::Coded(form, _) => form_or_own(form, number.presence()),
        _ => q!(__p::Own),
    }
}

/// The code of a struct or variant with the lengths that it needs; `parts` is what says its parts, `again` what writes the whole value.
pub(super) fn around<'a>(
    mut emit: Emit<'a>,
    parts: &TokenStream,
    again: &TokenStream,
    code: impl Fn(&Emit<'a>) -> TokenStream,
) -> TokenStream {
    emit.filled = computed::filled(emit.fields);
    loop {
        let tokens = code(&emit);
        let is_other = |field: &Field| !emit.filled.iter().any(|filled| filled.number.local == field.local);
        let others = length::all(&emit, &q!(__out.pos()), Some(again), is_other);
        if emit.filled.is_empty() {
            return q!(#parts #others #tokens);
        }
        let used = names::mentioned(q!(#others #tokens));
        if emit.filled.iter().all(|filled| !used.contains(&filled.number.local.to_string())) {
            return filled(&emit, (parts, again), &others, &tokens);
        }
        emit.filled.retain(|filled| !used.contains(&filled.number.local.to_string()));
    }
}

fn filled(
    emit: &Emit<'_>,
    (parts, again): (&TokenStream, &TokenStream),
    others: &TokenStream,
    tokens: &TokenStream,
) -> TokenStream {
    let (here, measure) = (local("__here"), local("__measure"));
    let (all, is_filled) = (length::all(emit, &q!(#here), None, |_| true), is_filled(emit));
    let numbers = || emit.filled.iter().map(|filled| filled.number);
    let (own, types) = (numbers().map(|number| &number.local), numbers().map(|number| &number.ty));
    let zeros = numbers().map(|number| {
        let ty = &number.ty;
        q!(<#ty as __p::Sum>::ZERO)
    });
    let (blanks, again_types): (Vec<_>, _) =
        (numbers().map(blank).collect(), numbers().map(|number| &number.ty));
    let given = || emit.fields.all.iter().filter(|field| !field.hidden);
    let (fields, of): (Vec<_>, _) =
        (given().map(|field| &field.local).collect(), given().map(|field| &field.ty));
    let found = emit.filled.iter().map(|filled| found(filled.target));
    q! {
        let #here = __out.pos();
        let #measure = || -> __p::Result<(#(#types,)*)> {
            #all
            __p::Ok((#(*#own,)*))
        };
        #others
        let (#(#blanks,)*) = match #is_filled {
            true => (#(#zeros,)*),
            false => match #measure() {
                __p::Ok(__measured) => __measured,
                __p::Err(__e) => return __p::Err(__p::in_place(#here, __e, true, #again)),
            },
        };
        // the parts are a constant there, too, and what it works on is nothing that the closure holds: all would be in memory
        let __done = (|__out: &mut __W, #(#blanks: #again_types,)* #(#fields: &#of,)*| -> __p::Result<()> {
            #(let #blanks = &#blanks;)*
            #(let #found = __p::core::cell::Cell::new(0u64);)*
            #parts
            #tokens
        })(__out, #(#blanks,)* #(#fields,)*);
        match __done {
            // who measures before the first byte asks once
            __p::Err(__e) if #is_filled && !<__W as __p::Sink>::COUNT => __p::Err(match #measure() {
                __p::Ok(_) => __e,
                __p::Err(__e) => __p::in_place(#here, __e, true, #again),
            }),
            __done => __done,
        }
    }
}

/// What the region of a length that is filled in is passed: how long it is.
pub(super) fn region_len(emit: &Emit<'_>, field: &Field, place: usize) -> Option<TokenStream> {
    let filled = emit.filled.iter().find(|filled| filled.target.local == field.local)?;
    let (is_filled, found) = (is_filled(emit), found(field));
    let said = said(emit, filled, place, &blank(filled.number))?;
    Some(q! {
        if #is_filled { __p::RegionLen::Sought(&#found) } else { __p::RegionLen::Given(#said) }
    })
}

/// How long the region is by its expression, in which `number` stands for the length.
fn said(emit: &Emit<'_>, filled: &Filled<'_>, place: usize, number: &Ident) -> Option<TokenStream> {
    let Content::Coded(form, _) = &filled.target.content else { return None };
    let said = emit.number_of(&form.within.as_ref()?.len, place);
    Some(names::renamed(said, &filled.number.local.to_string(), number))
}

/// The call of a field: of a length, with what stands in its place; of what it counts, with the length filled in after it.
pub(super) fn with_len(emit: &Emit<'_>, field: &Field, place: usize, call: TokenStream) -> TokenStream {
    let by = |of: fn(&Filled<'_>, &Field) -> bool| emit.filled.iter().find(|filled| of(filled, field));
    if let Some(Filled { number, .. }) = by(|filled, field| filled.number.local == field.local) {
        let (at, call) =
            (decode::local_at(number), names::renamed(call, &number.local.to_string(), &blank(number)));
        return q!(let #at = __out.pos(); #call);
    }
    let Some(filled) = by(|filled, field| filled.target.local == field.local) else { return call };
    let Filled { number, target } = *filled;
    let (at, found, is_filled, wire) =
        (decode::local_at(number), found(target), is_filled(emit), wire(number));
    let (order, ty, name) = (&emit.order, &number.ty, &number.name);
    let plus = number.len_of.as_ref().and_then(|len| len.plus.as_ref());
    let Some(plus) = plus else {
        return q! {
            #call
            if #is_filled {
                __p::fill_hidden_len::<#order, __W, #wire, #ty>(__out, #at, #found.get(), #name)?;
            }
        };
    };
    // what the expression makes of the length is another thing than what was written, and may differ
    let (start, whole, shown) = (local("__region"), local(&format!("__whole{}", number.local)), &target.name);
    let said = said(emit, filled, place, &whole);
    q! {
        let #start = __out.pos();
        #call
        if #is_filled {
            let #whole = __p::longer_by(#found.get(), #plus);
            let #whole = &__p::fill_hidden_len::<#order, __W, #wire, #ty>(__out, #at, #whole, #name)?;
            __p::is_said(#said, #found.get(), #start, #shown)?;
        }
    }
}
