//! Rules about types, as far as the tokens show them.
//!
//! The idea: rustc would find these mistakes too, but later, more than once and without the fix, as missing impls of traits
//! that the user has never heard of. An alias hides a type, so every rule says no only of what is plain to see, and nothing
//! depends on a rule having looked.

use super::text;
use crate::attr::{RegionWord, Rest, SkipWord, Value};
use crate::diag::Errors;
use crate::keyword::EXTENTS;
use crate::model::field::{Content, Extent, Field, Form, Presence};
use crate::model::integer::{IntForm, Integer};
use crate::model::{Container, types};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, Type};

/// Every rule about one field's type. The first that fails ends the search: the rest would follow from it.
pub(crate) fn field(field: &Field, errors: &mut Errors) {
    not_negative(field, errors);
    single_bytes(field, errors);
    if reserved_is_unit(field, errors) || number_is_unit(field, errors) || borrow_has_lifetime(field, errors)
    {
        return;
    }
    let Content::Coded(form, _) = &field.content else { return };
    let Some(ty) = field.subject() else { return };
    if field.hidden && number(field, errors) {
        return;
    }
    let _ = sum_is_fixed(field, form, ty, errors)
        || integer_fits(field, form, ty, errors)
        || (form.integer.is_none() && refused(ty, errors))
        || needs_option(field, ty, errors)
        || option_says_when(field, form, ty, errors)
        || kept(form, ty, errors)
        || gaps(form, ty, errors)
        || super::bits::fits(field, form, ty, errors)
        || extent_fits(field, form, ty, errors)
        || text::fits(field, ty, errors)
        || text::ending(form, errors)
        || text::filling(form, errors)
        || length_is_int(field, ty, errors);
    prefix_is_int(form, errors);
    processed_in_bytes(field, errors);
    inclusive_is_fixed(field, form, errors);
    shape_is_int(form, errors);
}

/// The container's `len` is a prefix type like any other.
pub(crate) fn prefix_type_of(container: &Container, errors: &mut Errors) {
    if let Some(Value::Type(ty)) = container.words.get("len").map(|word| &word.value) {
        prefix_type(&Integer::new(ty, None), errors);
    }
}

/// A length is counted: only an integer of a size that a machine can count with can hold one.
fn prefix_is_int(form: &Form, errors: &mut Errors) {
    if let Extent::Prefixed(prefix) | Extent::Region(prefix, _) = &form.extent {
        prefix_type(&prefix.ty, errors);
    }
}

/// A dimension is a length.
fn shape_is_int(form: &Form, errors: &mut Errors) {
    if let Extent::Shaped(shape) = &form.extent {
        let dimension = Integer::new(&shape.ty, None);
        if dimension.form.is_some_and(|form| form.is_variable()) {
            let shown = types::show(&shape.ty);
            errors.on(&shape.ty, format!("a dimension has a fixed size, found `{shown}`"));
            return;
        }
        integer("dimension", &dimension.ty, errors);
    }
}

fn prefix_type(len: &Integer, errors: &mut Errors) {
    integer("length prefix", &len.ty, errors);
}

/// The functions of `process` get bytes, whose number is not that of what they make.
fn processed_in_bytes(field: &Field, errors: &mut Errors) {
    let Some(Value::Prefix(word)) = field.words.get("length_prefixed").map(|word| &word.value) else {
        return;
    };
    if let Some(span) = field.words.span("process").filter(|_| !word.in_bytes) {
        let text = "`process` needs a length in bytes: `length_prefixed(.., in = bytes)`";
        errors.at(span, text);
    }
}

/// A length that counts its own bytes must know how many they are before it is written.
fn inclusive_is_fixed(field: &Field, form: &Form, errors: &mut Errors) {
    let (Extent::Prefixed(prefix) | Extent::Region(prefix, _)) = &form.extent else { return };
    if prefix.inclusive && prefix.ty.form.as_ref().is_some_and(IntForm::is_variable) {
        let text = "`inclusive` needs a length of a fixed size: how long this one is depends on what it says";
        errors.at(field.words.span("length_prefixed").unwrap_or(field.span), text);
    }
}

