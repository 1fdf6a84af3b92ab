//! Whether files have the same definitions, so that their pages can stand in one file.

use super::open::opened;
use super::options::Options;
use super::pages::Pages;
use crate::error::{Error, Result};
use crate::format::{Job, Jobs};
use crate::pick::Pick;
use binfmt::formats::sdds::{Definition, Header};
use std::collections::BTreeSet;

/// The parameters whose fixed values differ, or in what other definitions the files do.
pub(super) fn unfixed(
    options: &Options,
    jobs: &mut Jobs<'_, '_, '_>,
) -> Result<Result<BTreeSet<String>, String>> {
    let (mut unfixed, mut difference) = (BTreeSet::new(), None);
    let mut first: Option<(String, Header)> = None;
    jobs.each(|job| {
        let (name, header) = (job.input.name(), header(options, job)?);
        let Some((of, first)) = &first else {
            first = Some((name, header));
            return Ok(true);
        };
        let found = differing(&first.parameters, &header.parameters)
            .map(|name| format!("parameter `{name}`"))
            .or_else(|| differing(&first.arrays, &header.arrays).map(|name| format!("array `{name}`")))
            .or_else(|| differing(&first.columns, &header.columns).map(|name| format!("column `{name}`")));
        difference = found.map(|found| format!("{found} is not the same in {of} and {name}"));
        let both = first.parameters.iter().zip(&header.parameters);
        let other = both.filter(|(a, b)| a.fixed_value != b.fixed_value);
        unfixed.extend(other.map(|(a, _)| a.name.clone()));
        Ok(difference.is_none())
    })?;
    Ok(difference.map_or(Ok(unfixed), Err))
}

fn header(options: &Options, job: &mut Job<'_>) -> Result<Header> {
    job.input.kept()?;
    Ok(Pages::open_again(options, job, &Pick::ALL, |_| false)?.file_header().clone())
}

/// The first definition that is not the same, but for what is said of it for people.
fn differing<D: Definition>(here: &[D], there: &[D]) -> Option<String> {
    let units = |of: &D| {
        let texts = D::TAGS.iter().zip(of.texts());
        texts.filter(|(tag, _)| **tag == "units").find_map(|(_, text)| text.clone())
    };
    let is_other = |(a, b): (&D, &D)| -> Option<String> {
        let is_one = (a.name(), a.data_type()) == (b.name(), b.data_type()) && units(a) == units(b);
        (!is_one).then(|| a.name().to_owned())
    };
    let more = |all: &[D], of: &[D]| all.get(of.len()).map(|one| one.name().to_owned());
    here.iter().zip(there).find_map(is_other).or_else(|| more(here, there)).or_else(|| more(there, here))
}

/// Whether what is to become parameters is that already, in all files.
pub(super) fn have_parameters(options: &Options, jobs: &mut Jobs<'_, '_, '_>) -> Result<bool> {
    let Some(names) = options.as_parameters.value() else { return Ok(true) };
    jobs.each(|job| {
        let header = header(options, job)?;
        let is_one = |name: &str| {
            header.parameters.iter().any(|parameter| parameter.name == name)
                && header.columns.iter().all(|column| column.name != name)
        };
        Ok(names.split(',').all(|name| is_one(name.trim())))
    })
}

/// Refuses files of which a table of their columns has not all, where only that is written, and why.
pub(super) fn are_rows(options: &Options, jobs: &mut Jobs<'_, '_, '_>, why: &str) -> Result<()> {
    jobs.each(|job| {
        let (name, header) = (job.input.name(), header(options, job)?);
        // the header of another file says which columns are parameters
        let is_table = !header.columns.is_empty() || header.arrays.is_empty() && options.like.is_given();
        let lost = match is_table {
            true => opened(options, job, &[])?.left_out(),
            false => vec!["it has no columns, and its parameters and arrays would become some".to_owned()],
        };
        match lost.first() {
            None => Ok(true),
            Some(lost) => {
                Err(Error::usage(format_args!("{why}, and so only rows are written; {name}: {lost}"))
                    .tip("a CSV file has the rows alone, and can be converted then"))
            }
        }
    })
    .map(|_| ())
}
