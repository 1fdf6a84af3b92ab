//! Tags that are of another type than the one that they are matched with, and fields of another type than the tag that they keep:
//! rustc says so once for each place of the macro's.

use crate::diag::Errors;
use crate::model::tags::{self, Tags};
use crate::model::{Variant, types};
use syn::{Expr, ExprLit, Lit, Type};

/// The literals of all variants.
pub(super) fn rules(ty: &Type, variants: &[Variant], errors: &mut Errors) {
    let ty = match ty {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    };
    for variant in variants.iter().filter(|variant| !variant.words.broken) {
        for tag in tags::of(&variant.pick) {
            match &tag {
                Tags::One(tag @ Expr::Lit(ExprLit { lit, .. })) => {
                    wrong(ty, lit).into_iter().for_each(|text| errors.on(tag, text));
                }
                Tags::Range { low, high, .. } => {
                    let bytes = low.iter().chain(high).find(|end| is_bytes(end));
                    bytes.into_iter().for_each(|end| {
                        errors.on(end, "byte strings are in no order: name each tag, `b\"aa\" | b\"ab\"`")
                    });
                }
                _ => {}
            }
        }
        kept(ty, variant, errors);
    }
}

/// Whether two types are plainly not the same.
fn differ(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a), Type::Array(b)) => {
            let len = |expr: &Expr| match expr {
                Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse::<u64>().ok(),
                _ => None,
            };
            differ(&a.elem, &b.elem) || len(&a.len).zip(len(&b.len)).is_some_and(|(a, b)| a != b)
        }
        (Type::Array(_), other) | (other, Type::Array(_)) => types::is_int(other),
        (a, b) => {
            let both = types::number_size(a)
                .zip(types::number_size(b))
                .zip(types::is_signed(a).zip(types::is_signed(b)));
            both.is_some_and(|((a, b), (is_signed, are_signed))| a != b || is_signed != are_signed)
        }
    }
}

fn is_bytes(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(ExprLit { lit: Lit::ByteStr(_) | Lit::Str(_), .. }))
}

/// The field that keeps the tag has its type, where both are plain to see.
fn kept(ty: &Type, variant: &Variant, errors: &mut Errors) {
    let Some(field) = variant.tag_field() else { return };
    let (tag, found) = (types::show(ty), types::show(&field.ty));
    if differ(ty, &field.ty) {
        errors.on(&field.ty, format!("`tag` keeps a tag of the type `{tag}`, found `{found}`"));
    }
}

fn wrong(ty: &Type, lit: &Lit) -> Option<String> {
    let shown = types::show(ty);
    let source = types::show(lit).to_string();
    match (ty, lit) {
        (ty, Lit::Char(c)) if types::is_int(ty) => Some(match (types::is_byte(ty), c.value()) {
            (true, c) if c.is_ascii() => {
                format!("a tag of the type `{shown}` is a number\nhelp: write `b{source}`")
            }
            (_, c) => {
                format!("a tag of the type `{shown}` is a number\nhelp: write `{:#x}`", u32::from(c))
            }
        }),
        (ty, Lit::Byte(byte)) if types::is_int(ty) && !types::is_byte(ty) => {
            Some(format!("a tag of the type `{shown}` is a number\nhelp: write `{:#x}`", byte.value()))
        }
        (Type::Array(array), Lit::Int(_) | Lit::Byte(_) | Lit::Char(_)) if types::is_byte(&array.elem) => {
            Some(format!(
                "a tag of the type `{shown}` is bytes, such as `b\"..\"` or `[1, 2]`, found `{source}`"
            ))
        }
        (ty, Lit::Str(_) | Lit::ByteStr(_) | Lit::Bool(_) | Lit::Float(_)) if types::is_int(ty) => {
            Some(format!("a tag of the type `{shown}` is a number, found `{source}`"))
        }
        (Type::Array(array), Lit::Str(text)) if types::is_byte(&array.elem) && text.value().is_ascii() => {
            Some(format!("a tag of the type `{shown}` is bytes\nhelp: write `b{source}`"))
        }
        (Type::Array(array), Lit::ByteStr(bytes)) => {
            let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = &array.len else { return None };
            let (len, found) = (len.base10_parse::<usize>().ok()?, bytes.value().len());
            (len != found).then(|| format!("a tag of the type `{shown}` has {len} bytes, found {found}"))
        }
        _ => None,
    }
}
