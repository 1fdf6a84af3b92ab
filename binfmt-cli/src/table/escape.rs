//! Text of any characters in one line, and in one field.

use std::borrow::Cow;

/// Text with backslash, tab, newline, carriage return and other control characters as `\\`, `\t`, `\n`, `\r`, `\x1b`,
/// and bytes that are no UTF-8 as `\xff`: one line, one field, and nothing that drives a terminal.
pub(super) fn line(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text)
        && !text.contains(|c: char| c == '\\' || is_control(c))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                c if is_control(c) && c.is_ascii() => push_hex(c as u8, &mut out),
                c if is_control(c) => out.extend(c.escape_unicode()),
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|b| push_hex(*b, &mut out));
    }
    Cow::Owned(out)
}

/// Control characters, line ends of Unicode, and the marks that turn the direction of writing round.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn push_hex(byte: u8, out: &mut String) {
    out.push_str("\\x");
    for digit in [byte >> 4, byte & 15] {
        out.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
    }
}

/// Text as it is, only bytes that are no UTF-8 as `\xff`.
pub(super) fn valid(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|b| push_hex(*b, &mut out));
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line() {
        assert_eq!(line(b"plain \xc3\xa4"), "plain ä");
        assert_eq!(line(b"a\tb\nc\rd\\e"), "a\\tb\\nc\\rd\\\\e");
        assert_eq!(line(b"\x1b[31m\0\xff"), "\\x1b[31m\\x00\\xff");
        assert_eq!(line("\u{85}\u{202e}".as_bytes()), "\\u{85}\\u{202e}");
    }

    #[test]
    fn valid_text() {
        assert_eq!(valid(b"a\nb\\"), "a\nb\\");
        assert_eq!(valid(b"a\xffb"), "a\\xffb");
    }
}
