//! Rows and parameters as user structs, matched by name and checked against the header.

use crate::codec::{DecodeOwned, Encode, Layout};
use crate::columns::Scratch;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::{Column, Header};
use crate::formats::sdds::layout::describe;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::{self, RowPlan};
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::Elements;
use crate::formats::sdds::read::reader::Reader;
use crate::schema::{ByteOrder, Description, Differences, Field, Schema, Type};
use crate::wire::amount::known;
use crate::wire::vec_sink;
use crate::wire::{Be, Endian, Le, Options, Slice, Source};
use alloc::format;
use alloc::vec::Vec;

/// Rows that are turned into structs, or structs into rows, at a time.
const BLOCK: usize = 4096;

impl Header {
    /// What a row of a row-major binary page is, in the byte order that the header declares.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Header, Mode};
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns.push(Column::new("s", DataType::Double));
    /// header.columns.push(Column::new("name", DataType::String));
    /// assert_eq!(header.description().to_string(), "\
    /// record(row), le
    ///   s: f64
    ///   name: text, length_prefixed(i32), text = bytes
    /// ");
    /// ```
    pub fn description(&self) -> Description {
        describe::row(self.columns.iter().map(|c| (c.name.as_str(), c.data_type)), self.endian)
    }

    /// The columns that rows of this struct have.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::{Column, DataType, Header};
    /// #[derive(BinFormat)]
    /// struct Row { turn: u32, #[binfmt(length_prefixed(i32))] name: String }
    /// let columns = Header::columns_of::<Row>()?;
    /// assert_eq!(columns, [Column::new("turn", DataType::ULong), Column::new("name", DataType::String)]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A field is nothing that a column can contain.
    pub fn columns_of<T: Layout>() -> Result<Vec<Column>> {
        let schema = Schema::of::<T>();
        let description = schema.description();
        let Some((fields, _)) = fields_of(&description) else {
            return Err(ErrorKind::mismatch("", "a struct", core::any::type_name::<T>()).into());
        };
        fields
            .iter()
            .map(|field| {
                let kind = DataType::ALL.into_iter().find(|kind| same_type(&description, &field.ty, *kind));
                let kind = kind.ok_or_else(|| {
                    let feature = format!("the type of field `{}` ({})", field.name, field.native);
                    ErrorKind::unsupported("SDDS", feature)
                })?;
                Ok(Column::new(field.name.clone(), kind))
            })
            .collect()
    }
}

/// Whether a field of a struct is a value of this type, as the comparison of schemas sees it.
fn same_type(description: &Description, ty: &Type, kind: DataType) -> bool {
    let alone = Description { root: ty.clone(), definitions: description.definitions.clone() };
    Schema::from(alone).check(&Schema::from(Description::new(describe::value(kind)))).is_ok()
}

/// The fields of a record, and the byte order that it fixes.
fn fields_of(description: &Description) -> Option<(&[Field], Option<Endian>)> {
    match description.resolve(&description.root) {
        Some(Type::Record(record)) => {
            let order = match record.order {
                Some(ByteOrder::Little) => Some(Endian::Little),
                Some(ByteOrder::Big) => Some(Endian::Big),
                _ => None,
            };
            Some((&record.fields, order))
        }
        _ => None,
    }
}

/// The places of a struct's fields among those that there are, and the byte order in which the struct is encoded.
pub(crate) fn match_fields<'a, T: Layout>(
    there: impl Iterator<Item = (&'a str, DataType)> + Clone,
) -> Result<(Vec<usize>, Endian), Differences> {
    let schema = Schema::of::<T>();
    let description = schema.description();
    let (fields, order) = known(fields_of(&description));
    let order = order.unwrap_or(Endian::Little);
    let places: Vec<usize> =
        fields.iter().filter_map(|f| there.clone().position(|(name, _)| name == f.name)).collect();
    // values are encoded again for the struct, so that its own byte order is the one
    let found = describe::row(places.iter().filter_map(|place| there.clone().nth(*place)), Some(order));
    schema.check(&Schema::from(found))?;
    Ok((places, order))
}

