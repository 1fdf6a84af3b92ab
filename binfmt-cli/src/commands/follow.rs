//! `binfmt cat --follow`: rows as they are appended to a file.

mod state;

use super::tables;
use crate::args::{Cat, Choose};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Selection;
use crate::input::is_dash;
use crate::report::remark;
use crate::table::Tables;
use crate::unpack::Compression;
use binfmt::Result as Read;
use binfmt::columns::Columns;
use binfmt::table::csv::CellType;
use binfmt::table::{Batches, Estimate, Split, Table, TableSchema, Wanted};
use state::{State, state};
use std::fs::File;
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long nothing is asked of a file.
const PAUSE: Duration = Duration::from_millis(200);

/// Where rows are written: as objects in lines, or as one table.
pub(super) enum Out<'a> {
    Lines(&'a mut dyn Write),
    Table(Box<dyn Tables + 'a>),
}

/// Where the rows of a table end that may grow: what is wrong there, and whether more bytes would mend it.
type Damage = (Option<u64>, bool);

/// The rows after the first ones of a table; it is noted how far they were read.
#[derive(Debug)]
struct Rest {
    table: Arc<dyn Table>,
    skip: u64,
    /// The rows from the first one on.
    read: Arc<AtomicU64>,
    damage: Arc<Mutex<Option<Damage>>>,
}

impl Table for Rest {
    fn schema(&self) -> &TableSchema {
        self.table.schema()
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Unknown
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let table = Arc::clone(&self.table).read_as(columns)?;
        let (read, damage) = (Arc::clone(&self.read), Arc::clone(&self.damage));
        Some(Arc::new(Rest { table, skip: self.skip, read, damage }))
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Read<Vec<Split>> {
        wanted.columns_of(self.schema())?;
        Ok(vec![Split { rows: wanted.rows.clone().unwrap_or(0..i64::MAX), ..Split::default() }])
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Read<Batches> {
        let first = i64::try_from(self.skip).unwrap_or(i64::MAX);
        let rows = split.rows.start.saturating_add(first)..split.rows.end.saturating_add(first);
        let mut at = split.rows.start.unsigned_abs();
        // by a range rows would be left out that count
        let asked = Wanted { rows: Some(rows), ranges: Vec::new(), limit: None, ..wanted.clone() };
        let batches = Arc::clone(&self.table).batches(&asked)?;
        Ok(Box::new(batches.inspect(move |batch: &Read<Columns>| match batch {
            Ok(batch) => {
                at = at.saturating_add(batch.num_rows() as u64);
                self.read.fetch_max(at, Ordering::Relaxed);
            }
            Err(e) => {
                let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
                *damage = Some((e.offset(), e.is_incomplete()));
            }
        })))
    }
}

/// A file that grows, and how far it was shown.
struct Followed<'a> {
    args: &'a Cat,
    path: &'a Path,
    formats: Formats,
    /// Where it ends for its table: after the last whole line of a text.
    end: Arc<AtomicU64>,
    /// As it was when its columns became known, whose types are those of the first rows.
    table: Arc<dyn Table>,
    has_rows: bool,
    /// Which rows are still to be chosen.
    choose: Choose,
    /// The bytes that were shown, if they end with a line, and the rows after them.
    byte: u64,
    rows: u64,
    damage: Option<Damage>,
    has_begun: bool,
}

/// Shows the rows of a file, then those that are appended to it, until the command is stopped.
pub(super) fn run(args: &Cat, path: &Path, formats: Formats, mut out: Out<'_>) -> Result<()> {
    let mut file = awaited(args, path, formats)?;
    let mut known: Option<State> = None;
    let mut again = false;
    loop {
        let now = state(path)?;
        if known.is_some_and(|known| now.file != known.file) {
            return Err(Error::data("another file was put in its place").at(path.display()));
        }
        if known.is_some_and(|known| now.bytes < known.bytes) {
            return Err(Error::data("the file has become shorter").at(path.display()));
        }
        if again || known != Some(now) {
            again = file.show(now.bytes, &mut out)?;
            known = Some(now);
        }
        std::thread::sleep(PAUSE);
    }
}

impl<'a> Followed<'a> {
    fn open(args: &'a Cat, path: &'a Path, formats: Formats) -> Result<Self> {
        let refused = |text: &str| Err(Error::usage(format_args!("--follow: {text}")));
        if is_dash(path) {
            return refused("standard input ends by itself, and is shown as it comes");
        }
        if args.form.json || args.form.table || args.form.markdown || args.choose.sample.is_some() {
            return refused("rows are shown as they come: as --jsonl, --csv or --tsv, and all that match");
        }
        let is_open = |rows: crate::span::Rows| rows.is_open();
        if !args.choose.rows.is_none_or(is_open) || args.choose.pages.is_some() {
            return refused("what is appended is shown: --rows has no end, as in -10..");
        }
        let (_, mut job) = super::open::open(path, &args.reading, formats, false)?;
        if job.input.is_directory() || job.input.compression()? != Compression::None {
            return refused("only a file that is not compressed grows row by row");
        }
        let end = Arc::new(AtomicU64::new(u64::MAX));
        let table = table(args, path, formats, &end)?;
        let choose = args.choose.clone();
        let (has_rows, byte, rows, damage, has_begun) = (false, 0, 0, None, false);
        Ok(Followed { args, path, formats, end, table, has_rows, choose, byte, rows, damage, has_begun })
    }

    /// The file as it is now.
    fn opened(&self) -> Result<Arc<dyn Table>> {
        table(self.args, self.path, self.formats, &self.end)
    }

    /// Shows what came since the last time. Whether it is to be looked at again: what is wrong may be half written.
    fn show(&mut self, bytes: u64, out: &mut Out<'_>) -> Result<bool> {
        if self.table.is_text() {
            let end = line_end(self.path, self.byte, bytes);
            let end = end.map_err(|e| Error::input(e).at(self.path.display()))?;
            self.end.store(end, Ordering::Relaxed);
        }
        if !self.has_rows {
            self.table = self.opened()?;
            self.has_rows = !self.table.is_text() || has_rows(&self.table);
            // a condition is for columns whose types are known
            if !self.has_rows && (self.table.schema().fields.is_empty() || self.choose.condition.is_some()) {
                return Ok(false);
            }
        }
        let end = self.end.load(Ordering::Relaxed);
        let part = self.table.between(self.byte..end);
        let is_part = part.is_some();
        let now = part.map_or_else(|| self.opened(), Ok)?;
        let (read, damage) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(None)));
        let rest = Rest { table: now, skip: self.rows, read: Arc::clone(&read), damage: Arc::clone(&damage) };
        let name = self.path.display().to_string();
        let selection = tables::chosen(Arc::new(rest), &self.choose, vec![name.clone()])?;
        let done = self.write(&selection, out);
        self.rows = self.rows.saturating_add(read.load(Ordering::Relaxed));
        // those that are chosen by their number are among the first
        self.choose.rows = None;
        let found = damage.lock().unwrap_or_else(PoisonError::into_inner).take();
        let before = std::mem::replace(&mut self.damage, found);
        match (done, found) {
            (Ok(()), _) => {
                if is_part {
                    (self.byte, self.rows) = (end, 0);
                }
                Ok(false)
            }
            // the rest of it may come; what is still wrong then is
            (Err(_), Some((at, is_incomplete)))
                if is_incomplete || (!is_part && at.is_some_and(|at| at >= end.min(bytes))) =>
            {
                Ok(false)
            }
            (Err(_), found @ Some(_)) if before != found => Ok(true),
            (Err(e), _) => Err(self.of_whole_file(e).at(name)),
        }
    }

    /// The error as it is told when all is read: rows and lines of a part are counted from there.
    fn of_whole_file(&self, e: Error) -> Error {
        let whole = self.table.between(0..self.end.load(Ordering::Relaxed));
        let Some(whole) = whole.filter(|_| self.byte > 0) else { return e };
        let all = tables::chosen(whole, &self.choose, vec![self.path.display().to_string()]);
        all.and_then(|all| all.each(|_, _| Ok(()))).err().unwrap_or(e)
    }

    fn write(&mut self, selection: &Selection, out: &mut Out<'_>) -> Result<()> {
        match out {
            Out::Lines(out) => {
                let done = selection.lines(out).map(|_| ());
                out.flush().map_err(Error::output).and(done)
            }
            Out::Table(out) => {
                if !std::mem::replace(&mut self.has_begun, true) {
                    out.begin(&selection.head())?;
                }
                let done = selection.put(&mut **out).map(|_| ());
                out.end().and(done)
            }
        }
    }
}

