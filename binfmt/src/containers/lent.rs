//! Slices of values that are lent from the input: `&[T]` where the memory of the values is their bytes.

use super::items::Items;
use super::text::{AnyBytes, TextBody};
use super::{Body, DecodeBody, EncodeBody};
use crate::codec::compound::encode_items;
use crate::codec::fingerprint::Tree;
use crate::codec::refuse::assert_item;
use crate::codec::{Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, num_in, times};
use crate::wire::raw::lent::{Unlent, lent};
use crate::wire::{Be, Kind, Le, Order, Shape, Sink, Source};
use alloc::format;
use alloc::vec::Vec;

/// The same bytes as text without an encoding, which is what a slice of bytes is.
type Bytes = TextBody<AnyBytes, false>;

const fn is_byte<T: Layout>() -> bool {
    matches!(T::SHAPE, Shape::Int { bytes: 1, signed: false }) && size_of::<T>() == 1
}

#[diagnostic::do_not_recommend]
impl<'a, T: Layout> Body<&'a [T]> for Items {
    const ITEM_MIN: usize = T::FACTS.sizes().min;
    const ITEM_MAX: usize = T::FACTS.sizes().max;
    const SHAPE: Shape = match is_byte::<T>() {
        true => <Bytes as Body<&'a [u8]>>::SHAPE,
        false => <Items as Body<Vec<T>>>::SHAPE,
    };
    const TREE: Tree = match is_byte::<T>() {
        true => <Bytes as Body<&'a [u8]>>::TREE,
        false => <Items as Body<Vec<T>>>::TREE,
    };
    #[inline(always)]
    fn len(v: &&'a [T]) -> usize {
        v.len()
    }
}

/// The values of the bytes that `read` takes from a source.
#[inline(always)]
fn next<'de, 'a, O: Order, S: Source<'de>, T: Layout>(
    src: &mut S,
    read: impl FnOnce(&mut S) -> Result<&'a [u8]>,
) -> Result<&'a [T]> {
    const {
        assert!(
            T::FACTS.is_plain::<Le>() || T::FACTS.is_plain::<Be>(),
            "binfmt: `&[T]` is lent where the memory of `T` is its bytes on the wire, as of numbers, arrays and structs of them \
             without padding: use `Vec<T>` or `Records<T>`"
        );
    }
    let at = src.pos();
    let bytes = read(src)?;
    if !is_byte::<T>() {
        // who knows the bytes better says so last
        src.mark(Kind::of(T::SHAPE), O::LE);
    }
    lent::<O, T>(T::FACTS, bytes).map_err(|why| unlent(why, align_of::<T>(), at))
}

#[cold]
fn unlent(why: Unlent, align: usize, at: u64) -> Error {
    let kind = match why {
        Unlent::Order => {
            let own = if cfg!(target_endian = "little") { "little" } else { "big" };
            let text = format!("a slice cannot be lent in this byte order: memory is {own}-endian");
            ErrorKind::Message(text.into())
        }
        Unlent::Beyond(beyond) => ErrorKind::Unaligned { align, beyond },
    };
    Error::new(kind, at)
}

/// Where the last value is cut off.
#[cold]
fn cut<'de, S: Source<'de>>(src: &S, left: usize, size: usize, at: u64) -> Error {
    Error::short(size, left, at, src.in_region())
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, T: Layout> DecodeBody<'de, &'a [T]> for Items {
    #[inline(always)]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, (): ()) -> Result<&'a [T]> {
        let bytes = times(n, T::FACTS.sizes().min);
        next::<O, S, T>(src, |src| <Bytes as DecodeBody<'de, &'a [u8]>>::body::<O, S>(src, bytes, ()))
    }

    #[inline]
    fn to_end<O: Order, S: Source<'de>>(src: &mut S, (): ()) -> Result<&'a [T]> {
        let (at, size) = (src.pos(), T::FACTS.sizes().min.max(1));
        next::<O, S, T>(src, |src| {
            let bytes = <Bytes as DecodeBody<'de, &'a [u8]>>::to_end::<O, S>(src, ())?;
            let whole = times(num_in(bytes.len(), size), size);
            match bytes.len().checked_sub(whole) {
                None | Some(0) => Ok(bytes),
                Some(left) => Err(cut(src, left, size, after(at, whole as u64))),
            }
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T: Encode> EncodeBody<&[T]> for Items {
    #[inline(always)]
    fn put<O: Order, W: Sink>(v: &&[T], out: &mut W, (): ()) -> Result<()> {
        const { assert_item(T::FACTS) };
        encode_items::<O, W, T, ()>(v, out, ())
    }
}
