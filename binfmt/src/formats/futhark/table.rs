//! Files of values as tables: one of the values, cut along its first dimension.

use super::layout::{ElementType, Value};
use super::options::Form;
use super::read::{outlines_from_reader, values_from_reader};
use super::sink::FutharkSink;
use crate::columns::{Column, Columns};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{ByteOrder, Description, Extent, Field, Record, Type};
use crate::storage::{Storage, StorageReader};
use crate::table::{
    ColumnsTable, Logical, Probe, RowsTable, Setting, Settings, Table, TableFormat, TableSchema, TableSink,
    keys,
};
use crate::wire::Options;
use crate::wire::amount::times64;
use std::sync::Arc;

/// Files of Futhark values as tables: one array, a row for each index of its first dimension. A scalar is one row.
///
/// Of several values the largest is the table, or the one whose number the setting `value` says. Binary arrays are read row by row
/// from their place in the file; text is read at once.
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
}

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "futhark"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        // text is told by no first byte
        probe.head.trim_ascii_start().starts_with(b"b\x02")
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting { name: "value", help: "The number of the value, from 0; the largest without this" }]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let found = outlines(&storage, path)?;
        let number = match settings.get("value") {
            Some(text) => {
                let wrong =
                    || Error::other(format!("setting `value`: {text:?} is not one of 0 to {}", found.len()));
                text.parse().ok().filter(|number| *number < found.len()).ok_or_else(wrong)?
            }
            None => {
                let most = found.iter().map(Found::elements).max();
                let first = found.iter().position(|value| Some(value.elements()) == most);
                first.ok_or_else(|| Error::other("there is no value in the file"))?
            }
        };
        let Some(value) = found.get(number) else { return Err(Error::other("there is no such value")) };
        let inner: Vec<u64> = value.dims.iter().skip(1).copied().collect();
        let each = inner.iter().copied().fold(1, times64);
        let say = |schema: &mut TableSchema| {
            let said = std::mem::take(schema).with(keys::FORMAT, "futhark");
            let single = if value.dims.is_empty() { "true" } else { "" };
            let said = said.with(keys::SINGLE, single).with("futhark:values", found.len().to_string());
            *schema = said.with("futhark:dims", format!("{:?}", value.dims));
            for field in &mut schema.fields {
                if inner.len() > 1 {
                    field.logical = Some(Logical::Tensor { shape: inner.clone(), column_major: false });
                }
            }
        };
        if value.form == Form::Binary && each > 0 {
            let size = value.elements().saturating_mul(value.of.size());
            let layout = layout(value.of, (!inner.is_empty()).then_some(each));
            let table = RowsTable::open(storage, path, &layout, &Options::new())?;
            let start = value.end.saturating_sub(size);
            return Ok(Arc::new(table.between(start..value.end).describe(say)));
        }
        let input = StorageReader::new(storage, path, 0..u64::MAX)?;
        let read = values_from_reader(input).nth(number);
        let value = read.ok_or_else(|| Error::other("the file has become shorter"))??;
        Ok(Arc::new(ColumnsTable::new(columns(value)?).describe(say)))
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

fn outlines(storage: &Arc<dyn Storage>, path: &str) -> Result<Vec<Found>> {
    let mut reader = outlines_from_reader(StorageReader::new(Arc::clone(storage), path, 0..u64::MAX)?);
    let mut found = Vec::new();
    while let Some(outline) = reader.next() {
        let outline = outline?;
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
    let elements = Column::from(elements);
    let rows = dims.first().copied().map_or(Ok(1), narrow)?;
    let len = narrow(dims.iter().skip(1).copied().fold(1, times64))?;
    let column = if rank > 1 { Column::Array { len, rows, items: Box::new(elements) } } else { elements };
    Ok(Columns::of_rows(rows, vec![("value".into(), column)]))
}
