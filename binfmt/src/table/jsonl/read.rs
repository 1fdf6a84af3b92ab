//! Files of JSON lines as tables.

use super::line::{Kind, Member, members};
use super::write::JsonLinesSink;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Storage, StorageReader};
use crate::table::cells::{Look, Seen};
use crate::table::csv::UTF8_MARK;
use crate::table::format::{Probe, Setting, Settings, TableFormat, types_by, types_of};
use crate::table::text::{Cell, Lines, Open, TextTable};
use crate::table::{Table, TableSchema, TableSink};
use crate::wire::amount::{after, inside, plus};
use crate::wire::stream::Steady;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor, Read, empty};
use std::ops::Range;
use std::sync::Arc;

/// Files of JSON lines; see the [module](super) for settings and types.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableFormat, jsonl::JsonLines};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.jsonl", b"{\"s\":0.5,\"name\":\"Q1\"}\n{\"s\":null}\n")?;
/// let table = JsonLines.open(Arc::new(files), "x.jsonl", &Settings::new())?;
/// assert_eq!(table.schema().position("name"), Some(1));
/// assert_eq!(table.count_rows()?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonLines;

impl TableFormat for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        // its first line may be any document of JSON: its name tells it
        let ending = probe.path.rsplit_once('.').map(|(_, ending)| ending);
        let is_named =
            ending.is_some_and(|e| ["jsonl", "ndjson"].iter().any(|known| e.eq_ignore_ascii_case(known)));
        is_named && !probe.is_folder()
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "types",
                help: "Types of columns, such as a:i64,b:text; the others are inferred",
            },
            Setting { name: "offsets", help: "Whether there is a column `_offset` (true or false)" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let most = LARGEST.min(settings.max_memory()? as u64);
        let (names, seen) = survey(&storage, path, most)?;
        let said = types_of(settings, &names)?;
        let types = types_by(&said, &seen);
        let path = path.to_owned();
        let keys: Arc<Keys> = Arc::new(names.iter().cloned().zip(0..).collect());
        let open: Open = Arc::new(move |bytes| {
            let rows = JsonRows::new(&storage, &path, Arc::clone(&keys), bytes)?.up_to(most);
            Ok(Box::new(rows) as Box<dyn Lines>)
        });
        let table = TextTable::new(names, types, open).open().with_offsets(settings)?;
        Ok(Arc::new(table.up_to(settings.max_memory()?)))
    }

    fn writes(&self) -> bool {
        true
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        Ok(Box::new(JsonLinesSink::new(storage, path, schema)?))
    }
}

/// The largest line, if nothing else is said.
const LARGEST: u64 = 64 << 20;

/// The names of the members, in the order in which they come first, and what their values are like.
fn survey(storage: &Arc<dyn Storage>, path: &str, most: u64) -> Result<(Vec<String>, Vec<Seen>)> {
    let (mut keys, mut names, mut seen): (Keys, Vec<String>, Vec<Seen>) = Default::default();
    let mut rows = JsonRows::new(storage, path, Arc::default(), 0..u64::MAX)?.up_to(most);
    // what is wrong with a line is told where it is read
    let mut look = Look::new();
    while look.goes_on(rows.offset, &seen) && rows.advance().unwrap_or(false) {
        for member in &rows.members {
            let place = match keys.get(&member.name) {
                Some(place) => *place,
                None => {
                    let place = names.len();
                    keys.insert(member.name.clone(), place);
                    names.push(member.name.clone());
                    seen.push(Seen::default());
                    place
                }
            };
            let Some(seen) = seen.get_mut(place) else { continue };
            match member.kind {
                Kind::Missing(_) => {}
                Kind::Plain => seen.add(&member.text),
                Kind::Text if matches!(&member.text[..], b"nan" | b"inf" | b"-inf") => seen.add(&member.text),
                Kind::Bytes => seen.add_bytes(),
                Kind::Text => seen.add_quoted(&member.text),
                Kind::Nested => seen.add_nested(&member.text),
            }
        }
    }
    Ok((names, seen))
}

/// Which column a name is.
type Keys = HashMap<String, usize>;

/// The rows of a file.
struct JsonRows {
    input: Box<dyn BufRead + Send>,
    keys: Arc<Keys>,
    text: Vec<u8>,
    members: Vec<Member>,
    /// For each column which member it is, and of which row: so a row takes no longer if it has few of many columns.
    places: Vec<(u64, usize)>,
    /// The rows so far.
    row: u64,
    /// Where the line at hand begins, and the next one.
    start: u64,
    offset: u64,
    line: u64,
    /// The most bytes of a line.
    most: u64,
}

