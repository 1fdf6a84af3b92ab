//! What the bytes of a section are, as a table with a line for each part: a group before what is in it.

use crate::span::Span;
use crate::terminal;
use binfmt::dump::{Kind, Label};
use binfmt::dump::{Node, Trace};
use binfmt::numbers::NumberType;

/// What a part is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Group = 0,
    Number = 1,
    Text = 2,
    /// A length, a tag, a mark.
    Piece = 3,
    /// Bytes without a meaning of their own.
    Faint = 4,
    Bytes = 5,
    Error = 6,
}

#[derive(Debug)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) len: u64,
    /// How many parts of the page it is in.
    pub(super) depth: usize,
    pub(super) name: Name,
    pub(super) ty: String,
    pub(super) value: String,
    pub(super) colour: Colour,
    /// Bytes of each element, if it is a list of numbers.
    pub(super) width: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    Index(usize),
    /// A field; a piece stands in parentheses, and what is only the value has none.
    Text(String),
}

#[derive(Debug, Default)]
pub(super) struct Parts(pub(super) Vec<Part>);

impl Parts {
    /// Adds what touches the window, and its error; how many parts those are, and whether there was room for all.
    pub(super) fn add(&mut self, trace: &Trace, window: Span, depth: Option<u32>, room: u64) -> (u64, bool) {
        let before = self.0.len();
        let depth = depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap_or(usize::MAX));
        // the levels that are open, and their depth on the page
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut hidden = usize::MAX;
        for node in trace.nodes() {
            let level = node.level();
            if level > hidden {
                continue;
            }
            hidden = usize::MAX;
            while open.last().is_some_and(|(other, _)| *other >= level) {
                open.pop();
            }
            let at = open.last().map_or(0, |(_, depth)| depth + 1);
            let is_cut = node.is_group() && node.depth() >= depth;
            if is_cut {
                hidden = level;
            }
            // what is only the value of another is shown in its place
            if matches!(node.label(), Label::Value) && node.is_group() && at > 0 && !is_cut {
                open.push((level, at - 1));
                continue;
            }
            open.push((level, at));
            if !is_shown(node, window) || (node.is_continued() && self.continued(node, at)) {
                continue;
            }
            if (self.0.len() - before) as u64 == room {
                return (room, false);
            }
            self.0.push(part(node, at, is_cut));
        }
        if let Some(e) = trace.error() {
            let (rest, bytes) = trace.rest();
            let start = e.offset().unwrap_or(rest);
            self.0.push(Part {
                start,
                len: rest.saturating_add(bytes.len() as u64).saturating_sub(start),
                depth: 0,
                name: Name::Text("error".to_owned()),
                ty: String::new(),
                value: tame(&e.to_string()),
                colour: Colour::Error,
                width: 0,
            });
        }
        ((self.0.len() - before) as u64, true)
    }
}

impl Parts {
    /// Makes a group longer that an earlier part of the trace has begun; false if it is not on the page.
    fn continued(&mut self, node: Node<'_>, at: usize) -> bool {
        let range = node.range();
        let known = self.0.iter_mut().rev().find(|part| part.depth <= at);
        match known.filter(|part| part.depth == at && part.start == range.start) {
            Some(part) => {
                part.len = part.len.max(range.end - range.start);
                true
            }
            None => false,
        }
    }
}

/// Text of a file, in which nothing turns the direction of writing.
fn tame(text: &str) -> String {
    terminal::line(text).into_owned()
}

fn is_shown(node: Node<'_>, window: Span) -> bool {
    let range = node.range();
    // where the decoder failed before it had a byte, the error says what it wanted
    let has_begun = node.is_complete() || node.goes_on() || range.start < range.end;
    let is_before = window.to.is_some_and(|to| range.start >= to);
    has_begun && !is_before && (range.end > window.from || range.start >= window.from)
}

