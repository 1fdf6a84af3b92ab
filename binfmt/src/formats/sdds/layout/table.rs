//! The rows of a binary page: columns of the plan of a row, or of each column by itself.

use super::definition::Header;
use super::describe;
use super::types::DataType;
use super::value::{Elements, mismatch};
use super::x87::X87;
use crate::columns::{Column, ColumnRef, ColumnWriter, Plan, RowReader, Scratch, skip_rows};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{known, plus};
use crate::wire::{Be, Endian, Erased, Le, Order, Policy, Sink, Slice, Source};
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

/// Columns of one length.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) rows: u64,
    pub(crate) columns: Vec<Elements>,
}

impl Table {
    /// No rows of the columns that are kept.
    pub(crate) fn empty(header: &Header, chosen: &Chosen) -> Self {
        let kept = header.column_types().enumerate().filter(|(i, _)| chosen.keeps(*i));
        Table { rows: 0, columns: kept.map(|(_, kind)| Elements::empty(kind)).collect() }
    }

    /// The bytes of its strings.
    pub(crate) fn text_bytes(&self) -> usize {
        let texts = self.columns.iter().map(|column| match column {
            Elements::String(texts) => texts.items().len(),
            _ => 0,
        });
        texts.sum()
    }

    /// The bytes of its rows in a binary page.
    pub(crate) fn encoded_size(&self) -> u64 {
        let sizes = self.columns.iter().map(|column| match column {
            Elements::String(v) => v.items().len() as u64 + 4 * v.len() as u64,
            other => self.rows * known(other.size()) as u64,
        });
        sizes.sum()
    }

    /// Drops the rows in front.
    pub(crate) fn drop_front(&mut self, n: u64) {
        let n = n.min(self.rows);
        self.columns.iter_mut().for_each(|column| column.drop_front(count(n)));
        self.rows -= n;
    }
}

/// Which columns and rows of a page are decoded.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// For each column of the file, whether it is wanted; `None` for all.
    pub(crate) columns: Option<Vec<bool>>,
    pub(crate) rows: Range<u64>,
    /// Whether a source that notes what is read is all that is wanted: then the rows are not kept.
    pub(crate) passed: bool,
}

impl Chosen {
    pub(crate) const ALL: Chosen = Chosen { columns: None, rows: 0..u64::MAX, passed: false };
    pub(crate) const PASSED: Chosen = Chosen { passed: true, ..Chosen::ALL };

    /// Whether rows that are read from this source are not kept.
    pub(crate) fn passes(&self, src: &Erased<'_, '_>) -> bool {
        src.is_heard() && self.passed
    }

    /// The same columns, and no row.
    pub(crate) fn without_rows(&self) -> Self {
        Chosen { columns: self.columns.clone(), rows: 0..0, passed: false }
    }

    /// Whether anything is left out.
    pub(crate) fn is_part(&self) -> bool {
        self.columns.is_some() || self.rows != Self::ALL.rows
    }

    pub(crate) fn keeps(&self, column: usize) -> bool {
        self.columns.as_ref().is_none_or(|keep| keep.get(column).copied().unwrap_or(false))
    }

    /// How many rows from this one on are all wanted, or all not.
    pub(crate) fn alike(&self, row: u64) -> u64 {
        let Range { start, end } = self.rows;
        let next = [start, end].into_iter().find(|next| row < *next).unwrap_or(u64::MAX);
        next - row
    }

    /// Whether any of that many columns is wanted.
    pub(crate) fn keeps_any(&self, columns: usize) -> bool {
        (0..columns).any(|column| self.keeps(column))
    }

    /// The rows of that many that are not wanted, those that are, and those not wanted after them.
    fn split(&self, rows: u64) -> (usize, usize, usize) {
        let end = self.rows.end.min(rows);
        let first = self.rows.start.min(end);
        (count(first), count(end - first), count(rows - end))
    }
}

/// That many rows, of which memory holds no more.
fn count(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}

