//! A page: parameters, arrays, and a table of columns.

use super::definition::{Array, Header};
use super::named;
use super::table::{self, RowPlan, Table};
use super::types::DataType;
use super::value::{ArrayValue, Elements, Value};
use crate::BinFormat;
use crate::codec::Encode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Order, Sink};
use alloc::format;
use alloc::vec::Vec;

/// The number of rows: 32 bits, or, after the smallest number of 32 bits, 64.
///
/// The official library writes the long form above 2³¹ - 1 rows only, and reads it for any number.
///
/// ```
/// use binfmt::formats::sdds::RowCount;
/// assert_eq!(binfmt::to_vec(&RowCount::of(3).unwrap())?, [3, 0, 0, 0]);
/// let long = [0, 0, 0, 0x80, 3, 0, 0, 0, 0, 0, 0, 0];
/// assert_eq!(binfmt::from_slice::<RowCount>(&long)?.get(), 3);
/// let e = binfmt::from_slice::<RowCount>(&[255; 4]).unwrap_err();
/// assert_eq!(e.to_string(), "at byte 0x0: the number of rows is negative");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq)]
#[binfmt(assert(*short >= 0 || long.is_some_and(|n| n >= 0), "the number of rows is negative"))]
pub struct RowCount {
    short: i32,
    #[binfmt(if(*short == i32::MIN))]
    long: Option<i64>,
}

impl RowCount {
    /// The shorter form that holds the number; `None` above 2⁶³ - 1.
    ///
    /// ```
    /// use binfmt::formats::sdds::RowCount;
    /// assert_eq!(binfmt::encoded_len(&RowCount::of(1 << 31).unwrap())?, 12);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn of(rows: u64) -> Option<Self> {
        Some(match i32::try_from(rows) {
            Ok(short) => RowCount { short, long: None },
            Err(_) => RowCount { short: i32::MIN, long: Some(i64::try_from(rows).ok()?) },
        })
    }

    pub(crate) fn checked(rows: u64) -> Result<Self, ErrorKind> {
        Self::of(rows).ok_or(ErrorKind::PrefixOverflow { value: rows, max: i64::MAX as u64 })
    }

    /// The number.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::RowCount::of(7).unwrap().get(), 7);
    /// ```
    pub fn get(self) -> u64 {
        self.long.map_or(self.short.unsigned_abs().into(), i64::unsigned_abs)
    }
}

/// What is before the table of a binary page.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(header: &Header))]
pub(crate) struct Head {
    pub(crate) rows: RowCount,
    #[binfmt(decode_with = named::parameters, encode_with = named::put_parameters, args(header))]
    pub(crate) parameters: Vec<Value>,
    #[binfmt(decode_with = named::arrays, encode_with = named::put_arrays, args(header))]
    pub(crate) arrays: Vec<ArrayValue>,
}

impl Head {
    /// The number of rows, in the form that it has here if it is the same.
    pub(crate) fn counted(&self, rows: u64) -> Result<RowCount> {
        match self.rows.get() == rows {
            true => Ok(self.rows),
            false => Ok(RowCount::checked(rows)?),
        }
    }
}

/// A page. In a binary file it stands as this type describes it; the header is the context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{Elements, Header, Page};
/// let (header, _) = Header::parse(
///     b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&column name=n, type=character &end\n&data mode=binary &end\n",
/// ).unwrap();
/// let bytes = [2, 0, 0, 0, /* row 0 */ 1, 0, b'a', /* row 1 */ 2, 0, b'b'];
/// let options = Options::new().endian(header.byte_order()).ctx(&header);
/// let page: Page = binfmt::from_slice_with(&bytes, &options)?;
/// assert_eq!(page.column(&header, "x"), Some(&Elements::from(vec![1i16, 2])));
/// assert_eq!(binfmt::to_vec_with(&page, &options)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(header: &Header))]
pub struct Page {
    #[binfmt(args(header))]
    pub(crate) head: Head,
    #[binfmt(with = table, args(header, head.rows.get()))]
    pub(crate) table: Table,
}

/// An error inside a part of this name, which is copied only then: pages may be small, and many.
fn inside(name: &str) -> impl FnOnce(Error) -> Error {
    move |e| e.within(Step::Name(name.into()))
}

