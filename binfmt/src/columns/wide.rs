//! Text in units of several bytes, as columns of text.

use super::body::{RowBody, pushed};
use super::data::TextColumn;
use crate::containers::DecodeBody;
use crate::containers::textual::TextForm;
use crate::containers::wide::{WideEncoding, WideText};
use crate::error::Result;
use crate::wire::{Order, Sink, Source};
use alloc::string::String;

#[diagnostic::do_not_recommend]
impl<E: WideEncoding, const NUL: bool> RowBody<str> for WideText<E, NUL> {
    fn len(column: &TextColumn, i: usize) -> usize {
        Self::units(column.row(i))
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
        Self::write(column.row(i), out)
    }
    fn put_fixed<O: Order, W: Sink>(column: &TextColumn, i: usize, out: &mut W, n: i128) -> Result<()> {
        Self::write_fixed(column.row(i), out, n)
    }
}
