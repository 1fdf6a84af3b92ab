//! The readable form of a schema: one line for each field, in the words of the derive.
//!
//! ```text
//! Cell: record, le  // One cell.
//!   id: u16
//!   weight: i16, nullable
//!   name: text, length_prefixed(u32), nul
//!   _: skip(bytes = 2)
//! ```
#![allow(clippy::arithmetic_side_effects, reason = "types and depths are those of data in memory")]

use super::integer::Integer;
use super::read::is_type;
use super::size::names;
use super::types::{ByteOrder, Choice, Description, Extent, Field, Magic, Record, Tag, Type};
use crate::codec::fingerprint::literal::{bit_field, encoded, nullable, packed};
use crate::codec::fingerprint::pieces::is_plain_name;
use crate::wire::Encoding;
use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

/// Writes a description: the root, what it names in the order of the wire, then what nothing names.
pub(super) fn write(description: &Description, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let order = names_of(description, &description.root);
    if !matches!(&description.root, Type::Named(name) if description.definitions.contains_key(name)) {
        line(f, 0, &shown(&description.root, false))?;
        inside(f, &description.root, 0)?;
    }
    let known: BTreeSet<&str> = order.iter().copied().collect();
    let rest = description.definitions.keys().filter(|name| !known.contains(name.as_str()));
    for name in order.iter().copied().chain(rest.map(String::as_str)) {
        if let Some(ty) = description.definitions.get(name) {
            line(f, 0, &format!("{}: {}", shown_name(name), shown(ty, true)))?;
            inside(f, ty, 0)?;
        }
    }
    Ok(())
}

/// The names that a type mentions, also inside what it names, each once, those of the outside first. However many types name each
/// other, none of this is on the stack.
pub(super) fn names_of<'a>(description: &'a Description, ty: &'a Type) -> Vec<&'a str> {
    let (mut known, mut order) = (BTreeSet::new(), Vec::new());
    // of each type that is looked into, the names that nothing has looked into yet
    let mut open = vec![names(ty)];
    while let Some(left) = open.last_mut() {
        let Some(name) = left.next() else {
            open.pop();
            continue;
        };
        let Some((name, ty)) = description.definitions.get_key_value(name) else { continue };
        if known.insert(name.as_str()) {
            order.push(name.as_str());
            open.push(names(ty));
        }
    }
    order
}

/// One line with its end.
fn line(f: &mut fmt::Formatter<'_>, depth: usize, text: &str) -> fmt::Result {
    writeln!(f, "{:width$}{}", "", one_line(text), width = depth * 2)
}

/// Text of a file as part of a line: nothing in it ends the line or speaks to a terminal.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    let visible = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    match text.contains(char::is_control) {
        true => Cow::Owned(text.chars().map(visible).collect()),
        false => Cow::Borrowed(text),
    }
}

/// The fields and variants of a type that stands in the line above.
fn inside(f: &mut fmt::Formatter<'_>, ty: &Type, depth: usize) -> fmt::Result {
    let depth = depth + 1;
    match ty {
        Type::Record(record) => fields(f, &record.fields, depth),
        Type::Choice(choice) => {
            for variant in &choice.variants {
                let doc = comment(&variant.doc);
                let rules: String = variant.rules.iter().map(|rule| format!(", {rule}")).collect();
                let name = shown_name(&variant.name);
                line(f, depth, &format!("{} => {name}{rules}{doc}", variant.tag))?;
                fields(f, &variant.fields, depth + 1)?;
            }
            Ok(())
        }
        ty => ty.body().map_or(Ok(()), |body| inside(f, body, depth - 1)),
    }
}

fn fields(f: &mut fmt::Formatter<'_>, fields: &[Field], depth: usize) -> fmt::Result {
    for field in fields {
        let mut words = Words::of(&field.ty, !field.name.is_empty());
        words.list.extend(field.rules.iter().cloned());
        let name = match field.name.as_str() {
            "" => Cow::Borrowed("_"),
            // without quotes it is no name
            "_" => Cow::Borrowed("\"_\""),
            name => shown_name(name),
        };
        line(f, depth, &format!("{name}: {words}{}", comment(&field.doc)))?;
        inside(f, &field.ty, depth)?;
    }
    Ok(())
}

