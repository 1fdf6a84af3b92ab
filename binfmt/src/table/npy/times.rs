//! Times of which some are missing.

use crate::columns::{Column, ColumnType, Columns, NullableColumn};
use crate::error::Result;
use crate::numbers::{NumberType, Numbers};
use crate::table::{
    Batches, Estimate, Logical, RowsTable, ScalarRange, Section, Split, Table, TableSchema, Wanted,
};
use std::sync::Arc;

/// The rows of an array in which a time may be `NaT`, the least of all integers: those are missing.
#[derive(Debug)]
pub(super) struct Times {
    table: Arc<RowsTable>,
    schema: TableSchema,
}

/// The code of a value that is there.
const PRESENT: u8 = 0xff;

/// The table, in which times may be missing if it has some.
pub(super) fn of(table: RowsTable) -> Arc<dyn Table> {
    let mut schema = table.schema().clone();
    let mut has_times = false;
    for field in &mut schema.fields {
        let is_time = matches!(field.logical, Some(Logical::Timestamp(_) | Logical::Duration(_)));
        if is_time && field.ty == ColumnType::Number(NumberType::I64) {
            let values = Box::new(field.ty.clone());
            field.ty = ColumnType::Nullable { present: PRESENT, values };
            has_times = true;
        }
    }
    let table = Arc::new(table);
    if has_times { Arc::new(Times { table, schema }) } else { table }
}

/// A column of times: `NaT` has the code 0.
fn missing(column: Column) -> Column {
    let Column::Numbers(Numbers::I64(mut values)) = column else { return column };
    let codes: Vec<u8> = values.iter().map(|n| if *n == i64::MIN { 0 } else { PRESENT }).collect();
    values.iter_mut().filter(|n| **n == i64::MIN).for_each(|n| *n = 0);
    match NullableColumn::from_parts(codes, Column::Numbers(Numbers::I64(values)), PRESENT) {
        Some(column) => Column::Nullable(Box::new(column)),
        None => Column::from(Vec::<i64>::new()),
    }
}

impl Table for Times {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        self.table.bounds(column)
    }

    fn sections(&self) -> Vec<Section> {
        self.table.sections()
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(wanted, parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let of = |column: &usize| self.schema.fields.get(*column);
        let is_time =
            |column| of(column).is_some_and(|field| matches!(field.ty, ColumnType::Nullable { .. }));
        let times: Vec<bool> = columns.iter().map(is_time).collect();
        let batches = Arc::clone(&self.table).read(split, wanted)?;
        Ok(Box::new(batches.map(move |batch| {
            let batch = batch?;
            let rows = batch.num_rows();
            let read = batch.into_columns().into_iter().zip(&times);
            let read = read.map(|((name, column), is_time)| match is_time {
                true => (name, missing(column)),
                false => (name, column),
            });
            Ok(Columns::of_rows(rows, read.collect()))
        })))
    }
}
