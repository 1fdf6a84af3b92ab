//! Rules about text: its words, what ends it, and what fills it.

use crate::attr::{CodingWord, Value};
use crate::diag::Errors;
use crate::model::field::{Extent, Field, Form, Text};
use crate::model::types;
use syn::{Expr, ExprLit, Lit, Type};

const ENCODINGS: [&str; 8] = ["utf8", "latin1", "ascii", "bytes", "utf16le", "utf16be", "utf32le", "utf32be"];

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
    if let Some(Value::Coding(CodingWord { name, page: None })) =
        field.words.get("text").map(|word| &word.value)
        && !ENCODINGS.iter().any(|known| name == known)
    {
        let list = ENCODINGS.join("`, `");
        let text = format!(
            "unknown encoding `{name}`: expected `{list}` or a code page, `with(Page)` or `encoding(windows_1252)`"
        );
        errors.at(name.span(), text);
        return true;
    }
    if let Some(Value::Coding(CodingWord { name, page })) = field.words.get("text").map(|word| &word.value)
        && !["utf8", "ascii", "bytes"].iter().any(|known| name == known)
    {
        let wide = name != "latin1" && page.is_none();
        let text = match types::is_text(held) {
            true if matches!(held, Type::Reference(_)) || field.words.has("borrow") => format!(
                "`{shown}` cannot be lent from {} text, whose bytes differ from those of a `str`: use `String`",
                match (wide, page) {
                    (true, _) => "UTF-16 or UTF-32",
                    (false, None) => "Latin-1",
                    (false, Some(_)) => "such",
                }
            ),
            false if (wide || page.is_some()) && types::is_bytes(held) => {
                format!("`text = {name}` needs text, found `{shown}`")
            }
            _ => String::new(),
        };
        if !text.is_empty() {
            errors.at(name.span(), text);
            return true;
        }
    }
    let other = types::is_plain(held) || (types::items(held).is_some() && !types::is_bytes(held));
    match field.words.first_of(&["ends", "nul", "text", "trim"]).filter(|_| other) {
        Some(word) => {
            let help = match word.key {
                "ends" if !types::is_plain(held) => {
                    "\nhelp: a terminator after any type is `region(ends(..))`"
                }
                _ => "",
            };
            let text = format!("`{}` needs text or bytes, found `{shown}`{help}", word.ident);
            errors.at(word.ident.span(), text);
            true
        }
        None => false,
    }
}

/// A terminator is searched for, so there is something to search for; and the text is looked at as it is in memory, where only
/// ASCII has the bytes that it has on the wire. True when something was wrong.
pub(super) fn ending(form: &Form, errors: &mut Errors) -> bool {
    let (ends, latin1) = match (&form.extent, &form.ended) {
        (Extent::Ends(ends), _) => (ends, form.text.as_ref().is_some_and(|text| text.encoding == "Latin1")),
        // whatever the bytes are: they are looked at as they are on the wire
        (_, Some(ends)) => (ends, false),
        _ => return false,
    };
    let unit = form.text.as_ref().filter(|_| form.ended.is_none()).map_or(1, Text::unit);
    let bytes = match &ends.end {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) => text.value(),
        Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. }) => vec![byte.value()],
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => vec![int.base10_parse().unwrap_or(0)],
        Expr::Lit(_) => return false,
        // a constant is one byte
        _ => vec![0],
    };
    let text = match bytes.len() {
        n if !(1..=8).contains(&n) => format!("a terminator has 1 to 8 bytes, found {n}"),
        _ if latin1 && !bytes.is_ascii() => "the terminator of Latin-1 text must be ASCII".to_owned(),
        n if n % unit != 0 => {
            format!("the units of this text have {unit} bytes, and its terminator whole units, found {n}")
        }
        _ => return false,
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
    let other = match text.encoding {
        "Latin1" => Some("the filling of Latin-1 text must be ASCII"),
        _ if text.unit() > 1 => Some("the filling of UTF-16 and UTF-32 text must be ASCII"),
        _ => None,
    };
    let wrong = match lit {
        Lit::Byte(byte) => other.filter(|_| !byte.value().is_ascii()).map(str::to_owned),
        Lit::Int(int) if int.base10_parse::<u8>().is_ok() => {
            other.filter(|_| int.base10_parse().is_ok_and(|n: u8| !n.is_ascii())).map(str::to_owned)
        }
        Lit::Int(_) if other.is_none() => None,
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
