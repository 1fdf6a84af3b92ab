//! The schema of an array: what `__array_schema.tdb` contains inside its generic tile.

use super::datatype::Datatype;
use super::pipeline::{Filter, FilterPipeline};
use crate::numbers::{Number, NumberType, Numbers};
use crate::{BinFormat, ErrorKind};
use core::fmt;
use std::collections::BTreeMap;

/// The version of the format that is read and written.
pub const FORMAT_VERSION: u32 = 3;

/// The schema of an array.
///
/// | field | bytes |
/// |---|---|
/// | version | `u32`, 3 |
/// | array type, tile order, cell order | `u8` each |
/// | capacity | `u64` |
/// | filters of coordinates, filters of offsets | pipelines |
/// | domain | datatype, `u32` dimensions, the dimensions |
/// | attributes | `u32`, the attributes |
///
/// ```
/// use binfmt::formats::tiledb::*;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
/// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
/// let bytes = binfmt::to_vec(&schema)?;
/// assert_eq!(bytes.len(), 96);
/// assert_eq!(binfmt::from_slice::<ArraySchema>(&bytes)?, schema);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
#[non_exhaustive]
pub struct ArraySchema {
    /// The format version, 3.
    pub version: u32,
    /// Dense or sparse.
    pub array_type: ArrayType,
    /// The order of tiles.
    pub tile_order: Layout,
    /// The order of cells in a tile.
    pub cell_order: Layout,
    /// Cells in a data tile of a sparse fragment.
    pub capacity: u64,
    /// The filters of coordinates.
    pub coords_filters: FilterPipeline,
    /// The filters of the offsets of variable attributes.
    pub offsets_filters: FilterPipeline,
    /// The dimensions.
    pub domain: Domain,
    /// The attributes; a sparse array may have none.
    #[binfmt(length_prefixed(u32))]
    pub attributes: Vec<Attribute>,
}

/// Whether every cell of the domain has a place.
///
/// ```
/// use binfmt::formats::tiledb::ArrayType;
/// assert_eq!(binfmt::from_slice::<ArrayType>(&[1])?, ArrayType::Sparse);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag(u8))]
pub enum ArrayType {
    /// Every cell has a place.
    #[binfmt(tag = 0)]
    Dense,
    /// Cells are stored with their coordinates.
    #[binfmt(tag = 1)]
    Sparse,
    /// A number that format version 3 does not have.
    #[binfmt(other)]
    Unknown(u8),
}

/// An order of cells or tiles.
///
/// ```
/// use binfmt::formats::tiledb::Layout;
/// assert_eq!(binfmt::to_vec(&Layout::ColumnMajor)?, [1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag(u8))]
pub enum Layout {
    /// The last dimension changes fastest.
    #[binfmt(tag = 0)]
    RowMajor,
    /// The first dimension changes fastest.
    #[binfmt(tag = 1)]
    ColumnMajor,
    /// A number that no schema has: 2 and 3 are orders of queries.
    #[binfmt(other)]
    Unknown(u8),
}

/// The dimensions of an array, which are all of one type.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Domain};
/// let domain: Domain = binfmt::from_slice(&[4, 0, 0, 0, 0])?;
/// assert_eq!((domain.datatype, domain.dimensions.len()), (Datatype::Char, 0));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Domain {
    /// The type of the coordinates.
    pub datatype: Datatype,
    /// The dimensions.
    #[binfmt(length_prefixed(u32), args(*datatype))]
    pub dimensions: Vec<Dimension>,
}

/// One dimension; its context is the type of the coordinates.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Dimension, Number};
/// let options = binfmt::Options::new().ctx(Datatype::Uint8);
/// let dimension: Dimension = binfmt::from_slice_with(&[1, 0, 0, 0, b'x', 0, 9, 1], &options)?;
/// assert_eq!(dimension.domain, [Number::U8(0), Number::U8(9)]);
/// assert_eq!(dimension.tile_extent, None);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(datatype: Datatype))]
#[non_exhaustive]
pub struct Dimension {
    /// The name; may be empty.
    #[binfmt(length_prefixed(u32))]
    pub name: String,
    /// The smallest and the largest coordinate.
    #[binfmt(args(datatype))]
    pub domain: [Number; 2],
    /// How far a tile reaches; libtiledb 1.6 always writes one.
    #[binfmt(nullable(present = 0, missing = 1, body = absent), args(datatype))]
    pub tile_extent: Option<Number>,
}

