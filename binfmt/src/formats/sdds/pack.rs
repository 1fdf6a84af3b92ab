//! Compressed files: found out by their content, and written.

use super::members::Members;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::stream::Steady;
use flate2::write::GzEncoder;
use lzma_rust2::{CheckType, LzmaReader, XzOptions, XzReader, XzWriter};
use std::fmt;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom, Write};

/// Memory that an xz or lzma file may ask for: what the highest level of compression needs, and as much again.
const MOST_MEMORY_KIB: u32 = 132 << 10;

/// The logarithm of the bytes that a zst file may ask for: 128 MiB, as its own program allows.
const MOST_WINDOW: u32 = 27;

/// Bytes that tell what a file is.
const TELLING: usize = 13;

/// How a whole file is compressed.
///
/// ```
/// use binfmt::formats::sdds::Compression;
/// assert_eq!(Compression::of(b"SDDS1\n"), Compression::None);
/// assert_eq!(Compression::of(b"\x1f\x8b\x08\0"), Compression::Gzip);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// `.gz`.
    Gzip,
    /// `.xz`, and what the official library writes as `.lzma`.
    Xz,
    /// The old form of `.lzma`, without a container. Read only.
    Lzma,
    /// `.zst`. Read only.
    Zstd,
}

impl Compression {
    /// What the first bytes of a file say.
    ///
    /// ```
    /// use binfmt::formats::sdds::Compression;
    /// assert_eq!(Compression::of(b"\xfd7zXZ\0"), Compression::Xz);
    /// assert_eq!(Compression::of(b"\x28\xb5\x2f\xfd"), Compression::Zstd);
    /// ```
    pub fn of(start: &[u8]) -> Self {
        if start.starts_with(&[0x1f, 0x8b]) {
            Compression::Gzip
        } else if start.starts_with(b"\xfd7zXZ\0") {
            Compression::Xz
        } else if start.starts_with(b"\x28\xb5\x2f\xfd") {
            Compression::Zstd
        } else if is_lzma(start) {
            Compression::Lzma
        } else {
            Compression::None
        }
    }

    /// What the name of a file asks for; of the official library's endings, `.Z` and `.F` are not known here.
    ///
    /// ```
    /// use binfmt::formats::sdds::Compression;
    /// assert_eq!(Compression::by_name("orbit.sdds.gz"), Compression::Gzip);
    /// assert_eq!(Compression::by_name("orbit.sdds.lzma"), Compression::Xz);
    /// assert_eq!(Compression::by_name("orbit.sdds"), Compression::None);
    /// ```
    pub fn by_name(name: &str) -> Self {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("gz") => Compression::Gzip,
            Some("xz" | "lzma") => Compression::Xz,
            Some("zst") => Compression::Zstd,
            _ => Compression::None,
        }
    }
}

/// Whether this is a header of the old form, which has no magic: a byte of properties, a dictionary's size as encoders
/// choose it, and a size that is unknown or that a file can have.
fn is_lzma(start: &[u8]) -> bool {
    let Some((header, _)) = start.split_first_chunk::<TELLING>() else { return false };
    let [properties, a, b, c, d, size @ ..] = *header;
    let (dictionary, size) = (u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(size));
    let round = dictionary.is_power_of_two() || (dictionary % 3 == 0 && (dictionary / 3).is_power_of_two());
    properties < 225 && round && dictionary >= 1 << 12 && (size == u64::MAX || size < 1 << 38)
}

/// Of decoders, many cannot go on after a read that was interrupted.
type Whole<R> = BufReader<Chain<Cursor<Vec<u8>>, Steady<R>>>;

/// A reader of a file that may be compressed. More than the limit is an error. After an error each read returns the same one.
///
/// ```
/// use binfmt::formats::sdds::{Compression, Packed, Unpacked};
/// use std::io::{Read, Write};
/// let mut packed = Packed::new(Vec::new(), Compression::Gzip)?;
/// packed.write_all(&[7; 1000])?;
/// let bytes = packed.finish()?;
/// let mut back = Vec::new();
/// Unpacked::new(&bytes[..], 1000)?.read_to_end(&mut back)?;
/// assert_eq!(back, [7; 1000]);
/// let e = Unpacked::new(&bytes[..], 999)?.read_to_end(&mut back).unwrap_err();
/// assert_eq!(e.to_string(), "the file decompresses to more than the limit of 999 bytes");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Unpacked<R: Read> {
    reader: Steady<Decoder<R>>,
    compression: Compression,
    limit: u64,
    left: u64,
}

