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

/// Any writer as one type, for the same reason.
pub(crate) fn to_stream<T: Encode<C>, C: Copy>(
    value: &T,
    writer: &mut dyn Write,
    options: &Options<C>,
) -> Result<u64, Error> {
    binfmt::to_writer_with(value, writer, options)
}

/// The value has these bytes, for every source and every sink.
#[track_caller]
pub(crate) fn same<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    same_with(value, bytes, &Options::new());
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
    writes_with(value, bytes, options);
    reads_with(value, bytes, options);
}

/// The bytes decode to the value: whole, as a prefix, from a reader in one piece and from one that drips.
#[track_caller]
pub(crate) fn reads<T: DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    reads_with(value, bytes, &Options::new());
}

/// [`reads`] with byte order, limits and context.
#[track_caller]
pub(crate) fn reads_with<T, C>(value: &T, bytes: &[u8], options: &Options<C>)
where
    T: DecodeOwned<C> + PartialEq + Debug,
    C: Copy,
{
    assert_eq!(&binfmt::from_slice_with::<T, C>(bytes, options).expect("from_slice"), value);
    let (front, rest) = binfmt::from_prefix_with::<T, C>(bytes, options).expect("from_prefix");
    assert_eq!((&front, rest.len()), (value, 0));
    assert_eq!(&from_stream::<T, C>(&mut &*bytes, options).expect("from_reader"), value);
    let mut drip = Drip(bytes);
    assert_eq!(&from_stream::<T, C>(&mut drip, options).expect("byte by byte"), value);
    assert!(drip.0.is_empty(), "{} bytes were left in the reader", drip.0.len());
}

/// The value is written as these bytes by every sink, and measured as that many.
#[track_caller]
pub(crate) fn writes<T: Encode>(value: &T, bytes: &[u8]) {
    writes_with(value, bytes, &Options::new());
}

/// [`writes`] with byte order and context.
#[track_caller]
pub(crate) fn writes_with<T: Encode<C>, C: Copy>(value: &T, bytes: &[u8], options: &Options<C>) {
    assert_eq!(binfmt::to_vec_with(value, options).expect("to_vec"), bytes);
    assert_eq!(binfmt::encoded_len_with(value, options).expect("encoded_len"), bytes.len());
    let mut appended_to = vec![0xAA];
    binfmt::append_with(value, &mut appended_to, options).expect("append");
    assert_eq!(appended_to[1..], *bytes);
    let mut room = vec![0xAA; bytes.len() + 1];
    assert_eq!(binfmt::to_slice_with(value, &mut room, options).expect("to_slice"), bytes.len());
    assert_eq!(room, [bytes, &[0xAA]].concat());
    let mut file = Vec::new();
    let written = to_stream(value, &mut file, options).expect("to_writer");
    assert_eq!((file.as_slice(), written), (bytes, bytes.len() as u64));
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
    bad_with::<T, ()>(bytes, &Options::new())
}

/// [`bad`] with byte order, limits and context.
#[track_caller]
pub(crate) fn bad_with<T: DecodeOwned<C> + Debug, C: Copy>(bytes: &[u8], options: &Options<C>) -> Error {
    let e = binfmt::from_slice_with::<T, C>(bytes, options).expect_err("from_slice");
    let streamed = from_stream::<T, C>(&mut Drip(bytes), options).expect_err("from_reader");
    assert_eq!(e.to_string(), streamed.to_string(), "slice and stream differ");
    e
}

/// The errors of decoding from a slice and from a stream, where a slice knows more: it ends.
#[track_caller]
pub(crate) fn short<T: DecodeOwned + Debug>(bytes: &[u8]) -> [Error; 2] {
    short_with::<T, ()>(bytes, &Options::new())
}

/// [`short`] with byte order, limits and context.
#[track_caller]
pub(crate) fn short_with<T: DecodeOwned<C> + Debug, C: Copy>(
    bytes: &[u8],
    options: &Options<C>,
) -> [Error; 2] {
    let e = binfmt::from_slice_with::<T, C>(bytes, options).expect_err("from_slice");
    let streamed = from_stream::<T, C>(&mut Drip(bytes), options).expect_err("from_reader");
    // a slice sees at the length that its bytes are not there, a stream only where they end
    let (known, found) = (e.path().to_string(), streamed.path().to_string());
    assert!(found.starts_with(&known), "{known} and {found}");
    [e, streamed]
}

/// The error of encoding, the same for every sink; a vector keeps what it held.
#[track_caller]
pub(crate) fn refused<T: Encode>(value: &T) -> Error {
    refused_with(value, &Options::new())
}

/// [`refused`] with byte order and context.
#[track_caller]
pub(crate) fn refused_with<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) -> Error {
    let e = binfmt::to_vec_with(value, options).expect_err("to_vec");
    let mut appended_to = vec![1, 2, 3];
    let appended = binfmt::append_with(value, &mut appended_to, options).expect_err("append");
    assert_eq!(appended_to, [1, 2, 3]);
    let to_slice = binfmt::to_slice_with(value, &mut [0; 4096], options).expect_err("to_slice");
    let to_writer = to_stream(value, &mut io::sink(), options).expect_err("to_writer");
    for other in [appended, to_slice, to_writer] {
        assert_eq!(e.to_string(), other.to_string(), "two sinks differ");
    }
    e
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