/// A type with the documentation of the whole; as that of a definition, whose name stands before it.
pub(super) fn shown(ty: &Type, is_definition: bool) -> String {
    let doc = match ty {
        Type::Record(record) => comment(&record.doc),
        Type::Choice(choice) => comment(&choice.doc),
        _ => String::new(),
    };
    let mut words = Words { is_definition, ..Words::EMPTY };
    words.add(ty, true);
    format!("{words}{doc}")
}

/// The first paragraph of a documentation, as what ends a line.
fn comment(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    if lines.is_empty() { String::new() } else { format!("  // {}", lines.join(" ")) }
}

/// A name as it is, or quoted where it would not be read as one.
fn shown_name(name: &str) -> Cow<'_, str> {
    match is_plain_name(name) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(format!("{name:?}")),
    }
}

/// The name of a type as it is, or quoted where it would be read as a type of another kind.
fn shown_type(name: &str) -> Cow<'_, str> {
    if is_type(name) { Cow::Owned(format!("{name:?}")) } else { shown_name(name) }
}

/// A type in words: what it is, and the words of the derive that go with it, outermost first.
pub(super) struct Words {
    what: String,
    list: Vec<String>,
    /// Whether the name of a struct or enum stands before it.
    is_definition: bool,
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.list.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

impl Words {
    const EMPTY: Words = Words { what: String::new(), list: Vec::new(), is_definition: false };

    /// The words of a type; padding is `reserved` where it has a name.
    pub(super) fn of(ty: &Type, named: bool) -> Self {
        let mut words = Words::EMPTY;
        words.add(ty, named);
        words
    }

    fn say(&mut self, word: impl Into<String>) {
        self.list.push(word.into());
    }

    fn add(&mut self, ty: &Type, named: bool) {
        match ty {
            Type::Unit => self.what = "()".to_owned(),
            Type::Int { bytes, signed } => self.what = int(*bytes, *signed),
            Type::Varint { code, bytes } => {
                self.what = int(*bytes, code.is_signed());
                self.say(format!("as = {code}"));
            }
            Type::Float { bytes } => self.what = format!("f{}", u32::from(*bytes) * 8),
            Type::Bool { lax } => {
                self.what = "bool".to_owned();
                if *lax {
                    self.say("bool_lax");
                }
            }
            Type::Text { encoding, nul, len } => self.text(*encoding, *nul, len),
            Type::Bytes { len } => {
                self.what = "bytes".to_owned();
                self.extent(len);
            }
            Type::List { item, len } => self.items(item, len),
            Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } => {
                self.what = format!("[{}]", Words::of(item, true));
                let rank = match rank {
                    Extent::Fixed(n) => n.to_string(),
                    Extent::Expr(expr) => expr.clone(),
                    other => extent(other),
                };
                let order = if *column_major { ", order = column" } else { "" };
                self.say(format!("shape({}, rank = {rank}{order})", int(*dim_bytes, *dim_signed)));
            }
            Type::Named(name) => self.what = shown_type(name).into_owned(),
            Type::Record(record) => self.record(record),
            Type::Choice(choice) => self.choice(choice),
            Type::Opaque { by, min, max } => {
                self.what = if by.is_empty() { "opaque".to_owned() } else { format!("opaque({by})") };
                self.say(match max {
                    Some(max) if max == min => format!("size({min})"),
                    Some(max) => format!("size({min}, {max})"),
                    None => format!("size({min}, ..)"),
                });
            }
            wrapper => self.wrapper(wrapper, named),
        }
    }

