//! What the columns of a table become in an array: dimensions and attributes.

use super::columns::{attribute_field, dimension_field};
use crate::columns::{BytesColumn, Column, ColumnType, NullableColumn};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, Attribute, CellValNum, Datatype};
use crate::formats::tiledb::values::{self, ends, key};
use crate::numbers::{Number, NumberType, Numbers};
use crate::schema::Name;
use crate::table::csv::CellType;
use crate::table::filled::{at, inner, note, replaced};
use crate::table::{
    Fit, Logical, Recount, Settings, TableField, TableSchema, TimeUnit, as_read, exact, exact_fit, keys,
};
use crate::wire::amount::{after, known};

/// Cells of a tile, about.
const TILE: i128 = 10_000;

/// The dimensions of the array.
#[derive(Debug)]
pub(super) struct Dimensions {
    /// Which columns they are, and their names; without any the number of the row is the only one.
    pub(super) columns: Vec<(usize, Name)>,
    row: Name,
    pub(super) ty: ColumnType,
    pub(super) kind: NumberType,
    pub(super) datatype: Datatype,
    pub(super) is_dense: bool,
    /// What fields of text are read as, if not as what they look like.
    pub(super) reads: Vec<(usize, CellType)>,
}

/// A place that is there twice.
fn twice(places: &[usize]) -> Option<usize> {
    let again = |(i, place): &(usize, &usize)| places.iter().take(*i).any(|before| before == *place);
    places.iter().enumerate().find(again).map(|(_, place)| *place)
}

/// The dimensions that are said, or that the columns were before.
pub(super) fn dimensions(schema: &TableSchema, settings: &Settings) -> Result<Dimensions> {
    let places: Vec<usize> = match settings.get("dimensions") {
        Some(names) => {
            let known = || schema.fields.iter().map(|field| field.name.as_str());
            let place = |name: &str| {
                let place = schema.position(name.trim());
                let unknown = || ErrorKind::unknown("column", name.trim(), known());
                place.ok_or_else(|| Error::other(format!("setting `dimensions`: {}", unknown())))
            };
            let names = names.split(',').filter(|name| !name.trim().is_empty());
            let places = names.map(place).collect::<Result<Vec<usize>>>()?;
            if let Some(name) = twice(&places).and_then(|place| schema.fields.get(place)) {
                let text = format!("setting `dimensions`: `{}` is there twice", name.name);
                return Err(Error::other(text));
            }
            places
        }
        None => {
            let was_one = |place: &usize| {
                schema.fields.get(*place).is_some_and(|field| field.get("tiledb:dimension").is_some())
            };
            (0..schema.fields.len()).filter(was_one).collect()
        }
    };
    let was_dense = schema.get("tiledb:array_type") == Some("dense") && settings.get("dimensions").is_none();
    let is_dense = settings.word("array", &[("dense", true), ("sparse", false)])?.unwrap_or(was_dense);
    let row = if schema.position("row").is_none() { "row" } else { "_row" };
    let mut found: Option<(ColumnType, Datatype, &TableField)> = None;
    let mut columns = Vec::new();
    for place in places {
        let Some(field) = schema.fields.get(place) else { continue };
        let ty = inner(&field.ty);
        let datatype = match ty {
            ColumnType::Number(kind) if *kind != NumberType::Bool && kind.size() <= 8 => number(*kind, field),
            _ => None,
        };
        let Some(datatype) = datatype else {
            let text =
                format!("column `{}` is {}, and dimensions are numbers", field.name, field.type_name());
            return Err(Error::other(text));
        };
        match &found {
            Some((_, other, before)) if *other != datatype => {
                let text = format!(
                    "all dimensions have one type: column `{}` is {other}, `{}` is {datatype}",
                    before.name, field.name
                );
                return Err(Error::other(text));
            }
            _ => found = Some((ty.clone(), datatype, field)),
        }
        columns.push((place, field.name.clone()));
    }
    let (ty, datatype) = match found {
        Some((ty, datatype, _)) => (ty, datatype),
        None => (ColumnType::Number(NumberType::I64), Datatype::Int64),
    };
    let kind = datatype.number_type().unwrap_or(NumberType::I64);
    if is_dense && kind.is_float() {
        return Err(Error::other("the dimensions of a dense array are integers"));
    }
    Ok(Dimensions { columns, row: row.into(), ty, kind, datatype, is_dense, reads: Vec::new() })
}

