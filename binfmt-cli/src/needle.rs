//! What is looked for in a file, part by part as a dump explains them.

mod equal;
mod native;
mod time;

pub(crate) use time::Time;

use crate::error::{Error, Result};
use crate::{terminal, token};
use binfmt::columns::ValueRef;
use binfmt::dump::Kind;
use binfmt::dump::{Node, Trace};
use binfmt::numbers::{Number, NumberType};
use equal::{are_bytes, is_it, is_word, number_type, one};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::Write;
use std::rc::Rc;
use time::{told, wanted};

/// A value, or places whose parts are asked for. What was found is counted for all copies together.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    what: What,
    most: u64,
    found: Rc<Cell<u64>>,
    /// Which file of several is looked at.
    file: Option<Rc<str>>,
}

#[derive(Clone, Debug)]
enum What {
    Value {
        text: String,
        number: Option<Number>,
        times: Vec<Time>,
    },
    /// Bytes that were found there, and are not explained yet.
    Places(Rc<RefCell<Vec<u64>>>),
}

impl Needle {
    /// A value as a person writes it.
    pub(crate) fn value(text: &str, most: u64) -> Self {
        let float = || text.parse().ok().map(Number::F64);
        let number = text.parse().ok().map(Number::I128).or_else(float);
        let what = What::Value { text: text.to_owned(), number, times: Vec::new() };
        Needle { what, most, found: Rc::default(), file: None }
    }

    /// The same in one file of several, which lines name.
    pub(crate) fn in_file(self, path: &str) -> Self {
        Needle { file: Some(path.into()), ..self }
    }

    /// The same where the numbers of some columns are times.
    pub(crate) fn with_times(mut self, of: Vec<Time>) -> Self {
        if let What::Value { times, .. } = &mut self.what {
            *times = of;
        }
        self
    }

    /// The time that is looked for among the numbers there.
    fn time(&self, path: impl FnOnce() -> String) -> Option<&Time> {
        let What::Value { times, .. } = &self.what else { return None };
        let path = (!times.is_empty()).then(path)?;
        times.iter().find(|time| time.is_of(&path))
    }

    /// Places in ascending order.
    pub(crate) fn places(places: Vec<u64>) -> Self {
        let what = What::Places(Rc::new(RefCell::new(places)));
        Needle { what, most: u64::MAX, found: Rc::default(), file: None }
    }

    /// How many were found.
    pub(crate) fn found(&self) -> u64 {
        self.found.get()
    }

    /// Those of the places that no part explains.
    pub(crate) fn unexplained(&self) -> Vec<u64> {
        match &self.what {
            What::Value { .. } => Vec::new(),
            What::Places(places) => places.take(),
        }
    }

    pub(crate) fn wants_more(&self) -> bool {
        match &self.what {
            What::Value { .. } => self.found.get() < self.most,
            What::Places(places) => !places.borrow().is_empty(),
        }
    }

