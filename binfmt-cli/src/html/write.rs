//! The page itself: its frame, and the data in it as compact JSON.

use super::parts::{Name, Part};
use super::section::{About, Section};
use crate::{base64, terminal};
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

const FRAME: &str = include_str!("page/frame.html");
const STYLE: &str = include_str!("page/style.css");
/// In this order, inside of one function.
const SCRIPT: [&str; 9] = [
    include_str!("page/tools.js"),
    include_str!("page/parts.js"),
    include_str!("page/rows.js"),
    include_str!("page/bytes.js"),
    include_str!("page/tree.js"),
    include_str!("page/choice.js"),
    include_str!("page/search.js"),
    include_str!("page/keys.js"),
    include_str!("page/start.js"),
];

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    file: String,
    format: &'a str,
    size: Option<u64>,
    /// What is left out.
    note: Option<&'a str>,
    layout: Option<&'a str>,
    /// Names and types, which parts share.
    words: Vec<&'a str>,
    sections: Vec<Table<'a>>,
}

/// The parts of a section, column by column.
#[derive(Serialize)]
struct Table<'a> {
    title: &'a str,
    inner: bool,
    /// Where each run of bytes begins, and its bytes.
    runs: Vec<(u64, String)>,
    /// Each counted from the one before.
    start: Vec<i128>,
    len: Vec<u64>,
    depth: Vec<usize>,
    /// The number of a word, or -1 for the element 0, -2 for the element 1.
    name: Vec<i128>,
    ty: Vec<i128>,
    value: Vec<&'a str>,
    colour: Vec<u8>,
    width: Vec<usize>,
}

/// Writes it.
pub(super) fn page(
    about: &About,
    note: Option<&str>,
    sections: &[Section],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut words = Words::default();
    let tables = sections.iter().map(|section| table(section, &mut words)).collect();
    let data = Data {
        file: terminal::line(&about.file).into_owned(),
        format: &about.format,
        size: about.size,
        note,
        layout: about.layout.as_deref(),
        words: words.all,
        sections: tables,
    };
    let mut rest = FRAME;
    while let Some((before, after)) = rest.split_once("{{") {
        let (place, after) = after.split_once("}}").unwrap_or((after, ""));
        out.write_all(before.as_bytes())?;
        match place {
            "title" => out.write_all(escaped(&data.file).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => SCRIPT.iter().try_for_each(|file| out.write_all(file.as_bytes()))?,
            _ => serde_json::to_writer(&mut Unclosed(&mut *out), &data)?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

fn table<'a>(section: &'a Section, words: &mut Words<'a>) -> Table<'a> {
    let parts = &section.parts.0;
    let mut before = 0;
    let mut since = |part: &Part| {
        let start = i128::from(part.start);
        start - std::mem::replace(&mut before, start)
    };
    Table {
        title: &section.title,
        inner: section.is_inner,
        runs: section.runs.0.iter().map(|run| (run.start, base64::encode(&run.bytes))).collect(),
        start: parts.iter().map(&mut since).collect(),
        len: parts.iter().map(|part| part.len).collect(),
        depth: parts.iter().map(|part| part.depth).collect(),
        name: parts.iter().map(|part| words.name(&part.name)).collect(),
        ty: parts.iter().map(|part| words.number(&part.ty)).collect(),
        value: parts.iter().map(|part| part.value.as_str()).collect(),
        colour: parts.iter().map(|part| part.colour as u8).collect(),
        width: parts.iter().map(|part| part.width).collect(),
    }
}

/// Texts, each once.
#[derive(Default)]
struct Words<'a> {
    all: Vec<&'a str>,
    known: HashMap<&'a str, i128>,
}

impl<'a> Words<'a> {
    fn number(&mut self, word: &'a str) -> i128 {
        *self.known.entry(word).or_insert_with(|| {
            self.all.push(word);
            self.all.len() as i128 - 1
        })
    }

    fn name(&mut self, name: &'a Name) -> i128 {
        match name {
            Name::Index(i) => -(*i as i128) - 1,
            Name::Text(text) => self.number(text),
        }
    }
}

/// Text inside of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// JSON inside of a script, which nothing in it may end: only texts have this sign, and there it may be said otherwise.
struct Unclosed<W>(W);

impl<W: Write> Write for Unclosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (i, piece) in bytes.split(|byte| *byte == b'<').enumerate() {
            if i > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_file_ends_the_script() {
        let mut out = Vec::new();
        let about = About { file: "</script><b>&".to_owned(), ..About::default() };
        page(&about, None, &[], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("</script>").count(), 2);
        assert!(text.contains("<title>&lt;/script>&lt;b>&amp;"), "{text}");
        assert!(text.contains("\"file\":\"\\u003c/script>\\u003cb>&\""), "{text}");
    }

    #[test]
    fn the_page_asks_no_one() {
        for text in [FRAME, STYLE].iter().chain(&SCRIPT) {
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("//cdn"));
        }
        assert!(FRAME.contains("default-src 'none'"));
    }
}
