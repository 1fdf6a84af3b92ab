//! Fixed bytes.

use super::field::expr;
use super::types;
use crate::attr::Words;
use crate::diag::Errors;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Ident, Lit, Type};

/// Fixed bytes.
pub(crate) enum Magic {
    Bytes { array: TokenStream, len: usize },
    Number { value: Expr, ty: Option<Ident> },
}

/// Fixed bytes: a byte string, a byte, a list of bytes, a number whose width is written, or a typed const.
pub(crate) fn magic(words: &Words, errors: &mut Errors) -> Option<Magic> {
    let value = expr(words, "magic")?;
    let literal = |value: &Expr| match value {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit.clone()),
        _ => None,
    };
    let number = match value {
        Expr::Unary(unary) => literal(&unary.expr),
        other => literal(other),
    };
    match number {
        Some(Lit::ByteStr(bytes)) => Some(Magic::Bytes { len: bytes.value().len(), array: quote!(#bytes) }),
        Some(Lit::Byte(byte)) => Some(Magic::Bytes { len: 1, array: quote!(&[#byte]) }),
        Some(Lit::Int(int)) if types::is_int(&suffix(int.suffix())) => {
            let ty = Ident::new(int.suffix(), Span::mixed_site());
            Some(Magic::Number { value: value.clone(), ty: Some(ty) })
        }
        Some(Lit::Int(int)) if int.suffix().is_empty() => {
            let text = format!("this magic number has no width: write `{int}u32` or `{int}u8`");
            errors.on(value, text);
            None
        }
        Some(_) => {
            errors.at(
                value.span(),
                "`magic` takes bytes or an integer: `b\"RIFF\"`, `b'x'`, `7u32` or a const",
            );
            None
        }
        None => match value {
            Expr::Array(array) => Some(Magic::Bytes { len: array.elems.len(), array: quote!(&#array) }),
            Expr::Path(_) => Some(Magic::Number { value: value.clone(), ty: None }),
            _ => {
                let text = "`magic` takes bytes or an integer: `b\"RIFF\"`, `b'x'`, `7u32` or a const";
                errors.on(value, text);
                None
            }
        },
    }
}

fn suffix(name: &str) -> Type {
    let name = if name.is_empty() { format_ident!("_none") } else { format_ident!("{name}") };
    syn::parse_quote!(#name)
}
