//! Text and bytes with a filling at their end, which is not part of the value.

use super::terminated::TextBytes;
use super::{Body, DecodeBody, EncodeBody};
use crate::codec::fingerprint::Tree;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{between, natural, num_in, plus, times, times64};
use crate::wire::{Kind, Label, Order, Shape, Sink, Source, Unit};
use core::marker::PhantomData;
use core::ops::Deref;

/// `trim = BYTE`: the body `B`, which is text or bytes, without the last bytes that are `BYTE`.
#[derive(Debug)]
pub struct Trimmed<B, const BYTE: u8>(PhantomData<B>);

/// Reads `n` bytes, or all to the end of the input or region: `body` reads those before the filling.
pub(crate) fn read_trimmed<'de, S: Source<'de>, T>(
    src: &mut S,
    n: Option<usize>,
    (byte, unit): (u8, Unit),
    body: impl FnOnce(&mut S, usize) -> Result<T>,
) -> Result<T> {
    let size = n.map(|n| times(n, unit.bytes));
    let bytes = src.look(size.unwrap_or(usize::MAX))?;
    let bytes = size.and_then(|n| bytes.get(..n)).unwrap_or(bytes);
    // a part of a unit at the end is for the body to refuse
    let whole = bytes.len().is_multiple_of(unit.bytes);
    let (all, len) = match (unit == Unit::BYTE, whole) {
        (true, _) => (bytes.len(), trimmed(bytes, byte)),
        (false, true) => (num_in(bytes.len(), unit.bytes), unit.without(bytes, byte.into())),
        (false, false) => {
            (plus(num_in(bytes.len(), unit.bytes), 1), plus(num_in(bytes.len(), unit.bytes), 1))
        }
    };
    if let Some(n) = n.filter(|n| *n > all) {
        // the error of the bytes that are missing
        return body(src, n);
    }
    src.open(Label::Value, "");
    let value = body(src, len)?;
    src.close();
    if all > len {
        src.open(Label::Piece("fill"), "");
        src.mark(Kind::Padding, true);
        src.skip(times64(between(len as u64, all as u64), unit.bytes as u64))?;
        src.close();
    }
    if n.is_none() {
        // a region of a stream may be cut
        src.at_end()?;
    }
    Ok(value)
}

/// The length of bytes without their filling.
fn trimmed(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().rposition(|b| *b != byte).map_or(0, |last| last.saturating_add(1))
}

/// Writes a text in a field of `n` bytes; `put` writes its `len` bytes.
pub(crate) fn put_filled<W: Sink>(
    out: &mut W,
    len: usize,
    n: i128,
    (byte, unit): (u8, Unit),
    put: impl FnOnce(&mut W) -> Result<()>,
) -> Result<()> {
    let max = natural(n);
    let found = len as u64;
    let Some(left) = max.checked_sub(found) else {
        return Err(Error::new(ErrorKind::TooLong { found, max }, out.pos()));
    };
    put(out)?;
    if unit == Unit::BYTE { out.fill(byte, left) } else { fill_units(out, left, byte, unit) }
}

/// That many units of a filling, a block at a time.
fn fill_units<W: Sink>(out: &mut W, mut left: u64, byte: u8, unit: Unit) -> Result<()> {
    const BLOCK: u64 = 64;
    // a unit has up to four bytes
    let mut block = [0; 4 * BLOCK as usize];
    block.chunks_exact_mut(unit.bytes.max(1)).for_each(|to| unit.put(byte.into(), to));
    while left > 0 {
        let n = left.min(BLOCK);
        let size = usize::try_from(times64(n, unit.bytes as u64)).unwrap_or(usize::MAX);
        out.bytes(block.get(..size).unwrap_or(&block), 0)?;
        left = between(n, left);
    }
    Ok(())
}

/// Whether a text is read back as it is.
#[inline]
pub(crate) fn check_trimmed(text: &[u8], byte: u8, at: u64) -> Result<()> {
    match text.last() {
        Some(last) if *last == byte => Err(Error::new(ErrorKind::TrimmedEnd { byte }, at)),
        _ => Ok(()),
    }
}

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T: Deref<Target: AsRef<[u8]>>, const BYTE: u8> Body<T> for Trimmed<B, BYTE> {
    const ITEM_MIN: usize = B::ITEM_MIN;
    const ITEM_MAX: usize = B::ITEM_MAX;
    const SHAPE: Shape = Shape::Trimmed { byte: BYTE, body: || B::SHAPE };
    const UNIT: Unit = B::UNIT;
    const TREE: Tree = Tree::around(<Self as Body<T>>::SHAPE, &B::TREE);
    fn len(value: &T) -> usize {
        B::len(value)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T>, T: Deref<Target: AsRef<[u8]>>, const BYTE: u8> DecodeBody<'de, T>
    for Trimmed<B, BYTE>
{
    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<T> {
        read_trimmed(src, Some(n), (BYTE, B::UNIT), |src, n| B::body::<O, S>(src, n, ctx))
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<T> {
        read_trimmed(src, None, (BYTE, B::UNIT), |src, n| B::body::<O, S>(src, n, ctx))
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T>, T: Deref<Target: AsRef<[u8]>>, const BYTE: u8> EncodeBody<T> for Trimmed<B, BYTE> {
    #[inline]
    fn put<O: Order, W: Sink>(value: &T, out: &mut W, ctx: ()) -> Result<()> {
        check_trimmed(value.text_bytes(), BYTE, out.pos())?;
        B::put::<O, W>(value, out, ctx)
    }

    #[inline]
    fn put_fixed<O: Order, W: Sink>(value: &T, out: &mut W, n: i128, ctx: ()) -> Result<()> {
        check_trimmed(value.text_bytes(), BYTE, out.pos())?;
        put_filled(out, B::len(value), n, (BYTE, B::UNIT), |out| B::put::<O, W>(value, out, ctx))
    }
}
