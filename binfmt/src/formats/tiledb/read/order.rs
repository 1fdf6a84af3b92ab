//! Orders of cells: row-major, column-major, and the order in which fragments have them.

use super::copy::strides;
use super::space::{Region, Space};
use crate::formats::tiledb::schema::{ArraySchema, Dimension, Layout};
use crate::formats::tiledb::{Scalar, Values};
use crate::{Error, Result};
use std::borrow::Cow;

/// The order of the cells of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::tiledb) enum Order {
    /// As a whole.
    Layout(Layout),
    /// Tile after tile in the array's tile order, the cells of each in its cell order.
    Global,
}

impl Order {
    /// An order that files may have no name for.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Order::Layout(unknown @ Layout::Unknown(_)) => Err(Error::other(unknown.to_string())),
            _ => Ok(()),
        }
    }
}

/// The dimensions from the one that changes slowest to the fastest.
pub(in crate::formats::tiledb) fn slowest_first(num_dims: usize, layout: Layout) -> Vec<usize> {
    match layout {
        Layout::ColumnMajor => (0..num_dims).rev().collect(),
        _ => (0..num_dims).collect(),
    }
}

/// A number that sorts as the tiles of a dimension do. Tiles of floats are not rounded down, as in libtiledb 1.6.
pub(in crate::formats::tiledb) fn tile_key(dimension: &Dimension, value: Scalar) -> u64 {
    match (value, dimension.domain[0], dimension.tile_extent) {
        (Scalar::F32(c), Scalar::F32(low), Some(Scalar::F32(extent))) => {
            Scalar::F32((c - low) / extent).key()
        }
        (Scalar::F64(c), Scalar::F64(low), Some(Scalar::F64(extent))) => {
            Scalar::F64((c - low) / extent).key()
        }
        (c, low, Some(extent)) => match (c.integer(), low.integer(), extent.integer()) {
            (Some(c), Some(low), Some(extent)) => ((c - low) / extent.max(1)) as u64,
            _ => 0,
        },
        _ => 0,
    }
}

/// The numbers of all tiles that sort as cells do in global order come before those of the cells: in the order in which
/// they count, one for each cell.
pub(in crate::formats::tiledb) fn tile_keys(schema: &ArraySchema, coords: &[Values]) -> Vec<Vec<u64>> {
    let dims = slowest_first(coords.len(), schema.tile_order);
    let of = |d: usize| {
        let (values, dimension) = (&coords[d], &schema.domain.dimensions[d]);
        (0..values.len()).filter_map(|i| values.get(i)).map(|value| tile_key(dimension, value)).collect()
    };
    dims.into_iter().map(of).collect()
}

/// Where the cells of a dense region go.
pub(in crate::formats::tiledb) struct Target<'a> {
    region: &'a [[i128; 2]],
    kind: Kind,
}

enum Kind {
    /// The region is one box of cells, so far apart.
    Whole(Vec<usize>),
    /// Each tile's part of the region is a box; these are the dimensions of the tiles, the slowest first.
    Tiles { cell_order: Layout, dims: Vec<usize>, shape: Vec<usize> },
}

/// A box of cells among those of a target: where it begins, its first cell, and the distances of neighbours.
pub(super) struct Place<'t> {
    pub(super) corner: Cow<'t, [[i128; 2]]>,
    pub(super) first: usize,
    pub(super) strides: Cow<'t, [usize]>,
}

impl<'a> Target<'a> {
    /// The region as one box in this order.
    pub(in crate::formats::tiledb) fn whole(region: &'a [[i128; 2]], layout: Layout) -> Self {
        Target { region, kind: Kind::Whole(strides(&shape(region), layout)) }
    }

    /// The region in an order.
    pub(in crate::formats::tiledb) fn new(
        region: &'a [[i128; 2]],
        order: Order,
        schema: &ArraySchema,
    ) -> Self {
        match order {
            Order::Layout(layout) => Target::whole(region, layout),
            Order::Global => {
                let dims = slowest_first(region.len(), schema.tile_order);
                let kind = Kind::Tiles { cell_order: schema.cell_order, dims, shape: shape(region) };
                Target { region, kind }
            }
        }
    }