    /// What stands around another type, and bytes without a meaning.
    fn wrapper(&mut self, ty: &Type, named: bool) {
        // the name before it is that of the whole
        self.is_definition &= matches!(ty, Type::Ordered { .. });
        match ty {
            Type::Region { len, fill, body } => {
                self.say(region(len, *fill));
                self.filling(fill.unwrap_or(0), false);
                match &**body {
                    // to the end of the region, as every list in one
                    Type::List { item, len: Extent::ToEnd } => {
                        self.what = format!("[{}]", Words::of(item, true))
                    }
                    body => self.add(body, true),
                }
            }
            Type::At { position, from, body } => {
                self.say(format!("at{} = {position}", from.option()));
                self.add(body, named);
            }
            Type::Peeked { body } => {
                self.say("peek");
                self.add(body, named);
            }
            Type::Processed { by, body } => {
                self.say(format!("process({by})"));
                self.add(body, true);
            }
            Type::Tail { body } => {
                self.say("optional_tail");
                self.add(body, named);
            }
            Type::Nullable { present, missing, blank, body } => {
                self.say(nullable(*present, *missing, *blank).as_str());
                self.add(body, true);
            }
            Type::Conditional { condition, otherwise, body } => {
                let otherwise = otherwise.iter().map(|value| format!(", else = {value}")).collect::<String>();
                self.say(format!("if({condition}{otherwise})"));
                self.add(body, named);
            }
            Type::Ordered { order, body } => {
                self.say(order_word(order));
                self.add(body, true);
            }
            Type::Padded { size, fill, strict, body } => {
                self.say(format!("pad_to = {size}"));
                self.filling(*fill, *strict);
                self.add(body, true);
            }
            Type::Bits { bits, run, order, body } => {
                let reserved = body.is_silent();
                match &**body {
                    Type::Padding { strict, .. } => {
                        self.what = "()".to_owned();
                        self.filling(0, *strict);
                    }
                    body => self.add(body, true),
                }
                self.say(bit_field(*bits, *run, *order, reserved).as_str());
            }
            Type::Packed { bits, order, strict, body } => {
                self.add(body, true);
                self.say(packed(*bits, *order).as_str());
                self.filling(0, *strict);
            }
            Type::Trimmed { byte, body } => {
                self.add(body, true);
                self.say(format!("trim = b'{}'", byte.escape_ascii()));
            }
            Type::Padding { len, fill, strict } => {
                match (len, named) {
                    (Extent::Fixed(n), false) => self.what = format!("skip(bytes = {n})"),
                    (Extent::Fixed(n), true) => self.what = format!("reserved({n})"),
                    (len, _) => {
                        self.what = "ignored".to_owned();
                        self.extent(len);
                    }
                }
                self.filling(*fill, *strict);
            }
            Type::Alignment { to, fill, strict } => {
                self.what = format!("align({to})");
                self.filling(*fill, *strict);
            }
            Type::Magic { value: Magic::Bytes(bytes) } => {
                self.what = format!("magic = b\"{}\"", bytes.escape_ascii());
            }
            Type::Magic { value: Magic::Number { value, bytes } } => {
                let (suffix, size) = width(value, *bytes);
                self.what = format!("magic = {value}{suffix}");
                if let Some(bytes) = size {
                    self.say(format!("size({bytes})"));
                }
            }
            _ => {}
        }
    }

    fn filling(&mut self, fill: u8, strict: bool) {
        if fill != 0 {
            self.say(format!("fill = {fill:#04x}"));
        }
        if strict {
            self.say("strict");
        }
    }

    fn text(&mut self, encoding: Encoding, nul: bool, len: &Extent) {
        self.what = "text".to_owned();
        if !matches!(len, Extent::Terminated) {
            self.extent(len);
        }
        if nul || matches!(len, Extent::Terminated) {
            self.say("nul");
        }
        if let Some(name) = encoded(encoding) {
            self.say(format!("text = {name}"));
        }
    }

    fn items(&mut self, item: &Type, len: &Extent) {
        let item = Words::of(item, true);
        match len {
            Extent::Fixed(n) => self.what = format!("[{item}; {n}]"),
            len => {
                self.what = format!("[{item}]");
                self.extent(len);
            }
        }
    }

    fn extent(&mut self, len: &Extent) {
        self.say(extent(len));
    }

