//! Files that are rows of a layout and nothing else.

use super::field::{TableField, TableSchema, keys};
use super::section::Section;
use super::split::{Estimate, Split, cut, num_bytes};
use super::wanted::{Limited, Wanted};
use super::{Batches, ScalarRange, Table, Task, Tasks};
use crate::columns::{Column, ColumnType, Columns, ColumnsReader, Plan};
use crate::containers::encodings::Page;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::NumberType;
use crate::schema::{Description, Extent, Field, Name, Record, Type};
use crate::storage::{Storage, StorageReader};
use crate::wire::amount::{after, natural, row_after, times64};
use crate::wire::{Encoding, Options};
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A file of rows of any layout, in either byte order, as a table.
///
/// Rows of one size are cut anywhere. Of others it must be known where they begin: without that they are one split, after
/// [`find_rows`](Self::find_rows) they are cut there. A file that is still coming ([`Storage::is_arriving`]) is one split, and nobody waits
/// for its end.
///
/// ```
/// use binfmt::{Options, schema::{Description, Field, Record, Type}, storage::{Memory, Storage}};
/// use binfmt::table::{RowsTable, Table, Wanted};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.bin", &[1, 2, 3, 4])?;
/// let x = Field::new("x", Type::Int { bytes: 1, signed: false });
/// let layout = Description::new(Type::Record(Record::new("Row", [x])));
/// let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?;
/// let splits = table.splits(&Wanted::new().rows(1..3), 2)?;
/// assert_eq!(splits.iter().map(|split| split.bytes.clone()).collect::<Vec<_>>(), [1..2, 2..3]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct RowsTable {
    storage: Arc<dyn Storage>,
    path: String,
    plan: Plan,
    options: Options,
    schema: TableSchema,
    /// Where the rows are in the file: to its end, if they are all that comes.
    bytes: Range<u64>,
    /// Which column has the numbers of the rows: the last, if there is one.
    numbers: Option<usize>,
    /// Where some of the rows begin, if that was looked for.
    starts: OnceLock<Starts>,
}

/// Where every so many-th row begins, and how many rows there are.
#[derive(Debug)]
struct Starts {
    offsets: Vec<u64>,
    rows: i64,
}

/// Rows between two places that are kept.
const STEP: i64 = 1 << 15;