    /// Where the cells of a tile go.
    pub(super) fn of_tile(&self, space: &Space, tile: impl Fn(usize) -> i128) -> Place<'_> {
        match &self.kind {
            Kind::Whole(strides) => Place {
                corner: Cow::Borrowed(self.region),
                first: 0,
                strides: Cow::Borrowed(strides.as_slice()),
            },
            Kind::Tiles { cell_order, dims, shape: whole } => {
                let cut = |(d, range): (usize, &[i128; 2])| {
                    let [low, high] = space.range(d, tile(d));
                    [low.max(range[0]), high.min(range[1])]
                };
                let corner: Region = self.region.iter().enumerate().map(cut).collect();
                let own = shape(&corner);
                // the tiles before it: those before in the slowest dimension, then in the next one
                let (mut first, mut across) = (0, 1);
                for (k, d) in dims.iter().enumerate() {
                    let behind: usize = dims.iter().skip(k + 1).map(|d| whole[*d]).product();
                    first += across * (corner[*d][0] - self.region[*d][0]) as usize * behind;
                    across *= own[*d];
                }
                let strides = strides(&own, *cell_order).into();
                Place { corner: corner.into(), first, strides }
            }
        }
    }

    /// Where a cell goes.
    pub(super) fn of_cell(&self, space: &Space, coords: impl Fn(usize) -> i128) -> usize {
        let place = self.of_tile(space, |d| space.tile(d, coords(d)));
        place.index(coords)
    }
}

impl Place<'_> {
    /// Where a cell of the box goes.
    pub(super) fn index(&self, coords: impl Fn(usize) -> i128) -> usize {
        let dims = self.corner.iter().zip(self.strides.iter()).enumerate();
        self.first + dims.map(|(d, (range, stride))| (coords(d) - range[0]) as usize * stride).sum::<usize>()
    }
}

/// Cells in each dimension of a region that fits into memory.
fn shape(region: &[[i128; 2]]) -> Vec<usize> {
    region.iter().map(|[low, high]| (high - low + 1).max(0) as usize).collect()
}

/// Which cells a dense result has, so that their coordinates can be told.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats::tiledb) struct Grid {
    region: Region,
    order: Order,
    schema: ArraySchema,
    limit: u64,
}

impl Grid {
    pub(super) fn new(region: Region, order: Order, schema: &ArraySchema, limit: u64) -> Grid {
        // values and filters of attributes say nothing about places
        let schema = ArraySchema { attributes: Vec::new(), ..schema.clone() };
        Grid { region, order, schema, limit }
    }

    /// The order of the whole, if the cells are one box.
    #[cfg(feature = "ndarray")]
    pub(super) fn layout(&self) -> Option<Layout> {
        match self.order {
            Order::Layout(layout) => Some(layout),
            Order::Global => None,
        }
    }

    /// The coordinates of every cell in the dimension of this name.
    pub(super) fn coordinate(&self, name: &str) -> Option<Values> {
        let domain = &self.schema.domain;
        let d = domain.dimensions.iter().position(|dimension| dimension.name == name)?;
        let space = Space::new(&self.schema).ok()?;
        let target = Target::new(&self.region, self.order, &self.schema);
        let num_cells: usize = shape(&self.region).iter().product();
        if num_cells as u64 > self.limit / 8 {
            return None;
        }
        let mut all = vec![0u64; num_cells];
        // the box of a tile, or all of the region, is filled at once
        let mut fill = |tile: &[i128]| {
            let place = target.of_tile(&space, |i| tile[i]);
            each(&place.corner, |cell| {
                if let Some(coordinate) = all.get_mut(place.index(|i| cell[i])) {
                    *coordinate = cell[d] as u64;
                }
            });
        };
        match self.order {
            Order::Global => each(&space.tiles(&self.region), fill),
            Order::Layout(_) => fill(&[]),
        }
        Some(Values::of_bits(domain.datatype.number()?, &all))
    }
}

/// Every point of a box; none of an empty one.
fn each(region: &[[i128; 2]], mut f: impl FnMut(&[i128])) {
    if region.iter().any(|[low, high]| low > high) {
        return;
    }
    let mut point: Vec<i128> = region.iter().map(|range| range[0]).collect();
    loop {
        f(&point);
        let mut next = point.len();
        loop {
            let Some(i) = next.checked_sub(1) else { return };
            next = i;
            point[i] += 1;
            if point[i] <= region[i][1] {
                break;
            }
            point[i] = region[i][0];
        }
    }
}
