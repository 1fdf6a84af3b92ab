//! A length on the wire, then so much of a body; or a region of that many bytes round any form.

use super::filled::fill_len;
use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::{Decode, Encode};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, between, times64};
use crate::wire::limits::{Len, checked};
use crate::wire::{Bound, Counter, Facts, IntShape, Label, Le, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// `var_len`, `length_prefixed(P)`: a length of type `P`, then the body `B`.
///
/// `MAX` is the largest length that is read or written; with `INCLUSIVE` the length counts its own bytes too.
#[derive(Debug)]
pub struct Var<P, B, const MAX: u64 = { u64::MAX }, const INCLUSIVE: bool = false>(PhantomData<(P, B)>);

const fn prefix<P: Len>(max: u64, inclusive: bool) -> Bound {
    assert!(
        !inclusive || matches!(P::FORM, IntShape::Fixed { .. }),
        "`inclusive` needs a length of a fixed size: how long this one is depends on what it says"
    );
    Bound::Prefixed { len: P::FORM, max, inclusive }
}

const fn region(by: Bound, body: fn() -> Shape) -> Shape {
    Shape::Region { by, fill: None, body }
}

/// Reads a length; an inclusive one without its own bytes.
#[inline(always)]
pub(crate) fn read_len<'de, O: Order, P: Len + Decode<'de>, S: Source<'de>>(
    src: &mut S,
    inclusive: bool,
) -> Result<i128> {
    let at = src.pos();
    let n = labelled::<O, P, S>(src, Label::Piece("length"))?;
    if !inclusive {
        return Ok(n);
    }
    let inner = n.saturating_sub(P::BYTES as i128);
    if inner < 0 { Err(Error::new(ErrorKind::InvalidLength { found: n }, at)) } else { Ok(inner) }
}

/// Reads the length of the i-th dimension of an array.
#[inline(always)]
pub(crate) fn read_dim<'de, O: Order, P: Len + Decode<'de>, S: Source<'de>>(
    src: &mut S,
    i: usize,
) -> Result<i128> {
    labelled::<O, P, S>(src, Label::Dimension(i))
}

#[inline(always)]
fn labelled<'de, O: Order, P: Len + Decode<'de>, S: Source<'de>>(
    src: &mut S,
    label: Label<&str>,
) -> Result<i128> {
    src.open(label, "");
    let n = P::decode::<O, S>(src, ())?.wide();
    src.close();
    Ok(n)
}

/// Writes a length; an inclusive one with its own bytes.
#[inline(always)]
pub(crate) fn put_len<O: Order, P: Len + Encode, W: Sink>(
    out: &mut W,
    n: usize,
    max: u64,
    inclusive: bool,
) -> Result<()> {
    let n = n as u64;
    if n > max {
        return Err(Error::new(ErrorKind::LengthLimit { length: n, max }, out.pos()));
    }
    let n = if inclusive { after(n, P::BYTES as u64) } else { n };
    match P::of(n) {
        Some(p) => p.encode::<O, W>(out, ()),
        None => Err(overflow(n, P::MAX, out.pos())),
    }
}

#[cold]
#[inline(never)]
fn overflow(value: u64, max: u64, at: u64) -> Error {
    Error::new(ErrorKind::PrefixOverflow { value, max }, at)
}

#[diagnostic::do_not_recommend]
impl<P: Len, B: Body<T>, T, const MAX: u64, const INCLUSIVE: bool> As<T> for Var<P, B, MAX, INCLUSIVE> {
    // the length word alone is the least: its minimum does not ask for the element's, which may be this very type
    const FACTS: Facts<T> = Facts::range(P::BYTES, P::BYTES, OPEN);
    const SHAPE: Shape = bounded(prefix::<P>(MAX, INCLUSIVE), || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
    const BLANK: bool = true;

    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        put_no_len::<O, P, W>(out, INCLUSIVE)
    }

    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        pass_missing::<O, P, S>(src, INCLUSIVE, (B::ITEM_MIN, B::ITEM_MAX))
    }
}

