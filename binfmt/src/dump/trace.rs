//! Running a decoder on the tracing source: one value, or the records of a batch one by one.

use super::node::Node;
use super::render::Rendered;
use super::style::Style;
use crate::codec::Decode;
#[cfg(feature = "std")]
use crate::codec::DecodeOwned;
use crate::error::{Error, ErrorKind, Step};
#[cfg(feature = "std")]
use crate::wire::Stream;
use crate::wire::amount::after;
use crate::wire::trace::{Noted, Span, Tracer};
use crate::wire::{Be, Cursor, Endian, Erased, Hooks, Label, Le, Options, Slice, Source};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

/// What a decoder said of the bytes that it read, and where it failed.
///
/// Displays as text, one row for each leaf; [`text`](Self::text) has more to choose.
#[derive(Debug)]
pub struct Trace {
    pub(super) noted: Noted,
    pub(super) error: Option<Error>,
    /// What stands in the input after the bytes that were read last, as far as it is known; up to one row. And where it does.
    pub(super) rest: Vec<u8>,
    pub(super) rest_at: u64,
}

impl Trace {
    /// The named bytes, in the order in which the decoder came to them: a group before what is in it.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// let found: Vec<_> = trace.nodes().map(|n| (n.path(), n.range(), n.value())).collect();
    /// assert_eq!(found[1], ("1".into(), 1..3, Some("1".into())));
    /// ```
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> + '_ {
        (0..self.noted.spans.len()).map(|index| Node { trace: self, index })
    }

    /// Why the decoder stopped, if it failed.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, bool)>(&[7, 9]);
    /// assert_eq!(trace.error().unwrap().to_string(), "1 at byte 0x1: 0x09 is not a bool, expected 0 or 1");
    /// ```
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// The bytes that were read, from the first to the last; not those of parts that lie elsewhere (`at`), nor those that were not
    /// [kept](super::PartOptions::keep) and what is after them.
    ///
    /// ```
    /// assert_eq!(binfmt::dump::trace::<u8>(&[7]).bytes(), [7]);
    /// ```
    pub fn bytes(&self) -> &[u8] {
        &self.noted.bytes
    }

    /// Where these bytes stand in the input.
    ///
    /// ```
    /// let second = binfmt::dump::trace_all::<u16>(&[1, 0, 2, 0]).nth(1).unwrap();
    /// assert_eq!(second.range(), 2..4);
    /// ```
    pub fn range(&self) -> Range<u64> {
        self.noted.base..self.noted.end
    }

    /// Those of a part of the range.
    pub(super) fn bytes_at(&self, part: Range<u64>) -> &[u8] {
        self.noted.bytes_at(part.start, part.end)
    }

    /// Where the decoder stopped, and what stands in the input from there on if it failed: up to 16 bytes.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, bool)>(&[7, 9, 5]);
    /// assert_eq!(trace.rest(), (2, &[5][..]));
    /// ```
    pub fn rest(&self) -> (u64, &[u8]) {
        (self.rest_at, &self.rest)
    }

    /// As text, in the style that is asked for.
    ///
    /// ```
    /// use binfmt::dump::{self, Style};
    /// let trace = dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// assert!(trace.text(&Style::new().color(true)).to_string().contains("\x1b["));
    /// ```
    pub fn text(&self, style: &Style) -> Rendered<'_> {
        Rendered { trace: self, style: style.clone() }
    }

    /// The same as a part of something larger: its bytes stand at `offset`, its paths begin with `path`.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<u16>(&[1, 0]).placed(0x20, "header");
    /// assert!(trace.to_string().starts_with("0x00000020  01 00 "), "{trace}");
    /// assert!(trace.to_string().contains("header: 1 (u16 le)"), "{trace}");
    /// ```
    #[must_use]
    pub fn placed(mut self, offset: u64, path: &str) -> Trace {
        let moved = |at: u64| after(at, offset);
        let end = moved(self.range().end);
        for span in &mut self.noted.spans {
            span.start = moved(span.start);
            span.end = span.end.map(moved);
            span.depth += 1;
            span.parent = Some(span.parent.map_or(0, |place| place + 1));
        }
        (self.noted.base, self.noted.end) = (moved(self.noted.base), end);
        self.noted.elsewhere.iter_mut().for_each(|(base, _)| *base = moved(*base));
        self.rest_at = moved(self.rest_at);
        let root = Span {
            label: Label::Field(path.into()),
            native: String::new(),
            kind: None,
            little: false,
            depth: 0,
            parent: None,
            start: self.noted.base,
            end: self.error.is_none().then_some(end),
            has_children: true,
            is_told: false,
        };
        self.noted.spans.insert(0, root);
        self.error = self.error.map(|e| e.moved(offset, 0).within(Step::Name(path.into())));
        self
    }

    #[cfg(feature = "table")]
    pub(crate) fn into_error(self) -> Option<Error> {
        self.error
    }

    /// What was noted of this source, which is where the decoder has left it.
    pub(super) fn of(noted: Noted, mut src: Erased<'_, '_>, error: Option<Error>) -> Trace {
        let rest = if error.is_some() { following(&mut src) } else { Vec::new() };
        Trace { noted, error, rest, rest_at: src.pos() }
    }
}