impl fmt::Debug for RowsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowsTable")
            .field("path", &self.path)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl RowsTable {
    /// The rows of a file.
    ///
    /// ```
    /// # use binfmt::{Options, schema::{Description, Field, Record, Type}, storage::Memory, table::RowsTable};
    /// let layout = Description::new(Type::Record(Record::new("Row", [])));
    /// let files = std::sync::Arc::new(Memory::new());
    /// let e = RowsTable::open(files, "x.bin", &layout, &Options::new()).unwrap_err();
    /// assert!(e.to_string().contains("no such file"), "{e}");
    /// ```
    ///
    /// # Errors
    /// There is no such file, or the layout has something that has no form as a column ([`Plan::new`]).
    pub fn open(
        storage: Arc<dyn Storage>,
        path: &str,
        layout: &Description,
        options: &Options,
    ) -> Result<Self> {
        let plan = Plan::new(layout)?;
        let named = |e: Error| e.within(Step::Name(path.into()));
        let size = match storage.is_arriving(path) {
            true => Some(u64::MAX),
            false => storage.size(path).map_err(|e| named(e.into()))?,
        };
        let size = size.ok_or_else(|| named(ErrorKind::MissingFile { consequence: "" }.into()))?;
        let schema = TableSchema::new(fields_of(&plan)).with(keys::SCHEMA, layout.to_string());
        Ok(RowsTable {
            storage,
            path: path.to_owned(),
            plan,
            options: *options,
            schema,
            bytes: 0..size,
            numbers: None,
            starts: OnceLock::new(),
        })
    }

    /// Only what is between two places of the file. The file may have less of it, which is an error when the missing row is read.
    ///
    /// ```
    /// # use binfmt::{Options, schema::{Description, Field, Record, Type}, storage::{Memory, Storage}};
    /// # use binfmt::table::{Estimate, RowsTable, Table};
    /// # use std::sync::Arc;
    /// # let files = Memory::new();
    /// # files.write("x.bin", &[5, 6, 7])?;
    /// # let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// # let layout = Description::new(Type::Record(Record::new("Row", [x])));
    /// let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?.between(1..3);
    /// assert_eq!(table.num_rows(), Estimate::Exact(2));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn between(mut self, bytes: Range<u64>) -> Self {
        self.bytes = bytes;
        self.starts = OnceLock::new();
        self
    }

    /// Adds a last column `_row` with the numbers of the rows, as `i64`.
    ///
    /// ```
    /// # use binfmt::{Options, schema::{Description, Field, Record, Type}, storage::{Memory, Storage}};
    /// # use binfmt::table::{RowsTable, Table, Wanted};
    /// # use std::sync::Arc;
    /// # let files = Memory::new();
    /// # files.write("x.bin", &[5, 6, 7])?;
    /// # let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// # let layout = Description::new(Type::Record(Record::new("Row", [x])));
    /// let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?.with_row_numbers();
    /// let table: Arc<dyn Table> = Arc::new(table);
    /// let batch = table.batches(&Wanted::new().range(1, 1..))?.next().unwrap()?;
    /// assert_eq!(batch.get("_row").unwrap().as_slice::<i64>(), Some(&[1, 2][..]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with_row_numbers(mut self) -> Self {
        if self.numbers.is_none() {
            self.numbers = Some(self.schema.fields.len());
            self.schema.fields.push(row_numbers());
        }
        self
    }

    /// Changes what is said of the columns: units, what they are called elsewhere, what the file says of all. Their names, types and order
    /// stay those of the layout.
    ///
    /// ```
    /// # use binfmt::{Options, schema::*, storage::{Memory, Storage}, table::{RowsTable, Table, keys}};
    /// # use std::sync::Arc;
    /// let files = Memory::new();
    /// files.write("x.bin", &[1, 2])?;
    /// let layout: Description = "record, le\n  s: u8\n".parse().unwrap();
    /// let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?;
    /// let table = table.describe(|schema| schema.fields[0] = schema.fields[0].clone().with(keys::UNITS, "m"));
    /// assert_eq!(table.schema().fields[0].get(keys::UNITS), Some("m"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn describe(mut self, say: impl FnOnce(&mut TableSchema)) -> Self {
        say(&mut self.schema);
        self
    }

    /// Looks where rows of any size begin, so that they can be cut: one pass over their lengths. Rows of one size need none.
    ///
    /// ```
    /// # use binfmt::{Options, schema::*, storage::{Memory, Storage}, table::{Estimate, RowsTable, Table}};
    /// # use std::sync::Arc;
    /// # let files = Memory::new();
    /// # files.write("x.bin", b"\x01a\x00\x02bc")?;
    /// let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    /// let layout = Description::new(Type::Record(Record::new("Row", [Field::new("x", Type::Bytes { len })])));
    /// let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?;
    /// table.find_rows()?;
    /// assert_eq!(table.num_rows(), Estimate::Exact(3));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or a row is damaged so that the next one cannot be found.
    pub fn find_rows(&self) -> Result<()> {
        if self.row_size().is_some() || self.starts.get().is_some() {
            return Ok(());
        }
        let mut reader = self.reader(&self.plan.pick(&[]), &self.whole(0..i64::MAX))?;
        let (mut offsets, mut rows) = (Vec::new(), 0i64);
        loop {
            let at = reader.offset();
            let skipped = reader.skip_rows(STEP as u64)?;
            if skipped == 0 {
                break;
            }
            offsets.push(at);
            rows = row_after(rows, skipped);
        }
        // two that look at once find the same
        let _ = self.starts.set(Starts { offsets, rows });
        Ok(())
    }

    /// These rows, from the first byte on.
    fn whole(&self, rows: Range<i64>) -> Split {
        Split { rows, bytes: self.bytes.clone(), ..Split::default() }
    }

    fn row_size(&self) -> Option<NonZeroU64> {
        let size = self.plan.row_size().filter(|_| self.bytes.end < u64::MAX);
        size.and_then(|size| NonZeroU64::new(size as u64))
    }

    /// The rows of the file, and what is left after the last one.
    fn fixed_rows(&self, size: NonZeroU64) -> (i64, u64) {
        let all = num_bytes(&self.bytes);
        (i64::try_from(all / size).unwrap_or(i64::MAX), all % size)
    }

    fn reader(&self, plan: &Plan, split: &Split) -> Result<ColumnsReader<StorageReader>> {
        let Split { bytes, first, .. } = split;
        let input = StorageReader::forward(Arc::clone(&self.storage), &self.path, bytes.clone())?;
        // 0 is no place where it is known to end
        let end = if input.end() < u64::MAX { input.end() } else { 0 };
        let reader = plan.reader(input, &self.options).likely_to_end_at(end);
        Ok(reader.starting_at(bytes.start, natural(*first)))
    }

    /// The rows that are wanted by their numbers.
    fn wanted_rows(&self, wanted: &Wanted, all: Option<i64>) -> Range<i64> {
        let rows = wanted.rows_of(all);
        let Some(column) = self.numbers else { return rows };
        let (low, high) = wanted.integers(column);
        let clip = |n: i128| i64::try_from(n.clamp(0, i128::from(i64::MAX))).unwrap_or(i64::MAX);
        rows.start.max(clip(low))..rows.end.min(clip(high.saturating_add(1)))
    }

    /// Splits of rows of one size. The last of the file goes on to its end, so that nothing is left over.
    fn fixed_splits(&self, wanted: &Wanted, parts: usize, size: NonZeroU64) -> Vec<Split> {
        let (all, left) = self.fixed_rows(size);
        let rows = self.wanted_rows(wanted, Some(all));
        // a wanted row that is cut short is missed
        let is_missed = wanted.rows.as_ref().is_none_or(|rows| rows.start <= all && rows.end > all);
        let to_end = rows.end == all && is_missed;
        let at = |row: i64| after(self.bytes.start, times64(natural(row), size.get()));
        let split = |rows: Range<i64>| Split { bytes: at(rows.start)..at(rows.end), ..Split::of_rows(rows) };
        let mut splits: Vec<Split> = cut(rows, parts).map(split).collect();
        if to_end && left > 0 {
            match splits.last_mut() {
                Some(last) => (last.rows.end, last.bytes.end) = (i64::MAX, self.bytes.end),
                // not one whole row
                None => {
                    let bytes = at(all)..self.bytes.end;
                    splits.push(Split { first: all, rows: all..i64::MAX, bytes, ..Split::default() });
                }
            }
        }
        splits
    }

    /// Splits of rows whose beginnings are known, between which all is as it was found.
    fn found_splits(&self, wanted: &Wanted, parts: usize, starts: &Starts) -> Vec<Split> {
        let rows = self.wanted_rows(wanted, Some(starts.rows));
        let block = |row: i64| row / STEP;
        let blocks = match rows.is_empty() {
            true => 0..0,
            false => block(rows.start)..block(rows.end.saturating_sub(1)).saturating_add(1),
        };
        let offset = |block: i64| starts.offsets.get(usize::try_from(block).ok()?).copied();
        let split = |blocks: Range<i64>| {
            let first = blocks.start.saturating_mul(STEP);
            let last = blocks.end.saturating_mul(STEP).min(rows.end);
            let rows = rows.start.max(first)..last;
            let end = offset(blocks.end).filter(|_| !self.plan.looks_past_rows());
            let bytes = offset(blocks.start)?..end.unwrap_or(self.bytes.end);
            Some(Split { first, bytes, ..Split::of_rows(rows) })
        };
        cut(blocks, parts).filter_map(split).collect()
    }
}

