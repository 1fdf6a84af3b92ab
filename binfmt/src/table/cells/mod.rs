//! Fields of text as values.

mod lists;
mod look;
mod names;
mod run;
mod seen;
mod seen_times;

use crate::columns::{BytesColumn, Column, ColumnData, ColumnType, NullableColumn, ValueRef};
use crate::error::{Error, Step};
use crate::numbers::{NumberType, decimal};
use crate::table::{Logical, TableField, TimeUnit};
use lists::Lists;
pub(in crate::table) use look::Look;
pub(in crate::table) use run::{Cell, Run};
use seen::Scalars;
pub(in crate::table) use seen::{Found, Seen};
use std::str::FromStr;

/// What the fields of a column are.
///
/// ```
/// use binfmt::table::csv::CellType;
/// assert_eq!("i64".parse(), Ok(CellType::I64));
/// assert!("int".parse::<CellType>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CellType {
    /// `true` or `false`, or `True`, `TRUE`, `False`, `FALSE`, as other programs write them.
    Bool,
    /// A signed integer.
    I64,
    /// An integer that is not negative.
    U64,
    /// A floating-point number.
    F64,
    /// Bytes in hexadecimal: `0x00ff`. No field is taken for them by its looks, as it may be a text; JSON says them: `{"hex":"00ff"}`.
    Bytes,
    /// Any text.
    Text,
    /// A time of ISO 8601, or a whole number of units since the beginning of 1970. By their looks dates are taken for times of days, and
    /// dates with a time of day for those of seconds, or of what their fractions need; numbers never.
    Time(TimeUnit),
    /// Lists of JSON, and lists of them: so many.
    List(Item, u8),
}

/// What the items of [lists](CellType::List) are.
///
/// ```
/// use binfmt::table::csv::{CellType, Item};
/// assert_eq!("[[f64]]".parse(), Ok(CellType::List(Item::F64, 2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Item {
    /// `true` or `false`.
    Bool,
    /// A signed integer.
    I64,
    /// An integer that is not negative.
    U64,
    /// A floating-point number.
    F64,
    /// Any text.
    Text,
}

impl Item {
    pub(in crate::table) fn cell_type(self) -> CellType {
        match self {
            Item::Bool => CellType::Bool,
            Item::I64 => CellType::I64,
            Item::U64 => CellType::U64,
            Item::F64 => CellType::F64,
            Item::Text => CellType::Text,
        }
    }
}

const ALL: [CellType; 6] =
    [CellType::Bool, CellType::I64, CellType::U64, CellType::F64, CellType::Bytes, CellType::Text];

impl CellType {
    pub(in crate::table) fn item(self) -> Option<Item> {
        match self {
            CellType::Bool => Some(Item::Bool),
            CellType::I64 => Some(Item::I64),
            CellType::U64 => Some(Item::U64),
            CellType::F64 => Some(Item::F64),
            CellType::Text => Some(Item::Text),
            CellType::Bytes | CellType::Time(_) | CellType::List(..) => None,
        }
    }

    /// What the values are, where their type does not say it.
    pub(in crate::table) fn logical(self) -> Option<Logical> {
        match self {
            CellType::Time(unit) => Some(Logical::Timestamp(unit)),
            _ => None,
        }
    }

    /// What a column of them is: each value may be missing.
    pub(in crate::table) fn column_type(self) -> ColumnType {
        ColumnType::Nullable { present: PRESENT, values: Box::new(self.values()) }
    }

    fn values(self) -> ColumnType {
        match self {
            CellType::Bool => ColumnType::Number(NumberType::Bool),
            CellType::I64 | CellType::Time(_) => ColumnType::Number(NumberType::I64),
            CellType::U64 => ColumnType::Number(NumberType::U64),
            CellType::F64 => ColumnType::Number(NumberType::F64),
            CellType::Bytes => ColumnType::Bytes,
            CellType::Text => ColumnType::Text,
            CellType::List(item, depth) => {
                (0..depth).fold(item.cell_type().values(), |items, _| ColumnType::List(Box::new(items)))
            }
        }
    }

