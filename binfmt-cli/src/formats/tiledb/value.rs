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
    if let Some(text) = column.text(i) {
        return Shown::Text(text.as_bytes());
    }
    match column.value(i) {
        // what is not UTF-8, such as the fill value of `CHAR`, is a text as those of other cells
        Value::Bytes(bytes) if column.datatype().is_byte_text() => {
            *room = bytes;
            Shown::Text(room)
        }
        value => show_made(value, room),
    }
}