    /// Writes a line for each place in a part.
    pub(crate) fn find(&self, part: &Trace, out: &mut dyn Write) -> Result<()> {
        let is_there = |node: &Node<'_>| node.is_complete() || node.goes_on();
        let begin = part.range().start;
        for node in part.nodes().filter(is_there) {
            if !self.wants_more() {
                break;
            }
            if node.is_group() {
                self.time_in(node, out)?;
                continue;
            }
            match &self.what {
                What::Value { text, number, .. } => self.value_in((node, begin), text, *number, out)?,
                What::Places(places) => {
                    let range = node.range();
                    // what comes before it is in no part that is known
                    let inside: Vec<u64> =
                        places.borrow().iter().copied().filter(|place| range.contains(place)).collect();
                    places.borrow_mut().retain(|place| !range.contains(place));
                    for place in inside {
                        self.line(place, &node.path(), &node.value().unwrap_or_default(), out)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a line if a value of a table is what is looked for; a place in the file is where its row begins.
    pub(crate) fn find_value(
        &self,
        at: u64,
        path: &dyn fmt::Display,
        value: &ValueRef<'_>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let What::Value { text, number, .. } = &self.what else { return Ok(()) };
        if !self.wants_more() {
            return Ok(());
        }
        match value {
            // which is no number
            ValueRef::Number(Number::Bool(flag)) => match text.parse() == Ok(*flag) {
                true => self.line(at, path, text, out),
                false => Ok(()),
            },
            ValueRef::Number(n) => {
                let time = self.time(|| path.to_string());
                match wanted(time, *number).filter(|wanted| is_it(*n, *wanted)) {
                    Some(_) => self.line(at, path, &told(time, *n), out),
                    None => Ok(()),
                }
            }
            ValueRef::Text(found) | ValueRef::Bytes(found) if *found == text.as_bytes() => {
                self.line(at, path, &format!("{text:?}"), out)
            }
            ValueRef::List(items) | ValueRef::Array(_, items) => items
                .iter()
                .enumerate()
                .try_for_each(|(i, item)| self.find_value(at, &format_args!("{path}[{i}]"), &item, out)),
            _ => Ok(()),
        }
    }

    /// A group that is one time, as people write it.
    fn time_in(&self, node: Node<'_>, out: &mut dyn Write) -> Result<()> {
        match &self.what {
            What::Value { text, .. } if native::time(node).is_some_and(|time| time == *text) => {
                self.line(node.range().start, &node.path(), text, out)
            }
            _ => Ok(()),
        }
    }

    fn value_in(
        &self,
        (node, begin): (Node<'_>, u64),
        text: &str,
        number: Option<Number>,
        out: &mut dyn Write,
    ) -> Result<()> {
        if let Some(width) = native::width(node) {
            let found = |bytes: &[u8]| native::found(node, bytes, text, number);
            return self.items((node, begin), width, found, out);
        }
        if native::is_bytes(node) {
            let is_it = are_bytes(node.bytes(), text);
            return if is_it { self.line(node.range().start, &node.path(), text, out) } else { Ok(()) };
        }
        let (width, kind) = match node.kind() {
            Some(Kind::Text(_)) => {
                let is_it = node.text().is_some_and(|found| *found == *text.as_bytes());
                return if is_it { self.whole(node, out) } else { Ok(()) };
            }
            Some(Kind::Token { value: None, .. }) => return self.words((node, begin), text, number, out),
            Some(Kind::Token { value: Some(value), of }) => {
                // a text that looks like a number is none
                let number = number.filter(|_| !matches!(of.as_str(), "string" | "text" | "character"));
                let time = self.time(|| node.path());
                return match is_word(value, text, wanted(time, number)) {
                    true => {
                        let told = time.map_or_else(|| format!("{value:?}"), |time| time.to_string());
                        self.line(node.range().start, &node.path(), &told, out)
                    }
                    false => Ok(()),
                };
            }
            Some(Kind::Int { bytes, signed }) => {
                (*bytes, number_type(*bytes, |n| NumberType::int(n, *signed)))
            }
            Some(Kind::Bool) => {
                let Ok(wanted) = text.parse::<bool>() else { return Ok(()) };
                let found = |byte: &[u8]| ((byte != [0]) == wanted).then(|| text.to_owned());
                return self.items((node, begin), 1, found, out);
            }
            Some(Kind::Float { bytes }) => (*bytes, number_type(*bytes, NumberType::float)),
            Some(Kind::Padding | Kind::Magic | Kind::Blank | Kind::Absent | Kind::Presence { .. }) => {
                return Ok(());
            }
            _ => (0, None),
        };
        let Some(kind) = kind else {
            let is_it = node.value().is_some_and(|value| is_word(&value, text, number));
            return if is_it { self.whole(node, out) } else { Ok(()) };
        };
        let time = self.time(|| node.path());
        let Some(wanted) = wanted(time, number) else { return Ok(()) };
        let found = |bytes: &[u8]| one(kind, bytes, node.endian()).filter(|found| is_it(*found, wanted));
        self.items((node, begin), width, |bytes| found(bytes).map(|n| told(time, n)), out)
    }

    /// Writes a line for each of the values of so many bytes, one or a list, of which a text is given.
    fn items(
        &self,
        (node, begin): (Node<'_>, u64),
        width: usize,
        found: impl Fn(&[u8]) -> Option<String>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let is_list = node.is_continued() || node.bytes().len() > width;
        let start = node.range().start;
        // a long list goes on from part to part
        let at = if node.is_continued() { start.max(begin) } else { start };
        for (i, bytes) in (0..).zip(node.bytes().chunks_exact(width)) {
            let Some(value) = found(bytes) else { continue };
            let at = at + i * width as u64;
            let number = (at - start) / width as u64;
            let path = if is_list { format!("{}[{number}]", node.path()) } else { node.path() };
            self.line(at, &path, &value, out)?;
            if !self.wants_more() {
                break;
            }
        }
        Ok(())
    }

    /// Writes a line for each of the numbers of a list that is written as text.
    fn words(
        &self,
        (node, begin): (Node<'_>, u64),
        text: &str,
        number: Option<Number>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let start = if node.is_continued() { node.range().start.max(begin) } else { node.range().start };
        for (i, (at, word)) in token::words(node.bytes()).enumerate() {
            if !self.wants_more() {
                break;
            }
            if is_word(word, text, number) {
                self.line(start + at as u64, &format_args!("{}[{i}]", node.path()), word, out)?;
            }
        }
        Ok(())
    }

    fn whole(&self, node: Node<'_>, out: &mut dyn Write) -> Result<()> {
        self.line(node.range().start, &node.path(), &node.value().unwrap_or_default(), out)
    }

    fn line(&self, at: u64, path: &dyn fmt::Display, value: &str, out: &mut dyn Write) -> Result<()> {
        self.found.set(self.found.get() + 1);
        let text = match &self.file {
            Some(file) => format!("{at:#010x}  {file}: {path}: {value}"),
            None => format!("{at:#010x}  {path}: {value}"),
        };
        writeln!(out, "{}", terminal::line(&text)).map_err(Error::output)
    }
}
