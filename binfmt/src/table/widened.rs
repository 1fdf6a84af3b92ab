//! Tables whose columns are of wider types.

use super::csv::CellType;
use super::field::{Inferred, TableField, TableSchema};
use super::filled::{at, inner};
use super::fit::Fit;
use super::retyped::{cell_type, in_place};
use super::scalar::ScalarRange;
use super::split::{Estimate, Split};
use super::timed::unit;
use super::wanted::Wanted;
use super::{Batches, Section, Table};
use crate::columns::{Column, ColumnType, Columns};
use crate::error::Result;
use crate::numbers::NumberType;
use crate::schema::Name;
use crate::wire::amount::{after, natural, plus};
use std::collections::HashMap;
use std::sync::Arc;

/// A column by its name and which of those of the name it is: what a reader adds need not be in all tables.
pub(super) type Key = (Name, usize);

/// The columns of a table.
pub(super) fn keyed(schema: &TableSchema) -> impl Iterator<Item = (Key, &TableField)> {
    let mut seen: HashMap<&Name, usize> = HashMap::new();
    schema.fields.iter().map(move |field| {
        let count = seen.entry(&field.name).or_default();
        let key = (field.name.clone(), *count);
        *count = plus(*count, 1);
        (key, field)
    })
}

/// Types that have the values of all tables, column by column, as far as there are such. A column without a value takes those of the
/// others.
pub(super) fn common(schemas: &[&TableSchema]) -> HashMap<Key, TableField> {
    let all = || schemas.iter().flat_map(|schema| keyed(schema));
    let mut fields: HashMap<Key, TableField> = HashMap::new();
    for (key, of) in all() {
        let field = fields.entry(key).or_insert_with(|| of.clone());
        if is_nothing(field) {
            let TableField { ty, logical, inferred, .. } = of.clone();
            (field.ty, field.logical, field.inferred) = (ty, logical, inferred);
        }
    }
    for (key, of) in all() {
        let Some(field) = fields.get_mut(&key) else { continue };
        let wide = match is_nothing(of) {
            true => missing_too(&field.ty, &of.ty),
            // what looks like times in one file of text, and like something else in another, is text in both
            false if is_other(field, of) => {
                field.logical = None;
                wider(&of.ty, &ColumnType::Text)
            }
            false => wider(&field.ty, &of.ty),
        };
        if let Some(wide) = wide {
            field.ty = wide;
        }
    }
    fields
}

/// Whether two columns of fields of text are times in one file, and not in the other; or say only in one how far from UTC they are.
fn is_other(a: &TableField, b: &TableField) -> bool {
    let are_inferred = a.inferred.is_some() && b.inferred.is_some();
    let is_zoned = |field: &TableField| field.inferred == Some(Inferred::Zoned);
    let differ = unit(a).is_some() != unit(b).is_some() || is_zoned(a) != is_zoned(b);
    are_inferred && *inner(&a.ty) != ColumnType::Text && differ
}

fn is_nothing(field: &TableField) -> bool {
    field.inferred == Some(Inferred::Nothing)
}

/// The type of values that may be missing as those of another are.
fn missing_too(ty: &ColumnType, as_in: &ColumnType) -> Option<ColumnType> {
    match (ty, as_in) {
        (ColumnType::Nullable { .. } | ColumnType::Optional(_), _) => None,
        (ty, ColumnType::Nullable { present, .. }) => {
            Some(ColumnType::Nullable { present: *present, values: Box::new(ty.clone()) })
        }
        _ => None,
    }
}

/// The type that has the values of two.
fn wider(a: &ColumnType, b: &ColumnType) -> Option<ColumnType> {
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (ColumnType::Nullable { present, .. }, _) | (_, ColumnType::Nullable { present, .. }) => {
            let of = |ty: &ColumnType| match ty {
                ColumnType::Nullable { values, .. } => (**values).clone(),
                ty => ty.clone(),
            };
            let values = wider(&of(a), &of(b))?;
            Some(ColumnType::Nullable { present: *present, values: Box::new(values) })
        }
        // `true` is not 1
        (ColumnType::Number(NumberType::Bool), _) | (_, ColumnType::Number(NumberType::Bool)) => {
            Some(ColumnType::Text)
        }
        _ if Fit::of(a, b) == Some(Fit::Widened) => Some(b.clone()),
        _ if Fit::of(b, a) == Some(Fit::Widened) => Some(a.clone()),
        // an integer that a float does not have is an error where it is
        (ColumnType::Number(a), ColumnType::Number(b)) if a.is_float() || b.is_float() => {
            Some(ColumnType::Number(NumberType::F64))
        }
        (ColumnType::Number(a), ColumnType::Number(b)) => {
            let signed = [NumberType::I16, NumberType::I32, NumberType::I64].map(ColumnType::Number);
            let has = |ty: &ColumnType, of: &NumberType| {
                Fit::of(&ColumnType::Number(*of), ty) == Some(Fit::Widened)
            };
            Some(signed.into_iter().find(|ty| has(ty, a) && has(ty, b)).unwrap_or(ColumnType::Text))
        }
        (ColumnType::List(a), ColumnType::List(b)) => {
            Some(wider(a, b).map_or(ColumnType::Text, |items| ColumnType::List(Box::new(items))))
        }
        _ => Some(ColumnType::Text),
    }
}