/// How rows of these columns are read and written, in this order.
fn plan_of(header: &Header, places: &[usize]) -> Result<RowPlan> {
    let columns = places.iter().filter_map(|i| header.columns.get(*i));
    RowPlan::of(columns.map(|c| (c.name.as_str(), c.data_type)), false)
}

#[cold]
fn differ(e: Differences, what: &str) -> Error {
    e.found_in(what).into()
}

/// An error inside the bytes between columns and structs, whose offset means nothing to the caller.
#[cold]
fn inside(e: &Error, first: usize) -> Error {
    let path = e.path();
    Error::other(format!("rows from {first}, {path}: {}", e.kind()))
}

/// Columns of the same length as structs that consist of them in this order.
fn structs<T: DecodeOwned>(
    plan: &mut RowPlan,
    columns: &[&Elements],
    rows: usize,
    order: Endian,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let mut bytes = Vec::new();
    let options = Options::new().endian(order);
    for first in (0..rows).step_by(BLOCK) {
        let block = first..rows.min(first + BLOCK);
        bytes.clear();
        vec_sink(&mut bytes, 0, |out| match order {
            Endian::Little => plan.write_rows::<Le, _>(columns.iter().copied(), block, out),
            Endian::Big => plan.write_rows::<Be, _>(columns.iter().copied(), block, out),
        })?;
        crate::decode_all_into_with(&bytes, &mut all, &options).map_err(|e| inside(&e, first))?;
    }
    Ok(all)
}

