//! Files of text whose rows come one after the other: what CSV and JSON lines share.

pub(super) use super::cells::Cell;
use super::cells::{CellType, Cells, Found, Run, is_padded, is_rounded, unblanked};
use super::retyped::typed;
use super::tasks::in_turn;
use super::times::{is_not_a_time, may_be_among};
use super::wanted::Limited;
use super::{
    Batches, Estimate, Inferred, Settings, Split, Table, TableField, TableSchema, Task, Tasks, Wanted, keys,
};
use crate::columns::{Column, ColumnType, Columns};
use crate::error::{Error, Result, Step};
use crate::numbers::NumberType;
use crate::schema::Name;
use crate::wire::amount::{between, natural, num_in, plus, times64};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Reads one row after the other.
pub(super) trait Lines: Send {
    /// Goes to the next row, if there is one.
    fn next(&mut self) -> Result<bool>;

    /// The next rows, so many or of so many bytes, as ones of their own that any thread reads, and how many they are; `None` where
    /// there are not as many, or it is not known: they must be read here.
    fn split_off(&mut self, rows: usize, bytes: u64) -> Option<(Box<dyn Lines>, usize)>;

    /// The next rows of which it is known where all fields are, so many or of so many bytes at most; `None` if the next row must be read
    /// on its own. They are not passed by that.
    fn run(&mut self, _rows: usize, _bytes: u64) -> Option<Run<'_>> {
        None
    }

    /// Goes to the last of so many rows of the run at hand.
    fn pass(&mut self, _rows: usize) {}

    /// What is in a column of the row at hand.
    fn cell(&self, column: usize) -> Cell<'_>;

    /// Where the row at hand begins.
    fn start(&self) -> u64;

    /// The line that the row ends in, counted from 1.
    fn line(&self) -> u64;

    /// Where the next row begins.
    fn offset(&self) -> u64;
}

/// Opens the file again, before its first row, or the rows between two places.
pub(super) type Open = Arc<dyn Fn(Range<u64>) -> Result<Box<dyn Lines>> + Send + Sync>;

/// A file whose names and types are known.
pub(super) struct TextTable {
    open: Open,
    columns: Vec<TextColumn>,
    schema: TableSchema,
    bytes: Range<u64>,
    /// The most cells of a batch of several rows.
    cells: usize,
    /// How a number is written with a point, if some are not.
    point: Option<Point>,
}

/// What a field says with a decimal point, if it is a number without one.
type Point = fn(&[u8]) -> Option<Vec<u8>>;

/// What a column has.
#[derive(Clone, Copy, Debug)]
struct TextColumn {
    /// Which fields, if they are not the places of the rows.
    of: Option<usize>,
    ty: CellType,
    /// From what the type is inferred: a later field may be more than what it keeps.
    inferred: Option<Inferred>,
    /// Whether it is of that type for what is made of it.
    is_asked: bool,
}

/// The most cells of a batch of several rows, and how many a byte of the file may make on average of a batch that has as many: a line
/// may have few of very many columns.
const CELLS: usize = 1 << 22;
const OF_A_BYTE: u64 = 128;
/// What a cell takes at most, if it is none of a text or list.
const CELL: usize = 16;

