//! Columns of one type as columns of another.

use super::cells::{CellType, read};
use super::filled::inner;
use crate::columns::{BytesColumn, Column, ColumnData, ColumnType, ListColumn, NullableColumn};
use crate::error::{Error, Result, Step};
use crate::numbers::{Number, NumberType, Numbers};
use crate::wire::amount::{num_in, times};
use std::cmp::Ordering;
use std::fmt;

/// What becomes of values when they are written in a column of another type.
///
/// ```
/// use binfmt::{columns::ColumnType, numbers::NumberType, table::Fit};
/// let number = ColumnType::Number;
/// assert_eq!(Fit::of(&number(NumberType::I8), &number(NumberType::I32)), Some(Fit::Widened));
/// assert_eq!(Fit::of(&number(NumberType::I32), &number(NumberType::I8)), Some(Fit::Checked));
/// assert_eq!(Fit::of(&number(NumberType::I32), &ColumnType::Text), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fit {
    /// They are the same.
    Same,
    /// Every value is one of the other type.
    Widened,
    /// Those that are not of the other type are errors.
    Checked,
    /// They are true and false, and become 1 and 0.
    Numbered,
    /// They become the nearest ones.
    Rounded,
    /// They are texts of such values; one that is none is an error.
    Read,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fit::Same => "kept",
            Fit::Widened => "widened",
            Fit::Checked => "checked: what does not fit is an error",
            Fit::Numbered => "true and false become 1 and 0",
            Fit::Rounded => "rounded",
            Fit::Read => "read: a text that is none is an error",
        })
    }
}

impl Fit {
    /// What becomes of values of a type in a column of another; `None` if nothing can.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, table::Fit};
    /// assert_eq!(Fit::of(&ColumnType::Text, &ColumnType::Text), Some(Fit::Same));
    /// ```
    pub fn of(from: &ColumnType, to: &ColumnType) -> Option<Fit> {
        if from == to {
            return Some(Fit::Same);
        }
        match (from, to) {
            (ColumnType::Nullable { values: from, .. }, ColumnType::Nullable { values: to, .. }) => {
                Fit::of(from, to)
            }
            (from, ColumnType::Nullable { values, .. }) if !matches!(from, ColumnType::Optional(_)) => {
                Fit::of(from, values).map(|fit| fit.max(Fit::Widened))
            }
            // none may be missing
            (ColumnType::Nullable { values, .. }, to) => Fit::of(values, to).map(|fit| fit.max(Fit::Checked)),
            (ColumnType::Number(from), ColumnType::Number(to)) => numbers(*from, *to),
            (ColumnType::Text, ColumnType::Number(to)) => CellType::of_number(*to).map(|_| Fit::Read),
            (ColumnType::Text | ColumnType::Bytes, ColumnType::Text | ColumnType::Bytes) => Some(Fit::Same),
            (ColumnType::Text | ColumnType::Bytes, ColumnType::FixedBytes(_)) => Some(Fit::Checked),
            (ColumnType::FixedBytes(_), ColumnType::Bytes) => Some(Fit::Widened),
            (ColumnType::Array { len, items: from }, ColumnType::Array { len: of, items: to })
                if len == of =>
            {
                Fit::of(from, to)
            }
            (ColumnType::List(from), ColumnType::List(to)) => Fit::of(from, to),
            (ColumnType::Array { items: from, .. }, ColumnType::List(to)) => {
                Fit::of(from, to).map(|fit| fit.max(Fit::Widened))
            }
            // those of another length are errors
            (ColumnType::List(from), ColumnType::Array { items: to, .. }) => {
                Fit::of(from, to).map(|fit| fit.max(Fit::Checked))
            }
            (ColumnType::List(items), ColumnType::Bytes) if is_byte(items) => Some(Fit::Same),
            (ColumnType::Array { len, items }, ColumnType::FixedBytes(size))
                if is_byte(items) && len == size =>
            {
                Some(Fit::Same)
            }
            _ => None,
        }
    }

