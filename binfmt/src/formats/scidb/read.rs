//! Reading: cells from a load file as a user's struct, as values or as columns, as lenient as SciDB's loader unless told
//! otherwise.

use super::text::Template;
#[cfg(feature = "std")]
use crate::RecordsFromReader;
use crate::codec::Decode;
#[cfg(feature = "std")]
use crate::codec::Layout;
#[cfg(feature = "std")]
use crate::columns::ColumnsReader;
use crate::columns::{Columns, Plan};
use crate::schema::Differences;
use crate::value::{Program, Value};
use crate::wire::Options;
use crate::{RecordsFromSlice, Result};

/// How a load file is read: what SciDB's loader lets pass, each leniency switchable.
///
/// SciDB 19.11 (`BinaryChunkLoader`, observed) takes any presence byte from 0x80 as "present", steps over what
/// is after a missing value, and does not look for the NUL of a string. A file may end only where a cell begins.
///
/// ```
/// use binfmt::{BinFormat, formats::scidb::Reader};
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[binfmt(le)]
/// struct Cell { #[binfmt(nullable)] a: Option<i16> }
/// let file = [0x80, 1, 0];
/// assert_eq!(Reader::new().cells::<Cell>(&file).next().unwrap()?, Cell { a: Some(1) });
/// assert!(Reader::strict().cells::<Cell>(&file).next().unwrap().is_err());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    options: Options,
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

impl Reader {
    /// As lenient as SciDB's own loader.
    ///
    /// ```
    /// let reader = binfmt::formats::scidb::Reader::new();
    /// assert_eq!(reader.cells::<i8>(&[1, 2]).count(), 2);
    /// ```
    pub fn new() -> Self {
        Reader { options: Options::new().lenient_presence(true).optional_nul(true) }
    }

    /// Only what SciDB's own writer produces: presence 0xFF, blank missing values, strings that end with a NUL.
    ///
    /// ```
    /// let reader = binfmt::formats::scidb::Reader::strict();
    /// assert_eq!(reader.cells::<i8>(&[1]).count(), 1);
    /// ```
    pub fn strict() -> Self {
        Reader::new().lenient_presence(false).blank_missing(true).optional_nul(false)
    }

    /// Whether presence bytes 0x80..=0xFE announce a value as 0xFF does.
    ///
    /// ```
    /// let _ = binfmt::formats::scidb::Reader::strict().lenient_presence(true);
    /// ```
    #[must_use]
    pub fn lenient_presence(mut self, on: bool) -> Self {
        self.options = self.options.lenient_presence(on);
        self
    }

    /// Whether the bytes after a missing value must be zero. SciDB's own files have others there.
    ///
    /// ```
    /// let _ = binfmt::formats::scidb::Reader::new().blank_missing(true);
    /// ```
    #[must_use]
    pub fn blank_missing(mut self, on: bool) -> Self {
        self.options = self.options.blank_missing(on);
        self
    }

    /// Whether a string may lack the NUL at its end, or be of length 0.
    ///
    /// ```
    /// let _ = binfmt::formats::scidb::Reader::strict().optional_nul(true);
    /// ```
    #[must_use]
    pub fn optional_nul(mut self, on: bool) -> Self {
        self.options = self.options.optional_nul(on);
        self
    }

