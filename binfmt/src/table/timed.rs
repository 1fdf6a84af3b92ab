//! Times that are counted in another unit.

use super::field::{TableField, keys};
use super::filled::at;
use super::widened::{Convert, Converted, Key, keyed};
use super::{Logical, Table, TimeUnit};
use crate::columns::{Column, ListColumn, NullableColumn};
use crate::error::{Error, Result, Step};
use crate::numbers::Numbers;
use crate::wire::amount::{known, num_in};
use std::collections::HashMap;
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
            Column::Nullable(times) => self.present(*times).map(|times| Column::Nullable(Box::new(times))),
            Column::Optional(times) => self.present(*times).map(|times| Column::Optional(Box::new(times))),
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

    /// The same of times that may be missing: what stands in the place of those is no time.
    fn present(self, times: NullableColumn<Column>) -> Result<NullableColumn<Column>> {
        let present = times.present();
        let (codes, mut times) = NullableColumn::into_parts(times);
        if let Column::Numbers(Numbers::I64(times)) = &mut times {
            let missing = times.iter_mut().zip(&codes).filter(|(_, code)| **code != present);
            missing.for_each(|(time, _)| *time = 0);
        }
        NullableColumn::from_parts(codes, self.column(times)?, present).ok_or_else(unequal)
    }

    fn unfit(self, n: i64, row: usize) -> Error {
        let time = self.from.format_time(n);
        let text = match self.from < self.to {
            true => format!("{time} is too far from 1970 to be counted in {} in 64 bits", self.to),
            false => format!("{time} is not a time in {}", self.to),
        };
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

/// The rows of a table, in which times of some columns are counted in other units: the numbers of columns, and what their times become.
/// A time that is no whole number of them is an error of its row; columns that have no times stay as they are.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Logical, Settings, Table, TableFormat, TimeUnit, csv::Csv, recounted};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.csv", b"day\n1970-01-02\n1969-12-31\n")?;
/// let table = Csv.open(Arc::new(files), "x.csv", &Settings::new().with("types", "day:time[D]"))?;
/// let hours = recounted(table, &[(0, TimeUnit::Hour)]);
/// assert_eq!(hours.schema().fields[0].logical, Some(Logical::Timestamp(TimeUnit::Hour)));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn recounted(table: Arc<dyn Table>, units: &[(usize, TimeUnit)]) -> Arc<dyn Table> {
    let mut schema = table.schema().clone();
    let mut is_other = false;
    for (column, to) in units {
        if let Some(field) = schema.fields.get_mut(*column)
            && Recount::of(field, Some(*to)).is_some()
        {
            is_other = true;
            // what its format calls it has the unit in it
            field.meta.retain(|(key, _)| ![keys::NATIVE, keys::UNITS].contains(&&**key));
            field.logical = Some(Logical::Timestamp(*to));
        }
    }
    if !is_other {
        return table;
    }
    let convert: Convert = |column, [from, to], row| match Recount::of(from, unit(to)) {
        Some(recount) => recount.column(column).map_err(|e| at(&to.name, row, &e)),
        None => Ok(column),
    };
    Arc::new(Converted { table, schema, convert })
}

/// Tables of the same columns, in which times are counted in the finest unit that one of them has.
pub(super) fn in_one_unit<'a>(tables: impl IntoIterator<Item = &'a mut Arc<dyn Table>>) {
    let tables: Vec<&mut Arc<dyn Table>> = tables.into_iter().collect();
    let mut finest: HashMap<Key, TimeUnit> = HashMap::new();
    for (key, field) in tables.iter().flat_map(|table| keyed(table.schema())) {
        if let Some(unit) = unit(field) {
            let finest = finest.entry(key).or_insert(unit);
            *finest = unit.max(*finest);
        }
    }
    for table in tables {
        let keys = keyed(table.schema()).enumerate();
        let units = keys.filter_map(|(place, (key, _))| Some((place, *finest.get(&key)?)));
        let units: Vec<(usize, TimeUnit)> = units.collect();
        *table = recounted(Arc::clone(table), &units);
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
        let nanos = recount(TimeUnit::Second, TimeUnit::Nano);
        let e = nanos.column(Column::from(vec![0i64, 32_503_680_000])).unwrap_err();
        assert_eq!(
            e.to_string(),
            "[1]: 3000-01-01T00:00:00 is too far from 1970 to be counted in ns in 64 bits"
        );
        // what stands in the place of a missing time is none
        let times = Column::from(vec![1i64, i64::MAX]);
        let times = Box::new(NullableColumn::from_parts(vec![1, 0], times, 1).unwrap());
        let Column::Optional(found) = nanos.column(Column::Optional(times)).unwrap() else {
            unreachable!("it stays one")
        };
        assert_eq!((found.codes(), found.values()), (&[1, 0][..], &Column::from(vec![1_000_000_000i64, 0])));
    }
}
