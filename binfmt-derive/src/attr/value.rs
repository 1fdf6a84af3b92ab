//! What stands after a word: one parser per kind of value.

use super::condition::{self, AssertWord, IfWord};
use super::ends::{self, AtWord, BitsWord, EndsWord, RegionWord};
use super::number::{self, CalcWord, LenWord, OffsetWord, SumWord};
use crate::keyword::{Keyword, Level, Takes};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Pat, Path, Token, Type, WherePredicate, parenthesized, token};

/// The value of a word.
#[derive(Clone)]
pub(crate) enum Value {
    Nothing,
    Expr(Expr),
    Text(LitStr),
    Path(Path),
    Type(Type),
    Name(Ident),
    Coding(CodingWord),
    Params(Vec<Param>),
    Args(Vec<Arg>),
    Assert(Box<AssertWord>),
    If(Box<IfWord>),
    Map(Box<MapWord>),
    Skip(SkipWord),
    Prefix(Box<PrefixWord>),
    Nullable(Box<NullWord>),
    LenOf(Box<LenWord>),
    Calc(Box<CalcWord>),
    Checksum(Box<SumWord>),
    Tag(TagWord),
    Bounds(Vec<WherePredicate>),
    Limits(Expr, Expr),
    Columns(Option<Ident>),
    Shape(Box<ShapeWord>),
    Integer(Path),
    At(Box<AtWord>),
    OffsetOf(Box<OffsetWord>),
    Region(Box<RegionWord>),
    Pinned(Option<Expr>),
    Ends(Box<EndsWord>),
    Bits(Box<BitsWord>),
}

/// `text = latin1`, `text = with(Page)`, `text = encoding(windows_1252)`.
#[derive(Clone)]
pub(crate) struct CodingWord {
    pub(crate) name: Ident,
    pub(crate) page: Option<Page>,
}

/// A code page: of the user's, or one that has a name.
#[derive(Clone)]
pub(crate) enum Page {
    Own(Path),
    Named(Ident),
}

impl Parse for CodingWord {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        if !["with", "encoding"].iter().any(|word| name == word) || !input.peek(token::Paren) {
            return Ok(CodingWord { name, page: None });
        }
        let content;
        parenthesized!(content in input);
        let page = if name == "with" { Page::Own(content.parse()?) } else { Page::Named(content.parse()?) };
        Ok(CodingWord { name, page: Some(page) })
    }
}

/// `name: Type` or `name: Type = default` of `ctx(..)`.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

/// `expr` or `name = expr` of `args(..)`.
#[derive(Clone)]
pub(crate) struct Arg {
    pub(crate) name: Option<Ident>,
    pub(crate) value: Expr,
}

/// `map(decode = f, encode = g, as = T)`.
#[derive(Clone)]
pub(crate) struct MapWord {
    pub(crate) decode: Expr,
    pub(crate) encode: Expr,
    pub(crate) wire: Option<Type>,
}

/// The two meanings of `skip`.
#[derive(Clone)]
pub(crate) enum SkipWord {
    Absent,
    Bytes { count: Expr, fill: Option<Expr>, strict: bool },
}

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

/// `tag(u16, be)`, `tag(peek u8)` on an enum, `tag = 3` or `tag(1..=4)` on a variant.
#[derive(Clone)]
pub(crate) enum TagWord {
    Type { ty: Type, form: Option<Path>, order: Option<Ident>, peek: bool },
    Value(Expr),
    Pattern(Pat),
}