impl Page {
    /// The rows as structs, whose fields are columns of the same names: see [`Header::check_struct`].
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::Options;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Row { betax: f64, #[binfmt(length_prefixed(i32))] name: String }
    /// let file = b"SDDS1\n&column name=name, type=string &end\n&column name=s, type=double &end\n\
    ///     &column name=betax, type=double &end\n&data mode=ascii &end\n2\nQ1 0 5.5\nQ2 0.5 6\n";
    /// let mut reader = Options::new().slice(file)?;
    /// let page = reader.next_page()?.unwrap();
    /// let rows: Vec<Row> = page.rows_as(reader.header())?;
    /// assert_eq!(rows[1], Row { betax: 6.0, name: "Q2".into() });
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the columns, or a value is not one of it: a string is not UTF-8, a number out of a `range`.
    pub fn rows_as<T: DecodeOwned>(&self, header: &Header) -> Result<Vec<T>> {
        let there = header.columns.iter().map(|c| (c.name.as_str(), c.data_type));
        let (places, order) = match_fields::<T>(there).map_err(|e| differ(e, "the columns"))?;
        let mut plan = plan_of(header, &places)?;
        let columns: Vec<&Elements> = places.iter().filter_map(|i| self.columns().get(*i)).collect();
        structs(&mut plan, &columns, usize::try_from(self.rows()).unwrap_or(usize::MAX), order)
    }

    /// The parameters as a struct, whose fields are parameters of the same names, fixed ones too.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::Options;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Run { energy: f64, step: i32 }
    /// let file = b"SDDS1\n&parameter name=step, type=long &end\n\
    ///     &parameter name=energy, type=double, fixed_value=7.5 &end\n&data mode=ascii &end\n3\n";
    /// let mut reader = Options::new().slice(file)?;
    /// let page = reader.next_page()?.unwrap();
    /// assert_eq!(page.parameters_as::<Run>(reader.header())?, Run { energy: 7.5, step: 3 });
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the parameters, or a value is not one of it.
    pub fn parameters_as<T: DecodeOwned>(&self, header: &Header) -> Result<T> {
        let there = header.parameters.iter().map(|p| (p.name.as_str(), p.data_type));
        let (places, order) = match_fields::<T>(there).map_err(|e| differ(e, "the parameters"))?;
        let mut values = Vec::new();
        for parameter in places.iter().filter_map(|i| header.parameters.get(*i)) {
            let mut one = Elements::empty(parameter.data_type);
            let value = self.parameter(header, &parameter.name);
            if value.and_then(|value| one.push(value).ok()).is_none() {
                let name = parameter.name.clone();
                return Err(ErrorKind::Missing { of: "value of parameter", name }.into());
            }
            values.push(one);
        }
        let columns: Vec<&Elements> = values.iter().collect();
        let types = places.iter().filter_map(|i| header.parameters.get(*i));
        let mut plan = RowPlan::of(types.map(|p| (p.name.as_str(), p.data_type)), false)?;
        let mut all = structs(&mut plan, &columns, 1, order)?;
        all.pop().ok_or_else(|| ErrorKind::count("structs", 1, 0).into())
    }
}

impl Elements {
    /// The columns of a page from structs: for every column of the header a field of the same name and type.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::{Elements, Header, Mode, Page};
    /// #[derive(BinFormat)]
    /// struct Row { x: f64, turn: i16 }
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns = Header::columns_of::<Row>()?;
    /// let columns = Elements::of_rows(&header, &[Row { x: 0.5, turn: 1 }, Row { x: 1.0, turn: 2 }])?;
    /// assert_eq!(columns, [Elements::from(vec![0.5f64, 1.0]), Elements::from(vec![1i16, 2])]);
    /// assert_eq!(Page::new(&header, [], [], columns)?.rows(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct has no field for a column, one too many, or one of another type; or a value contradicts its layout.
    pub fn of_rows<T: Encode>(header: &Header, rows: &[T]) -> Result<Vec<Elements>> {
        let there = header.columns.iter().map(|c| (c.name.as_str(), c.data_type));
        let (places, order) = match_fields::<T>(there).map_err(|e| differ(e, "the columns"))?;
        if let Some(left) = (0..header.columns.len()).find(|i| !places.contains(i)) {
            let name = header.columns.get(left).map_or("", |c| c.name.as_str());
            return Err(ErrorKind::Missing { of: "field for column", name: name.into() }.into());
        }
        // the columns in the order of the struct, to be read as rows are
        let plan = plan_of(header, &places)?;
        let Some(mut all) = plan.rows(order) else { return Ok(Vec::new()) };
        let options = Options::new().endian(order);
        for block in rows.chunks(BLOCK) {
            let bytes = crate::encode_all_with(block, &options)?;
            let n = all.num_rows() + block.len();
            all.read(&mut Slice::new(&bytes).erase(), n)?;
        }
        let mut scratch = Scratch::default();
        let columns = all.finish(&mut scratch);
        let columns = table::elements(columns, order)?;
        let mut sorted: Vec<(usize, Elements)> = places.into_iter().zip(columns).collect();
        sorted.sort_by_key(|(place, _)| *place);
        Ok(sorted.into_iter().map(|(_, column)| column).collect())
    }
}

impl<S> Reader<'_, S> {
    /// Checks a struct against the header, and decodes only the columns that it has: [`Page::rows_as`] gives its rows.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::Options;
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// struct Row { y: i32 }
    /// let file = b"SDDS1\n&column name=x, type=long &end\n&column name=y, type=long &end\n&data mode=ascii &end\n1\n1 2\n";
    /// let mut reader = Options::new().slice(file)?.columns_of::<Row>()?;
    /// let page = reader.next_page()?.unwrap();
    /// assert_eq!(page.columns().len(), 1);
    /// assert_eq!(page.rows_as::<Row>(reader.header())?, [Row { y: 2 }]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The struct does not fit the columns; nothing was read.
    pub fn columns_of<T: Layout>(self) -> Result<Self> {
        self.file_header().check_struct::<T>().map_err(|e| differ(e, "the columns"))?;
        let schema = Schema::of::<T>();
        let description = schema.description();
        let (fields, _) = known(fields_of(&description));
        let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        self.columns(&names)
    }
}
