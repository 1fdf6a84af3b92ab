//! Values of cells, as tables and JSON have them.

use crate::table::{Shown, show_made, show_time};
use binfmt::formats::tiledb::{ArraySchema, CellValNum, Column, Datatype};
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
    // zeros fill a text of a fixed length
    let filled = |text: &[u8]| match column.cell_val_num().fixed() {
        Some(_) => text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1),
        None => text.len(),
    };
    if let Some(text) = column.text(i) {
        return Shown::Text(&text.as_bytes()[..filled(text.as_bytes())]);
    }
    match column.value(i) {
        // what is not UTF-8, such as the fill value of `CHAR`, is a text as those of other cells
        Value::Bytes(bytes) if column.datatype().is_byte_text() => {
            *room = bytes;
            let len = filled(room);
            Shown::Text(&room[..len])
        }
        Value::Text(_) | Value::Bytes(_)
            if column.datatype().is_text() && column.datatype() != Datatype::Any =>
        {
            *room = characters(column, i).into_bytes();
            let len = filled(room);
            Shown::Text(&room[..len])
        }
        value => show_made(value, room),
    }
}

/// The text of a cell in UTF-16 or UTF-32. What is no character of it is U+FFFD, as in the columns of the library.
fn characters(column: &Column, i: usize) -> String {
    let (values, number) = (column.values(), column.cell_val_num());
    let range = match (number.fixed().map(|n| n as usize), column.offsets()) {
        (Some(n), _) => i * n..(i + 1) * n,
        (None, offsets) => {
            let at = |i: usize| offsets.get(i).copied().unwrap_or(values.len());
            at(i)..at(i + 1)
        }
    };
    let units: Vec<u32> = range.filter_map(|at| u32::try_from(values.get(at)?.as_i128()?).ok()).collect();
    match column.datatype() {
        Datatype::StringUtf16 | Datatype::StringUcs2 => {
            String::from_utf16_lossy(&units.iter().map(|unit| *unit as u16).collect::<Vec<u16>>())
        }
        _ => units.iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
    }
}
