//! One line of JSON: an object, its members one after the other.
#![allow(clippy::arithmetic_side_effects, reason = "places in a line that is in memory")]

use crate::wire::amount::inside;

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `null`, or `{"missing": 3}`, with its code.
    Missing(u8),
    /// A number or a bool: as it is written.
    Plain,
    /// A text, without its quotes and escapes.
    Text,
    /// `{"hex": "00ff"}`, as `0x00ff`.
    Bytes,
    /// Another object, or a list: as it is written.
    Nested,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) text: Vec<u8>,
    /// Where the value begins in the line.
    pub(super) at: usize,
}

/// What is wrong, and where in the line.
pub(super) type Wrong = (String, usize);

/// The members of the object that a line is.
pub(super) fn members(line: &[u8]) -> Result<Vec<Member>, Wrong> {
    let mut reader = Reader { line, at: 0 };
    let mut members = Vec::new();
    reader.expect(b'{')?;
    if !reader.takes(b'}') {
        loop {
            let name = reader.text()?;
            let name = String::from_utf8(name).map_err(|_| reader.wrong("UTF-8"))?;
            reader.expect(b':')?;
            members.push(reader.member(name)?);
            if !reader.takes(b',') {
                break;
            }
        }
        reader.expect(b'}')?;
    }
    reader.blank();
    match reader.at == line.len() {
        true => Ok(members),
        false => Err(reader.wrong("the end of the line")),
    }
}

struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

/// How deep lists and objects may be nested.
const DEEPEST: usize = 128;

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [u8] {
        inside(self.line, self.at..)
    }

    fn blank(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn takes(&mut self, mark: u8) -> bool {
        self.blank();
        let found = self.line.get(self.at) == Some(&mark);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: u8) -> Result<(), Wrong> {
        if self.takes(mark) { Ok(()) } else { Err(self.wrong(&format!("`{}`", char::from(mark)))) }
    }

    fn wrong(&self, expected: &str) -> Wrong {
        let rest = self.rest();
        let found =
            match rest.utf8_chunks().next().map(|chunk| chunk.valid().chars().take(12).collect::<String>()) {
                Some(text) if !text.is_empty() => format!("{text:?}"),
                Some(_) => "a byte that is not UTF-8".to_owned(),
                None => "the end".to_owned(),
            };
        (format!("JSON: expected {expected}, found {found}"), self.at)
    }

    fn member(&mut self, name: String) -> Result<Member, Wrong> {
        self.blank();
        let at = self.at;
        let (kind, text) = match self.line.get(at) {
            Some(b'"') => (Kind::Text, self.text()?),
            Some(b'{' | b'[') => {
                self.nested(DEEPEST)?;
                let text = inside(self.line, at..self.at);
                match (hex(text), code(text)) {
                    (Some(digits), _) => (Kind::Bytes, [b"0x", digits].concat()),
                    (_, Some(code)) => (Kind::Missing(code), Vec::new()),
                    _ => (Kind::Nested, text.to_vec()),
                }
            }
            _ => match self.word()? {
                b"null" => (Kind::Missing(0), Vec::new()),
                word => (Kind::Plain, word.to_vec()),
            },
        };
        Ok(Member { name, kind, text, at })
    }

    /// Steps over a list or an object with that many levels in it at most.
    fn nested(&mut self, depth: usize) -> Result<(), Wrong> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.wrong("lists that are not nested deeper"));
        };
        let is_object = self.takes(b'{');
        if !is_object {
            self.expect(b'[')?;
        }
        let end = if is_object { b'}' } else { b']' };
        if self.takes(end) {
            return Ok(());
        }
        loop {
            if is_object {
                self.text()?;
                self.expect(b':')?;
            }
            self.blank();
            match self.line.get(self.at) {
                Some(b'"') => drop(self.text()?),
                Some(b'{' | b'[') => self.nested(depth)?,
                _ => drop(self.word()?),
            }
            if !self.takes(b',') {
                return self.expect(end);
            }
        }
    }

    /// A number, or one of the words `null`, `true` and `false`.
    fn word(&mut self) -> Result<&'a [u8], Wrong> {
        let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
        let n = self.rest().iter().take_while(is_part).count();
        let word = inside(self.rest(), ..n);
        if !matches!(word, b"null" | b"true" | b"false") && !is_number(word) {
            return Err(self.wrong("a value"));
        }
        self.at += n;
        Ok(word)
    }

    /// A text in quotes.
    fn text(&mut self) -> Result<Vec<u8>, Wrong> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            let rest = self.rest();
            let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | ..0x20)).count();
            text.extend_from_slice(inside(rest, ..plain));
            self.at += plain;
            match (rest.get(plain), rest.get(plain + 1)) {
                (Some(b'"'), _) => {
                    self.at += 1;
                    return Ok(text);
                }
                (Some(b'\\'), Some(escape)) => {
                    self.at += 2;
                    match escape {
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'b' => text.push(8),
                        b'f' => text.push(12),
                        b'u' => {
                            let letter = self.letter()?;
                            text.extend(letter.encode_utf8(&mut [0; 4]).bytes());
                        }
                        b'"' | b'\\' | b'/' => text.push(*escape),
                        _ => {
                            self.at -= 2;
                            return Err(self.wrong("an escape of JSON"));
                        }
                    }
                }
                _ => return Err(self.wrong("`\"`")),
            }
        }
    }

    /// After `\u`: four digits, or twice four for a letter beyond them.
    fn letter(&mut self) -> Result<char, Wrong> {
        let first = self.digits()?;
        let second = match (0xd800..0xdc00).contains(&first) && self.rest().starts_with(b"\\u") {
            true => {
                self.at += 2;
                Some(self.digits()?)
            }
            false => None,
        };
        let code = match second {
            Some(low) if (0xdc00..0xe000).contains(&low) => {
                0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)
            }
            Some(_) => first,
            None => first,
        };
        char::from_u32(code).ok_or_else(|| self.wrong("a letter after `\\u`"))
    }

    fn digits(&mut self) -> Result<u32, Wrong> {
        let digits = self.rest().get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.wrong("four hexadecimal digits")),
        }
    }
}

