//! Text and bytes in memory of their own: `String`, `Box<str>`, `Cow<str>`, `Vec<u8>`, ..

use super::text::Lend;
use super::textual::{FromText, LentForm, TextForm, TextLen, Textual};
use super::{Body, DecodeBody, EncodeBody};
use crate::error::Result;
use crate::wire::{Order, Shape, Sink, Source, Unit};
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A body that reads text or bytes into memory of their own.
pub trait OwnedForm<X: ?Sized>: TextForm<X> {
    /// What owns an `X`.
    type Owned;
    /// Reads a value.
    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self::Owned>;
}

#[diagnostic::do_not_recommend]
impl<'de, B: OwnedForm<str, Owned = String>> FromText<'de, B> for String {
    #[inline(always)]
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self> {
        B::read(src, len)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B: OwnedForm<[u8], Owned = Vec<u8>>> FromText<'de, B> for Vec<u8> {
    #[inline(always)]
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self> {
        B::read(src, len)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, X: ?Sized, B: OwnedForm<X>> FromText<'de, B> for Box<X>
where
    Box<X>: From<B::Owned>,
{
    #[inline(always)]
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self> {
        B::read(src, len).map(Box::from)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, X: ?Sized + ToOwned, B: OwnedForm<X, Owned = X::Owned>> FromText<'de, B> for Cow<'_, X> {
    #[inline(always)]
    fn read<S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Self> {
        B::read(src, len).map(Cow::Owned)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, X: ?Sized + ToOwned, B: Textual + TextForm<X>> Body<Cow<'a, X>> for Lend<B> {
    const ITEM_MIN: usize = <B as Body<&'a X>>::ITEM_MIN;
    const ITEM_MAX: usize = <B as Body<&'a X>>::ITEM_MAX;
    const SHAPE: Shape = <B as Body<&'a X>>::SHAPE;
    const UNIT: Unit = <B as Body<&'a X>>::UNIT;
    #[inline(always)]
    fn len(value: &Cow<'a, X>) -> usize {
        B::units(value)
    }
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, X: ?Sized + ToOwned, B: Textual + LentForm<X>> DecodeBody<'de, Cow<'a, X>> for Lend<B> {
    #[inline(always)]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<Cow<'a, X>> {
        <B as DecodeBody<'de, &'a X>>::body::<O, S>(src, n, ctx).map(Cow::Borrowed)
    }
    #[inline]
    fn fixed<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<Cow<'a, X>> {
        <B as DecodeBody<'de, &'a X>>::fixed::<O, S>(src, n, ctx).map(Cow::Borrowed)
    }
    #[inline]
    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Cow<'a, X>> {
        <B as DecodeBody<'de, &'a X>>::to_end::<O, S>(src, ctx).map(Cow::Borrowed)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, X: ?Sized + ToOwned, B: Textual + TextForm<X>> EncodeBody<Cow<'a, X>> for Lend<B> {
    #[inline(always)]
    fn put<O: Order, W: Sink>(value: &Cow<'a, X>, out: &mut W, (): ()) -> Result<()> {
        B::write(value, out)
    }
    #[inline]
    fn put_fixed<O: Order, W: Sink>(value: &Cow<'a, X>, out: &mut W, n: i128, (): ()) -> Result<()> {
        B::write_fixed(value, out, n)
    }
}
