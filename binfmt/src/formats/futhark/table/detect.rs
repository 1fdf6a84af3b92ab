//! Whether a file contains Futhark values, as far as its first bytes and its name tell.

use crate::formats::futhark::layout::Value;
use crate::formats::futhark::read::values;
use crate::table::Probe;
use std::path::Path;

/// Endings that the compiler's own tools give to files of values. Others use some of them, too: the content must fit.
const ENDINGS: &[&str] = &["futhark", "in", "out"];
/// No word of a text is longer, but for comments.
const LONGEST: usize = 128;

/// Binary values say what they are. Text is recognised where its first value is an array, or names its type, as all text
/// that programs print does; a plain number needs the name of the file, too.
pub(super) fn detect(probe: &Probe<'_>) -> bool {
    if probe.is_folder() {
        return false;
    }
    let front = without_blanks(probe.head);
    if front.starts_with(b"b\x02") {
        return true;
    }
    let end = front.iter().position(|c| !is_word(*c));
    let word = end.map_or(front, |end| &front[..end]);
    let is_array = front.starts_with(b"[") || word == b"empty";
    let is_typed = is_array || names_type(word);
    // what is damaged in a file of that name, the reader says
    (is_typed && begins_with_value(probe, front))
        || (is_named(Path::new(probe.path)) && (is_typed || is_meant(front)))
}

/// Whether a file of that name was meant to have values: a number, whatever follows it, what other languages write for a value, or
/// nothing. What is wrong the reader says.
fn is_meant(front: &[u8]) -> bool {
    let digits = front.strip_prefix(b"-").or_else(|| front.strip_prefix(b"+")).unwrap_or(front);
    let is_number = digits.strip_prefix(b".").unwrap_or(digits).first().is_some_and(u8::is_ascii_digit);
    let words = [&b"True"[..], b"False", b"nan", b"inf", b"NaN"];
    match front.first() {
        None => true,
        Some(b'(' | b'"' | b'\'') => true,
        Some(_) => is_number || words.iter().any(|word| digits.starts_with(word)),
    }
}

/// What is after whitespace and comments; all of a comment that does not end.
fn without_blanks(head: &[u8]) -> &[u8] {
    let mut rest = head;
    loop {
        rest = rest.trim_ascii_start();
        // a vertical tab is whitespace there
        match (rest.strip_prefix(b"\x0b"), rest.starts_with(b"--")) {
            (Some(after), _) => rest = after,
            (None, true) => match rest.iter().position(|c| *c == b'\n') {
                Some(end) => rest = &rest[end..],
                None => return &[],
            },
            (None, false) => return rest,
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'+' | b'-')
}

/// `1i32`, `-f64.inf`, `true`
fn names_type(word: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(word) else { return false };
    let is_suffixed = |value: Value| {
        let name = value.element_type().name();
        text.ends_with(name) || text.contains(&format!("{name}.")) || matches!(text, "true" | "false")
    };
    Value::from_text(text).is_ok_and(is_suffixed)
}

/// Whether the first value is sound as far as it can be seen.
fn begins_with_value(probe: &Probe<'_>, front: &[u8]) -> bool {
    match values(front).next() {
        None => false,
        Some(Ok(_)) => true,
        // the rest of it was not looked at
        Some(Err(e)) => {
            let left = e.offset().and_then(|at| (front.len() as u64).checked_sub(at));
            probe.head.len() >= Probe::BYTES && left.is_some_and(|left| left <= LONGEST as u64)
        }
    }
}

/// Whether a file is named as one of values, compressed or not.
fn is_named(path: &Path) -> bool {
    let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let found = match ending(path) {
        Some(packed) if packed == "gz" => path.file_stem().and_then(|stem| ending(Path::new(stem))),
        found => found,
    };
    found.is_some_and(|found| ENDINGS.contains(&found.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(name: &str, head: &[u8]) -> bool {
        detect(&Probe { head, path: name, names: &[] })
    }

    #[test]
    fn values_are_recognised() {
        for head in [
            &b"b\x02\x00 i32\x01\0\0\0"[..],
            b"\n-- made by hand\nb\x02\x00 i32",
            b"[1, 2, 3]",
            b"-- a comment\n  [[0.5, nan], [1e3, -inf]]\n",
            b"[]",
            b"empty([0][2]i32)",
            b"1i32\n2i32\n",
            b"-0x10i8",
            b"f32.nan",
            b"-f64.inf 3",
            b"true",
            b"1_000i64",
        ] {
            assert!(is("a.bin", head) && is("-", head), "{}", head.escape_ascii());
        }
        let mut long = vec![b'['; 1];
        while long.len() < Probe::BYTES {
            long.extend_from_slice(b"12345, ");
        }
        for cut in 0..10 {
            assert!(is("a.bin", &long[..Probe::BYTES - cut]) == (cut == 0), "{cut}");
        }
    }

    #[test]
    fn plain_numbers_need_the_name() {
        for head in [
            &b"10\n20\n"[..],
            b"-- n\n1.5 2",
            b"nan",
            b"300u8",
            b"(-1)",
            b"\"abc\"",
            b"True",
            b"  \n",
            b"-1x",
            b"",
        ] {
            assert!(!is("a.bin", head) && !is("-", head), "{}", head.escape_ascii());
            assert!(is("a.in", head) && is("a.OUT", head) && is("a.futhark", head) && is("a.in.gz", head));
        }
    }

    #[test]
    fn other_files_are_not() {
        for head in [
            &b""[..],
            b"SDDS1\n",
            b"{\"format\": \"futhark\"}",
            b"[section]\nkey = 1\n",
            b"[package]",
            b"[\"a\", 1]",
            b"[1, \"a\"]",
            b"[{\"a\": 1}]",
            b"a,b\n1,2\n",
            b"binary\nu/i/1\n",
            b"better",
            b"trueish",
            b"1 apple",
            b"--no-newline",
            b"\x01\x02\x03",
            b"[1, 2",
        ] {
            assert!(!is("a.bin", head), "{}", head.escape_ascii());
        }
        assert!(!is("a.in", b"SDDS1\n") && !is("a.in", b"apples 1") && !is("a.in", b"{}"));
    }
}
