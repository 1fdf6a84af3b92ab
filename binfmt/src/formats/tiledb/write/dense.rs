//! Dense fragments: every tile that the region touches, whole.

use super::columns::{check_cells, no_cells};
use super::file::Output;
use super::parts::{self, Part, finish};
use super::tiles::Cut;
use crate::formats::tiledb::layout::{ArraySchema, Footer, Layout, RTree};
use crate::formats::tiledb::metadata::FragmentMetadata;
use crate::formats::tiledb::region::{Order, Space, Target, region};
use crate::formats::tiledb::room;
use crate::formats::tiledb::values::Column;
use crate::numbers::Number;
use crate::{ErrorKind, Result};

pub(super) fn write(
    output: &Output<'_>,
    schema: &ArraySchema,
    keys: &[[u64; 2]],
    order: Layout,
    columns: &[&Column],
) -> Result<FragmentMetadata> {
    Order::Layout(order).check()?;
    if keys.iter().any(|[low, high]| low > high) {
        return Err(no_cells());
    }
    let region = region(keys, schema);
    let shape: Option<Vec<usize>> =
        region.iter().map(|[low, high]| usize::try_from(high - low + 1).ok()).collect();
    let shape = shape.ok_or(ErrorKind::TooLarge { of: "the region" })?;
    let num_cells = shape.iter().try_fold(1usize, |n, len| n.checked_mul(*len));
    check_cells(schema, columns, num_cells.unwrap_or(usize::MAX))?;
    let space = Space::new(schema)?;
    check_tiles(schema, space.num_cells, output.limit)?;
    let mut tiles = space.needed(&region, &region, &Target::whole(&region, order));
    tiles.sort_by_key(|needed| needed.tile);
    let cut = Cut::Boxes { num_cells: space.num_cells, tiles: &tiles };
    let files = parts::write(output, schema, Part::of_attributes(schema), (&[], columns), cut)?;
    let mut metadata = metadata(schema, &region, space.num_cells);
    finish(schema, files, tiles.len(), &mut metadata);
    Ok(metadata)
}

/// Tiles are written whole, however few of their cells are: who opens the array as it was opened here can read them.
pub(super) fn check_tiles(schema: &ArraySchema, cells: usize, limit: u64) -> Result<()> {
    // of variable cells the offsets
    let sizes = schema.attributes.iter().map(|attribute| attribute.cell_size().unwrap_or(size_of::<u64>()));
    let bytes = sizes.max().map_or(Some(0), |size| size.checked_mul(cells)).unwrap_or(usize::MAX);
    if bytes as u64 > limit {
        return Err(ErrorKind::size_limit("tile", Some(bytes as u64), limit).into());
    }
    room::check::<Option<usize>>(cells)
}

/// What is known before its files are written.
pub(super) fn metadata(
    schema: &ArraySchema,
    region: &[[i128; 2]],
    cells_per_tile: usize,
) -> FragmentMetadata {
    let domain = &schema.domain;
    let number = domain.number_type();
    // the region is one of the domain, whose type holds it
    let scalar = |value: i128| Number::from_i128(number, value).unwrap_or(Number::I64(0));
    let region = region.iter().map(|range| range.map(scalar)).collect();
    let rtree = RTree::build(domain.dimensions.len() as u32, domain.datatype, Vec::new());
    FragmentMetadata::new(rtree, Footer::new(true, region, cells_per_tile as u64))
}
