//! Reading cells.

mod copy;
mod dense;
mod file;
mod fixed;
mod place;
mod range;
mod space;
mod sparse;
mod variable;

pub use range::Coordinate;

use super::array::{Array, Fragment};
use super::datatype::Datatype;
use super::filter::TileCodec;
use super::schema::{ArrayType, Attribute, Layout};
use super::storage::Storage;
use super::values::{Column, Values};
use crate::{Error, Result};
pub(super) use copy::{Boxed, strides};
use file::{TileFile, Tiles};
pub(super) use range::Range;
pub(super) use space::{Needed, Space, region};
use std::ops::RangeBounds;

/// Which cells of an array to read, and of which attributes.
///
/// Without more words: all cells, all attributes, row-major. Only the tiles are read that the answer needs.
///
/// ```no_run
/// use binfmt::formats::tiledb::Array;
/// let array = Array::open("array")?;
/// let cells = array.query().range("rows", 10..20).range("cols", 5..=9).attributes(["a"]).read()?;
/// assert_eq!(cells.shape(), Some(&[10, 5][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query<'a, S> {
    array: &'a Array<S>,
    ranges: Vec<Range>,
    attributes: Option<Vec<String>>,
    order: Layout,
    /// A dimension that was named and does not exist.
    unknown: Option<String>,
}

impl<S: Storage> Array<S> {
    /// Asks for cells.
    ///
    /// ```no_run
    /// # fn main() -> binfmt::Result<()> {
    /// let cells = binfmt::formats::tiledb::Array::open("array")?.query().attributes(["a"]).read()?;
    /// # Ok(()) }
    /// ```
    pub fn query(&self) -> Query<'_, S> {
        Query {
            array: self,
            ranges: vec![Range::new::<i64>(..); self.schema.domain.dimensions.len()],
            attributes: None,
            order: Layout::RowMajor,
            unknown: None,
        }
    }

    /// All cells of all attributes, row-major.
    ///
    /// # Errors
    /// As [`Query::read`].
    ///
    /// ```no_run
    /// let cells = binfmt::formats::tiledb::Array::open("array")?.read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn read(&self) -> Result<Cells> {
        self.query().read()
    }
}

impl<S: Storage> Query<'_, S> {
    /// Only coordinates of a dimension in this range. What the domain does not have of the range is left out.
    ///
    /// ```no_run
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().range("x", 3..).range("y", 0..=7).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn range<T: Copy + Into<Coordinate>>(mut self, dimension: &str, range: impl RangeBounds<T>) -> Self {
        let dimensions = &self.array.schema.domain.dimensions;
        match dimensions.iter().position(|d| d.name == dimension).and_then(|i| self.ranges.get_mut(i)) {
            Some(place) => *place = Range::new(range),
            None => self.unknown = Some(dimension.into()),
        }
        self
    }

    /// Only these attributes, in this order. None of them is asking for coordinates alone.
    ///
    /// ```no_run
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().attributes(["b", "a"]).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn attributes<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.attributes = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// The order of the cells.
    ///
    /// ```no_run
    /// use binfmt::formats::tiledb::Layout;
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().order(Layout::ColumnMajor).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn order(mut self, order: Layout) -> Self {
        self.order = order;
        self
    }

    /// Reads the cells: of a dense array every cell of the ranges, of a sparse one those that were written.
    ///
    /// Where fragments overlap, the last one wins. Cells of a dense array that were never written hold the fill value of
    /// their datatype ([`Datatype::fill`]), variable ones a single fill value.
    ///
    /// # Errors
    /// An attribute or dimension that the array does not have, files that are missing or damaged, or a result above the
    /// limit. The path of the error begins with the file.
    ///
    /// ```no_run
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().range("x", ..=9).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn read(&self) -> Result<Cells> {
        let mut cells = Cells::default();
        self.read_into(&mut cells)?;
        Ok(cells)
    }

    /// The same in the memory of an earlier result, where it fits: reading many parts of the same size is then much
    /// cheaper, because no memory is new. After an error the cells are none.
    ///
    /// # Errors
    /// As [`read`](Query::read).
    ///
    /// ```no_run
    /// use binfmt::formats::tiledb::Cells;
    /// # let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let mut cells = Cells::default();
    /// for row in 0..10 {
    ///     array.query().range("row", row..=row).read_into(&mut cells)?;
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn read_into(&self, cells: &mut Cells) -> Result<()> {
        let earlier = std::mem::take(cells);
        *cells = self.read_with(earlier)?;
        Ok(())
    }

    fn read_with(&self, earlier: Cells) -> Result<Cells> {
        let schema = &self.array.schema;
        if let Some(name) = &self.unknown {
            return Err(Error::message(format!("the array has no dimension {name:?}"), 0));
        }
        if let Layout::Unknown(_) = self.order {
            return Err(Error::message(self.order.to_string(), 0));
        }
        let attributes = match &self.attributes {
            None => (0..schema.attributes.len()).collect(),
            Some(names) => names
                .iter()
                .map(|name| {
                    let found = schema.attributes.iter().position(|a| a.name == *name);
                    found.ok_or_else(|| Error::message(format!("the array has no attribute {name:?}"), 0))
                })
                .collect::<Result<Vec<usize>>>()?,
        };
        let domain = &schema.domain;
        let keys = self.ranges.iter().zip(&domain.dimensions);
        let keys = keys.map(|(range, d)| range.keys(d, domain.datatype)).collect::<Result<Vec<_>>>()?;
        match schema.array_type {
            ArrayType::Dense => dense::read(self.array, &keys, &attributes, self.order, earlier),
            _ => sparse::read(self.array, &keys, &attributes, self.order),
        }
    }
}

