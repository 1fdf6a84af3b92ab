//! Times that are counted in another unit.

use super::field::{TableField, keys};
use super::filled::at;
use super::widened::{Convert, Converted};
use super::{Logical, Table, TableSchema, TimeUnit};
use crate::columns::{Column, ListColumn, NullableColumn};
use crate::error::{Error, Result, Step};
use crate::numbers::Numbers;
use crate::wire::amount::{known, num_in};
use std::sync::Arc;

/// No time, whatever the unit.
const NOT_A_TIME: i64 = i64::MIN;

/// From which unit to which times are counted anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recount {
    from: TimeUnit,
    to: TimeUnit,
}

/// The unit of times since 1970.
pub(crate) fn unit(field: &TableField) -> Option<TimeUnit> {
    match field.logical {
        Some(Logical::Timestamp(unit)) => Some(unit),
        _ => None,
    }
}

impl Recount {
    /// What is to be done with times where they are counted in another unit.
    pub(crate) fn of(field: &TableField, to: Option<TimeUnit>) -> Option<Self> {
        let (from, to) = unit(field).zip(to)?;
        (from != to).then_some(Recount { from, to })
    }

    /// What is to be said of a field that goes where times are counted in that unit, or numbers in none.
    pub(crate) fn told(field: &TableField, to: Option<TimeUnit>) -> Option<String> {
        match to {
            Some(_) => Recount::of(field, to).map(|recount| recount.note(&field.name)),
            None => field.uncounted(),
        }
    }

    fn note(self, name: &str) -> String {
        let Recount { from, to } = self;
        let how =
            if from < to { "widened" } else { "checked: a time that is no whole number of them is an error" };
        format!("column `{name}`, times in {from} to times in {to}: {how}")
    }

    /// The same times, or which one is none in the other unit.
    pub(crate) fn column(self, column: Column) -> Result<Column> {
        match column {
            Column::Numbers(Numbers::I64(mut times)) => {
                for (row, n) in times.iter_mut().enumerate().filter(|(_, n)| **n != NOT_A_TIME) {
                    *n = self.from.in_unit(*n, self.to).ok_or_else(|| self.unfit(*n, row))?;
                }
                Ok(Column::Numbers(Numbers::I64(times)))
            }
            Column::Nullable(times) => {
                let present = times.present();
                let (codes, times) = NullableColumn::into_parts(*times);
                let times = NullableColumn::from_parts(codes, self.column(times)?, present);
                times.map(|times| Column::Nullable(Box::new(times))).ok_or_else(unequal)
            }
            Column::Array { len, rows, items } => {
                let items = self.column(*items).map_err(|e| of_row(&e, |item| num_in(item, len)))?;
                Ok(Column::Array { len, rows, items: Box::new(items) })
            }
            Column::List(lists) => {
                let (offsets, items) = lists.into_parts();
                let row = |item: usize| known(offsets.partition_point(|end| *end <= item).checked_sub(1));
                let items = self.column(items).map_err(|e| of_row(&e, row))?;
                let lists = ListColumn::from_parts(offsets, items);
                lists.map(|lists| Column::List(Box::new(lists))).ok_or_else(unequal)
            }
            column => Ok(column),
        }
    }

    fn unfit(self, n: i64, row: usize) -> Error {
        let text = format!("{} is not a time in {}", self.from.format_time(n), self.to);
        Error::other(text).within(Step::Index(row))
    }
}

fn unequal() -> Error {
    Error::other("a column without all its rows")
}

/// An error of an item as one of the row that it is in.
fn of_row(e: &Error, row: impl Fn(usize) -> usize) -> Error {
    let told = Error::other(e.kind().to_string());
    match e.path().steps().next() {
        Some(Step::Index(item)) => told.within(Step::Index(row(*item))),
        _ => told,
    }
}

/// A table, and how it is called.
type Named = (String, Arc<dyn Table>);

/// Tables of the same columns, in which times are counted in the finest unit that one of them has.
pub(super) fn in_one_unit(tables: Vec<Named>) -> Vec<Named> {
    let fields = tables.iter().map(|(_, table)| table.schema().fields.len()).max().unwrap_or_default();
    let finest = |place: usize| {
        let of = |(_, table): &Named| table.schema().fields.get(place).and_then(unit);
        tables.iter().filter_map(of).max()
    };
    let units: Vec<Option<TimeUnit>> = (0..fields).map(finest).collect();
    let counted = |(name, table): Named| {
        let schema = table.schema();
        let is_other = |(field, unit): (&TableField, &Option<TimeUnit>)| Recount::of(field, *unit).is_some();
        if !schema.fields.iter().zip(&units).any(is_other) {
            return (name, table);
        }
        let fields = schema.fields.iter().zip(&units).map(|(field, unit)| counted_in(field, *unit)).collect();
        let schema = TableSchema { fields, meta: schema.meta.clone() };
        let convert: Convert = |column, [from, to], row| match Recount::of(from, unit(to)) {
            Some(recount) => recount.column(column).map_err(|e| at(&to.name, row, &e)),
            None => Ok(column),
        };
        (name, Arc::new(Converted { table, schema, convert }) as _)
    };
    tables.into_iter().map(counted).collect()
}

/// The field with times in that unit.
fn counted_in(field: &TableField, to: Option<TimeUnit>) -> TableField {
    match Recount::of(field, to).and(to) {
        // what its format calls it has the unit in it
        Some(to) => {
            let mut field = field.clone().logical(Logical::Timestamp(to));
            field.meta.retain(|(key, _)| key != keys::NATIVE);
            field
        }
        None => field.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_anew_or_the_row_is_told() {
        let recount = |from, to| Recount { from, to };
        let seconds = Column::from(vec![1i64, NOT_A_TIME, -2]);
        let widened = recount(TimeUnit::Second, TimeUnit::Milli).column(seconds).unwrap();
        assert_eq!(widened, Column::from(vec![1000i64, NOT_A_TIME, -2000]));
        let narrow = recount(TimeUnit::Milli, TimeUnit::Second);
        assert_eq!(narrow.column(widened).unwrap(), Column::from(vec![1i64, NOT_A_TIME, -2]));
        let e = narrow.column(Column::from(vec![1000i64, 1500])).unwrap_err();
        assert_eq!(e.to_string(), "[1]: 1970-01-01T00:00:01.500 is not a time in s");
        let pairs =
            Column::Array { len: 2, rows: 2, items: Box::new(Column::from(vec![0i64, 1000, 2000, 1])) };
        assert_eq!(narrow.column(pairs).unwrap_err().path().to_string(), "[1]");
        let list = ListColumn::from_parts(vec![0, 0, 1, 2], Column::from(vec![3000i64, 5])).unwrap();
        assert_eq!(narrow.column(Column::List(Box::new(list))).unwrap_err().path().to_string(), "[2]");
    }
}
