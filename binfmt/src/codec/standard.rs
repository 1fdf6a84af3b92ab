//! Types of the standard library that are numbers, bytes or what another type is.

use super::fingerprint::Tree;
use super::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Facts, Order, Shape, Sink, Source};
use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::NonZero;

macro_rules! non_zero {
    ($($t:ident)*) => { $(
        // never plain memory: 0 is not a value
        #[diagnostic::do_not_recommend]
        impl Layout for NonZero<$t> {
            const FACTS: Facts<Self> = Facts::exact(size_of::<$t>()).in_place(true);
            const SHAPE: Shape = Shape::NonZero { bytes: size_of::<$t>() as u8, signed: $t::MIN != 0 };
        }

        #[diagnostic::do_not_recommend]
        impl<'de> Decode<'de> for NonZero<$t> {
            #[inline(always)]
            fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
                let at = src.pos();
                match NonZero::new($t::decode::<O, S>(src, ctx)?) {
                    Some(n) => Ok(n),
                    None => Err(zero(at, $t::MIN != 0)),
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl Encode for NonZero<$t> {
            #[inline(always)]
            fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: ()) -> Result<()> {
                self.get().encode::<O, W>(out, ctx)
            }
        }
    )* };
}
non_zero!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128);

/// What a number that is not zero may be.
pub(crate) const fn not_zero(signed: bool) -> &'static str {
    if signed { "..0 or 1.." } else { "1.." }
}

#[cold]
#[inline(never)]
fn zero(at: u64, signed: bool) -> Error {
    Error::new(ErrorKind::OutOfRange { found: "0".into(), expected: not_zero(signed).into() }, at)
}

macro_rules! addresses {
    ($($t:ident $n:literal;)*) => { $(
        // in network order, whatever holds around it
        #[diagnostic::do_not_recommend]
        impl Layout for $t {
            const FACTS: Facts<Self> = Facts::exact($n).in_place(true);
            const SHAPE: Shape = <[u8; $n] as Layout>::SHAPE;
            const TREE: Tree = <[u8; $n] as Layout>::TREE;
        }

        #[diagnostic::do_not_recommend]
        impl<'de> Decode<'de> for $t {
            #[inline(always)]
            fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
                <[u8; $n]>::decode::<O, S>(src, ctx).map($t::from)
            }
        }

        #[diagnostic::do_not_recommend]
        impl Encode for $t {
            #[inline(always)]
            fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
                out.array(self.octets())
            }
        }
    )* };
}
addresses! {
    Ipv4Addr 4;
    Ipv6Addr 16;
}
