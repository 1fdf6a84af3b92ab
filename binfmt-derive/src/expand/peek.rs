//! `peek` and `tag(peek u8)`, when writing: nothing is written, and what follows is compared when it is there.

use super::encode::agrees;
use super::form::{self, context_type, form_or_own};
use super::{Emit, decode};
use crate::model::field::{Content, Field, Form, Order};
use crate::model::{Container, Pick, Tag, Variant};
use crate::paths::{local, q};
use proc_macro2::TokenStream;

/// Where the bytes begin that a field was read from.
pub(super) fn noted(field: &Field) -> TokenStream {
    let at = decode::local_at(field);
    q!(let #at = __out.pos();)
}

/// The comparison of all such fields, which needs what is written after them.
pub(super) fn fields(emit: &Emit<'_>) -> TokenStream {
    emit.fields.on_wire().enumerate().map(|(place, field)| one(emit, place, field)).collect()
}

fn one(emit: &Emit<'_>, place: usize, field: &Field) -> TokenStream {
    let Content::Coded(form, None) = &field.content else { return TokenStream::new() };
    if !form.peek {
        return TokenStream::new();
    }
    let bare = Form { peek: false, ..form.clone() };
    let (order, ty, name, ctx_ty) = (&emit.order, &field.ty, &field.name, context_type(field, &bare));
    let (wire, at, value) = (form_or_own(&bare, field.presence()), decode::local_at(field), &field.local);
    let ctx = emit.context(field, &bare, place, None);
    let call = q!(__p::is_ahead::<#order, __W, #wire, #ty, #ctx_ty>(__out, #at, #value, #ctx, #name)?;);
    emit.around(&bare, None, place, call)
}

/// The comparison of a tag that belongs to its variant, and the note of where that begins.
pub(super) fn tag(
    container: &Container,
    tag: &Tag,
    variants: &[Variant],
    variant: &Variant,
    order: &TokenStream,
) -> (TokenStream, TokenStream) {
    let Tag::Front { ty, order: own, peek: true, .. } = tag else {
        return (TokenStream::new(), TokenStream::new());
    };
    let order = match own {
        Order::Le => q!(__p::Le),
        Order::Be => q!(__p::Be),
        _ => order.clone(),
    };
    let own = match &variant.pick {
        Pick::Discriminant(value) => {
            let value = value.value(&ty.ty);
            let (owner, name) = (&container.name, &variant.name);
            q! {
                if __tag != const { #value } {
                    return __p::Err(__p::tag_mismatch(__out.pos(), #owner, #name));
                }
            }
        }
        _ => TokenStream::new(),
    };
    let others = agrees(container, Some(&ty.ty), &q!(__tag), variants, variant);
    let (served, value) = (form::served(ty), ty.form.as_ref().map(|_| q!(.value)));
    let at = local("__tag_at");
    let check = q! {
        if let __p::core::option::Option::Some(__tag) = __p::put_peeked_tag::<#order, __W, #served>(__out, #at)? {
            let __tag = __tag #value;
            #own
            #others
        }
    };
    (check, q!(let #at = __out.pos();))
}
