//! Cells of sparse arrays.

use super::place::bytes_of;
use super::result::Cells;
use super::select::{Selected, check_limit, select};
use super::{fixed, variable};
use crate::formats::tiledb::array::{AnyArray, METADATA_FILE};
use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::region::{Order, slowest_first, tile_keys};
use crate::formats::tiledb::room;
use crate::formats::tiledb::storage::in_file;
use crate::formats::tiledb::values::{Column, gather, whole};
use crate::numbers::Numbers;
use crate::{ErrorKind, Result};

/// Which cells of a sparse array are told.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    /// That many at most.
    pub(super) most: usize,
    /// All that are at one place, or only the last.
    pub(super) all: bool,
}

/// Words that a cell takes while cells are put in order: the keys to sort by, in global order those of tiles too; these in one integer;
/// the order; the coordinates of a dimension, twice.
pub(super) const fn words_to_sort(num_dims: usize) -> usize {
    2 * num_dims + 5
}

pub(super) fn read(
    array: &AnyArray<'_>,
    keys: &[[u64; 2]],
    attributes: &[usize],
    order: Order,
    Bound { most, all }: Bound,
) -> Result<Option<Cells>> {
    let mut selected: Vec<Selected<'_>> = Vec::new();
    for fragment in &array.fragments {
        if fragment.metadata.footer.dense {
            let e = ErrorKind::unsupported("a sparse array", "dense fragments").into();
            return Err(in_file(e, &format!("{}/{METADATA_FILE}", fragment.name)));
        }
        // what an earlier fragment has at the same place is counted too
        let before: usize = selected.iter().map(Selected::len).sum();
        match select(array, fragment, keys, most - before)? {
            Some(part) => {
                let size = part.coords.first().map_or(0, |values| values.number_type().size());
                let cells = before + part.len();
                check_limit(bytes_of(cells as u64, size), array.limit)?;
                selected.push(part);
            }
            None => return Ok(None),
        }
    }
    let dimensions = &array.schema.domain.dimensions;
    room::check_each::<u64>(selected.iter().map(Selected::len).sum(), words_to_sort(dimensions.len()))?;
    let sorted = sort(&selected, &array.schema, order, all);
    let mut coords = Vec::new();
    for (i, dimension) in dimensions.iter().enumerate() {
        let mut all = Numbers::new(array.schema.domain.number_type());
        for part in &selected {
            all.append(&part.coords[i]);
        }
        coords.push((dimension.name.clone(), gather(&all, &sorted, 1)));
    }
    let mut columns = Vec::new();
    for a in attributes {
        let attribute = &array.schema.attributes[*a];
        let column = match attribute.cell_val_num.fixed() {
            Some(n) => {
                let mut values = Numbers::new(attribute.number_type());
                fixed::read_sparse(array, *a, &selected, &mut values)?;
                Column::fixed(
                    attribute.datatype,
                    attribute.cell_val_num,
                    gather(&values, &sorted, n as usize),
                )
            }
            None => {
                let (values, offsets) = variable::read_sparse(array, *a, &selected, &sorted)?;
                Column::variable(attribute.datatype, values, offsets)
            }
        };
        let column = whole(column, attribute)?;
        columns.push((attribute.name.clone(), column));
    }
    Ok(Some(Cells { num_cells: sorted.len(), shape: None, grid: None, coords, columns }))
}

/// The selected cells of all fragments in order: all of them, or one at each place, the last that was written.
fn sort(selected: &[Selected<'_>], schema: &ArraySchema, order: Order, all: bool) -> Vec<usize> {
    let layout = match order {
        Order::Layout(layout) => layout,
        Order::Global => schema.cell_order,
    };
    let mut keys: Vec<Vec<u64>> = Vec::new();
    if order == Order::Global {
        keys.resize(schema.domain.dimensions.len(), Vec::new());
        for part in selected {
            keys.iter_mut().zip(tile_keys(schema, &part.coords)).for_each(|(all, own)| all.extend(own));
        }
    }
    for d in slowest_first(schema.domain.dimensions.len(), layout) {
        keys.push(selected.iter().flat_map(|part| part.keys[d].iter().copied()).collect());
    }
    let num_cells = selected.iter().map(Selected::len).sum();
    if let Some(cells) = sort_packed(&keys, num_cells, all) {
        return cells;
    }
    let key = |cell: usize| keys.iter().map(move |keys: &Vec<u64>| keys[cell]);
    let mut cells: Vec<usize> = (0..num_cells).collect();
    if all {
        cells.sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(a.cmp(b)));
        return cells;
    }
    // the last written first, which is the one that stays
    cells.sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(b.cmp(a)));
    cells.dedup_by(|later, first| key(*later).eq(key(*first)));
    cells
}

/// The same where the keys of a cell and its number have room in one integer, which is sorted much faster; `None` where they have not.
fn sort_packed(keys: &[Vec<u64>], num_cells: usize, all: bool) -> Option<Vec<usize>> {
    let last = num_cells.checked_sub(1)?;
    let bits = |most: u64| u64::BITS - most.leading_zeros();
    let spans = keys.iter().map(|keys| {
        let (low, high) = (keys.iter().min()?, keys.iter().max()?);
        Some((*low, bits(high - low)))
    });
    let spans: Vec<(u64, u32)> = spans.collect::<Option<_>>()?;
    // of one place the last that was written comes first where only that one stays
    let place = |cell: usize| if all { cell } else { last - cell };
    let place_bits = bits(last as u64);
    macro_rules! sorted {
        ($word:ty) => {{
            let word = |cell: usize| {
                let keys = keys.iter().zip(&spans);
                let key = keys.fold(0, |key: $word, (keys, (low, bits))| {
                    (key << *bits) | <$word>::from(keys[cell] - low)
                });
                (key << place_bits) | place(cell) as $word
            };
            let mut words: Vec<$word> = (0..num_cells).map(word).collect();
            words.sort_unstable();
            if !all {
                words.dedup_by_key(|word| *word >> place_bits);
            }
            let mask = ((1 as $word) << place_bits) - 1;
            Some(words.into_iter().map(|word| place((word & mask) as usize)).collect())
        }};
    }
    match spans.iter().map(|(_, bits)| bits).sum::<u32>() + place_bits {
        // less than the whole, so that no shift is as wide as the integer
        0..64 => sorted!(u64),
        64..128 => sorted!(u128),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn packed_keys_sort_as_the_keys() {
        let mut state = 1u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 20) % most
        };
        for (high, packed) in
            [(1, true), (9, true), (1 << 16, true), (1 << 38, true), (1 << 43, false), (u64::MAX, false)]
        {
            let mut keys: Vec<Vec<u64>> =
                (0..3).map(|_| (0..200).map(|_| next(high.min(1 << 43))).collect()).collect();
            keys[0][17] = high - 1;
            keys[1][17] = high - 1;
            let of = |cell: usize| [0, 1, 2].map(|d: usize| keys[d][cell]);
            let mut every: Vec<usize> = (0..200).collect();
            every.sort_by_key(|cell| (of(*cell), *cell));
            let lasts: BTreeMap<[u64; 3], usize> = (0..200).map(|cell| (of(cell), cell)).collect();
            let lasts: Vec<usize> = lasts.into_values().collect();
            assert_eq!(sort_packed(&keys, 200, true), packed.then_some(every), "{high}");
            assert_eq!(sort_packed(&keys, 200, false), packed.then_some(lasts), "{high}");
        }
        assert_eq!(sort_packed(&[vec![7]], 1, false), Some(vec![0]));
        assert_eq!(sort_packed(&[vec![]], 0, false), None);
    }
}
