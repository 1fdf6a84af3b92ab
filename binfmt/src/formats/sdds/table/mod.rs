//! The rows of a binary page, read into columns and written from them, in both orders.

mod fixed;
mod join;
mod text;
mod texts;
mod values;

pub(super) use join::{encode, put_rows};
pub(super) use texts::{at_hand, foresee, push_texts};

use super::header::Header;
use super::value::Elements;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::with_numbers;
use crate::wire::raw::bulk::foresee_room;
use crate::wire::{Order, Source};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use fixed::fixed_rows;
use text::text_rows;
use values::{column_major, stepwise};

/// The most bytes of rows that are taken apart, or put together, at a time.
const MOST_BLOCK: usize = 1 << 18;

/// Columns of one length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) rows: u64,
    pub(super) columns: Vec<Elements>,
}

impl Table {
    /// No rows of the columns that are kept.
    pub(super) fn empty(header: &Header, chosen: &Chosen) -> Self {
        let kept = header.column_types().enumerate().filter(|(i, _)| chosen.keeps(*i));
        Table { rows: 0, columns: kept.map(|(_, kind)| Elements::empty(kind)).collect() }
    }

    /// The bytes of its rows in a binary page.
    pub(super) fn encoded_size(&self) -> u64 {
        let sizes = self.columns.iter().map(|column| match column {
            Elements::String(v) => {
                v.iter().fold(0u64, |n, text| n.saturating_add(4).saturating_add(text.len() as u64))
            }
            other => self.rows.saturating_mul(other.size().unwrap_or(0) as u64),
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// Drops the rows in front.
    pub(super) fn drop_front(&mut self, n: u64) {
        let rows = usize::try_from(n).unwrap_or(usize::MAX);
        self.columns.iter_mut().for_each(|column| column.drop_front(rows));
        self.rows = self.rows.saturating_sub(n);
    }

    /// Drops what a row that is not complete has left behind.
    fn keep_whole_rows(&mut self) {
        let whole = self.columns.iter().map(Elements::len).min().unwrap_or(0);
        for column in &mut self.columns {
            column.truncate(whole);
        }
        self.rows = whole as u64;
    }
}

/// Which columns and rows of a page are decoded.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// For each column of the file, whether it is wanted; `None` for all.
    pub(super) columns: Option<Vec<bool>>,
    pub(super) rows: Range<u64>,
}

impl Chosen {
    pub(super) const ALL: Chosen = Chosen { columns: None, rows: 0..u64::MAX };

    /// No column and no row.
    pub(super) fn nothing(header: &Header) -> Self {
        Chosen { columns: Some(vec![false; header.columns.len()]), rows: 0..0 }
    }

    /// Whether anything is left out.
    pub(super) fn is_part(&self) -> bool {
        self.columns.is_some() || self.rows != Self::ALL.rows
    }

    pub(super) fn keeps(&self, column: usize) -> bool {
        self.columns.as_ref().is_none_or(|keep| keep.get(column).copied().unwrap_or(false))
    }

    /// The rows of so many that are not wanted, those that are, and those not wanted behind them.
    fn split(&self, rows: u64) -> (u64, u64, u64) {
        let end = self.rows.end.min(rows);
        let first = self.rows.start.min(end);
        (first, end.saturating_sub(first), rows.saturating_sub(end))
    }
}

pub(super) fn decode<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
) -> Result<Table> {
    let mut table = Table::empty(header, &Chosen::ALL);
    read::<O, S>(src, header, rows, &Chosen::ALL, &mut table)?;
    Ok(table)
}

/// Reads rows into an empty table. When it fails, the table has the whole rows before the place.
pub(super) fn read<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (_, wanted, _) = chosen.split(rows);
    if header.columns.is_empty() || rows == 0 {
        // without columns the number is all there is
        table.rows = wanted;
        return Ok(());
    }
    let (size, fixed) = row_size(header);
    let stride = usize::try_from(size).ok().filter(|_| fixed);
    let done = match (header.column_major, stride) {
        (true, _) => column_major::<O, S>(src, header, rows, chosen, table),
        (false, Some(stride)) if !S::TRACED => fixed_rows::<O, S>(src, header, rows, stride, chosen, table),
        (false, None) if !S::TRACED => text_rows::<O, S>(src, header, rows, chosen, table),
        (false, _) => stepwise::<O, S>(src, header, rows, chosen, table),
    };
    if done.is_err() && header.column_major {
        table.columns.iter_mut().for_each(|column| column.truncate(0));
    }
    if done.is_err() && !table.columns.is_empty() {
        table.keep_whole_rows();
    } else if done.is_ok() {
        table.rows = wanted;
    }
    done
}

/// The fewest bytes of a row, and whether every row has so many.
pub(super) fn row_size(header: &Header) -> (u64, bool) {
    let sizes = header.column_types().map(|kind| kind.min_size() as u64);
    (sizes.fold(0, u64::saturating_add), header.column_types().all(|kind| kind.size().is_some()))
}

pub(super) fn is_end(e: &Error) -> bool {
    matches!(
        e.kind(),
        ErrorKind::UnexpectedEnd { .. } | ErrorKind::RegionEnd { .. } | ErrorKind::CountTooLarge { .. }
    )
}

/// Makes room for n values more, which will probably come.
fn reserve(column: &mut Elements, n: usize, huge_pages: Option<bool>) {
    match column {
        Elements::Numbers(numbers) => with_numbers!(numbers, v => foresee_room(v, n, huge_pages)),
        Elements::LongDouble(v) => foresee_room(v, n, huge_pages),
        Elements::String(v) => foresee_room(v.parts_mut().0, n, huge_pages),
    }
}
