//! The words of numbers that are computed: `len_of`, `calc`, `checksum`.

use super::value::{comma, form};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, Lit, Path, Token, Type};

/// The type of a number that is not a field of the struct, and the form that it names: `u16`, `leb128`, `u64, as = Own`.
pub(crate) type NumberType = (Type, Option<Path>);

/// `len_of(field, bytes, auto, plus = 4)`, or with the type of a number that is not a field: `len_of(field, u16)`.
#[derive(Clone)]
pub(crate) struct LenWord {
    pub(crate) field: Ident,
    /// What the length counts beside the field.
    pub(crate) plus: Option<Expr>,
    pub(crate) bytes: bool,
    pub(crate) auto: bool,
    pub(crate) ty: Option<NumberType>,
}

/// `offset_of(field, auto)`, or with the type of a number that is not a field: `offset_of(field, u32)`; `offset_of(field)` only
/// compares.
#[derive(Clone)]
pub(crate) struct OffsetWord {
    pub(crate) field: Ident,
    /// Whether the number is filled in.
    pub(crate) auto: bool,
    pub(crate) ty: Option<NumberType>,
}

/// `calc(u16 = expr)`.
#[derive(Clone)]
pub(crate) struct CalcWord {
    pub(crate) ty: NumberType,
    pub(crate) value: Expr,
}

/// `checksum(f, over = a..=b, self_as = 0)`, or with the type of a sum that is not a field: `checksum(u32 = f)`.
#[derive(Clone)]
pub(crate) struct SumWord {
    pub(crate) ty: Option<NumberType>,
    pub(crate) function: Expr,
    pub(crate) over: Option<Expr>,
    pub(crate) own: Option<Expr>,
}

/// What `len_of` takes.
pub(super) fn len_of(input: ParseStream<'_>) -> syn::Result<LenWord> {
    let field = match input.fork().parse::<Lit>() {
        _ if input.peek(Ident) => input.parse()?,
        Ok(Lit::Int(_)) => input.call(tuple_name)?,
        _ => return Err(input.error("`len_of` takes the name of a field: `len_of(data)`")),
    };
    if input.peek(Token![.]) {
        let text = format!(
            "a length is that of a field of the same struct\nhelp: put it into the type of `{field}`, or use `calc(u32 = <expr>)` with the length of what is in `{field}`"
        );
        return Err(syn::Error::new(field.span(), text));
    }
    let mut word = LenWord { field, plus: None, bytes: false, auto: false, ty: None };
    comma(input)?;
    while !input.is_empty() {
        match input.fork().call(Ident::parse_any) {
            Ok(option) if option == "bytes" || option == "auto" => {
                word.bytes |= option == "bytes";
                word.auto |= option == "auto";
                input.parse::<Ident>()?;
            }
            Ok(option) if option == "plus" && word.plus.is_none() && input.peek2(Token![=]) => {
                input.parse::<Ident>()?;
                input.parse::<Token![=]>()?;
                word.plus = Some(input.parse()?);
            }
            _ if word.ty.is_none() => word.ty = Some(number_type(input)?),
            _ => return Err(input.error("expected `len_of(<field>, bytes, auto, plus = 4)`")),
        }
        comma(input)?;
    }
    Ok(word)
}

/// What `offset_of` takes.
pub(super) fn offset_of(input: ParseStream<'_>, at: Span) -> syn::Result<OffsetWord> {
    let LenWord { field, plus, bytes, auto, ty } = len_of(input)?;
    if bytes || plus.is_some() {
        let text = format!(
            "a position is in bytes: `offset_of({field}, auto)`, `offset_of({field}, u32)` on `()`, or `offset_of({field})`, which only compares"
        );
        return Err(syn::Error::new(at, text));
    }
    Ok(OffsetWord { auto: auto || ty.is_some(), field, ty })
}

fn number_type(input: ParseStream<'_>) -> syn::Result<NumberType> {
    let ty: Type = input.parse()?;
    let own = match input.peek(Token![,]) && input.peek2(Token![as]) {
        true => {
            comma(input)?;
            Some(form(input)?)
        }
        false => None,
    };
    Ok((ty, own))
}

/// `u16 = expr`.
pub(super) fn calc(input: ParseStream<'_>, at: Span) -> syn::Result<CalcWord> {
    let usage = "`calc` takes the type of the number and what it is: `calc(u16 = <expr>)`";
    let said = |e: syn::Error| syn::Error::new(e.span(), usage);
    if input.is_empty() {
        return Err(syn::Error::new(at, usage));
    }
    let ty = number_type(input).map_err(said)?;
    input.parse::<Token![=]>().map_err(said)?;
    let value = input.parse()?;
    comma(input)?;
    match input.is_empty() {
        true => Ok(CalcWord { ty, value }),
        false => Err(input.error(usage)),
    }
}

/// What `checksum` takes.
pub(super) fn checksum(input: ParseStream<'_>, at: Span) -> syn::Result<SumWord> {
    let usage = "`checksum` takes a function of the bytes and the fields that they are of: `checksum(crc32fast::hash, over = a..=b)`";
    if input.is_empty() {
        return Err(syn::Error::new(at, usage));
    }
    let ahead = input.fork();
    let typed = ahead.parse::<Type>().is_ok() && ahead.peek(Token![=]) && !input.peek2(Token![==]);
    let ty = match typed {
        true => {
            let ty = number_type(input)?;
            input.parse::<Token![=]>()?;
            Some(ty)
        }
        false => None,
    };
    let mut word = SumWord { ty, function: input.parse()?, over: None, own: None };
    comma(input)?;
    while !input.is_empty() {
        let name: Ident = input.parse().map_err(|e| syn::Error::new(e.span(), usage))?;
        input.parse::<Token![=]>()?;
        match name.to_string().as_str() {
            "over" => word.over = Some(input.parse()?),
            "self_as" => word.own = Some(input.parse()?),
            other => {
                let text = format!("unknown option `{other}` of `checksum`: expected `over` or `self_as`");
                return Err(syn::Error::new(name.span(), text));
            }
        }
        comma(input)?;
    }
    Ok(word)
}

/// `0` as the name `_0` that the field has in expressions.
fn tuple_name(input: ParseStream<'_>) -> syn::Result<Ident> {
    let index: syn::Index = input.parse()?;
    Ok(Ident::new(&format!("_{}", index.index), index.span))
}
