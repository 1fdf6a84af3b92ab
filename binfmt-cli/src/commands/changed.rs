//! Columns of a table that are changed as the command line says: times, values in the places of missing ones, other names.

use crate::args::Choose;
use crate::error::{Error, Result};
use crate::format::Selection;
use crate::pattern::is_meant;
use crate::pick::{Pick, unknown};
use crate::report::remark;
use binfmt::columns::ColumnType;
use binfmt::table::{Logical, Table, TableField, TimeUnit, counted, fill_missing};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The table in which the numbers of some columns, `name:unit`, are times.
pub(super) fn with_times(table: Arc<dyn Table>, pairs: &[String]) -> Result<Arc<dyn Table>> {
    if pairs.is_empty() {
        return Ok(table);
    }
    let mut units = Vec::new();
    for pair in pairs {
        let found = pair.rsplit_once(':').and_then(|(name, unit)| Some((name, TimeUnit::named(unit)?)));
        let Some((name, unit)) = found else {
            return Err(Error::usage(format_args!("--dates: expected NAME:UNIT, found {pair:?}"))
                .tip("units are s, ms, us, ns, and m, h, D, W"));
        };
        let Some(place) = table.schema().position(name) else {
            let names: Vec<&str> = table.schema().fields.iter().map(|field| &*field.name).collect();
            return Err(unknown(name, &names));
        };
        let logical = table.schema().fields.get(place).and_then(|field| field.logical.as_ref());
        if let Some(Logical::Timestamp(known)) = logical {
            let text = format_args!("--dates: column `{name}` is a time already, time[{known}]");
            return Err(Error::usage(text));
        }
        if units.iter().any(|(known, _)| *known == place) {
            return Err(Error::usage(format_args!("--dates: column `{name}` is there twice")));
        }
        units.push((place, unit));
    }
    counted(table, &units).map_err(|e| Error::usage(format_args!("--dates: {e}")))
}

/// The table with values in the places of missing ones, `name=value`.
pub(super) fn filled(table: Arc<dyn Table>, choose: &Choose) -> Result<Arc<dyn Table>> {
    let fields = &table.schema().fields;
    let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    let mut values: Vec<(usize, Cow<'_, str>)> = Vec::new();
    let mut patterns = Vec::new();
    for pair in choose.fill.iter().flat_map(|text| pairs(text)) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Error::usage(format_args!("--fill: expected NAME=VALUE, found {pair:?}"))
                .tip("'*=VALUE' is for all columns"));
        };
        let pick = Pick { columns: Some(vec![name.to_owned()]), ..Pick::ALL };
        let places = pick.columns_of(&names)?;
        // a name comes before a pattern
        let is_name = names.contains(&name);
        if is_name && values.iter().any(|(known, _)| places.contains(known)) {
            return Err(Error::usage(format_args!("--fill: column `{name}` is there twice")));
        }
        let list = if is_name { &mut values } else { &mut patterns };
        list.extend(places.into_iter().map(|place| (place, unquoted(value))));
    }
    // a pattern means what is asked for and may be missing
    let is_asked = |name: &str| {
        let mut columns = choose.columns.iter().flatten();
        choose.columns.is_none() || columns.any(|column| column == name || is_meant(column, name))
    };
    let may_be_missing =
        |field: &&TableField| matches!(field.ty, ColumnType::Nullable { .. } | ColumnType::Optional(_));
    for (place, _) in &values {
        if let Some(field) = fields.get(*place).filter(|field| !may_be_missing(field)) {
            let is_float = matches!(field.ty, ColumnType::Number(kind) if kind.is_float());
            let nan = if is_float { ": NaN is a value, and stays" } else { "" };
            remark(&format!("--fill: column `{}` has no missing values{nan}", field.name));
        }
    }
    let is_to_fill = |place: usize| {
        fields.get(place).filter(|field| is_asked(&field.name)).is_some_and(|field| may_be_missing(&field))
    };
    for (place, value) in patterns {
        if is_to_fill(place) && values.iter().all(|(known, _)| *known != place) {
            values.push((place, value));
        }
    }
    match values.is_empty() {
        true => Ok(table),
        false => {
            fill_missing(table, &values.iter().map(|(place, value)| (*place, &**value)).collect::<Vec<_>>())
                .map_err(|e| Error::usage(format_args!("--fill: {e}")))
        }
    }
}

/// The pairs between commas; none are between those in a value in double quotes.
fn pairs(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut before) = (false, ' ');
    let pairs = text.split(move |c| {
        is_quoted ^= c == '"' && (is_quoted || matches!(before, '=' | '"'));
        before = c;
        c == ',' && !is_quoted
    });
    pairs.map(str::trim_start)
}

/// What is in double quotes, in which two of them are one.
fn unquoted(value: &str) -> Cow<'_, str> {
    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    inner.map_or(Cow::Borrowed(value), |inner| Cow::Owned(inner.replace("\"\"", "\"")))
}

/// Gives columns other names, `old=new`, in which the old ones are those of the file. Of the new ones no two are the same.
pub(super) fn rename(selection: &mut Selection, pairs: &[String]) -> Result<()> {
    let before: Vec<String> = selection.leaves.iter().map(|leaf| leaf.name.clone()).collect();
    let places: HashMap<&str, usize> =
        before.iter().enumerate().rev().map(|(i, name)| (name.as_str(), i)).collect();
    for pair in pairs {
        let Some((old, new)) = pair.split_once('=') else {
            return Err(Error::usage(format_args!("--rename: expected OLD=NEW, found {pair:?}")));
        };
        let place = places.get(old);
        let Some(leaf) = place.and_then(|place| selection.leaves.get_mut(*place)) else {
            return Err(unknown(old, &before.iter().map(String::as_str).collect::<Vec<_>>()));
        };
        if new.is_empty() {
            return Err(Error::usage(format_args!("--rename: column `{old}` needs a name")));
        }
        leaf.name = new.to_owned();
    }
    let mut known = HashSet::new();
    match selection.leaves.iter().find(|leaf| !known.insert(&leaf.name)) {
        Some(leaf) => Err(Error::usage(format_args!("two columns are called `{}`", leaf.name))
            .tip("--rename OLD=NEW gives one another name")),
        None => Ok(()),
    }
}
