//! In what two tables differ before their first rows: columns, types, units and what else is said of them.

use crate::args::{Choose, Diff};
use crate::error::{Error, Result};
use crate::format::Selection;
use crate::terminal;
use binfmt::columns::ColumnType;
use binfmt::table::{Leaf, TableField, keys, recounted};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::sync::Arc;

pub(super) fn told(out: &mut impl Write, text: &str) -> Result<()> {
    writeln!(out, "{}", terminal::line(text)).map_err(Error::output)
}

/// Whether a column is not of the file.
pub(super) fn is_added(selection: &Selection, leaf: &Leaf) -> bool {
    selection.table.schema().fields.get(leaf.column).is_some_and(|field| field.get(keys::ADDED).is_some())
}

/// Tells in which columns the two differ, and leaves those that both have, in the same order.
pub(super) fn schemas(
    args: &Diff,
    choose: &Choose,
    one: &mut Selection,
    other: &mut Selection,
    out: &mut impl Write,
) -> Result<bool> {
    // other formats have no pages
    let needs_none =
        |selection: &Selection, leaf: &Leaf| choose.columns.is_none() && is_added(selection, leaf);
    let formats = [&*one, &*other].map(|selection| selection.table.schema().get(keys::FORMAT));
    let is_one_format = formats[0] == formats[1];
    // those of text that names no format are made of its values
    let has_types = formats[0].is_some();
    let mut differs = false;
    if is_one_format {
        let metas = [&*one, &*other].map(|selection| &selection.table.schema().meta);
        for (key, [a, b]) in
            unlike(metas.map(|meta| meta.iter().map(|(key, text)| (key.as_ref(), text.as_ref()))))
        {
            differs = true;
            told(out, &format!("{key}: {a} | {b}"))?;
        }
    }
    let mut both = Vec::new();
    // of two columns of one name the first
    let all = other.table.schema().leaves();
    let found: HashMap<&str, &Leaf> = all.iter().rev().map(|leaf| (leaf.name.as_str(), leaf)).collect();
    for leaf in &one.leaves {
        match found.get(leaf.name.as_str()).copied() {
            None if needs_none(one, leaf) => {}
            None => {
                differs = true;
                told(out, &format!("column `{}`: only in {}", leaf.name, args.first.display()))?;
            }
            Some(found) => {
                let types = [typed(one, leaf), typed(other, found)];
                let is_told = match is_one_format {
                    true => types[0] != types[1],
                    // whether a value may be missing is for each format to say, and one that is missing differs
                    false => types[0].trim_end_matches('?') != types[1].trim_end_matches('?'),
                };
                if is_told {
                    // in another format the same values may have another type, and times another unit
                    let are_times = one.time(leaf).and(other.time(found)).is_some();
                    differs |= is_one_format && has_types && !are_times;
                    told(out, &format!("column `{}`: {} | {}", leaf.name, types[0], types[1]))?;
                }
                let fields = [field(one, leaf), field(other, found)];
                for (key, [a, b]) in said(fields, is_one_format) {
                    differs = true;
                    told(out, &format!("column `{}`: {key} {a} | {b}", leaf.name))?;
                }
                both.push((leaf.clone(), found.clone()));
            }
        }
    }
    if choose.columns.is_none() {
        let known: HashSet<&str> = one.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
        let is_new = |leaf: &&Leaf| !known.contains(leaf.name.as_str());
        for leaf in other.leaves.iter().filter(is_new).filter(|leaf| !needs_none(other, leaf)) {
            differs = true;
            told(out, &format!("column `{}`: only in {}", leaf.name, args.second.display()))?;
        }
    }
    (one.leaves, other.leaves) = both.into_iter().unzip();
    Ok(differs)
}

fn field<'a>(selection: &'a Selection, leaf: &Leaf) -> Option<&'a TableField> {
    selection.table.schema().fields.get(leaf.column)
}

/// What is said otherwise of one of two columns: of files of two formats their units, if both have some.
fn said(fields: [Option<&TableField>; 2], is_one_format: bool) -> Vec<(String, [String; 2])> {
    let [Some(one), Some(other)] = fields else { return Vec::new() };
    match (is_one_format, one.get(keys::UNITS), other.get(keys::UNITS)) {
        (true, ..) => unlike(
            [one, other].map(|field| field.meta.iter().map(|(key, text)| (key.as_ref(), text.as_ref()))),
        ),
        (false, Some(a), Some(b)) if a != b => vec![(keys::UNITS.to_owned(), [a.to_owned(), b.to_owned()])],
        _ => Vec::new(),
    }
}

/// What says how values are written, and not what they are.
const OF_THE_FORM: [&str; 5] = ["version", "mode", "rows", "arrays", "fixed_value"];

/// Keys with other texts, those of this program aside.
fn unlike<'a>(both: [impl Iterator<Item = (&'a str, &'a str)>; 2]) -> Vec<(String, [String; 2])> {
    let [one, other] = both.map(|said| said.collect::<HashMap<_, _>>());
    let keys: BTreeSet<&str> = one.keys().chain(other.keys()).copied().collect();
    let name = |key: &str| key.rsplit(':').next().unwrap_or(key).to_owned();
    let is_told = |key: &&str| !key.starts_with("binfmt:") && !OF_THE_FORM.contains(&&*name(key));
    let text = |text: Option<&&str>| text.map_or("nothing".to_owned(), |text| (*text).to_owned());
    let mut found = Vec::new();
    for key in keys.into_iter().filter(is_told) {
        let (a, b) = (one.get(key), other.get(key));
        if a != b {
            found.push((name(key), [text(a), text(b)]));
        }
    }
    found
}

/// What the values of a column are.
fn typed(selection: &Selection, leaf: &Leaf) -> String {
    let mark =
        if matches!(leaf.ty, ColumnType::Nullable { .. } | ColumnType::Optional(_)) { "?" } else { "" };
    selection.time(leaf).map_or_else(|| leaf.ty.to_string(), |unit| format!("time[{unit}]{mark}"))
}

/// Counts the times of both in the finer unit of the two.
pub(super) fn count_alike(one: &mut Selection, other: &mut Selection) {
    let finer = |leaves: (&Leaf, &Leaf)| Some(one.time(leaves.0)?.max(other.time(leaves.1)?));
    let units: Vec<_> = one.leaves.iter().zip(&other.leaves).map(finer).collect();
    for selection in [one, other] {
        let columns = selection.leaves.iter().zip(&units);
        let units: Vec<_> = columns.filter_map(|(leaf, unit)| Some((leaf.column, (*unit)?))).collect();
        selection.table = recounted(Arc::clone(&selection.table), &units);
    }
}
