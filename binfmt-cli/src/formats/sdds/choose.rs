//! The same files with some of their pages, rows and columns: parameters and arrays stay.

use super::blocks::{LARGE, row_bytes};
use super::open::{UNIT, opened};
use super::options::Options;
use super::page_rows::PageRows;
use super::pages::Pages;
use super::write::Writer;
use super::{alike, elements, page_rows};
use crate::error::{Error, Result};
use crate::format::{Job, Jobs, Kept, Selection, Tally};
use crate::output::Target;
use crate::pick::{Pick, is_named_in};
use crate::tabular::PAGE;
use binfmt::formats::sdds::{ArrayValue, DataType, Elements, Header, Mode, Page, Parameter, Text, Value};
use binfmt::table::{Filter, Filtered, Leaf, Logical, Table, keys};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Writes them, one after the other; `None` where rows are elements of arrays, or files differ: a table has these.
pub(super) fn rewrite(
    options: &Options,
    jobs: &mut Jobs<'_, '_, '_>,
    kept: &Kept<'_>,
    out: &Target,
) -> Result<Option<Tally>> {
    let unfixed = match alike::unfixed(options, jobs)? {
        Ok(unfixed) => unfixed,
        Err(difference) => {
            alike::are_rows(options, jobs, &difference)?;
            return Ok(None);
        }
    };
    let mut written = Written { unfixed, writer: None };
    if !jobs.each(|job| add(options, job, kept, out, &mut written))? {
        return Ok(None);
    }
    for name in &written.unfixed {
        crate::report::remark(&format!("parameter `{name}`: its fixed value becomes one of each page"));
    }
    let tally = written.writer.map(Writer::finish).transpose()?;
    Ok(tally.map(|tally| Tally { unit: UNIT, ..tally }))
}

/// What is written of several files.
struct Written {
    /// Parameters whose fixed values are not the same in all files.
    unfixed: BTreeSet<String>,
    writer: Option<Writer>,
}

