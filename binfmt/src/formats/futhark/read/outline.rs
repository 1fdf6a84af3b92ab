//! What the values of a stream are, their binary elements stepped over.

use super::values::{Reader, pass_blank};
use crate::BinFormat;
use crate::codec::{Decode, Layout};
use crate::error::{ErrorKind, Result, Step};
use crate::formats::futhark::layout::{ElementType, Header, num_elements};
use crate::formats::futhark::options::Form;
use crate::formats::futhark::text::passed;
#[cfg(feature = "table")]
use crate::numbers::NumberType;
use crate::numbers::Numbers;
use crate::wire::{
    Cursor, Erased, Facts, Hooks, Kind, Label, Le, OPEN, Options, Order, Sink, Source, Stream,
};
use alloc::format;
use alloc::vec::Vec;
#[cfg(feature = "table")]
use std::io::{self, Read, Seek, SeekFrom};

/// Type and dimensions of a value, and how it is in its stream.
///
/// See [`outlines_from_reader`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// Binary or text.
    pub form: Form,
    /// The type of the elements.
    pub element_type: ElementType,
    /// The dimensions, outermost first; none for a scalar.
    pub dims: Vec<u64>,
}

/// A binary value as far as its elements.
#[derive(BinFormat)]
#[binfmt(le)]
pub(crate) struct Head {
    #[binfmt(rename = "")]
    pub(crate) header: Header,
    #[binfmt(count = header.rank, assert(num_elements(dims).is_some(), "the product of the dimensions is too large"))]
    pub(crate) dims: Vec<u64>,
}

/// A binary value whose elements are not kept.
#[derive(BinFormat)]
#[binfmt(le)]
struct Passed {
    #[binfmt(rename = "")]
    head: Head,
    #[binfmt(decode_with = pass, encode_with = kept, args(head.header.element_type, num_elements(&head.dims).unwrap_or(u64::MAX)))]
    elements: PassedElements,
}

struct PassedElements;

/// Steps over elements.
fn pass<'de, O: Order, S: Source<'de>>(src: &mut S, of: ElementType, num: u64) -> Result<PassedElements> {
    Numbers::pass::<O>(&mut src.erase(), of.number_type(), num)?;
    Ok(PassedElements)
}

/// They are not there.
#[allow(clippy::extra_unused_type_parameters)]
fn kept<O: Order, W: Sink>(_: &PassedElements, _: &mut W, of: ElementType, num: u64) -> Result<()> {
    let feature = format!("encoding: {num} elements of {of} were not kept");
    Err(ErrorKind::unsupported("an outline", feature).into())
}

pub(super) fn outline(src: &mut Erased<'_, '_>) -> Result<Option<(Form, Outline)>> {
    outline_with(src, |src| Ok(Passed::decode::<Le, _>(src, ())?.head))
}

/// The same, by whoever reads a binary value.
fn outline_with(
    src: &mut Erased<'_, '_>,
    binary: impl FnOnce(&mut Erased<'_, '_>) -> Result<Head>,
) -> Result<Option<(Form, Outline)>> {
    pass_blank(src)?;
    let (form, element_type, dims) = match src.look(1)?.first() {
        None => return Ok(None),
        Some(b'b') => {
            let Head { header, dims } = binary(src)?;
            (Form::Binary, header.element_type, dims)
        }
        Some(_) => {
            src.open(Label::Field("text"), "");
            src.mark(Kind::Token { of: "ASCII", value: None }, true);
            let (of, dims) = passed::outline(src)?;
            src.close();
            (Form::Text, of, dims)
        }
    };
    Ok(Some((form, Outline { form, element_type, dims })))
}

/// What a binary value is that begins with these bytes, and where its elements begin: for programs that read them to a place of their own.
///
/// ```
/// use binfmt::formats::futhark::{ElementType, outline_of};
/// let (found, at) = outline_of(b"b\x02\x01  u8\x03\0\0\0\0\0\0\0ab")?;
/// assert_eq!((found.element_type, &found.dims[..], at), (ElementType::U8, &[3][..], 15));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// It is not one, or the bytes end before the dimensions do.
pub fn outline_of(bytes: &[u8]) -> Result<(Outline, usize)> {
    let (Head { header, dims }, rest) = crate::from_prefix(bytes)?;
    let outline = Outline { form: Form::Binary, element_type: header.element_type, dims };
    Ok((outline, bytes.len() - rest.len()))
}

/// What the values of a reader are. Everything is checked that [`values_from_reader`](super::values_from_reader) checks,
/// but the elements take no memory.
///
/// ```
/// use binfmt::formats::futhark::{ElementType, Form, outlines_from_reader};
/// let file = b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]]";
/// let found: Vec<_> = outlines_from_reader(&file[..]).collect::<Result<_, _>>()?;
/// assert_eq!((found[0].form, found[0].element_type, &found[0].dims[..]), (Form::Binary, ElementType::U8, &[3][..]));
/// assert_eq!((found[1].form, found[1].element_type, &found[1].dims[..]), (Form::Text, ElementType::I32, &[1, 2][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn outlines_from_reader<R: std::io::Read>(reader: R) -> OutlinesFromReader<R> {
    outlines_from_reader_with(reader, &Options::new())
}