/// Steps over the length of a missing value and, as lenient as the reader is, that many elements of `min` to `max` bytes.
#[inline(always)]
pub(crate) fn pass_missing<'de, O: Order, P: Len, S: Source<'de>>(
    src: &mut S,
    inclusive: bool,
    (min, max): (usize, usize),
) -> Result<()> {
    let at = src.pos();
    let own = if inclusive { P::BYTES as i128 } else { 0 };
    let n = P::get::<O, S>(src)?.wide().saturating_sub(own);
    if n == 0 { Ok(()) } else { pass_body(src, n, (min, max), at) }
}

/// The length of nothing.
#[inline(always)]
pub(crate) fn put_no_len<O: Order, P: Len, W: Sink>(out: &mut W, inclusive: bool) -> Result<()> {
    let n = if inclusive { P::BYTES as u64 } else { 0 };
    match P::of(n) {
        Some(n) => n.put::<O, W>(out),
        None => Err(overflow(n, P::MAX, out.pos())),
    }
}

/// The loader of SciDB honours the length of a missing value and steps over its bytes.
#[inline(always)]
pub(crate) fn pass_body<'de, S: Source<'de>>(
    src: &mut S,
    n: i128,
    (min, max): (usize, usize),
    at: u64,
) -> Result<()> {
    if n > 0 && (src.policy().blank_missing || min != max) {
        return Err(Error::new(ErrorKind::MissingNotBlank, at));
    }
    let n = checked(src, n, (min, max), u64::MAX, at)?;
    src.skip(times64(n as u64, min as u64))
}

#[diagnostic::do_not_recommend]
impl<'de, P, B, T, C, const MAX: u64, const INCLUSIVE: bool> DecodeAs<'de, T, C> for Var<P, B, MAX, INCLUSIVE>
where
    P: Len + Decode<'de>,
    B: DecodeBody<'de, T, C>,
{
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let at = src.pos();
        let n = read_len::<O, P, S>(src, INCLUSIVE)?;
        let n = checked(src, n, (B::item_min(&ctx), B::ITEM_MAX), MAX, at)?;
        src.open(Label::Value, "");
        let v = B::body::<O, S>(src, n, ctx)?;
        src.close();
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<P, B, T, C, const MAX: u64, const INCLUSIVE: bool> EncodeAs<T, C> for Var<P, B, MAX, INCLUSIVE>
where
    P: Len + Encode,
    B: EncodeBody<T, C>,
{
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        put_len::<O, P, W>(out, B::len(value), MAX, INCLUSIVE)?;
        B::put::<O, W>(value, out, ctx)
    }
}

/// `length_prefixed(P, in = bytes)`: a number of bytes, then the form `F`, which must use exactly that many.
#[derive(Debug)]
pub struct Region<P, F, const MAX: u64 = { u64::MAX }, const INCLUSIVE: bool = false>(PhantomData<(P, F)>);

#[diagnostic::do_not_recommend]
impl<P: Len, F: As<T>, T, const MAX: u64, const INCLUSIVE: bool> As<T> for Region<P, F, MAX, INCLUSIVE> {
    const FACTS: Facts<T> = Facts::range(P::BYTES, P::BYTES, OPEN);
    const SHAPE: Shape = region(prefix::<P>(MAX, INCLUSIVE), || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = true;

    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        put_no_len::<O, P, W>(out, INCLUSIVE)
    }

    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        pass_missing::<O, P, S>(src, INCLUSIVE, (1, 1))
    }
}

#[diagnostic::do_not_recommend]
impl<'de, P, F, T, C, const MAX: u64, const INCLUSIVE: bool> DecodeAs<'de, T, C>
    for Region<P, F, MAX, INCLUSIVE>
