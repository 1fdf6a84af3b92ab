//! The least and the greatest value.

use binfmt::numbers::Number;
use std::cmp::Ordering;

/// A value that is the least or greatest so far.
#[derive(Clone, Debug)]
pub(crate) enum Least {
    Number(Number),
    Text(Vec<u8>),
}

/// Both, of what was there.
#[derive(Debug, Default)]
pub(super) struct Ends {
    pub(super) low: Option<Least>,
    pub(super) high: Option<Least>,
    /// The heads of both, if they are texts.
    heads: Option<(u64, u64)>,
    /// The bytes of a text for which there was no memory.
    pub(super) lost: Option<usize>,
}

impl Ends {
    pub(super) fn number(&mut self, n: Number) {
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Number(known)) => n.compare(*known) == Some(wanted),
            _ => true,
        };
        if is_beyond(&self.low, Ordering::Less) {
            self.low = Some(Least::Number(n));
        }
        if is_beyond(&self.high, Ordering::Greater) {
            self.high = Some(Least::Number(n));
        }
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        let head = head(text);
        let (low, high) = self.heads.unwrap_or((u64::MAX, 0));
        // most are between both already by their heads
        if low < head && head < high {
            return;
        }
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Text(known)) => text.cmp(known) == wanted,
            _ => true,
        };
        if head <= low && is_beyond(&self.low, Ordering::Less) {
            self.lost = keep(&mut self.low, text).or(self.lost);
        }
        if head >= high && is_beyond(&self.high, Ordering::Greater) {
            self.lost = keep(&mut self.high, text).or(self.lost);
        }
        self.heads = Some((low.min(head), high.max(head)));
    }

    /// Those of other values of the same column.
    pub(super) fn merge(&mut self, other: Ends) {
        self.lost = self.lost.or(other.lost);
        [other.low, other.high].into_iter().flatten().for_each(|end| match end {
            Least::Number(n) => self.number(n),
            Least::Text(text) => self.text(&text),
        });
    }
}

/// Keeps a text, in the memory of the one that it replaces; tells its bytes if there is no memory for it.
fn keep(end: &mut Option<Least>, text: &[u8]) -> Option<usize> {
    let mut kept = match end.take() {
        Some(Least::Text(kept)) => kept,
        _ => Vec::new(),
    };
    kept.clear();
    if kept.try_reserve_exact(text.len()).is_err() {
        return Some(text.len());
    }
    kept.extend_from_slice(text);
    *end = Some(Least::Text(kept));
    None
}

/// The first eight bytes as a number, which is in the same order; of a shorter text with zeros after it.
fn head(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    match text.first_chunk() {
        Some(first) => bytes = *first,
        None => bytes.iter_mut().zip(text).for_each(|(to, from)| *to = *from),
    }
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_lost_in_a_part_is_lost() {
        let lost = |bytes| Ends { lost: bytes, ..Ends::default() };
        for (first, second) in [(Some(9), None), (None, Some(9))] {
            let mut all = lost(first);
            all.text(b"a");
            all.merge(lost(second));
            assert_eq!(all.lost, Some(9));
        }
    }

    #[test]
    fn ends_of_texts_are_in_the_order_of_their_bytes() {
        let texts: [&[u8]; 9] =
            [b"", b"\0", b"a", b"a\0", b"a\0\0b", b"abcdefgh", b"abcdefgh\0", b"abcdefghi", b"\xff"];
        for (i, low) in texts.iter().enumerate() {
            for (j, high) in texts.iter().enumerate().skip(i) {
                let (mut up, mut down) = (Ends::default(), Ends::default());
                texts[i..=j].iter().for_each(|text| up.text(text));
                texts[i..=j].iter().rev().for_each(|text| down.text(text));
                let (mut both, mut other) = (Ends::default(), Ends::default());
                both.text(high);
                other.text(low);
                both.merge(other);
                for found in [up, down, both] {
                    let is = |end: &Option<Least>, text| matches!(end, Some(Least::Text(end)) if end == text);
                    assert!(is(&found.low, low) && is(&found.high, high), "{low:?} {high:?}: {found:?}");
                }
            }
        }
    }
}
