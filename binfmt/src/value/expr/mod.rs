//! The expressions of a description: integers, earlier fields, arithmetic, comparisons, conditions.
//!
//! A description holds them as they stand in the source, so this is a small part of Rust. It is worked out in `i128`,
//! and checked: what overflows there is an error. Everything else is refused with the text of the expression.

mod parse;
mod pattern;

use super::Value;
use crate::error::{Error, Result};
use crate::wire::Endian;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use pattern::{Tag, is_one, matches};

/// The earlier fields of a record.
pub(crate) trait Fields {
    /// What a name stands for.
    fn find(&self, name: &str) -> Option<&Value>;
}

/// What an expression can name.
pub(crate) type Scope<'s> = &'s (dyn Fields + 's);

/// No names at all.
pub(crate) struct Nothing;

impl Fields for Nothing {
    fn find(&self, _: &str) -> Option<&Value> {
        None
    }
}

/// One name.
struct Parameter<'s>(&'s str, &'s Value);

impl Fields for Parameter<'_> {
    fn find(&self, name: &str) -> Option<&Value> {
        (self.0 == name).then_some(self.1)
    }
}

/// A parsed expression.
#[derive(Debug, PartialEq)]
enum Expr {
    Int(i128),
    Bool(bool),
    Bytes(Vec<u8>),
    Order(Endian),
    Name(String),
    Member(Box<Expr>, String),
    Call(Box<Expr>, Method),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Cast(Box<Expr>, IntType),
    Binary(Op, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// What can be asked of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Len,
    IsEmpty,
    IsSome,
    IsNone,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
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
struct IntType {
    bits: u32,
    signed: bool,
}

/// What an expression comes to.
enum Operand<'s> {
    Int(i128),
    Bool(bool),
    Bytes(Vec<u8>),
    Order(Endian),
    Field(&'s Value),
}

/// Why an expression has no value, without the expression.
type Why = String;

/// The number that an expression comes to.
pub(crate) fn int(text: &str, scope: Scope<'_>, at: u64) -> Result<i128> {
    work_out(text, scope, at, |operand| operand.int())
}

/// The condition that an expression comes to.
pub(crate) fn flag(text: &str, scope: Scope<'_>, at: u64) -> Result<bool> {
    work_out(text, scope, at, |operand| operand.flag())
}

/// The byte order that an expression comes to.
pub(crate) fn order(text: &str, scope: Scope<'_>, at: u64) -> Result<Endian> {
    work_out(text, scope, at, |operand| match operand {
        Operand::Order(order) => Ok(order),
        _ => Err("this is no byte order".into()),
    })
}

/// How many elements the list has that an expression names.
pub(crate) fn num_items(text: &str, scope: Scope<'_>, at: u64) -> Result<usize> {
    work_out(text, scope, at, |operand| operand.len())
}

/// The tag that an expression comes to.
pub(crate) fn tag(text: &str, scope: Scope<'_>, at: u64) -> Result<Tag> {
    work_out(text, scope, at, Operand::tag)
}

/// Whether an element is the last of its list: `|element| ..`, or `|element: &u8| ..`.
pub(crate) fn is_last(text: &str, element: &Value, at: u64) -> Result<bool> {
    let closure = text.trim().strip_prefix('|').and_then(|rest| rest.split_once('|'));
    let Some((parameter, body)) = closure else {
        return Err(refused(text, "this is no function of one element", at));
    };
    let name = parameter.split(':').next().unwrap_or_default().trim().trim_start_matches('&').trim();
    flag(body, &Parameter(name, element), at)
}

fn work_out<'s, T>(
    text: &str,
    scope: Scope<'s>,
    at: u64,
    as_type: impl FnOnce(Operand<'s>) -> Result<T, Why>,
) -> Result<T> {
    parse::expression(text)
        .and_then(|expr| eval(&expr, scope))
        .and_then(as_type)
        .map_err(|why| refused(text, &why, at))
}

#[cold]
pub(crate) fn refused(text: &str, why: &str, at: u64) -> Error {
    Error::message(format!("`{text}` cannot be worked out: {why}"), at)
}

fn eval<'s>(expr: &Expr, scope: Scope<'s>) -> Result<Operand<'s>, Why> {
    Ok(match expr {
        Expr::Int(n) => Operand::Int(*n),
        Expr::Bool(b) => Operand::Bool(*b),
        Expr::Bytes(b) => Operand::Bytes(b.clone()),
        Expr::Order(order) => Operand::Order(*order),
        Expr::Name(name) => Operand::Field(
            scope.find(name).ok_or_else(|| format!("`{name}` is no earlier field of the record"))?,
        ),
        Expr::Member(of, name) => match eval(of, scope)? {
            Operand::Field(value) => {
                Operand::Field(value.get(name).ok_or_else(|| format!("there is no field `{name}`"))?)
            }
            _ => return Err(format!("there is no field `{name}`")),
        },
        Expr::Call(of, method) => eval(of, scope)?.call(*method)?,
        Expr::Not(of) => match eval(of, scope)? {
            Operand::Bool(b) => Operand::Bool(!b),
            Operand::Field(Value::Bool(b)) => Operand::Bool(!b),
            _ => return Err("`!` is for conditions".into()),
        },
        Expr::Minus(of) => Operand::Int(eval(of, scope)?.int()?.checked_neg().ok_or_else(overflow)?),
        Expr::Cast(of, to) => Operand::Int(to.wrap(eval(of, scope)?.int()?)),
        Expr::If(condition, yes, no) => {
            let taken = if eval(condition, scope)?.flag()? { yes } else { no };
            eval(taken, scope)?
        }
        Expr::Binary(Op::Or, a, b) => Operand::Bool(eval(a, scope)?.flag()? || eval(b, scope)?.flag()?),
        Expr::Binary(Op::And, a, b) => Operand::Bool(eval(a, scope)?.flag()? && eval(b, scope)?.flag()?),
        Expr::Binary(op, a, b) => op.apply(&eval(a, scope)?, &eval(b, scope)?)?,
    })
}

