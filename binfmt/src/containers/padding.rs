//! Bytes that mean nothing: ignored when reading, filled when writing.

use super::items::Items;
use super::{Body, DecodeBody, EncodeBody};
use crate::codec::field::{at_part, begin, begin_put};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, between};
use crate::wire::{Facts, Kind, Label, Order, Part, Shape, Sink, Source};
use core::marker::PhantomData;

/// Steps over n bytes; with `strict` they must be `fill`.
#[inline(always)]
pub(crate) fn pass<'de, S: Source<'de>>(src: &mut S, n: u64, fill: u8, strict: bool) -> Result<()> {
    if !strict {
        return src.skip(n);
    }
    for _ in 0..n {
        let at = src.pos();
        let [found] = src.array::<1>()?;
        if found != fill {
            return Err(Error::new(ErrorKind::Padding { expected: fill, found }, at));
        }
    }
    Ok(())
}

/// Goes over all bytes up to the end.
fn each_chunk<'de, S: Source<'de>>(src: &mut S, step: impl Fn(&mut S, usize) -> Result<()>) -> Result<()> {
    loop {
        match src.chunk()? {
            0 => return Ok(()),
            n => step(src, n)?,
        }
    }
}

/// `skip(bytes = n)`, `pad_before`, `pad_after`, `reserved(n)`.
#[inline(always)]
pub fn pad<'de, S: Source<'de>>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    n: usize,
    fill: u8,
    strict: bool,
) -> Result<()> {
    begin(src, parts, i)?;
    src.mark(Kind::Padding, true);
    let done = if strict { pass(src, n as u64, fill, true) } else { src.pass(n) };
    match done {
        Ok(()) => {
            src.close();
            Ok(())
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// Writes what `pad` reads.
#[inline(always)]
pub fn put_pad<W: Sink>(out: &mut W, parts: &'static [Part], i: usize, n: usize, fill: u8) -> Result<()> {
    begin_put(out, parts, i)?;
    match out.fill(fill, n as u64) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// Bytes from `pos` to the next multiple of n after `start`.
pub(crate) fn gap(start: u64, pos: u64, n: u64) -> u64 {
    match pos.wrapping_sub(start).checked_rem(n) {
        None | Some(0) => 0,
        Some(over) => n.wrapping_sub(over),
    }
}

/// `align_before`, `align_after`: to the next multiple of n bytes, counted from the container's first byte.
#[inline]
pub fn align<'de, S: Source<'de>>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    start: u64,
    n: usize,
    fill: u8,
    strict: bool,
) -> Result<()> {
    begin(src, parts, i)?;
    src.mark(Kind::Padding, true);
    let gap = gap(start, src.pos(), n as u64);
    match pass(src, gap, fill, strict) {
        Ok(()) => {
            src.close();
            Ok(())
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// Writes what `align` reads.
#[inline]
pub fn put_align<W: Sink>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    start: u64,
    n: usize,
    fill: u8,
) -> Result<()> {
    begin_put(out, parts, i)?;
    let gap = gap(start, out.pos(), n as u64);
    if gap == 0 {
        return Ok(());
    }
    match out.fill(fill, gap) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// `pad_to = N`: the form `F` in exactly N bytes, the rest filled.
#[derive(Debug)]
pub struct PadTo<const N: usize, const FILL: u8, const STRICT: bool, F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<const N: usize, const FILL: u8, const STRICT: bool, F: As<T>, T> As<T> for PadTo<N, FILL, STRICT, F> {
    const FACTS: Facts<T> = Facts::exact(N);
    const SHAPE: Shape = padded(N, FILL, STRICT, || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

const fn padded(size: usize, fill: u8, strict: bool, body: fn() -> Shape) -> Shape {
    Shape::Padded { size, fill, strict, body }
}

#[diagnostic::do_not_recommend]
impl<'de, const N: usize, const FILL: u8, const STRICT: bool, F, T, C> DecodeAs<'de, T, C>
    for PadTo<N, FILL, STRICT, F>
where
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let start = src.pos();
        let window = src.narrow(N as u64)?;
        src.open(Label::Value, "");
        let v = F::decode::<O, S>(src, ctx)?;
        src.close();
        let used = between(start, src.pos());
        src.open(Label::Piece("padding"), "");
        src.mark(Kind::Padding, true);
        pass(src, between(used, N as u64), FILL, STRICT)?;
        src.close();
        src.widen(window)?;
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const FILL: u8, const STRICT: bool, F, T, C> EncodeAs<T, C> for PadTo<N, FILL, STRICT, F>
where
    F: EncodeAs<T, C>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        let (start, region) = (out.pos(), out.begin_region());
        F::encode::<O, W>(value, out, ctx)?;
        out.fills_to(after(start, N as u64), region)?;
        out.end_region(region)?;
        let found = between(start, out.pos());
        match (N as u64).checked_sub(found) {
            Some(left) => out.fill(FILL, left),
            None => Err(Error::new(ErrorKind::TooLong { found, max: N as u64 }, start)),
        }
    }
}

/// Bytes after a length that are not wanted: stepped over when reading, none when writing.
///
/// For a field of SciDB's `skip`, or a section that this program does not know.
///
/// ```
/// use binfmt::{BinFormat, Ignored};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Row { id: u8, #[binfmt(length_prefixed(u8))] extra: Ignored, n: u8 }
/// let row: Row = binfmt::from_slice(&[1, 3, 9, 9, 9, 2])?;
/// assert_eq!(row, Row { id: 1, extra: Ignored, n: 2 });
/// assert_eq!(binfmt::to_vec(&row)?, [1, 0, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ignored;

#[diagnostic::do_not_recommend]
impl Body<Ignored> for Items {
    const ITEM_MIN: usize = 1;
    const ITEM_MAX: usize = 1;
    const SHAPE: Shape = Shape::Ignored;
    fn len(_: &Ignored) -> usize {
        0
    }
}

#[diagnostic::do_not_recommend]
impl<'de> DecodeBody<'de, Ignored> for Items {
    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<Ignored> {
        src.mark(Kind::Padding, true);
        src.skip(n as u64)?;
        Ok(Ignored)
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Ignored> {
        src.mark(Kind::Padding, true);
        each_chunk(src, |src, n| src.skip(n as u64))?;
        Ok(Ignored)
    }
}

#[diagnostic::do_not_recommend]
impl EncodeBody<Ignored> for Items {
    fn put<O: Order, W: Sink>(_: &Ignored, _: &mut W, _: ()) -> Result<()> {
        Ok(())
    }

    /// A count from elsewhere is filled with zeros.
    fn put_fixed<O: Order, W: Sink>(_: &Ignored, out: &mut W, n: i128, _: ()) -> Result<()> {
        match u64::try_from(n) {
            Ok(n) => out.fill(0, n),
            Err(_) => Err(Error::new(ErrorKind::InvalidLength { found: n }, out.pos())),
        }
    }
}

/// The body of a missing value, of a size that is known only at run time: stepped over when reading (or demanded to be
/// zeros, see [`Options::blank_missing`](crate::Options::blank_missing)), zeros or an empty length when writing.
///
/// ```
/// use binfmt::{BinFormat, Blank, Nullable};
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[binfmt(ctx(size: usize))]
/// struct Cell {
///     #[binfmt(nullable(body = absent))]
///     value: Nullable<u8>,
///     #[binfmt(if(value.missing().is_some()), count = size)]
///     blank: Option<Blank>,
/// }
/// let cell: Cell = binfmt::from_slice_with(&[5, 7], &binfmt::Options::new().ctx(1))?;
/// assert_eq!(cell, Cell { value: Nullable::Missing(5), blank: Some(Blank) });
/// assert_eq!(binfmt::to_vec_with(&cell, &binfmt::Options::new().ctx(1))?, [5, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Blank;

#[diagnostic::do_not_recommend]
impl Body<Blank> for Items {
    const ITEM_MIN: usize = 1;
    const ITEM_MAX: usize = 1;
    const SHAPE: Shape = Shape::Ignored;
    fn len(_: &Blank) -> usize {
        0
    }
}

#[diagnostic::do_not_recommend]
impl<'de> DecodeBody<'de, Blank> for Items {
    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<Blank> {
        src.mark(Kind::Blank, true);
        src.blank(n)?;
        Ok(Blank)
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Blank> {
        src.mark(Kind::Blank, true);
        each_chunk(src, |src, n| src.blank(n))?;
        Ok(Blank)
    }
}

#[diagnostic::do_not_recommend]
impl EncodeBody<Blank> for Items {
    fn put<O: Order, W: Sink>(_: &Blank, _: &mut W, _: ()) -> Result<()> {
        Ok(())
    }

    fn put_fixed<O: Order, W: Sink>(_: &Blank, out: &mut W, n: i128, ctx: ()) -> Result<()> {
        <Items as EncodeBody<Ignored>>::put_fixed::<O, W>(&Ignored, out, n, ctx)
    }
}
