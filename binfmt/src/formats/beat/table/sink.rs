//! Tables as data files: a chunk for each row.

use super::settings::written;
use crate::columns::{Column, ColumnData, ColumnType, Columns, ValueRef};
use crate::error::{Error, Result, Step};
use crate::formats::beat::checksum::Checksum;
use crate::formats::beat::layout::payload::put_chunk;
use crate::formats::beat::layout::{FileHead, Object, write_index};
use crate::formats::beat::read::DataPath;
use crate::formats::beat::text::{Basic, Declaration, FieldType, FormatName};
use crate::numbers::NumberType;
use crate::schema::Name;
use crate::storage::{Storage, StorageWriter, unnamed_file};
use crate::table::csv::CellType;
use crate::table::filled::{Blanks, Taking, inner, note};
use crate::table::{Logical, Settings, TableField, TableSchema, TableSink, Written, as_read};
use crate::value::Value;
use crate::wire::amount::{after, plus};
use crate::wire::raw::bulk::try_room_exact;
use crate::wire::vec_sink;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::Arc;

/// A data file that grows chunk by chunk. The indices of a chunk are those of the columns `_start` and `_end`, or the number of
/// the row.
pub(super) struct BeatSink {
    storage: Arc<dyn Storage>,
    file: StorageWriter,
    path: String,
    /// The indices that the file's name says.
    named: Option<DataPath>,
    declaration: Declaration,
    /// Which columns have the indices of the chunks.
    indices: Option<[usize; 2]>,
    /// The fields in the order of the declaration.
    fields: Vec<SinkColumn>,
    notes: Vec<String>,
    blanks: Blanks,
    sum: Checksum,
    chunks: Indices,
    block: Vec<u8>,
    rows: u64,
}

/// A column that becomes a field.
struct SinkColumn {
    place: usize,
    name: Name,
    ty: FieldType,
    column: ColumnType,
    /// The lengths of the dimensions in each row, where the column says them.
    shape: Option<Vec<u64>>,
    /// What its fields of text are read as, if not as what they look like.
    read: Option<CellType>,
}

