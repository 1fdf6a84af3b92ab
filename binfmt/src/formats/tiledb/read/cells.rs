//! Cells as user structs.

use super::query::{AnyQuery, Asked, Query};
use super::result::Cells;
use crate::codec::DecodeOwned;
use crate::formats::tiledb::layout::ArraySchema;
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::Column;
use crate::formats::tiledb::values::cell::{CellExtent, CellField, CellFields, Presence, Source, put};
use crate::numbers::Numbers;
use crate::wire::Endian;
use crate::wire::Options;
use crate::{Error, ErrorKind, Result};
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
    /// let ra = Dimension::new("ra", Number::I16(0), Number::I16(359), Number::I16(10));
    /// let schema = ArraySchema::sparse(Datatype::Int16, [ra])
    ///     .attribute(Attribute::new("name", Datatype::StringUtf8).values(CellValNum::VAR))
    ///     .attribute(Attribute::new("magnitude", Datatype::Float32));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
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
    /// not one of the struct: text that is not UTF-8, a number out of a `range`.
    ///
    /// # Cells that were never written
    /// They contain the fill value of their type ([`Datatype::fill`](crate::formats::tiledb::Datatype::fill)), which is a number
    /// like others, and in `CHAR` no UTF-8. A field that is an `Option` with the word `nullable` is `None` there; `None` is
    /// written as the fill value. The format has no other mark, so a cell that was written with that value is
    /// `None`, too.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Note { #[binfmt(nullable)] at: Option<i64>, #[binfmt(nullable, var_len)] text: Option<String> }
    ///
    /// let x = Dimension::new("x", Number::I32(0), Number::I32(3), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x])
    ///     .attribute(Attribute::new("at", Datatype::DatetimeMs))
    ///     .attribute(Attribute::new("text", Datatype::Char).values(CellValNum::VAR));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let notes = [Note { at: Some(7), text: Some("dawn".into()) }, Note { at: None, text: Some("dusk".into()) }];
    /// array.insert().range("x", 0..=1).cells(&notes)?.write()?;
    ///
    /// let all: Vec<Note> = array.query().read_as()?;
    /// assert_eq!(all[..2], notes);
    /// assert_eq!(all[2], Note { at: None, text: None });
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn read_as<T: DecodeOwned>(&self) -> Result<Vec<T>> {
        self.any().read_as()
    }

    /// Checks a struct against the array, and asks only for the attributes that it has: [`Cells::rows_as`] gives the
    /// cells, of each of the [`batches`](Query::batches), too.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::tiledb::*;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Cell { x: u8, a: i8 }
    /// let x = Dimension::new("x", Number::U8(0), Number::U8(9), Number::U8(5));
    /// let schema = ArraySchema::dense(Datatype::Uint8, [x])
    ///     .attribute(Attribute::new("a", Datatype::Int8)).attribute(Attribute::new("b", Datatype::Char));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// for cells in array.query().fields_of::<Cell>()?.batches(4) {
    ///     let cells: Vec<Cell> = cells?.rows_as(array.schema())?;
    ///     assert_eq!(cells[0].a, i8::MIN);
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the array.
    pub fn fields_of<T: DecodeOwned>(self) -> Result<Self> {
        let schema = &self.array.schema;
        let names = attributes(schema, &schema.cell_fields::<T>()?);
        Ok(self.attributes(names))
    }
}

impl AnyQuery<'_> {
    /// Not inlined: a struct is compiled once for all storages.
    #[inline(never)]
    fn read_as<T: DecodeOwned>(self) -> Result<Vec<T>> {
        let schema = &self.array.schema;
        let cells = self.read_named(attributes(schema, &schema.cell_fields::<T>()?))?;
        cells.rows_as(schema)
    }

    fn read_named(self, attributes: Vec<String>) -> Result<Cells> {
        let asked = Asked { attributes: Some(attributes), ..self.asked.clone() };
        AnyQuery { asked: &asked, ..self }.read(Cells::default())
    }
}

