//! Generics of the three impls: which parameters need which trait, and which lifetimes the input must outlive.

use crate::attr::{Param, is_any};
use crate::model::field::{Content, Field, Form};
use crate::model::integer::IntForm;
use crate::model::mapped::Mapped;
use crate::model::{Body, Container, types};
use crate::paths::q;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, GenericParam, Generics, Lifetime, Token, Type, TypeParam, TypeParamBound, TypePath, TypeReference,
    WherePredicate, parse_quote,
};

/// The traits that an impl asks of the types in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    Layout,
    Decode,
    Encode,
}

/// The parts of `impl<..> Trait for Name<..> where ..`.
pub(crate) struct Header {
    pub(crate) params: TokenStream,
    pub(crate) args: TokenStream,
    pub(crate) wheres: TokenStream,
}

/// The header of one impl.
pub(crate) fn header(container: &Container, of: Trait) -> Header {
    let mut generics = container.generics.clone();
    let fields = all_fields(container);
    match &container.bound {
        Some(bounds) => generics.make_where_clause().predicates.extend(bounds.iter().cloned()),
        None => infer(&mut generics, container, &fields, of),
    }
    if of != Trait::Layout {
        let any = container.ctx.iter().filter(|param| is_any(&param.ty)).map(any_context);
        let copy = q!(__p::core::marker::Copy);
        generics.params.extend(any.map(|name| -> GenericParam { parse_quote!(#name: #copy) }));
    }
    let lent = || lent_lifetimes(container, &fields);
    assembled(&container.generics, generics, &container.ctx, lent, of)
}

/// The header of one impl of a type that another is on the wire for.
pub(crate) fn mapped(mapped: &Mapped, of: Trait) -> Header {
    let mut generics = mapped.generics.clone();
    match &mapped.bound {
        Some(bounds) => generics.make_where_clause().predicates.extend(bounds.iter().cloned()),
        None => {
            let names = generics.type_params().map(|param| param.ident.to_string()).collect();
            let mut wire = Params { names: &names, found: Vec::new() };
            mapped.wire().into_iter().for_each(|ty| wire.look(ty));
            let bound = bound(of);
            for ty in wire.found.iter().filter(|ty| of != Trait::Decode || !decodes(&mapped.generics, ty)) {
                generics.make_where_clause().predicates.push(parse_quote!(#ty: #bound));
            }
        }
    }
    let lent = || {
        let mut found = HashSet::new();
        let params = mapped.generics.lifetimes().map(|param| param.lifetime.clone());
        let Some(wire) = mapped.wire() else {
            // a module may lend to any of them
            return params.collect();
        };
        lifetimes(wire.to_token_stream(), &mut found);
        params.filter(|lifetime| found.contains(&lifetime.ident.to_string())).collect()
    };
    assembled(&mapped.generics, generics, &mapped.ctx, lent, of)
}

fn assembled(
    own: &Generics,
    mut generics: Generics,
    ctx: &[Param],
    lent: impl FnOnce() -> Vec<Lifetime>,
    of: Trait,
) -> Header {
    if of != Trait::Layout && needs_ctx_lifetime(ctx) {
        generics.params.insert(0, parse_quote!('__ctx));
    }
    if of == Trait::Decode {
        let lent = lent();
        generics
            .params
            .insert(0, if lent.is_empty() { parse_quote!('__de) } else { parse_quote!('__de: #(#lent)+*) });
    }
    let (params, _, wheres) = generics.split_for_impl();
    let (_, args, _) = own.split_for_impl();
    Header { params: quote!(#params), args: quote!(#args), wheres: quote!(#wheres) }
}

fn all_fields(container: &Container) -> Vec<&Field> {
    match &container.body {
        Body::Struct(fields) => fields.all.iter().collect(),
        Body::Enum { variants, .. } => variants.iter().flat_map(|variant| &variant.fields.all).collect(),
    }
}

/// The parameter of the impls that stands for the type of such a context.
fn any_context(param: &Param) -> Ident {
    Ident::new(&format!("__C_{}", param.name.unraw()), Span::mixed_site())
}

/// The type of a context in an impl header.
pub(crate) fn context(param: &Param) -> Type {
    if is_any(&param.ty) {
        let name = any_context(param);
        return parse_quote!(#name);
    }
    name_lifetimes(&param.ty)
}

/// The context of any type that a field passes on to its own type, alone or, to a codec of the user's, among others.
fn passed_on(container: &Container, field: &Field) -> Option<Ident> {
    let is_codec = matches!(field.content, Content::With { .. });
    let is_passed = |param: &&Param| {
        is_any(&param.ty)
            && (field.args.len() == 1 || is_codec)
            && field
                .args
                .iter()
                .any(|arg| matches!(&arg.value, Expr::Path(path) if path.path.is_ident(&param.name)))
    };
    container.ctx.iter().find(is_passed).map(any_context)
}

/// One predicate for each type parameter, or projection of one, that has bytes on the wire.
fn infer(generics: &mut Generics, container: &Container, fields: &[&Field], of: Trait) {
    let names: HashSet<String> = generics.type_params().map(|param| param.ident.to_string()).collect();
    if names.is_empty() {
        return;
    }
    let mut wire = Params { names: &names, found: Vec::new() };
    let mut contexts = Vec::new();
    let mut skipped = Params { names: &names, found: Vec::new() };
    let mut formed = Vec::new();
    for field in fields {
        if let Some(context) = passed_on(container, field).filter(|_| of != Trait::Layout) {
            let mut given = Params { names: &names, found: Vec::new() };
            given.look(&field.ty);
            contexts.extend(given.found.into_iter().map(|ty| (ty, context.clone())));
            continue;
        }
        match &field.content {
            Content::Coded(Form { integer: Some((form, _)), .. }, _) if field.is_typed() => {
                formed.extend(field.subject().map(|ty| (form, types::element(ty))));
            }
            Content::Coded(_, None) if field.is_typed() => wire.look(&field.ty),
            Content::Coded(_, Some(conversion)) => {
                if let Some(ty) = &conversion.wire {
                    wire.look(ty);
                }
            }
            Content::Skipped(None) if !types::is_phantom(&field.ty) => skipped.look(&field.ty),
            _ => {}
        }
    }
    let bound = bound(of);
    let mut predicates: Vec<WherePredicate> = Vec::new();
    predicates.extend(contexts.iter().map(|(ty, context)| -> WherePredicate {
        match of {
            Trait::Decode => {
                let bound = q!(__p::Decode<'__de, #context>);
                parse_quote!(#ty: #bound)
            }
            _ => {
                let bound = q!(__p::Encode<#context>);
                parse_quote!(#ty: #bound)
            }
        }
    }));
    let mut seen = HashSet::new();
    for ty in &wire.found {
        let is_new = seen.insert(ty.to_token_stream().to_string());
        // for every lifetime it is there already: rustc does not choose between two bounds that differ in the lifetime alone
        if is_new && !(of == Trait::Decode && decodes(generics, ty)) {
            predicates.push(parse_quote!(#ty: #bound));
        }
    }
    for (form, ty) in formed {
        let mut params = Params { names: &names, found: Vec::new() };
        params.look(ty);
        if !params.found.is_empty() {
            let form = int_form(form);
            predicates.push({
                let bound = q!(__p::IntegerForm<#ty>);
                parse_quote!(#form: #bound)
            });
            predicates.push({
                let bound = q!(__p::core::marker::Copy);
                parse_quote!(#ty: #bound)
            });
        }
    }
    if of == Trait::Decode {
        predicates.extend(skipped.found.iter().map(|ty| -> WherePredicate {
            let default = q!(__p::core::default::Default);
            parse_quote!(#ty: #default)
        }));
    }
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
}

/// What an impl asks of a type that has bytes on the wire.
fn bound(of: Trait) -> TokenStream {
    match of {
        Trait::Layout => q!(__p::Layout),
        Trait::Decode => q!(__p::Decode<'__de>),
        Trait::Encode => q!(__p::Encode),
    }
}

/// Whether the user's own bounds say that a type can be decoded from any input: `for<'a> Decode<'a>` or `DecodeOwned`.
fn decodes(generics: &Generics, ty: &TypePath) -> bool {
    let at_param = |param: &TypeParam| ty.path.is_ident(&param.ident) && any(&param.bounds, false);
    let in_where = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(said) => {
            let same = said.bounded_ty.to_token_stream().to_string() == ty.to_token_stream().to_string();
            same && any(&said.bounds, said.lifetimes.is_some())
        }
        _ => false,
    };
    fn any(bounds: &Punctuated<TypeParamBound, Token![+]>, all_lifetimes: bool) -> bool {
        bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
                let decode = last.ident == "Decode" && (all_lifetimes || bound.lifetimes.is_some());
                decode || last.ident == "DecodeOwned"
            }),
            _ => false,
        })
    }
    let wheres = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    generics.type_params().any(at_param) || wheres.into_iter().any(in_where)
}

/// Collects the type parameters in a type. `PhantomData<T>` has no bytes, so it asks nothing of `T`.
struct Params<'a> {
    names: &'a HashSet<String>,
    found: Vec<TypePath>,
}

impl Params<'_> {
    fn look(&mut self, ty: &Type) {
        self.visit_type_mut(&mut ty.clone());
    }
}

impl VisitMut for Params<'_> {
    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        let first =
            ty.path.segments.first().filter(|_| ty.qself.is_none() && ty.path.leading_colon.is_none());
        if first.is_some_and(|segment| self.names.contains(&segment.ident.to_string())) {
            self.found.push(ty.clone());
        }
        if ty.path.segments.last().is_none_or(|segment| segment.ident != "PhantomData") {
            visit_mut::visit_type_path_mut(self, ty);
        }
    }
}

/// The type that is a form of integers.
pub(crate) fn int_form(form: &IntForm) -> TokenStream {
    match form {
        IntForm::Fixed { bytes, signed } => {
            let bytes = Literal::usize_unsuffixed(*bytes);
            q!(__p::FixedInt<#bytes, #signed>)
        }
        IntForm::Varint { name, .. } => {
            let name = format_ident!("{name}");
            q!(__p::#name)
        }
        IntForm::Own(path) => q!(#path),
    }
}

/// The lifetimes of values that borrow from the input. A `Cow` without `borrow` is decoded owned.
fn lent_lifetimes(container: &Container, fields: &[&Field]) -> Vec<Lifetime> {
    if container.generics.lifetimes().next().is_none() {
        return Vec::new();
    }
    let mut found = HashSet::new();
    for field in fields {
        let ty = field.subject().unwrap_or(&field.ty);
        let held = types::maybe(ty).unwrap_or(ty);
        let owned = types::cow(held).is_some() && !field.words.has("borrow");
        if !owned && !matches!(field.content, Content::Skipped(_)) {
            lifetimes(field.ty.to_token_stream(), &mut found);
        }
    }
    let params = container.generics.lifetimes().map(|param| param.lifetime.clone());
    params.filter(|lifetime| found.contains(&lifetime.ident.to_string())).collect()
}

fn lifetimes(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut quote = false;
    for token in tokens {
        let is_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            TokenTree::Ident(ident) if quote => {
                found.insert(ident.to_string());
            }
            TokenTree::Group(group) => lifetimes(group.stream(), found),
            _ => {}
        }
        quote = is_quote;
    }
}

/// A context type with every elided lifetime named, as an impl header wants it.
fn name_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    Elided { found: false }.visit_type_mut(&mut ty);
    ty
}

fn needs_ctx_lifetime(ctx: &[Param]) -> bool {
    ctx.iter().any(|param| {
        let mut elided = Elided { found: false };
        elided.visit_type_mut(&mut param.ty.clone());
        elided.found
    })
}

struct Elided {
    found: bool,
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, ty: &mut TypeReference) {
        if ty.lifetime.is_none() {
            self.found = true;
            ty.lifetime = Some(parse_quote!('__ctx));
        }
        visit_mut::visit_type_reference_mut(self, ty);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" || lifetime.ident == "__ctx" {
            self.found = true;
            *lifetime = parse_quote!('__ctx);
        }
    }

    // The arrow form `Fn(&T)` has lifetimes of its own.
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}

    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
}
