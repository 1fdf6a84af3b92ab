//! The places of all fields of many lines, which are found together.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in a block that is in memory, and counts of its rows"
)]

use crate::wire::amount::inside;

/// What rows are like whose fields are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) delimiter: u8,
    pub(super) line_end: u8,
    /// Fields of a row.
    pub(super) fields: usize,
    /// Whether the last of them is empty.
    pub(super) is_ended: bool,
    /// What a line begins with that is no row.
    pub(super) comment: Option<u8>,
}

/// Bytes that are looked at once.
const CHUNK: usize = 64;
/// Bytes in which rows are looked for together at most, so that they and what is found stay in the nearest cache, and at least.
const PIECE: usize = 16 << 10;
const LEAST: usize = 1 << 10;
/// The same where a row has more: what is found takes four times as many bytes.
const LARGEST: usize = 512 << 10;
/// Fewer rows are not worth a look.
const FEW: usize = 4;
/// Rows that are read one by one after looks that found hardly any, at most.
const PATIENCE: usize = 64;

/// Where the fields of some rows end.
#[derive(Debug)]
pub(super) struct Index {
    /// Where each field ends, after the place before the first; then what is left of others.
    ends: Vec<u32>,
    fields: usize,
    /// Bytes in which rows are looked for.
    piece: usize,
    /// Rows that are read one by one before the next look, and how many are left of them.
    wait: usize,
    left: usize,
}

impl Default for Index {
    fn default() -> Self {
        Index { ends: Vec::new(), fields: 1, piece: PIECE, wait: 0, left: 0 }
    }
}

impl Index {
    /// Looks for rows from a place of a block on, so many at most, or of so many bytes. Where their fields end, and before them the place before
    /// the first; `None` if the next one is read on its own.
    pub(super) fn look(
        &mut self,
        block: &[u8],
        from: usize,
        of: Shape,
        most: (usize, u64),
    ) -> Option<&[u32]> {
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        // an end of a field is a place of 32 bits
        if from >= block.len() || u32::try_from(block.len()).is_err() {
            return None;
        }
        self.fields = of.fields;
        let (rows, bytes) = most;
        let mut piece = self.piece;
        let found = loop {
            let wanted = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(LEAST).min(piece);
            let end = from.saturating_add(wanted).min(block.len());
            let found = self.mark(inside(block, ..end), from, of, rows);
            if found.lines > 0 || found.is_odd || end == block.len() || wanted < piece || piece >= LARGEST {
                break found;
            }
            // a row has more bytes
            piece *= 2;
        };
        let all = found.ends / of.fields;
        let mut plain = self.plain(block, all, of, found);
        let is_odd = plain < all || found.lines != all;
        let limit = (from as u64).saturating_add(bytes);
        plain = plain.min(rows);
        // a row that begins before the limit is one of them
        let place =
            |row: usize| self.ends.get(row * of.fields).map_or(limit, |before| u64::from(*before) + 1);
        if plain > 1 && place(plain - 1) >= limit {
            plain = 1 + (1..plain).take_while(|row| place(*row) < limit).count();
        }
        self.piece = match is_odd {
            true => (self.piece / 2).max(LEAST),
            false if plain < 2 * FEW && plain == all => piece.saturating_mul(2).min(LARGEST),
            false => piece.max(PIECE),
        };
        if plain >= FEW {
            self.wait = 0;
        } else if plain < rows {
            self.wait = (self.wait * 2).clamp(1, PATIENCE);
            self.left = self.wait;
        }
        if plain == 0 { None } else { self.ends.get(..plain * of.fields + 1) }
    }

    /// Where the last of so many rows begins and ends.
    pub(super) fn row(&self, rows: usize) -> Option<(usize, usize)> {
        let place = |row: usize| Some(self.ends.get(row * self.fields)?.wrapping_add(1) as usize);
        Some((place(rows.checked_sub(1)?)?, place(rows)?))
    }