impl Dimensions {
    pub(super) fn names(&self) -> Vec<String> {
        match self.columns.is_empty() {
            true => vec![self.row.to_string()],
            false => self.columns.iter().map(|(_, name)| name.to_string()).collect(),
        }
    }

    /// The numbers of that many rows from one on, which end where the type or the array does.
    pub(super) fn rows(&self, first: i128, rows: usize, last: Option<Number>) -> Result<Numbers> {
        let mut numbers = Numbers::new(self.kind);
        for n in (first..).take(rows) {
            let has_room = last.and_then(Number::as_i128).is_none_or(|last| n <= last);
            let number = Number::from_i128(self.kind, n).filter(|_| has_room);
            let pushed = number.is_some_and(|number| numbers.push(number).is_ok());
            if !pushed {
                let end = last.map(|last| format!(": its domain ends at {last}")).unwrap_or_default();
                let text = format!("the array has no room for row {n} in its dimension `{}`{end}", self.row);
                return Err(Error::other(text));
            }
        }
        Ok(numbers)
    }

    /// Between which coordinates these are.
    pub(super) fn ends(&self, values: &Numbers) -> Result<[Number; 2]> {
        if values.is_empty() {
            let zero = Number::from_i128(self.kind, 0).or(Number::from_f64(self.kind, 0.0));
            return zero.map(|zero| [zero, zero]).ok_or_else(|| Error::other("a dimension without a type"));
        }
        if let Some(row) = values.iter().position(|n| n.number_type().is_float() && !n.to_f64().is_finite()) {
            let text = "a coordinate is a finite number";
            return Err(Error::other(text).within(Step::Index(row)));
        }
        ends(values).ok_or_else(|| Error::other("there are no coordinates"))
    }

    /// The length of a tile, which may be said, so that no tile ends beyond the type.
    pub(super) fn extent(
        &self,
        low: Number,
        high: Number,
        dimensions: usize,
        said: Option<i128>,
    ) -> Option<Number> {
        let kind = low.number_type();
        let (Some(low), Some(high)) = (low.as_i128(), high.as_i128()) else {
            let length = high.to_f64() - low.to_f64();
            let length = if length.is_finite() && length > 0.0 { length } else { 1.0 };
            return Number::from_f64(kind, said.map_or(length, |said| (said as f64).min(length)));
        };
        let each = said.unwrap_or(match dimensions {
            1 => TILE,
            2 => 100,
            3 => 21,
            _ => 10,
        });
        let length = high.saturating_sub(low).saturating_add(1);
        let extent = length.min(each).max(1);
        let tiles = length.saturating_add(extent).saturating_sub(1).checked_div(extent).unwrap_or(1);
        let end = low.saturating_add(tiles.saturating_mul(extent)).saturating_sub(1);
        let most = kind.limits().map_or(i128::MAX, |(_, most)| i128::try_from(most).unwrap_or(i128::MAX));
        // one more, which libtiledb counts with
        let fits = end < most && extent <= most;
        Number::from_i128(kind, if fits { extent } else { 1 })
    }
}

