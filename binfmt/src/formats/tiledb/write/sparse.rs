//! Sparse fragments: cells in global order, cut into tiles of the capacity.

use super::check_cells;
use super::file::{Output, finish};
use super::tiles::{Coords, Cut, attribute};
use crate::formats::tiledb::filter::TileCodec;
use crate::formats::tiledb::fragment::{Footer, Mbr, RTree};
use crate::formats::tiledb::read::tile_key;
use crate::formats::tiledb::schema::{ArraySchema, Layout};
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::{Column, Values};
use crate::formats::tiledb::{FragmentMetadata, Scalar};
use crate::{Error, Result};

pub(super) fn write<S: Storage>(
    output: &Output<'_, S>,
    schema: &ArraySchema,
    coords: &[Values],
    columns: &[&Column],
) -> Result<FragmentMetadata> {
    let num_cells = check_coords(schema, coords)?;
    check_cells(schema, columns, num_cells)?;
    let order = global_order(schema, coords, num_cells)?;
    let domain = &schema.domain;
    let size = domain.datatype.size().unwrap_or(0);
    let capacity = usize::try_from(schema.capacity).unwrap_or(usize::MAX);
    let mbr = |cells: &[usize]| {
        let bounds = coords.iter().map(|values| bounds(&values.gather(cells, 1)));
        Mbr { ranges: bounds.collect() }
    };
    let leaves: Vec<Mbr> = order.chunks(capacity).map(mbr).collect();
    let cut = Cut::Lists { order: &order, capacity };
    let codec = || {
        let cell = size * coords.len();
        Ok(TileCodec::new(&schema.coords_filters, domain.datatype, cell, output.key)?.of_values(size))
    };
    let coords_file = output.file("__coords.tdb", &Coords { dimensions: coords, cut }, codec)?;
    let files = schema.attributes.iter().zip(columns);
    let files =
        files.map(|(a, column)| attribute(output, schema, a, column, cut)).collect::<Result<Vec<_>>>()?;
    let num_tiles = leaves.len();
    let last = num_cells - (num_tiles - 1) * capacity;
    let mut metadata = metadata(schema, leaves, last);
    finish(files, Some(coords_file), num_tiles, &mut metadata);
    Ok(metadata)
}

/// One list of the domain's type for each dimension, all of the same length and inside of the domain.
fn check_coords(schema: &ArraySchema, coords: &[Values]) -> Result<usize> {
    let domain = &schema.domain;
    let wrong = |text: String| Err(Error::message(text, 0));
    if coords.len() != domain.dimensions.len() {
        return wrong(format!(
            "{} lists of coordinates, {} dimensions",
            coords.len(),
            domain.dimensions.len()
        ));
    }
    let num_cells = coords.first().map_or(0, Values::len);
    for (dimension, values) in domain.dimensions.iter().zip(coords) {
        let name = &dimension.name;
        if Some(values.number()) != domain.datatype.number() {
            return wrong(format!(
                "the coordinates of {name:?} are of another type than {}",
                domain.datatype
            ));
        }
        if values.len() != num_cells {
            return wrong(format!(
                "{} coordinates of {name:?}, {num_cells} of the first dimension",
                values.len()
            ));
        }
        let [low, high] = dimension.domain;
        let outside = |value: &Scalar| !(low <= *value && *value <= high);
        if let Some(value) = (0..num_cells).filter_map(|i| values.get(i)).find(outside) {
            return wrong(format!("{value} is no coordinate of {name:?}, which goes from {low} to {high}"));
        }
    }
    Ok(num_cells)
}

/// The cells in the order of their tiles, and in each tile in the order of its cells.
fn global_order(schema: &ArraySchema, coords: &[Values], num_cells: usize) -> Result<Vec<usize>> {
    let dims: Vec<usize> = (0..coords.len()).collect();
    let ordered = |order: Layout| -> Vec<usize> {
        match order {
            Layout::ColumnMajor => dims.iter().rev().copied().collect(),
            _ => dims.clone(),
        }
    };
    let keys = |values: &Values, f: &dyn Fn(Scalar) -> u64| -> Vec<u64> {
        (0..num_cells).filter_map(|i| values.get(i)).map(f).collect()
    };
    let mut all: Vec<Vec<u64>> = Vec::new();
    for d in ordered(schema.tile_order) {
        all.push(keys(&coords[d], &|value| tile_key(&schema.domain.dimensions[d], value)));
    }
    let of_cells = all.len();
    for d in ordered(schema.cell_order) {
        all.push(keys(&coords[d], &Scalar::key));
    }
    let key = |cell: usize| all.iter().map(move |keys| keys[cell]);
    let mut order: Vec<usize> = (0..num_cells).collect();
    order.sort_by(|a, b| key(*a).cmp(key(*b)));
    let same = |a: usize, b: usize| key(a).skip(of_cells).eq(key(b).skip(of_cells));
    if let Some(two) = order.windows(2).find(|two| same(two[0], two[1])) {
        let place: Vec<String> = coords.iter().filter_map(|v| v.get(two[0])).map(|v| v.to_string()).collect();
        return Err(Error::message(format!("two cells at ({})", place.join(", ")), 0));
    }
    Ok(order)
}

/// Smallest and largest value.
fn bounds(values: &Values) -> [Scalar; 2] {
    let mut all = (0..values.len()).filter_map(|i| values.get(i));
    let first = all.next().unwrap_or(Scalar::I64(0));
    all.fold([first, first], |[low, high], v| {
        [if v < low { v } else { low }, if v > high { v } else { high }]
    })
}

fn metadata(schema: &ArraySchema, leaves: Vec<Mbr>, last: usize) -> FragmentMetadata {
    let domain = &schema.domain;
    let num_tiles = leaves.len() as u64;
    let mut footer = Footer::new(false, Mbr::union(&leaves).ranges, last as u64);
    footer.sparse_tile_num = num_tiles;
    FragmentMetadata::new(RTree::build(domain.dimensions.len() as u32, domain.datatype, leaves), footer)
}
