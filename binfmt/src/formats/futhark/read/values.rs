//! Streams of values: text and binary ones mixed, with whitespace and comments between them.
//!
//! One iterator reads all of them, from memory and from a reader: it holds the source and the function that reads an item.

use crate::codec::{Decode, Layout};
use crate::error::{Result, Step};
use crate::formats::futhark::layout::Value;
use crate::formats::futhark::options::Form;
use crate::formats::futhark::text::parse::{self, skip_blank};
#[cfg(feature = "std")]
use crate::wire::Stream;
use crate::wire::{Cursor, Erased, Facts, Hooks, Kind, Label, Le, OPEN, Options, Order, Slice, Source};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Whitespace and comments, named to a tracing source where there are any.
pub(super) fn pass_blank(src: &mut Erased<'_, '_>) -> Result<()> {
    if src.is_heard() {
        if !matches!(src.look(1)?.first(), Some(b' ' | 0x09..=0x0d | b'-')) {
            return Ok(());
        }
        let begins_number = matches!(src.look(2)?, [b'-', c, ..] if *c != b'-') || src.look(2)? == b"-";
        if begins_number {
            return Ok(());
        }
        src.open(Label::Piece("blank"), "");
        src.mark(Kind::Padding, true);
        skip_blank(src)?;
        src.close();
        return Ok(());
    }
    skip_blank(src)
}

/// The value that is after whitespace and comments, in either form; `None` at the end of the input.
fn value(src: &mut Erased<'_, '_>) -> Result<Option<(Form, Value)>> {
    pass_blank(src)?;
    match src.look(1)?.first() {
        None => Ok(None),
        Some(b'b') => Ok(Some((Form::Binary, binary(src)?))),
        Some(_) => Ok(Some((Form::Text, named_text(src)?))),
    }
}

/// A binary value. Many are small, and their headers most of the work: from memory they are read by code of their own.
fn binary(src: &mut Erased<'_, '_>) -> Result<Value> {
    match src {
        Erased::Slice(src) => Value::decode::<Le, _>(*src, ()),
        src => Value::decode::<Le, _>(src, ()),
    }
}

/// A value as text.
fn named_text(src: &mut Erased<'_, '_>) -> Result<Value> {
    src.open(Label::Field("text"), "");
    src.mark(Kind::Token { of: "ASCII", value: None }, true);
    let value = parse::value(src, None)?;
    src.close();
    Ok(value)
}

/// What is at one place of a stream: whitespace and comments, and a value after them unless the stream ends there.
///
/// It is what annotated dumps of streams are made of; [`values`] leaves the whitespace out.
///
/// ```
/// use binfmt::dump;
/// use binfmt::formats::futhark::Entry;
/// let trace = dump::trace_all::<Entry>(b"\n[1, 2]").next().unwrap();
/// let nodes: Vec<_> = trace.nodes().filter(|n| !n.is_group()).map(|n| (n.path(), n.range())).collect();
/// assert_eq!(nodes, [("[0]".into(), 0..1), ("[0].text".into(), 1..7)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The value and its form, or nothing after the last value.
    pub value: Option<(Form, Value)>,
}

impl Layout for Entry {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

/// A hand-written impl: which of its two forms a value has, its first byte says, and for text there is no word.
impl<'de> Decode<'de> for Entry {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        Ok(Entry { value: value(&mut src.erase())? })
    }
}

/// The values of a stream in memory, in the order in which they are there.
///
/// After an error the iterator ends; the error's path begins with the number of the value.
///
/// ```
/// use binfmt::formats::futhark::{Form, Value, values};
/// let mut stream = values(b"-- two values\n[1i8, 2i8]b\x02\0bool\x01\n");
/// assert_eq!(stream.next().unwrap()?, Value::new([2], vec![1i8, 2])?);
/// assert_eq!(stream.next().unwrap()?, Value::from(true));
/// assert_eq!(stream.form(), Some(Form::Binary));
/// assert!(stream.next().is_none());
///
/// let e = values(b"1 b\x02\0bool\x02").last().unwrap().unwrap_err();
/// assert_eq!(e.to_string(), "[1].elements[0] at byte 0x9: 0x02 is not a bool, expected 0 or 1");
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn values(bytes: &[u8]) -> Values<'_> {
    values_with(bytes, &Options::new())
}