/// Where each cell of the box comes from: it must be there once.
pub(super) fn row_major(coords: &[Numbers], ends: &[[Number; 2]]) -> Result<Vec<usize>> {
    let rows = coords.first().map_or(0, Numbers::len);
    let lengths: Option<Vec<u64>> = ends
        .iter()
        .map(|[low, high]| key(*high).checked_sub(key(*low)).and_then(|length| length.checked_add(1)))
        .collect();
    let cells =
        lengths.as_ref().and_then(|all| all.iter().try_fold(1u64, |n, length| n.checked_mul(*length)));
    let wrong = || {
        let cells = cells.map_or_else(|| "more than 2^64".to_owned(), |cells| cells.to_string());
        Error::other(format!(
            "a dense array has a value in each of its {cells} cells, and there are {rows}: say array=sparse"
        ))
    };
    let (Some(lengths), true) = (lengths, cells == Some(rows as u64)) else { return Err(wrong()) };
    let mut order = vec![usize::MAX; rows];
    for row in 0..rows {
        let mut place = 0u64;
        for ((values, [low, _]), length) in coords.iter().zip(ends).zip(&lengths) {
            let at = values.get(row).map_or(0, |n| key(n).saturating_sub(key(*low)));
            place = place.saturating_mul(*length).saturating_add(at);
        }
        let cell = usize::try_from(place).ok().and_then(|place| order.get_mut(place));
        match cell {
            Some(cell) if *cell == usize::MAX => *cell = row,
            _ => return Err(Error::other("two rows are of the same cell").within(Step::Index(row))),
        }
    }
    Ok(order)
}

/// A column that becomes an attribute.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) place: usize,
    pub(super) name: Name,
    /// The type of its values, as they are written.
    pub(super) ty: ColumnType,
    /// The same with what they mean.
    meant: TableField,
    /// What its fields of text are read as, if not as what they look like.
    pub(super) read: Option<CellType>,
    datatype: Datatype,
    values: CellValNum,
    /// What is to be done with times.
    recount: Option<Recount>,
    /// How many values were missing.
    missing: u64,
    /// Whether it was of the type `STRING_UTF8` until there was a text that is not.
    is_odd: bool,
}

/// The attributes: all columns that are not dimensions.
pub(super) fn kept(
    schema: &TableSchema,
    dimensions: &Dimensions,
    notes: &mut Vec<String>,
) -> Result<Vec<Kept>> {
    let mut all = Vec::new();
    for (place, field) in schema.fields.iter().enumerate() {
        let is_dimension = dimensions.columns.iter().any(|(of, _)| *of == place);
        if is_dimension || field.get(keys::ADDED).is_some() {
            continue;
        }
        let kept = of(place, field)?;
        notes.extend(note(field, &kept.ty)?);
        all.push(kept);
    }
    Ok(all)
}

/// The dimensions of an array that is there, found in the table by their names.
pub(super) fn dimensions_of(array: &ArraySchema, schema: &TableSchema) -> Result<Dimensions> {
    let datatype = array.domain.datatype;
    let kind = datatype.number_type().unwrap_or(NumberType::I64);
    let ty = ColumnType::Number(kind);
    let (mut columns, mut reads) = (Vec::new(), Vec::new());
    let is_dense = array.array_type == ArrayType::Dense;
    if let [only] = array.domain.dimensions.as_slice()
        && ["row", "_row"].contains(&only.name.as_str())
        && schema.position(&only.name).is_none()
        && !kind.is_float()
    {
        let row = only.name.as_str().into();
        return Ok(Dimensions { columns, row, ty, kind, datatype, is_dense, reads: Vec::new() });
    }
    for dimension in &array.domain.dimensions {
        let name = dimension.name.as_str();
        let what = "the array has the dimension";
        let (place, field) = schema.column_for(schema.position(name), what, name)?;
        let (field, read) = &as_read(field, &dimension_field(dimension, datatype));
        holds(name, field, &ty)?;
        reads.extend(read.map(|read| (place, read)));
        if let (Some(_), Some(unit)) = (Recount::of(field, datatype.time_unit()), datatype.time_unit()) {
            let text =
                format!("column `{name}` has times in another unit, and the dimension has times in {unit}");
            return Err(Error::other(text));
        }
        columns.push((place, field.name.clone()));
    }
    Ok(Dimensions { columns, row: "row".into(), ty, kind, datatype, is_dense, reads })
}

