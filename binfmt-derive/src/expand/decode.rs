//! `impl Decode`: one call for each part, in wire order.

use super::form::{self, context_type, form_of, form_or_own, number};
use super::walk::{Call, walk};
use super::{
    Emit, Entry, bind_ctx, ctx_type, defaults, entries, length, offset, run, shared_flag, sum, untagged,
};
use crate::attr::{AssertMessage, AssertWord};
use crate::bounds::{self, Trait};
use crate::model::field::{Content, Conversion, Field, Form, Magic, Order, Step};
use crate::model::{Body, Container, Fields, Pick, Tag, Variant, front_pattern, types};
use crate::names;
use crate::paths::{local, q};
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;

/// The impl.
pub(super) fn expand(container: &Container, checks: &TokenStream) -> TokenStream {
    let header = bounds::header(container, Trait::Decode);
    let shorter = defaults::decode(&container.ident, &container.ctx, &header);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, ctx, bind) = (&container.ident, ctx_type(container), bind_ctx(container));
    let inline = super::inline(container);
    let body = super::for_each_order(container, |order| {
        checked(container, limited(container, noting(container, body(container, order))))
    });
    // rustc knows the values of constants: it says where a variant's tag is that of an earlier variant
    let twice = match &container.body {
        Body::Enum { .. } => q!(#[deny(unreachable_patterns)]),
        Body::Struct(_) => TokenStream::new(),
    };
    let (of, function, outer) = match &container.process {
        None => (q!(__p::Decode), q!(decode), TokenStream::new()),
        Some((function, _)) => {
            let function = form::processing(function);
            // from the memory that the function gives, and so of any lifetime
            let wheres = super::with_bound(&q!(Self: for<'__p> __p::Inside<'__p, #ctx>), &wheres);
            let outer = q! {
                #[automatically_derived]
                impl #params __p::Decode<'__de, #ctx> for #name #args #wheres {
                    fn decode<__O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S, __ctx: #ctx) -> __p::Result<Self> {
                        #bind
                        __p::decode_whole::<__O, __S, Self, #ctx>(__src, __ctx, #function)
                    }
                }
            };
            (q!(__p::Inside), q!(read_inside), outer)
        }
    };
    let untagged = untagged::tries(container, (&params, &args, &wheres));
    q! {
        #outer
        #shorter
        #untagged
        #[automatically_derived]
        impl #params #of<'__de, #ctx> for #name #args #wheres {
            #inline
            #twice
            fn #function<__O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S, __ctx: #ctx) -> __p::Result<Self> {
                #checks
                #bind
                #body
            }
        }
    }
}

