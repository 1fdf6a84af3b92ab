//! How each wire form of a field fills a column, and writes from one.
//!
//! Which column holds a field is decided by trait resolution on its wire form, as is how a single value is read: the derive
//! needs no code for any combination of words. A form around another one (an order, a padding) has the column of the inner one.
#![allow(clippy::arithmetic_side_effects, reason = "places in a record and rows of a column")]

use super::data::ColumnData;
use crate::codec::compound::encode_items;
use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
use crate::codec::integer::{Int, IntegerForm};
use crate::codec::scalar::BoolLax;
use crate::codec::{DecodeOwned, Encode};
use crate::containers::ended::Ended;
use crate::containers::integers::IntArray;
use crate::containers::items::{decode_into, reserve};
use crate::containers::kept::Keep;
use crate::containers::optional::{If, IfElse};
use crate::containers::order::{Dyn, In};
use crate::containers::packed::BitArray;
use crate::containers::padding::{PadTo, pass};
use crate::containers::prefixed::Region;
use crate::containers::region::InRegion;
use crate::containers::shaped::{Grid, Rank, ShapedBy, ShapedIn};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::limits::{Len, checked, memory_of};
use crate::wire::out::fill;
use crate::wire::raw::bulk;
use crate::wire::raw::records::RecordsMut;
use crate::wire::raw::stride::{self, is_number};
use crate::wire::{Order, Sink, Slice, Source};
use alloc::vec::Vec;
use core::mem::needs_drop;
use core::ops::Range;

/// Which column holds the values of a field: decided by its wire form and its Rust type.
#[diagnostic::on_unimplemented(
    message = "there is no column for `{T}` in this form",
    label = "not supported in a `columns` struct",
    note = "supported: types that own their values and are `Clone`, `String` and `Vec<T>` with a length, `Option<T>` and `Nullable<T>`"
)]
pub trait Store<T> {
    /// The column.
    type Column: ColumnData;
    /// What a row takes in it at least, in bytes of memory.
    const BYTES: usize;
    /// A column without rows.
    fn empty() -> Self::Column;
    /// Adds a row; `false` if there is no memory, and then part of it may have been added.
    fn push(column: &mut Self::Column, value: T) -> bool;
    /// The value of row `i`.
    fn value(column: &Self::Column, i: usize) -> Option<T>;
}

/// A wire form that columns are decoded from and encoded to without a value for each row.
#[diagnostic::on_unimplemented(
    message = "there is no column for `{T}` in this form",
    label = "not supported in a `columns` struct",
    note = "supported: types that own their values and are `Clone`, `String` and `Vec<T>` with a length, `Option<T>` and `Nullable<T>`"
)]
pub trait ColumnAs<T>: As<T> + Store<T> {
    /// Whether the rows of a block can be taken one column after the other: each value has the same size.
    const BLOCKS: bool = false;

    /// Makes a column of the caller's ready for values of this form; `false` if it cannot be.
    fn prepare(_: &mut Self::Column) -> bool {
        true
    }

    /// Reads one value and adds it to a column that has room for a row.
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()>;

    /// Writes the value of row `i`.
    fn encode<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()>;

    /// Adds the value at `offset` of each record; `false` if one is invalid, and then the column may have grown by any
    /// number of rows. Only where `BLOCKS`.
    #[inline(always)]
    fn gather<O: Order>(_: &RecordBlock<'_>, _offset: usize, _: &mut Self::Column) -> bool {
        false
    }

    /// Writes these rows as the next part of each record; `false` if one cannot be written. Only where `BLOCKS`.
    #[inline(always)]
    fn scatter<O: Order>(_: &Self::Column, _: Range<usize>, _: &mut RecordsMut<'_>) -> bool {
        false
    }

    /// Reads `n` values that stand one after the other.
    fn decode_many<'de, O: Order, S: Source<'de>>(
        src: &mut S,
        n: usize,
        column: &mut Self::Column,
    ) -> Result<()> {
        let sizes = Self::FACTS.sizes();
        let at = src.pos();
        checked(src, n as i128, (sizes.min, sizes.max), u64::MAX, at)?;
        for i in 0..n {
            src.charge(Self::BYTES)?;
            make_room(column, i, n, Self::BYTES, src.pos())?;
            if let Err(e) = Self::decode::<O, S>(src, column) {
                return Err(e.within(Step::Index(i)));
            }
        }
        Ok(())
    }

