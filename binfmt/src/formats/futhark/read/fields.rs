//! The fields of a struct as the arguments of an entry point: which value each takes.

use crate::codec::Layout;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::futhark::layout::ElementType;
use crate::numbers::NumberType;
use crate::wire::{Bound, Encoding, Endian, IntShape, Shape};
use alloc::format;
use alloc::vec::Vec;

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) of: ElementType,
    pub(crate) rank: u8,
}

impl core::fmt::Display for Expected {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for _ in 0..self.rank {
            f.write_str("[]")?;
        }
        f.write_str(self.of.name())
    }
}

/// What the values of a shape are; `None` if Futhark has no such value.
fn expected(shape: Shape) -> Option<Expected> {
    let of = match shape {
        Shape::Int { bytes, signed } => NumberType::int(bytes, signed),
        Shape::Float { bytes } => NumberType::float(bytes),
        Shape::Bool { .. } => Some(NumberType::Bool),
        Shape::Shaped { dim_bytes: 8, rank: Some(rank), column_major: false, item, .. } => {
            return array(item(), u8::try_from(rank).ok()?);
        }
        // a length of 64 bits is the dimension of a Futhark array
        Shape::Bounded {
            by: Bound::Prefixed { len: IntShape::Fixed { bytes: 8, .. }, inclusive: false, .. },
            body,
        } => {
            return match body() {
                Shape::Sequence { item } => array(item(), 1),
                Shape::Text { encoding: Encoding::Any, nul: false } => {
                    Some(Expected { of: ElementType::U8, rank: 1 })
                }
                _ => None,
            };
        }
        _ => return None,
    };
    Some(Expected { of: ElementType::of_number(of?)?, rank: 0 })
}

/// The array of such scalars.
fn array(item: Shape, rank: u8) -> Option<Expected> {
    expected(item).filter(|item| item.rank == 0).map(|item| Expected { of: item.of, rank })
}

/// What the fields of a struct or tuple take, in the order of the wire.
pub(crate) fn fields<T: Layout>() -> Result<Vec<Expected>> {
    if T::PARTS.is_empty() && !matches!(T::SHAPE, Shape::Record { .. } | Shape::Unit) {
        let text = "arguments are the fields of a struct or tuple: one alone is `(T,)`";
        return Err(Error::other(text));
    }
    let is_big = T::FACTS.fixed() == Some(Endian::Big);
    let field = |part: &crate::Part| {
        let (is_little, shape) = match part.shape() {
            Shape::Ordered { little, body } => (little == Some(true), body()),
            shape => (!is_big, shape),
        };
        match expected(shape) {
            Some(expected) if is_little => Ok(expected),
            Some(_) => {
                let e: Error = ErrorKind::unsupported("Futhark", "big-endian fields").into();
                Err(e.within(Step::Field(part.name())))
            }
            None => {
                Err(ErrorKind::unsupported("Futhark", format!("the type of field `{}`", part.name())).into())
            }
        }
    };
    T::PARTS.iter().map(field).collect()
}

/// More values than there are arguments.
#[cold]
pub(crate) fn more_than(arguments: usize) -> ErrorKind {
    ErrorKind::count("arguments", arguments, arguments + 1)
}
