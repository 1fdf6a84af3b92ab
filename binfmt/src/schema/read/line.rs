//! Lines, and those that are indented below them.
#![allow(clippy::arithmetic_side_effects, reason = "places and depths in a text")]

use super::SyntaxError;
use super::piece::Piece;
use crate::codec::fingerprint::pieces::DEEPEST;
use crate::schema::expr::flaw::of_brackets;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A line that says something.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Without its indentation and its comment.
    pub(super) words: Piece<'a>,
    /// Its comment.
    pub(super) doc: String,
    /// The lines below it that are indented further.
    pub(super) inner: Vec<Line<'a>>,
    indent: usize,
}

impl<'a> Line<'a> {
    /// The name and what it is the name of.
    pub(super) fn named(&self) -> Option<(Piece<'a>, Piece<'a>)> {
        self.words.named()
    }
}

/// The text with a space for each tab, as it is written; in quotes a tab is `\t`.
pub(super) fn without_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut is_quoted = false;
    let spaced = |c: char| {
        // what is quoted ends in its line
        is_quoted = c != '\n' && is_quoted != (c == '"');
        if c == '\t' && !is_quoted { ' ' } else { c }
    };
    Cow::Owned(text.chars().map(spaced).collect())
}

/// The lines of a text that are not indented, each with those below it.
pub(super) fn tree(text: &str) -> Result<Vec<Line<'_>>, SyntaxError> {
    // the lines that may still get further ones, each further indented than the one before it
    let mut open: Vec<Line<'_>> = Vec::new();
    let mut done = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let Some(line) = line(Piece::line(text, i + 1)) else { continue };
        line.words.without(of_brackets(line.words.text))?;
        // it would not be written as it is
        if let Some(at) = line.words.text.find(char::is_control) {
            let found = line.words.from(at);
            let text = match found.text.starts_with('\t') {
                true => "a tab in quotes is `\\t`",
                false => "a control character means nothing here",
            };
            return Err(found.error(text));
        }
        close(&mut open, &mut done, line.indent);
        if open.is_empty() && done.first().is_some_and(|first: &Line<'_>| first.indent != line.indent) {
            return Err(line.words.error("this is indented, but not below a line that is less so"));
        }
        if open.len() == DEEPEST {
            return Err(line.words.error("types are in types too often"));
        }
        open.push(line);
    }
    close(&mut open, &mut done, 0);
    Ok(done)
}

/// Ends the lines that are not less indented.
fn close<'a>(open: &mut Vec<Line<'a>>, done: &mut Vec<Line<'a>>, indent: usize) {
    while let Some(last) = open.pop_if(|last| last.indent >= indent) {
        match open.last_mut() {
            Some(outer) => outer.inner.push(last),
            None => done.push(last),
        }
    }
}

/// A line without its comment; `None` where nothing else is in it.
fn line(whole: Piece<'_>) -> Option<Line<'_>> {
    let (words, doc) = match whole.cut("//") {
        Some((words, comment)) => (words, comment.text.to_string()),
        None => (whole.part(0..whole.text.len()), String::new()),
    };
    let indent = whole.text.len() - whole.text.trim_start().len();
    (!words.text.is_empty()).then(|| Line { words, doc, inner: Vec::new(), indent })
}
