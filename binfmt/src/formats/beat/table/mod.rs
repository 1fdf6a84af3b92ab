//! Data files as tables: a row for each chunk, its indices before the fields of its object.

mod places;
mod settings;
mod sink;

use crate::codec::Decode;
use crate::columns::{Column, ColumnType, Columns, Plan};
use crate::error::{Error, Result, Step};
use crate::formats::beat::layout::{Chunk, FileHead, Object};
use crate::formats::beat::text::Declaration;
use crate::numbers::NumberType;
use crate::schema::Name;
use crate::storage::{Storage, StorageReader};
use crate::table::{
    Batches, Estimate, Limited, Probe, Pruned, RowsTable, ScalarRange, Section, Setting, Settings, Split,
    Table, TableField, TableFormat, TableSchema, TableSink, Wanted, cut, fields_of, keys,
};
use crate::value::Value;
use crate::wire::amount::known;
use crate::wire::options::{Limits, Policy};
use crate::wire::{Cursor, Le, Options, Stream};
use places::{Places, next, number};
use settings::declaration;
use sink::BeatSink;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// BEAT data files as tables: a row for each chunk. The columns `_start` and `_end` are the indices of the chunk, by whose ranges chunks are
/// left out; the others are the fields of the declared object.
///
/// A file without the first line `binary` is one object, and so one row.
///
/// The declaration is the setting `schema`, as JSON or as a name beneath the folder `prefix`; without it the file's own name of
/// its format is looked up there.
///
/// Written, a row is a chunk, whose indices are those columns, or the number of the row. The setting `dataformat` says what the
/// objects are called. Without `schema` they are as the prefix declares this name, and if it does not as the columns are. Beside a file `base.0.99.data` come its index and the checksums of both.
///
/// ```
/// use binfmt::formats::beat::Tables;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Estimate, Settings, TableFormat, Wanted};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.data", b"binary\nuser/number/1\n0 0 5\n\x07\0\0\0\n1 3 5\n\x08\0\0\0\n")?;
/// let settings = Settings::new().with("schema", r#"{"value": "int32"}"#);
/// let table = Tables.open(Arc::new(files), "x.data", &settings)?;
/// assert_eq!(table.num_rows(), Estimate::Exact(2));
/// let batch = table.batches(&Wanted::new().range(0, 1..))?.next().unwrap()?;
/// assert_eq!(batch.get("value").unwrap().as_slice::<i32>(), Some(&[8][..]));
/// assert_eq!(batch.get("_end").unwrap().as_slice::<i64>(), Some(&[3][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "beat"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        probe.head.starts_with(MARK)
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "schema",
                help: "The declaration of the objects, as JSON or as a name beneath the prefix",
            },
            Setting { name: "prefix", help: "The folder in which declarations are found by their names" },
        ]
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "dataformat",
                help: "What the objects are called: user/name/version, or analysis: and the name of an analyzer",
            },
            Setting {
                name: "schema",
                help: "Their declaration, as JSON or as a name beneath the prefix; without it that of their name there, else what the columns are",
            },
            Setting { name: "prefix", help: "The folder in which declarations are found by their names" },
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
        Ok(Box::new(BeatSink::new(storage, path, schema, settings)?))
    }

    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        settings.check(self.settings())?;
        let Some(mut src) = data_file(&storage, path, settings)? else {
            return Ok(sections(declaration(settings, "")?, None));
        };
        let head = FileHead::decode::<Le, _>(&mut src, ())?;
        Ok(sections(declaration(settings, &head.format)?, Some(src.pos())))
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let Some(mut src) = data_file(&storage, path, settings)? else {
            return object(storage, path, settings);
        };
        let head = FileHead::decode::<Le, _>(&mut src, ())?;
        let declaration = declaration(settings, &head.format)?;
        let plan = Plan::new(declaration.description())?;
        let chunks = Places::find(&mut src);
        let index =
            |name: &str| TableField::new(name, ColumnType::Number(NumberType::I64)).with(keys::ADDED, "true");
        // what the columns are, where they are written again
        let types = declaration.format().fields().iter().map(|(name, ty)| (name.as_str(), ty));
        let types: HashMap<&str, _> = types.collect();
        let said = |field: TableField| match types.get(field.name.as_str()) {
            Some(ty) => field.with("beat:type", ty.to_string()),
            None => field,
        };
        let fields = fields_of(&plan).into_iter().map(said);
        let schema = TableSchema::new([index("_start"), index("_end")].into_iter().chain(fields))
            .with(keys::FORMAT, "beat")
            .with("beat:format", head.format);
        let limits = Limits { memory: settings.max_memory()?, ..Limits::DEFAULT };
        let path = path.to_owned();
        Ok(Arc::new(BeatTable { storage, path, declaration, plan, schema, chunks, limits }))
    }
}

