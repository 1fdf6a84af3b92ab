//! Fields of other types in expressions, `header.len`: what descriptions call them only those types say.

use crate::model::field::{Content, Extent, Field};
use crate::model::{Body, Container, Fields, types};
use crate::names;
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprField, Ident, Member, Pat, Type};

/// `a.b.c` in an expression, where `a` is a field or a parameter.
pub(super) struct Access {
    /// As it stands in the text.
    pub(super) text: String,
    root: Ident,
    ty: Type,
    /// What a name is of, and the name.
    steps: Vec<(Expr, String)>,
}

/// Those of some expressions, the longer ones first: they begin as the shorter ones do. `field` is the one that has them.
pub(super) fn of<'e>(
    container: &Container,
    field: Option<&Field>,
    exprs: impl IntoIterator<Item = &'e Expr>,
) -> Vec<Access> {
    let fields = fields(container, field);
    let mut found = Vec::new();
    for expr in exprs {
        let element = element(field, expr);
        let mut accesses =
            Accesses { container, fields, bound: names::bound(expr), element, found: Vec::new() };
        accesses.visit_expr_mut(&mut expr.clone());
        found.append(&mut accesses.found);
    }
    found.sort_by(|a, b| b.text.len().cmp(&a.text.len()).then_with(|| a.text.cmp(&b.text)));
    found.dedup_by(|a, b| a.text == b.text);
    found
}

/// The fields among which one is: variants may have fields of the same names.
fn fields<'c>(container: &'c Container, field: Option<&Field>) -> Option<&'c Fields> {
    match (&container.body, field) {
        (Body::Struct(fields), _) => Some(fields),
        (Body::Enum { variants, .. }, Some(field)) => {
            let has = |fields: &&Fields| fields.all.iter().any(|one| std::ptr::eq(one, field));
            variants.iter().map(|variant| &variant.fields).find(has)
        }
        (Body::Enum { .. }, None) => None,
    }
}

/// The parameter of the function of `until`, and the type of an element.
fn element(field: Option<&Field>, expr: &Expr) -> Option<(Ident, Type)> {
    let (field, Expr::Closure(function)) = (field?, expr) else { return None };
    let Content::Coded(form, _) = &field.content else { return None };
    let (Extent::Until(_), Some(item)) = (&form.extent, field.subject().and_then(types::items)) else {
        return None;
    };
    let param = match function.inputs.first()? {
        Pat::Type(typed) => &typed.pat,
        param => param,
    };
    match param {
        Pat::Ident(name) => Some((name.ident.clone(), item.clone())),
        _ => None,
    }
}

impl Access {
    /// A function that gives the text with the names of descriptions.
    pub(super) fn described(&self) -> TokenStream {
        let (root, names) = (types::described(&self.root), self.names());
        q!(|| {
            #[allow(unused_imports)]
            use __p::{NoItemFacts as _, NoNames as _};
            __p::described_path(#root, &[#(#names),*])
        })
    }

    /// The same while compiling.
    pub(super) fn known(&self) -> TokenStream {
        let (root, names) = (types::described(&self.root), self.names());
        q!({
            #[allow(unused_imports)]
            use __p::NoItemFacts as _;
            __p::ConstValue::Member(#root, &[#(#names),*])
        })
    }

    /// Each name with that of descriptions. Of the first one the type is plain to see; of what it has rustc infers the type from a
    /// pointer, which nothing makes.
    fn names(&self) -> Vec<TokenStream> {
        let Access { root, ty, steps, .. } = self;
        let ty = match ty {
            Type::Reference(lent) => &lent.elem,
            ty => ty,
        };
        let described = |(i, (of, name)): (usize, &(Expr, String))| match i {
            0 => q!((#name, __p::name_of(<__p::ItemFacts<#ty>>::RENAMED, #name))),
            _ => {
                let at = Span::mixed_site().located_at(of.span());
                let place = quote_spanned!(at=> __p::place(|#root: &#ty| &raw const #of));
                q!((#name, __p::Names(#place).described(#name)))
            }
        };
        steps.iter().enumerate().map(described).collect()
    }
}

struct Accesses<'c> {
    container: &'c Container,
    fields: Option<&'c Fields>,
    /// Names that stand for something else inside the expression.
    bound: HashSet<String>,
    element: Option<(Ident, Type)>,
    found: Vec<Access>,
}

impl VisitMut for Accesses<'_> {
    fn visit_expr_field_mut(&mut self, access: &mut ExprField) {
        match self.access(access) {
            Some(access) => self.found.push(access),
            None => visit_mut::visit_expr_field_mut(self, access),
        }
    }
}

impl Accesses<'_> {
    fn access(&self, whole: &ExprField) -> Option<Access> {
        let mut steps = Vec::new();
        let mut access = whole;
        let root = loop {
            let name = match &access.member {
                Member::Named(name) => name.unraw().to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            steps.push(((*access.base).clone(), name));
            match bare(&access.base) {
                Expr::Field(inner) => access = inner,
                Expr::Path(path) => break path.path.get_ident()?.clone(),
                _ => return None,
            }
        };
        steps.reverse();
        let ty = self.ty(&root).filter(|ty| !types::is_number(ty))?.clone();
        Some(Access { text: types::source(whole), root, ty, steps })
    }

    /// The type of a field or parameter.
    fn ty(&self, name: &Ident) -> Option<&Type> {
        let is = |other: &Ident| other.unraw() == name.unraw();
        if self.bound.contains(&name.unraw().to_string()) {
            return self.element.as_ref().filter(|(param, _)| is(param)).map(|(_, ty)| ty);
        }
        let mut fields = self.fields.iter().flat_map(|fields| &fields.all);
        let field = fields.find(|field| is(&field.scope)).map(|field| &field.ty);
        field.or_else(|| self.container.ctx.iter().find(|param| is(&param.name)).map(|param| &param.ty))
    }
}

/// What is in parentheses, referred to or behind a reference.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Deref(_)) => bare(&inner.expr),
        expr => expr,
    }
}

/// What the fields of a struct are called in expressions and in descriptions, where that differs.
pub(super) fn renamed(container: &Container) -> TokenStream {
    let Body::Struct(fields) = &container.body else { return TokenStream::new() };
    let pairs = fields.on_wire().filter_map(|field| {
        let own = match &field.member {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let name = &field.name;
        (own != *name).then(|| q!((#own, #name)))
    });
    let pairs: Vec<_> = pairs.collect();
    match pairs.is_empty() {
        true => TokenStream::new(),
        false => q!(const RENAMED: &'static [(&'static str, &'static str)] = &[#(#pairs),*];),
    }
}
