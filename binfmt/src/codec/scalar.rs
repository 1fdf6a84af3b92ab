//! Numbers, bool, unit: one table.

use super::form::{As, DecodeAs, EncodeAs};
use super::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Facts, Kind, Order, Shape, Sink, Source};
use core::marker::PhantomData;

macro_rules! numbers {
    ($($t:ident $shape:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Layout for $t {
            const FACTS: Facts<Self> = Facts::number();
            const SHAPE: Shape = $shape;
        }
        #[diagnostic::do_not_recommend]
        impl<'de> Decode<'de> for $t {
            #[inline(always)]
            fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
                if src.is_heard() {
                    src.mark(const { Kind::of($shape) }, O::LE);
                }
                let b = src.array()?;
                Ok(if O::LE { $t::from_le_bytes(b) } else { $t::from_be_bytes(b) })
            }
        }
        #[diagnostic::do_not_recommend]
        impl Encode for $t {
            #[inline(always)]
            fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
                out.array(if O::LE { self.to_le_bytes() } else { self.to_be_bytes() })
            }
        }
    )* };
}

numbers! {
    u8 Shape::Int { bytes: 1, signed: false };
    i8 Shape::Int { bytes: 1, signed: true };
    u16 Shape::Int { bytes: 2, signed: false };
    i16 Shape::Int { bytes: 2, signed: true };
    u32 Shape::Int { bytes: 4, signed: false };
    i32 Shape::Int { bytes: 4, signed: true };
    u64 Shape::Int { bytes: 8, signed: false };
    i64 Shape::Int { bytes: 8, signed: true };
    u128 Shape::Int { bytes: 16, signed: false };
    i128 Shape::Int { bytes: 16, signed: true };
    f32 Shape::Float { bytes: 4 };
    f64 Shape::Float { bytes: 8 };
}

// never plain memory: a byte of 2 is not a bool
#[diagnostic::do_not_recommend]
impl Layout for bool {
    const FACTS: Facts<Self> = Facts::exact(1).in_place(true);
    const SHAPE: Shape = Shape::Bool { lax: false };
}

#[diagnostic::do_not_recommend]
impl<'de> Decode<'de> for bool {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        src.mark(Kind::Bool, O::LE);
        let at = src.pos();
        let [b] = src.array::<1>()?;
        match b {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(Error::new(ErrorKind::InvalidBool { found }, at)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Encode for bool {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
        out.array([u8::from(*self)])
    }
}

/// `bool_lax`: every byte but 0 is true.
#[derive(Debug)]
pub struct BoolLax;

#[diagnostic::do_not_recommend]
impl As<bool> for BoolLax {
    const FACTS: Facts<bool> = Facts::exact(1).in_place(true);
    const SHAPE: Shape = Shape::Bool { lax: true };
}

#[diagnostic::do_not_recommend]
impl<'de> DecodeAs<'de, bool> for BoolLax {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<bool> {
        src.mark(Kind::Bool, O::LE);
        let [b] = src.array::<1>()?;
        Ok(b != 0)
    }
}

#[diagnostic::do_not_recommend]
impl EncodeAs<bool> for BoolLax {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &bool, out: &mut W, ctx: ()) -> Result<()> {
        value.encode::<O, W>(out, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl Layout for () {
    const FACTS: Facts<Self> = Facts::exact(0).in_place(true);
    const SHAPE: Shape = Shape::Unit;
}

#[diagnostic::do_not_recommend]
impl<'de> Decode<'de> for () {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(_: &mut S, _: ()) -> Result<Self> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl Encode for () {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(&self, _: &mut W, _: ()) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Layout for PhantomData<T> {
    const FACTS: Facts<Self> = Facts::exact(0).in_place(true);
    const SHAPE: Shape = Shape::Unit;
}

#[diagnostic::do_not_recommend]
impl<'de, T: ?Sized> Decode<'de> for PhantomData<T> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(_: &mut S, _: ()) -> Result<Self> {
        Ok(PhantomData)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Encode for PhantomData<T> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(&self, _: &mut W, _: ()) -> Result<()> {
        Ok(())
    }
}
