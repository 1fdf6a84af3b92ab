//! Which names an expression uses.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprPath, Ident, PatIdent};

/// Every identifier that may name a local: not after `.` or `::`. Too many is harmless, so macro calls inside
/// the expression are searched as plain tokens, names in format strings included.
pub(crate) fn mentioned(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut before = ' ';
    for token in tokens {
        let now = match token {
            TokenTree::Ident(ident) => {
                if before != '.' {
                    found.insert(ident.unraw().to_string());
                }
                ' '
            }
            TokenTree::Group(group) => {
                collect(group.stream(), found);
                ' '
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                for part in text.split('{').skip(1) {
                    let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
                    found.insert(part[..end].to_owned());
                }
                ' '
            }
            // `..` ends in a dot and is not a field access.
            TokenTree::Punct(punct) if punct.as_char() == '.' && before == '.' => ' ',
            TokenTree::Punct(punct) => punct.as_char(),
        };
        before = now;
    }
}

/// The same tokens with another name for `self`.
pub(crate) fn without_self(tokens: TokenStream, this: &Ident) -> TokenStream {
    renamed(tokens, "self", this)
}

/// The same tokens with another name for one.
pub(crate) fn renamed(tokens: TokenStream, name: &str, this: &Ident) -> TokenStream {
    let replace = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == name => {
            let mut this = this.clone();
            this.set_span(this.span().located_at(ident.span()));
            TokenTree::Ident(this)
        }
        TokenTree::Group(group) => {
            let inner = renamed(group.stream(), name, this);
            let mut made = proc_macro2::Group::new(group.delimiter(), inner);
            made.set_span(group.span());
            TokenTree::Group(made)
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// The names that an expression plainly reads as values: bare paths that are not called and not bound inside.
pub(crate) fn read(expr: &Expr) -> Vec<(String, Span)> {
    let mut names = Reads::default();
    // a visit that changes nothing: syn's other kind of visit is one more for users to compile
    names.visit_expr_mut(&mut expr.clone());
    names.found.retain(|(name, _)| !names.bound.contains(name));
    names.found
}

/// The names that patterns in an expression bind.
pub(crate) fn bound(expr: &Expr) -> HashSet<String> {
    let mut names = Reads::default();
    names.visit_expr_mut(&mut expr.clone());
    names.bound
}

#[derive(Default)]
struct Reads {
    found: Vec<(String, Span)>,
    bound: HashSet<String>,
}

impl VisitMut for Reads {
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if let (None, Some(ident)) = (&path.qself, path.path.get_ident()) {
            self.found.push((ident.unraw().to_string(), Ident::span(ident)));
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        if !matches!(*call.func, Expr::Path(_)) {
            self.visit_expr_mut(&mut call.func);
        }
        for arg in &mut call.args {
            self.visit_expr_mut(arg);
        }
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        self.bound.insert(pat.ident.unraw().to_string());
        visit_mut::visit_pat_ident_mut(self, pat);
    }
}
