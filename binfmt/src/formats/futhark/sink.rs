//! Tables as values: an array for each column.

use super::layout::{ElementType, Value};
use super::options::OutputStyle;
use super::write::Writer;
use crate::columns::{Column, ColumnType, Columns};
use crate::error::{Error, Result};
use crate::storage::{Storage, StorageWriter};
use crate::table::filled::{Gathered, Taking, fitted, inner, note};
use crate::table::{Logical, Settings, TableField, TableSchema, TableSink, Written, keys};
use crate::wire::amount::after;
use std::sync::Arc;

/// How values are written, by its word.
const STYLES: [(&str, OutputStyle); 3] =
    [("packed", OutputStyle::Packed), ("printed", OutputStyle::Printed), ("text", OutputStyle::Text)];

/// The columns are held until all rows are there: an array has the number of its rows in front.
pub(super) struct FutharkSink {
    file: StorageWriter,
    style: OutputStyle,
    columns: Vec<SinkColumn>,
    held: Gathered,
    notes: Vec<String>,
    is_single: bool,
    rows: u64,
}

struct SinkColumn {
    name: String,
    ty: ColumnType,
    /// The lengths of the dimensions in each row.
    shape: Vec<u64>,
}

impl FutharkSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let is_text = path.to_lowercase().ends_with(".txt");
        let style = if is_text { OutputStyle::Text } else { OutputStyle::Packed };
        let style = settings.word("style", &STYLES)?.unwrap_or(style);
        let columns: Vec<SinkColumn> = schema.fields.iter().map(taken).collect::<Result<_>>()?;
        let mut notes = Vec::new();
        for (field, taken) in schema.fields.iter().zip(&columns) {
            notes.extend(note(&field.name, &field.ty, &taken.ty)?);
            notes.extend(field.uncounted());
        }
        let held = Gathered::new(columns.iter().map(|taken| (taken.name.as_str().into(), taken.ty.clone())));
        let is_single = schema.get(keys::SINGLE).is_some();
        let file = StorageWriter::new(storage, path)?;
        Ok(FutharkSink { file, style, columns, held, notes, is_single, rows: 0 })
    }
}

fn taken(field: &TableField) -> Result<SinkColumn> {
    let is_one =
        |ty: &ColumnType| matches!(ty, ColumnType::Number(kind) if ElementType::of_number(*kind).is_some());
    let ty = inner(&field.ty);
    let shape = match (ty, &field.logical) {
        (ty, _) if is_one(ty) => Some(Vec::new()),
        (ColumnType::Array { items, .. }, Some(Logical::Tensor { shape, column_major: false }))
            if is_one(items) =>
        {
            Some(shape.clone())
        }
        (ColumnType::Array { len, items }, _) if is_one(items) => Some(vec![*len as u64]),
        _ => None,
    };
    let Some(shape) = shape else {
        let text = format!("column `{}` is {}, which no array of Futhark can be", field.name, field.ty);
        return Err(Error::other(text));
    };
    Ok(SinkColumn { name: field.name.to_string(), ty: ty.clone(), shape })
}

impl TableSink for FutharkSink {
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let rows = batch.num_rows();
        let mut columns = Vec::with_capacity(self.columns.len());
        let mut found = Taking::of(batch);
        for (place, taken) in self.columns.iter().enumerate() {
            columns.push(fitted(found.take(place)?, &taken.ty, &taken.name, self.rows)?);
        }
        self.held.push(columns, rows)?;
        self.rows = after(self.rows, rows as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        let is_single = self.is_single && self.rows == 1;
        let mut writer = Writer::new(&mut self.file);
        for (column, taken) in self.held.take().into_iter().zip(&self.columns) {
            let elements = match column {
                Column::Numbers(numbers) => numbers,
                Column::Array { items, .. } => match *items {
                    Column::Numbers(numbers) => numbers,
                    _ => return Err(Error::other("an array of something else than numbers")),
                },
                _ => return Err(Error::other("a column of something else than numbers")),
            };
            let rows = (!is_single).then_some(self.rows);
            let dims: Vec<u64> = rows.into_iter().chain(taken.shape.iter().copied()).collect();
            writer.write(&Value::new(dims, elements)?, self.style)?;
        }
        writer.finish()?;
        Ok(Written::new(self.rows, self.file.finish()?))
    }
}
