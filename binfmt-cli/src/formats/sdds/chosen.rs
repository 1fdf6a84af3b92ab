//! Which columns of pages are wanted: those of the file, and those that have one value in a page.

use super::value::{show_element, show_single, time};
use crate::error::Result;
use crate::format::Selection;
use crate::pick::{Pick, lost};
use crate::span::Pages;
use crate::table::{Column, Rows, Shown};
use crate::tabular::PAGE;
use binfmt::formats::sdds::{DataType, Elements, Header, Page, Text, Value};
use binfmt::numbers::Number;
use binfmt::table::{Leaf, Projected, Table, TimeUnit, keys};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// A column that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Column(usize),
    Parameter(usize),
    /// The number of the page.
    Page,
}

/// The names of the columns, then that of the number of the page, then those of the parameters.
fn names(header: &Header) -> Vec<Cow<'_, str>> {
    let columns = || header.columns.iter().map(|column| column.name.as_str());
    let known: HashSet<&str> = columns().collect();
    let parameter = |name: &str| match known.contains(name) {
        // the two have names of their own
        true => format!("parameter:{name}"),
        false => name.to_owned(),
    };
    let parameters = header.parameters.iter().map(|p| Cow::Owned(parameter(&p.name)));
    columns().map(Cow::Borrowed).chain([PAGE.into()]).chain(parameters).collect()
}

/// Those that are wanted, in their order.
pub(super) fn of(pick: &Pick, header: &Header) -> Result<Vec<Chosen>> {
    let (names, count) = (names(header), header.columns.len());
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let chosen = pick.columns_among(&names, count)?.into_iter().map(|place| match place.checked_sub(count) {
        None => Chosen::Column(place),
        Some(0) => Chosen::Page,
        Some(parameter) => Chosen::Parameter(parameter - 1),
    });
    Ok(chosen.collect())
}

/// As a table announces them.
pub(super) fn heads(chosen: &[Chosen], header: &Header) -> Vec<Column> {
    let (names, count) = (names(header), header.columns.len());
    let head = |place: usize, of: Option<(DataType, &Option<Text>)>| {
        let name = names.get(place).map_or("", |name| &**name);
        let is_number = !of.is_some_and(|(kind, _)| matches!(kind, DataType::String | DataType::Character));
        let time = of.and_then(|(kind, units)| time(kind, units));
        Column { time, ..Column::new(name, is_number) }
    };
    let of = |chosen: &Chosen| match chosen {
        Chosen::Column(i) => head(*i, header.columns.get(*i).map(|column| (column.data_type, &column.units))),
        Chosen::Page => head(count, None),
        Chosen::Parameter(i) => head(
            count + 1 + i,
            header.parameters.get(*i).map(|parameter| (parameter.data_type, &parameter.units)),
        ),
    };
    chosen.iter().map(of).collect()
}

/// The values of those that have one in a page.
pub(super) fn constants(chosen: &[Chosen], header: &Header, page: &Page, number: u64) -> Vec<Option<Value>> {
    let is_parameter = |chosen: &Chosen| matches!(chosen, Chosen::Parameter(_));
    let parameters: Vec<_> = match chosen.iter().any(is_parameter) {
        true => page.named_parameters(header).collect(),
        false => Vec::new(),
    };
    let of = |chosen: &Chosen| match chosen {
        Chosen::Column(_) => None,
        Chosen::Page => Some(Value::Number(Number::U64(number))),
        Chosen::Parameter(i) => parameters.get(*i).map(|(_, value)| value.clone().into_owned()),
    };
    chosen.iter().map(of).collect()
}

/// Parameters as a table, with a row for each page: those of these names, in this order. A file of the format has no names for the
/// columns that a reader adds, which are there if they are named.
pub(super) fn pages(
    table: Arc<dyn Table>,
    names: &str,
    (pages, is_for_a_file): (Option<Pages>, bool),
) -> Result<Arc<dyn Table>> {
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
    let pick = Pick { columns: Some(names.clone()), pages, ..Pick::ALL };
    let mut chosen =
        Selection::of(table, &pick).map_err(|e| match names.iter().any(|name| name == "_file") {
            true => {
                let parameters: Vec<&str> =
                    names.iter().map(String::as_str).filter(|name| *name != "_file").collect();
                let (parameters, all) = (parameters.join(","), names.join(","));
                e.tip(format_args!(
                    "--columns has the names of files: --parameters {parameters} --columns {all}"
                ))
            }
            false => e,
        })?;
    if is_for_a_file {
        let fields = &chosen.table.schema().fields;
        let is_added =
            |leaf: &Leaf| fields.get(leaf.column).is_some_and(|field| field.get(keys::ADDED).is_some());
        chosen.leaves.retain(|leaf| !is_added(leaf) || names.contains(&leaf.name));
    }
    Ok(Arc::new(Projected::new(chosen.table, chosen.leaves).as_asked_for()))
}

/// What of the file is in no column, where it was not said which are wanted.
pub(super) fn left_out(pick: &Pick, header: &Header) -> Vec<String> {
    if pick.columns.is_some() {
        return Vec::new();
    }
    let quoted =
        |names: &mut dyn Iterator<Item = &str>| names.map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let (all, count) = (names(header), header.columns.len());
    let parameters: Vec<&str> = all.iter().skip(count + 1).map(|name| &**name).collect();
    let column = header.columns.first().map(|column| column.name.as_str());
    let parameters = parameters.first().map(|first| lost(&parameters, first, column));
    let arrays = quoted(&mut header.arrays.iter().map(|a| a.name.as_str()));
    let arrays = (!arrays.is_empty())
        .then(|| format!("arrays are not columns, and are left out: {}", arrays.join(", ")));
    parameters.into_iter().chain(arrays).collect()
}

/// The columns of a page in the order in which they are wanted.
pub(super) struct PageTable<'a> {
    pub(super) page: &'a Page,
    pub(super) order: &'a [Chosen],
    /// What numbers count that are times.
    pub(super) times: &'a [Option<TimeUnit>],
    /// The values of those that have one.
    pub(super) constants: &'a [Option<Value>],
}

impl Rows for PageTable<'_> {
    fn num_rows(&self) -> usize {
        // without columns there is nothing to show of a row
        self.page.columns().first().map_or(0, Elements::len)
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let time = self.times.get(column).copied().flatten();
        let shown = match self.order.get(column) {
            Some(Chosen::Column(i)) => {
                self.page.columns().get(*i).map(|elements| show_element(elements, row, time, room))
            }
            _ => self
                .constants
                .get(column)
                .and_then(Option::as_ref)
                .map(|value| show_single(value, time, room)),
        };
        shown.unwrap_or(Shown::Missing(None))
    }
}
