//! What a fingerprint needs while compiling: the trees of the fields, and the constants in expressions. Only a type with the word
//! says them; what they become is in the runtime's `codec::fingerprint`.

use super::checks::{Statics, says_self};
use super::form::{self, form_or_own, number};
use super::{Entry, entries, known, located, members, notes};
use crate::model::field::{Content, Field, Magic, Order, Step};
use crate::model::{Body, Container, Fields, Pick, Tag};
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut as _;
use syn::{GenericParam, Type};

/// The constant of `Layout`; nothing without the word.
pub(super) fn of(container: &Container) -> TokenStream {
    if container.pinned.is_none() {
        return TokenStream::new();
    }
    let place =
        q!(__p::core::concat!(__p::core::module_path!(), __p::core::line!(), ":", __p::core::column!()));
    let chosen = match &container.order {
        Order::Chosen(chosen) => Some(chosen),
        _ => None,
    };
    let of_parameters = has_parameters(container).then(|| q!(.of_parameters()));
    match &container.body {
        Body::Struct(fields) => {
            let own = constants(&known::in_expressions(container, chosen));
            let (trees, known) = parts(container, container.magic.as_ref(), fields);
            q!(const TREE: __p::Tree = __p::Tree::record::<Self>(#place, #trees, #known, #own)#of_parameters;)
        }
        Body::Enum { tag, variants } => {
            let (front, from) = match tag {
                Tag::Front { ty, bits, peek, .. } => {
                    let (form, ty) = form::tag(ty, bits.as_ref(), *peek);
                    let tree = q!(__p::core::option::Option::Some(&<#form as __p::As<#ty>>::TREE));
                    (tree, None)
                }
                Tag::From(from) => (q!(__p::core::option::Option::None), Some(from)),
                Tag::Untagged => (q!(__p::core::option::Option::None), None),
            };
            let exprs: Vec<_> = chosen.into_iter().chain(from).collect();
            let texts = members::of(container, None, exprs.iter().copied());
            let texts: Vec<_> = texts.iter().map(|access| (access.text.clone(), access.known())).collect();
            let own = known_in(&known::in_expressions(container, exprs), &texts);
            let ty = known::tag_type(container);
            let variants = variants.iter().enumerate().map(|(k, variant)| {
                let (k, (trees, known)) =
                    (number(k), parts(container, variant.magic.as_ref(), &variant.fields));
                let tags = tags(&variant.pick, ty);
                q!(__p::VariantTree::new(<Self as __p::Layout>::VARIANTS[#k], #trees, #known, #tags))
            });
            q!(const TREE: __p::Tree =
                __p::Tree::choice::<Self>(#place, #front, const { &[#(#variants),*] }, #own)#of_parameters;)
        }
    }
}

/// The comparison with the number that the word gives.
pub(super) fn check(container: &Container, own: &TokenStream) -> Option<TokenStream> {
    let expected = container.pinned.as_ref()?.as_ref()?;
    let (name, at) = (&container.name, Span::mixed_site().located_at(expected.span()));
    Some(quote_spanned!(at=> __p::pinned(&<#own as __p::Layout>::TREE, #expected, #name)))
}

/// The trees of the parts, and the constants of each.
fn parts(container: &Container, magic: Option<&Magic>, fields: &Fields) -> (TokenStream, TokenStream) {
    let entries: Vec<_> = entries(magic, fields).into_iter().filter(Entry::has_part).collect();
    let trees = entries.iter().map(tree).collect();
    let known = entries.iter().map(|entry| known_in(&named(container, entry), &members(container, entry)));
    (shared(container, trees), q!(const { &[#(#known),*] }))
}

/// The list of the trees. rustc goes into what a constant points to as often as there is a way to it, and through a type that
/// has two fields of one type there are two: into a static it does not go. Where there are parameters there can be none.
fn shared(container: &Container, trees: Vec<TokenStream>) -> TokenStream {
    let is_generic = has_parameters(container);
    if is_generic || trees.is_empty() || trees.iter().cloned().any(says_self) {
        return q!(&[#(#trees),*]);
    }
    let (len, trees) = (number(trees.len()), trees.into_iter().map(with_statics));
    q!({
        static __TREES: [__p::Tree; #len] = [#(#trees),*];
        &__TREES
    })
}

/// Tokens without the lifetimes of the type.
fn with_statics(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Expr>(tokens.clone()) {
        Ok(mut expr) => {
            Statics.visit_expr_mut(&mut expr);
            q!(#expr)
        }
        Err(_) => tokens,
    }
}

fn has_parameters(container: &Container) -> bool {
    container.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

fn tree(entry: &Entry<'_>) -> TokenStream {
    let bytes = q!(__p::Tree::BYTES);
    let Entry::Value(field, _) = entry else { return bytes };
    match &field.content {
        Content::Coded(form, None) => {
            let form = located(form_or_own(form, field.presence()), &field.ty);
            let ty = super::named(field).unwrap_or_else(|| {
                let ty = &field.ty;
                q!(#ty)
            });
            q!(<#form as __p::As<#ty>>::TREE)
        }
        Content::Coded(form, Some(conversion)) => match &conversion.wire {
            Some(wire) => {
                let form = form_or_own(form, field.presence());
                q!(<#form as __p::As<#wire>>::TREE)
            }
            None => bytes,
        },
        _ => bytes,
    }
}

/// The constants of one part with their names; the value of a magic number has none.
fn named(container: &Container, entry: &Entry<'_>) -> Vec<(String, TokenStream)> {
    let magic = |magic: &Magic| match magic {
        Magic::Number { value, ty: None } => vec![(String::new(), q!(#value))],
        _ => Vec::new(),
    };
    let condition =
        |field: &Field| known::in_expressions(container, field.cond.iter().map(|condition| &condition.expr));
    match entry {
        Entry::Magic(value) => magic(value),
        Entry::Step(field, _, Step::Magic(value)) => [magic(value), condition(field)].concat(),
        Entry::Step(field, ..) => condition(field),
        Entry::Value(field, _) => known::in_expressions(container, notes::expressions(field)),
        Entry::Edge(_) => Vec::new(),
    }
}

/// The fields of other types in the expressions of one part.
fn members(container: &Container, entry: &Entry<'_>) -> Vec<(String, TokenStream)> {
    let Entry::Value(field, _) = entry else { return Vec::new() };
    let all = members::of(container, Some(field), notes::expressions(field));
    all.iter().map(|access| (access.text.clone(), access.known())).collect()
}

fn tags(pick: &Pick, ty: Option<&Type>) -> TokenStream {
    constants(&known::in_tags(pick, ty))
}

fn constants(named: &[(String, TokenStream)]) -> TokenStream {
    known_in(named, &[])
}

/// Constants, each with its name, and texts that stand for others.
fn known_in(named: &[(String, TokenStream)], texts: &[(String, TokenStream)]) -> TokenStream {
    if named.is_empty() && texts.is_empty() {
        return q!(&[]);
    }
    let each = named.iter().map(|(name, value)| {
        // a constant without a value is reported where it stands
        let at = Span::mixed_site().located_at(value.span());
        quote_spanned!(at=> (#name, __p::Constant(&#value, __p::NoLiteral).value()))
    });
    let texts = texts.iter().map(|(text, value)| q!((#text, #value)));
    q!(const { &[#(#each,)* #(#texts),*] })
}