/// One attribute.
///
/// ```
/// use binfmt::formats::tiledb::{Attribute, Datatype};
/// let bytes = [1, 0, 0, 0, b'a', 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
/// assert_eq!(binfmt::from_slice::<Attribute>(&bytes)?, Attribute::new("a", Datatype::Int32));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq)]
#[binfmt(le)]
#[non_exhaustive]
pub struct Attribute {
    /// The name: that of its files.
    #[binfmt(length_prefixed(u32))]
    pub name: String,
    /// The type of its values.
    pub datatype: Datatype,
    /// How many values a cell has.
    pub cell_val_num: CellValNum,
    /// The filters of its values.
    pub filters: FilterPipeline,
}

/// How many values a cell of an attribute has.
///
/// ```
/// use binfmt::formats::tiledb::CellValNum;
/// assert_eq!(binfmt::to_vec(&CellValNum::VAR)?, [0xff; 4]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct CellValNum(u32);

impl CellValNum {
    /// One value.
    pub const ONE: CellValNum = CellValNum(1);
    /// Any number of values, another in each cell.
    pub const VAR: CellValNum = CellValNum(u32::MAX);

    /// That many values; `None` for 0 and for the number that means "any".
    ///
    /// ```
    /// use binfmt::formats::tiledb::CellValNum;
    /// assert_eq!(CellValNum::new(3).and_then(CellValNum::fixed), Some(3));
    /// assert_eq!(CellValNum::new(0), None);
    /// ```
    pub const fn new(values: u32) -> Option<CellValNum> {
        if values == 0 || values == u32::MAX { None } else { Some(CellValNum(values)) }
    }

    /// The number of values; `None` when it is another in each cell.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::CellValNum::VAR.fixed(), None);
    /// ```
    pub const fn fixed(self) -> Option<u32> {
        if self.0 == u32::MAX { None } else { Some(self.0) }
    }
}

impl ArraySchema {
    fn new(array_type: ArrayType, datatype: Datatype, dimensions: Vec<Dimension>) -> Self {
        ArraySchema {
            version: FORMAT_VERSION,
            array_type,
            tile_order: Layout::RowMajor,
            cell_order: Layout::RowMajor,
            capacity: 10_000,
            coords_filters: FilterPipeline::new([Filter::zstd(-1)]),
            offsets_filters: FilterPipeline::new([Filter::zstd(-1)]),
            domain: Domain { datatype, dimensions },
            attributes: Vec::new(),
        }
    }

    /// A dense array with TileDB's defaults: row-major, coordinates and offsets through zstd.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{ArraySchema, ArrayType, Datatype};
    /// assert_eq!(ArraySchema::dense(Datatype::Int32, []).array_type, ArrayType::Dense);
    /// ```
    pub fn dense(datatype: Datatype, dimensions: impl IntoIterator<Item = Dimension>) -> Self {
        Self::new(ArrayType::Dense, datatype, dimensions.into_iter().collect())
    }

    /// A sparse array with TileDB's defaults: capacity 10,000, row-major, coordinates and offsets through zstd.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{ArraySchema, Datatype};
    /// assert_eq!(ArraySchema::sparse(Datatype::Int32, []).capacity, 10_000);
    /// ```
    pub fn sparse(datatype: Datatype, dimensions: impl IntoIterator<Item = Dimension>) -> Self {
        Self::new(ArrayType::Sparse, datatype, dimensions.into_iter().collect())
    }

    /// With one more attribute.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{ArraySchema, Attribute, Datatype};
    /// let schema = ArraySchema::sparse(Datatype::Int32, []).attribute(Attribute::new("a", Datatype::Char));
    /// assert_eq!(schema.attributes[0].name, "a");
    /// ```
    #[must_use]
    pub fn attribute(mut self, attribute: Attribute) -> Self {
        self.attributes.push(attribute);
        self
    }
}

/// The numbers that values of a datatype are. A schema is checked before anything is read or written by it, so that it
/// has no unknown datatype.
fn checked(datatype: Datatype) -> NumberType {
    debug_assert!(datatype.number_type().is_some(), "an unknown datatype in a schema that was checked");
    datatype.number_type().unwrap_or(NumberType::U8)
}

