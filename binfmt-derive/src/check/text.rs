//! Rules about text: its words, what ends it, and what fills it.

use crate::attr::Value;
use crate::diag::Errors;
use crate::model::field::{Extent, Field, Form};
use crate::model::types;
use syn::{Expr, ExprLit, Lit, Type};

/// The words of text and bools say how to read what other types do not have. Latin-1 has other bytes than a `str`, so it
/// cannot be lent. True when something was wrong.
pub(super) fn fits(field: &Field, ty: &Type, errors: &mut Errors) -> bool {
    let held = types::maybe(ty).unwrap_or(ty);
    let shown = types::show(held);
    if let Some(span) = field
        .words
        .span("bool_lax")
        .filter(|_| (types::is_plain(held) && !types::is_bool(held)) || types::is_open(held))
    {
        errors.at(span, format!("`bool_lax` needs `bool`, found `{shown}`"));
        return true;
    }
    if let Some(Value::Name(name)) = field.words.get("text").map(|word| &word.value)
        && !["utf8", "latin1", "ascii", "bytes"].iter().any(|known| name == known)
    {
        let text = format!("unknown encoding `{name}`: expected `utf8`, `latin1`, `ascii` or `bytes`");
        errors.at(name.span(), text);
        return true;
    }
    if let Some(Value::Name(name)) = field.words.get("text").map(|word| &word.value)
        && name == "latin1"
        && types::is_text(held)
        && (matches!(held, Type::Reference(_)) || field.words.has("borrow"))
    {
        let text = format!(
            "`{shown}` cannot be lent from Latin-1 text, whose bytes differ from those of a `str`: use `String`"
        );
        errors.at(name.span(), text);
        return true;
    }
    let other = types::is_plain(held) || (types::items(held).is_some() && !types::is_bytes(held));
    match field.words.first_of(&["ends", "nul", "text", "trim"]).filter(|_| other) {
        Some(word) => {
            errors.at(word.ident.span(), format!("`{}` needs text or bytes, found `{shown}`", word.ident));
            true
        }
        None => false,
    }
}

/// A terminator is searched for, so there is something to search for; and the text is looked at as it is in memory, where only
/// ASCII has the bytes that it has on the wire. True when something was wrong.
pub(super) fn ending(form: &Form, errors: &mut Errors) -> bool {
    let Extent::Ends(ends) = &form.extent else { return false };
    let Expr::Lit(ExprLit { lit, .. }) = &ends.end else { return false };
    let bytes = match lit {
        Lit::ByteStr(text) => text.value(),
        Lit::Byte(byte) => vec![byte.value()],
        Lit::Int(int) => vec![int.base10_parse().unwrap_or(0)],
        _ => return false,
    };
    let latin1 = form.text.as_ref().is_some_and(|text| text.encoding == "Latin1");
    let text = match bytes.len() {
        1..=8 if latin1 && !bytes.is_ascii() => "the terminator of Latin-1 text must be ASCII".to_owned(),
        1..=8 => return false,
        n => format!("a terminator has 1 to 8 bytes, found {n}"),
    };
    errors.on(&ends.end, text);
    true
}

/// A filling is one byte, and ASCII in text whose bytes in memory are others. True when something was wrong.
pub(super) fn filling(form: &Form, errors: &mut Errors) -> bool {
    let Some((text, trim)) = form.text.as_ref().and_then(|text| Some((text, text.trim.as_ref()?))) else {
        return false;
    };
    let Expr::Lit(ExprLit { lit, .. }) = trim else { return false };
    let wrong = match lit {
        Lit::Byte(byte) => (text.encoding == "Latin1" && !byte.value().is_ascii())
            .then(|| "the filling of Latin-1 text must be ASCII".to_owned()),
        Lit::Int(int) => (text.encoding == "Latin1" && int.base10_parse().is_ok_and(|n: u8| !n.is_ascii()))
            .then(|| "the filling of Latin-1 text must be ASCII".to_owned()),
        Lit::Char(c) if c.value().is_ascii() => {
            Some(format!("`trim` takes a byte: write `trim = b'{}'`", c.value().escape_default()))
        }
        _ => Some(format!("`trim` takes one byte, found {}: write `trim = b' '`", types::source(trim))),
    };
    if let Some(text) = &wrong {
        errors.on(trim, text);
    }
    wrong.is_some()
}
