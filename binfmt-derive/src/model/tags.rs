//! The tags of a variant, one by one.

use super::Pick;
use quote::quote;
use syn::parse::Parser as _;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, Pat, RangeLimits, UnOp};

/// One alternative of a pattern.
pub(crate) enum Tags {
    One(Expr),
    /// From and to; `None` is the first or last of the type.
    Range {
        low: Option<Expr>,
        high: Option<Expr>,
        closed: bool,
    },
    /// What else a pattern may be: a tuple, an array.
    Other(Pat),
}

/// The tags that choose a variant. A computed discriminant and what is left are none that the macro sees.
pub(crate) fn of(pick: &Pick) -> Vec<Tags> {
    let mut list = Vec::new();
    match pick {
        Pick::Value(value) | Pick::Rest(value) => match Pat::parse_multi.parse2(quote!(#value)) {
            Ok(pattern) => alternatives(&pattern, &mut list),
            Err(_) => list.push(Tags::One(value.clone())),
        },
        Pick::Pattern(pattern) => alternatives(pattern, &mut list),
        Pick::Discriminant(_) | Pick::Other => {}
    }
    list
}

fn alternatives(pattern: &Pat, list: &mut Vec<Tags>) {
    list.push(match pattern {
        Pat::Or(any) => return any.cases.iter().for_each(|pattern| alternatives(pattern, list)),
        Pat::Paren(inner) => return alternatives(&inner.pat, list),
        Pat::Lit(literal) => Tags::One(Expr::Lit(literal.clone())),
        Pat::Path(path) => Tags::One(Expr::Path(path.clone())),
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
            let path = name.ident.clone().into();
            Tags::One(Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path }))
        }
        Pat::Range(range) => Tags::Range {
            low: range.start.as_deref().cloned(),
            high: range.end.as_deref().cloned(),
            closed: matches!(range.limits, RangeLimits::Closed(_)),
        },
        other => Tags::Other(other.clone()),
    });
}

/// The number that a literal is, also that of a byte or a character.
pub(crate) fn literal(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Byte(b), .. }) => Some(b.value().into()),
        Expr::Lit(ExprLit { lit: Lit::Char(c), .. }) => Some(u32::from(c.value()).into()),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr)?.checked_neg(),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        _ => None,
    }
}