/// The file, as soon as its front is there: a header that is half written is waited for.
fn awaited<'a>(args: &'a Cat, path: &'a Path, formats: Formats) -> Result<Followed<'a>> {
    let mut is_told = false;
    loop {
        let before = state(path).ok();
        match Followed::open(args, path, formats) {
            Err(Error::Data(message)) if before.is_some() => {
                if !std::mem::replace(&mut is_told, true) {
                    remark(&format!("{}: {}; what comes is waited for", path.display(), message.text));
                }
                while state(path).ok() == before {
                    std::thread::sleep(PAUSE);
                }
            }
            done => return done,
        }
    }
}

/// The file as it is now, up to there.
fn table(args: &Cat, path: &Path, formats: Formats, end: &Arc<AtomicU64>) -> Result<Arc<dyn Table>> {
    let (format, mut job) = super::open::open(path, &args.reading, formats, false)?;
    job.end = Some(Arc::clone(end));
    job.asked = args.choose.asked();
    format.table(&mut job).map_err(|e| job.input.blamed(e))
}

/// Whether there is a row, or what is wrong with it.
fn has_rows(table: &Arc<dyn Table>) -> bool {
    let first = Wanted { limit: Some(1), ..Wanted::new() };
    Arc::clone(table).batches(&first).map_or(true, |mut rows| rows.next().is_some())
}

/// Where the last whole line ends between two places of a file.
fn line_end(path: &Path, from: u64, to: u64) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let (mut end, mut block) = (to, Vec::new());
    while end > from {
        let start = end.saturating_sub(1 << 16).max(from);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        (&mut file).take(end - start).read_to_end(&mut block)?;
        if let Some(place) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + place as u64 + 1);
        }
        end = start;
    }
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_a_newline() {
        let path = std::env::temp_dir().join(format!("binfmt-follow-{}", std::process::id()));
        let text = [b"a\nbc\n".as_slice(), &[b'x'; 70_000], b"\nd"].concat();
        std::fs::write(&path, &text).unwrap();
        let end = |from, to| line_end(&path, from, to).unwrap();
        assert_eq!((end(0, 1), end(0, 2), end(0, 4), end(2, 4), end(5, 70_000)), (0, 2, 2, 2, 5));
        assert_eq!((end(0, 70_000), end(0, text.len() as u64)), (5, 70_006));
        std::fs::remove_file(path).unwrap();
    }
}
