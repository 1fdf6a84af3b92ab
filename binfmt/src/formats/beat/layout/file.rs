//! Data files: two lines, then chunks, each after a line of its own.
//!
//! A chunk and a file of chunks have hand-written impls: they pass the context of their values on, of any type, which the
//! derive can say of no type parameter of its own; and what fills a region of as many bytes as a line of text says has no word.

use crate::BinFormat;
use crate::codec::compound::decode_item;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::beat::text::FormatName;
use crate::wire::{Facts, Kind, Label, Le, OPEN, Order, Sink, Source};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest line that is read.
pub(crate) const MAX_LINE: usize = 4096;
/// The first line of every data file.
const BINARY: &[u8] = b"binary";

/// The two lines before the chunks.
#[derive(BinFormat)]
pub(crate) struct FileHead {
    #[binfmt(decode_with = encoding_line, encode_with = put_encoding)]
    encoding: Binary,
    #[binfmt(decode_with = format_line, encode_with = put_format)]
    pub(crate) format: String,
}

/// The encoding of a file that can be read; there is another one.
struct Binary;

impl FileHead {
    pub(crate) fn new(format: &str) -> Self {
        FileHead { encoding: Binary, format: format.to_owned() }
    }
}

/// A value, and the indices of the data that it stands for: `start` to `end`, both belong to it.
///
/// On the wire: a line `start end size`, the value, and a newline, which `size` counts. A chunk whose size does not count
/// a newline and that has none is read, too.
///
/// ```
/// use binfmt::formats::beat::Chunk;
/// let chunk = Chunk { start: 3, end: 5, value: 7i32 };
/// let bytes = binfmt::to_vec(&chunk)?;
/// assert_eq!(bytes, b"3 5 5\n\x07\0\0\0\n");
/// assert_eq!(binfmt::from_slice::<Chunk<i32>>(&bytes)?, chunk);
/// let e = binfmt::from_slice::<Chunk<i16>>(&bytes).unwrap_err();
/// assert_eq!(e.to_string(), "value at byte 0x8: end of the chunk: expected a newline, found 3 bytes");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk<T> {
    /// The first index.
    pub start: u64,
    /// The last index.
    pub end: u64,
    /// What the payload contains.
    pub value: T,
}

/// A whole data file.
///
/// The context of `T` is that of the file: none for a struct, the [`Declaration`](crate::formats::beat::Declaration) for an
/// [`Object`](super::Object).
///
/// ```
/// use binfmt::formats::beat::{Chunk, DataFile};
/// let file: DataFile<i32> = binfmt::from_slice(b"binary\nu/i/1\n0 0 5\n\x03\0\0\0\n")?;
/// assert_eq!(file.format, "u/i/1");
/// assert_eq!(file.chunks, [Chunk { start: 0, end: 0, value: 3 }]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile<T> {
    /// The second line: the name of the data format, or `analysis:` and the name of an algorithm.
    pub format: String,
    /// The chunks in the order of the file.
    pub chunks: Vec<Chunk<T>>,
}

/// The numbers of a chunk's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkLine {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) size: u64,
}

impl ChunkLine {
    /// Three integers with whitespace between them, as Python's `int` takes them.
    pub(crate) fn parse(line: &[u8], at: u64) -> Result<ChunkLine> {
        let wrong = || {
            let found = if line.is_empty() { "an empty line".into() } else { shown(line) };
            Error::new(ErrorKind::mismatch("", "`start end size`", found), at)
        };
        let mut numbers = line
            .split(|c| c.is_ascii_whitespace() || *c == 0x0b)
            .filter(|word| !word.is_empty())
            .map(integer);
        let (start, end, size) = match (numbers.next(), numbers.next(), numbers.next(), numbers.next()) {
            (Some(Some(start)), Some(Some(end)), Some(Some(size)), None) => (start, end, size),
            _ => return Err(wrong()),
        };
        if start > end {
            return Err(Error::new(falling(start, end), at));
        }
        Ok(ChunkLine { start, end, size })
    }
}

/// `7`, `+7`, `1_000`
fn integer(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let (first, last) = (digits.first()?, digits.last()?);
    if *first == b'_' || *last == b'_' || digits.windows(2).any(|pair| pair == b"__") {
        return None;
    }
    digits.iter().filter(|c| **c != b'_').try_fold(0u64, |n, c| {
        let digit = c.is_ascii_digit().then(|| c - b'0')?;
        n.checked_mul(10)?.checked_add(digit.into())
    })
}

/// A line without its newline. No more than the longest line is looked at, and of a reader nothing after the line.
fn line<'de, S: Source<'de>>(src: &mut S) -> Result<Vec<u8>> {
    const MOST: usize = MAX_LINE + 1;
    let mut len = 0;
    let n = loop {
        let seen = src.look(len + 1)?;
        // what was seen before is still there, and is shorter than the longest line
        let new = &seen[len..seen.len().min(MOST)];
        if let Some(n) = new.iter().position(|c| *c == b'\n') {
            break len + n;
        }
        if seen.len() >= MOST {
            return Err(Error::new(ErrorKind::size_limit("line", None, MAX_LINE as u64), src.pos()));
        }
        if seen.len() == len {
            // the input ends without a newline, as this says
            break src.find(b'\n')?;
        }
        len = seen.len();
    };
    src.mark(Kind::Text("ASCII"), true);
    let line = src.take(n)?.bytes().to_vec();
    src.skip(1)?;
    Ok(line)
}

// Functions of a field are called with a byte order, which lines do not have.

#[allow(clippy::extra_unused_type_parameters)]
fn encoding_line<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Binary> {
    let at = src.pos();
    encoding(&line(src)?, at)?;
    Ok(Binary)
}

