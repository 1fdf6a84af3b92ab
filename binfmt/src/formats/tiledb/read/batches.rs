//! Results in parts of bounded size, one after the other in the order of the query.

use super::query::{AnyQuery, Query};
use super::result::Cells;
use super::sparse::{Bound, words_to_sort};
use crate::formats::tiledb::array::Fragment;
use crate::formats::tiledb::layout::{ArrayType, Attribute, Mbr};
use crate::formats::tiledb::region::{Order, slowest_first};
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::{integer, key};
use crate::numbers::{Number, NumberType};
use crate::{ErrorKind, Result};

/// A box of coordinates as the keys that sort as they do: first and last of each dimension.
type Keys = Vec<[u64; 2]>;

/// The cells of a query, some at a time: what [`Query::batches`] gives.
///
/// After an error there are no more.
///
/// ```
/// use binfmt::formats::tiledb::*;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(100), Number::I32(10));
/// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
/// let array = Options::new().create(Memory::new(), schema)?;
/// let sizes: Vec<usize> = array.query().batches(160).map(|batch| Ok(batch?.num_cells())).collect::<binfmt::Result<_>>()?;
/// assert_eq!(sizes, [20, 30, 20, 30]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Batches<'a, S> {
    query: Query<'a, S>,
    left: Boxes,
}

/// The boxes that are left of a query, which whoever has it says each time.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    budget: u64,
    /// Attributes that are read, by number; `None` before the first batch.
    attributes: Option<Vec<usize>>,
    /// Whether cells at one place are all told: it is decided for the whole.
    all: Option<bool>,
    /// Whether boxes without cells that were written are left out.
    written: bool,
    /// What is left, the next box last.
    left: Vec<Keys>,
}

impl<'a, S: Storage> Query<'a, S> {
    /// Reads the same cells in the same order, but not all at once: each batch takes at most about that many bytes,
    /// however large the array is.
    ///
    /// The ranges are cut where the order allows it, at the ends of tiles where there are some, until a part is small
    /// enough. A batch has at least one cell, and while it is read the tiles that it touches are unfiltered, one at a time
    /// for each file; a tile that several batches touch is read again for each: see [`bytes_of_tiles`](Query::bytes_of_tiles).
    ///
    /// ```no_run
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let mut sum = 0.0;
    /// for cells in array.query().attributes(["celsius"]).global_order().batches(16 << 20) {
    ///     let cells = cells?;
    ///     if let Some(celsius) = cells.column("celsius").and_then(|column| column.values().as_slice::<f32>()) {
    ///         sum += celsius.iter().sum::<f32>();
    ///     }
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn batches(&self, bytes: u64) -> Batches<'a, S> {
        Batches { query: self.clone(), left: Boxes::new(bytes, None) }
    }
}

impl<S: Storage> Iterator for Batches<'_, S> {
    type Item = Result<Cells>;

    fn next(&mut self) -> Option<Result<Cells>> {
        self.left.next(self.query.any()).transpose()
    }
}

impl Boxes {
    /// All of a query, in batches of that many bytes. Whether cells at one place are all told may be decided for a larger query.
    pub(crate) fn new(budget: u64, all: Option<bool>) -> Self {
        Boxes { budget, attributes: None, left: Vec::new(), all, written: false }
    }

    /// Leaves out boxes in which no fragment has cells.
    pub(crate) fn written(self, only: bool) -> Self {
        Boxes { written: only, ..self }
    }

    /// The next batch of the query; after an error there is none.
    pub(crate) fn next(&mut self, query: AnyQuery<'_>) -> Result<Option<Cells>> {
        let batch = self.batch(query);
        if !matches!(batch, Ok(Some(_))) {
            self.attributes = Some(Vec::new());
            self.left.clear();
        }
        batch
    }

    fn batch(&mut self, query: AnyQuery<'_>) -> Result<Option<Cells>> {
        let attributes = match &self.attributes {
            Some(attributes) => attributes.clone(),
            None => {
                let attributes = query.check()?;
                let keys = query.keys()?;
                self.all = self.all.or_else(|| Some(query.keeps_all(&keys)));
                self.left.push(keys);
                self.attributes.insert(attributes).clone()
            }
        };
        while let Some(keys) = self.left.pop() {
            if keys.iter().any(|[low, high]| low > high) || self.written && !is_written(query, &keys) {
                continue;
            }
            let halves = self.halves(query, &keys);
            if let Some([first, second]) = &halves
                && self.estimate(query, &keys, &attributes) > self.budget as f64
            {
                self.left.extend([second.clone(), first.clone()]);
                continue;
            }
            let most = if halves.is_some() { self.most_cells(query, &attributes) } else { usize::MAX };
            let cells = query.read_keys(
                &keys,
                &attributes,
                Cells::default(),
                Bound { most, all: self.all.unwrap_or(false) },
            )?;
            match (cells, halves) {
                // none is told in no batch
                (Some(cells), _) if cells.num_cells() == 0 => {}
                // cells of variable length are known only now
                (Some(cells), None) => return Ok(Some(cells)),
                (Some(cells), Some(_)) if cells.num_bytes() <= self.budget => return Ok(Some(cells)),
                (_, Some([first, second])) => self.left.extend([second, first]),
                (None, None) => return Err(ErrorKind::TooLarge { of: "cell" }.into()),
            }
        }
        Ok(None)
    }

    fn number_type(&self, query: AnyQuery<'_>) -> NumberType {
        query.array.schema.domain.number_type()
    }

