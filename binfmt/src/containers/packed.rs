//! Lists whose elements have any number of bits and begin where the one before ends, inside a byte or not.

use super::bits::{as_number, is_signed, of_number, size_of_value};
use super::{Body, EncodeBody};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::{DecodeOwned, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{after, inside, num_in, plus, times};
use crate::wire::packing::{EMPTY, GROUP, Packer, Packing, Room, bytes_of};
use crate::wire::raw::bulk;
use crate::wire::{BitOrder, Facts, Kind, Order, Shape, Sink, Source};
use core::marker::PhantomData;
use core::ops::Deref;

/// `bits(WIDTH)` on a list. `ORDER` is 1 for the highest bit first, 2 for the lowest, 0 for that of the byte order; with `STRICT` the
/// bits that are left of the last byte must be zero.
#[derive(Debug)]
pub struct BitItems<const WIDTH: u8, const ORDER: u8, const STRICT: bool>;

impl<const WIDTH: u8, const ORDER: u8, const STRICT: bool> BitItems<WIDTH, ORDER, STRICT> {
    const BIT_ORDER: Option<BitOrder> = match ORDER {
        1 => Some(BitOrder::Msb),
        2 => Some(BitOrder::Lsb),
        _ => None,
    };

    #[inline(always)]
    const fn packing<O: Order>() -> Packing {
        Packing::new(WIDTH, Self::BIT_ORDER, O::LE)
    }

    #[inline(always)]
    pub(crate) fn put_all<O: Order, W: Sink, T: Layout + Encode>(items: &[T], out: &mut W) -> Result<()> {
        let (size, signed) = const { (size_of_value::<T>(WIDTH, false), is_signed::<T>()) };
        put(items, Self::packing::<O>(), out, |item| Ok((as_number::<O, T>(item, size)?, signed)))
    }

    #[inline(always)]
    fn element<O: Order, T: Layout + DecodeOwned>(bits: u128) -> Result<T> {
        let (size, signed) = const { (size_of_value::<T>(WIDTH, false), is_signed::<T>()) };
        of_number::<O, T>(Self::packing::<O>().value(bits, signed), size)
    }
}

/// What a description tells of an element.
struct Element<T, const WIDTH: u8, const ORDER: u8, const STRICT: bool>(PhantomData<T>);

impl<T: Layout, const WIDTH: u8, const ORDER: u8, const STRICT: bool> Element<T, WIDTH, ORDER, STRICT> {
    const SHAPE: Shape = {
        let _ = size_of_value::<T>(WIDTH, false);
        let order = BitItems::<WIDTH, ORDER, STRICT>::BIT_ORDER;
        Shape::Packed { bits: WIDTH, order, strict: STRICT, body: || T::SHAPE }
    };
    const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
}

#[diagnostic::do_not_recommend]
impl<T: Layout, L: Deref<Target = [T]>, const WIDTH: u8, const ORDER: u8, const STRICT: bool> Body<L>
    for BitItems<WIDTH, ORDER, STRICT>
{
    // an element may have no byte of its own: how many bytes all have is looked at when their number is known
    const ITEM_MIN: usize = 0;
    const ITEM_MAX: usize = Packing::new(WIDTH, None, true).bytes(1);
    const BITS: u8 = WIDTH;
    const SHAPE: Shape = Shape::Sequence { item: || Element::<T, WIDTH, ORDER, STRICT>::SHAPE };
    const TREE: Tree = Tree::around(<Self as Body<L>>::SHAPE, &Element::<T, WIDTH, ORDER, STRICT>::TREE);
    #[inline(always)]
    fn len(v: &L) -> usize {
        v.len()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Layout + Encode, L: Deref<Target = [T]>, const WIDTH: u8, const ORDER: u8, const STRICT: bool>
    EncodeBody<L> for BitItems<WIDTH, ORDER, STRICT>
{
    #[inline]
    fn put<O: Order, W: Sink>(v: &L, out: &mut W, _: ()) -> Result<()> {
        Self::put_all::<O, W, T>(v, out)
    }
}

/// Writes elements: `number` says which number the bits of one are, and whether it has a sign.
#[inline(always)]
pub(crate) fn put<W: Sink, T>(
    items: &[T],
    packing: Packing,
    out: &mut W,
    mut number: impl FnMut(&T) -> Result<(u128, bool)>,
) -> Result<()> {
    if W::COUNT {
        return out.fill(0, packing.bytes(items.len()) as u64);
    }
    let (start, mut packer, mut room, mut done) = (out.pos(), Packer::new(packing), EMPTY, 0_usize);
    let mut push = |packer: &mut Packer, room: &mut Room, item: &T, i: usize| match number(item) {
        Ok(number) => packer.push(number, room, 0).map_err(|e| of_element(e, packing, (0, i), start)),
        Err(e) => Err(of_element(e, packing, (0, i), start)),
    };
    let (groups, rest) = items.as_chunks::<GROUP>();
    for group in groups {
        for (i, item) in group.iter().enumerate() {
            push(&mut packer, &mut room, item, done.wrapping_add(i))?;
        }
        packer.settle(&mut room);
        done = done.wrapping_add(GROUP);
        if packer.is_full() {
            out.bytes(packer.flush(&room), 0)?;
        }
    }
    for (i, item) in rest.iter().enumerate() {
        push(&mut packer, &mut room, item, done.wrapping_add(i))?;
    }
    packer.settle(&mut room);
    out.bytes(packer.flush(&room), 0)
}

/// The error of element `i` of those whose bytes begin at `start`, after so many others. It counts from the byte in which the element begins.
#[cold]
#[inline(never)]
fn of_element(e: Error, packing: Packing, (others, i): (usize, usize), start: u64) -> Error {
    e.shifted(after(start, packing.begins(i))).within(Step::Index(plus(others, i)))
}

/// That many elements are not read as one more where they are read to the end: the bits that they leave would be one.
#[inline(always)]
pub(crate) fn ends_here(bits: u8, n: usize, at: u64) -> Result<()> {
    match bits > 0 && Packing::new(bits, None, true).spare(n) >= bits {
        true => Err(has_room(at)),
        false => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn has_room(at: u64) -> Error {
    let text = "the last byte has room for one more element, which would be read";
    Error::new(ErrorKind::Message(text.into()), at)
}

/// Tells a tracing source what the bytes of `n` elements are.
#[inline(always)]
fn tell<'de, S: Source<'de>>(src: &mut S, (packing, signed): (Packing, bool), n: usize, little: bool) {
    if src.is_heard() {
        let (bits, lowest) = (packing.width(), packing.is_lowest_first());
        src.mark(Kind::Packed { bits, lowest, signed, num: n }, little);
    }
}

/// The last of the bytes that `n` elements have, or the last of them: bits that no element has must be zero there if they are looked at.
fn has_zeros(packing: Packing, n: usize, bytes: &[u8], start: u64) -> Result<()> {
    let len = packing.bytes(n);
    match inside(bytes, ..len).last().map_or(0, |last| packing.rest(n, *last)) {
        0 => Ok(()),
        found => {
            let at = after(start, (len as u64).wrapping_sub(1));
            Err(Error::new(ErrorKind::Padding { expected: 0, found }, at))
        }
    }
}

/// The bytes that so many elements need are not there.
#[cold]
#[inline(never)]
fn too_many<'de, S: Source<'de>>(n: usize, needed: usize, src: &S) -> Error {
    let remaining = src.left().map(|n| n as u64);
    let (count, needed, in_region) = (n as u64, needed as u64, src.in_region());
    Error::new(ErrorKind::CountTooLarge { count, needed, remaining, in_region }, src.pos())
}

/// `bits(WIDTH)` and `count = COUNT` on an array, as [`BitItems`].
#[derive(Debug)]
pub struct BitArray<const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool>;

#[diagnostic::do_not_recommend]
impl<T: Layout, const N: usize, const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool>
    As<[T; N]> for BitArray<COUNT, WIDTH, ORDER, STRICT>
{
    const FACTS: Facts<[T; N]> = {
        assert!(N == COUNT, "`count` is the number of elements of the array");
        Facts::exact(bytes_of(WIDTH, N)).in_place(true)
    };
    const SHAPE: Shape = Shape::Array { num: N, item: || Element::<T, WIDTH, ORDER, STRICT>::SHAPE };
    const TREE: Tree = Tree::around(<Self as As<[T; N]>>::SHAPE, &Element::<T, WIDTH, ORDER, STRICT>::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, T, const N: usize, const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool>
    DecodeAs<'de, [T; N]> for BitArray<COUNT, WIDTH, ORDER, STRICT>
where
    T: Layout + DecodeOwned,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<[T; N]> {
        let (at, packing) = (src.pos(), BitItems::<WIDTH, ORDER, STRICT>::packing::<O>());
        let needed = packing.bytes(N);
        if src.left().is_some_and(|left| needed > left) {
            return Err(too_many(N, needed, src));
        }
        tell(src, (packing, const { is_signed::<T>() }), N, O::LE);
        let bytes = src.take(needed)?.bytes();
        if STRICT {
            has_zeros(packing, N, bytes, at)?;
        }
        bulk::array(|i| {
            let (group, place) = (num_in(i, GROUP), i % GROUP);
            let bits = packing.get(inside(bytes, times(group, packing.group())..), place);
            let made = BitItems::<WIDTH, ORDER, STRICT>::element::<O, T>(bits);
            made.map_err(|e| of_element(e, packing, (0, i), at))
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize, const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool>
    EncodeAs<[T; N]> for BitArray<COUNT, WIDTH, ORDER, STRICT>
where
    T: Layout + Encode,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &[T; N], out: &mut W, _: ()) -> Result<()> {
        BitItems::<WIDTH, ORDER, STRICT>::put_all::<O, W, T>(value, out)
    }
}

#[cfg(feature = "alloc")]
mod lists;
#[cfg(feature = "dynamic")]
pub(crate) use lists::Reading;
