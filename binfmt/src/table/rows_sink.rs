//! Rows of a layout, made of the columns of any table.

use super::cells::CellType;
use super::filled::{Taking, at};
use super::plain::{exact, exact_fit};
use super::retyped::as_read;
use super::timed::{Recount, unit};
use super::{Fit, TableField, TableSchema, TableSink, Written, keys};
use crate::columns::{Columns, Plan};
use crate::error::{Error, Result};
use crate::schema::Name;
use crate::storage::{Storage, StorageWriter};
use crate::wire::Options;
use crate::wire::amount::after;
use std::collections::HashSet;
use std::sync::Arc;

/// Which column of a table becomes which of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// Those of the same names; if no name is the same and there are as many of them, those at the same places.
    Name,
    /// Those at the same places: the names of the layout are made up.
    Place,
}

/// A file of rows of a layout.
pub(crate) struct RowsSink {
    plan: Plan,
    options: Options,
    file: StorageWriter,
    columns: Vec<SinkColumn>,
    notes: Vec<String>,
    rows: u64,
}

/// A column of the layout.
struct SinkColumn {
    to: TableField,
    /// Which column of the table it is, and what that is called.
    place: usize,
    of: Name,
    /// What is to be done with its times.
    recount: Option<Recount>,
    /// What its fields of text are read as, if not as what they look like.
    read: Option<CellType>,
}

impl RowsSink {
    /// What is written in the byte order of the options.
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        plan: Plan,
        options: Options,
        (schema, fields): (&TableSchema, Vec<TableField>),
        by: Match,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let columns = taken(fields, schema, by, &mut notes)?;
        let file = StorageWriter::new(storage, path)?;
        Ok(RowsSink { plan, options, file, columns, notes, rows: 0 })
    }

    /// Counts times as the columns of the layout do, and tells what becomes of them.
    pub(crate) fn counted(mut self, schema: &TableSchema) -> Self {
        for column in &mut self.columns {
            let Some(field) = schema.fields.get(column.place) else { continue };
            let unit = unit(&column.to);
            let (field, _) = as_read(field, &column.to);
            column.recount = Recount::of(&field, unit);
            self.notes.extend(Recount::told(&field, unit));
        }
        self
    }

    /// A note more.
    #[cfg_attr(not(feature = "scidb"), allow(dead_code, reason = "formats use it"))]
    pub(crate) fn tell(&mut self, note: String) {
        self.notes.push(note);
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn taken(
    wanted: Vec<TableField>,
    schema: &TableSchema,
    by: Match,
    notes: &mut Vec<String>,
) -> Result<Vec<SinkColumn>> {
    let places = schema.positions();
    let named = |name: &str| places.get(name).copied();
    if wanted.is_empty() && !schema.fields.is_empty() {
        return Err(Error::other("the layout has no columns, so nothing of the table would be written"));
    }
    // what no file has is left out where it is one too many
    let of_files = schema.fields.iter().enumerate().filter(|(_, field)| field.get(keys::ADDED).is_none());
    let of_files: Vec<usize> = of_files.map(|(place, _)| place).collect();
    let in_order = match wanted.len() == schema.fields.len() {
        true => (0..schema.fields.len()).collect(),
        false => of_files,
    };
    let has_as_many = wanted.len() == in_order.len();
    if by == Match::Place && !has_as_many {
        let text = format!(
            "the format string has {}, and the table {}: choose as many",
            counted(wanted.len(), "attribute"),
            counted(schema.fields.len(), "column")
        );
        return Err(Error::other(text));
    }
    // what has no names of its own takes the columns as they come
    let by_place = has_as_many && (by == Match::Place || wanted.iter().all(|to| named(&to.name).is_none()));
    let mut columns: Vec<SinkColumn> = Vec::new();
    for (i, to) in wanted.into_iter().enumerate() {
        let (name, ty) = (&to.name, &to.ty);
        let place = if by_place { in_order.get(i).copied() } else { named(name) };
        let (place, field) = schema.column_for(place, "the layout has a column", name)?;
        let of = field.name.clone();
        let (found, read) = as_read(field, &to);
        let fit = exact_fit(&found.ty, &to).or_else(|| Fit::of(&found.ty, ty));
        // times are times, whatever their unit
        let is_read = read.is_some_and(|ty| ty != CellType::Text) && unit(field).is_none();
        let fit = fit.map(|fit| if is_read { Fit::Read } else { fit });
        match fit {
            None => {
                let text = format!(
                    "column `{of}` is {}, which cannot be written as {ty}, the column `{name}` of the layout",
                    field.type_name()
                );
                return Err(Error::other(text));
            }
            Some(Fit::Same) => {}
            Some(fit) => {
                let from = if read == Some(CellType::Text) { &found } else { field };
                notes.push(format!("column `{of}`, {} to {}: {fit}", from.type_name(), to.type_name()));
            }
        }
        columns.push(SinkColumn { to, place, of, recount: None, read });
    }
    let taken: HashSet<usize> = columns.iter().map(|taken| taken.place).collect();
    notes.extend(schema.left_out("the layout", |i, _| taken.contains(&i)));
    Ok(columns)
}

impl TableSink for RowsSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        self.columns.iter().filter_map(|taken| Some((taken.place, taken.read?))).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let rows = batch.num_rows();
        let first = usize::try_from(self.rows).unwrap_or(usize::MAX);
        let mut found = Taking::of(batch);
        let mut fitted = Vec::with_capacity(self.columns.len());
        for SinkColumn { to, place, of, recount, .. } in &self.columns {
            let unfit = |e: Error| at(of, self.rows, &e);
            let column = exact(found.take(*place)?, to).map_err(unfit)?;
            let column = match recount {
                Some(recount) => recount.column(column).map_err(unfit)?,
                None => column,
            };
            let column = match column.column_type() == to.ty {
                true => column,
                false => Fit::convert(&column, &to.ty).map_err(unfit)?,
            };
            fitted.push((to.name.clone(), column));
        }
        let fitted = Columns::of_rows(rows, fitted);
        let written = self.plan.encode_to(&fitted, &mut self.file, &self.options);
        written.map_err(|e| e.moved(0, first))?;
        self.rows = after(self.rows, rows as u64);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        Ok(Written::new(self.rows, self.file.finish()?))
    }
}