/// Whether every value of a type takes the same memory.
fn has_size(ty: &ColumnType) -> bool {
    match ty {
        ColumnType::Number(_) | ColumnType::FixedBytes(_) => true,
        ColumnType::Nullable { values, .. } => has_size(values),
        ColumnType::Array { items, .. } => has_size(items),
        _ => false,
    }
}

/// The column of the numbers of rows.
fn row_numbers() -> TableField {
    TableField::new("_row", ColumnType::Number(NumberType::I64)).with(keys::ADDED, "true")
}

impl Table for RowsTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        let known = self.starts.get().map(|starts| Estimate::Exact(starts.rows.unsigned_abs()));
        match self.row_size().map(|size| self.fixed_rows(size)) {
            Some((rows, 0)) => Estimate::Exact(rows.unsigned_abs()),
            Some((rows, _)) => Estimate::About(rows.unsigned_abs()),
            None => known.unwrap_or(Estimate::Unknown),
        }
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let rows = i64::try_from(self.num_rows().exact()?).ok()?;
        (self.numbers == Some(column)).then(|| ScalarRange::of(0..rows))
    }

    fn fills(&self, columns: &[usize]) -> bool {
        let fields = columns.iter().map(|column| self.schema.fields.get(*column));
        self.row_size().is_some()
            && fields.into_iter().all(|field| field.is_some_and(|field| has_size(&field.ty)))
    }

    fn image(self: Arc<Self>) -> Option<Arc<dyn Table>> {
        let size =
            self.row_size().filter(|_| self.numbers.is_none() && self.plan.is_image(self.options.endian))?;
        let row = Field::new("row", Type::Bytes { len: Extent::Fixed(size.get()) });
        let layout = Description::new(Type::Record(Record::new("row", [row])));
        let rows = RowsTable::open(Arc::clone(&self.storage), &self.path, &layout, &self.options).ok()?;
        Some(Arc::new(rows.between(self.bytes.clone())))
    }

    fn sections(&self) -> Vec<Section> {
        let rows = Section::described(self.plan.description());
        rows.map(|rows| rows.rows().between(self.bytes.clone()).with_options(self.options))
            .into_iter()
            .collect()
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        if let Some(size) = self.row_size() {
            return Ok(self.fixed_splits(wanted, parts, size));
        }
        if let Some(starts) = self.starts.get() {
            return Ok(self.found_splits(wanted, parts, starts));
        }
        let rows = self.wanted_rows(wanted, None);
        Ok(if rows.is_empty() { Vec::new() } else { vec![self.whole(rows)] })
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let batches = self.batches_of(split, wanted)?;
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        let mut batches = self.batches_of(split, wanted)?;
        batches.left = batches.left.min(wanted.limit.unwrap_or(u64::MAX));
        Ok(Box::new(RowTasks(batches)))
    }
}

