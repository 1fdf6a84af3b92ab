//! Numbers that are computed: lengths of other fields and what expressions give.

use super::Fields;
use super::field::{Content, Extent, Field, LenOf, Order, as_name};
use crate::names;
use quote::ToTokens;
use std::collections::HashSet;
use syn::Expr;
use syn::ext::IdentExt;

/// Marks the fields of which another field is the length without being a field of the struct, and those with whose positions a
/// number is compared.
pub(super) fn mark(all: &mut [Field]) {
    let hidden = all.iter().filter(|field| field.hidden);
    let targets: HashSet<String> =
        hidden.filter_map(|field| Some(field.len_of.as_ref()?.field.unraw().to_string())).collect();
    let places: HashSet<String> =
        all.iter().filter_map(|field| Some(field.place_of.as_ref()?.unraw().to_string())).collect();
    for field in all {
        let name = field.scope.unraw().to_string();
        field.measured = targets.contains(&name);
        field.located = places.contains(&name);
    }
}

/// The fields whose numbers are computed when writing, each after those that it is made of. Those that are made of each other
/// are the second list.
pub(crate) fn order(fields: &Fields) -> (Vec<&Field>, Vec<&Field>) {
    let is_computed = |field: &&Field| field.len_of.is_some() || field.calc.is_some();
    let mut waiting: Vec<(&Field, HashSet<String>)> =
        fields.all.iter().filter(is_computed).map(|field| (field, made_of(fields, field))).collect();
    let mut done = Vec::new();
    loop {
        let ready = waiting.iter().position(|(field, names)| {
            // a length that is a field may be part of what is measured: there it stands as it is given
            let blocks = |other: &Field| {
                names.contains(&other.scope.unraw().to_string())
                    && (field.hidden || other.scope != field.scope)
            };
            !waiting.iter().any(|(other, _)| blocks(other))
        });
        match ready {
            Some(i) => done.push(waiting.remove(i).0),
            None => return (done, waiting.into_iter().map(|(field, _)| field).collect()),
        }
    }
}

/// The names in what a number is computed from.
fn made_of(fields: &Fields, field: &Field) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut add = |expr: &Expr| found.extend(names::mentioned(expr.to_token_stream()));
    field.calc.iter().for_each(&mut add);
    let target = field.len_of.as_ref().and_then(|len| Some((target(fields, len)?, len)));
    let Some((target, len)) = target else { return found };
    match &target.content {
        // elements are counted where they are
        Content::Coded(_, None) if !len.bytes => {}
        Content::Coded(form, conversion) => {
            target.args.iter().for_each(|arg| add(&arg.value));
            conversion.iter().for_each(|conversion| add(&conversion.encode));
            if let Order::Chosen(chosen) = &form.order {
                add(chosen);
            }
            match &form.extent {
                Extent::Each(expr) | Extent::Until(expr) => add(expr),
                Extent::Shaped(shape) => shape.rank_expr().into_iter().for_each(&mut add),
                _ => {}
            }
        }
        Content::With { .. } => target.args.iter().for_each(|arg| add(&arg.value)),
        Content::Skipped(_) | Content::Nothing => {}
    }
    found
}

/// The field whose length a number is.
pub(crate) fn target<'f>(fields: &'f Fields, len: &LenOf) -> Option<&'f Field> {
    fields.all.iter().find(|other| other.scope.unraw() == len.field.unraw())
}

/// Whether the number itself says how long its target is, so that nothing else can be read.
pub(crate) fn is_tied(number: &Field, target: &Field, len: &LenOf) -> bool {
    let Content::Coded(form, _) = &target.content else { return false };
    let says = |expr: &Expr| as_name(expr).is_some_and(|name| *name == number.scope);
    match (&form.within, &form.extent) {
        (Some(within), _) => len.bytes && says(&within.len),
        (None, Extent::Counted(count)) => !len.bytes && target.cond.is_none() && says(count),
        _ => false,
    }
}
