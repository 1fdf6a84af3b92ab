//! The same questions for every layout: are these the bytes, do slice and stream agree, is the error in its place.

#![allow(dead_code, unused_imports, unused_macros, reason = "each test binary asks some of them")]

use binfmt::{Decode, DecodeOwned, Encode, Endian, Error, Options};
use std::fmt::Debug;
use std::io::{self, Read, Seek, Write};

/// A reader that gives one byte at a time.
pub(crate) struct Drip<'a>(pub(crate) &'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.0.len().min(out.len()).min(1);
        let (now, later) = self.0.split_at(n);
        out[..n].copy_from_slice(now);
        self.0 = later;
        Ok(n)
    }
}

/// Any reader as one type: the codec of a type is compiled for streams once, and not for each kind of reader.
pub(crate) fn from_stream<T: DecodeOwned<C>, C: Copy>(
    reader: &mut dyn Read,
    options: &Options<C>,
) -> Result<T, Error> {
    binfmt::from_reader_with(reader, options)
}

/// What reads and seeks.
pub(crate) trait ReadSeek: Read + Seek {}
impl<R: Read + Seek> ReadSeek for R {}

/// Anything that seeks as one type, for the same reason.
pub(crate) fn from_file<T: DecodeOwned>(mut reader: impl ReadSeek) -> Result<T, Error> {
    let reader: &mut dyn ReadSeek = &mut reader;
    binfmt::from_seeker(reader)
}

/// A value, and how many bytes are after it.
type FromPrefix<'f, T> = dyn Fn(&[u8]) -> Result<(T, usize), Error> + 'f;

/// The ways to read a value. Without options a codec is compiled for one byte order, with options for both: most tests need one.
struct Reading<'f, T> {
    slice: &'f dyn Fn(&[u8]) -> Result<T, Error>,
    prefix: &'f FromPrefix<'f, T>,
    stream: &'f dyn Fn(&mut dyn Read) -> Result<T, Error>,
}

/// Calls a function with the ways to read a value with options.
fn reading_with<T: DecodeOwned<C>, C: Copy, U>(
    options: &Options<C>,
    ask: impl FnOnce(Reading<'_, T>) -> U,
) -> U {
    ask(Reading {
        slice: &|bytes| binfmt::from_slice_with(bytes, options),
        prefix: &|bytes| binfmt::from_prefix_with(bytes, options).map(|(value, rest)| (value, rest.len())),
        stream: &|reader| from_stream(reader, options),
    })
}

/// Calls a function with the ways to read a value without options.
fn reading<T: DecodeOwned, U>(ask: impl FnOnce(Reading<'_, T>) -> U) -> U {
    ask(Reading {
        slice: &|bytes| binfmt::from_slice(bytes),
        prefix: &|bytes| binfmt::from_prefix(bytes).map(|(value, rest)| (value, rest.len())),
        stream: &|reader| binfmt::from_reader(reader),
    })
}

impl<T: PartialEq + Debug> Reading<'_, T> {
    #[track_caller]
    fn agree(&self, value: &T, bytes: &[u8]) {
        assert_eq!(&(self.slice)(bytes).expect("from_slice"), value);
        let (front, rest) = (self.prefix)(bytes).expect("from_prefix");
        assert_eq!((&front, rest), (value, 0));
        assert_eq!(&(self.stream)(&mut &*bytes).expect("from_reader"), value);
        let mut drip = Drip(bytes);
        assert_eq!(&(self.stream)(&mut drip).expect("byte by byte"), value);
        assert!(drip.0.is_empty(), "{} bytes were left in the reader", drip.0.len());
    }
}

impl<T: Debug> Reading<'_, T> {
    #[track_caller]
    fn fails(&self, bytes: &[u8]) -> [Error; 2] {
        let e = (self.slice)(bytes).expect_err("from_slice");
        [e, (self.stream)(&mut Drip(bytes)).expect_err("from_reader")]
    }
}