impl fmt::Debug for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextTable").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl TextTable {
    /// Columns of these types; those that are inferred are not said.
    pub(super) fn new(names: Vec<String>, types: Vec<Found>, open: Open) -> Self {
        let field = |(name, found): (String, &Found)| TableField {
            inferred: found.inferred,
            ..TableField::new(name, found.ty.column_type()).logical(found.ty.logical())
        };
        let schema = TableSchema::new(names.into_iter().zip(&types).map(field));
        let column = |(of, found): (usize, &Found)| TextColumn {
            of: Some(of),
            ty: found.ty,
            inferred: found.inferred,
            is_asked: false,
        };
        let columns = types.iter().enumerate().map(column).collect();
        TextTable { open, schema, columns, bytes: 0..u64::MAX, cells: CELLS, point: None }
    }

    /// The same where rows have names of their own.
    pub(super) fn open(self) -> Self {
        TextTable { schema: self.schema.with(keys::OPEN, "true"), ..self }
    }

    /// The same with batches that take no more memory than this, if nearly all is missing in them.
    pub(super) fn up_to(self, memory: usize) -> Self {
        TextTable { cells: CELLS.min(num_in(memory, CELL)), ..self }
    }

    /// The same where some numbers are not written with a point. Texts stay as they are.
    pub(super) fn with_points(self, point: Point) -> Self {
        TextTable { point: Some(point), ..self }
    }

    /// The same with the column `_offset`, if the setting `offsets` says so: where each row begins in the file.
    pub(super) fn with_offsets(mut self, settings: &Settings) -> Result<Self> {
        if settings.is_on("offsets")? {
            let number = ColumnType::Number(NumberType::U64);
            self.schema.fields.push(TableField::new(OFFSET, number).with(keys::ADDED, "true"));
            self.columns.push(TextColumn { of: None, ty: CellType::U64, inferred: None, is_asked: false });
        }
        Ok(self)
    }
}

impl TextTable {
    /// The rows between two places.
    fn part(&self, bytes: Range<u64>) -> Self {
        let (open, columns, schema) = (Arc::clone(&self.open), self.columns.clone(), self.schema.clone());
        TextTable { open, columns, schema, bytes, cells: self.cells, point: self.point }
    }
}

impl TextColumn {
    /// Adds what a row has here; whether it is of the type.
    fn push(&self, cells: &mut Cells, cell: Cell<'_>, point: Option<Point>) -> bool {
        match cell {
            Cell::Missing(code) => {
                cells.push_missing(code);
                true
            }
            Cell::Blank => {
                cells.push_blank();
                true
            }
            Cell::Text(text, _) if self.is_no_time(text) => {
                cells.push_missing(0);
                true
            }
            Cell::Text(text, _) => {
                let pointed = point.filter(|_| self.ty != CellType::Text);
                let pointed = pointed.and_then(|point| point(text));
                let number = pointed.as_deref().unwrap_or(text);
                self.is_kept(number) && cells.push(Some(number))
            }
            Cell::Nested(text, _) => cells.push_nested(text),
            Cell::Bytes(text, _) => cells.push_bytes(text),
        }
    }

    /// Whether a field of a column that looks like one of times says that there is none.
    fn is_no_time(self, field: &[u8]) -> bool {
        self.inferred.is_some() && matches!(self.ty, CellType::Time(_)) && is_not_a_time(field)
    }

    /// Whether a field loses nothing as a value of the type.
    fn is_kept(self, field: &[u8]) -> bool {
        match self.ty {
            _ if self.inferred.is_none() => true,
            CellType::Text => true,
            CellType::Time(_) => may_be_among(field, self.inferred == Some(Inferred::Zoned)),
            ty => {
                let field = unblanked(field);
                !is_padded(field) && (ty != CellType::F64 || !is_rounded(field))
            }
        }
    }
}

/// The column with the places of the rows.
const OFFSET: &str = "_offset";

impl Table for TextTable {
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

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let mut all = self.part(self.bytes.clone());
        for (place, ty) in columns {
            let of = self.columns.get(*place)?.of?;
            let column = TextColumn { of: Some(of), ty: *ty, inferred: None, is_asked: true };
            all.columns.push(column);
            all.schema.fields.push(typed(self.schema.fields.get(*place)?, *ty));
        }
        Some(Arc::new(all))
    }

    fn between(&self, bytes: Range<u64>) -> Option<Arc<dyn Table>> {
        Some(Arc::new(self.part(bytes)))
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let reading = Reading::new(self, wanted)?;
        let rows = reading.rows_of(reading.open()?, 0, 0);
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        let skip = natural(split.rows.start);
        Ok(Box::new(Limited::new(rows, most).after(skip)))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        if split.rows != (0..i64::MAX) || wanted.limit.is_some() {
            // which are not whole batches
            return Ok(in_turn(self.read(split, wanted)?));
        }
        let reading = Reading::new(self, wanted)?;
        let lines = reading.open()?;
        Ok(Box::new(TextTasks { reading, row: 0, lines: Some(lines), rest: None }))
    }
}