    /// What the fields of a column are read as that is this one.
    pub(in crate::table) fn of_field(field: &TableField) -> Option<CellType> {
        let ty = CellType::of(&field.ty)?;
        Some(match (&field.logical, ty) {
            (Some(Logical::Timestamp(unit)), CellType::I64) => CellType::Time(*unit),
            _ => ty,
        })
    }

    /// What a column consists of that has this type.
    fn of(ty: &ColumnType) -> Option<CellType> {
        ALL.into_iter().find(|cell| cell.column_type() == *ty).or_else(|| {
            let ColumnType::Nullable { values, .. } = ty else { return None };
            let (mut ty, mut depth) = (&**values, 0u8);
            while let ColumnType::List(items) = ty {
                (ty, depth) = (items, depth.checked_add(1)?);
            }
            let item = ALL.into_iter().find(|cell| cell.values() == *ty)?.item()?;
            Some(CellType::List(item, depth))
        })
    }

    /// What reads numbers of a type, as far as they are written in 64 bits.
    pub(in crate::table) fn of_number(kind: NumberType) -> Option<CellType> {
        match kind {
            NumberType::Bool => Some(CellType::Bool),
            kind if kind.is_float() => Some(CellType::F64),
            kind if kind.size() > 8 => None,
            kind if kind.is_signed() => Some(CellType::I64),
            _ => Some(CellType::U64),
        }
    }

    /// The type that reads these lists again.
    pub(in crate::table) fn of_lists(ty: &ColumnType) -> Option<CellType> {
        let (mut ty, mut depth) = (ty, 0u8);
        while let ColumnType::List(items) | ColumnType::Array { items, .. } = ty {
            (ty, depth) = (items, depth.checked_add(1)?);
        }
        let item = match ty {
            ColumnType::Number(NumberType::Bool) => Item::Bool,
            ColumnType::Number(NumberType::U64) => Item::U64,
            ColumnType::Number(kind) if kind.is_float() => Item::F64,
            ColumnType::Number(kind) if kind.size() <= 8 => Item::I64,
            ColumnType::Text => Item::Text,
            _ => return None,
        };
        Some(CellType::List(item, depth))
    }

    /// Whether a field is one.
    fn takes(self, field: &[u8]) -> bool {
        match self {
            CellType::Bool => boolean(field).is_some(),
            // the integer has no sign
            CellType::I64 => field != b"-0" && parsed::<i64>(field).is_some(),
            CellType::U64 => parsed::<u64>(field).is_some(),
            CellType::F64 => float(field).is_some(),
            CellType::Bytes | CellType::Time(_) | CellType::List(..) => false,
            CellType::Text => true,
        }
    }
}

/// Whether a number is written with more than its digits, so that it may be a word of digits: `007`, `-01.5`, or `+49`. The sign
/// of a float with a point or an exponent is one that many programs write.
pub(in crate::table) fn is_padded(field: &[u8]) -> bool {
    match field {
        [b'0', b'0'..=b'9', ..] | [b'+' | b'-', b'0', b'0'..=b'9', ..] => true,
        [b'+', ..] => is_integer(field),
        _ => false,
    }
}

/// Whether it is an integer that a float does not have exactly.
pub(in crate::table) fn is_rounded(field: &[u8]) -> bool {
    // all of fifteen digits are exact
    if field.len() <= 15 || !is_integer(field) {
        return false;
    }
    let size = parsed::<i128>(field).map(i128::unsigned_abs);
    size.is_none_or(|size| size as f64 as u128 != size)
}

/// Without the blanks with which people and programs align numbers.
pub(in crate::table) fn unblanked(field: &[u8]) -> &[u8] {
    match field {
        [b' ' | b'\t', ..] | [.., b' ' | b'\t'] => field.trim_ascii(),
        field => field,
    }
}

