//! Several files that become one.

use super::spared::named_truly;
use super::together::{FILE, WRITTEN_FILE, file_column, together};
use super::{open, tables};
use crate::args::{Choose, Convert};
use crate::error::{Error, Result};
use crate::find::{Formats, Target};
use crate::format::{Format, Job, Jobs, Kept, Selection, Several};
use crate::output;
use crate::pick::is_named_in;
use crate::report::remark;
use crate::settings::Sides;
use crate::table::Csv;
use crate::tabular::PAGE;
use crate::target::delimiter;
use binfmt::table::jsonl::JsonLines;
use binfmt::table::{Settings, Table, TableSchema, plain};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes their rows, one file after the other; pages stay apart.
pub(super) fn run(args: &Convert, paths: &[PathBuf], formats: Formats) -> Result<()> {
    let named = args.to.as_deref().or_else(|| formats.aimed(&args.reading.settings));
    let Some(first) = paths.first() else { return Err(Error::usage("no file is named")) };
    let out = output::Target::new(&args.output);
    let said = formats.target(first, &args.output, named)?;
    let (known, sides) = (OnceCell::new(), OnceCell::new());
    if let Some(said) = said {
        known.get_or_init(|| said);
    }
    let open = |path: &Path| {
        let (format, mut job) = open::beside(path, &args.reading, formats, (known.get().copied(), &sides))?;
        job.to = match *known.get_or_init(|| formats.same(format)) {
            Target::Format(to) => Some(to.facts().name),
            _ => None,
        };
        Ok((format, job))
    };
    let mut several = Several::new(paths, &open);
    if known.get().is_none() {
        // the first one says what is written
        several.each(|_, _| Ok(false))?;
    }
    let target = known.get().copied().unwrap_or(Target::Csv);
    named_truly(args, target)?;
    let written = match target {
        Target::Format(to) => Some(to),
        _ => None,
    };
    let is_written = |format: &dyn Format| written.is_some_and(|to| to.facts().name == format.facts().name);
    if let Some(to) = written.filter(|to| !to.facts().keeps.is_empty())
        && several.each(|format, _| Ok(is_written(format)))?
        && whole(args, &mut several, to, &out).map_err(|e| e.writing(out.name()))?
    {
        return Ok(());
    }
    let (mut tables, mut shows, mut are_alike) = (Vec::new(), Vec::new(), true);
    several.each(|format, job| {
        (job.pages, job.asked) = (args.choose.pages.clone(), args.choose.asked());
        let table = format.table(job)?;
        let table = match written {
            Some(to) => to.facts().taken(table),
            None => plain(table, &[]),
        };
        tables.push((job.input.name(), table));
        shows.extend(format.facts().shows);
        are_alike &= is_written(format);
        Ok(true)
    })?;
    let selection = selected(args, tables, target, (&shows, are_alike))?;
    let written_said = sides.get().map_or(&args.reading.settings, |sides: &Sides| &sides.written);
    let rows = match target {
        Target::Format(to) if to.facts().takes_tables => {
            selection.write(to, written_said, &out).map(|tally| tally.count)
        }
        Target::JsonLines => selection.write_as(&JsonLines, &Settings::new(), &out).map(|tally| tally.count),
        Target::Csv => {
            let delimiter = delimiter(args.to.as_deref(), &out.name(), written_said)?;
            let mut csv = Csv::new(out.create()?, true).delimiter(delimiter);
            let rows = selection.show(&mut csv)?;
            let remarks = csv.remarks();
            csv.into_inner()?.finish()?;
            remarks
                .iter()
                .chain(&selection.left_out())
                .chain(&selection.merged())
                .for_each(|text| remark(text));
            Ok(rows)
        }
        other => Err(Error::usage(format_args!("several files cannot be written as {}", other.what()))
            .tip("they can be written as CSV, JSON lines, and in formats of tables")),
    }
    .map_err(|e| e.writing(out.name()))?;
    tables::tell_if_none(&args.choose, &selection, rows);
    Ok(())
}

/// Writes the files of a format as one, where that has more than a table of them; whether it has.
fn whole<'s>(
    args: &'s Convert,
    several: &mut Several<'_, 's>,
    format: &dyn Format,
    out: &output::Target,
) -> Result<bool> {
    let choose = &args.choose;
    let mut is_theirs = false;
    if choose.columns.iter().flatten().any(|name| name == WRITTEN_FILE) {
        // a column of the files may have that name
        several.each(|format, job| {
            is_theirs |= format.table(job)?.schema().position(WRITTEN_FILE).is_some();
            Ok(true)
        })?;
    }
    let is_file = |name: &String| name == FILE || name == WRITTEN_FILE && !is_theirs;
    let columns = |choose: &Choose| -> Option<Vec<String>> {
        choose.columns.as_ref().map(|names| names.iter().filter(|name| !is_file(name)).cloned().collect())
    };
    // the column of the names has no other name yet
    let (of_files, rename): (Vec<&String>, Vec<&String>) =
        choose.rename.iter().partition(|pair| pair.split_once('=').is_some_and(|(old, _)| old == FILE));
    let rename: Vec<String> = rename.into_iter().cloned().collect();
    let file = of_files.first().and_then(|pair| pair.split_once('=')).map_or(WRITTEN_FILE, |(_, new)| new);
    let is_of_all = |text: &String| [FILE, WRITTEN_FILE].iter().any(|name| is_named_in(text, name));
    let of_all = [
        ("rows", choose.rows.is_some()),
        ("sample", choose.sample.is_some()),
        ("where", choose.condition.iter().any(is_of_all)),
        ("rename", rename.iter().any(is_of_all)),
    ];
    let rows = |job: &mut Job<'_>, rename: Vec<String>| {
        let one = Choose { rename, columns: columns(choose), ..choose.clone() };
        tables::for_format(format, job, &one, format)
    };
    let names = columns(choose);
    let kept = Kept {
        condition: choose.condition.as_deref(),
        settings: &args.reading.settings,
        pages: choose.pages.as_ref(),
        columns: names.as_deref().unwrap_or_default(),
        rename: &rename,
        selects_rows: choose.condition.is_some(),
        num_times: choose.dates.len(),
        file: choose.columns.as_ref().is_none_or(|names| names.iter().any(is_file)).then(|| file.to_owned()),
        of_all: of_all.into_iter().find_map(|(option, is_given)| is_given.then_some(option)),
        rows: &rows,
    };
    Ok(format.rewrite_chosen(&mut Jobs::Several(several), &kept, out)?.is_some())
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
    let all = together(tables, &args.choose)?;
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
    let has_pages = kept.contains(&PAGE) && selection.leaves.iter().any(|leaf| leaf.name == PAGE);
    if let Some(mut file) = file_column(selection.table.schema()).filter(|_| has_pages) {
        // the pages of files stay apart; by this name it is not written
        file.name = FILE.to_owned();
        selection.leaves.push(file);
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
