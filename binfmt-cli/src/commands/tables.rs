//! The rows that a command is about: of one file or of several, all as one table.

use super::changed::{filled, rename, with_times};
use super::together::{FILE, WRITTEN_FILE, asks_for, asks_for_files, file_column, together};
use crate::args::{Choose, Reading};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Format, Job, Selection, Written};
use crate::pick::Pick;
use crate::report::remark;
use crate::span::Span;
use crate::tabular::{PAGE, failure_in, in_pages};
use binfmt::table::{Filter, Filtered, Sampled, Table, TableField, TableSchema, TimeUnit, keys, plain};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tables of files, one after the other.
pub(super) fn of_files(
    paths: &[PathBuf],
    reading: &Reading,
    formats: Formats,
    (choose, written): (&Choose, Written),
) -> Result<(Arc<dyn Table>, Vec<String>)> {
    let asked = choose.asked();
    let mut tables = Vec::new();
    for path in paths {
        let (format, mut job) = super::open::open(path, reading, formats, true)?;
        (job.pages, job.asked, job.written) = (choose.pages.clone(), asked.clone(), written.clone());
        let table = format.table(&mut job).map_err(|e| job.input.blamed(e))?;
        tables.push((job.input.name(), table));
    }
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    match <[_; 1]>::try_from(tables) {
        Ok([(_, table)]) if !asks_for_files(&asked, table.schema()) => Ok((table, names)),
        Ok([table]) => Ok((Arc::new(together(vec![table], choose)?), names)),
        Err(tables) => Ok((Arc::new(together(tables, choose)?), names)),
    }
}

/// Whether of one file its name is asked for, as it is where a pattern means one.
pub(super) fn asks_for_name(path: &Path, reading: &Reading, formats: Formats, choose: &Choose) -> bool {
    let asked = choose.asked();
    // what is not a file can be read once
    let is_named =
        asks_for(&asked, WRITTEN_FILE) && path.metadata().is_ok_and(|data| data.is_file() || data.is_dir());
    if asks_for(&asked, FILE) || !is_named {
        return asks_for(&asked, FILE);
    }
    // what is wrong with the file is told where its rows are read
    let Ok((format, mut job)) = super::open::open(path, reading, formats, false) else { return false };
    format.table(&mut job).is_ok_and(|table| table.schema().position(WRITTEN_FILE).is_none())
}

/// Which rows are looked at of a file that has a place for each.
pub(super) fn written(choose: &Choose) -> Written {
    if choose.sample.is_some() { Written::Own } else { Written::All }
}

/// The chosen rows and columns of a table.
pub(super) fn chosen(table: Arc<dyn Table>, choose: &Choose, names: Vec<String>) -> Result<Selection> {
    kept(plain(table, &[]), choose, names, &[])
}

/// The same with the columns that have one value in each page, and with the columns of these names that no file has.
pub(super) fn kept(
    table: Arc<dyn Table>,
    choose: &Choose,
    names: Vec<String>,
    added: &[&str],
) -> Result<Selection> {
    tell_if_beyond(choose, &*table, &names);
    let table = in_pages(table, choose.pages.as_ref())?;
    let table = with_times(table, &choose.dates)?;
    let table = match &choose.condition {
        None => table,
        Some(text) => {
            let filter = Filter::new(text, table.schema());
            let filter = filter.map_err(|e| quoted(text, table.schema(), &e))?;
            Arc::new(Filtered::new(table, filter)) as Arc<dyn Table>
        }
    };
    let table = filled(table, choose)?;
    let rows = choose.rows.map(|rows| rows.of(|| table.count_rows().map_err(|e| failure_in(&names, &e))));
    let rows = rows.transpose()?.unwrap_or(Span::ALL);
    let pick = Pick { columns: choose.columns.clone(), rows, pages: None };
    let (of_files, added): (Vec<&str>, Vec<&str>) = added.iter().copied().partition(|name| *name == FILE);
    let mut selection = Selection::kept(table, &pick, &added)?;
    if !of_files.is_empty() && choose.columns.is_none() {
        selection.leaves.extend(file_column(selection.table.schema()));
    }
    if let Some(count) = choose.sample {
        let sampled = Sampled::new(Arc::clone(&selection.table), count, SEED);
        let sampled = match selection.wanted.rows.take() {
            Some(rows) => sampled.among(rows),
            None => sampled,
        };
        selection.table = Arc::new(sampled);
    }
    rename(&mut selection, &choose.rename)?;
    selection.files = names;
    Ok(selection)
}