/// Steps over the rows of a page of which nothing is kept, if the types of the columns tell their size: this needs no plan. Else `None`.
pub(crate) fn step_over(
    src: &mut Erased<'_, '_>,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
) -> Option<(Table, Result<()>)> {
    let (_, wanted, _) = chosen.split(rows);
    if src.is_heard() || (wanted > 0 && chosen.keeps_any(header.columns.len())) {
        return None;
    }
    let sizes = header.column_types().map(DataType::size);
    let done = match header.column_major {
        true => {
            let sizes: Vec<usize> = sizes.collect::<Option<_>>()?;
            sizes.into_iter().try_for_each(|size| skip_rows(src, count(rows), size))
        }
        false => skip_rows(src, count(rows), sizes.sum::<Option<usize>>()?),
    };
    let rows = if done.is_ok() { wanted as u64 } else { 0 };
    Some((Table { rows, ..Table::empty(header, chosen) }, done))
}

/// How rows of a header are read and written: made once for all pages.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    types: Vec<DataType>,
    /// One of whole rows; of pages in column-major order one of each column.
    plans: Vec<Plan>,
    column_major: bool,
    /// Memory that pages need one after the other.
    scratch: Scratch,
}

impl RowPlan {
    pub(crate) fn new(header: &Header) -> Result<Self> {
        let columns = header.columns.iter().map(|c| (c.name.as_str(), c.data_type));
        Self::of(columns, header.column_major)
    }

    /// For columns with these names and types.
    pub(crate) fn of<'a>(
        columns: impl Iterator<Item = (&'a str, DataType)> + Clone,
        column_major: bool,
    ) -> Result<Self> {
        let mut plans = Vec::new();
        if column_major {
            let mut names = BTreeSet::new();
            for column in columns.clone() {
                // rows of these columns would not be a layout
                if !names.insert(column.0) {
                    return Err(ErrorKind::Duplicate { of: "column", name: column.0.to_string() }.into());
                }
                plans.push(Plan::new(&describe::row(core::iter::once(column), None))?);
            }
        } else {
            plans.push(Plan::new(&describe::row(columns.clone(), None))?);
        }
        let types = columns.map(|(_, kind)| kind).collect();
        Ok(RowPlan { types, plans, column_major, scratch: Scratch::default() })
    }

    /// Of the columns that are chosen.
    pub(crate) fn select(mut self, header: &Header, chosen: &Chosen) -> Result<Self> {
        let names = header.columns.iter().enumerate().filter(|(i, _)| chosen.keeps(*i));
        let names: Vec<&str> = names.map(|(_, c)| c.name.as_str()).collect();
        if let ([plan], false) = (self.plans.as_mut_slice(), self.column_major) {
            *plan = plan.select(&names)?;
        }
        Ok(self)
    }

    /// Rows that are put together of what several sources have, little-endian ones or not.
    pub(crate) fn rows(&self, endian: Endian) -> Option<RowReader> {
        self.plans.first().map(|plan| RowReader::new(plan, endian))
    }

    /// No rows of the columns that are chosen.
    fn empty(&self, chosen: &Chosen, rows: usize) -> Table {
        let kept = self.types.iter().enumerate().filter(|(i, _)| chosen.keeps(*i));
        Table { rows: rows as u64, columns: kept.map(|(_, kind)| Elements::empty(*kind)).collect() }
    }

    /// Reads rows. When it fails, the table has the whole rows before the place, where rows are one after the other.
    pub(crate) fn read<O: Order>(
        &mut self,
        src: &mut Erased<'_, '_>,
        rows: u64,
        chosen: &Chosen,
    ) -> (Table, Result<()>) {
        let parts = chosen.split(rows);
        let (_, wanted, _) = parts;
        if self.types.is_empty() || rows == 0 {
            // without columns the number is all there is
            return (self.empty(chosen, wanted), Ok(()));
        }
        if self.column_major {
            return match self.columns::<O>(src, parts, chosen) {
                Ok(columns) if wanted > 0 => (Table { rows: wanted as u64, columns }, Ok(())),
                done => (self.empty(chosen, 0), done.map(|_| ())),
            };
        }
        let RowPlan { plans, scratch, .. } = self;
        let Some(plan) = plans.first() else { return (self.empty(chosen, 0), Ok(())) };
        let mut all = RowReader::with(plan, endian_of::<O>(), (&*src, wanted), scratch);
        if chosen.passes(src) || !chosen.keeps_any(self.types.len()) {
            let done = all.skip(src, count(rows));
            return (Table { rows: if done.is_ok() { wanted as u64 } else { 0 }, columns: Vec::new() }, done);
        }
        let read = all.read_part(src, parts);
        let rows = all.num_rows() as u64;
        match elements(all.finish(scratch), endian_of::<O>()) {
            Ok(columns) => (Table { rows, columns }, read),
            Err(e) => (self.empty(chosen, 0), Err(e)),
        }
    }

