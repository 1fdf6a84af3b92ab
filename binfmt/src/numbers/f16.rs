//! Numbers of half precision, which Rust has not.

use super::float;
use crate::codec::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::{Facts, Kind, Order, Shape, Sink, Source};
use core::cmp::Ordering;
use core::fmt;

/// A number of half precision: IEEE 754 binary16.
///
/// Rust has no type for it. This one keeps the bits and converts; with the feature `f16` it is made of `half::f16`, and
/// that of it.
///
/// ```
/// use binfmt::numbers::F16;
/// let x = F16::from_f64(0.1);
/// assert_eq!((x.to_bits(), x.to_f32()), (0x2e66, 0.099_975_586));
/// assert!(x < F16::from_bits(0x3c00) && F16::from_bits(0x7e00).is_nan());
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct F16(u16);

impl F16 {
    /// The number of these bits.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::F16::from_bits(0x3c00).to_f32(), 1.0);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        F16(bits)
    }

    /// The bits.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::F16::from_f64(-0.0).to_bits(), 0x8000);
    /// ```
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The nearest number of half precision, ties to even; too large a one is infinite.
    ///
    /// ```
    /// use binfmt::numbers::F16;
    /// assert_eq!(F16::from_f64(65519.9).to_f32(), 65504.0);
    /// assert!(F16::from_f64(65520.0).is_infinite());
    /// ```
    pub fn from_f64(n: f64) -> Self {
        F16(float::to_f16(n))
    }

    /// The number as single precision, which holds all of them.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::F16::from_bits(1).to_f32(), 2f32.powi(-24));
    /// ```
    pub fn to_f32(self) -> f32 {
        float::from_f16(self.0)
    }

    /// Whether it is not a number.
    ///
    /// ```
    /// assert!(binfmt::numbers::F16::from_f64(f64::NAN).is_nan());
    /// ```
    pub const fn is_nan(self) -> bool {
        self.0 & 0x7fff > 0x7c00
    }

    /// Whether it is infinite, of either sign.
    ///
    /// ```
    /// assert!(binfmt::numbers::F16::from_f64(f64::NEG_INFINITY).is_infinite());
    /// ```
    pub const fn is_infinite(self) -> bool {
        self.0 & 0x7fff == 0x7c00
    }

    /// Whether it is neither infinite nor a NaN.
    ///
    /// ```
    /// assert!(binfmt::numbers::F16::from_f64(1.0).is_finite());
    /// ```
    pub const fn is_finite(self) -> bool {
        self.0 & 0x7c00 != 0x7c00
    }

    /// Whether the sign is set: of -0.0 and of some NaNs, too.
    ///
    /// ```
    /// assert!(binfmt::numbers::F16::from_f64(-0.0).is_sign_negative());
    /// ```
    pub const fn is_sign_negative(self) -> bool {
        self.0 & 0x8000 != 0
    }

    pub(crate) const fn from_le_bytes(bytes: [u8; 2]) -> Self {
        F16(u16::from_le_bytes(bytes))
    }

    pub(super) const fn from_be_bytes(bytes: [u8; 2]) -> Self {
        F16(u16::from_be_bytes(bytes))
    }

    pub(super) const fn to_le_bytes(self) -> [u8; 2] {
        self.0.to_le_bytes()
    }

    pub(super) const fn to_be_bytes(self) -> [u8; 2] {
        self.0.to_be_bytes()
    }
}

impl From<F16> for f64 {
    fn from(n: F16) -> f64 {
        n.to_f32().into()
    }
}

/// As numbers: both zeros are equal, and a NaN is equal to none.
impl PartialEq for F16 {
    fn eq(&self, other: &F16) -> bool {
        self.to_f32() == other.to_f32()
    }
}

impl PartialOrd for F16 {
    fn partial_cmp(&self, other: &F16) -> Option<Ordering> {
        self.to_f32().partial_cmp(&other.to_f32())
    }
}

impl fmt::Debug for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_f32(), f)
    }
}

impl fmt::Display for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_f32(), f)
    }
}

#[cfg(feature = "f16")]
impl From<half::f16> for F16 {
    fn from(n: half::f16) -> Self {
        F16(n.to_bits())
    }
}

#[cfg(feature = "f16")]
impl From<F16> for half::f16 {
    fn from(n: F16) -> Self {
        half::f16::from_bits(n.0)
    }
}

#[diagnostic::do_not_recommend]
impl Layout for F16 {
    const FACTS: Facts<Self> = Facts::number();
    const SHAPE: Shape = Shape::Float { bytes: 2 };
}

#[diagnostic::do_not_recommend]
impl<'de> Decode<'de> for F16 {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        src.mark(Kind::of(Self::SHAPE), O::LE);
        let b = src.array()?;
        Ok(if O::LE { F16::from_le_bytes(b) } else { F16::from_be_bytes(b) })
    }
}

#[diagnostic::do_not_recommend]
impl Encode for F16 {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
        self.0.encode::<O, W>(out, ())
    }
}