fn part(node: Node<'_>, depth: usize, is_cut: bool) -> Part {
    let range = node.range();
    let is_leaf = !node.is_group() || is_cut;
    let value = node.value().unwrap_or_default();
    let value = if node.is_complete() || node.is_group() { value } else { format!("{value} …") };
    let width = match node.kind() {
        Some(Kind::Int { bytes, .. } | Kind::Float { bytes }) => *bytes,
        Some(Kind::Bool) => 1,
        _ => 0,
    };
    let name = match (node.label(), node.piece()) {
        (Label::Index(i), _) => Name::Index(*i),
        (Label::Field(name), _) => Name::Text(tame(name)),
        // there are several of them
        (Label::Dimension(i), _) => Name::Text(format!("(dimension {i})")),
        (_, Some(piece)) => Name::Text(format!("({})", tame(piece))),
        (_, None) => Name::Text(String::new()),
    };
    Part {
        start: range.start,
        len: range.end - range.start,
        depth,
        name,
        ty: tame(&if is_leaf { node.type_text() } else { of_group(node.native()).to_owned() }),
        value: tame(&value),
        colour: if is_leaf { colour(node) } else { Colour::Group },
        width: if width > 0 && range.end - range.start > width as u64 { width } else { 0 },
    }
}

/// The type of a group by its name, unless only Rust calls it that: `Vec<Cell>`, or a number that stands for parts which are not kept.
fn of_group(native: &str) -> &str {
    let is_name = !native.contains(['<', '(', '[', '&']) && NumberType::named(native).is_none();
    if is_name { native } else { "" }
}

fn colour(node: Node<'_>) -> Colour {
    match (node.label(), node.kind()) {
        (Label::Piece(_) | Label::Dimension(_), _) | (_, Some(Kind::Presence { .. } | Kind::Magic)) => {
            Colour::Piece
        }
        (_, Some(Kind::Text(_))) => Colour::Text,
        (
            _,
            Some(
                Kind::Int { .. } | Kind::Varint { .. } | Kind::Float { .. } | Kind::Bool | Kind::Bits { .. },
            ),
        ) => Colour::Number,
        (_, Some(Kind::Padding | Kind::Blank | Kind::Absent)) => Colour::Faint,
        _ => Colour::Bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binfmt::{BinFormat, Nullable, dump};

    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Cell {
        a: i8,
        #[binfmt(nullable)]
        b: Nullable<i16>,
        #[binfmt(var_len, nul)]
        c: String,
    }

    const BYTES: &[u8] = b"\x01\xff\x0a\0\x03\0\0\0xy\0";

    fn shown(parts: &Parts) -> Vec<(usize, &Name, u64, u64, &str)> {
        let one = |part: &Part| (part.depth, part.start, part.len);
        parts.0.iter().map(|part| (one(part).0, &part.name, part.start, part.len, &*part.value)).collect()
    }

    #[test]
    fn a_value_stands_below_its_name_with_what_serves_it() {
        let mut parts = Parts::default();
        let trace = dump::trace::<Cell>(BYTES);
        assert_eq!(parts.add(&trace, Span::ALL, None, 100), (7, true));
        let text = |text: &str| Name::Text(text.to_owned());
        assert_eq!(
            shown(&parts),
            [
                (0, &text("a"), 0, 1, "1"),
                (0, &text("b"), 1, 3, "10"),
                (1, &text("(presence)"), 1, 1, "0xff, present"),
                (1, &text(""), 2, 2, "10"),
                (0, &text("c"), 4, 7, "\"xy\""),
                (1, &text("(length)"), 4, 4, "3"),
                (1, &text(""), 8, 3, "\"xy\""),
            ]
        );
        assert_eq!(parts.0[0].colour, Colour::Number);
        assert_eq!(parts.0[5].colour, Colour::Piece);
    }

    #[test]
    fn a_window_a_depth_and_what_there_is_room_for() {
        let trace = dump::trace::<Cell>(BYTES);
        let mut parts = Parts::default();
        parts.add(&trace, Span { from: 2, to: Some(4) }, None, 100);
        assert_eq!(parts.0.iter().map(|part| part.start).collect::<Vec<_>>(), [1, 2]);
        let mut parts = Parts::default();
        parts.add(&trace, Span::ALL, Some(0), 100);
        assert_eq!(parts.0.iter().map(|part| part.len).collect::<Vec<_>>(), [1, 3, 7]);
        assert_eq!(Parts::default().add(&trace, Span::ALL, None, 3), (3, false));
        assert_eq!(Parts::default().add(&trace, Span::ALL, None, 7), (7, true));
    }

    #[test]
    fn an_error_is_a_part() {
        let mut parts = Parts::default();
        parts.add(&dump::trace::<(u8, bool)>(&[7, 9]), Span::ALL, None, 100);
        let last = parts.0.last().unwrap();
        assert_eq!((last.start, last.len, last.colour), (1, 1, Colour::Error));
        assert!(last.value.contains("not a bool"), "{}", last.value);
    }
}
