//! Files of values as tables: arrays of the same length as columns, cut along their first dimension.

mod detect;
mod sink;
mod texts;

use crate::columns::Columns;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::futhark::layout::{ElementType, Value};
use crate::formats::futhark::options::Form;
use crate::formats::futhark::read::{Contents, outlines_from_seekable_with, values_from_reader_with};
use crate::schema::{ByteOrder, Description, Extent, Field, Record, Type};
use crate::storage::{Storage, StorageReader};
use crate::table::{
    ColumnsTable, Logical, Probe, RowsTable, Section, Setting, Settings, SideBySide, Table, TableFormat,
    TableSchema, TableSink, keys,
};
use crate::wire::Options;
use crate::wire::amount::{known, plus, times64};
use detect::detect;
use sink::FutharkSink;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use texts::{TextRows, column};

/// Files of Futhark values as tables: a row for each index of the first dimension. A scalar is one row.
///
/// Several values are columns if all are arrays of the same length, or scalars; their names are their numbers, that of a single one
/// is `value`. The setting `value` chooses among others. Binary arrays are read row by row from their place in the file, arrays in
/// text row by row from the first on.
///
/// ```
/// use binfmt::formats::futhark::Tables;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Estimate, Settings, TableFormat, Wanted};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.dat", b"[[1i32, 2], [3, 4], [5, 6]]")?;
/// let table = Tables.open(Arc::new(files), "x.dat", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(3));
/// assert_eq!(table.schema().fields[0].ty.to_string(), "[i32; 2]");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

/// A value of a file: what it is, and where its elements end.
struct Found {
    form: Form,
    of: ElementType,
    dims: Vec<u64>,
    end: u64,
}

impl Found {
    fn elements(&self) -> u64 {
        self.dims.iter().copied().fold(1, times64)
    }

    /// The lengths of the dimensions in a row.
    fn inner(&self) -> &[u64] {
        self.dims.get(1..).unwrap_or_default()
    }

    fn each(&self) -> u64 {
        self.inner().iter().copied().fold(1, times64)
    }

    /// Whether its rows are where their numbers say; those of text are read from the first on, and others at once.
    fn is_read_in_place(&self) -> bool {
        self.form == Form::Binary && self.each() > 0
    }

    /// Whether it is text that is read row by row.
    fn is_read_forward(&self) -> bool {
        self.form == Form::Text && !self.dims.is_empty() && self.elements() > 0
    }

    /// The rows of an array in text, after the value that ends there.
    fn texts(
        &self,
        (storage, path): (Arc<dyn Storage>, &str),
        options: &Options,
        (number, begin): (usize, u64),
        said: impl FnOnce(&mut TableSchema),
    ) -> Result<TextRows> {
        let too_large = |_| Error::from(ErrorKind::TooLarge { of: "array" });
        let each = usize::try_from(self.each()).map_err(too_large)?;
        let each = (!self.inner().is_empty()).then_some(each);
        let mut schema = TableSchema::new([TextRows::field(self.of, each)]);
        said(&mut schema);
        let rows = known(self.dims.first().copied());
        let (path, options, of) = (path.to_owned(), *options, self.of);
        Ok(TextRows { storage, path, options, begin, number, of, rows, each, stays_open: true, schema })
    }

    /// The rows of a binary array.
    fn rows(&self, storage: Arc<dyn Storage>, path: &str, options: &Options) -> Result<RowsTable> {
        let row = usize::try_from(times64(self.each(), self.of.size())).unwrap_or(usize::MAX);
        if row > options.limits.memory {
            return Err(ErrorKind::MemoryLimit { requested: row, remaining: options.limits.memory }.into());
        }
        let size = self.elements().saturating_mul(self.of.size());
        let layout = layout(self.of, (!self.inner().is_empty()).then(|| self.each()));
        let table = RowsTable::open(storage, path, &layout, options)?;
        Ok(table.between(self.end.saturating_sub(size)..self.end))
    }

    fn describe(&self, values: usize, schema: &mut TableSchema) {
        let said = std::mem::take(schema).with(keys::FORMAT, "futhark");
        let single = if self.dims.is_empty() { "true" } else { "" };
        let said = said.with(keys::SINGLE, single).with("futhark:values", values.to_string());
        *schema = said.with("futhark:dims", format!("{:?}", self.dims));
        for field in &mut schema.fields {
            if self.inner().len() > 1 {
                field.logical = Some(Logical::Tensor { shape: self.inner().to_vec(), column_major: false });
            }
        }
    }

    /// As messages call it: `[3][2]f64`.
    fn name(&self) -> String {
        let dims: String = self.dims.iter().map(|n| format!("[{n}]")).collect();
        format!("{dims}{}", self.of.name())
    }
}

