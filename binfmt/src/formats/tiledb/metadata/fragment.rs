//! A fragment's metadata file: generic tiles one after the other, then the footer.

use super::generic;
use super::version::check_version;
use crate::formats::tiledb::filter::Key;
use crate::formats::tiledb::layout::{ArraySchema, Footer, RTree, TileOffsets};
use crate::{Decode, Encode, Error, ErrorKind, Options, Result, Step};

/// What `__fragment_metadata.tdb` contains.
///
/// Read and written by [`FragmentMetadata::from_bytes`] and [`FragmentMetadata::to_bytes`]. In the file stand the R-tree,
/// the tile offsets of every attribute and of the coordinates, the offsets of the tiles of variable values, their sizes,
/// each as a generic tile, and the [`Footer`], which is neither filtered nor encrypted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FragmentMetadata {
    /// The boxes of the tiles; without levels in a dense fragment.
    pub rtree: RTree,
    /// Where the tiles of each attribute are in its file, the coordinates' last.
    pub tile_offsets: Vec<TileOffsets>,
    /// Where the tiles of variable values are; zeros for fixed attributes.
    pub tile_var_offsets: Vec<TileOffsets>,
    /// Bytes of the tiles of variable values before the filters; zeros for fixed attributes.
    pub tile_var_sizes: Vec<TileOffsets>,
    /// The footer.
    pub footer: Footer,
}

/// A generic tile at an offset of the file, decoded.
fn tile<T: for<'de> Decode<'de>>(file: &[u8], at: u64, key: Option<&Key>, limit: u64) -> Result<T> {
    let bytes = usize::try_from(at)
        .ok()
        .and_then(|at| file.get(at..))
        .ok_or_else(|| ErrorKind::invalid("tile offset", at, format!("the tiles end at {}", file.len())))?;
    let tile = generic::read(bytes, key, limit).map_err(|e| e.shifted(at).or_at(at))?;
    crate::from_slice(&tile.data).map_err(|e| e.shifted(at))
}

impl FragmentMetadata {
    /// Metadata with this tree and this footer, whose lists are empty.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, Footer, FragmentMetadata, RTree};
    /// let tree = RTree::build(1, Datatype::Int32, vec![]);
    /// assert!(FragmentMetadata::new(tree, Footer::new(true, vec![], 0)).tile_offsets.is_empty());
    /// ```
    pub fn new(rtree: RTree, footer: Footer) -> FragmentMetadata {
        let (tile_offsets, tile_var_offsets, tile_var_sizes) = Default::default();
        FragmentMetadata { rtree, tile_offsets, tile_var_offsets, tile_var_sizes, footer }
    }

    /// Reads a whole file. `limit` is the most bytes that one generic tile may have without its filters.
    ///
    /// Generic tiles that no footer points to, or that overlap, are not looked for: readers go by the footer.
    ///
    /// # Errors
    /// The file is damaged, of another version, or encrypted with another key.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]);
    /// let e = FragmentMetadata::from_bytes(&[0; 9], &schema, None, 1 << 20).unwrap_err();
    /// assert_eq!(e.to_string(), "footer: 54 bytes needed, 9 remain");
    /// ```
    pub fn from_bytes(file: &[u8], schema: &ArraySchema, key: Option<&Key>, limit: u64) -> Result<Self> {
        let size = Footer::size(schema).unwrap_or(usize::MAX);
        let at = file.len().checked_sub(size).ok_or_else(|| {
            let kind = ErrorKind::UnexpectedEnd { needed: size, remaining: file.len() };
            Error::from(kind).within(Step::Field("footer"))
        })?;
        let footer: Footer = crate::from_slice_with(&file[at..], &Options::new().ctx(schema))
            .map_err(|e| e.shifted(at as u64).within(Step::Field("footer")))?;
        check_version(footer.version).map_err(|e| e.or_at(at as u64).within(Step::Field("footer")))?;
        let body = &file[..at];
        let rtree: RTree =
            tile(body, footer.rtree_offset, key, limit).map_err(|e| e.within(Step::Field("rtree")))?;
        let lists = |name: &'static str, positions: &[u64]| -> Result<Vec<TileOffsets>> {
            let list = |(i, at): (usize, &u64)| {
                tile(body, *at, key, limit).map_err(|e| e.within(Step::Index(i)).within(Step::Field(name)))
            };
            positions.iter().enumerate().map(list).collect()
        };
        Ok(FragmentMetadata {
            tile_offsets: lists("tile_offsets", &footer.tile_offsets)?,
            tile_var_offsets: lists("tile_var_offsets", &footer.tile_var_offsets)?,
            tile_var_sizes: lists("tile_var_sizes", &footer.tile_var_sizes)?,
            rtree,
            footer,
        })
    }

    /// The file, with generic tiles as libtiledb 1.6.3 writes them. The positions in the footer are computed.
    ///
    /// # Errors
    /// Lists of another length than the schema has attributes.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::sparse(Datatype::Int32, [x]);
    /// let mut footer = Footer::new(false, vec![[Number::I32(0); 2]], 0);
    /// (footer.null_non_empty_domain, footer.file_sizes) = (true, vec![0]);
    /// let mut metadata = FragmentMetadata::new(RTree::build(1, Datatype::Int32, vec![]), footer);
    /// metadata.tile_offsets = vec![TileOffsets::default()];
    /// let file = metadata.to_bytes(&schema, None)?;
    /// let read = FragmentMetadata::from_bytes(&file, &schema, None, 1 << 20)?;
    /// assert_eq!(read.rtree, metadata.rtree);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn to_bytes(&self, schema: &ArraySchema, key: Option<&Key>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut footer = self.footer.clone();
        footer.rtree_offset = put(&self.rtree, key, &mut out)?;
        let mut lists = |lists: &[TileOffsets]| {
            lists.iter().map(|list| put(list, key, &mut out)).collect::<Result<Vec<u64>>>()
        };
        footer.tile_offsets = lists(&self.tile_offsets)?;
        footer.tile_var_offsets = lists(&self.tile_var_offsets)?;
        footer.tile_var_sizes = lists(&self.tile_var_sizes)?;
        crate::append_with(&footer, &mut out, &Options::new().ctx(schema))
            .map_err(|e| e.within(Step::Field("footer")))?;
        Ok(out)
    }
}

/// Appends a generic tile; gives its position.
fn put<T: Encode>(value: &T, key: Option<&Key>, out: &mut Vec<u8>) -> Result<u64> {
    let at = out.len() as u64;
    generic::write(&crate::to_vec(value)?, key, out)?;
    Ok(at)
}
