//! Columns on their way into formats whose values are always there.
#![cfg_attr(not(all(feature = "sdds", feature = "tiledb")), allow(dead_code, reason = "formats use it"))]

use super::Fit;
use super::field::{Logical, TableField};
use super::plain::exact;
use crate::columns::{
    BytesColumn, Column, ColumnData, ColumnType, Columns, ListColumn, NullableColumn, ValueRef, View,
};
use crate::error::{Error, Result, Step};
use crate::numbers::{Element, NumberType, Numbers, with_numbers};
use crate::schema::Name;
use crate::wire::amount::{after, known, plus, times, times64};
use std::collections::BTreeMap;

/// About how many bytes a column has.
pub(crate) fn size(column: &Column) -> u64 {
    let all = |columns: &[(Name, Column)]| columns.iter().fold(0, |sum, (_, one)| after(sum, size(one)));
    match column {
        Column::Numbers(numbers) => times(numbers.len(), numbers.number_type().size()) as u64,
        Column::Text(texts) | Column::Bytes(texts) => {
            after(texts.items().len() as u64, times64(texts.len() as u64, 8))
        }
        Column::FixedBytes { bytes, .. } => bytes.len() as u64,
        Column::Array { items, .. } => size(items),
        Column::Nullable(values) | Column::Optional(values) => {
            after(values.len() as u64, size(values.values()))
        }
        Column::List(lists) => after(times64(lists.len() as u64, 8), size(lists.items())),
        Column::Shaped { items, .. } => after(times64(items.len() as u64, 16), size(items.items())),
        Column::Record { fields, .. } => all(fields),
        Column::Choice(choice) => all(choice.columns()),
    }
}

/// The type of the values, whether one may be missing or not.
pub(crate) fn inner(ty: &ColumnType) -> &ColumnType {
    match ty {
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => inner(values),
        ty => ty,
    }
}

/// What becomes of a column in one of another type whose values are always there: `None` if it is kept as it is.
pub(crate) fn note(field: &TableField, to: &ColumnType) -> Result<Option<String>> {
    let name = &field.name;
    let found = field.type_name();
    // what becomes of missing values is told apart
    let values = match inner(&field.ty) == &field.ty {
        true => found.as_str(),
        false => found.trim_end_matches('?'),
    };
    match Fit::of(inner(&field.ty), to) {
        Some(Fit::Same) => Ok(None),
        Some(fit) => Ok(Some(format!("column `{name}`, {values} to {to}: {fit}"))),
        None => Err(Error::other(format!("column `{name}` is {found}, which cannot be written as {to}"))),
    }
}

/// How many values of each column were missing and are NaN.
pub(crate) struct Blanks {
    /// What is written, as people call it.
    format: &'static str,
    filled: BTreeMap<String, u64>,
}

impl Blanks {
    /// None so far of what is written in that format.
    pub(crate) fn of(format: &'static str) -> Self {
        Blanks { format, filled: BTreeMap::new() }
    }

    /// The values of a column as those of another type; missing floats are NaN. Errors tell the column and the row, of which `first` is
    /// that of the first.
    pub(crate) fn fitted(
        &mut self,
        column: Column,
        to: &ColumnType,
        name: &str,
        first: u64,
    ) -> Result<Column> {
        self.fitted_to(column, &TableField::new(name, to.clone()), name, first)
    }

    /// The same for a field that says what its values mean.
    pub(crate) fn fitted_to(
        &mut self,
        column: Column,
        to: &TableField,
        name: &str,
        first: u64,
    ) -> Result<Column> {
        let told = |e: Error| at(name, first, &e);
        let column = with_floats(column, to).map_err(told)?;
        self.add(name, &column);
        let column = exact(filled(column, self.format).map_err(told)?, to).map_err(told)?;
        match column.column_type() == to.ty {
            true => Ok(column),
            false => Fit::convert(&column, &to.ty).map_err(told),
        }
    }

