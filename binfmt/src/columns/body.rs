//! Text, bytes and lists: what follows a length goes straight into the column.
//!
//! The wire forms are those of single values. They are given a body that reads into a column ([`Pushed`]) and one that
//! writes a row of it ([`RowAt`]), so that no form is written twice.
#![allow(clippy::arithmetic_side_effects, reason = "a list only grows while a row is added to it")]

use super::data::{ColumnData, TextColumn};
use super::form::{ColumnAs, Store, StoredAs, no_row};
use super::list::{BytesColumn, ListColumn};
use crate::codec::compound::encode_items;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::integer::Int;
use crate::codec::{DecodeOwned, Encode};
use crate::containers::bytes::{BLOCK, read, read_to_end};
use crate::containers::counted::{Counted, Exact, ToEnd, mismatch};
use crate::containers::ends::Ends;
use crate::containers::grown::{Each, Until};
use crate::containers::items::{Items, decode_into, decode_to_end, is_flat};
use crate::containers::packed::BitItems;
use crate::containers::prefixed::{Region, Var};
use crate::containers::terminated::{Terminated, TextBytes};
use crate::containers::text::{OwnedText, TextBody, Utf8, before_nul, without_nul};
use crate::containers::textual::TextForm;
use crate::containers::wide::WideText;
use crate::containers::{Body, DecodeBody, EncodeBody};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::limits::memory_of;
use crate::wire::{InputBytes, Order, Shape, Sink, Source, Unit};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Deref;

/// A body whose values a column holds.
pub trait ColumnBody<T>: Body<T> {
    /// The column.
    type Column: ColumnData + Default;
    /// As `ColumnAs::prepare`.
    fn prepare(_: &mut Self::Column) -> bool {
        true
    }
    /// Adds a row; `false` if there is no memory, and then part of it may have been added.
    fn push(column: &mut Self::Column, value: T) -> bool;
    /// The value of row `i`.
    fn value(column: &Self::Column, i: usize) -> Option<T>;
    /// The length of row `i` on the wire, as `Body::len`.
    fn len(column: &Self::Column, i: usize) -> usize;
    /// Reads a row of `n` elements, as `DecodeBody::body`.
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()>;
    /// As `DecodeBody::fixed`.
    fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()> {
        <Self as ColumnBody<T>>::body::<O, S>(src, n, column)
    }
    /// As `DecodeBody::to_end`.
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()>;
    /// Writes row `i`, as `EncodeBody::put`.
    fn put<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()>;
    /// As `EncodeBody::put_fixed`.
    fn put_fixed<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W, n: i128) -> Result<()> {
        let len = <Self as ColumnBody<T>>::len(column, i) as u64;
        if n != i128::from(len) {
            return Err(mismatch(n, len, out.pos()));
        }
        <Self as ColumnBody<T>>::put::<O, W>(column, i, out)
    }
}

/// A body with rows ([`RowBody`]). A trait without a parameter, so that rustc knows which bodies lack it.
pub trait Rowed {}

impl<E, const NUL: bool> Rowed for TextBody<E, NUL> {}
impl<E, const NUL: bool> Rowed for WideText<E, NUL> {}
impl<F> Rowed for Int<F> {}
impl<const WIDTH: u8, const ORDER: u8, const STRICT: bool> Rowed for BitItems<WIDTH, ORDER, STRICT> {}
impl Rowed for Items {}

/// What a row is, and the column that holds such rows one after the other.
pub trait Row {
    /// What a row is added from.
    type Owned;
    /// The column.
    type Column: ColumnData + Default;
    /// As `ColumnBody::push`.
    fn push(column: &mut Self::Column, row: Self::Owned) -> bool;
    /// Row `i`.
    fn get(column: &Self::Column, i: usize) -> Option<&Self>;
}

impl Row for str {
    type Owned = String;
    type Column = TextColumn;
    #[inline]
    fn push(column: &mut TextColumn, text: String) -> bool {
        column.try_push(&text)
    }
    fn get(column: &TextColumn, i: usize) -> Option<&str> {
        column.get(i)
    }
}

impl<T: Clone> Row for [T] {
    type Owned = Vec<T>;
    type Column = ListColumn<Vec<T>>;
    #[inline]
    fn push(column: &mut Self::Column, row: Vec<T>) -> bool {
        push_list(column, row)
    }
    fn get(column: &Self::Column, i: usize) -> Option<&[T]> {
        column.get(i)
    }
}