/// Reads the value of `key`.
pub(crate) fn parse(input: ParseStream<'_>, word: &Ident, key: &Keyword, level: Level) -> syn::Result<Value> {
    let at = word.span();
    Ok(match key.takes {
        Takes::Nothing => {
            if input.peek(Token![=]) || input.peek(token::Paren) {
                return Err(syn::Error::new(at, format!("`{word}` takes no value")));
            }
            Value::Nothing
        }
        Takes::Expr => Value::Expr(expr(input, at, key)?),
        Takes::Default if !input.peek(Token![=]) && !input.peek(token::Paren) => Value::Nothing,
        Takes::Default => Value::Expr(expr(input, at, key)?),
        Takes::Text => Value::Text(single(input, at, key, "a string literal")?),
        Takes::Path => Value::Path(path(input, at, key)?),
        Takes::Type => Value::Type(single(input, at, key, "a type")?),
        Takes::Name => Value::Name(single(input, at, key, "a word")?),
        Takes::Coding => Value::Coding(single(input, at, key, "a word")?),
        Takes::Params => Value::Params(params(&inside(input, at, key)?)?),
        Takes::Args => Value::Args(args(&inside(input, at, key)?)?),
        Takes::Assert => Value::Assert(Box::new(condition::assertion(&inside(input, at, key)?)?)),
        Takes::If => Value::If(Box::new(condition::when(input, at, key)?)),
        Takes::Map => Value::Map(Box::new(map(&inside(input, at, key)?, at, key)?)),
        Takes::Skip => Value::Skip(skip(input, at, key)?),
        Takes::Prefix => Value::Prefix(Box::new(prefix(input, at)?)),
        Takes::Nullable => Value::Nullable(Box::new(nullable(input, at)?)),
        Takes::LenOf => Value::LenOf(Box::new(number::len_of(&inside(input, at, key)?)?)),
        Takes::Checksum => Value::Checksum(Box::new(number::checksum(&inside(input, at, key)?, at)?)),
        Takes::Calc => Value::Calc(Box::new(number::calc(&inside(input, at, key)?, at)?)),
        Takes::Tag => Value::Tag(tag(input, at, level)?),
        Takes::Bounds => {
            let list =
                inside(input, at, key)?.call(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
            Value::Bounds(list.into_iter().collect())
        }
        Takes::Limits => limits(input, at, key, level)?,
        Takes::Shape => Value::Shape(Box::new(shape(&inside(input, at, key)?, at)?)),
        Takes::OffsetOf => Value::OffsetOf(Box::new(number::offset_of(&inside(input, at, key)?, at)?)),
        Takes::At => Value::At(Box::new(ends::at(input, at, key)?)),
        Takes::Region => Value::Region(Box::new(ends::region(input, at, key)?)),
        Takes::Ends => Value::Ends(Box::new(ends::ends(&inside(input, at, key)?)?)),
        Takes::Pinned if input.peek(Token![=]) => Value::Pinned(Some(expr(input, at, key)?)),
        Takes::Pinned if input.peek(token::Paren) => {
            return Err(syn::Error::new(at, format!("`{word}` is a word alone or `{}`", key.usage)));
        }
        Takes::Pinned => Value::Pinned(None),
        Takes::Bits => Value::Bits(Box::new(ends::bits(&inside(input, at, key)?, at)?)),
        Takes::Columns => Value::Columns(columns(input, at, level)?),
        Takes::Integer => Value::Integer(path(input, at, key)?),
    })
}

/// `= value` or `(value)`.
fn single<T: Parse>(input: ParseStream<'_>, at: Span, key: &Keyword, what: &str) -> syn::Result<T> {
    let value = |input: ParseStream<'_>| {
        let span = input.span();
        input.parse::<T>().map_err(|_| {
            let text = format!("`{}` takes {what}: `{}`", key.name, key.usage);
            syn::Error::new(if input.is_empty() { at } else { span }, text)
        })
    };
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return value(input);
    }
    let content = inside(input, at, key)?;
    let parsed = value(&content)?;
    if content.is_empty() { Ok(parsed) } else { Err(content.error(format!("expected `{}`", key.usage))) }
}

/// What is in the parentheses after a word.
pub(super) fn inside<'a>(
    input: ParseStream<'a>,
    at: Span,
    key: &Keyword,
) -> syn::Result<syn::parse::ParseBuffer<'a>> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(at, format!("`{}` needs a value: `{}`", key.name, key.usage)));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
}

