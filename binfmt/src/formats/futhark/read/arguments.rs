//! A whole input as the arguments of an entry point: fields of a caller's struct, checked one by one.
//!
//! After its header a binary value is what the field's own wire form reads: a number, or dimensions and elements. So
//! the field reads from the input itself, through a source that takes headers and whitespace away.

use super::fields::{Expected, fields, more_than};
use super::values::pass_blank;
use crate::codec::{Decode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::formats::futhark::layout::{Header, Value};
use crate::formats::futhark::text::parse;
use crate::wire::amount::known;
use crate::wire::raw::bulk;
use crate::wire::{
    Budget, Cursor, Erased, Facts, Found, Hooks, InputBytes, Le, Lent, Options, Order, Saved, Slice, Source,
    Window, source::sealed,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Reads a whole input as the arguments of an entry point: each value into a field of `T`, in order.
///
/// A field is a number, a `bool`, an array with `shape(u64)`, or a sequence after a length of 64 bits for an array of one
/// dimension. Values may be binary or text; a number without a suffix is of the type that its field has.
///
/// ```
/// use binfmt::{Array, BinFormat};
/// use binfmt::formats::futhark::arguments;
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[binfmt(le, len = u64)]
/// struct Args {
///     n: u8,
///     #[binfmt(var_len)]
///     xs: Vec<f32>,
///     #[binfmt(shape(u64))]
///     grid: Array<i64, 2>,
/// }
/// let args: Args = arguments(b"7 [1, 0.5f32] [[1, 2], [3, 4]]")?;
/// assert_eq!((args.n, args.xs, args.grid[[1, 0]]), (7, vec![1.0, 0.5], 3));
///
/// let e = arguments::<Args>(b"7 [1] [1, 2]").unwrap_err();
/// assert_eq!(e.to_string(), "grid at byte 0x6: expected [][]i64, found [2]i64");
/// let e = arguments::<Args>(b"b\x02\0 i64").unwrap_err();
/// assert_eq!(e.to_string(), "n at byte 0x0: expected u8, found i64");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value is of another type or rank than its field, damaged or missing, or one is left over.
pub fn arguments<T: for<'de> Decode<'de>>(bytes: &[u8]) -> Result<T> {
    arguments_with(bytes, &Options::new())
}

/// [`arguments`] with limits from outside.
///
/// ```
/// use binfmt::{BinFormat, ErrorKind, Options};
/// use binfmt::formats::futhark::arguments_with;
/// #[derive(BinFormat, Debug)]
/// struct Args(#[binfmt(length_prefixed(u64))] Vec<f64>);
/// let e = arguments_with::<Args>(b"[1, 2, 3]", &Options::new().max_memory(16)).unwrap_err();
/// assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }));
/// ```
///
/// # Errors
/// As [`arguments`], or a limit is reached.
pub fn arguments_with<T: for<'de> Decode<'de>>(bytes: &[u8], options: &Options) -> Result<T> {
    read(Slice::with(bytes, options.limits, options.policy).erase())
}

/// [`arguments`] from a reader, to its end.
///
/// ```
/// let args: (i32, bool) = binfmt::formats::futhark::arguments_from_reader(&b"1 true"[..])?;
/// assert_eq!(args, (1, true));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`arguments`], or the reader fails.
#[cfg(feature = "std")]
pub fn arguments_from_reader<T: crate::DecodeOwned, R: std::io::Read>(reader: R) -> Result<T> {
    arguments_from_reader_with(reader, &Options::new())
}

/// [`arguments_from_reader`] with limits from outside.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::futhark::arguments_from_reader_with;
/// let args: (i32, bool) = arguments_from_reader_with(&b"1 true"[..], &Options::new().max_memory(1 << 20))?;
/// assert_eq!(args, (1, true));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`arguments_from_reader`], or a limit is reached.
#[cfg(feature = "std")]
pub fn arguments_from_reader_with<T: crate::DecodeOwned, R: std::io::Read>(
    reader: R,
    options: &Options,
) -> Result<T> {
    read(crate::wire::Stream::with(reader, options.limits, options.policy, false).erase())
}

/// Not inlined: a struct is compiled once for all readers.
#[inline(never)]
fn read<'de, T: Decode<'de>>(src: Erased<'_, 'de>) -> Result<T> {
    let fields = fields::<T>()?;
    let mut src = Arguments { inner: src, fields, next: 0, text: None };
    let value = T::decode::<Le, _>(&mut src, ())?;
    src.finish()?;
    Ok(value)
}

/// The source of fields: at each field of the struct it reads a header, or a text value as a whole.
struct Arguments<'a, 'de> {
    inner: Erased<'a, 'de>,
    fields: Vec<Expected>,
    next: usize,
    /// What is left of a text value.
    text: Option<TextBody>,
}

/// Dimensions and elements of a text value in their binary form, from which the field is read.
struct TextBody {
    bytes: Vec<u8>,
    /// How many bytes are used, at most all of them.
    used: usize,
}

impl TextBody {
    fn new(value: &Value) -> Result<Self> {
        // the header is not the field's
        Ok(TextBody { bytes: crate::to_vec(value)?, used: Header::FACTS.sizes().min })
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.used..]
    }

    /// The next n bytes.
    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let found = self.bytes[self.used..].get(..n)?;
        self.used += n;
        Some(found)
    }
}

