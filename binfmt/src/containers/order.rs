//! A byte order of a field's own: fixed, or chosen by an expression.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::Result;
use crate::wire::{Be, Endian, Facts, Le, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// A field's `le` or `be`.
#[derive(Debug)]
pub struct In<P, F>(PhantomData<(P, F)>);

#[diagnostic::do_not_recommend]
impl<P: Order, F: As<T>, T> As<T> for In<P, F> {
    const FACTS: Facts<T> = F::FACTS.fixed_order::<P>();
    const SHAPE: Shape = ordered(Some(P::LE), || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = F::BLANK;

    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        F::put_blank::<P, W>(out)
    }

    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        F::pass_blank::<P, S>(src)
    }
}

const fn ordered(little: Option<bool>, body: fn() -> Shape) -> Shape {
    Shape::Ordered { little, body }
}

#[diagnostic::do_not_recommend]
impl<'de, P: Order, F: DecodeAs<'de, T, C>, T, C> DecodeAs<'de, T, C> for In<P, F> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        F::decode::<P, S>(src, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<P: Order, F: EncodeAs<T, C>, T, C> EncodeAs<T, C> for In<P, F> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        F::encode::<P, W>(value, out, ctx)
    }
}

/// A field's `endian = expr`: the context is the order and what the form needs.
#[derive(Debug)]
pub struct Dyn<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<T> for Dyn<F> {
    const FACTS: Facts<T> = F::FACTS.no_image();
    const SHAPE: Shape = ordered(None, || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F: DecodeAs<'de, T, C>, T, C> DecodeAs<'de, T, (Endian, C)> for Dyn<F> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (endian, ctx): (Endian, C)) -> Result<T> {
        match endian {
            Endian::Little => F::decode::<Le, S>(src, ctx),
            Endian::Big => F::decode::<Be, S>(src, ctx),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T, C>, T, C> EncodeAs<T, (Endian, C)> for Dyn<F> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, (endian, ctx): (Endian, C)) -> Result<()> {
        match endian {
            Endian::Little => F::encode::<Le, W>(value, out, ctx),
            Endian::Big => F::encode::<Be, W>(value, out, ctx),
        }
    }
}