/// What is wrong with a condition, and how names are written that are not plain words, if it seems to have one.
fn quoted(condition: &str, schema: &TableSchema, e: &binfmt::Error) -> Error {
    let wrong = Error::usage(format_args!("--where: {}", e.kind()));
    let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let leaves = schema.leaves();
    let mut odd = leaves.iter().map(|leaf| leaf.name.as_str()).filter(|name| !is_plain(name));
    match odd.find(|name| condition.contains(name) && !condition.contains(&format!("`{name}`"))) {
        Some(name) => wrong.tip(format_args!("the name `{name}` is written with the backquotes there")),
        None if e.kind().to_string().contains("text is not a number") && has_date(condition) => {
            wrong.tip("--dates NAME:UNIT says of a column of numbers that they are times")
        }
        None => wrong,
    }
}

/// Whether a text in a condition is a time.
fn has_date(condition: &str) -> bool {
    condition
        .split(['\'', '"'])
        .skip(1)
        .step_by(2)
        .any(|text| TimeUnit::Atto.parse_time(text).is_some() || TimeUnit::Second.parse_time(text).is_some())
}

/// Where the chance of `--sample` begins: the same rows each time.
const SEED: u64 = 0;

/// Says so if the chosen pages are not there.
fn tell_if_beyond(choose: &Choose, table: &dyn Table, files: &[String]) {
    let Some(pages) = choose.pages.as_ref().filter(|pages| !pages.is_empty()) else { return };
    if !choose.is_of_pages_alone() {
        // of all that was asked for it is said when the rows were read
        return;
    }
    let bounds = table.schema().position(PAGE).and_then(|place| table.bounds(place));
    if let Some((_, last)) = bounds.map(|range| range.integers())
        && last < i128::from(pages.cover().from)
    {
        let text =
            format!("--pages {pages} chooses nothing that is there: the last page with rows is {last}");
        tell(files, &text);
    }
}

fn tell(files: &[String], text: &str) {
    match files {
        [file] => remark(&format!("{file}: {text}")),
        _ => remark(text),
    }
}

/// Says so if none of the chosen rows is among those of the files.
pub(super) fn tell_if_none(choose: &Choose, selection: &Selection, rows: u64) {
    // of the pages of one file it is said before
    if rows > 0 || (selection.files.len() == 1 && choose.is_of_pages_alone()) {
        return;
    }
    if let Some(text) = choose.in_vain(|_| selection.table.count_rows().ok()) {
        tell(&selection.files, &text);
    }
}

/// The same of a file that was read as its format has it, and of what the options of the format choose. Of how many pages that is said.
pub(super) fn tell_if_none_of_job(
    choose: &Choose,
    format: &dyn Format,
    job: &mut Job<'_>,
    (pages, rows): (u64, u64),
) {
    if rows > 0 || (pages > 0 && choose.is_of_pages_alone()) {
        return;
    }
    // rows are those of each page there, and a stream has been read
    let is_there = job.input.len().is_some() || job.input.is_directory();
    let count = |unit| match unit {
        "row" if !format.facts().has_pages && is_there => format.table(job).ok()?.count_rows().ok(),
        _ => None,
    };
    if let Some(text) = choose.in_vain(count).or_else(|| format.in_vain(job)) {
        remark(&format!("{}: {text}", job.input.name()));
    }
}

/// The chosen rows and columns of a file that is open.
pub(super) fn of_job(format: &dyn Format, job: &mut Job<'_>, choose: &Choose) -> Result<Selection> {
    let name = job.input.name();
    (job.pages, job.asked, job.written) = (choose.pages.clone(), choose.asked(), written(choose));
    kept(plain(format.table(job)?, &[]), choose, vec![name], format.facts().shows)
}

/// The same, to be written in another format.
pub(super) fn for_format(
    format: &dyn Format,
    job: &mut Job<'_>,
    choose: &Choose,
    to: &dyn Format,
) -> Result<Selection> {
    let name = job.input.name();
    job.asked = choose.asked();
    let table = to.facts().taken(format.table(job)?);
    let choose = match format.facts().name == to.facts().name {
        true => with_pages(choose, table.schema(), to),
        false => choose.clone(),
    };
    kept(table, &choose, vec![name], to.facts().keeps)
}

/// The choice for a file of the same format, which keeps its pages, and what has one value in each.
pub(super) fn with_pages(choose: &Choose, schema: &TableSchema, to: &dyn Format) -> Choose {
    let mut choose = choose.clone();
    if let Some(columns) = &mut choose.columns {
        let is_of_pages = |field: &&TableField| {
            field.constant && (field.get(keys::ADDED).is_none() || to.facts().keeps.contains(&&*field.name))
        };
        let names = schema.fields.iter().filter(is_of_pages).map(|field| field.name.to_string());
        let more: Vec<String> = names.filter(|name| !columns.contains(name)).collect();
        columns.extend(more);
    }
    choose
}
