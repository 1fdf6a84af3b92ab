//! The metadata of a fragment: R-tree, positions of tiles, footer.

use super::datatype::Datatype;
use super::schema::{ArraySchema, FORMAT_VERSION};
use crate::BinFormat;
use crate::numbers::Number;
use crate::wire::amount::{after, times64};

/// How many children a node of the R-tree has.
pub const RTREE_FANOUT: u32 = 10;

/// The smallest boxes around the cells of each tile, and boxes around these. A dense fragment has no levels.
///
/// | field | bytes |
/// |---|---|
/// | dimensions, children a node | `u32`, `u32` |
/// | datatype | `u8` |
/// | levels, the root first | `u32`, then each: `u64` boxes, the boxes |
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, RTree};
/// let tree = RTree { num_dims: 1, fanout: 10, datatype: Datatype::Int32, levels: vec![] };
/// assert_eq!(binfmt::to_vec(&tree)?.len(), 13);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct RTree {
    /// Dimensions of a box.
    pub num_dims: u32,
    /// Children of a node, 10.
    pub fanout: u32,
    /// The type of the coordinates.
    pub datatype: Datatype,
    /// The levels from the root to the leaves, which are the boxes of the tiles.
    #[binfmt(length_prefixed(u32), args(*num_dims, *datatype))]
    pub levels: Vec<Level>,
}

/// The boxes of one level of an [`RTree`], whose dimensions and datatype are the context.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Level};
/// let level: Level = binfmt::from_slice_with(&[0; 8], &binfmt::Options::new().ctx((1, Datatype::Int8)))?;
/// assert!(level.mbrs.is_empty());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(num_dims: u32, datatype: Datatype))]
pub struct Level {
    /// The boxes.
    #[binfmt(length_prefixed(u64), args(num_dims, datatype))]
    pub mbrs: Vec<Mbr>,
}

/// A box: smallest and largest coordinate in each dimension, both included.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Mbr, Number};
/// let options = binfmt::Options::new().ctx((1, Datatype::Int8));
/// let mbr: Mbr = binfmt::from_slice_with(&[1, 4], &options)?;
/// assert_eq!(mbr.ranges, [[Number::I8(1), Number::I8(4)]]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(num_dims: u32, datatype: Datatype))]
pub struct Mbr {
    /// One range a dimension.
    #[binfmt(count = num_dims, args(datatype))]
    pub ranges: Vec<[Number; 2]>,
}

/// The positions of an attribute's tiles in its file, or the sizes of its tiles before the filters.
///
/// ```
/// use binfmt::formats::tiledb::TileOffsets;
/// assert_eq!(binfmt::to_vec(&TileOffsets { values: vec![7] })?, [1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, Default, PartialEq, Eq)]
#[binfmt(le)]
pub struct TileOffsets {
    /// One for each tile.
    #[binfmt(length_prefixed(u64))]
    pub values: Vec<u64>,
}

/// The end of a fragment's metadata: neither filtered nor encrypted, and as long as the schema, its context, says.
///
/// | field | bytes (N attributes, S bytes a coordinate) |
/// |---|---|
/// | version | `u32`, 3 |
/// | dense | `u8` |
/// | no non-empty domain | `u8` |
/// | non-empty domain | 2 S for each dimension |
/// | data tiles of a sparse fragment, cells of the last tile | `u64`, `u64` |
/// | sizes of the attributes' files, the coordinates' last | (N + 1) `u64` |
/// | sizes of the files of variable values | N `u64` |
/// | position of the R-tree | `u64` |
/// | positions of the generic tiles with tile offsets, the coordinates' last | (N + 1) `u64` |
/// | the same for variable offsets, for variable sizes | N `u64`, N `u64` |
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(schema: &ArraySchema))]
#[non_exhaustive]
pub struct Footer {
    /// The format version, 3.
    pub version: u32,
    /// Whether the fragment is dense. A dense array may have sparse fragments.
    pub dense: bool,
    /// Whether there is no non-empty domain; its bytes are there all the same.
    pub null_non_empty_domain: bool,
    /// What was written: of a dense fragment the region, of a sparse one the box around its cells.
    #[binfmt(count = schema.domain.dimensions.len(), args(schema.domain.datatype))]
    pub non_empty_domain: Vec<[Number; 2]>,
    /// Data tiles of a sparse fragment; 0 of a dense one.
    pub sparse_tile_num: u64,
    /// Cells in the last tile.
    pub last_tile_cell_num: u64,
    /// Bytes of each attribute's file, the coordinates' last.
    #[binfmt(count = schema.attributes.len() + 1)]
    pub file_sizes: Vec<u64>,
    /// Bytes of each attribute's file of variable values; 0 for fixed ones.
    #[binfmt(count = schema.attributes.len())]
    pub file_var_sizes: Vec<u64>,
    /// Where the R-tree is.
    pub rtree_offset: u64,
    /// Where the tile offsets of each attribute are, the coordinates' last.
    #[binfmt(count = schema.attributes.len() + 1)]
    pub tile_offsets: Vec<u64>,
    /// Where the tile offsets of each attribute's variable values are.
    #[binfmt(count = schema.attributes.len())]
    pub tile_var_offsets: Vec<u64>,
    /// Where the sizes of each attribute's variable tiles are.
    #[binfmt(count = schema.attributes.len())]
    pub tile_var_sizes: Vec<u64>,
}

