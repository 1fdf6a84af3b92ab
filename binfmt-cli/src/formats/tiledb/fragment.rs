//! One fragment of an array by itself.

use super::cells::{batches, query};
use super::open::failure;
use super::subarray::{Span, coordinate};
use crate::error::Result;
use binfmt::formats::tiledb::{
    Array, ArraySchema, ArrayType, Column, Folder, Fragment, Number, Numbers, Options, Query,
};
use std::ops::Bound;

/// The array as this fragment alone makes it.
pub(super) fn alone(folder: &Folder, fragment: &str, options: &Options) -> Result<Array> {
    options.clone().fragment(fragment).open(folder.clone()).map_err(|e| failure(&e))
}

/// The region that a dense fragment was written to.
pub(super) fn region(fragment: &Fragment) -> Vec<Span> {
    let span =
        |[low, high]: &[Number; 2]| (Bound::Included(coordinate(*low)), Bound::Included(coordinate(*high)));
    fragment.metadata().footer.non_empty_domain.iter().map(span).collect()
}

/// Whether its cells have a place each, and no coordinates.
pub(super) fn is_dense(schema: &ArraySchema, fragment: &Fragment) -> bool {
    schema.array_type == ArrayType::Dense && fragment.metadata().footer.dense
}

/// The tiles of a sparse fragment.
pub(super) fn tiles(fragment: &Fragment) -> std::ops::Range<usize> {
    0..fragment.metadata().rtree.leaves().len()
}

/// Hands over the cells of an attribute, part by part: row-major of a dense fragment, as they are stored of a sparse one.
pub(super) fn each_column(
    array: &Array,
    attribute: usize,
    mut take: impl FnMut(&Column) -> Result<()>,
) -> Result<()> {
    let Some(fragment) = array.fragments().first() else { return Ok(()) };
    if !is_dense(array.schema(), fragment) {
        for tile in tiles(fragment) {
            take(&array.tile_column(fragment, attribute, tile).map_err(|e| failure(&e))?)?;
        }
        return Ok(());
    }
    each_column_of(array.schema(), &query(array, &region(fragment), &[attribute]), take)
}

/// The same of a query for one attribute.
pub(super) fn each_column_of(
    schema: &ArraySchema,
    query: &Query<'_, Folder>,
    mut take: impl FnMut(&Column) -> Result<()>,
) -> Result<()> {
    for cells in batches(schema, query, u64::MAX)? {
        if let [(_, column)] = cells.map_err(|e| failure(&e))?.columns() {
            take(column)?;
        }
    }
    Ok(())
}

/// Hands over the coordinates of a sparse fragment, part by part.
pub(super) fn each_coords(array: &Array, mut take: impl FnMut(&[Numbers]) -> Result<()>) -> Result<()> {
    let Some(fragment) = array.fragments().first() else { return Ok(()) };
    for tile in tiles(fragment) {
        take(&array.tile_coords(fragment, tile).map_err(|e| failure(&e))?)?;
    }
    Ok(())
}
