//! What is checked when compiling, whether or not the type is ever read or written: `size = N`, the arguments that a
//! field passes to its type, and tags that only rustc can compute.

use super::form::number;
use super::{Entry, entries};
use crate::model::field::{Content, Extent, Field, Magic, Step};
use crate::model::integer::Integer;
use crate::model::tags::{self, Tags, literal};
use crate::model::{Body, Container, Fields, Pick, Tag, Variant, types};
use crate::paths::q;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprLit, GenericParam, Lifetime, Lit, Type, parse_quote};

/// Every check, about the type of this name.
fn all(container: &Container, own: &TokenStream) -> Vec<TokenStream> {
    let size = size(container, own).into_iter().chain(super::tree::check(container, own));
    let size = size.chain(super::described::check(container, own));
    let of_fields = fields(container).filter_map(ctx).chain(fields(container).flat_map(aligned));
    size.chain(of_fields)
        .chain(computed(container))
        .chain(apart(container))
        .chain(wide_tags(container))
        .chain(ends(container, own))
        .chain(fields(container).flat_map(|field| items(container, field)))
        .chain(fields(container).filter_map(tags_in_bits))
        .collect()
}

/// The checks, where they may stand.
#[derive(Default)]
pub(super) struct Checks {
    /// Items beside the impls. Constants see no type parameters: then there are none.
    pub(super) items: TokenStream,
    /// Statements of the generated functions, where they may depend on type parameters.
    pub(super) statements: TokenStream,
}

