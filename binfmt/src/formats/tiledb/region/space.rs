//! The tiles of a dense array.

use super::copy::strides;
use crate::formats::tiledb::layout::{ArraySchema, Footer, Layout};
use crate::formats::tiledb::values::integer;
use crate::numbers::Number;
use crate::{ErrorKind, Result};

/// A box of integer coordinates: first and last of each dimension.
pub(crate) type Region = Vec<[i128; 2]>;

/// The box of these ranges; `None` if they are not of integers.
pub(crate) fn of_ranges<'a>(ranges: impl IntoIterator<Item = &'a [Number; 2]>) -> Option<Region> {
    ranges.into_iter().map(|[low, high]| Some([low.as_i128()?, high.as_i128()?])).collect()
}

/// The whole array.
pub(crate) fn domain(schema: &ArraySchema) -> Option<Region> {
    of_ranges(schema.domain.dimensions.iter().map(|d| &d.domain))
}

/// The box around the cells of a fragment, if it has some.
pub(crate) fn written(footer: &Footer) -> Option<Region> {
    of_ranges(&footer.non_empty_domain).filter(|_| !footer.null_non_empty_domain)
}

/// How a dense array is cut into tiles.
#[derive(Debug)]
pub(crate) struct Space {
    low: Vec<i128>,
    extent: Vec<usize>,
    pub(super) tile_order: Layout,
    /// Between the cells of a tile.
    pub(super) cell_strides: Vec<usize>,
    /// Cells of a tile.
    pub(crate) num_cells: usize,
}

impl Space {
    pub(crate) fn new(schema: &ArraySchema) -> Result<Space> {
        let dimensions = &schema.domain.dimensions;
        let low = dimensions.iter().filter_map(|d| d.domain[0].as_i128()).collect();
        let extent: Vec<usize> = dimensions
            .iter()
            .filter_map(|d| d.tile_extent.and_then(Number::as_i128).and_then(|n| usize::try_from(n).ok()))
            .collect();
        let cells = extent.iter().try_fold(1usize, |n, extent| n.checked_mul(*extent));
        match cells {
            Some(num_cells) if extent.len() == dimensions.len() => Ok(Space {
                low,
                tile_order: schema.tile_order,
                cell_strides: strides(&extent, schema.cell_order),
                extent,
                num_cells,
            }),
            _ => Err(ErrorKind::TooLarge { of: "tile" }.into()),
        }
    }

    /// The number of the tile of a coordinate.
    pub(super) fn tile(&self, d: usize, c: i128) -> i128 {
        (c - self.low[d]).div_euclid(self.extent[d] as i128)
    }

    /// The first and the last coordinate of a tile.
    pub(crate) fn range(&self, d: usize, tile: i128) -> [i128; 2] {
        let start = self.low[d] + tile * self.extent[d] as i128;
        [start, start + self.extent[d] as i128 - 1]
    }

    /// The numbers of the tiles that a region touches.
    pub(crate) fn tiles(&self, region: &[[i128; 2]]) -> Vec<[i128; 2]> {
        region.iter().enumerate().map(|(d, range)| range.map(|c| self.tile(d, c))).collect()
    }

    /// How many tiles a fragment has whose cells are these; `None` beyond any number.
    pub(crate) fn num_tiles(&self, written: &[[i128; 2]]) -> Option<usize> {
        let counts = self.tiles(written).into_iter().map(|[first, last]| usize::try_from(last - first + 1));
        counts.into_iter().try_fold(1usize, |n, count| n.checked_mul(count.ok()?))
    }
}

/// What two regions share.
pub(crate) fn intersection(a: &[[i128; 2]], b: &[[i128; 2]]) -> Option<Region> {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let both = [a[0].max(b[0]), a[1].min(b[1])];
            (both[0] <= both[1]).then_some(both)
        })
        .collect()
}

/// Whether a region lies in another.
pub(crate) fn contains(outer: &[[i128; 2]], inner: &[[i128; 2]]) -> bool {
    outer.iter().zip(inner).all(|(o, i)| o[0] <= i[0] && i[1] <= o[1])
}

/// The region of these keys.
pub(crate) fn region(keys: &[[u64; 2]], schema: &ArraySchema) -> Region {
    let number = schema.domain.number_type();
    keys.iter().map(|range| range.map(|key| integer(key, number))).collect()
}

/// Cells in each dimension of a region that fits into memory.
pub(crate) fn shape(region: &[[i128; 2]]) -> Vec<usize> {
    region.iter().map(|[low, high]| (high - low + 1).max(0) as usize).collect()
}