/// What the sinks make of a value.
struct Written {
    to_vec: Result<Vec<u8>, Error>,
    len: Result<usize, Error>,
    appended: (Vec<u8>, Result<(), Error>),
    slice: (Vec<u8>, Result<usize, Error>),
    stream: (Vec<u8>, Result<u64, Error>),
}

/// What is there before a value is appended.
const BEFORE: [u8; 3] = [1, 2, 3];

fn written<T: Encode>(value: &T, room: usize) -> Written {
    let (mut appended, mut slice, mut file) = (BEFORE.to_vec(), vec![0xAA; room], Vec::new());
    let writer: &mut dyn Write = &mut file;
    let to_writer = binfmt::to_writer(value, writer);
    let to_slice = binfmt::to_slice(value, &mut slice);
    let append = binfmt::append(value, &mut appended);
    Written {
        to_vec: binfmt::to_vec(value),
        len: binfmt::encoded_len(value),
        appended: (appended, append),
        slice: (slice, to_slice),
        stream: (file, to_writer),
    }
}

fn written_with<T: Encode<C>, C: Copy>(value: &T, room: usize, options: &Options<C>) -> Written {
    let (mut appended, mut slice, mut file) = (BEFORE.to_vec(), vec![0xAA; room], Vec::new());
    let writer: &mut dyn Write = &mut file;
    let to_writer = binfmt::to_writer_with(value, writer, options);
    let to_slice = binfmt::to_slice_with(value, &mut slice, options);
    let append = binfmt::append_with(value, &mut appended, options);
    Written {
        to_vec: binfmt::to_vec_with(value, options),
        len: binfmt::encoded_len_with(value, options),
        appended: (appended, append),
        slice: (slice, to_slice),
        stream: (file, to_writer),
    }
}

impl Written {
    /// Every sink has these bytes, and the value is measured as that many.
    #[track_caller]
    fn agrees(self, bytes: &[u8]) {
        assert_eq!(self.to_vec.expect("to_vec"), bytes);
        assert_eq!(self.len.expect("encoded_len"), bytes.len());
        self.appended.1.expect("append");
        assert_eq!(self.appended.0, [&BEFORE, bytes].concat());
        assert_eq!(self.slice.1.expect("to_slice"), bytes.len());
        assert_eq!(self.slice.0, [bytes, &[0xAA]].concat());
        assert_eq!((&*self.stream.0, self.stream.1.expect("to_writer")), (bytes, bytes.len() as u64));
    }

    /// The error of every sink; a vector keeps what it held.
    #[track_caller]
    fn fails(self) -> Error {
        let e = self.to_vec.expect_err("to_vec");
        assert_eq!(self.appended.0, BEFORE);
        let appended = self.appended.1.expect_err("append");
        let slice = self.slice.1.expect_err("to_slice");
        let stream = self.stream.1.expect_err("to_writer");
        for other in [appended, slice, stream] {
            assert_eq!(e.to_string(), other.to_string(), "two sinks differ");
        }
        e
    }
}

/// The value has these bytes, for every source and every sink.
#[track_caller]
pub(crate) fn same<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    writes(value, bytes);
    reads(value, bytes);
}

/// [`same`] in big-endian order.
#[track_caller]
pub(crate) fn same_be<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    same_with(value, bytes, &Options::new().endian(Endian::Big));
}

/// [`same`] with byte order, limits and context.
#[track_caller]
pub(crate) fn same_with<T, C>(value: &T, bytes: &[u8], options: &Options<C>)
where
    T: Encode<C> + DecodeOwned<C> + PartialEq + Debug,
    C: Copy,
{
    written_with(value, bytes.len() + 1, options).agrees(bytes);
    reads_with(value, bytes, options);
}

/// The bytes decode to the value: whole, as a prefix, from a reader in one piece and from one that drips.
#[track_caller]
pub(crate) fn reads<T: DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    reading(|ways| ways.agree(value, bytes));
}

