//! What stands after a word: one parser per kind of value.

use super::condition::{self, AssertWord, IfWord};
use super::ends::{self, AtWord, BitsWord, EndsWord, RegionWord};
use super::front::{self, NullWord, PrefixWord, ShapeWord, TagWord};
use super::number::{self, CalcWord, LenWord, OffsetWord, SumWord};
use crate::keyword::{Keyword, Level, Takes};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token, Type, WherePredicate, parenthesized, token};

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
        Takes::Prefix => Value::Prefix(Box::new(front::prefix(input, at)?)),
        Takes::Nullable => Value::Nullable(Box::new(front::nullable(input, at)?)),
        Takes::LenOf => Value::LenOf(Box::new(number::len_of(&inside(input, at, key)?)?)),
        Takes::Checksum => Value::Checksum(Box::new(number::checksum(&inside(input, at, key)?, at)?)),
        Takes::Calc => Value::Calc(Box::new(number::calc(&inside(input, at, key)?, at)?)),
        Takes::Tag => Value::Tag(front::tag(input, at, level)?),
        Takes::Bounds => {
            let list =
                inside(input, at, key)?.call(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
            Value::Bounds(list.into_iter().collect())
        }
        Takes::Limits => limits(input, at, key, level)?,
        Takes::Shape => Value::Shape(Box::new(front::shape(&inside(input, at, key)?, at)?)),
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
        let what = if input.peek(Token![=]) { "takes its value in parentheses" } else { "needs a value" };
        return Err(syn::Error::new(at, format!("`{}` {what}: `{}`", key.name, key.usage)));
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
            ("trim" | "fill", byte) if byte.len() == 1 => {
                format!("write `{word} = b'{}'`", byte.escape_default())
            }
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
        if !input.peek(Token![:]) {
            let text = format!("a parameter has a type: `ctx({name}: u8)`");
            return Err(syn::Error::new(name.span(), text));
        }
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
        let usage = |at: Span| syn::Error::new(at, format!("expected `{}`", key.usage));
        let first = input.span();
        let name = input.call(Ident::parse_any).map_err(|_| usage(first))?;
        input.parse::<Token![=]>().map_err(|_| usage(name.span()))?;
        match name.to_string().as_str() {
            "decode" => decode = Some(input.parse()?),
            "encode" => encode = Some(input.parse()?),
            "as" if key.name != "process" => wire = Some(input.parse()?),
            _ => return Err(usage(name.span())),
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
    let both = |number: &str| BOTH.replace('4', number);
    if input.peek(Token![=]) {
        let number = input.fork();
        number.parse::<Token![=]>()?;
        let number = number.parse::<Expr>().map(|n| quote::quote!(#n).to_string()).unwrap_or_default();
        let text = format!("`skip = {number}` has two possible meanings: `skip` {}", both(&number));
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