impl Arguments<'_, '_> {
    /// The value of the next field, up to its dimensions.
    fn begin(&mut self) -> Result<()> {
        self.end_text()?;
        let expected = self.fields.get(self.next).copied();
        self.next += 1;
        let Some(expected) = expected else { return Ok(()) };
        pass_blank(&mut self.inner)?;
        let at = self.inner.pos();
        match self.inner.look(1)?.first() {
            None => {
                let found = "the end of the input";
                Err(Error::new(ErrorKind::mismatch("", expected.to_string(), found), at))
            }
            Some(b'b') => {
                let header = Header::decode::<Le, _>(&mut self.inner, ())?;
                let found = Expected { of: header.element_type, rank: header.rank };
                if found == expected { Ok(()) } else { Err(another(format!("{found}"), expected, at)) }
            }
            Some(_) => {
                let value = parse::value(&mut self.inner, Some(expected.of))?;
                let rank = value.dims().len();
                if value.element_type() != expected.of || rank != usize::from(expected.rank) {
                    return Err(another(value.type_name(), expected, at));
                }
                self.text = Some(TextBody::new(&value)?);
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.end_text()?;
        pass_blank(&mut self.inner)?;
        let at = self.inner.pos();
        match self.inner.look(1)?.is_empty() {
            true => Ok(()),
            false => Err(Error::new(more_than(self.fields.len()), at)),
        }
    }

    /// A text value is used up where its field ends.
    fn end_text(&mut self) -> Result<()> {
        match self.text.take().map_or(0, |text| text.rest().len() as u64) {
            0 => Ok(()),
            count => Err(Error::new(ErrorKind::UnconsumedRegion { count }, self.inner.pos())),
        }
    }

    /// The next n bytes of a text value.
    fn text_bytes(&mut self, n: usize) -> Result<Option<&[u8]>> {
        let at = self.inner.pos();
        let Some(text) = &mut self.text else { return Ok(None) };
        let left = text.rest().len();
        text.take(n).map(Some).ok_or_else(|| Error::short(n, left, at, true))
    }
}

#[cold]
fn another(found: String, expected: Expected, at: u64) -> Error {
    Error::new(ErrorKind::mismatch("", expected.to_string(), found), at)
}

impl sealed::Sealed for Arguments<'_, '_> {}

impl Hooks for Arguments<'_, '_> {
    fn is_by_field(&self) -> bool {
        true
    }

    fn begin_field(&mut self) -> Result<()> {
        self.begin()
    }
}

impl<'de> Cursor<'de> for Arguments<'_, 'de> {
    fn budget(&self) -> &Budget {
        self.inner.budget()
    }

    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        self.inner.budget_mut()
    }

    fn blank(&mut self, n: usize) -> Result<()> {
        self.skip(n as u64)
    }

    fn pos(&self) -> u64 {
        self.inner.pos()
    }

    fn left(&self) -> Option<usize> {
        match &self.text {
            Some(text) => Some(text.rest().len()),
            None => self.inner.left(),
        }
    }

    fn in_region(&self) -> bool {
        self.text.is_some() || self.inner.in_region()
    }

    fn at_end(&mut self) -> Result<bool> {
        if self.text.is_some() { Ok(self.left() == Some(0)) } else { self.inner.at_end() }
    }

    fn chunk(&mut self) -> Result<usize> {
        match &self.text {
            Some(text) => Ok(text.rest().len()),
            None => self.inner.chunk(),
        }
    }

    fn find(&mut self, byte: u8) -> Result<usize> {
        self.inner.find(byte)
    }

    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
        self.inner.search(wanted)
    }

    fn look(&mut self, n: usize) -> Result<&[u8]> {
        match &self.text {
            Some(text) => Ok(text.rest()),
            None => self.inner.look(n),
        }
    }

    /// Nothing: a run of fields goes over headers.
    fn ensure(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.text_bytes(N)? {
            Some(bytes) => Slice::new(bytes).array(),
            None => self.inner.array(),
        }
    }

    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        match self.text {
            Some(_) => Ok(InputBytes::new(known(self.text_bytes(n)?), n)),
            None => self.inner.take(n),
        }
    }

    fn borrow(&mut self, n: usize) -> Result<InputBytes<'de>> {
        match self.text {
            Some(_) => Err(Error::new(ErrorKind::CannotBorrow, self.inner.pos())),
            None => self.inner.borrow(n),
        }
    }

    fn skip(&mut self, n: u64) -> Result<()> {
        match self.text_bytes(usize::try_from(n).unwrap_or(usize::MAX))? {
            Some(_) => Ok(()),
            None => self.inner.skip(n),
        }
    }

    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        let at = self.inner.pos();
        match self.text_bytes(n)? {
            Some(bytes) => {
                bulk::try_room(out, n).map_err(|e| e.at(at))?;
                out.extend_from_slice(bytes);
                Ok(())
            }
            None => self.inner.append(n, out),
        }
    }

    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        match self.text_bytes(n.saturating_mul(facts.sizes().min))? {
            Some(bytes) => Slice::new(bytes).bulk::<O, T>(facts, n, out),
            None => self.inner.bulk::<O, T>(facts, n, out),
        }
    }

    fn plain<O: Order, T>(&mut self, _: Facts<T>) -> Result<Option<T>> {
        Ok(None)
    }

    fn hold(&mut self) -> u64 {
        self.inner.hold()
    }

    fn release(&mut self, before: u64) {
        self.inner.release(before);
    }

    fn rewind(&mut self, to: u64) {
        self.inner.rewind(to);
    }

    // no argument is an enum
    fn save(&mut self) -> Saved<'de> {
        self.inner.save()
    }

    fn restore(&mut self, saved: Saved<'de>) -> Result<()> {
        self.inner.restore(saved)
    }

    fn narrow(&mut self, n: u64) -> Result<Window> {
        self.inner.narrow(n)
    }

    fn widen(&mut self, window: Window) -> Result<()> {
        self.inner.widen(window)
    }
}

impl<'de> Source<'de> for Arguments<'_, 'de> {
    const HEARS: bool = true;

    fn erase(&mut self) -> Erased<'_, 'de> {
        Erased::Other(self)
    }
}
