//! Values of the types that one format has alone, as those that every program knows, and back.

use super::cells::{CellType, read};
use super::field::{Logical, TableField, TableSchema};
use super::filled::{at, inner};
use super::widened::{Convert, Converted};
use super::{Fit, Table, TimeUnit};
use crate::columns::{BytesColumn, Column, ColumnType, ListColumn, NullableColumn};
use crate::error::{Error, Result, Step};
#[cfg(feature = "sdds")]
use crate::numbers::extended;
use crate::numbers::{NumberType, Numbers};
use crate::schema::Name;
use crate::wire::amount::{inside, known, plus, times};
use std::sync::Arc;

/// The table with numbers of 80 bits as `f64`, single characters and characters of a fixed number as text without the zeros at its end,
/// and times with their distance from UTC as text of ISO 8601, also in lists; but for those that are `kept`.
///
/// ```
/// use binfmt::columns::{Column, ColumnType, Columns};
/// use binfmt::table::{ColumnsTable, Logical, Table, Wanted, plain};
/// use std::sync::Arc;
/// # use binfmt::storage::{Memory, Storage};
/// # use binfmt::table::{Settings, TableFormat};
/// # use binfmt::value::Value;
/// let files = Memory::new();
/// files.write("x.bin", b"ab")?;
/// let settings = Settings::new().with("schema", "(char)");
/// let table = binfmt::formats::scidb::Tables.open(Arc::new(files), "x.bin", &settings)?;
/// assert_eq!(table.schema().fields[0].logical, Some(Logical::Character));
/// let batch = plain(table, &[]).batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.row(1), Some(Value::record([("a", "b")])));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn plain(table: Arc<dyn Table>, kept: &[Logical]) -> Arc<dyn Table> {
    let schema = table.schema();
    let is_kept = |field: &TableField| field.logical.as_ref().is_some_and(|logical| kept.contains(logical));
    let plain = |field: &TableField| if is_kept(field) { None } else { plain_field(field) };
    if !schema.fields.iter().any(|field| plain(field).is_some()) {
        return table;
    }
    let fields = schema.fields.iter().map(|field| plain(field).unwrap_or_else(|| field.clone())).collect();
    let schema = TableSchema { fields, meta: schema.meta.clone() };
    let convert: Convert = |column, [from, to], row| match &from.logical {
        Some(logical) if from.logical != to.logical => {
            plain_column(column, logical).map_err(|e| at(&to.name, row, &e))
        }
        _ => Ok(column),
    };
    Arc::new(Converted { table, schema, convert })
}

/// A field as others know it; `None` if it is so.
pub(super) fn plain_field(field: &TableField) -> Option<TableField> {
    let ty = plain_type(field.logical.as_ref()?, &field.ty)?;
    Some(TableField { ty, logical: None, ..field.clone() })
}

/// The same of a type, also of the values that lists have.
fn plain_type(logical: &Logical, ty: &ColumnType) -> Option<ColumnType> {
    let plain = |ty: &ColumnType| plain_type(logical, ty).map(Box::new);
    Some(match (logical, ty) {
        (Logical::CodeUnits, ty) if units_of(ty).is_some() => ColumnType::Text,
        (_, ColumnType::Nullable { present, values }) => {
            ColumnType::Nullable { present: *present, values: plain(values)? }
        }
        (_, ColumnType::Optional(values)) => ColumnType::Optional(plain(values)?),
        (_, ColumnType::List(items)) => ColumnType::List(plain(items)?),
        (_, ColumnType::Array { len, items }) => ColumnType::Array { len: *len, items: plain(items)? },
        (_, ColumnType::Shaped(items)) => ColumnType::Shaped(plain(items)?),
        #[cfg(feature = "sdds")]
        (Logical::X87, ColumnType::FixedBytes(10)) => ColumnType::Number(NumberType::F64),
        (Logical::Character, ColumnType::Number(NumberType::U8) | ColumnType::FixedBytes(_))
        | (Logical::TimestampWithOffset, ColumnType::Record(_)) => ColumnType::Text,
        _ => return None,
    })
}