    /// The values of a column as a column of another type.
    ///
    /// ```
    /// use binfmt::{columns::{Column, ColumnType}, numbers::NumberType, table::Fit};
    /// let to = ColumnType::Number(NumberType::U8);
    /// assert_eq!(Fit::convert(&Column::from(vec![1i64, 2]), &to)?, Column::from(vec![1u8, 2]));
    /// let e = Fit::convert(&Column::from(vec![1i64, 300]), &to).unwrap_err();
    /// assert_eq!(e.to_string(), "[1]: 300 does not fit in u8");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value does not fit, with its row in the column, or the types have nothing in common.
    pub fn convert(column: &Column, to: &ColumnType) -> Result<Column> {
        let from = column.column_type();
        if from == *to {
            return Ok(column.clone());
        }
        if let (ColumnType::Text, ColumnType::Number(kind)) = (inner(&from), inner(to))
            && let Some(ty) = CellType::of_number(*kind)
        {
            return Fit::convert(&read(column, ty)?, to);
        }
        match (column, to) {
            (Column::Nullable(v), ColumnType::Nullable { present, values }) => {
                let code = |row: usize| match v.missing(row) {
                    None => *present,
                    // a code that means a value there
                    Some(code) if code == *present => u8::from(*present == 0),
                    Some(code) => code,
                };
                let codes = (0..v.len()).map(code).collect();
                nullable(codes, Fit::convert(v.values(), values)?, *present)
            }
            (column, ColumnType::Nullable { present, values }) if !matches!(column, Column::Optional(_)) => {
                nullable(vec![*present; column.len()], Fit::convert(column, values)?, *present)
            }
            (Column::Nullable(v), to) => match (0..v.len()).find(|row| v.is_missing(*row)) {
                Some(row) => {
                    Err(at("a value is missing, and the column does not support missing values", row))
                }
                None => Fit::convert(v.values(), to),
            },
            (Column::Numbers(from), ColumnType::Number(kind)) => converted(from, *kind).map(Column::Numbers),
            (Column::Text(v) | Column::Bytes(v), ColumnType::Text) => Ok(Column::Text(v.clone())),
            (Column::Text(v) | Column::Bytes(v), ColumnType::Bytes) => Ok(Column::Bytes(v.clone())),
            (Column::Text(v) | Column::Bytes(v), ColumnType::FixedBytes(size)) => {
                let other = (0..v.len()).find(|row| v.get(*row).is_none_or(|bytes| bytes.len() != *size));
                match other {
                    Some(row) => Err(at(format!("it has not {size} bytes"), row)),
                    None => Ok(Column::FixedBytes { size: *size, rows: v.len(), bytes: v.items().clone() }),
                }
            }
            (Column::FixedBytes { size, bytes, .. }, ColumnType::Bytes) if *size > 0 => {
                Ok(Column::Bytes(bytes.chunks_exact(*size).collect()))
            }
            (Column::Array { len, rows, items }, ColumnType::Array { len: of, items: to }) if len == of => {
                let items = items_of_arrays(items, *len, to)?;
                Ok(Column::Array { len: *len, rows: *rows, items: Box::new(items) })
            }
            (Column::Array { len, rows, items }, ColumnType::List(to)) => {
                let offsets = (0..=*rows).map(|row| times(row, *len)).collect();
                lists(offsets, items_of_arrays(items, *len, to)?)
            }
            (Column::List(found), ColumnType::List(to)) => {
                lists(found.offsets().to_vec(), items_of_lists(found, to)?)
            }
            (Column::List(found), ColumnType::Array { len, items: to }) => {
                let other = |row| Some((row, found.range(row)?.len())).filter(|(_, other)| other != len);
                if let Some((row, other)) = (0..found.len()).find_map(other) {
                    return Err(at(format!("a list of {other} does not fit in one of {len}"), row));
                }
                let items = items_of_lists(found, to)?;
                Ok(Column::Array { len: *len, rows: found.len(), items: Box::new(items) })
            }
            (Column::List(lists), ColumnType::Bytes) => match lists.items() {
                Column::Numbers(Numbers::U8(bytes)) => {
                    let column = BytesColumn::from_parts(lists.offsets().to_vec(), bytes.clone());
                    column.map(Column::Bytes).ok_or_else(|| Error::other("lists without all their items"))
                }
                _ => Err(Error::other(format!("{from} cannot be written as {to}"))),
            },
            (Column::Array { len, rows, items }, ColumnType::FixedBytes(_)) => match &**items {
                Column::Numbers(Numbers::U8(bytes)) => {
                    Ok(Column::FixedBytes { size: *len, rows: *rows, bytes: bytes.clone() })
                }
                _ => Err(Error::other(format!("{from} cannot be written as {to}"))),
            },
            _ => Err(Error::other(format!("{from} cannot be written as {to}"))),
        }
    }
}

