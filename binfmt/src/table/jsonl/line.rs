//! One line of JSON: an object, its members one after the other.
#![allow(clippy::arithmetic_side_effects, reason = "places in a line that is in memory")]

use crate::wire::amount::inside;

/// What a member is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// `null`, or `{"missing": 3}`, with its code.
    Missing(u8),
    /// A number or a bool: as it is written.
    #[default]
    Plain,
    /// A text, without its quotes and escapes.
    Text,
    /// `{"hex": "00ff"}`, as `0x00ff`.
    Bytes,
    /// Another object, or a list: as it is written.
    Nested,
}

/// A member of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) text: Vec<u8>,
    /// Where the value begins in the line.
    pub(super) at: usize,
}

/// What is wrong, and where in the line.
pub(super) type Wrong = (String, usize);

/// Puts the members of the object that a line is in place of those of another line, in their memory.
pub(super) fn members(line: &[u8], members: &mut Vec<Member>) -> Result<(), Wrong> {
    let mut reader = Reader { line, at: 0 };
    let mut count = 0;
    reader.expect(b'{')?;
    if !reader.takes(b'}') {
        loop {
            members.resize_with(members.len().max(count + 1), Member::default);
            if let Some(member) = members.get_mut(count) {
                *member = reader.member(std::mem::take(member))?;
            }
            count += 1;
            if !reader.takes(b',') {
                break;
            }
        }
        reader.expect(b'}')?;
    }
    members.truncate(count);
    reader.blank();
    match reader.at == line.len() {
        true => Ok(()),
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

    /// The next member, in the memory of another one.
    fn member(&mut self, room: Member) -> Result<Member, Wrong> {
        let (mut name, mut text) = (room.name.into_bytes(), room.text);
        self.text(&mut name)?;
        let name = String::from_utf8(name).map_err(|_| self.wrong("UTF-8"))?;
        self.expect(b':')?;
        self.blank();
        let at = self.at;
        let kind = self.value(&mut text)?;
        Ok(Member { name, kind, text, at })
    }

    /// What a value is, and as what text.
    fn value(&mut self, text: &mut Vec<u8>) -> Result<Kind, Wrong> {
        let at = self.at;
        text.clear();
        Ok(match self.line.get(at) {
            Some(b'"') => {
                self.text(text)?;
                Kind::Text
            }
            Some(b'{' | b'[') => {
                self.nested(DEEPEST)?;
                let value = inside(self.line, at..self.at);
                match (hex(value), code(value)) {
                    (Some(digits), _) => {
                        text.extend_from_slice(b"0x");
                        text.extend_from_slice(digits);
                        Kind::Bytes
                    }
                    (_, Some(code)) => Kind::Missing(code),
                    _ => {
                        text.extend_from_slice(value);
                        Kind::Nested
                    }
                }
            }
            _ => match self.word()? {
                b"null" => Kind::Missing(0),
                word => {
                    text.extend_from_slice(word);
                    Kind::Plain
                }
            },
        })
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
        let mut room = Vec::new();
        loop {
            if is_object {
                self.text(&mut room)?;
                self.expect(b':')?;
            }
            self.blank();
            match self.line.get(self.at) {
                Some(b'"') => self.text(&mut room)?,
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
    fn text(&mut self, text: &mut Vec<u8>) -> Result<(), Wrong> {
        self.expect(b'"')?;
        text.clear();
        loop {
            let rest = self.rest();
            let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | ..0x20)).count();
            text.extend_from_slice(inside(rest, ..plain));
            self.at += plain;
            match (rest.get(plain), rest.get(plain + 1)) {
                (Some(b'"'), _) => {
                    self.at += 1;
                    return Ok(());
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
        let mut found = vec![Member::default(); 3];
        members(line.as_bytes(), &mut found).unwrap();
        found.into_iter().map(text).collect()
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
            let (text, at) = members(line.as_bytes(), &mut Vec::new()).unwrap_err();
            assert_eq!(at, place, "{line}: {text}");
        }
        assert!(members("[".repeat(1000).as_bytes(), &mut Vec::new()).is_err());
        assert!(members(format!("{{\"a\":{}", "[".repeat(1000)).as_bytes(), &mut Vec::new()).is_err());
    }
}
