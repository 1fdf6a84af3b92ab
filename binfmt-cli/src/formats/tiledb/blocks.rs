//! An array in parts that fit in memory, one after the other in the order of the cells.

use super::subarray::{Span, coordinate, ends};
use binfmt::formats::tiledb::{Array, ArraySchema, ArrayType, Layout, Number, Storage};
use std::cmp::Ordering;
use std::ops::Bound;

/// Bytes of cells in a part, roughly.
const ENOUGH: u64 = 32 << 20;
/// The same of a sparse array: while its cells are sorted they take several times as much.
const ENOUGH_SPARSE: u64 = 6 << 20;
/// A part is made larger, up to that many bytes, so that no tile is read twice.
const MOST: u64 = 256 << 20;
/// What is assumed of a cell of variable length.
const VARIABLE: u64 = 64;

/// Regions that together are the wanted one.
pub(super) enum Blocks {
    Dense(Dense),
    Sparse(std::vec::IntoIter<Vec<Span>>),
}

impl Iterator for Blocks {
    type Item = Vec<Span>;

    fn next(&mut self) -> Option<Vec<Span>> {
        match self {
            Blocks::Dense(blocks) => blocks.next(),
            Blocks::Sparse(blocks) => blocks.next(),
        }
    }
}

/// The parts of a region; cells of these attributes are read.
pub(super) fn blocks(
    array: &Array<impl Storage>,
    region: Vec<Span>,
    attributes: &[usize],
    order: Layout,
) -> Blocks {
    let schema = array.schema();
    let cell = cell_bytes(schema, attributes);
    match schema.array_type {
        ArrayType::Dense => {
            let (enough, most) = ((ENOUGH / cell).max(1), (MOST / cell).max(1));
            Blocks::Dense(Dense::new(schema, &region, order, enough, most))
        }
        _ => {
            let enough = (ENOUGH_SPARSE / cell).max(1);
            Blocks::Sparse(sparse(array, region, order, enough).into_iter())
        }
    }
}

fn cell_bytes(schema: &ArraySchema, attributes: &[usize]) -> u64 {
    let attributes = attributes.iter().filter_map(|a| schema.attributes.get(*a));
    let sizes = attributes.map(|a| a.cell_size().map_or(VARIABLE, |n| n as u64));
    let coords =
        if schema.array_type == ArrayType::Dense { 0 } else { schema.domain.dimensions.len() as u64 * 8 };
    coords.max(1) + sizes.sum::<u64>()
}

/// The dimensions from the slowest to the fastest.
fn slowest_first(dims: usize, order: Layout) -> Vec<usize> {
    if order == Layout::ColumnMajor { (0..dims).rev().collect() } else { (0..dims).collect() }
}

/// Slabs along one dimension: single coordinates of those that are slower, all of those that are faster.
pub(super) struct Dense {
    region: Vec<[i128; 2]>,
    dims: Vec<usize>,
    /// The place in `dims` of the dimension that is split.
    split: usize,
    /// How many coordinates of it a block has, and where blocks begin.
    step: i128,
    origin: i128,
    /// Where the next block begins, in the split dimension and those before.
    at: Option<Vec<i128>>,
}

impl Dense {
    fn new(schema: &ArraySchema, region: &[Span], order: Layout, enough: u64, most: u64) -> Self {
        let region: Vec<[i128; 2]> = region.iter().map(ends).collect();
        let dims = slowest_first(region.len(), order);
        let width =
            |d: &usize| region.get(*d).map_or(0, |[low, high]| u128::try_from(high - low + 1).unwrap_or(0));
        let faster = |k: usize| dims.iter().skip(k + 1).map(width).fold(1, u128::saturating_mul).max(1);
        let split = (0..dims.len()).find(|k| faster(*k) <= enough.into()).unwrap_or(0);
        let dimension = dims.get(split).and_then(|d| schema.domain.dimensions.get(*d));
        let extent = dimension.and_then(|d| d.tile_extent?.as_i128()).unwrap_or(1).max(1);
        let origin = dimension.and_then(|d| d.domain[0].as_i128()).unwrap_or(0);
        let fits = |cells: u64| ((u128::from(cells) / faster(split)) as i128).max(1);
        let step = match fits(enough) {
            step if step >= extent => step / extent * extent,
            // all of a tile at once, where that is possible
            _ if fits(most) >= extent => extent,
            step => step,
        };
        let first =
            dims.iter().take(split + 1).filter_map(|d| region.get(*d)).map(|range| range[0]).collect();
        Dense { region, dims, split, step, origin, at: Some(first) }
    }

    /// The last coordinate of the split dimension in the block that begins there.
    fn last(&self, at: i128) -> i128 {
        let end = self.dims.get(self.split).and_then(|d| self.region.get(*d)).map_or(at, |range| range[1]);
        let from = at - self.origin;
        (from - from.rem_euclid(self.step) + self.origin + self.step - 1).min(end)
    }

