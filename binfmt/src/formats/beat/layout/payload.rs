//! The codec of a chunk's value: a size, the value in a region of as many bytes, and a newline that the size counts or that is not there.

use super::line::{ChunkLine, Size};
use crate::codec::{Decode, Encode};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Cursor, Erased, Hooks, Kind, Label, Le, Order, Sink, Source, Window};
use alloc::format;

/// The rest of the line, the value and what is after it. Like all functions of a field, it is called with a byte order.
#[allow(clippy::extra_unused_type_parameters, reason = "functions of a field are called with a byte order")]
pub(crate) fn decode<'de, O, S, T, C>(src: &mut S, ctx: C) -> Result<T>
where
    O: Order,
    S: Source<'de>,
    T: Decode<'de, C>,
{
    rest(src.erase(), ctx)
}

/// Not inlined: a value is compiled once for all sources.
#[inline(never)]
fn rest<'de, T: Decode<'de, C>, C>(mut src: Erased<'_, 'de>, ctx: C) -> Result<T> {
    let size = size(&mut src)?;
    payload(&mut src, size, ctx)
}

pub(crate) fn encode<O: Order, W: Sink, T: Encode<C>, C: Copy>(value: &T, out: &mut W, ctx: C) -> Result<()> {
    let size = value.encoded_len(ctx)? as u64 + 1;
    Size { size }.encode::<O, W>(out, ())?;
    put_payload(value, out, ctx)
}

/// The value of a chunk and the newline after it.
pub(crate) fn payload<'de, T: Decode<'de, C>, C>(src: &mut Erased<'_, 'de>, size: u64, ctx: C) -> Result<T> {
    let open = begin(src, size)?;
    let value = T::decode::<Le, _>(src, ctx)?;
    end(src, open)?;
    Ok(value)
}

fn size(src: &mut Erased<'_, '_>) -> Result<u64> {
    Ok(Size::decode::<Le, _>(src, ())?.size)
}

/// A payload that is being read.
struct Open {
    window: Window,
    begin: u64,
    size: u64,
}

fn begin(src: &mut Erased<'_, '_>, size: u64) -> Result<Open> {
    let begin = src.pos();
    let window = src.narrow(size)?;
    src.open(Label::Value, "");
    Ok(Open { window, begin, size })
}

fn end(src: &mut Erased<'_, '_>, open: Open) -> Result<()> {
    src.close();
    // the window has that many bytes
    let left = open.size - (src.pos() - open.begin);
    if left > 0 {
        src.open(Label::Piece("newline"), "");
        src.mark(Kind::Bytes, true);
        let at = src.pos();
        if left > 1 || src.array::<1>()? != *b"\n" {
            let found = format!("{left} byte{}", if left == 1 { "" } else { "s" });
            return Err(Error::new(ErrorKind::mismatch("end of the chunk", "a newline", found), at));
        }
        src.close();
    }
    src.widen(open.window)
}

fn put_payload<T: Encode<C>, C, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
    value.encode::<Le, W>(out, ctx)?;
    out.array(*b"\n")
}

/// Writes a chunk of a value that it does not own.
#[cfg_attr(not(feature = "std"), expect(dead_code, reason = "files are written with std"))]
pub(crate) fn put_chunk<C: Copy, T: Encode<C>, W: Sink>(
    start: u64,
    end: u64,
    value: &T,
    ctx: C,
    out: &mut W,
) -> Result<()> {
    let in_value = |e: Error| e.within(Step::Field("value"));
    let size = value.encoded_len(ctx).map_err(in_value)? as u64 + 1;
    ChunkLine { start, end, size }.encode::<Le, W>(out, ())?;
    put_payload(value, out, ctx).map_err(in_value)
}
