//! The impls of a type that another one is on the wire for: what that one does, and a function beside it; or calls of a module.

use super::decode::raised;
use super::{Emit, block, bound_ctx, ctx_of, defaults, keeps_size};
use crate::bounds::{self, Trait};
use crate::model::codec::Codec;
use crate::model::field::{Conversion, Order};
use crate::model::mapped::{By, Mapped};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::{Expr, Type};

/// Everything that the derive adds to the user's crate.
pub(crate) fn impls(mapped: &Mapped) -> TokenStream {
    let (layout, decode, encode) = match &mapped.by {
        By::Type { conversion, wire } => {
            (layout(mapped, wire), decode(mapped, conversion, wire), encode(mapped, conversion, wire))
        }
        By::Module { decode, encode, size } => by_module(mapped, decode, encode, size.as_ref()),
    };
    let reading = defaults::decode(&mapped.ident, &mapped.ctx, &bounds::mapped(mapped, Trait::Decode));
    let writing = defaults::encode(&mapped.ident, &mapped.ctx, &bounds::mapped(mapped, Trait::Encode));
    block(&mapped.krate, &q!(#layout #decode #encode #reading #writing))
}

/// The impls that call the functions of a module.
fn by_module(
    mapped: &Mapped,
    decode: &Codec,
    encode: &Codec,
    size: Option<&Expr>,
) -> (TokenStream, TokenStream, TokenStream) {
    let [layout, reading, writing] =
        [Trait::Layout, Trait::Decode, Trait::Encode].map(|of| bounds::mapped(mapped, of));
    let (name, order, ctx, bind) =
        (&mapped.ident, order(mapped), ctx_of(&mapped.ctx), bound_ctx(&mapped.ctx));
    let params: Vec<_> = mapped.ctx.iter().map(|param| &param.name).collect();
    let facts = match size {
        Some(size) => q!(__p::Facts::range(#size, #size, #size)),
        None => q!(__p::Facts::range(0, 0, __p::OPEN)),
    };
    let limits = size.map(|size| (size.clone(), size.clone()));
    let (from, keeps) = keeps_size(limits.as_ref(), &q!(__src.pos()));
    let call = decode.call(&order, &q!(__S), &q!(__src #(, #params)*));
    let (args, wheres, generics) = (layout.args, layout.wheres, layout.params);
    let layout = q! {
        #[automatically_derived]
        impl #generics __p::Layout for #name #args #wheres {
            const FACTS: __p::Facts<Self> = #facts;
        }
    };
    let (args, wheres, generics) = (reading.args, reading.wheres, reading.params);
    let decode = q! {
        #[automatically_derived]
        impl #generics __p::Decode<'__de, #ctx> for #name #args #wheres {
            fn decode<__O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S, __ctx: #ctx) -> __p::Result<Self> {
                #bind
                #from
                #call #keeps
            }
        }
    };
    let (from, keeps) = keeps_size(limits.as_ref(), &q!(__out.pos()));
    let call = encode.call(&order, &q!(__W), &q!(self, __out #(, #params)*));
    let (args, wheres, generics) = (writing.args, writing.wheres, writing.params);
    let encode = q! {
        #[automatically_derived]
        impl #generics __p::Encode<#ctx> for #name #args #wheres {
            fn encode<__O: __p::Order, __W: __p::Sink>(&self, __out: &mut __W, __ctx: #ctx) -> __p::Result<()> {
                #bind
                #from
                #call #keeps
            }
        }
    };
    (layout, decode, encode)
}

/// The order of what is inside.
fn order(mapped: &Mapped) -> TokenStream {
    match mapped.order {
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        Order::Inherit | Order::Chosen(_) => q!(__O),
    }
}

fn layout(mapped: &Mapped, wire: &Type) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Layout);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, order) = (&mapped.ident, order(mapped));
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

fn decode(mapped: &Mapped, conversion: &Conversion, wire: &Type) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Decode);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, order, ctx) = (&mapped.ident, order(mapped), ctx_of(&mapped.ctx));
    let function = Emit::function(&conversion.decode);
    let made = match conversion.fallible {
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

fn encode(mapped: &Mapped, conversion: &Conversion, wire: &Type) -> TokenStream {
    let header = bounds::mapped(mapped, Trait::Encode);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, order, ctx) = (&mapped.ident, order(mapped), ctx_of(&mapped.ctx));
    let function = Emit::function(&conversion.encode);
    let done = match conversion.fallible {
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