fn overflow() -> Why {
    "the number is too large".into()
}

impl Op {
    fn apply<'s>(self, a: &Operand<'s>, b: &Operand<'s>) -> Result<Operand<'s>, Why> {
        if let Some(holds) = self.compare(a, b)? {
            return Ok(Operand::Bool(holds));
        }
        let (a, b) = (a.int()?, b.int()?);
        let shift = u32::try_from(b).ok().filter(|n| *n < 127);
        let n = match self {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Div => a.checked_div(b),
            Op::Rem => a.checked_rem(b),
            Op::BitOr => Some(a | b),
            Op::BitXor => Some(a ^ b),
            Op::BitAnd => Some(a & b),
            Op::Shl => shift.and_then(|n| a.checked_mul(1i128.checked_shl(n)?)),
            Op::Shr => shift.and_then(|n| a.checked_shr(n)),
            _ => None,
        };
        match n {
            Some(n) => Ok(Operand::Int(n)),
            None if b == 0 && matches!(self, Op::Div | Op::Rem) => Err("this divides by 0".into()),
            None => Err(overflow()),
        }
    }

    fn compare(self, a: &Operand<'_>, b: &Operand<'_>) -> Result<Option<bool>, Why> {
        let holds: fn(core::cmp::Ordering) -> bool = match self {
            Op::Eq => core::cmp::Ordering::is_eq,
            Op::Ne => core::cmp::Ordering::is_ne,
            Op::Lt => core::cmp::Ordering::is_lt,
            Op::Le => core::cmp::Ordering::is_le,
            Op::Gt => core::cmp::Ordering::is_gt,
            Op::Ge => core::cmp::Ordering::is_ge,
            _ => return Ok(None),
        };
        let order = match (a.bytes(), b.bytes()) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => match (a.flag(), b.flag()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                _ => a.int()?.cmp(&b.int()?),
            },
        };
        Ok(Some(holds(order)))
    }
}

