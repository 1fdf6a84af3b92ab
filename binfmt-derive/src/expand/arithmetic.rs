//! Arithmetic in the expressions that say how many there are (`count`, `rank`).
//!
//! Fields are narrow integers that the input fills in, so Rust's own arithmetic on them would overflow. The operators that are visible
//! here therefore compute in 128 bits, exactly; arithmetic inside calls and casts keeps its own types, and what does not fit into
//! them is an error of the expression.

use super::Emit;
use super::tries::raising;
use crate::paths::q;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprLit, ExprUnary, Lit, Macro, Stmt, StmtMacro, UnOp,
    parse_quote_spanned,
};

impl Emit<'_> {
    /// The number that an expression gives, with the fields before `place` in scope.
    pub(super) fn number_of(&self, expr: &Expr, place: usize) -> TokenStream {
        self.number_by(&self.raising(expr, place), place)
    }

    /// The number or flag that `calc` gives, with all fields in scope. A `?` in it is an error of the field at `pos`.
    pub(super) fn calculated(
        &self,
        expr: &Expr,
        is_flag: bool,
        pos: &TokenStream,
        name: &str,
    ) -> TokenStream {
        let name = q!(__p::core::option::Option::Some(#name));
        let (expr, place) = (raising(expr, name, pos.clone()), self.fields.wire.len());
        match is_flag {
            true => {
                let scoped = self.scoped(&expr, place);
                q!(__p::core::primitive::i128::from(__p::flag(#scoped)))
            }
            false => self.number_by(&expr, place),
        }
    }

    fn number_by(&self, expr: &Expr, place: usize) -> TokenStream {
        let mut done = Done::default();
        let at = Span::mixed_site().located_at(expr.span());
        let exact = done.value(expr);
        if !done.calls && !done.values {
            let scoped = self.scoped(expr, place);
            return quote_spanned!(at=> __p::count(#scoped));
        }
        let scoped = self.scoped(&exact, place);
        quote_spanned!(at=> __p::count('__count: { #scoped }))
    }
}

/// What was found on the way.
#[derive(Default)]
struct Done {
    /// Arithmetic that keeps its types.
    calls: bool,
    /// Arithmetic that is exact.
    values: bool,
}

impl Done {
    /// The expression as an exact number.
    fn value(&mut self, expr: &Expr) -> TokenStream {
        let at = Span::mixed_site().located_at(expr.span());
        match expr {
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Binary(binary) if operation(&binary.op).is_some() => {
                self.values = true;
                let name = operation(&binary.op).map(|name| Ident::new(name, at));
                let (left, right) = (self.value(&binary.left), self.value(&binary.right));
                quote_spanned!(at=> __p::Wide::#name(#left, #right))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                self.values = true;
                let inner = self.value(&unary.expr);
                quote_spanned!(at=> __p::Wide::neg(#inner))
            }
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) if int.suffix().is_empty() => {
                let Ok(n) = int.base10_parse::<i128>() else { return quote_spanned!(at=> __p::wide(#int)) };
                let mut n = Literal::i128_suffixed(n);
                n.set_span(int.span());
                quote_spanned!(at=> __p::wide(#n))
            }
            Expr::If(choice) if choice.else_branch.is_some() => {
                let (cond, then) = (self.kept(&choice.cond), self.block(&choice.then_branch));
                let other = choice.else_branch.as_ref().map(|(_, other)| self.value(other));
                quote_spanned!(at=> if #cond #then else { #other })
            }
            Expr::Match(choice) => {
                let subject = self.kept(&choice.expr);
                let arms = choice.arms.iter().map(|arm| {
                    let (pattern, body) = (&arm.pat, self.value(&arm.body));
                    let guard = arm.guard.as_ref().map(|(_, guard)| self.kept(guard));
                    let guard = guard.map(|guard| q!(if #guard));
                    q!(#pattern #guard => #body,)
                });
                let arms: TokenStream = arms.collect();
                quote_spanned!(at=> match #subject { #arms })
            }
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            // what never gives a number must not be asked for one
            Expr::Macro(call) if never_returns(&call.mac) => call.to_token_stream(),
            other => {
                let kept = self.kept(other);
                quote_spanned!(at=> __p::wide(#kept))
            }
        }
    }

    /// A block whose last expression is the number.
    fn block(&mut self, block: &Block) -> TokenStream {
        let (last, before) = match block.stmts.split_last() {
            Some((Stmt::Expr(last, None), before)) => (last.clone(), before),
            Some((Stmt::Macro(StmtMacro { mac, semi_token: None, .. }), before)) => {
                (parse_quote_spanned!(mac.path.span()=> #mac), before)
            }
            _ => return block.to_token_stream(),
        };
        let mut before = before.to_vec();
        before.iter_mut().for_each(|stmt| self.visit_stmt_mut(stmt));
        let last = self.value(&last);
        q!({ #(#before)* #last })
    }

    /// The expression in its own types.
    fn kept(&mut self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        self.visit_expr_mut(&mut expr);
        expr
    }
}

impl VisitMut for Done {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // `break` leads out of no closure
        if matches!(expr, Expr::Closure(_) | Expr::Async(_) | Expr::Const(_)) {
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
        let at = |place: Span| Span::mixed_site().located_at(place);
        let (at, done, target) = match &*expr {
            // the type of a literal is what stands round it, and rustc reckons it itself
            Expr::Unary(ExprUnary { op: UnOp::Neg(op), expr: inner, .. })
                if !matches!(**inner, Expr::Lit(_)) =>
            {
                let at = at(op.span());
                (at, quote_spanned!(at=> __p::kept::neg(#inner)), None)
            }
            Expr::Binary(ExprBinary { left, op, right, .. }) => {
                if matches!((&**left, &**right), (Expr::Lit(_), Expr::Lit(_))) {
                    return;
                }
                let at = at(op.span());
                let (name, target) = match (operation(op), assigned(op)) {
                    (Some(name), _) if may_overflow(name) => (name, None),
                    // the place is named twice, so it must be no more than a name
                    (_, Some(name)) if matches!(**left, Expr::Path(_)) => (name, Some(left.clone())),
                    _ => return,
                };
                let name = Ident::new(name, at);
                (at, quote_spanned!(at=> __p::kept::#name(#left, #right)), target)
            }
            _ => return,
        };
        self.calls = true;
        let target = target.map(|target| quote_spanned!(at=> #target =));
        *expr = parse_quote_spanned! {at=>
            #target match #done {
                __p::core::option::Option::Some(__n) => __n,
                __p::core::option::Option::None => break '__count __p::Wide::NONE,
            }
        };
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a macro is one of those that end in a panic.
fn never_returns(call: &Macro) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| call.path.is_ident(name))
}

/// The name of an arithmetic operation in the runtime.
fn operation(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        BinOp::BitAnd(_) => "and",
        BinOp::BitOr(_) => "or",
        BinOp::BitXor(_) => "xor",
        _ => return None,
    })
}

/// The same for an operator that assigns, if the result may not fit.
fn assigned(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::AddAssign(_) => "add",
        BinOp::SubAssign(_) => "sub",
        BinOp::MulAssign(_) => "mul",
        BinOp::DivAssign(_) => "div",
        BinOp::RemAssign(_) => "rem",
        BinOp::ShlAssign(_) => "shl",
        BinOp::ShrAssign(_) => "shr",
        _ => return None,
    })
}

/// Whether the operation can give a number that its type does not hold.
fn may_overflow(name: &str) -> bool {
    !matches!(name, "and" | "or" | "xor")
}
