//! The words after a type, one by one.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text")]

use super::SyntaxError;
use super::piece::Piece;
use super::types;
use crate::codec::fingerprint::pieces::RULES;
use crate::schema::expr::flaw::of_rule;
use crate::schema::expr::literal;
use crate::schema::types::{ByteOrder, Tag, Type};
use crate::schema::{Extent, Integer};
use crate::wire::{BitOrder, Encoding, Fate, Origin, Terminator, Varint};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a word says.
#[derive(Debug)]
pub(super) enum Word {
    /// Something stands around the type.
    Around(Around),
    Len(Extent),
    /// A NUL ends it.
    Nul,
    Encoding(Encoding),
    As(Varint),
    /// Of a bool.
    Lax,
    Shape {
        dim: Integer,
        rank: Extent,
        column_major: bool,
    },
    /// Of what a description does not explain.
    Size(u64, Option<u64>),
    Tag(Tag),
    /// Before the tag; how wide it is may be said by another word.
    Magic,
    Fill(u8),
    Strict,
    Trim(u8),
    Bits {
        bits: u8,
        run: Option<u8>,
        order: Option<BitOrder>,
        reserved: bool,
    },
    /// What changes no bytes.
    Rule,
}

/// What stands around a type.
#[derive(Debug)]
pub(super) enum Around {
    If { condition: String, otherwise: Option<String> },
    At { position: String, from: Origin },
    Peeked,
    Processed { by: String },
    Tail,
    Order(ByteOrder),
    Nullable { present: u8, missing: (u8, u8), blank: bool },
    Region { len: Extent, fill: Option<u8> },
    Padded { size: u64, fill: u8, strict: bool },
}

impl Around {
    pub(super) fn around(self, body: Type) -> Type {
        let body = Box::new(body);
        match self {
            Around::If { condition, otherwise } => Type::Conditional { condition, otherwise, body },
            Around::At { position, from } => Type::At { position, from, body },
            Around::Peeked => Type::Peeked { body },
            Around::Processed { by } => Type::Processed { by, body },
            Around::Tail => Type::Tail { body },
            Around::Order(order) => Type::Ordered { order, body },
            Around::Nullable { present, missing, blank } => Type::Nullable { present, missing, blank, body },
            Around::Region { len, fill } => Type::Region { len, fill, body },
            Around::Padded { size, fill, strict } => Type::Padded { size, fill, strict, body },
        }
    }
}

/// All others, for suggestions.
const WORDS: &[&str] = &[
    "args",
    "as",
    "at",
    "be",
    "bits",
    "bool_lax",
    "count",
    "each",
    "endian",
    "ends",
    "fill",
    "gaps",
    "if",
    "le",
    "length_prefixed",
    "magic",
    "nul",
    "nullable",
    "optional_tail",
    "pad_to",
    "peek",
    "process",
    "region",
    "shape",
    "size",
    "strict",
    "tag",
    "tag_from",
    "text",
    "trim",
    "untagged",
    "until",
    "until_eof",
];

/// What a word says; `named` gets the names of types in it.
pub(super) fn word<'a>(piece: Piece<'a>, named: &mut Vec<(Piece<'a>, String)>) -> Result<Word, SyntaxError> {
    if let Some(plain) = plain(piece.text) {
        return Ok(plain);
    }
    for from in [Origin::File, Origin::End] {
        let rest = piece.text.strip_prefix("at").and_then(|rest| rest.strip_prefix(from.option()));
        if let Some(position) = rest.and_then(|rest| rest.trim_start().strip_prefix('=')) {
            let position = piece.part(piece.text.len() - position.len()..piece.text.len()).expression()?;
            return Ok(Word::Around(Around::At { position, from }));
        }
    }
    let (name, inside, is_call) = match (piece.call(), piece.assignment()) {
        // of `assert(a = b)` and `count = n(1)` the mark that comes first
        (call, Some((name, value))) if call.is_none_or(|(word, _)| word.len() > name.len()) => {
            (name, value, false)
        }
        (Some((name, inside)), _) => (name, inside, true),
        _ if RULES.contains(&piece.text) => return rule(piece),
        _ => return Err(unlike(piece, piece.text)),
    };
    if RULES.contains(&name) {
        return rule(piece);
    }
    // of text a description has no functions: these are bytes
    let is_made = |value: &str| value.starts_with("with(") || value.starts_with("encoding(");
    if (name == "args" && is_call) || (name == "text" && !is_call && is_made(inside.text)) {
        return rule(piece);
    }
    let found = if is_call { called(name, inside, named) } else { assigned(name, inside) };
    found.unwrap_or_else(|| Err(unlike(piece, name)))
}

