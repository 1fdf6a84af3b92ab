//! Lists of integers in a form that is not their own.

use super::body::{RowBody, push_row};
use super::list::ListColumn;
use crate::codec::integer::{Int, IntegerForm};
use crate::containers::DecodeBody;
use crate::containers::integers::put_all;
use crate::error::Result;
use crate::wire::{Order, Sink, Source};
use alloc::vec::Vec;

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy> RowBody<[T]> for Int<F> {
    #[inline(always)]
    fn len(column: &ListColumn<Vec<T>>, i: usize) -> usize {
        column.range(i).map_or(0, |range| range.len())
    }
    fn body<'de, O: Order, S: Source<'de>>(
        src: &mut S,
        n: usize,
        column: &mut ListColumn<Vec<T>>,
    ) -> Result<()> {
        let row = <Self as DecodeBody<'de, Vec<T>>>::body::<O, S>(src, n, ())?;
        push_row(column, row, src.pos())
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut ListColumn<Vec<T>>) -> Result<()> {
        let row = <Self as DecodeBody<'de, Vec<T>>>::to_end::<O, S>(src, ())?;
        push_row(column, row, src.pos())
    }
    #[inline]
    fn put<O: Order, W: Sink>(column: &ListColumn<Vec<T>>, i: usize, out: &mut W) -> Result<()> {
        put_all::<O, W, F, T>(&column.items()[column.span(i)], out)
    }
}
