//! An array that was opened, and what is known of its cells without reading them.

use super::columns::{attribute_field, dimension_field, filters};
use crate::formats::tiledb::array::{Array, Fragment};
use crate::formats::tiledb::layout::ArrayType;
use crate::formats::tiledb::values::key;
use crate::numbers::Number;
use crate::storage::Storage;
use crate::table::{Estimate, ScalarRange, TableSchema, keys};
use std::fmt;
use std::sync::Arc;

pub(super) struct TileTable {
    pub(super) array: Array<Arc<dyn Storage>>,
    pub(super) schema: TableSchema,
}

impl fmt::Debug for TileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TileTable").field("schema", self.array.schema()).finish_non_exhaustive()
    }
}

impl TileTable {
    pub(super) fn new(array: Array<Arc<dyn Storage>>) -> Self {
        let of = array.schema();
        let dimensions = of.domain.dimensions.iter().map(|d| dimension_field(d, of.domain.datatype));
        let fields = dimensions.chain(of.attributes.iter().map(attribute_field));
        let schema = TableSchema::new(fields)
            .with(keys::FORMAT, "tiledb")
            .with("tiledb:array_type", of.array_type.to_string())
            .with("tiledb:tile_order", of.tile_order.to_string())
            .with("tiledb:cell_order", of.cell_order.to_string())
            .with("tiledb:capacity", of.capacity.to_string())
            .with("tiledb:coords_filters", filters(&of.coords_filters))
            .with("tiledb:offsets_filters", filters(&of.offsets_filters));
        TileTable { array, schema }
    }

    pub(super) fn num_dimensions(&self) -> usize {
        self.array.schema().domain.dimensions.len()
    }

    pub(super) fn is_dense(&self) -> bool {
        self.array.schema().array_type == ArrayType::Dense
    }

    /// The cells of the domain, or those that were written; several fragments may have the same one.
    pub(super) fn num_cells(&self) -> Estimate {
        let schema = self.array.schema();
        if self.is_dense() {
            let cells = schema.domain.dimensions.iter().try_fold(1u64, |n, d| {
                let [low, high] = d.domain.map(key);
                n.checked_mul(high.checked_sub(low)?.checked_add(1)?)
            });
            return cells.map_or(Estimate::Unknown, Estimate::Exact);
        }
        let fragments = self.array.fragments().iter();
        let cells = fragments.map(|fragment| fragment.metadata().footer.num_cells(schema));
        match self.array.fragments().len() {
            0 | 1 => Estimate::Exact(cells.sum()),
            _ => Estimate::About(cells.fold(0, u64::saturating_add)),
        }
    }

    /// Where the coordinates of a dimension are.
    pub(super) fn bounds_of(&self, dimension: usize) -> Option<ScalarRange> {
        let domain = self.array.schema().domain.dimensions.get(dimension)?.domain;
        if self.is_dense() {
            return Some(range(domain));
        }
        let of = |f: &Fragment| f.metadata().footer.non_empty_domain.get(dimension).copied();
        let all: Option<Vec<[Number; 2]>> = self.array.fragments().iter().map(of).collect();
        let all = all?;
        let low = all.iter().map(|ends| ends[0]).min_by_key(|n| key(*n))?;
        let high = all.iter().map(|ends| ends[1]).max_by_key(|n| key(*n))?;
        Some(range([low, high]))
    }
}

fn range([low, high]: [Number; 2]) -> ScalarRange {
    use std::ops::Bound::Included;
    ScalarRange { low: Included(low.into()), high: Included(high.into()) }
}
