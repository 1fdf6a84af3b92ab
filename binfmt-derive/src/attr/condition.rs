//! The values of `if` and `assert`: conditions, and what goes with them.

use super::value::{Value, comma, expr, inside};
use crate::keyword::Keyword;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Expr, Token, parenthesized};

/// `if(expr)`, `if(expr, else = expr)`.
#[derive(Clone)]
pub(crate) struct IfWord {
    pub(crate) condition: Expr,
    /// The value where the condition does not hold.
    pub(crate) otherwise: Option<Expr>,
}

/// `= expr`, or in parentheses with the value where it does not hold.
pub(super) fn when(input: ParseStream<'_>, at: Span, key: &Keyword) -> syn::Result<IfWord> {
    if !has_options(input) {
        return Ok(IfWord { condition: expr(input, at, key)?, otherwise: None });
    }
    let content = inside(input, at, key)?;
    let condition = content.parse()?;
    comma(&content)?;
    if content.is_empty() {
        return Ok(IfWord { condition, otherwise: None });
    }
    if !content.peek(Token![else]) {
        let text = "the value where the condition does not hold is `else = ..`: `if(<expr>, else = <expr>)`";
        return Err(syn::Error::new(content.span(), text));
    }
    content.parse::<Token![else]>()?;
    content.parse::<Token![=]>()?;
    let otherwise = Some(content.parse()?);
    comma(&content)?;
    match content.is_empty() {
        true => Ok(IfWord { condition, otherwise }),
        false => Err(content.error(format!("expected `{}`", key.usage))),
    }
}

/// Whether more than an expression stands in the parentheses.
fn has_options(input: ParseStream<'_>) -> bool {
    let group = |input: ParseStream<'_>| {
        let content;
        parenthesized!(content in input);
        let _: Expr = content.parse()?;
        Ok(content.peek(Token![,]))
    };
    group(&input.fork()).unwrap_or(false)
}

/// The condition and its text.
pub(super) fn assertion(input: ParseStream<'_>) -> syn::Result<Value> {
    let condition = input.parse()?;
    let comma: Option<Token![,]> = input.parse()?;
    let text = if comma.is_some() && !input.is_empty() { Some(input.parse()?) } else { None };
    input.parse::<Option<Token![,]>>()?;
    if !input.is_empty() {
        return Err(input
            .error("`assert` takes a condition and one text without arguments: `assert(<expr>, \"text\")`"));
    }
    Ok(Value::Assert(condition, text))
}
