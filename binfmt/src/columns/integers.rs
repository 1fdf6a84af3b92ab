//! Lists of integers in a form that is not their own.

use super::body::{ColumnBody, OwnedList, push_list, pushed};
use super::list::ListColumn;
use crate::codec::integer::{Int, IntegerForm};
use crate::containers::integers::put_all;
use crate::containers::{Body, DecodeBody};
use crate::error::Result;
use crate::wire::{Order, Sink, Source};
use alloc::vec::Vec;

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<V::Item>, V: OwnedList<Item: Copy>> ColumnBody<V> for Int<F>
where
    Int<F>: Body<V>,
{
    type Column = ListColumn<Vec<V::Item>>;
    fn push(column: &mut Self::Column, row: V) -> bool {
        push_list(column, row.into_elements())
    }
    fn value(column: &Self::Column, i: usize) -> Option<V> {
        column.get(i).map(V::from)
    }
    #[inline(always)]
    fn len(column: &Self::Column, i: usize) -> usize {
        column.range(i).map_or(0, |range| range.len())
    }
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()> {
        let row = <Self as DecodeBody<'de, Vec<V::Item>>>::body::<O, S>(src, n, ())?;
        let bytes = size_of_val(row.as_slice());
        pushed(push_list(column, row), bytes, src.pos())
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()> {
        let row = <Self as DecodeBody<'de, Vec<V::Item>>>::to_end::<O, S>(src, ())?;
        let bytes = size_of_val(row.as_slice());
        pushed(push_list(column, row), bytes, src.pos())
    }
    #[inline]
    fn put<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()> {
        put_all::<O, W, F, V::Item>(&column.items()[column.span(i)], out)
    }
}
