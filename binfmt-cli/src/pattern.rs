//! Patterns of names, as shells have them.

use std::str::Chars;

/// One part of a pattern.
enum Part<'p> {
    /// Any letters.
    Any,
    /// One letter.
    One,
    Letter(char),
    /// One of those between the brackets, or none of them.
    Among(&'p str, bool),
}

impl Part<'_> {
    fn takes(&self, letter: char) -> bool {
        match self {
            Part::Any | Part::One => true,
            Part::Letter(own) => *own == letter,
            Part::Among(letters, is_among) => among(letters, letter) == *is_among,
        }
    }
}

/// Whether the text is a pattern, and not only a name: it has `*`, `?` or letters in brackets.
pub(crate) fn is_pattern(text: &str) -> bool {
    let mut left = text.chars();
    std::iter::from_fn(|| part(&mut left)).any(|part| !matches!(part, Part::Letter(_)))
}

/// Whether a pattern means a name.
pub(crate) fn is_meant(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // what is left of both after the last `*`, which may take a letter more
    let mut again = None;
    loop {
        let rest = name.clone();
        match (part(&mut pattern), name.next()) {
            (None, None) => return true,
            (Some(Part::Any), _) => {
                again = Some((pattern.clone(), rest.clone()));
                name = rest;
            }
            (Some(part), Some(letter)) if part.takes(letter) => {}
            _ => {
                let Some((after, mut left)) = again.take() else { return false };
                if left.next().is_none() {
                    return false;
                }
                (pattern, name) = (after.clone(), left.clone());
                again = Some((after, left));
            }
        }
    }
}

/// The next part of a pattern.
fn part<'p>(pattern: &mut Chars<'p>) -> Option<Part<'p>> {
    Some(match pattern.next()? {
        '*' => Part::Any,
        '?' => Part::One,
        '[' => {
            let Some((letters, is_among, after)) = brackets(pattern.as_str()) else {
                return Some(Part::Letter('['));
            };
            *pattern = after.chars();
            Part::Among(letters, is_among)
        }
        letter => Part::Letter(letter),
    })
}

/// What is between brackets, the first of which is before the text, whether it is meant or all else, and what comes after them; `None` if
/// nothing closes them. A bracket that comes first closes nothing.
fn brackets(text: &str) -> Option<(&str, bool, &str)> {
    let inside = text.strip_prefix(['!', '^']);
    let (text, is_among) = (inside.unwrap_or(text), inside.is_none());
    let end = text.char_indices().skip(1).find(|(_, letter)| *letter == ']')?.0;
    Some((text.get(..end)?, is_among, text.get(end + 1..)?))
}

/// Whether a letter is among others, of which `a-f` stands for six.
fn among(letters: &str, letter: char) -> bool {
    let mut left = letters.chars();
    while let Some(first) = left.next() {
        let last = left.as_str().strip_prefix('-').and_then(|rest| rest.chars().next());
        if last.is_some() {
            left.nth(1);
        }
        if (first..=last.unwrap_or(first)).contains(&letter) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_names() {
        for (pattern, name) in [
            ("PTB:PH[2345]x", "PTB:PH3x"),
            ("[a-cx]*", "x1"),
            ("[!a-c]", "d"),
            ("[^a-c]?", "d1"),
            ("*[0-9]", "a1b2"),
            ("[]a]", "]"),
            ("[a-]", "-"),
            ("a[b", "a[b"),
            ("*[β]", "αβ"),
            ("*a*a*", "alphax"),
        ] {
            assert!(is_meant(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("[2345]", "6"), ("[2345]", ""), ("[!a-c]", "b"), ("a[b]", "a[b]"), ("*[0-9]", "a1b")]
        {
            assert!(!is_meant(pattern, name), "{pattern} {name}");
        }
        assert!(
            is_pattern("a[0]")
                && is_pattern("a*")
                && !is_pattern("a[0")
                && !is_pattern("a[]")
                && !is_pattern("a]")
        );
    }
}