    /// Finds the ends of fields up to the end of so many lines, or of the text.
    fn mark(&mut self, text: &[u8], from: usize, of: Shape, rows: usize) -> Marked {
        let room = text.len().saturating_sub(from) + 2 * CHUNK;
        if self.ends.len() < room {
            self.ends.resize(room, 0);
        }
        if let Some(first) = self.ends.first_mut() {
            *first = (from as u32).wrapping_sub(1);
        }
        let mut found = Marked::default();
        let (chunks, rest) = inside(text, from..).as_chunks::<CHUNK>();
        let mut at = from as u32;
        for chunk in chunks {
            if found.lines >= rows || !found.add(chunk, at, of, &mut self.ends) {
                return found;
            }
            at += CHUNK as u32;
        }
        if found.lines < rows {
            let mut chunk = [if of.delimiter == b'x' { b'y' } else { b'x' }; CHUNK];
            chunk.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
            found.add(&chunk, at, of, &mut self.ends);
        }
        found
    }

    /// How many of so many rows are as they should be, up to the first that is not.
    fn plain(&self, block: &[u8], rows: usize, of: Shape, found: Marked) -> usize {
        let ends = inside(&self.ends, ..rows * of.fields + 1);
        let rows_of = || inside(ends, 1..).chunks_exact(of.fields);
        let is = |place: u32, byte: u8| block.get(place as usize) == Some(&byte);
        let is_ended = |row: &[u32]| row.last().is_some_and(|last| is(*last, of.line_end));
        // if as many lines end as there are rows, and each row ends with one, no other field does
        let are_ended = found.lines == rows && rows_of().all(is_ended);
        let plain = if are_ended && of.comment.is_none() && !of.is_ended {
            rows
        } else {
            let is_plain = |(row, before): &(&[u32], &u32)| {
                let (Some((last, others)), first) = (row.split_last(), before.wrapping_add(1)) else {
                    return false;
                };
                (are_ended || is_ended(row) && others.iter().all(|end| !is(*end, of.line_end)))
                    && of.comment.is_none_or(|comment| !is(first, comment))
                    && (!of.is_ended || is_empty(block, others.last().copied(), *last))
            };
            rows_of().zip(ends.iter().step_by(of.fields)).take_while(is_plain).count()
        };
        if !found.has_quotes { plain } else { self.quoted(block, plain, of) }
    }

    /// How many of these rows have no quotes but those around fields, up to the first that has.
    fn quoted(&self, block: &[u8], rows: usize, of: Shape) -> usize {
        let ends = inside(&self.ends, ..rows * of.fields + 1);
        let rows_of = inside(ends, 1..).chunks_exact(of.fields);
        let is_plain = |(row, before): (&[u32], &u32)| {
            let first = before.wrapping_add(1) as usize;
            let (mut start, mut around, mut last) = (first, 0, first);
            for end in row {
                last = *end as usize;
                let field = inside(block, start..last);
                let field = field.strip_suffix(b"\r").filter(|_| Some(end) == row.last()).unwrap_or(field);
                around += if matches!(field, [b'"', .., b'"']) { 2 } else { 0 };
                start = last + 1;
            }
            let quotes = inside(block, first..last).iter().filter(|byte| **byte == b'"').count();
            quotes == around
        };
        rows_of.zip(ends.iter().step_by(of.fields)).take_while(|row| is_plain(*row)).count()
    }
}

/// Whether a field has nothing, but perhaps a part of the line end.
fn is_empty(block: &[u8], before: Option<u32>, end: u32) -> bool {
    let Some(before) = before else { return false };
    matches!(inside(block, before.wrapping_add(1) as usize..end as usize), [] | [b'\r'])
}

/// What was found so far.
#[derive(Clone, Copy, Debug, Default)]
struct Marked {
    /// Ends of fields and of lines.
    ends: usize,
    lines: usize,
    has_quotes: bool,
    /// Whether the text goes on in quotes.
    is_inside: bool,
    /// Whether it ends before a line end in quotes.
    is_odd: bool,
}

