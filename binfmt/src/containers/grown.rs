//! Vectors whose length nothing says before they are read: one element for each item of another list, up to an element that ends
//! them, all records of a source.

use super::bounded;
use super::counted::mismatch;
use super::items::{add_empty, decode_into, decode_to_end};
use super::nullable::Nullable;
use crate::codec::compound::decode_item;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::refuse::assert_item;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{num_in, plus, times};
use crate::wire::limits::max_empty_items;
use crate::wire::raw::bulk;
use crate::wire::{Bound, Facts, Label, OPEN, Order, Shape, Sink, Source};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Room for one element more, of an unknown number.
#[inline(always)]
fn room_for_one<'de, S: Source<'de>, T>(src: &mut S, v: &mut Vec<T>) -> Result<()> {
    src.charge(size_of::<T>())?;
    bulk::try_room(v, 1).map_err(|e| e.at(src.pos()))
}

/// What `each` goes over.
pub trait Listed: Sized {
    /// Itself. Called as a method: where there is no list the call has no type, and rustc says nothing else of the field.
    #[inline(always)]
    fn __listed(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator> Listed for I {}

/// `each(list)`: one element for each item of a list; the item is the element's context.
#[derive(Debug)]
pub struct Each<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<Vec<T>> for Each<F> {
    const FACTS: Facts<Vec<T>> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = bounded(Bound::Each, || Shape::Sequence { item: || F::SHAPE });
    const TREE: Tree =
        Tree::around(Self::SHAPE, &Tree::around(Shape::Sequence { item: || F::SHAPE }, &F::TREE));
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, I> DecodeAs<'de, Vec<T>, I> for Each<F>
where
    I: IntoIterator,
    F: DecodeAs<'de, T, I::Item>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, list: I) -> Result<Vec<T>> {
        src.enter()?;
        let mut v = Vec::new();
        for (i, item) in list.into_iter().enumerate() {
            room_for_one(src, &mut v)?;
            let at = src.pos();
            src.open(Label::Index(i), "");
            match F::decode::<O, S>(src, item) {
                Ok(value) => {
                    src.close();
                    bulk::push(&mut v, value);
                }
                Err(e) => return Err(e.within(Step::Index(i))),
            }
            if F::FACTS.sizes().min == 0 && src.pos() == at {
                add_empty(src, v.len(), const { max_empty_items::<T>() })?;
            }
        }
        src.leave();
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<F, T, I> EncodeAs<Vec<T>, I> for Each<F>
where
    I: IntoIterator,
    F: EncodeAs<T, I::Item>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &Vec<T>, out: &mut W, list: I) -> Result<()> {
        const { assert_item(F::FACTS) };
        let mut values = value.iter();
        let mut n = 0usize;
        for item in list {
            let Some(v) = values.next() else {
                return Err(mismatch(plus(n, 1) as i128, value.len() as u64, out.pos()));
            };
            if let Err(e) = F::encode::<O, W>(v, out, item) {
                return Err(e.within(Step::Index(n)));
            }
            n = plus(n, 1);
        }
        if n != value.len() {
            return Err(mismatch(n as i128, value.len() as u64, out.pos()));
        }
        Ok(())
    }
}

/// A field of elements, for the function of `until`.
#[diagnostic::on_unimplemented(
    message = "`until` needs a `Vec<T>`, found `{Self}`",
    label = "its elements cannot be tested one by one"
)]
pub trait HasElements {
    /// The element.
    type Item;
}

impl<T> HasElements for Vec<T> {
    type Item = T;
}

impl<V: HasElements> HasElements for Option<V> {
    type Item = V::Item;
}

impl<V: HasElements> HasElements for Nullable<V> {
    type Item = V::Item;
}

/// The function of `until`, whose parameter has the type of the elements of `V`.
#[inline(always)]
pub fn until<V: HasElements, P: Fn(&V::Item) -> bool>(last: P) -> P {
    last
}

/// `until = |element| ..`: up to and with the first element for which the function is true.
#[derive(Debug)]
pub struct Until<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<Vec<T>> for Until<F> {
    // the element that ends it is always there, but its size may be unknown here
    const FACTS: Facts<Vec<T>> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = bounded(Bound::Until, || Shape::Sequence { item: || F::SHAPE });
    const TREE: Tree =
        Tree::around(Self::SHAPE, &Tree::around(Shape::Sequence { item: || F::SHAPE }, &F::TREE));
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, P> DecodeAs<'de, Vec<T>, (P, C)> for Until<F>
where
    P: Fn(&T) -> bool,
    C: Copy,
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (last, ctx): (P, C)) -> Result<Vec<T>> {
        src.enter()?;
        let mut v = Vec::new();
        loop {
            let at = src.pos();
            room_for_one(src, &mut v)?;
            // numbers are shown in one line, as in every list
            let named = src.is_heard() && !F::SHAPE.is_scalar();
            if named {
                src.open(Label::Index(v.len()), "");
            }
            let value = match F::decode::<O, S>(src, ctx) {
                Ok(value) => value,
                Err(e) => return Err(e.within(Step::Index(v.len()))),
            };
            if named {
                src.close();
            }
            let ends = last(&value);
            bulk::push(&mut v, value);
            if ends {
                break;
            }
            if src.pos() == at {
                return Err(Error::new(ErrorKind::Endless, at));
            }
        }
        src.leave();
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<F, T, C, P> EncodeAs<Vec<T>, (P, C)> for Until<F>
where
    P: Fn(&T) -> bool,
    C: Copy,
    F: EncodeAs<T, C>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &Vec<T>, out: &mut W, (last, ctx): (P, C)) -> Result<()> {
        const { assert_item(F::FACTS) };
        match value.split_last() {
            Some((end, front)) if last(end) && !front.iter().any(&last) => {}
            _ => return Err(Error::new(ErrorKind::Until, out.pos())),
        }
        for (i, v) in value.iter().enumerate() {
            if let Err(e) = F::encode::<O, W>(v, out, ctx) {
                return Err(e.within(Step::Index(i)));
            }
        }
        Ok(())
    }
}

/// All records of a source, appended to a vector: for whole batches.
#[inline(always)]
pub(crate) fn records_into<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C: Copy>(
    src: &mut S,
    v: &mut Vec<T>,
    ctx: C,
) -> Result<()> {
    if let (Some(k), Some(left)) = (<T as Layout>::FACTS.sizes().exact(), src.left())
        && k > 0
    {
        let n = num_in(left, k);
        if const { !T::FACTS.is_bulk::<O>() } {
            src.charge(times(n, size_of::<T>()))?;
        }
        bulk::try_room(v, n).map_err(|e| e.at(src.pos()))?;
        decode_into::<O, S, T, C>(src, n, v, ctx)?;
        if src.left() == Some(0) {
            return Ok(());
        }
        // what is left is not a whole record: its decoder says where it ends
        return decode_item::<O, S, T, C>(src, n, ctx).map(|_| ());
    }
    decode_to_end::<O, S, T, C>(src, v, ctx)
}

/// Bytes that a batch takes at least, for reserving.
pub(crate) fn batch_len<T: Encode<C>, C>(items: &[T]) -> usize {
    times(items.len(), <T as Layout>::FACTS.sizes().min)
}
