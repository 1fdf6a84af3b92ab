//! `impl Encode`: the mirror image of `decode`, over references to the fields.

use super::decode::{asserts, of_whole, raised, struct_parts};
use super::form::{self, context_type, form_of, form_or_own, number};
use super::walk::{Call, walk};
use super::{
    Emit, Entry, again_ctx, bind_ctx, ctx_type, defaults, entries, filled, offset, peek, run, shared_flag,
    sum, untagged,
};
use crate::bounds::{self, Trait};
use crate::model::bits::Bits;
use crate::model::field::{Content, Conversion, Field, Form, Magic, Order, Step};
use crate::model::integer::Integer;
use crate::model::{Body, Container, Fields, Pick, Tag, Variant};
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// The impl.
pub(super) fn expand(container: &Container, checks: &TokenStream) -> TokenStream {
    let mut header = bounds::header(container, Trait::Encode);
    header.wheres = untagged::with_reading(container, header.wheres);
    let shorter = defaults::encode(&container.ident, &container.ctx, &header);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let (name, ctx, bind) = (&container.ident, ctx_type(container), bind_ctx(container));
    let inline = super::inline(container);
    let whole = sum::in_memory(container, &ctx);
    let (of, function, outer) = match &container.process {
        None => (q!(__p::Encode), q!(encode), TokenStream::new()),
        Some((_, function)) => {
            let function = form::processing(function);
            let outer = q! {
                #[automatically_derived]
                impl #params __p::Encode<#ctx> for #name #args #wheres {
                    fn encode<__O: __p::Order, __W: __p::Sink>(&self, __out: &mut __W, __ctx: #ctx) -> __p::Result<()> {
                        #bind
                        __p::encode_whole::<__O, __W, Self, #ctx>(self, __out, __ctx, #function)
                    }
                }
            };
            (q!(__p::WriteInside), q!(write_inside), outer)
        }
    };
    let context = again_ctx(container);
    let again = q! {
        |__out: &mut __p::Counter<true>| <Self as #of<#ctx>>::#function::<__O, _>(self, __out, #context)
    };
    let body = super::for_each_order(container, |order| body(container, order, &again));
    q! {
        #outer
        #shorter
        #[automatically_derived]
        impl #params #of<#ctx> for #name #args #wheres {
            #inline
            fn #function<__O: __p::Order, __W: __p::Sink>(&self, __out: &mut __W, __ctx: #ctx) -> __p::Result<()> {
                #checks
                #whole
                #bind
                #body
            }
        }
    }
}