    /// Counts those of a column.
    pub(crate) fn add(&mut self, name: &str, column: &Column) {
        let (Column::Nullable(values) | Column::Optional(values)) = column else { return };
        let is_float =
            matches!(values.values(), Column::Numbers(numbers) if numbers.number_type().is_float());
        let missing = if is_float { values.num_missing() } else { 0 };
        if missing > 0 {
            let count = self.filled.entry(name.to_owned()).or_default();
            *count = after(*count, missing as u64);
        }
    }

    /// What became of them.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.filled.iter().filter_map(|(name, count)| replaced(name, *count, "NaN")).collect()
    }
}

/// That so many missing values of a column are something else in the file; `None` if there were none.
pub(crate) fn replaced(name: &str, count: u64, by: &str) -> Option<String> {
    let (values, are) = if count == 1 { ("value", "is") } else { ("values", "are") };
    (count > 0).then(|| format!("column `{name}`: {count} missing {values} {are} {by} now"))
}

/// An error of a column, with its name and its row in the table.
pub(crate) fn at(name: &str, first: u64, e: &Error) -> Error {
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let told = Error::other(e.kind().to_string()).within(Step::Name(name.into()));
    match e.path().steps().next() {
        Some(Step::Index(row)) => told.within(Step::Index(plus(*row, first))),
        _ => told,
    }
}

/// Values, of which some are missing, on their way into floats, as floats: these have NaN for them.
fn with_floats(column: Column, to: &TableField) -> Result<Column> {
    let kind = match &to.ty {
        ColumnType::Number(kind) if kind.is_float() => *kind,
        ColumnType::FixedBytes(_) if to.logical == Some(Logical::X87) => NumberType::F64,
        _ => return Ok(column),
    };
    match column {
        Column::Nullable(values) | Column::Optional(values) if values.num_missing() > 0 => {
            let floats = ColumnType::Nullable { present: 0xff, values: Box::new(ColumnType::Number(kind)) };
            let column = Column::Nullable(values);
            match Fit::of(&column.column_type(), &floats) {
                Some(_) => Fit::convert(&column, &floats),
                None => Ok(column),
            }
        }
        column => Ok(column),
    }
}

/// The values without what says which are missing.
fn filled(column: Column, format: &str) -> Result<Column> {
    let (Column::Nullable(values) | Column::Optional(values)) = column else { return Ok(column) };
    let missing: Vec<usize> = (0..values.len()).filter(|row| values.is_missing(*row)).collect();
    let (_, values) = NullableColumn::into_parts(*values);
    match (values, missing.first()) {
        (values, None) => filled(values, format),
        (Column::Numbers(mut numbers), Some(_)) if numbers.number_type().is_float() => {
            put_nan(&mut numbers, &missing);
            Ok(Column::Numbers(numbers))
        }
        (_, Some(row)) => {
            let text = format!(
                "a value is missing, and {format} does not support missing values but those of floats"
            );
            Err(Error::other(text).within(Step::Index(*row)))
        }
    }
}

fn put_nan(numbers: &mut Numbers, rows: &[usize]) {
    with_numbers!(numbers, v => fill_nan(v, rows))
}

/// Nothing is put into numbers that have no NaN.
fn fill_nan<T: Element>(v: &mut [T], rows: &[usize]) {
    let Some(nan) = T::from_f64(f64::NAN) else { return };
    for row in rows {
        if let Some(x) = v.get_mut(*row) {
            *x = nan;
        }
    }
}

/// Adds the rows of another column of the same type; says whether it is of one that can grow.
#[must_use]
pub(crate) fn append(to: &mut Column, more: &Column) -> bool {
    match (to, more) {
        (Column::Numbers(to), Column::Numbers(more)) => to.append(more),
        (Column::Text(to), Column::Text(more)) | (Column::Bytes(to), Column::Bytes(more)) => {
            push_all(to, more);
            true
        }
        (
            Column::FixedBytes { size, rows, bytes },
            Column::FixedBytes { size: of, rows: count, bytes: more },
        ) if size == of => {
            *rows = plus(*rows, *count);
            bytes.extend_from_slice(more);
            true
        }
        (Column::Array { len, rows, items }, Column::Array { len: of, rows: count, items: more })
            if len == of =>
        {
            *rows = plus(*rows, *count);
            append(items, more)
        }
        (Column::List(to), Column::List(more)) => {
            let empty = ListColumn::over(to.items().column_type().empty());
            let (mut offsets, mut items) = std::mem::replace(&mut **to, empty).into_parts();
            let first = known(offsets.last().copied());
            offsets.extend(more.offsets().iter().skip(1).map(|end| plus(*end, first)));
            let is_done = append(&mut items, more.items());
            match ListColumn::from_parts(offsets, items) {
                Some(lists) => **to = lists,
                None => return false,
            }
            is_done
        }
        _ => false,
    }
}