/// `true` or `false`, as Python and R write them as well.
fn boolean(field: &[u8]) -> Option<bool> {
    match field {
        b"true" | b"True" | b"TRUE" => Some(true),
        b"false" | b"False" | b"FALSE" => Some(false),
        _ => None,
    }
}

/// Whether a text is a list of JSON.
fn is_list(text: &[u8]) -> bool {
    serde_json::from_slice::<Vec<serde::de::IgnoredAny>>(text).is_ok()
}

/// Whether it is digits, perhaps after a sign.
fn is_integer(field: &[u8]) -> bool {
    let digits = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

fn parsed<T: FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// A number as people and programs write it: `inf` and `nan`, also as `Inf` and `NaN`; a text such as `Infinity` is none.
fn float(field: &[u8]) -> Option<f64> {
    let digits = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    match digits.first()? {
        // what is beyond all floats stays the text that it is
        b'0'..=b'9' | b'.' => parsed(field).filter(|n: &f64| n.is_finite()),
        _ if matches!(digits, b"inf" | b"Inf") || matches!(field, b"nan" | b"NaN") => parsed(field),
        _ => None,
    }
}

/// The bytes that `0x00ff` says.
fn bytes(field: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = field.strip_prefix(b"0x")?.as_chunks::<2>() else { return None };
    let digit = |c: u8| char::from(c).to_digit(16).and_then(|n| u8::try_from(n).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// The code of a value that is there, and of one that is missing.
const PRESENT: u8 = 255;
const MISSING: u8 = 0;

/// A column that grows field by field.
#[derive(Debug)]
pub(in crate::table) struct Cells {
    codes: Vec<u8>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Bool(Vec<bool>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    F64(Vec<f64>),
    Bytes(BytesColumn),
    Text(BytesColumn),
    Times(TimeUnit, Vec<i64>),
    Lists(Lists),
}

fn add<T: Default>(values: &mut Vec<T>, value: Option<T>) -> bool {
    let is_there = value.is_some();
    values.push(value.unwrap_or_default());
    is_there
}

impl Cells {
    pub(in crate::table) fn new(ty: CellType) -> Self {
        Cells::with_room(ty, 0)
    }

    /// With room for the fields of so many rows.
    pub(in crate::table) fn with_room(ty: CellType, rows: usize) -> Self {
        let values = match ty {
            CellType::Bool => Values::Bool(Vec::with_capacity(rows)),
            CellType::I64 => Values::I64(Vec::with_capacity(rows)),
            CellType::U64 => Values::U64(Vec::with_capacity(rows)),
            CellType::F64 => Values::F64(Vec::with_capacity(rows)),
            CellType::Bytes => Values::Bytes(BytesColumn::new()),
            CellType::Text => Values::Text(BytesColumn::new()),
            CellType::Time(unit) => Values::Times(unit, Vec::with_capacity(rows)),
            CellType::List(item, depth) => Values::Lists(Lists::new(item, depth)),
        };
        Cells { codes: Vec::with_capacity(rows), values }
    }

    /// Adds a field, or a missing value. Whether the field is of the type.
    pub(in crate::table) fn push(&mut self, field: Option<&[u8]>) -> bool {
        self.codes.push(if field.is_some() { PRESENT } else { MISSING });
        let field = match self.values {
            Values::Text(_) => field,
            _ => field.map(unblanked),
        };
        let is_one = match &mut self.values {
            Values::Bool(v) => add(v, field.and_then(boolean)),
            Values::I64(v) => {
                add(v, field.and_then(|field| decimal::integer(field).or_else(|| parsed(field))))
            }
            Values::U64(v) => add(v, field.and_then(parsed)),
            Values::F64(v) => add(v, field.and_then(|field| decimal::float(field).or_else(|| float(field)))),
            Values::Bytes(v) => {
                let bytes = field.and_then(bytes);
                v.push(bytes.as_deref().unwrap_or(b""));
                bytes.is_some()
            }
            Values::Text(v) => {
                v.push(field.unwrap_or_default());
                true
            }
            Values::Times(unit, v) => {
                let time = |field| unit.parse_time(std::str::from_utf8(field).ok()?);
                // other programs write how many units they are
                add(v, field.and_then(|field| time(field).or_else(|| parsed(field))))
            }
            Values::Lists(v) => {
                let list = field.filter(|field| is_list(field));
                v.push(list) && list.is_some()
            }
        };
        is_one || field.is_none()
    }

    /// Adds a value that is missing for the reason that has this code.
    pub(in crate::table) fn push_missing(&mut self, code: u8) {
        self.push(None);
        if let Some(last) = self.codes.last_mut() {
            *last = code;
        }
    }

    /// Adds an empty text, or a missing value where the values are not texts.
    pub(in crate::table) fn push_blank(&mut self) {
        match self.values {
            Values::Text(_) => self.push(Some(b"")),
            _ => self.push(None),
        };
    }

    /// Adds a list or an object of JSON, which may be a text.
    pub(in crate::table) fn push_nested(&mut self, field: &[u8]) -> bool {
        match &mut self.values {
            Values::Lists(v) => {
                self.codes.push(PRESENT);
                v.push(Some(field))
            }
            _ => self.push(Some(field)),
        }
    }

    pub(in crate::table) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Adds bytes that are said to be some, in hexadecimal: they may be of a text that is not UTF-8.
    pub(in crate::table) fn push_bytes(&mut self, field: &[u8]) -> bool {
        match (&mut self.values, bytes(field)) {
            (Values::Text(v), Some(bytes)) => {
                v.push(&bytes);
                self.codes.push(PRESENT);
                true
            }
            _ => self.push(Some(field)),
        }
    }

    pub(in crate::table) fn truncate(&mut self, rows: usize) {
        self.codes.truncate(rows);
        match &mut self.values {
            Values::Bool(v) => v.truncate(rows),
            Values::I64(v) => v.truncate(rows),
            Values::U64(v) => v.truncate(rows),
            Values::F64(v) => v.truncate(rows),
            Values::Times(_, v) => v.truncate(rows),
            Values::Bytes(v) | Values::Text(v) => v.truncate(rows),
            Values::Lists(v) => v.truncate(rows),
        }
    }

    /// The values without what says which are missing.
    pub(in crate::table) fn into_values(self) -> Option<Column> {
        Some(match self.values {
            Values::Bool(v) => v.into(),
            Values::I64(v) | Values::Times(_, v) => v.into(),
            Values::U64(v) => v.into(),
            Values::F64(v) => v.into(),
            Values::Bytes(v) => Column::Bytes(v),
            Values::Text(v) => Column::Text(v),
            Values::Lists(v) => return v.into_column(),
        })
    }

    pub(in crate::table) fn into_column(mut self) -> Option<Column> {
        let codes = std::mem::take(&mut self.codes);
        NullableColumn::from_parts(codes, self.into_values()?, PRESENT)
            .map(|column| Column::Nullable(Box::new(column)))
    }
}

/// Texts as values of a type, each of which may be missing.
pub(in crate::table) fn read(texts: &Column, ty: CellType) -> Result<Column, Error> {
    let mut cells = Cells::with_room(ty, texts.len());
    for row in 0..texts.len() {
        let is_one = match texts.get(row) {
            Some(ValueRef::Text(text) | ValueRef::Bytes(text)) => cells.push(Some(text)),
            Some(ValueRef::Missing(code)) => {
                cells.push_missing(code);
                true
            }
            _ => cells.push(None),
        };
        if !is_one {
            let found = match texts.get(row) {
                Some(ValueRef::Text(text) | ValueRef::Bytes(text)) => {
                    String::from_utf8_lossy(text).into_owned()
                }
                _ => String::new(),
            };
            return Err(Error::other(format!("expected {ty}, found {found:?}")).within(Step::Index(row)));
        }
    }
    cells.into_column().ok_or_else(|| Error::other("a column has not a code for each value"))
}
