//! Records of a fixed size that stay where they are, and are decoded when they are asked for.

use super::check::NumItems;
use super::counted::ToEnd;
use super::items::{Items, not_exact, sequence};
use super::{Body, DecodeBody, EncodeBody};
use crate::codec::compound::decode_item;
use crate::codec::fingerprint::Tree;
use crate::codec::form::As;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{num_in, times};
use crate::wire::{Be, Cursor, Endian, Facts, Le, Order, Shape, Sink, Slice, Source};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

/// Records of a fixed size in a slice or a memory map: each is decoded when it is asked for, and nothing before.
///
/// As a field it stands with [`count`](crate::attributes#count), [`until_eof`](crate::attributes#until_eof) or another word that says where
/// it ends, and borrows from the input; [`new`](Records::new) takes any bytes. A `T` of variable size does not compile.
///
/// ```
/// use binfmt::{BinFormat, Records};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Sample { time: u32, value: f32 }
/// #[derive(BinFormat)]
/// struct Log<'a> {
///     num: u32,
///     #[binfmt(count = num)]
///     samples: Records<'a, Sample>,
/// }
/// let bytes = binfmt::to_vec(&(2u32, [(10u32, 1.5f32), (20, 2.5)]))?;
/// let log: Log<'_> = binfmt::from_slice(&bytes)?;
/// assert_eq!(log.samples.len(), 2);
/// assert_eq!(log.samples.get(1).unwrap()?, Sample { time: 20, value: 2.5 });
/// let times: Vec<u32> = log.samples.column(|sample| sample.time).iter().collect::<binfmt::Result<_>>()?;
/// assert_eq!(times, [10, 20]);
/// assert_eq!(binfmt::to_vec(&log)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct Records<'a, T> {
    /// The bytes, at their place in the input.
    src: Slice<'a>,
    order: Endian,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Layout> Records<'a, T> {
    /// The bytes of one record.
    const SIZE: usize = {
        let sizes = T::FACTS.sizes();
        assert!(sizes.min == sizes.max && sizes.min > 0, "binfmt: `Records` needs a type of a fixed size");
        sizes.min
    };

    /// The records of which these bytes consist, little-endian where the type does not say.
    ///
    /// ```
    /// use binfmt::Records;
    /// let records: Records<'_, (u8, u16)> = Records::new(&[1, 2, 0, 3, 4, 0])?;
    /// assert_eq!(records.get(1).unwrap()?, (3, 4));
    /// let e = Records::<(u8, u16)>::new(&[1, 2]).unwrap_err();
    /// assert_eq!(e.to_string(), "[0] at byte 0x0: 3 bytes needed, 2 remain");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes end in the middle of a record.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        Self::in_order(bytes, Endian::Little)
    }

    /// [`new`](Records::new) in a byte order.
    ///
    /// ```
    /// use binfmt::{Endian, Records};
    /// assert_eq!(Records::<u16>::in_order(&[1, 2], Endian::Big)?.get(0).unwrap()?, 0x0102);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Records::new).
    pub fn in_order(bytes: &'a [u8], order: Endian) -> Result<Self> {
        let src = Slice::new(bytes);
        whole::<T>(&src)?;
        Ok(Records { src, order, of: PhantomData })
    }

    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::Records::<u16>::new(&[1, 0, 2, 0])?.len(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        num_in(self.src.rest().len(), Self::SIZE)
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(binfmt::Records::<u16>::new(&[])?.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.src.rest().is_empty()
    }

    /// Their bytes.
    ///
    /// ```
    /// assert_eq!(binfmt::Records::<u16>::new(&[1, 0])?.bytes(), [1, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn bytes(&self) -> &'a [u8] {
        self.src.rest()
    }

    /// Some of them; nothing if there are not as many.
    ///
    /// ```
    /// let records = binfmt::Records::<u8>::new(&[1, 2, 3])?;
    /// assert_eq!(records.range(1..3).unwrap().bytes(), [2, 3]);
    /// assert!(records.range(1..4).is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn range(&self, range: Range<usize>) -> Option<Self> {
        let bytes = range.start.checked_mul(Self::SIZE)?..range.end.checked_mul(Self::SIZE)?;
        let src = self.src.record(self.src.rest().get(bytes)?);
        Some(Records { src, order: self.order, of: PhantomData })
    }

    /// One of them, in constant time; nothing if there are not as many.
    ///
    /// ```
    /// let records = binfmt::Records::<bool>::new(&[1, 2])?;
    /// assert!(records.get(0).unwrap()?);
    /// assert_eq!(records.get(1).unwrap().unwrap_err().to_string(), "[1] at byte 0x1: 0x02 is not a bool, expected 0 or 1");
    /// assert!(records.get(2).is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Its bytes are not a value of the type.
    #[inline]
    pub fn get(&self, n: usize) -> Option<Result<T>>
    where
        T: Decode<'a>,
    {
        let from = n.checked_mul(Self::SIZE)?;
        let bytes = self.src.rest().get(from..)?.get(..Self::SIZE)?;
        let mut src = self.src.record(bytes);
        let value = match self.order {
            Endian::Little => T::decode::<Le, _>(&mut src, ()),
            Endian::Big => T::decode::<Be, _>(&mut src, ()),
        };
        Some(match value {
            Ok(value) if src.rest().is_empty() => Ok(value),
            Ok(_) => Err(not_exact(Cursor::pos(&src)).within(Step::Index(n))),
            Err(e) => Err(e.within(Step::Index(n))),
        })
    }

    /// All of them, one after the other.
    ///
    /// ```
    /// let records = binfmt::Records::<u16>::new(&[1, 0, 2, 0])?;
    /// assert_eq!(records.iter().rev().collect::<binfmt::Result<Vec<u16>>>()?, [2, 1]);
    /// assert_eq!(records.iter().nth(1).unwrap()?, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn iter(&self) -> RecordsIter<'a, T> {
        RecordsIter { records: self.clone(), left: 0..self.len() }
    }

    /// What a function makes of each: mostly one of its fields. What else is in a record is decoded only as far as it is checked.
    ///
    /// ```
    /// let records = binfmt::Records::<(u8, u16)>::new(&[1, 2, 0, 3, 4, 0])?;
    /// let second = records.column(|record| record.1);
    /// assert_eq!((second.len(), second.get(1).unwrap()?), (2, 4));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn column<U, G: Fn(T) -> U>(&self, of: G) -> RecordsColumn<'a, T, G> {
        RecordsColumn { records: self.clone(), of }
    }
}

