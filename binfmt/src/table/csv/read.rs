//! Files of lines as tables.

use super::dialect::{Dialect, point};
use super::records::{Field, LARGEST, Records};
use super::write::CsvSink;
use crate::error::{Error, Result};
use crate::storage::{Storage, StorageReader};
use crate::table::cells::{Look, Run, Seen};
use crate::table::format::{Probe, Setting, Settings, TableFormat, types_by, types_of};
use crate::table::text::{Cell, Lines, Open, TextTable};
use crate::table::{Table, TableSchema, TableSink};
use crate::wire::amount;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;

/// Files of comma-separated values; see the [module](super) for settings and types.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableFormat, csv::Csv};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.csv", b"s,name\n0.5,Q1\n,\"\"\n")?;
/// let table = Csv.open(Arc::new(files), "x.csv", &Settings::new())?;
/// let types: Vec<String> = table.schema().fields.iter().map(|field| field.ty.to_string()).collect();
/// assert_eq!(types, ["f64?", "text?"]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Csv;

impl TableFormat for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        // no bytes tell it: its name does
        let ending = probe.path.rsplit_once('.').map(|(_, ending)| ending);
        let is_named =
            ending.is_some_and(|e| ["csv", "tsv"].iter().any(|known| e.eq_ignore_ascii_case(known)));
        is_named && !probe.is_folder()
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "types",
                help: "Types of columns, such as a:i64,b:text; the others are inferred",
            },
            Setting {
                name: "delimiter",
                help: "What separates fields: one character, tab, or blanks for any number of them",
            },
            Setting { name: "header", help: "Whether the first line has the names (true or false)" },
            Setting { name: "missing", help: "A word that stands for a missing value, such as NA" },
            Setting { name: "skip", help: "How many lines are before the names, and are not read" },
            Setting { name: "comment", help: "What a line begins with that is not read, such as #" },
            Setting { name: "decimal", help: "The decimal point of numbers: . or ," },
            Setting { name: "offsets", help: "Whether there is a column `_offset` (true or false)" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        open(storage, path, settings).map(|table| Arc::new(table) as Arc<dyn Table>)
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "delimiter", help: "What separates fields: one character, or tab" },
            Setting { name: "header", help: "Whether the first line has the names (true or false)" },
            Setting { name: "missing", help: "A word for a missing value, such as NA; nothing without this" },
        ]
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        Ok(Box::new(CsvSink::new(storage, path, schema, settings)?))
    }
}

/// The word for any number of blanks between two fields.
const BLANKS: &str = "blanks";

pub(super) fn delimiter(settings: &Settings, path: &str) -> Result<u8> {
    match settings.get("delimiter").map(str::as_bytes) {
        None if path.to_lowercase().ends_with(".tsv") => Ok(b'\t'),
        None => Ok(b','),
        Some(b"tab" | b"\\t") => Ok(b'\t'),
        Some(word) if word == BLANKS.as_bytes() => Ok(b' '),
        Some([byte]) if !matches!(byte, b'"' | b'\n' | b'\r') && byte.is_ascii() => Ok(*byte),
        Some(_) => {
            let said = settings.get("delimiter").unwrap_or_default();
            Err(Error::other(format!(
                "setting `delimiter`: expected one character, `tab` or `blanks`, found {said:?}"
            )))
        }
    }
}

/// How the lines are written.
fn dialect(settings: &Settings, delimiter: u8) -> Result<Dialect> {
    let comment = match settings.get("comment").map(str::as_bytes) {
        None | Some([]) => None,
        Some([byte]) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Some(*byte),
        Some(_) => return Err(Error::other("setting `comment`: expected one character")),
    };
    let comma = settings.word("decimal", &[(".", false), (",", true)])?.unwrap_or(false);
    if comma && delimiter == b',' {
        return Err(Error::other(
            "setting `decimal`: a comma is between fields: `delimiter` must say what is",
        ));
    }
    Ok(Dialect { blanks: settings.get("delimiter") == Some(BLANKS), comma, comment })
}

/// Where the lines begin that are read: after so many, which end as those do that begin at a place, if their ends are known.
fn after(
    storage: &Arc<dyn Storage>,
    path: &str,
    lines: u64,
    line_end: impl Fn(u64) -> Result<Option<u8>>,
) -> Result<u64> {
    let open = || StorageReader::forward(Arc::clone(storage), path, 0..u64::MAX).map(BufReader::new);
    if lines == 0 {
        return Ok(0);
    }
    if let Some(at) = after_returns(open()?, lines)?
        && matches!(line_end(at), Ok(None | Some(b'\r')))
    {
        return Ok(at);
    }
    let (mut input, mut at) = (open()?, 0);
    for _ in 0..lines {
        at = amount::after(at, input.skip_until(b'\n')? as u64);
    }
    Ok(at)
}