impl JsonRows {
    fn new(storage: &Arc<dyn Storage>, path: &str, keys: Arc<Keys>, bytes: Range<u64>) -> Result<Self> {
        let start = bytes.start;
        let input = StorageReader::forward(Arc::clone(storage), path, bytes)?;
        Ok(Self::of(Box::new(BufReader::with_capacity(64 << 10, Steady::new(input))), keys, start))
    }

    /// The lines of an input that begins at this place of the file.
    fn of(input: Box<dyn BufRead + Send>, keys: Arc<Keys>, start: u64) -> Self {
        let (text, members, places) = (Vec::new(), Vec::new(), Vec::new());
        JsonRows { input, keys, text, members, places, row: 0, start, offset: start, line: 0, most: LARGEST }
    }

    fn up_to(self, most: u64) -> Self {
        JsonRows { most, ..self }
    }

    /// Goes to the next line that is not blank.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.text.clear();
            self.start = self.offset;
            let read = self.input.by_ref().take(after(self.most, 1)).read_until(b'\n', &mut self.text);
            let read = read.map_err(|e| Error::new(ErrorKind::Io(e), self.start))? as u64;
            self.offset = after(self.offset, read);
            if read == 0 {
                return Ok(false);
            }
            if read > self.most {
                let text = format!("this line is larger than the limit of {} bytes", self.most);
                return Err(Error::message(text, self.start));
            }
            self.line = after(self.line, 1);
            if self.start == 0 && self.text.starts_with(UTF8_MARK) {
                self.text.drain(..UTF8_MARK.len());
                self.start = UTF8_MARK.len() as u64;
            }
            if self.text.iter().any(|byte| !byte.is_ascii_whitespace()) {
                break;
            }
        }
        let line = self.text.trim_ascii_end();
        members(line, &mut self.members).map_err(|(text, at)| {
            Error::message(format!("{text} in line {}", self.line), after(self.start, at as u64))
        })?;
        Ok(true)
    }
}

impl Lines for JsonRows {
    fn split_off(&mut self, rows: usize, most: u64) -> Option<(Box<dyn Lines>, usize)> {
        let (mut bytes, mut lines, mut found) = (Vec::new(), 0, 0);
        while found < rows && (bytes.len() as u64) < most {
            let begin = bytes.len();
            let read = self.input.by_ref().take(after(self.most, 1)).read_until(b'\n', &mut bytes);
            if read.is_err() || !bytes.ends_with(b"\n") || bytes.len() == begin {
                // the last lines, or what cannot be read: that is told after the lines before it
                let rest = std::mem::replace(&mut self.input, Box::new(empty()));
                self.input = Box::new(Cursor::new(bytes).chain(rest));
                return None;
            }
            let line = inside(&bytes, begin..);
            let is_first = self.offset == 0 && begin == 0;
            let line = line.strip_prefix(UTF8_MARK).filter(|_| is_first).unwrap_or(line);
            lines = after(lines, 1);
            found = plus(found, usize::from(!line.trim_ascii_start().is_empty()));
        }
        let (start, line) = (self.offset, self.line);
        self.offset = after(start, bytes.len() as u64);
        self.line = after(line, lines);
        let split = JsonRows::of(Box::new(Cursor::new(bytes)), Arc::clone(&self.keys), start);
        let split = JsonRows { line, most: self.most, ..split };
        Some((Box::new(split), found))
    }

    fn next(&mut self) -> Result<bool> {
        if !self.advance()? {
            return Ok(false);
        }
        self.places.resize(self.keys.len(), (0, 0));
        self.row = after(self.row, 1);
        for (i, member) in self.members.iter().enumerate() {
            let (name, line) = (&member.name, self.line);
            let text = match self.keys.get(name).and_then(|column| self.places.get_mut(*column)) {
                Some(place) if place.0 != self.row => {
                    *place = (self.row, i);
                    continue;
                }
                Some(_) => format!("`{name}` in line {line} is there twice"),
                None => format!(
                    "`{name}` in line {line} is in none of the first lines, which say what the columns are"
                ),
            };
            return Err(Error::message(text, after(self.start, member.at as u64)));
        }
        Ok(true)
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let place = self.places.get(column).filter(|(row, _)| *row == self.row);
        match place.and_then(|(_, place)| self.members.get(*place)) {
            None => Cell::Missing(0),
            Some(Member { kind: Kind::Missing(code), .. }) => Cell::Missing(*code),
            Some(member) => {
                let cell = match member.kind {
                    Kind::Bytes => Cell::Bytes,
                    Kind::Nested => Cell::Nested,
                    _ => Cell::Text,
                };
                cell(&member.text, after(self.start, member.at as u64))
            }
        }
    }

    fn start(&self) -> u64 {
        self.start
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}