    /// Writes all values one after the other.
    fn encode_many<O: Order, W: Sink>(column: &Self::Column, out: &mut W) -> Result<()> {
        for i in 0..column.len() {
            if let Err(e) = Self::encode::<O, W>(column, i, out) {
                return Err(e.within(Step::Index(i)));
            }
        }
        Ok(())
    }
}

/// Rows for which room is made at once.
pub(super) const STEP: usize = 16;

/// Room for row `i` of `n`: every few rows, for the next ones.
#[inline(always)]
pub(super) fn make_room<C: ColumnData>(
    column: &mut C,
    i: usize,
    n: usize,
    bytes: usize,
    at: u64,
) -> Result<()> {
    if i.is_multiple_of(STEP) && !column.room((n - i).min(STEP)) {
        return Err(no_memory(bytes, at));
    }
    Ok(())
}

/// There is no memory for a few rows that take that many bytes each, or more.
#[cold]
#[inline(never)]
pub(super) fn no_memory(bytes: usize, at: u64) -> Error {
    Error::new(ErrorKind::OutOfMemory { requested: memory_of(STEP, bytes) }, at)
}

/// A block of records of one size.
pub struct RecordBlock<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) stride: usize,
    /// What each is read with.
    pub(super) source: Slice<'a>,
}

impl core::fmt::Debug for RecordBlock<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RecordBlock").field("stride", &self.stride).finish_non_exhaustive()
    }
}

impl<'a> RecordBlock<'a> {
    /// `k` bytes at `offset` of each.
    #[inline(always)]
    pub(super) fn each(&self, offset: usize, k: usize) -> impl Iterator<Item = &'a [u8]> {
        let end = offset + k;
        // chunks of no size would be a panic; a type without bytes has no blocks
        let records = self.bytes.chunks_exact(self.stride.max(1));
        records.map(move |record| &record[offset..end])
    }
}

/// Any form: a vector of the values, each as it is.
#[derive(Debug)]
pub struct Whole;

#[diagnostic::do_not_recommend]
impl<T: Clone> Store<T> for Whole {
    type Column = Vec<T>;
    const BYTES: usize = size_of::<T>();
    fn empty() -> Vec<T> {
        Vec::new()
    }
    #[inline(always)]
    fn push(column: &mut Vec<T>, value: T) -> bool {
        let room = column.room(1);
        if room {
            column.push(value);
        }
        room
    }
    #[inline]
    fn value(column: &Vec<T>, i: usize) -> Option<T> {
        column.get(i).cloned()
    }
}

/// A form whose values are in the column of another one.
pub trait StoredAs {
    /// The other one.
    type Form;
}

#[diagnostic::do_not_recommend]
impl<F: StoredAs<Form: Store<T>>, T> Store<T> for F {
    type Column = <F::Form as Store<T>>::Column;
    const BYTES: usize = <F::Form as Store<T>>::BYTES;
    fn empty() -> Self::Column {
        F::Form::empty()
    }
    #[inline(always)]
    fn push(column: &mut Self::Column, value: T) -> bool {
        F::Form::push(column, value)
    }
    #[inline]
    fn value(column: &Self::Column, i: usize) -> Option<T> {
        F::Form::value(column, i)
    }
}

impl StoredAs for Own {
    type Form = Whole;
}
impl StoredAs for BoolLax {
    type Form = Whole;
}
impl<I> StoredAs for Int<I> {
    type Form = Whole;
}
impl<I> StoredAs for IntArray<I> {
    type Form = Whole;
}
impl<const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool> StoredAs
    for BitArray<COUNT, WIDTH, ORDER, STRICT>
{
    type Form = Whole;
}
impl<F> StoredAs for If<F> {
    type Form = Whole;
}
impl<F> StoredAs for IfElse<F> {
    type Form = Whole;
}
impl<P, const MAX: u64, const INCLUSIVE: bool> StoredAs for Region<P, Own, MAX, INCLUSIVE> {
    type Form = Whole;
}
impl StoredAs for Keep {
    type Form = Whole;
}
impl<D, R, const COLUMN: bool> StoredAs for ShapedIn<D, R, COLUMN> {
    type Form = Whole;
}
impl<D, const COLUMN: bool> StoredAs for ShapedBy<D, COLUMN> {
    type Form = Whole;
}
// what stands around a form: an order, a padding, a region
impl<P, F> StoredAs for In<P, F> {
    type Form = F;
}
impl<F> StoredAs for Dyn<F> {
    type Form = F;
}
impl<const N: usize, const FILL: u8, const STRICT: bool, F> StoredAs for PadTo<N, FILL, STRICT, F> {
    type Form = F;
}
impl<F, const SKIP: bool, const FILL: u8> StoredAs for InRegion<F, SKIP, FILL> {
    type Form = F;
}
impl<F, const END: u128> StoredAs for Ended<F, END> {
    type Form = F;
}