/// Floats, bools and text are not integers, whatever form they should have. True when something was wrong.
fn integer_fits(field: &Field, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let Some(span) = field.words.span("as") else { return false };
    let held = types::maybe(ty).unwrap_or(ty);
    let item = types::element(ty);
    let odd = types::is_text(held)
        || types::is_float(item)
        || types::is_bool(item)
        || matches!(item, Type::Tuple(_) | Type::Reference(_));
    let shown = types::show(item);
    let text = match &form.integer {
        _ if odd => format!("`as` needs an integer or a list of integers, found `{}`", types::show(ty)),
        Some((form, _)) => match (form.word(), form.is_signed(), types::is_signed(item)) {
            (Some(word), Some(true), Some(false)) => {
                format!("`{word}` is for signed integers, found `{shown}`: use `leb128` or `vlq`")
            }
            (Some(word), Some(false), Some(true)) => {
                format!("`{word}` has no sign, found `{shown}`: use `sleb128` or `zigzag`")
            }
            _ => match form.misspelt() {
                Some(word) => format!(
                    "`{word}` is not a form of integers: expected `u8`, `i8`, `u16`, `i16`, `u24`, .. `u64`, `i64`, `leb128`, `sleb128`, `zigzag`, `vlq` or the path of a type"
                ),
                None => return false,
            },
        },
        None => return false,
    };
    errors.at(span, text);
    true
}

/// Floats and bools have the traits of numbers, so rustc would accept some of this and fail elsewhere; `u128` says more
/// elements than there is memory, and `usize` differs between machines.
fn integer(what: &str, ty: &Type, errors: &mut Errors) {
    if let Some(instead) = types::too_wide(ty) {
        let shown = types::show(ty);
        errors.on(ty, format!("a {what} has 1, 2, 4 or 8 bytes, found `{shown}`: use {instead}"));
        return;
    }
    let odd = types::is_float(ty) || types::is_bool(ty) || types::is_open(ty) || types::refusal(ty).is_some();
    if odd {
        let shown = types::show(ty);
        let text = format!("a {what} must be an unsigned or signed integer type, found `{shown}`");
        errors.on(ty, text);
    }
}

/// A number of bytes with a minus sign is a slip, most likely of `skip(bytes = ..)` as a move backwards.
fn not_negative(field: &Field, errors: &mut Errors) {
    for word in field.words.iter() {
        let (value, shown) = match &word.value {
            Value::Skip(SkipWord::Bytes { count, .. }) => {
                (count, format!("skip(bytes = {})", types::show(count)))
            }
            Value::Expr(value) if word.key == "reserved" => {
                (value, format!("reserved({})", types::show(value)))
            }
            Value::At(at) => (&at.position, format!("at = {}", types::show(&at.position))),
            Value::Region(region) => match &**region {
                RegionWord::Sized { len, .. } => (len, format!("region = {}", types::show(len))),
                RegionWord::Ended(_) => continue,
            },
            Value::Expr(value) => (value, format!("{} = {}", word.key, types::show(value))),
            _ => continue,
        };
        let what = match word.key {
            "skip" | "pad_before" | "pad_after" | "pad_to" | "align_before" | "align_after" | "reserved"
            | "region" => "bytes",
            "at" if is_negative(value) => {
                errors.on(value, format!("`{shown}`: a position must not be negative"));
                continue;
            }
            "count" => "elements",
            _ => continue,
        };
        if is_negative(value) {
            errors.on(value, format!("`{shown}`: the number of {what} must not be negative"));
        } else if word.key.starts_with("align_") && is_zero(value) {
            errors.on(value, format!("`{shown}`: an alignment must be at least 1"));
        }
    }
}

/// Literals that must be bytes: they end up in several constants, for each of which rustc would say so.
fn single_bytes(field: &Field, errors: &mut Errors) {
    let mut check = |name: &str, value: &Expr| {
        if let Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) = value
            && int.base10_parse::<u64>().map_or(true, |n| n > 255)
        {
            errors.on(value, format!("`{name} = {int}`: expected one byte, 0 to 255"));
        }
    };
    for word in field.words.iter() {
        match &word.value {
            Value::Expr(value) if word.key == "fill" => check("fill", value),
            Value::Skip(SkipWord::Bytes { fill: Some(value), .. }) => check("fill", value),
            Value::Nullable(null) => {
                null.present.iter().for_each(|value| check("present", value));
                null.missing.iter().for_each(|value| match value {
                    Expr::Range(range) => {
                        range.start.iter().for_each(|value| check("missing", value));
                        range
                            .end
                            .iter()
                            .filter(|_| matches!(range.limits, syn::RangeLimits::Closed(_)))
                            .for_each(|value| check("missing", value));
                    }
                    one => check("missing", one),
                });
            }
            _ => {}
        }
    }
}

fn is_negative(value: &Expr) -> bool {
    match value {
        Expr::Paren(paren) => is_negative(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)) && is_literal(&unary.expr),
        _ => false,
    }
}

