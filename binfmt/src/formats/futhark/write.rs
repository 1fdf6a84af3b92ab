//! Writing values one after the other.

use super::print;
use super::stream::Form;
use super::value::Value;
#[cfg(feature = "std")]
use crate::api::blocks::{BLOCK, Blocks};
#[cfg(feature = "std")]
use crate::error::{Error, ErrorKind};
use crate::error::{Result, Step};
use crate::wire::raw::bulk::try_room;
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

    /// What stands behind each value.
    pub(super) const fn end(self) -> &'static [u8] {
        match self {
            Style::Packed => b"",
            Style::Printed | Style::Text => b"\n",
        }
    }
}

fn append(value: &Value, style: Style, out: &mut Vec<u8>) -> Result<()> {
    match style.form() {
        Form::Binary => crate::append(value, out)?,
        Form::Text => print::append(value, out)?,
    }
    try_room(out, style.end().len()).map_err(|e| e.at(out.len() as u64))?;
    out.extend_from_slice(style.end());
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

/// Writes the text of a value, a piece at a time; the answer is the number of its bytes.
#[cfg(feature = "std")]
fn print_to(value: &Value, mut writer: impl std::io::Write) -> Result<u64> {
    let (mut text, mut sent) = (Vec::new(), 0u64);
    let mut send = |text: &mut Vec<u8>| -> Result<()> {
        writer.write_all(text).map_err(|e| Error::new(ErrorKind::Io(e), sent))?;
        sent = sent.saturating_add(text.len() as u64);
        text.clear();
        Ok(())
    };
    print::value(value, &mut text, |text| if text.len() < BLOCK { Ok(()) } else { send(text) })?;
    send(&mut text)?;
    Ok(sent)
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
    blocks: Blocks<W>,
}

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
        Writer { blocks: Blocks::new(writer) }
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
        if value.elements().len() >= BLOCK {
            return self.blocks.large_item(style.end(), |writer| match style.form() {
                Form::Binary => crate::to_writer(value, writer),
                Form::Text => print_to(value, writer),
            });
        }
        self.blocks.item(|block| append(value, style, block))
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
    pub fn finish(self) -> Result<u64> {
        self.blocks.finish()
    }
}
