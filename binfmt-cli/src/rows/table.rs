//! Rows of a layout, made of the columns of any table.

use super::RowFile;
use crate::error::{Error, Result};
use crate::format::{Selection, Tally};
use crate::output::Target;
use crate::place::Start;
use crate::report::remark;
use binfmt::Step;
use binfmt::columns::{Column, ColumnType, Columns, Plan};
use binfmt::schema::Name;
use binfmt::table::{Fit, Leaf};

/// Writes the rows. What becomes of each column is told before the first byte, unless it is kept as it is.
pub(crate) fn write_table(plan: &Plan, file: RowFile<'_>, from: &Selection, out: &Target) -> Result<Tally> {
    let columns = planned(plan, file, from)?;
    let mut to = out.create()?;
    let mut tally = file.words.nothing();
    from.each(|batch, rows| {
        let mut fitted: Vec<(Name, Column)> = Vec::new();
        for (place, name, ty) in &columns {
            let Some(column) = batch.get(*place) else { continue };
            let of = from.leaves.get(*place).map_or("", |leaf| &leaf.name);
            let column = Fit::convert(column, ty).map_err(|e| unfitting(&e, of, tally.count))?;
            fitted.push((name.clone(), column));
        }
        let fitted = Columns::new(fitted).map_err(|e| Error::data(e.to_string()))?;
        let written = plan.encode_to(&fitted, &mut to, &file.options);
        tally.bytes += written.map_err(|e| file.words.unwritten(&e, tally.count))?;
        tally.count += rows as u64;
        Ok(())
    })?;
    to.finish()?;
    Ok(tally)
}

/// Which column of the table each one of the layout is, in the order of the layout.
fn planned(plan: &Plan, file: RowFile<'_>, from: &Selection) -> Result<Vec<(usize, Name, ColumnType)>> {
    let wanted: Vec<(&str, ColumnType)> = plan.types().collect();
    let option = file.words.option;
    let named = |name: &str| from.leaves.iter().position(|leaf| leaf.name == name);
    // what has no names of its own takes the columns as they come
    let by_place = wanted.len() == from.leaves.len() && wanted.iter().all(|(name, _)| named(name).is_none());
    let mut columns = Vec::new();
    for (i, (name, ty)) in wanted.into_iter().enumerate() {
        let place = if by_place { Some(i) } else { named(name) };
        let found = place.and_then(|place| Some((place, from.leaves.get(place)?)));
        let Some((place, leaf)) = found else {
            let names: Vec<&str> = from.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
            let error = Error::usage(format_args!(
                "{option} has a column `{name}`, and the file that is read has none"
            ));
            return Err(error.tip(format_args!(
                "its columns are {}; --rename {}={name} gives one another name",
                names.join(", "),
                names.first().unwrap_or(&"x")
            )));
        };
        told(leaf, name, &ty, option)?;
        columns.push((place, Name::from(name), ty));
    }
    for (i, leaf) in from.leaves.iter().enumerate() {
        if columns.iter().all(|(place, ..)| *place != i) {
            remark(&format!("column `{}` is left out: {option} does not have it", leaf.name));
        }
    }
    Ok(columns)
}

/// Says what becomes of a column.
fn told(leaf: &Leaf, name: &str, ty: &ColumnType, option: &str) -> Result<()> {
    let of = &leaf.ty;
    match Fit::of(of, ty) {
        None => Err(Error::usage(format_args!(
            "column `{}` is {of}, which cannot be written as {ty}, the column `{name}` of {option}",
            leaf.name
        ))),
        Some(Fit::Same) => Ok(()),
        Some(fit) => {
            remark(&format!("column `{}`, {of} to {ty}: {fit}", leaf.name));
            Ok(())
        }
    }
}

/// A value that does not fit, with the row of the table.
fn unfitting(e: &binfmt::Error, name: &str, first: u64) -> Error {
    let row = match e.path().steps().next() {
        Some(Step::Index(_)) => Start { byte: 0, record: first }.path(e),
        _ => String::new(),
    };
    Error::data(format_args!("{row}.{name}: {}", e.kind()))
}
