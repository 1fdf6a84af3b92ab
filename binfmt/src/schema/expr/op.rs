//! What operators make of numbers.

use super::why::{Why, overflow};
use crate::numbers::Number;
use core::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    BitOr,
    BitXor,
    BitAnd,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// An integer type of Rust, as the target of a cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IntType {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

impl Op {
    /// Whether it comes to a condition.
    #[inline]
    pub(super) fn is_test(self) -> bool {
        self.is_comparison() || matches!(self, Op::Or | Op::And)
    }

    #[inline]
    pub(super) fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }

    #[inline]
    pub(super) fn holds(self, order: Option<Ordering>) -> bool {
        let Some(order) = order else { return self == Op::Ne };
        match self {
            Op::Eq => order.is_eq(),
            Op::Ne => order.is_ne(),
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            Op::Ge => order.is_ge(),
            _ => false,
        }
    }

    #[inline]
    pub(super) fn apply(self, a: i128, b: i128) -> Result<i128, Why> {
        let shift = || u32::try_from(b).ok().filter(|n| *n < 127);
        let n = match self {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Div => a.checked_div(b),
            Op::Rem => a.checked_rem(b),
            Op::BitOr => Some(a | b),
            Op::BitXor => Some(a ^ b),
            Op::BitAnd => Some(a & b),
            Op::Shl => shift().and_then(|n| a.checked_mul(1i128.checked_shl(n)?)),
            Op::Shr => shift().and_then(|n| a.checked_shr(n)),
            _ => None,
        };
        match n {
            Some(n) => Ok(n),
            None if b == 0 && matches!(self, Op::Div | Op::Rem) => Err("this divides by 0".into()),
            None => Err(overflow()),
        }
    }
}

impl Op {
    /// What it makes of two numbers: an integer of integers, else a float.
    pub(super) fn apply_to(self, a: Number, b: Number) -> Result<Number, Why> {
        if let (Some(a), Some(b)) = (a.as_i128(), b.as_i128()) {
            return self.apply(a, b).map(Number::I128);
        }
        if let (Number::F32(a), Number::F32(b)) = (a, b) {
            return self.float(a.into(), b.into(), |n| Number::F32(n as f32));
        }
        if !(a.number_type().is_float() || b.number_type().is_float()) {
            return Err(overflow());
        }
        self.float(a.to_f64(), b.to_f64(), Number::F64)
    }

    /// Of numbers of single precision the result is that of single precision: twice rounded it is the same.
    fn float(self, a: f64, b: f64, of: impl Fn(f64) -> Number) -> Result<Number, Why> {
        match self {
            Op::Add => Ok(of(a + b)),
            Op::Sub => Ok(of(a - b)),
            Op::Mul => Ok(of(a * b)),
            Op::Div => Ok(of(a / b)),
            Op::Rem => Ok(of(a % b)),
            _ => Err("bits are those of integers".into()),
        }
    }
}

impl IntType {
    /// As Rust's `as` does it.
    pub(super) fn wrap(self, n: i128) -> i128 {
        let unused = 128u32.wrapping_sub(self.bits);
        let high = n.wrapping_shl(unused);
        if unused == 0 {
            n
        } else if self.signed {
            high.wrapping_shr(unused)
        } else {
            high.cast_unsigned().wrapping_shr(unused).cast_signed()
        }
    }
}
