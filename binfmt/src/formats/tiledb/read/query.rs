//! What is asked for, and where it is read.

use super::result::Cells;
use super::sparse::Bound;
use super::{dense, select, sparse};
use crate::formats::tiledb::array::{AnyArray, Array};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, Layout};
use crate::formats::tiledb::region::{Order, Ranges, slowest_first};
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::integer;
use crate::numbers::Number;
use crate::wire::amount::known;
use crate::{ErrorKind, Result};
use std::ops::{Range, RangeBounds};

/// What is assumed of a cell of variable length, in bytes.
const VARIABLE: usize = 16;

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
    pub(super) array: &'a Array<S>,
    asked: Asked,
}

/// What a query asks for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) ranges: Ranges,
    pub(super) attributes: Option<Vec<String>>,
    pub(super) order: Order,
}

/// A query of an array whose files may be anywhere, which is what reads.
#[derive(Clone, Copy)]
pub(crate) struct AnyQuery<'a> {
    pub(super) array: &'a AnyArray<'a>,
    pub(super) asked: &'a Asked,
}

/// The storage itself is not cloned.
impl<S> Clone for Query<'_, S> {
    fn clone(&self) -> Self {
        Query { array: self.array, asked: self.asked.clone() }
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
        let ranges = Ranges::all(&self.schema);
        Query {
            array: self,
            asked: Asked { ranges, attributes: None, order: Order::Layout(Layout::RowMajor) },
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
    pub(crate) fn any(&self) -> AnyQuery<'_> {
        AnyQuery { array: self.array, asked: &self.asked }
    }

    /// The range of a dimension that is named by its place: names may be empty, and then be those of several.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.query().range_of(0, 10..20).read()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn range_of<T: Copy + Into<Number>>(mut self, dimension: usize, range: impl RangeBounds<T>) -> Self {
        self.asked.ranges.set(dimension, range);
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
    pub fn range<T: Copy + Into<Number>>(mut self, dimension: &str, range: impl RangeBounds<T>) -> Self {
        self.asked.ranges.set_named(&self.array.schema, dimension, range);
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
        self.asked.attributes = Some(names.into_iter().map(Into::into).collect());
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
        self.asked.order = Order::Layout(order);
        self
    }

    /// The order in which fragments have the cells: tile after tile in the array's tile order, and in each tile its
    /// cells of the ranges in the array's cell order. It is TileDB's `GLOBAL_ORDER`, and the cheapest to read.
    ///
    /// The tiles of floats are not rounded down, as in libtiledb 1.6: the array's tile order then orders cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(3), Number::I8(2)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Uint8));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let a = Column::fixed(Datatype::Uint8, CellValNum::ONE, Numbers::U8((0..16).collect())).unwrap();
    /// array.insert().column("a", a).write()?;
    /// let cells = array.query().range("x", ..=1).global_order().read()?;
    /// assert_eq!(cells.column("a").unwrap().values(), &Numbers::U8(vec![0, 1, 4, 5, 2, 3, 6, 7]));
    /// assert_eq!(cells.coordinate("y").unwrap().into_owned(), Numbers::I8(vec![0, 1, 0, 1, 2, 3, 2, 3]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn global_order(mut self) -> Self {
        self.asked.order = Order::Global;
        self
    }

    /// Reads the cells: of a dense array every cell of the ranges, of a sparse one those that were written.
    ///
    /// Where fragments overlap, the last one wins. Cells of a dense array that were never written contain the fill value of
    /// their datatype ([`Datatype::fill`](crate::formats::tiledb::Datatype::fill)), variable ones a single fill value.
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
    /// cheaper, because no memory is new. After an error there are no cells.
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
        *cells = self.any().read(earlier)?;
        Ok(())
    }

    /// Leaves out of a dense array what comes before and after these cells of the query, counted in its order, as far as ranges say it,
    /// and tells how many cells before them are left out. Of a sparse array, and in global order, nothing is left out.
    ///
    /// # Errors
    /// A bound of a range is not a coordinate.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(9), Number::I8(5)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Int8));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// let (query, before) = array.query().narrowed_to(57..63)?;
    /// assert_eq!((query.read()?.shape(), before), (Some(&[2, 10][..]), 50));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn narrowed_to(mut self, cells: Range<u64>) -> Result<(Self, u64)> {
        let before = self.asked.narrow(&self.array.schema, cells)?;
        Ok((self, before))
    }

    /// About how many bytes the cells of a row of tiles have, all along the dimension that changes slowest: [`batches`](Query::batches) of
    /// as many unfilter no tile of a dense array twice.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(9), Number::I8(5)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Int32));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// assert_eq!(array.query().bytes_of_tiles(), 5 * 10 * 4);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn bytes_of_tiles(&self) -> u64 {
        self.any().bytes_of_tiles()
    }
}

