//! The files of a fragment that contain tiles of cells: which there are, where their tiles are, what is in them.

use crate::formats::tiledb::array::{AnyArray, Array, Fragment};
use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::layout::{Attribute, Datatype, FilterPipeline, TileChunks};
use crate::formats::tiledb::room::zeros;
use crate::formats::tiledb::storage::{Storage, in_file, io_error};
use crate::{Error, ErrorKind, Result, Step};
use std::ops::Range;

/// What the tiles of a file contain.
///
/// ```
/// use binfmt::formats::tiledb::TileContent;
/// assert_ne!(TileContent::Values(0), TileContent::Offsets(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileContent {
    /// The values of this attribute, whose cells all have the same number of them.
    Values(usize),
    /// Where the cells of this attribute begin in the tile of its values: bytes, as 64-bit integers.
    Offsets(usize),
    /// The values of this attribute, whose cells have any number of them.
    VariableValues(usize),
    /// All coordinates of the first dimension, then of the second.
    Coordinates,
}

/// A file of tiles.
///
/// ```no_run
/// let array = binfmt::formats::tiledb::Array::open("array")?;
/// for fragment in array.fragments() {
///     for file in array.data_files(fragment) {
///         println!("{}: {} tiles, {} bytes", file.path(), file.num_tiles(), file.size());
///     }
/// }
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FragmentFile<'a> {
    path: String,
    content: TileContent,
    offsets: &'a [u64],
    size: u64,
    pipeline: &'a FilterPipeline,
    datatype: Datatype,
    cell_size: usize,
}

impl<'a> FragmentFile<'a> {
    /// Where it is inside the array: the fragment's folder and the name of the file.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{}", file.path());
    /// # }
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What its tiles contain.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{:?}", file.content());
    /// # }
    /// ```
    pub fn content(&self) -> TileContent {
        self.content
    }

    /// The number of its tiles.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{}", file.num_tiles());
    /// # }
    /// ```
    pub fn num_tiles(&self) -> usize {
        self.offsets.len()
    }

    /// Its bytes, as the fragment says.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{}", file.size());
    /// # }
    /// ```
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The filters of its tiles; encryption is not among them.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{:?}", file.pipeline().filters);
    /// # }
    /// ```
    pub fn pipeline(&self) -> &'a FilterPipeline {
        self.pipeline
    }

    /// The type of the values in its tiles.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{}", file.datatype());
    /// # }
    /// ```
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// Bytes of a cell in its tiles; of variable values, bytes of a value.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) {
    /// println!("{}", file.cell_size());
    /// # }
    /// ```
    pub fn cell_size(&self) -> usize {
        self.cell_size
    }

    /// Where a tile is in the file.
    ///
    /// # Errors
    /// There is no such tile, or its place is not inside the file.
    ///
    /// ```no_run
    /// # fn show(file: &binfmt::formats::tiledb::FragmentFile<'_>) -> binfmt::Result<()> {
    /// println!("{:?}", file.range(0)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn range(&self, tile: usize) -> Result<Range<u64>> {
        let at = self.offsets.get(tile).copied();
        let end = self.offsets.get(tile.wrapping_add(1)).copied().unwrap_or(self.size);
        match at {
            Some(at) if at <= end && end <= self.size => Ok(at..end),
            _ => Err(self.error(ErrorKind::invalid("place of tile", tile, "").into())),
        }
    }

    /// What takes the filters of its tiles away.
    pub(super) fn codec(&self, key: Option<&Key>) -> Result<TileCodec> {
        TileCodec::new(self.pipeline, self.datatype, self.cell_size, key)
    }

    /// An error of this file.
    pub(super) fn error(&self, e: Error) -> Error {
        in_file(e, &self.path)
    }
}

impl<S: Storage> Array<S> {
    /// The files with the cells of a fragment: of each attribute, then of the coordinates.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// for fragment in array.fragments() {
    ///     println!("{} files", array.data_files(fragment).len());
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn data_files<'a>(&'a self, fragment: &'a Fragment) -> Vec<FragmentFile<'a>> {
        self.any().data_files(fragment)
    }

    /// The bytes of a tile as they are stored.
    ///
    /// # Errors
    /// The tile has no place in the file, or the file cannot be read.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let file = &array.data_files(&array.fragments()[0])[0];
    /// println!("{} bytes", array.stored_tile(file, 0)?.len());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn stored_tile(&self, file: &FragmentFile<'_>, tile: usize) -> Result<Vec<u8>> {
        self.any().stored_tile(file, tile)
    }

    /// The bytes of a tile without its filters.
    ///
    /// # Errors
    /// As [`Array::stored_tile`]; the tile is damaged, encrypted with another key, or larger than the limit.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let file = &array.data_files(&array.fragments()[0])[0];
    /// println!("{} bytes", array.tile(file, 0)?.len());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn tile(&self, file: &FragmentFile<'_>, tile: usize) -> Result<Vec<u8>> {
        self.any().tile(file, tile)
    }
}