/// Records of an own size that hold no memory may be decoded each from a source of its own.
const fn in_blocks<T>(exact: Option<usize>) -> bool {
    exact.is_some() && !needs_drop::<T>()
}

/// The value at `offset` of each record.
///
/// An invalid value is replaced by the first one, and the loop goes on: it has no way out, so that for numbers
/// nothing is left of it but loads and stores.
#[inline(always)]
fn gather<'a, O: Order, F: DecodeAs<'a, T>, T: Clone>(
    records: &RecordBlock<'a>,
    offset: usize,
    column: &mut Vec<T>,
) -> bool {
    let one = |bytes: &'a [u8]| {
        let mut src = records.source.record(bytes);
        let value = F::decode::<O, _>(&mut src, ()).ok()?;
        // a decoder that says that its size is fixed, and reads less
        src.rest().is_empty().then_some(value)
    };
    let n = records.bytes.len() / records.stride;
    if const { is_number::<O, T>(F::FACTS) } {
        return stride::gather::<O, T>(F::FACTS, records.bytes, (records.stride, offset), n, column).is_ok();
    }
    let k = const { F::FACTS.sizes().min };
    let Some(first) = records.each(offset, k).next() else { return true };
    let Some(first) = one(first) else { return false };
    let (end, mut all) = (offset + k, true);
    if !column.room(n) {
        return false;
    }
    // there is room
    let _ =
        bulk::fill_records(column, records.bytes, records.stride, |record| match one(&record[offset..end]) {
            Some(value) => value,
            None => {
                all = false;
                first.clone()
            }
        });
    all
}

#[inline(always)]
fn scatter<O: Order, F: EncodeAs<T>, T>(values: Option<&[T]>, records: &mut RecordsMut<'_>) -> bool {
    let k = const { F::FACTS.sizes().min };
    let Some(values) = values else { return false };
    if const { is_number::<O, T>(F::FACTS) } {
        return records.put_numbers::<O, T>(F::FACTS, values);
    }
    records.put(k, values, |value, place| fill(place, |out| F::encode::<O, _>(value, out, ())))
}

/// What a form whose column is a vector does with one value and with a block of them.
macro_rules! vector_codec {
    ($T:ty) => {
        const BLOCKS: bool = in_blocks::<$T>(<Self as As<$T>>::FACTS.sizes().exact());
        #[inline(always)]
        fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Vec<$T>) -> Result<()> {
            column.push(<Self as DecodeAs<'de, $T>>::decode::<O, S>(src, ())?);
            Ok(())
        }
        #[inline(always)]
        fn encode<O: Order, W: Sink>(column: &Vec<$T>, i: usize, out: &mut W) -> Result<()> {
            match column.get(i) {
                Some(value) => <Self as EncodeAs<$T>>::encode::<O, W>(value, out, ()),
                None => Err(no_row(i, out.pos())),
            }
        }
        #[inline(always)]
        fn gather<O: Order>(records: &RecordBlock<'_>, offset: usize, column: &mut Vec<$T>) -> bool {
            gather::<O, Self, $T>(records, offset, column)
        }
        #[inline(always)]
        fn scatter<O: Order>(column: &Vec<$T>, rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
            scatter::<O, Self, $T>(column.as_slice().get(rows), records)
        }
    };
}

#[diagnostic::do_not_recommend]
impl<T: Clone + DecodeOwned + Encode> ColumnAs<T> for Own {
    vector_codec!(T);

    fn decode_many<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Vec<T>) -> Result<()> {
        let sizes = T::FACTS.sizes();
        let at = src.pos();
        let n = checked(src, n as i128, (sizes.min, sizes.max), u64::MAX, at)?;
        if const { !T::FACTS.is_bulk::<O>() } {
            reserve(src, n, column)?;
        }
        decode_into::<O, S, T, ()>(src, n, column, ())
    }

    fn encode_many<O: Order, W: Sink>(column: &Vec<T>, out: &mut W) -> Result<()> {
        encode_items::<O, W, T, ()>(column, out, ())
    }
}