/// The numbers of the values that are columns.
fn chosen(settings: &Settings, values: usize) -> Result<Vec<Range<usize>>> {
    let Some(text) = settings.get("value") else {
        return Ok(std::iter::once(0..values).collect());
    };
    let wrong = || match values {
        0 => Error::other("there is no value in the file"),
        1 => Error::other(format!("setting `value`: {text:?}, and the file has only value 0")),
        n => Error::other(format!("setting `value`: {text:?} is not among 0 to {}", n.saturating_sub(1))),
    };
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let range = |text: &str| -> Result<Range<usize>> {
        Ok(match text.split_once("..") {
            None => {
                let number = number(text)?;
                number..number.saturating_add(1)
            }
            Some((from, "")) => number(from)?..values,
            Some((from, to)) => number(from)?..number(to)?,
        })
    };
    let ranges: Vec<Range<usize>> = text.split(',').map(range).collect::<Result<_>>()?;
    let is_there = |range: &Range<usize>| !range.is_empty() && range.end <= values;
    let are_in_order = ranges.windows(2).all(|pair| match pair {
        [before, after] => before.end <= after.start,
        _ => true,
    });
    if ranges.iter().all(is_there) && are_in_order { Ok(ranges) } else { Err(wrong()) }
}

/// How many rows values with these numbers have, if all have the same number of rows.
fn length<'a>(mut all: impl Iterator<Item = (usize, &'a Found)>) -> Result<u64> {
    let Some((first, one)) = all.next() else { return Err(Error::other("there is no value in the file")) };
    let is_other = |value: &Found| value.dims.first() != one.dims.first();
    match all.find(|(_, value)| is_other(value)) {
        None => Ok(one.dims.first().copied().unwrap_or(1)),
        Some((i, other)) => {
            let text = format!(
                "columns are arrays of the same length, and value {first} is {}, value {} is {}: the setting `value` chooses",
                one.name(),
                i,
                other.name(),
            );
            Err(Error::other(text))
        }
    }
}

impl Tables {
    /// Each value as a table by itself, with its number as the name: their shapes may be any. The settings are those of a table.
    ///
    /// ```
    /// use binfmt::formats::futhark::Tables;
    /// use binfmt::storage::{Memory, Storage};
    /// use binfmt::table::{Estimate, Settings};
    /// use std::sync::Arc;
    /// let files = Memory::new();
    /// files.write("x.dat", b"[1i32, 2] 7i64")?;
    /// let values = Tables.each(Arc::new(files), "x.dat", &Settings::new())?;
    /// let rows = values.iter().map(|(name, table)| (name.as_str(), table.num_rows()));
    /// assert!(rows.eq([("0", Estimate::Exact(2)), ("1", Estimate::Exact(1))]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file is not one of values, or has too many of them.
    pub fn each(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        settings: &Settings,
    ) -> Result<Vec<(String, Arc<dyn Table>)>> {
        let file = File::open(storage, path, settings)?;
        let rows = |value: &Found| value.dims.first().copied().unwrap_or(1);
        if let Some((_, value)) =
            file.values().find(|(_, value)| value.each() == 0 && rows(value) > MOST_BARE)
        {
            return Err(ErrorKind::TooManyEmpty { count: rows(value), max: MOST_BARE }.into());
        }
        file.tables()
    }
}

/// A file whose values are known, and which of them are wanted.
struct File<'a> {
    storage: Arc<dyn Storage>,
    path: &'a str,
    options: Options,
    found: Vec<Found>,
    chosen: Vec<Range<usize>>,
}

impl<'a> File<'a> {
    fn open(storage: Arc<dyn Storage>, path: &'a str, settings: &Settings) -> Result<Self> {
        settings.check(Tables.settings())?;
        let options = Options::new().max_memory(settings.max_memory()?);
        // no more are looked at than can be columns
        let most = if settings.get("value").is_some() { usize::MAX } else { MOST_COLUMNS };
        let found = outlines((&storage, path), &options, most)?;
        let file = File { chosen: chosen(settings, found.len())?, storage, path, options, found };
        if file.count() > MOST_COLUMNS {
            return Err(too_many());
        }
        Ok(file)
    }

    /// How many values are wanted.
    fn count(&self) -> usize {
        self.chosen.iter().fold(0, |sum, range| plus(sum, range.len()))
    }

    /// These values with their numbers.
    fn values(&self) -> impl Iterator<Item = (usize, &Found)> {
        let numbers = self.chosen.iter().cloned().flatten();
        numbers.filter_map(|number| Some((number, self.found.get(number)?)))
    }