/// A row to show at an error; at the end of the input there is none.
fn following(src: &mut Erased<'_, '_>) -> Vec<u8> {
    let Ok(bytes) = src.look(16) else { return Vec::new() };
    bytes.get(..16).unwrap_or(bytes).to_vec()
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text(&Style::new()), f)
    }
}

/// Decodes with every step noted. `index` is the record's number in a batch.
pub(super) fn decode<'de, T: Decode<'de, C>, C>(
    src: &mut Erased<'_, 'de>,
    endian: Endian,
    ctx: C,
    index: Option<usize>,
) -> Option<Error> {
    if let Some(i) = index {
        src.open(Label::Index(i), "");
    }
    let done = match endian {
        Endian::Little => T::decode::<Le, _>(src, ctx).map(|_| ()),
        Endian::Big => T::decode::<Be, _>(src, ctx).map(|_| ()),
    };
    match (done, index) {
        (Ok(()), _) => {
            src.close();
            None
        }
        (Err(e), None) => Some(e),
        (Err(e), Some(i)) => Some(e.within(Step::Index(i))),
    }
}

/// The error of a decoder that is not traced, where the tracing one found `error`: a length that promises too much is
/// refused at once in a slice, and where its bytes end in a reader or in a trace, but what is said of one input must be
/// one thing. `bytes` are all from the record on, which is at the offset `at`.
pub(super) fn untraced<'de, T: Decode<'de, C>, C: Copy>(
    error: Error,
    bytes: &'de [u8],
    at: u64,
    options: &Options<C>,
    index: Option<usize>,
) -> Error {
    let mut src = Slice::with(bytes, options.limits, options.policy);
    let found = decode::<T, _>(&mut src.erase(), options.endian, options.ctx, index).map(|e| e.moved(at, 0));
    match found {
        // the memory for what is noted does not concern the decoder, but that for bytes that are not there is
        Some(e)
            if error.kind().is_of_memory() && (e.kind().is_of_memory() || e.offset() > error.offset()) =>
        {
            error
        }
        Some(e) => e,
        None => error,
    }
}

/// Decodes a value from all of `bytes` and tells what each byte is. Little-endian where the type does not say.
///
/// ```
/// let trace = binfmt::dump::trace::<[u16; 2]>(&[1, 0, 2, 0]);
/// assert_eq!(trace.nodes().next().unwrap().value().unwrap(), "[1, 2]");
/// assert!(trace.error().is_none());
/// ```
pub fn trace<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Trace {
    trace_with::<T, ()>(bytes, &Options::new())
}

