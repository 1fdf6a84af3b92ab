//! Files of lines as tables.

use super::cell::{CellType, Cells, Seen};
use super::records::Records;
use crate::columns::Columns;
use crate::error::{Error, Result, Step};
use crate::schema::Name;
use crate::storage::{Storage, StorageReader};
use crate::table::format::{Probe, Setting, Settings, TableFormat};
use crate::table::{Batches, Estimate, Limited, Split, Table, TableField, TableSchema, Wanted};
use std::fmt;
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
        is_named && !probe.is_folder() && !probe.head.contains(&0)
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "types",
                help: "Types of columns, such as a:i64,b:text; the others are inferred",
            },
            Setting { name: "delimiter", help: "What separates fields: one character, or tab" },
            Setting { name: "header", help: "Whether the first line has the names (true or false)" },
            Setting { name: "missing", help: "A word that stands for a missing value, such as NA" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        CsvTable::open(storage, path, settings).map(|table| Arc::new(table) as Arc<dyn Table>)
    }
}

/// A file whose names and types are known.
struct CsvTable {
    storage: Arc<dyn Storage>,
    path: String,
    delimiter: u8,
    has_header: bool,
    missing: Option<String>,
    types: Vec<CellType>,
    schema: TableSchema,
}

impl fmt::Debug for CsvTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvTable")
            .field("path", &self.path)
            .field("types", &self.types)
            .finish_non_exhaustive()
    }
}

/// Bytes of the file by which types are inferred.
const LOOKED_AT: u64 = 1 << 20;

fn delimiter(settings: &Settings, path: &str) -> Result<u8> {
    match settings.get("delimiter").map(str::as_bytes) {
        None if path.to_lowercase().ends_with(".tsv") => Ok(b'\t'),
        None => Ok(b','),
        Some(b"tab" | b"\\t") => Ok(b'\t'),
        Some([byte]) if !matches!(byte, b'"' | b'\n' | b'\r') && byte.is_ascii() => Ok(*byte),
        Some(_) => {
            let said = settings.get("delimiter").unwrap_or_default();
            Err(Error::other(format!("setting `delimiter`: expected one character or `tab`, found {said:?}")))
        }
    }
}

/// The types that are said: `a:i64,b:text`.
fn said(settings: &Settings, names: &[String]) -> Result<Vec<Option<CellType>>> {
    let mut types = vec![None; names.len()];
    let wrong = |text: String| Error::other(format!("setting `types`: {text}"));
    for part in settings.get("types").unwrap_or_default().split(',').filter(|part| !part.trim().is_empty()) {
        let Some((name, ty)) = part.rsplit_once(':') else {
            return Err(wrong(format!("expected a name and a type, such as a:i64, found {part:?}")));
        };
        let name = name.trim();
        let place = names.iter().position(|known| known == name);
        let place = place.and_then(|place| types.get_mut(place));
        let Some(place) = place else {
            return Err(wrong(format!("there is no column `{name}`")));
        };
        *place = Some(ty.trim().parse().map_err(wrong)?);
    }
    Ok(types)
}

impl CsvTable {
    fn open(storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Self> {
        let delimiter = delimiter(settings, path)?;
        let has_header = settings.get("header").is_none() || settings.is_on("header")?;
        let missing = settings.get("missing").map(str::to_owned);
        let input = StorageReader::new(Arc::clone(&storage), path, 0..u64::MAX)?;
        let mut records = Records::new(input, delimiter);
        let mut is_there = records.next()?;
        let names = match (is_there, has_header) {
            (false, _) => Vec::new(),
            (true, true) => names(&records)?,
            (true, false) => (0..records.fields().len()).map(|i| format!("c{i}")).collect(),
        };
        if has_header && is_there {
            // what is wrong with a row is told where it is read
            is_there = records.next().unwrap_or(false);
        }
        let said = said(settings, &names)?;
        let mut seen = vec![Seen::default(); names.len()];
        while is_there && records.offset() < LOOKED_AT && said.iter().any(Option::is_none) {
            for (seen, field) in seen.iter_mut().zip(records.fields()) {
                let text = records.text(*field);
                let is_missing = (text.is_empty() && !field.is_quoted)
                    || missing.as_deref().is_some_and(|m| m.as_bytes() == text);
                if !is_missing {
                    seen.add(text);
                }
            }
            is_there = records.next().unwrap_or(false);
        }
        let types: Vec<CellType> =
            said.iter().zip(&seen).map(|(said, seen)| said.unwrap_or(seen.cell_type())).collect();
        let fields = names.into_iter().zip(&types).map(|(name, ty)| TableField::new(name, ty.column_type()));
        let schema = TableSchema::new(fields);
        Ok(CsvTable { storage, path: path.to_owned(), delimiter, has_header, missing, types, schema })
    }
}

/// The names of the first line; of none two are the same.
fn names(records: &Records<StorageReader>) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for (i, field) in records.fields().iter().enumerate() {
        let text = records.text(*field);
        // what marks the encoding is no part of the first name
        let text = if i == 0 { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
        let Ok(name) = std::str::from_utf8(text) else {
            return Err(Error::message("the name of this column is not UTF-8", field.at));
        };
        let name = if name.is_empty() { format!("c{i}") } else { name.to_owned() };
        if names.contains(&name) {
            let text = format!("two columns are called `{name}`: give one another name in the first line");
            return Err(Error::message(text, field.at));
        }
        names.push(name);
    }
    Ok(names)
}

impl Table for CsvTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Unknown
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        Ok(vec![Split { rows: wanted.rows_of(None), ..Split::default() }])
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let input = StorageReader::new(Arc::clone(&self.storage), &self.path, 0..u64::MAX)?;
        let mut records = Records::new(input, self.delimiter);
        if self.has_header {
            records.next()?;
        }
        let rows = CsvRows {
            table: self,
            records,
            columns,
            batch: wanted.batch_rows.max(1),
            bytes: wanted.batch_bytes,
            row: 0,
            failed: None,
            has_ended: false,
        };
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        let skip = u64::try_from(split.rows.start).unwrap_or(0);
        Ok(Box::new(Limited::new(rows, most).after(skip)))
    }
}