impl Domain {
    /// The numbers that coordinates are, in a schema that was checked.
    pub(crate) fn number_type(&self) -> NumberType {
        checked(self.datatype)
    }
}

impl Attribute {
    /// The numbers that values are, in a schema that was checked.
    pub(crate) fn number_type(&self) -> NumberType {
        checked(self.datatype)
    }

    /// The value of a cell that was never written, if cells are plain numbers.
    pub(crate) fn fill_number(&self) -> Option<Number> {
        let datatype = self.datatype;
        let is_float = matches!(datatype, Datatype::Float32 | Datatype::Float64);
        let is_number = self.cell_val_num == CellValNum::ONE && (datatype.is_plain_integer() || is_float);
        Numbers::from_le_bytes(self.number_type(), datatype.fill()).filter(|_| is_number)?.get(0)
    }
}

impl ArraySchema {
    /// The places of the attributes by their names.
    pub(crate) fn places(&self) -> BTreeMap<&str, usize> {
        self.attributes.iter().enumerate().rev().map(|(i, a)| (a.name.as_str(), i)).collect()
    }

    /// The place of the attribute of a name.
    pub(crate) fn place_of(&self, attribute: &str) -> Result<usize, ErrorKind> {
        self.attributes.iter().position(|a| a.name == attribute).ok_or_else(|| {
            ErrorKind::unknown("attribute", attribute, self.attributes.iter().map(|a| &a.name))
        })
    }
}

impl Dimension {
    /// A dimension from `low` to `high`, both included, in tiles of `extent`, if there is one.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Dimension, Number};
    /// let x = Dimension::new("x", Number::I8(0), Number::I8(9), Number::I8(5));
    /// assert_eq!(x.tile_extent, Some(Number::I8(5)));
    /// ```
    pub fn new(
        name: impl Into<String>,
        low: Number,
        high: Number,
        extent: impl Into<Option<Number>>,
    ) -> Self {
        Dimension { name: name.into(), domain: [low, high], tile_extent: extent.into() }
    }
}

impl Attribute {
    /// An attribute of one value a cell, without filters. `ANY` is always variable.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Attribute, CellValNum, Datatype};
    /// assert_eq!(Attribute::new("a", Datatype::Any).cell_val_num, CellValNum::VAR);
    /// ```
    pub fn new(name: impl Into<String>, datatype: Datatype) -> Self {
        let cell_val_num = if datatype == Datatype::Any { CellValNum::VAR } else { CellValNum::ONE };
        Attribute { name: name.into(), datatype, cell_val_num, filters: FilterPipeline::default() }
    }

    /// With that many values a cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Attribute, CellValNum, Datatype};
    /// let name = Attribute::new("name", Datatype::StringUtf8).values(CellValNum::VAR);
    /// assert_eq!(name.cell_val_num.fixed(), None);
    /// ```
    #[must_use]
    pub fn values(mut self, cell_val_num: CellValNum) -> Self {
        self.cell_val_num = cell_val_num;
        self
    }

    /// With these filters.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Attribute, Datatype, Filter};
    /// let a = Attribute::new("a", Datatype::Int32).filtered([Filter::rle(-1)]);
    /// assert_eq!(a.filters.filters.len(), 1);
    /// ```
    #[must_use]
    pub fn filtered(mut self, filters: impl IntoIterator<Item = Filter>) -> Self {
        self.filters.filters = filters.into_iter().collect();
        self
    }

    /// Bytes of a cell; `None` when that is another in each cell, or the datatype is unknown.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Attribute, CellValNum, Datatype};
    /// let a = Attribute::new("a", Datatype::Int32).values(CellValNum::new(3).unwrap());
    /// assert_eq!(a.cell_size(), Some(12));
    /// ```
    pub fn cell_size(&self) -> Option<usize> {
        self.datatype.size()?.checked_mul(self.cell_val_num.fixed()? as usize)
    }
}

/// `dense`, `sparse`, or the number.
impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayType::Dense => f.write_str("dense"),
            ArrayType::Sparse => f.write_str("sparse"),
            ArrayType::Unknown(n) => write!(f, "unknown array type {n}"),
        }
    }
}

/// `row-major`, `column-major`, or the number.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::RowMajor => f.write_str("row-major"),
            Layout::ColumnMajor => f.write_str("column-major"),
            Layout::Unknown(n) => write!(f, "unknown order {n}"),
        }
    }
}
