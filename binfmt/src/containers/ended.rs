//! A region up to a terminator: any form in the bytes before it.

use super::process::fold;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::Result;
use crate::wire::raw::out::Grow;
use crate::wire::{Bound, Facts, OPEN, Order, Out, Shape, Sink, Source, Terminator};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// `region(ends(..))`: the form `F` in all bytes before the terminator that [`end`](super::ends::end) made.
#[derive(Debug)]
pub struct Ended<F, const END: u128>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T, const END: u128> As<T> for Ended<F, END> {
    const FACTS: Facts<T> =
        Facts::range(Terminator::unpack(END).least(), Terminator::unpack(END).least(), OPEN);
    const SHAPE: Shape =
        Shape::Region { by: Bound::Ends(Terminator::unpack(END)), fill: None, body: || F::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = true;

    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        Terminator::unpack(END).put_blank(out)
    }

    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        Terminator::unpack(END).pass_blank(src, 1)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, F: DecodeAs<'de, T, C>, T, C, const END: u128> DecodeAs<'de, T, C> for Ended<F, END> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        read_ended(src, &Terminator::unpack(END), |src| F::decode::<O, S>(src, ctx))
    }
}

/// Reads from the bytes before a terminator; all of them must be used.
pub(crate) fn read_ended<'de, S: Source<'de>, T>(
    src: &mut S,
    end: &Terminator,
    read: impl FnOnce(&mut S) -> Result<T>,
) -> Result<T> {
    end.read(src, 1, |src, n| {
        let window = src.narrow(n as u64)?;
        let v = read(src)?;
        src.widen(window)?;
        Ok(v)
    })
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T, C>, T, C, const END: u128> EncodeAs<T, C> for Ended<F, END> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        put_ended(out, &Terminator::unpack(END), 1, |inner| F::encode::<O, _>(value, inner, ctx))
    }
}

/// Writes to memory first, because the terminator must not be in what is before it, at a whole number of units.
pub(crate) fn put_ended<W: Sink>(
    out: &mut W,
    end: &Terminator,
    unit: usize,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let (at, mut is_there) = (out.pos(), true);
    let checked = |bytes: Vec<u8>, at| {
        is_there = end.check(&bytes, unit, at)?;
        Ok(bytes)
    };
    fold(out, checked, write)?;
    end.put(out, at, is_there)
}
