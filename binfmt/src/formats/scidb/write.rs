//! Writing: exactly the bytes of SciDB's own `save`.

#[cfg(feature = "std")]
use crate::api::blocks::Blocks;
use crate::codec::Encode;
use crate::error::Result;
use crate::value::{Program, Value};
use crate::wire::Options;
use alloc::vec::Vec;

/// As SciDB saves what it has loaded: a `string(n)` may be full, without a NUL.
fn options() -> Options {
    Options::new().optional_nul(true)
}

/// Writes cells one after the other, in blocks.
///
/// A cell that cannot be written leaves nothing of itself: the file ends where it began.
///
/// ```
/// use binfmt::{BinFormat, formats::scidb::Writer};
/// #[derive(BinFormat)]
/// #[binfmt(le)]
/// struct Cell { #[binfmt(nullable)] a: Option<i16>, #[binfmt(var_len, nul)] b: String }
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file);
/// writer.write(&Cell { a: Some(10), b: "xy".into() })?;
/// writer.write(&Cell { a: None, b: String::new() })?;
/// assert_eq!(writer.finish()?, 2);
/// assert_eq!(file, b"\xff\x0a\0\x03\0\0\0xy\0\0\0\0\x01\0\0\0\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Writer<W: std::io::Write> {
    blocks: Blocks<W>,
}

#[cfg(feature = "std")]
impl<W: std::io::Write> Writer<W> {
    /// A writer of cells into a file or another `io::Write`.
    ///
    /// ```
    /// let writer = binfmt::formats::scidb::Writer::new(Vec::new());
    /// assert_eq!(writer.finish()?, 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(writer: W) -> Self {
        Writer { blocks: Blocks::new(writer) }
    }

    /// Writes one cell.
    ///
    /// ```
    /// let mut writer = binfmt::formats::scidb::Writer::new(Vec::new());
    /// writer.write(&7i8)?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The cell contradicts its layout, or the writer fails.
    pub fn write<T: Encode>(&mut self, cell: &T) -> Result<()> {
        self.write_with(cell, ())
    }

    /// [`write`](Self::write) with a context: the layout of a cell that is a value.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Writer, Template};
    /// use binfmt::value::Value;
    /// let cell = "(int8)".parse::<Template>().unwrap().description();
    /// let mut file = Vec::new();
    /// let mut writer = Writer::new(&mut file);
    /// writer.write_with(&Value::record([("a", 7i8)]), &cell)?;
    /// writer.finish()?;
    /// assert_eq!(file, [7]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_with<T: Encode<C>, C: Copy>(&mut self, cell: &T, ctx: C) -> Result<()> {
        self.blocks.item(|block| crate::append_with(cell, block, &options().ctx(ctx)))
    }

    /// Hands the rest to the writer, flushes it, and returns how many cells were written.
    ///
    /// ```
    /// let mut writer = binfmt::formats::scidb::Writer::new(Vec::new());
    /// writer.write(&1u8)?;
    /// assert_eq!(writer.finish()?, 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn finish(self) -> Result<u64> {
        self.blocks.finish()
    }
}

/// All cells as the bytes of a load file.
///
/// A `string(n)` (`count = n, nul`) that is full is there without a NUL, as in the files from which SciDB loads such
/// values.
///
/// ```
/// assert_eq!(binfmt::formats::scidb::save(&[1i16, 2])?, [1, 0, 2, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A cell contradicts its layout.
pub fn save<T: Encode>(cells: &[T]) -> Result<Vec<u8>> {
    crate::encode_all_with(cells, &options())
}

/// All cells of a format that is known only at run time as the bytes of a load file. Columns are written by
/// [`Plan::encode`](crate::columns::Plan::encode).
///
/// ```
/// use binfmt::formats::scidb::{Template, save_values};
/// use binfmt::value::{Program, Value};
/// let cell = Program::new(&"(int8, string)".parse::<Template>().unwrap().description()).unwrap();
/// let value = Value::record([("a", Value::from(7i8)), ("b", Value::from("x"))]);
/// assert_eq!(save_values(&[value], &cell)?, b"\x07\x02\0\0\0x\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A cell is not one of the layout.
pub fn save_values(cells: &[Value], cell: &Program) -> Result<Vec<u8>> {
    crate::encode_all_with(cells, &options().ctx(cell))
}
