//! Numbers on the wire: which ones, and how many, the context says.

use super::element::Element;
use super::table::{Number, NumberType, Numbers, with_numbers};
#[cfg(feature = "dynamic")]
use crate::codec::compound::encode_items;
use crate::codec::form::{DecodeAs, EncodeAs};
use crate::codec::{Decode, Encode, Layout};
use crate::containers::counted::Counted;
#[cfg(feature = "dynamic")]
use crate::containers::counted::mismatch;
use crate::containers::items::Items;
use crate::containers::tag::tag_mismatch;
use crate::error::Result;
use crate::wire::{Be, Erased, Facts, Hooks, Kind, Label, Le, OPEN, Order, Sink, Source};
#[cfg(any(feature = "sdds", all(feature = "std", feature = "futhark")))]
use crate::{
    error::Step,
    wire::{
        Cursor,
        amount::{after, between, times64},
        limits::checked,
    },
};
use alloc::format;
use alloc::vec::Vec;

impl Layout for Number {
    const FACTS: Facts<Self> = Facts::range(1, 1, 16);
}

/// ```
/// use binfmt::{Options, numbers::{Number, NumberType}};
/// let n: Number = binfmt::from_slice_with(&[1, 2], &Options::new().ctx(NumberType::U16))?;
/// assert_eq!(n, Number::U16(0x0201));
/// # Ok::<(), binfmt::Error>(())
/// ```
impl<'de> Decode<'de, NumberType> for Number {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, kind: NumberType) -> Result<Self> {
        number(src.erase(), O::LE, kind)
    }
}

/// ```
/// use binfmt::{Options, numbers::{Number, NumberType}};
/// let options = Options::new().ctx(NumberType::U16);
/// assert_eq!(binfmt::to_vec_with(&Number::U16(0x0201), &options)?, [1, 2]);
/// assert!(binfmt::to_vec_with(&Number::U8(1), &options).is_err());
/// # Ok::<(), binfmt::Error>(())
/// ```
impl Encode<NumberType> for Number {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, kind: NumberType) -> Result<()> {
        if self.number_type() != kind {
            return Err(tag_mismatch(out.pos(), "Number", self.number_type().name()));
        }
        with_numbers!(self, one n => n.encode::<O, W>(out, ()))
    }
}

impl Layout for Numbers {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

/// ```
/// use binfmt::{Options, numbers::{NumberType, Numbers}};
/// let n: Numbers = binfmt::from_slice_with(&[1, 0, 2, 0], &Options::new().ctx((NumberType::U16, 2)))?;
/// assert_eq!(n, Numbers::U16(vec![1, 2]));
/// # Ok::<(), binfmt::Error>(())
/// ```
impl<'de> Decode<'de, (NumberType, u64)> for Numbers {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (kind, n): (NumberType, u64)) -> Result<Self> {
        numbers(src.erase(), O::LE, kind, n)
    }
}

fn number(mut src: Erased<'_, '_>, little: bool, kind: NumberType) -> Result<Number> {
    fn read<T: Element>(src: &mut Erased<'_, '_>, little: bool) -> Result<Number> {
        if little { T::decode::<Le, _>(src, ()) } else { T::decode::<Be, _>(src, ()) }.map(Number::from)
    }
    with_numbers!(kind, type T => read::<T>(&mut src, little))
}

fn numbers(mut src: Erased<'_, '_>, little: bool, kind: NumberType, n: u64) -> Result<Numbers> {
    fn read<T: Element>(src: &mut Erased<'_, '_>, little: bool, n: u64) -> Result<Numbers> {
        let len = (n.into(), ());
        let v: Vec<T> = match little {
            true => Counted::<Items>::decode::<Le, _>(src, len)?,
            false => Counted::<Items>::decode::<Be, _>(src, len)?,
        };
        Ok(v.into())
    }
    if src.is_heard() {
        // as a variant that a type chooses
        src.mark(Kind::Variant(&format!("{kind:?}")), true);
    }
    src.open(Label::Value, "");
    let numbers = with_numbers!(kind, type T => read::<T>(&mut src, little, n))?;
    src.close();
    Ok(numbers)
}

impl Numbers {
    /// Steps over that many numbers, which a tracing source is told as when they are decoded. Only bools may be wrong.
    #[cfg(any(feature = "sdds", all(feature = "std", feature = "futhark")))]
    pub(crate) fn pass<O: Order>(src: &mut Erased<'_, '_>, kind: NumberType, n: u64) -> Result<()> {
        fn tell<O: Order, T: Layout>(src: &mut Erased<'_, '_>) {
            src.mark(Kind::of(T::SHAPE), O::LE);
        }
        if src.is_heard() {
            src.mark(Kind::Variant(&format!("{kind:?}")), true);
        }
        src.open(Label::Value, "");
        // bools are told one by one
        if src.is_heard() && (n > 0 || kind != NumberType::Bool) {
            with_numbers!(kind, type T => tell::<O, T>(src));
        }
        if src.left().is_some() {
            checked(src, n.into(), (kind.size(), kind.size()), u64::MAX, src.pos())?;
        }
        match kind {
            NumberType::Bool => pass_bools(src, n)?,
            // more than the input can hold is not there
            _ => src.skip(times64(n, kind.size() as u64))?,
        }
        src.close();
        Ok(())
    }
}

/// Steps over bools, each of which may be wrong.
#[cfg(any(feature = "sdds", all(feature = "std", feature = "futhark")))]
fn pass_bools(src: &mut Erased<'_, '_>, n: u64) -> Result<()> {
    const BLOCK: u64 = 64 << 10;
    let (mut at, mut left) = (0u64, n);
    while left > 0 {
        let most = left.min(BLOCK) as usize;
        let seen = src.look(most)?;
        let seen = seen.get(..most).unwrap_or(seen);
        let sound = seen.iter().position(|byte| *byte > 1).unwrap_or(seen.len()) as u64;
        src.skip(sound)?;
        if sound == 0 {
            // it is wrong, or not there, as this says
            let i = usize::try_from(at).unwrap_or(usize::MAX);
            bool::decode::<Le, _>(src, ()).map_err(|e| e.within(Step::Index(i)))?;
        }
        at = after(at, sound.max(1));
        left = between(at, n);
    }
    Ok(())
}

/// ```
/// use binfmt::{Options, numbers::{NumberType, Numbers}};
/// let options = Options::new().ctx((NumberType::U16, 2));
/// assert_eq!(binfmt::to_vec_with(&Numbers::U16(vec![1, 2]), &options)?, [1, 0, 2, 0]);
/// assert!(binfmt::to_vec_with(&Numbers::U16(vec![1]), &options).is_err());
/// # Ok::<(), binfmt::Error>(())
/// ```
impl Encode<(NumberType, u64)> for Numbers {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (kind, n): (NumberType, u64)) -> Result<()> {
        if self.number_type() != kind {
            return Err(tag_mismatch(out.pos(), "Numbers", self.number_type().name()));
        }
        with_numbers!(self, v => Counted::<Items>::encode::<O, W>(v, out, (n.into(), ())))
    }
}

impl Numbers {
    /// Writes all numbers, which must be that many.
    #[cfg(feature = "dynamic")]
    pub(crate) fn put<O: Order, W: Sink>(&self, out: &mut W, n: usize) -> Result<()> {
        with_numbers!(self, v => match v.len() == n {
            true => encode_items::<O, W, _, ()>(v, out, ()),
            false => Err(mismatch(n as i128, v.len() as u64, out.pos())),
        })
    }
}
