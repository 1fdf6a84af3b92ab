//! Cells that were read.

use super::grid::Grid;
use crate::formats::tiledb::values::Column;
use crate::numbers::{Number, NumberType, Numbers};
use std::borrow::Cow;

/// Cells that were read. The default has no cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    pub(super) num_cells: usize,
    pub(super) shape: Option<Vec<usize>>,
    pub(super) grid: Option<Grid>,
    pub(super) coords: Vec<(String, Numbers)>,
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
    pub fn coords(&self) -> &[(String, Numbers)] {
        &self.coords
    }

    /// The coordinates of the cells in one dimension, of a dense array too. `None` when there is no such dimension, or they
    /// take more memory than the limit or the system allows.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I16(-1), Number::I16(4), Number::I16(2));
    /// let schema = ArraySchema::dense(Datatype::Int16, [x]).attribute(Attribute::new("a", Datatype::Int8));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// let cells = array.query().range("x", ..2).read()?;
    /// assert_eq!(*cells.coordinate("x").unwrap(), Numbers::I16(vec![-1, 0, 1]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn coordinate(&self, dimension: &str) -> Option<Cow<'_, Numbers>> {
        self.coordinates(match &self.grid {
            Some(grid) => grid.dimension(dimension)?,
            None => self.coords.iter().position(|(name, _)| name == dimension)?,
        })
    }

    /// The same of the dimension of this number: names may be empty, and then be those of several.
    pub(crate) fn coordinates(&self, dimension: usize) -> Option<Cow<'_, Numbers>> {
        match &self.grid {
            Some(grid) => grid.coordinates(dimension).map(Cow::Owned),
            None => self.coords.get(dimension).map(|(_, values)| Cow::Borrowed(values)),
        }
    }

    /// The coordinate of one cell in the dimension of this number: of a dense array it is computed, and takes no memory. `None` if there
    /// is no such cell or dimension, or a dense result is in global order.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(3), Number::I8(2)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Int8));
    /// let cells = Options::new().create(Memory::new(), schema)?.query().range("y", 1..).read()?;
    /// assert_eq!(cells.coordinate_of(0, 4).zip(cells.coordinate_of(1, 4)), Some((Number::I8(1), Number::I8(2))));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn coordinate_of(&self, dimension: usize, cell: usize) -> Option<Number> {
        match &self.grid {
            Some(grid) if cell < self.num_cells => grid.coordinate_of(dimension, cell),
            Some(_) => None,
            None => self.coords.get(dimension)?.1.get(cell),
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

    /// The coordinates (of sparse arrays) and the attributes, owned: nothing is copied.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(2), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// let (coords, columns) = array.read()?.into_parts();
    /// assert_eq!((coords.len(), columns[0].0.as_str()), (0, "a"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[expect(clippy::type_complexity, reason = "coordinates and attributes, each with its name")]
    pub fn into_parts(self) -> (Vec<(String, Numbers)>, Vec<(String, Column)>) {
        (self.coords, self.columns)
    }

    /// Bytes of all values and offsets.
    pub(super) fn num_bytes(&self) -> u64 {
        let columns = self.columns.iter().map(|(_, c)| c.values().num_bytes() + size_of_val(c.offsets()));
        let coords = self.coords.iter().map(|(_, values)| values.num_bytes());
        columns.chain(coords).sum::<usize>() as u64
    }

    /// The memory of the values of an attribute, for others of this type.
    pub(super) fn take_values(&mut self, name: &str, number: NumberType) -> Numbers {
        let found =
            self.columns.iter().position(|(n, column)| n == name && column.values().number_type() == number);
        match found {
            Some(i) => self.columns.swap_remove(i).1.into_values(),
            None => Numbers::new(number),
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
