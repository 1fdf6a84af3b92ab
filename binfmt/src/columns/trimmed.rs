//! Text and bytes without their filling, as columns.

use super::body::{ColumnBody, RowAt};
use crate::containers::Body;
use crate::containers::terminated::TextBytes;
use crate::containers::trimmed::{Trimmed, check_trimmed, put_filled, read_trimmed};
use crate::error::Result;
use crate::wire::{Order, Sink, Source};

#[diagnostic::do_not_recommend]
impl<B, T, C, const BYTE: u8> ColumnBody<T> for Trimmed<B, BYTE>
where
    B: ColumnBody<T, Column = C>,
    Self: Body<T>,
    C: super::ColumnData + Default,
    for<'c> RowAt<'c, T, C>: TextBytes,
{
    type Column = C;
    fn prepare(column: &mut C) -> bool {
        B::prepare(column)
    }
    fn push(column: &mut C, value: T) -> bool {
        B::push(column, value)
    }
    fn value(column: &C, i: usize) -> Option<T> {
        B::value(column, i)
    }
    fn len(column: &C, i: usize) -> usize {
        <B as ColumnBody<T>>::len(column, i)
    }
    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut C) -> Result<()> {
        read_trimmed(src, Some(n), (BYTE, <B as Body<T>>::UNIT), |src, n| {
            <B as ColumnBody<T>>::body::<O, S>(src, n, column)
        })
    }
    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut C) -> Result<()> {
        read_trimmed(src, None, (BYTE, <B as Body<T>>::UNIT), |src, n| {
            <B as ColumnBody<T>>::body::<O, S>(src, n, column)
        })
    }
    fn put<O: Order, W: Sink>(column: &C, i: usize, out: &mut W) -> Result<()> {
        check_trimmed(RowAt::<T, C>::new(column, i).text_bytes(), BYTE, out.pos())?;
        <B as ColumnBody<T>>::put::<O, W>(column, i, out)
    }
    fn put_fixed<O: Order, W: Sink>(column: &C, i: usize, out: &mut W, n: i128) -> Result<()> {
        check_trimmed(RowAt::<T, C>::new(column, i).text_bytes(), BYTE, out.pos())?;
        let len = <B as ColumnBody<T>>::len(column, i);
        put_filled(out, len, n, (BYTE, <B as Body<T>>::UNIT), |out| {
            <B as ColumnBody<T>>::put::<O, W>(column, i, out)
        })
    }
}
