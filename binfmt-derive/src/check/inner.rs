//! What a type is made of: the words of a field do not reach into tuples, arrays and maps, so each part there says by itself how
//! long it is.

use crate::diag::Errors;
use crate::model::types;
use quote::ToTokens;
use syn::Type;

/// As many parts as the traits of tuples are there for.
const MOST: usize = 12;

/// True when something was wrong.
pub(super) fn fits(held: &Type, errors: &mut Errors) -> bool {
    if types::option(held).is_some() {
        let shown = types::show(held);
        let text = format!(
            "the words of a field are about one `Option`\nhelp: put `{shown}` into a struct that derives `BinFormat`, with the words on its field"
        );
        errors.on(held, text);
        return true;
    }
    let Some(wrong) = inside(held) else { return false };
    errors.on(wrong.at, wrong.text);
    true
}

struct Wrong<'t> {
    at: &'t dyn ToTokens,
    text: String,
}

/// The first part of a type that is not laid out by itself.
fn inside(ty: &Type) -> Option<Wrong<'_>> {
    if let Some(wrong) = types::keys(ty).and_then(|key| part("keys", ty, key)) {
        return Some(wrong);
    }
    if let Some(item) = types::items(ty) {
        return part("elements", ty, item);
    }
    if let Some(held) = types::boxed(ty) {
        return inside(held);
    }
    match ty {
        Type::Array(array) => part("elements", ty, &array.elem),
        Type::Tuple(tuple) if tuple.elems.len() > MOST => {
            let text = format!(
                "a tuple has up to {MOST} parts, found {}\nhelp: make it a struct that derives `BinFormat`",
                tuple.elems.len()
            );
            Some(Wrong { at: ty, text })
        }
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|part| self::part("parts", ty, part)),
        _ => None,
    }
}

fn part<'t>(what: &str, whole: &Type, part: &'t Type) -> Option<Wrong<'t>> {
    if !types::is_known(part) || !types::is_open(part) && types::maybe(part).is_none() {
        return inside(part);
    }
    let text = format!(
        "the {what} of `{}` do not say how long they are\nhelp: put `{}` into a struct that derives `BinFormat`, with the words on its field",
        types::show(whole),
        types::show(part)
    );
    Some(Wrong { at: part, text })
}
