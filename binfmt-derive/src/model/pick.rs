//! What chooses a variant: the tag that is said, or its place in the enum.

use super::{Discriminant, Pick, Tag};
use crate::attr::{TagWord, Value, Words};
use crate::diag::Errors;
use proc_macro2::Ident;
use quote::quote;
use syn::parse::Parser as _;
use syn::{Expr, Pat};

/// What the words of a variant say.
pub(super) fn of(
    variant: &syn::Variant,
    words: &Words,
    (discriminant, repr): ((Expr, u64), Ident),
    tag: Option<&Tag>,
    errors: &mut Errors,
) -> Pick {
    let said = words.get("tag").map(|word| &word.value);
    match said {
        Some(Value::Tag(TagWord::Value(value))) if words.has("other") => {
            matchable(value, tag, errors);
            Pick::Rest(value.clone())
        }
        _ if words.has("other") || matches!(tag, Some(Tag::Untagged)) => Pick::Other,
        Some(Value::Tag(TagWord::Value(value))) => match value {
            Expr::Range(_) => Pick::Pattern(syn::parse_quote!(#value)),
            _ => match several(value, tag) {
                Some(pattern) => Pick::Pattern(pattern),
                None => {
                    matchable(value, tag, errors);
                    Pick::Value(value.clone())
                }
            },
        },
        Some(Value::Tag(TagWord::Pattern(pattern))) => match pattern {
            Pat::Lit(literal) => Pick::Value(Expr::Lit(literal.clone())),
            Pat::Path(path) => Pick::Value(Expr::Path(path.clone())),
            _ => Pick::Pattern(pattern.clone()),
        },
        _ if matches!(tag, Some(Tag::From(_))) => {
            let text = format!(
                "variant `{}` does not say which value selects it: add `#[binfmt(tag = <pattern>)]` or `other`",
                variant.ident
            );
            errors.at(variant.ident.span(), text);
            Pick::Other
        }
        _ => discriminant_pick(discriminant, repr, &variant.ident),
    }
}

/// `A | B` of a tag that is only matched.
fn several(value: &Expr, tag: Option<&Tag>) -> Option<Pat> {
    let is_matched = matches!(tag, Some(Tag::From(_))) && matches!(value, Expr::Binary(_));
    is_matched.then(|| Pat::parse_multi.parse2(quote!(#value)).ok()).flatten()
}

/// A tag in front of the value is matched and written, so it must be the same thing as a pattern and as an expression;
/// what is only matched must be a pattern.
fn matchable(value: &Expr, tag: Option<&Tag>, errors: &mut Errors) {
    let fits = match tag {
        Some(Tag::From(_)) => Pat::parse_multi.parse2(quote!(#value)).is_ok(),
        _ => is_constant(value),
    };
    if !fits {
        errors.on(value, "a tag is a literal or a const: put the expression into a `const`");
    }
}

/// Whether the expression means the same value where a pattern stands.
pub(crate) fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Path(_) | Expr::Macro(_) => true,
        Expr::Unary(unary) => matches!((&unary.op, &*unary.expr), (syn::UnOp::Neg(_), Expr::Lit(_))),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Paren(paren) => is_constant(&paren.expr),
        Expr::Group(group) => is_constant(&group.expr),
        _ => false,
    }
}

/// Rust's own rule: the written discriminant, or one more than the variant before. Numbers that stand nowhere in the
/// source stand at the variant: rustc reports nothing about patterns that come from a macro alone.
fn discriminant_pick((base, distance): (Expr, u64), ty: Ident, of: &Ident) -> Pick {
    let literal = match &base {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse::<u64>().ok(),
        _ => None,
    };
    match literal {
        Some(start) if distance > 0 || start == 0 => {
            let mut value = proc_macro2::Literal::u64_unsuffixed(start.saturating_add(distance));
            value.set_span(of.span());
            Pick::Value(syn::parse_quote!(#value))
        }
        _ if distance == 0 && matches!(base, Expr::Lit(_)) => Pick::Value(base),
        _ => Pick::Discriminant(Discriminant { base, distance, ty, of: of.to_string() }),
    }
}
