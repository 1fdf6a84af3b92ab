//! Where the cells of a region go: as one box, or tile after tile.

use super::copy::{Boxed, strides};
use super::order::{Order, slowest_first};
use super::space::{Region, Space, intersection, shape};
use crate::formats::tiledb::layout::{ArraySchema, Layout};
use std::borrow::Cow;

/// Where the cells of a dense region go.
pub(crate) struct Target<'a> {
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
pub(crate) struct Place<'t> {
    pub(crate) corner: Cow<'t, [[i128; 2]]>,
    pub(super) first: usize,
    pub(super) strides: Cow<'t, [usize]>,
}

impl<'a> Target<'a> {
    /// The region as one box in this order.
    pub(crate) fn whole(region: &'a [[i128; 2]], layout: Layout) -> Self {
        Target { region, kind: Kind::Whole(strides(&shape(region), layout)) }
    }

    /// The region in an order.
    pub(crate) fn new(region: &'a [[i128; 2]], order: Order, schema: &ArraySchema) -> Self {
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
    pub(crate) fn of_tile(&self, space: &Space, tile: impl Fn(usize) -> i128) -> Place<'_> {
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
                    let faster: usize = dims.iter().skip(k + 1).map(|d| whole[*d]).product();
                    first += across * (corner[*d][0] - self.region[*d][0]) as usize * faster;
                    across *= own[*d];
                }
                let strides = strides(&own, *cell_order).into();
                Place { corner: corner.into(), first, strides }
            }
        }
    }

    /// Where a cell goes.
    pub(crate) fn of_cell(&self, space: &Space, coords: impl Fn(usize) -> i128) -> usize {
        let place = self.of_tile(space, |d| space.tile(d, coords(d)));
        place.index(coords)
    }
}

impl Place<'_> {
    /// Where a cell of the box goes.
    pub(crate) fn index(&self, coords: impl Fn(usize) -> i128) -> usize {
        let dims = self.corner.iter().zip(self.strides.iter()).enumerate();
        self.first + dims.map(|(d, (range, stride))| (coords(d) - range[0]) as usize * stride).sum::<usize>()
    }
}

/// A tile that a query needs.
#[derive(Debug)]
pub(crate) struct Needed {
    /// Its number in the fragment.
    pub(crate) tile: usize,
    /// Its cells that were written and asked for, and where they go.
    pub(crate) cells: Boxed,
}

impl Space {
    /// The tiles of a fragment that contain cells of the region, in the fragment's order.
    pub(crate) fn needed(
        &self,
        written: &[[i128; 2]],
        region: &[[i128; 2]],
        target: &Target<'_>,
    ) -> Vec<Needed> {
        let Some(wanted) = intersection(written, region) else { return Vec::new() };
        let mut needed = Vec::new();
        self.touched(written, &wanted, |tile, at| {
            let cells = self.cells(at, &wanted, &target.of_tile(self, at));
            needed.push(Needed { tile, cells });
        });
        needed
    }

    /// The numbers of these tiles.
    #[cfg(feature = "table")]
    pub(crate) fn needed_tiles(&self, written: &[[i128; 2]], region: &[[i128; 2]]) -> Vec<usize> {
        let mut tiles = Vec::new();
        if let Some(wanted) = intersection(written, region) {
            self.touched(written, &wanted, |tile, _| tiles.push(tile));
        }
        tiles
    }

    /// Gives each tile that has cells of a part of a fragment: its number in the fragment, and its number in each dimension.
    fn touched(
        &self,
        written: &[[i128; 2]],
        wanted: &[[i128; 2]],
        mut put: impl FnMut(usize, &dyn Fn(usize) -> i128),
    ) {
        let (of_fragment, touched) = (self.tiles(written), self.tiles(wanted));
        let counts: Vec<usize> = of_fragment.iter().map(|[a, b]| (b - a + 1) as usize).collect();
        let tile_strides = strides(&counts, self.tile_order);
        let shape: Vec<usize> = touched.iter().map(|[a, b]| (b - a + 1) as usize).collect();
        let touched_strides = strides(&shape, self.tile_order);
        let first: usize =
            (0..shape.len()).map(|i| (touched[i][0] - of_fragment[i][0]) as usize * tile_strides[i]).sum();
        Boxed::new(&shape, (first, &tile_strides), (0, &touched_strides)).runs(|run| {
            for (tile, k) in run.cells() {
                put(tile, &|i| touched[i][0] + (k / touched_strides[i] % shape[i]) as i128);
            }
        });
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