/// Refuses bytes that end in the middle of a record.
fn whole<T: Layout>(src: &Slice<'_>) -> Result<()> {
    let (bytes, size) = (src.rest().len(), Records::<'_, T>::SIZE);
    let n = num_in(bytes, size);
    match bytes.checked_sub(times(n, size)) {
        None | Some(0) => Ok(()),
        Some(left) => {
            let at = src.at().saturating_add(times(n, size));
            Err(Error::short(size, left, at as u64, src.is_narrowed()).within(Step::Index(n)))
        }
    }
}

impl<T> Clone for Records<'_, T> {
    fn clone(&self) -> Self {
        Records { src: self.src.clone(), order: self.order, of: PhantomData }
    }
}

impl<T: Layout> fmt::Debug for Records<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records({} of {} bytes)", self.len(), Self::SIZE)
    }
}

/// As many, and each the same. Bytes that are not a value equal none.
impl<'a, T: Decode<'a> + PartialEq> PartialEq for Records<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().zip(other.iter()).all(|pair| matches!(pair, (Ok(a), Ok(b)) if a == b))
    }
}

impl<'a, T: Decode<'a>> IntoIterator for &Records<'a, T> {
    type Item = Result<T>;
    type IntoIter = RecordsIter<'a, T>;

    fn into_iter(self) -> RecordsIter<'a, T> {
        self.iter()
    }
}

/// The records one after the other: see [`Records::iter`].
pub struct RecordsIter<'a, T> {
    records: Records<'a, T>,
    left: Range<usize>,
}

impl<T> fmt::Debug for RecordsIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordsIter").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a, T: Decode<'a>> Iterator for RecordsIter<'a, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        self.records.get(self.left.next()?)
    }

    fn nth(&mut self, n: usize) -> Option<Result<T>> {
        self.records.get(self.left.nth(n)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<'a, T: Decode<'a>> DoubleEndedIterator for RecordsIter<'a, T> {
    fn next_back(&mut self) -> Option<Result<T>> {
        self.records.get(self.left.next_back()?)
    }
}

impl<'a, T: Decode<'a>> ExactSizeIterator for RecordsIter<'a, T> {}
impl<'a, T: Decode<'a>> FusedIterator for RecordsIter<'a, T> {}

/// What a function makes of each record: see [`Records::column`].
pub struct RecordsColumn<'a, T, G> {
    records: Records<'a, T>,
    of: G,
}

impl<T: Layout, G> fmt::Debug for RecordsColumn<'_, T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordsColumn").field("records", &self.records).finish_non_exhaustive()
    }
}

