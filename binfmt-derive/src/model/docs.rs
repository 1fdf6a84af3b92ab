//! What `///` says of an item.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The documentation: its lines, each without the space after `///`, and without what is empty around them.
pub(crate) fn text(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(line);
    let text = lines.collect::<Vec<_>>().join("\n");
    text.trim().to_owned()
}

/// One `///`, or all of a `/** */`; nothing for `#[doc(hidden)]` and what only rustc can read (`include_str!`).
fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    let text = text.value();
    let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    Some(lines.collect::<Vec<_>>().join("\n"))
}