impl AnyArray<'_> {
    pub(crate) fn data_files<'a>(&'a self, fragment: &'a Fragment) -> Vec<FragmentFile<'a>> {
        let of_attribute = |(a, attribute): (usize, &Attribute)| match attribute.cell_val_num.fixed() {
            Some(_) => vec![TileContent::Values(a)],
            None => vec![TileContent::Offsets(a), TileContent::VariableValues(a)],
        };
        let attributes = self.schema.attributes.iter().enumerate().flat_map(of_attribute);
        let coords = (!fragment.metadata.footer.dense).then_some(TileContent::Coordinates);
        attributes.chain(coords).map(|content| self.data_file(fragment, content)).collect()
    }

    /// The file of a fragment with this content, whose attribute is one of the schema's.
    pub(super) fn data_file<'a>(&'a self, fragment: &'a Fragment, content: TileContent) -> FragmentFile<'a> {
        let schema = &self.schema;
        let of = |a: usize| &schema.attributes[a];
        let (name, (offsets, size)) = match content {
            TileContent::Values(a) | TileContent::Offsets(a) => {
                (format!("{}.tdb", of(a).file_stem()), fragment.values_file(a))
            }
            TileContent::VariableValues(a) => {
                (format!("{}_var.tdb", of(a).file_stem()), fragment.var_file(a))
            }
            TileContent::Coordinates => {
                ("__coords.tdb".into(), fragment.values_file(schema.attributes.len()))
            }
        };
        let (pipeline, datatype) = match content {
            TileContent::Values(a) | TileContent::VariableValues(a) => (&of(a).filters, of(a).datatype),
            TileContent::Offsets(_) => (&schema.offsets_filters, Datatype::Uint64),
            TileContent::Coordinates => (&schema.coords_filters, schema.domain.datatype),
        };
        let per_cell = match content {
            TileContent::Values(a) => of(a).cell_val_num.fixed().unwrap_or(1) as usize,
            TileContent::Offsets(_) | TileContent::VariableValues(_) => 1,
            TileContent::Coordinates => schema.domain.dimensions.len(),
        };
        // one beyond any number is as large as no tile is
        let cell_size = datatype.size().unwrap_or(1).saturating_mul(per_cell);
        FragmentFile {
            path: format!("{}/{name}", fragment.name),
            content,
            offsets,
            size,
            pipeline,
            datatype,
            cell_size,
        }
    }

    pub(crate) fn stored_tile(&self, file: &FragmentFile<'_>, tile: usize) -> Result<Vec<u8>> {
        let range = file.range(tile)?;
        // a footer may say any size: memory is taken for bytes that are there
        let found = self.storage.size(&file.path).map_err(|e| io_error(e, &file.path))?;
        if found.is_none_or(|found| found < range.end) {
            let (expected, found) = (range.end, found.unwrap_or(0));
            let kind = ErrorKind::CountMismatch { of: "bytes in the file", expected, found };
            return Err(file.error(Error::new(kind, found)));
        }
        let len = usize::try_from(range.end - range.start)
            .map_err(|_| file.error(Error::new(ErrorKind::TooLarge { of: "tile" }, range.start)))?;
        let mut bytes = zeros(len).map_err(|e| file.error(e.or_at(range.start)))?;
        self.storage.read(&file.path, range.start, &mut bytes).map_err(|e| io_error(e, &file.path))?;
        Ok(bytes)
    }

    pub(crate) fn tile(&self, file: &FragmentFile<'_>, tile: usize) -> Result<Vec<u8>> {
        let stored = self.stored_tile(file, tile)?;
        let at = file.range(tile)?.start;
        let placed = |e: Error| {
            file.error(e.shifted(at).or_at(at).within(Step::Index(tile)).within(Step::Field("tiles")))
        };
        let chunks: TileChunks<'_> = crate::from_slice(&stored).map_err(placed)?;
        let len = chunks.len_original();
        if len > self.limit {
            return Err(placed(ErrorKind::size_limit("tile", Some(len), self.limit).into()));
        }
        let mut data = zeros(len as usize).map_err(placed)?;
        file.codec(self.key.as_ref())?.unfilter(&stored, &mut data).map_err(placed)?;
        Ok(data)
    }
}
