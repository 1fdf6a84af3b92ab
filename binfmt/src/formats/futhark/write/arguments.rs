//! The fields of a caller's struct as the input of a program: what `arguments` reads.
//!
//! The wire form of a field is that of a value without its header. So the struct writes itself into a sink that puts the
//! headers between the fields, or makes text of what belongs to one.

use super::values::put;
use crate::codec::Encode;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::futhark::layout::{Header, Value, num_elements};
use crate::formats::futhark::options::{Form, OutputStyle};
use crate::formats::futhark::read::fields::{Expected, fields, more_than};
use crate::wire::raw::bulk;
use crate::wire::source::sealed::Sealed;
use crate::wire::{Facts, Le, Order, Sink, vec_sink};
use alloc::vec::Vec;

/// The fields of a struct or tuple as values, in order: the input of a program, which [`arguments`](crate::formats::futhark::arguments())
/// reads.
///
/// A field is a number, a `bool`, an array with `shape(u64)`, or a sequence after a length of 64 bits for an array of one
/// dimension.
///
/// ```
/// use binfmt::{Array, BinFormat};
/// use binfmt::formats::futhark::{OutputStyle, arguments, write_arguments};
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[binfmt(le, len = u64)]
/// struct Args {
///     n: u8,
///     #[binfmt(var_len)]
///     xs: Vec<f32>,
///     #[binfmt(shape(u64))]
///     grid: Array<i64, 2>,
/// }
/// let args = Args { n: 7, xs: vec![], grid: Array::new([1, 2], vec![1, -2]).unwrap() };
/// assert_eq!(write_arguments(&args, OutputStyle::Text)?, b"7u8\nempty([0]f32)\n[[1i64, -2i64]]\n");
/// let binary = write_arguments(&args, OutputStyle::Printed)?;
/// assert!(binary.starts_with(b"b\x02\0  u8\x07\nb\x02\x01 f32\0\0\0\0\0\0\0\0\nb\x02\x02 i64"));
/// assert_eq!(arguments::<Args>(&binary)?, args);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// Futhark has no value for a field, a field is big-endian, or it contradicts its layout.
pub fn write_arguments<T: Encode>(args: &T, style: OutputStyle) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    vec_sink(&mut out, T::FACTS.sizes().min, |out| supply(args, style, out))?;
    Ok(out)
}

/// [`write_arguments`] into a writer, in blocks; returns how many bytes it took.
///
/// ```
/// use binfmt::formats::futhark::{OutputStyle, write_arguments_to};
/// let mut input = Vec::new();
/// assert_eq!(write_arguments_to(&(1i32, true), OutputStyle::Text, &mut input)?, 10);
/// assert_eq!(input, b"1i32\ntrue\n");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`write_arguments`], or the writer fails.
#[cfg(feature = "std")]
pub fn write_arguments_to<T: Encode, W: std::io::Write>(
    args: &T,
    style: OutputStyle,
    writer: W,
) -> Result<u64> {
    crate::wire::out::writer_sink(writer, |out| supply(args, style, out))
}

fn supply<T: Encode, W: Sink>(args: &T, style: OutputStyle, out: &mut W) -> Result<()> {
    let fields = fields::<T>()?;
    let mut sink = Supply {
        inner: out,
        style,
        fields,
        next: 0,
        inside: false,
        dims: Vec::new(),
        dims_left: 0,
        left: 0,
        text: Vec::new(),
    };
    args.encode::<Le, _>(&mut sink, ())
}

/// The sink of fields: it counts what comes, in pieces of any size.
struct Supply<'w, W> {
    inner: &'w mut W,
    style: OutputStyle,
    fields: Vec<Expected>,
    /// Fields that have begun.
    next: usize,
    /// Whether one of them has not ended.
    inside: bool,
    /// The dimensions of the field as far as they have come, and their bytes that are still to come.
    dims: Vec<u8>,
    dims_left: usize,
    /// Bytes of elements that are still to come; known after the dimensions.
    left: u64,
    /// The binary form of a value that becomes text.
    text: Vec<u8>,
}