    /// Columns one after the other.
    fn columns<O: Order>(
        &mut self,
        src: &mut Erased<'_, '_>,
        rows: (usize, usize, usize),
        chosen: &Chosen,
    ) -> Result<Vec<Elements>> {
        let (before, wanted, after) = rows;
        let mut found = Vec::with_capacity(self.types.len());
        for (i, plan) in self.plans.iter().enumerate() {
            if chosen.passes(src) {
                let native = self.types.get(i).map_or("", |kind| kind.name());
                plan.pass_column(src, wanted, (native, endian_of::<O>()))?;
            } else if chosen.keeps(i) && wanted > 0 {
                let column = plan.read_column(src, rows, endian_of::<O>(), &mut self.scratch)?;
                found.push(element(column, endian_of::<O>())?);
            } else {
                let all = plus(plus(before, wanted), after);
                RowReader::new(plan, endian_of::<O>()).skip(src, all)?;
            }
        }
        Ok(found)
    }

    /// That many values of columns, of which each comes with its bytes, where pages have one column after the other.
    pub(crate) fn values<'a>(
        &mut self,
        columns: impl ExactSizeIterator<Item = (usize, (usize, &'a [u8]))>,
        rows: usize,
        endian: Endian,
    ) -> Result<Vec<Elements>> {
        let mut found = Vec::with_capacity(columns.len());
        for (column, (before, bytes)) in columns {
            let Some(plan) = self.plans.get(column) else { continue };
            let of = (before, rows, 0);
            found.push(plan.read_column(&mut Slice::new(bytes).erase(), of, endian, &mut self.scratch)?);
        }
        elements(found.into_iter(), endian)
    }

    /// Writes rows in their order, little-endian ones or not.
    pub(crate) fn write_rows<'a, O: Order, W: Sink>(
        &mut self,
        columns: impl ExactSizeIterator<Item = &'a Elements> + Clone,
        rows: Range<usize>,
        out: &mut W,
    ) -> Result<()> {
        let RowPlan { plans, scratch, .. } = self;
        let Some(plan) = plans.first().filter(|_| columns.len() > 0) else { return Ok(()) };
        let any_wide = columns.clone().any(|values| matches!(values, Elements::LongDouble(_)));
        let wide: Vec<Vec<u8>> = match any_wide {
            true => columns.clone().map(sixteens::<O>).collect(),
            false => Vec::new(),
        };
        let bytes = |i: usize| wide.get(i).map_or(&[][..], Vec::as_slice);
        let mut refs = scratch.refs();
        refs.extend(columns.enumerate().map(|(i, values)| borrowed(values, bytes(i))));
        ColumnWriter::of(plan, refs, rows, (endian_of::<O>(), Policy::STRICT)).write(out, scratch)
    }

    /// Whether a table has the columns of the plan, and that many rows.
    pub(crate) fn check(&self, table: &Table, rows: u64, at: u64) -> Result<()> {
        for (expected, found) in [(self.types.len() as u64, table.columns.len() as u64), (rows, table.rows)] {
            if expected != found {
                let kind = ErrorKind::LengthMismatch { expected: i128::from(expected), found };
                return Err(Error::new(kind, at));
            }
        }
        for (i, (kind, values)) in self.types.iter().zip(&table.columns).enumerate() {
            if !values.is_of(*kind) {
                return Err(mismatch("Elements", values.data_type(), at).within(Step::Index(i)));
            }
            if values.len() as u64 != rows {
                let kind =
                    ErrorKind::LengthMismatch { expected: i128::from(rows), found: values.len() as u64 };
                return Err(Error::new(kind, at).within(Step::Index(i)));
            }
        }
        Ok(())
    }