/// The kind of units that a text consists of.
fn units_of(ty: &ColumnType) -> Option<NumberType> {
    match ty {
        ColumnType::Number(kind @ (NumberType::U16 | NumberType::U32)) => Some(*kind),
        ColumnType::List(items) | ColumnType::Array { items, .. } => match **items {
            ColumnType::Number(kind @ (NumberType::U16 | NumberType::U32)) => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

/// The values of a column with this meaning.
pub(super) fn plain_column(column: Column, logical: &Logical) -> Result<Column> {
    let nullable = |values: NullableColumn<Column>| -> Result<Box<NullableColumn<Column>>> {
        let present = values.present();
        let (codes, values) = NullableColumn::into_parts(values);
        let values = NullableColumn::from_parts(codes, plain_column(values, logical)?, present);
        values.map(Box::new).ok_or_else(|| Error::other("a column has not a code for each value"))
    };
    let list = |list: ListColumn<Column>| -> Result<Box<ListColumn<Column>>> {
        let (offsets, items) = list.into_parts();
        let list = ListColumn::from_parts(offsets, plain_column(items, logical)?);
        list.map(Box::new).ok_or_else(|| Error::other("a column has not the items of its lists"))
    };
    Ok(match (column, logical) {
        (Column::Numbers(units), Logical::CodeUnits) => decoded(&units, (0..=units.len()).collect()),
        (Column::Array { len, rows, items }, Logical::CodeUnits) => match *items {
            Column::Numbers(units) => decoded(&units, (0..=rows).map(|row| times(row, len)).collect()),
            items => Column::Array { len, rows, items: Box::new(items) },
        },
        (Column::List(lists), Logical::CodeUnits) => match lists.items() {
            Column::Numbers(units) => decoded(units, lists.offsets().to_vec()),
            _ => Column::List(lists),
        },
        (Column::List(items), _) => Column::List(list(*items)?),
        (Column::Array { len, rows, items }, _) => {
            Column::Array { len, rows, items: Box::new(plain_column(*items, logical)?) }
        }
        (Column::Shaped { shapes, items }, _) => Column::Shaped { shapes, items: list(*items)? },
        (Column::Nullable(values), _) => Column::Nullable(nullable(*values)?),
        (Column::Optional(values), _) => Column::Optional(nullable(*values)?),
        #[cfg(feature = "sdds")]
        (Column::FixedBytes { bytes, .. }, Logical::X87) => {
            let (tens, _) = bytes.as_chunks::<10>();
            Column::from(tens.iter().map(|ten| extended::to_double(*ten)).collect::<Vec<f64>>())
        }
        (Column::Numbers(Numbers::U8(bytes)), Logical::Character) => texts(bytes.chunks(1)),
        (Column::FixedBytes { bytes, size, .. }, Logical::Character) if size > 0 => texts(bytes.chunks(size)),
        (Column::Record { rows, fields }, Logical::TimestampWithOffset) => with_offset(rows, &fields)?,
        (column, _) => column,
    })
}

/// Texts in units that end at these places, without the zeros after them.
fn decoded(units: &Numbers, ends: Vec<usize>) -> Column {
    let mut all = BytesColumn::new();
    for (from, to) in ends.iter().zip(ends.iter().skip(1)) {
        let mut text: String = match units {
            Numbers::U16(units) => String::from_utf16_lossy(inside(units, *from..*to)),
            Numbers::U32(units) => {
                let char_of = |unit: &u32| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                inside(units, *from..*to).iter().map(char_of).collect()
            }
            _ => String::new(),
        };
        text.truncate(text.trim_end_matches('\0').len());
        all.push(text.as_bytes());
    }
    Column::Text(all)
}

/// Texts as units of this kind: one for each, so many, or as many as there are.
fn encoded(texts: &BytesColumn, kind: NumberType, to: &ColumnType) -> Result<Column> {
    let (mut narrow, mut wide, mut ends) = (Vec::new(), Vec::new(), vec![0]);
    let is_narrow = kind == NumberType::U16;
    for row in 0..texts.len() {
        let told = |text: String| Error::other(text).within(Step::Index(row));
        let Ok(text) = std::str::from_utf8(texts.get(row).unwrap_or_default()) else {
            return Err(told("the text is not UTF-8".to_owned()));
        };
        if is_narrow {
            narrow.extend(text.encode_utf16())
        } else {
            wide.extend(text.chars().map(u32::from))
        }
        let end = if is_narrow { narrow.len() } else { wide.len() };
        let len = match to {
            ColumnType::Array { len, .. } => *len,
            ColumnType::List(_) => usize::MAX,
            _ => 1,
        };
        let found = end.saturating_sub(known(ends.last().copied()));
        if found > len {
            return Err(told(format!("a text of {found} units of {kind}, and there are {len}")));
        }
        if len < usize::MAX {
            let whole = plus(end, len.saturating_sub(found));
            if is_narrow { narrow.resize(whole, 0) } else { wide.resize(whole, 0) }
        }
        ends.push(narrow.len().max(wide.len()));
    }
    let units = Column::Numbers(if is_narrow { Numbers::U16(narrow) } else { Numbers::U32(wide) });
    Ok(match to {
        ColumnType::Array { len, .. } => {
            Column::Array { len: *len, rows: texts.len(), items: Box::new(units) }
        }
        ColumnType::List(_) => {
            let lists = ListColumn::from_parts(ends, units);
            Column::List(Box::new(lists.ok_or_else(|| Error::other("lists without all their items"))?))
        }
        _ => units,
    })
}

/// Characters without the zeros after them.
fn texts<'a>(cells: impl Iterator<Item = &'a [u8]>) -> Column {
    let mut all = BytesColumn::new();
    for cell in cells {
        let len = cell.iter().rposition(|b| *b != 0).map_or(0, |last| last.saturating_add(1));
        all.push(cell.get(..len).unwrap_or(cell));
    }
    Column::Text(all)
}

/// Local times with the distance of their zone.
fn with_offset(rows: usize, fields: &[(Name, Column)]) -> Result<Column> {
    let [(_, Column::Numbers(Numbers::I64(seconds))), (_, Column::Numbers(Numbers::I64(offsets)))] = fields
    else {
        return Err(Error::other("a time with its distance from UTC is two numbers"));
    };
    let mut all = BytesColumn::new();
    for (seconds, offset) in seconds.iter().zip(offsets).take(rows) {
        let (sign, distance) = (if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        let mut text = format!(
            "{}{sign}{:02}:{:02}",
            TimeUnit::Second.format_time(*seconds),
            distance / 3600,
            distance / 60 % 60
        );
        if distance % 60 != 0 {
            text.push_str(&format!(":{:02}", distance % 60));
        }
        all.push(text.as_bytes());
    }
    Ok(Column::Text(all))
}

/// Values that others know as those of a field with this meaning, where that is another form: texts of one character, numbers that
/// become 80 bits, times with their distance from UTC. What does not fit is an error of its row.
pub(crate) fn exact(column: Column, to: &TableField) -> Result<Column> {
    let Some(logical) = &to.logical else { return Ok(column) };
    Ok(match (column, logical, inner(&to.ty)) {
        (Column::Nullable(values), ..) => {
            let present = values.present();
            let (codes, values) = NullableColumn::into_parts(*values);
            let missing: Vec<bool> = codes.iter().map(|code| *code != present).collect();
            let values = exact(blanked(values, &missing, logical), to)?;
            let values = NullableColumn::from_parts(codes, values, present);
            let values = values.ok_or_else(|| Error::other("a column has not a code for each value"))?;
            Column::Nullable(Box::new(values))
        }
        #[cfg(feature = "sdds")]
        (Column::Numbers(numbers), Logical::X87, _) => {
            let bytes: Vec<u8> = numbers.f64s().iter().flat_map(|n| extended::of_double(*n)).collect();
            Column::FixedBytes { size: 10, rows: numbers.len(), bytes }
        }
        (Column::Text(texts), Logical::CodeUnits, ty) => match units_of(ty) {
            Some(kind) => encoded(&texts, kind, ty)?,
            None => Column::Text(texts),
        },
        (column @ Column::Text(_), Logical::Timestamp(unit), ColumnType::Number(NumberType::I64)) => {
            match read(&column, CellType::Time(*unit))? {
                Column::Nullable(times) => NullableColumn::into_parts(*times).1,
                times => times,
            }
        }
        (Column::Text(texts), Logical::Character, ColumnType::Number(NumberType::U8)) => {
            let one = |row: usize| match texts.get(row).unwrap_or_default() {
                [] => Ok(0),
                [byte] => Ok(*byte),
                text => {
                    let text =
                        format!("{:?} is not one character of one byte", String::from_utf8_lossy(text));
                    Err(Error::other(text).within(Step::Index(row)))
                }
            };
            Column::from((0..texts.len()).map(one).collect::<Result<Vec<u8>>>()?)
        }
        (Column::Text(texts), Logical::Character, ColumnType::FixedBytes(size)) => {
            let mut bytes = Vec::new();
            for row in 0..texts.len() {
                let text = texts.get(row).unwrap_or_default();
                if text.len() > *size {
                    let text = format!("a text of {} bytes, and there are {size}", text.len());
                    return Err(Error::other(text).within(Step::Index(row)));
                }
                bytes.extend_from_slice(text);
                bytes.resize(bytes.len().saturating_add(size.saturating_sub(text.len())), 0);
            }
            Column::FixedBytes { size: *size, rows: texts.len(), bytes }
        }
        (Column::Text(texts), Logical::TimestampWithOffset, ColumnType::Record(fields)) => {
            let times = (0..texts.len()).map(|row| {
                let text = std::str::from_utf8(texts.get(row).unwrap_or_default()).unwrap_or_default();
                read_with_offset(text).ok_or_else(|| {
                    let text = format!("{text:?} is not a time with its distance from UTC, such as '2024-02-01T12:00:00+01:00'");
                    Error::other(text).within(Step::Index(row))
                })
            });
            let (seconds, offsets): (Vec<i64>, Vec<i64>) =
                times.collect::<Result<Vec<_>>>()?.into_iter().unzip();
            let names = fields.iter().map(|(name, _)| name.clone());
            let columns = [Column::from(seconds), Column::from(offsets)];
            Column::Record { rows: texts.len(), fields: names.zip(columns).collect() }
        }
        (column, ..) => column,
    })
}

/// What becomes of values that have another form there.
pub(crate) fn exact_fit(from: &ColumnType, to: &TableField) -> Option<Fit> {
    match (inner(from), to.logical.as_ref()?, inner(&to.ty)) {
        #[cfg(feature = "sdds")]
        (ColumnType::Number(_), Logical::X87, _) => Some(Fit::Widened),
        (
            ColumnType::Text,
            Logical::Character,
            ColumnType::Number(NumberType::U8) | ColumnType::FixedBytes(_),
        )
        | (ColumnType::Text, Logical::TimestampWithOffset, ColumnType::Record(_))
        | (ColumnType::Text, Logical::Timestamp(_), ColumnType::Number(NumberType::I64)) => Some(Fit::Read),
        (ColumnType::Text, Logical::CodeUnits, ty) => units_of(ty).map(|_| Fit::Read),
        _ => None,
    }
}

/// Texts of missing values as ones that are read.
fn blanked(values: Column, missing: &[bool], logical: &Logical) -> Column {
    let (Column::Text(texts), Logical::TimestampWithOffset | Logical::Timestamp(_)) = (&values, logical)
    else {
        return values;
    };
    // which each of them reads
    let time: &[u8] = match logical {
        Logical::Timestamp(_) => b"0",
        _ => b"1970-01-01T00:00:00Z",
    };
    let mut all = BytesColumn::new();
    for (row, is_missing) in missing.iter().enumerate() {
        all.push(if *is_missing { time } else { texts.get(row).unwrap_or_default() });
    }
    Column::Text(all)
}

/// Seconds of local time, and its distance from UTC.
fn read_with_offset(text: &str) -> Option<(i64, i64)> {
    if let Some(local) = text.strip_suffix('Z') {
        return Some((TimeUnit::Second.parse_time(local)?, 0));
    }
    let at = text.rfind(['+', '-']).filter(|at| *at > "0000-00-00".len())?;
    let (local, zone) = text.split_at_checked(at)?;
    let (sign, digits) = zone.split_at_checked(1)?;
    let mut parts = digits.split(':').map(|part| part.parse::<u32>().ok());
    let (hours, minutes, seconds) =
        (parts.next()??, parts.next().unwrap_or(Some(0))?, parts.next().unwrap_or(Some(0))?);
    let distance =
        i64::from(hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)?);
    let is_time = parts.next().is_none() && hours < 24 && minutes < 60 && seconds < 60;
    let distance = if sign == "-" { distance.checked_neg()? } else { distance };
    is_time.then_some((TimeUnit::Second.parse_time(local.trim_end())?, distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_offsets_come_back() {
        for (seconds, offset, text) in [
            (900_937_856, 7200, "1998-07-20T12:30:56+02:00"),
            (-1, -19_800, "1969-12-31T23:59:59-05:30"),
            (0, 0, "1970-01-01T00:00:00+00:00"),
            (0, 3661, "1970-01-01T00:00:00+01:01:01"),
        ] {
            let fields =
                vec![("0".into(), Column::from(vec![seconds])), ("1".into(), Column::from(vec![offset]))];
            let texts = with_offset(1, &fields).unwrap();
            let Column::Text(texts) = texts else { panic!("{texts:?}") };
            assert_eq!(texts.get(0), Some(text.as_bytes()));
            assert_eq!(read_with_offset(text), Some((seconds, offset)));
        }
        assert_eq!(read_with_offset("1970-01-01 00:00Z"), Some((0, 0)));
        for text in
            ["", "1970-01-01", "1970-01-01T00:00", "1970-01-01T00:00+99", "1970-01-01T00:00+01:00:00:00"]
        {
            assert_eq!(read_with_offset(text), None, "{text}");
        }
    }
}