fn is_literal(value: &Expr) -> bool {
    match value {
        Expr::Paren(paren) => is_literal(&paren.expr),
        other => matches!(other, Expr::Lit(_)),
    }
}

fn is_zero(value: &Expr) -> bool {
    match value {
        Expr::Paren(paren) => is_zero(&paren.expr),
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_digits() == "0",
        _ => false,
    }
}

/// Reserved bytes are ignored, so a field that could hold them would promise a value that is not kept.
fn reserved_is_unit(field: &Field, errors: &mut Errors) -> bool {
    let Some(span) = field.words.span("reserved").filter(|_| !types::is_unit(&field.ty)) else {
        return false;
    };
    let shown = types::show(&field.ty);
    let text = format!(
        "`reserved` bytes have no value: give the field the type `()`, found `{shown}`\nhelp: for ignored bytes before a value, use `skip(bytes = N)`"
    );
    errors.at(span, text);
    true
}

/// A number that is not a field has no place in the struct, and a length that is one has the type of its field. True when
/// something was wrong.
fn number_is_unit(field: &Field, errors: &mut Errors) -> bool {
    let shown = types::show(&field.ty);
    let Some(word) = field.words.first_of(&["len_of", "calc", "checksum"]).filter(|_| !field.hidden) else {
        return false;
    };
    let text = match (&word.value, field.words.number()) {
        (Value::LenOf(len), Some((ty, _))) => {
            if let Some(name) = slip(ty) {
                format!("unknown option `{name}` of `len_of`: expected `bytes`, `auto` or `plus = ..`")
            } else {
                format!(
                    "`len_of({0}, {1})` is a number that is not kept: give the field the type `()`, found `{shown}`\nhelp: for a length that is a field, write `len_of({0})`",
                    len.field,
                    types::show(ty)
                )
            }
        }
        (Value::Checksum(_), Some(_)) => format!(
            "the checksum has the type of its field: write `checksum(<function>, ..)` without a type, or give the field the type `()`, found `{shown}`"
        ),
        (Value::Checksum(_), None) if types::is_unit(&field.ty) => {
            "a checksum that is not a field needs the type that it has on the wire: `checksum(u32 = <function>, ..)`"
                .to_owned()
        }
        (_, Some(_)) => {
            format!("a `calc` number is not kept: give the field the type `()`, found `{shown}`")
        }
        (Value::LenOf(len), None) if types::is_unit(&field.ty) => format!(
            "a length that is not a field needs the type that it has on the wire: `len_of({}, u32)`",
            len.field
        ),
        _ => return false,
    };
    errors.at(word.ident.span(), text);
    true
}

/// A checksum has a fixed size: its place must be known before it is. True when something was wrong.
fn sum_is_fixed(field: &Field, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let Some(word) = field.words.get("checksum") else { return false };
    let bytes = matches!(ty, Type::Array(array) if types::is_byte(&array.elem));
    let odd = (types::is_plain(ty) && !types::is_int(ty) && !bytes) || types::is_open(ty);
    let variable = form.integer.as_ref().is_some_and(|(form, _)| form.is_variable());
    if odd || variable {
        let shown = types::show(field.words.number().map_or(ty, |(ty, _)| ty));
        let text = format!("a checksum is an integer of a fixed size or an array of bytes, found `{shown}`");
        errors.at(word.ident.span(), text);
    }
    odd || variable
}

/// A name in lower case where a type should stand, which is not a word of an integer.
fn slip(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    let known =
        types::is_number(ty) || types::too_wide(ty).is_some() || Integer::new(ty, None).form.is_some();
    (!known && name.starts_with(|c: char| c.is_ascii_lowercase())).then_some(name)
}

/// The type of a number that is not a field. True when something was wrong.
fn number(field: &Field, errors: &mut Errors) -> bool {
    let Some((ty, form)) = field.words.number() else { return false };
    let so_far = errors.count();
    match slip(ty) {
        _ if field.sum.is_some() => {}
        _ if field.calc.is_some() && (types::is_bool(ty) || types::is_array(ty)) => {}
        Some(name) => {
            let word = if field.calc.is_some() { "calc" } else { "len_of" };
            let text = format!(
                "`{word}` takes the integer type of the number, such as `u16`, `u24` or `leb128`, found `{name}`"
            );
            errors.on(ty, text);
        }
        None => integer("number that is not a field", &Integer::new(ty, form.as_ref()).ty, errors),
    }
    errors.count() > so_far
}