    fn next(&mut self) -> Option<Vec<Span>> {
        let at = self.at.take()?;
        let mut block = self.region.clone();
        let last = at.last().map(|at| self.last(*at)).unwrap_or_default();
        for (k, (d, from)) in self.dims.iter().zip(&at).enumerate() {
            if let Some(range) = block.get_mut(*d) {
                *range = if k == self.split { [*from, last] } else { [*from, *from] };
            }
        }
        self.advance(at, last);
        let span = |[low, high]: [i128; 2]| {
            (Bound::Included(Number::I128(low)), Bound::Included(Number::I128(high)))
        };
        Some(block.into_iter().map(span).collect())
    }

    /// Where the block after this one begins.
    fn advance(&mut self, mut at: Vec<i128>, last: i128) {
        for k in (0..at.len()).rev() {
            let Some([low, high]) = self.dims.get(k).and_then(|d| self.region.get(*d)).copied() else {
                return;
            };
            let next = if k == self.split { last } else { at[k] };
            if next < high {
                at[k] = next + 1;
                self.at = Some(at);
                return;
            }
            at[k] = low;
        }
    }
}

/// Cuts across the slowest dimension: between two of them are some `enough` cells, as far as boxes of tiles tell.
fn sparse(array: &Array<impl Storage>, region: Vec<Span>, order: Layout, enough: u64) -> Vec<Vec<Span>> {
    let slowest = slowest_first(region.len(), order).first().copied().unwrap_or(0);
    let Some(whole) = region.get(slowest).copied() else { return vec![region] };
    let mut lows: Vec<Number> = array
        .fragments()
        .iter()
        .flat_map(|fragment| fragment.metadata().rtree.leaves())
        .filter_map(|mbr| mbr.ranges.get(slowest).map(|[low, _]| coordinate(*low)))
        .filter(|low| is_inside(*low, &whole))
        .collect();
    let tiles = usize::try_from(enough / array.schema().capacity.max(1)).unwrap_or(usize::MAX).max(1);
    if lows.len() <= tiles {
        return vec![region];
    }
    // boxes have no NaN
    lows.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let mut cuts: Vec<Number> = lows.into_iter().step_by(tiles).skip(1).collect();
    cuts.dedup();
    let mut from = whole.0;
    let mut blocks = Vec::new();
    let mut push = |span: Span| {
        let mut block = region.clone();
        block[slowest] = span;
        blocks.push(block);
    };
    for cut in cuts {
        push((from, Bound::Excluded(cut)));
        from = Bound::Included(cut);
    }
    push((from, whole.1));
    blocks
}

/// Whether a coordinate is after the first of a span and not after its end.
fn is_inside(c: Number, span: &Span) -> bool {
    let after = match span.0 {
        Bound::Included(low) | Bound::Excluded(low) => low < c,
        Bound::Unbounded => true,
    };
    let before = match span.1 {
        Bound::Included(high) => c <= high,
        Bound::Excluded(high) => c < high,
        Bound::Unbounded => true,
    };
    after && before
}

#[cfg(test)]
mod tests {
    use super::*;
    use binfmt::formats::tiledb::{Datatype, Dimension};

    fn all(region: [&str; 2], order: Layout, enough: u64, most: u64) -> Vec<[[i128; 2]; 2]> {
        let dim = |name| Dimension::new(name, Number::I32(1), Number::I32(10), Number::I32(4));
        let schema = ArraySchema::dense(Datatype::Int32, [dim("x"), dim("y")]);
        let span = |text: &str| {
            let (low, high) = text.split_once('-').unwrap();
            let at = |text: &str| Bound::Included(Number::I128(text.parse().unwrap()));
            (at(low), at(high))
        };
        let mut dense = Dense::new(&schema, &region.map(span), order, enough, most);
        std::iter::from_fn(|| dense.next()).map(|block| [ends(&block[0]), ends(&block[1])]).collect()
    }

    #[test]
    fn slabs_begin_where_tiles_do() {
        let row = Layout::RowMajor;
        assert_eq!(all(["1-10", "1-10"], row, 1000, 1000), [[[1, 10], [1, 10]]]);
        let slabs = [[[1, 4], [1, 10]], [[5, 8], [1, 10]], [[9, 10], [1, 10]]];
        assert_eq!(all(["1-10", "1-10"], row, 40, 40), slabs);
        // larger than wanted, so that no tile is read twice
        assert_eq!(all(["1-10", "1-10"], row, 10, 40), slabs);
        assert_eq!(all(["3-6", "2-3"], row, 2, 8), [[[3, 4], [2, 3]], [[5, 6], [2, 3]]]);
    }

    #[test]
    fn a_row_may_be_too_long() {
        let blocks = all(["1-2", "1-10"], Layout::RowMajor, 4, 4);
        let row = |x| [[[x, x], [1, 4]], [[x, x], [5, 8]], [[x, x], [9, 10]]];
        assert_eq!(blocks, [row(1), row(2)].concat());
        let columns = all(["1-10", "1-2"], Layout::ColumnMajor, 10, 10);
        assert_eq!(columns, [[[1, 10], [1, 1]], [[1, 10], [2, 2]]]);
    }
}
