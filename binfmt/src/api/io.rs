//! The functions on readers and writers.

use super::*;
use crate::codec::DecodeOwned;
use crate::codec::compound::encode_items;
use crate::wire::out::locating_writer;
use crate::wire::{Cursor, Stream};
use std::io::{Read, Seek, SeekFrom, Write};

/// Decodes one value from a reader, and reads not one byte more than it takes.
///
/// Put a `BufReader` around a reader whose every call is expensive.
///
/// ```
/// let mut reader = &[1u8, 0, 9][..];
/// assert_eq!(binfmt::from_reader::<u16>(&mut reader)?, 1);
/// assert_eq!(reader, [9]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The reader fails or ends, or the bytes are not a value of this type.
pub fn from_reader<T: DecodeOwned>(reader: impl Read) -> Result<T> {
    from_reader_with(reader, &Options::new())
}

/// [`from_reader`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let n: u16 = binfmt::from_reader_with(&[0u8, 1][..], &Options::new().endian(Endian::Big))?;
/// assert_eq!(n, 1);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`from_reader`], or a limit is reached.
pub fn from_reader_with<T: DecodeOwned<C>, C: Copy>(reader: impl Read, options: &Options<C>) -> Result<T> {
    let mut src = Stream::with(reader, options.limits, options.policy, true);
    in_order!(T, options, O => T::decode::<O, _>(&mut src, options.ctx))
}

/// Decodes one value from a reader that seeks, with parts that lie elsewhere ([`at`](crate::attributes#at)).
///
/// Positions count from where the reader is. In the end it is after the value, and before its other parts. A few kilobytes are read
/// at each place; of a file that is in memory or mapped, [`from_slice`] copies nothing.
///
/// ```
/// use binfmt::BinFormat;
/// use std::io::Cursor;
/// #[derive(BinFormat)]
/// struct Name { place: u8, #[binfmt(at = *place, nul)] name: String }
/// let name: Name = binfmt::from_seeker(Cursor::new(b"\x03..cd\0"))?;
/// assert_eq!(name.name, "cd");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The reader fails or ends, or the bytes are not a value of this type.
pub fn from_seeker<T: DecodeOwned>(reader: impl Read + Seek) -> Result<T> {
    from_seeker_with(reader, &Options::new())
}

/// [`from_seeker`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let big = Options::new().endian(Endian::Big);
/// let n: u16 = binfmt::from_seeker_with(std::io::Cursor::new([0u8, 1]), &big)?;
/// assert_eq!(n, 1);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`from_seeker`], or a limit is reached.
pub fn from_seeker_with<T: DecodeOwned<C>, C: Copy>(
    mut reader: impl Read + Seek,
    options: &Options<C>,
) -> Result<T> {
    let reader: &mut dyn ReadSeek = &mut reader;
    let (base, size) = bounds(reader)?;
    let mut src = Stream::with(reader, options.limits, options.policy, false).seeking(seek, base, size);
    let value = in_order!(T, options, O => T::decode::<O, _>(&mut src, options.ctx))?;
    src.settle()?;
    Ok(value)
}

trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

fn seek(reader: &mut &mut dyn ReadSeek, to: u64) -> std::io::Result<()> {
    reader.seek(SeekFrom::Start(to)).map(|_| ())
}

/// Where a reader is, and how many bytes follow.
fn bounds(reader: &mut dyn ReadSeek) -> std::io::Result<(u64, u64)> {
    let base = reader.stream_position()?;
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(base))?;
    Ok((base, end.saturating_sub(base)))
}

/// Decodes the records of a reader one by one, to its end. After an error the iterator ends.
///
/// Memory stays flat: one block of the input, and the record that is handed out.
///
/// ```
/// let mut records = binfmt::records_from_reader::<u16, _>(&[1u8, 0, 2][..]);
/// assert_eq!(records.next().unwrap()?, 1);
/// assert!(records.next().unwrap().unwrap_err().is_incomplete());
/// assert!(records.next().is_none());
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn records_from_reader<T: DecodeOwned, R: Read>(reader: R) -> RecordsFromReader<R, T> {
    records_from_reader_with(reader, &Options::new())
}

