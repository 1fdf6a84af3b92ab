//! The rows of a binary page, read into columns and written from them, in both orders.

use super::header::Header;
use super::types::DataType;
use super::value::{Elements, push_string, put_string};
use super::x87::X87;
use crate::codec::{Decode, Encode};
use crate::columns::gather::{BLOCK_ROWS, gather, scatter};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::limits::checked;
use crate::wire::{Label, Order, Sink, Source};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The most bytes of rows that are taken apart at a time.
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
    let done = match (header.column_major, row_size(header)) {
        (true, _) => column_major::<O, S>(src, header, rows, chosen, table),
        (false, Some(stride)) if !S::TRACED => fixed_rows::<O, S>(src, header, rows, stride, chosen, table),
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

/// Bytes of a row, where every row has the same.
fn row_size(header: &Header) -> Option<usize> {
    header.column_types().try_fold(0usize, |n, kind| Some(n.saturating_add(kind.size()?)))
}

/// Rows of one size, a block at a time and a column at a time.
fn fixed_rows<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    stride: usize,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, mut wanted, behind) = chosen.split(rows);
    let all = src.left().is_none_or(|left| rows <= (left / stride.max(1)) as u64);
    if let (true, Some(_), Ok(n)) = (all, src.left(), usize::try_from(wanted)) {
        src.charge(n.saturating_mul(stride))?;
        table.columns.iter_mut().for_each(|column| reserve(column, n));
    }
    skip_rows(src, before, stride)?;
    let mut block = (MOST_BLOCK / stride.max(1)).clamp(1, BLOCK_ROWS) as u64;
    while wanted > 0 {
        block = block.min(wanted);
        match src.take(stride.saturating_mul(block as usize)) {
            Ok(bytes) => split_rows::<O>(bytes.bytes(), header, stride, chosen, table),
            // the end is in this block: row by row up to it
            Err(e) if block > 1 && is_end(&e) => {
                block = 1;
                continue;
            }
            Err(e) => {
                let row = rows.saturating_sub(behind).saturating_sub(wanted);
                return Err(e.within(Step::Index(usize::try_from(row).unwrap_or(usize::MAX))));
            }
        }
        wanted = wanted.saturating_sub(block);
    }
    skip_rows(src, behind, stride)
}

fn skip_rows<'de, S: Source<'de>>(src: &mut S, rows: u64, stride: usize) -> Result<()> {
    src.skip(rows.saturating_mul(stride as u64))
}

pub(super) fn is_end(e: &Error) -> bool {
    matches!(
        e.kind(),
        ErrorKind::UnexpectedEnd { .. } | ErrorKind::RegionEnd { .. } | ErrorKind::CountTooLarge { .. }
    )
}

/// Makes room for n values more.
fn reserve(column: &mut Elements, n: usize) {
    match column {
        Elements::Short(v) => v.reserve(n),
        Elements::UShort(v) => v.reserve(n),
        Elements::Long(v) => v.reserve(n),
        Elements::ULong(v) => v.reserve(n),
        Elements::Long64(v) => v.reserve(n),
        Elements::ULong64(v) => v.reserve(n),
        Elements::Float(v) => v.reserve(n),
        Elements::Double(v) => v.reserve(n),
        Elements::LongDouble(v) => v.reserve(n),
        Elements::Character(v) => v.reserve(n),
        Elements::String(_) => {}
    }
}

