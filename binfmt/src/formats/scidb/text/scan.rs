//! Splits the SciDB texts into tokens: format strings as `TemplateScanner` of SciDB 19.11 does, schemas as its AFL
//! lexer does.

use alloc::{borrow::Cow, borrow::ToOwned, format, string::String};
use core::fmt;

use super::error::{TextError, TextErrorKind, TextKind};

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Lexeme<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The kinds of token of both texts; a format string has only the first four and [`Lexeme::Stray`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lexeme<'t> {
    End,
    Name(&'t str),
    Number(&'t str),
    Mark(char),
    /// A name in double quotes, without them.
    Quoted(&'t str),
    /// A string literal, with its quotes and escapes.
    Literal(&'t str),
    /// A string literal or comment that does not end.
    Open(&'static str),
    /// A character that begins no token.
    Stray(char),
}

impl Token<'_> {
    /// The token that stands for a whole text given by the caller, for errors about it.
    pub(super) fn whole(text: &str) -> Token<'_> {
        Token { kind: Lexeme::Name(text), start: 0, end: text.len() }
    }

    /// Whether this is the word `word`, in any case, and not in quotes.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind, Lexeme::Name(name) if name.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == Lexeme::Mark(mark)
    }

    /// The error about this token, in a text of kind `text`.
    #[cold]
    pub(super) fn error(
        &self,
        kind: TextErrorKind,
        text: TextKind,
        expected: impl Into<Cow<'static, str>>,
    ) -> TextError {
        TextError::new(kind, text, self.start..self.end, expected.into(), self.describe())
    }

    fn describe(&self) -> String {
        /// Enough to recognise the token; a text may be one token of any length.
        const SHOWN: usize = 40;
        match self.kind {
            Lexeme::End => "the end of the text".to_owned(),
            Lexeme::Open(what) => format!("{what} without its end"),
            Lexeme::Mark(c) | Lexeme::Stray(c) => format!("`{}`", c.escape_debug()),
            Lexeme::Quoted(name) => format!("`\"{}\"`", Shortened(name, SHOWN)),
            Lexeme::Name(t) | Lexeme::Number(t) | Lexeme::Literal(t) => format!("`{}`", Shortened(t, SHOWN)),
        }
    }
}

/// At most that many characters of a text, control characters escaped.
struct Shortened<'a>(&'a str, usize);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(self.1) {
            // `escape_debug` would also escape quotes, which are in every string literal.
            if c.is_control() { write!(f, "{}", c.escape_debug())? } else { fmt::Write::write_char(f, c)? }
        }
        if chars.next().is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Splits a text into tokens, one token ahead of its user.
#[derive(Clone)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    kind: TextKind,
    pos: usize,
    /// The token to be handled next.
    pub(super) next: Token<'t>,
    /// Where the token before `next` ends.
    pub(super) done: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, kind: TextKind) -> Self {
        let next = Token { kind: Lexeme::End, start: 0, end: 0 };
        let mut scanner = Scanner { text, kind, pos: 0, next, done: 0 };
        scanner.next = scanner.scan();
        scanner
    }

    /// Returns the next token and scans the one after it.
    pub(super) fn take(&mut self) -> Token<'t> {
        let token = self.next;
        self.done = token.end;
        self.next = self.scan();
        token
    }

    /// The token after the next one.
    pub(super) fn second(&self) -> Token<'t> {
        self.clone().scan()
    }

    /// Takes the next token if it is `mark`.
    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let is = self.next.is_mark(mark);
        if is {
            self.take();
        }
        is
    }

    /// Takes the next token if it is the word `word`, in any case.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is = self.next.is_word(word);
        if is {
            self.take();
        }
        is
    }

    /// Takes `mark`, or says that `expected` was expected.
    pub(super) fn require(&mut self, mark: char, expected: &'static str) -> Result<(), TextError> {
        if self.take_mark(mark) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The text from byte `start` to the end of the last token that was taken.
    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.done]
    }

    /// The error that `expected` should stand where the next token does.
    #[cold]
    pub(super) fn unexpected(&self, expected: impl Into<Cow<'static, str>>) -> TextError {
        let kind = match self.next.kind {
            Lexeme::Open(_) => TextErrorKind::Unterminated,
            _ => TextErrorKind::Unexpected,
        };
        self.next.error(kind, self.kind, expected)
    }

    /// The error that the next token is wrong.
    #[cold]
    pub(super) fn error(&self, kind: TextErrorKind, expected: &'static str) -> TextError {
        self.next.error(kind, self.kind, expected)
    }

    fn is_afl(&self) -> bool {
        self.kind != TextKind::Template
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn starts_with(&self, prefix: &str) -> bool {
        self.text.as_bytes().get(self.pos..).is_some_and(|rest| rest.starts_with(prefix.as_bytes()))
    }

    /// Moves over bytes for which `wanted` holds.
    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.byte(self.pos).is_some_and(&wanted) {
            self.pos += 1;
        }
    }

    fn scan(&mut self) -> Token<'t> {
        let blank = self.skip_blank();
        let start = self.pos;
        let kind = match (blank, self.byte(start)) {
            (Err(open), _) => open,
            (Ok(()), None) => Lexeme::End,
            (Ok(()), Some(first)) => self.lexeme(first, start),
        };
        Token { kind, start, end: self.pos }
    }

    /// Steps over C's `isspace` characters and, in AFL, comments.
    fn skip_blank(&mut self) -> Result<(), Lexeme<'t>> {
        loop {
            self.skip_while(|b| matches!(b, b' ' | b'\t'..=b'\r'));
            if !self.is_afl() {
                return Ok(());
            }
            if self.starts_with("--") || self.starts_with("//") {
                self.skip_while(|b| b != b'\n');
            } else if self.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Steps over a block comment; they nest.
    fn block_comment(&mut self) -> Result<(), Lexeme<'t>> {
        let start = self.pos;
        let mut depth = 0_usize;
        while self.pos < self.text.len() {
            if self.starts_with("/*") {
                depth += 1;
                self.pos += 2;
            } else if self.starts_with("*/") {
                depth -= 1;
                self.pos += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                self.pos += 1;
            }
        }
        self.pos = start;
        Err(Lexeme::Open("a comment"))
    }

    fn lexeme(&mut self, first: u8, start: usize) -> Lexeme<'t> {
        let afl = self.is_afl();
        match first {
            b'(' | b')' | b',' => self.mark(first),
            b'<' | b'>' | b'[' | b']' | b':' | b';' | b'=' | b'@' | b'*' | b'?' | b'+' | b'-' if afl => {
                self.mark(first)
            }
            b'\'' if afl => self.literal(start),
            b'"' if afl => self.quoted(start),
            b'.' if afl && !self.byte(start + 1).is_some_and(|b| b.is_ascii_digit()) => self.mark(first),
            b'0'..=b'9' | b'.' if afl || first != b'.' => {
                self.skip_while(|b| b.is_ascii_digit());
                if afl {
                    self.fraction();
                }
                Lexeme::Number(self.slice(start))
            }
            _ if first.is_ascii_alphabetic() || (afl && matches!(first, b'_' | b'$')) => {
                self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_' || (afl && b == b'$'));
                Lexeme::Name(self.slice(start))
            }
            // Other operators can be inside the parentheses of a default value.
            b'/' | b'%' | b'^' | b'!' | b'&' | b'|' if afl => self.mark(first),
            // No token begins here: the scanner stays, as SciDB's does.
            _ => self.text[start..].chars().next().map_or(Lexeme::End, Lexeme::Stray),
        }
    }

    fn mark(&mut self, byte: u8) -> Lexeme<'t> {
        self.pos += 1;
        Lexeme::Mark(char::from(byte))
    }

    /// The rest of a real number: `.5e-3`.
    fn fraction(&mut self) {
        if self.byte(self.pos) == Some(b'.') {
            self.pos += 1;
            self.skip_while(|b| b.is_ascii_digit());
        }
        if matches!(self.byte(self.pos), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(self.pos + 1), Some(b'+' | b'-')));
            if self.byte(self.pos + 1 + sign).is_some_and(|b| b.is_ascii_digit()) {
                self.pos += 1 + sign;
                self.skip_while(|b| b.is_ascii_digit());
            }
        }
    }

    /// A string literal: everything to the next quote that has no backslash before it.
    fn literal(&mut self, start: usize) -> Lexeme<'t> {
        let mut at = start + 1;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'\'' => {
                    self.pos = at + 1;
                    return Lexeme::Literal(self.slice(start));
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        Lexeme::Open("a string literal")
    }

    fn quoted(&mut self, start: usize) -> Lexeme<'t> {
        self.pos += 1;
        self.skip_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
        let name = &self.text[start + 1..self.pos];
        if self.byte(self.pos) == Some(b'"') && !name.is_empty() {
            self.pos += 1;
            Lexeme::Quoted(name)
        } else {
            self.pos = start;
            Lexeme::Stray('"')
        }
    }

    fn slice(&self, start: usize) -> &'t str {
        &self.text[start..self.pos]
    }
}