/// The names of the attributes that a struct has.
fn attributes(schema: &ArraySchema, fields: &CellFields) -> Vec<String> {
    let name = |field: &CellField| match field.source {
        Source::Attribute(a) => schema.attributes.get(a).map(|a| a.name.clone()),
        Source::Dimension(_) => None,
    };
    fields.fields.iter().filter_map(name).collect()
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
    /// let x = Dimension::new("x", Number::I8(1), Number::I8(2), Number::I8(1));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("a", Datatype::Int8));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// let places: Vec<Place> = array.read()?.rows_as(array.schema())?;
    /// assert_eq!(places, [Place { x: 1 }, Place { x: 2 }]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit, has a field for an attribute that was not asked for, or a value is not one of it.
    pub fn rows_as<T: DecodeOwned>(&self, schema: &ArraySchema) -> Result<Vec<T>> {
        let fields = schema.cell_fields::<T>()?;
        let options = Options::new().endian(fields.endian);
        let mut all = Vec::new();
        self.blocks(schema, &fields, &mut |bytes| crate::decode_all_into_with(bytes, &mut all, &options))?;
        Ok(all)
    }

    /// Gives the bytes of structs with these fields, of some at a time.
    fn blocks(
        &self,
        schema: &ArraySchema,
        fields: &CellFields,
        give: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let parts = fields.fields.iter().map(|field| self.part(schema, field)).collect::<Result<Vec<_>>>()?;
        let mut bytes = Vec::new();
        for first in (0..self.num_cells).step_by(BLOCK) {
            bytes.clear();
            for i in first..first + BLOCK.min(self.num_cells - first) {
                for part in &parts {
                    part.put(i, fields.endian, &mut bytes)?;
                }
            }
            give(&bytes).map_err(|e| inside(&e, first))?;
        }
        Ok(())
    }

    fn part(&self, schema: &ArraySchema, field: &CellField) -> Result<Part<'_>> {
        let missing = |of, name: &str| Error::from(ErrorKind::Missing { of, name: name.into() });
        let CellField { extent, presence, .. } = *field;
        match field.source {
            Source::Attribute(a) => {
                let name = schema.attributes.get(a).map_or("", |attribute| &attribute.name);
                let column = self.column(name).ok_or_else(|| missing("attribute", name))?;
                Ok(Part { values: Cow::Borrowed(column.values()), column: Some(column), extent, presence })
            }
            Source::Dimension(d) => {
                let name = schema.domain.dimensions.get(d).map_or("", |dimension| &dimension.name);
                let values = self.coordinates(d).ok_or_else(|| match &self.grid {
                    Some(grid) => ErrorKind::size_limit("coordinates", None, grid.limit()).into(),
                    None => missing("dimension", name),
                })?;
                Ok(Part { values, column: None, extent, presence })
            }
        }
    }
}

/// The values of one field.
struct Part<'a> {
    values: Cow<'a, Numbers>,
    /// Of an attribute, which says where each cell is.
    column: Option<&'a Column>,
    extent: CellExtent,
    presence: Option<Presence>,
}

impl Part<'_> {
    /// Appends a cell as the struct has it.
    fn put(&self, i: usize, endian: Endian, out: &mut Vec<u8>) -> Result<()> {
        if let Some(presence) = self.presence {
            if self.column.is_some_and(|column| column.is_fill(i)) {
                out.push(presence.missing);
                let blank =
                    if presence.blank { self.extent.blank(self.values.number_type().size()) } else { 0 };
                out.resize(out.len() + blank, 0);
                return Ok(());
            }
            out.push(presence.present);
        }
        put(&self.values, self.range(i).unwrap_or(0..0), self.extent, endian, out)
    }

    fn range(&self, i: usize) -> Option<Range<usize>> {
        match self.column {
            Some(column) => column.range(i),
            None => Some(i..i + 1),
        }
    }
}

/// An error inside the bytes between columns and structs, whose offset means nothing to the caller.
#[cold]
fn inside(e: &Error, first: usize) -> Error {
    let help = match e.kind() {
        ErrorKind::InvalidText { .. } => {
            " (a cell that was never written is `None` where the field is an `Option`)"
        }
        _ => "",
    };
    Error::other(format!("cells from {first}, {}: {}{help}", e.path(), e.kind()))
}