/// Adds the pages of a file; whether that can be done.
fn add(
    options: &Options,
    job: &mut Job<'_>,
    kept: &Kept<'_>,
    out: &Target,
    written: &mut Written,
) -> Result<bool> {
    let mut header = Pages::open_again(options, job, &Pick::ALL, |_| true)?.header().clone();
    for parameter in &mut header.parameters {
        if written.unfixed.contains(&parameter.name) {
            parameter.fixed_value = None;
        }
    }
    let has_rows = !header.columns.is_empty();
    let (of_arrays, of_rows): (Vec<String>, Vec<String>) =
        kept.rename.iter().cloned().partition(|pair| is_of(pair, &header));
    let mut rows = (kept.rows)(job, of_rows)?;
    if let Some(arrays) = elements::asked(kept.columns, rows.table.schema())? {
        if kept.selects_rows && !header.parameters.is_empty() {
            tell_of_lost(&mut rows, opened(options, job, &[("arrays", &arrays)])?, kept, &job.input.name())?;
        }
        return Ok(false);
    }
    let are_elements = rows.table.schema().get("sdds:rows") == Some("elements");
    if are_elements && (has_rows || kept.selects_rows || kept.num_times > 0) {
        return Err(Error::usage(
            "an array stays whole: --rows, --where, --sample and --dates are about rows",
        )
        .tip("--columns NAME makes columns of arrays, whose elements are rows"));
    }
    if !has_rows {
        let _ = with_page_numbers(&mut rows);
    }
    rename(&mut header, &rows, &of_arrays)?;
    header.no_row_counts = false;
    if header.mode == Mode::Binary {
        header.endian = Some(header.byte_order());
    }
    let names_column = |text: &str| header.columns.iter().any(|column| is_named_in(text, &column.name));
    let of_pages = kept.condition.filter(|text| !names_column(text));
    let (num_times, told) = times(&rows, &mut header);
    if num_times < kept.num_times {
        alike::are_rows(options, &mut Jobs::One(job), "--dates is about a table")?;
        return Ok(false);
    }
    if written.writer.is_none() {
        told.iter().for_each(|told| crate::report::remark(told));
    }
    let Some(mut rows) = PageRows::of(&rows, &mut header)? else { return Ok(false) };
    let keeps_rows = has_rows && !header.columns.is_empty();
    let fitting = match of_pages {
        Some(condition) if has_rows && !keeps_rows => fitting(options, job, condition)?,
        _ => None,
    };
    let file = kept.file.as_ref().map(|parameter| (parameter, job.input.name()));
    if let Some((parameter, _)) = &file {
        let parameters = header.parameters.iter().map(|p| &p.name);
        let columns = header.columns.iter().map(|column| &column.name);
        let arrays = header.arrays.iter().map(|array| &array.name);
        let is_taken = parameters.chain(columns).chain(arrays).any(|name| name == *parameter);
        if is_taken {
            let text = format_args!("the files have a `{parameter}`, which is not the one with their names");
            return Err(Error::usage(text).tip("--rename _file=NAME gives that another name"));
        }
        header.parameters.push(Parameter::new(parameter.as_str(), DataType::String));
    }
    let writer = match &mut written.writer {
        Some(writer) => writer,
        none => none.insert(Writer::new(header, options, out)?),
    };
    let none = Pick { columns: Some(Vec::new()), pages: kept.pages.cloned(), ..Pick::ALL };
    let mut pages = Pages::open_again(options, job, &none, |_| true)?.in_blocks()?;
    let mut has_pages = false;
    while let Some(start) = pages.begin()? {
        has_pages = true;
        let number = pages.number();
        let count = rows.count(number);
        // without columns rows are pages
        let fits = || fitting.as_ref().map_or(count > 0, |pages| pages.contains(&number));
        let is_kept = keeps_rows || !kept.selects_rows || fits();
        if is_kept {
            let all = start.content.named_parameters(pages.file_header());
            let stored = all.zip(&writer.header().parameters).filter(|(_, p)| p.fixed_value.is_none());
            let values = stored.map(|((_, value), _)| value.into_owned());
            let name = file.iter().map(|(_, name)| Value::String(Text::from(name.as_str())));
            let head: Vec<Value> = values.chain(name).collect();
            put(writer, (&head, start.content.arrays()), &mut rows, number)?;
        }
        // the next page begins after these rows
        while pages.block()?.is_some() {}
    }
    match written.unfixed.first().filter(|_| !has_pages) {
        Some(name) => Err(Error::usage(format_args!(
            "{}: parameter `{name}` has another fixed value in other files, and this file has no page that keeps it",
            job.input.name()
        ))),
        None => Ok(true),
    }
}

/// Adds the numbers of the pages to the rows, unless they are there; the place that they have.
fn with_page_numbers(rows: &mut Selection) -> Option<usize> {
    let fields = &rows.table.schema().fields;
    let is_page = |leaf: &Leaf| {
        fields.get(leaf.column).is_some_and(|field| field.name == PAGE && field.get(keys::ADDED).is_some())
    };
    if !rows.leaves.iter().any(is_page) {
        let page = rows.table.schema().leaves().into_iter().find(is_page);
        rows.leaves.extend(page);
    }
    rows.leaves.iter().position(is_page)
}

/// Says so if no element is kept of pages that have some: a table has no pages without rows.
fn tell_of_lost(rows: &mut Selection, all: Arc<dyn Table>, kept: &Kept<'_>, name: &str) -> Result<()> {
    let pick = Pick { columns: Some(vec![PAGE.to_owned()]), pages: kept.pages.cloned(), ..Pick::ALL };
    let Some(page) = with_page_numbers(rows) else { return Ok(()) };
    let found = page_rows::counts(rows, page)?.len();
    let lost = page_rows::counts(&Selection::of(all, &pick)?, 0)?.len().saturating_sub(found);
    if lost > 0 {
        let pages = if lost == 1 { "1 page" } else { &format!("{lost} pages") };
        crate::report::remark(&format!(
            "{name}: {pages} of which no row is kept, and the values of parameters there, are left out"
        ));
    }
    Ok(())
}

