//! The JSON of declarations: places for messages, no key twice, no deep nesting.

use super::error::DeclarationError;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Deepest nesting of objects and arrays.
const MAX_DEPTH: usize = 100;

/// A value, and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Text(String),
    /// An integer of 64 bits without a sign.
    Number(u64),
    /// `true`, `null`, `-1.5`: not part of a declaration.
    Other,
}

/// Reads one value and nothing after it.
pub(super) fn parse(text: &str) -> Result<Json, DeclarationError> {
    let mut scan = Scan { text, at: 0, depth: 0 };
    let value = scan.value()?;
    scan.blank();
    match scan.peek() {
        None => Ok(value),
        Some(_) => Err(scan.wrong("expected the end of the text")),
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// What is not read yet; nothing where `at` lies inside a character, as after an escape that is wrong.
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Steps over whitespace and this byte, if it is there.
    fn take(&mut self, byte: u8) -> bool {
        self.blank();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn wrong(&self, what: &str) -> DeclarationError {
        let found = self.rest().chars().next();
        let found = found.map_or_else(|| "the end of the text".to_owned(), |c| format!("`{c}`"));
        DeclarationError::at(self.at, format!("{what}, found {found}"))
    }

    fn value(&mut self) -> Result<Json, DeclarationError> {
        self.blank();
        let at = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Kind::Text(self.text()?),
            Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.word()?,
            _ => return Err(self.wrong("expected a value")),
        };
        Ok(Json { at, kind })
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Kind, DeclarationError>,
    ) -> Result<Kind, DeclarationError> {
        if self.depth == MAX_DEPTH {
            return Err(DeclarationError::at(self.at, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        self.at += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    /// What is between brackets, separated by commas, up to the one that closes.
    fn items(
        &mut self,
        close: u8,
        expected: &str,
        mut read: impl FnMut(&mut Self) -> Result<(), DeclarationError>,
    ) -> Result<(), DeclarationError> {
        if self.take(close) {
            return Ok(());
        }
        loop {
            read(self)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.wrong(expected));
            }
        }
    }

    fn object(&mut self) -> Result<Kind, DeclarationError> {
        let mut fields = Vec::new();
        self.items(b'}', "expected `,` or `}`", |scan| {
            scan.blank();
            if scan.peek() != Some(b'"') {
                return Err(scan.wrong("expected a key"));
            }
            let key = scan.text()?;
            if !scan.take(b':') {
                return Err(scan.wrong("expected `:`"));
            }
            fields.push((key, scan.value()?));
            Ok(())
        })?;
        no_twins(fields)
    }

    fn array(&mut self) -> Result<Kind, DeclarationError> {
        let mut items = Vec::new();
        self.items(b']', "expected `,` or `]`", |scan| {
            items.push(scan.value()?);
            Ok(())
        })?;
        Ok(Kind::Array(items))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, DeclarationError> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let kind = match word {
            "true" | "false" | "null" => Kind::Other,
            word if word.bytes().all(|c| c.is_ascii_digit()) => match word.parse() {
                Ok(n) => Kind::Number(n),
                Err(_) => Kind::Other,
            },
            word if word.parse::<f64>().is_ok()
                && word.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) =>
            {
                Kind::Other
            }
            _ => return Err(self.wrong("expected a value")),
        };
        self.at += word.len();
        Ok(kind)
    }

    /// A string, from its quote on.
    fn text(&mut self) -> Result<String, DeclarationError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.rest().chars().next() else {
                return Err(DeclarationError::at(start, "a string without its end".into()));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' => text.push(self.escape()?),
                c if c < ' ' => return Err(self.wrong("expected a character of a string")),
                c => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, DeclarationError> {
        let wrong = self.wrong("expected an escape of JSON");
        let code = self.text.as_bytes().get(self.at + 1).copied();
        self.at += 2;
        Ok(match code {
            Some(c @ (b'"' | b'\\' | b'/')) => c.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex().ok_or_else(|| wrong.clone())?;
                if let Some(c) = char::from_u32(high.into()) {
                    return Ok(c);
                }
                // the second half of a character beyond 16 bits
                if !self.rest().starts_with("\\u") {
                    return Err(wrong);
                }
                self.at += 2;
                let low = self.hex().ok_or_else(|| wrong.clone())?;
                match char::decode_utf16([high, low]).next() {
                    Some(Ok(c)) => c,
                    _ => return Err(wrong),
                }
            }
            _ => return Err(wrong),
        })
    }

    fn hex(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.bytes().all(|c| c.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
    }
}

/// No key may stand twice.
fn no_twins(fields: Vec<(String, Json)>) -> Result<Kind, DeclarationError> {
    let mut sorted: Vec<_> = fields.iter().map(|(name, value)| (&name[..], value.at)).collect();
    sorted.sort_unstable();
    match sorted.chunk_by(|a, b| a.0 == b.0).find(|same| same.len() > 1).and_then(|same| same.last()) {
        Some((name, at)) => Err(DeclarationError::at(*at, format!("duplicate key `{name}`"))),
        None => Ok(Kind::Object(fields)),
    }
}
