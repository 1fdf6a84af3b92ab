//! Times of a condition: columns and texts of different units are compared in one that has both.

use super::field::{Logical, TableSchema, TimeUnit};
use super::leaf::Leaf;
use crate::columns::{Column, NullableColumn};
use crate::error::{Error, Result};
use crate::numbers::Numbers;
use crate::schema::expr::Expression;
use std::cell::RefCell;

/// A column of a condition as it is counted in another unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recounted {
    /// Which of the columns.
    slot: usize,
    from: TimeUnit,
    to: TimeUnit,
}

impl Recounted {
    /// The same times of these columns, as numbers that have the order of times.
    pub(super) fn of(self, columns: &[&Column]) -> Result<Column> {
        match columns.get(self.slot) {
            Some(column) => self.column(column),
            None => Ok(Column::from(Vec::<i128>::new())),
        }
    }

    fn column(self, column: &Column) -> Result<Column> {
        let nullable = |values: &NullableColumn<Column>| {
            let (codes, present) = (values.codes().to_vec(), values.present());
            let values = NullableColumn::from_parts(codes, self.column(values.values())?, present);
            values.map(Box::new).ok_or_else(|| Error::other("a column has not a code for each value"))
        };
        Ok(match column {
            Column::Numbers(Numbers::I64(times)) => {
                let counted = times.iter().map(|n| self.from.in_finer(*n, self.to));
                Column::from(counted.collect::<Vec<i128>>())
            }
            Column::Numbers(times) => {
                let times = times.i128s().unwrap_or_default();
                let time = |n: &i128| match i64::try_from(*n) {
                    Ok(n) => Ok(self.from.in_finer(n, self.to)),
                    Err(_) => Err(Error::other(format!("{n} is not a time in {}", self.from))),
                };
                Column::from(times.iter().map(time).collect::<Result<Vec<i128>>>()?)
            }
            Column::Nullable(values) => Column::Nullable(nullable(values)?),
            Column::Optional(values) => Column::Optional(nullable(values)?),
            other => other.clone(),
        })
    }
}

/// What numbers of a column count.
pub(super) fn meaning<'a>(leaf: &Leaf, schema: &'a TableSchema) -> Option<&'a Logical> {
    let logical = schema.fields.get(leaf.column).filter(|_| leaf.path.is_empty())?.logical.as_ref();
    logical.filter(|logical| matches!(logical, Logical::Timestamp(_) | Logical::Duration(_)))
}

/// What a column of times counts.
pub(super) fn time_unit(leaf: &Leaf, schema: &TableSchema) -> Option<TimeUnit> {
    match meaning(leaf, schema) {
        Some(Logical::Timestamp(unit)) => Some(*unit),
        _ => None,
    }
}

/// The unit in which both are whole numbers.
fn one_unit(a: &Logical, b: &Logical) -> Option<[TimeUnit; 3]> {
    let (a, b, are_times) = match (a, b) {
        (Logical::Timestamp(a), Logical::Timestamp(b)) => (*a, *b, true),
        (Logical::Duration(a), Logical::Duration(b)) => (*a, *b, false),
        _ => return None,
    };
    let (coarse, fine) = (a.min(b), a.max(b));
    let is_calendar = |unit| matches!(unit, TimeUnit::Year | TimeUnit::Month);
    let to = match is_calendar(coarse) && !is_calendar(fine) {
        // months are not all as long
        true if !are_times => return None,
        true if fine == TimeUnit::Week => TimeUnit::Day,
        _ => fine,
    };
    Some([a, b, to])
}

/// Makes the times of a condition comparable. What it returns are columns that follow those of the condition.
pub(super) fn in_one_unit(
    expression: &mut Expression,
    leaves: &[Leaf],
    schema: &TableSchema,
    text: &str,
) -> Result<Vec<Recounted>> {
    let recounted = RefCell::new(Vec::new());
    let counted = |slot: usize, from: TimeUnit, to: TimeUnit| {
        let mut recounted = recounted.borrow_mut();
        let wanted = Recounted { slot, from, to };
        let place = recounted.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            recounted.push(wanted);
            recounted.len().saturating_sub(1)
        });
        leaves.len().saturating_add(place)
    };
    let wrong = RefCell::new(None);
    expression.read_texts(&|slot, found, is_compared| {
        let leaf = leaves.get(slot)?;
        let unit = time_unit(leaf, schema)?;
        let time = core::str::from_utf8(found).ok().and_then(|found| {
            let finer = || {
                let mut finer = TimeUnit::ALL.into_iter().filter(|finer| is_compared && *finer > unit);
                finer.find_map(|finer| Some((finer, finer.parse_time(found)?)))
            };
            unit.parse_time(found).map(|n| (unit, n)).or_else(finer)
        });
        let Some((to, n)) = time else {
            *wrong.borrow_mut() = Some(not_a_time(&String::from_utf8_lossy(found), unit, &leaf.name));
            return None;
        };
        Some((if to == unit { slot } else { counted(slot, unit, to) }, n))
    });
    if let Some(why) = wrong.into_inner() {
        return Err(Error::other(format!("`{text}`: {why}")));
    }
    let meaning = |slot: usize| meaning(leaves.get(slot)?, schema);
    expression.compare_in_one_unit(&|[a, b]| {
        let [of_a, of_b, to] = one_unit(meaning(a)?, meaning(b)?)?;
        (of_a != of_b).then(|| [counted(a, of_a, to), counted(b, of_b, to)])
    });
    let unit = |slot: usize| match meaning(slot)? {
        Logical::Timestamp(unit) | Logical::Duration(unit) => Some(*unit),
        _ => None,
    };
    if let Some([a, b]) = expression.mixed_units(&unit) {
        let told = |slot: usize| {
            let name = leaves.get(slot).map_or("", |leaf| leaf.name.as_str());
            let unit = unit(slot).map(|unit| unit.to_string()).unwrap_or_default();
            format!("`{name}` counts {unit}")
        };
        return Err(Error::other(format!(
            "`{text}` cannot be computed: {} and {}: compare the columns themselves, or multiply or divide one so that both count the same",
            told(a),
            told(b)
        )));
    }
    Ok(recounted.into_inner())
}

/// Why a text is not compared with times in this unit.
#[cold]
fn not_a_time(found: &str, unit: TimeUnit, name: &str) -> String {
    let like = unit.format_time(0);
    let mut why = format!("{found:?} is not a time in {unit}, such as '{like}'");
    let begins = |of: TimeUnit, n: i64| {
        let first = if of == TimeUnit::Year { "-01-01" } else { "-01" };
        of.format_time(n) + first
    };
    for of in [TimeUnit::Year, TimeUnit::Month].into_iter().filter(|of| *of < unit) {
        if let Some((n, next)) = of.parse_time(found).and_then(|n| Some((n, n.checked_add(1)?))) {
            let (first, after) = (begins(of, n), begins(of, next));
            why.push_str(&format!(": for all of {found} say `{name} >= '{first}' and {name} < '{after}'`"));
            break;
        }
    }
    why
}
