//! Writing values one after the other.

#[cfg(feature = "std")]
use crate::api::blocks::{BLOCK, Blocks};
use crate::codec::Encode;
use crate::error::{Result, Step};
use crate::formats::futhark::layout::Value;
#[cfg(feature = "std")]
use crate::formats::futhark::layout::{ElementType, Header};
use crate::formats::futhark::options::{Form, OutputStyle};
#[cfg(feature = "std")]
use crate::formats::futhark::read::{Head, Outline, Piece};
use crate::formats::futhark::text::print;
#[cfg(feature = "std")]
use crate::wire::out::writer_sink;
use crate::wire::raw::bulk::try_room;
use crate::wire::{Le, Sink, vec_sink};
use alloc::vec::Vec;

/// Writes a value and what is after it; `text` is room for a piece of text.
pub(super) fn put<W: Sink>(value: &Value, style: OutputStyle, text: &mut Vec<u8>, out: &mut W) -> Result<()> {
    match style.form() {
        Form::Binary => value.encode::<Le, W>(out, ())?,
        Form::Text => {
            text.clear();
            try_room(text, print::ROOM).map_err(|e| e.at(out.pos()))?;
            print::value(value, text, |text| out.bytes(text, 0))?;
        }
    }
    out.bytes(style.end(), 0)
}

/// Writes a piece of a value of this type and these dimensions, of which so many elements were written.
#[cfg(feature = "std")]
fn put_piece<W: Sink>(
    piece: &Piece,
    style: OutputStyle,
    (of, dims, at): (ElementType, &[u64], u64),
    text: &mut Vec<u8>,
    out: &mut W,
) -> Result<()> {
    match style.form() {
        Form::Binary => {
            if piece.outline.is_some() {
                let rank = u8::try_from(dims.len()).unwrap_or(u8::MAX);
                let head = Head { header: Header::new(of, rank), dims: dims.to_vec() };
                head.encode::<Le, W>(out, ())?;
            }
            let count = piece.elements.len() as u64;
            piece.elements.encode::<Le, W>(out, (of.number_type(), count))?;
        }
        Form::Text => print::some(&piece.elements, dims, at, text, |text| out.bytes(text, 0))?,
    }
    if piece.is_last { out.bytes(style.end(), 0) } else { Ok(()) }
}

/// All values as bytes.
///
/// ```
/// use binfmt::formats::futhark::{OutputStyle, Value, write};
/// let values = [Value::from(1u8), Value::new([2], vec![0.5f32, f32::INFINITY])?];
/// assert_eq!(write(&values, OutputStyle::Text)?, b"1u8\n[0.5f32, f32.inf]\n");
/// assert_eq!(write(&values[..1], OutputStyle::Printed)?, b"b\x02\0  u8\x01\n");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// None for values that were read or made by [`Value::new`].
pub fn write(values: &[Value], style: OutputStyle) -> Result<Vec<u8>> {
    let (mut all, mut text) = (Vec::new(), Vec::new());
    vec_sink(&mut all, 0, |out| {
        let mut values = values.iter().enumerate();
        values.try_for_each(|(i, value)| {
            put(value, style, &mut text, out).map_err(|e| e.within(Step::Index(i)))
        })
    })?;
    Ok(all)
}

/// Writes values one by one, in blocks.
///
/// ```
/// use binfmt::formats::futhark::{OutputStyle, Value, Writer};
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file);
/// writer.write(&Value::from(1i32), OutputStyle::Text)?;
/// writer.write(&Value::from(false), OutputStyle::Packed)?;
/// assert_eq!(writer.finish()?, 2);
/// assert_eq!(file, b"1i32\nb\x02\0bool\0");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Writer<W: std::io::Write> {
    blocks: Blocks<W>,
    /// Room for a piece of text.
    text: Vec<u8>,
    /// Of the value whose pieces are written: what it is, and how many of its elements were.
    of: ElementType,
    dims: Vec<u64>,
    at: u64,
}

#[cfg(feature = "std")]
impl<W: std::io::Write> Writer<W> {
    /// A writer of values into a file or another `io::Write`.
    ///
    /// ```
    /// let writer = binfmt::formats::futhark::Writer::new(Vec::new());
    /// assert_eq!(writer.finish()?, 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(writer: W) -> Self {
        let (text, dims) = (Vec::new(), Vec::new());
        Writer { blocks: Blocks::new(writer), text, of: ElementType::U8, dims, at: 0 }
    }

    /// Writes one value.
    ///
    /// ```
    /// use binfmt::formats::futhark::{OutputStyle, Value, Writer};
    /// Writer::new(Vec::new()).write(&Value::from(1i8), OutputStyle::Printed)?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn write(&mut self, value: &Value, style: OutputStyle) -> Result<()> {
        let text = &mut self.text;
        if value.elements().len() >= BLOCK {
            let large = |writer: &mut W| writer_sink(writer, |out| put(value, style, text, out));
            return self.blocks.large_item(large);
        }
        self.blocks.item(|block| vec_sink(block, 0, |out| put(value, style, text, out)))
    }

    /// Writes a piece of a value, whose other pieces come before and after it, in the style of the first; how many bytes it is.
    ///
    /// ```
    /// use binfmt::formats::futhark::{OutputStyle, Writer, pieces_from_reader};
    /// let mut writer = Writer::new(Vec::new());
    /// for piece in pieces_from_reader(&b"[[1i8, 2], [3, 4]] true"[..]) {
    ///     writer.write_piece(&piece?, OutputStyle::Printed)?;
    /// }
    /// assert_eq!(writer.finish()?, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn write_piece(&mut self, piece: &Piece, style: OutputStyle) -> Result<u64> {
        if let Some(Outline { element_type, dims, .. }) = &piece.outline {
            (self.of, self.at) = (*element_type, 0);
            self.dims.clone_from(dims);
        }
        let Writer { blocks, text, of, dims, at } = self;
        let mut bytes = 0;
        let put = |block: &mut Vec<u8>| {
            let before = block.len();
            vec_sink(block, 0, |out| put_piece(piece, style, (*of, dims, *at), text, out))?;
            bytes = block.len().saturating_sub(before) as u64;
            Ok(())
        };
        match piece.is_last {
            true => blocks.item(put)?,
            false => blocks.part(put)?,
        }
        *at = at.saturating_add(piece.elements.len() as u64);
        Ok(bytes)
    }

    /// Hands the rest to the writer, flushes it, and returns how many values were written.
    ///
    /// ```
    /// use binfmt::formats::futhark::{OutputStyle, Value, Writer};
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write(&Value::from(1i8), OutputStyle::Text)?;
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