impl Marked {
    /// Adds a chunk at a place; whether it goes on.
    #[inline(always)]
    fn add(&mut self, chunk: &[u8; CHUNK], at: u32, of: Shape, ends: &mut [u32]) -> bool {
        let (mut is_end, mut lines, mut has_quote) = ([0u8; CHUNK], 0u8, false);
        for (is_end, byte) in is_end.iter_mut().zip(chunk) {
            let is_line_end = u8::from(*byte == of.line_end);
            *is_end = u8::from(*byte == of.delimiter) | is_line_end;
            lines += is_line_end;
            has_quote |= *byte == b'"';
        }
        let mut marks = bits(&is_end);
        if has_quote | self.is_inside {
            let of_byte = |wanted: u8| bits(&chunk.map(|byte| u8::from(byte == wanted)));
            let (quotes, line_ends) = (of_byte(b'"'), of_byte(of.line_end));
            let mut inside = [1, 2, 4, 8, 16, 32].iter().fold(quotes, |inside, n| inside ^ (inside << n));
            if self.is_inside {
                inside = !inside;
            }
            let odd = line_ends & inside;
            // those before the first such line end
            marks &= !inside & (odd & odd.wrapping_neg()).wrapping_sub(1);
            lines = (line_ends & marks).count_ones() as u8;
            self.has_quotes = true;
            self.is_inside = inside >> (CHUNK - 1) != 0;
            self.is_odd = odd != 0;
        }
        self.lines += usize::from(lines);
        let count = marks.count_ones() as usize;
        let Some((eight, more)) =
            ends.get_mut(self.ends + 1..).and_then(|ends| ends.split_first_chunk_mut::<8>())
        else {
            return false;
        };
        // as many as most have, whether they are there or not
        for end in eight {
            *end = at + marks.trailing_zeros();
            marks &= marks.wrapping_sub(1);
        }
        if count > 8 {
            for end in more {
                *end = at + marks.trailing_zeros();
                marks &= marks.wrapping_sub(1);
                if marks == 0 {
                    break;
                }
            }
        }
        self.ends += count;
        !self.is_odd
    }
}

/// A bit for each byte, which is 0 or 1.
#[inline(always)]
fn bits(bytes: &[u8; CHUNK]) -> u64 {
    // the lowest bits of eight bytes go into the highest byte, each to a place of its own
    let eight = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().rev().fold(0, |all, word| all << 8 | eight(word))
}

#[cfg(test)]
mod tests {
    use super::super::records::Records;
    use super::*;

    /// Where the rows begin and end in a text, and their fields, as they are read one by one.
    fn rows_of(text: &[u8], has_blank: bool) -> Vec<(usize, usize, Vec<Vec<u8>>)> {
        let mut records = Records::new(text, b',').starting_at(1).ended_by(Some(b'\n'));
        records.has_blank = has_blank;
        let mut found = Vec::new();
        while let Ok(true) = records.next() {
            let fields = records.fields().iter().map(|field| records.text(*field).to_vec()).collect();
            found.push((records.start as usize - 1, records.offset() as usize - 1, fields));
        }
        found
    }

    /// What a field says that a look has found.
    fn said(text: &[u8], (before, end): (u32, u32), is_last: bool) -> Vec<u8> {
        let field = &text[before.wrapping_add(1) as usize..end as usize];
        let field = if is_last { field.strip_suffix(b"\r").unwrap_or(field) } else { field };
        match field {
            [b'"', said @ .., b'"'] => said.to_vec(),
            field => field.to_vec(),
        }
    }

    #[test]
    fn rows_that_are_found_together_are_those_that_are_read() {
        let letters = [b'a', b',', b'"', b'\n', b'\r'];
        let (mut looks, mut together) = (0, 0);
        for (n, front) in (0..5usize.pow(6)).map(|n| (n, [0, CHUNK - 3, CHUNK - 1][n % 3])) {
            let mut text = vec![b'a'; front];
            text.extend((0..6).map(|i| letters[n / 5usize.pow(i) % 5]));
            text.extend(b"\na\n\na,b\n\"a\",b\n");
            for fields in 1..=3 {
                let rows = rows_of(&text, fields == 1);
                let of = Shape { delimiter: b',', line_end: b'\n', fields, is_ended: false, comment: None };
                let most = (1 + n % 4, [u64::MAX, 3][n / 4 % 2]);
                for (i, (start, _, fields_of_row)) in rows.iter().enumerate() {
                    let shown = String::from_utf8_lossy(&text[*start..]);
                    let mut index = Index::default();
                    let found = index.look(&text, *start, of, most).unwrap_or_default();
                    let count = found.len().saturating_sub(1) / fields;
                    looks += 1;
                    together += count;
                    assert!(count <= most.0, "{shown:?}");
                    for (row, (begin, end, expected)) in rows[i..].iter().take(count).enumerate() {
                        let ends = &found[row * fields..][..=fields];
                        let places = ends.windows(2).map(|ends| (ends[0], ends[1])).enumerate();
                        let said = places.map(|(i, place)| said(&text, place, i + 1 == fields));
                        assert!(said.eq(expected.iter().cloned()), "{shown:?}");
                        assert_eq!(
                            (begin, *end),
                            (&(ends[0].wrapping_add(1) as usize), ends[fields] as usize + 1)
                        );
                        assert!(((begin - start) as u64) < most.1, "{shown:?}");
                    }
                    assert!(i + count <= rows.len(), "{shown:?}");
                    if let Some(row) = count.checked_sub(1) {
                        assert_eq!(index.row(count), Some((rows[i + row].0, rows[i + row].1)), "{shown:?}");
                    }
                    // what is plain is found
                    let is_plain = !text[*start..].contains(&b'"') && fields_of_row.len() == fields;
                    assert!(count > 0 || !is_plain, "{shown:?}");
                }
            }
        }
        assert!(together > looks / 3, "{together} of {looks}");
    }