/// [`trace()`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options, dump};
/// let trace = dump::trace_with::<u16, _>(&[1, 0], &Options::new().endian(Endian::Big));
/// assert_eq!(trace.nodes().next().unwrap().value().unwrap(), "256");
/// ```
pub fn trace_with<'de, T: Decode<'de, C>, C: Copy>(bytes: &'de [u8], options: &Options<C>) -> Trace {
    let mut src = Slice::with(bytes, options.limits, options.policy);
    let mut tracer = Tracer::new(src.erase());
    let error = decode::<T, _>(&mut tracer.erase(), options.endian, options.ctx, None);
    let mut error = error.map(|e| untraced::<T, C>(e, bytes, 0, options, None));
    if error.is_none()
        && let Some(count) = tracer.left_over().filter(|n| *n > 0)
    {
        error = Some(Error::new(ErrorKind::TrailingBytes { count: count as u64 }, tracer.pos()));
    }
    let error = error.or_else(|| tracer.untold());
    Trace::of(tracer.finish(), src.erase(), error)
}

/// The records of a batch, each with its trace; ends after the first that fails.
///
/// ```
/// let traces: Vec<_> = binfmt::dump::trace_all::<(u8, bool)>(&[1, 1, 2, 9]).collect();
/// assert_eq!(traces[1].error().unwrap().path().to_string(), "[1].1");
/// ```
pub fn trace_all<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Traces<'de, T> {
    trace_all_with(bytes, &Options::new())
}

/// [`trace_all`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Options, dump};
/// assert_eq!(dump::trace_all_with::<u16, _>(&[1, 0, 2, 0], &Options::new()).count(), 2);
/// ```
pub fn trace_all_with<'de, T: Decode<'de, C>, C: Copy>(
    bytes: &'de [u8],
    options: &Options<C>,
) -> Traces<'de, T, C> {
    let src = Slice::with(bytes, options.limits, options.policy);
    Traces { inner: Batch::new(src, *options) }
}

/// What [`trace_all`] gives.
#[derive(Debug)]
pub struct Traces<'de, T, C = ()> {
    inner: Batch<Slice<'de>, T, C>,
}

impl<'de, T: Decode<'de, C>, C: Copy> Iterator for Traces<'de, T, C> {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        let limits = self.inner.options.limits;
        let mut src = self.inner.begin()?;
        src.budget_mut().0.renew(limits);
        let (bytes, at, index) = (src.rest(), src.pos(), self.inner.index);
        let (mut trace, _) = self.inner.step(src)?;
        let options = &self.inner.options;
        // what has no bytes is decoded well, and is an error all the same
        trace.error = trace.error.map(|e| untraced::<T, C>(e, bytes, at, options, Some(index)));
        Some(trace)
    }
}

/// [`trace_all`] from a reader, in memory for one record at a time.
///
/// ```
/// let traces = binfmt::dump::trace_reader::<u16, _>(&[1u8, 0, 2, 0][..]);
/// assert_eq!(traces.count(), 2);
/// ```
#[cfg(feature = "std")]
pub fn trace_reader<T: DecodeOwned, R: std::io::Read>(reader: R) -> TracesFromReader<R, T> {
    trace_reader_with(reader, &Options::new())
}

/// [`trace_reader`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Options, dump};
/// let traces = dump::trace_reader_with::<u16, _, _>(&[1u8, 0, 2][..], &Options::new());
/// assert!(traces.last().unwrap().error().is_some());
/// ```
#[cfg(feature = "std")]
pub fn trace_reader_with<T: DecodeOwned<C>, C: Copy, R: std::io::Read>(
    reader: R,
    options: &Options<C>,
) -> TracesFromReader<R, T, C> {
    let src = Stream::with(reader, options.limits, options.policy, false);
    TracesFromReader { inner: Batch::new(src, *options) }
}

/// What [`trace_reader`] gives.
#[cfg(feature = "std")]
pub struct TracesFromReader<R, T, C = ()> {
    inner: Batch<Stream<R>, T, C>,
}