/// What all arrays of a length consist of, as values of another type.
fn items_of_arrays(items: &Column, len: usize, to: &ColumnType) -> Result<Column> {
    Fit::convert(items, to).map_err(|e| of_row(&e, |item| num_in(item, len)))
}

/// The same of lists.
fn items_of_lists(lists: &ListColumn<Column>, to: &ColumnType) -> Result<Column> {
    let of = |item: usize| lists.offsets().partition_point(|end| *end <= item).saturating_sub(1);
    Fit::convert(lists.items(), to).map_err(|e| of_row(&e, of))
}

fn lists(offsets: Vec<usize>, items: Column) -> Result<Column> {
    let lists = ListColumn::from_parts(offsets, items);
    lists
        .map(|lists| Column::List(Box::new(lists)))
        .ok_or_else(|| Error::other("lists without all their items"))
}

fn is_byte(ty: &ColumnType) -> bool {
    *ty == ColumnType::Number(NumberType::U8)
}

/// An error of an item as one of the row that it is in.
fn of_row(e: &Error, row: impl Fn(usize) -> usize) -> Error {
    match e.path().steps().next() {
        Some(Step::Index(item)) => at(e.kind().to_string(), row(*item)),
        _ => Error::other(e.kind().to_string()),
    }
}

fn at(text: impl Into<std::borrow::Cow<'static, str>>, row: usize) -> Error {
    Error::other(text.into().into_owned()).within(Step::Index(row))
}

fn nullable(codes: Vec<u8>, values: Column, present: u8) -> Result<Column> {
    let column = NullableColumn::from_parts(codes, values, present);
    let column = column.ok_or_else(|| Error::other("a column without all its rows"))?;
    Ok(Column::Nullable(Box::new(column)))
}

fn numbers(from: NumberType, to: NumberType) -> Option<Fit> {
    match (from, to) {
        (NumberType::Bool, to) => to.is_int().then_some(Fit::Numbered),
        // formats without flags have them as 0 and 1
        (from, NumberType::Bool) => from.is_int().then_some(Fit::Checked),
        (from, to) if from.is_float() && to.is_float() => {
            Some(if from.digits() <= to.digits() { Fit::Widened } else { Fit::Rounded })
        }
        (from, to) => {
            let ((low, high), wide) = (from.limits().unwrap_or((i128::MIN, u128::MAX)), to.limits());
            let is_inside = match wide {
                Some((least, most)) => from.is_int() && low >= least && high <= most,
                // integers that a float has all of
                None => from.is_int() && high.max(low.unsigned_abs()) <= 1u128 << to.digits(),
            };
            Some(if is_inside { Fit::Widened } else { Fit::Checked })
        }
    }
}

fn converted(from: &Numbers, kind: NumberType) -> Result<Numbers> {
    let mut out = Numbers::new(kind);
    for (row, n) in from.iter().enumerate() {
        let fits = number(n, kind).is_some_and(|n| out.push(n).is_ok());
        if !fits {
            return Err(at(format!("{n} does not fit in {kind}"), row));
        }
    }
    Ok(out)
}