/// The rows of a file, batch by batch.
struct CsvRows {
    table: Arc<CsvTable>,
    records: Records<StorageReader>,
    columns: Vec<usize>,
    batch: usize,
    bytes: u64,
    row: usize,
    /// What comes after the rows that were read.
    failed: Option<Error>,
    has_ended: bool,
}

impl CsvRows {
    /// Adds the record at hand, or says what is wrong with it.
    fn push(&self, cells: &mut [Cells]) -> Result<()> {
        let (records, fields) = (&self.records, self.records.fields());
        let at_row = |e: Error| e.within(Step::Index(self.row));
        if fields.len() != self.table.types.len() {
            let at = fields.last().map_or(0, |field| field.at);
            let (found, wanted) = (fields.len(), self.table.types.len());
            let text = format!("line {} has {found} fields, expected {wanted}", records.line);
            return Err(at_row(Error::message(text, at)));
        }
        for (cells, column) in cells.iter_mut().zip(&self.columns) {
            let Some(field) = fields.get(*column) else { continue };
            let text = records.text(*field);
            let is_missing = (text.is_empty() && !field.is_quoted)
                || self.table.missing.as_deref().is_some_and(|missing| missing.as_bytes() == text);
            if !cells.push((!is_missing).then_some(text)) {
                let (ty, shown) = (self.table.types.get(*column), String::from_utf8_lossy(text));
                let ty = ty.copied().unwrap_or(CellType::Text);
                let text = format!("expected {ty}, found {shown:?} in line {}", records.line);
                let name = self.table.schema.fields.get(*column).map_or("", |field| &*field.name);
                return Err(at_row(Error::message(text, field.at).within(Step::Name(name.into()))));
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<Option<Columns>> {
        let types = self.columns.iter().filter_map(|column| self.table.types.get(*column));
        let mut cells: Vec<Cells> = types.map(|ty| Cells::new(*ty)).collect();
        let (begin, first) = (self.records.offset(), self.row);
        let full = first.saturating_add(self.batch);
        while self.row < full && self.records.offset().saturating_sub(begin) < self.bytes.max(1) {
            let added = match self.records.next() {
                Ok(true) => self.push(&mut cells),
                Ok(false) => break,
                Err(e) => Err(e),
            };
            if let Err(e) = added {
                // the rows before it come first
                self.failed = Some(e);
                break;
            }
            self.row = self.row.saturating_add(1);
        }
        let rows = self.row.saturating_sub(first);
        if rows == 0 {
            self.has_ended = true;
            return self.failed.take().map_or(Ok(None), Err);
        }
        let mut columns = Vec::new();
        for (mut cells, column) in cells.into_iter().zip(&self.columns) {
            if cells.len() > rows {
                cells.truncate(rows);
            }
            let name =
                self.table.schema.fields.get(*column).map_or_else(|| Name::from(""), |f| f.name.clone());
            let column = cells.into_column().ok_or_else(|| Error::other("a column without all its rows"))?;
            columns.push((name, column));
        }
        Ok(Some(Columns::of_rows(rows, columns)))
    }
}

impl Iterator for CsvRows {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        if self.has_ended {
            return None;
        }
        if let Some(e) = self.failed.take() {
            self.has_ended = true;
            return Some(Err(e));
        }
        self.fill().transpose()
    }
}