fn body(container: &Container, order: TokenStream, again: &TokenStream) -> TokenStream {
    match &container.body {
        Body::Struct(fields) => {
            let emit = Emit { fields, parts: q!(__parts), order, encode: true, filled: Vec::new() };
            let (open, parts) = (opened(container, fields), struct_parts(container, fields));
            let body = filled::around(emit, &parts, again, |emit| {
                let asserts = asserts(emit, &container.asserts, fields.wire.len(), &q!(__out.pos()), None);
                let (start, floats) = (super::start(fields, &q!(__out.pos())), offset::all(fields));
                let (steps, sums) = (steps(emit, container.magic.as_ref()), sum::put(emit));
                let (places, peeked) = (offset::compared(emit), peek::fields(emit));
                q! {
                    #asserts
                    #start
                    #floats
                    #steps
                    #places
                    #sums
                    #peeked
                    __p::Ok(())
                }
            });
            q!(#open #body)
        }
        Body::Enum { tag, variants } => {
            let arms = variants.iter().enumerate().map(|(k, variant)| {
                let (name, open) = (&variant.ident, open(&variant.fields));
                let body = variant_body(container, tag, variants, k, (&order, again));
                let body = untagged::compared(container, (tag, variant, k), &order, body);
                let body = super::apart(variants, body, &q!(()), (&q!(__out), &q!(__W)));
                q!(Self::#name #open => { #body })
            });
            let asserts = of_whole(container, &q!(__out.pos()));
            let this = (!container.asserts.is_empty()).then(|| q!(let __this = self;));
            q!(#this #asserts match self { #(#arms)* })
        }
    }
}

/// The fields of a struct as references; those of a packed one are copied first.
fn opened(container: &Container, fields: &Fields) -> TokenStream {
    let open = open(fields);
    if !container.packed {
        return q!(let Self #open = self;);
    }
    let locals: Vec<_> = fields.all.iter().map(|field| &field.local).collect();
    q!(let Self #open = *self; #(let #locals = &#locals;)*)
}

/// `{ a: __f0, .. }`.
fn open(fields: &Fields) -> TokenStream {
    let list = fields.all.iter().map(|field| {
        let (member, value) = (&field.member, &field.local);
        q!(#member: #value)
    });
    q!({ #(#list),* })
}

fn variant_body(
    container: &Container,
    tag: &Tag,
    variants: &[Variant],
    k: usize,
    (order, again): (&TokenStream, &TokenStream),
) -> TokenStream {
    let (variant, k) = (&variants[k], number(k));
    let fields = &variant.fields;
    let emit =
        Emit { fields, parts: q!(__parts), order: variant.order_in(order), encode: true, filled: Vec::new() };
    let parts = match entries(variant.magic.as_ref(), fields).iter().any(Entry::has_part) {
        true => q!(let __parts = const { <Self as __p::Layout>::VARIANTS[#k].parts() };),
        false => TokenStream::new(),
    };
    let front = container.magic.as_ref().map(|magic| {
        let parts = q!(<Self as __p::Layout>::PARTS);
        let emit = Emit { fields, parts, order: order.clone(), encode: true, filled: Vec::new() };
        magic_step(&emit, magic, &number(0))
    });
    let (peeked_tag, tag_at) = peek::tag(container, tag, variants, variant, order);
    let tag = match tag {
        Tag::Front { peek: true, .. } => tag_at,
        Tag::Front { ty, bits, order: own, .. } => {
            put_tag(container, (ty, bits.as_ref()), own, variants, variant, order)
        }
        Tag::From(expr) => {
            let (subject, _) = super::decode::subject(container, expr);
            let agrees = agrees(container, None, &subject, variants, variant);
            let kept = keeps_tag(container, expr, variant);
            q!(#agrees #kept)
        }
        Tag::Untagged => TokenStream::new(),
    };
    filled::around(emit, &parts, again, |emit| {
        let (start, floats) = (super::start(fields, &q!(__out.pos())), offset::all(fields));
        let steps = steps(emit, variant.magic.as_ref());
        let asserts = asserts(emit, &variant.asserts, fields.wire.len(), &q!(__out.pos()), None);
        let (edge, sums) = (sum::start_of_variant(variant, &q!(__out.pos())), sum::put(emit));
        let (places, peeked) = (offset::compared(emit), peek::fields(emit));
        q! {
            #asserts
            #start
            #floats
            #edge
            #front
            #tag
            #steps
            #places
            #sums
            #peeked
            #peeked_tag
            __p::Ok(())
        }
    })
}

fn put_tag(
    container: &Container,
    (integer, bits): (&Integer, Option<&Bits>),
    own: &Order,
    variants: &[Variant],
    variant: &Variant,
    order: &TokenStream,
) -> TokenStream {
    let order = match own {
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        _ => order.clone(),
    };
    let ty = &integer.ty;
    let (check, value) = match &variant.pick {
        Pick::Value(syn::Expr::Lit(literal)) | Pick::Rest(syn::Expr::Lit(literal))
            if matches!(literal.lit, syn::Lit::ByteStr(_)) =>
        {
            (TokenStream::new(), q!(*#literal))
        }
        Pick::Value(value) | Pick::Rest(value) => (TokenStream::new(), q!(#value)),
        Pick::Discriminant(value) => {
            let value = value.value(ty);
            (TokenStream::new(), q!(const { #value }))
        }
        Pick::Pattern(_) | Pick::Other => match variant.tag_field() {
            Some(field) => {
                let kept = &field.local;
                (agrees(container, Some(ty), &q!(*#kept), variants, variant), q!(*#kept))
            }
            None => return TokenStream::new(),
        },
    };
    let (form, ty) = form::tag(integer, bits, false);
    let (run, ctx) = form::tag_context(bits);
    let value = if integer.form.is_some() { q!(<#ty>::new(#value)) } else { value };
    q! {
        #check
        #run
        __p::put_tag::<#order, __W, #form, #ty, _>(__out, &#value, #ctx)?;
    }
}

/// Refuses a kept tag that is not the one from elsewhere.
fn keeps_tag(container: &Container, expr: &syn::Expr, variant: &Variant) -> TokenStream {
    let Some(field) = variant.tag_field() else { return TokenStream::new() };
    let (owner, name, kept) = (&container.name, &variant.name, &field.local);
    let differs = match container.keeps_bytes() {
        true => q!(__p::tag_bytes(#kept) != __p::tag_bytes(&(#expr))),
        false => q!(*#kept != (#expr)),
    };
    q! {
        if #differs {
            return __p::Err(__p::tag_mismatch(__out.pos(), #owner, #name));
        }
    }
}

/// Refuses a value whose tag would be read back as another variant.
pub(super) fn agrees(
    container: &Container,
    ty: Option<&syn::Type>,
    subject: &TokenStream,
    variants: &[Variant],
    variant: &Variant,
) -> TokenStream {
    // the variants that are asked before this one when reading; one value alone is never another variant's
    let before = match &variant.pick {
        Pick::Value(_) | Pick::Rest(_) | Pick::Discriminant(_) => 0,
        Pick::Pattern(_) => variants.iter().position(|other| other.ident == variant.ident).unwrap_or(0),
        Pick::Other => variants.len(),
    };
    let is_array = container.has_array_tags();
    let patterns: Vec<_> =
        variants.iter().take(before).filter_map(|variant| variant.pattern(is_array)).collect();
    let own = variant.pattern(is_array).map(|own| q!(!__p::core::matches!(#subject, #own)));
    let matched = (!patterns.is_empty()).then(|| q!(__p::core::matches!(#subject, #(#patterns)|*)));
    let computed = variants.iter().take(before).filter_map(|variant| match (&variant.pick, ty) {
        (Pick::Discriminant(value), Some(ty)) => {
            let value = value.value(ty);
            Some(q!(#subject == const { #value }))
        }
        _ => None,
    });
    let wrong: Vec<_> = own.into_iter().chain(matched).chain(computed).collect();
    if wrong.is_empty() {
        return TokenStream::new();
    }
    let (owner, name) = (&container.name, &variant.name);
    q! {
        if #(#wrong)||* {
            return __p::Err(__p::tag_mismatch(__out.pos(), #owner, #name));
        }
    }
}

fn steps(emit: &Emit<'_>, magic: Option<&Magic>) -> TokenStream {
    walk(emit, magic, |call, i| match call {
        Call::Run(run) => run::encode(&run, &emit.order, &emit.parts, &q!(#i)),
        Call::Magic(magic) => magic_step(emit, magic, i),
        Call::Step(step) => wire_step(emit, step, i),
        Call::Value(field, place) => {
            let call = sum::placeholder(field, value(emit, field, place, i));
            let call = offset::placeholder(emit, field, call);
            filled::with_len(emit, field, place, call)
        }
        Call::Edge(edge) => sum::noted(edge, &q!(__out.pos())),
    })
}

fn magic_step(emit: &Emit<'_>, magic: &Magic, i: &impl ToTokens) -> TokenStream {
    let (parts, order) = (&emit.parts, &emit.order);
    match magic {
        Magic::Bytes { array, len } => {
            let len = number(*len);
            q!(__p::put_magic_bytes::<__W, #len>(__out, #parts, #i, #array)?;)
        }
        Magic::Number { value, ty } => {
            let ty = ty.as_ref().map_or_else(|| q!(_), |ty| q!(#ty));
            q!(__p::put_magic_num::<#order, __W, #ty>(__out, #parts, #i, #value)?;)
        }
    }
}

fn wire_step(emit: &Emit<'_>, step: &Step, i: &impl ToTokens) -> TokenStream {
    let parts = &emit.parts;
    match step {
        Step::Magic(magic) => magic_step(emit, magic, i),
        Step::Pad { count, fill, .. } => q!(__p::put_pad(__out, #parts, #i, #count, #fill)?;),
        Step::Align { to, fill, .. } => q!(__p::put_align(__out, #parts, #i, __start, #to, #fill)?;),
    }
}

fn value(emit: &Emit<'_>, field: &Field, place: usize, i: &impl ToTokens) -> TokenStream {
    let (local, parts) = (&field.local, &emit.parts);
    if field.is_tag {
        return TokenStream::new();
    }
    let call = match &field.content {
        Content::Nothing | Content::Skipped(_) => return TokenStream::new(),
        Content::Coded(form, _) if form.peek => peek::noted(field),
        Content::Coded(form, conversion) => coded(emit, field, place, i, form, conversion.as_ref()),
        Content::With { encode, order, limits, .. } => {
            let (order, args) = (emit.order_of(order), emit.more_args(field, place));
            let (from, keeps) = super::keeps_size(limits.as_ref(), &q!(__out.pos()));
            let at = Span::mixed_site().located_at(encode.span());
            let mut value = local.clone();
            value.set_span(at);
            let encode = encode.call(&order, &q!(__W), &quote_spanned!(at=> #value, __out #args));
            quote_spanned! {at=>
                #from
                __p::by_codec(#encode #keeps, #parts, #i)?;
            }
        }
    };
    let range = super::range(emit, field, place, &q!(__out.pos()), &q!(#local));
    let asserts = asserts(emit, &field.asserts, place + 1, &q!(__out.pos()), Some(&field.name));
    let tail = after_tail(emit, field, place);
    let noted = offset::noted(emit, field);
    q!(#tail #noted #range #asserts #call)
}

/// What comes after a value that is absent at the end is absent.
fn after_tail(emit: &Emit<'_>, field: &Field, place: usize) -> Option<TokenStream> {
    let before = emit.fields.on_wire().take(place).filter(|before| before.is_tail()).last()?;
    let (before, own, name) = (&before.local, &field.local, &field.name);
    field.is_tail().then(|| q!(__p::after_tail(#before.is_some(), #own.is_some(), __out.pos(), #name)?;))
}

fn coded(
    emit: &Emit<'_>,
    field: &Field,
    place: usize,
    i: &impl ToTokens,
    form: &Form,
    conversion: Option<&Conversion>,
) -> TokenStream {
    let (local, ty, parts, order) = (&field.local, &field.ty, &emit.parts, &emit.order);
    let flag = shared_flag(field).map(|flag| q!(#flag));
    let ctx = emit.context(field, form, place, flag);
    let ctx_ty = context_type(field, form);
    let presence = field.presence();
    if let Some(conversion) = conversion {
        let wire = conversion.wire.as_ref().map_or_else(|| q!(_), |wire| q!(#wire));
        let tokens = form_or_own(form, presence);
        let function = Emit::function(&conversion.encode);
        let call = match conversion.fallible {
            false => q! {
                __p::put_map::<#order, __W, #tokens, #wire, #ty, #ctx_ty, _>(__out, #parts, #i, #local, #ctx, #function)?;
            },
            true => {
                let raised = raised();
                q! {
                    __p::put_try_map::<#order, __W, #tokens, #wire, #ty, #ctx_ty, _, _, _>(__out, #parts, #i, #local, #ctx, #function, #raised)?;
                }
            }
        };
        return emit.around(form, Some(&conversion.encode), place, call);
    }
    let (held, value) = match super::named(field) {
        Some(held) => (held, q!(__p::given(#local))),
        None => (q!(#ty), q!(#local)),
    };
    let call = match form_of(form, presence) {
        None => q!(__p::put_own::<#order, __W, #held, #ctx_ty>(__out, #parts, #i, #value, #ctx)),
        Some(form) => q!(__p::put::<#order, __W, #form, #held, #ctx_ty>(__out, #parts, #i, #value, #ctx)),
    };
    // spelled out, as in `run`
    let call = q!(if let __p::Err(__e) = #call { return __p::Err(__e); });
    emit.around(form, None, place, call)
}
