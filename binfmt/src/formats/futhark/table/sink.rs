//! Tables as values: an array for each column.

use crate::columns::{Column, ColumnType, Columns};
use crate::error::{Error, Result};
use crate::formats::futhark::layout::{ElementType, Value};
use crate::formats::futhark::options::OutputStyle;
use crate::formats::futhark::read::{Outline, Piece};
use crate::formats::futhark::write::Writer;
use crate::numbers::Numbers;
use crate::storage::{Storage, StorageWriter};
use crate::table::aside::Aside;
use crate::table::filled::{Blanks, Taking, inner, note};
use crate::table::{Logical, Settings, TableField, TableSchema, TableSink, Written, keys};
use crate::wire::amount::{after, between, times64};
use std::sync::Arc;

/// How values are written, by its word.
const STYLES: [(&str, OutputStyle); 3] =
    [("packed", OutputStyle::Packed), ("printed", OutputStyle::Printed), ("text", OutputStyle::Text)];

/// The columns wait until all rows are there: an array has the number of its rows in front.
pub(super) struct FutharkSink {
    file: StorageWriter,
    style: OutputStyle,
    columns: Vec<SinkColumn>,
    held: Aside,
    notes: Vec<String>,
    blanks: Blanks,
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
            notes.extend(note(field, &taken.ty)?);
            notes.extend(field.uncounted());
        }
        let held = Aside::new(columns.iter().map(|taken| (taken.name.as_str().into(), taken.ty.clone())));
        let is_single = schema.get(keys::SINGLE).is_some();
        let file = StorageWriter::new(storage, path)?;
        Ok(FutharkSink {
            file,
            style,
            columns,
            held,
            notes,
            blanks: Blanks::of("Futhark"),
            is_single,
            rows: 0,
        })
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
        let text =
            format!("column `{}` is {}, which no array of Futhark can be", field.name, field.type_name());
        return Err(Error::other(text));
    };
    Ok(SinkColumn { name: field.name.to_string(), ty: ty.clone(), shape })
}

/// The numbers of a column, those of its arrays one after the other.
fn elements(column: Column) -> Result<Numbers> {
    match column {
        Column::Numbers(numbers) => Ok(numbers),
        Column::Array { items, .. } => elements(*items),
        _ => Err(unlike()),
    }
}

fn unlike() -> Error {
    Error::other("a column of something else than numbers")
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
            let column = found.take(place)?;
            columns.push(self.blanks.fitted(column, &taken.ty, &taken.name, self.rows)?);
        }
        self.held.push(columns, rows)?;
        self.rows = after(self.rows, rows as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        let is_single = self.is_single && self.rows == 1;
        let FutharkSink { file, style, columns, held, rows, .. } = &mut *self;
        let mut writer = Writer::new(&mut *file);
        let dims = |column: &SinkColumn| -> Vec<u64> {
            let rows = (!is_single).then_some(*rows);
            rows.into_iter().chain(column.shape.iter().copied()).collect()
        };
        if held.is_in_file() {
            // the column whose elements come, and how many are left of it
            let mut of = (usize::MAX, 0);
            held.drain_columns(|place, values| {
                let (elements, column) = (elements(values)?, columns.get(place));
                let element_type = ElementType::of_number(elements.number_type());
                let (Some(column), Some(element_type)) = (column, element_type) else { return Err(unlike()) };
                let is_first = of.0 != place;
                if is_first {
                    of = (place, dims(column).iter().fold(1, |n, dim| times64(n, *dim)));
                }
                if elements.is_empty() && !is_first {
                    return Ok(());
                }
                of.1 = between(elements.len() as u64, of.1);
                let outline = Outline { form: style.form(), element_type, dims: dims(column) };
                let piece = Piece { outline: is_first.then_some(outline), elements, is_last: of.1 == 0 };
                writer.write_piece(&piece, *style).map(|_| ())
            })?;
        } else {
            for (values, column) in held.take().into_iter().zip(columns) {
                writer.write(&Value::new(dims(column), elements(values)?)?, *style)?;
            }
        }
        writer.finish()?;
        let notes = self.blanks.notes();
        Ok(Written { notes, ..Written::new(self.rows, self.file.finish()?) })
    }
}
