//! `optional_tail`: a value that is there only if the input or region has a byte left.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, Result, Step};
use crate::wire::{Facts, Kind, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// The form `F` of a value that may be missing at the end.
#[derive(Debug)]
pub struct Tail<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<Option<T>> for Tail<F> {
    const FACTS: Facts<Option<T>> = Facts::range(0, 0, OPEN).to_end().at_times();
    const SHAPE: Shape = Shape::Tail { body: || F::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = false;
}

#[diagnostic::do_not_recommend]
impl<'de, F: DecodeAs<'de, T, C>, T, C> DecodeAs<'de, Option<T>, C> for Tail<F> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Option<T>> {
        if !src.at_end()? {
            return F::decode::<O, S>(src, ctx).map(Some);
        }
        src.mark(Kind::Absent, true);
        Ok(None)
    }
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T, C>, T, C> EncodeAs<Option<T>, C> for Tail<F> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &Option<T>, out: &mut W, ctx: C) -> Result<()> {
        let Some(v) = value else {
            out.seal();
            return Ok(());
        };
        let at = out.pos();
        F::encode::<O, W>(v, out, ctx)?;
        has_bytes(at, out.pos())
    }
}

/// A value that took no byte would be read as one that is absent.
pub(crate) fn has_bytes(from: u64, to: u64) -> Result<()> {
    match from == to {
        false => Ok(()),
        true => Err(Error::message("a value without bytes is absent when read: write None", from)),
    }
}

/// When writing: what comes after an absent value is absent.
///
/// # Errors
/// It is not.
#[inline]
pub fn after_tail(before: bool, own: bool, at: u64, name: &'static str) -> Result<()> {
    match before || !own {
        true => Ok(()),
        false => Err(after_absent(at).within(Step::Field(name))),
    }
}

#[cold]
#[inline(never)]
pub(crate) fn after_absent(at: u64) -> Error {
    Error::message("a value after one that is absent at the end", at)
}
