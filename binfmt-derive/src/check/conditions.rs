//! Conditions that are none: rustc would speak of what the macro makes of them.

use crate::attr::AssertWord;
use crate::diag::Errors;
use crate::model::field::Field;
use crate::model::types;
use syn::{BinOp, Expr};

/// Those of a field.
pub(super) fn field(field: &Field, errors: &mut Errors) {
    field.cond.iter().for_each(|cond| is_one(&cond.expr, errors));
    asserts(&field.asserts, errors);
}

/// Those of assertions.
pub(super) fn asserts(list: &[AssertWord], errors: &mut Errors) {
    list.iter().for_each(|assert| is_one(&assert.condition, errors));
}

fn is_one(expr: &Expr, errors: &mut Errors) {
    let text = match expr {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            is_one(&binary.left, errors);
            return is_one(&binary.right, errors);
        }
        Expr::Paren(inner) => return is_one(&inner.expr, errors),
        Expr::Let(binding) => {
            let (value, pattern) = (types::show(&binding.expr), types::show(&binding.pat));
            format!("a condition is an expression\nhelp: write `matches!({value}, {pattern})`")
        }
        Expr::Assign(assign) => {
            let (left, right) = (types::show(&assign.left), types::show(&assign.right));
            format!("`=` does not compare\nhelp: write `{left} == {right}`")
        }
        _ => return,
    };
    errors.on(expr, text);
}