/// What data files begin with.
const MARK: &[u8; 7] = b"binary\n";

/// A data file from its front on; `None` of a file that is said to be one object.
fn data_file(
    storage: &Arc<dyn Storage>,
    path: &str,
    settings: &Settings,
) -> Result<Option<Stream<StorageReader>>> {
    let mut front = [0; MARK.len()];
    if storage.size(path)?.is_none_or(|size| size >= MARK.len() as u64) {
        storage.read(path, 0, &mut front)?;
    }
    let is_object = front != *MARK && settings.get("schema").is_some();
    if is_object { Ok(None) } else { stream(storage, path, 0).map(Some) }
}

/// What explains the bytes of a data file whose first two lines are that long, or of a file that is one object.
///
/// ```
/// use binfmt::formats::beat::{Declaration, sections};
/// let declaration = Declaration::parse(r#"{"value": "int32"}"#).unwrap();
/// assert_eq!(sections(declaration, Some(20))[1].bytes().start, 20);
/// ```
pub fn sections(declaration: Declaration, head: Option<u64>) -> Vec<Section> {
    match head {
        None => vec![Section::with_context::<Object, Declaration>(declaration)],
        Some(head) => vec![
            Section::of::<FileHead>().between(0..head),
            Section::with_context::<Chunk<Object>, Declaration>(declaration).rows().between(head..u64::MAX),
        ],
    }
}

/// A file without chunks, which is one object.
fn object(storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
    let declaration = declaration(settings, "")?;
    let table = RowsTable::open(
        storage,
        path,
        declaration.description(),
        &Options::new().max_memory(settings.max_memory()?),
    )?;
    let said = |schema: &mut TableSchema| {
        *schema = std::mem::take(schema).with(keys::FORMAT, "beat").with(keys::SINGLE, "true");
    };
    Ok(Arc::new(table.describe(said)))
}

struct BeatTable {
    storage: Arc<dyn Storage>,
    path: String,
    declaration: Declaration,
    plan: Plan,
    schema: TableSchema,
    chunks: Places,
    /// What a chunk may take.
    limits: Limits,
}

impl fmt::Debug for BeatTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BeatTable").field("path", &self.path).finish_non_exhaustive()
    }
}

fn stream(storage: &Arc<dyn Storage>, path: &str, at: u64) -> Result<Stream<StorageReader>> {
    let input = StorageReader::new(Arc::clone(storage), path, at..u64::MAX)?;
    Ok(Stream::with(input, Limits::DEFAULT, Policy::STRICT, false)
        .starting_at(at)
        .leaping(StorageReader::leap))
}

