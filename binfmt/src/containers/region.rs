//! A region whose length is elsewhere: any form in as many bytes as an expression says.

use super::counted::mismatch;
use super::filled::RegionLen;
use super::padding::pass;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::refuse::assert_leaves;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, between};
use crate::wire::limits::checked;
use crate::wire::sink::Begun;
use crate::wire::{Bound, Facts, Kind, Label, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// `region = expr`: the form `F` in that many bytes; the context is their number and what the form needs.
///
/// With `SKIP` the form may leave bytes over: they are ignored when reading, and `FILL` when writing.
#[derive(Debug)]
pub struct InRegion<F, const SKIP: bool = false, const FILL: u8 = 0>(PhantomData<F>);

const fn region(fill: Option<u8>, body: fn() -> Shape) -> Shape {
    Shape::Region { by: Bound::Sized, fill, body }
}

#[diagnostic::do_not_recommend]
impl<F: As<T>, T, const SKIP: bool, const FILL: u8> As<T> for InRegion<F, SKIP, FILL> {
    const FACTS: Facts<T> = {
        if SKIP {
            assert_leaves(F::FACTS);
        }
        Facts::range(0, 0, OPEN)
    };
    const SHAPE: Shape = region(if SKIP { Some(FILL) } else { None }, || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, const SKIP: bool, const FILL: u8> DecodeAs<'de, T, (i128, C)> for InRegion<F, SKIP, FILL>
where
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (n, ctx): (i128, C)) -> Result<T> {
        let start = src.pos();
        // on a stream only the region's own end bounds what is read inside
        let n = checked(src, n, (1, 1), u64::MAX, start)? as u64;
        let window = src.narrow(n)?;
        src.open(Label::Value, "");
        let v = F::decode::<O, S>(src, ctx)?;
        src.close();
        if SKIP {
            pass_rest(src, start, n)?;
        }
        src.widen(window)?;
        Ok(v)
    }
}

/// Steps over what is left of a region of `n` bytes.
#[inline]
pub(crate) fn pass_rest<'de, S: Source<'de>>(src: &mut S, start: u64, n: u64) -> Result<()> {
    let rest = n.saturating_sub(between(start, src.pos()));
    if rest == 0 {
        return Ok(());
    }
    src.open(Label::Piece("rest"), "");
    src.mark(Kind::Padding, true);
    pass(src, rest, 0, false)?;
    src.close();
    Ok(())
}

/// One impl for lengths that are known and for those that are filled in: what the body gets is known by it, so that a reference to a
/// `String` becomes one to its text.
#[diagnostic::do_not_recommend]
impl<'c, F, T, L, C, const SKIP: bool, const FILL: u8> EncodeAs<T, (L, C)> for InRegion<F, SKIP, FILL>
where
    F: EncodeAs<T, C>,
    L: Into<RegionLen<'c>>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, (len, ctx): (L, C)) -> Result<()> {
        let (start, region, len) = (out.pos(), out.begin_region(), len.into());
        F::encode::<O, W>(value, out, ctx)?;
        if let (RegionLen::Given(n), true) = (len, SKIP) {
            fills_to(out, start, n, region)?;
        }
        out.end_region(region)?;
        match len {
            RegionLen::Given(n) => fill_rest(out, start, n, SKIP.then_some(FILL)),
            RegionLen::Sought(found) => {
                found.set(between(start, out.pos()));
                Ok(())
            }
        }
    }
}

/// Where the rest of a region of `n` bytes is filled, nothing in it may want to be its last.
#[inline]
pub(crate) fn fills_to<W: Sink>(out: &mut W, start: u64, n: i128, region: Begun) -> Result<()> {
    match u64::try_from(n) {
        Ok(n) => out.fills_to(after(start, n), region),
        Err(_) => Ok(()),
    }
}

/// Holds what was written since `start` to the length of its region, and fills the rest of it where it may.
#[inline]
pub(crate) fn fill_rest<W: Sink>(out: &mut W, start: u64, n: i128, fill: Option<u8>) -> Result<()> {
    let found = between(start, out.pos());
    match (u64::try_from(n), fill) {
        (Ok(n), _) if n == found => Ok(()),
        (Ok(max), Some(fill)) => match max.checked_sub(found) {
            Some(left) => out.fill(fill, left),
            None => Err(Error::new(ErrorKind::TooLong { found, max }, start)),
        },
        _ => Err(mismatch(n, found, start)),
    }
}