/// A body of text, bytes or elements, whose rows a column holds one after the other: each is an `X`, such as `str` or `[u8]`.
///
/// Every type that is made of an `X` (`String` and `Box<str>`, `Vec<T>` and `Box<[T]>`) has this column.
pub trait RowBody<X: Row + ?Sized> {
    /// As `Body::len`.
    fn len(column: &X::Column, i: usize) -> usize;
    /// As `DecodeBody::body`.
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut X::Column) -> Result<()>;
    /// As `DecodeBody::fixed`.
    #[inline]
    fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut X::Column) -> Result<()> {
        Self::body::<O, S>(src, n, column)
    }
    /// As `DecodeBody::to_end`.
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut X::Column) -> Result<()>;
    /// As `EncodeBody::put`.
    fn put<O: Order, W: Sink>(column: &X::Column, i: usize, out: &mut W) -> Result<()>;
    /// As `EncodeBody::put_fixed`.
    #[inline]
    fn put_fixed<O: Order, W: Sink>(column: &X::Column, i: usize, out: &mut W, n: i128) -> Result<()> {
        let len = Self::len(column, i) as u64;
        if n != i128::from(len) {
            return Err(mismatch(n, len, out.pos()));
        }
        Self::put::<O, W>(column, i, out)
    }
}

#[diagnostic::do_not_recommend]
impl<B, T, X> ColumnBody<T> for B
where
    X: Row + ?Sized,
    B: Rowed + RowBody<X> + Body<T>,
    T: Deref<Target = X> + Into<X::Owned> + for<'r> From<&'r X>,
{
    type Column = X::Column;
    #[inline(always)]
    fn push(column: &mut Self::Column, value: T) -> bool {
        X::push(column, value.into())
    }
    fn value(column: &Self::Column, i: usize) -> Option<T> {
        X::get(column, i).map(T::from)
    }
    #[inline(always)]
    fn len(column: &Self::Column, i: usize) -> usize {
        <B as RowBody<X>>::len(column, i)
    }
    #[inline(always)]
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()> {
        <B as RowBody<X>>::body::<O, S>(src, n, column)
    }
    #[inline(always)]
    fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()> {
        <B as RowBody<X>>::fixed::<O, S>(src, n, column)
    }
    #[inline(always)]
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()> {
        <B as RowBody<X>>::to_end::<O, S>(src, column)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()> {
        <B as RowBody<X>>::put::<O, W>(column, i, out)
    }
    #[inline(always)]
    fn put_fixed<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W, n: i128) -> Result<()> {
        <B as RowBody<X>>::put_fixed::<O, W>(column, i, out, n)
    }
}

/// A value that is in its column already.
#[derive(Debug)]
pub struct Pushed<T>(PhantomData<T>);

/// Row `i` of a column.
#[derive(Debug)]
pub struct RowAt<'a, T, C> {
    column: &'a C,
    i: usize,
    of: PhantomData<T>,
}

#[diagnostic::do_not_recommend]
impl<B: ColumnBody<T>, T> Body<Pushed<T>> for B {
    const ITEM_MIN: usize = <B as Body<T>>::ITEM_MIN;
    const ITEM_MAX: usize = <B as Body<T>>::ITEM_MAX;
    const BITS: u8 = <B as Body<T>>::BITS;
    const SHAPE: Shape = <B as Body<T>>::SHAPE;
    const UNIT: Unit = <B as Body<T>>::UNIT;
    const TREE: Tree = <B as Body<T>>::TREE;
    fn len(_: &Pushed<T>) -> usize {
        0
    }
}

#[diagnostic::do_not_recommend]
impl<'de, 'c, B: ColumnBody<T>, T> DecodeBody<'de, Pushed<T>, &'c mut B::Column> for B {
    #[inline(always)]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &'c mut B::Column) -> Result<Pushed<T>> {
        <B as ColumnBody<T>>::body::<O, S>(src, n, column)?;
        Ok(Pushed(PhantomData))
    }
    #[inline(always)]
    fn fixed<O: Order, S: Source<'de>>(
        src: &mut S,
        n: usize,
        column: &'c mut B::Column,
    ) -> Result<Pushed<T>> {
        <B as ColumnBody<T>>::fixed::<O, S>(src, n, column)?;
        Ok(Pushed(PhantomData))
    }
    #[inline(always)]
    fn to_end<O: Order, S: Source<'de>>(src: &mut S, column: &'c mut B::Column) -> Result<Pushed<T>> {
        <B as ColumnBody<T>>::to_end::<O, S>(src, column)?;
        Ok(Pushed(PhantomData))
    }
}

