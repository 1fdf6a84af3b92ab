//! Texts of the source as a description has them: constants by their values, types without their paths.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in a text, and brackets of which more were opened than closed"
)]

use alloc::string::String;

/// A text with the values of constants in place of their names.
pub(super) fn with_values(text: &str, known: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        // names that begin alike are told apart by what follows; a sum is a name as a whole
        let begins = |(name, value): &'_ (&str, String)| {
            let after = rest.strip_prefix(*name)?;
            (!after.starts_with(in_name)).then(|| (after, value.clone()))
        };
        let free = !out.ends_with(in_name);
        match known.iter().find_map(begins).filter(|_| free) {
            Some((after, value)) => {
                out.push_str(&value);
                rest = after;
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// Names of types without the paths in them and without lifetimes: `a::Pair<b::C>` is `Pair<C>`.
pub(super) fn without_paths(path: &str) -> String {
    let mut out = String::new();
    // where the path began that is being read
    let mut begin = 0usize;
    let mut rest = path;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("::") {
            out.truncate(begin);
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '\'' => rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'),
            // what stands in angle brackets at the begin of a path is part of the path: `<A as B>::C`
            '<' if out.len() == begin => rest = after_bracket(rest),
            ' ' if out.ends_with(['<', ' ']) => {}
            ',' if out.ends_with(['<', ' ']) => {}
            c => {
                out.push(c);
                let in_path = c.is_alphanumeric() || matches!(c, '_' | '{' | '}' | '#');
                begin = if in_path { begin } else { out.len() };
            }
        }
    }
    out.replace("<>", "")
}

/// What follows the bracket that closes one that was opened.
fn after_bracket(text: &str) -> &str {
    let mut open = 1usize;
    for (i, c) in text.char_indices() {
        open = match c {
            '<' => open + 1,
            '>' => open - 1,
            _ => open,
        };
        if open == 0 {
            return &text[i + 1..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{with_values, without_paths};
    use alloc::string::ToString;

    #[test]
    fn names_without_paths() {
        for (path, name) in [
            ("u8", "u8"),
            ("a::b::Row", "Row"),
            ("a::Pair<b::C, [d::E; 3]>", "Pair<C, [E; 3]>"),
            ("a::Pair<'_, '_, b::C>", "Pair<C>"),
            ("a::Name<'_>", "Name"),
            ("decode_with = a::f, encode_with = a::g", "decode_with = f, encode_with = g"),
            ("a::f::{{closure}}::Row", "Row"),
            ("<a::A as b::B>::f::Row<u8>", "Row<u8>"),
            ("a::Pair<a::Pair<u8, (b::C, d::D)>, &a::E>", "Pair<Pair<u8, (C, D)>, &E>"),
        ] {
            assert_eq!(without_paths(path), name, "{path}");
        }
    }

    #[test]
    fn constants_as_values() {
        let text = |text| with_values(text, &[("A", 1.to_string()), ("m::AB", "b\"A\"".to_string())]);
        assert_eq!(text("A"), "1");
        assert_eq!(text("A..=m::AB | A|3"), "1..=b\"A\" | 1|3");
        assert_eq!(text("m::A | AB | A::B | BA | é"), "m::A | AB | A::B | BA | é");
    }
}
