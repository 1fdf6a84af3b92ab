//! Wire forms with more than a type: lengths, presence bytes, padding, terminators, byte order, tags.

pub(crate) mod arithmetic;
#[cfg(feature = "alloc")]
pub(crate) mod array;
#[cfg(feature = "alloc")]
pub(crate) mod at;
pub(crate) mod bits;
pub(crate) mod bytes;
#[cfg(feature = "alloc")]
pub(crate) mod bytewise;
pub(crate) mod check;
pub(crate) mod checksum;
#[cfg(feature = "alloc")]
mod collections;
pub(crate) mod computed;
pub(crate) mod counted;
#[cfg(feature = "alloc")]
pub(crate) mod encodings;
#[cfg(feature = "alloc")]
pub(crate) mod ended;
pub(crate) mod ends;
pub(crate) mod filled;
#[cfg(feature = "alloc")]
pub(crate) mod gaps;
#[cfg(feature = "alloc")]
pub(crate) mod grown;
pub(crate) mod integers;
pub(crate) mod items;
#[cfg(feature = "alloc")]
pub(crate) mod kept;
#[cfg(feature = "alloc")]
pub(crate) mod lazy;
mod lent;
pub(crate) mod magic;
pub(crate) mod map;
#[cfg(feature = "ndarray")]
mod ndarrays;
pub(crate) mod nullable;
pub(crate) mod optional;
pub(crate) mod order;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
pub(crate) mod packed;
pub(crate) mod padding;
#[cfg(feature = "alloc")]
pub(crate) mod pages;
pub(crate) mod peek;
pub(crate) mod prefixed;
#[cfg(feature = "alloc")]
pub(crate) mod process;
pub(crate) mod raised;
pub(crate) mod records;
pub(crate) mod region;
#[cfg(feature = "alloc")]
pub(crate) mod shaped;
pub(crate) mod tag;
pub(crate) mod tail;
pub(crate) mod terminated;
pub(crate) mod text;
pub(crate) mod textual;
pub(crate) mod trimmed;
pub(crate) mod untagged;
#[cfg(feature = "alloc")]
pub(crate) mod wide;

use crate::codec::fingerprint::Tree;
use crate::error::Result;
use crate::wire::{Bound, Order, Shape, Sink, Source, Unit};

/// The shape of a body with its end.
const fn bounded(by: Bound, body: fn() -> Shape) -> Shape {
    Shape::Bounded { by, body }
}

/// What lies after a length, or in front of an end: text, bytes, elements.
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a sequence, text or bytes that these words support",
    label = "no sequence",
    note = "supported: `String`, `&str`, `Cow<str>`, `Box<str>`, `Vec<T>`, `Box<[T]>`, `&[u8]`, `Cow<[u8]>`"
)]
pub trait Body<T> {
    /// Smallest size of one element, in bytes.
    const ITEM_MIN: usize;
    /// Whether that, and the most, is what somebody says of a codec of his own.
    const IS_CLAIMED: bool = false;
    /// Largest size of one element.
    const ITEM_MAX: usize;
    /// Bits of one element, where the next one begins in the same byte; else 0.
    const BITS: u8 = 0;
    /// What the bytes are.
    const SHAPE: Shape;
    /// What a NUL and a filling are one of.
    const UNIT: Unit = Unit::BYTE;
    /// What the bytes are, with what is inside.
    const TREE: Tree = Tree::of(Self::SHAPE);
    /// The length on the wire: elements, or bytes for text and bytes, with the NUL where there is one.
    fn len(value: &T) -> usize;
}

/// A body: decoding.
pub trait DecodeBody<'de, T, C = ()>: Body<T> {
    /// Smallest size of one element with this context.
    #[inline(always)]
    fn item_min(_: &C) -> usize {
        Self::ITEM_MIN
    }

    /// Reads `n` elements, which the caller has checked against what remains.
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: C) -> Result<T>;

    /// Reads what fills exactly `n` bytes or elements, whatever the value.
    #[inline(always)]
    fn fixed<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: C) -> Result<T> {
        Self::body::<O, S>(src, n, ctx)
    }

    /// Reads to the end of the input or region.
    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T>;
}

/// A body: encoding.
pub trait EncodeBody<T, C = ()>: Body<T> {
    /// Writes the elements, with the NUL where there is one.
    fn put<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()>;

    /// Writes exactly `n` bytes or elements.
    #[inline(always)]
    fn put_fixed<O: Order, W: Sink>(value: &T, out: &mut W, n: i128, ctx: C) -> Result<()> {
        let len = Self::len(value) as u64;
        if n != i128::from(len) {
            return Err(counted::mismatch(n, len, out.pos()));
        }
        Self::put::<O, W>(value, out, ctx)
    }
}
