//! Fields of other types in expressions, `header.len`: what descriptions call them only those types say.

use super::checks::Statics;
use crate::model::field::Field;
use crate::model::{Body, Container, Fields, types};
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, ExprField, Ident, Member, Pat, Type};

/// `a.b.c` in an expression, where `a` is a field or a parameter.
pub(super) struct Access {
    /// As it stands in the text.
    pub(super) text: String,
    root: Ident,
    ty: Type,
    /// What a name is of, and the name.
    steps: Vec<(Expr, String)>,
}

/// Those of some expressions, the longer ones first: they begin as the shorter ones do. `field` is the one whose elements a
/// function of `until` is asked about.
pub(super) fn of<'e>(
    container: &Container,
    field: Option<&Field>,
    exprs: impl IntoIterator<Item = &'e Expr>,
) -> Vec<Access> {
    let item = field.and_then(Field::subject).and_then(types::items);
    let mut accesses = Accesses { container, item, element: None, found: Vec::new() };
    exprs.into_iter().for_each(|expr| accesses.visit_expr_mut(&mut expr.clone()));
    let mut found = accesses.found;
    found.sort_by(|a, b| b.text.len().cmp(&a.text.len()).then_with(|| a.text.cmp(&b.text)));
    found.dedup_by(|a, b| a.text == b.text);
    found
}

impl Access {
    /// A function that gives the text with the names of descriptions.
    pub(super) fn described(&self) -> TokenStream {
        let Access { root, ty, steps, .. } = self;
        let own = types::described(root);
        let names = steps.iter().map(|(of, name)| {
            let at = Span::mixed_site().located_at(of.span());
            let ty = match ty {
                Type::Reference(lent) => &lent.elem,
                ty => ty,
            };
            let of = match of {
                Expr::Path(_) => quote_spanned!(at=> *#of),
                of => of.to_token_stream(),
            };
            // never called: rustc infers the type of what it points to
            let place = quote_spanned!(at=> __p::place(|#root: &#ty| &raw const #of));
            q!((#name, __p::Names(#place).described(#name)))
        });
        q!(|| {
            #[allow(unused_imports)]
            use __p::NoNames as _;
            __p::described_path(#own, &[#(#names),*])
        })
    }

    /// The first name while compiling, with the text in whose place it stands.
    pub(super) fn first(&self) -> Option<(String, TokenStream)> {
        let (of, name) = self.steps.first().filter(|(of, _)| matches!(of, Expr::Path(_)))?;
        let mut ty = match &self.ty {
            Type::Reference(lent) => (*lent.elem).clone(),
            ty => ty.clone(),
        };
        Statics.visit_type_mut(&mut ty);
        let own = types::described(&self.root);
        let text = format!("{}.{name}", types::source(of));
        let value = q!({
            #[allow(unused_imports)]
            use __p::NoItemFacts as _;
            __p::ConstValue::Member(#own, __p::name_of(<__p::ItemFacts<#ty>>::RENAMED, #name))
        });
        Some((text, value))
    }
}

struct Accesses<'c> {
    container: &'c Container,
    /// The type of the elements.
    item: Option<&'c Type>,
    /// The parameter of the function that is visited.
    element: Option<Ident>,
    found: Vec<Access>,
}

impl VisitMut for Accesses<'_> {
    fn visit_expr_field_mut(&mut self, access: &mut ExprField) {
        match self.access(access) {
            Some(access) => self.found.push(access),
            None => visit_mut::visit_expr_field_mut(self, access),
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.element = match closure.inputs.first() {
            Some(Pat::Ident(name)) => Some(name.ident.clone()),
            _ => None,
        };
        visit_mut::visit_expr_closure_mut(self, closure);
        self.element = None;
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
            match &*access.base {
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
        if self.element.as_ref().is_some_and(is) {
            return self.item;
        }
        let all: Vec<&Fields> = match &self.container.body {
            Body::Struct(fields) => vec![fields],
            Body::Enum { variants, .. } => variants.iter().map(|variant| &variant.fields).collect(),
        };
        let mut named =
            all.iter().flat_map(|fields| &fields.all).filter(|field| is(&field.scope)).map(|field| &field.ty);
        let param = self.container.ctx.iter().find(|param| is(&param.name)).map(|param| &param.ty);
        match (named.next(), named.next(), param) {
            // two variants may have fields of one name
            (Some(ty), None, None) | (None, None, Some(ty)) => Some(ty),
            _ => None,
        }
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
