//! Lines of fields, one after the other.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in a block that is in memory, and bytes of a file"
)]

use super::dialect::Dialect;
use super::index::{Index, Shape};
use super::lines::{Lines, PIECE, after_quotes, either, line_end};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::in_wide_vectors;
use crate::wire::amount::inside;
use crate::wire::stream::Steady;
use std::io::{self, Empty, Read, empty};

/// The largest record, if nothing else is said: what is longer has a quote that is not closed, or is not text.
pub(super) const LARGEST: usize = 64 << 20;
/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;
/// The same where records are split off: what is read beyond them is copied.
const STEP: usize = 32 << 10;
/// Records that are not whole in so many bytes are not split off: several threads have as many.
const LONG: usize = 2 << 20;

/// A field of the record at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// Where its text is: in the block, or without its quotes in the text of the record.
    start: usize,
    end: usize,
    /// It was in quotes.
    pub(super) is_quoted: bool,
    /// Where it begins in the file.
    pub(super) at: u64,
}

/// Records of which all fields are found.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) text: &'a [u8],
    /// Where each field ends, and before them the place before the first.
    pub(super) ends: &'a [u32],
    /// Where the text begins in the file.
    pub(super) offset: u64,
}

/// What some programs put in front of UTF-8. It is not part of the first field.
pub(crate) const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads records, and keeps the fields of one.
#[derive(Debug)]
pub(super) struct Records<R> {
    input: Steady<R>,
    delimiter: u8,
    /// What ends a line: a newline, or a carriage return in files that have no other.
    line_end: u8,
    /// Whether it is known: else no line has ended so far.
    is_known: bool,
    block: Vec<u8>,
    /// Where the next record begins in the block.
    place: usize,
    has_ended: bool,
    /// Where the block begins in the file.
    offset: u64,
    /// Where the record at hand begins in the file.
    pub(super) start: u64,
    /// The line of the record at hand, and how many lines it has.
    pub(super) line: u64,
    lines: u64,
    /// What fields in quotes say.
    text: Vec<u8>,
    fields: Vec<Field>,
    /// Whether an empty line is a record of one field.
    pub(super) has_blank: bool,
    /// The most bytes of a record.
    largest: usize,
    dialect: Dialect,
    index: Index,
}

impl<R: Read> Records<R> {
    /// Of lines that are written so.
    pub(super) fn written(self, dialect: Dialect) -> Self {
        Records { dialect, ..self }
    }

    /// After so many lines.
    pub(super) fn after(self, line: u64) -> Self {
        Records { line, ..self }
    }

    pub(super) fn new(input: R, delimiter: u8) -> Self {
        Records {
            input: Steady::new(input),
            delimiter,
            line_end: b'\n',
            is_known: false,
            block: Vec::new(),
            place: 0,
            has_ended: false,
            offset: 0,
            start: 0,
            line: 0,
            lines: 1,
            text: Vec::new(),
            fields: Vec::new(),
            has_blank: false,
            largest: LARGEST,
            dialect: Dialect::default(),
            index: Index::default(),
        }
    }

    /// With records of no more bytes.
    pub(super) fn up_to(self, largest: usize) -> Self {
        Records { largest, ..self }
    }

    /// Of lines that end so, if that is known.
    pub(super) fn ended_by(self, line_end: Option<u8>) -> Self {
        Records { line_end: line_end.unwrap_or(self.line_end), is_known: line_end.is_some(), ..self }
    }

    /// What ends a line; nothing if none has ended.
    pub(super) fn line_end(&mut self) -> Result<Option<u8>> {
        while !self.is_known && !self.has_ended {
            self.fill(self.block.len().max(BLOCK))?;
        }
        Ok(self.is_known.then_some(self.line_end))
    }

    /// An input that begins at this place of the file.
    pub(super) fn starting_at(self, offset: u64) -> Self {
        Records { offset, ..self }
    }

