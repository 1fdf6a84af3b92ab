//! Whether a fragment is sound: everything is read, and compared with what its metadata say.

use super::order::Sequence;
use crate::formats::tiledb::array::{AnyArray, Array, Fragment, METADATA_FILE};
use crate::formats::tiledb::layout::{Mbr, RTree};
use crate::formats::tiledb::read::{FragmentFile, TileContent};
use crate::formats::tiledb::storage::{Storage, check_size, in_file};
use crate::formats::tiledb::values::first_outside;
use crate::numbers::{Number, Numbers};
use crate::{Error, ErrorKind, Result, Step};

/// How much of a fragment was read and found sound.
///
/// ```
/// let verified = binfmt::formats::tiledb::Verified::default();
/// assert_eq!((verified.tiles, verified.cells, verified.bytes), (0, 0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Tiles of cells.
    pub tiles: u64,
    /// Cells that are stored; of a dense fragment those, too, that fill its last tiles.
    pub cells: u64,
    /// Bytes of the files with tiles.
    pub bytes: u64,
    /// Cells of a sparse fragment that stand where the one before them does. libtiledb writes none unless it is told to
    /// allow them; which of them counts is not said.
    pub duplicates: u64,
    /// Cells of a sparse fragment that are before the one before them in the array's global order, in which libtiledb
    /// writes them. They are read here all the same.
    pub out_of_order: u64,
}

impl<S: Storage> Array<S> {
    /// Reads all of a fragment: sizes of files, places of tiles, filters and encryption, offsets of variable cells, numbers
    /// of cells, boxes of the R-tree against each other and against the coordinates. Cells twice at one place, and cells that
    /// are not in global order, are counted.
    ///
    /// # Errors
    /// The first thing that is wrong; the path begins with the file.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// for fragment in array.fragments() {
    ///     println!("{} tiles are sound", array.verify(fragment)?.tiles);
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn verify(&self, fragment: &Fragment) -> Result<Verified> {
        self.any().verify(fragment)
    }
}

