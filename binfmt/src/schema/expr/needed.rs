//! The ranges that fields are in wherever a condition is true: parts with no value in them are not read.

use super::{Expr, Expression, Op};
use crate::numbers::{Number, to_f32};
use alloc::vec::Vec;
use core::cmp::Ordering;
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
    let (op, a, b) = match tree {
        Expr::Binary(op, a, b) => (op, a, b),
        Expr::Like(of, like) => {
            if let Expr::Field(_, Some(slot)) = **of {
                found.extend(like.beginning().and_then(|beginning| begun(slot, beginning)));
            }
            return;
        }
        _ => return,
    };
    match (op, &**a, &**b) {
        (Op::And, a, b) => {
            collect(a, found);
            collect(b, found);
        }
        (Op::Or, a, b) => {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            collect(a, &mut first);
            collect(b, &mut second);
            found.extend(in_both(first, &second));
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

/// What must be so if one of two conditions holds: of a field that is in both, all between the least and the greatest.
fn in_both(first: Vec<Needed>, second: &[Needed]) -> Vec<Needed> {
    let mut both: Vec<Needed> = Vec::new();
    for needed in first {
        let other = second.iter().find(|other| other.slot == needed.slot);
        // one range of each field will do: more could become as many as there are pairs
        if let Some(other) = other.filter(|_| both.iter().all(|known| known.slot != needed.slot)) {
            let low = wider(needed.low, &other.low, Ordering::Less);
            let high = wider(needed.high, &other.high, Ordering::Greater);
            if (&low, &high) != (&Bound::Unbounded, &Bound::Unbounded) {
                both.push(Needed { slot: needed.slot, low, high });
            }
        }
    }
    both
}

/// The bound of two that leaves in what either does: the one that is `wanted` of the other.
fn wider(a: Bound<Literal>, b: &Bound<Literal>, wanted: Ordering) -> Bound<Literal> {
    let (Bound::Included(x) | Bound::Excluded(x), Bound::Included(y) | Bound::Excluded(y)) = (&a, b) else {
        return Bound::Unbounded;
    };
    match x.compare(y) {
        Some(Ordering::Equal) if matches!(b, Bound::Included(_)) => b.clone(),
        Some(order) if order == wanted || order.is_eq() => a,
        Some(_) => b.clone(),
        None => Bound::Unbounded,
    }
}

impl Literal {
    fn compare(&self, other: &Literal) -> Option<Ordering> {
        match (self, other) {
            (Literal::Number(a), Literal::Number(b)) => a.compare(*b),
            (Literal::Bytes(a), Literal::Bytes(b)) => Some(a.cmp(b)),
            _ => None,
        }
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

/// A text that begins so, or is that.
fn begun(slot: usize, (text, is_all): (&[u8], bool)) -> Option<Needed> {
    let low = Literal::Bytes(text.to_vec());
    if is_all {
        return Some(Needed { slot, low: Bound::Included(low.clone()), high: Bound::Included(low) });
    }
    // the least text after all that begin so
    let mut after = text.to_vec();
    while after.pop_if(|last| *last == u8::MAX).is_some() {}
    let high = match after.last_mut() {
        Some(last) => {
            *last = last.saturating_add(1);
            Bound::Excluded(Literal::Bytes(after))
        }
        None => Bound::Unbounded,
    };
    Some(Needed { slot, low: Bound::Included(low), high })
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
