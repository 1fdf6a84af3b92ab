//! Orders of cells: row-major, column-major, and the order in which fragments have them.

use crate::formats::tiledb::layout::{ArraySchema, Dimension, Layout};
use crate::formats::tiledb::values::key;
use crate::numbers::{Number, Numbers};
use crate::{ErrorKind, Result};

/// The order of the cells of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As a whole.
    Layout(Layout),
    /// Tile after tile in the array's tile order, the cells of each in its cell order.
    Global,
}

impl Order {
    /// An order that files may have no name for.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Order::Layout(Layout::Unknown(code)) => {
                Err(ErrorKind::UnknownCode { of: "order", code: code.into() }.into())
            }
            _ => Ok(()),
        }
    }
}

/// The dimensions from the one that changes slowest to the fastest.
pub(crate) fn slowest_first(num_dims: usize, layout: Layout) -> Vec<usize> {
    match layout {
        Layout::ColumnMajor => (0..num_dims).rev().collect(),
        _ => (0..num_dims).collect(),
    }
}

/// A number that sorts as the tiles of a dimension do. Tiles of floats are not rounded down, as in libtiledb 1.6.
fn tile_key(dimension: &Dimension, value: Number) -> u64 {
    match (value, dimension.domain[0], dimension.tile_extent) {
        (Number::F32(c), Number::F32(low), Some(Number::F32(extent))) => key(Number::F32((c - low) / extent)),
        (Number::F64(c), Number::F64(low), Some(Number::F64(extent))) => key(Number::F64((c - low) / extent)),
        (c, low, Some(extent)) => match (c.as_i128(), low.as_i128(), extent.as_i128()) {
            (Some(c), Some(low), Some(extent)) => ((c - low) / extent.max(1)) as u64,
            _ => 0,
        },
        _ => 0,
    }
}

/// What sorts cells in global order: numbers of their tiles, then of the cells in them, each in the order in which they count,
/// one for each cell. As many are those of tiles as those of cells.
pub(crate) fn global_keys(schema: &ArraySchema, coords: &[Numbers]) -> Vec<Vec<u64>> {
    let mut keys = tile_keys(schema, coords);
    keys.extend(
        slowest_first(coords.len(), schema.cell_order)
            .into_iter()
            .map(|d| coords[d].iter().map(key).collect()),
    );
    keys
}

/// Of these the numbers of the tiles.
pub(crate) fn tile_keys(schema: &ArraySchema, coords: &[Numbers]) -> Vec<Vec<u64>> {
    let dims = slowest_first(coords.len(), schema.tile_order);
    let of = |d: usize| {
        let (values, dimension) = (&coords[d], &schema.domain.dimensions[d]);
        values.iter().map(|value| tile_key(dimension, value)).collect()
    };
    dims.into_iter().map(of).collect()
}
