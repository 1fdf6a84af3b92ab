//! `impl Layout`: the parts in wire order, from which the runtime computes every size.

use super::form::{self, form_or_own, number};
use super::{Entry, entries, known, located, notes, run};
use crate::bounds::{self, Trait};
use crate::model::field::{Content, Conversion, Field, Magic, Order, Presence, Step};
use crate::model::{Body, Container, Fields, Tag, types};
use crate::paths::{local, q};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;

/// The impl.
pub(super) fn expand(container: &Container) -> TokenStream {
    let (name, shown) = (&container.ident, &container.name);
    let header = bounds::header(container, Trait::Layout);
    let (params, args, wheres) = (header.params, header.args, header.wheres);
    let fixed = match &container.order {
        Order::Le => q!(.fixed_order::<__p::Le>()),
        Order::Be => q!(.fixed_order::<__p::Be>()),
        Order::Inherit | Order::Chosen(_) => TokenStream::new(),
    };
    let notes = notes::call(&notes::container(container));
    let items = match &container.body {
        Body::Struct(fields) => {
            let parts = linked(container, container.magic.as_ref(), fields);
            let facts = facts(container, fields);
            let blank = blank(container, fields);
            let shape = shape(container, q!(__p::record::<Self>(#shown) #notes));
            let facts = container.process.as_ref().map_or(facts, |_| q!(__p::processed::<Self>()));
            q! {
                const PARTS: &'static [__p::Part] = &__p::link(#parts);
                const FACTS: __p::Facts<Self> = #facts #fixed;
                #shape
                #blank
            }
        }
        Body::Enum { tag, variants } => {
            let ty = known::tag_type(container);
            let list = variants.iter().map(|variant| {
                let parts = linked(container, variant.magic.as_ref(), &variant.fields);
                let name = &variant.name;
                let (tag, notes) = (notes::tag(&variant.pick), notes::call(&notes::variant(variant)));
                let known = known::tags(&variant.pick, ty);
                q!(__p::VariantParts::new(#name, #tag, &__p::link(#parts)) #notes #known)
            });
            let (tag, shape) = match tag {
                Tag::Front { ty, bits, peek, .. } => {
                    let (form, ty) = form::tag(ty, bits.as_ref(), *peek);
                    (q!(__p::form_facts::<#form, #ty>()), q!(__p::choice::<Self, #form, #ty>))
                }
                Tag::From(_) | Tag::Untagged => (q!(__p::no_tag()), q!(__p::choice_from::<Self>)),
            };
            // before the tag
            let (front, after) = match &container.magic {
                None => (TokenStream::new(), TokenStream::new()),
                Some(magic) => {
                    let part = magic_part("magic", false, magic);
                    let parts = q!(const PARTS: &'static [__p::Part] = &__p::link([#part]););
                    (parts, q!(.after(<Self as __p::Layout>::PARTS)))
                }
            };
            let shape = self::shape(container, q!(#shape(#shown) #notes));
            let facts = match container.process {
                Some(_) => q!(__p::processed::<Self>()),
                None => q!(__p::Facts::variants(#tag, <Self as __p::Layout>::VARIANTS) #after),
            };
            q! {
                #front
                const VARIANTS: &'static [__p::VariantParts] = &[#(#list),*];
                const FACTS: __p::Facts<Self> = #facts #fixed;
                #shape
            }
        }
    };
    let ctx = container.ctx.iter().map(|param| {
        let default = param.default.as_ref().map(|value| format!(" = {}", types::source(value)));
        format!("{}{}", param.name.unraw(), default.unwrap_or_default())
    });
    let ctx = match container.ctx.is_empty() {
        true => TokenStream::new(),
        false => q!(const CTX: &'static [&'static str] = &[#(#ctx),*];),
    };
    let (tree, renamed) = (super::tree::of(container), super::members::renamed(container));
    q! {
        #[automatically_derived]
        impl #params __p::Layout for #name #args #wheres {
            #items
            #tree
            #ctx
            #renamed
        }
    }
}

/// The shape of a struct or enum, inside what functions make of its bytes.
fn shape(container: &Container, own: TokenStream) -> TokenStream {
    match &container.process {
        None => q!(const SHAPE: __p::Shape = #own;),
        Some((decode, encode)) => {
            let by = format!("decode = {}, encode = {}", types::source(decode), types::source(encode));
            q!(const SHAPE: __p::Shape = __p::processed_shape(#by, || #own);)
        }
    }
}

/// What is known of a struct. Whether its memory is its wire form, the runtime finds out from where the fields lie.
///
/// The names here are those of a module of the user's, and so are the types that the fields are written with, where a macro
/// makes them. Nothing of the `unsafe` block depends on one of them, but for the function that is called: it is the
/// runtime's own, or does nothing but what safe code of the user could do. The pointers are made by the compiler, of the
/// struct's own fields. That they are all of them, `Decode` says, which makes the struct of them.
fn facts(container: &Container, fields: &Fields) -> TokenStream {
    let sizes = q!(__p::Facts::<Self>::fields(<Self as __p::Layout>::PARTS));
    if !may_be_image(container, fields) {
        return sizes;
    }
    let (mut known, mut places) = (TokenStream::new(), TokenStream::new());
    for (k, field) in fields.on_wire().enumerate() {
        let (member, ty) = (&field.member, &field.ty);
        match (&field.content, super::named(field)) {
            (Content::Coded(form, None), named) if named.is_some() || !form.is_own() => {
                let form = located(form_or_own(form, field.presence()), ty);
                let (ty, own) = (named.unwrap_or_else(|| q!(#ty)), local(&format!("__known{k}")));
                known.extend(q!(let #own = __p::form_facts::<#form, #ty>();));
                places.extend(q!(.formed(&raw const (*__at).#member, #own)));
            }
            _ => places.extend(q!(.field(&raw const (*__at).#member))),
        }
    }
    // SAFETY (of the block that is written here): what `Facts::placed` asks for. In one expression each field follows with a pointer
    // that is made of the same one, in wire order. These are all fields of the struct: `may_be_image` refuses one with a field that is
    // not on the wire. Nothing is read there: the place has room for the struct, and need not be filled.
    q!({
        let __sizes = #sizes;
        #known
        let __room = __p::core::mem::MaybeUninit::<Self>::uninit();
        let __at: *const Self = __room.as_ptr();
        unsafe { __p::Facts::<Self>::placed(__at) #places .facts(__sizes) }
    })
}

/// What is in the place of a missing value. A `transparent` struct leaves that to the form of its field.
fn blank(container: &Container, fields: &Fields) -> TokenStream {
    let order = match &container.order {
        Order::Inherit => q!(__O),
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        Order::Chosen(_) => return TokenStream::new(),
    };
    let Some(Field { content: Content::Coded(form, conversion), ty, cond: None, .. }) =
        fields.on_wire().next().filter(|_| container.transparent)
    else {
        return TokenStream::new();
    };
    let ty = match conversion {
        Some(Conversion { wire: Some(wire), .. }) => wire,
        Some(_) => return TokenStream::new(),
        None => ty,
    };
    let form = located(form_or_own(form, Presence::Always), ty);
    q! {
        const BLANK: bool = <#form as __p::As<#ty>>::BLANK;
        #[inline(always)]
        fn put_blank<__O: __p::Order, __W: __p::Sink>(__out: &mut __W) -> __p::Result<()> {
            <#form as __p::As<#ty>>::put_blank::<#order, __W>(__out)
        }
        #[inline(always)]
        fn pass_blank<'__de, __O: __p::Order, __S: __p::Source<'__de>>(__src: &mut __S) -> __p::Result<()> {
            <#form as __p::As<#ty>>::pass_blank::<#order, __S>(__src)
        }
    }
}

fn part(container: &Container, entry: &Entry<'_>) -> TokenStream {
    match entry {
        Entry::Magic(magic) => magic_part("magic", false, magic),
        Entry::Step(field, _, step) => step_part(container, field, step),
        Entry::Value(field, _) => value_part(container, field),
        Entry::Edge(_) => TokenStream::new(),
    }
}

/// The parts of a struct or a variant as one array: runs of fields at once, the others one by one.
fn linked(container: &Container, magic: Option<&Magic>, fields: &Fields) -> TokenStream {
    let entries: Vec<Entry<'_>> = entries(magic, fields).into_iter().filter(Entry::has_part).collect();
    let mut pieces: Vec<(usize, TokenStream)> = Vec::new();
    let mut single: Vec<TokenStream> = Vec::new();
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        let has_notes = |field: &Field| !notes::value(container, field).is_empty();
        let listed = if container.transparent { None } else { run::listed(&entries[at..], has_notes) };
        let Some(run) = listed else {
            single.push(part(container, entry));
            at += 1;
            continue;
        };
        if !single.is_empty() {
            pieces.push((at - single.len(), q!([#(#single),*])));
            single.clear();
        }
        pieces.push((at, run::parts(&run)));
        at += run.len();
    }
    if !single.is_empty() || pieces.is_empty() {
        pieces.push((at - single.len(), q!([#(#single),*])));
    }
    if let [(_, all)] = &pieces[..] {
        return all.clone();
    }
    let len = number(entries.len());
    pieces.iter().fold(q!([__p::Part::NONE; #len]), |all, (at, some)| {
        let at = number(*at);
        q!(__p::splice(#all, #at, #some))
    })
}

fn wire(name: &str, ty: &impl ToTokens, limits: &(TokenStream, TokenStream)) -> TokenStream {
    let (min, max) = limits;
    q!(__p::Part::wire(#name, #ty, #min, #max))
}

fn magic_part(name: &str, own: bool, magic: &Magic) -> TokenStream {
    let (value, size) = match magic {
        Magic::Bytes { array, .. } => return q!(__p::Part::magic(#name, #own, #array)),
        Magic::Number { value, ty: Some(ty) } => (value, q!(__p::core::mem::size_of::<#ty>())),
        Magic::Number { value, ty: None } => {
            let text = types::source(value);
            let size = q!(__p::core::mem::size_of_val(&#value));
            return q!(__p::Part::magic_const(#name, #own, #text, #size, || __p::magic_text(&#value)));
        }
    };
    let value = types::source(value);
    q!(__p::Part::magic_num(#name, #own, #value, #size))
}

fn step_part(container: &Container, field: &Field, step: &Step) -> TokenStream {
    let what = match step {
        Step::Magic(_) => "magic",
        Step::Pad { .. } => "padding",
        Step::Align { .. } => "alignment",
    };
    // bytes that are all that a field has are the field's own
    let own = matches!(field.content, Content::Nothing);
    let name = if own { field.name.clone() } else { format!("{} ({what})", field.name) };
    let part = match step {
        Step::Magic(magic) => magic_part(&name, own, magic),
        Step::Pad { count, fill, strict } => q!(__p::Part::pad(#name, #own, #count, #fill, #strict)),
        Step::Align { to, fill, strict } => q!(__p::Part::align(#name, #own, #to, #fill, #strict)),
    };
    let maybe = field.cond.as_ref().map(|_| q!(.maybe()));
    // where the bytes are all that a field has, its documentation is theirs
    let doc = own.then(|| notes::doc(field));
    let notes = notes::call(&notes::step(container, field));
    q!(#part #maybe #doc #notes)
}

fn value_part(container: &Container, field: &Field) -> TokenStream {
    let name = if container.transparent { "" } else { field.name.as_str() };
    let ty = &field.ty;
    let shown = types::show(ty);
    let part = match &field.content {
        Content::Coded(form, None) => {
            let form = located(form_or_own(form, field.presence()), ty);
            let ty = super::named(field).unwrap_or_else(|| q!(#ty));
            q!(__p::Part::of::<#form, #ty>(#name, #shown))
        }
        Content::Coded(form, Some(conversion)) => match &conversion.wire {
            Some(wire) => {
                let form = form_or_own(form, field.presence());
                q!(__p::Part::of::<#form, #wire>(#name, #shown))
            }
            None => wire(name, &shown, &(q!(0), q!(__p::OPEN))),
        },
        Content::With { limits: Some((min, max)), .. } => wire(name, &shown, &(quote!(#min), quote!(#max))),
        _ => wire(name, &shown, &(q!(0), q!(__p::OPEN))),
    };
    let (doc, notes) = (notes::doc(field), notes::call(&notes::value(container, field)));
    q!(#part #doc #notes)
}

/// Whether the struct's memory could be its wire form, so that it is worth to ask where its fields lie, which costs rustc
/// about a call for each. A number that would lie unaligned says no, for then memory has a gap there or another order. To
/// say yes is always right; the runtime looks at the places themselves.
fn may_be_image(container: &Container, fields: &Fields) -> bool {
    if !is_plain(container, fields) {
        return false;
    }
    let mut at = Some(0usize);
    for field in fields.on_wire() {
        let size = types::number_size(&field.ty);
        if let (Some(at), Some(size)) = (at, size)
            && at % size != 0
            && !container.packed
        {
            return false;
        }
        // after a type that is not a plain number nothing is known
        at = at.and_then(|at| at.checked_add(size?));
    }
    true
}

/// Copying memory would pass over everything that is not plainly a field. A field that is skipped because its type is
/// called `PhantomData` is not either: a name proves nothing of a type.
fn is_plain(container: &Container, fields: &Fields) -> bool {
    let plain = |field: &Field| {
        matches!(&field.content, Content::Coded(form, None) if form.is_whole() && !matches!(form.order, Order::Chosen(_)))
            && field.cond.is_none()
            && !field.is_tail()
            && field.before.is_empty()
            && field.after.is_empty()
            && field.asserts.is_empty()
            && field.range.is_none()
            && field.len_of.is_none()
            && !field.hidden
            && field.sum.is_none()
    };
    container.magic.is_none()
        && container.asserts.is_empty()
        && !matches!(container.order, Order::Chosen(_))
        && fields.all.iter().all(plain)
}
