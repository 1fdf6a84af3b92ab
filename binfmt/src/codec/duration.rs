//! A span of time as a number of its units.
#![allow(clippy::arithmetic_side_effects, reason = "divisions by units of time, of which none is 0")]

use super::integer::{AnyInteger, IntegerForm, overflow};
use super::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{IntShape, Order, Sink, Source};
use core::marker::PhantomData;
use core::time::Duration;

/// A [`Duration`] as a number of type `N`, of which that many make a second: [`Seconds`], [`Millis`], [`Micros`], [`Nanos`].
#[derive(Debug)]
pub struct SecondParts<N, const PER_SECOND: u32>(PhantomData<N>);

/// A [`Duration`] as a number of seconds of type `N`. A part of a second is an error when writing.
///
/// ```
/// use binfmt::{BinFormat, integer::Seconds};
/// use std::time::Duration;
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Lease { #[binfmt(as = Seconds<u32>)] time: Duration }
/// assert_eq!(binfmt::to_vec(&Lease { time: Duration::from_secs(3600) })?, [0x10, 0x0e, 0, 0]);
/// assert!(binfmt::to_vec(&Lease { time: Duration::from_millis(1) }).is_err());
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type Seconds<N> = SecondParts<N, 1>;

/// A [`Duration`] as a number of milliseconds of type `N`. A part of one is an error when writing.
///
/// ```
/// use binfmt::{BinFormat, integer::Millis};
/// #[derive(BinFormat)]
/// struct Timeout { #[binfmt(as = Millis<u16>)] time: std::time::Duration }
/// assert_eq!(binfmt::from_slice::<Timeout>(&[0xf4, 1])?.time.as_secs_f32(), 0.5);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type Millis<N> = SecondParts<N, 1_000>;

/// A [`Duration`] as a number of microseconds of type `N`. A part of one is an error when writing.
///
/// ```
/// use binfmt::{BinFormat, integer::Micros};
/// #[derive(BinFormat)]
/// struct Delay { #[binfmt(as = Micros<u32>)] time: std::time::Duration }
/// assert_eq!(binfmt::from_slice::<Delay>(&[0x40, 0x42, 0x0f, 0])?.time.as_secs(), 1);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type Micros<N> = SecondParts<N, 1_000_000>;

/// A [`Duration`] as a number of nanoseconds of type `N`.
///
/// ```
/// use binfmt::{BinFormat, integer::Nanos};
/// #[derive(BinFormat)]
/// struct Tick { #[binfmt(as = Nanos<u64>)] time: std::time::Duration }
/// assert_eq!(binfmt::to_vec(&Tick { time: std::time::Duration::from_micros(1) })?, [0xe8, 3, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type Nanos<N> = SecondParts<N, 1_000_000_000>;

impl<N, const PER_SECOND: u32> SecondParts<N, PER_SECOND> {
    const NANOS: u32 = 1_000_000_000 / PER_SECOND;
    const REFUSED: &'static str = match PER_SECOND {
        1 => "not a number of Seconds of this type",
        1_000 => "not a number of Millis of this type",
        1_000_000 => "not a number of Micros of this type",
        _ => "not a number of Nanos of this type",
    };
}

impl<N, const PER_SECOND: u32> IntegerForm<Duration> for SecondParts<N, PER_SECOND>
where
    N: AnyInteger + Layout + Encode + for<'x> Decode<'x>,
{
    const SIZES: (usize, usize) = (size_of::<N>(), size_of::<N>());
    const FORM: Option<IntShape> =
        Some(IntShape::Fixed { bytes: size_of::<N>() as u8, signed: N::IS_SIGNED });

    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Duration> {
        let at = src.pos();
        let n = <N as Decode<'de>>::decode::<O, S>(src, ())?;
        let per = u64::from(PER_SECOND);
        match n.wide().and_then(|n| u64::try_from(n).ok()) {
            // a part of a second is fewer than 10^9 nanoseconds
            Some(n) => Ok(Duration::new(n / per, ((n % per) as u32).wrapping_mul(Self::NANOS))),
            None => Err(overflow(n.extended(), N::IS_SIGNED, 8, false, at)),
        }
    }

    fn encode<O: Order, W: Sink>(value: Duration, out: &mut W) -> Result<()> {
        let nanos = value.as_nanos();
        let n = nanos / u128::from(Self::NANOS);
        // what is finer than the unit would be lost
        let is_whole = nanos.is_multiple_of(u128::from(Self::NANOS)) && u64::try_from(n).is_ok();
        match i128::try_from(n).ok().and_then(N::of).filter(|_| is_whole) {
            Some(n) => n.encode::<O, W>(out, ()),
            None => Err(not_whole(value, Self::REFUSED, out.pos())),
        }
    }
}

#[cold]
#[inline(never)]
fn not_whole(value: Duration, unit: &'static str, at: u64) -> Error {
    Error::new(ErrorKind::invalid("duration", format_args!("{value:?}"), unit), at)
}
