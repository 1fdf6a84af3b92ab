//! The short ways to what an expression comes to: numbers of 64 bits, and one field beside a constant.

use super::{Expr, IntType, Op, Operand, Scope};

/// What most expressions are: one field, or a field beside a constant. The tree says the same, and why it has no value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Short {
    slot: usize,
    /// The bits of the field that count.
    mask: i64,
    pub(super) test: Option<(Op, i64)>,
}

impl Short {
    pub(super) fn new(tree: &Expr) -> Option<Self> {
        match tree {
            Expr::Field(_, slot) => Some(Short { slot: (*slot)?, mask: -1, test: None }),
            Expr::Binary(op, a, b) => {
                let Expr::Int(constant) = **b else { return None };
                let constant = i64::try_from(constant).ok()?;
                let of = Short::new(a).filter(|a| a.test.is_none())?;
                match op {
                    Op::BitAnd => Some(Short { mask: of.mask & constant, ..of }),
                    op if op.is_comparison() => Some(Short { test: Some((*op, constant)), ..of }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number of the field, as far as it counts.
    #[inline]
    pub(super) fn int<V: Operand>(&self, scope: Scope<'_, V>) -> Option<i64> {
        Some(i64::try_from(scope.at(self.slot)?.int()?).ok()? & self.mask)
    }

    #[inline]
    pub(super) fn flag<V: Operand>(&self, scope: Scope<'_, V>) -> Option<bool> {
        let (op, constant) = self.test?;
        Some(op.holds(self.int(scope)?.cmp(&constant)))
    }
}

/// What most expressions come to: numbers of 64 bits. `None` for everything else: the other functions say the same, and why there
/// is no value.
impl Expr {
    #[inline]
    pub(super) fn small<V: Operand>(&self, scope: Scope<'_, V>) -> Option<i64> {
        match self {
            Expr::Int(n) => i64::try_from(*n).ok(),
            Expr::Field(_, Some(slot)) => i64::try_from(scope.at(*slot)?.int()?).ok(),
            Expr::Binary(op, a, b) => Self::small_of(*op, a, b, scope),
            Expr::Cast(of, to) => Self::small_as(of, *to, scope),
            _ => None,
        }
    }

    #[inline(never)]
    fn small_of<V: Operand>(op: Op, a: &Expr, b: &Expr, scope: Scope<'_, V>) -> Option<i64> {
        let (a, b) = (a.small(scope)?, b.small(scope)?);
        match op {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::BitOr => Some(a | b),
            Op::BitXor => Some(a ^ b),
            Op::BitAnd => Some(a & b),
            _ => None,
        }
    }

    #[inline(never)]
    fn small_as<V: Operand>(of: &Expr, to: IntType, scope: Scope<'_, V>) -> Option<i64> {
        i64::try_from(to.wrap(of.small(scope)?.into())).ok()
    }
}
