//! Elements in a vector or box.
//!
//! The idea: one pair of functions decodes and encodes elements for every form that holds some (`Vec`, `Box<[T]>`, arrays of
//! several dimensions, columns), in three gears that give the same values and the same errors. Plain elements are copied at
//! once. Records of a constant size that own no memory are decoded each from a source of its own, in which every check is a
//! constant. All others go one by one, with the check for memory before the element, so that it is built in its place. Which
//! gear runs is a constant of the type; only whether the source lends its bytes is asked at run time.

#![allow(clippy::arithmetic_side_effects, reason = "lengths of a vector that only grows")]

use super::{Items, not_exact, sequence};
use crate::codec::compound::{decode_item, encode_items};
use crate::codec::fingerprint::Tree;
use crate::codec::refuse::assert_item;
use crate::codec::{Decode, Encode, Layout};
use crate::containers::bytes::BLOCK;
use crate::containers::text::{AnyBytes, Lend, TextBody, Utf8};
use crate::containers::{Body, DecodeBody, EncodeBody};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{after, between, known, num_in, plus, times, times64};
use crate::wire::limits::max_empty_items;
use crate::wire::raw::{bulk, short};
use crate::wire::{Be, Cursor, Kind, Le, Order, Shape, Sink, Slice, Source};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::needs_drop;

