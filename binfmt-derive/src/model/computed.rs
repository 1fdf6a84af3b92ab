//! Numbers that are computed: lengths of other fields and what expressions give.

use super::Fields;
use super::field::{Content, Extent, Field, LenOf, Order, Presence, as_name};
use super::types;
use crate::attr::Rest;
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

/// A length that can be filled in after what it counts: only `region` of its target asks for it.
#[derive(Clone, Copy)]
pub(crate) struct Filled<'f> {
    pub(crate) number: &'f Field,
    pub(crate) target: &'f Field,
}

/// The lengths that can be filled in, if no other expression names them.
pub(crate) fn filled(fields: &Fields) -> Vec<Filled<'_>> {
    let found = |number| {
        let len = number_len(number)?;
        let target = target(fields, len)?;
        let Content::Coded(form, _) = &target.content else { return None };
        // what is around the region is counted, too, where it is measured
        let is_region_alone =
            form.null.is_none() && form.pad_to.is_none() && !matches!(form.extent, Extent::Counted(_));
        let is_whole = !form.peek
            && is_region_alone
            && form.within.as_ref().is_some_and(|within| within.rest != Rest::Skip);
        (is_whole && (is_tied(number, target, len) || is_part(number, target, len)))
            .then_some(Filled { number, target })
    };
    let mut all: Vec<Filled<'_>> = fields.on_wire().filter_map(found).collect();
    all.dedup_by_key(|filled| &raw const *filled.target);
    all
}

/// What a number is the length of, if nothing else is asked of it.
fn number_len(number: &Field) -> Option<&LenOf> {
    let Content::Coded(form, None) = &number.content else { return None };
    let len = number.len_of.as_ref()?;
    let is_plain = matches!(form.extent, Extent::Own)
        && !matches!(form.order, Order::Chosen(_))
        && form.at.is_none()
        && form.null.is_none()
        && form.pad_to.is_none()
        && form.within.is_none()
        && form.process.is_none()
        && form.bits.is_none()
        && !form.peek
        && !number.measured
        && number.sum.is_none()
        && number.range.is_none()
        && number.asserts.is_empty()
        && number.presence() == Presence::Always;
    (is_plain && len.bytes && len.auto && types::is_number(&number.ty)).then_some(len)
}

/// Whether a region is a number less what the number counts beside it, which is compared when it is written.
fn is_part(number: &Field, target: &Field, len: &LenOf) -> bool {
    let Content::Coded(form, _) = &target.content else { return false };
    let is_plain = form.at.is_none() && target.presence() == Presence::Always;
    let says =
        |expr: &Expr| names::mentioned(expr.to_token_stream()).contains(&number.scope.unraw().to_string());
    is_plain && len.plus.is_some() && form.within.as_ref().is_some_and(|within| says(&within.len))
}

/// Whether the number itself says how long its target is, so that nothing else can be read.
pub(crate) fn is_tied(number: &Field, target: &Field, len: &LenOf) -> bool {
    let Content::Coded(form, _) = &target.content else { return false };
    // of a longer number not all is that of the target
    if len.plus.is_some() {
        return false;
    }
    let says = |expr: &Expr| as_name(expr).is_some_and(|name| *name == number.scope);
    match (&form.within, &form.extent) {
        (Some(within), _) => len.bytes && says(&within.len),
        (None, Extent::Counted(count)) => !len.bytes && target.cond.is_none() && says(count),
        _ => false,
    }
}
