//! The cells of a sparse fragment that are asked for.

use super::data_file::TileContent;
use super::file::TileFile;
use super::place::{self, bytes_of};
use crate::formats::tiledb::array::{AnyArray, Fragment, METADATA_FILE};
use crate::formats::tiledb::layout::{ArraySchema, Mbr, TileOffsets};
use crate::formats::tiledb::region::{Space, Target};
use crate::formats::tiledb::storage::in_file;
use crate::formats::tiledb::values::{gather, integer, key, keys};
use crate::formats::tiledb::{room, work};
use crate::numbers::Numbers;
use crate::{ErrorKind, Result};
use std::ops::{ControlFlow, Range};

/// The cells of a sparse fragment that are asked for.
pub(super) struct Selected<'a> {
    pub(super) fragment: &'a Fragment,
    /// The tiles that have some.
    pub(super) tiles: Vec<usize>,
    /// Cells of each of these tiles.
    pub(super) num_cells: Vec<usize>,
    /// Which of them are asked for.
    pub(super) cells: Vec<Vec<usize>>,
    /// Their coordinates in each dimension, and the numbers that sort as these do.
    pub(super) coords: Vec<Numbers>,
    pub(super) keys: Vec<Vec<u64>>,
}

impl Selected<'_> {
    pub(super) fn len(&self) -> usize {
        self.cells.iter().map(Vec::len).sum()
    }

    /// Where each cell goes in a dense result.
    pub(super) fn places(&self, schema: &ArraySchema, space: &Space, target: &Target<'_>) -> Vec<usize> {
        let number = schema.domain.number_type();
        let place = |cell: usize| target.of_cell(space, |d| integer(self.keys[d][cell], number));
        (0..self.len()).map(place).collect()
    }
}

/// The cells of a fragment in the ranges; `None` when there are more than `most`.
pub(super) fn select<'a>(
    array: &'a AnyArray<'_>,
    fragment: &'a Fragment,
    ranges: &[[u64; 2]],
    most: usize,
) -> Result<Option<Selected<'a>>> {
    let number = array.schema.domain.number_type();
    let in_metadata = |e| in_file(e, &format!("{}/{METADATA_FILE}", fragment.name));
    let leaves = fragment.metadata.rtree.leaves();
    let candidates: Vec<usize> = touched(fragment, ranges).collect();
    let mut selected = Selected {
        fragment,
        tiles: Vec::new(),
        num_cells: Vec::new(),
        cells: Vec::new(),
        coords: ranges.iter().map(|_| Numbers::new(number)).collect(),
        keys: vec![Vec::new(); ranges.len()],
    };
    if candidates.is_empty() {
        return Ok(Some(selected));
    }
    check_tiles(array, fragment, leaves.len()).map_err(in_metadata)?;
    let num_cells = |tile: usize| match tile + 1 == leaves.len() {
        true => fragment.metadata.footer.last_tile_cell_num,
        false => array.schema.capacity,
    };
    let size = ranges.len() * number.size();
    let batch = place::batch(array.threads, bytes_of(array.schema.capacity, size));
    // one thread reads neighbours together regardless of the job, and keeps no tile for later
    let jobs = place::ranges(candidates.len(), if array.threads.get() == 1 { 1 } else { batch });
    let read = |file: &mut TileFile<'_>, job: Range<usize>, found: &mut Vec<(usize, Vec<u8>)>| {
        if array.threads.get() > 1 {
            file.until(job.end);
        }
        found.resize_with(job.len(), Default::default);
        for (k, (tile, bytes)) in job.zip(found) {
            *tile = candidates[k];
            bytes.clear();
            bytes.extend_from_slice(file.tile(k, bytes_of(num_cells(*tile), size))?);
        }
        Ok(())
    };
    let mut values = Numbers::new(number);
    let mut too_many = false;
    work::ordered(
        array.threads,
        jobs,
        || array.tiles(fragment, TileContent::Coordinates, &candidates),
        read,
        |found| {
            for (tile, bytes) in found {
                let cells = num_cells(*tile) as usize;
                // its values, their keys and which are chosen, and room for those that are
                room::check_each::<u64>(cells, 3 * ranges.len() + 3)?;
                values.truncate(0);
                values.extend_from_le_bytes(bytes)?;
                add_tile(&values, *tile, cells, ranges, &mut selected);
                too_many = selected.len() > most;
                if too_many {
                    return Ok(ControlFlow::Break(()));
                }
                check_limit(bytes_of(selected.len() as u64, number.size()), array.limit)?;
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok((!too_many).then_some(selected))
}

/// Whether no more than one fragment has tiles in the ranges. As in libtiledb the cells are all of that one's then; where
/// there are several, of those at one place only the last stays.
pub(super) fn one_fragment(array: &AnyArray<'_>, ranges: &[[u64; 2]]) -> bool {
    let has_tiles = |fragment: &&Fragment| touched(fragment, ranges).next().is_some();
    array.fragments.iter().filter(has_tiles).take(2).count() < 2
}

/// The coordinates of one dimension may not take more.
pub(super) fn check_limit(bytes: u64, limit: u64) -> Result<()> {
    if bytes <= limit {
        return Ok(());
    }
    Err(ErrorKind::size_limit("coordinates", Some(bytes), limit).into())
}

/// The cells of one tile of coordinates: all of the first dimension, then all of the second.
fn add_tile(values: &Numbers, tile: usize, cells: usize, ranges: &[[u64; 2]], selected: &mut Selected<'_>) {
    let keys = keys(values);
    let dims: Vec<&[u64]> = keys.chunks_exact(cells.max(1)).collect();
    let inside = |cell: &usize| {
        dims.iter().zip(ranges).all(|(keys, [low, high])| (low..=high).contains(&&keys[*cell]))
    };
    let chosen: Vec<usize> = (0..cells).filter(inside).collect();
    if chosen.is_empty() {
        return;
    }
    for (i, keys) in dims.iter().enumerate() {
        selected.keys[i].extend(chosen.iter().map(|cell| keys[*cell]));
        let places: Vec<usize> = chosen.iter().map(|cell| i * cells + cell).collect();
        selected.coords[i].append(&gather(values, &places, 1));
    }
    selected.tiles.push(tile);
    selected.num_cells.push(cells);
    selected.cells.push(chosen);
}

/// The tiles of a sparse fragment that may have cells in the ranges.
pub(super) fn touched<'a>(
    fragment: &'a Fragment,
    ranges: &'a [[u64; 2]],
) -> impl Iterator<Item = usize> + 'a {
    let leaves = fragment.metadata.rtree.leaves().iter().enumerate();
    leaves.filter(|(_, mbr)| touches(mbr, ranges)).map(|(tile, _)| tile)
}

