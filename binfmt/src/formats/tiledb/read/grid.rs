//! The coordinates of a dense result.

use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::layout::Layout;
use crate::formats::tiledb::region::{Order, Region, Space, Target, shape};
use crate::formats::tiledb::room;
use crate::formats::tiledb::values::of_bits;
use crate::numbers::{Number, Numbers};

/// Which cells a dense result has, so that their coordinates can be told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
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

    /// The most bytes of the coordinates of one dimension.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// The order of the whole, if the cells are one box.
    #[cfg(feature = "ndarray")]
    pub(super) fn layout(&self) -> Option<Layout> {
        match self.order {
            Order::Layout(layout) => Some(layout),
            Order::Global => None,
        }
    }

    /// The number of the dimension of this name.
    pub(super) fn dimension(&self, name: &str) -> Option<usize> {
        self.schema.domain.dimensions.iter().position(|dimension| dimension.name == name)
    }

    /// The coordinate of one cell in a dimension, if the cells are one box.
    pub(super) fn coordinate_of(&self, d: usize, cell: usize) -> Option<Number> {
        let Order::Layout(layout) = self.order else { return None };
        let width = |[low, high]: &[i128; 2]| (high - low + 1) as usize;
        let (slower, rest) = self.region.split_at_checked(d)?;
        let (range, faster) = rest.split_first()?;
        let faster = if layout == Layout::ColumnMajor { slower } else { faster };
        let place = cell.checked_div(faster.iter().map(width).product())?.checked_rem(width(range))?;
        Number::from_i128(self.schema.domain.datatype.number_type()?, range[0] + place as i128)
    }

    /// The coordinates of every cell in a dimension.
    pub(super) fn coordinates(&self, d: usize) -> Option<Numbers> {
        let domain = &self.schema.domain;
        domain.dimensions.get(d)?;
        let space = Space::new(&self.schema).ok()?;
        let target = Target::new(&self.region, self.order, &self.schema);
        let num_cells: usize = shape(&self.region).iter().product();
        if num_cells as u64 > self.limit / 8 {
            return None;
        }
        let mut all = Vec::new();
        room::resize(&mut all, num_cells, 0u64).ok()?;
        room::check::<u64>(num_cells).ok()?;
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
        Some(of_bits(domain.datatype.number_type()?, &all))
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
