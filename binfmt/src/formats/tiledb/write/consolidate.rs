//! Consolidating: one fragment in the place of all that an array has.

use super::columns::no_cells;
use super::file::{Filtered, Output, Positions};
use super::parts::{Part, finish};
use super::tiles::{Cut, Tiles};
use super::{dense, sparse};
use crate::formats::tiledb::array::{AnyArray, Array, Fragment, METADATA_FILE};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, Mbr};
use crate::formats::tiledb::metadata::FragmentMetadata;
use crate::formats::tiledb::metadata::later::check_untouched;
use crate::formats::tiledb::read::Cells;
use crate::formats::tiledb::region::{Region, Space, Target, domain, intersection, slowest_first, written};
use crate::formats::tiledb::room::random;
use crate::formats::tiledb::storage::{FragmentName, Storage, in_file, io_error};
use crate::formats::tiledb::values::Column;
use crate::formats::tiledb::work;
use crate::numbers::{Number, Numbers};
use crate::storage::NewFile;
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// Bytes of cells of a sparse array that are read at a time; while they are sorted they take several times as much.
const BATCH: u64 = 4 << 20;

impl<S: Storage> Array<S> {
    /// Writes the cells of all fragments as one, which stands for them from then on, and gives its name; `None` if there are
    /// fewer than two. What is read stays the same: cells that were never written are read as fill values, as before.
    ///
    /// The fragment of a dense array is the box around all that was written, and has all tiles of it. If those are more than
    /// `amplification` times the tiles of the fragments, nothing is written: libtiledb has 1 there.
    ///
    /// The new fragment is seen when its last file is there, and the old ones are seen no more, by this version and by
    /// libtiledb. They stay, for whoever reads them just now, until [`remove`](Array::remove) takes what
    /// [`left_over`](Array::left_over) tells; libtiledb 1.6 removes them at once. Of the array at an earlier time there is
    /// then what there is in libtiledb: all cells from the time on at which the first of them was written, none before.
    ///
    /// In memory are, for each thread, a tile of each file, and of a sparse array the cells of some tiles. A tile of a sparse array has
    /// as many cells as the capacity says, if there are so many, also where the fragments had smaller ones: one of more bytes than
    /// [`limit`](crate::formats::tiledb::Options::limit) is refused. All files of the new fragment
    /// are open at once.
    ///
    /// # Errors
    /// The amplification is too great; cells cannot be read or written; there is a fragment that the new one would hide and
    /// that is not one of those that were opened.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// for (first, values) in [(1, vec![5, 6]), (2, vec![7, 8, 9])] {
    ///     let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(values)).unwrap();
    ///     let last = first + a.num_cells() as i32;
    ///     array.insert().range("x", first..last).at(first as u64).column("a", a).write()?;
    /// }
    /// let before = array.read()?;
    /// let name = array.consolidate(1.0)?.unwrap();
    /// assert_eq!((name.timestamps(), array.fragments().len()), ((1, 2), 1));
    /// assert_eq!(array.read()?, before);
    /// assert_eq!(array.left_over()?.len(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn consolidate(&mut self, amplification: f64) -> Result<Option<FragmentName>> {
        self.any_mut().consolidate(amplification)
    }
}

