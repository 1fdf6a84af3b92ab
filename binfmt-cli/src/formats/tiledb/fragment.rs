//! One fragment of an array by itself.

use super::blocks::blocks;
use super::cells::read;
use super::open::failure;
use super::subarray::{Span, coordinate};
use crate::error::{Error, Result};
use binfmt::formats::tiledb::{
    Array, ArraySchema, ArrayType, Cells, Column, Folder, Fragment, Layout, Number, Numbers, Options, Storage,
};
use std::io;
use std::ops::Bound;

/// The files of an array that has no other fragment.
#[derive(Debug)]
pub(super) struct Only {
    folder: Folder,
    name: String,
}

impl Storage for Only {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let names = self.folder.list(folder)?;
        Ok(names.into_iter().filter(|name| !folder.is_empty() || *name == self.name).collect())
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.folder.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.folder.read(path, offset, out)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.folder.write(path, bytes)
    }
}

/// The array as this fragment alone makes it.
pub(super) fn alone(folder: &Folder, fragment: &str, options: &Options) -> Result<Array<Only>> {
    let only = Only { folder: folder.clone(), name: fragment.to_owned() };
    options.open(only).map_err(|e| failure(&e))
}

/// All bytes of a file of the array, if they are not too many.
pub(super) fn read_all(folder: &Folder, path: &str, most: u64) -> Result<Vec<u8>> {
    let named = |e| Error::input(e).at(path);
    let size = folder.size(path).map_err(named)?.unwrap_or(0);
    if size > most {
        let text = format!("a file of {size} bytes is larger than the limit of {most}");
        return Err(Error::data(text).at(path));
    }
    std::fs::read(folder.path().join(path)).map_err(named)
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
    array: &Array<Only>,
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
    let mut cells = Cells::default();
    for block in blocks(array, region(fragment), &[attribute], Layout::RowMajor) {
        read(array, &block, &[attribute], Layout::RowMajor, &mut cells)?;
        if let [(_, column)] = cells.columns() {
            take(column)?;
        }
    }
    Ok(())
}

/// Hands over the coordinates of a sparse fragment, part by part.
pub(super) fn each_coords(array: &Array<Only>, mut take: impl FnMut(&[Numbers]) -> Result<()>) -> Result<()> {
    let Some(fragment) = array.fragments().first() else { return Ok(()) };
    for tile in tiles(fragment) {
        take(&array.tile_coords(fragment, tile).map_err(|e| failure(&e))?)?;
    }
    Ok(())
}
