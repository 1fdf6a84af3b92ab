//! Texts that look like a pattern: `name like 'BPM%'`.

use super::why::is_not;
use super::{Expr, Operand, Scope, Why};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A pattern of SQL: `%` is any text, `_` any character, and what follows a backslash is itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Like {
    pieces: Vec<Piece>,
    /// Whether capitals and small letters are the same.
    any_case: bool,
}

/// A part of a pattern. No two texts follow each other, nor two of any text.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(Vec<u8>),
    AnyText,
    AnyCharacter,
}

impl Like {
    pub(super) fn new(pattern: &[u8], any_case: bool) -> Self {
        let pattern = if any_case { small(pattern) } else { Cow::Borrowed(pattern) };
        let mut pieces = Vec::new();
        let mut bytes = pattern.iter().copied();
        while let Some(byte) = bytes.next() {
            let piece = match byte {
                b'%' if pieces.last() == Some(&Piece::AnyText) => continue,
                b'%' => Piece::AnyText,
                b'_' => Piece::AnyCharacter,
                byte => {
                    // one at the end stands for itself
                    let byte = if byte == b'\\' { bytes.next().unwrap_or(byte) } else { byte };
                    if let Some(Piece::Text(text)) = pieces.last_mut() {
                        text.push(byte);
                        continue;
                    }
                    Piece::Text([byte].into())
                }
            };
            pieces.push(piece);
        }
        Like { pieces, any_case }
    }

    fn matches(&self, text: &[u8]) -> bool {
        match self.any_case {
            true => matches(&self.pieces, &small(text)),
            false => matches(&self.pieces, text),
        }
    }

    /// What a text begins with that matches, and whether it has nothing more.
    #[cfg(feature = "table")]
    pub(super) fn beginning(&self) -> Option<(&[u8], bool)> {
        match &self.pieces[..] {
            _ if self.any_case => None,
            [] => Some((&[], true)),
            [Piece::Text(text), rest @ ..] => Some((text, rest.is_empty())),
            _ => None,
        }
    }
}

/// In small letters; what is not UTF-8 keeps all but those of ASCII.
fn small(text: &[u8]) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return match text.iter().any(u8::is_ascii_uppercase) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let all = core::str::from_utf8(text).map(str::to_lowercase).map(String::into_bytes);
    Cow::Owned(all.unwrap_or_else(|_| text.to_ascii_lowercase()))
}

/// Whether a text is what these pieces say. The last place that any text may end at is the only one to go back to: so the time is at most
/// the product of both lengths.
fn matches(pieces: &[Piece], text: &[u8]) -> bool {
    let (mut left, mut rest) = (pieces, text);
    let mut again: Option<(&[Piece], &[u8])> = None;
    loop {
        let next = match left {
            [] => rest.is_empty().then_some((left, rest)),
            // the rest is any text
            [Piece::AnyText] => return true,
            [Piece::AnyText, after @ ..] => {
                again = Some((after, rest));
                Some((after, rest))
            }
            [Piece::AnyCharacter, after @ ..] => {
                rest.get(character(rest)..).filter(|_| !rest.is_empty()).map(|rest| (after, rest))
            }
            [Piece::Text(text), after @ ..] => rest.strip_prefix(&text[..]).map(|rest| (after, rest)),
        };
        match (next, &mut again) {
            (Some(([], [])), _) => return true,
            (Some(next), _) => (left, rest) = next,
            (None, Some((after, from))) => {
                let Some(later) = from.get(character(from)..).filter(|_| !from.is_empty()) else {
                    return false;
                };
                // a text that comes next is looked for
                *from = match after {
                    [Piece::Text(text), ..] => match found(later, text) {
                        Some(later) => later,
                        None => return false,
                    },
                    _ => later,
                };
                (left, rest) = (*after, *from);
            }
            (None, None) => return false,
        }
    }
}

/// The rest of a text from where another one begins in it.
fn found<'t>(text: &'t [u8], wanted: &[u8]) -> Option<&'t [u8]> {
    let first = *wanted.first()?;
    let mut rest = text;
    loop {
        rest = rest.get(rest.iter().position(|byte| *byte == first)?..)?;
        if rest.starts_with(wanted) {
            return Some(rest);
        }
        rest = rest.get(1..)?;
    }
}

