//! Runs of fields: one call for several of them. rustc checks each call that names types, so this is what makes the derive
//! cheap for its users; the runtime does the same work either way.

use super::form::{form_of, has_context, number};
use super::{Entry, located};
use crate::model::field::{Content, Field};
use crate::model::types;
use crate::paths::q;
use proc_macro2::TokenStream;

/// As many as the runtime has tuples for.
const LONGEST: usize = 8;

/// The run that is read and written by one call and begins here: two or more fields, or nothing.
///
/// It goes on while a form says all about a field: what needs a value of its own (a count, a condition) or is checked has a
/// call of its own. So has a type of the user's, whose errors are to be its own.
pub(super) fn begins<'a>(entries: &[Entry<'a>]) -> Option<Vec<&'a Field>> {
    several(entries.iter().map_while(bare_field))
}

fn bare_field<'a>(entry: &Entry<'a>) -> Option<&'a Field> {
    let Entry::Value(field, _) = entry else { return None };
    let Content::Coded(form, None) = &field.content else { return None };
    let bare = field.asserts.is_empty()
        && field.range.is_none()
        && field.len_of.is_none()
        && field.offset_of.is_none()
        && field.place_of.is_none()
        && !field.located
        && !field.hidden
        && field.sum.is_none()
        && !field.is_peeked()
        && !field.is_tail()
        && !field.measured
        && !field.is_tag
        && !has_context(field, form)
        && !super::is_named(field);
    bare.then_some(*field)
}

/// As many as fit into one call; a single one needs no call.
fn several<'a>(fields: impl Iterator<Item = &'a Field>) -> Option<Vec<&'a Field>> {
    let fields: Vec<&Field> = fields.take(LONGEST).collect();
    (fields.len() > 1).then_some(fields)
}

/// The forms of the fields; `Own` where all are their types' own, so that rustc looks up less.
fn forms(fields: &[&Field]) -> TokenStream {
    let forms = fields.iter().map(|field| match &field.content {
        Content::Coded(form, _) => form_of(form, field.presence()).map(|form| located(form, &field.ty)),
        _ => None,
    });
    let forms: Vec<_> = forms.collect();
    if forms.iter().all(Option::is_none) {
        return q!(__p::Own);
    }
    let forms = forms.into_iter().map(|form| form.unwrap_or_else(|| q!(__p::Own)));
    q!((#(#forms),*))
}

/// Their types, each after `by`.
fn members(fields: &[&Field], by: &TokenStream) -> TokenStream {
    let types = fields.iter().map(|field| {
        let ty = &field.ty;
        let ty = super::named(field).unwrap_or_else(|| q!(#ty));
        q!(#by #ty)
    });
    q!((#(#types),*))
}

/// Reads a run.
pub(super) fn decode(
    fields: &[&Field],
    order: &TokenStream,
    parts: &TokenStream,
    first: &TokenStream,
) -> TokenStream {
    let (locals, forms) = (fields.iter().map(|f| &f.local), forms(fields));
    let types = members(fields, &TokenStream::new());
    // spelled out, as `?` is two more calls for rustc to resolve
    q! {
        let (#(#locals),*) = match __p::run::<#order, __S, #forms, #types>(__src, #parts, #first) {
            __p::Ok(__v) => __v,
            __p::Err(__e) => return __p::Err(__e),
        };
    }
}

/// Writes a run.
pub(super) fn encode(
    fields: &[&Field],
    order: &TokenStream,
    parts: &TokenStream,
    first: &TokenStream,
) -> TokenStream {
    let (locals, forms) = (fields.iter().map(|f| &f.local), forms(fields));
    let types = members(fields, &q!(&));
    q! {
        if let __p::Err(__e) = __p::put_run::<#order, __W, #forms, #types>(__out, #parts, #first, (#(#locals),*)) {
            return __p::Err(__e);
        }
    }
}

/// The fields from here on whose parts are made by one call: a part needs no values, so that these are more than those of
/// [`begins`].
pub(super) fn listed<'a>(
    entries: &[Entry<'a>],
    has_notes: impl Fn(&Field) -> bool,
) -> Option<Vec<&'a Field>> {
    several(entries.iter().map_while(|entry| match entry {
        Entry::Value(field, _) if matches!(field.content, Content::Coded(_, None)) && !has_notes(field) => {
            Some(*field)
        }
        _ => None,
    }))
}

/// The parts of a run.
pub(super) fn parts(fields: &[&Field]) -> TokenStream {
    let (forms, members) = (forms(fields), members(fields, &TokenStream::new()));
    let (names, types) = (fields.iter().map(|f| &f.name), fields.iter().map(|f| types::show(&f.ty)));
    // the oldest Rust that is supported does not infer the number
    let num = number(fields.len());
    let parts = q!(__p::run_parts::<#forms, #members, #num>([#(#names),*], [#(#types),*]));
    let docs = fields.iter().map(|field| &field.doc);
    match docs.clone().all(String::is_empty) {
        true => parts,
        false => q!(__p::run_docs(#parts, [#(#docs),*])),
    }
}
