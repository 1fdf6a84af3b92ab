//! Cells as structs of the user's own.

use super::{Cells, Query};
use crate::codec::DecodeOwned;
use crate::formats::tiledb::cell::{CellExtent, CellField, CellFields, Source, put};
use crate::formats::tiledb::schema::ArraySchema;
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::{Column, Values};
use crate::wire::Options;
use crate::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Cells that are turned into structs at a time.
const BLOCK: usize = 4096;

impl<S: Storage> Query<'_, S> {
    /// The cells as structs, whose fields are attributes and dimensions of the same names: see
    /// [`ArraySchema::check_struct`]. Only the attributes are read that the struct has.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Star { ra: i16, magnitude: f32, #[binfmt(var_len)] name: String }
    ///
    /// let ra = Dimension::new("ra", Scalar::I16(0), Scalar::I16(359), Scalar::I16(10));
    /// let schema = ArraySchema::sparse(Datatype::Int16, [ra])
    ///     .attribute(Attribute::new("name", Datatype::StringUtf8).values(CellValNum::VAR))
    ///     .attribute(Attribute::new("magnitude", Datatype::Float32));
    /// let mut array = OpenOptions::new().create(Memory::new(), schema)?;
    /// let stars = [
    ///     Star { ra: 101, magnitude: -1.46, name: "Sirius".into() },
    ///     Star { ra: 279, magnitude: 0.03, name: "Vega".into() },
    /// ];
    /// array.insert().cells(&stars)?.write()?;
    /// assert_eq!(array.query().range("ra", 200..).read_as::<Star>()?, stars[1..]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the array, which is known before a byte is read; or as [`read`](Query::read); or a value is
    /// none for the struct: text is no UTF-8, a number out of a `range`.
    pub fn read_as<T: DecodeOwned>(&self) -> Result<Vec<T>> {
        let query = self.clone().fields_of::<T>()?;
        query.read()?.structs(&query.array.schema)
    }

    /// Checks a struct against the array, and asks only for the attributes that it has: [`Cells::structs`] gives the
    /// cells, of each of the [`batches`](Query::batches), too.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Cell { x: u8, a: i8 }
    /// let x = Dimension::new("x", Scalar::U8(0), Scalar::U8(9), Scalar::U8(5));
    /// let schema = ArraySchema::dense(Datatype::Uint8, [x])
    ///     .attribute(Attribute::new("a", Datatype::Int8)).attribute(Attribute::new("b", Datatype::Char));
    /// let array = OpenOptions::new().create(Memory::new(), schema)?;
    /// for cells in array.query().fields_of::<Cell>()?.batches(4) {
    ///     let cells: Vec<Cell> = cells?.structs(array.schema())?;
    ///     assert_eq!(cells[0].a, i8::MIN);
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the array.
    pub fn fields_of<T: DecodeOwned>(self) -> Result<Self> {
        let schema = &self.array.schema;
        let fields = cell_fields::<T>(schema)?;
        let names: Vec<String> = fields
            .fields
            .iter()
            .filter_map(|field| match field.source {
                Source::Attribute(a) => schema.attributes.get(a).map(|a| a.name.clone()),
                Source::Dimension(_) => None,
            })
            .collect();
        Ok(self.attributes(names))
    }
}

fn cell_fields<T: DecodeOwned>(schema: &ArraySchema) -> Result<CellFields> {
    schema.cell_fields::<T>().map_err(|e| Error::message(e.to_string(), 0))
}

impl Cells {
    /// The cells as structs, whose fields are attributes and dimensions of the array: see
    /// [`ArraySchema::check_struct`].
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Place { x: i8 }
    /// let x = Dimension::new("x", Scalar::I8(1), Scalar::I8(2), Scalar::I8(1));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("a", Datatype::Int8));
    /// let array = OpenOptions::new().create(Memory::new(), schema)?;
    /// let places: Vec<Place> = array.read()?.structs(array.schema())?;
    /// assert_eq!(places, [Place { x: 1 }, Place { x: 2 }]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit, has a field for an attribute that was not asked for, or a value is none for it.
    pub fn structs<T: DecodeOwned>(&self, schema: &ArraySchema) -> Result<Vec<T>> {
        let fields = cell_fields::<T>(schema)?;
        let parts = fields.fields.iter().map(|field| self.part(schema, field)).collect::<Result<Vec<_>>>()?;
        let options = Options::new().endian(fields.endian);
        let (mut all, mut bytes) = (Vec::new(), Vec::new());
        for first in (0..self.num_cells).step_by(BLOCK) {
            bytes.clear();
            for i in first..self.num_cells.min(first.saturating_add(BLOCK)) {
                for part in &parts {
                    let range = part.range(i).unwrap_or(0..0);
                    put(&part.values, range, part.extent, fields.endian, &mut bytes)?;
                }
            }
            crate::decode_all_into_with(&bytes, &mut all, &options).map_err(|e| inside(&e, first))?;
        }
        Ok(all)
    }

    fn part(&self, schema: &ArraySchema, field: &CellField) -> Result<Part<'_>> {
        let missing = |what: &str, name: &str| Error::message(format!("{what} {name:?} was not read"), 0);
        let extent = field.extent;
        match field.source {
            Source::Attribute(a) => {
                let name = schema.attributes.get(a).map_or("", |attribute| &attribute.name);
                let column = self.column(name).ok_or_else(|| missing("the attribute", name))?;
                Ok(Part { values: Cow::Borrowed(column.values()), column: Some(column), extent })
            }
            Source::Dimension(d) => {
                let name = schema.domain.dimensions.get(d).map_or("", |dimension| &dimension.name);
                let values = self.coordinate(name).ok_or_else(|| match self.grid {
                    Some(_) => {
                        Error::message("the coordinates take more than the limit: ask for fewer cells", 0)
                    }
                    None => missing("the dimension", name),
                })?;
                Ok(Part { values, column: None, extent })
            }
        }
    }
}

/// The values of one field.
struct Part<'a> {
    values: Cow<'a, Values>,
    /// Of an attribute, which says where each cell is.
    column: Option<&'a Column>,
    extent: CellExtent,
}

impl Part<'_> {
    fn range(&self, i: usize) -> Option<Range<usize>> {
        match self.column {
            Some(column) => column.range(i),
            None => Some(i..i.saturating_add(1)),
        }
    }
}

/// An error inside of the bytes between columns and structs, whose offset tells nobody anything.
#[cold]
fn inside(e: &Error, first: usize) -> Error {
    Error::message(format!("cells from {first}, {}: {}", e.path(), e.kind()), 0)
}
