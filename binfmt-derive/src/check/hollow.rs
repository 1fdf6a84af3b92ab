//! What compiles and means nothing: ranges that no number is in, rests that are never left, and types that are in themselves
//! without an end.

use super::takes_rest;
use crate::attr::Rest;
use crate::diag::Errors;
use crate::model::field::{Content, Extent, Field, Presence, expr};
use crate::model::tags::literal;
use crate::model::{Body, Container, Fields, types};
use syn::{Expr, Ident, RangeLimits, Type};

/// A range between two literals of which the first is above the second refuses every value.
pub(super) fn range(field: &Field, errors: &mut Errors) {
    if let Some(one) = field.range.as_ref().filter(|range| literal(range).is_some()) {
        let one = types::source(one);
        let text = format!("`range` takes a range, found one value\nhelp: write `range = {one}..={one}`");
        errors.on(&field.range, text);
        return;
    }
    let Some(Expr::Range(range)) = field.range.as_ref().map(plain) else { return };
    let (Some(low), Some(high)) = (&range.start, &range.end) else { return };
    let (Some(first), Some(last)) = (literal(low), literal(high)) else { return };
    let is_empty = match range.limits {
        RangeLimits::Closed(_) => first > last,
        RangeLimits::HalfOpen(_) => first >= last,
    };
    if is_empty {
        let text =
            format!("no value is in {}: every `{}` would be refused", types::source(range), field.scope);
        errors.on(range, text);
    }
}

/// A field that ends before it begins is in no version.
pub(super) fn versions(field: &Field, errors: &mut Errors) {
    let (Some(since), Some(until)) = (expr(&field.words, "since"), expr(&field.words, "until_version"))
    else {
        return;
    };
    let (Some(first), Some(end)) = (literal(since), literal(until)) else { return };
    if first >= end {
        let text = format!(
            "no version is {first} or later and before {end}: `{}` would never be there",
            field.scope
        );
        errors.on(until, text);
    }
}

/// What takes its region to the end leaves nothing to skip; what types take only rustc knows.
pub(super) fn rest(field: &Field, errors: &mut Errors) {
    let Content::Coded(form, _) = &field.content else { return };
    let skips = form.within.as_ref().is_some_and(|within| within.rest == Rest::Skip);
    if skips
        && (matches!(form.extent, Extent::ToEnd) || takes_rest(form))
        && let Some(span) = field.words.span("region")
    {
        let text = format!(
            "`{0}` takes everything to the end of its region, so `rest = skip` has nothing to skip\nhelp: leave it out: `region = ..`, or say where `{0}` ends: `count = ..` or `nul`",
            field.scope
        );
        errors.at(span, text);
    }
}

/// Without brackets around it.
fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => plain(&inner.expr),
        Expr::Group(inner) => plain(&inner.expr),
        expr => expr,
    }
}

/// A value that always contains another one of its type has no last one.
pub(super) fn endless(container: &Container, errors: &mut Errors) {
    let found = match &container.body {
        Body::Struct(fields) => itself(container, fields),
        Body::Enum { variants, .. } => {
            let each: Option<Vec<_>> =
                variants.iter().map(|variant| itself(container, &variant.fields)).collect();
            each.and_then(|each| each.into_iter().next())
        }
    };
    if let Some(field) = found {
        let text = format!(
            "no input can hold a `{0}`: each contains another\nhelp: let `{1}` be absent (`if(..)`, `nullable`), or a list that may be empty",
            container.ident, field.scope
        );
        errors.on(&field.ty, text);
    }
}

/// A field that always has a value of the container's own type.
fn itself<'f>(container: &Container, fields: &'f Fields) -> Option<&'f Field> {
    fields.on_wire().find(|field| {
        let Content::Coded(form, None) = &field.content else { return false };
        if form.null.is_some() || field.presence() != Presence::Always || field.cond.is_some() {
            return false;
        }
        match &form.extent {
            Extent::Own => always_has(&field.ty, &container.ident, false),
            Extent::Counted(count) | Extent::Exact(count) if literal(count).is_some_and(|n| n > 0) => {
                types::items(&field.ty).is_some_and(|item| always_has(item, &container.ident, true))
            }
            _ => false,
        }
    })
}

/// Whether each value of a type has one of this name. rustc refuses what no pointer is around.
fn always_has(ty: &Type, name: &Ident, is_apart: bool) -> bool {
    match (ty, types::boxed(ty)) {
        (_, Some(held)) => always_has(held, name, true),
        (Type::Array(array), _) => {
            literal(&array.len).is_some_and(|n| n > 0) && always_has(&array.elem, name, is_apart)
        }
        (Type::Tuple(tuple), _) => tuple.elems.iter().any(|ty| always_has(ty, name, is_apart)),
        // another module may have one of this name
        (Type::Path(path), _) => is_apart && path.path.segments.len() == 1 && types::is_of(ty, name),
        _ => false,
    }
}