/// An expression in Rust tokens; a string is the habit of other libraries and gets the right spelling.
pub(super) fn expr(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<Expr> {
    let value: Expr = single(input, at, key, "an expression")?;
    if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &value {
        let (word, said) = (key.name, text.value());
        let advice = match (word, said.as_str()) {
            ("endian", "little") => "write `le`".to_owned(),
            ("endian", "big") => "write `be`".to_owned(),
            ("magic", _) => format!("write `magic = b{}`", quote::quote!(#text)),
            ("default", _) => return Ok(value),
            _ => format!("write `{word} = {said}`"),
        };
        let text_error = format!("`{word}` takes Rust tokens, not a string: {advice}");
        return Err(syn::Error::new(text.span(), text_error));
    }
    Ok(value)
}

fn path(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<Path> {
    let fork = input.fork();
    if fork.parse::<Token![=]>().is_ok() && fork.peek(LitStr) {
        let text = fork.parse::<LitStr>()?;
        let advice = format!("`{0}` takes a path, not a string: write `{0} = {1}`", key.name, text.value());
        return Err(syn::Error::new(text.span(), advice));
    }
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        // `parse_mod_style` knows no arguments, and a type of its own would take `Fn(A) -> B`
        return input.parse();
    }
    single(input, at, key, "a path")
}

fn params(input: ParseStream<'_>) -> syn::Result<Vec<Param>> {
    let one = |input: ParseStream<'_>| {
        let name: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let default = input.parse::<Option<Token![=]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Param { name, ty, default })
    };
    let params: Vec<Param> = input.parse_terminated(one, Token![,])?.into_iter().collect();
    for pair in params.windows(2) {
        if let [Param { name: first, default: Some(_), .. }, Param { name, default: None, .. }] = pair {
            let text = format!(
                "`{name}` has no default, and comes after `{first}`, which has one: who leaves out `{first}` leaves out what comes after it, too"
            );
            return Err(syn::Error::new(name.span(), text));
        }
    }
    if let Some(Param { name, .. }) = params.iter().find(|param| param.default.is_some() && is_any(&param.ty))
    {
        let text = format!("`{name}` is of any type, so no default fits it: write its type");
        return Err(syn::Error::new(name.span(), text));
    }
    Ok(params)
}

/// Whether a context may be of any type: `ctx(name: _)`.
pub(crate) fn is_any(ty: &Type) -> bool {
    matches!(ty, Type::Infer(_))
}

fn args(input: ParseStream<'_>) -> syn::Result<Vec<Arg>> {
    let one = |input: ParseStream<'_>| {
        let named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if named {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        Ok(Arg { name, value: input.parse()? })
    };
    Ok(input.parse_terminated(one, Token![,])?.into_iter().collect())
}

fn map(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<MapWord> {
    let (mut decode, mut encode, mut wire) = (None, None, None);
    while !input.is_empty() {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        match name.to_string().as_str() {
            "decode" => decode = Some(input.parse()?),
            "encode" => encode = Some(input.parse()?),
            "as" if key.name != "process" => wire = Some(input.parse()?),
            _ => return Err(syn::Error::new(name.span(), format!("expected `{}`", key.usage))),
        }
        comma(input)?;
    }
    let missing = |what| syn::Error::new(at, format!("`{}` needs `{what} = <function>` too", key.name));
    Ok(MapWord {
        decode: decode.ok_or_else(|| missing("decode"))?,
        encode: encode.ok_or_else(|| missing("encode"))?,
        wire,
    })
}

fn skip(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<SkipWord> {
    const BOTH: &str = "means the field is not on the wire; `skip(bytes = 4)` means that 4 bytes before the field are on the wire and ignored";
    if input.peek(Token![=]) {
        let number = input.fork();
        number.parse::<Token![=]>()?;
        let number = number.parse::<Expr>().map(|n| quote::quote!(#n).to_string()).unwrap_or_default();
        let text = format!("`skip = {number}` has two possible meanings: `skip` {BOTH}");
        return Err(syn::Error::new(at, text));
    }
    if !input.peek(token::Paren) {
        return Ok(SkipWord::Absent);
    }
    let content = inside(input, at, key)?;
    let (mut count, mut fill, mut strict) = (None, None, false);
    while !content.is_empty() {
        let span = content.span();
        match content.parse::<Ident>().map(|name| name.to_string()).unwrap_or_default().as_str() {
            "bytes" => {
                content.parse::<Token![=]>()?;
                count = Some(content.parse()?);
            }
            "fill" => {
                content.parse::<Token![=]>()?;
                fill = Some(content.parse()?);
            }
            "strict" => strict = true,
            _ => return Err(syn::Error::new(span, format!("expected `skip(bytes = N)`; `skip` {BOTH}"))),
        }
        comma(&content)?;
    }
    let count =
        count.ok_or_else(|| syn::Error::new(at, format!("expected `skip(bytes = N)`; `skip` {BOTH}")))?;
    Ok(SkipWord::Bytes { count, fill, strict })
}

fn prefix(input: ParseStream<'_>, at: Span) -> syn::Result<PrefixWord> {
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

fn nullable(input: ParseStream<'_>, at: Span) -> syn::Result<NullWord> {
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

fn tag(input: ParseStream<'_>, at: Span, level: Level) -> syn::Result<TagWord> {
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
        comma(&content)?;
        let own = if content.peek(Token![as]) { Some(form(&content)?) } else { None };
        if own.is_some() {
            comma(&content)?;
        }
        let order = if content.is_empty() { None } else { Some(content.parse::<Ident>()?) };
        if let Some(order) = order.as_ref().filter(|o| *o != "le" && *o != "be") {
            return Err(syn::Error::new(order.span(), "expected `le` or `be`"));
        }
        return Ok(TagWord::Type { ty, form: own, order, peek });
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
    content.call(Pat::parse_multi_with_leading_vert).map(TagWord::Pattern)
}

/// `peek u8`, where `peek` alone would be a type.
fn is_peek(content: ParseStream<'_>) -> bool {
    let ahead = content.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == "peek")
        && !(ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![::]) || ahead.peek(Token![<]))
}

fn limits(input: ParseStream<'_>, at: Span, key: &Keyword, level: Level) -> syn::Result<Value> {
    if level != Level::Field {
        return Ok(Value::Expr(expr(input, at, key)?));
    }
    let content = match input.peek(token::Paren) {
        true => inside(input, at, key)?,
        false => {
            let text = "on a field, `size` gives the limits of `with`: `size(<min>, <max>)`";
            return Err(syn::Error::new(at, text));
        }
    };
    let min: Expr = content.parse()?;
    comma(&content)?;
    let max: Expr = if content.is_empty() { min.clone() } else { content.parse()? };
    comma(&content)?;
    if content.is_empty() {
        Ok(Value::Limits(min, max))
    } else {
        Err(content.error("expected `size(<min>, <max>)`"))
    }
}

fn shape(input: ParseStream<'_>, at: Span) -> syn::Result<ShapeWord> {
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

/// `columns`, or with a name on a struct: `columns = Name`.
fn columns(input: ParseStream<'_>, at: Span, level: Level) -> syn::Result<Option<Ident>> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(None);
    }
    if level == Level::Field {
        return Err(syn::Error::new(
            at,
            "on a field, `columns` takes no value: the field's type names its columns",
        ));
    }
    if input.parse::<Option<Token![=]>>()?.is_some() && input.peek(Ident) {
        return input.parse().map(Some);
    }
    Err(syn::Error::new(
        at,
        "`columns` takes no value, or the name of the struct that it generates: `columns = Name`",
    ))
}

/// `as = path`.
pub(super) fn form(input: ParseStream<'_>) -> syn::Result<Path> {
    input.parse::<Token![as]>()?;
    input.parse::<Token![=]>()?;
    input.parse()
}

pub(super) fn comma(input: ParseStream<'_>) -> syn::Result<()> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}
