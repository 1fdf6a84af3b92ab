//! The values of words for what is in front of a value: its length, its dimensions, whether it is missing, and which variant it is.

use super::ends::{self, BitsWord};
use super::value::{comma, form};
use crate::keyword::Level;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, Pat, Path, Token, Type, parenthesized, token};

/// `length_prefixed(..)`.
#[derive(Clone, Default)]
pub(crate) struct PrefixWord {
    pub(crate) ty: Option<Type>,
    pub(crate) form: Option<Path>,
    pub(crate) in_bytes: bool,
    pub(crate) inclusive: bool,
    pub(crate) max: Option<Expr>,
}

/// `shape(D, rank = expr, order = column)`.
#[derive(Clone)]
pub(crate) struct ShapeWord {
    pub(crate) ty: Type,
    pub(crate) rank: Option<Expr>,
    pub(crate) column: bool,
}

/// `nullable(..)`.
#[derive(Clone, Default)]
pub(crate) struct NullWord {
    pub(crate) present: Option<Expr>,
    pub(crate) missing: Option<Expr>,
    pub(crate) absent: bool,
}

/// `tag(u16, be)`, `tag(peek u8)`, `tag(u8, bits(5, of = u32))` on an enum, `tag = 3` or `tag(1..=4)` on a variant.
#[derive(Clone)]
pub(crate) enum TagWord {
    Type { ty: Type, form: Option<Path>, bits: Option<Box<BitsWord>>, order: Option<Ident>, peek: bool },
    Value(Expr),
    Pattern(Pat),
}

pub(super) fn prefix(input: ParseStream<'_>, at: Span) -> syn::Result<PrefixWord> {
    let mut word = PrefixWord::default();
    if input.peek(Token![=]) {
        return Err(syn::Error::new(
            at,
            "`length_prefixed` takes its type in parentheses: `length_prefixed(u32)`",
        ));
    }
    if !input.peek(token::Paren) {
        return Ok(word);
    }
    let content;
    parenthesized!(content in input);
    while !content.is_empty() {
        let span = content.span();
        let option = content.peek(Token![in])
            || content.peek(Token![as])
            || (content.peek(Ident) && (content.peek2(Token![=]) || content.peek2(Token![,])))
            || (content.peek(Ident)
                && content.fork().parse::<Ident>().is_ok_and(|i| i == "inclusive" || i == "nul"));
        let name =
            option.then(|| content.fork().call(Ident::parse_any).map(|i| i.to_string()).unwrap_or_default());
        match name.as_deref() {
            Some("in") => {
                content.call(Ident::parse_any)?;
                content.parse::<Token![=]>()?;
                let unit: Ident = content.parse()?;
                word.in_bytes = match unit.to_string().as_str() {
                    "bytes" => true,
                    "elements" => false,
                    _ => {
                        return Err(syn::Error::new(unit.span(), "expected `in = bytes` or `in = elements`"));
                    }
                };
            }
            Some("as") => word.form = Some(form(&content)?),
            Some("inclusive") => {
                content.parse::<Ident>()?;
                word.inclusive = true;
            }
            Some("max") => {
                content.parse::<Ident>()?;
                content.parse::<Token![=]>()?;
                word.max = Some(content.parse()?);
            }
            Some("nul") => {
                let text = "`nul` is a separate word: `length_prefixed(u32), nul`";
                return Err(syn::Error::new(span, text));
            }
            _ if word.ty.is_none() && !content.peek(syn::Lit) => word.ty = Some(content.parse()?),
            _ => {
                let text = "expected `length_prefixed(<integer type>, as = <form>, in = bytes | elements, inclusive, max = N)`";
                return Err(syn::Error::new(span, text));
            }
        }
        comma(&content)?;
    }
    Ok(word)
}

pub(super) fn nullable(input: ParseStream<'_>, at: Span) -> syn::Result<NullWord> {
    let mut word = NullWord::default();
    if input.peek(Token![=]) {
        let text =
            "`nullable` takes its options in parentheses: `nullable(present = 0xFF, missing = 0..=127)`";
        return Err(syn::Error::new(at, text));
    }
    if !input.peek(token::Paren) {
        return Ok(word);
    }
    let content;
    parenthesized!(content in input);
    while !content.is_empty() {
        let name: Ident = content.parse()?;
        content.parse::<Token![=]>().map_err(|_| {
            let text = format!(
                "`{name}` needs a value: `nullable(present = .., missing = .., body = zero | absent)`"
            );
            syn::Error::new(name.span(), text)
        })?;
        match name.to_string().as_str() {
            "present" => word.present = Some(content.parse()?),
            "missing" => word.missing = Some(content.parse()?),
            "body" => {
                let body: Ident = content.parse()?;
                word.absent = match body.to_string().as_str() {
                    "absent" => true,
                    "zero" => false,
                    _ => {
                        return Err(syn::Error::new(
                            body.span(),
                            "expected `body = zero` or `body = absent`",
                        ));
                    }
                };
            }
            other => {
                let text = format!(
                    "unknown option `{other}` of `nullable`: expected `present`, `missing` or `body`"
                );
                return Err(syn::Error::new(name.span(), text));
            }
        }
        comma(&content)?;
    }
    Ok(word)
}