/// `assert` on an enum: a rule about the value, which is called `self`.
fn checked(container: &Container, body: TokenStream) -> TokenStream {
    let Body::Enum { .. } = container.body else { return body };
    if container.asserts.is_empty() {
        return body;
    }
    let asserts = of_whole(container, &q!(__start_at));
    q! {
        let __start_at = __src.pos();
        let __value: Self = { #body }?;
        let __this = &__value;
        #asserts
        __p::Ok(__value)
    }
}

/// The assertions of an enum, about `__this`.
pub(super) fn of_whole(container: &Container, at: &TokenStream) -> TokenStream {
    let fields = Fields { all: Vec::new(), wire: Vec::new(), tagged: false, in_run: false };
    let emit = Emit {
        fields: &fields,
        parts: TokenStream::new(),
        order: TokenStream::new(),
        encode: false,
        filled: Vec::new(),
    };
    names::without_self(asserts(&emit, &container.asserts, 0, at, None), &local("__this"))
}

/// `max_depth`: the limit holds for this value and what is inside it.
fn limited(container: &Container, body: TokenStream) -> TokenStream {
    let Some(depth) = &container.max_depth else { return body };
    q! {
        let __saved = __src.limit_depth(#depth);
        let __value = { #body };
        __src.restore_depth(__saved);
        __value
    }
}

/// `gaps`: the source notes what it reads as long as this value is read.
fn noting(container: &Container, body: TokenStream) -> TokenStream {
    match &container.body {
        Body::Struct(fields) if fields.all.iter().any(Field::keeps_gaps) => {
            q!(__p::noting(__src, |__src: &mut __S| { #body }))
        }
        _ => body,
    }
}

fn body(container: &Container, order: TokenStream) -> TokenStream {
    match &container.body {
        Body::Struct(fields) => {
            let emit = Emit { fields, parts: q!(__parts), order, encode: false, filled: Vec::new() };
            let all = fields.wire.len();
            let at = match container.asserts.is_empty() {
                true => TokenStream::new(),
                false => q!(let __start_at = __src.pos();),
            };
            let start = super::start(fields, &q!(__src.pos()));
            let steps = steps(&emit, container.magic.as_ref());
            let (kept, sums) = (length::kept(&emit), sum::kept(&emit));
            let places = offset::compared(&emit);
            let asserts = asserts(&emit, &container.asserts, all, &q!(__start_at), None);
            let value = build(fields);
            let parts = struct_parts(container, fields);
            q! {
                #parts
                #at
                #start
                #steps
                #sums
                #kept
                #places
                #asserts
                __p::Ok(Self #value)
            }
        }
        Body::Enum { tag: Tag::Front { ty, bits, order: own, peek }, variants } => {
            let tag_order = match own {
                Order::Le => q!(__p::Le),
                Order::Be => q!(__p::Be),
                _ => order.clone(),
            };
            let arms = arms(container, variants, &order, Some(&ty.ty), &q!(__tag));
            let value = ty.form.as_ref().map(|_| q!(.value));
            let value = if *peek { q!(.value #value) } else { q!(#value) };
            let (form, ty) = form::tag(ty, bits.as_ref(), *peek);
            let (run, ctx) = form::tag_context(bits.as_ref());
            let name = &container.name;
            let rest = match variants.iter().any(|variant| variant.pick.is_rest()) {
                true => TokenStream::new(),
                false => q! {
                    _ => __p::Err(__p::unknown_tag(__at, __tag, #name)),
                },
            };
            let hold = sum::begin_before_tag(variants).then(|| q!(let __held_tag = __src.hold();));
            let front = front(container, &order);
            q! {
                #hold
                #front
                let __at = __src.pos();
                #run
                let __tag = __p::tag::<#tag_order, __S, #form, #ty, _>(__src, #ctx)? #value;
                match __tag { #arms #rest }
            }
        }
        Body::Enum { tag: Tag::From(expr), variants } => {
            let (subject, kept) = subject(container, expr);
            let arms = arms(container, variants, &order, None, &kept);
            let name = &container.name;
            let rest = match variants.iter().any(|variant| variant.pick.is_rest()) {
                true => TokenStream::new(),
                false => q! {
                    _ => __p::Err(__p::no_variant(__src.pos(), #name, &(#expr))),
                },
            };
            let hold = sum::begin_before_tag(variants).then(|| q!(let __held_tag = __src.hold();));
            let front = front(container, &order);
            q!(#hold #front match #subject { #arms #rest })
        }
        Body::Enum { tag: Tag::Untagged, .. } => untagged::decode(container, &order),
    }
}

/// What the tags of an enum are compared with where the tag is elsewhere, and what a variant keeps of it. Byte strings are
/// compared with bytes and with references to them.
pub(super) fn subject(container: &Container, expr: &syn::Expr) -> (TokenStream, TokenStream) {
    let clone = q!(__p::core::clone::Clone::clone(&(#expr)));
    if !container.has_byte_tags() {
        return (q!(#expr), clone);
    }
    let bytes = q!(__p::tag_bytes(&(#expr)));
    let kept = if container.keeps_bytes() { q!(*#bytes) } else { clone };
    (if container.has_array_tags() { q!(#expr) } else { bytes }, kept)
}

/// The magic of an enum, before its tag.
pub(super) fn front(container: &Container, order: &TokenStream) -> TokenStream {
    let Some(magic) = &container.magic else { return TokenStream::new() };
    let fields = Fields { all: Vec::new(), wire: Vec::new(), tagged: false, in_run: false };
    let parts = q!(<Self as __p::Layout>::PARTS);
    let emit = Emit { fields: &fields, parts, order: order.clone(), encode: false, filled: Vec::new() };
    let step = magic_step(&emit, magic, &number(0));
    q!(let __front = __src.pos(); #step)
}

/// The list of parts under its short name.
pub(super) fn struct_parts(container: &Container, fields: &Fields) -> TokenStream {
    match entries(container.magic.as_ref(), fields).iter().any(Entry::has_part) {
        true => q!(let __parts = <Self as __p::Layout>::PARTS;),
        false => TokenStream::new(),
    }
}

/// One arm for each variant; `other` comes last, wherever it was declared.
fn arms(
    container: &Container,
    variants: &[Variant],
    order: &TokenStream,
    tag: Option<&syn::Type>,
    kept: &TokenStream,
) -> TokenStream {
    let (mut named, mut other) = (TokenStream::new(), TokenStream::new());
    let start = match (&container.magic, tag) {
        (Some(_), _) => q!(__front),
        (None, Some(_)) => q!(__at),
        (None, None) => q!(__src.pos()),
    };
    let before_tag = sum::begin_before_tag(variants);
    for (k, variant) in variants.iter().enumerate() {
        let body = variant_body(variant, k, order, &start, kept, before_tag);
        let body = super::apart(variants, body, &q!(Self), (&q!(__src), &q!(__S)));
        let arm = match &variant.pick {
            Pick::Value(_) | Pick::Pattern(_) => {
                let pattern = variant.pattern(container.has_array_tags());
                q!(#pattern => { #body })
            }
            Pick::Discriminant(value) => {
                let value = tag.map(|ty| value.value(ty));
                q!(__t if __t == const { #value } => { #body })
            }
            Pick::Other | Pick::Rest(_) => {
                // where it stands in the source, rustc says when no tag is left
                let any = syn::Token![_](variant.words.span("other").unwrap_or(variant.ident.span()));
                let written = match &variant.pick {
                    Pick::Rest(value) => Some(front_pattern(quote::quote!(#value |))),
                    _ => None,
                };
                if tag.is_some() { quote::quote!(#written #any => { #body }) } else { q!(_ => { #body }) }
            }
        };
        match &variant.pick {
            pick if pick.is_rest() => other.extend(arm),
            _ => named.extend(arm),
        }
    }
    q!(#named #other)
}

pub(super) fn variant_body(
    variant: &Variant,
    k: usize,
    order: &TokenStream,
    start: &TokenStream,
    kept: &TokenStream,
    before_tag: bool,
) -> TokenStream {
    let (name, shown, k) = (&variant.ident, &variant.name, number(k));
    let fields = &variant.fields;
    let emit = Emit {
        fields,
        parts: q!(__parts),
        order: variant.order_in(order),
        encode: false,
        filled: Vec::new(),
    };
    let has_parts = entries(variant.magic.as_ref(), fields).iter().any(Entry::has_part);
    let parts = match has_parts {
        true => q!(let __parts = const { <Self as __p::Layout>::VARIANTS[#k].parts() };),
        false => TokenStream::new(),
    };
    let keep = variant.tag_field().map(|field| {
        let (value, ty) = (&field.local, &field.ty);
        q!(let #value: #ty = #kept;)
    });
    let begin = super::start(fields, start);
    let edge = sum::start_of_variant(variant, start);
    let steps = steps(&emit, variant.magic.as_ref());
    let (kept, places, value) = (length::kept(&emit), offset::compared(&emit), build(fields));
    let at = (!variant.asserts.is_empty()).then(|| q!(let __start_at = #start;));
    let asserts = asserts(&emit, &variant.asserts, fields.wire.len(), &q!(__start_at), None);
    let sums = sum::kept(&emit);
    let release = before_tag.then(|| q!(__src.release(__held_tag);));
    q! {
        #parts
        #keep
        #at
        __p::chosen(__src, #shown);
        #edge
        #begin
        #steps
        #sums
        #kept
        #places
        #asserts
        #release
        __p::Ok(Self::#name #value)
    }
}

/// `{ a: __f0, .. }`: the braces work for tuple and unit structs too.
pub(super) fn build(fields: &Fields) -> TokenStream {
    let list = fields.all.iter().map(|field| {
        let (member, value) = (&field.member, &field.local);
        match field.content {
            Content::Nothing => q!(#member: ()),
            _ if field.hidden => q!(#member: ()),
            _ => q!(#member: #value),
        }
    });
    q!({ #(#list),* })
}

fn steps(emit: &Emit<'_>, magic: Option<&Magic>) -> TokenStream {
    walk(emit, magic, |call, i| match call {
        Call::Run(run) => run::decode(&run, &emit.order, &emit.parts, &q!(#i)),
        Call::Magic(magic) => magic_step(emit, magic, i),
        Call::Step(step) => wire_step(emit, step, i),
        Call::Value(field, place) => value(emit, field, place, i),
        Call::Edge(edge) => sum::read(emit, edge),
    })
}

fn magic_step(emit: &Emit<'_>, magic: &Magic, i: &impl quote::ToTokens) -> TokenStream {
    let (parts, order) = (&emit.parts, &emit.order);
    match magic {
        Magic::Bytes { array, len } => {
            let len = number(*len);
            q!(__p::magic_bytes::<__S, #len>(__src, #parts, #i, #array)?;)
        }
        Magic::Number { value, ty } => {
            let ty = ty.as_ref().map_or_else(|| q!(_), |ty| q!(#ty));
            q!(__p::magic_num::<#order, __S, #ty>(__src, #parts, #i, #value)?;)
        }
    }
}

fn wire_step(emit: &Emit<'_>, step: &Step, i: &impl quote::ToTokens) -> TokenStream {
    let parts = &emit.parts;
    match step {
        Step::Magic(magic) => magic_step(emit, magic, i),
        Step::Pad { count, fill, strict } => {
            q!(__p::pad(__src, #parts, #i, #count, #fill, #strict)?;)
        }
        Step::Align { to, fill, strict } => {
            q!(__p::align(__src, #parts, #i, __start, #to, #fill, #strict)?;)
        }
    }
}

fn value(emit: &Emit<'_>, field: &Field, place: usize, i: &impl quote::ToTokens) -> TokenStream {
    let (local, ty, parts) = (&field.local, &field.ty, &emit.parts);
    if field.is_tag {
        return TokenStream::new();
    }
    let call = match &field.content {
        Content::Nothing => return TokenStream::new(),
        Content::Skipped(default) => {
            let default = match default {
                Some(default) => emit.scoped(default, place),
                None => q!(<#ty as __p::core::default::Default>::default()),
            };
            return q!(let #local: #ty = #default;);
        }
        Content::Coded(form, conversion) => coded(emit, field, place, i, form, conversion.as_ref()),
        Content::With { decode, order, limits, .. } => {
            let (order, args) = (emit.order_of(order), emit.more_args(field, place));
            let (from, keeps) = super::keeps_size(limits.as_ref(), &q!(__src.pos()));
            let at = Span::mixed_site().located_at(decode.span());
            let decode = decode.call(&order, &q!(__S), &quote_spanned!(at=> __src #args));
            quote_spanned! {at=>
                {
                    __p::open(__src, #parts, #i);
                    #from
                    let __v = __p::by_codec(#decode #keeps, #parts, #i)?;
                    __p::Hooks::close(__src);
                    __v
                }
            }
        }
    };
    let typed = match &field.content {
        Content::With { .. } => q!(: #ty),
        _ if super::is_named(field) => q!(: #ty),
        _ => TokenStream::new(),
    };
    let checked = !field.asserts.is_empty()
        || field.range.is_some()
        || field.hidden
        || field.measured
        || field.sum.is_some();
    let at = local_at(field);
    let noted = offset::noted(emit, field);
    // where a run begins: all of it is read with its first field
    let pos = match field.bits().filter(|bits| bits.before > 0) {
        Some(bits) => {
            let bytes = Literal::u64_unsuffixed(bits.bytes.into());
            q!(__src.pos().wrapping_sub(#bytes))
        }
        None => q!(__src.pos()),
    };
    let before = if checked { q!(#noted let #at = #pos;) } else { noted };
    let after = asserts(emit, &field.asserts, place + 1, &q!(#at), Some(&field.name));
    let range = super::range(emit, field, place, &q!(#at), &q!(&#local));
    let len = field.measured.then(|| {
        let len = length::measured_len(field);
        q!(let #len = __p::taken_from(#at, __src.pos());)
    });
    q! {
        #before
        let #local #typed = #call;
        #len
        #range
        #after
    }
}

/// The local that holds where a field begins.
pub(super) fn local_at(field: &Field) -> syn::Ident {
    local(&format!("__at{}", field.local))
}

fn coded(
    emit: &Emit<'_>,
    field: &Field,
    place: usize,
    i: &impl quote::ToTokens,
    form: &Form,
    conversion: Option<&Conversion>,
) -> TokenStream {
    let (ty, parts, order) = (&field.ty, &emit.parts, &emit.order);
    let flag = shared_flag(field).map(|flag| q!(#flag));
    let ctx = emit.context(field, form, place, flag);
    let ctx_ty = context_type(field, form);
    let presence = field.presence();
    if let Some(conversion) = conversion {
        let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
        let tokens = form_or_own(form, presence);
        let function = Emit::function(&conversion.decode);
        let call = match conversion.fallible {
            false => {
                q!(__p::map::<#order, __S, #tokens, #wire, #ty, #ctx_ty, _>(__src, #parts, #i, #ctx, #function)?)
            }
            true => {
                let raised = raised();
                q!(__p::try_map::<#order, __S, #tokens, #wire, #ty, #ctx_ty, _, _, _>(__src, #parts, #i, #ctx, #function, #raised)?)
            }
        };
        return emit.around(form, Some(&conversion.decode), place, call);
    }
    let named = super::named(field);
    let held = named.clone().unwrap_or_else(|| q!(#ty));
    let value = match form_of(form, presence) {
        None => q!(__p::own::<#order, __S, #held, #ctx_ty>(__src, #parts, #i, #ctx)),
        Some(form) => q!(__p::field::<#order, __S, #form, #held, #ctx_ty>(__src, #parts, #i, #ctx)),
    };
    // spelled out, as in `run`
    let value = q!(match #value { __p::Ok(__v) => __v, __p::Err(__e) => return __p::Err(__e) });
    let value = emit.around(form, None, place, value);
    if named.is_some() { q!(__p::taken(#value)) } else { value }
}

/// The checks, in the order written.
pub(super) fn asserts(
    emit: &Emit<'_>,
    asserts: &[AssertWord],
    place: usize,
    at: &TokenStream,
    name: Option<&str>,
) -> TokenStream {
    let name = match name {
        Some(name) => q!(__p::core::option::Option::Some(#name)),
        None => q!(__p::core::option::Option::None),
    };
    let check = |assert: &AssertWord| {
        let condition = super::tries::raising(&assert.condition, name.clone(), at.clone());
        let condition = emit.flag(&condition, place);
        let error = failed(emit, assert, place, at);
        q! {
            if !#condition {
                return __p::Err(__p::named(#error, #name));
            }
        }
    };
    asserts.iter().map(check).collect()
}

/// The error of an assertion that does not hold.
fn failed(emit: &Emit<'_>, assert: &AssertWord, place: usize, at: &TokenStream) -> TokenStream {
    match &assert.said {
        AssertMessage::Nothing => {
            let text = types::source(&assert.condition);
            q!(__p::failed_assert(#at, #text))
        }
        AssertMessage::Text(text) => q!(__p::failed_assert(#at, #text)),
        AssertMessage::Format(text, arguments) => {
            let span = Span::mixed_site().located_at(text.span());
            let printed = quote_spanned!(span=> __p::core::format_args!(#text #(, #arguments)*));
            let text = emit.scoped(&quote_spanned!(span=> __p::told(#printed, #text)), place);
            q!(__p::failed_assert(#at, #text))
        }
        AssertMessage::Error(error) => {
            let span = Span::mixed_site().located_at(error.span());
            let error = emit.scoped(error, place);
            let at = q!(__p::core::option::Option::Some(#at));
            quote_spanned!(span=> { use __p::AsText as _; __p::Raised(#error).error(#at) })
        }
    }
}

/// What makes an error of one that a function of the user's returns.
pub(super) fn raised() -> TokenStream {
    q!(|__e, __at| {
        use __p::AsText as _;
        __p::Raised(__e).error(__at)
    })
}