/// What borrows has a lifetime. `borrow` without one would change nothing, and the user would go on copying.
fn borrow_has_lifetime(field: &Field, errors: &mut Errors) -> bool {
    let Some(span) = field.words.span("borrow").filter(|_| !has_lifetime(field.ty.to_token_stream())) else {
        return false;
    };
    let shown = types::show(&field.ty);
    errors
        .at(span, format!("`borrow` needs a type with a lifetime, such as `Cow<'a, str>`, found `{shown}`"));
    true
}

fn has_lifetime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '\'',
        TokenTree::Group(group) => has_lifetime(group.stream()),
        _ => false,
    })
}

/// Types of the standard library that never have a wire format: the message names what to use instead.
fn refused(ty: &Type, errors: &mut Errors) -> bool {
    let refusal = types::refusal(ty).or_else(|| types::not_held(types::maybe(ty).unwrap_or(ty)));
    if let Some(text) = &refusal {
        errors.on(ty, text);
    }
    refusal.is_some()
}

/// `nullable` and `if` may have no value to give, so the field must have room for that: an `Option`, or a `Nullable` where a
/// code says why.
fn needs_option(field: &Field, ty: &Type, errors: &mut Errors) -> bool {
    let visible = types::is_plain(ty) || types::is_open(ty) || types::is_unit(ty);
    let shown = types::show(ty);
    if let Some(span) = field.words.span("nullable").filter(|_| visible) {
        let text = format!(
            "`nullable` needs `Option<T>` or `Nullable<T>`, found `{shown}`\nhelp: write `Option<{shown}>`"
        );
        errors.at(span, text);
        return true;
    }
    if field.otherwise.is_some() {
        return false;
    }
    let no_option = visible || (types::maybe(ty).is_some() && types::option(ty).is_none());
    let version = field.words.first_of(&["since", "until_version"]);
    if let Some(word) = version.filter(|_| no_option) {
        let (inner, name) = (types::show(types::maybe(ty).unwrap_or(ty)), &word.ident);
        let text = format!(
            "`{name}` needs `Option<T>`, found `{shown}`\nhelp: write `Option<{inner}>`, or give the value in other versions: `default = <expr>`"
        );
        errors.at(word.ident.span(), text);
        return true;
    }
    if let Some(span) = field.words.span("optional_tail").filter(|_| no_option) {
        let inner = types::show(types::maybe(ty).unwrap_or(ty));
        let text =
            format!("`optional_tail` needs `Option<T>`, found `{shown}`\nhelp: write `Option<{inner}>`");
        errors.at(span, text);
        return true;
    }
    if let Some(span) = field.words.span("if").filter(|_| no_option && !types::is_unit(ty)) {
        let inner = types::show(types::maybe(ty).unwrap_or(ty));
        let text = format!(
            "`if` needs `Option<T>`, found `{shown}`\nhelp: write `Option<{inner}>`, or give the value where the condition does not hold: `if(.., else = ..)`"
        );
        errors.at(span, text);
        return true;
    }
    false
}

/// An `Option` has no bytes of its own: whether a byte or a condition tells is the format's decision, which nothing here may
/// guess.
fn option_says_when(field: &Field, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let silent = types::maybe(ty).is_some()
        && form.null.is_none()
        && !matches!(field.presence(), Presence::Optional | Presence::Tail);
    if silent && let Some(otherwise) = &field.otherwise {
        let word = if field.words.has("if") { "else" } else { "default" };
        let text = format!("`{word}` is the value of a field that is not an `Option`: leave it out");
        errors.on(otherwise, text);
    } else if silent && field.words.first_of(&["since", "until_version"]).is_some() {
        // what is missing is the version
    } else if silent {
        let shown = types::show(ty);
        let or = if types::option(ty).is_some() { ", `if(<expr>)` or `optional_tail`" } else { "" };
        let text = format!("`{shown}` does not say how a missing value is marked: add `nullable`{or}");
        errors.on(ty, text);
    }
    silent
}

/// `rest = keep` keeps what follows the value, for which only one type has room. True when something was wrong.
fn kept(form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let keeps = form.within.as_ref().is_some_and(|within| within.rest == Rest::Keep);
    let held = types::maybe(ty).unwrap_or(ty);
    let wrong = types::is_plain(held) || types::is_open(held) || !matches!(form.extent, Extent::Own);
    if keeps && wrong {
        let shown = types::show(held);
        let text =
            format!("`rest = keep` needs the type `Kept<T>`, which has room for the rest, found `{shown}`");
        errors.on(held, text);
    }
    keeps && wrong
}

