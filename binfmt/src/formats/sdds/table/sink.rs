//! Tables as files: rows become pages, constants parameters.

use super::counted;
use super::gathered::repeated;
use super::schema::{text, time_of, type_of};
use crate::columns::{Column, ColumnData, ColumnType, Columns};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::layout::definition::{Column as Definition, Header, Parameter};
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::Table;
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::{DataType, Mode};
use crate::formats::sdds::layout::value::{Elements, Value};
use crate::formats::sdds::pack::{Compression, Packed};
use crate::formats::sdds::read::reader::Options;
use crate::formats::sdds::write::Writer;
use crate::storage::{Storage, StorageWriter};
use crate::table::aside::Aside;
use crate::table::csv::CellType;
use crate::table::filled::{Blanks, Taking, at, inner, is_same, note};
use crate::table::{
    Fit, Logical, Settings, TableField, TableSchema, TableSink, TimeUnit, Written, as_read, exact_fit, keys,
};
use crate::wire::Endian;
use crate::wire::amount::{after, plus};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The column whose changes begin pages, and that of the files whose pages it counts, if a reader adds it.
const PAGE: &str = "_page";
const FILE: &str = "_file";

/// What one of the file's definitions is made of.
#[derive(Debug)]
struct SinkColumn {
    place: usize,
    to: TableField,
    kind: DataType,
}

/// A column of which the header says what all its values are.
#[derive(Debug)]
struct Fixed {
    taken: SinkColumn,
    said: Text,
    /// The value, and what a table has of it that only knows doubles.
    values: Column,
}

/// A file that grows page by page. The rows of a page are held until it ends, or where their number can be
/// [put in its place](counted) afterwards, until more of them come.
pub(super) struct SddsSink {
    writer: Writer<Packed<StorageWriter>>,
    columns: Vec<SinkColumn>,
    parameters: Vec<SinkColumn>,
    fixed: Vec<Fixed>,
    /// Which columns say where pages begin, and are not in the file.
    marks: Vec<usize>,
    /// What these say, and the parameters of the page that is held, as columns of one row.
    key: Option<Vec<Column>>,
    held: Aside,
    is_counted_later: bool,
    /// Where the number of rows is of the page that is held, if rows of it are written.
    count_at: Option<u64>,
    notes: Vec<String>,
    reads: Vec<(usize, CellType)>,
    blanks: Blanks,
    rows: u64,
    pages: u64,
}

impl SddsSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let mut plan = Plan::default();
        let mut header = match settings.get("like") {
            Some(_) if settings.get("as_parameters").is_some() => {
                let text =
                    "setting `as_parameters`: the header that `like` names says what its parameters are";
                return Err(Error::other(text));
            }
            Some(like) => plan.like(like_of(like)?, schema)?,
            None => plan.of(schema, settings)?,
        };
        arranged(&mut header, schema, settings)?;
        let Plan { columns, parameters, fixed, marks, notes, reads } = plan;
        let kind = settings.word(
            "compression",
            &[("none", Compression::None), ("gz", Compression::Gzip), ("xz", Compression::Xz)],
        )?;
        let kind = kind.unwrap_or(Compression::by_name(&path.to_lowercase()));
        // what is wrong with the header is told before there is a file
        header.to_bytes()?;
        let mut writer = Writer::new(Packed::new(StorageWriter::new(storage, path)?, kind)?, header)?;
        let is_counted_later = counted::can_be(&mut writer)?;
        let types = columns.iter().map(|taken: &SinkColumn| (taken.to.name.clone(), taken.to.ty.clone()));
        let held = Aside::new(types);
        Ok(SddsSink {
            writer,
            held,
            is_counted_later,
            count_at: None,
            columns,
            parameters,
            fixed,
            marks,
            key: None,
            notes,
            reads,
            blanks: Blanks::of("SDDS"),
            rows: 0,
            pages: 0,
        })
    }
}

fn like_of(path: &str) -> Result<Header> {
    let named = |e: Error| Error::other(format!("setting `like`: {}", e.within(Step::Name(path.into()))));
    let file = std::fs::File::open(path).map_err(|e| named(e.into()))?;
    let reader = Options::new().reader(std::io::BufReader::new(file)).map_err(named)?;
    Ok(reader.file_header().clone())
}