#[diagnostic::do_not_recommend]
impl<B: ColumnBody<T, Column = C>, T, C> Body<RowAt<'_, T, C>> for B {
    const ITEM_MIN: usize = <B as Body<T>>::ITEM_MIN;
    const ITEM_MAX: usize = <B as Body<T>>::ITEM_MAX;
    const BITS: u8 = <B as Body<T>>::BITS;
    const SHAPE: Shape = <B as Body<T>>::SHAPE;
    const UNIT: Unit = <B as Body<T>>::UNIT;
    const TREE: Tree = <B as Body<T>>::TREE;
    #[inline(always)]
    fn len(row: &RowAt<'_, T, C>) -> usize {
        <B as ColumnBody<T>>::len(row.column, row.i)
    }
}

#[diagnostic::do_not_recommend]
impl<B: ColumnBody<T, Column = C>, T, C> EncodeBody<RowAt<'_, T, C>> for B {
    #[inline(always)]
    fn put<O: Order, W: Sink>(row: &RowAt<'_, T, C>, out: &mut W, _: ()) -> Result<()> {
        <B as ColumnBody<T>>::put::<O, W>(row.column, row.i, out)
    }
    #[inline(always)]
    fn put_fixed<O: Order, W: Sink>(row: &RowAt<'_, T, C>, out: &mut W, n: i128, _: ()) -> Result<()> {
        <B as ColumnBody<T>>::put_fixed::<O, W>(row.column, row.i, out, n)
    }
}

impl<'a, T, C> RowAt<'a, T, C> {
    pub(super) fn new(column: &'a C, i: usize) -> Self {
        RowAt { column, i, of: PhantomData }
    }
}

impl<T> TextBytes for RowAt<'_, T, TextColumn> {
    fn text_bytes(&self) -> &[u8] {
        self.column.row(self.i).as_bytes()
    }
}

impl<T> TextBytes for RowAt<'_, T, BytesColumn> {
    fn text_bytes(&self) -> &[u8] {
        self.column.row(self.i)
    }
}

/// A form around a body, whose column is its own.
pub trait Bodied {
    /// The body.
    type Body;
}

impl<P, B, const MAX: u64, const INCLUSIVE: bool> Bodied for Var<P, B, MAX, INCLUSIVE> {
    type Body = B;
}
impl<B, const N: usize> Bodied for Exact<N, B> {
    type Body = B;
}
impl<B> Bodied for Terminated<B> {
    type Body = B;
}
impl<B, const END: u128> Bodied for Ends<B, END> {
    type Body = B;
}
impl<B> Bodied for ToEnd<B> {
    type Body = B;
}
impl<B> Bodied for Counted<B> {
    type Body = B;
}
impl<P, B, const MAX: u64, const INCLUSIVE: bool> Bodied for Region<P, ToEnd<B>, MAX, INCLUSIVE> {
    type Body = B;
}

/// The column of a form with a body.
type BodyColumn<F, T> = <<F as Bodied>::Body as ColumnBody<T>>::Column;

/// What the column of a body holds.
#[derive(Debug)]
pub struct Rows<B>(PhantomData<B>);

impl<F: Bodied> StoredAs for F {
    type Form = Rows<F::Body>;
}

#[diagnostic::do_not_recommend]
impl<B: ColumnBody<T>, T> Store<T> for Rows<B> {
    type Column = B::Column;
    const BYTES: usize = size_of::<usize>();
    fn empty() -> Self::Column {
        Self::Column::default()
    }
    #[inline]
    fn push(column: &mut Self::Column, value: T) -> bool {
        B::push(column, value)
    }
    fn value(column: &Self::Column, i: usize) -> Option<T> {
        B::value(column, i)
    }
}

/// Lists whose elements say where they end.
#[derive(Debug)]
pub struct Lists;