/// Whether this is a number of JSON.
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, rest) = text.split_at(digits(text));
    let is_whole = matches!(whole, [b'0'] | [b'1'..=b'9', ..]);
    let rest = match rest.strip_prefix(b".").map(|part| part.split_at(digits(part))) {
        Some(([], _)) => return false,
        Some((_, rest)) => rest,
        None => rest,
    };
    let is_power = |power: &[u8]| {
        let power = power.strip_prefix(b"+").or_else(|| power.strip_prefix(b"-")).unwrap_or(power);
        !power.is_empty() && digits(power) == power.len()
    };
    is_whole
        && match rest {
            [] => true,
            [b'e' | b'E', power @ ..] => is_power(power),
            _ => false,
        }
}

/// The code of a missing value; 255 is what a value has that is there.
fn code(text: &[u8]) -> Option<u8> {
    let code = text.strip_prefix(b"{\"missing\":")?.strip_suffix(b"}")?;
    std::str::from_utf8(code).ok()?.trim().parse().ok().filter(|code| *code < u8::MAX)
}

/// The digits of `{"hex":"00ff"}`, which is how bytes are written.
fn hex(object: &[u8]) -> Option<&[u8]> {
    let digits =
        object.strip_prefix(b"{\"hex\":")?.trim_ascii_start().strip_prefix(b"\"")?.strip_suffix(b"\"}")?;
    let is_bytes = digits.len() % 2 == 0 && digits.iter().all(u8::is_ascii_hexdigit);
    is_bytes.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Vec<(String, Kind, String)> {
        let text = |member: Member| (member.name, member.kind, String::from_utf8(member.text).unwrap());
        members(line.as_bytes()).unwrap().into_iter().map(text).collect()
    }

    #[test]
    fn members_of_every_kind() {
        let of = |kind, text: &str| vec![("a".to_owned(), kind, text.to_owned())];
        for (line, expected) in [
            (r#"{"a":1}"#, of(Kind::Plain, "1")),
            (r#" { "a" : -1.5e3 } "#, of(Kind::Plain, "-1.5e3")),
            (r#"{"a":true}"#, of(Kind::Plain, "true")),
            (r#"{"a":null}"#, of(Kind::Missing(0), "")),
            (r#"{"a":{"missing":3}}"#, of(Kind::Missing(3), "")),
            (r#"{"a":"x\"\\\n\u00e4\ud83d\ude00"}"#, of(Kind::Text, "x\"\\\nä😀")),
            (r#"{"a":{"hex":"00fF"}}"#, of(Kind::Bytes, "0x00fF")),
            (r#"{"a":{"hex":"0"}}"#, of(Kind::Nested, r#"{"hex":"0"}"#)),
            (r#"{"a":[1,{"b":"]"}]}"#, of(Kind::Nested, r#"[1,{"b":"]"}]"#)),
        ] {
            assert_eq!(all(line), expected, "{line}");
        }
        assert!(all("{}").is_empty());
        assert_eq!(all(r#"{"a":1,"b":2}"#).len(), 2);
    }

    #[test]
    fn what_is_no_object_says_where() {
        for (line, place) in [
            ("", 0),
            ("[1]", 0),
            (r#"{"a"}"#, 4),
            (r#"{"a":}"#, 5),
            (r#"{"a":1,}"#, 7),
            (r#"{"a":1} x"#, 8),
            (r#"{"a":"x"#, 7),
            (r#"{"a":[1}"#, 7),
            (r#"{"a":nul}"#, 5),
            (r#"{"a":"\q"}"#, 6),
            (r#"{"a":"\ud800"}"#, 12),
            (r#"{"a":"\u+123"}"#, 8),
            (r#"{"a":1.2.3}"#, 5),
            (r#"{"a":1abc}"#, 5),
            (r#"{"a":-}"#, 5),
            (r#"{"a":01}"#, 5),
            (r#"{"a":1.}"#, 5),
            (r#"{"a":1e}"#, 5),
            (r#"{"a":[foo]}"#, 6),
            (r#"{"a":[1,]}"#, 8),
            (r#"{"a":{"b" 1}}"#, 10),
            (r#"{"a":{"missing":}}"#, 16),
            ("{\"a\":\"\t\"}", 6),
        ] {
            let (text, at) = members(line.as_bytes()).unwrap_err();
            assert_eq!(at, place, "{line}: {text}");
        }
        assert!(members("[".repeat(1000).as_bytes()).is_err());
        assert!(members(format!("{{\"a\":{}", "[".repeat(1000)).as_bytes()).is_err());
    }
}
