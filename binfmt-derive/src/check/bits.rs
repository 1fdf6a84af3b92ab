//! Rules about fields that are some bits of an integer.

use crate::attr::{BitsWord, Value};
use crate::diag::Errors;
use crate::model::bits::{Bits, is_list};
use crate::model::field::{Extent, Field, Form};
use crate::model::integer::Integer;
use crate::model::types;
use syn::Type;

/// The bits of a tag are an integer.
pub(super) fn tag(integer: &Integer, bits: &Bits, errors: &mut Errors) {
    let shown = types::show(&integer.ty);
    let text = match types::number_size(&integer.ty) {
        Some(bytes) if integer.form.is_none() && usize::from(bits.width) <= bytes * 8 => return,
        Some(_) if integer.form.is_none() => format!("{} bits do not fit `{shown}`", bits.width),
        _ => format!("a tag of bits is an integer: `u8`, found `{shown}`"),
    };
    errors.on(&integer.ty, text);
}

/// Bits are what a small integer is in memory; reserved ones are nothing. True when something was wrong.
pub(super) fn fits(field: &Field, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let Some(Value::Bits(word)) = field.words.get("bits").map(|word| &word.value) else { return false };
    if is_list(&field.words) {
        return !is_packed(word, form, ty, errors);
    }
    let shown = types::show(ty);
    let text = match (word.reserved, types::is_unit(ty)) {
        (true, true) => return false,
        (true, false) => {
            format!("reserved bits have no value: give the field the type `()`, found `{shown}`")
        }
        (false, true) => format!("bits without a value are reserved: write `bits({}, reserved)`", word.width),
        (false, false) if types::is_open(ty) || types::maybe(ty).is_some() => {
            format!("`bits` needs a type of which all values have the same size, found `{shown}`")
        }
        (false, false) => match types::number_size(ty) {
            Some(bytes) if types::is_float(ty) && usize::from(word.width) != bytes * 8 => {
                format!("`{shown}` is {} bits, found {}", bytes * 8, word.width)
            }
            Some(bytes) if usize::from(word.width) > bytes * 8 => {
                let wide = word.width.next_power_of_two();
                let sign = if types::is_signed(ty) == Some(true) { "i" } else { "u" };
                format!(
                    "{} bits do not fit `{shown}`\nhelp: give the field the type `{sign}{wide}`",
                    word.width
                )
            }
            _ => return false,
        },
    };
    errors.on(ty, text);
    true
}

/// Whether bits may be those of each element of a list.
fn is_packed(word: &BitsWord, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    if let Some(of) = &word.of {
        let text =
            "`of` opens a run of bits; the elements of a list are packed one after the other: leave it out";
        errors.at(of.span(), text);
        return false;
    }
    if word.reserved {
        errors.at(word.span, "the elements of a list have values: `reserved` is about a field of type `()`");
        return false;
    }
    let held = types::maybe(ty).unwrap_or(ty);
    let is_other =
        types::lent_items(held).is_some() || types::is_text(held) || types::number_size(held).is_some();
    if is_other {
        let shown = types::show(ty);
        errors.on(
            ty,
            format!("the bits are those of each element: give the field a `Vec<u16>`, found `{shown}`"),
        );
        return false;
    }
    let item = match held {
        Type::Array(array) if !matches!(form.extent, Extent::Exact(_)) => {
            let len = types::source(&array.len);
            errors.on(ty, format!("the type says how many elements there are: write `count = {len}`"));
            return false;
        }
        Type::Array(array) => &*array.elem,
        held => match types::items(held) {
            Some(item) => item,
            None => return true,
        },
    };
    let shown = types::show(item);
    let text = match types::number_size(item) {
        Some(bytes) if types::is_float(item) && usize::from(word.width) != bytes * 8 => {
            format!("`{shown}` is {} bits, found {}", bytes * 8, word.width)
        }
        Some(bytes) if usize::from(word.width) > bytes * 8 => {
            format!("{} bits do not fit `{shown}`", word.width)
        }
        _ => return true,
    };
    errors.on(item, text);
    false
}