impl AnyArray<'_> {
    fn verify(&self, fragment: &Fragment) -> Result<Verified> {
        let metadata_path = format!("{}/{METADATA_FILE}", fragment.name);
        let in_metadata = |e: Error| in_file(e, &metadata_path);
        let counts = self.cells_of_tiles(fragment).map_err(in_metadata)?;
        let mut verified = Verified { tiles: counts.len() as u64, ..Verified::default() };
        for file in self.data_files(fragment) {
            self.verify_file(fragment, &file, &counts)?;
            verified.bytes = verified.bytes.saturating_add(file.size());
        }
        if !fragment.metadata.footer.dense {
            verify_tree(&fragment.metadata.rtree).map_err(|e| in_metadata(e.within(Step::Field("rtree"))))?;
            let domain = fragment.metadata.footer.non_empty_domain.as_slice();
            let mut sequence = Sequence::default();
            for (tile, mbr) in fragment.metadata.rtree.leaves().iter().enumerate() {
                let coords = self.tile_coords(fragment, tile)?;
                sequence.tile(&self.schema, &coords);
                let inside = |ranges: &[[Number; 2]], what: &'static str| {
                    verify_coords(&coords, ranges, what).map_err(|e| {
                        let e = e.within(Step::Index(tile)).within(Step::Field("tiles"));
                        in_file(e, &format!("{}/__coords.tdb", fragment.name))
                    })
                };
                inside(&mbr.ranges, "box in the R-tree")?;
                inside(domain, "fragment's non-empty domain")?;
                inside(
                    &self.schema.domain.dimensions.iter().map(|d| d.domain).collect::<Vec<_>>(),
                    "domain",
                )?;
            }
            (verified.duplicates, verified.out_of_order) = (sequence.duplicates, sequence.out_of_order);
        }
        verified.cells = counts.iter().copied().fold(0, u64::saturating_add);
        Ok(verified)
    }

    /// How many cells each tile has, as the schema and the footer say.
    fn cells_of_tiles(&self, fragment: &Fragment) -> Result<Vec<u64>> {
        let (footer, schema) = (&fragment.metadata.footer, &self.schema);
        let wrong = |kind: ErrorKind, field: &'static str| Error::from(kind).within(Step::Field(field));
        if footer.dense {
            let (mut tiles, mut cells) = (1u64, 1u64);
            for (d, [low, high]) in schema.domain.dimensions.iter().zip(&footer.non_empty_domain) {
                let whole = |v: Option<i128>| {
                    v.ok_or_else(|| wrong(ErrorKind::mismatch("", "integers", "floats"), "non_empty_domain"))
                };
                let (low, high) = (whole(low.as_i128())?, whole(high.as_i128())?);
                let [from, to] = [whole(d.domain[0].as_i128())?, whole(d.domain[1].as_i128())?];
                let extent = d.tile_extent.and_then(Number::as_i128).unwrap_or(1).max(1);
                // consolidated fragments reach to the ends of tiles, and so perhaps beyond the domain
                let end = from + ((to - from) / extent + 1) * extent;
                if low > high || low < from || high >= end {
                    let expected = format!("the domain, {from} to {to}").into();
                    let kind = ErrorKind::OutOfRange { found: format!("{low} to {high}"), expected };
                    return Err(wrong(kind, "non_empty_domain"));
                }
                let count = (high - from) / extent - (low - from) / extent + 1;
                tiles = tiles.saturating_mul(u64::try_from(count).unwrap_or(u64::MAX));
                cells = cells.saturating_mul(u64::try_from(extent).unwrap_or(u64::MAX));
            }
            // memory is taken for tiles that are listed
            let listed = fragment.metadata.tile_offsets.first().map_or(0, |list| list.values.len());
            if listed as u64 != tiles && !schema.attributes.is_empty() {
                let found = listed as u64;
                let kind = ErrorKind::CountMismatch { of: "tiles", expected: tiles, found };
                return Err(wrong(kind, "tile_offsets"));
            }
            return Ok(vec![cells; listed]);
        }
        let leaves = fragment.metadata.rtree.leaves().len();
        if leaves as u64 != footer.sparse_tile_num {
            let (expected, found) = (footer.sparse_tile_num, leaves as u64);
            return Err(wrong(ErrorKind::CountMismatch { of: "boxes", expected, found }, "rtree"));
        }
        let mut counts = vec![schema.capacity; leaves];
        if let Some(last) = counts.last_mut() {
            *last = footer.last_tile_cell_num;
        }
        Ok(counts)
    }

    /// Every tile of a file.
    fn verify_file(&self, fragment: &Fragment, file: &FragmentFile<'_>, counts: &[u64]) -> Result<()> {
        let wrong = |kind: ErrorKind| in_file(kind.into(), file.path());
        check_size(&self.storage, file.path(), file.size())?;
        if file.num_tiles() != counts.len() {
            return Err(wrong(ErrorKind::count("tiles", counts.len(), file.num_tiles())));
        }
        let mut end = 0;
        for (tile, cells) in counts.iter().enumerate() {
            let range = file.range(tile)?;
            if range.start != end {
                let reason = format!("tile {} ends at {end}", tile.wrapping_sub(1));
                let kind = ErrorKind::invalid("tile offset", range.start, reason);
                return Err(wrong(kind).or_at(end));
            }
            end = range.end;
            let in_tile =
                |e: Error| in_file(e.within(Step::Index(tile)).within(Step::Field("tiles")), file.path());
            let len = self.tile(file, tile)?.len() as u64;
            let wanted = match file.content() {
                TileContent::VariableValues(a) => {
                    // the offsets are compared with the values here
                    self.tile_column(fragment, a, tile)?;
                    fragment.metadata.tile_var_sizes.get(a).and_then(|list| list.values.get(tile)).copied()
                }
                _ => cells.checked_mul(file.cell_size() as u64),
            };
            if wanted != Some(len) {
                let expected = wanted.unwrap_or(u64::MAX);
                let kind = ErrorKind::CountMismatch { of: "bytes without filters", expected, found: len };
                return Err(in_tile(Error::new(kind, range.start)));
            }
        }
        Ok(())
    }
}

/// Every box contains those below it.
fn verify_tree(tree: &RTree) -> Result<()> {
    let fanout = (tree.fanout as usize).max(1);
    for (k, levels) in tree.levels.windows(2).enumerate() {
        let [above, below] = levels else { break };
        let wanted = below.mbrs.len().div_ceil(fanout);
        let at = |e: Error| e.within(Step::Index(k)).within(Step::Field("levels"));
        if above.mbrs.len() != wanted {
            return Err(at(ErrorKind::count("boxes", wanted, above.mbrs.len()).into()));
        }
        for (i, (parent, children)) in above.mbrs.iter().zip(below.mbrs.chunks(fanout)).enumerate() {
            if !children.iter().all(|child| contains(parent, child)) {
                let e = Error::from(ErrorKind::invalid("box", "", "it does not contain those below it"));
                return Err(at(e.within(Step::Index(i)).within(Step::Field("mbrs"))));
            }
        }
    }
    Ok(())
}

fn contains(outer: &Mbr, inner: &Mbr) -> bool {
    outer.ranges.len() == inner.ranges.len()
        && outer.ranges.iter().zip(&inner.ranges).all(|([a, b], [c, d])| a <= c && d <= b)
}

/// Every coordinate is in its range.
fn verify_coords(coords: &[Numbers], ranges: &[[Number; 2]], what: &str) -> Result<()> {
    for (dimension, (values, [low, high])) in coords.iter().zip(ranges).enumerate() {
        if let Some((i, value)) = first_outside(values, [*low, *high]) {
            let found = format!("coordinate {value} of dimension {dimension}");
            let expected = format!("the {what}, {low} to {high}").into();
            return Err(Error::from(ErrorKind::OutOfRange { found, expected }).within(Step::Index(i)));
        }
    }
    Ok(())
}