/// The attributes of an array that is there.
pub(super) fn kept_of(
    array: &ArraySchema,
    schema: &TableSchema,
    notes: &mut Vec<String>,
) -> Result<Vec<Kept>> {
    let (mut all, places) = (Vec::new(), schema.positions());
    for attribute in &array.attributes {
        let name = attribute.name.as_str();
        let what = "the array has the attribute";
        let (place, field) = schema.column_for(places.get(name).copied(), what, name)?;
        let (datatype, values) = (attribute.datatype, attribute.cell_val_num);
        let number = ColumnType::Number(datatype.number_type().unwrap_or(NumberType::U8));
        let to = attribute_field(attribute);
        let before = field;
        let (field, read) = &as_read(field, &to);
        let exact = exact_fit(&field.ty, &to);
        let ty = match (inner(&field.ty), values.fixed()) {
            _ if exact.is_some() => to.ty.clone(),
            (ty @ (ColumnType::Text | ColumnType::Bytes), None) => ty.clone(),
            (ty @ ColumnType::FixedBytes(n), Some(count)) if *n as u64 == u64::from(count) => ty.clone(),
            (_, None) => ColumnType::List(Box::new(number)),
            (_, Some(1)) => number,
            (_, Some(count)) => ColumnType::Array { len: count as usize, items: Box::new(number) },
        };
        notes.extend(match (exact, read) {
            (None, None | Some(CellType::Text)) => holds(name, field, &ty)?,
            _ => {
                let from = if *read == Some(CellType::Text) { field } else { before };
                Some(format!("column `{name}`, {} to {datatype}: {}", from.type_name(), Fit::Read))
            }
        });
        let recount = Recount::of(field, datatype.time_unit());
        notes.extend(Recount::told(field, datatype.time_unit()));
        all.push(Kept {
            place,
            name: field.name.clone(),
            meant: TableField::new(name, ty.clone()).logical(to.logical),
            ty,
            datatype,
            values,
            recount,
            missing: 0,
            is_odd: false,
            read: *read,
        });
    }
    let attributes = array.places();
    notes.extend(schema.left_out("the array", |_, field| {
        field.get(keys::ADDED).is_some()
            || attributes.contains_key(field.name.as_str())
            || array.domain.dimensions.iter().any(|dimension| field.name == dimension.name.as_str())
    }));
    Ok(all)
}

/// What becomes of a column in one of an array that is there.
fn holds(name: &str, from: &TableField, to: &ColumnType) -> Result<Option<String>> {
    let (from, found) = (TableField { name: name.to_owned().into(), ..from.clone() }, from.type_name());
    note(&from, to).map_err(|_| Error::other(format!("column `{name}` is {found}, and the array has {to}")))
}

/// The datatype of a number.
fn number(kind: NumberType, field: &TableField) -> Option<Datatype> {
    if let Some(said) = field.get(keys::NATIVE).and_then(Datatype::named)
        && said.number_type() == Some(kind)
    {
        return Some(said);
    }
    if let (NumberType::I64, Some(Logical::Timestamp(unit))) = (kind, &field.logical) {
        return Some(timestamp(*unit));
    }
    Some(match kind {
        NumberType::U8 if field.logical == Some(Logical::Character) => Datatype::Char,
        NumberType::Bool | NumberType::U8 => Datatype::Uint8,
        NumberType::I8 => Datatype::Int8,
        NumberType::I16 => Datatype::Int16,
        NumberType::I32 => Datatype::Int32,
        NumberType::I64 => Datatype::Int64,
        NumberType::U16 => Datatype::Uint16,
        NumberType::U32 => Datatype::Uint32,
        NumberType::U64 => Datatype::Uint64,
        NumberType::F16 | NumberType::F32 => Datatype::Float32,
        NumberType::F64 => Datatype::Float64,
        _ => return None,
    })
}