impl BeatSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let format = settings.get("dataformat").or(schema.get("beat:format"));
        let Some(format) = format else {
            let text = "setting `dataformat`: it must be said, as a file names the format of its objects: user/name/1";
            return Err(Error::other(text));
        };
        // the results of an analyzer are called by its name
        if FormatName::parse(format.strip_prefix("analysis:").unwrap_or(format)).is_none() {
            let text = format!("setting `dataformat`: `{format}` is not a name such as user/name/1");
            return Err(Error::other(text));
        }
        let indices = schema.position("_start").zip(schema.position("_end")).map(|(a, b)| [a, b]);
        let is_index = |place: usize| indices.is_some_and(|both| both.contains(&place));
        let mut notes = Vec::new();
        let declared = match written(settings, format)? {
            Some(declared) => declared,
            None => {
                let made = derived(schema, is_index)?;
                notes.push(format!("the declaration is made of the columns, and not in the file: {made}"));
                made
            }
        };
        let fields = taken(&declared, schema, &mut notes)?;
        let taken: HashSet<usize> = fields.iter().map(|taken| taken.place).collect();
        let is_there = |place: usize| is_index(place) || taken.contains(&place);
        notes.extend(schema.left_out("the declaration", |place, _| is_there(place)));
        let block = crate::to_vec(&FileHead { format: format.into() })?;
        let named = DataPath::of(Path::new(path));
        let file = StorageWriter::new(Arc::clone(&storage), path)?;
        let (sum, chunks, path) = (Checksum::new(), Indices::new(named.is_some()), path.to_owned());
        let mut sink = BeatSink {
            storage,
            file,
            path,
            named,
            declaration: declared,
            indices,
            fields,
            notes,
            blanks: Blanks::of("BEAT"),
            sum,
            chunks,
            block,
            rows: 0,
        };
        sink.send()?;
        Ok(sink)
    }

    fn send(&mut self) -> Result<()> {
        self.sum.update(&self.block);
        self.file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// The indices of a row, which come after those before it.
    fn range(&self, indices: &Option<[Column; 2]>, row: usize) -> Result<(u64, u64)> {
        let number = after(self.rows, row as u64);
        let of = |column: &Column, name: &'static str| {
            let n = column.get(row).and_then(|value| match value {
                ValueRef::Number(n) => n.as_i128().and_then(|n| u64::try_from(n).ok()),
                _ => None,
            });
            n.ok_or_else(|| Error::other("an index is an integer from 0 on").within(Step::Field(name)))
        };
        let (start, end) = match indices {
            Some([starts, ends]) => (of(starts, "_start")?, of(ends, "_end")?),
            None => (number, number),
        };
        let least = match (self.chunks.last, &self.named) {
            (Some(last), _) => after(last, 1),
            (None, Some(named)) if self.indices.is_some() => named.start,
            (None, _) => 0,
        };
        if start < least || end < start {
            let text = format!(
                "the indices {start} to {end} do not rise: the next chunk begins at {least} or later"
            );
            return Err(Error::other(text));
        }
        Ok((start, end))
    }

    fn chunk(&mut self, columns: &[Column], indices: &Option<[Column; 2]>, row: usize) -> Result<()> {
        let (start, end) = self.range(indices, row)?;
        let fields = self.fields.iter().zip(columns).filter_map(|(taken, column)| {
            let value = value_of(&taken.ty, column.get(row)?, taken.shape.as_deref());
            Some(value.map(|value| (taken.name.clone(), value)))
        });
        let object = Object(Value::Record(fields.collect::<Result<_>>()?));
        let declaration = &self.declaration;
        vec_sink(&mut self.block, 0, |out| put_chunk(start, end, &object, declaration, out))
            .map_err(|e| at_field(&e))?;
        self.chunks.push(start, end)
    }

    /// What the platform keeps beside a file whose name has its indices.
    fn put_beside(&mut self, named: &DataPath) -> Result<()> {
        let last = self.chunks.last;
        if last != Some(named.end) {
            let found = last.map_or_else(|| "there is none".to_owned(), |last| format!("it is {last}"));
            let text = format!("the name says that the last index is {}, and {found}", named.end);
            return Err(Error::other(text));
        }
        let name = self.path.strip_suffix(".data").unwrap_or(&self.path);
        let mut index = StorageWriter::new(Arc::clone(&self.storage), &format!("{name}.index"))?;
        let sum = self.chunks.write(&mut index)?;
        let data = std::mem::take(&mut self.sum).finish();
        self.storage.write(&format!("{name}.index.checksum"), sum.as_bytes())?;
        self.storage.write(&format!("{}.checksum", self.path), data.as_bytes())?;
        index.finish()?;
        Ok(())
    }
}

/// The indices of the chunks, as they come. What is more than some lines of the index waits in a file.
#[derive(Debug)]
struct Indices {
    is_kept: bool,
    /// The index at which the last chunk ends.
    last: Option<u64>,
    lines: Vec<(u64, u64)>,
    file: Option<File>,
    sum: Checksum,
}

impl Indices {
    /// Chunks that are in memory.
    const HELD: usize = 1 << 16;

    fn new(is_kept: bool) -> Self {
        Indices { is_kept, last: None, lines: Vec::new(), file: None, sum: Checksum::new() }
    }

