//! The values of `at`, `region`, `ends` and `bits`: where something is, where it ends, and what becomes of the rest.

use super::value::{comma, expr, inside};
use crate::keyword::Keyword;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Ident, Lit, Token};

/// `at = expr`, `at(file) = expr`, `at(end) = expr`.
#[derive(Clone)]
pub(crate) struct AtWord {
    pub(crate) position: Expr,
    pub(crate) from: Origin,
}

/// From where a position counts; the numbers are those of the runtime.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Origin {
    Container = 0,
    File = 1,
    End = 2,
}

/// Where a region ends.
#[derive(Clone)]
pub(crate) enum RegionWord {
    /// `region = expr`, `region(expr, rest = skip)`.
    Sized { len: Expr, rest: Rest },
    /// `region(ends(b'|'))`.
    Ended(EndsWord),
}

/// What becomes of the bytes that the value in a region leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// There are none.
    None,
    Skip,
    Keep,
}

/// `bits(4, of = u16, order = lsb)`, `bits(3, reserved)`.
#[derive(Clone)]
pub(crate) struct BitsWord {
    pub(crate) width: u8,
    /// The integer that the field opens.
    pub(crate) of: Option<Ident>,
    /// `Some(true)` is the lowest bit first.
    pub(crate) lowest: Option<bool>,
    pub(crate) reserved: bool,
    pub(crate) span: Span,
}

/// `ends(b'|', keep, or_eof)`.
#[derive(Clone)]
pub(crate) struct EndsWord {
    /// A literal, or a constant that is one byte.
    pub(crate) end: Expr,
    pub(crate) fate: Fate,
    pub(crate) or_eof: bool,
}

/// What becomes of the bytes that end a text; the numbers are those of the runtime.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fate {
    Dropped = 0,
    Kept = 1,
    Unread = 2,
}

/// `= expr`, perhaps after where the position begins to count.
pub(super) fn at(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<AtWord> {
    let mut origin = Origin::Container;
    if input.peek(syn::token::Paren) {
        let content = inside(input, at, key)?;
        let from: Ident = content.parse().map_err(|e| {
            syn::Error::new(e.span(), "`at` takes a position: `at = <position>` or `at(file) = <position>`")
        })?;
        origin = match from.to_string().as_str() {
            "file" if content.is_empty() => Origin::File,
            "end" if content.is_empty() => Origin::End,
            _ => {
                let text = "a position counts from the container, `at = <position>`, from the first byte of the input, `at(file) = <position>`, or backwards from its end, `at(end) = <bytes>`";
                return Err(syn::Error::new(from.span(), text));
            }
        };
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(at, format!("`at` needs a position: `at({from}) = <position>`")));
        }
    }
    Ok(AtWord { position: expr(input, at, key)?, from: origin })
}