    /// Writes the rows of a table, which has these columns.
    pub(crate) fn write<O: Order, W: Sink>(&mut self, table: &Table, out: &mut W) -> Result<()> {
        let rows = table.rows;
        if !self.column_major {
            return self.write_rows::<O, W>(table.columns.iter(), 0..count(rows), out);
        }
        table.columns.iter().enumerate().try_for_each(|(i, values)| self.write_values::<O, W>(i, values, out))
    }

    /// Writes values of one column, of pages that have one after the other.
    pub(crate) fn write_values<O: Order, W: Sink>(
        &mut self,
        column: usize,
        values: &Elements,
        out: &mut W,
    ) -> Result<()> {
        let Some(plan) = self.plans.get(column) else { return Ok(()) };
        let wide = match values {
            Elements::LongDouble(_) => sixteens::<O>(values),
            _ => Vec::new(),
        };
        let order = (endian_of::<O>(), Policy::STRICT);
        plan.write_column(borrowed(values, &wide), values.len(), order, out, &mut self.scratch)
    }
}

fn endian_of<O: Order>() -> Endian {
    if O::LE { Endian::Little } else { Endian::Big }
}

/// What was read, as SDDS has it.
pub(crate) fn elements(
    columns: impl ExactSizeIterator<Item = Column>,
    endian: Endian,
) -> Result<Vec<Elements>> {
    let mut all = Vec::with_capacity(columns.len());
    for column in columns {
        // each of these moves once
        match column {
            Column::Numbers(v) => all.push(Elements::Numbers(v)),
            Column::Text(v) => all.push(Elements::String(v)),
            other => all.push(element(other, endian)?),
        }
    }
    Ok(all)
}

/// A column that was made for a type of SDDS: `longdouble` is sixteen bytes, whose order depends on that of the file.
fn element(column: Column, endian: Endian) -> Result<Elements> {
    Ok(match column {
        Column::Numbers(v) => Elements::Numbers(v),
        Column::Text(v) => Elements::String(v),
        Column::FixedBytes { size: 16, bytes, .. } => {
            let get: fn(&[u8]) -> X87 = match endian {
                Endian::Little => X87::get::<Le>,
                Endian::Big => X87::get::<Be>,
            };
            Elements::LongDouble(bytes.as_chunks::<16>().0.iter().map(|b| get(b)).collect())
        }
        other => Elements::try_from(other)?,
    })
}

/// The bytes of `longdouble`; of other types none.
fn sixteens<O: Order>(values: &Elements) -> Vec<u8> {
    let Elements::LongDouble(v) = values else { return Vec::new() };
    let mut wide = alloc::vec![0; 16 * v.len()];
    for (x, room) in v.iter().zip(wide.chunks_exact_mut(16)) {
        x.put::<O>(room);
    }
    wide
}

fn borrowed<'a>(values: &'a Elements, wide: &'a [u8]) -> ColumnRef<'a> {
    match values {
        Elements::Numbers(v) => ColumnRef::Numbers(v),
        Elements::String(v) => ColumnRef::Text(v),
        Elements::LongDouble(v) => ColumnRef::FixedBytes { size: 16, rows: v.len(), bytes: wide },
    }
}

/// The table of a page by itself.
pub(crate) fn decode<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
) -> Result<Table> {
    let src = &mut src.erase();
    let (table, read) = RowPlan::new(header)?.read::<O>(src, rows, &Chosen::ALL);
    read.map(|()| table)
}

pub(crate) fn encode<O: Order, W: Sink>(
    table: &Table,
    out: &mut W,
    header: &Header,
    rows: u64,
) -> Result<()> {
    let mut plan = RowPlan::new(header)?;
    plan.check(table, rows, out.pos())?;
    plan.write::<O, W>(table, out)
}

/// The fewest bytes of a row, and whether every row has that many.
pub(crate) fn row_size(header: &Header) -> (u64, bool) {
    let sizes = header.column_types().map(|kind| kind.min_size() as u64);
    (sizes.sum(), header.column_types().all(|kind| kind.size().is_some()))
}

pub(crate) fn is_end(e: &Error) -> bool {
    matches!(
        e.kind(),
        ErrorKind::UnexpectedEnd { .. } | ErrorKind::RegionEnd { .. } | ErrorKind::CountTooLarge { .. }
    )
}
