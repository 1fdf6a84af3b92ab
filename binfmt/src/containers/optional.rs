//! A value that is there only under a condition.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Facts, Kind, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// `if(expr)`: the context is the condition and what the value needs.
#[derive(Debug)]
pub struct If<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<Option<T>> for If<F> {
    const FACTS: Facts<Option<T>> = Facts::range(0, 0, OPEN).ends_as(F::FACTS);
    const SHAPE: Shape = conditional(|| F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

const fn conditional(body: fn() -> Shape) -> Shape {
    Shape::Conditional { body }
}

#[diagnostic::do_not_recommend]
impl<'de, F: DecodeAs<'de, T, C>, T, C> DecodeAs<'de, Option<T>, (bool, C)> for If<F> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (on, ctx): (bool, C)) -> Result<Option<T>> {
        if on {
            return Ok(Some(F::decode::<O, S>(src, ctx)?));
        }
        src.mark(Kind::Absent, true);
        Ok(None)
    }
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T, C>, T, C> EncodeAs<Option<T>, (bool, C)> for If<F> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &Option<T>, out: &mut W, (on, ctx): (bool, C)) -> Result<()> {
        match value {
            Some(v) if on => F::encode::<O, W>(v, out, ctx),
            None if !on => Ok(()),
            _ => Err(Error::new(ErrorKind::PresenceMismatch { expected: on }, out.pos())),
        }
    }
}