/// Whether a tile may have cells in the ranges.
fn touches(mbr: &Mbr, ranges: &[[u64; 2]]) -> bool {
    let overlap = |(range, [low, high]): (&[_; 2], &[u64; 2])| {
        let [first, last]: [u64; 2] = range.map(key);
        first <= *high && *low <= last
    };
    mbr.ranges.iter().zip(ranges).all(overlap)
}

/// The fragment's lists have as many tiles as its R-tree.
fn check_tiles(array: &AnyArray<'_>, fragment: &Fragment, leaves: usize) -> Result<()> {
    let metadata = &fragment.metadata;
    let tree = &metadata.rtree;
    let domain = &array.schema.domain;
    if tree.num_dims as usize != domain.dimensions.len() || tree.datatype != domain.datatype {
        return Err(ErrorKind::invalid("R-tree", "", "it does not match the array's domain").into());
    }
    let tiles = metadata.footer.sparse_tile_num;
    let mut lists: Vec<usize> = metadata.tile_offsets.iter().map(|list| list.values.len()).collect();
    for (i, attribute) in array.schema.attributes.iter().enumerate() {
        if attribute.cell_val_num.fixed().is_none() {
            let of = |list: &[TileOffsets]| list.get(i).map_or(0, |l| l.values.len());
            lists.extend([of(&metadata.tile_var_offsets), of(&metadata.tile_var_sizes)]);
        }
    }
    if leaves as u64 != tiles || lists.iter().any(|n| *n != leaves) {
        let reason = format!("{leaves} boxes in the R-tree, positions of {lists:?}");
        return Err(ErrorKind::invalid("number of tiles", tiles, reason).into());
    }
    if metadata.footer.last_tile_cell_num > array.schema.capacity {
        let (found, max) = (metadata.footer.last_tile_cell_num, array.schema.capacity);
        let reason = format!("the capacity is {max}");
        return Err(ErrorKind::invalid("number of cells in the last tile", found, reason).into());
    }
    Ok(())
}