    /// Where the next record begins in the file.
    pub(super) fn offset(&self) -> u64 {
        self.offset + self.place as u64
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The text of a field.
    pub(super) fn text(&self, field: Field) -> &[u8] {
        inside(if field.is_quoted { &self.text } else { &self.block }, field.start..field.end)
    }

    /// The next records of which all fields are found at once: each of so many fields, the last of which is empty if it `is_ended`. So many at
    /// most, or of so many bytes. `None` if the next one must be read on its own.
    pub(super) fn run(&mut self, fields: usize, is_ended: bool, most: (usize, u64)) -> Option<Found<'_>> {
        let shape = Shape {
            delimiter: self.delimiter,
            line_end: self.line_end,
            fields: fields + usize::from(is_ended),
            is_ended,
            comment: self.dialect.comment,
        };
        // an empty line may be a record of one field
        if self.dialect.blanks || shape.fields == 0 || (shape.fields == 1 && !self.has_blank) {
            return None;
        }
        let ends = self.index.look(&self.block, self.place, shape, most)?;
        Some(Found { text: &self.block, ends, offset: self.offset })
    }

    /// Goes to the last of so many records of the run at hand.
    pub(super) fn pass(&mut self, rows: usize) {
        let Some((start, end)) = self.index.row(rows) else { return };
        self.start = self.offset + start as u64;
        self.place = end;
        self.line += rows as u64;
    }

    /// The next records, so many or of so many bytes, as ones of their own, and how many they are; `None` where there are not as many, or they
    /// are long: they must be read here.
    pub(super) fn split_off(&mut self, rows: usize, bytes: u64) -> Option<(Records<Empty>, usize)> {
        if self.dialect.blanks || self.dialect.comment.is_some() {
            // which line is a record is seen when it is read
            return None;
        }
        let mut over = Over::default();
        while !over.goes_on(inside(&self.block, self.place..), self, (rows, bytes)) {
            if self.has_ended || self.block.len() - self.place >= LONG.min(self.largest) {
                return None;
            }
            let was_known = self.is_known;
            // what cannot be read is told after the records before it
            self.fill(STEP).ok()?;
            if self.is_known != was_known {
                over = Over::default();
            }
        }
        let end = self.place + over.end;
        // as much will be read as was
        let mut rest = Vec::with_capacity(self.block.capacity());
        rest.extend_from_slice(inside(&self.block, end..));
        self.block.truncate(end);
        let found = Records {
            block: std::mem::replace(&mut self.block, rest),
            line_end: self.line_end,
            is_known: self.is_known,
            place: self.place,
            line: self.line,
            has_blank: self.has_blank,
            dialect: self.dialect,
            ..Records::new(empty(), self.delimiter).up_to(self.largest).starting_at(self.offset)
        };
        self.line += over.lines;
        (self.offset, self.place) = (self.offset + end as u64, 0);
        Some((found, over.rows))
    }

    /// Goes to the next record, if there is one. Empty lines are not records, unless a record has one field.
    pub(super) fn next(&mut self) -> Result<bool> {
        loop {
            let is_comment =
                self.dialect.comment.is_some_and(|byte| self.block.get(self.place) == Some(&byte));
            let end = if is_comment { self.comment() } else { self.parse()? };
            match end {
                Some(end) => {
                    self.start = self.offset();
                    self.place = end;
                    self.line += self.lines;
                    self.lines = 1;
                    if is_comment {
                        continue;
                    }
                    if self.dialect.blanks {
                        let first = self.fields.first().copied();
                        self.fields.retain(|field| field.is_quoted || field.start < field.end);
                        if self.fields.is_empty() {
                            self.fields.extend(first);
                        }
                    }
                    let is_blank =
                        matches!(self.fields[..], [only] if only.start == only.end && !only.is_quoted);
                    if !is_blank || self.has_blank {
                        return Ok(true);
                    }
                }
                None if self.has_ended => return Ok(false),
                // as much again as there is, so that a long record is not parsed from its front too often
                None => self.fill(self.block.len().max(BLOCK))?,
            }
        }
    }

    /// Takes a comment, whatever quotes it has; where it ends, or nothing if the block has not all of it.
    fn comment(&mut self) -> Option<usize> {
        self.lines = 1;
        let length = either(inside(&self.block, self.place..), self.line_end, self.line_end);
        match length {
            None => self.has_ended.then_some(self.block.len()),
            Some(length) => Some(self.place + length + 1),
        }
    }