impl<W: Sink> Supply<'_, W> {
    fn begin(&mut self) -> Result<()> {
        let Some(Expected { of, rank }) = self.fields.get(self.next).copied() else {
            return Err(Error::new(more_than(self.fields.len()), self.pos()));
        };
        self.next += 1;
        self.inside = true;
        self.dims.clear();
        self.dims_left = usize::from(rank) * 8;
        self.left = if rank == 0 { of.size() } else { 0 };
        let header = Header::new(of, rank);
        match self.style.form() {
            Form::Binary => header.encode::<Le, W>(self.inner, ()),
            Form::Text => crate::append(&header, &mut self.text),
        }
    }

    /// What follows from the dimensions when all are there.
    fn measure(&mut self) -> Result<()> {
        let dims: Vec<u64> = self.dims.as_chunks().0.iter().map(|dim| u64::from_le_bytes(*dim)).collect();
        let size = self.field().map_or(0, |field| field.of.size());
        let bytes = num_elements(&dims).and_then(|n| n.checked_mul(size));
        let at = self.pos();
        self.left = bytes.ok_or_else(|| Error::new(ErrorKind::DimensionsOverflow { dims }, at))?;
        Ok(())
    }

    fn field(&self) -> Option<Expected> {
        self.fields.get(self.next.checked_sub(1)?).copied()
    }

    /// The end of a field, when it is reached.
    fn end(&mut self) -> Result<()> {
        if !self.inside || self.dims_left > 0 || self.left > 0 {
            return Ok(());
        }
        self.inside = false;
        if self.style.form() == Form::Binary {
            return self.inner.bytes(self.style.end(), 0);
        }
        let value: Value = crate::from_slice(&self.text)?;
        put(&value, self.style, &mut self.text, self.inner)?;
        self.text.clear();
        Ok(())
    }

    fn pass(&mut self, bytes: &[u8]) -> Result<()> {
        match self.style.form() {
            Form::Binary => self.inner.bytes(bytes, 0),
            Form::Text => {
                bulk::try_room(&mut self.text, bytes.len()).map_err(|e| e.at(self.inner.pos()))?;
                self.text.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}

impl<W> Sealed for Supply<'_, W> {}

impl<W: Sink> Sink for Supply<'_, W> {
    const COUNT: bool = W::COUNT;

    /// Nothing: a run of fields goes over headers.
    fn ensure(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    fn array<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        self.bytes(&bytes, 0)
    }

    fn bytes(&mut self, mut bytes: &[u8], _: usize) -> Result<()> {
        while !bytes.is_empty() {
            if !self.inside {
                self.begin()?;
            }
            let in_dims = self.dims_left > 0;
            let most =
                if in_dims { self.dims_left } else { usize::try_from(self.left).unwrap_or(usize::MAX) };
            let (front, rest) = bytes.split_at_checked(most).unwrap_or((bytes, &[]));
            self.pass(front)?;
            bytes = rest;
            if in_dims {
                self.dims.extend_from_slice(front);
                self.dims_left -= front.len();
                if self.dims_left == 0 {
                    self.measure()?;
                }
            } else {
                self.left -= front.len() as u64;
            }
            self.end()?;
        }
        Ok(())
    }

    fn fill(&mut self, byte: u8, n: u64) -> Result<()> {
        for _ in 0..n {
            self.array([byte])?;
        }
        Ok(())
    }

    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()> {
        let size = items.len() as u64 * facts.sizes().min as u64;
        // nearly always the elements of one array, which need no second copy
        if size > 0 && self.inside && self.dims_left == 0 && size <= self.left {
            match self.style.form() {
                Form::Binary => self.inner.bulk::<O, T>(facts, items)?,
                Form::Text => vec_sink(&mut self.text, 0, |out| out.bulk::<O, T>(facts, items))?,
            }
            self.left -= size;
            return self.end();
        }
        let mut bytes = Vec::new();
        vec_sink(&mut bytes, 0, |out| out.bulk::<O, T>(facts, items))?;
        self.bytes(&bytes, 0)
    }

    fn pos(&self) -> u64 {
        self.inner.pos() + self.text.len() as u64
    }
}
