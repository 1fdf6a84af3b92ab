//! A description in JSON, as the text that the same description prints.
//!
//! The runtime reads and prints both forms; a macro has neither the runtime nor a crate for JSON. What this says is compared with what
//! the runtime says by the tests of the word, for every kind of type.

mod parse;

use super::pieces;
use parse::Json;
use std::fmt::Write as _;

/// The text of a description.
pub(super) fn text(json: &str) -> Result<String, String> {
    let json = parse::whole(json)?;
    let root = json.get("root").ok_or("a description in JSON has a `root`")?;
    let definitions = json.get("definitions").map(Json::entries).unwrap_or_default();
    let root_name = root.get("named").map(Json::text).transpose()?;
    let mut out = String::new();
    if root_name.is_none() {
        writeln!(out, "{}", line(root)?).map_err(|e| e.to_string())?;
        inside(&mut out, root, 1)?;
    }
    let is_root = |name: &str| root_name.is_some_and(|root| root == name);
    let (first, rest): (Vec<_>, Vec<_>) = definitions.iter().partition(|(name, _)| is_root(name));
    if let (Some(name), true) = (root_name, first.is_empty()) {
        return Err(format!("unknown type `{name}`"));
    }
    for (name, ty) in first.into_iter().chain(rest) {
        writeln!(out, "{}: {}", shown_name(name), line(ty)?).map_err(|e| e.to_string())?;
        inside(&mut out, ty, 1)?;
    }
    Ok(out)
}

/// A name as it is, or quoted where it would not be read as one.
fn shown_name(name: &str) -> String {
    match pieces::is_plain_name(name) {
        true => name.to_owned(),
        false => format!("{name:?}"),
    }
}

fn line(ty: &Json) -> Result<String, String> {
    let (what, words) = typed(ty, true)?;
    Ok(with_words(&what, &words))
}

fn with_words(what: &str, words: &[String]) -> String {
    words.iter().fold(what.to_owned(), |line, word| format!("{line}, {word}"))
}

/// The lines below that of a type.
fn inside(out: &mut String, ty: &Json, depth: usize) -> Result<(), String> {
    let (kind, of) = ty.variant()?;
    match kind {
        "record" => fields(out, of, depth),
        "choice" => {
            for variant in of.list("variants")? {
                let (tag, name) = (variant.str("tag")?, shown_name(variant.str("name")?));
                writeln!(out, "{:1$}{tag} => {name}", "", depth * 2).map_err(|e| e.to_string())?;
                fields(out, variant, depth + 1)?;
            }
            Ok(())
        }
        _ => match of.get("body").or_else(|| of.get("item")) {
            Some(body) => inside(out, body, depth),
            None => Ok(()),
        },
    }
}

fn fields(out: &mut String, of: &Json, depth: usize) -> Result<(), String> {
    for field in of.list("fields")? {
        let name = field.get("name").map_or(Ok(""), Json::text)?;
        let ty = field.get("type").ok_or("a field has a `type`")?;
        let (what, mut words) = typed(ty, !name.is_empty())?;
        words.extend(field.texts("rules")?);
        let name = if name.is_empty() { "_".to_owned() } else { shown_name(name) };
        writeln!(out, "{:2$}{name}: {}", "", with_words(&what, &words), depth * 2)
            .map_err(|e| e.to_string())?;
        inside(out, ty, depth + 1)?;
    }
    Ok(())
}

