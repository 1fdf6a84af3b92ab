//! Reading cells.

#[cfg(feature = "ndarray")]
mod arrays;
mod batches;
mod cells;
mod copy;
mod dense;
mod file;
mod fixed;
mod order;
mod place;
mod range;
mod space;
mod sparse;
mod variable;

pub use batches::Batches;
pub use range::Coordinate;

use super::array::{Array, Fragment};
use super::datatype::Datatype;
use super::filter::TileCodec;
use super::schema::{ArrayType, Attribute, Layout};
use super::storage::Storage;
use super::values::{Column, Values};
use crate::{Error, Result};
pub(super) use copy::Boxed;
use file::{TileFile, Tiles};
use order::{Grid, Order};
pub(super) use order::{Target, slowest_first, tile_key, tile_keys};
pub(super) use range::Range;
pub(super) use space::{Needed, Space, region};
use std::borrow::Cow;
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
#[derive(Debug)]
pub struct Query<'a, S> {
    array: &'a Array<S>,
    ranges: Vec<Range>,
    attributes: Option<Vec<String>>,
    order: Order,
    /// A dimension that was named and does not exist.
    unknown: Option<String>,
}

/// The storage itself is not cloned.
/// Which cells of a sparse array are told.
#[derive(Clone, Copy)]
struct Bound {
    /// So many at most.
    most: usize,
    /// All that stand at one place, or only the last.
    all: bool,
}

impl<S> Clone for Query<'_, S> {
    fn clone(&self) -> Self {
        let Query { array, ranges, attributes, order, unknown } = self;
        let (ranges, attributes, unknown) = (ranges.clone(), attributes.clone(), unknown.clone());
        Query { array, ranges, attributes, order: *order, unknown }
    }
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
            order: Order::Layout(Layout::RowMajor),
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
    /// The range of a dimension that is named by its place: names may be empty, and then be those of several.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().range_of(0, 10..20).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn range_of<T: Copy + Into<Coordinate>>(
        mut self,
        dimension: usize,
        range: impl RangeBounds<T>,
    ) -> Self {
        match self.ranges.get_mut(dimension) {
            Some(place) => *place = Range::new(range),
            None => self.unknown = Some(format!("number {dimension}")),
        }
        self
    }

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
        self.order = Order::Layout(order);
        self
    }

    /// The order in which fragments have the cells: tile after tile in the array's tile order, and in each tile its
    /// cells of the ranges in the array's cell order. It is TileDB's `GLOBAL_ORDER`, and the cheapest to read.
    ///
    /// The tiles of floats are not rounded down, as in libtiledb 1.6: the array's tile order then orders cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Scalar::I8(0), Scalar::I8(3), Scalar::I8(2)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Uint8));
    /// let mut array = OpenOptions::new().create(Memory::new(), schema)?;
    /// let a = Column::fixed(Datatype::Uint8, CellValNum::ONE, Values::U8((0..16).collect())).unwrap();
    /// array.insert().column("a", a).write()?;
    /// let cells = array.query().range("x", ..=1).global_order().read()?;
    /// assert_eq!(cells.column("a").unwrap().values(), &Values::U8(vec![0, 1, 4, 5, 2, 3, 6, 7]));
    /// assert_eq!(cells.coordinate("y").unwrap().into_owned(), Values::I8(vec![0, 1, 0, 1, 2, 3, 2, 3]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn global_order(mut self) -> Self {
        self.order = Order::Global;
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
        let attributes = self.check()?;
        let keys = self.keys()?;
        let cells = self.read_keys(
            &keys,
            &attributes,
            earlier,
            Bound { most: usize::MAX, all: self.keeps_all(&keys) },
        )?;
        Ok(cells.unwrap_or_default())
    }

    /// Whether what is asked for is there; gives the numbers of the attributes.
    fn check(&self) -> Result<Vec<usize>> {
        let schema = &self.array.schema;
        if let Some(name) = &self.unknown {
            return Err(Error::other(format!("the array has no dimension {name:?}")));
        }
        self.order.check()?;
        let Some(names) = &self.attributes else { return Ok((0..schema.attributes.len()).collect()) };
        let number = |name: &String| {
            let found = schema.attributes.iter().position(|a| a.name == *name);
            found.ok_or_else(|| Error::other(format!("the array has no attribute {name:?}")))
        };
        names.iter().map(number).collect()
    }

    /// What the ranges leave of the domain.
    fn keys(&self) -> Result<Vec<[u64; 2]>> {
        let domain = &self.array.schema.domain;
        let keys = self.ranges.iter().zip(&domain.dimensions);
        keys.map(|(range, d)| range.keys(d, domain.datatype)).collect()
    }

    /// Whether cells of a sparse array that stand at one place are all told.
    fn keeps_all(&self, keys: &[[u64; 2]]) -> bool {
        self.array.schema.array_type != ArrayType::Dense && sparse::one_fragment(self.array, keys)
    }

    /// The cells in the ranges; `None` when a sparse array has more than there may be.
    fn read_keys(
        &self,
        keys: &[[u64; 2]],
        attributes: &[usize],
        earlier: Cells,
        bound: Bound,
    ) -> Result<Option<Cells>> {
        match self.array.schema.array_type {
            ArrayType::Dense => dense::read(self.array, keys, attributes, self.order, earlier).map(Some),
            _ => sparse::read(self.array, keys, attributes, self.order, bound),
        }
    }
}

/// Cells that were read. The default is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    pub(super) num_cells: usize,
    pub(super) shape: Option<Vec<usize>>,
    pub(super) grid: Option<Grid>,
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

    /// Of a dense array, how many cells there are in each dimension; `None` for a sparse one, and in global order.
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

    /// The coordinates of the cells in one dimension, of a dense array too. `None` when there is no such dimension, or they
    /// take more memory than the limit.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Scalar::I16(-1), Scalar::I16(4), Scalar::I16(2));
    /// let schema = ArraySchema::dense(Datatype::Int16, [x]).attribute(Attribute::new("a", Datatype::Int8));
    /// let array = OpenOptions::new().create(Memory::new(), schema)?;
    /// let cells = array.query().range("x", ..2).read()?;
    /// assert_eq!(*cells.coordinate("x").unwrap(), Values::I16(vec![-1, 0, 1]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn coordinate(&self, dimension: &str) -> Option<Cow<'_, Values>> {
        match &self.grid {
            Some(grid) => grid.coordinate(dimension).map(Cow::Owned),
            None => self.coords.iter().find(|(name, _)| name == dimension).map(|(_, v)| Cow::Borrowed(v)),
        }
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

    /// Bytes of all values and offsets.
    fn num_bytes(&self) -> u64 {
        let columns = self.columns.iter().map(|(_, c)| c.values().num_bytes() + size_of_val(c.offsets()));
        let coords = self.coords.iter().map(|(_, values)| values.num_bytes());
        columns.chain(coords).sum::<usize>() as u64
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
