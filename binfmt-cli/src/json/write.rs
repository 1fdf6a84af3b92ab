//! A JSON document, written as its values come.

use crate::error::{Error, Result};
use serde::Serialize;
use std::io::{self, Write};

/// Writes objects and lists whose members are not known beforehand. Long lists have one item a line.
pub(crate) struct JsonWriter<W> {
    out: W,
    /// What is open, innermost last.
    open: Vec<Open>,
    /// Whether a value was begun and could not be ended.
    is_torn: bool,
    /// Items of lists that were written one by one.
    num_items: u64,
}

struct Open {
    close: &'static str,
    is_empty: bool,
    /// Whether each item is in a line of its own.
    lines: bool,
}

impl<W: Write> JsonWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        JsonWriter { out, open: Vec::new(), is_torn: false, num_items: 0 }
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(Error::output)
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let written = super::compact(&mut self.out, value).map_err(failure);
        self.is_torn |= written.is_err();
        written
    }

    /// What is before the next member or item.
    fn next(&mut self) -> Result<()> {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let text = match (open.is_empty, open.lines) {
            (true, false) => "",
            (true, true) => "\n",
            (false, false) => ",",
            (false, true) => ",\n",
        };
        open.is_empty = false;
        self.put(text)
    }

    fn open(&mut self, sign: &str, close: &'static str, lines: bool) -> Result<()> {
        self.open.push(Open { close, is_empty: true, lines });
        self.put(sign)
    }

    /// Begins an object: the document, or an item of a list.
    pub(crate) fn object(&mut self) -> Result<()> {
        self.next()?;
        self.open("{", "}", false)
    }

    /// Names the member that follows.
    fn key(&mut self, key: &str) -> Result<()> {
        self.next()?;
        self.value(key)?;
        self.put(":")
    }

    /// A whole member.
    pub(crate) fn member(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.key(key)?;
        self.value(value)
    }

    /// The members of an object, as those of the one that is open.
    pub(crate) fn members(&mut self, object: &impl Serialize) -> Result<()> {
        self.inside(object)
    }

    /// A member that is a list of many items, each in a line of its own.
    pub(crate) fn member_list(&mut self, key: &str) -> Result<()> {
        self.key(key)?;
        self.open("[", "]", true)
    }

    /// A member that is a list of many values in one line.
    pub(crate) fn member_values(&mut self, key: &str) -> Result<()> {
        self.key(key)?;
        self.open("[", "]", false)
    }

    /// A member that is an object, of which the members follow.
    pub(crate) fn member_object(&mut self, key: &str) -> Result<()> {
        self.key(key)?;
        self.open("{", "}", false)
    }

    /// A whole item.
    pub(crate) fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.num_items += 1;
        self.next()?;
        self.value(value)
    }

    /// The items of a list, as those of the one that is open.
    pub(crate) fn items(&mut self, list: &impl Serialize) -> Result<()> {
        self.num_items += 1;
        self.inside(list)
    }

    /// What stands between the brackets of a value.
    fn inside(&mut self, value: &impl Serialize) -> Result<()> {
        let mut text = Vec::new();
        super::compact(&mut text, value).map_err(failure)?;
        let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        if inside.is_empty() {
            return Ok(());
        }
        self.next()?;
        self.out.write_all(inside).map_err(Error::output)
    }

    /// How many items were written.
    pub(crate) fn num_items(&self) -> u64 {
        self.num_items
    }

    /// Ends the innermost object or list. After the outermost comes a newline.
    pub(crate) fn end(&mut self) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.lines && !open.is_empty {
            self.put("\n")?;
        }
        self.put(open.close)?;
        if self.open.is_empty() { self.put("\n") } else { Ok(()) }
    }

    /// Ends the document where its data cannot be read any further: a reader of the output finds JSON, and as its last
    /// member what went wrong.
    pub(crate) fn break_off(&mut self, e: &Error) {
        let Some(message) = e.message() else { return };
        if self.is_torn || self.open.first().is_none_or(|outermost| outermost.close != "}") {
            return;
        }
        let ended = (1..self.open.len()).try_for_each(|_| self.end());
        // an output that fails is what the first error is about, or will be found when it is flushed
        let _ = ended.and_then(|()| self.member("error", &message.text)).and_then(|()| self.end());
    }

    /// Hands on what was written so far.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(Error::output)
    }
}

fn failure(e: serde_json::Error) -> Error {
    if e.is_io() { Error::output(io::Error::from(e)) } else { Error::data(e) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_in_pieces() {
        let mut out = Vec::new();
        let mut json = JsonWriter::new(&mut out);
        json.object().unwrap();
        json.members(&std::collections::BTreeMap::from([("a", 1)])).unwrap();
        json.members(&std::collections::BTreeMap::<&str, u8>::new()).unwrap();
        json.member_list("none").unwrap();
        json.end().unwrap();
        json.member_values("some").unwrap();
        [&[1, 2][..], &[], &[3]].iter().for_each(|list| json.items(list).unwrap());
        json.end().unwrap();
        json.member_list("cells").unwrap();
        json.item(&[1, 2]).unwrap();
        json.object().unwrap();
        json.member("x", "y").unwrap();
        json.end().unwrap();
        json.end().unwrap();
        json.end().unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "{\"a\":1,\"none\":[],\"some\":[1,2,3],\"cells\":[\n[1,2],\n{\"x\":\"y\"}\n]}\n");
    }

    #[test]
    fn a_document_that_ends_early() {
        let mut out = Vec::new();
        let mut json = JsonWriter::new(&mut out);
        json.object().unwrap();
        json.member_object("a").unwrap();
        json.member_list("b").unwrap();
        json.item(&1).unwrap();
        json.break_off(&Error::data("no \"more\""));
        json.break_off(&Error::data("again"));
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"a\":{\"b\":[\n1\n]},\"error\":\"no \\\"more\\\"\"}\n"
        );
        let mut out = Vec::new();
        JsonWriter::new(&mut out).break_off(&Error::data("nothing yet"));
        assert_eq!(out, b"");
    }
}
