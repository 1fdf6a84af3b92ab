//! Contexts that are left out: `ctx(a: u8, b: u8 = 2)` is one impl for both, and one for `a` alone.

use super::ctx_of;
use crate::attr::Param;
use crate::bounds::Header;
use crate::paths::{local, q};
use proc_macro2::{Ident, TokenStream};

/// Each shorter context, with what brings the whole one out of it.
fn shorter(ctx: &[Param]) -> impl Iterator<Item = (TokenStream, TokenStream)> {
    let first = ctx.iter().position(|param| param.default.is_some()).unwrap_or(ctx.len());
    (first..ctx.len()).map(move |n| {
        let (given, left) = ctx.split_at(n);
        let names: Vec<Ident> = (0..n).map(|i| local(&format!("__c{i}"))).collect();
        let defaults = left.iter().filter_map(|param| param.default.as_ref());
        let bind = match &names[..] {
            [] => TokenStream::new(),
            [one] => q!(let #one = __ctx;),
            many => q!(let (#(#many),*) = __ctx;),
        };
        let whole: Vec<TokenStream> =
            names.iter().map(|name| q!(#name)).chain(defaults.map(|value| q!(#value))).collect();
        let whole = match &whole[..] {
            [one] => q!(#one),
            many => q!((#(#many),*)),
        };
        let all = ctx_of(ctx);
        (ctx_of(given), q!(#bind let __ctx: #all = #whole;))
    })
}

/// The impls that read without what has a default.
pub(super) fn decode(name: &Ident, ctx: &[Param], header: &Header) -> TokenStream {
    let (Header { params, args, wheres }, all) = (header, ctx_of(ctx));
    let each = shorter(ctx).map(|(given, whole)| {
        q! {
            #[automatically_derived]
            impl #params __p::Decode<'__de, #given> for #name #args #wheres {
                #[inline]
                fn decode<__O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S, __ctx: #given) -> __p::Result<Self> {
                    #whole
                    <Self as __p::Decode<'__de, #all>>::decode::<__O, __S>(__src, __ctx)
                }
            }
        }
    });
    each.collect()
}

/// The impls that write without it.
pub(super) fn encode(name: &Ident, ctx: &[Param], header: &Header) -> TokenStream {
    let (Header { params, args, wheres }, all) = (header, ctx_of(ctx));
    let each = shorter(ctx).map(|(given, whole)| {
        q! {
            #[automatically_derived]
            impl #params __p::Encode<#given> for #name #args #wheres {
                #[inline]
                fn encode<__O: __p::Order, __W: __p::Sink>(&self, __out: &mut __W, __ctx: #given) -> __p::Result<()> {
                    #whole
                    <Self as __p::Encode<#all>>::encode::<__O, __W>(self, __out, __ctx)
                }
            }
        }
    });
    each.collect()
}
