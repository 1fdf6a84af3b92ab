//! `impl Tagged`: the tag of a value of an enum, where a type that the macro sees is that of every tag. `impl WithMagic`: the same for
//! the magic of a type.

use super::form::number;
use crate::model::field::Magic;
use crate::model::{Body, Container, Pick, is_constant, types};
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, Ident, Lit, Type, parse_quote};

/// The impl; nothing of other types.
pub(super) fn expand(container: &Container) -> TokenStream {
    let (Body::Enum { variants, .. }, Some(ty)) = (&container.body, tag_type(container)) else {
        return TokenStream::new();
    };
    let mut arms = TokenStream::new();
    for variant in variants {
        let name = &variant.ident;
        arms.extend(match (&variant.pick, variant.tag_field()) {
            (Pick::Value(Expr::Lit(literal)) | Pick::Rest(Expr::Lit(literal)), _)
                if matches!(literal.lit, Lit::ByteStr(_)) =>
            {
                q!(Self::#name { .. } => *#literal,)
            }
            (Pick::Value(value) | Pick::Rest(value), None) if is_constant(value) => {
                q!(Self::#name { .. } => #value,)
            }
            (Pick::Discriminant(value), _) => {
                let value = value.value(ty);
                q!(Self::#name { .. } => const { #value },)
            }
            (_, Some(field)) => {
                let member = &field.member;
                q!(Self::#name { #member: __tag, .. } => __p::core::clone::Clone::clone(__tag),)
            }
            (_, None) => return untold(container, ty, name),
        });
    }
    let (name, (params, args, wheres)) = (&container.ident, container.generics.split_for_impl());
    q! {
        #[automatically_derived]
        impl #params __p::Tagged for #name #args #wheres {
            type Tag = #ty;
            #[inline]
            fn tag(&self) -> #ty {
                match self { #arms }
            }
        }
    }
}

/// A value that does not say which of several tags it had. The impl has a bound that nothing meets, at the variant: who calls
/// `tag` reads there what is missing.
fn untold(container: &Container, ty: &Type, variant: &Ident) -> TokenStream {
    let (name, generics) = (&container.ident, &container.generics);
    let at = Span::mixed_site().located_at(variant.span());
    let bound = quote_spanned!(at=> __p::EachVariantKeepsItsTag<'__never>);
    let mut generics = generics.clone();
    generics.make_where_clause().predicates.push(parse_quote!(for<'__never> Self: #bound));
    let (params, args, wheres) = generics.split_for_impl();
    q! {
        #[doc(hidden)]
        impl #params __p::Tagged for #name #args #wheres {
            type Tag = #ty;
            fn tag(&self) -> #ty {
                __p::core::unreachable!()
            }
        }
    }
}

/// `impl WithMagic`, of a magic whose type is plain to see.
pub(super) fn magic(container: &Container) -> TokenStream {
    let (ty, value) = match &container.magic {
        Some(Magic::Bytes { array, len }) => {
            let len = number(*len);
            (q!([__p::core::primitive::u8; #len]), q!(*#array))
        }
        Some(Magic::Number { value, ty: Some(ty) }) => (q!(#ty), q!(#value)),
        Some(Magic::Number { ty: None, .. }) | None => return TokenStream::new(),
    };
    let (name, (params, args, wheres)) = (&container.ident, container.generics.split_for_impl());
    q! {
        #[automatically_derived]
        impl #params __p::WithMagic for #name #args #wheres {
            type Magic = #ty;
            const MAGIC: #ty = #value;
        }
    }
}

/// The type of the tags, which a value gives: none that is lent, but for bytes, or that has no size.
fn tag_type(container: &Container) -> Option<&Type> {
    let held = match container.tag_type()? {
        Type::Reference(lent) if types::is_array(&lent.elem) => &lent.elem,
        ty => ty,
    };
    let is_held = !matches!(held, Type::Reference(_) | Type::Slice(_)) && !types::is_text(held);
    is_held.then_some(held)
}