#[allow(clippy::extra_unused_type_parameters)]
fn put_encoding<O: Order, W: Sink>(_: &Binary, out: &mut W) -> Result<()> {
    put_line(BINARY, out)
}

#[allow(clippy::extra_unused_type_parameters)]
fn format_line<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<String> {
    let at = src.pos();
    format_name(&line(src)?, at)
}

#[allow(clippy::extra_unused_type_parameters)]
fn put_format<O: Order, W: Sink>(format: &str, out: &mut W) -> Result<()> {
    format_name(format.as_bytes(), out.pos())?;
    put_line(format.as_bytes(), out)
}

fn put_line<W: Sink>(line: &[u8], out: &mut W) -> Result<()> {
    out.bytes(line, 1)?;
    out.array(*b"\n")
}

/// The front of a line, for a message.
#[cold]
pub(crate) fn shown(line: &[u8]) -> String {
    format!("`{}`", line.get(..40).unwrap_or(line).escape_ascii())
}

/// The error of indices that do not rise.
#[cold]
pub(crate) fn falling(start: u64, end: u64) -> ErrorKind {
    ErrorKind::invalid("range of indices", format_args!("{start} to {end}"), "")
}

/// The first line.
pub(crate) fn encoding(line: &[u8], at: u64) -> Result<()> {
    match line {
        BINARY => Ok(()),
        b"json" => {
            Err(Error::new(ErrorKind::unsupported("binfmt", "BEAT files with the encoding `json`"), at))
        }
        other => Err(Error::new(ErrorKind::mismatch("", "the line `binary`", shown(other)), at)),
    }
}

/// The second line.
pub(crate) fn format_name(line: &[u8], at: u64) -> Result<String> {
    let expected = "the name of a format, `user/name/version`";
    let wrong = || Error::new(ErrorKind::mismatch("", expected, shown(line)), at);
    let text = core::str::from_utf8(line).map_err(|_| wrong())?;
    let is_analysis = text.strip_prefix("analysis:").is_some_and(|name| !name.is_empty());
    if is_analysis || FormatName::parse(text).is_some() { Ok(text.to_owned()) } else { Err(wrong()) }
}

impl<T> Layout for Chunk<T> {
    // the line takes six bytes at least
    const FACTS: Facts<Self> = Facts::range(0, 6, OPEN);
}

impl<'de, C, T: Decode<'de, C>> Decode<'de, C> for Chunk<T> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        src.open(Label::Piece("line"), "");
        let at = src.pos();
        let bytes = line(src).map_err(|e| e.within(Step::Field("line")))?;
        let ChunkLine { start, end, size } =
            ChunkLine::parse(&bytes, at).map_err(|e| e.within(Step::Field("line")))?;
        src.close();
        let value = payload(src, size, ctx).map_err(|e| e.within(Step::Field("value")))?;
        Ok(Chunk { start, end, value })
    }
}

/// The value of a chunk and the newline after it.
pub(crate) fn payload<'de, S: Source<'de>, T: Decode<'de, C>, C>(
    src: &mut S,
    size: u64,
    ctx: C,
) -> Result<T> {
    let begin = src.pos();
    let window = src.narrow(size)?;
    src.open(Label::Field("value"), "");
    let value = T::decode::<Le, S>(src, ctx)?;
    src.close();
    // the window has that many bytes
    let left = size - (src.pos() - begin);
    if left > 0 {
        src.open(Label::Piece("newline"), "");
        src.mark(Kind::Bytes, true);
        let at = src.pos();
        if left > 1 || src.array::<1>()? != *b"\n" {
            let found = format!("{left} byte{}", if left == 1 { "" } else { "s" });
            return Err(Error::new(ErrorKind::mismatch("end of the chunk", "a newline", found), at));
        }
        src.close();
    }
    src.widen(window)?;
    Ok(value)
}

impl<C: Copy, T: Encode<C>> Encode<C> for Chunk<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        put_chunk(self.start, self.end, &self.value, ctx, out)
    }
}

/// Writes a chunk of a value.
pub(crate) fn put_chunk<C: Copy, T: Encode<C>, W: Sink>(
    start: u64,
    end: u64,
    value: &T,
    ctx: C,
    out: &mut W,
) -> Result<()> {
    if start > end {
        return Err(Error::new(falling(start, end), out.pos()));
    }
    let in_value = |e: Error| e.within(Step::Field("value"));
    let size = value.encoded_len(ctx).map_err(in_value)? as u64 + 1;
    out.bytes(format!("{start} {end} {size}\n").as_bytes(), 0)?;
    value.encode::<Le, W>(out, ctx).map_err(in_value)?;
    out.array(*b"\n")
}

impl<T> Layout for DataFile<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de, C: Copy, T: Decode<'de, C>> Decode<'de, C> for DataFile<T> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let FileHead { format, .. } = FileHead::decode::<O, S>(src, ())?;
        let mut chunks = Vec::new();
        if src.at_end()? {
            return Ok(DataFile { format, chunks });
        }
        src.open(Label::Field("chunks"), "");
        while !src.at_end()? {
            src.charge(size_of::<Chunk<T>>())?;
            let chunk = decode_item::<O, S, Chunk<T>, C>(src, chunks.len(), ctx);
            chunks.push(chunk.map_err(|e| e.within(Step::Field("chunks")))?);
        }
        src.close();
        Ok(DataFile { format, chunks })
    }
}

impl<C: Copy, T: Encode<C>> Encode<C> for DataFile<T> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        FileHead::new(&self.format).encode::<O, W>(out, ())?;
        for (i, chunk) in self.chunks.iter().enumerate() {
            let done = chunk.encode::<O, W>(out, ctx);
            done.map_err(|e| e.within(Step::Index(i)).within(Step::Field("chunks")))?;
        }
        Ok(())
    }
}