/// [`outlines_from_reader`] with limits from outside.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::futhark::outlines_from_reader_with;
/// let mut outlines = outlines_from_reader_with(&b"[1, 2]"[..], &Options::new().max_memory(4));
/// assert_eq!(outlines.next().unwrap()?.dims, [2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn outlines_from_reader_with<R: std::io::Read>(reader: R, options: &Options) -> OutlinesFromReader<R> {
    Reader::new(Stream::with(reader, options.limits, options.policy, false), *options, outline)
}

/// Flags that are looked at one by one; more are stepped over, as numbers are.
#[cfg(feature = "table")]
const MOST_FLAGS: u64 = 64 << 10;

/// A value of which only the header is read if it is binary: that says how large it is.
#[cfg(feature = "table")]
fn sized(src: &mut Erased<'_, '_>) -> Result<Option<(Form, Outline)>> {
    outline_with(src, |src| {
        let head = Head::decode::<Le, _>(src, ())?;
        let num = num_elements(&head.dims).unwrap_or(u64::MAX);
        let kind = match head.header.element_type.number_type() {
            NumberType::Bool if num > MOST_FLAGS => NumberType::U8,
            kind => kind,
        };
        Numbers::pass::<Le>(src, kind, num).map_err(|e| e.within(Step::Field("elements")))?;
        Ok(head)
    })
}

/// What the values of a reader are that goes to any place: of binary values only the headers are read, and elements are not checked. One that cannot
/// be sought, such as a pipe, is read.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::futhark::outlines_from_seekable_with;
/// let file = std::io::Cursor::new(b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]]");
/// let found = outlines_from_seekable_with(file, &Options::new()).map(|outline| outline.map(|outline| outline.dims));
/// assert_eq!(found.collect::<Result<Vec<_>, _>>()?, [vec![3], vec![1, 2]]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "table")]
pub fn outlines_from_seekable_with<R: Read + Seek>(reader: R, options: &Options) -> OutlinesFromReader<R> {
    let src = Stream::with(reader, options.limits, options.policy, false);
    Reader::new(src.leaping(leap), *options, sized)
}

/// Steps over bytes, as far as there are so many: how many there were. `None` where the reader cannot be sought.
#[cfg(feature = "table")]
fn leap<R: Seek>(reader: &mut R, n: u64) -> io::Result<Option<u64>> {
    let Ok(at) = reader.stream_position() else { return Ok(None) };
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(at))?;
    let beyond = n.min(end.saturating_sub(at));
    reader.seek(SeekFrom::Start(at.saturating_add(beyond)))?;
    Ok(Some(beyond))
}

/// What the values of a reader are: see [`outlines_from_reader`].
pub type OutlinesFromReader<R> = Reader<'static, Stream<R>, Outline>;

/// All values of a stream, of which nothing is kept but how many there are: an [annotated dump in parts](crate::dump::trace_in_parts) of it
/// takes no memory for their elements.
///
/// ```
/// use binfmt::formats::futhark::Contents;
/// let contents: Contents = binfmt::from_slice(b"b\x02\x01  u8\x03\0\0\0\0\0\0\0abc [[1, 2]]\n")?;
/// assert_eq!(contents, Contents { values: 2 });
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// How many values there are.
    pub values: u64,
}

impl Layout for Contents {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

/// A hand-written impl: where a value ends, its form says, and there may be whitespace after the last.
impl<'de> Decode<'de> for Contents {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        let (mut values, mut index) = (0u64, 0usize);
        while !src.at_end()? {
            src.open(Label::Index(index), "");
            let found = outline(&mut src.erase()).map_err(|e| e.within(Step::Index(index)))?;
            src.close();
            index += 1;
            values += u64::from(found.is_some());
        }
        Ok(Contents { values })
    }
}

#[cfg(all(test, feature = "table"))]
mod tests {
    use super::*;

    /// A file that counts what is read of it.
    struct Counted<'a>(io::Cursor<Vec<u8>>, &'a mut usize);

    impl Read for Counted<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(out)?;
            *self.1 += n;
            Ok(n)
        }
    }

    impl Seek for Counted<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn elements_are_not_read() {
        let (mut file, mut read) = (b"b\x02\x01 f64".to_vec(), 0);
        file.extend((1u64 << 20).to_le_bytes());
        file.resize(file.len() + (8 << 20), 0);
        file.extend(b"7i32");
        let outlines =
            outlines_from_seekable_with(Counted(io::Cursor::new(file), &mut read), &Options::new());
        let dims: Vec<_> =
            outlines.map(|outline| outline.map(|outline| outline.dims)).collect::<Result<_>>().unwrap();
        assert_eq!(dims, [vec![1 << 20], vec![]]);
        assert!(read < 1 << 17, "{read} bytes");
    }
}