/// How the pages are written.
fn arranged(header: &mut Header, schema: &TableSchema, settings: &Settings) -> Result<()> {
    let words = [("ascii", Mode::Ascii), ("binary", Mode::Binary)];
    if let Some(mode) = settings.word("mode", &words)? {
        header.mode = mode;
    } else if settings.get("like").is_none() && schema.get("sdds:mode") == Some(Mode::Ascii.name()) {
        header.mode = Mode::Ascii;
    }
    header.no_row_counts = false;
    header.lines_per_row = 1;
    header.additional_header_lines = 0;
    header.fixed_row_count = false;
    let order = settings.endian("byte_order")?;
    header.endian = (header.mode == Mode::Binary).then(|| order.or(header.endian).unwrap_or(Endian::Little));
    if let Some(column) = settings.word("order", &[("row", false), ("column", true)])? {
        header.column_major = column;
    }
    Ok(())
}

/// What the columns of a table become.
#[derive(Default)]
struct Plan {
    columns: Vec<SinkColumn>,
    parameters: Vec<SinkColumn>,
    fixed: Vec<Fixed>,
    marks: Vec<usize>,
    notes: Vec<String>,
    /// What fields of text are read as, if not as what they look like.
    reads: Vec<(usize, CellType)>,
}

impl Plan {
    /// Finds the numbers of the pages, and the names of the files in which they are counted.
    fn find_marks(&mut self, schema: &TableSchema) {
        let is_integer =
            |field: &TableField| matches!(inner(&field.ty), ColumnType::Number(kind) if kind.is_int());
        let is_added = |field: &TableField| field.get(keys::ADDED).is_some();
        let place = |name: &str, fits: &dyn Fn(&TableField) -> bool| {
            schema.position(name).filter(|place| schema.fields.get(*place).is_some_and(fits))
        };
        let page = place(PAGE, &is_integer);
        self.marks = page.into_iter().chain(page.and(place(FILE, &is_added))).collect();
    }

    /// The column of the table at that place as one of the file.
    fn take(
        &mut self,
        (place, field): (usize, &TableField),
        to: TableField,
        kind: DataType,
    ) -> Result<SinkColumn> {
        let (found, read) = as_read(field, &to);
        let told = match (read, exact_fit(&found.ty, &to)) {
            (Some(CellType::Text), None) => None,
            (Some(ty), _) => {
                let from = if ty == CellType::Text { &found } else { field };
                Some(format!("column `{}`, {} to {kind}: {}", field.name, from.type_name(), Fit::Read))
            }
            (None, Some(fit)) => {
                Some(format!("column `{}`, {} to {kind}: {fit}", field.name, field.type_name()))
            }
            (None, None) => note(field, &to.ty)?,
        };
        self.reads.extend(read.map(|ty| (place, ty)));
        self.notes.extend(told);
        Ok(SinkColumn { place, to, kind })
    }

    /// The same for a definition of a header, which has units.
    fn take_as(
        &mut self,
        (place, field): (usize, &TableField),
        (name, kind, units): (&str, DataType, &Option<Text>),
    ) -> Result<SinkColumn> {
        let mut to = field_of(&field.name, kind);
        // numbers go where times are as they are
        let is_time = matches!(field.logical, Some(Logical::Timestamp(_)));
        if is_time || !matches!(inner(&field.ty), ColumnType::Number(_)) {
            to.logical = to.logical.or(time_of(&to.ty, &text(units)));
        }
        self.notes.extend(in_units(&as_read(field, &to).0, units, name)?);
        self.take((place, field), to, kind)
    }

    /// The header of another file, whose definitions find their columns by name.
    fn like(&mut self, mut header: Header, schema: &TableSchema) -> Result<Header> {
        self.find_marks(schema);
        for parameter in &header.parameters {
            let name = parameter.name.as_str();
            let other = format!("parameter:{name}");
            // of the two of one name the column has it
            let is_both = header.columns.iter().any(|column| column.name == name);
            let (what, own) = match is_both {
                true => ("the header has a parameter that a table has as", None),
                false => ("the header has a parameter", schema.position(name)),
            };
            let place = schema.position(&other).or(own);
            let value = parameter.fixed().transpose().map_err(Error::other)?;
            if place.is_none() && value.is_some() {
                continue;
            }
            let found = schema.column_for(place, what, if is_both { &other } else { name })?;
            let taken = self.take_as(found, (name, parameter.data_type, &parameter.units))?;
            match (value, &parameter.fixed_value) {
                (Some(value), Some(said)) => {
                    let values = match value {
                        Value::LongDouble(x) => {
                            Column::from(Elements::LongDouble(vec![x, f64::from(x).into()]))
                        }
                        value => repeated(&value, 1),
                    };
                    self.fixed.push(Fixed { taken, said: said.clone(), values });
                }
                _ => self.parameters.push(taken),
            }
        }
        for column in &header.columns {
            let place = schema.position(&column.name);
            let found = schema.column_for(place, "the header has a column", &column.name)?;
            let taken = self.take_as(found, (&column.name, column.data_type, &column.units))?;
            self.columns.push(taken);
        }
        if self.columns.is_empty() && self.parameters.is_empty() && self.fixed.is_empty() {
            let text =
                "the header has no column of the table and no parameter, so that nothing would be written";
            return Err(Error::other(format!("setting `like`: {text}")));
        }
        for array in std::mem::take(&mut header.arrays) {
            self.notes.push(format!("array `{}` of the header is left out: a table has none", array.name));
        }
        header.associates.clear();
        let fixed = self.fixed.iter().map(|fixed| &fixed.taken);
        let taken = self.columns.iter().chain(&self.parameters).chain(fixed).map(|taken| taken.place);
        let taken: Vec<usize> = taken.chain(self.marks.iter().copied()).collect();
        self.notes.extend(schema.left_out("the header", |place, _| taken.contains(&place)));
        Ok(header)
    }