impl RowsTable {
    fn batches_of(&self, split: &Split, wanted: &Wanted) -> Result<RowBatches> {
        let columns = wanted.columns_of(&self.schema)?;
        let numbers = columns.iter().enumerate().filter(|(_, column)| self.numbers == Some(**column));
        let numbers: Vec<usize> = numbers.map(|(place, _)| place).collect();
        let picks: Vec<usize> = columns.iter().copied().filter(|c| self.numbers != Some(*c)).collect();
        let mut reader = self.reader(&self.plan.pick(&picks), split)?.batch_bytes(wanted.batch_bytes);
        let mut skip = natural(split.rows.start.saturating_sub(split.first));
        // what was counted is there, or the file is another one
        if split.rows.end < i64::MAX && (self.row_size().is_some() || self.starts.get().is_some()) {
            reader.skip_rows(std::mem::take(&mut skip))?;
            reader = reader.expecting(split.most_rows());
        }
        Ok(RowBatches {
            reader,
            skip,
            row: split.rows.start,
            left: split.most_rows(),
            batch: wanted.batch_rows.max(1),
            numbers: numbers.into(),
        })
    }
}

/// Batches of one split.
struct RowBatches {
    reader: ColumnsReader<StorageReader>,
    skip: u64,
    /// The number of the next row.
    row: i64,
    left: u64,
    batch: usize,
    /// Where among the columns the numbers of the rows are wanted.
    numbers: Arc<[usize]>,
}

impl RowBatches {
    /// Goes to the next rows, of at most as many as are wanted at once: none if there are no more.
    fn step(&mut self) -> Result<usize> {
        let skip = std::mem::take(&mut self.skip);
        if skip > 0 {
            self.reader.skip_rows(skip)?;
        }
        Ok(usize::try_from(self.left).unwrap_or(usize::MAX).min(self.batch))
    }

