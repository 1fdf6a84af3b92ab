//! A span of time as a number of its units.

use super::integer::{AnyInteger, IntegerForm, overflow};
use super::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, owned::format};
use crate::wire::{IntShape, Order, Sink, Source};
use core::marker::PhantomData;
use core::time::Duration;

macro_rules! durations {
    ($($(#[$doc:meta])* $F:ident $as:ident $from:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $F<N>(PhantomData<N>);

        impl<N: AnyInteger + Layout + Encode + for<'x> Decode<'x>> IntegerForm<Duration> for $F<N> {
            const SIZES: (usize, usize) = (size_of::<N>(), size_of::<N>());
            const FORM: Option<IntShape> =
                Some(IntShape::Fixed { bytes: size_of::<N>() as u8, signed: N::IS_SIGNED });

            fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Duration> {
                let at = src.pos();
                let n = <N as Decode<'de>>::decode::<O, S>(src, ())?;
                match n.wide().and_then(|n| u64::try_from(n).ok()) {
                    Some(n) => Ok(Duration::$from(n)),
                    None => Err(overflow(n.extended(), N::IS_SIGNED, 8, false, at)),
                }
            }

            fn encode<O: Order, W: Sink>(value: Duration, out: &mut W) -> Result<()> {
                let n = u128::from(value.$as());
                // what is finer than the unit would be lost
                let is_whole = u64::try_from(n).is_ok_and(|n| Duration::$from(n) == value);
                match i128::try_from(n).ok().and_then(N::of).filter(|_| is_whole) {
                    Some(n) => n.encode::<O, W>(out, ()),
                    None => Err(not_whole(value, concat!("not a number of ", stringify!($F), " of this type"), out.pos())),
                }
            }
        }
    )* };
}
durations! {
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
    Seconds as_secs from_secs;
    /// A [`Duration`] as a number of milliseconds of type `N`. A part of one is an error when writing.
    ///
    /// ```
    /// use binfmt::{BinFormat, integer::Millis};
    /// #[derive(BinFormat)]
    /// struct Timeout { #[binfmt(as = Millis<u16>)] time: std::time::Duration }
    /// assert_eq!(binfmt::from_slice::<Timeout>(&[0xf4, 1])?.time.as_secs_f32(), 0.5);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Millis as_millis from_millis;
    /// A [`Duration`] as a number of microseconds of type `N`. A part of one is an error when writing.
    ///
    /// ```
    /// use binfmt::{BinFormat, integer::Micros};
    /// #[derive(BinFormat)]
    /// struct Delay { #[binfmt(as = Micros<u32>)] time: std::time::Duration }
    /// assert_eq!(binfmt::from_slice::<Delay>(&[0x40, 0x42, 0x0f, 0])?.time.as_secs(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Micros as_micros from_micros;
    /// A [`Duration`] as a number of nanoseconds of type `N`.
    ///
    /// ```
    /// use binfmt::{BinFormat, integer::Nanos};
    /// #[derive(BinFormat)]
    /// struct Tick { #[binfmt(as = Nanos<u64>)] time: std::time::Duration }
    /// assert_eq!(binfmt::to_vec(&Tick { time: std::time::Duration::from_micros(1) })?, [0xe8, 3, 0, 0, 0, 0, 0, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Nanos as_nanos from_nanos;
}

#[cold]
#[inline(never)]
fn not_whole(value: Duration, unit: &'static str, at: u64) -> Error {
    Error::new(ErrorKind::invalid("duration", format!("{value:?}"), unit), at)
}
