//! Where the pieces of a layout's text begin and end.
//!
//! This file is part of the derive, too, which cannot use the library: a text is cut in the same places when it is read at run
//! time and when a type is compared with it while compiling.
#![allow(clippy::arithmetic_side_effects, reason = "places and depths in a text")]

use core::ops::Range;

/// How deep lines may be below lines, and lists in lists.
pub(crate) const DEEPEST: usize = 64;

/// Words that say more of values than of bytes. Descriptions keep them as they are, fingerprints leave them out.
pub(crate) const RULES: &[&str] = &[
    "assert",
    "calc",
    "checksum",
    "ctx",
    "dimensions",
    "len_of",
    "map",
    "max_depth",
    "offset_of",
    "range",
    "since",
    "try_map",
    "until_version",
    "version",
    "with",
];

/// The length of what is quoted at the front of a text, or 0: a string, a character, or bytes of either kind. A tick may also be
/// that of a lifetime.
pub(crate) const fn quoted(text: &[u8]) -> usize {
    let quote = match text {
        [b'"', ..] => b'"',
        [b'\'', b'\\', _, ..] => b'\'',
        [b'\'', first, ..] if is_tick(text, 1 + width(*first)) => b'\'',
        _ => return 0,
    };
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

const fn is_tick(text: &[u8], at: usize) -> bool {
    at < text.len() && text[at] == b'\''
}

/// The bytes of a character that begins with this one.
const fn width(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// The characters outside quotes with their places, and how many brackets are open around each.
pub(crate) struct Bare<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

pub(crate) fn bare(text: &str) -> Bare<'_> {
    Bare { text, at: 0, depth: 0 }
}

impl Iterator for Bare<'_> {
    type Item = (usize, char, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = loop {
            let rest = self.text.get(self.at..)?;
            match quoted(rest.as_bytes()) {
                0 => break rest,
                len => self.at += len,
            }
        };
        let c = rest.chars().next()?;
        let at = self.at;
        self.at += c.len_utf8();
        if ")]}".contains(c) {
            self.depth = self.depth.saturating_sub(1);
        }
        let depth = self.depth;
        if "([{".contains(c) {
            self.depth += 1;
        }
        Some((at, c, depth))
    }
}

/// The parts between the places of a mark outside quotes and brackets, with the blanks around them.
pub(crate) fn split(text: &str, mark: char) -> impl Iterator<Item = Range<usize>> {
    let mut marks = bare(text).filter(move |(_, c, depth)| *c == mark && *depth == 0).map(|(at, ..)| at);
    let (mut next, whole) = (Some(0), text.len());
    core::iter::from_fn(move || {
        let (from, end) = (next?, marks.next());
        next = end.map(|at| at + mark.len_utf8());
        Some(from..end.unwrap_or(whole))
    })
}

/// The place of the first of these marks outside quotes.
pub(crate) fn find(text: &str, mark: &str) -> Option<usize> {
    bare(text).find(|(at, ..)| is_at(text, *at, mark)).map(|(at, ..)| at)
}

/// Where the name before a colon ends. What is in brackets is part of a name, or of a type without one.
pub(crate) fn end_of_name(text: &str) -> Option<usize> {
    bare(text).find(|(at, _, depth)| *depth == 0 && is_at(text, *at, ": ")).map(|(at, ..)| at)
}

/// The comma between a type and the words after it. The angles of a name's parameters are brackets there.
pub(crate) fn end_of_type(text: &str) -> Option<usize> {
    let mut angles = 0usize;
    for (at, c, depth) in bare(text) {
        match c {
            '<' => angles += 1,
            '>' => angles = angles.saturating_sub(1),
            ',' if depth == 0 && angles == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether a name stands in a text without quotes.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_.-<>[](), ;#&".contains(c);
    !name.is_empty() && name.trim() == name && name.chars().all(plain) && is_whole(name)
}

/// Whether brackets and angles are in pairs, and what parts a line is in them.
fn is_whole(name: &str) -> bool {
    // those that are open; a name with more of them is quoted
    let (mut open, mut depth) = ([' '; 16], 0);
    for c in name.chars() {
        match c {
            '(' | '[' | '<' => match open.get_mut(depth) {
                Some(place) => (*place, depth) = (c, depth + 1),
                None => return false,
            },
            ')' | ']' | '>' => {
                let opening = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '<',
                };
                match depth.checked_sub(1) {
                    Some(outer) if open[outer] == opening => depth = outer,
                    _ => return false,
                }
            }
            ',' if depth == 0 => return false,
            ';' if !open[..depth].contains(&'[') => return false,
            _ => {}
        }
    }
    depth == 0
}

fn is_at(text: &str, at: usize, mark: &str) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::{end_of_name, is_plain_name, quoted};

    #[test]
    fn names_that_would_part_a_line_are_quoted() {
        for name in ["a", "a b", "(u8, [u8; 4])", "A<(u8, B), C>", "A#2", "a.b", "&a", "x-y"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", " a", "a,b", "a;b", "(a;b)", ")(", "([)]", "a<b", "a>b", "a: b", "a\"b", "a\nb"] {
            assert!(!is_plain_name(name), "{name}");
        }
    }

    #[test]
    fn quotes_end_where_they_are_closed() {
        for (text, len) in [
            (r#""a\"b" c"#, 6),
            ("'x' y", 3),
            ("'é'", 4),
            (r"'\'' a", 4),
            ("'a str", 0),
            ("'", 0),
            ("\"a", 2),
            ("a", 0),
            ("", 0),
        ] {
            assert_eq!(quoted(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn a_colon_in_brackets_ends_no_name() {
        assert_eq!(end_of_name("a: b, ctx(n: u8)"), Some(1));
        assert_eq!(end_of_name("record, ctx(n: u8)"), None);
        assert_eq!(end_of_name("\"a: b\": u8"), Some(6));
    }
}