pub(super) fn tag(input: ParseStream<'_>, at: Span, level: Level) -> syn::Result<TagWord> {
    if level == Level::Enum {
        if !input.peek(token::Paren) {
            let text = "on an enum, `tag` takes the type of the tag: `tag(u8)`";
            return Err(syn::Error::new(at, text));
        }
        let content;
        parenthesized!(content in input);
        let peek = is_peek(&content);
        if peek {
            content.parse::<Ident>()?;
        }
        let ty: Type = content.parse().map_err(|e| {
            syn::Error::new(e.span(), "on an enum, `tag` takes the type of the tag: `tag(u8)`")
        })?;
        if is_bare_peek(&ty) {
            return Err(syn::Error::new_spanned(ty, "`peek` needs the type of the tag: `tag(peek u8)`"));
        }
        comma(&content)?;
        let own = if content.peek(Token![as]) { Some(form(&content)?) } else { None };
        if own.is_some() {
            comma(&content)?;
        }
        let bits = match content.peek(Ident) && content.peek2(token::Paren) {
            true => Some(Box::new(tag_bits(&content, own.is_some() || peek)?)),
            false => None,
        };
        let order = if content.is_empty() { None } else { Some(content.parse::<Ident>()?) };
        if let Some(order) = order.as_ref().filter(|o| *o != "le" && *o != "be") {
            return Err(syn::Error::new(order.span(), "expected `le` or `be`"));
        }
        return Ok(TagWord::Type { ty, form: own, bits, order, peek });
    }
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return input.parse().map(TagWord::Value);
    }
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(at, "`tag` needs a value: `tag = 3`, or a pattern: `tag(1..=4)`"));
    }
    let content;
    parenthesized!(content in input);
    let pattern = content.call(Pat::parse_multi_with_leading_vert)?;
    match content.peek(Token![if]) {
        true => {
            Err(content
                .error("a tag is a pattern without a condition: name the tags, as in `tag(1..=3 | 7)`"))
        }
        false => Ok(TagWord::Pattern(pattern)),
    }
}

/// `bits(5, of = u32)`: the tag opens the run, and the fields of each variant go on with it.
fn tag_bits(content: ParseStream<'_>, other: bool) -> syn::Result<BitsWord> {
    let word: Ident = content.parse()?;
    if word != "bits" {
        return Err(syn::Error::new(word.span(), "expected `bits(5, of = u32)`, `le` or `be`"));
    }
    let inside;
    parenthesized!(inside in content);
    let bits = ends::bits(&inside, word.span())?;
    comma(content)?;
    let most = |of: &Ident| of.to_string().trim_start_matches('u').parse::<u8>().unwrap_or(0);
    let text = match &bits {
        BitsWord { reserved: true, .. } => "a tag has a value: reserved bits have none",
        BitsWord { of: None, .. } => {
            "the tag opens the run, and says of which integer the bits are: `bits(5, of = u32)`"
        }
        BitsWord { of: Some(of), width, .. } if *width > most(of) => "the tag has more bits than its run",
        _ if other => "a tag of bits excludes `peek` and `as`",
        _ => return Ok(bits),
    };
    Err(syn::Error::new(word.span(), text))
}

/// `peek u8`, where `peek` alone would be a type.
fn is_peek(content: ParseStream<'_>) -> bool {
    let ahead = content.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == "peek")
        && !(ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![::]) || ahead.peek(Token![<]))
}

/// Types are not written in small letters, so this one is the word.
fn is_bare_peek(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident("peek"))
}

pub(super) fn shape(input: ParseStream<'_>, at: Span) -> syn::Result<ShapeWord> {
    if input.is_empty() || input.peek2(Token![=]) {
        let text = "`shape` needs the type of a dimension: `shape(u64)` or `shape(u64, rank = 2)`";
        return Err(syn::Error::new(at, text));
    }
    let mut word = ShapeWord { ty: input.parse()?, rank: None, column: false };
    comma(input)?;
    while !input.is_empty() {
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        match name.to_string().as_str() {
            "rank" => word.rank = Some(input.parse()?),
            "order" => {
                let order: Ident = input.call(Ident::parse_any)?;
                word.column = match order.to_string().as_str() {
                    "row" => false,
                    "column" => true,
                    other => {
                        let text =
                            format!("unknown order `{other}`: write `order = row` or `order = column`");
                        return Err(syn::Error::new(order.span(), text));
                    }
                };
            }
            other => {
                let text = format!("unknown option `{other}` of `shape`: expected `rank` or `order`");
                return Err(syn::Error::new(name.span(), text));
            }
        }
        comma(input)?;
    }
    Ok(word)
}