    #[test]
    fn rows_are_found_in_pieces() {
        let row = |n: usize| format!("{},\"{}\"\r\n", "1".repeat(n % 90), "x,".repeat(n % 7));
        let of = Shape { delimiter: b',', line_end: b'\n', fields: 2, is_ended: false, comment: None };
        let text: String = (0..5000).map(row).collect();
        let (mut index, mut at, mut found) = (Index::default(), 0, 0);
        while let Some(ends) = index.look(text.as_bytes(), at, of, (700, u64::MAX)) {
            let rows = (ends.len() - 1) / 2;
            assert!(rows > 100 || at + PIECE > text.len(), "{rows} rows from {at} on");
            at = index.row(rows).unwrap().1;
            found += rows;
        }
        assert_eq!((found, at), (5000, text.len()));
        assert!(index.look(text.as_bytes(), at, of, (700, u64::MAX)).is_none());
        // a row of more than a piece
        let mut text = ",".repeat(5 * PIECE);
        text.push('\n');
        let of = Shape { fields: 5 * PIECE + 1, ..of };
        let mut index = Index::default();
        let ends = index.look(text.as_bytes(), 0, of, (700, u64::MAX)).map(<[u32]>::len);
        assert_eq!(ends, Some(5 * PIECE + 2));
    }

    #[test]
    fn rows_that_are_none_end_what_is_found() {
        let of = Shape { delimiter: b',', line_end: b'\n', fields: 3, is_ended: true, comment: Some(b'#') };
        for (text, rows) in [
            ("1,2,\n3,4,\r\n", 2),
            ("1,2,\n3,4,5\n6,7,\n", 1),
            ("1,2,\n3,4,\"\"\n", 1),
            ("1,2,\n#,4,\n6,7,\n", 1),
            ("1,2,\n3,4\n6,7,8,\n", 1),
            ("1,2,\n3,4,\n\n5,6,\n", 2),
            ("1,2,\n3\n,4,\n5,6,\n", 1),
            ("1,2,\n3,4,\n5,\"6\n\",\n", 2),
            ("1,2,\n\"3\",4,\n5\",6\",\n7,8,\n", 2),
            ("1,2,\n\"3\"\"\",4,\n5,6,\n", 1),
            ("1,2,\n3,4,", 1),
        ] {
            let mut index = Index::default();
            let found = index.look(text.as_bytes(), 0, of, (usize::MAX, u64::MAX)).unwrap();
            assert_eq!(found.len(), 1 + 3 * rows, "{text:?}");
        }
    }

    #[test]
    fn few_looks_find_nothing() {
        let of = Shape { delimiter: b',', line_end: b'\n', fields: 2, is_ended: false, comment: None };
        let text = "\"\"\"\",2\n".repeat(1000);
        let mut index = Index::default();
        let looks = (0..1000).filter(|row| {
            let is_look = index.left == 0;
            assert!(index.look(text.as_bytes(), row * 7, of, (usize::MAX, u64::MAX)).is_none());
            is_look
        });
        let looks = looks.count();
        assert!(looks < 30, "{looks} looks for 1000 rows");
    }
}
