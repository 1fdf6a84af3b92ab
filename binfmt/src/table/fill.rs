//! Values in the places of missing ones.

use super::cells::{CellType, Cells, Seen};
use super::field::{Inferred, Logical, TableField, TableSchema};
use super::filled::inner;
use super::retyped::in_place;
use super::split::{Estimate, Split};
use super::tasks::and_then;
use super::timed::unit;
use super::wanted::Wanted;
use super::{Batches, Fit, ScalarRange, Section, Table, Tasks};
use crate::columns::{BytesColumn, Column, ColumnData, ColumnType, Columns, NullableColumn, ValueRef};
use crate::error::{Error, Result};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::wire::amount::times;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rows of a table, in which values stand in the places of missing ones: the numbers of columns, and what a value is as text. A text in a
/// column of texts is that text; a time is one of ISO 8601, a bool may be `0` or `1`. Columns without missing values stay as they are, and so does
/// NaN, which is a value.
///
/// ```
/// use binfmt::columns::Column;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableFormat, Wanted, csv::Csv, fill_missing};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.csv", b"zone,place\n3,roof\n,\n")?;
/// let table = Csv.open(Arc::new(files), "x.csv", &Settings::new())?;
/// let table = fill_missing(table, &[(0, "-1")])?;
/// let batch = table.batches(&Wanted::new().columns([0]))?.next().unwrap()?;
/// assert_eq!(batch.get("zone"), Some(&Column::from(vec![3i64, -1])));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value is not of the type of its column, or that has no values that a text says: it is a record, a list or an array.
pub fn fill_missing(table: Arc<dyn Table>, values: &[(usize, &str)]) -> Result<Arc<dyn Table>> {
    let table = read_like(table, values);
    let mut schema = table.schema().clone();
    let mut fills: Vec<Option<Column>> = vec![None; schema.fields.len()];
    for (place, text) in values {
        let (Some(field), Some(fill)) = (schema.fields.get_mut(*place), fills.get_mut(*place)) else {
            return Err(Error::other(format!("there is no column {place}")));
        };
        let value = value(field, text)?;
        if *inner(&field.ty) != field.ty {
            (field.ty, field.inferred, *fill) = (inner(&field.ty).clone(), None, Some(value));
        }
    }
    match fills.iter().any(Option::is_some) {
        true => {
            let nans = fills.iter().map(|_| AtomicBool::new(false)).collect();
            Ok(Arc::new(Filling { table, schema, fills: fills.into(), nans }))
        }
        false => Ok(table),
    }
}

/// Columns that have no value take the type that the text looks like.
fn read_like(table: Arc<dyn Table>, values: &[(usize, &str)]) -> Arc<dyn Table> {
    let of = |(place, text): &(usize, &str)| {
        let field = table.schema().fields.get(*place)?;
        let mut seen = Seen::default();
        seen.add(text.as_bytes());
        (field.inferred == Some(Inferred::Nothing)).then(|| (*place, seen.cell_type()))
    };
    let read: Vec<_> = values.iter().filter_map(of).collect();
    let found = if read.is_empty() { None } else { in_place(&table, &read) };
    found.unwrap_or(table)
}

/// The value that a text says, as a column of one row.
fn value(field: &TableField, text: &str) -> Result<Column> {
    let ty = inner(&field.ty);
    let unread = || {
        let text = format!(
            "column `{}` is {}, and missing values of such are not filled",
            field.name,
            field.type_name()
        );
        Error::other(text)
    };
    let wrong = |_| {
        let like = unit(field).map(|unit| format!(", such as {}", unit.format_time(0)));
        let like = like.unwrap_or_default();
        Error::other(format!("column `{}` is {}, and {text:?} is not{like}", field.name, field.type_name()))
    };
    let read = match (ty, &field.logical) {
        (ColumnType::Number(_), Some(Logical::Timestamp(unit))) => CellType::Time(*unit),
        (ColumnType::Number(_), None | Some(Logical::Duration(_))) => match ty {
            ColumnType::Number(kind) => CellType::of_number(*kind).ok_or_else(unread)?,
            _ => return Err(unread()),
        },
        (ColumnType::Text, None) => CellType::Text,
        (ColumnType::Bytes | ColumnType::FixedBytes(_), None) => CellType::Bytes,
        _ => return Err(unread()),
    };
    let text = match (read, text) {
        (CellType::Bool, "0") => "false",
        (CellType::Bool, "1") => "true",
        (_, text) => text,
    };
    let mut cells = Cells::new(read);
    if !cells.push(Some(text.as_bytes())) {
        return Err(wrong(()));
    }
    let column = cells.into_values().ok_or_else(unread)?;
    match column.column_type() == *ty {
        true => Ok(column),
        false => Fit::convert(&column, ty).map_err(|_| wrong(())),
    }
}

/// A table without missing values in some columns.
#[derive(Debug)]
struct Filling {
    table: Arc<dyn Table>,
    schema: TableSchema,
    fills: Arc<[Option<Column>]>,
    /// Which of these columns have a NaN, which is a value.
    nans: Arc<[AtomicBool]>,
}

impl Filling {
    fn is_filled(&self, column: usize) -> bool {
        self.fills.get(column).is_some_and(Option::is_some)
    }

    /// What is asked of the table: ranges say nothing of what is missing there.
    fn asked(&self, wanted: &Wanted) -> Wanted {
        let mut asked = wanted.clone();
        asked.ranges.retain(|(column, _)| !self.is_filled(*column));
        asked
    }