/// `= expr`, or in parentheses with what becomes of the rest, or a terminator.
pub(super) fn region(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<RegionWord> {
    if input.peek(Token![=]) {
        return Ok(RegionWord::Sized { len: expr(input, at, key)?, rest: Rest::None });
    }
    let content = inside(input, at, key)?;
    if content.fork().parse::<Ident>().is_ok_and(|word| word == "ends") && content.peek2(syn::token::Paren) {
        return ended(&content);
    }
    let (len, mut becomes) = (content.parse()?, Rest::None);
    comma(&content)?;
    while !content.is_empty() {
        let name: Ident = content.parse()?;
        if name != "rest" {
            let text = format!("unknown option `{name}` of `region`: expected `rest`");
            return Err(syn::Error::new(name.span(), text));
        }
        content.parse::<Token![=]>()?;
        let rest: Ident = content.parse()?;
        becomes = match rest.to_string().as_str() {
            "skip" => Rest::Skip,
            "keep" => Rest::Keep,
            _ => return Err(syn::Error::new(rest.span(), "expected `rest = skip` or `rest = keep`")),
        };
        comma(&content)?;
    }
    Ok(RegionWord::Sized { len, rest: becomes })
}

/// `ends(..)` and nothing else.
fn ended(input: ParseStream<'_>) -> syn::Result<RegionWord> {
    input.parse::<Ident>()?;
    let content;
    syn::parenthesized!(content in input);
    let end = ends(&content)?;
    comma(input)?;
    match input.is_empty() {
        true => Ok(RegionWord::Ended(end)),
        false => {
            Err(input.error("a region up to a terminator leaves no rest: nothing may follow `ends(..)`"))
        }
    }
}

/// The number of bits, then what they are of.
pub(super) fn bits(input: ParseStream<'_>, at: Span) -> syn::Result<BitsWord> {
    let width: syn::LitInt = input
        .parse()
        .map_err(|e| syn::Error::new(e.span(), "`bits` takes the number of bits as a literal: `bits(4)`"))?;
    let n = width.base10_parse().ok().filter(|n| (1..=128).contains(n));
    let Some(n) = n else {
        return Err(syn::Error::new(width.span(), format!("a field has 1 to 128 bits, found {width}")));
    };
    let mut word = BitsWord { width: n, of: None, lowest: None, reserved: false, span: at };
    comma(input)?;
    while !input.is_empty() {
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "of" => {
                input.parse::<Token![=]>()?;
                let of: Ident = input.parse().map_err(|e| {
                    syn::Error::new(e.span(), "`of` takes the integer that the bits are of: `of = u8`")
                })?;
                let bits = of.to_string().strip_prefix('u').and_then(|bits| bits.parse::<u8>().ok());
                if !bits.is_some_and(|bits| bits % 8 == 0 && (8..=128).contains(&bits)) {
                    let text = format!(
                        "bits are of an unsigned integer of whole bytes (`u8`, `u16`, `u24`, .. `u128`), found `{of}`"
                    );
                    return Err(syn::Error::new(of.span(), text));
                }
                word.of = Some(of);
            }
            "order" => {
                input.parse::<Token![=]>()?;
                let order: Ident = input.parse()?;
                word.lowest = match order.to_string().as_str() {
                    "msb" => Some(false),
                    "lsb" => Some(true),
                    other => {
                        let text = format!("unknown order `{other}`: write `order = msb` or `order = lsb`");
                        return Err(syn::Error::new(order.span(), text));
                    }
                };
            }
            "reserved" => word.reserved = true,
            other => {
                let text =
                    format!("unknown option `{other}` of `bits`: expected `of`, `order` or `reserved`");
                return Err(syn::Error::new(name.span(), text));
            }
        }
        comma(input)?;
    }
    Ok(word)
}

/// The bytes, then what becomes of them.
pub(super) fn ends(input: ParseStream<'_>) -> syn::Result<EndsWord> {
    let mut word = EndsWord { end: input.parse()?, fate: Fate::Dropped, or_eof: false };
    let text = match &word.end {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().escape_default().to_string()),
        Expr::Lit(ExprLit { lit: Lit::Char(c), .. }) => Some(c.value().escape_default().to_string()),
        _ => None,
    };
    if let Some(text) = text {
        let quoted = if text.trim_start_matches('\\').len() == 1 {
            format!("b'{text}'")
        } else {
            format!("b\"{text}\"")
        };
        let text = format!("`ends` takes bytes, not text: write `ends({quoted})`");
        return Err(syn::Error::new(word.end.span(), text));
    }
    comma(input)?;
    while !input.is_empty() {
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "keep" | "unread" if word.fate != Fate::Dropped => {
                let text = "`keep` and `unread` exclude each other: the terminator is part of the value, or it stays in the input";
                return Err(syn::Error::new(name.span(), text));
            }
            "keep" => word.fate = Fate::Kept,
            "unread" => word.fate = Fate::Unread,
            "or_eof" => word.or_eof = true,
            other => {
                let text =
                    format!("unknown option `{other}` of `ends`: expected `keep`, `unread` or `or_eof`");
                return Err(syn::Error::new(name.span(), text));
            }
        }
        comma(input)?;
    }
    Ok(word)
}
