//! Tables of several files as one, with the names of the files.

use crate::args::Choose;
use crate::error::Result;
use crate::pick::is_named_in;
use crate::report::remark;
use crate::tabular::failure_in;
use binfmt::table::{Concatenated, Leaf, Projected, Table, TableField, TableSchema, keys};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The column with the names of the files, and what it is called in a file that is written.
pub(super) const FILE: &str = "_file";
pub(super) const WRITTEN_FILE: &str = "file";

/// The column with the names of the files, where a table has one that no file has.
pub(super) fn file_column(schema: &TableSchema) -> Option<Leaf> {
    let is_one = |leaf: &Leaf| [FILE, WRITTEN_FILE].contains(&leaf.name.as_str());
    schema.leaves().into_iter().find(|leaf| is_one(leaf) && is_added(schema, leaf))
}

/// Whether no file has a column, which a reader adds.
fn is_added(schema: &TableSchema, leaf: &Leaf) -> bool {
    schema.fields.get(leaf.column).is_some_and(|field| field.get(keys::ADDED).is_some())
}

/// Whether a name of a column is among those that are asked for, or in a condition.
pub(super) fn asks_for(asked: &[String], name: &str) -> bool {
    asked.iter().any(|text| is_named_in(text, name))
}

/// Whether the names of the files are asked for, and not a column of a file.
pub(super) fn asks_for_files(asked: &[String], schema: &TableSchema) -> bool {
    [FILE, WRITTEN_FILE].iter().any(|name| asks_for(asked, name) && schema.position(name).is_none())
}

/// Tables one after the other, with the names of their files. Where columns are named, others need not be in all of them.
pub(super) fn together(mut tables: Vec<(String, Arc<dyn Table>)>, choose: &Choose) -> Result<Concatenated> {
    let asked = &choose.asked()[..];
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    // both names are known, where no file has a column of the other
    let has_own = tables.iter().any(|(_, table)| table.schema().position(WRITTEN_FILE).is_some());
    let is_written = !asks_for(asked, FILE) && asks_for(asked, WRITTEN_FILE) && !has_own;
    if choose.columns.is_none() {
        // of what a reader adds there is what all files have
        let all: Vec<Arc<dyn Table>> = tables.iter().map(|(_, table)| Arc::clone(table)).collect();
        for (_, table) in &mut tables {
            let mut leaves = table.schema().whole_columns();
            let count = leaves.len();
            leaves.retain(|leaf| {
                let has = |table: &Arc<dyn Table>| table.schema().position(&leaf.name).is_some();
                !is_added(table.schema(), leaf) || all.iter().all(has)
            });
            if leaves.len() < count {
                *table = Arc::new(Projected::new(Arc::clone(table), leaves));
            }
        }
    } else {
        let wanted = common(&tables, asked);
        for (_, table) in &mut tables {
            let mut leaves = table.schema().whole_columns();
            leaves.retain(|leaf| wanted.contains(&leaf.name));
            leaves.sort_by_key(|leaf| wanted.iter().position(|name| *name == leaf.name));
            *table = Arc::new(Projected::new(Arc::clone(table), leaves));
        }
    }
    let told = without_units(&tables);
    let all = Concatenated::new(tables).map_err(|e| failure_in(&names, &e))?;
    told.iter().for_each(|text| remark(text));
    Ok(all.with_names(if is_written { WRITTEN_FILE } else { FILE }))
}

/// That one file has units for columns and another one none, so that nobody knows whether their numbers are of one unit.
fn without_units(tables: &[(String, Arc<dyn Table>)]) -> Option<String> {
    let ((first, table), others) = tables.split_first()?;
    let unit = |field: &TableField| field.get(keys::UNITS).filter(|unit| !unit.is_empty()).map(str::to_owned);
    let of = |table: &dyn Table| -> HashMap<String, Option<String>> {
        table.schema().fields.iter().map(|field| (field.name.to_string(), unit(field))).collect()
    };
    let known = of(&**table);
    others.iter().find_map(|(other, table)| {
        let there = of(&**table);
        let one_sided = table.schema().fields.iter().filter_map(|field| {
            let name = &*field.name;
            match (known.get(name)?, there.get(name)?) {
                (Some(unit), None) => Some((name, unit, [first, other])),
                (None, Some(unit)) => Some((name, unit, [other, first])),
                _ => None,
            }
        });
        let all: Vec<_> = one_sided.collect();
        let (name, unit, [with, without]) = all.first()?;
        let more = match all.len() {
            1 => String::new(),
            n => format!(" (so are {} more columns)", n.saturating_sub(1)),
        };
        Some(format!(
            "column `{name}` is in {unit} in {with} and has no unit in {without}{more}: joined as they are"
        ))
    })
}

/// The columns that all tables have, and those that are asked for.
fn common(tables: &[(String, Arc<dyn Table>)], asked: &[String]) -> Vec<String> {
    let has = |table: &dyn Table, name: &str| table.schema().position(name).is_some();
    let units = |table: &dyn Table, name: &str| {
        let field = table.schema().position(name).and_then(|at| table.schema().fields.get(at));
        field.and_then(|field| field.get(keys::UNITS)).map(str::to_owned)
    };
    let Some((_, first)) = tables.first() else { return Vec::new() };
    let is_alike = |name: &str| {
        tables.iter().all(|(_, table)| has(&**table, name) && units(&**table, name) == units(&**first, name))
    };
    // what only a later file has is told as missing in the first
    let all = tables.iter().flat_map(|(_, table)| &table.schema().fields);
    let mut seen = HashSet::new();
    let names = all.map(|field| &*field.name).filter(|name| seen.insert(*name));
    names.filter(|name| is_alike(name) || asks_for(asked, name)).map(str::to_owned).collect()
}
