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
    /// `true`, `null`, `-1.5`: no part of a declaration.
    Other,
}

/// Reads one value and nothing behind it.
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

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at = self.at.saturating_add(1);
        }
    }

    fn wrong(&self, what: &str) -> DeclarationError {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let found = found.map_or_else(|| "the end of the text".to_owned(), |c| format!("`{c}`"));
        DeclarationError::at(self.at, format!("{what}, found {found}"))
    }

    /// Steps over a byte that must be there.
    fn expect(&mut self, byte: u8, what: &str) -> Result<(), DeclarationError> {
        self.blank();
        if self.peek() == Some(byte) {
            self.at = self.at.saturating_add(1);
            return Ok(());
        }
        Err(self.wrong(what))
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
        self.depth = self.depth.saturating_add(1);
        self.at = self.at.saturating_add(1);
        let kind = read(self)?;
        self.depth = self.depth.saturating_sub(1);
        Ok(kind)
    }

    fn object(&mut self) -> Result<Kind, DeclarationError> {
        let mut fields: Vec<(String, Json)> = Vec::new();
        self.blank();
        if self.peek() == Some(b'}') {
            self.at = self.at.saturating_add(1);
            return Ok(Kind::Object(fields));
        }
        loop {
            self.blank();
            let at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("expected a key"));
            }
            let key = self.text()?;
            self.expect(b':', "expected `:`")?;
            let value = self.value()?;
            fields.push((key, Json { at: value.at, kind: value.kind }));
            self.blank();
            match self.peek() {
                Some(b',') => self.at = self.at.saturating_add(1),
                Some(b'}') => {
                    self.at = self.at.saturating_add(1);
                    return no_twins(fields, at);
                }
                _ => return Err(self.wrong("expected `,` or `}`")),
            }
        }
    }

    fn array(&mut self) -> Result<Kind, DeclarationError> {
        let mut items = Vec::new();
        self.blank();
        if self.peek() == Some(b']') {
            self.at = self.at.saturating_add(1);
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.blank();
            match self.peek() {
                Some(b',') => self.at = self.at.saturating_add(1),
                Some(b']') => {
                    self.at = self.at.saturating_add(1);
                    return Ok(Kind::Array(items));
                }
                _ => return Err(self.wrong("expected `,` or `]`")),
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, DeclarationError> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or("");
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
        self.at = self.at.saturating_add(word.len());
        Ok(kind)
    }

    /// A string, from its quote on.
    fn text(&mut self) -> Result<String, DeclarationError> {
        let start = self.at;
        self.at = self.at.saturating_add(1);
        let mut text = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let Some(c) = rest.chars().next() else {
                return Err(DeclarationError::at(start, "a string without its end".into()));
            };
            match c {
                '"' => {
                    self.at = self.at.saturating_add(1);
                    return Ok(text);
                }
                '\\' => text.push(self.escape()?),
                c if c < ' ' => return Err(self.wrong("expected a character of a string")),
                c => {
                    text.push(c);
                    self.at = self.at.saturating_add(c.len_utf8());
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, DeclarationError> {
        let wrong = self.wrong("expected an escape of JSON");
        let code = self.text.as_bytes().get(self.at.saturating_add(1)).copied();
        self.at = self.at.saturating_add(2);
        Ok(match code {
            Some(c @ (b'"' | b'\\' | b'/')) => c.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex().ok_or_else(|| wrong.clone())?;
                if let Some(c) = char::from_u32(high) {
                    return Ok(c);
                }
                // the second half of a character beyond 16 bits
                if self.text.get(self.at..).is_none_or(|rest| !rest.starts_with("\\u")) {
                    return Err(wrong);
                }
                self.at = self.at.saturating_add(2);
                let low = self.hex().ok_or_else(|| wrong.clone())?;
                let pair = [high, low].map(|half| u16::try_from(half).unwrap_or(0));
                match char::decode_utf16(pair).next() {
                    Some(Ok(c)) => c,
                    _ => return Err(wrong),
                }
            }
            _ => return Err(wrong),
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at.saturating_add(4))?;
        self.at = self.at.saturating_add(4);
        digits.bytes().all(|c| c.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }
}

/// No key may stand twice.
fn no_twins(fields: Vec<(String, Json)>, at: usize) -> Result<Kind, DeclarationError> {
    let mut names: Vec<&str> = fields.iter().map(|(name, _)| &name[..]).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(pair) => {
            let name = pair.first().copied().unwrap_or_default();
            let at = fields.iter().rev().find(|(key, _)| key == name).map_or(at, |(_, value)| value.at);
            Err(DeclarationError::at(at, format!("the key `{name}` stands twice")))
        }
        None => Ok(Kind::Object(fields)),
    }
}