    fn push(&mut self, start: u64, end: u64) -> Result<()> {
        self.last = Some(end);
        if !self.is_kept {
            return Ok(());
        }
        self.lines.push((start, end));
        if self.lines.len() >= Self::HELD {
            let text = self.take()?;
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(unnamed_file()?),
            };
            file.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn take(&mut self) -> Result<String> {
        let text = write_index(&self.lines)?;
        self.sum.update(text.as_bytes());
        self.lines.clear();
        Ok(text)
    }

    /// Writes the index, and tells its checksum.
    fn write(&mut self, out: &mut StorageWriter) -> Result<String> {
        let rest = self.take()?;
        if let Some(file) = &mut self.file {
            file.rewind()?;
            std::io::copy(file, out)?;
        }
        out.write_all(rest.as_bytes())?;
        Ok(std::mem::take(&mut self.sum).finish())
    }
}

/// What is wrong with an object, by its field: where it would be in the file says nothing.
fn at_field(e: &Error) -> Error {
    let told = Error::other(e.kind().to_string());
    e.path()
        .steps()
        .filter(|step| !matches!(step, Step::Field("value")))
        .fold(told, |e, step| e.within(step.clone()))
}

/// The declaration of what the columns are.
fn derived(schema: &TableSchema, is_index: impl Fn(usize) -> bool) -> Result<Declaration> {
    let fields = schema.fields.iter().enumerate().filter(|(place, _)| !is_index(*place));
    let mut json = Vec::new();
    for (_, field) in fields {
        let said = field.get("beat:type").map(str::to_owned);
        let ty = said.or_else(|| type_of(inner(&field.ty), field.logical.as_ref())).ok_or_else(|| {
            let text =
                format!("column `{}` is {}, which no field of BEAT can be", field.name, field.type_name());
            Error::other(text)
        })?;
        json.push(format!("{}: {ty}", serde_json::Value::from(&*field.name)));
    }
    Declaration::parse(&format!("{{{}}}", json.join(", "))).map_err(|e| Error::other(e.to_string()))
}

/// The type of a field that has such values, as declarations have it.
fn type_of(ty: &ColumnType, logical: Option<&Logical>) -> Option<String> {
    let basic = |ty: &ColumnType| match ty {
        ColumnType::Number(NumberType::F16) => Some(Basic::Float32),
        ColumnType::Number(kind) => Basic::of_number(*kind),
        ColumnType::Text => Some(Basic::String),
        _ => None,
    };
    let named = |basic: Basic| format!("\"{}\"", basic.name());
    match ty {
        ColumnType::Array { len: 2, items } if logical == Some(&Logical::Complex) => {
            let of = [Basic::Complex64, Basic::Complex128].into_iter();
            of.filter(|basic| basic.half().map(ColumnType::Number).as_ref() == Some(&**items))
                .map(named)
                .next()
        }
        ColumnType::Array { len, items } => {
            let shape = match logical {
                Some(Logical::Tensor { shape, column_major: false }) => shape.clone(),
                _ => vec![*len as u64],
            };
            let dims: String = shape.iter().map(|n| format!("{n}, ")).collect();
            Some(format!("[{dims}{}]", named(basic(items)?)))
        }
        ColumnType::List(items) => Some(format!("[0, {}]", named(basic(items)?))),
        ColumnType::Record(fields) => {
            let of = |(name, ty): &(Name, ColumnType)| {
                Some(format!("{}: {}", serde_json::Value::from(&**name), type_of(ty, None)?))
            };
            Some(format!("{{{}}}", fields.iter().map(of).collect::<Option<Vec<_>>>()?.join(", ")))
        }
        ty => basic(ty).map(named),
    }
}

/// Which column each field of the declaration is.
fn taken(
    declaration: &Declaration,
    schema: &TableSchema,
    notes: &mut Vec<String>,
) -> Result<Vec<SinkColumn>> {
    let (mut all, places) = (Vec::new(), schema.positions());
    for (name, ty) in declaration.format().fields() {
        let what = "the declaration has a field";
        let (place, field) = schema.column_for(places.get(name.as_str()).copied(), what, name)?;
        let (found, read) = as_read(field, &TableField::new(name.clone(), column_of(ty, field)));
        let column = column_of(ty, &found);
        notes.extend(note(&found, &column)?);
        notes.extend(found.uncounted());
        let shape = match &field.logical {
            Some(Logical::Tensor { shape, column_major: false }) => Some(shape.clone()),
            _ => None,
        };
        all.push(SinkColumn { place, name: name.clone(), ty: ty.clone(), column, shape, read });
    }
    Ok(all)
}

/// What the column must be for a field; arrays and objects as they are, with items of the type.
fn column_of(ty: &FieldType, field: &TableField) -> ColumnType {
    let of = |basic: Basic| match (basic.number_type(), basic.half()) {
        (Some(kind), _) => ColumnType::Number(kind),
        (None, Some(half)) => ColumnType::Array { len: 2, items: Box::new(ColumnType::Number(half)) },
        (None, None) => ColumnType::Text,
    };
    match (ty, inner(&field.ty)) {
        (FieldType::Basic(basic), _) => of(*basic),
        (FieldType::Array(_, item), found) => match (&**item, found) {
            (FieldType::Basic(basic), ColumnType::Array { len, .. }) => {
                ColumnType::Array { len: *len, items: Box::new(of(*basic)) }
            }
            (FieldType::Basic(basic), ColumnType::List(_)) => ColumnType::List(Box::new(of(*basic))),
            (FieldType::Basic(basic), ColumnType::Shaped(_)) => ColumnType::Shaped(Box::new(of(*basic))),
            (_, found @ (ColumnType::Array { .. } | ColumnType::List(_) | ColumnType::Shaped(_))) => {
                found.clone()
            }
            (FieldType::Basic(basic), _) if field.inferred.is_some() => {
                ColumnType::List(Box::new(of(*basic)))
            }
            _ => ColumnType::List(Box::new(ColumnType::Text)),
        },
        (FieldType::Object(_), found @ ColumnType::Record(_)) => found.clone(),
        (FieldType::Object(_), _) => ColumnType::Record(Vec::new()),
    }
}

/// A value as the object has it: lists as arrays, inside objects, too.
fn value_of(ty: &FieldType, value: ValueRef<'_>, shape: Option<&[u64]>) -> Result<Value> {
    match (ty, value) {
        (FieldType::Array(_, item), ValueRef::List(items)) => {
            let mut values = Vec::new();
            try_room_exact(&mut values, items.len())?;
            for value in items.iter() {
                values.push(value_of(item, value, None)?);
            }
            let shape = shape.map_or_else(|| vec![values.len() as u64], <[u64]>::to_vec);
            Ok(Value::array(shape, values))
        }
        (FieldType::Object(format), ValueRef::Record(columns, row)) => {
            let fields = format.fields().iter().enumerate().filter_map(|(place, (name, ty))| {
                // nearly always in the order of the declaration
                let column = columns.get(place).filter(|(found, _)| found == name);
                let (_, column) = column.or_else(|| columns.iter().find(|(found, _)| found == name))?;
                Some(value_of(ty, column.get(row)?, None).map(|value| (name.clone(), value)))
            });
            Ok(Value::Record(fields.collect::<Result<_>>()?))
        }
        (_, value) => value.try_to_value(),
    }
}

impl TableSink for BeatSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        self.fields.iter().filter_map(|taken| Some((taken.place, taken.read?))).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let rows = batch.num_rows();
        let index = |place: usize| {
            let column = batch.at(place).cloned();
            column.ok_or_else(|| Error::other("a batch has not all columns"))
        };
        let indices = match self.indices {
            // a declaration may have them as fields, too
            Some([start, end]) => Some([index(start)?, index(end)?]),
            None => None,
        };
        let mut found = Taking::of(batch);
        let fit = |taken: &SinkColumn| {
            self.blanks.fitted(found.take(taken.place)?, &taken.column, &taken.name, self.rows)
        };
        let columns: Vec<Column> = self.fields.iter().map(fit).collect::<Result<_>>()?;
        let first = usize::try_from(self.rows).unwrap_or(usize::MAX);
        for row in 0..rows {
            self.chunk(&columns, &indices, row).map_err(|e| e.within(Step::Index(plus(first, row))))?;
            if self.block.len() >= BLOCK {
                self.send()?;
            }
        }
        self.rows = after(self.rows, rows as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        self.send()?;
        if let Some(named) = self.named.take() {
            // the data file last: who looks for it finds what belongs to it
            self.put_beside(&named)?;
        }
        let notes = self.blanks.notes();
        Ok(Written { notes, ..Written::new(self.rows, self.file.finish()?) })
    }
}

/// Bytes that are collected before they go to the file.
const BLOCK: usize = 64 << 10;
