//! The bytes of a section: runs, with what was not read between them.

use crate::span::Span;
use binfmt::dump::Trace;

/// Bytes in a line of the page: a window of bytes is one of lines.
const LINE: u64 = 16;

#[derive(Debug, Default)]
pub(super) struct Runs(pub(super) Vec<Run>);

#[derive(Debug)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) bytes: Vec<u8>,
}

impl Run {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl Runs {
    /// Bytes that begin there.
    pub(super) fn add(&mut self, start: u64, bytes: &[u8]) {
        match self.0.last_mut() {
            _ if bytes.is_empty() => {}
            Some(last) if last.end() == start => last.bytes.extend_from_slice(bytes),
            _ => self.0.push(Run { start, bytes: bytes.to_vec() }),
        }
    }

    /// The bytes of a part, those that lie elsewhere, and what stands at its error; how many they are, unless that is more
    /// than there is room for.
    pub(super) fn add_part(&mut self, part: &Trace, window: Span, room: u64) -> Option<u64> {
        // what is after them was not kept, or lies elsewhere
        let own = part.range().start..part.range().start + part.bytes().len() as u64;
        let is_elsewhere = |range: &std::ops::Range<u64>| range.start < own.start || range.end > own.end;
        let mut all = vec![(own.start, part.bytes())];
        let leaves = part.nodes().filter(|node| !node.is_group() && is_elsewhere(&node.range()));
        all.extend(leaves.map(|node| (node.range().start, node.bytes())));
        all.push(part.rest());
        let mut left = room;
        for (start, bytes) in all {
            let (start, bytes) = within(start, bytes, window);
            let kept = usize::try_from(left).map_or(bytes, |left| bytes.get(..left).unwrap_or(bytes));
            self.add(start, kept);
            left -= kept.len() as u64;
            if kept.len() < bytes.len() {
                return None;
            }
        }
        Some(room - left)
    }

    /// Where the last of them ends.
    pub(super) fn end(&self) -> u64 {
        self.0.iter().map(Run::end).max().unwrap_or(0)
    }

    /// Sorts them, each byte once.
    pub(super) fn order(&mut self) {
        self.0.sort_by_key(|run| run.start);
        let mut ordered = Runs::default();
        for run in self.0.drain(..) {
            let known = ordered.end();
            let again = known.saturating_sub(run.start);
            let fresh = usize::try_from(again).ok().and_then(|n| run.bytes.get(n..)).unwrap_or_default();
            ordered.add(run.start.max(known.min(run.start + again)), fresh);
        }
        *self = ordered;
    }
}

/// The bytes of whole lines that the window touches.
fn within(start: u64, bytes: &[u8], window: Span) -> (u64, &[u8]) {
    let len = bytes.len() as u64;
    let from = window.from / LINE * LINE;
    let to = window.to.map_or(u64::MAX, |to| to.div_ceil(LINE).saturating_mul(LINE));
    let at = |place: u64| usize::try_from(place.saturating_sub(start).min(len)).unwrap_or(bytes.len());
    (start.max(from.min(start + len)), bytes.get(at(from)..at(to)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_kept_once() {
        let mut runs = Runs::default();
        runs.add(4, b"efgh");
        runs.add(8, b"ij");
        runs.add(20, b"u");
        runs.add(0, b"abcdef");
        runs.add(5, b"f");
        runs.order();
        let all: Vec<_> = runs.0.iter().map(|run| (run.start, &run.bytes[..])).collect();
        assert_eq!(all, [(0, &b"abcdefghij"[..]), (20, b"u")]);
    }

    #[test]
    fn a_window_is_one_of_lines() {
        let bytes: Vec<u8> = (0..100).collect();
        let window = |from, to| {
            let (start, bytes) = within(8, &bytes, Span { from, to });
            (start, bytes.len())
        };
        assert_eq!(window(0, None), (8, 100));
        assert_eq!(window(20, Some(30)), (16, 16));
        assert_eq!(window(0, Some(4)), (8, 8));
        assert_eq!(window(200, None).1, 0);
    }

    #[test]
    fn what_lies_elsewhere_and_what_is_too_much() {
        let trace = binfmt::dump::trace::<[u32; 8]>(&[7; 32]);
        let mut runs = Runs::default();
        assert_eq!(runs.add_part(&trace, Span::ALL, 32), Some(32));
        assert_eq!(Runs::default().add_part(&trace, Span::ALL, 31), None);
        // where it fails stands what could not be read
        let trace = binfmt::dump::trace::<(u8, bool)>(&[7, 9]);
        let mut runs = Runs::default();
        runs.add_part(&trace, Span::ALL, 100);
        assert_eq!(runs.0[0].bytes, [7, 9]);
    }
}
