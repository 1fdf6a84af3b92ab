//! The lines of a text, and the words in them.

use super::partly::Partly;
use super::token::{self, shown};
use crate::error::{Error, Result};
use crate::formats::sdds::layout::text::is_space;
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::Value;
use crate::formats::sdds::text::lines::{cut_comment, name_text, next_line, peek_line};
use crate::wire::{Cursor, Erased, Hooks, Label, Source};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Where the text is read, from page to page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextPlace {
    /// Lines after the header that were read.
    pub(super) lines: usize,
    /// Whether a page was read.
    pub(super) begun: bool,
    /// Whether the text ended where more of the last page could have been.
    pub(crate) cut: bool,
    /// The rows that the last page states, where it has fewer and may.
    pub(crate) stated: Option<u64>,
    /// Pages that were read.
    pages: usize,
    /// Where the line with the number of rows begins.
    pub(super) count_at: u64,
    /// Whether the page that does not count its rows has ended.
    pub(super) over: bool,
    /// Where the first row that was not read begins, and how many lines are before.
    pub(super) row: (u64, usize),
}

/// The lines of a page.
pub(super) struct DataLines<'a, 'de> {
    pub(super) src: Erased<'a, 'de>,
    pub(super) place: &'a mut TextPlace,
    pub(super) line: Vec<u8>,
    /// Where the line begins, and how much of it has been used, which is never more than all.
    pub(super) start: u64,
    pub(super) at: usize,
    /// Whether the input ended before the line did, so that some of it may be missing.
    pub(super) is_cut: bool,
    /// Whether any line of the page had more than blanks.
    pub(super) filled: bool,
    /// After which of its bytes a backslash is missing.
    moved: Vec<usize>,
    /// Bytes of the line in the text, and how many of them have a name, where they are to have one.
    whole: usize,
    named: usize,
    /// Whether the page was named.
    is_open: bool,
    /// Words that are not the values that are read of them, if somebody asks for those.
    pub(super) partly: Option<&'a mut Partly>,
}

impl<'a, 'de> DataLines<'a, 'de> {
    pub(super) fn new(src: Erased<'a, 'de>, place: &'a mut TextPlace) -> Self {
        DataLines {
            src,
            place,
            line: Vec::new(),
            start: 0,
            at: 0,
            is_cut: false,
            filled: false,
            moved: Vec::new(),
            whole: 0,
            named: 0,
            is_open: false,
            partly: None,
        }
    }

    /// The same, which looks for words that are not the values that are read of them.
    pub(super) fn watched(mut self, partly: Option<&'a mut Partly>) -> Self {
        self.partly = partly;
        self
    }

    /// The next line as it is; false at the end.
    fn raw(&mut self) -> Result<bool> {
        self.end_line()?;
        self.start = self.src.pos();
        self.at = 0;
        self.moved.clear();
        let more = if self.src.is_heard() {
            let found = peek_line(&mut self.src, 0, &mut self.line, usize::MAX)?;
            if let Some(n) = found {
                (self.whole, self.named) = (n, 0);
            }
            found.is_some()
        } else {
            next_line(&mut self.src, &mut self.line, usize::MAX)?
        };
        self.is_cut = !self.src.is_heard() && self.src.pos() == self.start + self.line.len() as u64;
        self.place.lines += usize::from(more);
        Ok(more)
    }

    /// Whether anything but comments, which are passed, is left.
    pub(super) fn has_more(&mut self) -> Result<bool> {
        while self.src.look(1)?.first() == Some(&b'!') {
            self.raw()?;
        }
        Ok(!self.src.at_end()?)
    }

