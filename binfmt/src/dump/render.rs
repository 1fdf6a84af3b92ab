//! Rows of text: address, bytes, characters, and what they are.

use super::node::Node;
use super::style::Style;
use super::tame::tame;
use super::trace::Trace;
use super::value;
use crate::wire::amount::times;
use crate::wire::{Kind, Label};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Bytes in one row.
const ROW: usize = 16;

/// A [`Trace`] in a [`Style`]; displays as rows.
#[derive(Debug)]
pub struct Rendered<'t> {
    pub(super) trace: &'t Trace,
    pub(super) style: Style,
}

/// The colours, as ANSI codes.
struct Paint(&'static str);

const PLAIN: Paint = Paint("");
const FAINT: Paint = Paint("\x1b[2m");
const NUMBER: Paint = Paint("\x1b[36m");
const TEXT: Paint = Paint("\x1b[32m");
const PIECE: Paint = Paint("\x1b[33m");
const BAD: Paint = Paint("\x1b[1;31m");

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at = self.trace.noted.base;
        let mut index = 0usize;
        while let Some(span) = self.trace.noted.spans.get(index) {
            let node = Node { trace: self.trace, index };
            let cut = self.style.depth.is_some_and(|max| node.is_group() && node.depth() >= max);
            let leaf = !node.is_group() || cut;
            let range = node.range();
            if leaf {
                // bytes that nothing named, between the last leaf and this one
                self.unnamed(f, at, range.start)?;
                at = range.end.max(at);
            }
            // where the decoder failed before it had a byte, the error says what it wanted
            let begun = node.is_complete() || node.goes_on() || range.start < range.end;
            if begun && !node.is_continued() && (leaf || matches!(node.kind(), Some(Kind::Variant(_)))) {
                self.node(f, node, leaf)?;
            }
            index += 1;
            while cut && self.trace.noted.spans.get(index).is_some_and(|inner| inner.depth > span.depth) {
                index += 1;
            }
        }
        self.unnamed(f, at, self.trace.range().end)?;
        self.error(f)
    }
}

