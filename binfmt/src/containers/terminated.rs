//! Text and bytes that end at a NUL, with no length in front.

use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, plus, times64};
use crate::wire::raw::words::has_no_zero;
use crate::wire::{Bound, Facts, OPEN, Order, Shape, Sink, Source, Unit};
use core::marker::PhantomData;
use core::ops::Deref;

/// `nul` without a length: the body `B`, which ends with its NUL.
#[derive(Debug)]
pub struct Terminated<B>(PhantomData<B>);

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T> As<T> for Terminated<B> {
    const FACTS: Facts<T> = Facts::range(B::UNIT.bytes, B::UNIT.bytes, OPEN);
    const SHAPE: Shape = bounded(Bound::Terminated, || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
    const BLANK: bool = true;

    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        out.fill(0, B::UNIT.bytes as u64)
    }

    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        let at = src.pos();
        let n = before_nul(src, B::UNIT)?;
        if n > 0 && src.policy().blank_missing {
            return Err(Error::new(ErrorKind::MissingNotBlank, at));
        }
        src.skip(times64(after(n as u64, 1), B::UNIT.bytes as u64))
    }
}

/// How many units stand before the next one that is 0.
#[inline(always)]
fn before_nul<'de, S: Source<'de>>(src: &mut S, unit: Unit) -> Result<usize> {
    if unit == Unit::BYTE {
        src.find(0).map_err(|e| e.unterminated(&[0]))
    } else {
        before_wide_nul(src, unit)
    }
}

/// A stream is asked for one unit more at a time: what comes after the NUL is not part of the value.
fn before_wide_nul<'de, S: Source<'de>>(src: &mut S, unit: Unit) -> Result<usize> {
    let (mut n, mut end) = (0usize, unit.bytes);
    loop {
        let bytes = src.look(end)?;
        let Some(found) = bytes.get(end.saturating_sub(unit.bytes)..end) else {
            // the error of the bytes that are missing
            src.ensure(end).map_err(|e| e.unterminated(&[0]))?;
            return Err(Error::new(ErrorKind::MissingNul, src.pos()));
        };
        if unit.number(found) == 0 {
            return Ok(n);
        }
        (n, end) = (plus(n, 1), plus(end, unit.bytes));
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T, C>, T, C> DecodeAs<'de, T, C> for Terminated<B> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let n = plus(before_nul(src, B::UNIT)?, 1);
        B::body::<O, S>(src, n, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T>, T: TextBytes> EncodeAs<T> for Terminated<B> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: ()) -> Result<()> {
        if !has_no_zero(value.text_bytes()) {
            return Err(Error::new(ErrorKind::EmbeddedNul, out.pos()));
        }
        B::put::<O, W>(value, out, ctx)
    }
}

/// The bytes of text and byte types, whatever owns them.
pub trait TextBytes {
    /// The bytes.
    fn text_bytes(&self) -> &[u8];
}

#[diagnostic::do_not_recommend]
impl<T: Deref<Target: AsRef<[u8]>>> TextBytes for T {
    #[inline]
    fn text_bytes(&self) -> &[u8] {
        (**self).as_ref()
    }
}
