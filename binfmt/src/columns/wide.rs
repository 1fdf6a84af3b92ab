//! Text in units of several bytes, as columns of text.

use super::body::{ColumnBody, pushed};
use super::data::TextColumn;
use crate::containers::wide::{WideEncoding, WideText};
use crate::containers::{Body, DecodeBody, EncodeBody};
use crate::error::Result;
use crate::wire::{Order, Sink, Source};
use alloc::boxed::Box;
use alloc::string::String;

macro_rules! wide_columns {
    ($($T:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<E: WideEncoding, const NUL: bool> ColumnBody<$T> for WideText<E, NUL> {
            type Column = TextColumn;
            fn push(column: &mut TextColumn, text: $T) -> bool {
                column.try_push(&text)
            }
            fn value(column: &TextColumn, i: usize) -> Option<$T> {
                column.get(i).map(<$T>::from)
            }
            fn len(column: &TextColumn, i: usize) -> usize {
                <Self as Body<&str>>::len(&column.row(i))
            }
            fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut TextColumn) -> Result<()> {
                let text = <Self as DecodeBody<'de, String>>::body::<O, S>(src, n, ())?;
                pushed(column.try_push(&text), text.len(), src.pos())
            }
            fn fixed<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut TextColumn) -> Result<()> {
                let text = <Self as DecodeBody<'de, String>>::fixed::<O, S>(src, n, ())?;
                pushed(column.try_push(&text), text.len(), src.pos())
            }
            fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut TextColumn) -> Result<()> {
                let text = <Self as DecodeBody<'de, String>>::to_end::<O, S>(src, ())?;
                pushed(column.try_push(&text), text.len(), src.pos())
            }
            fn put<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W) -> Result<()> {
                <Self as EncodeBody<&str>>::put::<O, W>(&column.row(i), out, ())
            }
            fn put_fixed<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W, n: i128) -> Result<()> {
                <Self as EncodeBody<&str>>::put_fixed::<O, W>(&column.row(i), out, n, ())
            }
        }
    )* };
}
wide_columns!(String Box<str>);