impl Rendered<'_> {
    fn is_shown(&self, start: u64, end: u64) -> bool {
        let range = &self.style.range;
        start < range.end && (end > range.start || (start == end && start >= range.start))
    }

    fn node(&self, f: &mut fmt::Formatter<'_>, node: Node<'_>, leaf: bool) -> fmt::Result {
        let range = node.range();
        if !self.is_shown(range.start, range.end) {
            return Ok(());
        }
        let paint = paint_of(node);
        let (bytes, len) = if leaf { (node.bytes(), node.len()) } else { (&[][..], 0) };
        self.rows(f, range.start, (bytes, len), &paint, |f| self.words(f, node, &paint))
    }

    /// `path (piece): value (type)`.
    fn words(&self, f: &mut fmt::Formatter<'_>, node: Node<'_>, paint: &Paint) -> fmt::Result {
        let path = node.path();
        let piece = match node.label() {
            // there are several of them
            Label::Dimension(i) => Some(format!("dimension {i}")),
            _ => node.piece().map(String::from),
        };
        let name = match (path.is_empty(), piece) {
            (true, None) => String::new(),
            (true, Some(piece)) => format!("{piece}: "),
            (false, None) => format!("{path}: "),
            (false, Some(piece)) => format!("{path} ({piece}): "),
        };
        self.painted(f, &PLAIN, &tame(&name))?;
        let value = node.value().unwrap_or_else(|| value::count(node.len()));
        let value = if node.is_complete() || node.is_group() { value } else { format!("{value} …") };
        self.painted(f, paint, &tame(&value))?;
        match node.type_text() {
            text if text.is_empty() => Ok(()),
            text => self.painted(f, &FAINT, &format!(" ({})", tame(&text))),
        }
    }

    /// The bytes between two places that nothing names: what lies there may be named before or after.
    fn unnamed(&self, f: &mut fmt::Formatter<'_>, from: u64, to: u64) -> fmt::Result {
        if from >= to {
            return Ok(());
        }
        let leaves = self.trace.nodes().filter(|node| !node.is_group()).map(Node::range);
        let mut there: Vec<_> = leaves.filter(|leaf| leaf.start < to && leaf.end > from).collect();
        there.sort_unstable_by_key(|leaf| (leaf.start, leaf.end));
        let mut at = from;
        for leaf in there {
            self.unnamed_run(f, at, leaf.start)?;
            at = at.max(leaf.end);
        }
        self.unnamed_run(f, at, to)
    }

    fn unnamed_run(&self, f: &mut fmt::Formatter<'_>, from: u64, to: u64) -> fmt::Result {
        // of what is between two places that lie apart nothing was read
        let bytes = if from < to { self.trace.bytes_at(from..to) } else { &[] };
        if bytes.is_empty() || !self.is_shown(from, to) {
            return Ok(());
        }
        self.rows(f, from, (bytes, bytes.len()), &FAINT, |f| {
            self.painted(f, &FAINT, "(not named by the decoder)")
        })
    }

    /// The error and the bytes that stand at its place.
    fn error(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(error) = &self.trace.error else { return Ok(()) };
        let at = self.trace.rest_at;
        let words = tame(&format!("error: {error}")).into_owned();
        self.rows(f, at, (&self.trace.rest, self.trace.rest.len()), &BAD, |f| self.painted(f, &BAD, &words))
    }

    /// The rows of one value of that many bytes: the first has the words.
    fn rows(
        &self,
        f: &mut fmt::Formatter<'_>,
        start: u64,
        (bytes, len): (&[u8], usize),
        paint: &Paint,
        words: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let empty = bytes.is_empty().then_some(bytes);
        let rows = empty.into_iter().chain(bytes.chunks(ROW));
        let mut at = start;
        for (i, row) in rows.take(self.style.lines).enumerate() {
            self.painted(f, &FAINT, &format!("{at:#010x}"))?;
            let hex: Vec<String> = row.iter().map(|b| format!("{b:02x}")).collect();
            let ascii: String = row
                .iter()
                .map(|b| if b.is_ascii_graphic() || *b == b' ' { char::from(*b) } else { '.' })
                .collect();
            f.write_str("  ")?;
            self.painted(f, paint, &format!("{:<47}", hex.join(" ")))?;
            f.write_str("  ")?;
            if i > 0 {
                self.painted(f, &FAINT, &ascii)?;
            } else {
                self.painted(f, &FAINT, &format!("{ascii:<16}"))?;
                f.write_str("  ")?;
                words(f)?;
            }
            f.write_str("\n")?;
            at += row.len() as u64;
        }
        let left = len.saturating_sub(times(self.style.lines, ROW));
        if left > 0 {
            self.painted(f, &FAINT, &format!("{:10}  … {} more", "", value::count(left)))?;
            f.write_str("\n")?;
        }
        Ok(())
    }

    fn painted(&self, f: &mut fmt::Formatter<'_>, paint: &Paint, text: &str) -> fmt::Result {
        if self.style.color && !paint.0.is_empty() {
            write!(f, "{}{text}\x1b[0m", paint.0)
        } else {
            f.write_str(text)
        }
    }
}

fn paint_of(node: Node<'_>) -> Paint {
    match (node.label(), node.kind()) {
        (Label::Piece(_) | Label::Dimension(_), _) | (_, Some(Kind::Presence { .. } | Kind::Magic)) => PIECE,
        (_, Some(Kind::Text(_))) => TEXT,
        (_, Some(Kind::Int { .. } | Kind::Varint { .. } | Kind::Float { .. } | Kind::Bool)) => NUMBER,
        (_, Some(Kind::Padding | Kind::Blank | Kind::Absent)) => FAINT,
        _ => PLAIN,
    }
}