impl<F> StoredAs for Each<F> {
    type Form = Lists;
}
impl<F> StoredAs for Until<F> {
    type Form = Lists;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Store<Vec<T>> for Lists {
    type Column = ListColumn<Vec<T>>;
    const BYTES: usize = size_of::<usize>();
    fn empty() -> Self::Column {
        ListColumn::new()
    }
    fn push(column: &mut Self::Column, value: Vec<T>) -> bool {
        push_list(column, value)
    }
    fn value(column: &Self::Column, i: usize) -> Option<Vec<T>> {
        column.get(i).map(<[T]>::to_vec)
    }
}

/// Reads a value of the body into its column, and writes one from there.
#[diagnostic::do_not_recommend]
impl<F, T> ColumnAs<T> for F
where
    F: As<T> + Bodied<Body: ColumnBody<T>>,
    F: for<'de, 'c> DecodeAs<'de, Pushed<T>, &'c mut BodyColumn<F, T>>,
    F: for<'c> EncodeAs<RowAt<'c, T, BodyColumn<F, T>>>,
{
    fn prepare(column: &mut Self::Column) -> bool {
        F::Body::prepare(column)
    }
    #[inline(always)]
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()> {
        <F as DecodeAs<'de, Pushed<T>, &mut Self::Column>>::decode::<O, S>(src, column)?;
        Ok(())
    }
    #[inline(always)]
    fn encode<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()> {
        if i >= column.len() {
            return Err(no_row(i, out.pos()));
        }
        let row = RowAt::new(column, i);
        <F as EncodeAs<RowAt<'_, T, Self::Column>>>::encode::<O, W>(&row, out, ())
    }
}

/// Adds a row of these items; `false` if there is no memory.
fn push_list<T>(column: &mut ListColumn<Vec<T>>, mut row: Vec<T>) -> bool {
    let room = column.room(1) && column.parts_mut().1.room(row.len());
    if room {
        column.push_with(|items| items.append(&mut row));
    }
    room
}

/// Adds a row of items that were read up to `at`.
pub(super) fn push_row<T>(column: &mut ListColumn<Vec<T>>, row: Vec<T>, at: u64) -> Result<()> {
    let bytes = size_of_val(row.as_slice());
    pushed(push_list(column, row), bytes, at)
}

/// A row of that many bytes is in its column, or there is no memory.
#[inline(always)]
pub(super) fn pushed(done: bool, requested: usize, at: u64) -> Result<()> {
    if done { Ok(()) } else { Err(Error::new(ErrorKind::OutOfMemory { requested }, at)) }
}

/// The first `len` bytes as a row of text.
#[inline(always)]
fn push_text<E: OwnedText>(
    column: &mut TextColumn,
    taken: InputBytes<'_>,
    len: usize,
    at: u64,
) -> Result<()> {
    column.push_with(|text| E::append(taken, len, at, text))
}

#[diagnostic::do_not_recommend]
impl<E: OwnedText, const NUL: bool> RowBody<str> for TextBody<E, NUL> {
    #[inline(always)]
    fn len(column: &TextColumn, i: usize) -> usize {
        E::len_of(|| column.row(i), column.len_of(i)).wrapping_add(usize::from(NUL))
    }
    #[inline(always)]
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut TextColumn) -> Result<()> {
        if src.left().is_none() && n > BLOCK {
            let text = <Self as DecodeBody<'de, String>>::body::<O, S>(src, n, ())?;
            return pushed(column.try_push(&text), text.len(), src.pos());
        }
        src.charge(n)?;
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let taken = src.take(n)?;
        push_text::<E>(column, taken, without_nul(taken.bytes(), NUL, optional, at)?, at)
    }
    fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut TextColumn) -> Result<()> {
        if !NUL {
            return <Self as RowBody<str>>::body::<O, S>(src, n, column);
        }
        if src.left().is_none() && n > BLOCK {
            let text = <Self as DecodeBody<'de, String>>::fixed::<O, S>(src, n, ())?;
            return pushed(column.try_push(&text), text.len(), src.pos());
        }
        src.charge(n)?;
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let taken = src.take(n)?;
        push_text::<E>(column, taken, before_nul(taken.bytes(), optional, at)?, at)
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut TextColumn) -> Result<()> {
        let text = <Self as DecodeBody<'de, String>>::to_end::<O, S>(src, ())?;
        pushed(column.try_push(&text), text.len(), src.pos())
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W) -> Result<()> {
        E::put_front(|| column.row(i), column.front(i), out, usize::from(NUL))?;
        if NUL { out.array([0]) } else { Ok(()) }
    }
    fn put_fixed<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W, n: i128) -> Result<()> {
        Self::write_fixed(column.row(i), out, n)
    }
}

