//! Texts that are made while compiling: expressions with the values of their constants, and messages.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text of a fixed size")]

use crate::codec::renamed::is_word;
use crate::wire::{Fate, Terminator};

/// The most bytes of an expression.
const ROOM: usize = 1024;

/// A constant in a layout: its value, where a description has it.
#[derive(Clone, Copy, Debug)]
pub enum ConstValue {
    /// An integer.
    Int {
        /// Whether it is below 0.
        negative: bool,
        /// Without its sign.
        amount: u128,
    },
    /// A bool.
    Bool(bool),
    /// Bytes.
    Bytes(&'static [u8]),
    /// A field of another type, by the names that descriptions have.
    Member(&'static str, &'static [(&'static str, &'static str)]),
}

/// Constants with their names as they stand in a text.
pub(crate) type Constants = &'static [(&'static str, ConstValue)];

/// A text of a fixed size.
pub(crate) struct Text {
    bytes: [u8; ROOM],
    len: usize,
}

impl Text {
    #[inline]
    pub(crate) const fn new() -> Text {
        Text { bytes: [0; ROOM], len: 0 }
    }

    #[inline]
    pub(crate) const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.len).0
    }

    #[inline]
    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.as_bytes()) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    #[inline]
    const fn byte(&mut self, byte: u8) {
        assert!(self.len < ROOM, "binfmt: a text is too long to be made while compiling");
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    pub(crate) const fn str(&mut self, text: &str) {
        self.all(text.as_bytes());
    }

    /// These texts.
    #[inline]
    pub(crate) const fn of(texts: &[&str]) -> Text {
        let mut all = Text::new();
        all.add(texts);
        all
    }

    /// These texts after it.
    #[inline]
    pub(crate) const fn add(&mut self, texts: &[&str]) {
        let mut rest = texts;
        while let [first, others @ ..] = rest {
            self.str(first);
            rest = others;
        }
    }

    #[inline]
    pub(crate) const fn number(&mut self, n: usize) {
        self.decimal(n as u128);
    }

    /// A number as 16 hexadecimal digits.
    #[inline]
    pub(crate) const fn hex(&mut self, n: u64) {
        let mut shift = 64;
        while shift > 0 {
            shift -= 4;
            self.byte(b"0123456789abcdef"[(n >> shift & 15) as usize]);
        }
    }

    #[inline]
    const fn decimal(&mut self, n: u128) {
        if n > 9 {
            self.decimal(n / 10);
        }
        self.byte(b'0' + (n % 10) as u8);
    }

    /// A byte as two hexadecimal digits.
    #[inline]
    pub(crate) const fn hex_byte(&mut self, byte: u8) {
        self.byte(b"0123456789abcdef"[(byte >> 4) as usize]);
        self.byte(b"0123456789abcdef"[(byte & 15) as usize]);
    }

    /// These bytes after it.
    #[inline]
    pub(crate) const fn all(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let [first, others @ ..] = rest {
            self.byte(*first);
            rest = others;
        }
    }

    /// A byte as it stands in a literal.
    #[inline]
    pub(crate) const fn escaped(&mut self, byte: u8) {
        match byte {
            b'\t' => self.str("\\t"),
            b'\r' => self.str("\\r"),
            b'\n' => self.str("\\n"),
            b'\'' | b'"' | b'\\' => {
                self.byte(b'\\');
                self.byte(byte);
            }
            0x20..=0x7e => self.byte(byte),
            _ => {
                self.str("\\x");
                self.hex_byte(byte);
            }
        }
    }

    #[inline]
    const fn all_escaped(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let [first, others @ ..] = rest {
            self.escaped(*first);
            rest = others;
        }
    }

    /// A constant as a literal.
    #[inline]
    pub(crate) const fn value(&mut self, value: ConstValue) {
        match value {
            ConstValue::Int { negative, amount } => {
                if negative {
                    self.byte(b'-');
                }
                self.decimal(amount);
            }
            ConstValue::Bool(on) => self.str(if on { "true" } else { "false" }),
            ConstValue::Bytes(bytes) => {
                self.str("b\"");
                self.all_escaped(bytes);
                self.byte(b'"');
            }
            ConstValue::Member(root, names) => {
                self.str(root);
                let mut rest = names;
                while let [(_, name), others @ ..] = rest {
                    let quote = if is_word(name) { "" } else { "`" };
                    self.add(&[".", quote, name, quote]);
                    rest = others;
                }
            }
        }
    }

    /// A terminator as it displays.
    #[inline]
    pub(crate) const fn terminator(&mut self, end: &Terminator) {
        let bytes = end.bytes();
        let quote = if bytes.len() == 1 { b'\'' } else { b'"' };
        self.str("ends(b");
        self.byte(quote);
        self.all_escaped(bytes);
        self.byte(quote);
        self.str(match end.fate() {
            Fate::Dropped => "",
            Fate::Kept => ", keep",
            Fate::Unread => ", unread",
        });
        self.str(if end.is_or_eof() { ", or_eof)" } else { ")" });
    }

    /// A text with the values of constants in place of their names, as the schema of run time has it.
    #[inline]
    pub(crate) const fn with_values(&mut self, text: &str, known: &[(&str, ConstValue)]) {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() {
            match begins(text, at, known) {
                Some(k) if self.len == 0 || !in_name(self.bytes[self.len - 1]) => {
                    self.value(known[k].1);
                    at += known[k].0.len();
                }
                _ => {
                    self.byte(text[at]);
                    at += 1;
                }
            }
        }
    }
}

/// A longer text, which is cut where it does not fit.
pub(crate) struct Message<const ROOM: usize> {
    bytes: [u8; ROOM],
    len: usize,
    is_cut: bool,
}

impl<const ROOM: usize> Message<ROOM> {
    pub(crate) const NEW: Self = Message { bytes: [0; ROOM], len: 0, is_cut: false };

    /// These texts after it, until one does not fit.
    #[inline]
    pub(crate) const fn add(&mut self, texts: &[&str]) {
        let mut rest = texts;
        while let [first, others @ ..] = rest {
            if first.len() > ROOM - self.len {
                self.is_cut = true;
                return;
            }
            self.put(first);
            rest = others;
        }
    }

    #[inline]
    const fn put(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while let [first, others @ ..] = rest {
            self.bytes[self.len] = *first;
            self.len += 1;
            rest = others;
        }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Whether something did not fit.
    #[inline]
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Takes back what came after that many bytes.
    #[inline]
    pub(crate) const fn cut(&mut self, len: usize) {
        self.len = len;
        self.is_cut = false;
    }

    #[inline]
    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// The constant whose name begins here.
#[inline]
const fn begins(text: &[u8], at: usize, known: &[(&str, ConstValue)]) -> Option<usize> {
    let mut k = 0;
    while k < known.len() {
        let name = known[k].0.as_bytes();
        let end = at + name.len();
        if !name.is_empty() && is_at(text, at, name) && (end == text.len() || !in_name(text[end])) {
            return Some(k);
        }
        k += 1;
    }
    None
}

#[inline]
const fn is_at(text: &[u8], at: usize, name: &[u8]) -> bool {
    if text.len() - at < name.len() {
        return false;
    }
    let mut i = 0;
    while i < name.len() {
        if text[at + i] != name[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Letters that are not ASCII are taken for parts of names.
#[inline]
const fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | 0x80..)
}