    /// What becomes of a batch of the wanted columns.
    fn change(
        &self,
        wanted: &Wanted,
    ) -> Result<impl Fn(Columns) -> Result<Columns> + Send + Sync + Clone + use<>> {
        let columns = wanted.columns_of(&self.schema)?;
        let (fills, nans) = (Arc::clone(&self.fills), Arc::clone(&self.nans));
        Ok(move |batch: Columns| {
            let rows = batch.num_rows();
            let all =
                batch.into_columns().into_iter().zip(&columns).map(|((name, column), place)| {
                    match fills.get(*place).and_then(Option::as_ref) {
                        Some(value) => {
                            if let Some(nan) =
                                nans.get(*place).filter(|_| !has_nan(value) && has_nan(&column))
                            {
                                nan.store(true, Ordering::Relaxed);
                            }
                            Ok((name, filled(column, value)?))
                        }
                        None => Ok((name, column)),
                    }
                });
            Ok(Columns::of_rows(rows, all.collect::<Result<_>>()?))
        })
    }
}

impl Table for Filling {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        if self.is_filled(column) { None } else { self.table.bounds(column) }
    }

    fn left_out(&self) -> Vec<String> {
        let fields = self.schema.fields.iter().zip(&*self.nans);
        let kept = fields.filter(|(_, nan)| nan.load(Ordering::Relaxed)).map(|(field, _)| {
            format!("column `{}`: NaN is a value, and stays where missing ones are filled", field.name)
        });
        self.table.left_out().into_iter().chain(kept).collect()
    }

    fn sections(&self) -> Vec<Section> {
        self.table.sections()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        // what is read anew has missing values again
        if columns.iter().any(|(column, _)| self.is_filled(*column)) {
            return None;
        }
        let first = self.schema.fields.len();
        let table = Arc::clone(&self.table).read_as(columns)?;
        let mut schema = self.schema.clone();
        schema.fields.extend(table.schema().fields.iter().skip(first).cloned());
        let (fills, nans) = (Arc::clone(&self.fills), Arc::clone(&self.nans));
        Some(Arc::new(Filling { table, schema, fills, nans }))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(&self.asked(wanted), parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let change = self.change(wanted)?;
        let batches = Arc::clone(&self.table).read(split, &self.asked(wanted))?;
        Ok(Box::new(batches.map(move |batch| change(batch?))))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        let change = self.change(wanted)?;
        Ok(and_then(Arc::clone(&self.table).tasks(split, &self.asked(wanted))?, change))
    }
}

/// Whether one of the numbers that are there is NaN.
fn has_nan(column: &Column) -> bool {
    match column {
        Column::Nullable(values) | Column::Optional(values) => match values.values() {
            Column::Numbers(numbers) if numbers.number_type().is_float() => (0..values.len())
                .any(|row| !values.is_missing(row) && numbers.get(row).is_some_and(|n| n.to_f64().is_nan())),
            _ => false,
        },
        Column::Numbers(numbers) => numbers.get(0).is_some_and(|n| n.to_f64().is_nan()),
        _ => false,
    }
}

/// A column without missing values: the first row of another one stands in their places.
fn filled(column: Column, value: &Column) -> Result<Column> {
    let (Column::Nullable(values) | Column::Optional(values)) = column else { return Ok(column) };
    let missing: Vec<usize> = (0..values.len()).filter(|row| values.is_missing(*row)).collect();
    let (_, values) = NullableColumn::into_parts(*values);
    let values = filled(values, value)?;
    if missing.is_empty() {
        return Ok(values);
    }
    Ok(match (values, value.get(0)) {
        (Column::Numbers(mut numbers), _) => {
            if let Column::Numbers(value) = value {
                put(&mut numbers, value, &missing);
            }
            Column::Numbers(numbers)
        }
        (Column::Text(texts), Some(ValueRef::Text(text))) => Column::Text(put_text(&texts, text, &missing)),
        (Column::Bytes(texts), Some(ValueRef::Bytes(text))) => {
            Column::Bytes(put_text(&texts, text, &missing))
        }
        (Column::FixedBytes { size, rows, mut bytes }, Some(ValueRef::Bytes(text))) => {
            for row in missing {
                let place = bytes.get_mut(times(row, size)..).and_then(|rest| rest.get_mut(..size));
                if let Some(place) = place.filter(|place| place.len() == text.len()) {
                    place.copy_from_slice(text);
                }
            }
            Column::FixedBytes { size, rows, bytes }
        }
        (values, _) => {
            return Err(Error::other(format!("missing values of {} are not filled", values.column_type())));
        }
    })
}

fn put(numbers: &mut Numbers, value: &Numbers, rows: &[usize]) {
    with_numbers!(numbers, v => put_in(v, value, rows))
}

fn put_in<T: Element>(v: &mut [T], value: &Numbers, rows: &[usize]) {
    let Some(value) = value.get(0).and_then(T::of) else { return };
    for row in rows {
        if let Some(place) = v.get_mut(*row) {
            *place = value;
        }
    }
}

fn put_text(texts: &BytesColumn, text: &[u8], rows: &[usize]) -> BytesColumn {
    let (mut all, mut missing) = (BytesColumn::new(), rows.iter().peekable());
    for row in 0..texts.len() {
        match missing.next_if_eq(&&row) {
            Some(_) => all.push(text),
            None => all.push(texts.get(row).unwrap_or_default()),
        }
    }
    all
}