#[diagnostic::do_not_recommend]
impl ColumnAs<bool> for BoolLax {
    vector_codec!(bool);
}

#[diagnostic::do_not_recommend]
impl<I: IntegerForm<T>, T: Copy> ColumnAs<T> for Int<I> {
    vector_codec!(T);
}

#[diagnostic::do_not_recommend]
impl<I: IntegerForm<T>, T: Copy, const N: usize> ColumnAs<[T; N]> for IntArray<I> {
    vector_codec!([T; N]);
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize, const COUNT: usize, const WIDTH: u8, const ORDER: u8, const STRICT: bool>
    ColumnAs<[T; N]> for BitArray<COUNT, WIDTH, ORDER, STRICT>
where
    T: Clone + DecodeOwned + Encode,
{
    vector_codec!([T; N]);
}

// a region of bytes around a value of its own form: read and written by itself
#[diagnostic::do_not_recommend]
impl<P, T, const MAX: u64, const INCLUSIVE: bool> ColumnAs<T> for Region<P, Own, MAX, INCLUSIVE>
where
    P: Len + DecodeOwned + Encode,
    T: Clone + DecodeOwned + Encode,
{
    vector_codec!(T);
}

// arrays of several dimensions: each is a value by itself
#[diagnostic::do_not_recommend]
impl<D, R, A, const COLUMN: bool> ColumnAs<A> for ShapedIn<D, R, COLUMN>
where
    D: Len + DecodeOwned + Encode,
    R: Rank<A>,
    A: Grid<Item: DecodeOwned + Encode> + Clone,
{
    vector_codec!(A);
}

#[cold]
pub(super) fn no_row(i: usize, at: u64) -> Error {
    Error::new(ErrorKind::invalid("row", i, ""), at)
}

#[diagnostic::do_not_recommend]
impl<P: Order, F: ColumnAs<T>, T> ColumnAs<T> for In<P, F> {
    const BLOCKS: bool = F::BLOCKS;
    fn prepare(column: &mut F::Column) -> bool {
        F::prepare(column)
    }
    #[inline(always)]
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut F::Column) -> Result<()> {
        F::decode::<P, S>(src, column)
    }
    #[inline(always)]
    fn encode<O: Order, W: Sink>(column: &F::Column, i: usize, out: &mut W) -> Result<()> {
        F::encode::<P, W>(column, i, out)
    }
    #[inline(always)]
    fn gather<O: Order>(records: &RecordBlock<'_>, offset: usize, column: &mut F::Column) -> bool {
        F::gather::<P>(records, offset, column)
    }
    #[inline(always)]
    fn scatter<O: Order>(column: &F::Column, rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
        F::scatter::<P>(column, rows, records)
    }
    fn decode_many<'de, O: Order, S: Source<'de>>(
        src: &mut S,
        n: usize,
        column: &mut F::Column,
    ) -> Result<()> {
        F::decode_many::<P, S>(src, n, column)
    }
    fn encode_many<O: Order, W: Sink>(column: &F::Column, out: &mut W) -> Result<()> {
        F::encode_many::<P, W>(column, out)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const FILL: u8, const STRICT: bool, F: ColumnAs<T>, T> ColumnAs<T>
    for PadTo<N, FILL, STRICT, F>
{
    fn prepare(column: &mut F::Column) -> bool {
        F::prepare(column)
    }
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut F::Column) -> Result<()> {
        let start = src.pos();
        let window = src.narrow(N as u64)?;
        F::decode::<O, S>(src, column)?;
        // which is no longer than the window
        let used = src.pos() - start;
        pass(src, N as u64 - used, FILL, STRICT)?;
        src.widen(window)
    }
    fn encode<O: Order, W: Sink>(column: &F::Column, i: usize, out: &mut W) -> Result<()> {
        let start = out.pos();
        F::encode::<O, W>(column, i, out)?;
        let found = out.pos() - start;
        match (N as u64).checked_sub(found) {
            Some(left) => out.fill(FILL, left),
            None => Err(Error::new(ErrorKind::TooLong { found, max: N as u64 }, start)),
        }
    }
}