#[cfg(feature = "std")]
impl<R: std::io::Read, T, C: Copy> TracesFromReader<R, T, C> {
    /// Tells that the reader stands at this offset of the whole input, before the record of this number: what is told
    /// of places counts from there. For a file that was sought into.
    ///
    /// ```
    /// let rest = &[2u8, 0][..];
    /// let trace = binfmt::dump::trace_reader::<u16, _>(rest).starting_at(2, 1).next().unwrap();
    /// assert_eq!(trace.range(), 2..4);
    /// assert_eq!(trace.nodes().next().unwrap().path(), "[1]");
    /// ```
    #[must_use]
    pub fn starting_at(mut self, offset: u64, record: usize) -> Self {
        self.inner.src = self.inner.src.map(|src| src.starting_at(offset));
        self.inner.index = record;
        self
    }
}

#[cfg(feature = "std")]
impl<R, T, C> fmt::Debug for TracesFromReader<R, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TracesFromReader").field("index", &self.inner.index).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<R: std::io::Read, T: DecodeOwned<C>, C: Copy> Iterator for TracesFromReader<R, T, C> {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        let limits = self.inner.options.limits;
        let mut src = self.inner.begin()?;
        src.budget_mut().0.renew(limits);
        let index = self.inner.index;
        let (mut trace, src) = self.inner.step(src)?;
        let Some(e) = trace.error.take() else { return Some(trace) };
        trace.error = Some(match src.and_then(|src| trace.followed(src)) {
            Some(bytes) if !matches!(e.kind(), ErrorKind::Io(_)) => {
                untraced::<T, C>(e, &bytes, trace.noted.base, &self.inner.options, Some(index))
            }
            _ => e,
        });
        Some(trace)
    }
}

#[cfg(feature = "std")]
impl Trace {
    /// The bytes of the record and all that follow, if they are not too many to be kept.
    pub(super) fn followed<R: std::io::Read>(&self, src: Stream<R>) -> Option<Vec<u8>> {
        const MOST: u64 = 64 << 20;
        // what came before the error and was not kept is gone
        let mut bytes = Vec::new();
        bytes.try_reserve(self.noted.bytes.len()).ok()?;
        bytes.extend_from_slice(&self.noted.bytes);
        (src.pos() == after(self.noted.base, bytes.len() as u64)).then_some(())?;
        src.drain(MOST, &mut bytes).ok()?.then_some(bytes)
    }
}

/// The source between two records.
#[derive(Debug)]
struct Batch<S, T, C> {
    src: Option<S>,
    index: usize,
    options: Options<C>,
    of: PhantomData<fn() -> T>,
}

impl<S, T, C: Copy> Batch<S, T, C> {
    fn new(src: S, options: Options<C>) -> Self {
        Batch { src: Some(src), index: 0, options, of: PhantomData }
    }

    fn begin(&mut self) -> Option<S> {
        self.src.take()
    }

    /// The trace of the record that begins here; puts the source back unless the record failed, and else gives it.
    fn step<'de>(&mut self, mut src: S) -> Option<(Trace, Option<S>)>
    where
        S: Source<'de>,
        T: Decode<'de, C>,
    {
        let index = self.index;
        match src.at_end() {
            Ok(true) => return None,
            Ok(false) => {}
            Err(e) => {
                let noted = Tracer::new(src.erase()).finish();
                return Some((Trace::of(noted, src.erase(), Some(e.within(Step::Index(index)))), None));
            }
        }
        self.index = index + 1;
        let (endian, ctx) = (self.options.endian, self.options.ctx);
        let mut tracer = Tracer::new(src.erase());
        let mut error = decode::<T, _>(&mut tracer.erase(), endian, ctx, Some(index));
        if error.is_none() {
            error = tracer.untold().map(|e| e.within(Step::Index(index)));
        }
        let noted = tracer.finish();
        if error.is_none() && noted.bytes.is_empty() {
            error = Some(Error::new(ErrorKind::Endless, noted.base).within(Step::Index(index)));
        }
        let trace = Trace::of(noted, src.erase(), error);
        match &trace.error {
            Some(_) => Some((trace, Some(src))),
            None => {
                self.src = Some(src);
                Some((trace, None))
            }
        }
    }
}
