//! The ranges that fields are in wherever a condition is true: parts with no value in them are not read.

use super::{Expr, Expression, Op};
use crate::numbers::{Number, to_f32};
use alloc::vec::Vec;
use core::ops::Bound;

/// A value that is written out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Number(Number),
    Bytes(Vec<u8>),
}

/// Between which values a field is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Needed {
    pub(crate) slot: usize,
    pub(crate) low: Bound<Literal>,
    pub(crate) high: Bound<Literal>,
}

impl Expression {
    /// What must be so of single fields if the condition holds.
    pub(crate) fn needed(&self) -> Vec<Needed> {
        let mut found = Vec::new();
        if let Ok(tree) = &self.tree {
            collect(tree, &mut found);
        }
        found
    }
}

fn collect(tree: &Expr, found: &mut Vec<Needed>) {
    let Expr::Binary(op, a, b) = tree else { return };
    match (op, &**a, &**b) {
        (Op::And, a, b) => {
            collect(a, found);
            collect(b, found);
        }
        (op, Expr::Field(_, Some(slot)), with) => {
            found.extend(literal(with).and_then(|with| needed(*slot, *op, with)));
        }
        (op, with, Expr::Field(_, Some(slot))) => {
            found.extend(literal(with).and_then(|with| needed(*slot, op.turned_round(), with)));
        }
        _ => {}
    }
}

/// The least and the greatest that a literal may be.
fn literal(tree: &Expr) -> Option<[Literal; 2]> {
    let only = match tree {
        Expr::Int(n) => Literal::Number(Number::I128(*n)),
        Expr::Float(x) => return Some(float(*x)),
        Expr::Bytes(bytes) => Literal::Bytes(bytes.clone()),
        Expr::Minus(of) => match **of {
            Expr::Int(n) => Literal::Number(Number::I128(n.checked_neg()?)),
            Expr::Float(x) => return Some(float(-x)),
            _ => return None,
        },
        _ => return None,
    };
    Some([only.clone(), only])
}

/// A float, which beside a number of single precision is of single precision.
fn float(x: f64) -> [Literal; 2] {
    let single = f64::from(to_f32(x));
    [x.min(single), x.max(single)].map(|x| Literal::Number(Number::F64(x)))
}

fn needed(slot: usize, op: Op, [least, greatest]: [Literal; 2]) -> Option<Needed> {
    let (low, high) = match op {
        Op::Eq => (Bound::Included(least), Bound::Included(greatest)),
        Op::Lt => (Bound::Unbounded, Bound::Excluded(greatest)),
        Op::Le => (Bound::Unbounded, Bound::Included(greatest)),
        Op::Gt => (Bound::Excluded(least), Bound::Unbounded),
        Op::Ge => (Bound::Included(least), Bound::Unbounded),
        _ => return None,
    };
    Some(Needed { slot, low, high })
}

impl Op {
    /// The comparison that holds of `b` and `a` if this one holds of `a` and `b`.
    fn turned_round(self) -> Self {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            other => other,
        }
    }
}