impl AnyArray<'_> {
    fn consolidate(&mut self, amplification: f64) -> Result<Option<FragmentName>> {
        if self.fragments.len() < 2 {
            return Ok(None);
        }
        let name = self.name_for_all()?;
        let metadata = self.write_all(&name, amplification).and_then(|metadata| {
            // another program may have written in the meantime
            self.check_hidden(&name)?;
            Ok(metadata)
        });
        let metadata = metadata.inspect_err(|_| {
            // without metadata there is no fragment: what cannot be removed is left over
            let _ = self.remove_folder(name.as_str());
        })?;
        let name = self.put_fragment(name, &metadata)?;
        self.fragments.retain(|fragment| fragment.name == name);
        Ok(Some(name))
    }

    /// A name that hides all fragments.
    fn name_for_all(&self) -> Result<FragmentName> {
        let times = || self.fragments.iter().map(|fragment| fragment.name.timestamps());
        let first = times().map(|(first, _)| first).min().unwrap_or(0);
        let mut last = times().map(|(_, last)| last).max().unwrap_or(first);
        // one of the same times would not be hidden
        while times().any(|taken| taken == (first, last)) {
            last = last.checked_add(1).ok_or_else(|| ErrorKind::invalid("fragment timestamp", last, ""))?;
        }
        let name = FragmentName::spanning(first, last, u128::from_be_bytes(random()?))
            .ok_or_else(|| ErrorKind::invalid("fragment timestamp", last, ""))?;
        self.check_hidden(&name)?;
        Ok(name)
    }

    /// Refuses to hide a fragment that is not one of those that are put together.
    fn check_hidden(&self, name: &FragmentName) -> Result<()> {
        let names = self.storage.list("").map_err(|e| io_error(e, "."))?;
        check_untouched(&self.storage, &names)?;
        let all: Vec<FragmentName> = names.iter().filter_map(|other| FragmentName::parse(other)).collect();
        let is_covered = |other: &FragmentName| {
            self.fragments.iter().any(|own| own.name == *other || own.name.hides(other))
        };
        for other in all.iter().filter(|other| name.hides(other) && !is_covered(other)) {
            let path = format!("{other}/{METADATA_FILE}");
            if self.storage.size(&path).map_err(|e| io_error(e, &path))?.is_some() {
                return Err(in_file(
                    Error::other("another program has written this fragment meanwhile"),
                    &path,
                ));
            }
        }
        Ok(())
    }

    /// Writes all files of the new fragment but the one of its metadata.
    fn write_all(&self, name: &FragmentName, amplification: f64) -> Result<FragmentMetadata> {
        let Array { storage, schema, key, threads, limit, .. } = self;
        let output = Output { storage, fragment: name, key: key.as_ref(), threads: *threads, limit: *limit };
        match schema.array_type {
            ArrayType::Dense => {
                let space = Space::new(schema)?;
                dense::check_tiles(schema, space.num_cells, *limit)?;
                let region = around(&self.fragments, &space, amplification)?;
                // what libtiledb consolidated may reach to the ends of tiles, beyond the domain
                let region =
                    domain(schema).and_then(|domain| intersection(&region, &domain)).ok_or_else(no_cells)?;
                let files = Files::new(&output, schema, Part::of_attributes(schema).collect())?;
                // each thread reads its own tile
                files.dense(&self.reader(NonZeroUsize::MIN), &space, &region)
            }
            _ => {
                let parts = std::iter::once(Part::Coords).chain(Part::of_attributes(schema)).collect();
                Files::new(&output, schema, parts)?.sparse(&self.reader(*threads))
            }
        }
    }

    /// The same array, which that many threads read.
    fn reader(&self, threads: NonZeroUsize) -> Array<&dyn Storage> {
        let Array { schema, key, fragments, limit, huge_pages, .. } = self;
        let (limit, huge_pages) = (*limit, *huge_pages);
        let (schema, fragments) = (schema.clone(), fragments.clone());
        Array { storage: &self.storage, schema, key: *key, limit, threads, huge_pages, fragments }
    }
}

/// The box around the cells of all fragments, unless it has too many tiles.
fn around(fragments: &[Fragment], space: &Space, amplification: f64) -> Result<Region> {
    let found: Vec<(&Fragment, Region)> = fragments
        .iter()
        .filter_map(|fragment| Some((fragment, written(&fragment.metadata.footer)?)))
        .collect();
    let mut all = found.iter().map(|(_, domain)| domain.clone());
    let mut region = all.next().ok_or_else(no_cells)?;
    for other in all {
        for (own, other) in region.iter_mut().zip(other) {
            *own = [own[0].min(other[0]), own[1].max(other[1])];
        }
    }
    let tiles = |region: &Region| space.num_tiles(region).ok_or(ErrorKind::TooLarge { of: "the region" });
    // single cells have tiles of their own, however far they are from each other
    let parts = found.iter().map(|(fragment, domain)| match fragment.metadata.footer.dense {
        true => tiles(domain),
        false => Ok(fragment.metadata.rtree.leaves().len()),
    });
    let (whole, parts) = (tiles(&region)?, parts.collect::<Result<Vec<_>, _>>()?);
    let parts = parts.iter().map(|tiles| *tiles as f64).sum::<f64>();
    // a ratio that is not a number allows nothing
    if !matches!((whole as f64).partial_cmp(&(parts * amplification)), Some(Ordering::Less | Ordering::Equal))
    {
        let text = format!(
            "the box around all cells has {whole} tiles, and the fragments have {parts}: \
             that is an amplification of {:.1}, and {amplification} is allowed",
            whole as f64 / parts
        );
        return Err(Error::other(text));
    }
    Ok(region)
}

/// The files of the new fragment, which are written side by side.
struct Files<'a> {
    output: &'a Output<'a>,
    schema: &'a ArraySchema,
    files: Vec<NewPart>,
}

/// One of them.
struct NewPart {
    part: Part,
    path: String,
    file: Beside,
    positions: Positions,
}