/// A type in words: what it is, and the words after it, outermost first; padding is `reserved` where it has a name.
fn typed(ty: &Json, named: bool) -> Result<(String, Vec<String>), String> {
    let (kind, of) = ty.variant()?;
    let plain = |what: String| Ok((what, Vec::new()));
    // what stands around another type
    let around = |words: Vec<String>, named: bool| -> Result<(String, Vec<String>), String> {
        let (what, inner) = typed(of.get("body").ok_or("a type around another has a `body`")?, named)?;
        Ok((what, words.into_iter().chain(inner).collect()))
    };
    match kind {
        "unit" => plain("()".to_owned()),
        "int" => plain(integer(of.byte("bytes")?, of.flag("signed")?)),
        "varint" => {
            let code = of.str("code")?;
            let is_signed = matches!(code, "sleb128" | "zigzag");
            Ok((integer(of.byte("bytes")?, is_signed), vec![format!("as = {code}")]))
        }
        "float" => plain(format!("f{}", bits_of(of.byte("bytes")?))),
        "bool" => {
            Ok(("bool".to_owned(), of.flag("lax")?.then(|| "bool_lax".to_owned()).into_iter().collect()))
        }
        "named" => plain(shown_name(of.text()?)),
        "record" => Ok(("record".to_owned(), [order(of)?, of.texts("rules")?].concat())),
        "choice" => choice(of),
        "text" | "bytes" => text_or_bytes(kind, of),
        "list" => list(of),
        "shaped" => {
            let item = line(of.get("item").ok_or("an array has an `item`")?)?;
            let (_, rank) = extent(of.get("rank").ok_or("an array has a `rank`")?)?;
            // the expression of a rank stands alone
            let rank = rank.strip_prefix("count = ").unwrap_or(&rank);
            let dims = integer(of.byte("dim_bytes")?, of.flag("dim_signed")?);
            let order = if of.flag("column_major")? { ", order = column" } else { "" };
            Ok((format!("[{item}]"), vec![format!("shape({dims}, rank = {rank}{order})")]))
        }
        "region" => region(of),
        "at" => {
            let from = match of.get("from").map(Json::text).transpose()? {
                Some(from @ ("file" | "end")) => format!("({from})"),
                _ => String::new(),
            };
            around(vec![format!("at{from} = {}", of.str("position")?)], named)
        }
        "peeked" => around(vec!["peek".to_owned()], named),
        "processed" => around(vec![format!("process({})", of.str("by")?)], true),
        "tail" => around(vec!["optional_tail".to_owned()], named),
        "conditional" => around(vec![format!("if({})", of.str("condition")?)], named),
        "nullable" => around(vec![nullable(of)?], true),
        "ordered" => {
            around(vec![order_word(of.get("order").ok_or("a type in an order has an `order`")?)?], true)
        }
        "padded" => {
            let size = vec![format!("pad_to = {}", of.num("size")?)];
            around([size, filling(of)?].concat(), true)
        }
        "trimmed" => {
            let (what, mut words) = around(Vec::new(), true)?;
            words.push(format!("trim = b'{}'", of.byte("byte")?.escape_ascii()));
            Ok((what, words))
        }
        "bits" => bits(of),
        "packed" => {
            let (what, mut words) = around(Vec::new(), true)?;
            let order =
                of.get("order").map(Json::text).transpose()?.map(|order| format!(", order = {order}"));
            words.push(format!("bits({}{})", of.byte("bits")?, order.unwrap_or_default()));
            let strict = of.get("strict").map(|_| of.flag("strict")).transpose()?;
            words.extend(strict.filter(|strict| *strict).map(|_| "strict".to_owned()));
            Ok((what, words))
        }
        "padding" => padding(of, named),
        "alignment" => Ok((format!("align({})", of.num("to")?), filling(of)?)),
        "magic" => magic(of.get("value").ok_or("a magic has a `value`")?),
        "opaque" => {
            let (by, min) = (of.str("by")?, of.num("min")?);
            let what = if by.is_empty() { "opaque".to_owned() } else { format!("opaque({by})") };
            let size = match of.get("max").and_then(Json::number) {
                Some(max) if max == min => format!("size({min})"),
                Some(max) => format!("size({min}, {max})"),
                None => format!("size({min}, ..)"),
            };
            Ok((what, vec![size]))
        }
        other => Err(format!("unknown type `{other}`")),
    }
}

fn integer(bytes: u8, signed: bool) -> String {
    format!("{}{}", if signed { 'i' } else { 'u' }, bits_of(bytes))
}

fn bits_of(bytes: u8) -> u32 {
    u32::from(bytes) * 8
}

fn order(of: &Json) -> Result<Vec<String>, String> {
    of.get("order").into_iter().map(order_word).collect()
}

fn order_word(order: &Json) -> Result<String, String> {
    Ok(match order.variant()? {
        ("little", _) => "le".to_owned(),
        ("big", _) => "be".to_owned(),
        (_, expr) => format!("endian = {}", expr.text()?),
    })
}

