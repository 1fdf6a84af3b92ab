//! Numbers that count time since 1970, as times.

use super::field::{Inferred, Logical, TableField, TableSchema, keys};
use super::filled::{at, inner};
use super::widened::{Convert, Converted};
use super::{Fit, Table, TimeUnit};
use crate::columns::{Column, ColumnData, ColumnType, NullableColumn, ValueRef};
use crate::error::{Error, Result, Step};
use crate::numbers::NumberType;
use std::sync::Arc;

/// What is said of a column whose numbers count in this unit.
const UNIT: &str = "binfmt:counted-in";

/// The code of a time that is there.
const PRESENT: u8 = 0xff;

/// The rows of a table, in which the numbers of some columns are times: so many of a unit since the beginning of 1970. Floating-point
/// numbers are rounded to microseconds, or to nanoseconds if they count microseconds; what is not a number is missing.
/// A column whose type is inferred from no value has missing times.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Logical, Table, TimeUnit, counted};
/// use std::sync::Arc;
/// let columns = Columns::new(vec![("t".into(), Column::from(vec![1.5e9, 1.5e9 + 0.25]))])?;
/// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
/// let times = counted(table, &[(0, TimeUnit::Second)])?;
/// assert_eq!(times.schema().fields[0].logical, Some(Logical::Timestamp(TimeUnit::Micro)));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A column has no numbers, or its unit is a month or a year, in floating-point numbers.
pub fn counted(table: Arc<dyn Table>, units: &[(usize, TimeUnit)]) -> Result<Arc<dyn Table>> {
    let mut schema: TableSchema = table.schema().clone();
    for (column, unit) in units {
        let Some(field) = schema.fields.get_mut(*column) else { continue };
        let named = |e: Error| e.within(Step::Name(field.name.to_string()));
        let (finer, ty) = match inner(&field.ty) {
            // a column without a value has no type of its own
            _ if field.inferred == Some(Inferred::Nothing) => (*unit, nullable()),
            ColumnType::Number(kind) if kind.is_float() => {
                let finer = parts(*unit).ok_or_else(|| {
                    named(Error::other("floating-point numbers of months and years are no times"))
                })?;
                (finer.0, nullable())
            }
            ColumnType::Number(kind) if *kind != NumberType::Bool && kind.size() <= 8 => {
                let ty = match &field.ty {
                    ColumnType::Number(_) => ColumnType::Number(NumberType::I64),
                    _ => nullable(),
                };
                (*unit, ty)
            }
            ty => return Err(named(Error::other(format!("{ty} counts no time")))),
        };
        // what was said of the numbers is not true of the times
        field.meta.retain(|(key, _)| ![keys::NATIVE, keys::UNITS].contains(&&**key));
        let told = field.clone().with(UNIT, unit.to_string()).logical(Some(Logical::Timestamp(finer)));
        *field = TableField { ty, inferred: None, ..told };
    }
    let convert: Convert = |column, [from, to], row| match to.get(UNIT).and_then(TimeUnit::named) {
        Some(unit) if from.get(UNIT).is_none() => {
            let times = match from.inferred {
                Some(Inferred::Nothing) => read(&column),
                _ => times(&column, unit, &to.ty),
            };
            times.map_err(|e| at(&to.name, row, &e))
        }
        _ => Ok(column),
    };
    Ok(Arc::new(Converted { table, schema, convert }))
}

fn nullable() -> ColumnType {
    ColumnType::Nullable { present: PRESENT, values: Box::new(ColumnType::Number(NumberType::I64)) }
}

/// In which unit floating-point numbers of another one are times, and how many of those it has.
fn parts(unit: TimeUnit) -> Option<(TimeUnit, f64)> {
    Some(match unit {
        TimeUnit::Year | TimeUnit::Month => return None,
        TimeUnit::Week => (TimeUnit::Micro, 604_800e6),
        TimeUnit::Day => (TimeUnit::Micro, 86_400e6),
        TimeUnit::Hour => (TimeUnit::Micro, 3600e6),
        TimeUnit::Minute => (TimeUnit::Micro, 60e6),
        TimeUnit::Second => (TimeUnit::Micro, 1e6),
        TimeUnit::Milli => (TimeUnit::Micro, 1e3),
        TimeUnit::Micro => (TimeUnit::Nano, 1e3),
        unit => (unit, 1.0),
    })
}

fn times(column: &Column, unit: TimeUnit, ty: &ColumnType) -> Result<Column> {
    let is_float = matches!(inner(&column.column_type()), ColumnType::Number(kind) if kind.is_float());
    let Some((_, each)) = parts(unit).filter(|_| is_float) else { return Fit::convert(column, ty) };
    let mut times = Vec::with_capacity(column.len());
    for row in 0..column.len() {
        let number = match column.get(row) {
            Some(ValueRef::Number(n)) => Some(n.to_f64() * each).filter(|n| !n.is_nan()),
            _ => None,
        };
        // 64 bits of microseconds are 292,000 years
        if number.is_some_and(|n| n.abs() >= i64::MAX as f64) {
            let text = format!("{} is too far from 1970", number.unwrap_or_default() / each);
            return Err(Error::other(text).within(Step::Index(row)));
        }
        times.push(number.map(|n| n.round() as i64));
    }
    some(times)
}

/// Times of a column whose type was inferred from no value, where its later rows have some.
fn read(column: &Column) -> Result<Column> {
    let mut times = Vec::with_capacity(column.len());
    for row in 0..column.len() {
        times.push(match column.get(row) {
            Some(ValueRef::Number(n)) => n.as_i128().and_then(|n| i64::try_from(n).ok()),
            Some(ValueRef::Text(text)) => {
                let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                let text = String::from_utf8_lossy(text);
                let wrong = || Error::other(format!("{text:?} is not a whole number, and counts no time"));
                Some(number.ok_or_else(|| wrong().within(Step::Index(row)))?)
            }
            _ => None,
        });
    }
    some(times)
}

/// Times that may be missing.
fn some(times: Vec<Option<i64>>) -> Result<Column> {
    let codes = times.iter().map(|time| if time.is_some() { PRESENT } else { 0 }).collect();
    let values: Vec<i64> = times.into_iter().map(Option::unwrap_or_default).collect();
    let found = NullableColumn::from_parts(codes, Column::from(values), PRESENT);
    found
        .map(|found| Column::Nullable(Box::new(found)))
        .ok_or_else(|| Error::other("a column has not a code for each value"))
}
