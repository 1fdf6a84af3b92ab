//! `longdouble`: the x87's extended number.

use crate::BinFormat;
use crate::error::Result;
use crate::numbers::extended;
use crate::wire::{Cursor, Hooks, Kind, Order, Sink, Source};
use core::fmt;

/// An x87 extended number, 80 bits: the type `longdouble`.
///
/// In a page it takes 16 bytes. Little-endian: 8 of mantissa (with an explicit first bit), 2 of sign and exponent, 6 of
/// padding. Big-endian, as the official library swaps them: 2 of padding, 2 of sign and exponent, 8 of mantissa, 4 of
/// padding. Padding is what happened to be in memory: it is stepped over, and written as zeros.
///
/// ```
/// use binfmt::formats::sdds::X87;
/// let x = X87::from(1.5);
/// assert_eq!(x.to_le_bytes(), [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f]);
/// assert_eq!(f64::from(x), 1.5);
/// assert_eq!(x.to_string(), "1.500000000000000000e+00");
/// assert_eq!(binfmt::to_vec(&x)?, [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[binfmt(transparent)]
pub struct X87(#[binfmt(decode_with = decode, encode_with = encode, size(16))] [u8; 10]);

/// The ten bytes of the sixteen, in both byte orders.
fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<[u8; 10]> {
    let src = &mut src.erase();
    let bytes = src.array()?;
    src.mark(Kind::Bytes, O::LE);
    Ok(from_wire::<O>(&bytes))
}

fn encode<O: Order, W: Sink>(ten: &[u8; 10], out: &mut W) -> Result<()> {
    out.array(to_wire::<O>(ten))
}

fn from_wire<O: Order>(b: &[u8; 16]) -> [u8; 10] {
    if O::LE { core::array::from_fn(|i| b[i]) } else { core::array::from_fn(|i| b[11 - i]) }
}

fn to_wire<O: Order>(ten: &[u8; 10]) -> [u8; 16] {
    let mut b = [0; 16];
    for (i, byte) in ten.iter().enumerate() {
        b[if O::LE { i } else { 11 - i }] = *byte;
    }
    b
}

impl X87 {
    /// From its ten bytes, least significant first.
    ///
    /// ```
    /// use binfmt::formats::sdds::X87;
    /// assert_eq!(f64::from(X87::from_le_bytes([0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xbf])), -1.0);
    /// ```
    pub const fn from_le_bytes(bytes: [u8; 10]) -> Self {
        X87(bytes)
    }

    /// Its ten bytes, least significant first.
    ///
    /// ```
    /// use binfmt::formats::sdds::X87;
    /// assert_eq!(X87::from(2.0).to_le_bytes(), [0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0x40]);
    /// ```
    pub const fn to_le_bytes(self) -> [u8; 10] {
        self.0
    }

    /// From its 16 bytes in a page.
    pub(crate) fn get<O: Order>(bytes: &[u8]) -> Self {
        bytes.first_chunk().map_or(X87::default(), |b| X87(from_wire::<O>(b)))
    }

    /// Into its 16 bytes in a page.
    pub(crate) fn put<O: Order>(self, bytes: &mut [u8]) {
        if let Some(b) = bytes.first_chunk_mut() {
            *b = to_wire::<O>(&self.0);
        }
    }

    /// Mantissa, exponent (biased by 16383) and sign.
    pub(crate) fn parts(self) -> (u64, u16, bool) {
        extended::parts(self.0)
    }

    /// The inverse of `parts`.
    pub(crate) fn of_parts(mantissa: u64, exponent: u16, negative: bool) -> Self {
        X87(extended::of_parts(mantissa, exponent, negative))
    }

    /// The number nearest to `m · 2^exp`.
    pub(crate) fn nearest(m: u128, exp: i64, sticky: bool, negative: bool) -> Self {
        X87(extended::rounded(m, exp, sticky, negative))
    }
}

/// Exact: every double is an extended number.
impl From<f64> for X87 {
    fn from(x: f64) -> Self {
        X87(extended::of_double(x))
    }
}

/// Rounded to the nearest double; too large ones become infinite.
impl From<X87> for f64 {
    fn from(x: X87) -> f64 {
        extended::to_double(x.0)
    }
}

impl fmt::Debug for X87 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "X87({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Endian, Options};

    #[test]
    fn doubles_survive() {
        for x in [0.0, -0.0, 1.0, -0.1, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 1e-310] {
            assert_eq!(f64::from(X87::from(x)).to_bits(), x.to_bits());
        }
        assert!(f64::from(X87::from(f64::NAN)).is_nan());
    }

    #[test]
    fn both_byte_orders() {
        let x = X87([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        let big = Options::new().endian(Endian::Big);
        let bytes = crate::to_vec_with(&x, &big).unwrap();
        assert_eq!(bytes, [0, 0, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]);
        assert_eq!(crate::from_slice_with::<X87, _>(&bytes, &big).unwrap(), x);
    }
}
