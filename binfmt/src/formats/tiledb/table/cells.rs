//! The cells of a part, box after box.

use super::array::TileTable;
use super::columns::column;
use super::splits::range_of;
use crate::columns::{Column, Columns};
use crate::error::{Error, Result};
use crate::formats::tiledb::read::{Boxes, Cells, Query};
use crate::numbers::Number;
use crate::storage::Storage;
use crate::table::{Scalar, Split, Wanted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of tiles that takes no more is one batch, so that no tile is unfiltered twice.
const MOST_AT_ONCE: u64 = 64 << 20;

pub(super) struct CellBatches {
    table: Arc<TileTable>,
    columns: Vec<usize>,
    /// The wanted attributes, each once.
    names: Vec<String>,
    ranges: Vec<(usize, [Number; 2])>,
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
        // whether cells at one place are all told is decided for the array, in whatever parts it is read
        let whole = table.array.query();
        let all = whole.keeps_all(&whole.keys()?);
        let boxes = Boxes::new(bytes.max(1), Some(all));
        Ok(CellBatches { table, columns, names, ranges, boxes, ended: false })
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        let mut query: Query<'_, Arc<dyn Storage>> = self.table.array.query().attributes(self.names.iter());
        for (dimension, [low, high]) in &self.ranges {
            query = query.range_of(*dimension, *low..=*high);
        }
        let cells = self.boxes.next(&query)?;
        cells.map(|cells| self.columns_of(cells)).transpose()
    }

    /// The wanted columns of some cells. Only one that is wanted again is copied.
    fn columns_of(&self, cells: Cells) -> Result<Columns> {
        let schema = self.table.array.schema();
        let (rows, dims) = (cells.num_cells(), self.table.num_dimensions());
        let mut found: BTreeMap<usize, Column> = BTreeMap::new();
        for i in self.columns.iter().filter(|i| **i < dims) {
            let name = schema.domain.dimensions.get(*i).map_or("", |d| d.name.as_str());
            let values = cells.coordinate(name).ok_or_else(|| {
                Error::other(format!("the coordinates of `{name}` take more memory than the limit allows"))
            })?;
            found.insert(*i, Column::from(values.into_owned()));
        }
        for (name, values) in cells.into_parts().1 {
            let attribute = schema.attributes.iter().position(|a| a.name == name);
            let i = attribute.map_or(usize::MAX, |i| i.saturating_add(dims));
            found.insert(i, column(values)?);
        }
        let mut all = Vec::with_capacity(self.columns.len());
        for (k, i) in self.columns.iter().enumerate() {
            let again = self.columns.iter().skip(k.saturating_add(1)).any(|later| later == i);
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
    bytes_at_once(table, picks).clamp(wanted.batch_bytes.min(MOST_AT_ONCE), MOST_AT_ONCE)
}

/// The bytes of a row of tiles: what is unfiltered for the first cell is of use for all of them.
fn bytes_at_once(table: &TileTable, picks: &[usize]) -> u64 {
    let schema = table.array.schema();
    let sizes =
        picks.iter().filter_map(|i| schema.attributes.get(*i)).map(|a| a.cell_size().unwrap_or(16) as u64);
    let cells = schema.domain.dimensions.iter().enumerate().map(|(i, d)| {
        let [low, high] = d.domain.map(Number::to_f64);
        let width = (high - low + 1.0).max(1.0);
        if i == 0 { d.tile_extent.map_or(width, Number::to_f64).min(width) } else { width }
    });
    let bytes = cells.product::<f64>() * sizes.sum::<u64>().max(1) as f64;
    bytes as u64
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