/// Cells that were read. The default is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    pub(super) num_cells: usize,
    pub(super) shape: Option<Vec<usize>>,
    pub(super) coords: Vec<(String, Values)>,
    pub(super) columns: Vec<(String, Column)>,
}

impl Cells {
    /// The number of cells.
    ///
    /// ```no_run
    /// println!("{} cells", binfmt::formats::tiledb::Array::open("array")?.read()?.num_cells());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn num_cells(&self) -> usize {
        self.num_cells
    }

    /// Of a dense array, how many cells there are in each dimension; `None` for a sparse one.
    ///
    /// ```no_run
    /// # let cells = binfmt::formats::tiledb::Array::open("array")?.read()?;
    /// if let Some(shape) = cells.shape() { println!("{shape:?}") }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn shape(&self) -> Option<&[usize]> {
        self.shape.as_deref()
    }

    /// Of a sparse array, the coordinates of the cells: name and values of each dimension.
    ///
    /// ```no_run
    /// # let cells = binfmt::formats::tiledb::Array::open("array")?.read()?;
    /// for (name, values) in cells.coords() { println!("{name}: {values:?}") }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn coords(&self) -> &[(String, Values)] {
        &self.coords
    }

    /// The attributes that were asked for: name and values.
    ///
    /// ```no_run
    /// # let cells = binfmt::formats::tiledb::Array::open("array")?.read()?;
    /// for (name, column) in cells.columns() { println!("{name}: {}", column.datatype()) }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    /// The memory of the values of an attribute, for others of this type.
    fn take_values(&mut self, name: &str, number: super::Number) -> Values {
        let found =
            self.columns.iter().position(|(n, column)| n == name && column.values().number() == number);
        match found {
            Some(i) => self.columns.swap_remove(i).1.into_values(),
            None => Values::new(number),
        }
    }

    /// The values of an attribute.
    ///
    /// ```no_run
    /// # let cells = binfmt::formats::tiledb::Array::open("array")?.read()?;
    /// let a = cells.column("a").map(|column| column.values());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, column)| column)
    }
}

/// The files of an attribute's tiles in one fragment.
impl<S: Storage> Array<S> {
    /// The file of the fixed values, or of the offsets of variable ones.
    fn values_file<'a>(
        &'a self,
        fragment: &'a Fragment,
        a: usize,
        needed: &'a [usize],
    ) -> Result<TileFile<'a, S>> {
        let attribute = &self.schema.attributes[a];
        let key = self.key.as_ref();
        let codec = match attribute.cell_val_num.fixed() {
            Some(_) => TileCodec::new(
                &attribute.filters,
                attribute.datatype,
                attribute.cell_size().unwrap_or(0),
                key,
            )?,
            None => TileCodec::new(&self.schema.offsets_filters, Datatype::Uint64, 8, key)?,
        };
        self.file(fragment, format!("{}.tdb", attribute.file_stem()), (a, false), needed, codec)
    }

    /// The file of the variable values.
    fn var_file<'a>(
        &'a self,
        fragment: &'a Fragment,
        a: usize,
        needed: &'a [usize],
    ) -> Result<TileFile<'a, S>> {
        let Attribute { datatype, filters, .. } = &self.schema.attributes[a];
        let codec = TileCodec::new(filters, *datatype, datatype.size().unwrap_or(0), self.key.as_ref())?;
        let name = format!("{}_var.tdb", self.schema.attributes[a].file_stem());
        self.file(fragment, name, (a, true), needed, codec)
    }

    /// The file of the coordinates.
    fn coords_file<'a>(&'a self, fragment: &'a Fragment, needed: &'a [usize]) -> Result<TileFile<'a, S>> {
        let domain = &self.schema.domain;
        let size = domain.datatype.size().unwrap_or(0);
        let cell = size.saturating_mul(domain.dimensions.len());
        let codec = TileCodec::new(&self.schema.coords_filters, domain.datatype, cell, self.key.as_ref())?;
        let a = self.schema.attributes.len();
        self.file(fragment, "__coords.tdb".into(), (a, false), needed, codec)
    }

    fn file<'a>(
        &'a self,
        fragment: &'a Fragment,
        name: String,
        (a, var): (usize, bool),
        needed: &'a [usize],
        codec: TileCodec,
    ) -> Result<TileFile<'a, S>> {
        let metadata = &fragment.metadata;
        let (lists, sizes) = match var {
            true => (&metadata.tile_var_offsets, &metadata.footer.file_var_sizes),
            false => (&metadata.tile_offsets, &metadata.footer.file_sizes),
        };
        let tiles = Tiles {
            path: format!("{}/{name}", fragment.name),
            offsets: lists.get(a).map_or(&[], |list| &list.values),
            size: sizes.get(a).copied().unwrap_or(0),
        };
        TileFile::open(&self.storage, tiles, needed, codec, self.limit)
    }
}
