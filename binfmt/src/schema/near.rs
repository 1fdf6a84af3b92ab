//! "Did you mean": the known word that is nearest to a mistyped one.
#![allow(clippy::arithmetic_side_effects, reason = "lengths of short words")]

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Known words that resemble `word`, best first, at most three.
pub fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const SHOWN: usize = 3;
    // longer words are not typing errors
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|known| known.len() <= LONGEST)
        .map(|known| (distance(word, known), known))
        .filter(|(d, known)| *d <= (known.chars().count() / 3).max(1))
        .collect();
    found.sort_by_key(|(d, _)| *d);
    found.into_iter().take(SHOWN).map(|(_, known)| known).collect()
}

/// `did you mean `a` or `b`?`, or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near: Vec<String> = near(word, known).into_iter().map(|name| format!("`{name}`")).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

/// The number of letters to insert, delete or replace that turns one word into the other, case aside.
fn distance(a: &str, b: &str) -> usize {
    let lower = |s: &str| s.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (a, b) = (lower(a), lower(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        row[0] = left;
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_words() {
        let known = ["temperature", "pressure", "a", "b"];
        assert_eq!(near("Temprature", known), ["temperature"]);
        assert_eq!(near("presure", known), ["pressure"]);
        assert_eq!(near("c", known), ["a", "b"]);
        assert!(near("elephant", known).is_empty());
        assert!(near(&"a".repeat(1000), known).is_empty());
        assert_eq!(did_you_mean("c", ["a", "b"]).unwrap(), "did you mean `a` or `b`?");
        assert_eq!(did_you_mean("", []), None);
    }
}