/// That there is no such word, or that it is written in another way.
fn unlike(piece: Piece<'_>, name: &str) -> SyntaxError {
    let first = name.split([' ', '\t', '=', '(']).next().unwrap_or(name);
    let value = match first {
        "count" | "at" | "region" => " = n",
        "until" => " = value == 0",
        "as" => " = leb128",
        "text" => " = utf8",
        "endian" => " = order",
        "magic" => " = b\"ABC\"",
        "tag_from" => " = n",
        "fill" | "trim" => " = 0",
        "pad_to" => " = 8",
        "if" => "(n > 0)",
        "each" => "(n)",
        "ends" => "(0)",
        "length_prefixed" | "tag" => "(u8)",
        "shape" => "(u32, u32)",
        "size" => "(4)",
        "process" => "(xor(0xff))",
        "bits" => "(4)",
        name if plain(name).is_some() => "",
        _ => return piece.unknown("word", name, WORDS.iter().chain(RULES).copied()),
    };
    let alone = if value.is_empty() { ", with nothing after it" } else { "" };
    piece.error(format!("`{}` is not how `{first}` is written: it is `{first}{value}`{alone}", piece.text))
}

/// A word that changes no bytes.
fn rule(piece: Piece<'_>) -> Result<Word, SyntaxError> {
    piece.without(of_rule(piece.text)).map(|()| Word::Rule)
}

/// Whether a piece is a word with something after it, such as `region = n` or `length_prefixed(u8)`.
pub(super) fn is_word(piece: Piece<'_>) -> bool {
    let name = match (piece.call(), piece.assignment()) {
        (Some((name, _)), _) | (None, Some((name, _))) => name,
        _ => return false,
    };
    // a magic is a type, too
    name != "magic" && (WORDS.contains(&name) || RULES.contains(&name))
}

/// A word that has nothing after it.
fn plain(word: &str) -> Option<Word> {
    Some(match word {
        "bool_lax" => Word::Lax,
        "nul" => Word::Nul,
        "strict" => Word::Strict,
        "untagged" => Word::Tag(Tag::Untagged),
        "peek" => Word::Around(Around::Peeked),
        "optional_tail" => Word::Around(Around::Tail),
        "until_eof" => Word::Len(Extent::ToEnd),
        "gaps" => Word::Len(Extent::Gaps),
        "le" => Word::Around(Around::Order(ByteOrder::Little)),
        "be" => Word::Around(Around::Order(ByteOrder::Big)),
        "nullable" => Word::Around(Around::Nullable { present: 0xFF, missing: (0, 127), blank: true }),
        _ => return None,
    })
}