fn filling(of: &Json) -> Result<Vec<String>, String> {
    let fill = of.get("fill").and_then(Json::number).unwrap_or(0);
    let mut words = Vec::new();
    if fill != 0 {
        words.push(format!("fill = {fill:#04x}"));
    }
    if of.get("strict").is_some_and(Json::is_true) {
        words.push("strict".to_owned());
    }
    Ok(words)
}

fn choice(of: &Json) -> Result<(String, Vec<String>), String> {
    let mut words = order(of)?;
    if let Some(value) = of.get("magic") {
        let (value, _) = magic(value)?;
        words.push(value);
    }
    let tag = of.get("tag").ok_or("a choice has a `tag`")?;
    words.push(match tag.text() {
        Ok(word) => word.to_owned(),
        Err(_) => match tag.variant()? {
            ("front", tag) => format!("tag({})", line(tag)?),
            (_, tag) => format!("tag_from = {}", tag.text()?),
        },
    });
    Ok(("choice".to_owned(), words))
}

fn text_or_bytes(kind: &str, of: &Json) -> Result<(String, Vec<String>), String> {
    let (is, len) = extent(of.get("len").ok_or("a text has a `len`")?)?;
    let is_terminated = is == "terminated";
    let mut words = Vec::new();
    if !is_terminated || kind == "bytes" {
        words.push(if is == "fixed" { format!("count = {len}") } else { len });
    }
    if kind == "text" {
        if is_terminated || of.flag("nul")? {
            words.push("nul".to_owned());
        }
        match of.str("encoding")? {
            "utf8" => {}
            "any" => words.push("text = bytes".to_owned()),
            other => words.push(format!("text = {other}")),
        }
    }
    Ok((kind.to_owned(), words))
}

fn list(of: &Json) -> Result<(String, Vec<String>), String> {
    let item = line(of.get("item").ok_or("a list has an `item`")?)?;
    Ok(match extent(of.get("len").ok_or("a list has a `len`")?)? {
        ("fixed", num) => (format!("[{item}; {num}]"), Vec::new()),
        (_, len) => (format!("[{item}]"), vec![len]),
    })
}

/// Where something ends: of which kind it is, and the word, of a fixed number the number.
fn extent(len: &Json) -> Result<(&str, String), String> {
    let (kind, of) = len.variant()?;
    let word = match kind {
        "fixed" => of.number().ok_or("a fixed number is a number")?.to_string(),
        "prefixed" => prefixed(of, "")?,
        "expr" => format!("count = {}", of.text()?),
        "each" => format!("each({})", of.text()?),
        "until" => format!("until = {}", of.text()?),
        "terminated" => "nul".to_owned(),
        "ends" => ends(of)?,
        "to_end" => "until_eof".to_owned(),
        "gaps" => "gaps".to_owned(),
        other => return Err(format!("unknown end `{other}`")),
    };
    Ok((kind, word))
}

fn ends(of: &Json) -> Result<String, String> {
    let bytes: Vec<u8> = of.bytes("bytes")?;
    let quote = if bytes.len() == 1 { '\'' } else { '"' };
    let fate = match of.get("fate").map(Json::text).transpose()? {
        Some("kept") => ", keep",
        Some("unread") => ", unread",
        _ => "",
    };
    let or_eof = if of.get("or_eof").is_some_and(Json::is_true) { ", or_eof" } else { "" };
    Ok(format!("ends(b{quote}{}{quote}{fate}{or_eof})", bytes.escape_ascii()))
}

fn prefixed(of: &Json, unit: &str) -> Result<String, String> {
    let len = match (of.get("varint"), of.get("by")) {
        (Some(code), _) => {
            let (code, bytes) = (code.text()?, of.byte("bytes")?);
            let is_signed = matches!(code, "sleb128" | "zigzag");
            if bytes == 8 { code.to_owned() } else { format!("{}, as = {code}", integer(bytes, is_signed)) }
        }
        (None, Some(by)) => format!("as = {}", by.text()?),
        (None, None) => integer(of.byte("bytes")?, of.flag("signed")?),
    };
    let inclusive = if of.get("inclusive").is_some_and(Json::is_true) { ", inclusive" } else { "" };
    let max = of.get("max").and_then(Json::number).map(|max| format!(", max = {max}")).unwrap_or_default();
    Ok(format!("length_prefixed({len}{unit}{inclusive}{max})"))
}

