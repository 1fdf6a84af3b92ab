//! From the model to tokens: one `const _` block with `Layout`, `Decode`, `Encode`, and what further words ask for.
//!
//! The idea: a struct is a list of entries in wire order, and each impl is one call of the runtime for each entry. What differs
//! between fields is a type (the wire form, see `form`), not code, so that the runtime has one function for all fields and the
//! combinations of words are rustc's matter. Both directions and the columns walk the same list; that is why they cannot
//! disagree. rustc checks every call that names types, and users pay for that in each build: so it is worth some trouble to emit
//! fewer calls, and none for what has its default (see `run`).

mod arithmetic;
mod checks;
#[cfg(feature = "columns")]
mod columns;
#[cfg(not(feature = "columns"))]
mod columns {
    //! Without the feature the word is refused, and nothing is made.
    pub(super) fn expand(_: &super::Container) -> (super::TokenStream, super::TokenStream) {
        Default::default()
    }
}
mod decode;
mod defaults;
mod described;
pub(crate) mod editor;
mod encode;
pub(crate) mod fallback;
mod filled;
mod form;
mod known;
mod layout;
mod length;
pub(crate) mod mapped;
mod members;
mod notes;
mod offset;
mod peek;
mod run;
mod sum;
mod tagged;
mod tree;
mod tries;
mod untagged;
pub(crate) mod unused;
mod walk;

use self::checks::Checks;
use crate::attr::{Origin, Param};
use crate::bounds;
use crate::model::computed::Filled;
use crate::model::field::{Content, Field, Magic, Order, Step};
use crate::model::sums::{self, Edge};
use crate::model::{Body, Container, Fields, Variant, types};
use crate::names;
use crate::paths::{local, q};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