/// `name = value`.
fn assigned(name: &str, value: Piece<'_>) -> Option<Result<Word, SyntaxError>> {
    let text = value.text.to_string();
    Some(match name {
        "count" => count(value).map(Word::Len),
        "until" => value.expression().map(|text| Word::Len(Extent::Until(text))),
        "as" => varint(value.text)
            .map(Word::As)
            .ok_or_else(|| value.error(format!("`{text}` is not an encoding of integers"))),
        "text" => encoding(value).map(Word::Encoding),
        "endian" => value.expression().map(|text| Word::Around(Around::Order(ByteOrder::Expr(text)))),
        "magic" => Ok(Word::Magic),
        "tag_from" => value.expression().map(|text| Word::Tag(Tag::Expr(text))),
        "fill" => byte(value).map(Word::Fill),
        "trim" => byte(value).map(Word::Trim),
        "at" => {
            let around = |position| Word::Around(Around::At { position, from: Origin::Container });
            value.expression().map(around)
        }
        "region" => {
            let around = |text| Word::Around(Around::Region { len: Extent::Expr(text), fill: None });
            value.expression().map(around)
        }
        "pad_to" => int(value).map(|size| Word::Around(Around::Padded { size, fill: 0, strict: false })),
        _ => return None,
    })
}

/// `name(inside)`.
fn called<'a>(
    name: &str,
    inside: Piece<'a>,
    named: &mut Vec<(Piece<'a>, String)>,
) -> Option<Result<Word, SyntaxError>> {
    Some(match name {
        "if" => condition(inside),
        "each" => inside.expression().map(|text| Word::Len(Extent::Each(text))),
        "ends" => ends(inside).map(|end| Word::Len(Extent::Ends(end))),
        "length_prefixed" => prefixed(inside),
        "region" => region(inside),
        "nullable" => nullable(inside),
        "shape" => shape(inside),
        "size" => size(inside),
        "process" => inside.inside().map(|by| Word::Around(Around::Processed { by })),
        "bits" => bits(inside),
        "tag" => types::inline(inside, named).map(|ty| Word::Tag(Tag::Front(Box::new(ty)))),
        _ => return None,
    })
}

/// An integer that is written out.
pub(super) fn int<T: TryFrom<i128>>(piece: Piece<'_>) -> Result<T, SyntaxError> {
    let found = literal::int(piece.text).and_then(|n| T::try_from(n).ok());
    found.ok_or_else(|| piece.error(format!("`{}` is not a number that fits here", piece.text)))
}

/// `b' '`, `0x20`.
fn byte(piece: Piece<'_>) -> Result<u8, SyntaxError> {
    int(piece)
}

/// A number of elements or bytes: written out, or an expression.
fn count(piece: Piece<'_>) -> Result<Extent, SyntaxError> {
    match literal::int(piece.text).map(u64::try_from) {
        Some(Ok(n)) => Ok(Extent::Fixed(n)),
        _ => piece.expression().map(Extent::Expr),
    }
}

/// `u16`, `i24`: bytes and whether there is a sign.
pub(super) fn fixed(word: &str) -> Option<(u8, bool)> {
    let signed = match word.get(..1)? {
        "u" => false,
        "i" => true,
        _ => return None,
    };
    let bits: u8 = word.get(1..)?.parse().ok()?;
    let bytes = bits / 8;
    (bits.is_multiple_of(8) && matches!(bytes, 1..=8 | 16)).then_some((bytes, signed))
}

pub(super) fn varint(word: &str) -> Option<Varint> {
    [Varint::Leb128, Varint::Sleb128, Varint::Zigzag, Varint::Vlq]
        .into_iter()
        .find(|code| code.name() == word)
}

const ENCODINGS: &[(&str, Encoding)] = &[
    ("utf8", Encoding::Utf8),
    ("ascii", Encoding::Ascii),
    ("latin1", Encoding::Latin1),
    ("utf16le", Encoding::Utf16Le),
    ("utf16be", Encoding::Utf16Be),
    ("utf32le", Encoding::Utf32Le),
    ("utf32be", Encoding::Utf32Be),
    ("bytes", Encoding::Any),
];

fn encoding(piece: Piece<'_>) -> Result<Encoding, SyntaxError> {
    let found = ENCODINGS.iter().find(|(name, _)| *name == piece.text);
    let names = ENCODINGS.iter().map(|(name, _)| *name);
    found.map(|(_, encoding)| *encoding).ok_or_else(|| piece.unknown("encoding", piece.text, names))
}

