//! Rules about fields that are some bits of an integer.

use crate::attr::Value;
use crate::diag::Errors;
use crate::model::bits::Bits;
use crate::model::field::Field;
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
pub(super) fn fits(field: &Field, ty: &Type, errors: &mut Errors) -> bool {
    let Some(Value::Bits(word)) = field.words.get("bits").map(|word| &word.value) else { return false };
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
