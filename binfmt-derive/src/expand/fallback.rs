//! Stub impls for an item whose attributes are wrong, so that rustc reports the mistake and nothing that would
//! follow from it.

use super::block;
use crate::model::types;
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, Path, Type, parse_quote};

/// Whether the last field has no size that is known when compiling: no impl helps such a type.
fn is_unsized(input: &DeriveInput) -> bool {
    let Data::Struct(body) = &input.data else { return false };
    let last = body.fields.iter().next_back();
    last.is_some_and(|field| {
        matches!(field.ty, Type::Slice(_) | Type::TraitObject(_)) || types::is_str(&field.ty)
    })
}

/// The three impls with empty facts and bodies that are never run, for any context.
pub(crate) fn stubs(input: &DeriveInput, krate: &Path) -> TokenStream {
    if is_unsized(input) {
        return TokenStream::new();
    }
    let name = &input.ident;
    let (params, args, wheres) = input.generics.split_for_impl();
    let mut any = input.generics.clone();
    any.params.push(parse_quote!(__C));
    let mut lent = any.clone();
    lent.params.insert(0, parse_quote!('__de));
    let (lent, any) = (lent.split_for_impl().0, any.split_for_impl().0);
    let items = q! {
        #[automatically_derived]
        impl #params __p::Layout for #name #args #wheres {
            const FACTS: __p::Facts<Self> = __p::Facts::range(0, 0, __p::OPEN);
        }
        #[automatically_derived]
        impl #lent __p::Decode<'__de, __C> for #name #args #wheres {
            fn decode<__O: __p::Order, __S: __p::Source<'__de>>(_: &mut __S, _: __C) -> __p::Result<Self> {
                __p::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #any __p::Encode<__C> for #name #args #wheres {
            fn encode<__O: __p::Order, __W: __p::Sink>(&self, _: &mut __W, _: __C) -> __p::Result<()> {
                __p::core::unreachable!()
            }
        }
    };
    block(krate, &items)
}