fn push_all(to: &mut BytesColumn, more: &BytesColumn) {
    (0..more.len()).filter_map(|row| more.get(row)).for_each(|text| to.push(text));
}

/// Whether two rows of a column are the same, bit by bit.
pub(crate) fn is_same(a: Option<ValueRef<'_>>, b: Option<ValueRef<'_>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => are_same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn are_same(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    use ValueRef::{Absent, Array, Bytes, List, Missing, Number, Record, Text, Variant};
    let lists = |a: View<'_, Column>, b: View<'_, Column>| {
        a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| are_same(a, b))
    };
    let fields = |a: &[(Name, Column)], i: usize, b: &[(Name, Column)], j: usize| {
        let is = |((name, a), (of, b)): (&(Name, Column), &(Name, Column))| {
            name == of && is_same(a.get(i), b.get(j))
        };
        a.len() == b.len() && a.iter().zip(b).all(is)
    };
    match (a, b) {
        (Number(a), Number(b)) => a.is_same(b),
        (Text(a) | Bytes(a), Text(b) | Bytes(b)) => a == b,
        (Missing(a), Missing(b)) => a == b,
        (Absent, Absent) => true,
        (List(a), List(b)) => lists(a, b),
        (Array(shape, a), Array(of, b)) => shape == of && lists(a, b),
        (Record(a, i), Record(b, j)) => fields(a, i, b, j),
        (Variant { name, fields: a, row: i }, Variant { name: of, fields: b, row: j }) => {
            name == of && fields(a, i, b, j)
        }
        _ => false,
    }
}

/// Batches of columns of fixed types that become one.
#[derive(Debug)]
pub(crate) struct Gathered {
    columns: Vec<(Name, Column)>,
    rows: usize,
}

impl Gathered {
    pub(crate) fn new(types: impl IntoIterator<Item = (Name, ColumnType)>) -> Self {
        let columns = types.into_iter().map(|(name, ty)| (name, ty.empty())).collect();
        Gathered { columns, rows: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds these rows.
    pub(crate) fn push(&mut self, more: Vec<Column>, rows: usize) -> Result<()> {
        let is_first = self.rows == 0;
        self.rows = plus(self.rows, rows);
        for ((name, column), more) in self.columns.iter_mut().zip(more) {
            if is_first {
                *column = more;
            } else if !append(column, &more) {
                let text = format!("column `{name}`: {} cannot be gathered", column.column_type());
                return Err(Error::other(text));
            }
        }
        Ok(())
    }

    /// What was gathered.
    pub(crate) fn take(&mut self) -> Vec<Column> {
        self.rows = 0;
        let emptied = |(_, column): &mut (Name, Column)| {
            let empty = column.column_type().empty();
            std::mem::replace(column, empty)
        };
        self.columns.iter_mut().map(emptied).collect()
    }
}

/// The columns of a batch, each of which is taken once.
pub(crate) struct Taking {
    columns: Vec<Option<Column>>,
}

impl Taking {
    pub(crate) fn of(batch: Columns) -> Self {
        Taking { columns: batch.into_columns().into_iter().map(|(_, column)| Some(column)).collect() }
    }

    /// The column at a place.
    ///
    /// # Errors
    /// There is none, or it was taken.
    pub(crate) fn take(&mut self, place: usize) -> Result<Column> {
        let column = self.columns.get_mut(place).and_then(Option::take);
        column.ok_or_else(|| Error::other("a batch has not all columns"))
    }
}