impl Checks {
    pub(super) fn of(container: &Container) -> Self {
        let name = &container.ident;
        let args = container.generics.params.iter().map(|_| q!('static));
        // outside the impls: no parameter but lifetimes, and no `Self`
        if container.generics.params.iter().all(|param| matches!(param, GenericParam::Lifetime(_))) {
            let checks = all(container, &q!(#name::<#(#args),*>));
            if !checks.iter().cloned().any(says_self) {
                let items = checks.into_iter().map(|check| q!(const _: () = #check;)).collect();
                return Checks { items, ..Checks::default() };
            }
        }
        let checks = all(container, &q!(Self));
        let statements = checks.into_iter().map(|check| q!(const { #check };)).collect();
        Checks { statements, ..Checks::default() }
    }
}

pub(super) fn says_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => says_self(group.stream()),
        _ => false,
    })
}

fn fields(container: &Container) -> impl Iterator<Item = &Field> {
    let (own, variants) = match &container.body {
        Body::Struct(fields) => (Some(fields), &[][..]),
        Body::Enum { variants, .. } => (None, &variants[..]),
    };
    let inner = variants.iter().map(|variant| &variant.fields);
    own.into_iter().chain(inner).flat_map(|fields| &fields.all)
}

/// What takes everything to the end is the last of its struct or variant: what other types take only rustc knows.
fn ends(container: &Container, own: &TokenStream) -> Vec<TokenStream> {
    match &container.body {
        Body::Struct(fields) => ends_in(container.magic.as_ref(), fields, &q!(<#own as __p::Layout>::PARTS)),
        Body::Enum { variants, .. } => {
            let each = variants.iter().enumerate().flat_map(|(k, variant)| {
                let k = number(k);
                ends_in(None, &variant.fields, &q!(<#own as __p::Layout>::VARIANTS[#k].parts()))
            });
            each.collect()
        }
    }
}

fn ends_in(magic: Option<&Magic>, fields: &Fields, list: &TokenStream) -> Vec<TokenStream> {
    let entries: Vec<_> = entries(magic, fields).into_iter().filter(Entry::has_part).collect();
    let last = entries.len().saturating_sub(1);
    let check = |(i, entry): (usize, &Entry<'_>)| {
        let Entry::Value(field, _) = entry else { return None };
        if i == last || !super::is_named(field) {
            return None;
        }
        let (i, at) = (number(i), Span::mixed_site().located_at(field.span));
        let boxed = match types::boxed(types::maybe(&field.ty).unwrap_or(&field.ty)) {
            Some(held) => {
                let mut held = held.clone();
                Statics.visit_type_mut(&mut held);
                q!(__p::takes_all::<#held>())
            }
            None => q!(false),
        };
        Some(quote_spanned!(at=> __p::assert_last(#list, #i, #boxed)))
    };
    entries.iter().enumerate().filter_map(check).collect()
}

/// The tags of an enum fit in the bits of its field.
fn tags_in_bits(field: &Field) -> Option<TokenStream> {
    let packed = match &field.content {
        Content::Coded(form, _) => form.packed.as_ref().map(|packed| packed.width),
        _ => None,
    };
    let width = field.bits().map(|bits| bits.width).or(packed)?;
    let mut ty = types::element(&field.ty).clone();
    let is_named = matches!(ty, Type::Path(_)) && !types::is_number(&ty);
    if !is_named || field.is_tag {
        return None;
    }
    Statics.visit_type_mut(&mut ty);
    let (at, width) = (Span::mixed_site().located_at(field.span), number(width.into()));
    let name = q!(
        #[allow(unused_imports)]
        use __p::NoItemFacts as _;
    );
    let variants = q!(<__p::ItemFacts<#ty>>::VARIANTS);
    Some(quote_spanned!(at=> { #name __p::assert_tags(#variants, #width) }))
}

/// What is in a list, an array or a tuple ends somewhere, told at the field.
fn items(container: &Container, field: &Field) -> Vec<TokenStream> {
    let Content::Coded(form, _) = &field.content else { return Vec::new() };
    if !super::is_named(field) || form.integer.is_some() || form.packed.is_some() {
        return Vec::new();
    }
    let mut inner = Vec::new();
    followed(types::maybe(&field.ty).unwrap_or(&field.ty), false, &mut inner);
    // with a parameter that lives as long as a lifetime there is no constant without both
    let params: Vec<_> = container.generics.type_params().map(|param| &param.ident).collect();
    inner.retain(|item| !(has_lifetime(item.to_token_stream()) && mentions(item.to_token_stream(), &params)));
    let at = Span::mixed_site().located_at(field.span);
    let check = |item: &Type| {
        let mut item = item.clone();
        Statics.visit_type_mut(&mut item);
        let takes_all = q!(<__p::ItemFacts<#item>>::TAKES_ALL);
        let name = q!(
            #[allow(unused_imports)]
            use __p::NoItemFacts as _;
        );
        quote_spanned!(at=> { #name __p::assert_ended(#takes_all) })
    };
    inner.into_iter().map(check).collect()
}

fn has_lifetime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '\'',
        TokenTree::Group(group) => has_lifetime(group.stream()),
        _ => false,
    })
}

fn mentions(tokens: TokenStream, names: &[&syn::Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&&ident),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The types in this one after which more comes.
fn followed<'t>(ty: &'t Type, has_more: bool, found: &mut Vec<&'t Type>) {
    // what holds something is as long as the words on the field say
    if let Some(item) = types::items(ty) {
        return followed(item, true, found);
    }
    match ty {
        Type::Array(array) => {
            let len = match &array.len {
                Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) => len.base10_parse::<u64>().ok(),
                _ => None,
            };
            match len {
                Some(0) => {}
                len => followed(&array.elem, has_more || len.is_some_and(|len| len > 1), found),
            }
        }
        Type::Tuple(tuple) => {
            let has_bytes = |part: &Type| !types::is_unit(part) && !types::is_marker(part);
            let last = tuple.elems.iter().rposition(has_bytes).unwrap_or_default();
            let parts = tuple.elems.iter().enumerate();
            parts.for_each(|(i, part)| followed(part, has_more || i < last, found));
        }
        Type::Path(_)
            if has_more
                && types::maybe(ty).is_none()
                && types::boxed(ty).is_none()
                && !types::is_plain(ty) =>
        {
            found.push(ty)
        }
        _ => {}
    }
}

fn size(container: &Container, own: &TokenStream) -> Option<TokenStream> {
    let size = container.size.as_ref()?;
    let at = Span::mixed_site().located_at(size.span());
    Some(quote_spanned!(at=> __p::assert_size(<#own as __p::Layout>::FACTS.sizes(), #size)))
}

/// Named arguments are compared with the names that the child's `ctx(..)` declares.
fn ctx(field: &Field) -> Option<TokenStream> {
    let names: Option<Vec<String>> =
        field.args.iter().map(|arg| arg.name.as_ref().map(|name| name.unraw().to_string())).collect();
    let names = names.filter(|names| !names.is_empty())?;
    let Content::Coded(form, None) = &field.content else { return None };
    if matches!(form.extent, Extent::Each(_)) {
        return None;
    }
    let mut ty = match form.extent {
        Extent::Shaped(_) => types::grid(innermost(&field.ty))?.item,
        _ => innermost(&field.ty),
    }
    .clone();
    Statics.visit_type_mut(&mut ty);
    let first = field.args.first()?.name.as_ref()?;
    let at = Span::mixed_site().located_at(first.span());
    Some(quote_spanned!(at=> __p::assert_ctx(<#ty as __p::Layout>::CTX, &[#(#names),*])))
}

/// An alignment that is not a literal must not be 0 either.
fn aligned(field: &Field) -> Vec<TokenStream> {
    let check = |step: &Step| match step {
        Step::Align { to, .. } if !matches!(to, Expr::Lit(_)) => {
            let at = Span::mixed_site().located_at(to.span());
            Some(quote_spanned!(at=> __p::core::assert!(#to > 0, "binfmt: an alignment must be at least 1")))
        }
        _ => None,
    };
    field.before.iter().chain(&field.after).filter_map(check).collect()
}

/// A discriminant that is not a literal must fit into the tag, and is compared with the tags of the other variants; what stands
/// in the match as a pattern needs no check here.
fn computed(container: &Container) -> Vec<TokenStream> {
    let Body::Enum { tag: Tag::Front { ty: Integer { ty, .. }, .. }, variants } = &container.body else {
        return Vec::new();
    };
    let check = |(k, variant): (usize, &Variant)| {
        let Pick::Discriminant(value) = &variant.pick else { return None };
        // a pattern may hold the tags of variants in front of it
        let is_other = |(i, other): &(usize, &Variant)| *i < k || matches!(other.pick, Pick::Value(_));
        let others = variants.iter().enumerate().filter(is_other);
        let others: Vec<_> = others.filter_map(|(_, other)| other.pattern(true)).collect();
        let fits = value.fits(ty);
        if others.is_empty() {
            return Some(fits);
        }
        let at = Span::mixed_site().located_at(variant.ident.span());
        let value = value.value(ty);
        let text = format!("binfmt: the tag of `{}` is the tag of another variant", variant.ident);
        Some(quote_spanned!(at=> {
            #fits;
            const __N: #ty = #value;
            __p::core::assert!(!__p::core::matches!(__N, #(#others)|*), #text)
        }))
    };
    variants.iter().enumerate().filter_map(check).collect()
}

/// A pattern with constants in it has all tags of a variant before it, or none. What a single constant is rustc compares with
/// the patterns before it by itself.
fn apart(container: &Container) -> Vec<TokenStream> {
    let Body::Enum { tag: Tag::Front { ty: Integer { ty, .. }, .. }, variants } = &container.body else {
        return Vec::new();
    };
    if !types::is_int(ty) || types::number_size(ty) == Some(16) {
        return Vec::new();
    }
    let mut checks = Vec::new();
    for (k, later) in variants.iter().enumerate() {
        let (Pick::Pattern(_), Some(own)) = (&later.pick, intervals(&later.pick)) else { continue };
        for first in variants[..k].iter().filter(|first| !first.pick.is_rest()) {
            let Some(others) = intervals(&first.pick) else { continue };
            // what the macro sees is compared already
            if !own.iter().chain(&others).any(|(_, has_constant)| *has_constant) {
                continue;
            }
            let (own, others) = (own.iter().map(|(all, _)| all), others.iter().map(|(all, _)| all));
            let at = Span::mixed_site().located_at(later.words.span("tag").unwrap_or(later.ident.span()));
            let (name, before) = (later.ident.to_string(), first.ident.to_string());
            checks.push(
                quote_spanned!(at=> __p::assert_apart((#before, &[#(#others),*]), (#name, &[#(#own),*]))),
            );
        }
    }
    checks
}

/// The tags of a variant as pairs of the first and last number, each with whether a constant is among the two. `None` if there are
/// others.
fn intervals(pick: &Pick) -> Option<Vec<(TokenStream, bool)>> {
    let is_constant = |expr: &&Expr| literal(expr).is_none();
    let interval = |tags: Tags| {
        let (low, high, closed) = match tags {
            Tags::One(one) => (Some(one.clone()), Some(one), true),
            Tags::Range { low, high, closed } => (low, high, closed),
            Tags::Other(_) => return None,
        };
        let mut constants = [&low, &high].into_iter().flatten().filter(is_constant).peekable();
        let has_constant = constants.peek().is_some();
        if !constants.all(|expr| matches!(expr, Expr::Path(_))) {
            return None;
        }
        let low = low
            .as_ref()
            .map_or(q!(__p::core::primitive::i128::MIN), |low| q!(#low as __p::core::primitive::i128));
        let high = match (&high, closed) {
            (None, _) => q!(__p::core::primitive::i128::MAX),
            (Some(high), true) => q!(#high as __p::core::primitive::i128),
            (Some(high), false) => q!(#high as __p::core::primitive::i128 - 1),
        };
        Some((q!((#low, #high)), has_constant))
    };
    tags::of(pick).into_iter().map(interval).collect()
}

/// A tag that is more than its bits would be read as another.
fn wide_tags(container: &Container) -> Vec<TokenStream> {
    let Body::Enum { tag: Tag::Front { ty, bits: Some(bits), .. }, variants } = &container.body else {
        return Vec::new();
    };
    let (ty, width) = (&ty.ty, proc_macro2::Literal::u8_unsuffixed(bits.width));
    let check = |variant: &Variant| {
        let value = match &variant.pick {
            Pick::Value(value) | Pick::Rest(value) => q!(#value),
            Pick::Discriminant(value) => value.value(ty),
            Pick::Pattern(_) | Pick::Other => return None,
        };
        let at = Span::mixed_site().located_at(variant.words.span("tag").unwrap_or(variant.ident.span()));
        let text = format!("binfmt: the tag of `{}` does not fit in {} bits", variant.ident, bits.width);
        Some(quote_spanned!(at=> {
            const __N: #ty = #value;
            // with the sign carried on, of a type that has one
            const __UNUSED: __p::core::primitive::u32 = <#ty>::BITS - #width;
            __p::core::assert!(__N << __UNUSED >> __UNUSED == __N, #text)
        }))
    };
    variants.iter().filter_map(check).collect()
}

/// The type that takes the arguments, as far as the tokens show it.
fn innermost(ty: &Type) -> &Type {
    let ty = types::maybe(ty).unwrap_or(ty);
    types::items(ty).unwrap_or(ty)
}

/// Puts `'static` for every lifetime: no constant depends on one.
pub(super) struct Statics;

impl VisitMut for Statics {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = parse_quote!('static);
    }
}