    /// A header for the columns, with what is said of them.
    fn of(&mut self, schema: &TableSchema, settings: &Settings) -> Result<Header> {
        self.find_marks(schema);
        let mut header = Header::new(Mode::Binary);
        let text = |key: &str| schema.get(key).map(Text::from);
        header.text = text("sdds:description");
        header.contents = text("sdds:contents");
        let said = settings.get("as_parameters").map(|names| names.split(',').map(str::trim));
        let said: BTreeSet<&str> = said.into_iter().flatten().collect();
        let known = || schema.fields.iter().map(|field| field.name.as_str());
        let names: BTreeSet<&str> = if said.is_empty() { BTreeSet::new() } else { known().collect() };
        if let Some(name) = said.difference(&names).next() {
            let unknown = ErrorKind::unknown("column", *name, known());
            return Err(Error::other(format!("setting `as_parameters`: {unknown}")));
        }
        let is_constant = |field: &TableField| {
            field.constant || field.get("sdds:parameter").is_some() || said.contains(field.name.as_str())
        };
        let marks = self.marks.clone();
        let others = || schema.fields.iter().enumerate().filter(|(place, _)| !marks.contains(place));
        // where nothing is said, what would be parameters alone keeps its rows
        let has_parameters = !said.is_empty() || others().any(|(_, field)| !is_constant(field));
        let all: Vec<(usize, &TableField)> = others().collect();
        for (place, field) in all {
            let kind = kind_of(field)?;
            let taken = self.take((place, field), field_of(&field.name, kind), kind)?;
            self.notes.extend(counted(field).map(|units| {
                format!("column `{}`: its times become numbers with the units `{units}`", field.name)
            }));
            match has_parameters && is_constant(field) {
                true => {
                    let name = field.name.strip_prefix("parameter:").unwrap_or(&field.name);
                    let mut made = Parameter::new(name, kind);
                    (made.symbol, made.units, made.description, made.format_string) = said_of(field);
                    if field.get("sdds:fixed_value").is_some() {
                        self.notes
                            .push(format!("parameter `{name}`: its fixed value becomes one of each page"));
                    }
                    header.parameters.push(made);
                    self.parameters.push(taken);
                }
                false => {
                    let mut made = Definition::new(field.name.as_str(), kind);
                    (made.symbol, made.units, made.description, made.format_string) = said_of(field);
                    header.columns.push(made);
                    self.columns.push(taken);
                }
            }
        }
        Ok(header)
    }
}

type FieldTexts = (Option<Text>, Option<Text>, Option<Text>, Option<Text>);

fn said_of(field: &TableField) -> FieldTexts {
    let text = |key: &str| field.get(key).map(Text::from);
    let units = units_of(field).map(|units| Text::from(units.as_str()));
    (text("sdds:symbol"), units, text(keys::DESCRIPTION), text("sdds:format_string"))
}

fn units_of(field: &TableField) -> Option<String> {
    counted(field).or_else(|| field.get(keys::UNITS).map(str::to_owned))
}

/// The units of times, unless they are said.
fn counted(field: &TableField) -> Option<String> {
    let (unit, told) = match &field.logical {
        Some(Logical::Timestamp(unit)) => (unit, unit.units()),
        Some(Logical::Duration(unit)) => (unit, unit.to_string()),
        _ => return None,
    };
    let is_said = field.get(keys::UNITS).and_then(time_unit) == Some(*unit);
    (!is_said).then_some(told)
}

/// The unit of times that units begin with: `us since 1970-01-01`, `s`.
fn time_unit(units: &str) -> Option<TimeUnit> {
    TimeUnit::named(units.split_whitespace().next()?)
}