/// `u16, in = bytes, rest = skip, inclusive, max = 9`, and the integer may be `u32, as = leb128`.
fn prefixed(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let mut words = inside.split(',').into_iter();
    let first = words.next().unwrap_or(inside);
    let mut len = integer(first)?;
    let (mut max, mut inclusive, mut in_bytes, mut fill) = (None, false, false, None);
    for word in words {
        match word.assignment() {
            Some(("max", n)) => max = Some(int(n)?),
            Some(("as", code)) => len = coded(&len, code)?,
            Some(("in", unit)) if unit.text == "bytes" => in_bytes = true,
            Some(("rest", skip)) if skip.text == "skip" => fill = Some(0),
            Some(("rest", kept)) if kept.text == "keep" => return Err(word.error(KEPT)),
            None if word.text == "inclusive" => inclusive = true,
            _ => {
                return Err(word.unknown(
                    "word",
                    word.text,
                    ["in = bytes", "inclusive", "max", "rest = skip"],
                ));
            }
        }
    }
    let len = Extent::Prefixed { len, max, inclusive };
    Ok(if in_bytes { Word::Around(Around::Region { len, fill }) } else { Word::Len(len) })
}

fn integer(piece: Piece<'_>) -> Result<Integer, SyntaxError> {
    if let Some((bytes, signed)) = fixed(piece.text) {
        return Ok(Integer::Fixed { bytes, signed });
    }
    let code =
        varint(piece.text).ok_or_else(|| piece.error(format!("`{}` is not an integer", piece.text)))?;
    Ok(Integer::Varint { code, bytes: 8 })
}

fn coded(value: &Integer, code: Piece<'_>) -> Result<Integer, SyntaxError> {
    match (value, varint(code.text)) {
        (Integer::Fixed { bytes, .. }, Some(code)) => Ok(Integer::Varint { code, bytes: *bytes }),
        _ => Err(code.error(format!("`{}` is not an encoding of integers", code.text))),
    }
}

/// `a > 0, else = 5`.
fn condition(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let words = inside.split(',');
    let (condition, otherwise) = match words[..] {
        [condition, last] => match last.assignment() {
            Some(("else", value)) => (condition, Some(value.expression()?)),
            _ => (inside, None),
        },
        _ => (inside, None),
    };
    Ok(Word::Around(Around::If { condition: condition.expression()?, otherwise }))
}

/// The derive makes a record of `rest = keep`, which a text has as such.
const KEPT: &str =
    "what is kept is a field: a record in the region, whose last field is `rest: bytes, until_eof`";

/// `n, rest = skip`.
fn region(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let words = inside.split(',');
    let (last, front) = match words.split_last() {
        Some((last, front)) if !front.is_empty() && last.text == "rest = skip" => (Some(0), front),
        _ => (None, words.as_slice()),
    };
    if let [.., last] = words[..]
        && last.text == "rest = keep"
    {
        return Err(last.error(KEPT));
    }
    let [len] = front else { return Err(inside.error("a region has a length and `rest = skip`")) };
    let len = match len.assignment() {
        Some(("count", n)) => count(n)?,
        _ if len.text == "until_eof" => Extent::ToEnd,
        _ if len.text.starts_with("ends(") => match len.call() {
            Some(("ends", inside)) => Extent::Ends(ends(inside)?),
            _ => Extent::Expr(len.expression()?),
        },
        _ => Extent::Expr(len.expression()?),
    };
    Ok(Word::Around(Around::Region { len, fill: last }))
}

/// `b'|', keep, or_eof`.
fn ends(inside: Piece<'_>) -> Result<Terminator, SyntaxError> {
    let words = inside.split(',');
    let Some((first, rest)) = words.split_first() else {
        return Err(inside.error("the bytes that end it are missing"));
    };
    let bytes = literal::bytes(first.text)
        .or_else(|| literal::int(first.text).and_then(|n| Some(Vec::from([u8::try_from(n).ok()?]))));
    let end = bytes.and_then(|bytes| Terminator::new(&bytes));
    let mut end =
        end.ok_or_else(|| first.error("what ends it is 1 to 8 bytes, such as b'|' or b\"\\r\\n\""))?;
    for word in rest {
        end = match word.text {
            "keep" => end.with_fate(Fate::Kept),
            "unread" => end.with_fate(Fate::Unread),
            "or_eof" => end.or_eof(),
            other => return Err(word.unknown("word", other, ["keep", "unread", "or_eof"])),
        };
    }
    Ok(end)
}