/// The name of a type; that of a number may be none.
fn shown(found: Option<DataType>) -> &'static str {
    found.map_or("of no type of SDDS", DataType::name)
}

fn number(of: &'static str, expected: usize, found: usize) -> Result<()> {
    match expected == found {
        true => Ok(()),
        false => Err(Error::from(ErrorKind::count(of, expected, found))),
    }
}

fn kind(what: &str, name: &str, expected: DataType, found: Option<DataType>) -> Result<()> {
    if found == Some(expected) {
        return Ok(());
    }
    let of = format!("{what} `{name}`");
    Err(Error::from(ErrorKind::mismatch(of, expected.to_string(), shown(found).to_owned())))
}

impl Table {
    /// Whether the table has the columns that the header says.
    pub(crate) fn check(&self, header: &Header) -> Result<()> {
        number("columns", header.columns.len(), self.columns.len())?;
        let rows = usize::try_from(self.rows).unwrap_or(usize::MAX);
        for (c, values) in header.columns.iter().zip(&self.columns) {
            if !values.is_of(c.data_type) || values.len() != rows {
                kind("column", &c.name, c.data_type, values.data_type())?;
                number("rows", rows, values.len()).map_err(inside(&c.name))?;
            }
        }
        Ok(())
    }
}

impl Page {
    /// A page of these values: the parameters without a fixed value, the arrays and the columns, in the order of the
    /// header. Without columns it has no rows.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Page};
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns.push(Column::new("x", DataType::Short));
    /// let page = Page::new(&header, [], [], [Elements::from(vec![1i16, 2])])?;
    /// assert_eq!(page.rows(), 2);
    /// let e = Page::new(&header, [], [], [Elements::from(vec![1i32, 2])]).unwrap_err();
    /// assert_eq!(e.to_string(), "column `x`: expected short, found long");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is not what the header says, one is missing or too many, or columns have different lengths.
    pub fn new(
        header: &Header,
        parameters: impl IntoIterator<Item = Value>,
        arrays: impl IntoIterator<Item = ArrayValue>,
        columns: impl IntoIterator<Item = Elements>,
    ) -> Result<Page> {
        let columns: Vec<Elements> = columns.into_iter().collect();
        let rows = columns.first().map_or(0, Elements::len) as u64;
        let count = RowCount::checked(rows)?;
        let (parameters, arrays) = (parameters.into_iter().collect(), arrays.into_iter().collect());
        let page = Page { head: Head { rows: count, parameters, arrays }, table: Table { rows, columns } };
        page.check(header)?;
        Ok(page)
    }

    /// Rows without anything before them.
    pub(crate) fn of_rows(table: Table) -> Self {
        let rows = RowCount::of(table.rows).unwrap_or(RowCount { short: 0, long: None });
        Page { head: Head { rows, parameters: Vec::new(), arrays: Vec::new() }, table }
    }

    /// Writes what is before the rows of a page that has that many of them.
    pub(crate) fn write_head<O: Order, W: Sink>(
        &self,
        rows: u64,
        out: &mut W,
        header: &Header,
    ) -> Result<()> {
        let head = Head { rows: self.head.counted(rows)?, ..self.head.clone() };
        head.encode::<O, W>(out, header).map_err(|e| e.within(Step::Field("head")))
    }

    /// Writes it with what was made for all pages of the file. Whoever has checked the page against the header says so: in small
    /// pages that is half of the work.
    pub(crate) fn write<O: Order, W: Sink>(
        &self,
        out: &mut W,
        header: &Header,
        plan: &mut RowPlan,
        is_checked: bool,
    ) -> Result<()> {
        let Page { head, table } = self;
        head.encode::<O, W>(out, header).map_err(|e| e.within(Step::Field("head")))?;
        let checked = match is_checked && head.rows.get() == table.rows {
            true => Ok(()),
            false => plan.check(table, head.rows.get(), out.pos()),
        };
        let done = checked.and_then(|()| plan.write::<O, W>(table, out));
        done.map_err(|e| e.within(Step::Field("table")))
    }

