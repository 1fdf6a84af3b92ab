//! `impl Layout`: the parts in wire order, from which the runtime works out every size.

use super::form::{form_or_own, number};
use super::{Act, acts, known, located, run, said};
use crate::bounds::{self, Trait};
use crate::model::field::{Content, Field, Magic, Order, Step};
use crate::model::{Body, Container, Fields, Tag, types};
use crate::paths::q;
use proc_macro2::TokenStream;
use quote::quote;

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
    let said = said::call(&said::container(container));
    let items = match &container.body {
        Body::Struct(fields) => {
            let parts = linked(container, fields);
            let image = no_image(container, fields);
            // SAFETY (of the block that is written here): the same expansion makes `parts` of all fields, each with its own type and
            // `offset_of!`, and `Decode` reads these fields and nothing else
            q! {
                const PARTS: &'static [__p::Part] = &__p::link(#parts);
                const FACTS: __p::Facts<Self> = unsafe { __p::Facts::fields(<Self as __p::Layout>::PARTS) } #fixed #image;
                const SHAPE: __p::Shape = __p::record::<Self>(#shown) #said;
            }
        }
        Body::Enum { tag, variants } => {
            let ty = known::tag_type(container);
            let list = variants.iter().map(|variant| {
                let (name, parts) = (&variant.name, parts(container, &variant.fields, false));
                let (tag, said) = (said::tag(&variant.pick), said::call(&said::variant(variant)));
                let known = known::tags(&variant.pick, ty);
                q!(__p::Variant::new(#name, #tag, &__p::link([#(#parts),*])) #said #known)
            });
            let (tag, shape) = match tag {
                Tag::Front { ty, .. } => (q!(__p::facts::<#ty>()), q!(__p::choice::<Self, #ty>)),
                Tag::From(_) => (q!(__p::no_tag()), q!(__p::choice_from::<Self>)),
            };
            q! {
                const VARIANTS: &'static [__p::Variant] = &[#(#list),*];
                const FACTS: __p::Facts<Self> = __p::Facts::variants(#tag, <Self as __p::Layout>::VARIANTS) #fixed;
                const SHAPE: __p::Shape = #shape(#shown) #said;
            }
        }
    };
    let ctx = container.ctx.iter().map(|param| param.name.to_string());
    let ctx = match container.ctx.is_empty() {
        true => TokenStream::new(),
        false => q!(const CTX: &'static [&'static str] = &[#(#ctx),*];),
    };
    q! {
        #[automatically_derived]
        impl #params __p::Layout for #name #args #wheres {
            #items
            #ctx
        }
    }
}

/// The entries of the list, `whole` when the fields are the struct's own and have an offset.
fn parts(container: &Container, fields: &Fields, whole: bool) -> Vec<TokenStream> {
    acts(container.magic.as_ref(), fields)
        .iter()
        .filter(|act| act.has_part())
        .map(|act| part(container, act, whole))
        .collect()
}

fn part(container: &Container, act: &Act<'_>, whole: bool) -> TokenStream {
    match act {
        Act::Magic(magic) => magic_part("magic", false, magic),
        Act::Step(field, _, step) => step_part(container, field, step),
        Act::Value(field, _) => value_part(container, field, whole),
    }
}

/// The parts of a struct as one array: runs of plain numbers at once, the others one by one.
fn linked(container: &Container, fields: &Fields) -> TokenStream {
    let acts: Vec<Act<'_>> =
        acts(container.magic.as_ref(), fields).into_iter().filter(Act::has_part).collect();
    let placed = may_be_image(container, fields);
    let mut pieces: Vec<(usize, TokenStream)> = Vec::new();
    let mut single: Vec<TokenStream> = Vec::new();
    let mut at = 0;
    while let Some(act) = acts.get(at) {
        let Some(run) = run::begins(&acts[at..]) else {
            single.push(part(container, act, placed));
            at += 1;
            continue;
        };
        if !single.is_empty() {
            pieces.push((at - single.len(), q!([#(#single),*])));
            single.clear();
        }
        pieces.push((at, run::parts(&run, placed)));
        at += run.len();
    }
    if !single.is_empty() || pieces.is_empty() {
        pieces.push((at - single.len(), q!([#(#single),*])));
    }
    if let [(_, all)] = &pieces[..] {
        return all.clone();
    }
    let len = number(acts.len());
    pieces.iter().fold(q!([__p::Part::NONE; #len]), |all, (at, some)| {
        let at = number(*at);
        q!(__p::splice(#all, #at, #some))
    })
}

fn wire(name: &str, ty: &str, limits: &(TokenStream, TokenStream)) -> TokenStream {
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
    let doc = own.then(|| said::doc(field));
    let said = said::call(&said::step(container, field));
    q!(#part #maybe #doc #said)
}

fn value_part(container: &Container, field: &Field, whole: bool) -> TokenStream {
    let name = if container.transparent { "" } else { field.name.as_str() };
    let ty = &field.ty;
    let shown = types::show(ty);
    let part = match &field.content {
        Content::Coded(form, None) => {
            let form = located(form_or_own(form, field.cond.is_some()), ty);
            let member = &field.member;
            let ty = super::named(field).unwrap_or_else(|| q!(#ty));
            match whole {
                true => {
                    q!(__p::Part::of::<#form, #ty>(#name, #shown, __p::core::mem::offset_of!(Self, #member)))
                }
                false => q!(__p::Part::mapped::<#form, #ty>(#name, #shown)),
            }
        }
        Content::Coded(form, Some(conversion)) => match &conversion.wire {
            Some(wire) => {
                let form = form_or_own(form, field.cond.is_some());
                q!(__p::Part::mapped::<#form, #wire>(#name, #shown))
            }
            None => wire(name, &shown, &(q!(0), q!(__p::OPEN))),
        },
        Content::With { limits: Some((min, max)), .. } => wire(name, &shown, &(quote!(#min), quote!(#max))),
        _ => wire(name, &shown, &(q!(0), q!(__p::OPEN))),
    };
    let (doc, said) = (said::doc(field), said::call(&said::value(container, field)));
    q!(#part #doc #said)
}

/// Whether the struct's memory could be its wire form, so that it is worth to ask where its fields lie: each `offset_of!`
/// costs rustc about as much as a call. A number that would lie unaligned says no, for then memory has a gap there or
/// another order. To say yes is always right; the runtime looks at the places themselves.
fn may_be_image(container: &Container, fields: &Fields) -> bool {
    if !no_image(container, fields).is_empty() {
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
        // behind a type that is not a plain number nothing is known
        at = at.and_then(|at| at.checked_add(size?));
    }
    true
}

/// Copying memory would pass over everything that is not plainly a field. A field that is skipped because its type is
/// called `PhantomData` is none either: a name proves nothing of a type.
fn no_image(container: &Container, fields: &Fields) -> TokenStream {
    let plain = |field: &Field| {
        matches!(&field.content, Content::Coded(form, None) if !matches!(form.order, Order::Chosen(_)))
            && field.before.is_empty()
            && field.after.is_empty()
            && field.asserts.is_empty()
            && field.range.is_none()
            && field.len_of.is_none()
    };
    let image = container.magic.is_none()
        && container.asserts.is_empty()
        && !matches!(container.order, Order::Chosen(_))
        && fields.all.iter().all(plain);
    if image { TokenStream::new() } else { q!(.no_image()) }
}
