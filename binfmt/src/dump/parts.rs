//! Traces of values that are larger than memory, in parts.

use super::trace::{RunAny, Trace, decode, noted, untraced};
use crate::codec::DecodeOwned;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::between;
use crate::wire::hooks::Hooks;
use crate::wire::options::{Limits, Policy};
use crate::wire::trace::{Noted, PartSize, Tracer};
use crate::wire::{Cursor, Erased, Label, Options, Source, Stream};
use alloc::vec::Vec;
use std::io::Read;

/// How a trace is [cut into parts](trace_in_parts).
///
/// ```
/// use binfmt::dump::PartOptions;
/// let options = PartOptions::new().depth(2).keep(1 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOptions {
    size: PartSize,
}

/// More bytes than are shown of a list or a text.
const SHOWN: usize = 64 << 10;

impl Default for PartOptions {
    fn default() -> Self {
        PartOptions::new()
    }
}

impl PartOptions {
    /// Every depth; parts have some thousand nodes, or a mebibyte.
    ///
    /// ```
    /// assert_eq!(binfmt::dump::PartOptions::new(), binfmt::dump::PartOptions::default());
    /// ```
    pub fn new() -> Self {
        PartOptions {
            size: PartSize {
                spans: 1 << 12,
                bytes: 1 << 20,
                depth: usize::MAX,
                kept: SHOWN,
                in_pieces: false,
            },
        }
    }

    /// Groups at this depth come without what is in them, as they are [shown](super::Style::depth): they take no memory for it.
    ///
    /// ```
    /// use binfmt::dump::{self, PartOptions, Style};
    /// let mut lines = 0;
    /// dump::trace_in_parts::<((u8, u8), u8), (), _>(
    ///     &[1u8, 2, 3][..],
    ///     &binfmt::Options::new(),
    ///     PartOptions::new().depth(0),
    ///     |part| {
    ///         lines += part.text(&Style::new().depth(0)).to_string().lines().count();
    ///         true
    ///     },
    /// )?;
    /// assert_eq!(lines, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn depth(mut self, levels: usize) -> Self {
        self.size.depth = levels;
        self
    }

    /// As many bytes are kept of a value that the decoder steps over, and of a group without what is in it: 64 KiB unless this says more.
    ///
    /// ```
    /// use binfmt::dump::PartOptions;
    /// assert_eq!(PartOptions::new().keep(1), PartOptions::new());
    /// ```
    #[must_use]
    pub fn keep(mut self, bytes: usize) -> Self {
        self.size.kept = bytes.max(SHOWN);
        self
    }

    /// Every byte of a value that the decoder steps over is in a part: a long list [goes on](super::Node::goes_on) from part to part, each of which
    /// has [bytes](super::Node::bytes) of it.
    ///
    /// ```
    /// use binfmt::dump::{self, PartOptions};
    /// use binfmt::formats::futhark::Contents;
    /// let mut file = b"b\x02\x01 i32".to_vec();
    /// file.extend(100_000u64.to_le_bytes());
    /// file.extend([7; 400_000]);
    /// let (mut bytes, mut parts) = (0, 0);
    /// let options = PartOptions::new().in_pieces();
    /// dump::trace_in_parts::<Contents, (), _>(&file[..], &binfmt::Options::new(), options, |part| {
    ///     parts += 1;
    ///     bytes += part.nodes().filter(|node| !node.is_group()).map(|node| node.bytes().len()).sum::<usize>();
    ///     true
    /// })?;
    /// assert!(parts > 2 && bytes >= 400_000);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn in_pieces(mut self) -> Self {
        self.size.in_pieces = true;
        self
    }

    /// A part is handed over when it has as many nodes.
    ///
    /// ```
    /// use binfmt::dump::{self, PartOptions};
    /// let mut parts = Vec::new();
    /// let options = PartOptions::new().nodes(2);
    /// dump::trace_in_parts::<[(u8, u8); 3], (), _>(&[1u8, 2, 3, 4, 5, 6][..], &binfmt::Options::new(), options, |part| {
    ///     parts.push(part.range());
    ///     true
    /// })?;
    /// assert!(parts.len() > 2 && parts[0] == (0..2));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn nodes(mut self, nodes: usize) -> Self {
        self.size.spans = nodes.max(1);
        self
    }
}