impl IntType {
    /// As Rust's `as` does it.
    fn wrap(self, n: i128) -> i128 {
        let unused = 128u32.saturating_sub(self.bits);
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

impl Operand<'_> {
    fn int(&self) -> Result<i128, Why> {
        match self {
            Operand::Int(n) => Ok(*n),
            Operand::Field(value) => value.as_i128().ok_or_else(|| format!("{} is no number", value.what())),
            _ => Err("this is no number".into()),
        }
    }

    fn flag(&self) -> Result<bool, Why> {
        match self {
            Operand::Bool(b) | Operand::Field(Value::Bool(b)) => Ok(*b),
            _ => Err("this is no condition".into()),
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Operand::Bytes(b) => Some(b),
            Operand::Field(value) => value.as_bytes(),
            _ => None,
        }
    }

    fn len(&self) -> Result<usize, Why> {
        match self {
            Operand::Bytes(b) => Ok(b.len()),
            Operand::Field(value) => value.num_items().ok_or_else(|| format!("{} is no list", value.what())),
            _ => Err("this is no list".into()),
        }
    }

    fn call(&self, method: Method) -> Result<Self, Why> {
        let is_there = || match self {
            Operand::Field(value) => Ok(!value.is_missing() && **value != Value::Absent),
            _ => Err(Why::from("only a field may be missing")),
        };
        Ok(match method {
            Method::Len => Operand::Int(i128::try_from(self.len()?).unwrap_or(i128::MAX)),
            Method::IsEmpty => Operand::Bool(self.len()? == 0),
            Method::IsSome => Operand::Bool(is_there()?),
            Method::IsNone => Operand::Bool(!is_there()?),
        })
    }

    fn tag(self) -> Result<Tag, Why> {
        match &self {
            Operand::Bool(b) | Operand::Field(Value::Bool(b)) => Ok(Tag::Bool(*b)),
            _ => match self.bytes() {
                Some(b) => Ok(Tag::Bytes(b.to_vec())),
                None => self.int().map(Tag::Int),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    struct Some3;

    impl Fields for Some3 {
        fn find(&self, name: &str) -> Option<&Value> {
            match name {
                "n" => Some(&Value::U8(5)),
                "on" => Some(&Value::Bool(true)),
                "gone" => Some(&Value::Missing(3)),
                _ => None,
            }
        }
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0x10", 16),
            ("1_000u32", 1000),
            ("*n * 2", 10),
            ("(n + 1) * 2 - 7 / 2 % 2", 11),
            ("usize::from(*n) << 2", 20),
            ("(*n).into()", 5),
            ("n as u64 | 0b1000", 13),
            ("-1i32 as u8", 255),
            ("300 as i8", 44),
            ("if on { n } else { 1 / 0 }", 5),
            ("1 - -1", 2),
            ("u64::from(*n) & 4", 4),
            ("b'A'", 65),
            ("b\"ab\\x00\".len()", 3),
        ] {
            assert_eq!(int(text, &Some3, 0).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn conditions() {
        for (text, expected) in [
            ("*on", true),
            ("!on", false),
            ("n == 5 && !(n > 5) || false", true),
            ("n & 1 == 1", true),
            ("gone.is_none()", true),
            ("gone.is_some() && 1 / 0 == 1", false),
            ("b\"a\" < b\"b\"", true),
        ] {
            assert_eq!(flag(text, &Some3, 0).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_quoted() {
        for text in [
            "m",
            "n +",
            "f(n)",
            "1 / 0",
            "170141183460469231731687303715884105727 + 1",
            "n == ",
            "1 2",
            "n::x",
            "\"a",
        ] {
            let e = int(text, &Some3, 7).unwrap_err();
            assert!(e.to_string().contains(&format!("`{text}`")), "{e}");
            assert_eq!(e.offset(), 7);
        }
        assert!(int(&"(".repeat(100_000), &Some3, 0).is_err());
        assert!(int(&"-".repeat(100_000), &Some3, 0).is_err());
        assert!(int(&"1+".repeat(100_000), &Some3, 0).is_err());
    }

    #[test]
    fn elements_that_end_a_list() {
        assert!(is_last("|b: &u8| *b == 0", &Value::U8(0), 0).unwrap());
        assert!(!is_last("|b| *b == 0", &Value::U8(1), 0).unwrap());
        assert!(is_last("is_last", &Value::U8(1), 0).is_err());
    }
}