enum Decoder<R: Read> {
    Plain(Whole<R>),
    Gzip(Box<Members<Whole<R>>>),
    Xz(Box<XzReader<Whole<R>>>),
    Lzma(Box<LzmaReader<Whole<R>>>),
    Zstd(Box<zstd::Decoder<'static, Whole<R>>>),
}

impl<R: Read> Unpacked<R> {
    /// Looks at the first bytes. `limit` bounds what a compressed file may become; a plain one is not bounded.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Compression, Unpacked};
    /// assert_eq!(Unpacked::new(&b"SDDS1"[..], 0)?.compression(), Compression::None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The reader fails, or the file asks for more memory than decompression of its kind needs.
    pub fn new(reader: R, limit: u64) -> io::Result<Self> {
        let mut reader = Steady::new(reader);
        let mut start = Vec::new();
        reader.by_ref().take(TELLING as u64).read_to_end(&mut start)?;
        let compression = Compression::of(&start);
        let whole = BufReader::new(Cursor::new(start).chain(reader));
        let reader = match compression {
            Compression::None => Decoder::Plain(whole),
            Compression::Gzip => Decoder::Gzip(Box::new(Members::new(whole))),
            Compression::Xz => Decoder::Xz(Box::new(XzReader::new_mem_limit(whole, true, MOST_MEMORY_KIB))),
            Compression::Lzma => {
                Decoder::Lzma(Box::new(LzmaReader::new_mem_limit(whole, MOST_MEMORY_KIB, None)?))
            }
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(whole)?;
                decoder.window_log_max(MOST_WINDOW)?;
                Decoder::Zstd(Box::new(decoder))
            }
        };
        Ok(Unpacked { reader: Steady::new(reader), compression, limit, left: limit })
    }

    /// How the file is compressed.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Compression, Unpacked};
    /// assert_eq!(Unpacked::new(&b"\x1f\x8b"[..], 9)?.compression(), Compression::Gzip);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn compression(&self) -> Compression {
        self.compression
    }
}

impl<R: Read + Seek> Unpacked<R> {
    /// Steps over bytes of a plain file without reading them, and says how many there were; `None` when that cannot be.
    pub(super) fn leap(&mut self, n: u64) -> io::Result<Option<u64>> {
        let Decoder::Plain(whole) = self.reader.get_mut() else { return Ok(None) };
        let buffered = whole.buffer().len() as u64;
        let (start, steady) = whole.get_mut().get_mut();
        let file = steady.get_mut();
        let unread = start.get_ref().len() as u64 - start.position();
        let Some(beyond) = n.checked_sub(buffered + unread) else { return Ok(None) };
        // what says that it can be sought, a pipe for example, may say otherwise when it is asked
        let (Ok(at), Ok(end)) = (file.stream_position(), file.seek(SeekFrom::End(0))) else {
            return Ok(None);
        };
        // another program may have made the file shorter
        let beyond = beyond.min(end.saturating_sub(at));
        file.seek(SeekFrom::Start(at + beyond))?;
        start.set_position(start.get_ref().len() as u64);
        whole.consume(usize::try_from(buffered).unwrap_or(usize::MAX));
        Ok(Some(buffered + unread + beyond))
    }
}

