//! Cells as new fragments.

use super::columns::in_schema_order;
use super::file::Output;
use super::{dense, sparse};
use crate::formats::tiledb::array::{AnyArray, Array, Fragment, METADATA_FILE};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, Layout};
use crate::formats::tiledb::metadata::FragmentMetadata;
use crate::formats::tiledb::metadata::later::check_untouched;
use crate::formats::tiledb::region::Ranges;
use crate::formats::tiledb::room::random;
use crate::formats::tiledb::storage::{FragmentName, Storage, in_file, io_error};
use crate::formats::tiledb::values::Column;
use crate::numbers::{Number, Numbers};
use crate::{ErrorKind, Result};
use std::ops::RangeBounds;
use std::time::{SystemTime, UNIX_EPOCH};

/// Cells that are to be written, as one new fragment.
///
/// ```
/// use binfmt::formats::tiledb::*;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
/// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
/// let mut array = Options::new().create(Memory::new(), schema)?;
/// let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![5, 6])).unwrap();
/// array.insert().range("x", 2..=3).column("a", a).write()?;
/// let cells = array.read()?;
/// assert_eq!(cells.column("a").unwrap().values(), &Numbers::I32(vec![i32::MIN, 5, 6, i32::MIN]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Insert<'a, S> {
    pub(super) array: &'a mut Array<S>,
    pub(super) new: NewCells,
}

/// The cells, and where they go.
#[derive(Debug)]
pub(super) struct NewCells {
    ranges: Ranges,
    pub(super) coords: Option<Vec<Numbers>>,
    pub(super) columns: Vec<(String, Column)>,
    order: Layout,
    /// Whether a column is row-major regardless of the order.
    pub(super) row_major: bool,
    at: Option<u64>,
}

impl<S: Storage> Array<S> {
    /// Cells to write: what each attribute contains, and where.
    ///
    /// ```no_run
    /// # use binfmt::formats::tiledb::*;
    /// # let mut array = Array::open("array")?;
    /// let a = Column::fixed(Datatype::Int8, CellValNum::ONE, Numbers::I8(vec![1, 2])).unwrap();
    /// array.insert().coords([Numbers::I32(vec![10, 20])]).column("a", a).write()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn insert(&mut self) -> Insert<'_, S> {
        let new = NewCells {
            ranges: Ranges::all(&self.schema),
            coords: None,
            columns: Vec::new(),
            order: Layout::RowMajor,
            row_major: false,
            at: None,
        };
        Insert { array: self, new }
    }
}

impl<S: Storage> Insert<'_, S> {
    /// The range of a dimension that is named by its place: names may be empty, and then be those of several.
    ///
    /// ```no_run
    /// # use binfmt::formats::tiledb::*;
    /// # fn put(array: &mut Array, column: Column) -> binfmt::Result<FragmentName> {
    /// array.insert().range_of(0, 10..20).column("a", column).write()
    /// # }
    /// ```
    #[must_use]
    pub fn range_of<T: Copy + Into<Number>>(mut self, dimension: usize, range: impl RangeBounds<T>) -> Self {
        self.new.ranges.set(dimension, range);
        self
    }

    /// In a dense array, the coordinates of a dimension that are written; all of them without this word. They must lie in the
    /// domain.
    ///
    /// ```no_run
    /// # let mut array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.insert().range("x", 1..=4);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn range<T: Copy + Into<Number>>(mut self, dimension: &str, range: impl RangeBounds<T>) -> Self {
        self.new.ranges.set_named(&self.array.schema, dimension, range);
        self
    }

    /// The coordinates of the cells: one list for each dimension. The cells may be in any order. A sparse array needs
    /// them; in a dense one they write single cells, which TileDB 1.6 and 2.30 read.
    ///
    /// ```no_run
    /// # use binfmt::formats::tiledb::{Array, Numbers};
    /// # let mut array = Array::open("array")?;
    /// let cells = array.insert().coords([Numbers::I32(vec![3, 1]), Numbers::I32(vec![7, 7])]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn coords(mut self, dimensions: impl IntoIterator<Item = Numbers>) -> Self {
        self.new.coords = Some(dimensions.into_iter().collect());
        self
    }

    /// What an attribute contains in the cells. Every attribute of the array needs one.
    ///
    /// ```no_run
    /// # use binfmt::formats::tiledb::{Array, Column, Datatype, Numbers};
    /// # let mut array = Array::open("array")?;
    /// let names = Column::variable(Datatype::StringAscii, Numbers::U8(b"ab".to_vec()), vec![0, 1, 2]).unwrap();
    /// let cells = array.insert().column("name", names);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn column(mut self, attribute: impl Into<String>, column: Column) -> Self {
        self.new.columns.push((attribute.into(), column));
        self
    }

    /// In a dense array, the order in which the columns have the cells of the ranges: row-major without this word.
    ///
    /// ```no_run
    /// # let mut array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.insert().order(binfmt::formats::tiledb::Layout::ColumnMajor);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn order(mut self, order: Layout) -> Self {
        self.new.order = order;
        self
    }

    /// The time of the fragment, in milliseconds since 1970. Without this word it is now, and after every fragment that
    /// the array has.
    ///
    /// A time for which a consolidated fragment stands is refused by [`write`](Insert::write): no reader would see the cells.
    ///
    /// ```no_run
    /// # let mut array = binfmt::formats::tiledb::Array::open("array")?;
    /// let cells = array.insert().at(1_700_000_000_000);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn at(mut self, milliseconds: u64) -> Self {
        self.new.at = Some(milliseconds);
        self
    }

    /// Writes the cells. The fragment is there when its last file is: until then, and when something fails, the array is
    /// as it was; files that were already whole may stay, which no reader sees. In memory are the columns and, for each
    /// thread, a few tiles.
    ///
    /// # Errors
    /// A column is missing or of another type or length, cells lie outside the domain or twice at one place, a filter
    /// cannot take the values, a consolidated fragment would hide what is written, a later TileDB has changed the array in
    /// the meantime, or a file cannot be written.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::F64(0.0), Number::F64(1.0), Number::F64(0.5));
    /// let schema = ArraySchema::sparse(Datatype::Float64, [x]);
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// array.insert().coords([Numbers::F64(vec![0.75, 0.25])]).write()?;
    /// assert_eq!(array.read()?.coords()[0].1, Numbers::F64(vec![0.25, 0.75]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn write(self) -> Result<FragmentName> {
        self.new.write(self.array)
    }
}