    /// The next line that is not a comment, without the comment at its end.
    pub(super) fn next(&mut self) -> Result<bool> {
        while self.raw()? {
            if self.line.first() != Some(&b'!') {
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                let moved = &mut self.moved;
                cut_comment(&mut self.line, |at| moved.push(at));
                self.filled |= !self.is_blank();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Names what is left of the line: its end, or all of it where it is a comment or blank.
    pub(super) fn end_line(&mut self) -> Result<()> {
        if !self.src.is_heard() || self.named >= self.whole {
            return Ok(());
        }
        let label = if self.line.contains(&b'!') || !self.is_blank() { "comment" } else { "blank" };
        let n = self.whole - self.named;
        self.named = self.whole;
        name_text(&mut self.src, Label::Piece(label), ("text", None), n)
    }

    /// Names the bytes of the line up to the one that comes next, and those after it that are blank to its end: a value, which is known if
    /// it is wanted.
    pub(super) fn name(&mut self, label: Label<&str>, kind: DataType, value: Option<&Value>) -> Result<()> {
        if !self.src.is_heard() {
            return Ok(());
        }
        let value = value.map(|value| value.text(kind));
        let all = self.line.len() + self.moved.len() + 2 >= self.whole;
        let to = match all && self.is_used() {
            true => self.whole,
            false => self.at + self.moved.iter().filter(|at| **at < self.at).count(),
        };
        let to = to.max(self.named);
        let n = to - self.named;
        self.named = to;
        name_text(&mut self.src, label, (kind.name(), value.as_deref()), n)
    }

    /// Whether nothing but blanks is left of the line.
    pub(super) fn is_used(&self) -> bool {
        self.line[self.at..].iter().all(|b| is_space(*b))
    }

    pub(super) fn is_blank(&self) -> bool {
        self.line.iter().all(|b| is_space(*b))
    }

    /// The next line that is not blank.
    pub(super) fn next_filled(&mut self) -> Result<bool> {
        while self.next()? {
            if !self.is_blank() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[cold]
    pub(super) fn error(&self, text: String) -> Error {
        let at = self.start + self.at as u64;
        Error::message(format!("line {} of the data: {text}", self.place.lines), at)
    }

    #[cold]
    pub(super) fn ends(&mut self, before: String) -> Error {
        self.place.cut = true;
        Error::message(format!("the file ends before {before}"), self.src.pos())
    }

    /// The next word of the line, or the next field of that many bytes.
    pub(super) fn word(&mut self, field_length: i32) -> Option<&[u8]> {
        token::field(&self.line, &mut self.at, field_length)
    }

    /// So many lines were passed without this; the page has rows in them, or not.
    pub(super) fn pass(&mut self, lines: usize, filled: bool) {
        self.place.lines += lines;
        self.filled |= filled;
    }

    /// The page begins, as far as it has not yet.
    pub(super) fn open_page(&mut self) {
        if self.src.is_heard() && !self.is_open {
            self.is_open = true;
            self.src.open(Label::Index(self.place.pages), "page");
        }
    }

    /// The page ends.
    pub(super) fn close_page(&mut self) -> Result<()> {
        self.end_line()?;
        if core::mem::take(&mut self.is_open) {
            self.src.close();
        }
        self.place.pages += 1;
        Ok(())
    }

    /// The next value of the line; `Ok(None)` when there is nothing left of it.
    pub(super) fn value(&mut self, kind: DataType, field_length: i32) -> Result<Option<Value>, String> {
        let before = self.at;
        let Some(word) = token::field(&self.line, &mut self.at, field_length) else { return Ok(None) };
        let begins = || before + self.line.iter().skip(before).take_while(|b| is_space(**b)).count();
        if let Some(value) = token::value(kind, word) {
            if let Some(partly) = self.partly.as_deref_mut()
                && !token::is_whole(kind, word)
            {
                let at = (self.place.lines, self.start + begins() as u64);
                partly.found(|| token::told(kind, word), at);
            }
            return Ok(Some(value));
        }
        let text = format!("`{}` is not a {kind}", shown(word));
        // the error points at the word
        self.at = begins();
        Err(text)
    }

    /// The value that has the line of its own.
    pub(super) fn alone(&mut self, kind: DataType) -> Option<Value> {
        let value = token::alone(kind, &self.line)?;
        if let Some(partly) = self.partly.as_deref_mut()
            && let Some(word) = token::next(&self.line, &mut 0).filter(|word| !token::is_whole(kind, word))
        {
            partly.found(|| token::told(kind, word), (self.place.lines, self.start));
        }
        Some(value)
    }

    /// What the value is of that was read last.
    pub(super) fn placed(&mut self, of: impl FnOnce() -> String, row: Option<u64>) {
        if let Some(partly) = self.partly.as_deref_mut() {
            partly.placed(of, row);
        }
    }
}
