//! Rows of text: address, bytes, characters, and what they are.

use super::node::Node;
use super::style::Style;
use super::tame::tame;
use super::trace::Trace;
use super::value;
use crate::wire::amount::times;
use crate::wire::{Kind, Label};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Bytes in one row.
const ROW: usize = 16;

/// As much as most lines need.
const LINE: usize = 160;

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
        self.rows(f, range.start, (bytes, len), &paint, |line| self.words(line, node, &paint))
    }

    /// `path (piece): value (type)`.
    fn words(&self, line: &mut String, node: Node<'_>, paint: &Paint) {
        let path = node.path();
        line.push_str(&tame(&path));
        let (before, after) = if path.is_empty() { ("", ": ") } else { (" (", "): ") };
        match (node.label(), node.piece()) {
            // there are several of them
            (Label::Dimension(i), _) => line.extend([before, "dimension ", &i.to_string(), after]),
            (_, Some(piece)) => line.extend([before, &tame(piece), after]),
            (_, None) => line.push_str(if path.is_empty() { "" } else { ": " }),
        }
        let value = node.value().unwrap_or_else(|| value::count(node.len()));
        let rest = if node.is_complete() || node.is_group() { "" } else { " …" };
        self.painted(line, paint, |line| line.extend([&tame(&value), rest]));
        let kind = node.type_text();
        if !kind.is_empty() {
            self.painted(line, &FAINT, |line| line.extend([" (", &tame(&kind), ")"]));
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
        self.rows(f, from, (bytes, bytes.len()), &FAINT, |line| {
            self.painted(line, &FAINT, |line| line.push_str("(not named by the decoder)"));
        })
    }

    /// The error and the bytes that stand at its place.
    fn error(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(error) = &self.trace.error else { return Ok(()) };
        let at = self.trace.rest_at;
        let words = tame(&format!("error: {error}")).into_owned();
        self.rows(f, at, (&self.trace.rest, self.trace.rest.len()), &BAD, |line| {
            self.painted(line, &BAD, |line| line.push_str(&words));
        })
    }

    /// The rows of one value of that many bytes: the first has the words.
    fn rows(
        &self,
        f: &mut fmt::Formatter<'_>,
        start: u64,
        (bytes, len): (&[u8], usize),
        paint: &Paint,
        words: impl Fn(&mut String),
    ) -> fmt::Result {
        let empty = bytes.is_empty().then_some(bytes);
        let rows = empty.into_iter().chain(bytes.chunks(ROW));
        let mut at = start;
        // rows go out one by one: a formatter takes longer for many small pieces than for all of their bytes
        let mut line = String::with_capacity(LINE);
        // a line that says how much more there is takes as much room as the last row
        let lines = self.style.lines;
        let lines = if len <= times(lines.saturating_add(1), ROW) && bytes.len() == len {
            lines.saturating_add(1)
        } else {
            lines
        };
        for (i, row) in rows.take(lines).enumerate() {
            line.clear();
            self.painted(&mut line, &FAINT, |line| address(at, line));
            line.push_str("  ");
            self.painted(&mut line, paint, |line| digits(row, line));
            line.push_str("  ");
            if i == 0 {
                self.painted(&mut line, &FAINT, |line| characters(row, ROW, line));
                line.push_str("  ");
                words(&mut line);
            } else {
                self.painted(&mut line, &FAINT, |line| characters(row, row.len(), line));
            }
            line.push('\n');
            f.write_str(&line)?;
            at += row.len() as u64;
        }
        let left = len.saturating_sub(times(lines, ROW));
        if left > 0 {
            line.clear();
            let more = format!("{:10}  … {} more", "", value::count(left));
            self.painted(&mut line, &FAINT, |line| line.push_str(&more));
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }

    /// What is written into the line, in this colour.
    fn painted(&self, line: &mut String, paint: &Paint, write: impl FnOnce(&mut String)) {
        if !self.style.color || paint.0.is_empty() {
            return write(line);
        }
        line.push_str(paint.0);
        write(line);
        line.push_str("\x1b[0m");
    }
}

/// An offset, of eight digits or more.
fn address(at: u64, line: &mut String) {
    let needed = at.checked_ilog(16).map_or(0, |last| last + 1);
    line.push_str("0x");
    line.extend((0..needed.max(8)).rev().map(|place| digit((at >> (place * 4)) as u8)));
}

/// Bytes as pairs of digits, as wide as a whole row.
fn digits(row: &[u8], line: &mut String) {
    for i in 0..ROW {
        if i > 0 {
            line.push(' ');
        }
        line.extend(row.get(i).map_or([' '; 2], |byte| [digit(byte >> 4), digit(*byte)]));
    }
}

/// The lowest four bits.
fn digit(bits: u8) -> char {
    char::from(match bits & 0xf {
        n @ ..10 => b'0' + n,
        n => b'a' + (n - 10),
    })
}

/// Bytes as characters, where they are some, in this width.
fn characters(row: &[u8], width: usize, line: &mut String) {
    let shown = |b: &u8| if b.is_ascii_graphic() || *b == b' ' { char::from(*b) } else { '.' };
    line.extend((0..width).map(|i| row.get(i).map_or(' ', shown)));
}

fn paint_of(node: Node<'_>) -> Paint {
    match (node.label(), node.kind()) {
        (Label::Piece(_) | Label::Dimension(_), _) | (_, Some(Kind::Presence { .. } | Kind::Magic)) => PIECE,
        (_, Some(Kind::Text(_) | Kind::Token { .. })) => TEXT,
        (_, Some(Kind::Int { .. } | Kind::Varint { .. } | Kind::Float { .. } | Kind::Bool)) => NUMBER,
        (_, Some(Kind::Padding | Kind::Blank | Kind::Absent)) => FAINT,
        _ => PLAIN,
    }
}
