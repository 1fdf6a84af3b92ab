//! A part of a line, with its place.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text")]

use super::SyntaxError;
use crate::codec::fingerprint::pieces;
use crate::schema::expr::flaw::{self, Flaw};
use crate::schema::near::did_you_mean;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// Text of one line; it never ends inside a character.
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

    /// What stands from this byte on, with the blanks in front.
    pub(super) fn from(self, at: usize) -> Self {
        let before = self.before + self.text.get(..at).unwrap_or("").chars().count();
        Piece { text: self.text.get(at..).unwrap_or(""), line: self.line, before }
    }

    /// The text of an expression.
    pub(super) fn expression(self) -> Result<String, SyntaxError> {
        self.without(flaw::of_expression(self.text)).map(|()| self.text.to_string())
    }

    /// What stands in the brackets of a word.
    pub(super) fn inside(self) -> Result<String, SyntaxError> {
        self.without(flaw::of_inside(self.text)).map(|()| self.text.to_string())
    }

    /// That nothing is wrong with it.
    pub(super) fn without(self, flaw: Option<Flaw>) -> Result<(), SyntaxError> {
        flaw.map_or(Ok(()), |Flaw { at, text }| Err(self.from(at).error(text)))
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

    /// That something of this name was there before.
    pub(super) fn second(self, what: &str, name: &str, first: Piece<'_>) -> SyntaxError {
        let (line, column) = (first.line, first.before + 1);
        self.error(format!("a second {what} `{name}`; the first is in line {line}, column {column}"))
    }

    /// That a name has lines below it, as only a record or choice has.
    pub(super) fn without_lines(self, name: &str) -> SyntaxError {
        match did_you_mean(name, ["record", "choice"]) {
            Some(tip) => self.error(format!("unknown type `{name}`, {tip}")),
            None => self.error(format!("only `record` and `choice` have lines of their own, not `{name}`")),
        }
    }

    /// The parts between the places of a mark outside quotes and brackets.
    pub(super) fn split(self, mark: char) -> Vec<Piece<'a>> {
        pieces::split(self.text, mark).map(|range| self.part(range)).collect()
    }

    /// What a type is, and the words after it.
    pub(super) fn of_type(self) -> (Self, Vec<Piece<'a>>) {
        match pieces::end_of_type(self.text) {
            Some(at) => (self.part(0..at), self.part(at + 1..self.text.len()).split(',')),
            None => (self.part(0..self.text.len()), Vec::new()),
        }
    }

    /// The parts before and after the first of these marks outside quotes.
    pub(super) fn cut(self, mark: &str) -> Option<(Self, Self)> {
        pieces::find(self.text, mark).map(|at| self.around(at, mark.len()))
    }

    /// The name and what it is the name of.
    pub(super) fn named(self) -> Option<(Self, Self)> {
        pieces::end_of_name(self.text).map(|at| self.around(at, 1))
    }

    /// The parts before and after a mark.
    fn around(self, at: usize, len: usize) -> (Self, Self) {
        (self.part(0..at), self.part(at + len..self.text.len()))
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