    /// Whether the page has the values that the header says.
    pub(crate) fn check(&self, header: &Header) -> Result<()> {
        self.check_head(header)?;
        self.table.check(header)
    }

    /// The same of what is before the rows.
    pub(crate) fn check_head(&self, header: &Header) -> Result<()> {
        let parameters = header.stored_parameters().count();
        number("parameters without a fixed value", parameters, self.head.parameters.len())?;
        number("arrays", header.arrays.len(), self.head.arrays.len())?;
        for (p, value) in header.stored_parameters().zip(&self.head.parameters) {
            kind("parameter", &p.name, p.data_type, value.data_type())?;
        }
        for (a, value) in header.arrays.iter().zip(&self.head.arrays) {
            kind("array", &a.name, a.data_type, value.elements().data_type())?;
            number("dimensions", a.dimensions as usize, value.sizes().len()).map_err(inside(&a.name))?;
        }
        Ok(())
    }

    /// The number of rows.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert_eq!(Page::new(&Header::new(Mode::Binary), [], [], [])?.rows(), 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn rows(&self) -> u64 {
        self.table.rows
    }

    /// The values of the parameters that have no fixed one, in the order of the header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert!(Page::new(&Header::new(Mode::Binary), [], [], [])?.parameters().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn parameters(&self) -> &[Value] {
        &self.head.parameters
    }

    /// The arrays, in the order of the header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert!(Page::new(&Header::new(Mode::Binary), [], [], [])?.arrays().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn arrays(&self) -> &[ArrayValue] {
        &self.head.arrays
    }

    /// The arrays, taken out: then the page has none.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert!(Page::new(&Header::new(Mode::Binary), [], [], [])?.take_arrays().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn take_arrays(&mut self) -> Vec<ArrayValue> {
        core::mem::take(&mut self.head.arrays)
    }

    /// The columns, in the order of the header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert!(Page::new(&Header::new(Mode::Binary), [], [], [])?.columns().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn columns(&self) -> &[Elements] {
        &self.table.columns
    }

    /// The columns, taken out.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// assert!(Page::new(&Header::new(Mode::Binary), [], [], [])?.into_columns().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn into_columns(self) -> Vec<Elements> {
        self.table.columns
    }

    /// The value of a parameter, fixed or not, found by its name.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Header, Mode, Page, Parameter, Value};
    /// let mut header = Header::new(Mode::Binary);
    /// header.parameters.push(Parameter::new("a", DataType::Long).fixed_value("3"));
    /// header.parameters.push(Parameter::new("b", DataType::Long));
    /// let page = Page::new(&header, [Value::from(4i32)], [], [])?;
    /// assert_eq!(page.parameter(&header, "a"), Some(Value::from(3i32)));
    /// assert_eq!(page.parameter(&header, "b"), Some(Value::from(4i32)));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn parameter(&self, header: &Header, name: &str) -> Option<Value> {
        let parameter = header.parameters.iter().find(|p| p.name == name)?;
        match parameter.fixed() {
            Some(value) => value.ok(),
            None => {
                let at = header.stored_parameters().position(|p| p.name == name)?;
                self.head.parameters.get(at).cloned()
            }
        }
    }

    /// An array, found by its name.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Array, ArrayValue, DataType, Elements, Header, Mode, Page};
    /// let mut header = Header::new(Mode::Binary);
    /// header.arrays.push(Array::new("a", DataType::Long, 1));
    /// let page = Page::new(&header, [], ArrayValue::new(&[1], Elements::from(vec![5i32])), [])?;
    /// assert_eq!(page.array(&header, "a").unwrap().elements(), &Elements::from(vec![5i32]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn array(&self, header: &Header, name: &str) -> Option<&ArrayValue> {
        let at = header.arrays.iter().position(|a: &Array| a.name == name)?;
        self.head.arrays.get(at)
    }

    /// A column, found by its name.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Page};
    /// let header = Header::new(Mode::Binary);
    /// assert_eq!(Page::new(&header, [], [], [])?.column(&header, "x"), None);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn column(&self, header: &Header, name: &str) -> Option<&Elements> {
        self.table.columns.get(header.column_index(name)?)
    }
}