/// `present = 255, missing = 0..=127, body = absent`.
fn nullable(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let (mut present, mut missing, mut blank) = (0xFF, (0, 127), true);
    for word in inside.split(',') {
        match word.assignment() {
            Some(("present", n)) => present = byte(n)?,
            Some(("missing", range)) => {
                missing = match range.cut("..=") {
                    Some((low, high)) => (byte(low)?, byte(high)?),
                    None => (byte(range)?, byte(range)?),
                }
            }
            Some(("body", what)) if what.text == "absent" => blank = false,
            _ => return Err(word.unknown("word", word.text, ["present", "missing", "body = absent"])),
        }
    }
    Ok(Word::Around(Around::Nullable { present, missing, blank }))
}

/// `u32, rank = 2, order = column`.
fn shape(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let mut words = inside.split(',').into_iter();
    let first = words.next().unwrap_or(inside);
    let (dim, mut rank, mut column_major) = (integer(first)?, None, false);
    for word in words {
        match word.assignment() {
            Some(("rank", n)) => rank = Some(dimensions(n)?),
            Some(("order", order)) if order.text == "column" => column_major = true,
            _ => return Err(word.unknown("word", word.text, ["rank", "order = column"])),
        }
    }
    let rank = rank.ok_or_else(|| inside.error("an array says how many dimensions it has: `rank = 2`"))?;
    Ok(Word::Shape { dim, rank, column_major })
}

/// How many dimensions: a number, an expression, or a word that says where it is.
fn dimensions(piece: Piece<'_>) -> Result<Extent, SyntaxError> {
    match piece.call() {
        Some(("length_prefixed", inside)) => match prefixed(inside)? {
            Word::Len(len) => Ok(len),
            _ => Err(piece.error("dimensions are counted, not measured in bytes")),
        },
        _ => count(piece),
    }
}

/// `8`, `1, 10`, `1, ..`.
fn size(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    match inside.split(',')[..] {
        [one] => int(one).map(|n| Word::Size(n, Some(n))),
        [min, max] if max.text == ".." => int(min).map(|min| Word::Size(min, None)),
        [min, max] => Ok(Word::Size(int(min)?, Some(int(max)?))),
        _ => Err(inside.error("a size is one number, or the least and the greatest")),
    }
}

/// `3, of = u16, order = lsb, reserved`.
fn bits(inside: Piece<'_>) -> Result<Word, SyntaxError> {
    let mut words = inside.split(',').into_iter();
    let bits = int(words.next().unwrap_or(inside))?;
    let (mut run, mut order, mut reserved) = (None, None, false);
    for word in words {
        match word.assignment() {
            Some(("of", int)) => {
                let bits = int.text.strip_prefix('u').and_then(|bits| bits.parse::<u8>().ok());
                let bytes =
                    bits.filter(|bits| bits.is_multiple_of(8) && (8..=128).contains(bits)).map(|n| n / 8);
                run = Some(
                    bytes.ok_or_else(|| int.error("bits are those of an unsigned integer, such as u16"))?,
                );
            }
            Some(("order", which)) if which.text == "msb" => order = Some(BitOrder::Msb),
            Some(("order", which)) if which.text == "lsb" => order = Some(BitOrder::Lsb),
            None if word.text == "reserved" => reserved = true,
            _ => return Err(word.unknown("word", word.text, ["of", "order", "reserved"])),
        }
    }
    Ok(Word::Bits { bits, run, order, reserved })
}
