//! Integers one after the other in a form that is not their own: the elements of a list, of an array.

use super::{Body, EncodeBody};
use crate::codec::Layout;
use crate::codec::compound::decode_item;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::integer::{Int, IntegerForm, Wired, encode};
use crate::error::{Result, Step};
use crate::wire::amount::times;
use crate::wire::raw::bulk;
use crate::wire::{Facts, Order, Shape, Sink, Source};
use core::marker::PhantomData;
use core::ops::Deref;

/// Writes integers; an error says which one.
#[inline(always)]
pub(crate) fn put_all<O: Order, W: Sink, F: IntegerForm<T>, T: Copy>(all: &[T], out: &mut W) -> Result<()> {
    for (i, value) in all.iter().enumerate() {
        if let Err(e) = encode::<O, W, F, T>(*value, out) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy, L: Deref<Target = [T]>> Body<L> for Int<F> {
    const ITEM_MIN: usize = F::SIZES.0;
    const IS_CLAIMED: bool = F::FORM.is_none();
    const ITEM_MAX: usize = F::SIZES.1;
    const SHAPE: Shape = Shape::Sequence { item: || <Wired<T, F> as Layout>::SHAPE };
    const TREE: Tree = Tree::around(<Self as Body<L>>::SHAPE, &<Wired<T, F> as Layout>::TREE);
    #[inline(always)]
    fn len(v: &L) -> usize {
        v.len()
    }
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy, L: Deref<Target = [T]>> EncodeBody<L> for Int<F> {
    #[inline]
    fn put<O: Order, W: Sink>(v: &L, out: &mut W, _: ()) -> Result<()> {
        put_all::<O, W, F, T>(v, out)
    }
}

/// `as = F` on an array.
#[derive(Debug)]
pub struct IntArray<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy, const N: usize> As<[T; N]> for IntArray<F> {
    const FACTS: Facts<[T; N]> = {
        let one = <Wired<T, F> as Layout>::FACTS.sizes();
        let (min, max) = (times(one.min, N), times(one.max, N));
        Facts::range(min, min, max).claimed(F::FORM.is_none()).in_place(F::FORM.is_some())
    };
    const SHAPE: Shape = Shape::Array { num: N, item: || <Wired<T, F> as Layout>::SHAPE };
    const TREE: Tree = Tree::around(<Self as As<[T; N]>>::SHAPE, &<Wired<T, F> as Layout>::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F: IntegerForm<T>, T: Copy, const N: usize> DecodeAs<'de, [T; N]> for IntArray<F> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<[T; N]> {
        bulk::array(|i| decode_item::<O, S, Wired<T, F>, ()>(src, i, ctx).map(|n| n.value))
    }
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy, const N: usize> EncodeAs<[T; N]> for IntArray<F> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &[T; N], out: &mut W, _: ()) -> Result<()> {
        put_all::<O, W, F, T>(value, out)
    }
}

#[cfg(feature = "alloc")]
mod lists;