/// The table with columns of these types, or as it is if they cannot be.
pub(super) fn of_types(table: Arc<dyn Table>, types: &HashMap<Key, TableField>) -> Arc<dyn Table> {
    let fields = &table.schema().fields;
    let of = |(key, field): (Key, &TableField)| types.get(&key).unwrap_or(field).clone();
    let types: Vec<TableField> = keyed(table.schema()).map(of).collect();
    let is_other = |(field, to): (&TableField, &TableField)| field.ty != to.ty;
    if !fields.iter().zip(&types).any(is_other) {
        return table;
    }
    // what is text in one of them stays as it is written in the others
    let read = |(place, (field, to)): (usize, (&TableField, &TableField))| {
        let is_read = is_nothing(field) || (is_text(&to.ty) && !is_text(&field.ty));
        cell_type(field, to).filter(|_| is_read).map(|ty| (place, ty))
    };
    let read: Vec<_> = fields.iter().zip(&types).enumerate().filter_map(read).collect();
    let table = match read.is_empty() {
        true => table,
        false => in_place(&table, &read).unwrap_or(table),
    };
    let of = |(field, to): (&TableField, &TableField)| {
        let ty = if Fit::of(&field.ty, &to.ty).is_some() { &to.ty } else { &field.ty };
        TableField { ty: ty.clone(), ..field.clone() }
    };
    let schema = table.schema();
    let fields = schema.fields.iter().zip(&types).map(of).collect();
    let schema = TableSchema { fields, meta: schema.meta.clone() };
    let convert: Convert =
        |column, [_, to], row| Fit::convert(&column, &to.ty).map_err(|e| at(&to.name, row, &e));
    Arc::new(Converted { table, schema, convert })
}

fn is_text(ty: &ColumnType) -> bool {
    *inner(ty) == ColumnType::Text
}

/// How a column of one field becomes one of another; its first row has this number.
pub(super) type Convert = fn(Column, [&TableField; 2], u64) -> Result<Column>;

/// A table whose columns are converted.
#[derive(Debug)]
pub(super) struct Converted {
    pub(super) table: Arc<dyn Table>,
    pub(super) schema: TableSchema,
    pub(super) convert: Convert,
}

impl Converted {
    /// A field of the table, and what becomes of it.
    fn fields(&self, column: usize) -> Option<[&TableField; 2]> {
        let (from, to) = (self.table.schema().fields.get(column), self.schema.fields.get(column));
        from.zip(to).map(|(from, to)| [from, to])
    }

    /// Whether its numbers mean something else here.
    fn is_recounted(&self, column: usize) -> bool {
        self.fields(column).is_some_and(|[from, to]| from.logical != to.logical)
    }

    /// What is asked of the table: ranges of other numbers say nothing there.
    fn asked(&self, wanted: &Wanted) -> Wanted {
        let mut asked = wanted.clone();
        asked.ranges.retain(|(column, _)| !self.is_recounted(*column));
        asked
    }
}

impl Table for Converted {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        if self.is_recounted(column) { None } else { self.table.bounds(column) }
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn sections(&self) -> Vec<Section> {
        self.table.sections()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let first = self.schema.fields.len();
        let table = Arc::clone(&self.table).read_as(columns)?;
        let mut schema = self.schema.clone();
        schema.fields.extend(table.schema().fields.iter().skip(first).cloned());
        Some(Arc::new(Converted { table, schema, convert: self.convert }))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(&self.asked(wanted), parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let mut row = natural(split.rows.start);
        let batches = Arc::clone(&self.table).read(split, &self.asked(wanted))?;
        Ok(Box::new(batches.map(move |batch| {
            let batch = batch?;
            let rows = batch.num_rows();
            let fields = columns.iter().filter_map(|column| self.fields(*column));
            let converted = batch
                .into_columns()
                .into_iter()
                .zip(fields)
                .map(|((name, column), fields)| Ok((name, (self.convert)(column, fields, row)?)));
            let converted = converted.collect::<Result<Vec<_>>>()?;
            row = after(row, rows as u64);
            Ok(Columns::of_rows(rows, converted))
        })))
    }
}