same_as! {
    impl [] Items = TextBody<Utf8, false>, String;
    impl [] Items = TextBody<Utf8, false>, Box<str>;
    impl ['a] Items = TextBody<Utf8, false>, Cow<'a, str>;
    impl ['a] Lend<Items> = Lend<TextBody<Utf8, false>>, Cow<'a, str>;
    impl ['a] Items = TextBody<AnyBytes, false>, Cow<'a, [u8]>;
    impl ['a] Lend<Items> = Lend<TextBody<AnyBytes, false>>, Cow<'a, [u8]>;
}

/// Elements whose memory is their wire form, in one byte order or the other: nothing is nested in them.
pub(crate) const fn is_flat<T: Layout>() -> bool {
    T::FACTS.is_bulk::<Le>() || T::FACTS.is_bulk::<Be>()
}

#[cold]
pub(crate) fn endless(at: u64) -> Error {
    Error::new(ErrorKind::Endless, at)
}

/// Whether elements that are plain memory are moved at once: a tracing source wants to hear of the fields of records.
#[inline(always)]
fn at_once<'de, S: Source<'de>, T: Layout>(src: &S) -> bool {
    !src.is_heard() || T::SHAPE.is_scalar()
}

/// What elements are, to a source that listens.
#[inline(always)]
fn tell<'de, O: Order, S: Source<'de>, T: Layout>(src: &mut S) {
    if src.is_heard() {
        src.mark(Kind::of(T::SHAPE), O::LE);
    }
}

/// Room for n elements: all of it where a slice has proved them, a block where they have yet to come.
#[inline(always)]
pub(crate) fn reserve<'de, S: Source<'de>, T: Layout>(src: &mut S, n: usize, v: &mut Vec<T>) -> Result<()> {
    let room = if src.left().is_some() && T::FACTS.sizes().min > 0 {
        n
    } else {
        n.min(BLOCK.checked_div(size_of::<T>()).unwrap_or(BLOCK).max(1))
    };
    src.charge(times(room, size_of::<T>()))?;
    bulk::try_room_exact(v, room).map_err(|e| e.at(src.pos()))
}

/// n elements appended to `v`.
#[inline(always)]
pub(crate) fn decode_into<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C: Copy>(
    src: &mut S,
    n: usize,
    v: &mut Vec<T>,
    ctx: C,
) -> Result<()> {
    if const { T::FACTS.is_bulk::<O>() } && at_once::<S, T>(src) {
        tell::<O, S, T>(src);
        return src.bulk::<O, T>(T::FACTS, n, v);
    }
    // records of a constant size that own no memory: nothing is charged in between, so each may have a source of its own
    if const { T::FACTS.sizes().exact().is_some() && T::FACTS.sizes().min > 0 && !needs_drop::<T>() }
        && let Some((all, source)) = src.run(n, T::FACTS.sizes().min)?
    {
        let start = v.len();
        let mut records =
            all.chunks_exact(const { if T::FACTS.sizes().min == 0 { 1 } else { T::FACTS.sizes().min } });
        let at = source.at() as u64;
        let made = bulk::fill(v, n, at, || one_record::<O, T, C>(&source, known(records.next()), ctx));
        return match made {
            Ok(()) => Ok(()),
            Err(e) => Err(e.within(Step::Index(v.len() - start))),
        };
    }
    let start = v.len();
    let end = plus(start, n);
    while v.len() < end {
        // before the element is decoded: a growing path after it would put it into memory twice
        if v.len() == v.capacity() {
            let more = v.len().max(16).min(end - v.len());
            src.charge(times(more, size_of::<T>()))?;
            bulk::try_room(v, more).map_err(|e| e.at(src.pos()))?;
        }
        let (at, i) = (src.pos(), v.len() - start);
        let item = decode_item::<O, S, T, C>(src, i, ctx)?;
        bulk::push(v, item);
        if const { T::FACTS.sizes().min == 0 } && src.pos() == at {
            add_empty(src, n, const { max_empty_items::<T>() })?;
        }
    }
    Ok(())
}

/// Counts an element of a sequence of `n` that has taken no bytes. Nothing on the wire bounds how many there are, nor how many
/// there are in each other: of all in one value there may be `max`, and some for each byte that was read.
#[cold]
#[inline(never)]
pub(crate) fn add_empty<'de, S: Source<'de>>(src: &mut S, n: usize, max: usize) -> Result<()> {
    const FOR_A_BYTE: u64 = 4;
    let at = src.pos();
    let empty = src.budget_mut().0.add_empty();
    if u64::from(empty) <= after(max as u64, times64(at, FOR_A_BYTE)) {
        return Ok(());
    }
    let count = (n as u64).max(empty.into());
    Err(Error::new(ErrorKind::TooManyEmpty { count, max: max as u64 }, at))
}

#[inline(always)]
fn one_record<'de, O: Order, T: Decode<'de, C>, C>(
    source: &Slice<'de>,
    bytes: &'de [u8],
    ctx: C,
) -> Result<T> {
    let mut src = source.record(bytes);
    let value = T::decode::<O, Slice<'de>>(&mut src, ctx)?;
    if src.rest().is_empty() { Ok(value) } else { Err(not_exact(src.pos())) }
}

/// Elements to the end of the input or region, appended to `v`.
#[inline(always)]
pub(crate) fn decode_to_end<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C: Copy>(
    src: &mut S,
    v: &mut Vec<T>,
    ctx: C,
) -> Result<()> {
    let start = v.len();
    if const { T::FACTS.is_bulk::<O>() } && at_once::<S, T>(src) {
        tell::<O, S, T>(src);
        let k = T::FACTS.sizes().min.max(1);
        loop {
            let n = num_in(src.chunk()?, k);
            if n == 0 {
                break;
            }
            src.bulk::<O, T>(T::FACTS, n, v)?;
        }
    }
    let begin = src.pos();
    while !src.at_end()? {
        if v.len() == v.capacity() {
            let done = v.len() - start;
            let more = foreseen(done, between(begin, src.pos()), src.left());
            src.charge(times(more, size_of::<T>()))?;
            bulk::try_room(v, more).map_err(|e| e.at(src.pos()))?;
        }
        // as many as there is room for, without a look at the vector
        bulk::fill_room(v, src, S::at_end, |src, len| {
            let at = src.pos();
            let item = decode_item::<O, S, T, C>(src, len.wrapping_sub(start), ctx)?;
            match const { T::FACTS.sizes().min == 0 } && src.pos() == at {
                true => Err(endless(at)),
                false => Ok(item),
            }
        })?;
    }
    Ok(())
}

/// How many elements more to make room for, when `n` took that many bytes and that many are left: what is left at the same
/// size, and a little more; where that is unknown, as many again.
#[cold]
#[inline(never)]
fn foreseen(n: usize, bytes: u64, left: Option<usize>) -> usize {
    let Some(left) = left.filter(|_| n >= 16) else { return n.max(16) };
    let size = bytes.checked_div(n as u64).unwrap_or(1).max(1);
    // in memory, so that it is a `usize`
    let rest = (left as u64).checked_div(size).map_or(left, |rest| rest as usize);
    plus(plus(rest, rest >> 4), 16)
}

#[diagnostic::do_not_recommend]
impl<T: Layout> Body<Vec<T>> for Items {
    const ITEM_MIN: usize = T::FACTS.sizes().min;
    const IS_CLAIMED: bool = T::FACTS.is_claimed();
    const ITEM_MAX: usize = T::FACTS.sizes().max;
    const SHAPE: Shape = sequence::<T>();
    const TREE: Tree = Tree::around(sequence::<T>(), &T::TREE);
    #[inline(always)]
    fn len(v: &Vec<T>) -> usize {
        v.len()
    }
}

#[diagnostic::do_not_recommend]
impl<'de, C: Copy, T: Decode<'de, C>> DecodeBody<'de, Vec<T>, C> for Items {
    #[inline(always)]
    fn item_min(ctx: &C) -> usize {
        T::min_size(ctx)
    }

    #[inline(always)]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: C) -> Result<Vec<T>> {
        if const { T::FACTS.is_bulk::<O>() && size_of::<T>() == 1 }
            && src.left().is_some()
            && at_once::<S, T>(src)
        {
            tell::<O, S, T>(src);
            src.charge(n)?;
            let mut v = Vec::new();
            let at = src.pos();
            short::extend_short::<O, T>(T::FACTS, src.take(n)?.bytes(), &mut v).map_err(|e| e.at(at))?;
            return Ok(v);
        }
        let mut v = Vec::new();
        if const { is_flat::<T>() } {
            decode_into::<O, S, T, C>(src, n, &mut v, ctx)?;
            return Ok(v);
        }
        src.enter()?;
        reserve(src, n, &mut v)?;
        decode_into::<O, S, T, C>(src, n, &mut v, ctx)?;
        src.leave();
        Ok(v)
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Vec<T>> {
        if const { T::FACTS.is_bulk::<O>() && size_of::<T>() == 1 }
            && let Some(left) = src.left()
        {
            return <Self as DecodeBody<'de, Vec<T>, C>>::body::<O, S>(src, left, ctx);
        }
        let mut v = Vec::new();
        if const { is_flat::<T>() } {
            decode_to_end::<O, S, T, C>(src, &mut v, ctx)?;
            return Ok(v);
        }
        src.enter()?;
        decode_to_end::<O, S, T, C>(src, &mut v, ctx)?;
        src.leave();
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Copy, T: Encode<C>> EncodeBody<Vec<T>, C> for Items {
    #[inline(always)]
    fn put<O: Order, W: Sink>(v: &Vec<T>, out: &mut W, ctx: C) -> Result<()> {
        const { assert_item(T::FACTS) };
        encode_items::<O, W, T, C>(v, out, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Layout> Body<Box<[T]>> for Items {
    const ITEM_MIN: usize = T::FACTS.sizes().min;
    const IS_CLAIMED: bool = T::FACTS.is_claimed();
    const ITEM_MAX: usize = T::FACTS.sizes().max;
    const SHAPE: Shape = sequence::<T>();
    const TREE: Tree = Tree::around(sequence::<T>(), &T::TREE);
    #[inline(always)]
    fn len(v: &Box<[T]>) -> usize {
        v.len()
    }
}

#[diagnostic::do_not_recommend]
impl<'de, C: Copy, T: Decode<'de, C>> DecodeBody<'de, Box<[T]>, C> for Items {
    #[inline(always)]
    fn item_min(ctx: &C) -> usize {
        T::min_size(ctx)
    }

    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: C) -> Result<Box<[T]>> {
        <Items as DecodeBody<'de, Vec<T>, C>>::body::<O, S>(src, n, ctx).map(Vec::into_boxed_slice)
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Box<[T]>> {
        <Items as DecodeBody<'de, Vec<T>, C>>::to_end::<O, S>(src, ctx).map(Vec::into_boxed_slice)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Copy, T: Encode<C>> EncodeBody<Box<[T]>, C> for Items {
    #[inline]
    fn put<O: Order, W: Sink>(v: &Box<[T]>, out: &mut W, ctx: C) -> Result<()> {
        const { assert_item(T::FACTS) };
        encode_items::<O, W, T, C>(v, out, ctx)
    }
}