impl Asked {
    fn narrow(&mut self, schema: &ArraySchema, cells: Range<u64>) -> Result<u64> {
        let keys = self.ranges.keys(schema)?;
        let Order::Layout(layout) = self.order else { return Ok(0) };
        if schema.array_type != ArrayType::Dense || keys.iter().any(|[low, high]| low > high) {
            return Ok(0);
        }
        let width = |d: &usize| u128::from(keys[*d][1] - keys[*d][0]) + 1;
        let dimensions = slowest_first(keys.len(), layout);
        let [start, end] = [cells.start, cells.end].map(u128::from);
        let (mut ends, mut before) = ([start, end.max(start + 1) - 1], 0);
        for (i, d) in dimensions.iter().enumerate() {
            let mut widths = dimensions[i + 1..].iter().map(width);
            let each = widths.try_fold(1, u128::checked_mul).unwrap_or(u128::MAX);
            let [first, last] = ends.map(|cell| (cell / each).min(width(d) - 1));
            let coordinate =
                |place: u128| Number::I128(integer(keys[*d][0] + place as u64, schema.domain.number_type()));
            self.ranges.set(*d, coordinate(first)..=coordinate(last));
            before += first * each;
            if first != last {
                break;
            }
            ends = ends.map(|cell| cell - first * each);
        }
        Ok(u64::try_from(before).unwrap_or(u64::MAX))
    }
}

impl AnyQuery<'_> {
    pub(super) fn read(self, earlier: Cells) -> Result<Cells> {
        let (attributes, keys) = (self.check()?, self.keys()?);
        let bound = Bound { most: usize::MAX, all: self.keeps_all(&keys) };
        // as many as there are is never too many
        self.read_keys(&keys, &attributes, earlier, bound).map(known)
    }

    fn bytes_of_tiles(self) -> u64 {
        let ArraySchema { attributes, domain, .. } = &self.array.schema;
        let is_read = |name: &String| self.asked.attributes.as_ref().is_none_or(|read| read.contains(name));
        let read = attributes.iter().filter(|a| is_read(&a.name));
        let each: usize = read.map(|a| a.cell_size().unwrap_or(VARIABLE)).sum();
        let layout = match self.asked.order {
            Order::Layout(layout) => layout,
            Order::Global => self.array.schema.tile_order,
        };
        let slowest = slowest_first(domain.dimensions.len(), layout).first().copied();
        let cells = domain.dimensions.iter().enumerate().map(|(i, d)| {
            let [low, high] = d.domain.map(Number::to_f64);
            let width = (high - low + 1.0).max(1.0);
            if Some(i) == slowest { d.tile_extent.map_or(width, Number::to_f64).min(width) } else { width }
        });
        (cells.product::<f64>() * each.max(1) as f64) as u64
    }

    /// Whether what is asked for is there; gives the numbers of the attributes.
    pub(super) fn check(self) -> Result<Vec<usize>> {
        let schema = &self.array.schema;
        self.asked.ranges.check(schema)?;
        self.asked.order.check()?;
        let Some(names) = &self.asked.attributes else { return Ok((0..schema.attributes.len()).collect()) };
        let places = schema.places();
        let place = |name: &String| match places.get(name.as_str()) {
            Some(place) => Ok(*place),
            None => schema.place_of(name),
        };
        Ok(names.iter().map(place).collect::<Result<_, ErrorKind>>()?)
    }

    /// What the ranges leave of the domain.
    pub(crate) fn keys(self) -> Result<Vec<[u64; 2]>> {
        self.asked.ranges.keys(&self.array.schema)
    }

    /// Whether cells of a sparse array that are at one place are all told.
    pub(crate) fn keeps_all(self, keys: &[[u64; 2]]) -> bool {
        self.array.schema.array_type != ArrayType::Dense && select::one_fragment(self.array, keys)
    }

    /// The cells in the ranges; `None` when a sparse array has more than there may be.
    pub(super) fn read_keys(
        self,
        keys: &[[u64; 2]],
        attributes: &[usize],
        earlier: Cells,
        bound: Bound,
    ) -> Result<Option<Cells>> {
        match self.array.schema.array_type {
            ArrayType::Dense => {
                dense::read(self.array, keys, attributes, self.asked.order, earlier).map(Some)
            }
            _ => sparse::read(self.array, keys, attributes, self.asked.order, bound),
        }
    }
}
