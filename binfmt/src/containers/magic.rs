//! Bytes that must be what the layout says.

use crate::codec::field::{at_part, begin, begin_put, is_end, there, wrong_bytes};
use crate::codec::{Decode, Encode};
use crate::error::owned::Bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{inside, known};
use crate::wire::out::slice_sink;
use crate::wire::{Be, Fixed, Kind, Le, Order, Part, Shape, Sink, Source};

/// A type that begins with fixed bytes, for code that asks which: to find it among others, or to tell files apart.
///
/// The derive implements it for structs and enums whose `magic` is a literal: bytes, or a number with its type. A magic that is a
/// const has a name already.
///
/// ```
/// use binfmt::{BinFormat, WithMagic};
/// #[derive(BinFormat)]
/// #[binfmt(magic = b"RIFF")]
/// struct Wave { size: u32 }
/// #[derive(BinFormat)]
/// #[binfmt(magic = 0xFEEDFACEu32)]
/// struct MachO { cpu: u32 }
/// fn begins_with<T: WithMagic<Magic = [u8; N]>, const N: usize>(bytes: &[u8]) -> bool {
///     bytes.starts_with(&T::MAGIC)
/// }
/// assert!(begins_with::<Wave, 4>(b"RIFF\x04\0\0\0"));
/// assert_eq!(MachO::MAGIC, 0xFEEDFACE);
/// ```
pub trait WithMagic {
    /// `[u8; N]`, or the type of the number.
    type Magic;

    /// The bytes, or the number, which stands in the byte order of the type.
    const MAGIC: Self::Magic;
}

#[cold]
#[inline(never)]
pub(crate) fn different(expected: Bytes, found: Bytes, at: u64) -> Error {
    Error::new(ErrorKind::Magic { expected, found }, at)
}

/// `magic = b".."`.
#[inline(always)]
pub fn magic_bytes<'de, S: Source<'de>, const N: usize>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    magic: &[u8; N],
) -> Result<()> {
    begin(src, parts, i)?;
    src.mark(Kind::Magic, true);
    let at = src.pos();
    match src.array::<N>() {
        Ok(found) if found == *magic => {
            src.close();
            Ok(())
        }
        Ok(found) => Err(at_part(different(magic.as_slice().into(), found.as_slice().into(), at), parts, i)),
        Err(e) => Err(at_part(cut(e, magic, there(src, N), at), parts, i)),
    }
}

/// The error of a magic that is not all there, and may be another one.
#[cold]
#[inline(never)]
fn cut(e: Error, magic: &[u8], there: &[u8], at: u64) -> Error {
    let wrong = is_end(&e).then(|| wrong_bytes(magic, there, at)).flatten();
    wrong.unwrap_or(e)
}

/// Writes what `magic_bytes` reads.
#[inline(always)]
pub fn put_magic_bytes<W: Sink, const N: usize>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    magic: &[u8; N],
) -> Result<()> {
    begin_put(out, parts, i)?;
    match out.array(*magic) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// `magic = 0x1234u16`.
#[inline(always)]
pub fn magic_num<'de, O: Order, S: Source<'de>, M: Decode<'de> + Encode + PartialEq>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    magic: M,
) -> Result<()> {
    begin(src, parts, i)?;
    let at = src.pos();
    match M::decode::<O, S>(src, ()) {
        Ok(found) if found == magic => {
            src.mark(Kind::Magic, O::LE);
            src.close();
            Ok(())
        }
        Ok(found) => Err(at_part(different(wire::<O, M>(&magic), wire::<O, M>(&found), at), parts, i)),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

#[cold]
fn wire<O: Order, M: Encode>(value: &M) -> Bytes {
    let mut bytes = [0; 16];
    // a number has no more bytes
    let n = slice_sink(&mut bytes, |out| value.encode::<O, _>(out, ()));
    inside(&bytes, ..known(n.ok())).into()
}

/// Writes what `magic_num` reads.
#[inline(always)]
pub fn put_magic_num<O: Order, W: Sink, M: Encode>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    magic: M,
) -> Result<()> {
    begin_put(out, parts, i)?;
    match magic.encode::<O, W>(out, ()) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// What a constant that must be there is: a number, or bytes. Any other type is told by its name.
pub fn magic_text<M: Encode>(magic: &M) -> Option<Fixed> {
    let little = encoded::<Le, M>(magic)?;
    if let Shape::Int { signed, .. } = M::SHAPE {
        let negative = signed && little.last()? & 0x80 != 0;
        let mut wide = [if negative { 0xff } else { 0 }; 16];
        wide.get_mut(..little.len())?.copy_from_slice(&little);
        return Some(Fixed::Number(i128::from_le_bytes(wide)));
    }
    (encoded::<Be, M>(magic)? == little).then_some(Fixed::Bytes(little))
}

#[cfg(feature = "alloc")]
fn encoded<O: Order, M: Encode>(magic: &M) -> Option<Bytes> {
    let mut bytes = Bytes::new();
    crate::wire::vec_sink(&mut bytes, 0, |out| magic.encode::<O, _>(out, ())).ok()?;
    Some(bytes)
}

/// Nothing here asks for a constant that is longer.
#[cfg(not(feature = "alloc"))]
fn encoded<O: Order, M: Encode>(magic: &M) -> Option<Bytes> {
    let mut bytes = [0; 16];
    let n = slice_sink(&mut bytes, |out| magic.encode::<O, _>(out, ())).ok()?;
    Some(bytes.get(..n)?.into())
}
