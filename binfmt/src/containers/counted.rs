//! Sequences without a length of their own: a count from elsewhere, a fixed one, to the end.

use super::packed::ends_here;
use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::times;
use crate::wire::limits::checked;
use crate::wire::packing::bytes_of;
use crate::wire::{Bound, Facts, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

#[cold]
#[inline(never)]
pub(crate) fn mismatch(expected: i128, found: u64, at: u64) -> Error {
    Error::new(ErrorKind::LengthMismatch { expected, found }, at)
}

/// `count = expr`: the context is the count and what each element needs.
#[derive(Debug)]
pub struct Counted<B>(PhantomData<B>);

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T> As<T> for Counted<B> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = bounded(Bound::Counted, || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T, C>, T, C> DecodeAs<'de, T, (i128, C)> for Counted<B> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (n, ctx): (i128, C)) -> Result<T> {
        let at = src.pos();
        let n = checked(src, n, (B::item_min(&ctx), B::ITEM_MAX), u64::MAX, at)?;
        B::fixed::<O, S>(src, n, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T, C>, T, C> EncodeAs<T, (i128, C)> for Counted<B> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, (n, ctx): (i128, C)) -> Result<()> {
        B::put_fixed::<O, W>(value, out, n, ctx)
    }
}

/// `count = N` with a literal: the size may be known without a value.
#[derive(Debug)]
pub struct Exact<const N: usize, B>(PhantomData<B>);

#[diagnostic::do_not_recommend]
impl<const N: usize, B: Body<T>, T> As<T> for Exact<N, B> {
    const FACTS: Facts<T> = {
        let (min, max) = match B::BITS {
            0 => (times(N, B::ITEM_MIN), times(N, B::ITEM_MAX)),
            bits => (bytes_of(bits, N), bytes_of(bits, N)),
        };
        Facts::range(if min == max { min } else { 0 }, min, max).claimed(B::IS_CLAIMED)
    };
    const SHAPE: Shape = bounded(Bound::Fixed(N), || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, const N: usize, B: DecodeBody<'de, T, C>, T, C> DecodeAs<'de, T, C> for Exact<N, B> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let at = src.pos();
        let n = checked(src, N as i128, (B::item_min(&ctx), B::ITEM_MAX), u64::MAX, at)?;
        B::fixed::<O, S>(src, n, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, B: EncodeBody<T, C>, T, C> EncodeAs<T, C> for Exact<N, B> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        B::put_fixed::<O, W>(value, out, N as i128, ctx)
    }
}

/// `until_eof`: to the end of the input or region.
#[derive(Debug)]
pub struct ToEnd<B>(PhantomData<B>);

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T> As<T> for ToEnd<B> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN).to_end();
    const SHAPE: Shape = bounded(Bound::ToEnd, || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T, C>, T, C> DecodeAs<'de, T, C> for ToEnd<B> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        B::to_end::<O, S>(src, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T, C>, T, C> EncodeAs<T, C> for ToEnd<B> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        B::put::<O, W>(value, out, ctx)?;
        if const { B::BITS > 0 } {
            ends_here(B::BITS, B::len(value), out.pos())?;
        }
        out.seal();
        Ok(())
    }
}
