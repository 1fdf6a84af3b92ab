//! Lists whose elements have any number of bits.

use super::body::{RowBody, push_row};
use super::list::ListColumn;
use crate::codec::{DecodeOwned, Encode, Layout};
use crate::containers::DecodeBody;
use crate::containers::packed::BitItems;
use crate::error::Result;
use crate::wire::{Order, Sink, Source};
use alloc::vec::Vec;

#[diagnostic::do_not_recommend]
impl<T, const WIDTH: u8, const ORDER: u8, const STRICT: bool> RowBody<[T]> for BitItems<WIDTH, ORDER, STRICT>
where
    T: Layout + DecodeOwned + Encode + Clone,
{
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
        Self::put_all::<O, W, T>(&column.items()[column.span(i)], out)
    }
}