    /// The box in two parts, all of the first before the second; `None` for a single cell.
    fn halves(&self, query: AnyQuery<'_>, keys: &[[u64; 2]]) -> Option<[Keys; 2]> {
        let schema = &query.array.schema;
        let num_dims = keys.len();
        let cut = |d: usize, middle: u64| {
            let (mut first, mut second) = (keys.to_vec(), keys.to_vec());
            first[d][1] = middle;
            second[d][0] = middle + 1;
            Some([first, second])
        };
        let layout = match query.asked.order {
            Order::Layout(layout) => layout,
            Order::Global => {
                // while a box has several tiles it is cut between them
                for d in slowest_first(num_dims, schema.tile_order) {
                    let [low, high] = keys[d];
                    if self.number_type(query).is_float() && low < high {
                        return cut(d, low + (high - low) / 2);
                    }
                    if let Some(middle) = self.between_tiles(query, d, keys[d]) {
                        return cut(d, middle);
                    }
                }
                schema.cell_order
            }
        };
        let d = slowest_first(num_dims, layout).into_iter().find(|d| keys[*d][0] < keys[*d][1])?;
        let [low, high] = keys[d];
        cut(d, self.between_tiles(query, d, keys[d]).unwrap_or(low + (high - low) / 2))
    }

    /// The last coordinate of a tile in the middle of a range of integers that has several tiles.
    fn between_tiles(&self, query: AnyQuery<'_>, d: usize, [first, last]: [u64; 2]) -> Option<u64> {
        let dimension = query.array.schema.domain.dimensions.get(d)?;
        let (low, extent) = (dimension.domain[0].as_i128()?, dimension.tile_extent?.as_i128()?.max(1));
        let tile = |place: u64| (integer(place, self.number_type(query)) - low) / extent;
        let (first_tile, last_tile) = (tile(first), tile(last));
        if first_tile == last_tile {
            return None;
        }
        let end = low + (first_tile + (last_tile - first_tile + 1) / 2) * extent - 1;
        Number::from_i128(self.number_type(query), end).map(key)
    }

    /// Bytes of one cell in a result, its variable values left out.
    fn cell_bytes(&self, query: AnyQuery<'_>, attributes: &[usize]) -> u64 {
        let schema = &query.array.schema;
        let of = |a: &usize| schema.attributes.get(*a).map_or(0, fixed_bytes);
        let num_dims = schema.domain.dimensions.len();
        let coords = match schema.array_type {
            // who wants nothing else wants them
            ArrayType::Dense if !attributes.is_empty() => 0,
            _ => (self.number_type(query).size() * num_dims) as u64,
        };
        let least = match schema.array_type {
            ArrayType::Dense => 1,
            // cells of few bytes are put in order in no more than four times the memory of a batch
            _ => (words_to_sort(num_dims) * size_of::<u64>() / 4) as u64,
        };
        (coords + attributes.iter().map(of).sum::<u64>()).max(least)
    }

    /// As many cells as the budget allows, without their variable values.
    fn most_cells(&self, query: AnyQuery<'_>, attributes: &[usize]) -> usize {
        usize::try_from(self.budget / self.cell_bytes(query, attributes)).unwrap_or(usize::MAX)
    }

    /// About how many bytes the cells of a box take.
    fn estimate(&self, query: AnyQuery<'_>, keys: &[[u64; 2]], attributes: &[usize]) -> f64 {
        let array = query.array;
        let each = self.cell_bytes(query, attributes) as f64;
        let dense = array.schema.array_type == ArrayType::Dense;
        let mut bytes =
            if dense { keys.iter().map(|range| width(*range)).product::<f64>() * each } else { 0.0 };
        for fragment in &array.fragments {
            let values = variable_bytes(fragment, attributes);
            if fragment.metadata.footer.dense {
                let written = share(&fragment.metadata.footer.non_empty_domain, keys);
                bytes += values * written;
                continue;
            }
            let leaves = fragment.metadata.rtree.leaves();
            let tile = match dense {
                true => 0.0,
                false => array.schema.capacity as f64 * each,
            } + values / leaves.len().max(1) as f64;
            bytes += leaves.iter().map(|Mbr { ranges }| share(ranges, keys) * tile).sum::<f64>();
        }
        bytes
    }
}

/// Whether a fragment may have cells in a box.
fn is_written(query: AnyQuery<'_>, keys: &[[u64; 2]]) -> bool {
    let domains = query.array.fragments.iter().map(|fragment| &fragment.metadata.footer.non_empty_domain);
    domains.into_iter().any(|domain| share(domain, keys) > 0.0)
}

/// Bytes of a cell of an attribute, of variable ones those of the offset.
fn fixed_bytes(attribute: &Attribute) -> u64 {
    attribute.cell_size().unwrap_or(size_of::<usize>()) as u64
}

/// Bytes of the variable values of a fragment.
fn variable_bytes(fragment: &Fragment, attributes: &[usize]) -> f64 {
    let lists = attributes.iter().filter_map(|a| fragment.metadata.tile_var_sizes.get(*a));
    lists.flat_map(|list| &list.values).map(|bytes| *bytes as f64).sum()
}

/// How many keys a range has.
fn width([low, high]: [u64; 2]) -> f64 {
    if low > high { 0.0 } else { (high - low) as f64 + 1.0 }
}

/// How much of a box lies in the ranges, if its cells are spread evenly.
fn share(ranges: &[[Number; 2]], keys: &[[u64; 2]]) -> f64 {
    let of = |(range, keys): (&[Number; 2], &[u64; 2])| {
        let [low, high] = range.map(key);
        width([low.max(keys[0]), high.min(keys[1])]) / width([low, high]).max(1.0)
    };
    ranges.iter().zip(keys).map(of).product()
}
