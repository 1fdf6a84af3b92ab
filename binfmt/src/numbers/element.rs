//! The Rust types that numbers have.

use super::table::{Number, NumberType, Numbers};
use crate::codec::{DecodeOwned, Encode, Layout};
use crate::wire::Order;
use alloc::vec::Vec;
use core::fmt;

/// A Rust type of numbers: the integers from 8 to 128 bits, [`F16`](super::F16), `f32`, `f64` and `bool`.
///
/// It is implemented for no other type.
///
/// ```
/// use binfmt::numbers::{Element, NumberType, Numbers};
/// fn zeros<T: Element>(n: usize) -> Numbers {
///     Numbers::from(vec![T::default(); n])
/// }
/// assert_eq!(u16::TYPE, NumberType::U16);
/// assert_eq!(zeros::<i8>(2), Numbers::I8(vec![0, 0]));
/// ```
pub trait Element:
    Copy
    + Default
    + PartialEq
    + PartialOrd
    + fmt::Debug
    + Send
    + Sync
    + 'static
    + Layout
    + DecodeOwned
    + Encode
    + Primitive
{
    /// Which of them it is.
    const TYPE: NumberType;
}

/// What only this crate may say of a type.
pub trait Primitive: Sized {
    /// As a number.
    fn number(self) -> Number;

    /// Of a number, if it is of this type.
    fn of(number: Number) -> Option<Self>;

    /// As numbers.
    fn numbers(v: Vec<Self>) -> Numbers;

    /// The vector, if it is of this type.
    fn vec(numbers: &Numbers) -> Option<&Vec<Self>>;

    /// The same, to be changed.
    fn vec_mut(numbers: &mut Numbers) -> Option<&mut Vec<Self>>;

    /// The same, or the numbers that are of another type.
    fn into_vec(numbers: Numbers) -> Result<Vec<Self>, Numbers>;

    /// From the first bytes; 0 when there are too few.
    fn read<O: Order>(bytes: &[u8]) -> Self;

    /// Into the first bytes; nothing when there are too few.
    fn write<O: Order>(self, bytes: &mut [u8]);

    /// The nearest number of double precision; true is 1.
    fn to_f64(self) -> f64;

    /// The number as an integer; `None` for other types, and for what is too large.
    #[inline(always)]
    fn to_i128(self) -> Option<i128> {
        None
    }

    /// The integer, where it is one of this type.
    #[inline(always)]
    fn from_i128(_: i128) -> Option<Self> {
        None
    }

    /// The nearest number, where this is a floating-point type.
    fn from_f64(_: f64) -> Option<Self> {
        None
    }
}
