//! Integers in a vector or box.

use super::put_all;
use crate::codec::Layout;
use crate::codec::fingerprint::Tree;
use crate::codec::integer::{Int, IntegerForm, Wired};
use crate::containers::items::{decode_into, decode_to_end, reserve};
use crate::containers::{Body, DecodeBody, EncodeBody};
use crate::error::Result;
use crate::wire::{Order, Shape, Sink, Source};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Without their form: the vector's own memory, as the two types have the same size.
fn values<T, F>(v: Vec<Wired<T, F>>) -> Vec<T> {
    v.into_iter().map(|n| n.value).collect()
}

macro_rules! lists {
    ($($List:ty, |$v:ident| $of:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<F: IntegerForm<T>, T: Copy> Body<$List> for Int<F> {
            const ITEM_MIN: usize = F::SIZES.0;
            const IS_CLAIMED: bool = F::FORM.is_none();
            const ITEM_MAX: usize = F::SIZES.1;
            const SHAPE: Shape = Shape::Sequence { item: || <Wired<T, F> as Layout>::SHAPE };
            const TREE: Tree = Tree::around(<Self as Body<$List>>::SHAPE, &<Wired<T, F> as Layout>::TREE);
            #[inline(always)]
            fn len(v: &$List) -> usize {
                v.len()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'de, F: IntegerForm<T>, T: Copy> DecodeBody<'de, $List> for Int<F> {
            #[inline]
            fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<$List> {
                let mut $v = Vec::new();
                reserve(src, n, &mut $v)?;
                decode_into::<O, S, Wired<T, F>, ()>(src, n, &mut $v, ctx)?;
                let $v = values($v);
                Ok($of)
            }

            fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<$List> {
                let mut $v = Vec::new();
                decode_to_end::<O, S, Wired<T, F>, ()>(src, &mut $v, ctx)?;
                let $v = values($v);
                Ok($of)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<F: IntegerForm<T>, T: Copy> EncodeBody<$List> for Int<F> {
            #[inline]
            fn put<O: Order, W: Sink>(v: &$List, out: &mut W, _: ()) -> Result<()> {
                put_all::<O, W, F, T>(v, out)
            }
        }
    )* };
}
lists! {
    Vec<T>, |v| v;
    Box<[T]>, |v| v.into_boxed_slice();
}
