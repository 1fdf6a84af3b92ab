//! The usual body of each type: UTF-8 text, raw bytes, elements one after the other.

use super::text::{TextBody, Utf8};
use super::{Body, DecodeBody, EncodeBody};
use crate::codec::Layout;
use crate::codec::fingerprint::Tree;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Order, Shape, Sink, Source};

/// Text, bytes or elements, as the Rust type says. The context goes to each element.
#[derive(Debug)]
pub struct Items;

macro_rules! same_as {
    ($(impl [$($g:tt)*] $W:ty = $B:ty, $T:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Body<$T> for $W {
            const ITEM_MIN: usize = 1;
            const ITEM_MAX: usize = 1;
            const SHAPE: Shape = <$B as Body<$T>>::SHAPE;
            const TREE: Tree = <$B as Body<$T>>::TREE;
            #[inline(always)]
            fn len(v: &$T) -> usize {
                <$B as Body<$T>>::len(v)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<'de, $($g)*> DecodeBody<'de, $T> for $W where $B: DecodeBody<'de, $T> {
            #[inline(always)]
            fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<$T> {
                <$B as DecodeBody<'de, $T>>::body::<O, S>(src, n, ctx)
            }
            #[inline]
            fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<$T> {
                <$B as DecodeBody<'de, $T>>::to_end::<O, S>(src, ctx)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($g)*> EncodeBody<$T> for $W {
            #[inline(always)]
            fn put<O: Order, W: Sink>(v: &$T, out: &mut W, ctx: ()) -> Result<()> {
                <$B as EncodeBody<$T>>::put::<O, W>(v, out, ctx)
            }
        }
    )* };
}

same_as! {
    impl ['a] Items = TextBody<Utf8, false>, &'a str;
}

/// Elements one after the other, however long the list is.
pub(crate) const fn sequence<T: Layout>() -> Shape {
    Shape::Sequence { item: || T::SHAPE }
}

#[cold]
pub(crate) fn not_exact(at: u64) -> Error {
    Error::new(ErrorKind::Message("this type declares a fixed size, but reads less".into()), at)
}

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub(crate) use owned::*;
