//! The pages of a file as a table: a row for each, with its parameters.

use super::index::parameters;
use super::input::Input;
use super::schema;
use crate::columns::{Column, Columns};
use crate::error::{Error, Result};
use crate::formats::sdds::layout::value::Elements;
use crate::formats::sdds::read::reader::Reader;
use crate::table::{ColumnsTable, TableSchema, keys};
use crate::wire::Stream;

/// Goes over all pages and steps over their rows.
pub(super) fn of(reader: Reader<'static, Stream<Input>>) -> Result<ColumnsTable> {
    let mut reader = reader.columns(&[])?;
    let header = reader.file_header().clone();
    let mut values: Vec<Elements> = header.parameters.iter().map(|p| Elements::empty(p.data_type)).collect();
    let mut rows = Vec::new();
    while let Some(page) = reader.next_page()? {
        rows.push(i64::try_from(page.rows()).unwrap_or(i64::MAX));
        for (all, value) in values.iter_mut().zip(parameters(&page, &header)) {
            all.push(value).map_err(|_| Error::other("a parameter has not the type of its header"))?;
        }
    }
    let numbers: Vec<i64> = (0..).take(rows.len()).collect();
    let said = schema::of(&header, true);
    let names = said.fields.iter().map(|field| field.name.clone());
    let all = [Column::from(numbers)].into_iter().chain(values.into_iter().map(Column::from));
    let mut columns: Vec<_> = names.zip(all).collect();
    columns.push(("_rows".into(), Column::from(rows)));
    Ok(ColumnsTable::new(Columns::new(columns)?).describe(|found| describe(found, &said)))
}

/// What the header says of the parameters; they are not constants here.
fn describe(found: &mut TableSchema, said: &TableSchema) {
    found.meta.clone_from(&said.meta);
    for (field, of) in found.fields.iter_mut().zip(&said.fields) {
        field.logical.clone_from(&of.logical);
        field.meta.clone_from(&of.meta);
    }
    if let Some(rows) = found.fields.last_mut() {
        *rows = rows.clone().with(keys::ADDED, "true");
    }
}
