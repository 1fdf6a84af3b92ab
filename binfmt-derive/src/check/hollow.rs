//! What compiles and means nothing: ranges that no number is in, rests that are never left, and types that are in themselves
//! without an end.

use super::takes_rest;
use crate::attr::Rest;
use crate::diag::Errors;
use crate::model::field::{Content, Extent, Field, Presence, expr};
use crate::model::{Body, Container, Fields, types};
use syn::{Expr, ExprLit, ExprUnary, Lit, RangeLimits, UnOp};

/// A range between two literals of which the first is above the second refuses every value.
pub(super) fn range(field: &Field, errors: &mut Errors) {
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

fn literal(expr: &Expr) -> Option<i128> {
    match plain(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Byte(b), .. }) => Some(b.value().into()),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr)?.checked_neg(),
        _ => None,
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
            "no input can hold a `{0}`: each contains another\nhelp: let `{1}` be absent (`if(..)`, `nullable`), or a list",
            container.ident, field.scope
        );
        errors.on(&field.ty, text);
    }
}

/// A field that always has a value of the container's own type.
fn itself<'f>(container: &Container, fields: &'f Fields) -> Option<&'f Field> {
    fields.on_wire().find(|field| {
        let is_own = types::boxed(&field.ty).is_some_and(|ty| types::is_of(ty, &container.ident));
        let is_plain = match &field.content {
            Content::Coded(form, None) => {
                matches!(form.extent, Extent::Own)
                    && form.null.is_none()
                    && field.presence() == Presence::Always
            }
            _ => false,
        };
        is_own && is_plain && field.cond.is_none()
    })
}