fn split_rows<O: Order>(block: &[u8], header: &Header, stride: usize, chosen: &Chosen, table: &mut Table) {
    let mut offset = 0usize;
    let mut columns = table.columns.iter_mut();
    for (i, kind) in header.column_types().enumerate() {
        if chosen.keeps(i) {
            match columns.next() {
                Some(Elements::Short(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::UShort(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::Long(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::ULong(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::Long64(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::ULong64(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::Float(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::Double(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::Character(v)) => gather::<O, _>(block, stride, offset, v),
                Some(Elements::LongDouble(v)) => v.extend(
                    block
                        .chunks_exact(stride)
                        .map(|row| X87::get::<O>(row.get(offset..).unwrap_or_default())),
                ),
                Some(Elements::String(_)) | None => {}
            }
        }
        offset = offset.saturating_add(kind.min_size());
    }
}

/// Rows value by value: those with strings, and those whose bytes are named one by one.
fn stepwise<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, _) = chosen.split(rows);
    let end = before.saturating_add(wanted);
    for row in 0..rows {
        let keep = row >= before && row < end;
        let index = usize::try_from(row).unwrap_or(usize::MAX);
        src.open(Label::Index(index), "row");
        let mut columns = table.columns.iter_mut();
        for (i, column) in header.columns.iter().enumerate() {
            src.open(Label::Field(&column.name), column.data_type.name());
            let kept = if chosen.keeps(i) { columns.next() } else { None };
            let done = match kept {
                Some(elements) if keep => push::<O, S>(src, elements),
                _ => step_over::<O, S>(src, column.data_type, 1),
            };
            done.map_err(|e| e.within(Step::Index(index)))?;
            src.close();
        }
        src.close();
    }
    Ok(())
}

/// The next value of a column.
#[inline]
fn push<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Elements) -> Result<()> {
    src.charge(1)?;
    match column {
        Elements::Short(v) => v.push(i16::decode::<O, S>(src, ())?),
        Elements::UShort(v) => v.push(u16::decode::<O, S>(src, ())?),
        Elements::Long(v) => v.push(i32::decode::<O, S>(src, ())?),
        Elements::ULong(v) => v.push(u32::decode::<O, S>(src, ())?),
        Elements::Long64(v) => v.push(i64::decode::<O, S>(src, ())?),
        Elements::ULong64(v) => v.push(u64::decode::<O, S>(src, ())?),
        Elements::Float(v) => v.push(f32::decode::<O, S>(src, ())?),
        Elements::Double(v) => v.push(f64::decode::<O, S>(src, ())?),
        Elements::LongDouble(v) => v.push(X87::decode::<O, S>(src, ())?),
        Elements::Character(v) => v.push(u8::decode::<O, S>(src, ())?),
        Elements::String(v) => return push_string::<O, S>(src, v),
    }
    Ok(())
}

/// Steps over n values.
fn step_over<'de, O: Order, S: Source<'de>>(src: &mut S, kind: DataType, n: u64) -> Result<()> {
    if let Some(size) = kind.size() {
        return src.skip(n.saturating_mul(size as u64));
    }
    for _ in 0..n {
        let at = src.pos();
        let len = i32::decode::<O, S>(src, ())?;
        let len = checked(src, i128::from(len), (1, 1), u64::MAX, at)?;
        src.skip(len as u64)?;
    }
    Ok(())
}

/// Columns one after the other.
fn column_major<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, behind) = chosen.split(rows);
    let mut columns = table.columns.iter_mut();
    for (i, column) in header.columns.iter().enumerate() {
        let kind = column.data_type;
        src.open(Label::Field(&column.name), kind.name());
        let kept = if chosen.keeps(i) { columns.next() } else { None };
        let done = match kept {
            None => step_over::<O, S>(src, kind, rows),
            Some(elements) => step_over::<O, S>(src, kind, before)
                .and_then(|()| Elements::decode::<O, S>(src, (kind, wanted)))
                .and_then(|values| {
                    *elements = values;
                    step_over::<O, S>(src, kind, behind)
                }),
        };
        done.map_err(|e| e.within(Step::Index(i)))?;
        src.close();
    }
    Ok(())
}

pub(super) fn encode<O: Order, W: Sink>(
    table: &Table,
    out: &mut W,
    header: &Header,
    rows: u64,
) -> Result<()> {
    for (expected, found) in [(header.columns.len() as u64, table.columns.len() as u64), (rows, table.rows)] {
        if expected != found {
            return Err(Error::new(
                ErrorKind::LengthMismatch { expected: i128::from(expected), found },
                out.pos(),
            ));
        }
    }
    for (i, (kind, values)) in header.column_types().zip(&table.columns).enumerate() {
        if values.data_type() != kind {
            let kind = ErrorKind::VariantMismatch { of: "Elements", found: values.data_type().name() };
            return Err(Error::new(kind, out.pos()).within(Step::Index(i)));
        }
        if values.len() as u64 != rows {
            let kind = ErrorKind::LengthMismatch { expected: i128::from(rows), found: values.len() as u64 };
            return Err(Error::new(kind, out.pos()).within(Step::Index(i)));
        }
    }
    if header.column_major {
        for (kind, values) in header.column_types().zip(&table.columns) {
            values.encode::<O, W>(out, (kind, rows))?;
        }
        return Ok(());
    }
    let columns: Vec<&Elements> = table.columns.iter().collect();
    put_rows::<O, W>(&columns, 0..usize::try_from(rows).unwrap_or(usize::MAX), out)
}

/// Rows of columns, in their order.
pub(super) fn put_rows<O: Order, W: Sink>(
    columns: &[&Elements],
    rows: Range<usize>,
    out: &mut W,
) -> Result<()> {
    let mut sizes = columns.iter().map(|values| values.data_type().size());
    let stride = sizes.try_fold(0usize, |n, size| Some(n.saturating_add(size?)));
    if columns.is_empty() {
        return Ok(());
    }
    let Some(stride) = stride else {
        return rows
            .into_iter()
            .try_for_each(|row| columns.iter().try_for_each(|values| put::<O, W>(values, row, out)));
    };
    let step = (MOST_BLOCK / stride.max(1)).clamp(1, BLOCK_ROWS).min(rows.len());
    let mut block = vec![0; step.saturating_mul(stride)];
    for from in rows.clone().step_by(step.max(1)) {
        let n = step.min(rows.end.saturating_sub(from));
        block.truncate(n.saturating_mul(stride));
        let mut offset = 0usize;
        for values in columns {
            join_rows::<O>(values, from, &mut block, stride, offset);
            offset = offset.saturating_add(values.data_type().min_size());
        }
        out.bytes(&block, 0)?;
    }
    Ok(())
}

fn join_rows<O: Order>(values: &Elements, from: usize, block: &mut [u8], stride: usize, offset: usize) {
    macro_rules! scattered {
        ($v:expr) => {
            scatter::<O, _>($v.get(from..).unwrap_or_default(), block, stride, offset)
        };
    }
    match values {
        Elements::Short(v) => scattered!(v),
        Elements::UShort(v) => scattered!(v),
        Elements::Long(v) => scattered!(v),
        Elements::ULong(v) => scattered!(v),
        Elements::Long64(v) => scattered!(v),
        Elements::ULong64(v) => scattered!(v),
        Elements::Float(v) => scattered!(v),
        Elements::Double(v) => scattered!(v),
        Elements::Character(v) => scattered!(v),
        Elements::LongDouble(v) => {
            for (x, row) in v.get(from..).unwrap_or_default().iter().zip(block.chunks_exact_mut(stride)) {
                x.put::<O>(row.get_mut(offset..).unwrap_or_default());
            }
        }
        Elements::String(_) => {}
    }
}

/// One value.
#[inline]
fn put<O: Order, W: Sink>(values: &Elements, row: usize, out: &mut W) -> Result<()> {
    macro_rules! one {
        ($v:expr) => {
            $v.get(row).map_or(Ok(()), |x| x.encode::<O, W>(out, ()))
        };
    }
    match values {
        Elements::Short(v) => one!(v),
        Elements::UShort(v) => one!(v),
        Elements::Long(v) => one!(v),
        Elements::ULong(v) => one!(v),
        Elements::Long64(v) => one!(v),
        Elements::ULong64(v) => one!(v),
        Elements::Float(v) => one!(v),
        Elements::Double(v) => one!(v),
        Elements::LongDouble(v) => one!(v),
        Elements::Character(v) => one!(v),
        Elements::String(v) => v.get(row).map_or(Ok(()), |text| put_string::<O, W>(text, out)),
    }
}
