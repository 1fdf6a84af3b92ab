//! Text and bytes in any type that is a `str` or a `[u8]` elsewhere: `String`, `Box<str>`, `Cow<str>`, `&str`, ..
//!
//! A body says once how it reads and writes a `str` ([`TextForm<str>`](TextForm)) or bytes. What type owns them is decided by
//! what it dereferences to, so that each of these types is a line here and not one in every body.

use super::{Body, DecodeBody, EncodeBody};
use crate::error::Result;
use crate::wire::{Kind, Order, Shape, Sink, Source, Unit};
use core::ops::Deref;

/// How much is read.
#[derive(Clone, Copy, Debug)]
pub enum TextLen {
    /// That many units, the NUL among them where there is one.
    Units(usize),
    /// That many units, of which what follows a NUL is a filling.
    Fixed(usize),
    /// All to the end of the input or region.
    ToEnd,
}

/// A body of text or bytes. A trait without a parameter, so that rustc knows which bodies lack it.
pub trait Textual {}

/// A body that reads and writes text (`X` is `str`) or bytes (`[u8]`).
pub trait TextForm<X: ?Sized> {
    /// What the bytes are.
    const SHAPE: Shape;
    /// What its lengths count.
    const UNIT: Unit = Unit::BYTE;
    /// What a tracing source hears.
    const KIND: Kind<&'static str>;
    /// The length on the wire in units, with the NUL where there is one.
    fn units(value: &X) -> usize;
    /// Writes a value, with its NUL where there is one.
    fn write<W: Sink>(value: &X, out: &mut W) -> Result<()>;
    /// Writes a value that fills exactly `n` units.
    fn write_fixed<W: Sink>(value: &X, out: &mut W, n: i128) -> Result<()>;
}

/// A body whose bytes are an `X` as they are.
pub trait LentForm<X: ?Sized>: TextForm<X> {
    /// Lends a value from the input.
    fn lend<'de: 'a, 'a, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<&'a X>;
}

/// A type into which the body `B` is decoded.
pub trait FromText<'de, B>: Deref + Sized {
    /// Reads a value.
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, X: ?Sized, B: LentForm<X>> FromText<'de, B> for &'a X {
    #[inline(always)]
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self> {
        B::lend(src, len)
    }
}

#[diagnostic::do_not_recommend]
impl<B: Textual + TextForm<X>, T: Deref<Target = X>, X: ?Sized> Body<T> for B {
    const ITEM_MIN: usize = <B as TextForm<X>>::UNIT.bytes;
    const ITEM_MAX: usize = <B as TextForm<X>>::UNIT.bytes;
    const SHAPE: Shape = <B as TextForm<X>>::SHAPE;
    const UNIT: Unit = <B as TextForm<X>>::UNIT;
    #[inline(always)]
    fn len(value: &T) -> usize {
        B::units(value)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B, T, X: ?Sized> DecodeBody<'de, T> for B
where
    B: Textual + TextForm<X>,
    T: FromText<'de, B> + Deref<Target = X>,
{
    #[inline(always)]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, (): ()) -> Result<T> {
        src.mark(B::KIND, O::LE);
        T::read(src, TextLen::Units(n))
    }
    #[inline]
    fn fixed<O: Order, S: Source<'de>>(src: &mut S, n: usize, (): ()) -> Result<T> {
        src.mark(B::KIND, O::LE);
        T::read(src, TextLen::Fixed(n))
    }
    #[inline]
    fn to_end<O: Order, S: Source<'de>>(src: &mut S, (): ()) -> Result<T> {
        src.mark(B::KIND, O::LE);
        T::read(src, TextLen::ToEnd)
    }
}

#[diagnostic::do_not_recommend]
impl<B: Textual + TextForm<X>, T: Deref<Target = X>, X: ?Sized> EncodeBody<T> for B {
    #[inline(always)]
    fn put<O: Order, W: Sink>(value: &T, out: &mut W, (): ()) -> Result<()> {
        B::write(value, out)
    }
    #[inline]
    fn put_fixed<O: Order, W: Sink>(value: &T, out: &mut W, n: i128, (): ()) -> Result<()> {
        B::write_fixed(value, out, n)
    }
}
