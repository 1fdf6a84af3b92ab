//! The text of a header as commands with fields, and where each stands.

use super::error::HeaderError;
use super::error::Place;
use crate::error::{ErrorKind, Result};
use crate::formats::sdds::layout::definition::Parameter;
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::text::lines::{cut_comment, name_text, next_line, peek_line};
use crate::wire::{Cursor, Erased, Hooks, Label, Source};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

/// Where a command has not ended after that many bytes, its end is damaged, and what follows may be the whole file. The
/// official library reads 1023 bytes.
const MAX_COMMAND: usize = 256 << 10;

/// Lines of a source, counted.
pub(super) struct Lines<'a, 'de> {
    src: Erased<'a, 'de>,
    number: usize,
    start: u64,
    line: Vec<u8>,
    /// Bytes that were looked at and are not yet named, where they are to be.
    ahead: usize,
    /// How many commands there were of each name, where they are to be named.
    seen: BTreeMap<String, usize>,
    /// What `!#` comments said.
    pub(super) notes: Notes,
}

/// The words of `!#` comments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notes {
    pub(super) big: bool,
    pub(super) little: bool,
    pub(super) fixed_row_count: bool,
}

/// One command: `&name tag=value, ... &end`.
pub(super) struct Command {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) fields: Vec<Field>,
    /// Where its `&end` stands.
    end: Place,
}

impl Command {
    /// What the value of a field is called, and its text: a fixed value is one of the parameter's type.
    fn value_of(&self, field: &Field) -> (&'static str, String) {
        let text = || String::from_utf8_lossy(&field.value).into_owned();
        if field.tag != "fixed_value" {
            return ("text", text());
        }
        let named = self.fields.iter().find(|field| field.tag == "type");
        let kind = named.and_then(|field| core::str::from_utf8(&field.value).ok()).and_then(DataType::named);
        let value = kind.and_then(|kind| {
            let parameter = Parameter::new("", kind).fixed_value(field.value.as_slice());
            Some((kind.name(), parameter.fixed()?.ok()?.text(kind)))
        });
        value.unwrap_or_else(|| ("text", text()))
    }
}

/// One `tag=value`.
pub(super) struct Field {
    pub(super) tag: String,
    pub(super) tag_place: Place,
    pub(super) value: Vec<u8>,
    pub(super) place: Place,
}

/// The bytes of a command, with the places where pieces of it come from.
struct Joined {
    bytes: Vec<u8>,
    /// From this byte on, the text was there.
    pieces: Vec<(usize, Place)>,
}

impl Joined {
    fn place(&self, at: usize) -> Place {
        let after = self.pieces.partition_point(|(from, _)| *from <= at);
        let piece = after.checked_sub(1).and_then(|i| self.pieces.get(i));
        let Some((from, place)) = piece else { return Place::default() };
        Place { column: place.column + at - from, ..place.clone() }
    }
}

impl<'a, 'de> Lines<'a, 'de> {
    pub(super) fn new(src: Erased<'a, 'de>) -> Self {
        Lines {
            src,
            number: 0,
            start: 0,
            line: Vec::new(),
            ahead: 0,
            seen: BTreeMap::new(),
            notes: Notes::default(),
        }
    }