/// `gaps` are kept by one type. True when something was wrong.
fn gaps(form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let wrong = matches!(form.extent, Extent::Gaps) && (types::is_plain(ty) || types::is_open(ty));
    if wrong {
        errors.on(ty, format!("`gaps` needs the type `Gaps`, found `{}`", types::show(ty)));
    }
    wrong
}

/// A value of variable length needs a word that ends it, for no length is the natural one; a fixed one cannot use any, so a
/// word would be a misunderstanding. Lists in lists have two lengths and need a struct for the second.
fn extent_fits(field: &Field, form: &Form, ty: &Type, errors: &mut Errors) -> bool {
    let held = types::maybe(ty).unwrap_or(ty);
    let lent = types::lent_items(held).filter(|item| types::is_plain(item));
    let odd = |item: &&Type| match held {
        Type::Reference(_) => types::is_bool(item) || matches!(item, Type::Tuple(_)),
        _ => !types::is_byte(item),
    };
    if let Some(item) = lent.filter(odd) {
        let text = format!(
            "`{}` cannot be lent from the input: its memory is not its bytes\nhelp: use `Vec<{}>`",
            types::show(held),
            types::show(item)
        );
        errors.on(held, text);
        return true;
    }
    if shape_fits(field, form, held, errors) || by_element(field, form, held, errors) {
        return true;
    }
    if types::is_open(held) && matches!(form.extent, Extent::Own) {
        let text = format!(
            "`{}` does not say how long it is: add `var_len`, `length_prefixed(u32)`, `count = ..` or `until_eof`",
            types::show(held)
        );
        errors.on(held, text);
        return true;
    }
    if super::inner::fits(held, errors) {
        return true;
    }
    let region = matches!(form.extent, Extent::Region(..));
    let fixed = types::is_plain(held) && !region && form.packed.is_none();
    match field.words.first_of(EXTENTS).filter(|_| fixed) {
        Some(word) => {
            let text = format!(
                "`{}` needs a type of variable length (`String`, `Vec<T>`, `&[u8]`, ..), found `{}`",
                word.ident,
                types::show(held)
            );
            errors.at(word.ident.span(), text);
            true
        }
        None => false,
    }
}

/// `until` and `each` go from element to element: they need a `Vec` that grows, and `until` a function to ask. True when
/// something was wrong.
fn by_element(field: &Field, form: &Form, held: &Type, errors: &mut Errors) -> bool {
    if let Extent::Until(Expr::Lit(value)) = &form.extent {
        let shown = types::source(value);
        let text = format!(
            "`until` takes a function of the element\nhelp: write `until = |element| *element == {shown}`"
        );
        errors.on(value, text);
        return true;
    }
    let word =
        field.words.first_of(&["until", "each"]).filter(|_| types::is_open(held) && !types::is_vec(held));
    if let Some(word) = word {
        let text = format!("`{}` needs a `Vec<T>`, found `{}`", word.ident, types::show(held));
        errors.at(word.ident.span(), text);
    }
    word.is_some()
}

/// `shape` writes dimensions, so it needs a type that has some, and their number must be known before they are read. True when
/// something was wrong.
fn shape_fits(field: &Field, form: &Form, held: &Type, errors: &mut Errors) -> bool {
    let shown = types::show(held);
    match (&form.extent, types::grid(held)) {
        (Extent::Shaped(shape), Some(types::Grid { dynamic: true, .. })) if shape.rank.is_none() => {
            let text = format!(
                "the type `{shown}` does not say how many dimensions there are: add `rank = <number>`"
            );
            errors.on(held, text);
            true
        }
        (Extent::Shaped(_), None) if types::is_open(held) || types::is_plain(held) => {
            let text = format!(
                "`shape` needs an array of several dimensions (`Array<T, N>`, `ArrayD<T>`), found `{shown}`"
            );
            errors.at(field.words.span("shape").unwrap_or(field.span), text);
            true
        }
        _ => false,
    }
}

/// `len_of` puts a length into the field, so the field is an integer of a size that a length may have.
fn length_is_int(field: &Field, ty: &Type, errors: &mut Errors) -> bool {
    let odd = (types::is_plain(ty) && !types::is_int(ty)) || types::is_open(ty);
    match field.words.span("len_of").filter(|_| odd) {
        Some(span) => {
            let shown = types::show(ty);
            errors.at(span, format!("`len_of` needs an integer field, found `{shown}`"));
            true
        }
        None => match (field.words.span("len_of"), types::too_wide(ty)) {
            (Some(_), Some(instead)) => {
                let shown = types::show(ty);
                errors.on(ty, format!("a length has 1, 2, 4 or 8 bytes, found `{shown}`: use {instead}"));
                true
            }
            _ => false,
        },
    }
}