impl Footer {
    /// The footer of a fragment with this non-empty domain and that many cells in its last tile, without tiles and files.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Footer, Number};
    /// let footer = Footer::new(true, vec![[Number::I32(1), Number::I32(4)]], 2);
    /// assert_eq!((footer.version, footer.dense, footer.last_tile_cell_num), (3, true, 2));
    /// ```
    pub fn new(dense: bool, non_empty_domain: Vec<[Number; 2]>, last_tile_cell_num: u64) -> Footer {
        Footer {
            version: FORMAT_VERSION,
            dense,
            null_non_empty_domain: false,
            non_empty_domain,
            sparse_tile_num: 0,
            last_tile_cell_num,
            file_sizes: Vec::new(),
            file_var_sizes: Vec::new(),
            rtree_offset: 0,
            tile_offsets: Vec::new(),
            tile_var_offsets: Vec::new(),
            tile_var_sizes: Vec::new(),
        }
    }

    /// How many cells were written: of a dense fragment those of its non-empty domain.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
    /// let footer = Footer::new(true, vec![[Number::I32(1), Number::I32(4)]], 2);
    /// assert_eq!(footer.num_cells(&ArraySchema::dense(Datatype::Int32, [x])), 4);
    /// ```
    pub fn num_cells(&self, schema: &ArraySchema) -> u64 {
        if self.dense {
            let width = |[low, high]: &[Number; 2]| {
                let width = high.as_i128().zip(low.as_i128()).map(|(high, low)| high - low + 1);
                width.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
            };
            return self.non_empty_domain.iter().map(width).fold(1, times64);
        }
        match self.sparse_tile_num.checked_sub(1) {
            Some(full) => after(times64(full, schema.capacity), self.last_tile_cell_num),
            None => 0,
        }
    }

    /// Bytes of the footer of a fragment of this schema, 46 + 2 · dimensions · S + 40 · N; `None` for an unknown datatype.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// assert_eq!(Footer::size(&schema), Some(94));
    /// ```
    pub fn size(schema: &ArraySchema) -> Option<usize> {
        let coords =
            schema.domain.dimensions.len().checked_mul(2)?.checked_mul(schema.domain.datatype.size()?)?;
        schema.attributes.len().checked_mul(40)?.checked_add(coords)?.checked_add(46)
    }
}

impl RTree {
    /// The tree over the boxes of the tiles, as libtiledb builds it; no levels without boxes.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, Mbr, RTree, Number};
    /// let mbrs = (0..11).map(|i| Mbr { ranges: vec![[Number::I8(i), Number::I8(i)]] });
    /// let tree = RTree::build(1, Datatype::Int8, mbrs.collect());
    /// let sizes: Vec<usize> = tree.levels.iter().map(|level| level.mbrs.len()).collect();
    /// assert_eq!(sizes, [1, 2, 11]);
    /// assert_eq!(tree.levels[0].mbrs[0].ranges, [[Number::I8(0), Number::I8(10)]]);
    /// ```
    pub fn build(num_dims: u32, datatype: Datatype, leaves: Vec<Mbr>) -> RTree {
        let mut levels = Vec::new();
        if !leaves.is_empty() {
            levels.push(Level { mbrs: leaves });
        }
        while let Some(level) = levels.last().filter(|level| level.mbrs.len() > 1) {
            let mbrs = level.mbrs.chunks(RTREE_FANOUT as usize).map(Mbr::union).collect();
            levels.push(Level { mbrs });
        }
        levels.reverse();
        RTree { num_dims, fanout: RTREE_FANOUT, datatype, levels }
    }

    /// The boxes of the tiles.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, RTree};
    /// assert!(RTree::build(1, Datatype::Int8, vec![]).leaves().is_empty());
    /// ```
    pub fn leaves(&self) -> &[Mbr] {
        self.levels.last().map_or(&[], |level| &level.mbrs)
    }
}

impl Mbr {
    /// The smallest box around these.
    pub(crate) fn union(boxes: &[Mbr]) -> Mbr {
        let mut all = boxes.iter().cloned();
        let mut union = all.next().unwrap_or(Mbr { ranges: Vec::new() });
        for other in all {
            for (range, [low, high]) in union.ranges.iter_mut().zip(other.ranges) {
                if low < range[0] {
                    range[0] = low;
                }
                if high > range[1] {
                    range[1] = high;
                }
            }
        }
        union
    }
}