fn region(of: &Json) -> Result<(String, Vec<String>), String> {
    let fill = of.get("fill").and_then(Json::number);
    let rest = if fill.is_some() { ", rest = skip" } else { "" };
    let len = of.get("len").ok_or("a region has a `len`")?;
    let word = match len.variant()? {
        ("prefixed", of) => prefixed(of, &format!(", in = bytes{rest}"))?,
        ("expr", len) if fill.is_none() => format!("region = {}", len.text()?),
        ("expr", len) => format!("region({}{rest})", len.text()?),
        ("fixed", _) => format!("region(count = {}{rest})", extent(len)?.1),
        _ => format!("region({}{rest})", extent(len)?.1),
    };
    let body = of.get("body").ok_or("a region has a `body`")?;
    let words = [vec![word], filling(of)?].concat();
    // to the end of the region, as every list in one
    if let ("list", list) = body.variant()?
        && let Some("to_end") = list.get("len").map(Json::variant).transpose()?.map(|(kind, _)| kind)
    {
        let item = line(list.get("item").ok_or("a list has an `item`")?)?;
        return Ok((format!("[{item}]"), words));
    }
    let (what, inner) = typed(body, true)?;
    Ok((what, [words, inner].concat()))
}

fn nullable(of: &Json) -> Result<String, String> {
    let missing = of.bytes("missing")?;
    let [low, high] = missing[..] else { return Err("`missing` is two numbers".to_owned()) };
    let (present, blank) = (of.num("present")?, of.flag("blank")?);
    if (present, low, high, blank) == (0xFF, 0, 127, true) {
        return Ok("nullable".to_owned());
    }
    let missing = if low == high { low.to_string() } else { format!("{low}..={high}") };
    let body = if blank { "" } else { ", body = absent" };
    Ok(format!("nullable(present = {present}, missing = {missing}{body})"))
}

fn bits(of: &Json) -> Result<(String, Vec<String>), String> {
    let body = of.get("body").ok_or("bits have a `body`")?;
    let (kind, inner) = body.variant()?;
    let is_reserved = kind == "padding";
    let (what, mut words) = if is_reserved { ("()".to_owned(), filling(inner)?) } else { typed(body, true)? };
    let run = of.get("run").map(|_| of.byte("run")).transpose()?;
    let order = match of.get("order").map(Json::text).transpose()? {
        Some(order) if run.is_some() => format!(", order = {order}"),
        _ => String::new(),
    };
    let run = run.map(|bytes| format!(", of = {}", integer(bytes, false))).unwrap_or_default();
    let reserved = if is_reserved { ", reserved" } else { "" };
    words.push(format!("bits({}{run}{order}{reserved})", of.byte("bits")?));
    Ok((what, words))
}

fn padding(of: &Json, named: bool) -> Result<(String, Vec<String>), String> {
    let (kind, len) = extent(of.get("len").ok_or("padding has a `len`")?)?;
    let filling = filling(of)?;
    Ok(match (kind, named) {
        ("fixed", false) => (format!("skip(bytes = {len})"), filling),
        ("fixed", true) => (format!("reserved({len})"), filling),
        _ => ("ignored".to_owned(), [vec![len], filling].concat()),
    })
}

fn magic(value: &Json) -> Result<(String, Vec<String>), String> {
    let ("number", of) = value.variant()? else {
        // {"bytes": [1, 2]}
        let bytes = value.bytes("bytes")?;
        return Ok((format!("magic = b\"{}\"", bytes.escape_ascii()), Vec::new()));
    };
    let (value, bytes) = (of.str("value")?, of.byte("bytes")?);
    let digits = value.strip_prefix('-').unwrap_or(value);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((format!("magic = {value}"), vec![format!("size({bytes})")]));
    }
    let ends: &[char] = if digits.starts_with("0x") { &['u', 'i'] } else { &['u', 'i', 'f'] };
    let width = digits.rfind(ends).map_or("", |at| &digits[at + 1..]);
    let has_width = matches!(width, "8" | "16" | "32" | "64" | "128");
    let width = if has_width { String::new() } else { integer(bytes, value.starts_with('-')) };
    Ok((format!("magic = {value}{width}"), Vec::new()))
}
