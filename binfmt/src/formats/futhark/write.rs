//! Writing values one after the other.

use super::print;
use super::stream::Form;
use super::value::Value;
use crate::error::{Result, Step};
use alloc::vec::Vec;

/// How values are written one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Binary with nothing in between: what the server protocol's `store` and futhark-data write.
    Packed,
    /// Binary, each with a newline behind it: what a compiled program prints with `-b`.
    Printed,
    /// Text, each with a newline behind it: what a compiled program prints.
    Text,
}

impl Style {
    /// The form of the values.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Form, Style};
    /// assert_eq!(Style::Printed.form(), Form::Binary);
    /// ```
    pub const fn form(self) -> Form {
        match self {
            Style::Packed | Style::Printed => Form::Binary,
            Style::Text => Form::Text,
        }
    }
}

fn append(value: &Value, style: Style, out: &mut Vec<u8>) -> Result<()> {
    match style.form() {
        Form::Binary => crate::append(value, out)?,
        Form::Text => print::value(value, out),
    }
    if style != Style::Packed {
        out.push(b'\n');
    }
    Ok(())
}

/// All values as bytes.
///
/// ```
/// use binfmt::formats::futhark::{Style, Value, write};
/// let values = [Value::from(1u8), Value::new([2], vec![0.5f32, f32::INFINITY])?];
/// assert_eq!(write(&values, Style::Text)?, b"1u8\n[0.5f32, f32.inf]\n");
/// assert_eq!(write(&values[..1], Style::Printed)?, b"b\x02\0  u8\x01\n");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// None for values that were read or made by [`Value::new`].
pub fn write(values: &[Value], style: Style) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (i, value) in values.iter().enumerate() {
        append(value, style, &mut out).map_err(|e| e.within(Step::Index(i)))?;
    }
    Ok(out)
}

/// Writes values one by one, in blocks.
///
/// ```
/// use binfmt::formats::futhark::{Style, Value, Writer};
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file);
/// writer.write(&Value::from(1i32), Style::Text)?;
/// writer.write(&Value::from(false), Style::Packed)?;
/// assert_eq!(writer.finish()?, 2);
/// assert_eq!(file, b"1i32\nb\x02\0bool\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Writer<W: std::io::Write> {
    writer: W,
    block: Vec<u8>,
    num_values: u64,
    sent: u64,
}

/// Bytes that are gathered before they are handed to the writer.
#[cfg(feature = "std")]
const BLOCK: usize = 64 << 10;

#[cfg(feature = "std")]
impl<W: std::io::Write> Writer<W> {
    /// A writer of values in front of a file or another `io::Write`.
    ///
    /// ```
    /// let writer = binfmt::formats::futhark::Writer::new(Vec::new());
    /// assert_eq!(writer.finish()?, 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(writer: W) -> Self {
        Writer { writer, block: Vec::new(), num_values: 0, sent: 0 }
    }

    /// Writes one value.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Style, Value, Writer};
    /// Writer::new(Vec::new()).write(&Value::from(1i8), Style::Printed)?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn write(&mut self, value: &Value, style: Style) -> Result<()> {
        if style.form() == Form::Binary && value.elements().len() >= BLOCK {
            // its elements go to the writer as they lie in memory
            self.send()?;
            self.sent = self.sent.saturating_add(crate::to_writer(value, &mut self.writer)?);
            if style == Style::Printed {
                self.block.push(b'\n');
            }
        } else if let Err(e) = append(value, style, &mut self.block) {
            return Err(e.within(Step::Index(usize::try_from(self.num_values).unwrap_or(usize::MAX))));
        }
        self.num_values = self.num_values.saturating_add(1);
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

    /// Hands the rest to the writer, flushes it, and returns how many values were written.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Style, Value, Writer};
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write(&Value::from(1i8), Style::Text)?;
    /// assert_eq!(writer.finish()?, 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn finish(mut self) -> Result<u64> {
        self.send()?;
        match self.writer.flush() {
            Ok(()) => Ok(self.num_values),
            Err(e) => Err(crate::Error::new(crate::ErrorKind::Io(e), self.sent)),
        }
    }
}