#[diagnostic::do_not_recommend]
impl RowBody<str> for Items {
    #[inline(always)]
    fn len(column: &TextColumn, i: usize) -> usize {
        column.len_of(i)
    }
    #[inline(always)]
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut TextColumn) -> Result<()> {
        <TextBody<Utf8, false> as RowBody<str>>::body::<O, S>(src, n, column)
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut TextColumn) -> Result<()> {
        <TextBody<Utf8, false> as RowBody<str>>::to_end::<O, S>(src, column)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W) -> Result<()> {
        <TextBody<Utf8, false> as RowBody<str>>::put::<O, W>(column, i, out)
    }
}

/// Bytes without their NUL as a row.
#[inline(always)]
fn push_bytes(column: &mut BytesColumn, bytes: &[u8], len: usize, at: u64) -> Result<()> {
    pushed(column.try_push(bytes.get(..len).unwrap_or(bytes)), len, at)
}

#[diagnostic::do_not_recommend]
impl<E, const NUL: bool> RowBody<[u8]> for TextBody<E, NUL> {
    #[inline(always)]
    fn len(column: &BytesColumn, i: usize) -> usize {
        column.range(i).map_or(0, |range| range.len()).wrapping_add(usize::from(NUL))
    }
    #[inline(always)]
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut BytesColumn) -> Result<()> {
        if src.left().is_none() && n > BLOCK {
            let bytes = <Self as DecodeBody<'de, Vec<u8>>>::body::<O, S>(src, n, ())?;
            return push_bytes(column, &bytes, bytes.len(), src.pos());
        }
        src.charge(n)?;
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let bytes = src.take(n)?.bytes();
        push_bytes(column, bytes, without_nul(bytes, NUL, optional, at)?, at)
    }
    fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut BytesColumn) -> Result<()> {
        if !NUL {
            return <Self as RowBody<[u8]>>::body::<O, S>(src, n, column);
        }
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let bytes = read(src, n)?;
        push_bytes(column, &bytes, before_nul(&bytes, optional, at)?, at)
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut BytesColumn) -> Result<()> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let bytes = read_to_end(src)?;
        push_bytes(column, &bytes, without_nul(&bytes, NUL, optional, at)?, at)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(column: &BytesColumn, i: usize, out: &mut W) -> Result<()> {
        Self::write(column.row(i), out)
    }
    fn put_fixed<O: Order, W: Sink>(column: &BytesColumn, i: usize, out: &mut W, n: i128) -> Result<()> {
        Self::write_fixed(column.row(i), out, n)
    }
}

/// A row of any number of elements.
#[inline(always)]
fn elements<'de, S: Source<'de>, T: DecodeOwned>(
    src: &mut S,
    column: &mut ListColumn<Vec<T>>,
    read: impl FnOnce(&mut S, &mut Vec<T>) -> Result<()>,
) -> Result<()> {
    let (offsets, items) = column.parts_mut();
    if is_flat::<T>() {
        read(src, items)?;
    } else {
        src.enter()?;
        let before = items.len();
        read(src, items)?;
        src.charge(memory_of(items.len() - before, size_of::<T>()))?;
        src.leave();
    }
    offsets.push(items.len());
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<T: Clone + DecodeOwned + Encode> RowBody<[T]> for Items {
    #[inline(always)]
    fn len(column: &ListColumn<Vec<T>>, i: usize) -> usize {
        column.range(i).map_or(0, |range| range.len())
    }
    #[inline(always)]
    fn body<'de, O: Order, S: Source<'de>>(
        src: &mut S,
        n: usize,
        column: &mut ListColumn<Vec<T>>,
    ) -> Result<()> {
        elements::<S, T>(src, column, |src, items| decode_into::<O, S, T, ()>(src, n, items, ()))
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut ListColumn<Vec<T>>) -> Result<()> {
        elements::<S, T>(src, column, |src, items| decode_to_end::<O, S, T, ()>(src, items, ()))
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(column: &ListColumn<Vec<T>>, i: usize, out: &mut W) -> Result<()> {
        encode_items::<O, W, T, ()>(column.row(i), out, ())
    }
}
