//! Constants of the user's in words: only rustc knows their values, and the type's description needs them.
//!
//! Each is emitted as a function, so that nothing evaluates it but a description. For literals nothing is emitted.

use crate::model::{Body, Container, Pick, Tag, types};
use crate::paths::q;
use proc_macro2::TokenStream;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprCall, ExprPath, Member, Pat, Type};

/// The type of an enum's tags, where it is plain to see.
pub(super) fn tag_type(container: &Container) -> Option<&Type> {
    match &container.body {
        Body::Enum { tag: Tag::Front { ty, .. }, .. } => Some(&ty.ty),
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
    let named = in_tags(pick, ty);
    if named.is_empty() {
        return TokenStream::new();
    }
    // the type of a constant is its own: that it is another than the tag's is told where they meet
    let named = named.iter().map(|(text, value)| q!((#text, || __p::tag_text(#value))));
    q!(.known(&[#(#named),*]))
}

/// The constants in the tags of a variant, each with its name as it stands in them.
pub(super) fn in_tags(pick: &Pick, ty: Option<&Type>) -> Vec<(String, TokenStream)> {
    let Some(ty) = ty else { return Vec::new() };
    let mut named = Vec::new();
    match pick {
        Pick::Value(value) | Pick::Rest(value) => constant(value, &mut named),
        Pick::Pattern(pattern) => constants(pattern, &mut named),
        Pick::Discriminant(value) => {
            let value = value.value(ty);
            named.push((super::notes::tag(pick), q!(const { #value })));
        }
        Pick::Other => {}
    }
    named
}

/// The constants in expressions, each with its name as it stands there. A constant is told by its letters; a field or
/// parameter of such a name is not one of them.
pub(super) fn in_expressions<'e>(
    container: &Container,
    exprs: impl IntoIterator<Item = &'e Expr>,
) -> Vec<(String, TokenStream)> {
    let mut found = Constants::default();
    exprs.into_iter().for_each(|expr| found.visit_expr_mut(&mut expr.clone()));
    if found.named.is_empty() {
        return Vec::new();
    }
    let locals = locals(container);
    let mut named: Vec<(String, TokenStream)> = Vec::new();
    for path in found.named {
        let name = types::source(&path);
        let is_local = path.path.get_ident().is_some_and(|ident| locals.contains(&ident.unraw().to_string()));
        if !is_local && named.iter().all(|(other, _)| *other != name) {
            named.push((name, q!(#path)));
        }
    }
    named
}

fn locals(container: &Container) -> HashSet<String> {
    let (own, variants) = match &container.body {
        Body::Struct(fields) => (Some(fields), &[][..]),
        Body::Enum { variants, .. } => (None, &variants[..]),
    };
    let fields = own.into_iter().chain(variants.iter().map(|variant| &variant.fields)).flat_map(|f| &f.all);
    let members = fields.filter_map(|field| match &field.member {
        Member::Named(ident) => Some(ident.unraw().to_string()),
        Member::Unnamed(_) => None,
    });
    members.chain(container.ctx.iter().map(|param| param.name.unraw().to_string())).collect()
}

#[derive(Default)]
struct Constants {
    named: Vec<ExprPath>,
}

impl VisitMut for Constants {
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        let letters = |c: char| c.is_uppercase();
        let last = path.path.segments.last();
        let plain = last.filter(|last| last.arguments.is_none()).map(|last| last.ident.to_string());
        if path.qself.is_none()
            && plain.is_some_and(|s| s.contains(letters) && !s.contains(char::is_lowercase))
        {
            self.named.push(path.clone());
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        // what is called is not a number
        call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
    }
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
