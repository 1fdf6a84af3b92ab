//! Columns in columns: structs that have columns, one in each row or any number.
#![allow(clippy::arithmetic_side_effects, reason = "places in a source and rows of a column")]

use super::body::ColumnBody;
use super::data::ColumnData;
use super::form::{ColumnAs, RecordBlock, Store, make_room};
use super::list::ListColumn;
use super::record::{ColumnSet, Columnar, Gather, Prepare, Scatter};
use super::rows::{read_row, write_row};
use crate::codec::Layout;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, Own};
use crate::containers::Body;
use crate::containers::items::{Items, add_empty, endless, not_exact};
use crate::error::{Result, Step};
use crate::wire::limits::max_empty_items;
use crate::wire::raw::records::RecordsMut;
use crate::wire::{Facts, Le, Order, Shape, Sink, Source};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

/// The form or body `F` in as many columns as its struct has: the word `columns` on a field.
#[derive(Debug)]
pub struct Nested<F>(PhantomData<F>);

fn prepared<C: ColumnSet>(columns: &mut C) -> bool {
    let mut each = Prepare { fits: true };
    C::WHOLE || columns.walk_mut::<Le, _>(&mut each).is_ok() && each.fits
}

#[diagnostic::do_not_recommend]
impl<T: Columnar> Store<T> for Nested<Own> {
    type Column = T::Columns;
    const BYTES: usize = <T::Columns as ColumnSet>::BYTES;
    fn empty() -> T::Columns {
        T::Columns::default()
    }
    fn push(columns: &mut T::Columns, value: T) -> bool {
        columns.push_row(value)
    }
    fn value(columns: &T::Columns, i: usize) -> Option<T> {
        columns.get_row(i)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Layout> As<T> for Nested<Own> {
    const FACTS: Facts<T> = T::FACTS;
    const SHAPE: Shape = T::SHAPE;
    const TREE: Tree = T::TREE;
}

#[diagnostic::do_not_recommend]
impl<T: Columnar> ColumnAs<T> for Nested<Own> {
    const BLOCKS: bool = <T::Columns as ColumnSet>::BLOCKS;

    fn prepare(columns: &mut T::Columns) -> bool {
        prepared(columns)
    }
    #[inline]
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, columns: &mut T::Columns) -> Result<()> {
        read_row::<O, S, T::Columns>(src, columns)
    }
    #[inline]
    fn encode<O: Order, W: Sink>(columns: &T::Columns, i: usize, out: &mut W) -> Result<()> {
        write_row::<O, W, T::Columns>(columns, i, out)
    }
    #[inline(always)]
    fn gather<O: Order>(records: &RecordBlock<'_>, offset: usize, columns: &mut T::Columns) -> bool {
        let mut each = Gather { records, offset, fits: true };
        let done = columns.walk_mut::<O, _>(&mut each);
        each.fits && done.is_ok()
    }
    #[inline(always)]
    fn scatter<O: Order>(columns: &T::Columns, rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
        let mut each = Scatter { records, rows, fits: true };
        let done = columns.walk::<O, _>(&mut each);
        each.fits && done.is_ok()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Columnar> Body<Vec<T>> for Nested<Items> {
    const ITEM_MIN: usize = <Items as Body<Vec<T>>>::ITEM_MIN;
    const ITEM_MAX: usize = <Items as Body<Vec<T>>>::ITEM_MAX;
    const SHAPE: Shape = <Items as Body<Vec<T>>>::SHAPE;
    const TREE: Tree = <Items as Body<Vec<T>>>::TREE;
    fn len(v: &Vec<T>) -> usize {
        v.len()
    }
}

/// One element of a list.
fn element<'de, O: Order, S: Source<'de>, C: ColumnSet>(src: &mut S, items: &mut C, i: usize) -> Result<()> {
    src.charge(C::BYTES)?;
    let at = src.pos();
    read_row::<O, S, C>(src, items).map_err(|e| e.within(Step::Index(i)))?;
    match <C::Row as Layout>::FACTS.sizes().exact() {
        Some(n) if src.pos() - at != n as u64 => Err(not_exact(src.pos()).within(Step::Index(i))),
        _ => Ok(()),
    }
}

#[diagnostic::do_not_recommend]
impl<T: Columnar> ColumnBody<Vec<T>> for Nested<Items> {
    type Column = ListColumn<T::Columns>;

    fn prepare(column: &mut Self::Column) -> bool {
        prepared(column.parts_mut().1)
    }

    fn push(column: &mut Self::Column, value: Vec<T>) -> bool {
        column.room(1) && column.push_with(|items| value.into_iter().all(|row| items.push_row(row)))
    }

    fn value(column: &Self::Column, i: usize) -> Option<Vec<T>> {
        column.range(i)?.map(|k| column.items().get_row(k)).collect()
    }

    fn len(column: &Self::Column, i: usize) -> usize {
        column.range(i).map_or(0, |range| range.len())
    }

    fn body<'de, O: Order, S: Source<'de>>(src: &mut S, n: usize, column: &mut Self::Column) -> Result<()> {
        src.enter()?;
        let (offsets, items) = column.parts_mut();
        for i in 0..n {
            let at = src.pos();
            make_room(items, i, n, <T::Columns as ColumnSet>::BYTES, at)?;
            element::<O, S, T::Columns>(src, items, i)?;
            if const { T::FACTS.sizes().min == 0 } && src.pos() == at {
                add_empty(src, n, const { max_empty_items::<T>() })?;
            }
        }
        offsets.push(items.len());
        src.leave();
        Ok(())
    }

    fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Self::Column) -> Result<()> {
        src.enter()?;
        let (offsets, items) = column.parts_mut();
        let mut i = 0usize;
        while !src.at_end()? {
            let at = src.pos();
            make_room(items, i, usize::MAX, <T::Columns as ColumnSet>::BYTES, at)?;
            element::<O, S, T::Columns>(src, items, i)?;
            if const { T::FACTS.sizes().min == 0 } && src.pos() == at {
                return Err(endless(at));
            }
            i += 1;
        }
        offsets.push(items.len());
        src.leave();
        Ok(())
    }

    fn put<O: Order, W: Sink>(column: &Self::Column, i: usize, out: &mut W) -> Result<()> {
        for (n, k) in column.range(i).into_iter().flatten().enumerate() {
            if let Err(e) = write_row::<O, W, T::Columns>(column.items(), k, out) {
                return Err(e.within(Step::Index(n)));
            }
        }
        Ok(())
    }
}
