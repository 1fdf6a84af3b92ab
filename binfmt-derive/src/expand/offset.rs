//! `offset_of`: numbers that are filled in when the parts that they lead to have their places, and numbers that are compared with
//! the places of fields.
//!
//! Such a part *floats*: the sink reserves a number for it before anything else is written, and notes with it each number on the wire
//! that is to become its position (see `wire::elsewhere`).

use super::form::form_or_own;
use super::{Emit, decode};
use crate::attr::Origin;
use crate::model::Fields;
use crate::model::field::{Content, Field, Presence};
use crate::paths::{local, q};
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;

/// The local that holds the position that a part has until its place is known.
fn floating(target: &Field) -> Ident {
    local(&format!("__float{}", target.local))
}

/// The number that says where a field is.
fn number_of<'f>(fields: &'f Fields, target: &Field) -> Option<&'f Field> {
    let is_of =
        |field: &&Field| field.offset_of.as_ref().is_some_and(|name| name.unraw() == target.scope.unraw());
    fields.all.iter().find(is_of)
}

fn target<'f>(fields: &'f Fields, number: &Field) -> Option<&'f Field> {
    let name = number.offset_of.as_ref()?;
    fields.all.iter().find(|field| field.scope.unraw() == name.unraw())
}

/// Positions for the parts of a struct or variant whose places are not known.
pub(super) fn all(fields: &Fields) -> TokenStream {
    let targets = fields.all.iter().filter_map(|field| target(fields, field));
    let lets = targets.map(|target| {
        let floating = floating(target);
        q!(let #floating = __p::float(__out)?;)
    });
    lets.collect()
}

/// The position of a part when writing, if it is not given.
pub(super) fn position(emit: &Emit<'_>, field: &Field) -> Option<TokenStream> {
    let floating = floating(field);
    (emit.encode && number_of(emit.fields, field).is_some()).then(|| q!((#floating, 0)))
}

/// What stands in the place of a number until it is known, and the note of it.
pub(super) fn placeholder(emit: &Emit<'_>, field: &Field, call: TokenStream) -> TokenStream {
    let Some(target) = target(emit.fields, field) else { return call };
    let Content::Coded(form, _) = &field.content else { return call };
    let (own, ty, at, name, order) =
        (&field.local, &field.ty, decode::local_at(field), &field.name, &emit.order);
    let (wire, floating) = (form_or_own(form, field.presence()), floating(target));
    let base = match target.at().is_some_and(|at| at.from == Origin::File) {
        true => q!(0),
        false => q!(__start),
    };
    q! {
        let #at = __out.pos();
        {
            let #own: &#ty = &<#ty as __p::Sum>::ZERO;
            #call
        }
        __p::offset::<#order, __W, #wire, #ty>(__out, #at, (#base, #floating), #name)?;
    }
}

/// The local that holds where a field begins.
fn beginning(field: &Field) -> Ident {
    local(&format!("__begin{}", field.local))
}

/// Notes where a field begins, if it is a number that is compared or what such a number leads to.
pub(super) fn noted(emit: &Emit<'_>, field: &Field) -> TokenStream {
    if field.place_of.is_none() && !field.located {
        return TokenStream::new();
    }
    let here = beginning(field);
    if emit.encode { q!(let #here = __out.pos();) } else { q!(let #here = __src.pos();) }
}

/// `offset_of(field)`: the number is where the field is, if there is one.
pub(super) fn compared(emit: &Emit<'_>) -> TokenStream {
    let numbers = emit.fields.on_wire().filter(|field| field.place_of.is_some());
    let checks = numbers.filter_map(|field| {
        let name = field.place_of.as_ref()?;
        let target = emit.fields.all.iter().find(|field| field.scope.unraw() == name.unraw())?;
        let (own, ty, text) = (&field.local, &field.ty, format!("offset_of({name})"));
        let (at, place, shown) = (beginning(field), beginning(target), &field.name);
        let number = if emit.encode { q!(*#own) } else { q!(#own) };
        let check = q!(__p::is_calc::<#ty>(#at, #number, __p::after_start(__start, #place), #text, #shown)?;);
        Some(match target.presence() {
            Presence::Optional => {
                let value = &target.local;
                let by = (!emit.encode).then(|| q!(&));
                q!(if __p::core::option::Option::is_some(#by #value) { #check })
            }
            _ => check,
        })
    });
    checks.collect()
}
