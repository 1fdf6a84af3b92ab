//! A `?` in an expression that says how many, where or whether: the error is of the field, and may be the user's own.

use super::Emit;
use crate::paths::q;
use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprTry, Item, parse_quote_spanned};

impl Emit<'_> {
    /// The expression of the field at `place`, whose errors end the generated function.
    pub(super) fn raising(&self, expr: &Expr, place: usize) -> Expr {
        let name = match self.fields.on_wire().nth(place).map(|field| &field.name) {
            Some(name) => q!(__p::core::option::Option::Some(#name)),
            None => q!(__p::core::option::Option::None),
        };
        let pos = if self.encode { q!(__out.pos()) } else { q!(__src.pos()) };
        raising(expr, name, pos)
    }
}

/// The same with the name of a field and a position.
pub(super) fn raising(expr: &Expr, name: TokenStream, pos: TokenStream) -> Expr {
    let mut expr = expr.clone();
    Tries { name, pos }.visit_expr_mut(&mut expr);
    expr
}

struct Tries {
    name: TokenStream,
    pos: TokenStream,
}

impl VisitMut for Tries {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // `return` leads out of no closure
        if matches!(expr, Expr::Closure(_) | Expr::Async(_) | Expr::Const(_)) {
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Try(ExprTry { expr: inner, .. }) = &*expr else { return };
        let (at, name, pos) = (Span::mixed_site().located_at(inner.span()), &self.name, &self.pos);
        // in parentheses: what begins a statement with a match ends there
        *expr = parse_quote_spanned! {at=>
            (match #inner {
                __p::core::result::Result::Ok(__v) => __v,
                __p::core::result::Result::Err(__e) => {
                    use __p::AsText as _;
                    let __e = __p::Raised(__e).error(__p::core::option::Option::Some(#pos));
                    return __p::Err(__p::named(__e, #name));
                }
            })
        };
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
