//! Lines of fields on their way to any output.

use super::UTF8_MARK;
use crate::table::written::{BLOCK, Held};
use std::fmt;
use std::io::{self, Write};

/// Writes fields, one after the other, in lines: what files of [`Csv`](super::Csv) consist of.
///
/// A field is in quotes where it must be. A missing value is an empty field, an empty text `""`; a line without fields is that of
/// a row whose only value is missing. Texts are written as their bytes, which may be no UTF-8, and read again as such.
///
/// ```
/// use binfmt::table::csv::Writer;
/// let mut lines = Writer::new(Vec::new());
/// lines.text(b"a,b")?;
/// lines.missing()?;
/// lines.bytes(b"\x01\xff")?;
/// lines.end_line()?;
/// assert_eq!(lines.into_inner()?, b"\"a,b\",,0x01ff\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W> {
    out: Held<W>,
    delimiter: u8,
    missing: Vec<u8>,
    /// Whether the line has a field.
    has_begun: bool,
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("delimiter", &char::from(self.delimiter)).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Lines whose fields are separated by commas.
    ///
    /// ```
    /// assert!(binfmt::table::csv::Writer::new(Vec::new()).into_inner()?.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(out: W) -> Self {
        Writer { out: Held::new(out), delimiter: b',', missing: Vec::new(), has_begun: false }
    }

    /// What separates fields.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new()).delimiter(b';');
    /// lines.text(b"a,b")?;
    /// lines.missing()?;
    /// assert_eq!(lines.into_inner()?, b"a,b;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn delimiter(self, delimiter: u8) -> Self {
        Writer { delimiter, ..self }
    }

    /// A word that stands for a missing value; a text that is the same is in quotes.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new()).missing_as("NA");
    /// lines.missing()?;
    /// lines.text(b"NA")?;
    /// assert_eq!(lines.into_inner()?, b"NA,\"NA\"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn missing_as(self, word: &str) -> Self {
        Writer { missing: word.into(), ..self }
    }

    fn begin(&mut self) -> io::Result<()> {
        let goes_on = std::mem::replace(&mut self.has_begun, true);
        if goes_on { self.out.write_all(&[self.delimiter]) } else { Ok(()) }
    }

    /// A field of text, in quotes where it must be.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new());
    /// lines.text(b"1 \" = 2.54 cm")?;
    /// lines.text(b"")?;
    /// assert_eq!(lines.into_inner()?, b"\"1 \"\" = 2.54 cm\",\"\"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn text(&mut self, text: &[u8]) -> io::Result<()> {
        self.begin()?;
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == self.delimiter;
        let quoted = text.is_empty()
            || text == self.missing
            || text.starts_with(b" ")
            || text.ends_with(b" ")
            || text.starts_with(UTF8_MARK)
            || text.iter().any(is_special);
        if !quoted {
            return self.out.write_all(text);
        }
        self.out.write_all(b"\"")?;
        for (i, part) in text.split(|byte| *byte == b'"').enumerate() {
            if i > 0 {
                self.out.write_all(b"\"\"")?;
            }
            self.out.write_all(part)?;
        }
        self.out.write_all(b"\"")
    }

    /// A field of bytes, in hexadecimal.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new());
    /// lines.bytes(b"\x00\xff")?;
    /// assert_eq!(lines.into_inner()?, b"0x00ff");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.begin()?;
        self.out.write_all(b"0x")?;
        let digit = |n: u8| DIGITS.get(usize::from(n)).copied().unwrap_or(b'0');
        for part in bytes.chunks(BLOCK / 2) {
            let digits: Vec<u8> = part.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
            self.out.write_all(&digits)?;
        }
        Ok(())
    }

    /// A field whose value is missing.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new());
    /// lines.missing()?;
    /// lines.missing()?;
    /// assert_eq!(lines.into_inner()?, b",");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn missing(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.write_all(&self.missing)
    }

    /// Ends the line.
    ///
    /// ```
    /// let mut lines = binfmt::table::csv::Writer::new(Vec::new());
    /// lines.text(b"a")?;
    /// lines.end_line()?;
    /// assert_eq!(lines.into_inner()?, b"a\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.has_begun = false;
        self.out.write_all(b"\n")
    }

    /// Passes on what was written so far.
    ///
    /// ```
    /// let mut file = Vec::new();
    /// let mut lines = binfmt::table::csv::Writer::new(&mut file);
    /// lines.text(b"a")?;
    /// lines.flush()?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The output, to which everything was passed on.
    ///
    /// ```
    /// assert_eq!(binfmt::table::csv::Writer::new(vec![1]).into_inner()?, [1]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn into_inner(self) -> io::Result<W> {
        self.out.into_inner()
    }
}
