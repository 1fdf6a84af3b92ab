//! Numbers in words that never fit: what is computed as one that its type has no room for, and parts that are shorter than what
//! is in them.

use crate::diag::Errors;
use crate::model::field::{Content, Field, Form};
use crate::model::types;
use syn::{Expr, ExprLit, Lit, Type};

/// Every rule about one field.
pub(super) fn rules(field: &Field, errors: &mut Errors) {
    let bits = field.bits().map(|bits| u32::from(bits.width));
    let (ty, is_plain) = match field.words.number() {
        Some((ty, form)) => (ty, form.is_none()),
        None => (&field.ty, true),
    };
    if let (Some(max), true) = (largest(ty, bits), is_plain) {
        let plus = field.len_of.as_ref().and_then(|len| len.plus.as_ref());
        let words = [("calc", field.calc.as_ref()), ("plus", plus)];
        for (word, value) in words {
            let Some((expr, n)) = value.and_then(|expr| Some((expr, number(expr)?))) else { continue };
            if n > max {
                let (shown, least) =
                    (types::show(ty), bits.map_or(String::new(), |bits| format!("{bits} bits of ")));
                errors.on(expr, format!("`{word}` is {n}, which does not fit in {least}`{shown}`"));
            }
        }
    }
    let Content::Coded(Form { integer: None, packed: None, within, pad_to, .. }, None) = &field.content
    else {
        return;
    };
    let Some(size) = types::number_size(&field.ty) else { return };
    let parts = [
        ("region", within.as_ref().map(|within| &within.len)),
        ("pad_to", pad_to.as_ref().map(|pad| &pad.0)),
    ];
    for (word, len) in parts {
        let Some((expr, n)) = len.and_then(|expr| Some((expr, number(expr)?))) else { continue };
        if n < size as u128 {
            let shown = types::show(&field.ty);
            errors.on(expr, format!("`{word} = {n}` is shorter than a `{shown}`, which has {size} bytes"));
        }
    }
}

/// The largest number of a type, or of so many bits of it.
fn largest(ty: &Type, bits: Option<u32>) -> Option<u128> {
    let signs = u32::from(types::is_signed(ty)?);
    let all = bits.unwrap_or(u32::try_from(types::number_size(ty)?).ok()?.checked_mul(8)?);
    Some(u128::MAX.checked_shr(u128::BITS.checked_sub(all.checked_sub(signs)?)?).unwrap_or(0))
}

fn number(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
        _ => None,
    }
}