/// [`values`] with limits from outside.
///
/// ```
/// use binfmt::{ErrorKind, Options};
/// use binfmt::formats::futhark::values_with;
/// let e = values_with(b"[1, 2]", &Options::new().max_memory(4)).last().unwrap().unwrap_err();
/// assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }));
/// ```
pub fn values_with<'de>(bytes: &'de [u8], options: &Options) -> Values<'de> {
    let src = Slice::with(bytes, options.limits, options.policy);
    Reader::new(src, *options, value)
}

/// The values of a stream in memory: see [`values`].
pub type Values<'de> = Reader<'de, Slice<'de>>;

/// How the next item of a stream is read; `None` at its end.
type Read<T> = fn(&mut Erased<'_, '_>) -> Result<Option<(Form, T)>>;

/// What is in a stream, item by item: values, or their [outlines](super::Outline).
///
/// After an error the iterator ends; the error's path begins with the number of the item. See [`values`],
/// [`values_from_reader`](super::values_from_reader), [`outlines_from_reader`](super::outlines_from_reader).
#[derive(Clone, Debug)]
pub struct Reader<'de, S, T = Value> {
    src: Option<S>,
    options: Options,
    index: usize,
    form: Option<Form>,
    read: Read<T>,
    life: PhantomData<&'de [u8]>,
}

impl<S, T> Reader<'_, S, T> {
    pub(super) fn new(src: S, options: Options, read: Read<T>) -> Self {
        Reader { src: Some(src), options, index: 0, form: None, read, life: PhantomData }
    }

    /// The form of the item that came last.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Form, values};
    /// let mut values = values(b"1");
    /// assert_eq!(values.form(), None);
    /// values.next();
    /// assert_eq!(values.form(), Some(Form::Text));
    /// ```
    pub fn form(&self) -> Option<Form> {
        self.form
    }
}

impl<'de, S: Source<'de>, T> Reader<'de, S, T> {
    /// The byte after what was read; `None` after an error and after the end.
    #[cfg(feature = "table")]
    pub(crate) fn offset(&self) -> Option<u64> {
        self.src.as_ref().map(|src| src.pos())
    }
}

impl<'de, S: Source<'de>, T> Iterator for Reader<'de, S, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let mut src = self.src.as_mut()?.erase();
        src.budget_mut().0.renew(self.options.limits);
        let item = item(&mut src, self.read, (&mut self.index, &mut self.form));
        if !matches!(item, Some(Ok(_))) {
            self.src = None;
        }
        item
    }
}

fn item<T>(
    src: &mut Erased<'_, '_>,
    read: Read<T>,
    (index, last): (&mut usize, &mut Option<Form>),
) -> Option<Result<T>> {
    match read(src) {
        Ok(found) => {
            let (form, item) = found?;
            (*index, *last) = (*index + 1, Some(form));
            Some(Ok(item))
        }
        Err(e) => Some(Err(e.within(Step::Index(*index)))),
    }
}

impl<'de, S: Source<'de>, T> core::iter::FusedIterator for Reader<'de, S, T> {}

/// The values of a reader, one in memory at a time.
///
/// ```
/// use binfmt::formats::futhark::{Value, values_from_reader};
/// let file = b"b\x02\0  u8\x07\n12";
/// let values: Result<Vec<Value>, _> = values_from_reader(&file[..]).collect();
/// assert_eq!(values?, [Value::from(7u8), Value::from(12i32)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn values_from_reader<R: std::io::Read>(reader: R) -> ValuesFromReader<R> {
    values_from_reader_with(reader, &Options::new())
}

/// [`values_from_reader`] with limits from outside.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::futhark::values_from_reader_with;
/// assert_eq!(values_from_reader_with(&b"1 2"[..], &Options::new()).count(), 2);
/// ```
#[cfg(feature = "std")]
pub fn values_from_reader_with<R: std::io::Read>(reader: R, options: &Options) -> ValuesFromReader<R> {
    Reader::new(Stream::with(reader, options.limits, options.policy, false), *options, value)
}

/// The values of a reader: see [`values_from_reader`].
#[cfg(feature = "std")]
pub type ValuesFromReader<R> = Reader<'static, Stream<R>>;

/// All values of a stream in memory.
///
/// ```
/// use binfmt::formats::futhark::{Value, read};
/// assert_eq!(read(b"1u8 true")?, [Value::from(1u8), Value::from(true)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// Something in the stream is not a value; the path begins with its number.
pub fn read(bytes: &[u8]) -> Result<Vec<Value>> {
    values(bytes).collect()
}