/// The same number of another kind, or of floats the nearest.
fn number(n: Number, kind: NumberType) -> Option<Number> {
    let is_float = n.number_type().is_float();
    match (n, kind.is_float()) {
        (Number::Bool(flag), false) => Number::from_i128(kind, i128::from(flag)),
        (n, _) if kind == NumberType::Bool => match n.as_i128()? {
            flag @ (0 | 1) => Some(Number::Bool(flag == 1)),
            _ => None,
        },
        (n, true) if is_float => {
            let found = Number::from_f64(kind, n.to_f64())?;
            // a finite number does not become infinite
            (found.to_f64().is_infinite() == n.to_f64().is_infinite()).then_some(found)
        }
        (n, true) => {
            let found = Number::from_f64(kind, n.to_f64())?;
            (found.compare(n) == Some(Ordering::Equal)).then_some(found)
        }
        (n, false) if is_float => {
            let found = Number::from_i128(kind, n.to_f64() as i128)?;
            (found.compare(n) == Some(Ordering::Equal)).then_some(found)
        }
        (Number::U128(n), false) if kind == NumberType::U128 => Some(Number::U128(n)),
        (n, false) => Number::from_i128(kind, n.as_i128()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_or_say_why() {
        let all = [
            NumberType::I8,
            NumberType::U8,
            NumberType::I16,
            NumberType::I32,
            NumberType::U64,
            NumberType::I64,
            NumberType::F32,
            NumberType::F64,
        ];
        for from in all {
            for to in all {
                let fit = Fit::of(&ColumnType::Number(from), &ColumnType::Number(to)).unwrap();
                // the ends of the type
                let (low, high) = from.limits().unwrap_or((0, 0));
                let ends = [low, i128::try_from(high).unwrap()].map(|n| Number::from_i128(from, n));
                let fits = ends.into_iter().flatten().all(|n| number(n, to).is_some());
                if fit <= Fit::Widened {
                    assert!(fits, "{from} {to}");
                }
            }
        }
        assert_eq!(number(Number::F64(0.1), NumberType::F32), Some(Number::F32(0.1)));
        assert_eq!(number(Number::F64(1e300), NumberType::F32), None);
        assert_eq!(number(Number::F64(3.0), NumberType::I8), Some(Number::I8(3)));
        assert_eq!(number(Number::F64(3.5), NumberType::I8), None);
        assert_eq!(number(Number::I64((1 << 53) + 1), NumberType::F64), None);
        assert_eq!(number(Number::F64(f64::NAN), NumberType::I64), None);
        let flags = [0i64, 1, 2, -1].map(|n| number(Number::I64(n), NumberType::Bool));
        assert_eq!(flags, [Some(Number::Bool(false)), Some(Number::Bool(true)), None, None]);
        let of = |from| Fit::of(&ColumnType::Number(from), &ColumnType::Number(NumberType::Bool));
        assert_eq!([of(NumberType::I16), of(NumberType::F64)], [Some(Fit::Checked), None]);
    }

    #[test]
    fn an_item_that_does_not_fit_has_the_row_that_it_is_in() {
        let byte = || Box::new(ColumnType::Number(NumberType::U8));
        for (item, of_lists) in [1, 3, 3, 4, 4, 4].into_iter().enumerate() {
            let mut numbers = vec![1i64; 6];
            numbers[item] = 300;
            let lists =
                ListColumn::from_parts(vec![0, 0, 1, 1, 3, 6], Column::from(numbers.clone())).unwrap();
            let lists = Column::List(Box::new(lists));
            let e = Fit::convert(&lists, &ColumnType::List(byte())).unwrap_err();
            assert_eq!(e.to_string(), format!("[{of_lists}]: 300 does not fit in u8"));
            let arrays = Column::Array { len: 2, rows: 3, items: Box::new(Column::from(numbers)) };
            let e = Fit::convert(&arrays, &ColumnType::Array { len: 2, items: byte() }).unwrap_err();
            assert_eq!(e.to_string(), format!("[{}]: 300 does not fit in u8", item / 2));
        }
    }

    #[test]
    fn arrays_are_lists_of_one_length() {
        let number = |kind| Box::new(ColumnType::Number(kind));
        let (array, list) = (
            ColumnType::Array { len: 2, items: number(NumberType::I8) },
            ColumnType::List(number(NumberType::I64)),
        );
        assert_eq!(
            (Fit::of(&array, &list), Fit::of(&list, &array)),
            (Some(Fit::Widened), Some(Fit::Checked))
        );
        let lists = |offsets: &[usize], items: Vec<i64>| {
            Column::List(Box::new(ListColumn::from_parts(offsets.to_vec(), Column::from(items)).unwrap()))
        };
        let arrays = Column::Array { len: 2, rows: 2, items: Box::new(Column::from(vec![1i8, 2, 3, 4])) };
        let of_two = lists(&[0, 2, 4], vec![1, 2, 3, 4]);
        assert_eq!(Fit::convert(&arrays, &list).unwrap(), of_two.clone());
        assert_eq!(Fit::convert(&of_two, &array).unwrap(), arrays.clone());
        let empty = Column::Array { len: 0, rows: 3, items: Box::new(Column::from(Vec::<i8>::new())) };
        assert_eq!(Fit::convert(&empty, &list).unwrap(), lists(&[0, 0, 0, 0], Vec::new()));
        let e = |column: &Column| Fit::convert(column, &array).unwrap_err().to_string();
        assert_eq!(e(&lists(&[0, 2, 5], vec![1; 5])), "[1]: a list of 3 does not fit in one of 2");
        assert_eq!(e(&lists(&[0, 2, 4], vec![1, 2, 3, 300])), "[1]: 300 does not fit in i8");
        let longer = ColumnType::Array { len: 3, items: number(NumberType::I8) };
        assert_eq!(Fit::of(&array, &longer), None);
        assert_eq!(
            Fit::convert(&arrays, &longer).unwrap_err().to_string(),
            "[i8; 2] cannot be written as [i8; 3]"
        );
    }

    #[test]
    fn missing_values_keep_their_codes() {
        let values = Column::from(vec![1i64, 0, 3]);
        let column =
            Column::Nullable(Box::new(NullableColumn::from_parts(vec![255, 7, 255], values, 255).unwrap()));
        let byte = || Box::new(ColumnType::Number(NumberType::I8));
        let Column::Nullable(found) =
            Fit::convert(&column, &ColumnType::Nullable { present: 1, values: byte() }).unwrap()
        else {
            unreachable!("it is asked for")
        };
        assert_eq!((found.codes(), found.values()), (&[1, 7, 1][..], &Column::from(vec![1i8, 0, 3])));
        // a code that would say that the value is there becomes another one
        for (present, missing) in [(7, 0), (1, 7)] {
            let to = ColumnType::Nullable { present, values: byte() };
            let Column::Nullable(found) = Fit::convert(&column, &to).unwrap() else {
                unreachable!("as before")
            };
            assert_eq!(found.codes(), [present, missing, present]);
        }
        let zero = Column::from(vec![1i64]);
        let zero = Column::Nullable(Box::new(NullableColumn::from_parts(vec![0], zero, 255).unwrap()));
        let to = ColumnType::Nullable { present: 0, values: byte() };
        let Column::Nullable(found) = Fit::convert(&zero, &to).unwrap() else { unreachable!("as before") };
        assert!(found.is_missing(0));
        let e = Fit::convert(&column, &byte()).unwrap_err();
        assert_eq!(e.to_string(), "[1]: a value is missing, and the column does not support missing values");
        let plain =
            Fit::convert(&Column::from(vec![5i64]), &ColumnType::Nullable { present: 255, values: byte() });
        assert_eq!(plain.unwrap().len(), 1);
    }
}
