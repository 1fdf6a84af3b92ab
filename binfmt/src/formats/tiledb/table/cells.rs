//! The cells of a part, box after box.

use super::array::TileTable;
use super::columns::column;
use super::splits::{query, range_of, wants_written};
use crate::columns::{Column, Columns};
use crate::error::{Error, Result};
use crate::formats::tiledb::layout::Attribute;
use crate::formats::tiledb::read::{Boxes, Cells, Query};
use crate::numbers::Number;
use crate::storage::Storage;
use crate::table::{Scalar, Split, Wanted};
use crate::wire::amount::{after, natural, times64};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A row of tiles that takes no more is one batch, so that no tile is unfiltered twice.
const MOST_AT_ONCE: u64 = 64 << 20;

/// Cells that take no more are one batch, however few rows are asked for.
const LEAST_AT_ONCE: u64 = 4 << 20;

pub(super) struct CellBatches {
    table: Arc<TileTable>,
    columns: Vec<usize>,
    /// The wanted attributes, each once.
    names: Vec<String>,
    ranges: Vec<(usize, [Number; 2])>,
    /// The wanted rows, of those in the ranges.
    rows: Range<u64>,
    /// How many rows before them are not read.
    pub(super) left_out: u64,
    boxes: Boxes,
    ended: bool,
}

impl CellBatches {
    pub(super) fn new(
        table: Arc<TileTable>,
        split: &Split,
        wanted: &Wanted,
        columns: Vec<usize>,
    ) -> Result<Self> {
        let written = wants_written(&table, wanted);
        if !wanted.unwritten && !written {
            let all_rows = wanted.rows_of(None);
            let asked = natural(all_rows.end.saturating_sub(all_rows.start));
            query(&table, wanted).check_unwritten(asked.min(wanted.limit.unwrap_or(u64::MAX)))?;
        }
        let dims = table.num_dimensions();
        let attributes = &table.array.schema().attributes;
        let picks = picks(&table, &columns);
        let names = picks.iter().filter_map(|i| attributes.get(*i)).map(|a| a.name.clone()).collect();
        let mut ranges: BTreeMap<usize, [Number; 2]> =
            (0..dims).filter_map(|d| Some((d, range_of(&table, wanted, d)?))).collect();
        for within in &split.within {
            let (Scalar::Number(low), Scalar::Number(high)) = (&within.low, &within.high) else {
                return Err(Error::other("a part of another table: its coordinates are not numbers"));
            };
            ranges.insert(within.column, [*low, *high]);
        }
        let ranges: Vec<(usize, [Number; 2])> = ranges.into_iter().collect();
        let bytes = memory(&table, wanted, &picks);
        let rows = natural(split.rows.start)..natural(split.rows.end);
        // whether cells at one place are all told is decided for the array, in whatever parts it is read
        let whole = table.array.query();
        let all = whole.any().keeps_all(&whole.any().keys()?);
        let boxes = Boxes::new(bytes.max(1), Some(all)).written(written);
        let mut batches =
            CellBatches { table, columns, names, ranges, rows, boxes, left_out: 0, ended: false };
        batches.left_out = batches.query()?.1;
        Ok(batches)
    }

    /// What is read, and how many rows are left out before it.
    fn query(&self) -> Result<(Query<'_, Arc<dyn Storage>>, u64)> {
        let mut query = self.table.array.query().attributes(self.names.iter());
        for (dimension, [low, high]) in &self.ranges {
            query = query.range_of(*dimension, *low..=*high);
        }
        query.narrowed_to(self.rows.clone())
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        let mut boxes = std::mem::take(&mut self.boxes);
        let cells = self.query().and_then(|(query, _)| boxes.next(query.any()));
        self.boxes = boxes;
        let cells = cells?;
        cells.map(|cells| self.columns_of(cells)).transpose()
    }

    /// The wanted columns of some cells. Only one that is wanted again is copied.
    fn columns_of(&self, cells: Cells) -> Result<Columns> {
        let schema = self.table.array.schema();
        let (rows, dims) = (cells.num_cells(), self.table.num_dimensions());
        let mut found: BTreeMap<usize, Column> = BTreeMap::new();
        for i in self.columns.iter().filter(|i| **i < dims) {
            let values = cells.coordinates(*i).ok_or_else(|| {
                let name = schema.domain.dimensions.get(*i).map_or("", |d| d.name.as_str());
                Error::other(format!("the coordinates of `{name}` take more memory than the limit allows"))
            })?;
            found.insert(*i, Column::from(values.into_owned()));
        }
        let places = schema.places();
        for (name, values) in cells.into_parts().1 {
            let attribute = places.get(name.as_str()).copied();
            let i = attribute.map_or(usize::MAX, |i| i.saturating_add(dims));
            found.insert(i, column(values)?);
        }
        let mut all = Vec::with_capacity(self.columns.len());
        let last: BTreeMap<usize, usize> = self.columns.iter().copied().zip(0..).collect();
        for (k, i) in self.columns.iter().enumerate() {
            let again = last.get(i).is_some_and(|last| *last > k);
            let column = if again { found.get(i).cloned() } else { found.remove(i) };
            let name = self.table.schema.fields.get(*i).map(|field| field.name.clone());
            all.extend(name.zip(column));
        }
        Ok(Columns::of_rows(rows, all))
    }
}

/// The wanted attributes, each once.
pub(super) fn picks(table: &TileTable, columns: &[usize]) -> Vec<usize> {
    let dims = table.num_dimensions();
    let mut picks: Vec<usize> = columns.iter().filter_map(|column| column.checked_sub(dims)).collect();
    picks.sort_unstable();
    picks.dedup();
    picks
}

/// The most bytes of cells that are read at once.
pub(super) fn memory(table: &TileTable, wanted: &Wanted, picks: &[usize]) -> u64 {
    let names = picks.iter().filter_map(|i| table.array.schema().attributes.get(*i)).map(|a| a.name.as_str());
    let bytes = table.array.query().attributes(names).bytes_of_tiles();
    let attributes = picks.iter().filter_map(|i| table.array.schema().attributes.get(*i));
    let each = attributes.filter_map(Attribute::cell_size).fold(1, |sum, size| after(sum, size as u64));
    let rows = times64(wanted.batch_rows as u64, each).max(LEAST_AT_ONCE);
    bytes.clamp(wanted.batch_bytes.min(rows).min(MOST_AT_ONCE), MOST_AT_ONCE)
}

impl Iterator for CellBatches {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        if self.ended {
            return None;
        }
        let batch = self.batch();
        self.ended = !matches!(batch, Ok(Some(_)));
        batch.transpose()
    }
}
