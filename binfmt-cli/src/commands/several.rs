//! Several files that become one.

use super::spared::named_truly;
use super::together::{FILE, WRITTEN_FILE, together};
use super::{open, tables};
use crate::args::Convert;
use crate::error::{Error, Result};
use crate::find::{Formats, Target};
use crate::format::Selection;
use crate::output;
use crate::report::remark;
use crate::table::Csv;
use crate::tabular::PAGE;
use binfmt::table::jsonl::JsonLines;
use binfmt::table::{Settings, Table, TableSchema, plain};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Writes their rows, one file after the other; pages stay apart.
pub(super) fn run(args: &Convert, paths: &[PathBuf], formats: Formats) -> Result<()> {
    let named = args.to.as_deref().or_else(|| formats.aimed(&args.reading.settings));
    let Some(first) = paths.first() else { return Err(Error::usage("no file is named")) };
    let out = output::Target::new(&args.output);
    let said = formats.target(first, &args.output, named)?;
    let mut target = said;
    let (mut tables, mut shows, mut are_alike) = (Vec::new(), Vec::new(), true);
    for path in paths {
        let to = target.map_or(&[][..], Target::settings);
        let (format, mut job) = open::beside(path, &args.reading, formats, to)?;
        let target = *target.get_or_insert_with(|| formats.same(format));
        let (takes, written) = match target {
            Target::Format(to) => (to.facts().takes, Some(to.facts().name)),
            _ => (&[][..], None),
        };
        (job.pages, job.asked, job.to) = (args.choose.pages.clone(), args.choose.asked(), written);
        let table = format.table(&mut job).map_err(|e| job.input.blamed(e))?;
        tables.push((job.input.name(), plain(table, takes)));
        shows.extend(format.facts().shows);
        are_alike &= written == Some(format.facts().name);
    }
    let target = target.unwrap_or(Target::Csv);
    named_truly(args, target)?;
    let selection = selected(args, tables, target, (&shows, are_alike))?;
    match target {
        Target::Format(to) if to.facts().takes_tables => {
            selection.write(to, &args.reading.settings, &out).map(|_| ())
        }
        Target::JsonLines => selection.write_as(&JsonLines, &Settings::new(), &out).map(|_| ()),
        Target::Csv => {
            let is_tabs = args.to.as_deref() == Some("tsv") || out.name().to_lowercase().ends_with(".tsv");
            let mut csv = Csv::new(out.create()?, true).delimiter(if is_tabs { b'\t' } else { b',' });
            selection.show(&mut csv)?;
            let remarks = csv.remarks();
            csv.into_inner()?.finish()?;
            remarks
                .iter()
                .chain(&selection.left_out())
                .chain(&selection.merged())
                .for_each(|text| remark(text));
            Ok(())
        }
        other => Err(Error::usage(format_args!("several files cannot be written as {}", other.what()))
            .tip("they can be written as CSV, JSON lines, and in formats of tables")),
    }
    .map_err(|e| e.writing(out.name()))
}

/// The chosen rows of all files. Files of the format that is written keep their pages, and what has one value in each.
fn selected(
    args: &Convert,
    tables: Vec<(String, Arc<dyn Table>)>,
    target: Target,
    (shows, are_alike): (&[&'static str], bool),
) -> Result<Selection> {
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    let of_pages = of_pages(&tables);
    let all = together(tables, &args.choose.asked())?;
    let all = all.numbered_on(PAGE).map_err(|e| crate::tabular::failure_in(&names, &e))?;
    let (choose, kept) = match target {
        Target::Format(to) if are_alike => {
            tell_of_lost(&of_pages, all.schema());
            (tables::with_pages(&args.choose, all.schema(), to), to.facts().keeps)
        }
        Target::Format(to) => (args.choose.clone(), to.facts().keeps),
        _ => (args.choose.clone(), shows),
    };
    let mut selection = tables::kept(Arc::new(all), &choose, names, &[kept, &[FILE]].concat())?;
    // a column of the files may have that name
    if selection.leaves.iter().all(|leaf| leaf.name != WRITTEN_FILE) {
        for leaf in selection.leaves.iter_mut().filter(|leaf| leaf.name == FILE) {
            leaf.name = WRITTEN_FILE.to_owned();
        }
    }
    Ok(selection)
}

/// The names of what has one value in each page of a file.
fn of_pages(tables: &[(String, Arc<dyn Table>)]) -> BTreeSet<String> {
    let fields = tables.iter().flat_map(|(_, table)| &table.schema().fields);
    fields.filter(|field| field.constant).map(|field| field.name.to_string()).collect()
}

/// Says so if not all files have what one has once in each page.
fn tell_of_lost(of_pages: &BTreeSet<String>, schema: &TableSchema) {
    let lost = of_pages.iter().filter(|name| schema.position(name).is_none());
    let lost: Vec<String> = lost.map(|name| format!("`{name}`")).collect();
    if !lost.is_empty() {
        remark(&format!("not all files have these, which are left out: {}", lost.join(", ")));
    }
}