/// [`records_from_reader`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let big = Options::new().endian(Endian::Big);
/// let n: Result<Vec<u16>, _> = binfmt::records_from_reader_with(&[0u8, 1][..], &big).collect();
/// assert_eq!(n?, [1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn records_from_reader_with<T: DecodeOwned<C>, C: Copy, R: Read>(
    reader: R,
    options: &Options<C>,
) -> RecordsFromReader<R, T, C> {
    let src = Stream::with(reader, options.limits, options.policy, false);
    RecordsFromReader { src: Some(src), options: *options, index: 0, of: PhantomData }
}

/// The records of a reader: see [`records_from_reader`].
pub struct RecordsFromReader<R, T, C = ()> {
    src: Option<Stream<R>>,
    options: Options<C>,
    index: usize,
    of: PhantomData<fn() -> T>,
}

impl<R, T, C> fmt::Debug for RecordsFromReader<R, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordsFromReader").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<R: Read, T: DecodeOwned<C>, C: Copy> RecordsFromReader<R, T, C> {
    fn step(src: &mut Stream<R>, options: &Options<C>) -> Result<Option<T>> {
        if Cursor::at_end(src)? {
            return Ok(None);
        }
        let at = Cursor::pos(src);
        src.budget_mut().0.renew(options.limits);
        let v = in_order!(T, options, O => T::decode::<O, _>(src, options.ctx))?;
        if Cursor::pos(src) == at { Err(endless(at)) } else { Ok(Some(v)) }
    }
}

impl<R: Read, T: DecodeOwned<C>, C: Copy> Iterator for RecordsFromReader<R, T, C> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let src = self.src.as_mut()?;
        match Self::step(src, &self.options) {
            Ok(Some(v)) => {
                self.index = self.index.wrapping_add(1);
                Some(Ok(v))
            }
            Ok(None) => {
                self.src = None;
                None
            }
            Err(e) => {
                self.src = None;
                Some(Err(e.within(crate::error::Step::Index(self.index))))
            }
        }
    }
}

impl<R: Read, T: DecodeOwned<C>, C: Copy> core::iter::FusedIterator for RecordsFromReader<R, T, C> {}

/// Encodes a value into a writer, in blocks, and flushes it; returns how many bytes it took.
///
/// ```
/// let mut file = Vec::new();
/// assert_eq!(binfmt::to_writer(&1u32, &mut file)?, 4);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The writer fails, or the value contradicts its layout. What was written before stays written.
pub fn to_writer<T: Encode, W: Write>(value: &T, writer: W) -> Result<u64> {
    locating_writer(writer, |out| value.encode::<Le, _>(out, ()))
}

/// [`to_writer`] with byte order and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let mut file = Vec::new();
/// binfmt::to_writer_with(&1u16, &mut file, &Options::new().endian(Endian::Big))?;
/// assert_eq!(file, [0, 1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`to_writer`].
pub fn to_writer_with<T: Encode<C>, C: Copy, W: Write>(
    value: &T,
    writer: W,
    options: &Options<C>,
) -> Result<u64> {
    in_order!(T, options, O => locating_writer(writer, |out| value.encode::<O, _>(out.with(options), options.ctx)))
}

/// Encodes all values one after the other into a writer, in blocks; returns how many bytes they took.
///
/// ```
/// let mut file = Vec::new();
/// assert_eq!(binfmt::encode_all_to_writer(&[1u16, 2], &mut file)?, 4);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`to_writer`].
pub fn encode_all_to_writer<T: Encode, W: Write>(items: &[T], writer: W) -> Result<u64> {
    locating_writer(writer, |out| encode_items::<Le, _, T, ()>(items, out, ()))
}

/// [`encode_all_to_writer`] with byte order and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let mut file = Vec::new();
/// binfmt::encode_all_to_writer_with(&[1u16, 2], &mut file, &Options::new().endian(Endian::Big))?;
/// assert_eq!(file, [0, 1, 0, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`to_writer`].
pub fn encode_all_to_writer_with<T: Encode<C>, C: Copy, W: Write>(
    items: &[T],
    writer: W,
    options: &Options<C>,
) -> Result<u64> {
    in_order!(T, options, O => locating_writer(writer, |out| encode_items::<O, _, T, C>(items, out.with(options), options.ctx)))
}