    /// The number of the first of the rows that were read.
    fn passed(&mut self, rows: u64) -> i64 {
        let start = self.row;
        self.row = row_after(start, rows);
        self.left = self.left.saturating_sub(rows);
        start
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        let most = self.step()?;
        let batch = if most > 0 { self.reader.next_batch(most)? } else { None };
        Ok(batch.map(|columns| {
            let first = self.passed(columns.num_rows() as u64);
            with_numbers_of(columns, &self.numbers, first)
        }))
    }

    /// The next rows to be decoded.
    fn task(&mut self) -> Result<Option<Task>> {
        let most = self.step()?;
        let found = if most > 0 { self.reader.next_found(most)? } else { None };
        Ok(found.map(|found| {
            let (first, numbers) = (self.passed(found.num_rows()), Arc::clone(&self.numbers));
            let numbered = move |batch: Columns| with_numbers_of(batch, &numbers, first);
            Box::new(move || found.decode().into_iter().map(|batch| batch.map(&numbered)).collect()) as Task
        }))
    }
}

/// The same, decoded by others.
struct RowTasks(RowBatches);

impl Iterator for RowTasks {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        self.0.task().unwrap_or_else(|e| {
            self.0.left = 0;
            Some(Box::new(|| vec![Err(e)]))
        })
    }
}

impl Iterator for RowBatches {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        let batch = self.batch();
        if batch.is_err() {
            self.left = 0;
        }
        batch.transpose()
    }
}

/// The columns with the numbers of their rows among them.
fn with_numbers_of(columns: Columns, places: &[usize], first: i64) -> Columns {
    if places.is_empty() {
        return columns;
    }
    let count = columns.num_rows();
    let mut all = columns.into_columns();
    for place in places {
        let numbers = Column::from((first..i64::MAX).take(count).collect::<Vec<i64>>());
        all.insert((*place).min(all.len()), (Name::from("_row"), numbers));
    }
    Columns::of_rows(count, all)
}

/// What is said of the columns of a plan.
pub(crate) fn fields_of(plan: &Plan) -> Vec<TableField> {
    let layout = plan.description();
    let record = match layout.resolve(&layout.root) {
        Some(Type::Record(record)) => record.fields.as_slice(),
        _ => &[],
    };
    // in the order of the columns, which are fewer where a field has no values
    let mut fields = record.iter();
    let mut said = |name: &str| fields.by_ref().find(|field| field.name == name);
    let of = |(name, ty): (&str, ColumnType)| {
        let field = TableField::new(name, ty);
        match said(name) {
            Some(Field { doc, native, ty, rules, .. }) => {
                let is_unchecked = Page::of_rules(rules).is_none() && is_unchecked(layout, ty, MOST_INSIDE);
                let field = field
                    .with(keys::DESCRIPTION, doc.clone())
                    .with(keys::NATIVE, native.clone())
                    .with(keys::ENCODING, if is_unchecked { "any" } else { "" });
                let mut inside = String::new();
                natives(layout, ty, "", MOST_INSIDE, &mut inside);
                field.with(keys::NATIVE_INSIDE, inside)
            }
            None => field,
        }
    };
    plan.types().map(of).collect()
}

/// How deep records in a column are looked into for the types of their fields.
const MOST_INSIDE: usize = 16;

/// A line for each field of a record in a column: its path, and what its format calls the type.
fn natives(layout: &Description, ty: &Type, path: &str, depth: usize, lines: &mut String) {
    let fields = match layout.resolve(ty) {
        Some(Type::Record(record)) if depth > 0 => record.fields.as_slice(),
        _ => &[],
    };
    for Field { name, native, ty, .. } in fields {
        let path = format!("{path}.{name}");
        if !native.is_empty() {
            lines.push_str(&format!("{path} {native}\n"));
        }
        natives(layout, ty, &path, depth.saturating_sub(1), lines);
    }
}

/// Whether a text might not be UTF-8.
fn is_unchecked(layout: &Description, ty: &Type, depth: usize) -> bool {
    let inside = |ty| depth > 0 && is_unchecked(layout, ty, depth.saturating_sub(1));
    match ty {
        Type::Text { encoding, .. } => *encoding == Encoding::Any,
        Type::Named(_) => layout.resolve(ty).is_some_and(inside),
        // of a list the texts are inside
        Type::List { .. } | Type::Shaped { .. } => false,
        ty => ty.body().is_some_and(inside),
    }
}
