//! The tiles of a dense array.

use super::copy::{Boxed, strides};
use super::order::{Place, Target};
use super::range::integer;
use crate::formats::tiledb::{ArraySchema, Layout, Scalar};
use crate::{Error, Result};

/// A box of integer coordinates: first and last of each dimension.
pub(in crate::formats::tiledb) type Region = Vec<[i128; 2]>;

/// How a dense array is cut into tiles.
#[derive(Debug)]
pub(in crate::formats::tiledb) struct Space {
    low: Vec<i128>,
    extent: Vec<usize>,
    tile_order: Layout,
    /// Between the cells of a tile.
    cell_strides: Vec<usize>,
    /// Cells of a tile.
    pub(in crate::formats::tiledb) num_cells: usize,
}

/// A tile that a query needs.
#[derive(Debug)]
pub(in crate::formats::tiledb) struct Needed {
    /// Its number in the fragment.
    pub(in crate::formats::tiledb) tile: usize,
    /// Its cells that were written and asked for, and where they go.
    pub(in crate::formats::tiledb) cells: Boxed,
}

impl Space {
    pub(in crate::formats::tiledb) fn new(schema: &ArraySchema) -> Result<Space> {
        let dimensions = &schema.domain.dimensions;
        let low = dimensions.iter().filter_map(|d| d.domain[0].integer()).collect();
        let extent: Vec<usize> = dimensions
            .iter()
            .filter_map(|d| d.tile_extent.and_then(Scalar::integer).and_then(|n| usize::try_from(n).ok()))
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
            _ => Err(Error::other("tiles are larger than memory")),
        }
    }

    /// The number of the tile of a coordinate.
    pub(super) fn tile(&self, d: usize, c: i128) -> i128 {
        (c - self.low[d]).div_euclid(self.extent[d] as i128)
    }

    /// The first and the last coordinate of a tile.
    pub(super) fn range(&self, d: usize, tile: i128) -> [i128; 2] {
        let start = self.low[d] + tile * self.extent[d] as i128;
        [start, start + self.extent[d] as i128 - 1]
    }

    /// The numbers of the tiles that a region touches.
    pub(super) fn tiles(&self, region: &[[i128; 2]]) -> Vec<[i128; 2]> {
        region.iter().enumerate().map(|(d, range)| range.map(|c| self.tile(d, c))).collect()
    }

    /// How many tiles a fragment has whose cells are these; `None` beyond any number.
    pub(in crate::formats::tiledb) fn num_tiles(&self, written: &[[i128; 2]]) -> Option<usize> {
        let counts = self.tiles(written).into_iter().map(|[first, last]| usize::try_from(last - first + 1));
        counts.into_iter().try_fold(1usize, |n, count| n.checked_mul(count.ok()?))
    }

    /// The tiles of a fragment that hold cells of the region, in the fragment's order.
    pub(in crate::formats::tiledb) fn needed(
        &self,
        written: &[[i128; 2]],
        region: &[[i128; 2]],
        target: &Target<'_>,
    ) -> Vec<Needed> {
        let Some(wanted) = intersection(written, region) else { return Vec::new() };
        let (of_fragment, touched) = (self.tiles(written), self.tiles(&wanted));
        let counts: Vec<usize> = of_fragment.iter().map(|[a, b]| (b - a + 1) as usize).collect();
        let tile_strides = strides(&counts, self.tile_order);
        let shape: Vec<usize> = touched.iter().map(|[a, b]| (b - a + 1) as usize).collect();
        let touched_strides = strides(&shape, self.tile_order);
        let first: usize =
            (0..shape.len()).map(|i| (touched[i][0] - of_fragment[i][0]) as usize * tile_strides[i]).sum();
        let mut needed = Vec::new();
        Boxed::new(&shape, (first, &tile_strides), (0, &touched_strides)).runs(|run| {
            for (tile, k) in run.cells() {
                let at = |i: usize| touched[i][0] + (k / touched_strides[i] % shape[i]) as i128;
                let cells = self.cells(at, &wanted, &target.of_tile(self, at));
                needed.push(Needed { tile, cells });
            }
        });
        needed
    }

    /// The cells of a tile that are wanted.
    fn cells(&self, tile: impl Fn(usize) -> i128, wanted: &[[i128; 2]], place: &Place<'_>) -> Boxed {
        let (mut shape, mut from, mut to) = (Vec::with_capacity(wanted.len()), 0, place.first);
        for (i, range) in wanted.iter().enumerate() {
            let [start, end] = self.range(i, tile(i));
            let (first, last) = (range[0].max(start), range[1].min(end));
            shape.push((last - first + 1) as usize);
            from += (first - start) as usize * self.cell_strides[i];
            to += (first - place.corner[i][0]) as usize * place.strides[i];
        }
        Boxed::new(&shape, (from, &self.cell_strides), (to, &place.strides))
    }
}

/// What two regions share.
pub(in crate::formats::tiledb) fn intersection(a: &[[i128; 2]], b: &[[i128; 2]]) -> Option<Region> {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let both = [a[0].max(b[0]), a[1].min(b[1])];
            (both[0] <= both[1]).then_some(both)
        })
        .collect()
}

/// Whether a region lies in another.
pub(in crate::formats::tiledb) fn contains(outer: &[[i128; 2]], inner: &[[i128; 2]]) -> bool {
    outer.iter().zip(inner).all(|(o, i)| o[0] <= i[0] && i[1] <= o[1])
}

/// The region of these keys.
pub(in crate::formats::tiledb) fn region(keys: &[[u64; 2]], schema: &ArraySchema) -> Region {
    let number = schema.domain.datatype.number().unwrap_or(crate::formats::tiledb::Number::I64);
    keys.iter().map(|range| range.map(|key| integer(key, number))).collect()
}