/// The pages for whose parameters a condition holds, whatever rows they have; `None` if it is not about these alone.
fn fitting(options: &Options, job: &mut Job<'_>, condition: &str) -> Result<Option<BTreeSet<u64>>> {
    let pages = opened(options, job, &[("pages", "true")])?;
    let Ok(filter) = Filter::new(condition, pages.schema()) else { return Ok(None) };
    let pick = Pick { columns: Some(vec![PAGE.to_owned()]), ..Pick::ALL };
    let mut found = BTreeSet::new();
    Selection::of(Arc::new(Filtered::new(pages, filter)), &pick)?.each(|columns, _| {
        let numbers = columns.first().and_then(|column| column.as_slice::<i64>()).unwrap_or_default();
        found.extend(numbers.iter().filter_map(|number| u64::try_from(*number).ok()));
        Ok(())
    })?;
    Ok(Some(found))
}

/// Writes what is kept of a page: rows in blocks, and columns so if they are large.
fn put(
    writer: &mut Writer,
    (parameters, arrays): (&[Value], &[ArrayValue]),
    rows: &mut PageRows<'_>,
    number: u64,
) -> Result<()> {
    let of = |writer: &Writer, columns: Vec<Elements>| {
        let (parameters, arrays) = (parameters.to_vec(), arrays.to_vec());
        Page::new(writer.header(), parameters, arrays, columns).map_err(|e| Error::data(e.kind()))
    };
    let count = rows.count(number);
    let is_small = count.saturating_mul(row_bytes(writer.header())) <= LARGE;
    if writer.header().columns.is_empty() || (writer.header().is_column_major() && is_small) {
        let page = of(writer, rows.whole(number)?)?;
        return writer.put(&page);
    }
    let start = of(writer, rows.none())?;
    writer.begin(&start, count)?;
    match writer.header().is_column_major() {
        true => {
            for column in 0..writer.header().columns.len() {
                rows.column(column, number, |values| writer.values(values))?;
            }
        }
        false => {
            while let Some(block) = rows.block(number)? {
                let block = of(writer, block)?;
                writer.rows(&block)?;
            }
        }
    }
    writer.end();
    Ok(())
}

/// Gives columns whose numbers are times their type and units; what is to be said of each.
fn times(rows: &Selection, header: &mut Header) -> (usize, Vec<String>) {
    let (mut count, mut told) = (0usize, Vec::new());
    for field in &rows.table.schema().fields {
        let column = header.columns.iter_mut().find(|column| column.name == *field.name && !field.constant);
        if let (Some(column), Some(Logical::Timestamp(unit))) = (column, &field.logical) {
            count = count.saturating_add(1);
            let (name, units) = (&column.name, unit.units());
            let (kind, said) = (DataType::Long64, Some(Text::from(units.as_str())));
            if (column.data_type, &column.units) != (kind, &said) {
                told.push(format!("column `{name}`: its times become numbers with the units `{units}`"));
                (column.data_type, column.units) = (kind, said);
            }
        }
    }
    (count, told)
}

/// Whether a new name is that of an array.
fn is_of(pair: &str, header: &Header) -> bool {
    let old = pair.split_once('=').map_or(pair, |(old, _)| old);
    header.arrays.iter().any(|array| array.name == old)
        && header.columns.iter().all(|column| column.name != old)
}

/// Gives parameters and arrays their new names.
fn rename(header: &mut Header, rows: &Selection, of_arrays: &[String]) -> Result<()> {
    let fields = &rows.table.schema().fields;
    let plain = |name: &str| name.strip_prefix("parameter:").unwrap_or(name).to_owned();
    let renamed =
        rows.leaves.iter().filter_map(|leaf| Some((plain(&fields.get(leaf.column)?.name), &leaf.name)));
    let new: HashMap<String, &String> = renamed.collect();
    for parameter in &mut header.parameters {
        if let Some(name) = new.get(&parameter.name) {
            parameter.name = plain(name);
        }
    }
    for (old, name) in of_arrays.iter().filter_map(|pair| pair.split_once('=')) {
        header
            .arrays
            .iter_mut()
            .filter(|array| array.name == old)
            .for_each(|array| name.clone_into(&mut array.name));
    }
    Ok(())
}