/// [`reads`] with byte order, limits and context.
#[track_caller]
pub(crate) fn reads_with<T, C>(value: &T, bytes: &[u8], options: &Options<C>)
where
    T: DecodeOwned<C> + PartialEq + Debug,
    C: Copy,
{
    reading_with(options, |ways| ways.agree(value, bytes));
}

/// The value is written as these bytes by every sink, and measured as that many.
#[track_caller]
pub(crate) fn writes<T: Encode>(value: &T, bytes: &[u8]) {
    written(value, bytes.len() + 1).agrees(bytes);
}

/// A borrowing value has these bytes: slices only, because a stream cannot lend.
#[track_caller]
pub(crate) fn lent<'de, T: Encode + Decode<'de> + PartialEq + Debug>(value: &T, bytes: &'de [u8]) -> T {
    writes(value, bytes);
    let found = binfmt::from_slice::<T>(bytes).expect("from_slice");
    assert_eq!(&found, value);
    found
}

/// Whether `part` is memory of `input`: borrowed, not copied.
pub(crate) fn is_inside(input: &[u8], part: &[u8]) -> bool {
    input.as_ptr_range().contains(&part.as_ptr()) && part.len() <= input.len()
}

/// The error of decoding, which is the same from a slice and from a stream.
#[track_caller]
pub(crate) fn bad<T: DecodeOwned + Debug>(bytes: &[u8]) -> Error {
    the_same(reading::<T, _>(|ways| ways.fails(bytes)))
}

/// [`bad`] with byte order, limits and context.
#[track_caller]
pub(crate) fn bad_with<T: DecodeOwned<C> + Debug, C: Copy>(bytes: &[u8], options: &Options<C>) -> Error {
    the_same(reading_with::<T, C, _>(options, |ways| ways.fails(bytes)))
}

#[track_caller]
fn the_same([e, streamed]: [Error; 2]) -> Error {
    assert_eq!(e.to_string(), streamed.to_string(), "slice and stream differ");
    e
}

/// The errors of decoding from a slice and from a stream, where a slice knows more: it ends.
#[track_caller]
pub(crate) fn short<T: DecodeOwned + Debug>(bytes: &[u8]) -> [Error; 2] {
    known_first(reading::<T, _>(|ways| ways.fails(bytes)))
}

/// [`short`] with byte order, limits and context.
#[track_caller]
pub(crate) fn short_with<T: DecodeOwned<C> + Debug, C: Copy>(
    bytes: &[u8],
    options: &Options<C>,
) -> [Error; 2] {
    known_first(reading_with::<T, C, _>(options, |ways| ways.fails(bytes)))
}

/// A slice sees at the length that its bytes are not there, a stream only where they end.
#[track_caller]
fn known_first([e, streamed]: [Error; 2]) -> [Error; 2] {
    let (known, found) = (e.path().to_string(), streamed.path().to_string());
    assert!(found.starts_with(&known), "{known} and {found}");
    [e, streamed]
}

/// The error of encoding, the same for every sink; a vector keeps what it held.
#[track_caller]
pub(crate) fn refused<T: Encode>(value: &T) -> Error {
    written(value, 4096).fails()
}

/// [`refused`] with byte order and context.
#[track_caller]
pub(crate) fn refused_with<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) -> Error {
    written_with(value, 4096, options).fails()
}

/// Asserts byte offset, path and kind of an error.
macro_rules! assert_error {
    ($e:expr, $offset:expr, $path:expr, $kind:pat $(if $guard:expr)?) => {{
        let e = &$e;
        assert_eq!((e.offset(), e.path().to_string().as_str()), (Some($offset), $path), "{e}");
        assert!(matches!(e.kind(), $kind $(if $guard)?), "{:?}", e.kind());
    }};
}
pub(crate) use assert_error;