/// How many bytes the first character has; a byte that is not UTF-8 is one.
fn character(text: &[u8]) -> usize {
    let len = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return 1,
    };
    let is_whole = text.get(1..len).is_some_and(|more| more.iter().all(|byte| byte & 0xc0 == 0x80));
    if is_whole { len } else { 1 }
}

impl Expr {
    /// Whether the text that this is matches.
    pub(super) fn is_like<V: Operand>(&self, like: &Like, scope: Scope<'_, V>) -> Result<bool, Why> {
        let tree = self.taken(scope)?;
        match tree.as_bytes(scope)? {
            Some(text) => Ok(like.matches(text)),
            None => Err(tree.field(scope)?.map_or("this is not text".into(), |value| is_not("text", value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn patterns_match_as_those_of_sql() {
        for (pattern, same, other) in [
            ("BPM%", &["BPM", "BPM.1", "BPM%"][..], &["bpm1", "ABPM", ""][..]),
            ("%.H", &["BPM.H", ".H"], &["BPM.Hx", "H"]),
            ("%x%", &["x", "axb", "ax", "xx"], &["", "ab"]),
            ("Q_", &["Q1", "Qé"], &["Q", "Q12"]),
            ("%__", &["ab", "éé"], &["é", ""]),
            ("%_b", &["ab", "éb", "bb"], &["b"]),
            ("a%b%c", &["abc", "aXbYc", "abbcc"], &["acb", "ab"]),
            ("%ab%ab", &["abab", "xabyab"], &["ab", "aab"]),
            ("%%", &["", "x"], &[]),
            ("", &[""], &["x"]),
            ("_", &["x", "é"], &["", "xy"]),
            (r"50\%", &["50%"], &["500"]),
            (r"a\_b", &["a_b"], &["axb"]),
            (r"a\\%", &[r"a\", r"a\b"], &["ab"]),
            (r"a\", &[r"a\"], &["a"]),
        ] {
            let like = Like::new(pattern.as_bytes(), false);
            assert!(same.iter().all(|text| like.matches(text.as_bytes())), "{pattern}");
            assert!(!other.iter().any(|text| like.matches(text.as_bytes())), "{pattern}");
        }
        let like = |pattern: &[u8], text: &[u8]| Like::new(pattern, true).matches(text);
        assert!(
            like(b"bPm%", b"BPM.1")
                && like("É_".as_bytes(), "éX".as_bytes())
                && like(b"a\xff_", b"A\xff\xfe")
        );
        assert!(!like(b"a", b"b"));
    }

    #[test]
    fn they_say_what_every_way_to_cut_a_text_says() {
        fn slow(pattern: &[u8], text: &[u8]) -> bool {
            match pattern {
                [] => text.is_empty(),
                [b'%', rest @ ..] => (0..=text.len()).any(|at| slow(rest, &text[at..])),
                [b'_', rest @ ..] => text.split_first().is_some_and(|(_, text)| slow(rest, text)),
                [c, rest @ ..] => {
                    text.split_first().is_some_and(|(first, text)| first == c && slow(rest, text))
                }
            }
        }
        let words = |letters: &[u8], len: usize| {
            let mut all = vec![Vec::new()];
            for from in 0..len {
                let longer: Vec<Vec<u8>> = all
                    .iter()
                    .filter(|word| word.len() == from)
                    .flat_map(|word| letters.iter().map(move |c| [&word[..], &[*c]].concat()))
                    .collect();
                all.extend(longer);
            }
            all
        };
        let texts = words(b"ab", 5);
        for pattern in words(b"ab%_", 5) {
            let like = Like::new(&pattern, false);
            for text in &texts {
                assert_eq!(
                    like.matches(text),
                    slow(&pattern, text),
                    "{}: {}",
                    pattern.escape_ascii(),
                    text.escape_ascii()
                );
            }
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_more_than_the_product_of_both_lengths() {
        let like = Like::new(format!("{}b", "%a".repeat(2000)).as_bytes(), false);
        assert!(!like.matches("a".repeat(20_000).as_bytes()));
    }
}
