//! One named run of bytes.

use super::trace::Trace;
use super::value;
use crate::wire::amount::between;
use crate::wire::trace::Span;
use crate::wire::{Endian, Kind, Label};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

/// Bytes that the decoder named: a value, a group of others, or a piece that serves a value (its length, presence, tag).
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    pub(super) trace: &'t Trace,
    pub(super) index: usize,
}

impl<'t> Node<'t> {
    pub(super) fn span(self) -> &'t Span {
        // nodes are made for the places of the list only
        &self.trace.noted.spans[self.index]
    }

    /// Offsets of its first byte and after its last, from the first byte of the input.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// assert_eq!(trace.nodes().last().unwrap().range(), 1..3);
    /// ```
    pub fn range(self) -> Range<u64> {
        let span = self.span();
        span.start..span.end.unwrap_or_else(|| self.trace.noted.end_of(span.start))
    }

    /// The bytes; of [a part](super::trace_in_parts) of a trace those that were kept, from the first one on, or the first of this part.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// assert_eq!(trace.nodes().last().unwrap().bytes(), [1, 0]);
    /// ```
    pub fn bytes(self) -> &'t [u8] {
        self.trace.bytes_at(self.range())
    }

    /// How many named groups are around it.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<((u8, u8), u8)>(&[1, 2, 3]);
    /// assert_eq!(trace.nodes().map(|n| n.depth()).collect::<Vec<_>>(), [0, 1, 1, 0]);
    /// ```
    pub fn depth(self) -> usize {
        self.around().iter().filter(|label| !matches!(label, Label::Value)).count().saturating_sub(1)
    }

    /// How many nodes are around it, those that are only the value of another too: its place in the tree, as the order of
    /// [`nodes`](Trace::nodes) has a group before what is in it.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump};
    /// #[derive(BinFormat)]
    /// struct Name { #[binfmt(length_prefixed(u8))] name: String }
    /// let trace = dump::trace::<Name>(b"\x02ab");
    /// assert_eq!(trace.nodes().map(|n| (n.level(), n.depth())).collect::<Vec<_>>(), [(0, 0), (1, 1), (1, 0)]);
    /// ```
    pub fn level(self) -> usize {
        self.span().depth
    }

    /// The labels from the outermost to its own.
    fn around(self) -> Vec<&'t Label<String>> {
        let mut labels = Vec::new();
        let mut next = Some(self.index);
        while let Some(span) = next.and_then(|i| self.trace.noted.spans.get(i)) {
            labels.push(&span.label);
            next = span.parent;
        }
        labels.reverse();
        labels
    }

    /// The path of its value, outermost first: `fragment.tile_offsets[3]`. A piece has the path of what it serves.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<[(u8, bool); 2]>(&[0, 1, 0, 1]);
    /// assert_eq!(trace.nodes().last().unwrap().path(), "[1].1");
    /// ```
    pub fn path(self) -> String {
        // as much as most paths need
        let mut path = String::with_capacity(32);
        for label in self.around() {
            match label {
                Label::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                // writing to a String does not fail
                Label::Index(i) => drop(write!(path, "[{i}]")),
                Label::Piece(_) | Label::Dimension(_) | Label::Value => {}
            }
        }
        path
    }

    /// What it is called: a field, an element, or a piece.
    ///
    /// ```
    /// use binfmt::wire::Label;
    /// let trace = binfmt::dump::trace::<(u8,)>(&[1]);
    /// assert_eq!(trace.nodes().next().unwrap().label(), &Label::Field("0".to_string()));
    /// ```
    pub fn label(self) -> &'t Label<String> {
        &self.span().label
    }

    /// The piece that these bytes are (`length`, `presence`, `tag`), or `None` when they are a value. The
    /// [label](Self::label) tells which of several a `dimension` is.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump};
    /// #[derive(BinFormat)]
    /// struct Name { #[binfmt(length_prefixed(u8))] name: String }
    /// let trace = dump::trace::<Name>(b"\x02ab");
    /// assert_eq!(trace.nodes().filter_map(|n| n.piece()).collect::<Vec<_>>(), ["length"]);
    /// ```
    pub fn piece(self) -> Option<&'t str> {
        match &self.span().label {
            Label::Piece(name) => Some(name),
            Label::Dimension(_) => Some("dimension"),
            Label::Field(_) | Label::Index(_) | Label::Value => None,
        }
    }

    /// The type as it stands in the source or format, of a value apart from its pieces that of what is around it; empty when nothing said it.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump};
    /// #[derive(BinFormat)]
    /// struct Name { #[binfmt(length_prefixed(u8))] name: String }
    /// assert_eq!(dump::trace::<Name>(b"\x02ab").nodes().next().unwrap().native(), "String");
    /// ```
    pub fn native(self) -> &'t str {
        let mut span = self.span();
        while let (true, Label::Value, Some(around)) = (span.native.is_empty(), &span.label, span.parent) {
            let Some(outer) = self.trace.noted.spans.get(around) else { break };
            span = outer;
        }
        &span.native
    }

    /// What the bytes are; `None` for a group, or where a custom decoder did not say.
    ///
    /// ```
    /// use binfmt::wire::Kind;
    /// let trace = binfmt::dump::trace::<bool>(&[1]);
    /// assert_eq!(trace.nodes().next().unwrap().kind(), Some(&Kind::Bool));
    /// ```
    pub fn kind(self) -> Option<&'t Kind<String>> {
        self.span().kind.as_ref()
    }

    /// The byte order in which its numbers were read.
    ///
    /// ```
    /// use binfmt::Endian;
    /// let trace = binfmt::dump::trace::<u16>(&[1, 0]);
    /// assert_eq!(trace.nodes().next().unwrap().endian(), Endian::Little);
    /// ```
    pub fn endian(self) -> Endian {
        if self.span().little { Endian::Little } else { Endian::Big }
    }

    /// Whether other nodes explain its bytes.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<[(u8, bool); 1]>(&[0, 1]);
    /// assert_eq!(trace.nodes().map(|n| n.is_group()).collect::<Vec<_>>(), [true, false, false]);
    /// ```
    pub fn is_group(self) -> bool {
        self.span().has_children
    }

    /// Whether it was read to its end.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u32)>(&[1, 2]);
    /// assert_eq!(trace.nodes().map(|n| n.is_complete()).collect::<Vec<_>>(), [true, false]);
    /// ```
    pub fn is_complete(self) -> bool {
        self.span().end.is_some()
    }

    /// Whether it has begun in an earlier [part](super::trace_in_parts) of the trace.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// assert!(trace.nodes().all(|node| !node.is_continued()));
    /// ```
    pub fn is_continued(self) -> bool {
        self.span().is_told
    }

    /// Whether it goes on in the [part](super::trace_in_parts) of the trace that comes next: where it ends is not known yet.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<(u8, u16)>(&[7, 1, 0]);
    /// assert!(trace.nodes().all(|node| !node.goes_on()));
    /// ```
    pub fn goes_on(self) -> bool {
        self.trace.noted.goes_on && self.span().end.is_none()
    }

    /// How many bytes it has, all of which need not be [there](Self::bytes).
    pub(super) fn len(self) -> usize {
        let range = self.range();
        usize::try_from(between(range.start, range.end)).unwrap_or(usize::MAX)
    }

    /// The value as text, shortened when it is long; the variant of a choice; `None` for other groups.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<[f32; 2]>(&[0, 0, 128, 63, 0, 0, 0, 0]);
    /// assert_eq!(trace.nodes().next().unwrap().value().unwrap(), "[1, 0]");
    /// ```
    pub fn value(self) -> Option<String> {
        let span = self.span();
        match (&span.kind, span.has_children) {
            (Some(Kind::Variant(name)), _) => Some(name.clone()),
            (_, true) => self.value_inside(),
            (Some(kind), false) => Some(value::text(kind, span.little, self.bytes(), self.len())),
            (None, false) => Some(value::count(self.len())),
        }
    }

    /// A text, or a value that is written as text: all of it, in UTF-8 whatever its encoding, without what ends it or stands around it.
    /// `None` of anything else.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump};
    /// #[derive(BinFormat)]
    /// struct Name { #[binfmt(nul)] name: String }
    /// let trace = dump::trace::<Name>(b"ab\0");
    /// assert_eq!(trace.nodes().next().unwrap().text().as_deref(), Some(&b"ab"[..]));
    /// ```
    pub fn text(self) -> Option<Cow<'t, [u8]>> {
        match &self.span().kind {
            Some(Kind::Text(encoding)) => Some(value::whole_text(encoding, self.bytes())),
            Some(Kind::Token { value: Some(value), .. }) => Some(Cow::Borrowed(value.as_bytes())),
            _ => None,
        }
    }

    /// The value of a group that is one value and the pieces that serve it.
    fn value_inside(self) -> Option<String> {
        let depth = self.span().depth + 1;
        let inside = self.trace.noted.spans.iter().enumerate().skip(self.index + 1);
        let mut found = None;
        for (index, span) in inside.take_while(|(_, span)| span.depth >= depth) {
            let node = Node { trace: self.trace, index };
            match (&span.label, &span.kind) {
                _ if span.depth > depth => {}
                (Label::Value, _) => return node.value(),
                (Label::Piece(_), Some(Kind::Presence { .. })) => found = node.value(),
                _ => {}
            }
        }
        found
    }

    /// The type in a few words: `i16 le`, `UTF-8`; empty where the value says it.
    ///
    /// ```
    /// let trace = binfmt::dump::trace::<[u16; 2]>(&[1, 0, 2, 0]);
    /// assert_eq!(trace.nodes().next().unwrap().type_text(), "2 × u16 le");
    /// ```
    pub fn type_text(self) -> String {
        let span = self.span();
        match &span.kind {
            // what is ignored has no value that would tell what it is
            Some(Kind::Padding) if span.native != "()" => span.native.clone(),
            Some(kind) => value::type_text(kind, span.little, self.len()),
            None => String::new(),
        }
    }
}