    /// The next line without its end; false at the end of the text.
    fn next(&mut self) -> Result<bool, HeaderError> {
        self.start = self.src.pos() + self.ahead as u64;
        let read = match self.src.is_heard() {
            false => next_line(&mut self.src, &mut self.line, MAX_COMMAND),
            true => peek_line(&mut self.src, self.ahead, &mut self.line, MAX_COMMAND).map(|n| {
                n.is_some_and(|n| {
                    self.ahead += n;
                    true
                })
            }),
        };
        let more = read.map_err(|e| match e.kind() {
            kind @ ErrorKind::SizeLimit { .. } => {
                let line = self.number + 1;
                HeaderError::new(kind.to_string(), &Place { line, column: 1, line_start: self.start })
            }
            _ => HeaderError::source(e),
        })?;
        if more {
            self.number += 1;
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        Ok(more)
    }

    fn place(&self, column: usize) -> Place {
        Place { line: self.number, column: column + 1, line_start: self.start }
    }

    /// The version in the first line.
    pub(super) fn version(&mut self) -> Result<u8, HeaderError> {
        self.next()?;
        let Some(rest) = self.line.strip_prefix(b"SDDS") else {
            let message = match self.line.starts_with(b"\xef\xbb\xbfSDDS") {
                true => "looks like SDDS, but a byte order mark is in front, with which no program reads it",
                false => "not an SDDS file: the first line is not `SDDS` and a version",
            };
            return Err(HeaderError::new(message, &Place { line: 1, column: 1, line_start: 0 }));
        };
        let rest = rest.trim_ascii_start();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = &*String::from_utf8_lossy(&rest[..digits]);
        match number.parse::<u8>() {
            Ok(n @ 1..=5) => {
                self.name_value(Label::Field("version"), ("text", Some(&n.to_string())), None)?;
                Ok(n)
            }
            Err(_) if number.is_empty() => {
                let message = "looks like SDDS, but no version follows the word; expected 1 to 5";
                Err(HeaderError::new(message, &self.place(4)))
            }
            _ => {
                let found = number.get(..20).unwrap_or(number);
                let message = format!("unsupported version {found} of SDDS, expected 1 to 5");
                Err(HeaderError::new(message, &self.place(4)))
            }
        }
    }

    /// Names the bytes up to a place, or all that were looked at.
    fn name(&mut self, label: Label<&str>, to: Option<&Place>) -> Result<(), HeaderError> {
        self.name_value(label, ("text", None), to)
    }

    /// Names the same, if they are a value of a type.
    fn name_value(
        &mut self,
        label: Label<&str>,
        value: (&str, Option<&str>),
        to: Option<&Place>,
    ) -> Result<(), HeaderError> {
        if !self.src.is_heard() {
            return Ok(());
        }
        let at = self.src.pos();
        // what was looked at ends here at the latest
        let all = at + self.ahead as u64;
        let n = (to.map_or(all, Place::offset).clamp(at, all) - at) as usize;
        self.ahead -= n;
        name_text(&mut self.src, label, value, n).map_err(HeaderError::source)
    }

    /// Names a command and its fields: `header.columns[0].units`.
    fn name_command(&mut self, command: &Command) -> Result<(), HeaderError> {
        if !self.src.is_heard() {
            return Ok(());
        }
        let several = !matches!(command.name.as_str(), "description" | "data");
        let seen = self.seen.entry(command.name.clone()).or_default();
        let index = *seen;
        *seen += 1;
        self.src.open(Label::Field(&format!("{}{}", command.name, if several { "s" } else { "" })), "");
        if several {
            self.src.open(Label::Index(index), "");
        }
        let first = command.fields.first().map_or(&command.end, |field| &field.tag_place);
        self.name(Label::Piece("command"), Some(first))?;
        for (i, field) in command.fields.iter().enumerate() {
            let next = command.fields.get(i + 1).map_or(&command.end, |next| &next.tag_place);
            let (of, value) = command.value_of(field);
            self.name_value(Label::Field(&field.tag), (of, Some(&value)), Some(next))?;
        }
        self.name(Label::Piece("end"), None)?;
        if several {
            self.src.close();
        }
        self.src.close();
        Ok(())
    }

    /// Whether the line is a comment; `!#` comments are noted.
    fn comment(&mut self) -> bool {
        let Some(rest) = self.line.strip_prefix(b"!") else { return false };
        if let Some(words) = rest.strip_prefix(b"#") {
            for word in words.split(|b| b.is_ascii_whitespace()) {
                match word {
                    b"big-endian" => self.notes.big = true,
                    b"little-endian" => self.notes.little = true,
                    b"fixed-rowcount" => self.notes.fixed_row_count = true,
                    _ => {}
                }
            }
        }
        true
    }

    /// Appends the line to a command, without its comment.
    fn join(&mut self, to: &mut Joined) {
        let from = to.bytes.len();
        to.pieces.push((from, self.place(0)));
        let mut removed = 0usize;
        let (line, start) = (self.number, self.start);
        cut_comment(&mut self.line, |at| {
            removed += 1;
            let column = at + removed + 1;
            to.pieces.push((from + at, Place { line, column, line_start: start }));
        });
        to.bytes.extend_from_slice(&self.line);
    }

    /// The next command; `None` at the end of the text.
    pub(super) fn command(&mut self) -> Result<Option<Command>, HeaderError> {
        let mut text = Joined { bytes: Vec::new(), pieces: vec![] };
        loop {
            if !self.next()? {
                return Ok(None);
            }
            if self.comment() {
                self.name(Label::Piece("comment"), None)?;
                continue;
            }
            text.bytes.clear();
            text.pieces.clear();
            self.join(&mut text);
            match unquoted(&text.bytes, b"&") {
                Some(0) => break,
                // free text between the commands
                None => self.name(Label::Piece("text"), None)?,
                Some(at) => {
                    let message = "a command must begin in the first column of its line";
                    return Err(HeaderError::new(message, &text.place(at)));
                }
            }
        }
        let mut search = Unquoted::default();
        let end = loop {
            if let Some(end) = search.find(&text.bytes, b"&end") {
                break end;
            }
            if text.bytes.len() > MAX_COMMAND || !self.next()? {
                let message = "this command has no `&end` (or a quote that is not closed)";
                return Err(HeaderError::new(message, &text.place(0)));
            }
            if !self.comment() {
                text.bytes.push(b' ');
                self.join(&mut text);
            }
        };
        let after = text.place(end);
        if end == 0 {
            return Err(HeaderError::new("`&end` without a command before it", &after));
        }
        text.bytes.truncate(end);
        if let Some(at) = text.bytes.iter().position(|b| *b == 0) {
            return Err(HeaderError::new("a NUL in the header", &text.place(at)));
        }
        let command = Command { end: after, ..text.command()? };
        self.name_command(&command)?;
        Ok(Some(command))
    }
}

/// The first place outside quotes where `what` is without a backslash in front.
fn unquoted(text: &[u8], what: &[u8]) -> Option<usize> {
    Unquoted::default().find(text, what)
}

/// A search for something outside quotes, which goes on where the text ended before.
#[derive(Default)]
struct Unquoted {
    at: usize,
    quoted: bool,
    before: u8,
}

impl Unquoted {
    fn find(&mut self, text: &[u8], what: &[u8]) -> Option<usize> {
        while let Some(&b) = text.get(self.at) {
            let escaped = self.before == b'\\';
            if b == b'"' && !escaped {
                self.quoted = !self.quoted;
            } else if !self.quoted && !escaped && text.get(self.at..).is_some_and(|t| t.starts_with(what)) {
                return Some(self.at);
            }
            self.before = b;
            self.at += 1;
        }
        None
    }
}

impl Joined {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Steps over bytes for which `wanted` holds.
    fn skip(&self, mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(&wanted) {
            at += 1;
        }
        at
    }

