//! The impls of a type that another one is on the wire for: what that one does, and a function beside it.

use super::decode::raised;
use super::{Emit, block, ctx_of};
use crate::bounds::{self, Trait};
use crate::model::field::Order;
use crate::model::mapped::Mapped;
use crate::paths::q;
use proc_macro2::TokenStream;

/// Everything that the derive adds to the user's crate.
pub(crate) fn impls(mapped: &Mapped) -> TokenStream {
    let (layout, decode, encode) = (layout(mapped), decode(mapped), encode(mapped));
    block(&mapped.krate, &q!(#layout #decode #encode))
}

/// The order of what is inside.
fn order(mapped: &Mapped) -> TokenStream {
    match mapped.order {
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        Order::Inherit | Order::Chosen(_) => q!(__O),
    }
}

fn layout(mapped: &Mapped) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Layout);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, wire, order) = (&mapped.ident, &mapped.wire, order(mapped));
    let own = (q!(<#wire as __p::Layout>::SHAPE), q!(<#wire as __p::Layout>::TREE));
    let around = q!(__p::Tree::around(Self::SHAPE, &<#wire as __p::Layout>::TREE));
    let (fixed, (shape, tree)) = match mapped.order {
        Order::Le => (q!(.fixed_order::<__p::Le>()), (q!(__p::ordered::<#wire, true>()), around)),
        Order::Be => (q!(.fixed_order::<__p::Be>()), (q!(__p::ordered::<#wire, false>()), around)),
        Order::Inherit | Order::Chosen(_) => (TokenStream::new(), own),
    };
    q! {
        #[automatically_derived]
        impl #params __p::Layout for #name #args #wheres {
            const FACTS: __p::Facts<Self> = __p::mapped_facts::<Self, #wire>() #fixed;
            const SHAPE: __p::Shape = #shape;
            const TREE: __p::Tree = #tree;
            const CTX: &'static [&'static str] = <#wire as __p::Layout>::CTX;
            const BLANK: bool = <#wire as __p::Layout>::BLANK;
            #[inline(always)]
            fn put_blank<__O: __p::Order, __W: __p::Sink>(__out: &mut __W) -> __p::Result<()> {
                <#wire as __p::Layout>::put_blank::<#order, __W>(__out)
            }
            #[inline(always)]
            fn pass_blank<'__de, __O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S) -> __p::Result<()> {
                <#wire as __p::Layout>::pass_blank::<#order, __S>(__src)
            }
        }
    }
}

fn decode(mapped: &Mapped) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Decode);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, wire, order, ctx) = (&mapped.ident, &mapped.wire, order(mapped), ctx_of(&mapped.ctx));
    let function = Emit::function(&mapped.conversion.decode);
    let made = match mapped.conversion.fallible {
        false => q!(__p::map_whole::<#order, __S, #wire, Self, #ctx, _>(__src, __ctx, #function)),
        true => {
            let raised = raised();
            q!(__p::try_map_whole::<#order, __S, #wire, Self, #ctx, _, _, _>(__src, __ctx, #function, #raised))
        }
    };
    q! {
        #[automatically_derived]
        impl #params __p::Decode<'__de, #ctx> for #name #args #wheres {
            #[inline]
            fn decode<__O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S, __ctx: #ctx) -> __p::Result<Self> {
                #made
            }
        }
    }
}

fn encode(mapped: &Mapped) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Encode);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, wire, order, ctx) = (&mapped.ident, &mapped.wire, order(mapped), ctx_of(&mapped.ctx));
    let function = Emit::function(&mapped.conversion.encode);
    let done = match mapped.conversion.fallible {
        false => q!(__p::put_map_whole::<#order, __W, #wire, Self, #ctx, _>(self, __out, __ctx, #function)),
        true => {
            let raised = raised();
            q!(__p::put_try_map_whole::<#order, __W, #wire, Self, #ctx, _, _, _>(self, __out, __ctx, #function, #raised))
        }
    };
    q! {
        #[automatically_derived]
        impl #params __p::Encode<#ctx> for #name #args #wheres {
            #[inline]
            fn encode<__O: __p::Order, __W: __p::Sink>(&self, __out: &mut __W, __ctx: #ctx) -> __p::Result<()> {
                #done
            }
        }
    }
}
