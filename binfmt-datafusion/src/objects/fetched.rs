//! What was fetched of objects and may be asked for again, and how much is fetched next.

use super::wait::Waiting;
use bytes::Bytes;
use object_store::{ObjectMeta, Result};
use std::collections::VecDeque;
use std::ops::Range;

/// What is fetched where nothing says that more will be read.
const FIRST: u64 = 64 << 10;
/// The most that is fetched for what may be read next.
pub(super) const MOST: u64 = 4 << 20;
/// An object of so many bytes is fetched whole.
const WHOLE: u64 = 256 << 10;
/// What is kept of all objects of a table.
const KEPT: usize = 128 << 20;
/// In how many pieces, since each is looked at.
const PIECES: usize = 64;

struct Piece {
    path: String,
    start: u64,
    bytes: Bytes,
}

impl Piece {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes.len() as u64)
    }
}

struct Ahead {
    path: String,
    range: Range<u64>,
    waiting: Waiting<Result<Bytes>>,
}

/// The pieces that were read last come last.
#[derive(Default)]
pub(super) struct Fetched {
    pieces: VecDeque<Piece>,
    size: usize,
    ahead: VecDeque<Ahead>,
}

/// What is to be fetched.
#[derive(Debug, PartialEq)]
pub(super) struct Next {
    pub(super) range: Range<u64>,
    /// Whether it goes on where something was read before: then the bytes after it are wanted soon.
    pub(super) goes_on: bool,
}

impl Fetched {
    /// Fills the front of `out` with what is there of an object from `offset` on; how many bytes.
    pub(super) fn copy(&mut self, path: &str, offset: u64, out: &mut [u8]) -> usize {
        let has = |piece: &Piece| piece.path == path && (piece.start..piece.end()).contains(&offset);
        let Some(found) = self.pieces.iter().position(has) else { return 0 };
        let Some(piece) = self.pieces.remove(found) else { return 0 };
        let from = usize::try_from(offset.saturating_sub(piece.start)).unwrap_or(usize::MAX);
        let there = piece.bytes.get(from..).unwrap_or_default();
        let n = there.len().min(out.len());
        out[..n].copy_from_slice(&there[..n]);
        self.pieces.push_back(piece);
        n
    }

    /// What is fetched for bytes of an object from `offset` on, which are not there.
    pub(super) fn next(&self, meta: &ObjectMeta, path: &str, offset: u64, wanted: u64) -> Next {
        if meta.size <= WHOLE {
            return Next { range: 0..meta.size, goes_on: false };
        }
        let before = self.pieces.iter().find(|piece| piece.path == path && piece.end() == offset);
        let length =
            before.map_or(FIRST, |piece| (piece.bytes.len() as u64).saturating_mul(2).clamp(FIRST, MOST));
        let end = offset.saturating_add(length.max(wanted)).min(self.end(path, offset, meta.size));
        Next { range: offset..end, goes_on: before.is_some() }
    }

    /// Where something is there of an object, or arriving, after an offset; its end if nothing is.
    pub(super) fn end(&self, path: &str, offset: u64, size: u64) -> u64 {
        let there = self.pieces.iter().map(|piece| (&piece.path, piece.start));
        let arriving = self.ahead.iter().map(|ahead| (&ahead.path, ahead.range.start));
        let after = there.chain(arriving).filter(|(of, start)| *of == path && *start > offset);
        after.map(|(_, start)| start).min().unwrap_or(size)
    }

    /// Takes what was fetched.
    pub(super) fn put(&mut self, path: &str, start: u64, bytes: Bytes) {
        self.size = self.size.saturating_add(bytes.len());
        self.pieces.push_back(Piece { path: path.to_owned(), start, bytes });
        while self.pieces.len() > 1 && (self.size > KEPT || self.pieces.len() > PIECES) {
            let oldest = self.pieces.pop_front();
            self.size = self.size.saturating_sub(oldest.map_or(0, |piece| piece.bytes.len()));
        }
    }

    /// What is on its way of an object from `offset` on, and how many bytes that are.
    pub(super) fn arriving(
        &mut self,
        path: &str,
        offset: u64,
    ) -> Option<(Range<u64>, Waiting<Result<Bytes>>)> {
        let found = self.ahead.iter().position(|ahead| ahead.path == path && ahead.range.start == offset)?;
        self.ahead.remove(found).map(|ahead| (ahead.range, ahead.waiting))
    }

    /// Remembers what is on its way.
    pub(super) fn expect(&mut self, path: &str, range: Range<u64>, waiting: Waiting<Result<Bytes>>) {
        self.ahead.push_back(Ahead { path: path.to_owned(), range, waiting });
        if self.ahead.len() > PIECES / 4 {
            self.ahead.pop_front();
        }
    }

    /// Forgets an object.
    pub(super) fn forget(&mut self, path: &str) {
        self.pieces.retain(|piece| piece.path != path);
        self.ahead.retain(|ahead| ahead.path != path);
        self.size = self.pieces.iter().map(|piece| piece.bytes.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(size: u64) -> ObjectMeta {
        ObjectMeta {
            location: "a".into(),
            last_modified: Default::default(),
            size,
            e_tag: None,
            version: None,
        }
    }

    #[test]
    fn what_goes_on_is_fetched_in_growing_pieces() {
        let mut fetched = Fetched::default();
        let far = meta(1 << 30);
        let (mut at, mut lengths) = (1000, Vec::new());
        for _ in 0..9 {
            let next = fetched.next(&far, "a", at, 10);
            assert_eq!((next.range.start, next.goes_on), (at, at > 1000));
            let length = next.range.end - next.range.start;
            fetched.put("a", at, vec![7; length as usize].into());
            lengths.push(length);
            at += length;
        }
        assert_eq!((lengths[0], lengths[1], lengths[8]), (FIRST, 2 * FIRST, MOST));
        // what another reader has is not fetched again
        assert_eq!(fetched.next(&far, "a", 990, 100).range, 990..1000);
        // what is wanted is fetched, however much it is, and nothing after the end
        assert_eq!(fetched.next(&far, "b", 5, 3 * MOST).range, 5..5 + 3 * MOST);
        assert_eq!(fetched.next(&far, "b", (1 << 30) - 4, 4).range, (1 << 30) - 4..1 << 30);
        assert_eq!(fetched.next(&meta(WHOLE), "b", 7, 4).range, 0..WHOLE);
    }

    #[test]
    fn what_was_read_last_stays() {
        let mut fetched = Fetched::default();
        fetched.put("a", 100, vec![1; 10].into());
        let mut out = [0; 4];
        assert_eq!((fetched.copy("a", 108, &mut out), out), (2, [1, 1, 0, 0]));
        assert_eq!((fetched.copy("a", 110, &mut out), fetched.copy("b", 100, &mut out)), (0, 0));
        for i in 0..2 * PIECES as u64 {
            fetched.put("b", i, vec![2].into());
            assert_eq!(fetched.copy("a", 100, &mut out), 4);
        }
        assert_eq!((fetched.pieces.len(), fetched.size), (PIECES, 10 + PIECES - 1));
        fetched.forget("a");
        assert_eq!((fetched.copy("a", 100, &mut out), fetched.size), (0, PIECES - 1));
    }
}