where
    P: Len + Decode<'de>,
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let at = src.pos();
        let n = read_len::<O, P, S>(src, INCLUSIVE)?;
        // on a stream only the region's own end bounds what is read inside
        let n = checked(src, n, (1, 1), MAX, at)?;
        let window = src.narrow(n as u64)?;
        src.open(Label::Value, "");
        let v = F::decode::<O, S>(src, ctx)?;
        src.close();
        src.widen(window)?;
        Ok(v)
    }
}

impl<P: Len + Encode, F, const MAX: u64, const INCLUSIVE: bool> Region<P, F, MAX, INCLUSIVE> {
    /// The bytes of the inside, whose length is at a position.
    fn measured<W: Sink, T, C>(out: &W, value: &T, ctx: C, at: u64) -> Result<u64>
    where
        F: EncodeAs<T, C>,
    {
        let mut counter = Counter::of(out);
        match F::encode::<Le, Counter>(value, &mut counter, ctx) {
            Ok(()) => Ok(counter.region()),
            Err(e) => {
                // the counter began at 0
                let at = after(at, P::BYTES as u64);
                Err(e.shifted(at).or_at(at))
            }
        }
    }

    /// What who measures before the first byte would have told of a value that could not be written, and written.
    #[cold]
    #[inline(never)]
    fn first_error<O: Order, W: Sink, T, C>((value, ctx): (&T, C), out: &mut W, at: u64, e: Error) -> Error
    where
        F: EncodeAs<T, C>,
    {
        let filled = Self::measured::<W, T, C>(out, value, ctx, at)
            .and_then(|n| fill_len::<O, P, W>(out, at, n, MAX, INCLUSIVE));
        filled.err().unwrap_or(e)
    }
}

#[diagnostic::do_not_recommend]
impl<P, F, T, C: Copy, const MAX: u64, const INCLUSIVE: bool> EncodeAs<T, C> for Region<P, F, MAX, INCLUSIVE>
where
    P: Len + Encode,
    F: EncodeAs<T, C>,
{
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        if W::COUNT {
            // whoever counts needs only the width of the length, and counts the inside once
            let is_fixed = const { matches!(P::FORM, IntShape::Fixed { .. }) };
            if is_fixed {
                put_len::<O, P, W>(out, 0, u64::MAX, false)?;
            }
            let (start, region) = (out.pos(), out.begin_region());
            match F::encode::<O, W>(value, out, ctx) {
                Ok(()) => {}
                Err(e) if is_fixed => return Err(e),
                Err(e) => return Err(e.shifted(P::BYTES as u64)),
            }
            out.end_region(region)?;
            if is_fixed {
                return Ok(());
            }
            let n = usize::try_from(between(start, out.pos())).unwrap_or(usize::MAX);
            return put_len::<O, P, W>(out, n, u64::MAX, false);
        }
        if W::MEMORY && const { matches!(P::FORM, IntShape::Fixed { .. }) } {
            let at = out.pos();
            put_len::<O, P, W>(out, 0, u64::MAX, false)?;
            let (start, region) = (after(at, P::BYTES as u64), out.begin_region());
            if let Err(e) = F::encode::<O, W>(value, out, ctx) {
                return Err(Self::first_error::<O, W, T, C>((value, ctx), out, at, e));
            }
            if let Err(e) = out.end_region(region) {
                return Err(Self::first_error::<O, W, T, C>((value, ctx), out, at, e));
            }
            return fill_len::<O, P, W>(out, at, between(start, out.pos()), MAX, INCLUSIVE);
        }
        let n = Self::measured::<W, T, C>(out, value, ctx, out.pos())?;
        put_len::<O, P, W>(out, usize::try_from(n).unwrap_or(usize::MAX), MAX, INCLUSIVE)?;
        let (start, region) = (out.pos(), out.begin_region());
        F::encode::<O, W>(value, out, ctx)?;
        out.end_region(region)?;
        let found = between(start, out.pos());
        if found != n {
            // a hand-written encoder that does not write the same twice
            return Err(Error::new(ErrorKind::LengthMismatch { expected: i128::from(n), found }, start));
        }
        Ok(())
    }
}
