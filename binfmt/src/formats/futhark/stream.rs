//! Streams of values: text and binary ones mixed, with whitespace and comments between them.

use super::text::{self, skip_blank};
use super::value::{ElementType, Value};
use crate::codec::{Decode, Layout};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Facts, Kind, Label, Le, OPEN, Options, Order, Slice, Source};
use alloc::vec::Vec;

/// How a value stands in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `b`, a header, and the elements.
    Binary,
    /// Text.
    Text,
}

/// Whitespace and comments, named to a tracing source where there are any.
pub(super) fn pass_blank<'de, S: Source<'de>>(src: &mut S) -> Result<()> {
    if S::TRACED {
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

/// The value that stands behind whitespace and comments, in either form; `None` at the end of the input.
pub(super) fn entry<'de, S: Source<'de>>(
    src: &mut S,
    expected: Option<ElementType>,
) -> Result<Option<(Form, Value)>> {
    pass_blank(src)?;
    match src.look(1)?.first() {
        None => Ok(None),
        Some(b'b') => Ok(Some((Form::Binary, Value::decode::<Le, S>(src, ())?))),
        Some(_) => {
            src.open(Label::Field("text"), "");
            src.mark(Kind::Text("ASCII"), true);
            let value = text::value(src, expected)?;
            src.close();
            Ok(Some((Form::Text, value)))
        }
    }
}

/// One value in text form and nothing else.
pub(super) fn text_only<'de, S: Source<'de>>(src: &mut S) -> Result<Value> {
    skip_blank(src)?;
    let value = text::value(src, None)?;
    skip_blank(src)?;
    match src.left() {
        Some(0) | None => Ok(value),
        Some(n) => Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, src.pos())),
    }
}

/// What stands at one place of a stream: whitespace and comments, and a value behind them unless the stream ends there.
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
    /// The value and its form, or nothing behind the last value.
    pub value: Option<(Form, Value)>,
}

impl Layout for Entry {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de> Decode<'de> for Entry {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        Ok(Entry { value: entry(src, None)? })
    }
}

/// The values of a stream in memory, in the order in which they stand there.
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
    Values { src: Some(src), options: *options, index: 0, form: None }
}

/// The values of a stream in memory: see [`values`].
#[derive(Clone, Debug)]
pub struct Values<'de> {
    src: Option<Slice<'de>>,
    options: Options,
    index: usize,
    form: Option<Form>,
}

/// One step of an iterator over values: the value, or why there is none.
fn step<'de, S: Source<'de>>(
    src: &mut S,
    index: &mut usize,
    form: &mut Option<Form>,
) -> Option<Result<Value>> {
    match entry(src, None) {
        Ok(Some((found, value))) => {
            *index = index.saturating_add(1);
            *form = Some(found);
            Some(Ok(value))
        }
        Ok(None) => None,
        Err(e) => Some(Err(e.within(Step::Index(*index)))),
    }
}

impl Values<'_> {
    /// The form of the value that came last.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::futhark::values(b"1").form(), None);
    /// ```
    pub fn form(&self) -> Option<Form> {
        self.form
    }
}

impl Iterator for Values<'_> {
    type Item = Result<Value>;

    fn next(&mut self) -> Option<Result<Value>> {
        let mut src = self.src.take()?;
        src.budget_mut().renew(self.options.limits);
        let found = step(&mut src, &mut self.index, &mut self.form)?;
        if found.is_ok() {
            self.src = Some(src);
        }
        Some(found)
    }
}

impl core::iter::FusedIterator for Values<'_> {}

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
    let src = crate::wire::Stream::with(reader, options.limits, options.policy, false);
    ValuesFromReader { src: Some(src), options: *options, index: 0, form: None }
}

/// The values of a reader: see [`values_from_reader`].
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct ValuesFromReader<R> {
    src: Option<crate::wire::Stream<R>>,
    options: Options,
    index: usize,
    form: Option<Form>,
}

#[cfg(feature = "std")]
impl<R> ValuesFromReader<R> {
    /// The form of the value that came last.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Form, values_from_reader};
    /// let mut values = values_from_reader(&b"1"[..]);
    /// values.next();
    /// assert_eq!(values.form(), Some(Form::Text));
    /// ```
    pub fn form(&self) -> Option<Form> {
        self.form
    }
}

#[cfg(feature = "std")]
impl<R: std::io::Read> Iterator for ValuesFromReader<R> {
    type Item = Result<Value>;

    fn next(&mut self) -> Option<Result<Value>> {
        let mut src = self.src.take()?;
        src.budget_mut().renew(self.options.limits);
        let found = step(&mut src, &mut self.index, &mut self.form)?;
        if found.is_ok() {
            self.src = Some(src);
        }
        Some(found)
    }
}

#[cfg(feature = "std")]
impl<R: std::io::Read> core::iter::FusedIterator for ValuesFromReader<R> {}

/// All values of a stream in memory.
///
/// ```
/// use binfmt::formats::futhark::{Value, read};
/// assert_eq!(read(b"1u8 true")?, [Value::from(1u8), Value::from(true)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// Something in the stream is no value; the path begins with its number.
pub fn read(bytes: &[u8]) -> Result<Vec<Value>> {
    values(bytes).collect()
}
