//! Running a decoder on the tracing source: one value, or the records of a batch one by one.

use super::node::Node;
use super::render::Rendered;
use super::style::Style;
use crate::codec::Decode;
#[cfg(feature = "std")]
use crate::codec::DecodeOwned;
use crate::error::{Error, ErrorKind, Result, Step};
#[cfg(feature = "std")]
use crate::wire::Stream;
use crate::wire::amount::after;
use crate::wire::options::{Limits, Policy};
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

/// A decoder of any type.
pub(super) type Run<'r, 'de> = &'r dyn Fn(&mut Erased<'_, 'de>) -> Result<()>;

/// The same for any input.
#[cfg(feature = "std")]
pub(super) type RunAny<'r> = &'r dyn Fn(&mut Erased<'_, '_>) -> Result<()>;

/// Decodes and drops the value: what alone is compiled for each type.
pub(super) fn decode<'de, T: Decode<'de, C>, C>(
    src: &mut Erased<'_, 'de>,
    endian: Endian,
    ctx: C,
) -> Result<()> {
    match endian {
        Endian::Little => T::decode::<Le, _>(src, ctx).map(|_| ()),
        Endian::Big => T::decode::<Be, _>(src, ctx).map(|_| ()),
    }
}

/// Runs a decoder with every step noted. `index` is the record's number in a batch.
pub(super) fn noted<'de>(
    src: &mut Erased<'_, 'de>,
    run: Run<'_, 'de>,
    index: Option<usize>,
) -> Option<Error> {
    if let Some(i) = index {
        src.open(Label::Index(i), "");
    }
    match (run(src), index) {
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
pub(super) fn untraced<'de>(
    error: Error,
    (bytes, at): (&'de [u8], u64),
    (limits, policy): (Limits, Policy),
    run: Run<'_, 'de>,
    index: Option<usize>,
) -> Error {
    let mut src = Slice::with(bytes, limits, policy);
    let found = noted(&mut src.erase(), run, index).map(|e| e.moved(at, 0));
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
    let Options { endian, ctx, .. } = *options;
    trace_of(bytes, (options.limits, options.policy), &|src| decode::<T, C>(src, endian, ctx))
}

fn trace_of<'de>(bytes: &'de [u8], (limits, policy): (Limits, Policy), run: Run<'_, 'de>) -> Trace {
    let mut src = Slice::with(bytes, limits, policy);
    let mut tracer = Tracer::new(src.erase());
    let error = noted(&mut tracer.erase(), run, None);
    let mut error = error.map(|e| untraced(e, (bytes, 0), (limits, policy), run, None));
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
    Traces { src: Some(src), index: 0, options: *options, of: PhantomData }
}

/// What [`trace_all`] gives.
#[derive(Debug)]
pub struct Traces<'de, T, C = ()> {
    src: Option<Slice<'de>>,
    index: usize,
    options: Options<C>,
    of: PhantomData<fn() -> T>,
}

impl<'de, T: Decode<'de, C>, C: Copy> Iterator for Traces<'de, T, C> {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        let Options { endian, limits, policy, ctx, .. } = self.options;
        next_in_memory(&mut self.src, &mut self.index, (limits, policy), &|src| {
            decode::<T, C>(src, endian, ctx)
        })
    }
}

fn next_in_memory<'de>(
    place: &mut Option<Slice<'de>>,
    index: &mut usize,
    (limits, policy): (Limits, Policy),
    run: Run<'_, 'de>,
) -> Option<Trace> {
    let mut src = place.take()?;
    src.budget_mut().0.renew(limits);
    let (bytes, at, record) = (src.rest(), src.pos(), *index);
    let (mut trace, _) = record_of(&mut src.erase(), index, run)?;
    match trace.error.take() {
        None => *place = Some(src),
        // what has no bytes is decoded well, and is an error all the same
        Some(e) => trace.error = Some(untraced(e, (bytes, at), (limits, policy), run, Some(record))),
    }
    Some(trace)
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
    TracesFromReader { src: Some(src), index: 0, options: *options, of: PhantomData }
}

/// What [`trace_reader`] gives.
#[cfg(feature = "std")]
pub struct TracesFromReader<R, T, C = ()> {
    src: Option<Stream<R>>,
    index: usize,
    options: Options<C>,
    of: PhantomData<fn() -> T>,
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
        self.src = self.src.map(|src| src.starting_at(offset));
        self.index = record;
        self
    }
}

#[cfg(feature = "std")]
impl<R, T, C> fmt::Debug for TracesFromReader<R, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TracesFromReader").field("index", &self.index).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<R: std::io::Read, T: DecodeOwned<C>, C: Copy> Iterator for TracesFromReader<R, T, C> {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        let Options { endian, limits, policy, ctx, .. } = self.options;
        let src = self.src.as_mut()?;
        let run = &|src: &mut Erased<'_, '_>| decode::<T, C>(src, endian, ctx);
        let trace = next_of_stream(&mut src.erase(), &mut self.index, (limits, policy), run);
        if trace.as_ref().is_none_or(|trace| trace.error.is_some()) {
            self.src = None;
        }
        trace
    }
}

#[cfg(feature = "std")]
fn next_of_stream(
    src: &mut Erased<'_, '_>,
    index: &mut usize,
    (limits, policy): (Limits, Policy),
    run: RunAny<'_>,
) -> Option<Trace> {
    src.budget_mut().0.renew(limits);
    let record = *index;
    let (mut trace, is_decoded) = record_of(src, index, run)?;
    if let Some(e) = trace.error.take() {
        trace.error = Some(match trace.followed(src).filter(|_| is_decoded) {
            Some(bytes) if !matches!(e.kind(), ErrorKind::Io(_)) => {
                untraced(e, (&bytes, trace.noted.base), (limits, policy), run, Some(record))
            }
            _ => e,
        });
    }
    Some(trace)
}

#[cfg(feature = "std")]
impl Trace {
    /// The bytes of the record and all that follow, if they are not too many to be kept.
    pub(super) fn followed(&self, src: &mut Erased<'_, '_>) -> Option<Vec<u8>> {
        const MOST: u64 = 64 << 20;
        // what came before the error and was not kept is gone
        let mut bytes = Vec::new();
        bytes.try_reserve(self.noted.bytes.len()).ok()?;
        bytes.extend_from_slice(&self.noted.bytes);
        (src.pos() == after(self.noted.base, bytes.len() as u64)).then_some(())?;
        src.drain(MOST, &mut bytes).ok()?.then_some(bytes)
    }
}

/// The trace of the record that begins here, if one does, and whether its decoder was run.
fn record_of<'de>(src: &mut Erased<'_, 'de>, next: &mut usize, run: Run<'_, 'de>) -> Option<(Trace, bool)> {
    let index = *next;
    match src.at_end() {
        Ok(true) => return None,
        Ok(false) => {}
        Err(e) => {
            let noted = Tracer::new(src.erase()).finish();
            return Some((Trace::of(noted, src.erase(), Some(e.within(Step::Index(index)))), false));
        }
    }
    *next = index.saturating_add(1);
    let mut tracer = Tracer::new(src.erase());
    let mut error = noted(&mut tracer.erase(), run, Some(index));
    if error.is_none() {
        error = tracer.untold().map(|e| e.within(Step::Index(index)));
    }
    let noted = tracer.finish();
    if error.is_none() && noted.bytes.is_empty() {
        error = Some(Error::new(ErrorKind::Endless, noted.base).within(Step::Index(index)));
    }
    Some((Trace::of(noted, src.erase(), error), true))
}