fn timestamp(unit: TimeUnit) -> Datatype {
    match unit {
        TimeUnit::Year => Datatype::DatetimeYear,
        TimeUnit::Month => Datatype::DatetimeMonth,
        TimeUnit::Week => Datatype::DatetimeWeek,
        TimeUnit::Day => Datatype::DatetimeDay,
        TimeUnit::Hour => Datatype::DatetimeHr,
        TimeUnit::Minute => Datatype::DatetimeMin,
        TimeUnit::Second => Datatype::DatetimeSec,
        TimeUnit::Milli => Datatype::DatetimeMs,
        TimeUnit::Micro => Datatype::DatetimeUs,
        TimeUnit::Nano => Datatype::DatetimeNs,
        TimeUnit::Pico => Datatype::DatetimePs,
        TimeUnit::Femto => Datatype::DatetimeFs,
        TimeUnit::Atto => Datatype::DatetimeAs,
    }
}

/// What a column becomes.
fn of(place: usize, field: &TableField) -> Result<Kept> {
    let said = field.get(keys::NATIVE).and_then(Datatype::named);
    let text = said.filter(|datatype| datatype.is_byte_text());
    let several = |n: usize| u32::try_from(n).ok().and_then(CellValNum::new);
    let found = match inner(&field.ty) {
        ColumnType::Number(kind) => number(*kind, field).map(|datatype| (datatype, Some(CellValNum::ONE))),
        ColumnType::Text => Some((text.unwrap_or(Datatype::StringUtf8), Some(CellValNum::VAR))),
        ColumnType::Bytes if said == Some(Datatype::Any) => Some((Datatype::Any, Some(CellValNum::VAR))),
        ColumnType::Bytes => Some((Datatype::Uint8, Some(CellValNum::VAR))),
        ColumnType::FixedBytes(n) => Some((text.unwrap_or(Datatype::Uint8), several(*n))),
        ColumnType::Array { len, items } => match &**items {
            ColumnType::Number(kind) => number(*kind, field).map(|datatype| (datatype, several(*len))),
            _ => None,
        },
        ColumnType::List(items) => match &**items {
            ColumnType::Number(kind) => {
                number(*kind, field).map(|datatype| (datatype, Some(CellValNum::VAR)))
            }
            _ => None,
        },
        _ => None,
    };
    let Some((datatype, Some(values))) = found else {
        let text =
            format!("column `{}` is {}, which no attribute of TileDB can be", field.name, field.type_name());
        return Err(Error::other(text));
    };
    let kind = datatype.number_type().unwrap_or(NumberType::U8);
    let ty = match inner(&field.ty) {
        ColumnType::Number(_) => ColumnType::Number(kind),
        ColumnType::Array { len, .. } => {
            ColumnType::Array { len: *len, items: Box::new(ColumnType::Number(kind)) }
        }
        ColumnType::List(_) => ColumnType::List(Box::new(ColumnType::Number(kind))),
        other => other.clone(),
    };
    let name = field.name.clone();
    let meant = TableField::new(name.clone(), ty.clone());
    let (recount, read) = (None, None);
    Ok(Kept { place, name, meant, ty, datatype, values, recount, missing: 0, is_odd: false, read })
}

/// Whether a text is not UTF-8.
fn is_odd(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_err()
}

impl Kept {
    pub(super) fn attribute(&self) -> Attribute {
        Attribute::new(self.name.as_str(), self.datatype).values(self.values)
    }

    /// The value of a cell that has none.
    fn fill(&self) -> Option<Number> {
        Numbers::from_le_bytes(self.datatype.number_type()?, self.datatype.fill())?.get(0)
    }

