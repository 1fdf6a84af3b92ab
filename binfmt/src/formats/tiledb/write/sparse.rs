//! Sparse fragments: cells in global order, cut into tiles of the capacity.

use super::columns::check_cells;
use super::file::Output;
use super::parts::{self, Part, finish};
use super::tiles::Cut;
use crate::formats::tiledb::layout::{ArraySchema, Footer, Mbr, RTree};
use crate::formats::tiledb::metadata::FragmentMetadata;
use crate::formats::tiledb::region::{global_keys, outside};
use crate::formats::tiledb::values::{Column, ends, first_outside, gather};
use crate::numbers::Numbers;
use crate::{Error, ErrorKind, Result, Step};

pub(super) fn write(
    output: &Output<'_>,
    schema: &ArraySchema,
    coords: &[Numbers],
    columns: &[&Column],
) -> Result<FragmentMetadata> {
    let num_cells = check_coords(schema, coords)?;
    check_cells(schema, columns, num_cells)?;
    let order = global_order(schema, coords, num_cells)?;
    let capacity = usize::try_from(schema.capacity).unwrap_or(usize::MAX);
    let leaves: Vec<Mbr> = order.chunks(capacity).map(|cells| bounds(coords, cells)).collect();
    let cut = Cut::Lists { order: &order, capacity };
    let files = std::iter::once(Part::Coords).chain(Part::of_attributes(schema));
    let files = parts::write(output, schema, files, (coords, columns), cut)?;
    let num_tiles = leaves.len();
    let last = num_cells - (num_tiles - 1) * capacity;
    let mut metadata = metadata(schema, leaves, last);
    finish(schema, files, num_tiles, &mut metadata);
    Ok(metadata)
}

/// One list of the domain's type for each dimension, all of the same length and inside the domain.
fn check_coords(schema: &ArraySchema, coords: &[Numbers]) -> Result<usize> {
    let domain = &schema.domain;
    if coords.len() != domain.dimensions.len() {
        return Err(ErrorKind::count("lists of coordinates", domain.dimensions.len(), coords.len()).into());
    }
    let num_cells = coords.first().map_or(0, Numbers::len);
    for (dimension, values) in domain.dimensions.iter().zip(coords) {
        let wrong = |kind: ErrorKind| Error::from(kind).within(Step::Name(dimension.name.clone()));
        if Some(values.number_type()) != domain.datatype.number_type() {
            let found = format!("{:?}", values.number_type()).to_lowercase();
            return Err(wrong(ErrorKind::mismatch("", domain.datatype.to_string(), found)));
        }
        if values.len() != num_cells {
            return Err(wrong(ErrorKind::count("coordinates", num_cells, values.len())));
        }
        if let Some((_, value)) = first_outside(values, dimension.domain) {
            return Err(outside(dimension, value.to_string()));
        }
    }
    Ok(num_cells)
}

/// The cells in the order of their tiles, and in each tile in the order of its cells.
fn global_order(schema: &ArraySchema, coords: &[Numbers], num_cells: usize) -> Result<Vec<usize>> {
    let all = global_keys(schema, coords);
    let of_cells = coords.len();
    let place = |cell: usize| all.iter().map(move |keys| keys[cell]);
    let mut order: Vec<usize> = (0..num_cells).collect();
    order.sort_by(|a, b| place(*a).cmp(place(*b)));
    let same = |a: usize, b: usize| place(a).skip(of_cells).eq(place(b).skip(of_cells));
    if let Some(two) = order.windows(2).find(|two| same(two[0], two[1])) {
        let at: Vec<String> = coords.iter().filter_map(|v| v.get(two[0])).map(|v| v.to_string()).collect();
        return Err(ErrorKind::Duplicate { of: "cell", name: format!("({})", at.join(", ")) }.into());
    }
    Ok(order)
}

/// The box around some of the cells.
pub(super) fn bounds(coords: &[Numbers], cells: &[usize]) -> Mbr {
    let bounds = coords.iter().filter_map(|values| ends(&gather(values, cells, 1)));
    Mbr { ranges: bounds.collect() }
}

/// What is known before its files are written.
pub(super) fn metadata(schema: &ArraySchema, leaves: Vec<Mbr>, last: usize) -> FragmentMetadata {
    let domain = &schema.domain;
    let num_tiles = leaves.len() as u64;
    let mut footer = Footer::new(false, Mbr::union(&leaves).ranges, last as u64);
    footer.sparse_tile_num = num_tiles;
    FragmentMetadata::new(RTree::build(domain.dimensions.len() as u32, domain.datatype, leaves), footer)
}
