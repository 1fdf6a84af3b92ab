//! A part of a line, with its place.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text")]

use super::SyntaxError;
use crate::schema::near::did_you_mean;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// Text of one line; it never ends inside of a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    line: usize,
    /// Characters before it in the line.
    before: usize,
}

impl<'a> Piece<'a> {
    /// A whole line, counted from 1.
    pub(super) fn line(text: &'a str, line: usize) -> Self {
        Piece { text, line, before: 0 }
    }

    /// What stands in this range of bytes, without blanks around it.
    pub(super) fn part(self, range: Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or("");
        let blank = text.len() - text.trim_start().len();
        let start = range.start + blank;
        let before = self.text.get(..start).unwrap_or("").chars().count();
        Piece { text: text.trim(), line: self.line, before: self.before + before }
    }

    pub(super) fn error(self, text: impl Into<String>) -> SyntaxError {
        SyntaxError { line: self.line, column: self.before + 1, text: text.into() }
    }

    /// That a word is not one of those that are known here.
    pub(super) fn unknown<'k>(
        self,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> SyntaxError {
        let tip = did_you_mean(word, known).map_or(String::new(), |tip| format!(", {tip}"));
        self.error(format!("unknown {what} `{word}`{tip}"))
    }

    /// The characters outside of quotes with their places, and how many brackets are open around each.
    fn bare(self) -> Vec<(usize, char, usize)> {
        let mut found = Vec::new();
        let (mut depth, mut at) = (0usize, 0);
        while let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            if let Some(len) = quoted(&self.text[at..]) {
                at += len;
                continue;
            }
            if ")]}".contains(c) {
                depth = depth.saturating_sub(1);
            }
            found.push((at, c, depth));
            if "([{".contains(c) {
                depth += 1;
            }
            at += c.len_utf8();
        }
        found
    }

    /// The parts between the places of a mark outside of quotes and brackets.
    pub(super) fn split(self, mark: char) -> Vec<Piece<'a>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, c, depth) in self.bare() {
            if c == mark && depth == 0 {
                parts.push(self.part(start..at));
                start = at + c.len_utf8();
            }
        }
        parts.push(self.part(start..self.text.len()));
        parts
    }

    /// What a type is, and the words after it. The angles of a name's parameters are brackets there.
    pub(super) fn of_type(self) -> (Self, Vec<Piece<'a>>) {
        let mut angles = 0usize;
        for (at, c, depth) in self.bare() {
            match c {
                '<' => angles += 1,
                '>' => angles = angles.saturating_sub(1),
                ',' if depth == 0 && angles == 0 => {
                    return (self.part(0..at), self.part(at + 1..self.text.len()).split(','));
                }
                _ => {}
            }
        }
        (self.part(0..self.text.len()), Vec::new())
    }

    /// The parts before and after the first of these marks outside of quotes.
    pub(super) fn cut(self, mark: &str) -> Option<(Self, Self)> {
        let found = self.bare().into_iter().find(|(at, ..)| self.text[*at..].starts_with(mark));
        let (at, ..) = found?;
        Some((self.part(0..at), self.part(at + mark.len()..self.text.len())))
    }

    /// The word and what stands in its brackets: `region(n, rest = skip)`.
    pub(super) fn call(self) -> Option<(&'a str, Piece<'a>)> {
        let open = self.text.find('(')?;
        let inside = self.text.ends_with(')').then(|| self.part(open + 1..self.text.len() - 1))?;
        Some((self.text[..open].trim_end(), inside))
    }

    /// The word and what stands after its `=`: `count = n`.
    pub(super) fn assignment(self) -> Option<(&'a str, Piece<'a>)> {
        let equals = self.text.find('=')?;
        let word = self.text[..equals].trim_end();
        let is_word = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_word.then(|| (word, self.part(equals + 1..self.text.len())))
    }

    /// A name, quoted where it is not a word.
    pub(super) fn name(self) -> Result<String, SyntaxError> {
        let Some(inside) = self.text.strip_prefix('"') else {
            return match self.text {
                "" => Err(self.error("a name is missing")),
                name => Ok(name.to_string()),
            };
        };
        let inside = inside.strip_suffix('"').ok_or_else(|| self.error("the quote is not closed"))?;
        unescaped(inside).ok_or_else(|| self.error("an escape that is not understood"))
    }
}

/// The length of what is quoted at the front of a text: a string, a character, or bytes of either kind. A tick may also be that
/// of a lifetime.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    if quote == '\'' {
        let mut chars = text.chars().skip(1);
        let (first, second) = (chars.next()?, chars.next()?);
        if first != '\\' && second != '\'' {
            return None;
        }
    }
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// The text that a quoted name stands for.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            c @ ('\\' | '"' | '\'') => c,
            'u' => {
                let digits: String =
                    chars.by_ref().skip_while(|c| *c == '{').take_while(|c| *c != '}').collect();
                char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
    Some(out)
}