    /// The values of a batch, of which `first` is the number of the first row. Before there is an array the batch may say which type
    /// it has.
    pub(super) fn fit(&mut self, column: Column, first: u64, is_there: bool) -> Result<Column> {
        let name = self.name.clone();
        let told = |e: Error| at(&name, first, &e);
        let (column, missing): (_, Vec<usize>) = match exact(column, &self.meant).map_err(told)? {
            Column::Nullable(values) | Column::Optional(values) => {
                let missing = (0..values.len()).filter(|row| values.is_missing(*row)).collect();
                (NullableColumn::into_parts(*values).1, missing)
            }
            column => (column, Vec::new()),
        };
        let column = match column.column_type() == self.ty {
            true => column,
            false => Fit::convert(&column, &self.ty).map_err(told)?,
        };
        let column = match self.recount {
            Some(recount) => recount.column(column).map_err(told)?,
            None => column,
        };
        if let (Column::Text(texts), Datatype::StringUtf8) = (&column, self.datatype)
            && let Some(row) = (0..texts.len()).find(|row| texts.get(*row).is_some_and(is_odd))
        {
            if is_there {
                let kind = "STRING_UTF8 does not support a text that is not UTF-8";
                return Err(told(Error::other(kind).within(Step::Index(row))));
            }
            // which has any bytes
            (self.datatype, self.is_odd) = (Datatype::Char, true);
        }
        self.missing = after(self.missing, missing.len() as u64);
        match missing.as_slice() {
            [] => Ok(column),
            rows => self.filled(column, rows).map_err(told),
        }
    }

    /// What became of texts that are not UTF-8, and of missing values.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let name = &self.name;
        let odd = || format!("column `{name}`: a text is not UTF-8, so that it is CHAR, which has any bytes");
        self.is_odd.then(odd).into_iter().chain(self.filled_in())
    }

    fn filled_in(&self) -> Option<String> {
        let fill = match self.fill().filter(|_| self.ty != ColumnType::Text) {
            Some(fill) => fill.to_string(),
            None => format!("{:?}", String::from_utf8_lossy(self.datatype.fill())),
        };
        replaced(&self.name, self.missing, &format!("the fill value {fill}"))
    }

    /// The same with fill values in these rows.
    fn filled(&self, column: Column, rows: &[usize]) -> Result<Column> {
        match (column, self.fill()) {
            (Column::Numbers(numbers), Some(fill)) => {
                let mut out = Numbers::new(numbers.number_type());
                for (row, n) in numbers.iter().enumerate() {
                    let n = if rows.binary_search(&row).is_ok() { fill } else { n };
                    out.push(n).map_err(|_| Error::other("a fill value of another type"))?;
                }
                Ok(Column::Numbers(out))
            }
            (Column::FixedBytes { size, rows: count, mut bytes }, Some(Number::U8(fill))) => {
                let cells = bytes.chunks_exact_mut(size.max(1)).enumerate();
                let missing = cells.filter(|(row, _)| rows.binary_search(row).is_ok());
                missing.for_each(|(_, cell)| cell.fill(fill));
                Ok(Column::FixedBytes { size, rows: count, bytes })
            }
            (Column::Text(texts), _) => {
                let fill = self.datatype.fill();
                let of = |row: usize| {
                    if rows.binary_search(&row).is_ok() { fill } else { texts.get(row).unwrap_or(fill) }
                };
                Ok(Column::Text((0..texts.len()).map(of).collect::<BytesColumn>()))
            }
            (_, _) => {
                let row = known(rows.first().copied());
                Err(Error::other("a value is missing, and such an attribute has none that are")
                    .within(Step::Index(row)))
            }
        }
    }

    /// The values as cells.
    pub(super) fn values(&self, column: Column) -> Result<values::Column> {
        let variable = |values: Numbers, offsets| values::Column::variable(self.datatype, values, offsets);
        let fixed = |values: Numbers| values::Column::fixed(self.datatype, self.values, values);
        let found = match column {
            Column::Numbers(values) => fixed(values),
            Column::FixedBytes { bytes, .. } => fixed(Numbers::U8(bytes)),
            Column::Array { items, .. } => match *items {
                Column::Numbers(values) => fixed(values),
                _ => None,
            },
            Column::Text(texts) | Column::Bytes(texts) => {
                let (offsets, bytes) = texts.into_parts();
                variable(Numbers::U8(bytes), offsets)
            }
            Column::List(lists) => match lists.into_parts() {
                (offsets, Column::Numbers(values)) => variable(values, offsets),
                _ => None,
            },
            _ => None,
        };
        found.ok_or_else(|| Error::other(format!("column `{}` is not what was announced", self.name)))
    }
}
