//! Text and bytes that end at a terminator.

#[cfg(feature = "alloc")]
use super::ended::put_ended;
use super::terminated::TextBytes;
use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::Result;
use crate::wire::{Bound, Facts, OPEN, Order, Shape, Sink, Source, Terminator};
use core::marker::PhantomData;

/// `ends(..)`: the body `B` up to the terminator that [`end`] made.
#[derive(Debug)]
pub struct Ends<B, const END: u128>(PhantomData<B>);

/// A terminator as an argument of [`Ends`]: its bytes, what becomes of them (0: dropped, 1: kept, 2: unread), and whether the
/// end of the input ends the text, too.
pub const fn end(bytes: &[u8], fate: u8, or_eof: bool) -> u128 {
    Terminator::pack(bytes, fate, or_eof)
}

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T, const END: u128> As<T> for Ends<B, END> {
    const FACTS: Facts<T> =
        Facts::range(Terminator::unpack(END).least(), Terminator::unpack(END).least(), OPEN);
    const SHAPE: Shape = bounded(Bound::Ends(Terminator::unpack(END)), || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
    const BLANK: bool = true;

    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        Terminator::unpack(END).put_blank(out)
    }

    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        Terminator::unpack(END).pass_blank(src, B::UNIT.bytes)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T, C>, T, C, const END: u128> DecodeAs<'de, T, C> for Ends<B, END> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        Terminator::unpack(END).read(src, B::UNIT.bytes, |src, n| B::body::<O, S>(src, n, ctx))
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T>, T: TextBytes, const END: u128> EncodeAs<T> for Ends<B, END> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: ()) -> Result<()> {
        let end = Terminator::unpack(END);
        #[cfg(feature = "alloc")]
        if B::UNIT.bytes > 1 {
            return put_ended(out, &end, B::UNIT.bytes, |inner| B::put::<O, _>(value, inner, ctx));
        }
        let at = out.pos();
        let is_there = end.check(value.text_bytes(), 1, at)?;
        B::put::<O, W>(value, out, ctx)?;
        end.put(out, at, is_there)
    }
}