/// A file of a storage that takes it in pieces, or at once.
enum Beside {
    Pieces(Box<dyn NewFile>),
    Bytes(Vec<u8>),
}

/// What gets the columns of some cells, how they are cut into tiles, and which of the tiles is meant.
type Take<'t> = &'t mut dyn FnMut(&[Numbers], &[&Column], Cut<'_>, usize) -> Result<()>;

impl<'a> Files<'a> {
    fn new(output: &'a Output<'a>, schema: &'a ArraySchema, parts: Vec<Part>) -> Result<Self> {
        let file = |part: Part| {
            let path = format!("{}/{}", output.fragment, part.name(schema));
            let file = output.storage.begin(&path).map_err(|e| io_error(e, &path))?;
            let file = file.map_or_else(|| Beside::Bytes(Vec::new()), Beside::Pieces);
            Ok(NewPart { part, path, file, positions: Positions::default() })
        };
        let files = parts.into_iter().map(file).collect::<Result<_>>()?;
        Ok(Files { output, schema, files })
    }

    /// Filters and writes tiles, whose cells `read` gives.
    fn tiles<C: Default + Send>(
        &mut self,
        tiles: Vec<usize>,
        read: impl Fn(&mut C, usize, Take<'_>) -> Result<()> + Sync,
    ) -> Result<()> {
        let parts: Vec<(Part, String)> =
            self.files.iter().map(|file| (file.part, file.path.clone())).collect();
        let (schema, key) = (self.schema, self.output.key);
        let state = || {
            let codecs = parts.iter().map(|(part, _)| part.codec(schema, key)).collect::<Result<Vec<_>>>()?;
            Ok((C::default(), codecs, Vec::new()))
        };
        let filter = |(cells, codecs, scratch): &mut (C, Vec<_>, Vec<u8>), tile, out: &mut Vec<Filtered>| {
            out.resize_with(parts.len(), Filtered::default);
            read(cells, tile, &mut |coords, columns, cut, tile| {
                let files = parts.iter().zip(codecs.iter_mut()).zip(out.iter_mut());
                files.into_iter().try_for_each(|(((part, path), codec), out)| {
                    let source = Tiles { content: part.content(coords, columns), cut };
                    out.filter(&source, tile, codec, scratch).map_err(|e| in_file(e, path))
                })
            })
        };
        let put = |tiles: &mut Vec<Filtered>| {
            for (file, tile) in self.files.iter_mut().zip(tiles) {
                let bytes = file.positions.add(tile);
                file.file.write_all(bytes).map_err(|e| io_error(e, &file.path))?;
            }
            Ok(ControlFlow::Continue(()))
        };
        work::ordered(self.output.threads, tiles, state, filter, put)
    }

    /// Tile after tile of the region, each read from all fragments.
    fn dense(
        mut self,
        array: &Array<&dyn Storage>,
        space: &Space,
        region: &[[i128; 2]],
    ) -> Result<FragmentMetadata> {
        let (schema, kind) = (self.schema, self.schema.domain.number_type());
        let num_tiles = space.num_tiles(region).ok_or(ErrorKind::TooLarge { of: "the region" })?;
        self.tiles((0..num_tiles).collect(), |cells: &mut Cells, tile, take| {
            let part = tile_of(space, region, schema, tile);
            let mut query = array.query().order(schema.cell_order);
            for (d, range) in part.iter().enumerate() {
                let [low, high] = range.map(|c| Number::from_i128(kind, c));
                if let (Some(low), Some(high)) = (low, high) {
                    query = query.range_of(d, low..=high);
                }
            }
            query.read_into(cells)?;
            let needed = space.needed(&part, &part, &Target::whole(&part, schema.cell_order));
            let columns: Vec<&Column> = cells.columns().iter().map(|(_, column)| column).collect();
            take(&[], &columns, Cut::Boxes { num_cells: space.num_cells, tiles: &needed }, 0)
        })?;
        let metadata = dense::metadata(schema, region, space.num_cells);
        self.finish(metadata, num_tiles)
    }

    /// Batch after batch in global order, cut into tiles of the capacity.
    fn sparse(mut self, array: &Array<&dyn Storage>) -> Result<FragmentMetadata> {
        let capacity = usize::try_from(self.schema.capacity).unwrap_or(usize::MAX).max(1);
        let (mut leaves, mut last) = (Vec::new(), 0);
        let mut held: Option<Held> = None;
        for batch in array.query().global_order().batches(BATCH.min(self.output.limit)) {
            let (coords, columns) = batch?.into_parts();
            let next = Held {
                coords: coords.into_iter().map(|(_, values)| values).collect(),
                columns: columns.into_iter().map(|(_, column)| column).collect(),
            };
            let mut all = match held.take() {
                Some(mut earlier) => {
                    earlier.append(next)?;
                    earlier
                }
                None => next,
            };
            if all.num_cells() <= capacity {
                // who opens the array as it was opened here can read it
                all.check_tile(self.output.limit)?;
            }
            let whole = all.num_cells() / capacity * capacity;
            if whole > 0 {
                self.sparse_tiles(&all, whole, capacity, &mut leaves)?;
                last = capacity;
                all = all.split_off(whole);
            }
            held = Some(all);
        }
        if let Some(rest) = held.filter(|rest| rest.num_cells() > 0) {
            last = rest.num_cells();
            self.sparse_tiles(&rest, last, capacity, &mut leaves)?;
        }
        if leaves.is_empty() {
            return Err(no_cells());
        }
        let num_tiles = leaves.len();
        let metadata = sparse::metadata(self.schema, leaves, last);
        self.finish(metadata, num_tiles)
    }

    /// Writes the first cells as tiles.
    fn sparse_tiles(
        &mut self,
        held: &Held,
        num_cells: usize,
        capacity: usize,
        leaves: &mut Vec<Mbr>,
    ) -> Result<()> {
        let order: Vec<usize> = (0..num_cells).collect();
        leaves.extend(order.chunks(capacity).map(|cells| sparse::bounds(&held.coords, cells)));
        let columns: Vec<&Column> = held.columns.iter().collect();
        let cut = Cut::Lists { order: &order, capacity };
        let tiles = (0..num_cells.div_ceil(capacity)).collect();
        self.tiles(tiles, |_: &mut (), tile, take| take(&held.coords, &columns, cut, tile))
    }

    /// Puts the files in their places.
    fn finish(self, mut metadata: FragmentMetadata, num_tiles: usize) -> Result<FragmentMetadata> {
        let mut files = Vec::new();
        for NewPart { part, path, file, positions } in self.files {
            match file {
                Beside::Pieces(file) => file.commit(),
                Beside::Bytes(bytes) => self.output.storage.write(&path, &bytes),
            }
            .map_err(|e| io_error(e, &path))?;
            files.push((part, positions));
        }
        finish(self.schema, files, num_tiles, &mut metadata);
        Ok(metadata)
    }
}

/// What a tile of a region has of it; the tiles are counted in the array's order.
fn tile_of(space: &Space, region: &[[i128; 2]], schema: &ArraySchema, tile: usize) -> Region {
    let tiles = space.tiles(region);
    let (mut rest, mut part) = (tile as i128, region.to_vec());
    for d in slowest_first(tiles.len(), schema.tile_order).into_iter().rev() {
        let [first, last] = tiles[d];
        let count = last - first + 1;
        part[d] = space.range(d, first + rest % count);
        rest /= count;
    }
    intersection(&part, region).unwrap_or(part)
}

/// Cells of a sparse array that are not written yet.
struct Held {
    coords: Vec<Numbers>,
    columns: Vec<Column>,
}

impl Held {
    fn num_cells(&self) -> usize {
        self.coords.first().map_or(0, Numbers::len)
    }

    /// Refuses cells that are more than a tile may have in one of its files.
    fn check_tile(&self, limit: u64) -> Result<()> {
        let coords = self.coords.iter().map(Numbers::num_bytes).sum::<usize>();
        let of = |column: &Column| column.values().num_bytes().max(size_of_val(column.offsets()));
        let bytes = self.columns.iter().map(of).fold(coords, usize::max) as u64;
        match bytes > limit {
            true => Err(ErrorKind::size_limit("tile", Some(bytes), limit).into()),
            false => Ok(()),
        }
    }

    fn append(&mut self, next: Held) -> Result<()> {
        let coords = self.coords.iter_mut().zip(&next.coords).all(|(own, next)| own.append(next));
        let columns = self.columns.iter_mut().zip(&next.columns).all(|(own, next)| own.append(next));
        (coords && columns).then_some(()).ok_or_else(|| Error::other("cells of another type"))
    }

    /// Takes the cells from one on.
    fn split_off(&mut self, cell: usize) -> Held {
        Held {
            coords: self.coords.iter_mut().map(|values| values.split_off(cell)).collect(),
            columns: self.columns.iter_mut().map(|column| column.split_off(cell)).collect(),
        }
    }
}

impl Write for Beside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Beside::Pieces(file) => file.write(bytes),
            Beside::Bytes(all) => all.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