impl NewCells {
    fn write(self, array: &mut AnyArray<'_>) -> Result<FragmentName> {
        let schema = &array.schema;
        self.ranges.check(schema)?;
        if self.row_major && self.order != Layout::RowMajor {
            return Err(ErrorKind::unsupported("`array`", "an order: arrays are written row-major").into());
        }
        let columns = in_schema_order(schema, &self.columns)?;
        let name = array.new_name(self.at)?;
        let Array { storage, key, threads, limit, .. } = &*array;
        let output = Output { storage, fragment: &name, key: key.as_ref(), threads: *threads, limit: *limit };
        let metadata = match (schema.array_type, &self.coords) {
            (ArrayType::Dense, None) => {
                dense::write(&output, schema, &self.keys(schema)?, self.order, &columns)?
            }
            (_, Some(_)) if !self.ranges.is_full() => {
                return Err(ErrorKind::unsupported(
                    "`coords`",
                    "ranges: the coordinates say where cells are",
                )
                .into());
            }
            (_, Some(coords)) => sparse::write(&output, schema, coords, &columns)?,
            (_, None) => {
                return Err(
                    ErrorKind::invalid("cells", "", "those of a sparse array need coordinates").into()
                );
            }
        };
        // another program may have consolidated in the meantime
        array.check_seen(&name)?;
        array.put_fragment(name, &metadata)
    }

    /// The keys of the ranges, which lie in the domain: there is no place for cells outside it.
    pub(super) fn keys(&self, schema: &ArraySchema) -> Result<Vec<[u64; 2]>> {
        self.ranges.check_within(schema)?;
        self.ranges.keys(schema)
    }
}

impl AnyArray<'_> {
    /// A name that no fragment has.
    fn new_name(&self, at: Option<u64>) -> Result<FragmentName> {
        let at = at.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
            // of two fragments of the same time any could win
            let last = self.fragments.iter().map(|f| f.name.timestamps().1).max();
            last.map_or(now, |last| now.max(last.saturating_add(1)))
        });
        let name = FragmentName::new(at, u128::from_be_bytes(random()?))
            .ok_or_else(|| ErrorKind::invalid("fragment timestamp", at, ""))?;
        self.check_seen(&name)?;
        Ok(name)
    }

    /// A fragment within the times of a consolidated one, which another program may have made by now, would count as one of
    /// those that were put together, and no reader would ever see its cells.
    fn check_seen(&self, name: &FragmentName) -> Result<()> {
        let names = self.storage.list("").map_err(|e| io_error(e, "."))?;
        check_untouched(&self.storage, &names)?;
        let covering = names.iter().filter_map(|other| FragmentName::parse(other));
        for other in covering.filter(|other| other.hides(name)) {
            let path = format!("{other}/{METADATA_FILE}");
            if self.storage.size(&path).map_err(|e| io_error(e, &path))?.is_some() {
                let (at, (first, last)) = (name.timestamps().0, other.timestamps());
                let reason = format!("it would never be seen: {other} replaces all from {first} to {last}");
                return Err(ErrorKind::invalid("fragment timestamp", at, reason).into());
            }
        }
        Ok(())
    }

    /// Writes the metadata, which is the last of the files.
    pub(super) fn put_fragment(
        &mut self,
        name: FragmentName,
        metadata: &FragmentMetadata,
    ) -> Result<FragmentName> {
        let metadata = metadata.to_bytes(&self.schema, self.key.as_ref())?;
        let path = format!("{name}/{METADATA_FILE}");
        self.storage.write(&path, &metadata).map_err(|e| io_error(e, &path))?;
        // what a reader finds, with the positions in the footer
        let metadata = FragmentMetadata::from_bytes(&metadata, &self.schema, self.key.as_ref(), u64::MAX)
            .map_err(|e| in_file(e, &path))?;
        self.fragments.push(Fragment { name: name.clone(), metadata });
        self.fragments.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(name)
    }

    /// Keeps of the fragments the newest: who only adds some needs no more, and those of a large array are memory.
    #[cfg(feature = "table")]
    pub(crate) fn keep_newest(&mut self) {
        let newest = self.fragments.iter().map(|fragment| fragment.name.timestamps().1).max();
        self.fragments.retain(|fragment| Some(fragment.name.timestamps().1) == newest);
    }
}
