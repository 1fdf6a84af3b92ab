//! Writing: exactly the bytes of SciDB's own `save`.

use crate::codec::Encode;
use crate::error::Result;
#[cfg(feature = "std")]
use crate::error::Step;
use crate::schema::Description;
use crate::value::Value;
use crate::wire::Options;
use alloc::vec::Vec;

/// Writes cells one after the other, in blocks.
///
/// A cell that cannot be written leaves nothing of itself behind: the file ends where it began.
///
/// ```
/// use binfmt::{BinFormat, formats::scidb::CellWriter};
/// #[derive(BinFormat)]
/// #[binfmt(le)]
/// struct Cell { #[binfmt(nullable)] a: Option<i16>, #[binfmt(var_len, nul)] b: String }
/// let mut file = Vec::new();
/// let mut writer = CellWriter::new(&mut file);
/// writer.write(&Cell { a: Some(10), b: "xy".into() })?;
/// writer.write(&Cell { a: None, b: String::new() })?;
/// assert_eq!(writer.finish()?, 2);
/// assert_eq!(file, b"\xff\x0a\0\x03\0\0\0xy\0\0\0\0\x01\0\0\0\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct CellWriter<W: std::io::Write> {
    writer: W,
    block: Vec<u8>,
    num_cells: u64,
    sent: u64,
}

/// Bytes that are gathered before they are handed to the writer.
#[cfg(feature = "std")]
const BLOCK: usize = 64 << 10;

#[cfg(feature = "std")]
impl<W: std::io::Write> CellWriter<W> {
    /// A writer of cells in front of a file or another `io::Write`.
    ///
    /// ```
    /// let writer = binfmt::formats::scidb::CellWriter::new(Vec::new());
    /// assert_eq!(writer.finish()?, 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(writer: W) -> Self {
        CellWriter { writer, block: Vec::with_capacity(BLOCK), num_cells: 0, sent: 0 }
    }

    /// Writes one cell.
    ///
    /// ```
    /// let mut writer = binfmt::formats::scidb::CellWriter::new(Vec::new());
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
    /// use binfmt::formats::scidb::{CellWriter, Template};
    /// use binfmt::value::Value;
    /// let cell = "(int8)".parse::<Template>().unwrap().description();
    /// let mut file = Vec::new();
    /// let mut writer = CellWriter::new(&mut file);
    /// writer.write_with(&Value::Record(vec![("a".into(), Value::I8(7))]), &cell)?;
    /// writer.finish()?;
    /// assert_eq!(file, [7]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_with<T: Encode<C>, C: Copy>(&mut self, cell: &T, ctx: C) -> Result<()> {
        if let Err(e) = crate::append_with(cell, &mut self.block, &Options::new().ctx(ctx)) {
            return Err(e.within(Step::Index(usize::try_from(self.num_cells).unwrap_or(usize::MAX))));
        }
        self.num_cells = self.num_cells.saturating_add(1);
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        let done = self.writer.write_all(&self.block);
        let n = self.block.len() as u64;
        self.block.clear();
        match done {
            Ok(()) => {
                self.sent = self.sent.saturating_add(n);
                Ok(())
            }
            Err(e) => Err(crate::Error::new(crate::ErrorKind::Io(e), self.sent)),
        }
    }

    /// Hands the rest to the writer, flushes it, and returns how many cells were written.
    ///
    /// ```
    /// let mut writer = binfmt::formats::scidb::CellWriter::new(Vec::new());
    /// writer.write(&1u8)?;
    /// assert_eq!(writer.finish()?, 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn finish(mut self) -> Result<u64> {
        self.send()?;
        match self.writer.flush() {
            Ok(()) => Ok(self.num_cells),
            Err(e) => Err(crate::Error::new(crate::ErrorKind::Io(e), self.sent)),
        }
    }
}

/// All cells as the bytes of a load file.
///
/// ```
/// assert_eq!(binfmt::formats::scidb::save(&[1i16, 2])?, [1, 0, 2, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A cell contradicts its layout.
pub fn save<T: Encode>(cells: &[T]) -> Result<Vec<u8>> {
    crate::encode_all(cells)
}

/// All cells of a format that is known only at run time as the bytes of a load file. Columns are written by
/// [`Plan::encode`](crate::columns::Plan::encode).
///
/// ```
/// use binfmt::formats::scidb::{Template, save_values};
/// use binfmt::value::Value;
/// let cell = "(int8, string)".parse::<Template>().unwrap().description();
/// let value = Value::Record(vec![("a".into(), Value::I8(7)), ("b".into(), Value::from("x"))]);
/// assert_eq!(save_values(&[value], &cell)?, b"\x07\x02\0\0\0x\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A cell is none of the layout.
pub fn save_values(cells: &[Value], cell: &Description) -> Result<Vec<u8>> {
    crate::encode_all_with(cells, &Options::new().ctx(cell))
}
