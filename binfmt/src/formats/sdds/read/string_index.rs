//! Where the strings of a column are, in pages that have one column after the other.

use crate::error::{Error, Result};
use crate::wire::Endian;
use crate::wire::amount::{after, between, inside};
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;
use core::ops::Range;
use std::io;

/// A string in so many bytes of the file has its place noted.
const STEP: u64 = 16 << 10;
/// The bytes of strings that are read at once.
const AT_ONCE: u64 = 128 << 10;
/// Bytes that are looked at for lengths together.
const WINDOW: usize = 64 << 10;

/// The places of some strings of a column.
#[derive(Debug)]
pub(super) struct StringIndex {
    /// Rows, and the bytes at which they begin: the first row, then one for each step.
    marks: Vec<(u64, u64)>,
    rows: u64,
    end: u64,
}

impl StringIndex {
    /// Of so many strings from this byte of the file on. Each is its length and its bytes.
    pub(super) fn of(
        first: u64,
        rows: u64,
        endian: Endian,
        fetch: impl FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()>,
    ) -> Result<Self> {
        let mut window = Window { fetch, room: Vec::new(), at: first, len: 0 };
        let mut marks = Vec::from([(0, first)]);
        let (mut at, mut next) = (first, after(first, STEP));
        for row in 0..rows {
            if at >= next {
                try_room(&mut marks, 1)?;
                marks.push((row, at));
                next = after(at, STEP);
            }
            let length = window.length(at)?;
            let length = if endian == Endian::Little {
                i32::from_le_bytes(length)
            } else {
                i32::from_be_bytes(length)
            };
            let length = u32::try_from(length).map_err(|_| changed())?;
            at = after(at, after(4, u64::from(length)));
        }
        Ok(StringIndex { marks, rows, end: at })
    }

    /// The byte after the last one.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The last mark at or before a row.
    fn before(&self, row: u64) -> usize {
        self.marks.partition_point(|(of, _)| *of <= row).saturating_sub(1)
    }

    /// The bytes in which the strings of these rows are, and how many strings are before them there.
    pub(super) fn around(&self, rows: &Range<u64>) -> (Range<u64>, u64) {
        let start = self.before(rows.start);
        let (row, from) = self.marks.get(start).copied().unwrap_or((0, self.end));
        let end = self.marks.partition_point(|(of, _)| *of < rows.end);
        let to = self.marks.get(end).map_or(self.end, |(_, at)| *at);
        (from..to.max(from), between(row, rows.start))
    }

    /// Up to which row strings from this one on are read at once.
    pub(super) fn fitting(&self, row: u64) -> u64 {
        let start = self.before(row);
        let at = self.marks.get(start).map_or(self.end, |(_, at)| *at);
        let end = self.marks.partition_point(|(_, of)| *of <= after(at, AT_ONCE));
        match end.checked_sub(1).and_then(|last| self.marks.get(last)) {
            _ if end >= self.marks.len() && self.end <= after(at, AT_ONCE) => self.rows,
            Some((of, _)) if *of > row => *of,
            // a string that is larger than that
            _ => self.marks.get(end).map_or(self.rows, |(of, _)| *of),
        }
    }
}

/// Some bytes of the file.
struct Window<Fetch> {
    fetch: Fetch,
    room: Vec<u8>,
    at: u64,
    len: usize,
}

impl<Fetch: FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()>> Window<Fetch> {
    /// The four bytes at this one.
    fn length(&mut self, at: u64) -> Result<[u8; 4]> {
        if let Some(found) = self.found(at) {
            return Ok(found);
        }
        if self.room.is_empty() {
            try_room(&mut self.room, WINDOW)?;
            self.room.resize(WINDOW, 0);
        }
        // the file may end before the window does
        let mut len = WINDOW;
        loop {
            let some = self.room.get_mut(..len).unwrap_or_default();
            match (self.fetch)(&mut [(at, some)]) {
                Ok(()) => break,
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof && len > 4 => len = (len / 2).max(4),
                Err(e) => return Err(shorter(e)),
            }
        }
        (self.at, self.len) = (at, len);
        self.found(at).ok_or_else(changed)
    }

    fn found(&self, at: u64) -> Option<[u8; 4]> {
        let from = usize::try_from(at.checked_sub(self.at)?).ok()?;
        inside(&self.room, ..self.len).get(from..)?.first_chunk().copied()
    }
}

/// A page that was seen to be whole.
fn changed() -> Error {
    Error::other("the file has changed while it was read")
}

/// What to say where bytes are missing that were there.
pub(super) fn shorter(e: io::Error) -> Error {
    match e.kind() {
        io::ErrorKind::UnexpectedEof => Error::other("the file has become shorter"),
        _ => e.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of texts of these lengths, after three bytes.
    fn column(lengths: &[usize]) -> Vec<u8> {
        let mut bytes = vec![9; 3];
        for len in lengths {
            bytes.extend((*len as i32).to_be_bytes());
            bytes.resize(bytes.len() + len, b'x');
        }
        bytes
    }

    fn fetch(bytes: &[u8]) -> impl FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()> {
        |ranges| {
            ranges.iter_mut().try_for_each(|(at, out)| {
                let found = bytes.get(*at as usize..).and_then(|rest| rest.get(..out.len()));
                out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            })
        }
    }

    #[test]
    fn rows_are_found_in_few_bytes() {
        let mut lengths: Vec<usize> = (0..30_000).map(|i| i % 37).collect();
        // larger than what is looked at, and what is read, at once
        lengths[20_000] = 300_000;
        let bytes = column(&lengths);
        let index = StringIndex::of(3, 30_000, Endian::Big, fetch(&bytes)).unwrap();
        assert_eq!(index.end(), bytes.len() as u64);
        let place = |row: usize| 3 + lengths[..row].iter().map(|len| len as &usize + 4).sum::<usize>() as u64;
        let mut row = 0;
        while row < 30_000 {
            let end = index.fitting(row);
            assert!(end > row, "{row}");
            let (around, before) = index.around(&(row..end));
            let first = (row - before) as usize;
            assert_eq!(around.start, place(first));
            assert!(around.end >= place(end as usize), "{row}");
            let most = AT_ONCE + 2 * STEP + if (row..end).contains(&20_000) { 300_000 } else { 0 };
            assert!(around.end - around.start <= most, "{row}: {around:?}");
            row = end;
        }
        assert_eq!(index.around(&(29_999..30_000)).0.end, bytes.len() as u64);
    }

    #[test]
    fn a_file_that_has_changed_is_told() {
        let bytes = column(&[1, 2, 3]);
        let of =
            |bytes: &[u8], rows| StringIndex::of(3, rows, Endian::Big, fetch(bytes)).map(|index| index.end());
        assert_eq!(of(&bytes, 3).unwrap(), bytes.len() as u64);
        assert_eq!(of(&bytes, 4).unwrap_err().to_string(), "the file has become shorter");
        let mut negative = bytes.clone();
        negative[3] = 0x80;
        assert_eq!(of(&negative, 1).unwrap_err().to_string(), "the file has changed while it was read");
        assert_eq!(of(&bytes, 0).unwrap(), 3);
    }
}