/// Numbers go into a column of a header as they are, so that its units must be theirs; what is to be said if it has none.
fn in_units(field: &TableField, said: &Option<Text>, name: &str) -> Result<Option<String>> {
    let (own, said) = (units_of(field), text(said));
    let is_time = matches!(field.logical, Some(Logical::Timestamp(_) | Logical::Duration(_)));
    match own {
        None => Ok(None),
        Some(own) if said.is_empty() => {
            Ok(Some(format!("column `{name}` is in `{own}`, and the header has no units for it")))
        }
        Some(own) if own == said || is_time && time_unit(&own) == time_unit(&said) => Ok(None),
        Some(own) => {
            let text = format!("column `{name}` is in `{own}`, and the header has it in `{said}`");
            Err(Error::other(format!("setting `like`: {text}")))
        }
    }
}

/// A column of a type.
fn field_of(name: &str, kind: DataType) -> TableField {
    let logical = match kind {
        DataType::LongDouble => Some(Logical::X87),
        DataType::Character => Some(Logical::Character),
        _ => None,
    };
    TableField::new(name, type_of(kind)).logical(logical)
}

/// The type that has all values of a column.
fn kind_of(field: &TableField) -> Result<DataType> {
    use crate::numbers::NumberType;
    let is = |logical: Logical| field.logical.as_ref() == Some(&logical);
    let kind = match inner(&field.ty) {
        ColumnType::Number(NumberType::U8) if is(Logical::Character) => Some(DataType::Character),
        ColumnType::Number(NumberType::Bool | NumberType::I8 | NumberType::U8) => Some(DataType::Short),
        ColumnType::Number(NumberType::F16) => Some(DataType::Float),
        ColumnType::Number(kind) => DataType::of_number(*kind),
        ColumnType::FixedBytes(10) if is(Logical::X87) => Some(DataType::LongDouble),
        ColumnType::Text | ColumnType::Bytes => Some(DataType::String),
        _ => None,
    };
    kind.ok_or_else(|| {
        let text = match is(Logical::Complex) {
            true => "has complex numbers, which SDDS does not support: write the real and the imaginary part as two columns".to_owned(),
            false => format!("is {}, which SDDS has no type for", field.type_name()),
        };
        Error::other(format!("column `{}` {text}", field.name))
    })
}

impl SddsSink {
    /// Writes the page that is held, or what is left of it.
    fn end_page(&mut self) -> Result<()> {
        if self.key.is_none() {
            return Ok(());
        }
        if self.held.is_in_file() {
            let content = self.content()?;
            self.key = None;
            return self.write_aside(&content);
        }
        let page = self.held_page()?;
        self.key = None;
        match self.count_at.take() {
            None => self.writer.write_page(&page),
            Some(at) => {
                self.writer.write_rows(&page)?;
                counted::end(&mut self.writer, at)
            }
        }
    }

    /// The rows that are held, in a page with its parameters.
    fn held_page(&mut self) -> Result<Page> {
        let columns = self.held.take().into_iter().map(Elements::try_from).collect::<Result<Vec<_>>>()?;
        Page::new(self.writer.header(), self.key_values()?, [], columns)
    }

    /// What is before the rows of the page.
    fn content(&self) -> Result<Page> {
        let empty = self.columns.iter().map(|taken| Elements::empty(taken.kind));
        Page::new(self.writer.header(), self.key_values()?, [], empty)
    }

    fn key_values(&self) -> Result<Vec<Value>> {
        self.key.iter().flatten().skip(self.marks.len()).cloned().map(first_value).collect()
    }

    /// Writes a page of which not all rows are in memory.
    fn write_aside(&mut self, content: &Page) -> Result<()> {
        let SddsSink { writer, held, .. } = self;
        writer.begin_page(content, held.rows())?;
        if writer.header().is_column_major() {
            return held.drain_columns(|_, values| writer.write_values(&Elements::try_from(values)?));
        }
        held.drain(|columns, rows| {
            let columns = columns.into_iter().map(Elements::try_from).collect::<Result<Vec<_>>>()?;
            writer.write_rows(&Page::of_rows(Table { rows: rows as u64, columns }))
        })
    }

    /// Writes the rows that are held of a page that goes on, if they can be counted afterwards.
    fn write_held(&mut self) -> Result<()> {
        if !self.is_counted_later || self.held.rows() == 0 {
            return Ok(());
        }
        let page = self.held_page()?;
        if self.count_at.is_none() {
            self.count_at = Some(counted::begin(&mut self.writer, &page)?);
        }
        self.writer.write_rows(&page)
    }