impl<R: Read + Seek> Unpacked<R> {
    /// Goes to a byte of a plain file; false when that cannot be.
    pub(super) fn go_to(&mut self, offset: u64) -> io::Result<bool> {
        let Decoder::Plain(whole) = self.reader.get_mut() else { return Ok(false) };
        let (start, steady) = whole.get_mut().get_mut();
        let file = steady.get_mut();
        // as above
        if file.stream_position().is_err() {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(offset))?;
        steady.moved();
        start.set_position(start.get_ref().len() as u64);
        let buffered = whole.buffer().len();
        whole.consume(buffered);
        self.reader.moved();
        Ok(true)
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoder::Plain(r) => r.read(out),
            Decoder::Gzip(r) => r.read(out),
            Decoder::Xz(r) => r.read(out),
            Decoder::Lzma(r) => r.read(out),
            Decoder::Zstd(r) => r.read(out),
        }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Unpacked { reader, compression, limit, left } = self;
        reader.run(|reader| {
            let n = reader.read(out)?;
            if *compression == Compression::None {
                return Ok(n);
            }
            *left = left.checked_sub(n as u64).ok_or_else(|| {
                let text = format!("the file decompresses to more than the limit of {limit} bytes");
                io::Error::new(io::ErrorKind::InvalidData, text)
            })?;
            Ok(n)
        })
    }
}

impl<R: Read> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked")
            .field("compression", &self.compression)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// A writer that compresses: put a [`Writer`](super::Writer) on it, and end it with [`finish`](Packed::finish).
///
/// ```
/// use binfmt::formats::sdds::{Compression, Header, Mode, Options, Packed, Writer};
/// let packed = Packed::new(Vec::new(), Compression::Xz)?;
/// let file = Writer::new(packed, Header::new(Mode::Binary))?.finish()?.finish()?;
/// assert!(file.starts_with(b"\xfd7zXZ"));
/// assert!(Options::new().packed(&file[..])?.header().columns.is_empty());
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct Packed<W: Write>(Encoder<W>);

enum Encoder<W: Write> {
    Plain(W),
    Gzip(Box<GzEncoder<W>>),
    Xz(Box<XzWriter<W>>),
}

impl<W: Write> Packed<W> {
    /// Compresses with the usual level of the kind: 6. An xz file has CRC-32 checks, as those of the official library.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Compression, Packed};
    /// assert_eq!(Packed::new(Vec::new(), Compression::None)?.finish()?, b"");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The kind is [`Compression::Lzma`] or [`Compression::Zstd`], which are only read, or the writer fails.
    pub fn new(out: W, compression: Compression) -> Result<Self> {
        Ok(Packed(match compression {
            Compression::None => Encoder::Plain(out),
            Compression::Gzip => Encoder::Gzip(Box::new(GzEncoder::new(out, flate2::Compression::default()))),
            Compression::Xz => {
                let mut options = XzOptions::with_preset(6);
                options.set_check_sum_type(CheckType::Crc32);
                Encoder::Xz(Box::new(XzWriter::new(out, options)?))
            }
            Compression::Lzma => {
                return Err(ErrorKind::unsupported("writing", "the old form of .lzma: use .xz").into());
            }
            Compression::Zstd => {
                return Err(ErrorKind::unsupported("writing", ".zst: use .xz").into());
            }
        }))
    }

    /// Ends the compressed file, and returns the writer.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Compression, Packed};
    /// assert!(Packed::new(Vec::new(), Compression::Gzip)?.finish()?.starts_with(&[0x1f, 0x8b]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails.
    pub fn finish(self) -> Result<W> {
        match self.0 {
            Encoder::Plain(out) => Ok(out),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
        }
        .map_err(Error::from)
    }
}

#[cfg(feature = "table")]
impl<W: Write> Packed<W> {
    /// The writer, if nothing is compressed.
    pub(super) fn plain(&mut self) -> Option<&mut W> {
        match &mut self.0 {
            Encoder::Plain(out) => Some(out),
            Encoder::Gzip(_) | Encoder::Xz(_) => None,
        }
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Encoder::Plain(out) => out.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Xz(encoder) => encoder.write(bytes),
        }
    }

    /// Of a compressed file only what the encoder has done with: ending blocks early would make it larger.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Encoder::Plain(out) => out.flush(),
            Encoder::Gzip(encoder) => encoder.get_mut().flush(),
            Encoder::Xz(encoder) => encoder.inner_mut().flush(),
        }
    }
}

impl<W: Write> fmt::Debug for Packed<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Encoder::Plain(_) => Compression::None,
            Encoder::Gzip(_) => Compression::Gzip,
            Encoder::Xz(_) => Compression::Xz,
        };
        f.debug_tuple("Packed").field(&kind).finish()
    }
}