    /// Reads so many bytes more, after what is left of the block.
    fn fill(&mut self, bytes: usize) -> Result<()> {
        self.block.drain(..self.place);
        self.offset += self.place as u64;
        self.place = 0;
        if self.block.len() > self.largest {
            let most = self.largest;
            let text = format!(
                "this line is larger than the limit of {most} bytes: a quote is not closed, or the file is not text"
            );
            return Err(Error::message(text, self.offset));
        }
        // what ends a line is what the front of the file says, however it is read
        let bytes = if self.block.is_empty() { bytes.max(BLOCK) } else { bytes };
        let wanted = bytes.min(self.largest).max(1);
        self.has_ended = !self.has_read(wanted).map_err(|e| Error::new(ErrorKind::Io(e), self.offset))?;
        if self.offset == 0 && self.block.starts_with(UTF8_MARK) {
            self.place = UTF8_MARK.len();
        }
        if !self.is_known {
            let front = inside(&self.block, self.place..);
            let found = line_end(front, self.delimiter, self.dialect, self.has_ended);
            (self.line_end, self.is_known) = (found.unwrap_or(self.line_end), found.is_some());
        }
        Ok(())
    }

    /// Reads so many bytes to the end of the block; whether they are all there. (`read_to_end` would ask for a few at first, each time.)
    fn has_read(&mut self, wanted: usize) -> io::Result<bool> {
        let goal = self.block.len() + wanted;
        while self.block.len() < goal {
            let begin = self.block.len();
            self.block.extend_from_slice(inside(&[0; STEP], 0..STEP.min(goal - begin)));
            let read = self.input.read(&mut self.block[begin..]);
            self.block.truncate(begin + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }

    /// Takes a record apart; where it ends, or nothing if the block has not all of it.
    fn parse(&mut self) -> Result<Option<usize>> {
        self.text.clear();
        self.fields.clear();
        self.lines = 1;
        let mut at = self.place;
        if at == self.block.len() {
            return Ok(None);
        }
        loop {
            let first = at;
            let mut start = at;
            let is_quoted = self.block.get(at) == Some(&b'"');
            if is_quoted {
                start = self.text.len();
                match self.quoted(at + 1)? {
                    Some(end) => at = end,
                    None => return Ok(None),
                }
            }
            // up to the end of the field; after a quote it goes on as it is
            let rest = inside(&self.block, at..);
            let length = if self.dialect.blanks {
                // hardly a field is long
                rest.iter().position(|byte| matches!(*byte, b' ' | b'\t') || *byte == self.line_end)
            } else {
                either(rest, self.delimiter, self.line_end)
            };
            let plain = match length {
                Some(length) => &rest[..length],
                None if self.has_ended => rest,
                None => return Ok(None),
            };
            let ends_line = length.is_none_or(|length| rest[length] == self.line_end);
            let next = at + plain.len();
            let plain = if ends_line { plain.strip_suffix(b"\r").unwrap_or(plain) } else { plain };
            let mut end = at + plain.len();
            if is_quoted {
                self.text.extend_from_slice(plain);
                end = self.text.len();
            }
            at = next;
            self.fields.push(Field { start, end, is_quoted, at: self.offset + first as u64 });
            match length {
                None => return Ok(Some(at)),
                Some(_) if ends_line => return Ok(Some(at + 1)),
                Some(_) => at += 1,
            }
        }
    }

    /// Takes what is in quotes; where it ends, or nothing if the block has not all of it.
    fn quoted(&mut self, from: usize) -> Result<Option<usize>> {
        let mut at = from;
        loop {
            let rest = inside(&self.block, at..);
            let Some(length) = rest.iter().position(|byte| *byte == b'"') else {
                if self.has_ended {
                    let place = self.offset + from as u64 - 1;
                    let text = format!("the quote in line {} is not closed", self.line + 1);
                    return Err(Error::message(text, place));
                }
                return Ok(None);
            };
            let inside = &rest[..length];
            self.lines += inside.iter().filter(|byte| **byte == self.line_end).count() as u64;
            self.text.extend_from_slice(inside);
            at += length + 1;
            match self.block.get(at) {
                Some(b'"') => {
                    self.text.push(b'"');
                    at += 1;
                }
                None if !self.has_ended => return Ok(None),
                _ => return Ok(Some(at)),
            }
        }
    }
}

/// How far records were stepped over.
#[derive(Debug, Default)]
struct Over {
    rows: usize,
    lines: u64,
    /// Where the last of them ends.
    end: usize,
    /// Where the line after it begins, and how far that was looked at.
    line: usize,
    at: usize,
    /// Up to where lines are stepped over one by one.
    singly: usize,
}

impl Over {
    /// Steps over those whose ends are known, so many or of so many bytes; whether they are all there. Later there may be more bytes.
    fn goes_on<R>(&mut self, bytes: &[u8], of: &Records<R>, (rows, most): (usize, u64)) -> bool {
        while self.rows < rows && (self.end as u64) < most {
            if self.at >= self.singly && self.takes_piece(bytes, of, (rows, most)) {
                continue;
            }
            let Some(length) = either(inside(bytes, self.at..), b'"', of.line_end) else {
                self.at = bytes.len();
                return false;
            };
            let found = self.at + length;
            self.at = found + 1;
            let (line, rest) = inside(bytes, self.line..).split_at(found - self.line);
            if rest.first() == Some(&b'"') {
                // a quote anywhere else in a field is one of its letters
                if line.last().is_none_or(|before| *before == of.delimiter) {
                    let Some(end) = after_quotes(bytes, found + 1) else {
                        self.at = found;
                        return false;
                    };
                    let quoted = inside(bytes, found..end);
                    self.lines += quoted.iter().filter(|byte| **byte == of.line_end).count() as u64;
                    self.at = end;
                }
                continue;
            }
            self.lines += 1;
            self.line = self.at;
            if of.has_blank || !matches!(line, [] | b"\r") {
                self.rows += 1;
                self.end = self.at;
            }
        }
        true
    }

    /// Steps over the lines of a piece together, if a line end is a record's end there.
    fn takes_piece<R>(&mut self, bytes: &[u8], of: &Records<R>, (rows, most): (usize, u64)) -> bool {
        let Some((piece, _)) = inside(bytes, self.at..).split_first_chunk::<PIECE>() else { return false };
        self.singly = self.at + PIECE;
        let is_plain = match self.at - self.line {
            0 => piece[0] != of.line_end && piece[0] != b'\r',
            // it may be one that is empty but for a carriage return
            1 => false,
            _ => true,
        };
        let found = if is_plain { in_wide_vectors(Lines { piece, line_end: of.line_end }) } else { None };
        let Some(lines) = found.filter(|lines| self.rows + lines <= rows && self.singly as u64 <= most)
        else {
            return false;
        };
        self.rows += lines;
        self.lines += lines as u64;
        if let Some(last) = piece.iter().rposition(|byte| *byte == of.line_end) {
            self.line = self.at + last + 1;
            self.end = self.line;
        }
        self.at = self.singly;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Vec<String>> {
        let mut records = Records::new(text.as_bytes(), b',');
        let mut found = Vec::new();
        while records.next().unwrap() {
            let text = |field: &Field| String::from_utf8(records.text(*field).to_vec()).unwrap();
            found.push(records.fields().iter().map(text).collect());
        }
        found
    }

    #[test]
    fn fields_and_quotes() {
        assert_eq!(
            all("a,b\r\n1,\"x,\"\"y\"\"\n\"\n\n,\n"),
            [vec!["a", "b"], vec!["1", "x,\"y\"\n"], vec!["", ""]]
        );
        assert_eq!(all("a,b\r1,\"x\ry\"\r\r2,z"), [["a", "b"], ["1", "x\ry"], ["2", "z"]]);
        assert_eq!(all("a\r\nb\rc\n"), [["a"], ["b\rc"]]);
        assert_eq!(all("a"), [["a"]]);
        assert_eq!(all("\"\"\n"), [[""]]);
        assert_eq!(all("\"a\"b,c"), [["ab", "c"]]);
        assert!(all("").is_empty() && all("\n\n").is_empty());
    }

    #[test]
    fn records_that_are_split_off_are_whole() {
        let letters = [b'a', b',', b'"', b'\n', b'\r'];
        let read = |text: &[u8]| {
            let mut records = Records::new(text, b',').starting_at(1).ended_by(Some(b'\n'));
            let mut found = Vec::new();
            while let Ok(true) = records.next() {
                let text = |field: &Field| records.text(*field).to_vec();
                found.push(records.fields().iter().map(text).collect::<Vec<_>>());
            }
            found
        };
        for n in 0..5usize.pow(7) {
            let text: Vec<u8> = (0..7).map(|i| letters[n / 5usize.pow(i) % 5]).collect();
            let mut over = Over::default();
            if !over.goes_on(&text, &Records::new(&text[..], b','), (1, u64::MAX)) {
                continue;
            }
            let (front, rest) = text.split_at(over.end);
            let text_of = |text: &[u8]| String::from_utf8(text.to_vec()).unwrap();
            assert_eq!(read(front).len(), 1, "{:?}", text_of(&text));
            assert_eq!([read(front), read(rest)].concat(), read(&text), "{:?}", text_of(&text));
            let mut records = Records::new(front, b',').starting_at(1).ended_by(Some(b'\n'));
            assert!(records.next().unwrap());
            assert_eq!(records.line, over.lines, "{:?}", text_of(&text));
        }
    }

    #[test]
    fn lines_that_are_counted_together_are_those_that_are_read() {
        let letters = [b'a', b',', b'"', b'\n', b'\r'];
        let read = |text: &[u8]| {
            let mut records = Records::new(text, b',').starting_at(1).ended_by(Some(b'\n'));
            let mut ends = Vec::new();
            while let Ok(true) = records.next() {
                ends.push((records.offset() as usize - 1, records.line));
            }
            ends
        };
        for (n, front) in (0..5usize.pow(5)).flat_map(|n| [0, 1, PIECE - 2].map(|front| (n, front))) {
            let mut text = b"ab,c\r\n".repeat(PIECE)[..front].to_vec();
            text.extend((0..5).map(|i| letters[n / 5usize.pow(i) % 5]));
            text.resize(PIECE * 2, b'x');
            text.extend(b"\n1,2\n");
            let ends = read(&text);
            for (rows, most) in [(usize::MAX, u64::MAX), (usize::MAX, 1020), (3, u64::MAX), (205, 4000)] {
                let mut over = Over::default();
                let are_there = over.goes_on(&text, &Records::new(&text[..], b','), (rows, most));
                let shown = String::from_utf8_lossy(&text[..front + 8]);
                if over.rows == 0 {
                    continue;
                }
                let (end, line) = ends[over.rows - 1];
                assert_eq!(over.end, end, "{shown:?}");
                // what is not split off may have lines that were looked at
                assert!(over.lines == line || !are_there && over.lines > line, "{shown:?}");
                let before = over.rows.checked_sub(2).map_or(0, |row| ends[row].0);
                assert!(over.rows <= rows && (before as u64) < most, "{shown:?}");
            }
        }
    }

    #[test]
    fn records_across_blocks() {
        let long = "x".repeat(BLOCK - 3);
        let text = format!("a,b\n{long},\"{long}\n\"\"\"\n1,2\n");
        let found = all(&text);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1][1], format!("{long}\n\""));
        assert_eq!(found[2], ["1", "2"]);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let mut records = Records::new(&b"a,b\n\"1\n\",22\n3,4\n"[..], b',');
        let mut places = Vec::new();
        while records.next().unwrap() {
            places.push((records.line, records.fields().iter().map(|field| field.at).collect::<Vec<_>>()));
        }
        assert_eq!(places, [(1, vec![0, 2]), (3, vec![4, 9]), (4, vec![12, 14])]);
        let e = Records::new(&b"a\n\"x"[..], b',');
        let mut e = e;
        assert!(e.next().unwrap());
        let e = e.next().unwrap_err();
        assert_eq!((e.to_string().contains("line 2 is not closed"), e.offset()), (true, Some(2)));
    }
}
