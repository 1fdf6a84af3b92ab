//! What a header says of the columns.

use crate::columns::{Column, ColumnType};
use crate::formats::sdds::layout::definition::{Array, Associate, Definition, Header};
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::Elements;
use crate::numbers::NumberType;
use crate::table::filled::inner;
use crate::table::{Logical, TableField, TableSchema, TimeUnit, keys};
use std::collections::BTreeSet;

/// The number of the page, if it is wanted, the parameters, then the columns.
pub(super) fn of(header: &Header, numbers: bool) -> TableSchema {
    let columns =
        header.columns.iter().map(|c| said(field(c), &c.symbol, &c.units, &c.description, &c.format_string));
    beside(header, numbers, columns.collect()).with("sdds:rows", "rows")
}

/// The same with these arrays as columns, which have these types, after the numbers of their elements.
pub(super) fn of_arrays(
    header: &Header,
    (numbers, indices): (bool, &[String]),
    arrays: &[&Array],
    types: &[ColumnType],
) -> TableSchema {
    let index = |name: &String| added(name);
    let column = |(a, ty): (&&Array, &ColumnType)| of_array(TableField { ty: ty.clone(), ..field(*a) }, a);
    let columns = indices.iter().map(index).chain(arrays.iter().zip(types).map(column)).collect();
    beside(header, numbers, columns).with("sdds:rows", "elements")
}

/// What a header says of an array, whose elements are the values of a field.
pub(super) fn of_array(field: TableField, array: &Array) -> TableField {
    let field = said(field, &array.symbol, &array.units, &array.description, &array.format_string);
    let dimensions = if array.dimensions == 1 { String::new() } else { array.dimensions.to_string() };
    field.with("sdds:group_name", text(&array.group_name)).with("sdds:dimensions", dimensions)
}

/// Columns after the number of the page, if it is wanted, and the parameters.
fn beside(header: &Header, numbers: bool, columns: Vec<TableField>) -> TableSchema {
    let number = added("_page").constant();
    let names: BTreeSet<&str> = columns.iter().map(|column| &*column.name).collect();
    let parameters = header.parameters.iter().map(|parameter| {
        let mut field = field(parameter).constant().with("sdds:parameter", "true");
        // which may be no text at all
        let fixed = parameter.fixed_value.as_ref();
        field.meta.extend(fixed.map(|fixed| ("sdds:fixed_value".into(), fixed.lossy().into_owned())));
        // the two have names of their own
        if names.contains(parameter.name.as_str()) {
            field.name = format!("parameter:{}", parameter.name).into();
        }
        said(field, &parameter.symbol, &parameter.units, &parameter.description, &parameter.format_string)
    });
    let parameters: Vec<TableField> = parameters.collect();
    let arrays: Vec<&str> = header.arrays.iter().map(|array| array.name.as_str()).collect();
    TableSchema::new(numbers.then_some(number).into_iter().chain(parameters).chain(columns))
        .with(keys::FORMAT, "sdds")
        .with("sdds:description", text(&header.text))
        .with("sdds:contents", text(&header.contents))
        .with("sdds:version", header.version.to_string())
        .with("sdds:mode", header.mode.name())
        .with("sdds:arrays", arrays.join(","))
        .with("sdds:associates", associates(header))
}

/// Numbers that no file has.
fn added(name: &str) -> TableField {
    TableField::new(name, ColumnType::Number(NumberType::I64)).with(keys::ADDED, "true")
}

/// Other files that belong to this one, with what is said of them.
fn associates(header: &Header) -> String {
    let one = |associate: &Associate| {
        let said = [
            ("name", &associate.name),
            ("filename", &associate.filename),
            ("path", &associate.path),
            ("description", &associate.description),
            ("contents", &associate.contents),
        ];
        let said =
            said.iter().filter_map(|(name, said)| Some(format!("{name}={:?}", said.as_ref()?.lossy())));
        said.collect::<Vec<_>>().join(" ")
    };
    header.associates.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What is not UTF-8 is Latin-1, which EPICS writes.
pub(super) fn text(text: &Option<Text>) -> String {
    let of = |text: &Text| match text.as_str() {
        Some(text) => text.to_owned(),
        None => text.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
    };
    text.as_ref().map(of).unwrap_or_default()
}

fn field(of: &impl Definition) -> TableField {
    let kind = of.data_type();
    let encoding = if kind == DataType::String { "any" } else { "" };
    TableField::new(of.name(), type_of(kind))
        .logical(logical_of(kind))
        .with(keys::NATIVE, kind.name())
        .with(keys::ENCODING, encoding)
}

/// What values of a type are that their own does not say.
pub(super) fn logical_of(kind: DataType) -> Option<Logical> {
    match kind {
        DataType::Character => Some(Logical::Character),
        DataType::LongDouble => Some(Logical::X87),
        _ => None,
    }
}

/// What a column of a type is.
pub(super) fn type_of(kind: DataType) -> ColumnType {
    Column::from(Elements::empty(kind)).column_type()
}

/// What numbers of a type are that have such units.
pub(super) fn time_of(ty: &ColumnType, units: &str) -> Option<Logical> {
    let is_whole = *inner(ty) == ColumnType::Number(NumberType::I64);
    TimeUnit::of_units(units).filter(|_| is_whole).map(Logical::Timestamp)
}

fn said(
    field: TableField,
    symbol: &Option<Text>,
    units: &Option<Text>,
    description: &Option<Text>,
    format: &Option<Text>,
) -> TableField {
    let units = text(units);
    let logical = field.logical.clone().or(time_of(&field.ty, &units));
    field
        .logical(logical)
        .with(keys::UNITS, units)
        .with(keys::DESCRIPTION, text(description))
        .with("sdds:symbol", text(symbol))
        .with("sdds:format_string", text(format))
}
