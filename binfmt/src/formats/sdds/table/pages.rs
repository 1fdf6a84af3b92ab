//! The pages of a file as a table: a row for each, with its parameters, and its arrays if they are wanted.

use super::arrays::{Lists, chosen};
use super::index::parameters;
use super::input::Input;
use super::schema;
use crate::columns::{Column, Columns};
use crate::error::{Error, Result};
use crate::formats::sdds::layout::definition::Array;
use crate::formats::sdds::layout::value::Elements;
use crate::formats::sdds::read::reader::Reader;
use crate::table::{ColumnsTable, TableField, TableSchema, keys};
use crate::wire::Stream;

/// Goes over all pages and steps over their rows; with the arrays of these names, or all that there are (`*`).
pub(super) fn of(reader: Reader<'static, Stream<Input>>, names: Option<&str>) -> Result<ColumnsTable> {
    let mut reader = reader.columns(&[])?;
    let header = reader.file_header().clone();
    let places = match names.map(str::trim) {
        None => Vec::new(),
        Some("*") if header.arrays.is_empty() => Vec::new(),
        Some(names) => chosen(&header, names)?,
    };
    let arrays: Vec<&Array> = places.iter().filter_map(|place| header.arrays.get(*place)).collect();
    let mut lists = Lists::new(&arrays);
    let mut values: Vec<Elements> = header.parameters.iter().map(|p| Elements::empty(p.data_type)).collect();
    let mut rows = Vec::new();
    while let Some(page) = reader.next_page()? {
        rows.push(i64::try_from(page.rows()).unwrap_or(i64::MAX));
        for (all, value) in values.iter_mut().zip(parameters(&page, &header)) {
            all.push(value).map_err(|_| Error::other("a parameter has not the type of its header"))?;
        }
        lists.add(places.iter().filter_map(|place| page.arrays().get(*place)))?;
    }
    let numbers: Vec<i64> = (0..).take(rows.len()).collect();
    let said = schema::of(&header, true);
    let names = said.fields.iter().map(|field| field.name.clone());
    let all = [Column::from(numbers)].into_iter().chain(values.into_iter().map(Column::from));
    let mut columns: Vec<_> = names.zip(all).collect();
    let num_parameters = columns.len();
    // without columns there are none
    if !header.columns.is_empty() {
        columns.push(("_rows".into(), Column::from(rows)));
    }
    for (array, column) in arrays.iter().zip(lists.into_columns()) {
        let column = column.ok_or_else(|| Error::other("an array has not the elements of its pages"))?;
        columns.push((format!("array:{}", array.name).into(), column));
    }
    let table = ColumnsTable::new(Columns::new(columns)?);
    Ok(table.describe(|found| describe(found, &said, num_parameters, &arrays)))
}

/// What the header says of the parameters; they are not constants here.
fn describe(found: &mut TableSchema, said: &TableSchema, rows: usize, arrays: &[&Array]) {
    found.meta.clone_from(&said.meta);
    for (field, of) in found.fields.iter_mut().zip(&said.fields).take(rows) {
        field.logical.clone_from(&of.logical);
        field.meta.clone_from(&of.meta);
    }
    if let Some(rows) = found.fields.get_mut(rows).filter(|field| field.name == "_rows") {
        *rows = rows.clone().with(keys::ADDED, "true");
    }
    let is_array = |field: &&mut TableField| field.name.starts_with("array:");
    for (field, array) in found.fields.iter_mut().skip(rows).filter(is_array).zip(arrays) {
        *field = schema::of_array(field.clone().logical(schema::logical_of(array.data_type)), array)
            .with(keys::NATIVE, array.data_type.name());
    }
}