    fn text(&self, from: usize, to: usize) -> String {
        String::from_utf8_lossy(&self.bytes[from..to]).into_owned()
    }

    fn command(&self) -> Result<Command, HeaderError> {
        let mut at = self.skip(1, |b| !matches!(b, b' ' | b'\t'));
        let mut command = Command {
            name: self.text(1, at),
            place: self.place(0),
            fields: Vec::new(),
            end: Place::default(),
        };
        loop {
            at = self.skip(at, |b| matches!(b, b' ' | b',' | b'\t'));
            if at >= self.bytes.len() {
                return Ok(command);
            }
            let field;
            (field, at) = self.field(at)?;
            command.fields.push(field);
        }
    }

    fn field(&self, from: usize) -> Result<(Field, usize), HeaderError> {
        let blank = |b: u8| matches!(b, b' ' | b'\t');
        let after = self.skip(from, |b| !matches!(b, b' ' | b'\t' | b'=' | b','));
        let tag = self.text(from, after);
        let at = self.skip(after, blank);
        if self.byte(at) != Some(b'=') {
            return Err(HeaderError::new(format!("`{tag}` has no `=` and value"), &self.place(from)));
        }
        let start = self.skip(at + 1, blank);
        let is_quoted = self.byte(start) == Some(b'"');
        let first = if is_quoted { start + 1 } else { start };
        let mut before = 0u8;
        let mut end = first;
        while let Some(b) = self.byte(end) {
            let ends = if is_quoted { b == b'"' && before != b'\\' } else { blank(b) || b == b',' };
            if ends {
                break;
            }
            before = b;
            end += 1;
        }
        let mut value = Vec::new();
        for b in &self.bytes[first..end] {
            // in quotes every quote has a backslash; outside, it gets one, so that there is one form of each value
            if *b == b'"' && value.last() != Some(&b'\\') {
                value.push(b'\\');
            }
            value.push(*b);
        }
        let next = if is_quoted { end + 1 } else { end };
        Ok((Field { tag, tag_place: self.place(from), value, place: self.place(start) }, next))
    }
}