    /// A struct or enum with its name, if that does not stand before it.
    fn entitled(&self, what: &str, name: &str) -> String {
        if name.is_empty() || self.is_definition {
            return what.to_owned();
        }
        match name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            true => format!("{what}({name})"),
            false => format!("{what}({name:?})"),
        }
    }

    fn record(&mut self, record: &Record) {
        self.what = self.entitled("record", &record.name);
        self.list.extend(record.order.iter().map(order_word));
        self.list.extend(record.rules.iter().cloned());
    }

    fn choice(&mut self, choice: &Choice) {
        self.what = self.entitled("choice", &choice.name);
        self.list.extend(choice.order.iter().map(order_word));
        match &choice.magic {
            Some(Magic::Bytes(bytes)) => self.say(format!("magic = b\"{}\"", bytes.escape_ascii())),
            Some(Magic::Number { value, bytes }) => {
                let (suffix, size) = width(value, *bytes);
                self.say(format!("magic = {value}{suffix}"));
                self.list.extend(size.map(|bytes| format!("size({bytes})")));
            }
            None => {}
        }
        self.say(match &choice.tag {
            Tag::Front(tag) => format!("tag({})", Words::of(tag, true)),
            Tag::Expr(expr) => format!("tag_from = {expr}"),
            Tag::Untagged => "untagged".to_owned(),
        });
        self.list.extend(choice.rules.iter().cloned());
    }
}

/// What says how wide a magic number is, unless its own end does: an end for digits, a size for a name.
fn width(value: &str, bytes: u8) -> (String, Option<u8>) {
    let digits = value.strip_prefix('-').unwrap_or(value);
    match digits.starts_with(|c: char| c.is_ascii_digit()) {
        true if end_of_literal(value) == Some(bytes) => (String::new(), None),
        true if end_of_literal(value).is_some() => (String::new(), Some(bytes)),
        true => (int(bytes, value.starts_with('-')), None),
        false => (String::new(), Some(bytes)),
    }
}

/// The bytes that the end of a number says it has: 2 of `0x1234u16`.
pub(super) fn end_of_literal(number: &str) -> Option<u8> {
    let ends: &[char] =
        if number.trim_start_matches('-').starts_with("0x") { &['u', 'i'] } else { &['u', 'i', 'f'] };
    let bits: u8 = number.get(number.rfind(ends)?..)?.get(1..)?.parse().ok()?;
    matches!(bits, 8 | 16 | 32 | 64 | 128).then_some(bits / 8)
}

fn int(bytes: u8, signed: bool) -> String {
    Integer::Fixed { bytes, signed }.to_string()
}

/// Where something ends, as a word.
pub(super) fn extent(len: &Extent) -> String {
    match len {
        Extent::Fixed(n) => format!("count = {n}"),
        Extent::Prefixed { len, max, inclusive } => prefixed(len, *max, *inclusive, ""),
        Extent::Expr(expr) => format!("count = {expr}"),
        Extent::Each(expr) => format!("each({expr})"),
        Extent::Until(expr) => format!("until = {expr}"),
        Extent::Terminated => "nul".to_owned(),
        Extent::Ends(end) => end.to_string(),
        Extent::ToEnd => "until_eof".to_owned(),
        Extent::Gaps => "gaps".to_owned(),
    }
}

/// In how many bytes a region is, as a word.
fn region(len: &Extent, fill: Option<u8>) -> String {
    let rest = if fill.is_some() { ", rest = skip" } else { "" };
    match len {
        Extent::Prefixed { len, max, inclusive } => {
            prefixed(len, *max, *inclusive, &format!(", in = bytes{rest}"))
        }
        Extent::Expr(len) if fill.is_none() => format!("region = {len}"),
        Extent::Expr(len) => format!("region({len}{rest})"),
        other => format!("region({}{rest})", extent(other)),
    }
}

fn prefixed(len: &Integer, max: Option<u64>, inclusive: bool, unit: &str) -> String {
    let mut word = format!("length_prefixed({len}{unit}");
    if inclusive {
        word.push_str(", inclusive");
    }
    if let Some(max) = max {
        // writing to a string does not fail
        let _ = write!(word, ", max = {max}");
    }
    word.push(')');
    word
}

pub(super) fn order_word(order: &ByteOrder) -> String {
    match order {
        ByteOrder::Little => "le".to_owned(),
        ByteOrder::Big => "be".to_owned(),
        ByteOrder::Expr(expr) => format!("endian = {expr}"),
    }
}