    /// These choices as options for the functions of the crate, such as [`decode_all_with`](crate::decode_all_with).
    ///
    /// ```
    /// use binfmt::formats::scidb::Reader;
    /// assert_eq!(binfmt::decode_all_with::<u8, _>(&[1], &Reader::new().options())?, [1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn options(&self) -> Options {
        self.options
    }

    /// The cells of a file in memory; the error of a damaged one has the cell's number as the first step of its path.
    ///
    /// ```
    /// use binfmt::formats::scidb::Reader;
    /// let e = Reader::new().cells::<i16>(&[1, 0, 2]).last().unwrap().unwrap_err();
    /// assert_eq!(e.to_string(), "[1] at byte 0x2: 2 bytes needed, 1 remain");
    /// ```
    pub fn cells<'de, T: Decode<'de>>(&self, bytes: &'de [u8]) -> RecordsFromSlice<'de, T> {
        crate::records_with(bytes, &self.options)
    }

    /// The cells of a file in memory, after the struct was compared with the format that the file is said to have.
    ///
    /// ```
    /// use binfmt::{BinFormat, formats::scidb::{Reader, Template}};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i64, #[binfmt(var_len, nul)] b: String }
    /// let format: Template = "(int64, double)".parse().unwrap();
    /// let e = Reader::new().checked_cells::<Cell>(&[], &format).unwrap_err();
    /// assert_eq!(e.to_string(), "\
    /// 1 difference between struct `Cell` and the format (int64, double):
    ///   b: struct has String (text, length_prefixed(u32), nul), file has double (f64)");
    /// ```
    ///
    /// # Errors
    /// The struct and the format differ: one error that lists every difference.
    pub fn checked_cells<'de, T: Decode<'de>>(
        &self,
        bytes: &'de [u8],
        format: &Template,
    ) -> Result<RecordsFromSlice<'de, T>, Differences> {
        format.check_struct::<T>()?;
        Ok(self.cells(bytes))
    }

    /// The cells of a file that is read forward, one block at a time.
    ///
    /// ```
    /// use binfmt::formats::scidb::Reader;
    /// let cells: Result<Vec<i8>, _> = Reader::new().cells_from_reader(&[1u8, 2][..]).collect();
    /// assert_eq!(cells?, [1, 2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn cells_from_reader<T: crate::DecodeOwned, R: std::io::Read>(
        &self,
        reader: R,
    ) -> RecordsFromReader<R, T> {
        crate::records_from_reader_with(reader, &self.options)
    }

    /// [`cells_from_reader`](Self::cells_from_reader) after the struct was compared with the format.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Reader, Template};
    /// use binfmt::BinFormat;
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct Cell { a: i8 }
    /// let format: Template = "(int8)".parse().unwrap();
    /// let cells = Reader::new().checked_cells_from_reader::<Cell, _>(&[1u8, 2][..], &format).unwrap();
    /// assert_eq!(cells.count(), 2);
    /// ```
    ///
    /// # Errors
    /// The struct and the format differ: one error that lists every difference.
    #[cfg(feature = "std")]
    pub fn checked_cells_from_reader<T: crate::DecodeOwned + Layout, R: std::io::Read>(
        &self,
        reader: R,
        format: &Template,
    ) -> Result<RecordsFromReader<R, T>, Differences> {
        format.check_struct::<T>()?;
        Ok(self.cells_from_reader(reader))
    }

    /// The cells of a file in memory as values, of a [format](super::Template::description) or [an array's
    /// schema](super::AflSchema::description) that is known only at run time.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Reader, Template};
    /// use binfmt::value::{Program, Value};
    /// let format: Template = "(int8, skip(2), string null)".parse().unwrap();
    /// let cell = Program::new(&format.description()).unwrap();
    /// let file = b"\x07..\xff\x03\0\0\0ab\0\x08..\x05\0\0\0\0";
    /// let cells: Vec<Value> = Reader::new().values(file, &cell).collect::<Result<_, _>>()?;
    /// assert_eq!(cells[1].get("a"), Some(&Value::from(8i8)));
    /// assert_eq!(cells[1].get("b"), Some(&Value::Missing(5)));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn values<'de, 'p>(
        &self,
        bytes: &'de [u8],
        cell: &'p Program,
    ) -> RecordsFromSlice<'de, Value, &'p Program> {
        crate::records_with(bytes, &self.options.ctx(cell))
    }

    /// The cells of a file that is read forward as values.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Reader, Template};
    /// use binfmt::value::Program;
    /// let cell = Program::new(&"(int8)".parse::<Template>().unwrap().description()).unwrap();
    /// assert_eq!(Reader::new().values_from_reader(&[1u8, 2][..], &cell).count(), 2);
    /// ```
    #[cfg(feature = "std")]
    pub fn values_from_reader<'p, R: std::io::Read>(
        &self,
        reader: R,
        cell: &'p Program,
    ) -> RecordsFromReader<R, Value, &'p Program> {
        crate::records_from_reader_with(reader, &self.options.ctx(cell))
    }

    /// All cells of a file in memory as columns: one plan serves any number of files of a format.
    ///
    /// ```
    /// use binfmt::columns::{Column, Plan};
    /// use binfmt::formats::scidb::{Reader, Template};
    /// let format: Template = "(int8, string null)".parse().unwrap();
    /// let plan = Plan::new(&format.description()).unwrap();
    /// let columns = Reader::new().columns(b"\x07\xff\x03\0\0\0ab\0\x08\x05\0\0\0\0", &plan)?;
    /// assert_eq!(columns.get("a"), Some(&Column::from(vec![7i8, 8])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A cell is damaged or not complete.
    pub fn columns(&self, bytes: &[u8], plan: &Plan) -> Result<Columns> {
        plan.decode_with(bytes, &self.options)
    }

    /// The cells of a file that is read forward as batches of columns, in flat memory.
    ///
    /// ```
    /// use binfmt::columns::Plan;
    /// use binfmt::formats::scidb::{Reader, Template};
    /// let plan = Plan::new(&"(int8)".parse::<Template>().unwrap().description()).unwrap();
    /// let mut batches = Reader::new().columns_from_reader(&[1u8, 2][..], &plan);
    /// assert_eq!(batches.next_batch(1000)?.unwrap().num_rows(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn columns_from_reader<R: std::io::Read>(&self, reader: R, plan: &Plan) -> ColumnsReader<R> {
        plan.reader(reader, &self.options)
    }
}