impl Table for BeatTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        let count = self.chunks.count.unsigned_abs();
        if self.chunks.damaged.is_none() { Estimate::Exact(count) } else { Estimate::About(count) }
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let all = self.chunks.bounds().filter(|_| self.chunks.damaged.is_none())?;
        all.into_iter().nth(column)
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        let rows = wanted.rows_of(Some(self.chunks.count));
        // the rows from the first that is wanted to the last; who reads leaves out those between
        let mut left = self.chunks.wanted(wanted, &rows);
        let first = left.next();
        let last = left.next_back().or_else(|| first.clone());
        let left = first.map_or(rows.end, |part| part.start)..last.map_or(rows.end, |part| part.end);
        let split = |rows: Range<i64>| {
            let all = wanted.ranges.is_empty();
            let num_rows = Estimate::Exact((rows.end - rows.start).unsigned_abs());
            let (first, begin) = known(self.chunks.before(rows.start));
            Split {
                first,
                bytes: begin..self.chunks.after(rows.end).or(self.chunks.damaged).unwrap_or(u64::MAX),
                rows,
                num_rows: if all { num_rows } else { Estimate::Unknown },
                ..Split::default()
            }
        };
        let mut splits: Vec<Split> = cut(left, parts).map(split).collect();
        if let (Some(offset), None) = (self.chunks.damaged, &wanted.rows) {
            let (first, rows) = (self.chunks.count, self.chunks.count..i64::MAX);
            splits.push(Split { first, rows, bytes: offset..u64::MAX, ..Split::default() });
        }
        Ok(splits)
    }

    fn pruned(&self, wanted: &Wanted) -> Result<Option<Pruned>> {
        let rows = wanted.rows_of(Some(self.chunks.count));
        let chunks = self.chunks.wanted(wanted, &rows).flatten().map(i64::unsigned_abs);
        Ok(Some(Pruned::new("chunks", chunks, self.chunks.count.unsigned_abs())))
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let picks: Vec<usize> = columns.iter().filter_map(|column| column.checked_sub(2)).collect();
        let batches = ChunkBatches {
            plan: self.plan.pick(&picks),
            src: stream(&self.storage, &self.path, split.bytes.start)?,
            table: self,
            wanted: wanted.clone(),
            columns,
            rows: split.rows.clone(),
            row: split.first,
            error: None,
        };
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }
}

struct ChunkBatches {
    table: Arc<BeatTable>,
    plan: Plan,
    src: Stream<StorageReader>,
    wanted: Wanted,
    columns: Vec<usize>,
    rows: Range<i64>,
    /// The number of the chunk that comes next.
    row: i64,
    /// What comes after the rows before it.
    error: Option<Error>,
}

impl ChunkBatches {
    /// The next chunk; `None` of one that is not wanted.
    fn chunk(&mut self) -> Result<Option<Chunk<Value>>> {
        let run = self.table.chunks.run(self.row);
        let skipped = self.row < self.rows.start || run.is_some_and(|run| !run.is_wanted(&self.wanted));
        self.src.budget_mut().0.renew(self.table.limits);
        let passed = if skipped { next(&mut self.src) } else { Ok(None) };
        let found = match passed {
            Ok(Some(_)) => Ok(None),
            // where the file ends before the chunk it is told what is missing
            Ok(None) => {
                Chunk::<Value>::decode::<Le, _>(&mut self.src, self.table.declaration.program()).map(Some)
            }
            Err(e) => Err(e),
        };
        let row = usize::try_from(self.row).unwrap_or(usize::MAX);
        self.row = self.row.saturating_add(1);
        found.map_err(|e| e.within(Step::Index(row)).within(Step::Field("chunks")))
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        let (mut starts, mut ends, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let begin = self.src.pos();
        while self.error.is_none() && self.row < self.rows.end && values.len() < self.wanted.batch_rows.max(1)
        {
            let large = self.src.pos().saturating_sub(begin) >= self.wanted.batch_bytes;
            if large && !values.is_empty() {
                break;
            }
            match self.chunk() {
                Ok(None) => {}
                Ok(Some(chunk)) => {
                    starts.push(number(chunk.start)?);
                    ends.push(number(chunk.end)?);
                    values.push(chunk.value);
                }
                Err(e) => self.error = Some(e),
            }
        }
        if values.is_empty() {
            self.rows.end = self.rows.start;
            return self.error.take().map_or(Ok(None), Err);
        }
        let rows = values.len();
        let mut fields = self.plan.columns_of(&values)?.into_columns().into_iter();
        let of = |i: &usize| match i {
            0 => Some((Name::from("_start"), Column::from(starts.clone()))),
            1 => Some((Name::from("_end"), Column::from(ends.clone()))),
            _ => fields.next(),
        };
        Ok(Some(Columns::of_rows(rows, self.columns.iter().filter_map(of).collect())))
    }
}

impl Iterator for ChunkBatches {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        let batch = self.batch();
        if batch.is_err() {
            self.rows.end = self.rows.start;
            self.row = i64::MAX;
        }
        batch.transpose()
    }
}
