//! Cells of sparse arrays.

use super::place::bytes_of;
use super::result::Cells;
use super::select::{Selected, check_limit, select};
use super::{fixed, variable};
use crate::formats::tiledb::array::{Array, METADATA_FILE};
use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::region::{Order, slowest_first, tile_keys};
use crate::formats::tiledb::room;
use crate::formats::tiledb::storage::{Storage, in_file};
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

pub(super) fn read<S: Storage>(
    array: &Array<S>,
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
    // the keys to sort by, in global order those of tiles too; the order; the coordinates of a dimension, twice
    room::check_each::<u64>(selected.iter().map(Selected::len).sum(), 2 * dimensions.len() + 3)?;
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
    let key = |cell: usize| keys.iter().map(move |keys: &Vec<u64>| keys[cell]);
    let mut cells: Vec<usize> = (0..selected.iter().map(Selected::len).sum()).collect();
    if all {
        cells.sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(a.cmp(b)));
        return cells;
    }
    // the last written first, which is the one that stays
    cells.sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(b.cmp(a)));
    cells.dedup_by(|later, first| key(*later).eq(key(*first)));
    cells
}
