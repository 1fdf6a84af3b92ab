//! In what two tables differ before their first rows: columns, types, units and what else is said of them.

use crate::args::{Choose, Diff};
use crate::error::{Error, Result};
use crate::format::{Facts, Selection};
use crate::terminal;
use binfmt::table::{Leaf, Logical, TableField, keys, recounted};
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
    (choose, is_file, facts): (&Choose, bool, [&Facts; 2]),
    one: &mut Selection,
    other: &mut Selection,
    out: &mut impl Write,
) -> Result<bool> {
    // other formats have no pages
    let needs_none =
        |selection: &Selection, leaf: &Leaf| choose.columns.is_none() && is_added(selection, leaf);
    let is_one_format = facts[0].name == facts[1].name;
    // those that may be said of a file are not its own, but made of its values, which are compared
    let has_types = one.table.schema().get(keys::FORMAT).is_some()
        || facts[0].settings.iter().all(|setting| setting.name != "types");
    let mut differs = false;
    if is_one_format && is_file {
        let singles = [&*one, &*other].map(|selection| match selection.table.schema().get(keys::SINGLE) {
            Some(_) => "a single value",
            None => "a list",
        });
        if singles[0] != singles[1] {
            differs = true;
            told(out, &format!("shape: {} | {}", singles[0], singles[1]))?;
        }
        let metas = [&*one, &*other].map(|selection| &selection.table.schema().meta);
        for (key, [a, b]) in
            unlike(metas.map(|meta| meta.iter().map(|(key, text)| (key.as_ref(), text.as_ref()))))
        {
            differs |= tell_unlike(&key, [&a, &b], out)?;
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
                let types = match (is_one_format, has_types) {
                    (true, true) => unlike_types((one, leaf), (other, found)),
                    (true, false) => None,
                    // whether a value may be missing is for each format to say, and one that is missing differs
                    (false, _) => Some([typed(one, leaf), typed(other, found)])
                        .filter(|[a, b]| a.trim_end_matches('?') != b.trim_end_matches('?')),
                };
                if let Some([a, b]) = types {
                    // in another format the same values may have another type
                    differs |= is_one_format;
                    told(out, &format!("column `{}`: {a} | {b}", leaf.name))?;
                }
                let fields = [field(one, leaf), field(other, found)];
                for (key, [a, b]) in said(fields, is_one_format) {
                    differs |= tell_unlike(&format!("column `{}`: {key}", leaf.name), [&a, &b], out)?;
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

/// Tells in which values the two differ that their definitions say, where no row has these.
pub(super) fn fixed(one: &Selection, other: &Selection, out: &mut impl Write) -> Result<bool> {
    let said = |selection, leaf| {
        let mut meta = field(selection, leaf)?.meta.iter();
        meta.find(|(key, _)| key.ends_with(":fixed_value")).map(|(_, text)| text.clone())
    };
    let is_same = |a: &Option<String>, b: &Option<String>| {
        let number = |text: &Option<String>| text.as_ref()?.trim().parse::<f64>().ok();
        a == b || number(a).is_some_and(|n| number(b) == Some(n))
    };
    let mut differs = false;
    for (leaf, found) in one.leaves.iter().zip(&other.leaves) {
        let [a, b] = [said(one, leaf), said(other, found)];
        if !is_same(&a, &b) {
            differs = true;
            let [a, b] = [a, b].map(|text| text.unwrap_or_else(|| "nothing".to_owned()));
            told(out, &format!("column `{}`: fixed_value {a} | {b}", leaf.name))?;
        }
    }
    Ok(differs)
}

/// What says how values are written, and not what they are.
const OF_THE_FORM: [&str; 5] = ["version", "mode", "rows", "arrays", "fixed_value"];

/// What says how a file is arranged, which is told and makes no other file of it.
const OF_THE_PLACE: [&str; 5] = ["tile_extent", "tile_order", "cell_order", "capacity", "filters"];

/// Tells what is said otherwise in two files, and whether they differ by it.
fn tell_unlike(what: &str, [a, b]: [&str; 2], out: &mut impl Write) -> Result<bool> {
    let counts = !OF_THE_PLACE.iter().any(|key| what.ends_with(key));
    let note = if counts { "" } else { " (how it is stored, which does not count)" };
    told(out, &format!("{what}{} {a} | {b}{note}", if what.starts_with("column `") { "" } else { ":" }))?;
    Ok(counts)
}

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

/// The types of two columns of one format, if they differ: also what only the format knows of them, but not the byte order.
fn unlike_types(one: (&Selection, &Leaf), other: (&Selection, &Leaf)) -> Option<[String; 2]> {
    let types = [one, other].map(|(selection, leaf)| typed(selection, leaf));
    if types[0] != types[1] {
        return Some(types);
    }
    let formats = [one.0, other.0].map(|selection| selection.table.schema().get(keys::FORMAT));
    if formats[0] != formats[1] {
        return None;
    }
    let of = |(selection, leaf): (&Selection, &Leaf), key| {
        let field = field(selection, leaf).filter(|_| leaf.path.is_empty());
        let native = field.and_then(|field| field.get(key)).unwrap_or_default();
        native.replace(['<', '>', '|', '='], "")
    };
    let natives = [keys::NATIVE, keys::NATIVE_INSIDE].map(|key| [of(one, key), of(other, key)]);
    natives.into_iter().find(|[a, b]| a != b).map(|both| both.map(|text| text.trim_end().replace('\n', ", ")))
}

/// What the values of a column are.
fn typed(selection: &Selection, leaf: &Leaf) -> String {
    match field(selection, leaf).filter(|_| leaf.path.is_empty()).and_then(|field| field.logical.as_ref()) {
        Some(Logical::Tensor { shape, .. }) => {
            let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
            format!("{} of the shape ({})", leaf.ty, lengths.join(", "))
        }
        _ => selection.type_name(leaf),
    }
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