/// Where so many lines end that a carriage return ends; nothing if there is a newline among them.
fn after_returns(input: impl BufRead, lines: u64) -> Result<Option<u64>> {
    let mut left = lines;
    for (at, byte) in (1..).zip(input.bytes()) {
        match byte? {
            b'\n' => return Ok(None),
            b'\r' => left = left.saturating_sub(1),
            _ => {}
        }
        if left == 0 {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn open(storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<TextTable> {
    let delimiter = delimiter(settings, path)?;
    let dialect = dialect(settings, delimiter)?;
    let skipped = settings.number("skip")?.unwrap_or(0);
    let has_header = settings.get("header").is_none() || settings.is_on("header")?;
    let missing = settings.get("missing").map(str::to_owned);
    let largest = settings.max_memory()?.min(LARGEST);
    let begun = move |input: StorageReader, from: u64| {
        Records::new(input, delimiter).up_to(largest).starting_at(from).written(dialect)
    };
    let from = |at: u64| StorageReader::forward(Arc::clone(&storage), path, at..u64::MAX);
    let front = after(&storage, path, skipped, |at| begun(from(at)?, at).line_end())?;
    let records = begun(from(front)?, front).after(skipped);
    let mut lines = CsvLines { records, missing: missing.clone(), columns: 0, is_ended: false, mark: None };
    let mut is_there = lines.records.next()?;
    let names = match (is_there, has_header) {
        (false, _) => Vec::new(),
        (true, true) => names(&lines.records)?,
        (true, false) => (0..lines.records.fields().len()).map(|i| format!("c{i}")).collect(),
    };
    let line_end = lines.records.line_end()?;
    lines.records.has_blank = names.len() == 1;
    lines.columns = names.len();
    if has_header && is_there {
        // what is wrong with a row is told where it is read
        lines.mark = lines.records.fields().first().and_then(|field| mark(lines.records.text(*field)));
        is_there = lines.records.next().unwrap_or(false);
        // some programs end each line with a delimiter, but for that of the names
        lines.is_ended = is_there && lines.ends_in_delimiter();
    }
    let (is_ended, mark) = (lines.is_ended, lines.mark);
    let said = types_of(settings, &names)?;
    // of a column whose type is said nothing is to be found out
    let unsaid: Vec<usize> = (0..names.len()).filter(|i| said.get(*i).is_some_and(Option::is_none)).collect();
    let mut seen = vec![Seen::default(); unsaid.len()];
    let mut look = Look::new();
    while is_there && !unsaid.is_empty() && look.goes_on(lines.offset(), &seen) {
        for (column, seen) in unsaid.iter().zip(&mut seen) {
            match lines.cell(*column) {
                Cell::Text(text, _) => seen.add(dialect.pointed(text).as_deref().unwrap_or(text)),
                // an empty text says nothing of the others
                Cell::Blank | Cell::Missing(_) | Cell::Bytes(..) | Cell::Nested(..) => {}
            }
        }
        is_there = lines.records.next().unwrap_or(false);
    }
    let mut all = vec![Seen::default(); names.len()];
    unsaid
        .iter()
        .zip(seen)
        .for_each(|(column, seen)| all.get_mut(*column).into_iter().for_each(|all| *all = seen));
    let types = types_by(&said, &all);
    let (path, columns) = (path.to_owned(), names.len());
    let open: Open = Arc::new(move |bytes: Range<u64>| {
        let from = bytes.start.max(front);
        let is_front = from == front;
        let input = StorageReader::forward(Arc::clone(&storage), &path, from..bytes.end.max(from))?;
        let mut records = begun(input, from).ended_by(line_end);
        if is_front {
            records = records.after(skipped);
        }
        records.has_blank = columns == 1 && !(has_header && is_front);
        if has_header && is_front {
            records.next()?;
        }
        records.has_blank = columns == 1;
        let missing = missing.clone();
        Ok(Box::new(CsvLines { records, missing, columns, is_ended, mark }) as Box<dyn Lines>)
    });
    let table = TextTable::new(names, types, open).with_offsets(settings)?.up_to(settings.max_memory()?);
    Ok(if dialect.comma { table.with_points(point) } else { table })
}

/// The rows of a file, or some of them.
struct CsvLines<R> {
    records: Records<R>,
    missing: Option<String>,
    /// How many fields each has.
    columns: usize,
    /// Whether a delimiter ends each of them.
    is_ended: bool,
    /// What the line of the names begins with, if that is what comments begin with.
    mark: Option<char>,
}

/// What a line begins with, if that is what comments begin with in many programs.
fn mark(line: &[u8]) -> Option<char> {
    line.first().map(|byte| char::from(*byte)).filter(|c| matches!(c, '#' | '%' | '!'))
}

impl<R: Read> CsvLines<R> {
    /// Whether the record at hand has a field more than there are columns, and it is empty.
    fn ends_in_delimiter(&self) -> bool {
        let fields = self.records.fields();
        let is_empty = |field: &Field| !field.is_quoted && self.records.text(*field).is_empty();
        amount::plus(self.columns, 1) == fields.len() && fields.last().is_some_and(is_empty)
    }

    /// A record with another number of fields.
    fn odd(&self) -> Error {
        let fields = self.records.fields();
        let (line, count) = (self.records.line, fields.len());
        let all = if count == 1 { "field" } else { "fields" };
        let ended = if self.is_ended { " and a delimiter at the end" } else { "" };
        let first = fields.first().and_then(|field| mark(self.records.text(*field)));
        let comment = match (first, self.mark) {
            (Some(c), _) => format!("; it begins with `{c}`"),
            (None, Some(c)) => format!("; the names begin with `{c}`"),
            (None, None) => String::new(),
        };
        let text = format!("line {line} has {count} {all}, expected {}{ended}{comment}", self.columns);
        Error::message(text, fields.last().map_or(0, |field| field.at))
    }
}

impl<R: Read + Send> Lines for CsvLines<R> {
    fn split_off(&mut self, rows: usize, bytes: u64) -> Option<(Box<dyn Lines>, usize)> {
        let (records, rows) = self.records.split_off(rows, bytes)?;
        let CsvLines { columns, is_ended, mark, .. } = *self;
        let missing = self.missing.clone();
        Some((Box::new(CsvLines { records, missing, columns, is_ended, mark }), rows))
    }

    fn next(&mut self) -> Result<bool> {
        if !self.records.next()? {
            return Ok(false);
        }
        let is_whole = match self.is_ended {
            true => self.ends_in_delimiter(),
            false => self.records.fields().len() == self.columns,
        };
        if is_whole { Ok(true) } else { Err(self.odd()) }
    }

    fn run(&mut self, rows: usize, bytes: u64) -> Option<Run<'_>> {
        let CsvLines { columns, is_ended, .. } = *self;
        let found = self.records.run(columns, is_ended, (rows, bytes))?;
        // what is in quotes is not missing
        let missing = self.missing.as_deref().map(str::as_bytes).filter(|word| !word.starts_with(b"\""));
        let fields = amount::plus(columns, usize::from(is_ended));
        Some(Run { text: found.text, ends: found.ends, fields, columns, missing, offset: found.offset })
    }

    fn pass(&mut self, rows: usize) {
        self.records.pass(rows);
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(field) = self.records.fields().get(column) else { return Cell::Missing(0) };
        let text = self.records.text(*field);
        let is_word = || self.missing.as_deref().is_some_and(|missing| missing.as_bytes() == text);
        let is_missing = !field.is_quoted && (text.is_empty() || is_word());
        match text {
            _ if is_missing => Cell::Missing(0),
            // other programs write it for a missing value, too, as an empty line is not a row to them
            b"" if self.columns == 1 => Cell::Blank,
            text => Cell::Text(text, field.at),
        }
    }

    fn start(&self) -> u64 {
        self.records.start
    }

    fn line(&self) -> u64 {
        self.records.line
    }

    fn offset(&self) -> u64 {
        self.records.offset()
    }
}

/// The names of the first line; of none two are the same.
fn names(records: &Records<StorageReader>) -> Result<Vec<String>> {
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for (i, field) in records.fields().iter().enumerate() {
        let text = records.text(*field);
        let Ok(name) = std::str::from_utf8(text) else {
            return Err(Error::message("the name of this column is not UTF-8", field.at));
        };
        // as in values, blanks around a name are not part of it
        let name = if field.is_quoted { name } else { name.trim_matches([' ', '\t']) };
        let name = if name.is_empty() { format!("c{i}") } else { name.to_owned() };
        if !known.insert(name.clone()) {
            let text = format!("two columns are called `{name}`: give one another name in the first line");
            return Err(Error::message(text, field.at));
        }
        names.push(name);
    }
    Ok(names)
}
