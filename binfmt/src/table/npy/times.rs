//! Times of which some are missing: those that are `NaT`, the least of all integers.

use crate::columns::{Column, ColumnType, NullableColumn};
use crate::numbers::{NumberType, Numbers};
use crate::table::widened::{Convert, Converted};
use crate::table::{Logical, Table};
use std::sync::Arc;

/// The code of a value that is there.
const PRESENT: u8 = 0xff;

/// The table, in which times may be missing if it has some.
pub(super) fn of(table: impl Table + 'static) -> Arc<dyn Table> {
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
    let convert: Convert = |column, [_, to], _| match to.ty {
        ColumnType::Nullable { .. } => Ok(missing(column)),
        _ => Ok(column),
    };
    if has_times { Arc::new(Converted { table, schema, convert }) } else { table }
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