impl<'a, T: Decode<'a>, G> RecordsColumn<'a, T, G> {
    /// How many values.
    ///
    /// ```
    /// assert_eq!(binfmt::Records::<u8>::new(&[1, 2])?.column(|n| n).len(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(binfmt::Records::<u8>::new(&[])?.column(|n| n).is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// One of them, in constant time.
    ///
    /// ```
    /// assert_eq!(binfmt::Records::<u8>::new(&[1, 2])?.column(|n| n * 2).get(1).unwrap()?, 4);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Records::get`].
    #[inline]
    pub fn get<U>(&self, n: usize) -> Option<Result<U>>
    where
        G: Fn(T) -> U,
    {
        Some(self.records.get(n)?.map(&self.of))
    }

    /// All of them.
    ///
    /// ```
    /// let column = binfmt::Records::<u8>::new(&[1, 2])?.column(|n| n * 2);
    /// assert_eq!(column.iter().collect::<binfmt::Result<Vec<u8>>>()?, [2, 4]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn iter<U>(&self) -> impl ExactSizeIterator<Item = Result<U>> + DoubleEndedIterator
    where
        G: Fn(T) -> U,
    {
        self.records.iter().map(|record| record.map(&self.of))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Layout> NumItems for Records<'_, T> {
    fn num_items(&self) -> usize {
        self.len()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Layout> Body<Records<'a, T>> for Items {
    const ITEM_MIN: usize = Records::<'a, T>::SIZE;
    const IS_CLAIMED: bool = T::FACTS.is_claimed();
    const ITEM_MAX: usize = Records::<'a, T>::SIZE;
    const SHAPE: Shape = sequence::<T>();
    const TREE: Tree = Tree::around(sequence::<T>(), &T::TREE);
    #[inline(always)]
    fn len(v: &Records<'a, T>) -> usize {
        v.len()
    }
}

/// By itself it goes to the end, so that a region gives it one.
impl<T: Layout> Layout for Records<'_, T> {
    const FACTS: Facts<Self> = <ToEnd<Items> as As<Self>>::FACTS;
    const SHAPE: Shape = <ToEnd<Items> as As<Self>>::SHAPE;
    const TREE: Tree = <ToEnd<Items> as As<Self>>::TREE;
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, T: Decode<'de>> Decode<'de> for Records<'a, T> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (): ()) -> Result<Self> {
        <Items as DecodeBody<'de, Self>>::to_end::<O, S>(src, ())
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Decode<'a> + Encode> Encode for Records<'a, T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, (): ()) -> Result<()> {
        <Items as EncodeBody<Self>>::put::<O, W>(self, out, ())
    }
}

/// The records that are the next bytes of a source, as many as `held` has.
fn held<'de: 'a, 'a, O: Order, S: Source<'de>, T: Decode<'de>>(
    src: &mut S,
    held: Slice<'de>,
) -> Result<Records<'a, T>> {
    whole::<T>(&held)?;
    match src.is_heard() {
        // a dump has what is inside
        true => {
            for i in 0..num_in(held.rest().len(), Records::<'_, T>::SIZE) {
                decode_item::<O, S, T, ()>(src, i, ())?;
            }
        }
        false => src.skip(held.rest().len() as u64)?,
    }
    Ok(Records { src: held, order: Endian::of::<O>(), of: PhantomData })
}

#[cold]
fn no_slice<'de, S: Source<'de>>(src: &S) -> Error {
    Error::new(ErrorKind::CannotBorrow, src.pos())
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, T: Decode<'de>> DecodeBody<'de, Records<'a, T>> for Items {
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, (): ()) -> Result<Records<'a, T>> {
        let all = src.lend().ok_or_else(|| no_slice(src))?;
        let size = times(n, Records::<'a, T>::SIZE);
        let bytes = all.rest().get(..size).ok_or_else(|| all.end_before(size))?;
        held::<O, S, T>(src, all.record(bytes))
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, (): ()) -> Result<Records<'a, T>> {
        let all = src.lend().ok_or_else(|| no_slice(src))?;
        held::<O, S, T>(src, all)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Decode<'a> + Encode> EncodeBody<Records<'a, T>> for Items {
    fn put<O: Order, W: Sink>(v: &Records<'a, T>, out: &mut W, (): ()) -> Result<()> {
        if v.order == Endian::of::<O>() {
            return out.bytes(v.src.rest(), 0);
        }
        v.iter().try_for_each(|record| record?.encode::<O, W>(out, ()))
    }
}
