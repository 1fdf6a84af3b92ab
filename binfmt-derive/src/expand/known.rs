//! Constants of the user's that say what bytes are: rustc knows their values, which the type's description asks for.
//!
//! Each is a function, so that only a description works it out. Literals say their value themselves: nothing is emitted.

use crate::model::{Body, Container, Pick, Tag, types};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::{Expr, Pat, Type};

/// The type of an enum's tags, where it is plain to see.
pub(super) fn tag_type(container: &Container) -> Option<&Type> {
    match &container.body {
        Body::Enum { tag: Tag::Front { ty, .. }, .. } => Some(ty),
        Body::Enum { tag: Tag::From(Expr::Path(from)), .. } => {
            let param = container.ctx.iter().find(|param| from.path.is_ident(&param.name))?;
            let plain = types::is_number(&param.ty) && !types::is_float(&param.ty);
            plain.then_some(&param.ty)
        }
        _ => None,
    }
}

/// The call that hands over the constants in the tags of a variant, each with its name as it stands in them.
pub(super) fn tags(pick: &Pick, ty: Option<&Type>) -> TokenStream {
    let Some(ty) = ty else { return TokenStream::new() };
    let mut named = Vec::new();
    match pick {
        Pick::Value(value) => constant(value, &mut named),
        Pick::Pattern(pattern) => constants(pattern, &mut named),
        Pick::Discriminant(value) => {
            let value = value.value(ty);
            named.push((super::said::tag(pick), q!(const { #value })));
        }
        Pick::Other => {}
    }
    if named.is_empty() {
        return TokenStream::new();
    }
    // the type of a constant is its own: that it is another than the tag's is told where they meet
    let named = named.iter().map(|(text, value)| q!((#text, || __p::tag_text(#value))));
    q!(.known(&[#(#named),*]))
}

fn constant(value: &Expr, named: &mut Vec<(String, TokenStream)>) {
    if let Expr::Path(_) = value {
        named.push((types::source(value), q!(#value)));
    }
}

fn constants(pattern: &Pat, named: &mut Vec<(String, TokenStream)>) {
    match pattern {
        Pat::Or(any) => any.cases.iter().for_each(|case| constants(case, named)),
        Pat::Paren(inner) => constants(&inner.pat, named),
        Pat::Path(path) => constant(&Expr::Path(path.clone()), named),
        // a name alone is a constant or a binding, which only its letters tell
        Pat::Ident(name) if !name.ident.to_string().contains(char::is_lowercase) => {
            named.push((types::source(name), q!(#name)));
        }
        Pat::Range(range) => {
            range.start.iter().chain(&range.end).for_each(|bound| constant(bound, named));
        }
        _ => {}
    }
}
