//! Checksums: which bytes they cover, and in which order they are filled in.

use super::Fields;
use super::field::{Field, as_name};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit, RangeLimits};

/// A place between two fields on the wire, or before the first byte of the container, where the tag of an enum is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge {
    Start,
    Before(usize),
}

/// The bytes that a checksum covers.
pub(crate) struct Cover {
    pub(crate) start: Edge,
    pub(crate) end: usize,
}

impl Cover {
    /// Whether the field at this place is covered.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.start <= Edge::Before(place) && place < self.end
    }
}

/// The bytes of the checksum at this place, or what is wrong with its range.
pub(crate) fn cover(fields: &Fields, place: usize) -> Result<Cover, (Span, String)> {
    let field = &fields.all[fields.wire[place]];
    let sum = field.sum.as_ref();
    let own = sum.is_some_and(|sum| sum.own.is_some());
    // what has no end ends before the checksum, unless it covers itself or comes later
    let open = |start: Edge| if own || start > Edge::Before(place) { fields.wire.len() } else { place };
    let Some(over) = sum.and_then(|sum| sum.over.as_ref()) else {
        return Ok(Cover { start: Edge::Start, end: open(Edge::Start) });
    };
    let find = |expr: &Expr| {
        let name = name(expr).unwrap_or_default();
        let found = fields.on_wire().position(|field| field.scope.unraw() == name.as_str());
        found.ok_or_else(|| {
            let names: Vec<_> = fields.on_wire().map(|field| format!("`{}`", field.scope)).collect();
            let text = format!("`over` takes the names of fields\nhelp: the fields are {}", names.join(", "));
            (expr.span(), text)
        })
    };
    let range = match over {
        Expr::Range(range) => range,
        one if name(one).is_some() => {
            let one = find(one)?;
            return Ok(Cover { start: Edge::Before(one), end: one + 1 });
        }
        _ => {
            let text = "`over` takes a field or a range of fields: `over = a..=b`, or `over = ..` for everything before";
            return Err((over.span(), text.to_owned()));
        }
    };
    let start = match &range.start {
        Some(start) => Edge::Before(find(start)?),
        None => Edge::Start,
    };
    let end = match (&range.end, &range.limits) {
        (Some(end), RangeLimits::Closed(_)) => find(end)? + 1,
        (Some(end), RangeLimits::HalfOpen(_)) => find(end)?,
        (None, _) => open(start),
    };
    if start != Edge::Start && start >= Edge::Before(end) {
        return Err((over.span(), "`over` covers nothing: its first field comes after its last".to_owned()));
    }
    Ok(Cover { start, end })
}

/// The name of a field, or its number in a tuple.
fn name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => Some(format!("_{}", int.base10_digits())),
        other => as_name(other).map(|name| name.unraw().to_string()),
    }
}

/// The checksums with their places and what they cover, each after those that it covers; and those that cover each other.
pub(crate) fn ordered(fields: &Fields) -> (Vec<(usize, &Field, Cover)>, Vec<&Field>) {
    let with_sum = fields.on_wire().enumerate().filter(|(_, field)| field.sum.is_some());
    let mut waiting: Vec<_> =
        with_sum.filter_map(|(place, field)| Some((place, field, cover(fields, place).ok()?))).collect();
    let mut done = Vec::new();
    loop {
        let ready = waiting
            .iter()
            .position(|(own, _, cover)| !waiting.iter().any(|(place, ..)| place != own && cover.has(*place)));
        match ready {
            Some(i) => done.push(waiting.remove(i)),
            None => return (done, waiting.into_iter().map(|(_, field, _)| field).collect()),
        }
    }
}

/// The places where the bytes of a checksum begin or end.
pub(crate) fn edges(fields: &Fields) -> Vec<Edge> {
    let (sums, _) = ordered(fields);
    sums.iter().flat_map(|(_, _, cover)| [cover.start, Edge::Before(cover.end)]).collect()
}
