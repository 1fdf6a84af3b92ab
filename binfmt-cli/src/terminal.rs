//! What people see. Names and texts come from files, and names of files from whoever made them: none of them may drive the
//! terminal or begin a line of its own. All tables, messages and reports pass through here.

use binfmt::dump::drives_terminal;
use std::borrow::Cow;
use std::io::{self, Write};

/// Text in one line: what drives a terminal is escaped, tabs, line ends and other control characters as `\t`, `\n`, `\x1b`,
/// and the marks that turn the direction of writing round as `\u{202e}`.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || !text.contains(drives_terminal) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    text.chars().for_each(|c| push(c, &mut out));
    Cow::Owned(out)
}

/// Several lines, each as [`line()`] has it.
pub(crate) fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Text of any bytes in one line and one field: [`line()`], bytes that are not UTF-8 as `\xff`, and a backslash as `\\`, so
/// that the text can be told from its escapes.
pub(crate) fn field(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text)
        && !text.contains(|c: char| c == '\\' || drives_terminal(c))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' {
                out.push('\\');
            }
            push(c, &mut out);
        }
        chunk.invalid().iter().for_each(|b| push_hex(*b, &mut out));
    }
    Cow::Owned(out)
}

/// A text of any bytes in pieces that can be escaped one by one: none ends inside a character. So a text as large as
/// memory is not held a second time.
pub(crate) fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    const PIECE: usize = 16 << 10;
    let is_inside = |byte: &u8| byte & 0xc0 == 0x80;
    let mut rest = text;
    std::iter::from_fn(move || {
        let back = (0..4).find(|back| rest.get(PIECE - back).is_none_or(|byte| !is_inside(byte)));
        let (piece, after) = rest.split_at(rest.len().min(PIECE - back.unwrap_or(0)));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Whether there are only letters that every terminal shows.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|b| (b' '..0x7f).contains(b))
}

fn push(c: char, out: &mut String) {
    match c {
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        c if drives_terminal(c) && c.is_ascii() => push_hex(c as u8, out),
        c if drives_terminal(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

fn push_hex(byte: u8, out: &mut String) {
    out.push_str("\\x");
    for digit in [byte >> 4, byte & 15] {
        out.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
    }
}

/// A part of a JSON text, in which the same is said by escapes of JSON: `\u202e`. Programs read the same document.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    // both are much faster than looking at every character
    let is_usual = text.is_ascii() && !text.as_bytes().contains(&0x7f);
    if is_usual || !text.contains(drives_terminal) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        // all of them have four digits
        if drives_terminal(c) { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A terminal that data of a file are written to as they are: lines and tabs stay, all else that drives it is escaped.
#[derive(Debug)]
pub(crate) struct Screen<W> {
    out: W,
    /// The first bytes of a character whose last ones have not come.
    begun: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W) -> Self {
        Screen { out, begun: Vec::new() }
    }

    fn show(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                if matches!(c, '\n' | '\t') { text.push(c) } else { push(c, &mut text) }
            }
            chunk.invalid().iter().for_each(|b| push_hex(*b, &mut text));
        }
        self.out.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        if let Err(e) = std::str::from_utf8(&all)
            && e.error_len().is_none()
        {
            self.begun = all.split_off(e.valid_up_to());
        }
        self.show(&all)?;
        Ok(bytes.len())
    }

    /// Shows also what will not become a character any more.
    fn flush(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.show(&begun)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line() {
        assert_eq!(line("plain ä\\"), "plain ä\\");
        assert_eq!(line("evil\n.sdds\t\r"), "evil\\n.sdds\\t\\r");
        assert_eq!(
            line("\x1b]0;pwn\x07 \u{9b}31m \u{202e} \u{2028}"),
            "\\x1b]0;pwn\\x07 \\u{9b}31m \\u{202e} \\u{2028}"
        );
        assert_eq!(lines("a\x1b\nb\x7f"), "a\\x1b\nb\\x7f");
    }

    #[test]
    fn one_field() {
        assert_eq!(field(b"plain \xc3\xa4"), "plain ä");
        assert_eq!(field(b"a\tb\nc\rd\\e"), "a\\tb\\nc\\rd\\\\e");
        assert_eq!(field(b"\x1b[31m\0\xff"), "\\x1b[31m\\x00\\xff");
        assert_eq!(field("\u{85}\u{202e}".as_bytes()), "\\u{85}\\u{202e}");
    }

    #[test]
    fn pieces_end_between_characters() {
        for text in
            ["日本".repeat(6000).into_bytes(), b"a".repeat(40_000), b"\x80".repeat(40_000), Vec::new()]
        {
            let found: Vec<&[u8]> = pieces(&text).collect();
            assert!(found.iter().all(|piece| (1..=16 << 10).contains(&piece.len())));
            assert_eq!(found.concat(), text);
            let shown: String = found.iter().map(|piece| field(piece).into_owned()).collect();
            assert_eq!(shown, field(&text));
        }
    }

    #[test]
    fn json_says_the_same() {
        for text in ["plain", "ä日", "\u{7f}\u{9b}\u{202e}x\u{2069}"] {
            let escaped = format!("\"{}\"", json(text));
            assert!(!escaped.contains(drives_terminal), "{escaped}");
            assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }
    }

    #[test]
    fn a_screen_is_not_driven() {
        let mut screen = Screen::new(Vec::new());
        for piece in [&b"a\n\x1b[2J\xc3"[..], b"\xa4\t\xe2\x80", b"\xae\xff\xe6\x97"] {
            screen.write_all(piece).unwrap();
        }
        screen.flush().unwrap();
        let shown = String::from_utf8(screen.out).unwrap();
        assert_eq!(shown, "a\n\\x1b[2Jä\t\\u{202e}\\xff\\xe6\\x97");
    }
}