/// Which columns of a file are read, in what batches.
#[derive(Clone)]
struct Reading {
    table: Arc<TextTable>,
    columns: Arc<[usize]>,
    /// Those of them that are fields of the rows, and which.
    fields: Arc<[(usize, TextColumn, usize)]>,
    batch: usize,
    bytes: u64,
    /// Whether a batch has fewer rows than are wanted, because it has so many columns.
    is_cut: bool,
}

impl Reading {
    fn new(table: Arc<TextTable>, wanted: &Wanted) -> Result<Self> {
        let columns: Arc<[usize]> = wanted.columns_of(&table.schema)?.into();
        let known = columns.iter().filter_map(|place| Some((*place, *table.columns.get(*place)?)));
        let fields = known.filter_map(|(place, column)| Some((place, column, column.of?))).collect();
        let (batch, most) = (wanted.batch_rows.max(1), num_in(table.cells, columns.len().max(1)).max(1));
        let (is_cut, batch) = (most < batch, batch.min(most));
        Ok(Reading { table, columns, fields, batch, bytes: wanted.batch_bytes, is_cut })
    }

    fn open(&self) -> Result<Box<dyn Lines>> {
        (self.table.open)(self.table.bytes.clone())
    }

    /// The rows from the one with that number on, so many in a batch if that is known.
    fn rows_of(&self, lines: Box<dyn Lines>, row: usize, count: usize) -> TextRows {
        TextRows { lines, reading: self.clone(), row, first: row, count, failed: None, has_ended: false }
    }
}

/// The rows of a file, of which any thread makes batches: the same as one makes.
struct TextTasks {
    reading: Reading,
    /// The number of the next row.
    row: usize,
    /// Those that are not split off.
    lines: Option<Box<dyn Lines>>,
    /// In their place, the rest, which is read here.
    rest: Option<Tasks>,
}

impl Iterator for TextTasks {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        let Reading { batch, bytes, .. } = self.reading;
        let row = self.row;
        if let Some((lines, count)) =
            self.lines.as_mut().and_then(|lines| lines.split_off(batch, bytes.max(1)))
        {
            self.row = plus(row, count);
            let rows = self.reading.rows_of(lines, row, count);
            return Some(Box::new(|| rows.collect()));
        }
        if let Some(lines) = self.lines.take() {
            self.rest = Some(in_turn(Box::new(self.reading.rows_of(lines, row, 0))));
        }
        self.rest.as_mut()?.next()
    }
}

/// The rows of a file, or some of them, batch by batch.
struct TextRows {
    reading: Reading,
    lines: Box<dyn Lines>,
    row: usize,
    /// The first of the batch at hand.
    first: usize,
    /// How many the batch before has.
    count: usize,
    /// What comes after the rows that were read.
    failed: Option<Error>,
    has_ended: bool,
}

impl TextRows {
    /// Goes to the next row and adds it.
    fn push(&mut self, cells: &mut [Cells], offsets: &mut Vec<u64>) -> Result<bool> {
        let row = self.row;
        let at_row = |e: Error| e.within(Step::Index(row));
        if !self.lines.next().map_err(at_row)? {
            return Ok(false);
        }
        offsets.push(self.lines.start());
        let Reading { table, fields, .. } = &self.reading;
        for (cells, (place, column, of)) in cells.iter_mut().zip(fields.iter()) {
            let cell = self.lines.cell(*of);
            if column.push(cells, cell, table.point) {
                continue;
            }
            let (Cell::Text(text, at) | Cell::Nested(text, at) | Cell::Bytes(text, at)) = cell else {
                continue;
            };
            let shown = String::from_utf8_lossy(text);
            let (ty, line) = (column.ty, self.lines.line());
            let to = if column.is_asked { " for the file that is written" } else { "" };
            let text = format!("expected {ty}{to}, found {shown:?} in line {line}");
            let name = table.schema.fields.get(*place).map_or("", |field| &*field.name);
            return Err(at_row(Error::message(text, at).within(Step::Name(name.into()))));
        }
        Ok(true)
    }