    /// Where pages begin among these rows, the first of which may go on with the page that is held.
    fn begins(&self, keys: &[Column], rows: usize) -> Result<Vec<usize>> {
        let key = match self.marks.len() {
            0 => keys,
            marks => keys.get(..marks).unwrap_or(keys),
        };
        let begins =
            |row: usize| key.iter().any(|column| !is_same(column.get(row), column.get(row.wrapping_sub(1))));
        let held = |key: &[Column]| {
            let before = self.key.iter().flatten();
            key.iter().zip(before).all(|(column, held)| is_same(column.get(0), held.get(0)))
        };
        // without columns a row is a page
        let are_pages = self.columns.is_empty() && self.marks.is_empty();
        let mut found = Vec::new();
        for row in 0..rows {
            let is_new = match row {
                0 => self.key.is_none() || !held(key),
                _ => !key.is_empty() && begins(row),
            };
            if is_new || are_pages {
                found.push(row);
                continue;
            }
            let goes_on = match row {
                0 => held(keys),
                _ => keys.iter().all(|column| is_same(column.get(row), column.get(row.wrapping_sub(1)))),
            };
            if !goes_on {
                let changed = |(column, _): &(&Column, &SinkColumn)| match row {
                    0 => false,
                    _ => !is_same(column.get(row), column.get(row.wrapping_sub(1))),
                };
                let mut of = keys.iter().skip(self.marks.len()).zip(&self.parameters);
                let name = of.find(changed).or(None).map_or("a parameter", |(_, taken)| &*taken.to.name);
                let at = plus(usize::try_from(self.rows).unwrap_or(usize::MAX), row);
                let text = "the value changes within a page, and it is a parameter";
                return Err(Error::other(text).within(Step::Name(name.into())).within(Step::Index(at)));
            }
        }
        Ok(found)
    }
}

impl Fixed {
    /// Checks that these rows, of which `first` is the first, have the value.
    fn check(&self, found: &Column, first: u64) -> Result<()> {
        let Fixed { taken, said, values } = self;
        let is_it = |row: usize| (0..values.len()).any(|one| is_same(found.get(row), values.get(one)));
        match (0..found.len()).find(|row| !is_it(*row)) {
            None => Ok(()),
            Some(row) => {
                let text = format!("the value is not `{}`, at which the header fixes it", said.lossy());
                Err(at(&taken.to.name, first, &Error::other(text).within(Step::Index(row))))
            }
        }
    }
}

/// The value of a column of one row.
fn first_value(column: Column) -> Result<Value> {
    let value = Elements::try_from(column)?.get(0);
    value.ok_or_else(|| Error::other("a parameter without a value"))
}

impl TableSink for SddsSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        self.reads.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let rows = batch.num_rows();
        let mut found = Taking::of(batch);
        let first = self.rows;
        let mut keys = Vec::new();
        for place in &self.marks {
            keys.push(found.take(*place)?);
        }
        let mut fit = |taken: &SinkColumn| {
            self.blanks.fitted_to(found.take(taken.place)?, &taken.to, &taken.to.name, first)
        };
        for fixed in &self.fixed {
            fixed.check(&fit(&fixed.taken)?, first)?;
        }
        for taken in &self.parameters {
            keys.push(fit(taken)?);
        }
        let columns: Vec<Column> = self.columns.iter().map(&mut fit).collect::<Result<_>>()?;
        let begins = self.begins(&keys, rows)?;
        let mut ends = begins.iter().copied().filter(|row| *row > 0).chain([rows]);
        let mut start = 0;
        while start < rows {
            let end = ends.next().unwrap_or(rows);
            if begins.binary_search(&start).is_ok() {
                self.end_page()?;
                self.pages = after(self.pages, 1);
                self.key = Some(keys.iter().map(|column| column.part(start..plus(start, 1))).collect());
            } else {
                self.write_held()?;
            }
            let part = match start == 0 && end == rows {
                true => columns.clone(),
                false => columns.iter().map(|column| column.part(start..end)).collect(),
            };
            self.held.push(part, end.saturating_sub(start))?;
            start = end;
        }
        self.rows = after(first, rows as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        self.end_page()?;
        let header = self.writer.header();
        let is_bare = self.columns.is_empty() && self.parameters.is_empty();
        if is_bare && header.mode == Mode::Ascii && self.pages != 1 {
            let text = "an ascii file in which no page has a value of its own has one page";
            return Err(Error::other(format!("{text}, and not {}", self.pages)));
        }
        let bytes = self.writer.finish()?.finish()?.finish()?;
        Ok(Written { notes: self.blanks.notes(), ..Written::new(self.rows, bytes) })
    }
}
