//! Values of cells, as tables and JSON have them.

use crate::table::{Shown, show_made, show_time};
use binfmt::formats::tiledb::{ArraySchema, CellValNum, Column, Datatype, Number, Numbers};
use binfmt::table::TimeUnit;
use binfmt::value::Value;

/// A dimension's name; one without is called by its place.
pub(super) fn dimension_name(schema: &ArraySchema, i: usize) -> String {
    match schema.domain.dimensions.get(i) {
        Some(dimension) if !dimension.name.is_empty() => dimension.name.clone(),
        _ => format!("__dim_{i}"),
    }
}

/// Whether the cells of a column are single numbers.
pub(super) fn is_number(datatype: Datatype, values: CellValNum) -> bool {
    values == CellValNum::ONE && !datatype.is_text()
}

/// What a cell shows.
pub(super) fn show_cell<'a>(
    column: &'a Column,
    i: usize,
    time: Option<TimeUnit>,
    room: &'a mut Vec<u8>,
) -> Shown<'a> {
    if is_number(column.datatype(), column.cell_val_num()) {
        return match column.values().get(i) {
            Some(value) => show_time(value.into(), time, room),
            None => Shown::Missing(None),
        };
    }
    match column.text(i) {
        Some(text) => Shown::Text(text.as_bytes()),
        None => show_made(cell(column, i), room),
    }
}

/// A cell: a number, a list of numbers, a text, or bytes that are not text.
pub(super) fn cell(column: &Column, i: usize) -> Value {
    if let Some(text) = column.text(i) {
        return Value::Text(text.to_owned());
    }
    let datatype = column.datatype();
    if datatype.is_text() {
        return text(datatype, column.cell(i));
    }
    let mut numbers = column.cell(i).map(Value::from);
    match column.cell_val_num() {
        CellValNum::ONE => numbers.next().unwrap_or(Value::Unit),
        _ => Value::List(numbers.collect()),
    }
}

/// The characters of a cell, where they are text in the encoding of its type.
fn text(datatype: Datatype, values: impl Iterator<Item = Number>) -> Value {
    let units: Vec<u32> = values.map(|v| v.as_i128().unwrap_or_default() as u32).collect();
    let text: Option<String> = match datatype {
        Datatype::StringUtf16 | Datatype::StringUcs2 => {
            char::decode_utf16(units.iter().map(|unit| *unit as u16)).collect::<Result<_, _>>().ok()
        }
        Datatype::StringUtf32 | Datatype::StringUcs4 => {
            units.iter().map(|unit| char::from_u32(*unit)).collect()
        }
        _ => None,
    };
    let size = datatype.size().unwrap_or(1);
    let bytes = || units.iter().flat_map(|unit| unit.to_le_bytes().into_iter().take(size)).collect();
    text.map_or_else(|| Value::Bytes(bytes()), Value::Text)
}

/// The values of a text in the encoding of a type.
pub(super) fn encoded(datatype: Datatype, text: &str) -> Numbers {
    match datatype {
        Datatype::StringUtf16 | Datatype::StringUcs2 => Numbers::U16(text.encode_utf16().collect()),
        Datatype::StringUtf32 | Datatype::StringUcs4 => Numbers::U32(text.chars().map(u32::from).collect()),
        _ => Numbers::U8(text.as_bytes().to_vec()),
    }
}
