//! Data files: two lines, then chunks, each behind a line of its own.

use super::name::FormatName;
use crate::codec::compound::decode_item;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Facts, Kind, Label, Le, OPEN, Order, Sink, Source};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest line that is read.
pub(super) const MAX_LINE: usize = 4096;
/// The first line of every data file.
pub(super) const BINARY: &[u8] = b"binary";

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
    /// What the payload holds.
    pub value: T,
}

/// A whole data file.
///
/// The context of `T` is that of the file: none for a struct, the [`Declaration`](super::Declaration) for an
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
pub(super) struct ChunkLine {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) size: u64,
}

impl ChunkLine {
    /// Three integers with whitespace between them, as Python's `int` takes them.
    pub(super) fn parse(line: &[u8], at: u64) -> Result<ChunkLine> {
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
        let digit = c.is_ascii_digit().then(|| c.wrapping_sub(b'0'))?;
        n.checked_mul(10)?.checked_add(digit.into())
    })
}

/// A line without its newline. No more than the longest line is looked at, and of a reader nothing behind the line.
fn line<'de, S: Source<'de>>(src: &mut S) -> Result<Vec<u8>> {
    const MOST: usize = MAX_LINE.saturating_add(1);
    let mut len = 0usize;
    let n = loop {
        let seen = src.look(len.saturating_add(1))?;
        let new = seen.get(len..seen.len().min(MOST)).unwrap_or(&[]);
        if let Some(n) = new.iter().position(|c| *c == b'\n') {
            break len.saturating_add(n);
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
    let line = src.take(n)?.bytes().to_vec();
    src.skip(1)?;
    Ok(line)
}

/// The two lines in front: the answer is the second one.
pub(super) fn file_header<'de, S: Source<'de>>(src: &mut S) -> Result<String> {
    let in_field = |name: &'static str| move |e: Error| e.within(Step::Field(name));
    src.open(Label::Field("encoding"), "");
    src.mark(Kind::Text("ASCII"), true);
    let at = src.pos();
    let first = line(src).map_err(in_field("encoding"))?;
    encoding(&first, at).map_err(in_field("encoding"))?;
    src.close();
    src.open(Label::Field("format"), "");
    src.mark(Kind::Text("ASCII"), true);
    let at = src.pos();
    let second = line(src).map_err(in_field("format"))?;
    let format = format_name(&second, at).map_err(in_field("format"))?;
    src.close();
    Ok(format)
}

/// The front of a line, for a message.
#[cold]
pub(super) fn shown(line: &[u8]) -> String {
    format!("`{}`", line.get(..40).unwrap_or(line).escape_ascii())
}

/// The error of indices that do not rise.
#[cold]
pub(super) fn falling(start: u64, end: u64) -> ErrorKind {
    ErrorKind::invalid("range of indices", format_args!("{start} to {end}"), "")
}

/// The first line.
pub(super) fn encoding(line: &[u8], at: u64) -> Result<()> {
    match line {
        BINARY => Ok(()),
        b"json" => {
            Err(Error::new(ErrorKind::unsupported("binfmt", "BEAT files with the encoding `json`"), at))
        }
        other => Err(Error::new(ErrorKind::mismatch("", "the line `binary`", shown(other)), at)),
    }
}

/// The second line.
pub(super) fn format_name(line: &[u8], at: u64) -> Result<String> {
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
        src.mark(Kind::Text("ASCII"), true);
        let at = src.pos();
        let bytes = line(src).map_err(|e| e.within(Step::Field("line")))?;
        let ChunkLine { start, end, size } =
            ChunkLine::parse(&bytes, at).map_err(|e| e.within(Step::Field("line")))?;
        src.close();
        let value = payload(src, size, ctx).map_err(|e| e.within(Step::Field("value")))?;
        Ok(Chunk { start, end, value })
    }
}

/// The value of a chunk and the newline behind it.
pub(super) fn payload<'de, S: Source<'de>, T: Decode<'de, C>, C>(
    src: &mut S,
    size: u64,
    ctx: C,
) -> Result<T> {
    let begin = src.pos();
    let window = src.narrow(size)?;
    src.open(Label::Field("value"), "");
    let value = T::decode::<Le, S>(src, ctx)?;
    src.close();
    let used = src.pos().saturating_sub(begin);
    let left = size.saturating_sub(used);
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
        if self.start > self.end {
            return Err(Error::new(falling(self.start, self.end), out.pos()));
        }
        let in_value = |e: Error| e.within(Step::Field("value"));
        let size = self.value.encoded_len(ctx).map_err(in_value)? as u64;
        let line = format!("{} {} {}\n", self.start, self.end, size.saturating_add(1));
        out.bytes(line.as_bytes(), 0)?;
        self.value.encode::<Le, W>(out, ctx).map_err(in_value)?;
        out.array(*b"\n")
    }
}

impl<T> Layout for DataFile<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de, C: Copy, T: Decode<'de, C>> Decode<'de, C> for DataFile<T> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let format = file_header(src)?;
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
        put_header(&self.format, out)?;
        for (i, chunk) in self.chunks.iter().enumerate() {
            let done = chunk.encode::<O, W>(out, ctx);
            done.map_err(|e| e.within(Step::Index(i)).within(Step::Field("chunks")))?;
        }
        Ok(())
    }
}

/// The two lines in front.
pub(super) fn put_header<W: Sink>(format: &str, out: &mut W) -> Result<()> {
    out.bytes(BINARY, 1)?;
    out.array(*b"\n")?;
    let at = out.pos();
    format_name(format.as_bytes(), at).map_err(|e| e.within(Step::Field("format")))?;
    out.bytes(format.as_bytes(), 1)?;
    out.array(*b"\n")
}
