//! `untagged`: the variants are tried in their order, and what one has written is shown to those before it.

use super::form::number;
use super::{again_ctx, bind_ctx, ctx_type, decode, sum};
use crate::model::{Body, Container, Tag, Variant};
use crate::paths::q;
use proc_macro2::TokenStream;
use syn::visit_mut::VisitMut as _;
use syn::{GenericParam, Lifetime, parse_quote};

/// The function that tries the variants.
pub(super) fn tries(
    container: &Container,
    (params, args, wheres): (&TokenStream, &TokenStream, &TokenStream),
) -> TokenStream {
    let Body::Enum { tag: Tag::Untagged, variants } = &container.body else { return TokenStream::new() };
    let (name, ctx, bind) = (&container.ident, ctx_type(container), bind_ctx(container));
    let inline = super::inline(container);
    let (order, before_tag) = (q!(__O), sum::begin_before_tag(variants));
    let hold = before_tag.then(|| q!(let __held_tag = __src.hold();));
    let release = before_tag.then(|| q!(__src.release(__held_tag);));
    let front = decode::front(container, &order);
    let tries = variants.iter().enumerate().map(|(k, variant)| {
        let body = decode::variant_body(variant, k, &order, &q!(__at), &TokenStream::new(), false);
        let shown = &variant.name;
        q! {
            let __value = __p::tried(__src, __tries, #shown, |__src: &mut __S| -> __p::Result<Self> { #body })?;
            if __value.is_some() {
                #release
                return __p::Ok(__value);
            }
        }
    });
    q! {
        #[automatically_derived]
        impl #params __p::Untagged<'__de, #ctx> for #name #args #wheres {
            #inline
            fn first<__O: __p::Order, __S: __p::Source<'__de>>(
                __src: &mut __S,
                __ctx: #ctx,
                __tries: &mut __p::Tries,
            ) -> __p::Result<__p::core::option::Option<Self>> {
                #bind
                let __at = __src.pos();
                #hold
                #front
                #(#tries)*
                __p::Ok(__p::core::option::Option::None)
            }
        }
    }
}

/// The body of `decode`.
pub(super) fn decode(container: &Container, order: &TokenStream) -> TokenStream {
    let (name, ctx, again) = (&container.name, ctx_type(container), again_ctx(container));
    q! {
        let __at = __src.pos();
        let mut __tries = __p::Tries::all();
        match <Self as __p::Untagged<'__de, #ctx>>::first::<#order, __S>(__src, #again, &mut __tries) {
            __p::Ok(__p::core::option::Option::Some(__value)) => __p::Ok(__value),
            __p::Ok(__p::core::option::Option::None) => __p::Err(__tries.none(#name, __at)),
            __p::Err(__e) => __p::Err(__e),
        }
    }
}

/// The type with this for every lifetime.
fn own(container: &Container, lifetime: &Lifetime) -> TokenStream {
    let (name, (_, args, _)) = (&container.ident, container.generics.split_for_impl());
    let mut ty: syn::Type = parse_quote!(#name #args);
    Lent(lifetime.clone()).visit_type_mut(&mut ty);
    q!(#ty)
}

struct Lent(Lifetime);

impl syn::visit_mut::VisitMut for Lent {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        lifetime.clone_from(&self.0);
    }
}

/// What writing asks of type parameters besides: that variants can be read.
pub(super) fn with_reading(container: &Container, wheres: TokenStream) -> TokenStream {
    let is_type = |param: &GenericParam| matches!(param, GenericParam::Type(_));
    match &container.body {
        Body::Enum { tag: Tag::Untagged, variants }
            if variants.len() > 1 && container.generics.params.iter().any(is_type) =>
        {
            let (lifetime, ctx) = (parse_quote!('__read), ctx_type(container));
            let own = own(container, &lifetime);
            super::with_bound(&q!(for<'__read> #own: __p::Untagged<'__read, #ctx>), &wheres)
        }
        _ => wheres,
    }
}

/// What writes a variant, and has those before it read what it has written.
pub(super) fn compared(
    container: &Container,
    (tag, variant, k): (&Tag, &Variant, usize),
    order: &TokenStream,
    body: TokenStream,
) -> TokenStream {
    if !matches!(tag, Tag::Untagged) || k == 0 {
        return body;
    }
    let (ctx, again) = (ctx_type(container), again_ctx(container));
    let own = own(container, &parse_quote!('_));
    let (name, shown, k) = (&container.name, &variant.name, number(k));
    q! {
        let __untagged_at = __out.pos();
        if let __p::Err(__e) = { #body } {
            return __p::Err(__e);
        }
        __p::is_none_before(
            __out,
            __untagged_at,
            #k,
            (#name, #shown),
            |__src: &mut __p::Slice<'_>, __tries: &mut __p::Tries| {
                <#own as __p::Untagged<'_, #ctx>>::first::<#order, _>(__src, #again, __tries).map(|__v| __v.is_some())
            },
        )
    }
}
