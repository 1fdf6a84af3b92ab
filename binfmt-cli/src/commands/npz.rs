//! Arrays of NumPy in one archive: the columns of a table, or parts of a file that are tables by themselves.

use super::tables;
use crate::args::Choose;
use crate::error::{Error, Result};
use crate::format::{Format, Job, NamedTable};
use crate::output::{Target, Watched};
use crate::report::remark;
use crate::tabular;
use binfmt::table::npy;

/// Writes the archive, and tells how many tables and rows there were.
pub(super) fn write(
    format: &dyn Format,
    job: &mut Job<'_>,
    choose: &Choose,
    out: &Target,
) -> Result<(u64, u64)> {
    let chooses = choose.is_of_a_table() || choose.columns.is_some() || choose.rows.is_some();
    if !chooses && let Some(parts) = format.apart(job)? {
        return apart(&parts, out);
    }
    let mut file = Watched::new(out.create()?);
    let selection = tables::of_job(format, job, choose)?;
    let written = npy::write_each(&selection.table, &selection.leaves, &selection.wanted, &mut file);
    let written = written.map_err(|e| match file.has_failed {
        true => Error::unwritten(&e, |kind| Error::data(kind)),
        false => selection.failure(&e),
    })?;
    file.inner.finish()?;
    selection
        .left_out()
        .iter()
        .chain(&selection.merged())
        .chain(&written.notes)
        .for_each(|text| remark(text));
    Ok((1, written.rows))
}

/// Writes tables of different numbers of rows, whose only columns have their names.
fn apart(parts: &[NamedTable], out: &Target) -> Result<(u64, u64)> {
    let mut file = Watched::new(out.create()?);
    let named = parts.iter().map(|(name, table)| {
        let mut leaves = table.schema().leaves();
        leaves.iter_mut().for_each(|leaf| leaf.name.clone_from(name));
        (table, leaves)
    });
    let written = npy::write_tables(named, &mut file).map_err(|e| match file.has_failed {
        true => Error::unwritten(&e, |kind| Error::data(kind)),
        false => tabular::failure(&e),
    })?;
    file.inner.finish()?;
    written.notes.iter().for_each(|text| remark(text));
    Ok((parts.len() as u64, written.rows))
}
