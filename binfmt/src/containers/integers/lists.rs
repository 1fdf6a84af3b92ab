//! Integers in a vector or box.

use crate::codec::integer::{Int, IntegerForm, Wired};
use crate::containers::DecodeBody;
use crate::containers::items::{decode_into, decode_to_end, reserve};
use crate::error::Result;
use crate::wire::{Order, Source};
use alloc::vec::Vec;
use core::ops::Deref;

/// Without their form: the vector's own memory, as the two types have the same size.
fn values<T, F>(v: Vec<Wired<T, F>>) -> Vec<T> {
    v.into_iter().map(|n| n.value).collect()
}

#[diagnostic::do_not_recommend]
impl<'de, F: IntegerForm<T>, T: Copy, L: Deref<Target = [T]> + From<Vec<T>>> DecodeBody<'de, L> for Int<F> {
    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: ()) -> Result<L> {
        let mut v = Vec::new();
        reserve(src, n, &mut v)?;
        decode_into::<O, S, Wired<T, F>, ()>(src, n, &mut v, ctx)?;
        Ok(L::from(values(v)))
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<L> {
        let mut v = Vec::new();
        decode_to_end::<O, S, Wired<T, F>, ()>(src, &mut v, ctx)?;
        Ok(L::from(values(v)))
    }
}