/// Everything that the derive adds to the user's crate.
pub(crate) fn container(container: &Container) -> TokenStream {
    let layout = layout::expand(container);
    let Checks { items: checks, statements } = Checks::of(container);
    let decode = decode::expand(container, &statements);
    let encode = encode::expand(container, &statements);
    let (record, columns) = columns::expand(container);
    let (tagged, magic) = (tagged::expand(container), tagged::magic(container));
    let block = block(&container.krate, &q!(#layout #decode #encode #tagged #magic #checks #columns));
    q!(#record #block)
}

/// The block: nothing in it is visible outside, and lints about generated code stay quiet.
fn block(krate: &syn::Path, items: &TokenStream) -> TokenStream {
    q! {
        #[allow(unused, deprecated, clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::__private as __p;
            #items
        };
    }
}

/// What a struct or variant consists of, in wire order: values, and bytes beside them.
pub(crate) enum Entry<'a> {
    /// The container's magic.
    Magic(&'a Magic),
    /// Bytes beside a field, at this place on the wire.
    Step(&'a Field, usize, &'a Step),
    /// The field's value.
    Value(&'a Field, usize),
    /// Where the bytes of a checksum begin or end.
    Edge(Edge),
}

/// The entries in wire order. Skipped fields and kept tags have no part, but their locals are made in their turn.
pub(crate) fn entries<'a>(magic: Option<&'a Magic>, fields: &'a Fields) -> Vec<Entry<'a>> {
    let edges = sums::edges(fields);
    let at = |edge: Edge| edges.contains(&edge).then_some(Entry::Edge(edge));
    // before a tag nothing of the variant has been seen
    let mut entries: Vec<_> = at(Edge::Start).filter(|_| !fields.tagged).into_iter().collect();
    entries.extend(magic.map(Entry::Magic));
    for (place, field) in fields.on_wire().enumerate() {
        entries.extend(at(Edge::Before(place)));
        entries.extend(field.before.iter().map(|step| Entry::Step(field, place, step)));
        entries.push(Entry::Value(field, place));
        entries.extend(field.after.iter().map(|step| Entry::Step(field, place, step)));
    }
    entries.extend(at(Edge::Before(fields.wire.len())));
    entries
}

impl Entry<'_> {
    /// Whether the runtime's list of parts has one for this entry.
    pub(crate) fn has_part(&self) -> bool {
        match self {
            Entry::Value(field, _) => {
                !field.is_tag && !matches!(field.content, Content::Skipped(_) | Content::Nothing)
            }
            Entry::Edge(_) => false,
            _ => true,
        }
    }
}

/// What both directions share while they walk over the fields.
pub(crate) struct Emit<'a> {
    pub(crate) fields: &'a Fields,
    /// The list of parts as an expression.
    pub(crate) parts: TokenStream,
    /// The byte order as a type.
    pub(crate) order: TokenStream,
    /// Whether the locals are references already.
    pub(crate) encode: bool,
    /// The lengths that are filled in.
    pub(crate) filled: Vec<Filled<'a>>,
}

impl Emit<'_> {
    /// An expression with the fields before `place` in scope as references; only those that it mentions are
    /// bound, so most expressions stay bare.
    pub(crate) fn scoped(&self, expr: &impl ToTokens, place: usize) -> TokenStream {
        let (lets, at) = (self.lets(expr, place), Span::mixed_site().located_at(expr.span()));
        if lets.is_empty() { expr.to_token_stream() } else { quote_spanned!(at=> { #(#lets)* #expr }) }
    }

    /// What brings the fields before `place` that an expression mentions into scope.
    fn lets(&self, expr: &impl ToTokens, place: usize) -> Vec<TokenStream> {
        let used = names::mentioned(expr.to_token_stream());
        let known = self.fields.on_wire().enumerate().filter(|(i, field)| *i < place || field.is_tag);
        known
            .filter(|(_, field)| used.contains(&field.scope.unraw().to_string()))
            .map(|(_, field)| {
                let (name, value) = (&field.scope, &field.local);
                if self.encode { q!(let #name = #value;) } else { q!(let #name = &#value;) }
            })
            .collect()
    }

    /// The byte order of a part that has its own.
    pub(crate) fn order_of(&self, order: &Order) -> TokenStream {
        match order {
            Order::Le => q!(__p::Le),
            Order::Be => q!(__p::Be),
            Order::Inherit | Order::Chosen(_) => self.order.clone(),
        }
    }
}

/// The local that holds the evaluated condition of a field whose padding depends on it too.
pub(crate) fn shared_flag(field: &Field) -> Option<Ident> {
    let shared = field.cond.is_some() && !(field.before.is_empty() && field.after.is_empty());
    shared.then(|| local(&format!("__if_{}", field.local)))
}

/// What the fields have in common: the integer of a run of bits, unless the tag opens it, and the position from which alignments and positions count, where any is asked
/// for, which is the container's first byte, so in a variant this stands before the tag.
pub(crate) fn start(fields: &Fields, pos: &TokenStream) -> TokenStream {
    let has_bits = !fields.in_run && fields.all.iter().any(|field| field.bits().is_some());
    let run = has_bits.then(|| q!(let __bits = __p::BitRun::default();));
    let start = is_placed(fields).then(|| q!(let __start = #pos;));
    q!(#run #start)
}

/// Whether anything counts from the container's first byte.
fn is_placed(fields: &Fields) -> bool {
    let is_align = |step: &Step| matches!(step, Step::Align { .. });
    fields.all.iter().any(|field| field.before.iter().chain(&field.after).any(is_align))
        || fields.all.iter().any(|field| field.at().is_some_and(|at| at.from != Origin::File))
        || fields.all.iter().any(|field| field.keeps_gaps() || field.place_of.is_some())
}

/// How eagerly the functions are inlined. Outlined by value, a small record costs its caller twice its time; a large one
/// would only swell every caller.
fn inline(container: &Container) -> TokenStream {
    const SMALL: usize = 8;
    match &container.body {
        Body::Struct(fields) if fields.all.len() <= SMALL => q!(#[inline(always)]),
        _ => q!(#[inline]),
    }
}

/// The code of a variant, as a function of its own where the enum may hold others of its kind.
///
/// Without optimisation the locals of all variants have places of their own in one frame, and a value in a value in a value
/// would take many such frames: more stack than a thread has, before the limit of the depth is reached. The optimiser puts the
/// functions together again, or else has the sink or source as an argument, which nothing else can change.
fn apart(
    variants: &[Variant],
    code: TokenStream,
    result: &TokenStream,
    (end, ty): (&TokenStream, &TokenStream),
) -> TokenStream {
    let mut fields = variants.iter().flat_map(|variant| &variant.fields.all);
    match variants.len() > 1 && fields.any(|field| is_open_question(&field.ty)) {
        true => q!((|#end: &mut #ty| -> __p::Result<#result> { #code })(#end)),
        false => code,
    }
}

/// The context as one type: `()`, the type, or a tuple.
pub(crate) fn ctx_type(container: &Container) -> TokenStream {
    ctx_of(&container.ctx)
}

fn ctx_of(params: &[Param]) -> TokenStream {
    let types: Vec<Type> = params.iter().map(bounds::context).collect();
    match &types[..] {
        [one] => q!(#one),
        many => q!((#(#many),*)),
    }
}

/// A where-clause with one predicate more.
fn with_bound(bound: &TokenStream, wheres: &TokenStream) -> TokenStream {
    // without its `where`
    let rest: TokenStream = wheres.clone().into_iter().skip(1).collect();
    q!(where #bound, #rest)
}

/// Binds the names of `ctx(..)`.
pub(crate) fn bind_ctx(container: &Container) -> TokenStream {
    bound_ctx(&container.ctx)
}

/// The context again, of the names that it was bound to.
fn again_ctx(container: &Container) -> TokenStream {
    let names: Vec<_> = container.ctx.iter().map(|param| &param.name).collect();
    match &names[..] {
        [one] => q!(#one),
        many => q!((#(#many),*)),
    }
}

fn bound_ctx(params: &[Param]) -> TokenStream {
    let names: Vec<_> = params.iter().map(|param| &param.name).collect();
    match &names[..] {
        [] => TokenStream::new(),
        [one] => q!(let #one = __ctx;),
        many => q!(let (#(#many),*) = __ctx;),
    }
}

/// The body once, or once for each byte order when an expression chooses it.
fn for_each_order(container: &Container, body: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    match &container.order {
        Order::Inherit => body(q!(__O)),
        Order::Le => body(q!(__p::Le)),
        Order::Be => body(q!(__p::Be)),
        Order::Chosen(chosen) => {
            let (little, big) = (body(q!(__p::Le)), body(q!(__p::Be)));
            q! {
                match #chosen {
                    __p::Endian::Little => { #little }
                    __p::Endian::Big => { #big }
                }
            }
        }
    }
}

/// What holds a codec of the user's own to its `size(min, max)`: the position before it, and what is called on its
/// result.
fn keeps_size(limits: Option<&(Expr, Expr)>, pos: &TokenStream) -> (TokenStream, TokenStream) {
    let Some((min, max)) = limits else { return (TokenStream::new(), TokenStream::new()) };
    (q!(let __from = #pos;), q!(.and_then(|__v| __p::keeps_size(__from, #pos, #min, #max).map(|()| __v))))
}

/// The check of `range`.
fn range(emit: &Emit<'_>, field: &Field, place: usize, at: &TokenStream, value: &TokenStream) -> TokenStream {
    let Some(range) = &field.range else { return TokenStream::new() };
    let (text, name) = (types::source(range), &field.name);
    let range = emit.scoped(range, place);
    q!(__p::in_range(#at, #value, &(#range), #text, __p::core::option::Option::Some(#name))?;)
}

/// The field's type by way of the form it needs, if it may lack it: see `Coded` in the runtime. `None` for types that
/// visibly have a form.
pub(crate) fn named(field: &Field) -> Option<TokenStream> {
    let Content::Coded(form, None) = &field.content else { return None };
    if !is_named(field) {
        return None;
    }
    let (ty, form) = (&field.ty, form::form_or_own(form, field.presence()));
    Some(located(q!(<#ty as __p::Coded<#form, _>>::Type), ty))
}

/// Whether there is such a name.
pub(crate) fn is_named(field: &Field) -> bool {
    matches!(field.content, Content::Coded(_, None)) && !field.is_tag && is_open_question(&field.ty)
}

/// Whether a type is, or has in it, anything but numbers and text.
fn is_open_question(ty: &Type) -> bool {
    let ty = types::maybe(ty).unwrap_or(ty);
    let ty = types::items(ty).unwrap_or(ty);
    match ty {
        Type::Array(array) => is_open_question(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_open_question),
        Type::Path(_) => !types::is_number(ty) && !types::is_text(ty),
        _ => false,
    }
}

/// The same tokens, standing at the field's type: that is where rustc reports a type without a wire format. Numbers of
/// the user stay where they are, for those may be wrong themselves.
pub(crate) fn located(tokens: TokenStream, ty: &Type) -> TokenStream {
    let span = ty.span();
    tokens
        .into_iter()
        .map(|mut token| {
            if !matches!(token, TokenTree::Literal(_)) {
                token.set_span(span);
            }
            token
        })
        .collect()
}
