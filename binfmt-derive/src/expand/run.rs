//! Runs of plain numbers: one call for several fields. rustc checks each call that names types, so this is what makes
//! the derive cheap for its users; the runtime does the same work either way.

use super::Entry;
use super::form::number;
use crate::model::field::{Content, Field};
use crate::model::types;
use crate::paths::q;
use proc_macro2::TokenStream;

/// As many as the runtime has tuples for.
const LONGEST: usize = 8;

/// The run that begins here: two or more fields, or nothing.
pub(super) fn begins<'a>(entries: &[Entry<'a>]) -> Option<Vec<&'a Field>> {
    let fields: Vec<&Field> = entries.iter().map_while(number_field).take(LONGEST).collect();
    (fields.len() > 1).then_some(fields)
}

fn number_field<'a>(entry: &Entry<'a>) -> Option<&'a Field> {
    let Entry::Value(field, _) = entry else { return None };
    let Content::Coded(form, None) = &field.content else { return None };
    let bare = field.cond.is_none()
        && field.args.is_empty()
        && field.asserts.is_empty()
        && field.range.is_none()
        && field.len_of.is_none()
        && !field.hidden
        && field.sum.is_none()
        && !field.measured
        && !field.is_tag;
    (bare && form.is_own() && types::is_number(&field.ty)).then_some(*field)
}

/// Reads a run.
pub(super) fn decode(
    fields: &[&Field],
    order: &TokenStream,
    parts: &TokenStream,
    first: &TokenStream,
) -> TokenStream {
    let (locals, types) = (fields.iter().map(|f| &f.local), fields.iter().map(|f| &f.ty));
    // spelled out, as `?` is two more calls for rustc to resolve
    q! {
        let (#(#locals),*) = match __p::plains::<#order, __S, (#(#types),*)>(__src, #parts, #first) {
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
    let locals = fields.iter().map(|f| &f.local);
    q! {
        if let __p::Err(__e) = __p::put_plains::<#order, __W, _>(__out, #parts, #first, (#(#locals),*)) {
            return __p::Err(__e);
        }
    }
}

/// The parts of a run.
pub(super) fn parts(fields: &[&Field]) -> TokenStream {
    let types = fields.iter().map(|f| &f.ty);
    let entries = fields.iter().map(|f| {
        let (name, shown) = (&f.name, types::show(&f.ty));
        q!((#name, #shown))
    });
    // the oldest Rust that is supported does not infer the number
    let num = number(fields.len());
    let parts = q!(__p::plain_parts::<(#(#types),*), #num>([#(#entries),*]));
    let docs = fields.iter().map(|field| &field.doc);
    match docs.clone().all(String::is_empty) {
        true => parts,
        false => q!(__p::plain_docs(#parts, [#(#docs),*])),
    }
}