    /// The tables of the wanted values, by their numbers.
    fn tables(&self) -> Result<Vec<(String, Arc<dyn Table>)>> {
        let File { storage, path, options, found, .. } = self;
        let mut input = StorageReader::new(Arc::clone(storage), path, 0..u64::MAX)?;
        let table = |(number, value): (usize, &Found)| {
            let said = |schema: &mut TableSchema| value.describe(self.count(), schema);
            let begin =
                number.checked_sub(1).and_then(|before| found.get(before)).map_or(0, |before| before.end);
            let table: Arc<dyn Table> = if value.is_read_forward() {
                let rows = value.texts((Arc::clone(storage), path), options, (number, begin), said)?;
                Arc::new(TextRows { stays_open: self.count() <= SideBySide::KEPT, ..rows })
            } else if value.is_read_in_place() {
                Arc::new(value.rows(Arc::clone(storage), path, options)?.describe(said))
            } else {
                input.seek(SeekFrom::Start(begin))?;
                let input = input.by_ref().take(value.end.saturating_sub(begin));
                let read = values_from_reader_with(input, options).next();
                let read = read.ok_or_else(|| Error::other("the file has become shorter"))??;
                Arc::new(ColumnsTable::new(columns(read)?).describe(said))
            };
            Ok((number.to_string(), table))
        };
        self.values().map(table).collect()
    }
}

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "futhark"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        detect(probe)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting {
            name: "value",
            help: "The number of the value, from 0, or of several: 0,2..4; all without this",
        }]
    }

    fn sections(&self, _: Arc<dyn Storage>, _: &str, settings: &Settings) -> Result<Vec<Section>> {
        settings.check(self.settings())?;
        Ok(vec![Section::of::<Contents>()])
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        let file = File::open(storage, path, settings)?;
        let rows = length(file.values())?;
        // nothing in the file bounds the number of rows without elements
        if rows > MOST_BARE && file.values().all(|(_, value)| value.each() == 0) {
            return Err(ErrorKind::TooManyEmpty { count: rows, max: MOST_BARE }.into());
        }
        match <[_; 1]>::try_from(file.tables()?) {
            Ok([(_, table)]) => Ok(table),
            Err(tables) => {
                // what the first one says of its dimensions is not said of all
                let said = |schema: &mut TableSchema| schema.meta.retain(|(key, _)| &**key != "futhark:dims");
                Ok(Arc::new(SideBySide::new(tables, rows).describe(said)))
            }
        }
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[Setting {
            name: "style",
            help: "packed, printed or text; without this text if the name ends in .txt, else packed",
        }]
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        Ok(Box::new(FutharkSink::new(storage, path, schema, settings)?))
    }
}

/// The most rows of a table without elements.
const MOST_BARE: u64 = 1 << 16;

/// The most columns of a table: each takes memory, regardless of the number of rows.
const MOST_COLUMNS: usize = 1 << 18;

fn too_many() -> Error {
    let text = format!(
        "more than {MOST_COLUMNS} values: a table has {MOST_COLUMNS} columns at most, and the setting `value` chooses"
    );
    Error::other(text)
}

fn outlines(
    (storage, path): (&Arc<dyn Storage>, &str),
    options: &Options,
    most: usize,
) -> Result<Vec<Found>> {
    let input = StorageReader::new(Arc::clone(storage), path, 0..u64::MAX)?;
    let mut reader = outlines_from_seekable_with(input, options);
    let mut found = Vec::new();
    while let Some(outline) = reader.next() {
        let outline = outline?;
        if found.len() >= most {
            return Err(too_many());
        }
        let end = reader.offset().unwrap_or(0);
        found.push(Found { form: outline.form, of: outline.element_type, dims: outline.dims, end });
    }
    Ok(found)
}

/// What a row of a binary array is.
fn layout(of: ElementType, each: Option<u64>) -> Description {
    let element = Type::from(of.number_type());
    let ty = match each {
        Some(n) => Type::List { item: Box::new(element), len: Extent::Fixed(n) },
        None => element,
    };
    Description::new(Type::Record(Record::new("row", [Field::new("value", ty)]).ordered(ByteOrder::Little)))
}

/// A value at once.
fn columns(value: Value) -> Result<Columns> {
    let rank = value.dims().len();
    let (dims, elements) = value.into_parts();
    let narrow = |n: u64| usize::try_from(n).map_err(|_| Error::from(ErrorKind::TooLarge { of: "array" }));
    let rows = dims.first().copied().map_or(Ok(1), narrow)?;
    let len = narrow(dims.iter().skip(1).copied().fold(1, times64))?;
    let column = column(elements, rows, (rank > 1).then_some(len));
    Ok(Columns::of_rows(rows, vec![("value".into(), column)]))
}
