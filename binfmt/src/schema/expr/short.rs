//! Short ways to the value of an expression, in numbers of 64 bits: fixed forms over one field, and trees of small numbers.
//!
//! They say what the tree says in 128 bits, or nothing: then the tree is asked, which also knows why there is no value.

use super::{Expr, IntType, Op, Operand, Scope};

/// What most expressions are: something of one field and constants. The tree says the same, and why it has no value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Short {
    /// A field as it is, a number or a bool.
    Field(usize),
    /// The opposite of a field, a bool.
    Not(usize),
    Int(Linear),
    Test(Test),
}

/// The bits of a field that count, times a constant, and a constant more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    slot: usize,
    mask: i64,
    factor: i64,
    plus: i64,
}

/// Whether the bits of a field that count lie in a range, or do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    slot: usize,
    mask: i64,
    least: i64,
    /// From the least to the largest.
    span: u64,
    inside: bool,
}

impl Short {
    pub(super) fn new(tree: &Expr) -> Option<Self> {
        match tree {
            Expr::Field(_, slot) => slot.map(Short::Field),
            Expr::Not(of) => match Short::new(of)? {
                Short::Field(slot) => Some(Short::Not(slot)),
                Short::Not(slot) => Some(Short::Field(slot)),
                Short::Test(test) => Some(Short::Test(Test { inside: !test.inside, ..test })),
                Short::Int(_) => None,
            },
            Expr::Binary(op, a, b) if op.is_comparison() => {
                Test::new(*op, Linear::new(a)?, int(b)?).map(Short::Test)
            }
            tree => Linear::new(tree).map(Short::Int),
        }
    }

    /// The number that it comes to, if it is one.
    #[inline]
    pub(super) fn int<V: Operand>(&self, slots: &[V]) -> Option<i64> {
        match self {
            Short::Field(slot) => slots.get(*slot)?.small(),
            Short::Int(of) => {
                let n = slots.get(of.slot)?.small()? & of.mask;
                n.checked_mul(of.factor)?.checked_add(of.plus)
            }
            Short::Not(_) | Short::Test(_) => None,
        }
    }

    /// Whether the bool of a field is there, or is not.
    #[inline]
    pub(super) fn flag<V: Operand>(&self, slots: &[V]) -> Option<bool> {
        match self {
            Short::Field(slot) => slots.get(*slot)?.flag(),
            Short::Not(slot) => slots.get(*slot)?.flag().map(|flag| !flag),
            Short::Int(_) | Short::Test(_) => None,
        }
    }
}

impl Test {
    /// Whether it holds; `None` where the field is not an integer of 64 bits.
    #[inline(always)]
    pub(crate) fn holds<V: Operand>(&self, slots: &[V]) -> Option<bool> {
        let n = slots.get(self.slot)?.small()? & self.mask;
        Some((n.wrapping_sub(self.least).cast_unsigned() <= self.span) == self.inside)
    }
}

/// A constant.
fn int(tree: &Expr) -> Option<i64> {
    if let Expr::Int(n) = tree { i64::try_from(*n).ok() } else { None }
}

impl Linear {
    /// No step of a tree of this form goes beyond 128 bits, so that the order of the steps does not count.
    fn new(tree: &Expr) -> Option<Self> {
        match tree {
            Expr::Field(_, slot) => Some(Linear { slot: (*slot)?, mask: -1, factor: 1, plus: 0 }),
            Expr::Binary(op, a, b) => {
                let (of, n) = (Linear::new(a)?, int(b)?);
                match op {
                    Op::BitAnd if of.is_plain() => Some(Linear { mask: of.mask & n, ..of }),
                    Op::Mul => Some(Linear {
                        factor: of.factor.checked_mul(n)?,
                        plus: of.plus.checked_mul(n)?,
                        ..of
                    }),
                    Op::Add => Some(Linear { plus: of.plus.checked_add(n)?, ..of }),
                    Op::Sub => Some(Linear { plus: of.plus.checked_sub(n)?, ..of }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_plain(&self) -> bool {
        (self.factor, self.plus) == (1, 0)
    }
}

impl Test {
    fn new(op: Op, of: Linear, n: i64) -> Option<Self> {
        let (least, largest) = match op {
            Op::Eq | Op::Ne => (n, n),
            Op::Lt => (i64::MIN, n.checked_sub(1)?),
            Op::Le => (i64::MIN, n),
            Op::Gt => (n.checked_add(1)?, i64::MAX),
            Op::Ge => (n, i64::MAX),
            _ => return None,
        };
        let span = largest.wrapping_sub(least).cast_unsigned();
        let test = Test { slot: of.slot, mask: of.mask, least, span, inside: op != Op::Ne };
        of.is_plain().then_some(test)
    }
}

/// What most other expressions come to: numbers of 64 bits. `None` for everything else: the other functions say the same, and why
/// there is no value.
impl Expr {
    #[inline]
    pub(super) fn small<V: Operand>(&self, scope: Scope<'_, V>) -> Option<i64> {
        match self {
            Expr::Int(n) => i64::try_from(*n).ok(),
            Expr::Field(_, Some(slot)) => scope.at(*slot)?.small(),
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
