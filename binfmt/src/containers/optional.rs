//! A value that is there only under a condition.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::owned::Static;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Facts, Kind, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// `if(expr)`: the context is the condition and what the value needs.
#[derive(Debug)]
pub struct If<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<Option<T>> for If<F> {
    const FACTS: Facts<Option<T>> = Facts::range(0, 0, OPEN).ends_as(F::FACTS).at_times();
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

/// `if(expr, else = expr)`: the context is the condition, the value that stands for none, and what the value needs.
#[derive(Debug)]
pub struct IfElse<F>(PhantomData<F>);

/// The value of a field that is not there, made when it is asked for.
#[derive(Debug)]
pub struct Otherwise<V> {
    value: V,
    text: &'static str,
}

/// `else = expr`.
#[inline(always)]
pub fn otherwise<T, V: FnOnce() -> T>(value: V, text: &'static str) -> Otherwise<V> {
    Otherwise { value, text }
}

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<T> for IfElse<F> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN).ends_as(F::FACTS).at_times();
    const SHAPE: Shape = conditional(|| F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, V> DecodeAs<'de, T, (bool, (Otherwise<V>, C))> for IfElse<F>
where
    F: DecodeAs<'de, T, C>,
    V: FnOnce() -> T,
{
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(
        src: &mut S,
        (on, (otherwise, ctx)): (bool, (Otherwise<V>, C)),
    ) -> Result<T> {
        if on {
            return F::decode::<O, S>(src, ctx);
        }
        src.mark(Kind::Absent, true);
        Ok((otherwise.value)())
    }
}

#[diagnostic::do_not_recommend]
impl<F, T, C, V> EncodeAs<T, (bool, (Otherwise<V>, C))> for IfElse<F>
where
    F: EncodeAs<T, C>,
    T: PartialEq,
    V: FnOnce() -> T,
{
    #[inline(always)]
    fn encode<O: Order, W: Sink>(
        value: &T,
        out: &mut W,
        (on, (otherwise, ctx)): (bool, (Otherwise<V>, C)),
    ) -> Result<()> {
        if on {
            return F::encode::<O, W>(value, out, ctx);
        }
        if is_same(value, &(otherwise.value)()) {
            return Ok(());
        }
        Err(lost(otherwise.text.into(), out.pos()))
    }
}

/// Whether two values are equal, or neither is equal to anything: a NaN stands for a NaN.
fn is_same<T: PartialEq>(a: &T, b: &T) -> bool {
    let equal = |a: &T, b: &T| a == b;
    equal(a, b) || !(equal(a, a) || equal(b, b))
}

/// A value that would not be read back, as its condition does not hold.
#[cold]
#[inline(never)]
pub(crate) fn lost(text: Static, at: u64) -> Error {
    Error::new(ErrorKind::Otherwise { text }, at)
}
