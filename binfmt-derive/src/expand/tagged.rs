//! `impl Tagged`: the tag of a value of an enum, where a type that the macro sees is that of every tag. `impl WithMagic`: the same for
//! the magic of a type.

use super::form::number;
use crate::model::field::Magic;
use crate::model::{Body, Container, Pick, is_constant, types};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::{Expr, Lit, Type};

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
            // the value does not say which one it was
            (_, None) => return TokenStream::new(),
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
