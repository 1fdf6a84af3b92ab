//! Versions: `since` and `until_version` are conditions about what the container calls its version.

use super::field::expr;
use super::tags::literal;
use super::types;
use crate::attr::{Value, Words};
use crate::diag::Errors;
use syn::spanned::Spanned as _;
use syn::{Expr, parse_quote};

/// An expression that says whether a field is there, or what such a one is about, with its text: parts of it stand at
/// different places of the source.
#[derive(Clone)]
pub(crate) struct Condition {
    pub(crate) expr: Expr,
    pub(crate) text: String,
}

impl Condition {
    /// As it stands in the source.
    pub(crate) fn of(expr: Expr) -> Self {
        Condition { text: types::source(&expr), expr }
    }
}

/// A number after `until` is a version: a list would end at what a function says.
pub(super) fn no_until(words: &Words, errors: &mut Errors) {
    let Some(until) = expr(words, "until").filter(|until| literal(until).is_some()) else { return };
    let shown = types::show(until);
    let text = format!(
        "`until` ends a list, by a function of its element\nhelp: for a field of the versions before {shown}, write `until_version = {shown}`"
    );
    errors.at(words.span("until").unwrap_or(until.span()), text);
}

/// The version of a container. A bare name that is not an argument is a field, and those are in scope as references.
pub(super) fn of(words: &Words) -> Option<Condition> {
    let version = expr(words, "version")?;
    let is_argument = |name: &syn::Ident| match words.get("ctx").map(|word| &word.value) {
        Some(Value::Params(params)) => params.iter().any(|param| param.name == *name),
        _ => false,
    };
    let is_field =
        matches!(version, Expr::Path(path) if path.path.get_ident().is_some_and(|name| !is_argument(name)));
    let is_sum =
        matches!(version, Expr::Binary(_) | Expr::Cast(_) | Expr::If(_) | Expr::Match(_) | Expr::Range(_));
    let text = types::source(version);
    Some(match (is_field, is_sum) {
        (true, _) => Condition { expr: parse_quote!(*#version), text: format!("*{text}") },
        (_, true) => Condition { expr: parse_quote!((#version)), text: format!("({text})") },
        _ => Condition { expr: version.clone(), text },
    })
}

/// The condition under which a field is there.
pub(super) fn condition(words: &Words, version: Option<&Condition>) -> Option<Condition> {
    let Condition { expr: version, text } = version?;
    let (since, until) = (expr(words, "since"), expr(words, "until_version"));
    let from = since.map(|n| (parse_quote!(#version >= #n), format!("{text} >= {}", types::source(n))));
    let to = until.map(|n| (parse_quote!(#version < #n), format!("{text} < {}", types::source(n))));
    let both = |(a, from): (Expr, String), (b, to): (Expr, String)| {
        (parse_quote!(#a && #b), format!("{from} && {to}"))
    };
    let (expr, text) = match (from, to) {
        (Some(from), Some(to)) => both(from, to),
        (one, other) => one.or(other)?,
    };
    Some(Condition { expr, text })
}
