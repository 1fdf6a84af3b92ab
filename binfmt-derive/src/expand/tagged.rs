//! `impl Tagged`: the tag of a value of an enum, where a type that the macro sees is that of every tag. `impl WithMagic`: the same for
//! the magic of a type.

use super::form::number;
use crate::model::field::Magic;
use crate::model::{Body, Container, Pick, Tag, is_constant};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::{Expr, Lit, Type};

/// The impl; nothing of other types.
pub(super) fn expand(container: &Container) -> TokenStream {
    let (Body::Enum { variants, .. }, Some(ty)) = (&container.body, type_of(container)) else {
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

/// The type of the tag in front, or that of the parameter which is the tag.
fn type_of(container: &Container) -> Option<&Type> {
    match &container.body {
        Body::Enum { tag: Tag::Front { ty, .. }, .. } => Some(&ty.ty),
        Body::Enum { tag: Tag::From(Expr::Path(from)), .. } => {
            let param = container.ctx.iter().find(|param| from.path.is_ident(&param.name))?;
            (!matches!(param.ty, Type::Reference(_))).then_some(&param.ty)
        }
        _ => None,
    }
}
