//! The values of `if` and `assert`: conditions, and what goes with them.

use super::value::{comma, expr, inside};
use crate::keyword::Keyword;
use proc_macro2::Span;
use syn::parse::{Parse as _, ParseStream};
use syn::{Expr, LitStr, Token, parenthesized};

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

/// `assert(expr, "text")`, `assert(expr, "text {a}", a = ..)`, `assert(expr, error)`.
#[derive(Clone)]
pub(crate) struct AssertWord {
    pub(crate) condition: Expr,
    pub(crate) said: AssertMessage,
}

impl AssertWord {
    /// The condition, and what is evaluated where it does not hold.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (arguments, error) = match &self.said {
            AssertMessage::Format(_, arguments) => (&arguments[..], None),
            AssertMessage::Error(error) => (&[][..], Some(error)),
            AssertMessage::Nothing | AssertMessage::Text(_) => (&[][..], None),
        };
        core::iter::once(&self.condition).chain(arguments).chain(error)
    }
}

/// What is said where an assertion does not hold.
#[derive(Clone)]
pub(crate) enum AssertMessage {
    /// The condition itself.
    Nothing,
    Text(LitStr),
    /// A format string and its arguments.
    Format(LitStr, Vec<Expr>),
    /// An error of the user's.
    Error(Expr),
}

/// The condition, and what is said where it does not hold.
pub(super) fn assertion(input: ParseStream<'_>) -> syn::Result<AssertWord> {
    let condition = input.parse()?;
    comma(input)?;
    let said = match input.is_empty() {
        true => AssertMessage::Nothing,
        false => said(input)?,
    };
    match input.is_empty() {
        true => Ok(AssertWord { condition, said }),
        false => Err(input.error("expected `assert(<expr>, \"text\", ..)` or `assert(<expr>, <error>)`")),
    }
}

fn said(input: ParseStream<'_>) -> syn::Result<AssertMessage> {
    if !input.peek(LitStr) || (input.peek2(Token![.]) || input.peek2(Token![?])) {
        let error = input.parse()?;
        comma(input)?;
        return Ok(AssertMessage::Error(error));
    }
    let text: LitStr = input.parse()?;
    comma(input)?;
    let arguments: Vec<Expr> = input.parse_terminated(Expr::parse, Token![,])?.into_iter().collect();
    let is_plain = arguments.is_empty() && !text.value().contains(['{', '}']);
    Ok(if is_plain { AssertMessage::Text(text) } else { AssertMessage::Format(text, arguments) })
}