/// [`trace_with`](super::trace_with) of all bytes of a reader, handed over in parts, each a trace by itself: no more is in memory than a
/// part, and what the decoder holds. A group that is larger than a part is in each of those that have something of it; the first
/// of them [shows](super::Trace::text) it, and it [ends](super::Node::goes_on) in the last one. When the function says that it wants no more, nothing more is read.
///
/// The error is that of a decoder that is not traced as long as there was one part only, else that of the tracing one.
///
/// ```
/// use binfmt::{BinFormat, Options, dump};
/// #[derive(BinFormat)]
/// struct File { #[binfmt(until_eof)] rows: Vec<(u8, u8)> }
/// let bytes = vec![7u8; 1 << 16];
/// let mut text = String::new();
/// dump::trace_in_parts::<File, (), _>(&bytes[..], &Options::new(), dump::PartOptions::new(), |part| {
///     assert!(part.bytes().len() < bytes.len() / 2);
///     text.push_str(&part.to_string());
///     true
/// })?;
/// assert_eq!(text, dump::trace::<File>(&bytes).to_string());
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The decoder failed: the last part has the same error.
pub fn trace_in_parts<T: DecodeOwned<C>, C: Copy, R: Read>(
    reader: R,
    options: &Options<C>,
    parts: PartOptions,
    give: impl FnMut(&Trace) -> bool,
) -> Result<()> {
    in_parts_from::<T, C, R>(reader, options, parts, (0, ""), give)
}

/// The same of a reader that stands at this offset of the whole input; paths begin with the name, if there is one.
pub(crate) fn in_parts_from<T: DecodeOwned<C>, C: Copy, R: Read>(
    reader: R,
    options: &Options<C>,
    parts: PartOptions,
    place: (u64, &str),
    mut give: impl FnMut(&Trace) -> bool,
) -> Result<()> {
    let Options { endian, limits, policy, ctx, .. } = *options;
    let mut src = Stream::with(reader, limits, policy, false).starting_at(place.0);
    let run = &|src: &mut Erased<'_, '_>| decode::<T, C>(src, endian, ctx);
    in_parts(&mut src.erase(), (limits, policy), run, parts, place, &mut give)
}

fn in_parts(
    src: &mut Erased<'_, '_>,
    (limits, policy): (Limits, Policy),
    run: RunAny<'_>,
    parts: PartOptions,
    (offset, name): (u64, &str),
    give: &mut dyn FnMut(&Trace) -> bool,
) -> Result<()> {
    let (mut is_whole, mut wants_more) = (true, true);
    let mut take = |noted: Noted| {
        is_whole = false;
        let rest_at = noted.end;
        wants_more = give(&Trace { noted, error: None, rest: Vec::new(), rest_at });
        wants_more
    };
    let mut tracer = Tracer::in_parts(src.erase(), parts.size, &mut take);
    if !name.is_empty() {
        tracer.open(Label::Field(name), "");
    }
    let mut error = noted(&mut tracer.erase(), run, None);
    error = error.or_else(|| tracer.untold());
    let noted = tracer.finish();
    if !wants_more {
        return Ok(());
    }
    if error.is_none() {
        error = left_over(src).err();
    }
    let mut trace = Trace::of(noted, src.erase(), error);
    trace.error = trace.error.take().map(|e| match trace.followed(src).filter(|_| is_whole) {
        Some(bytes) if !matches!(e.kind(), ErrorKind::Io(_) | ErrorKind::TrailingBytes { .. }) => {
            untraced(e, (&bytes, offset), (limits, policy), run, None)
        }
        _ => e,
    });
    if !name.is_empty() {
        trace.error = trace.error.map(|e| e.within(Step::Name(name.into())));
    }
    give(&trace);
    trace.error.map_or(Ok(()), Err)
}

/// Nothing may be left of the input.
fn left_over(src: &mut Erased<'_, '_>) -> Result<()> {
    let at = src.pos();
    while !src.at_end()? {
        let there = src.chunk()?;
        src.skip(there as u64)?;
    }
    match between(at, src.pos()) {
        0 => Ok(()),
        count => Err(Error::new(ErrorKind::TrailingBytes { count }, at)),
    }
}