    /// Adds the next rows of which it is known where all fields are, a column at a time; how many they are. What is no value of its column
    /// ends them: the row is read on its own then.
    fn push_run(
        &mut self,
        cells: &mut [Cells],
        offsets: &mut Vec<u64>,
        (rows, bytes): (usize, u64),
    ) -> usize {
        let Reading { table, columns, fields, .. } = &self.reading;
        let Some(run) = self.lines.run(rows, bytes) else { return 0 };
        let mut all = run.rows();
        for (cells, (_, column, of)) in cells.iter_mut().zip(fields.iter()) {
            let is_plain = table.point.is_none() || column.ty == CellType::Text;
            let other = |cells: &mut Cells, cell: Cell<'_>| column.push(cells, cell, table.point);
            all = all.min(cells.extend(&run, *of, is_plain, other));
        }
        if columns.len() > fields.len() {
            offsets.extend(run.starts().take(all));
        }
        if all < run.rows() {
            let before = self.row.saturating_sub(self.first);
            cells.iter_mut().for_each(|cells| cells.truncate(plus(before, all)));
        }
        self.lines.pass(all);
        all
    }

    /// What is wrong if hardly any cell of a whole batch has a value: reading it would take ages for so few bytes.
    fn sparse(&self, rows: usize, begin: u64) -> Option<Error> {
        let (columns, bytes) = (self.reading.columns.len(), between(begin, self.lines.offset()));
        let cells = times64(rows as u64, columns as u64);
        let line = self.lines.line();
        let text = format!(
            "the {rows} rows up to line {line} have {columns} columns, in which hardly anything has a value: {cells} cells of {bytes} bytes"
        );
        (cells > times64(bytes, OF_A_BYTE)).then(|| Error::message(text, self.lines.start()))
    }

    fn fill(&mut self) -> Result<Option<Columns>> {
        let Reading { table, columns: wanted, fields, batch, bytes, .. } = self.reading.clone();
        let room = |(_, column, _): &(usize, TextColumn, usize)| Cells::with_room(column.ty, self.count);
        let mut cells: Vec<Cells> = fields.iter().map(room).collect();
        let (begin, first) = (self.lines.offset(), self.row);
        let mut offsets = Vec::with_capacity(self.count);
        let full = plus(first, batch);
        self.first = first;
        while self.row < full && between(begin, self.lines.offset()) < bytes.max(1) {
            let left = between(between(begin, self.lines.offset()), bytes.max(1));
            let added = self.push_run(&mut cells, &mut offsets, (full.saturating_sub(self.row), left));
            if added > 0 {
                self.row = plus(self.row, added);
                continue;
            }
            match self.push(&mut cells, &mut offsets) {
                Ok(true) => self.row = self.row.saturating_add(1),
                Ok(false) => break,
                Err(e) => {
                    // the rows before it come first
                    self.failed = Some(e);
                    break;
                }
            }
        }
        let rows = self.row.saturating_sub(first);
        if self.reading.is_cut && self.row == full && self.failed.is_none() {
            self.failed = self.sparse(rows, begin);
        }
        if rows == 0 {
            self.has_ended = true;
            return self.failed.take().map_or(Ok(None), Err);
        }
        self.count = rows;
        offsets.truncate(rows);
        let mut columns = Vec::new();
        let mut cells = cells.into_iter();
        for column in wanted.iter() {
            let name = table.schema.fields.get(*column).map_or_else(|| Name::from(""), |f| f.name.clone());
            let made = match table.columns.get(*column).is_some_and(|column| column.of.is_some()) {
                true => cells.next().and_then(|mut cells| {
                    cells.truncate(rows);
                    cells.into_column()
                }),
                false => Some(Column::from(offsets.clone())),
            };
            let column = made.ok_or_else(|| Error::other("a column without all its rows"))?;
            columns.push((name, column));
        }
        Ok(Some(Columns::of_rows(rows, columns)))
    }
}

impl Iterator for TextRows {
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
