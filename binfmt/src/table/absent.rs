//! Columns of which no row has a value.

use super::cells::{CellType, Cells};
use super::field::{Inferred, TableField, TableSchema, keys};
use super::retyped::typed;
use super::scalar::ScalarRange;
use super::split::{Estimate, Split};
use super::wanted::Wanted;
use super::{Batches, Section, Table};
use crate::columns::Columns;
use crate::error::{Error, Result};
use std::sync::Arc;

/// A table with more columns, in which all is missing.
#[derive(Debug)]
struct Absent {
    table: Arc<dyn Table>,
    schema: TableSchema,
    columns: Vec<Source>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Of(usize),
    Missing(CellType),
}

/// The rows of a table with columns of these names after the others, in which all is missing: a file whose rows have names of their own,
/// such as JSON lines, need not have those that all rows leave out. `None` of a table that has all its columns.
///
/// ```
/// use binfmt::columns::{ColumnData, ValueRef};
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableFormat, Wanted, jsonl::JsonLines, with_absent};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.jsonl", b"{\"a\":1}\n")?;
/// let table = JsonLines.open(Arc::new(files), "x.jsonl", &Settings::new())?;
/// let table = with_absent(&table, &["b".to_owned()]).unwrap();
/// let batch = table.batches(&Wanted::new())?.next().unwrap()?;
/// assert!(matches!(batch.get("b").unwrap().get(0), Some(ValueRef::Missing(_))));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub fn with_absent(table: &Arc<dyn Table>, names: &[String]) -> Option<Arc<dyn Table>> {
    let mut schema = table.schema().clone();
    schema.get(keys::OPEN)?;
    let mut columns: Vec<Source> = (0..schema.fields.len()).map(Source::Of).collect();
    for name in names {
        let field = TableField::new(name.as_str(), CellType::Text.column_type());
        schema.fields.push(TableField { inferred: Some(Inferred::Nothing), ..field });
        columns.push(Source::Missing(CellType::Text));
    }
    Some(Arc::new(Absent { table: Arc::clone(table), schema, columns }))
}

impl Absent {
    fn of(&self, column: usize) -> Option<usize> {
        match self.columns.get(column) {
            Some(Source::Of(of)) => Some(*of),
            _ => None,
        }
    }

    /// The columns that are wanted, and what is asked of the table.
    fn asked(&self, wanted: &Wanted) -> Result<(Vec<Source>, Wanted)> {
        let columns = wanted.columns_of(&self.schema)?;
        let mut asked = wanted.clone();
        asked.columns = Some(columns.iter().filter_map(|column| self.of(*column)).collect());
        let ranges = asked.ranges.into_iter();
        asked.ranges = ranges.filter_map(|(column, range)| Some((self.of(column)?, range))).collect();
        Ok((columns.iter().filter_map(|column| self.columns.get(*column).copied()).collect(), asked))
    }
}

impl Table for Absent {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        self.table.bounds(self.of(column)?)
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn sections(&self) -> Vec<Section> {
        self.table.sections()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let (mut schema, mut all) = (self.schema.clone(), self.columns.clone());
        let of = columns.iter().filter_map(|(column, ty)| Some((self.of(*column)?, *ty)));
        let of: Vec<(usize, CellType)> = of.collect();
        let table = match of.is_empty() {
            true => Arc::clone(&self.table),
            false => Arc::clone(&self.table).read_as(&of)?,
        };
        let mut more = table.schema().fields.iter().enumerate().skip(self.table.schema().fields.len());
        for (column, ty) in columns {
            let (field, source) = match self.of(*column) {
                Some(_) => more.next().map(|(place, field)| (field.clone(), Source::Of(place)))?,
                None => (typed(self.schema.fields.get(*column)?, *ty), Source::Missing(*ty)),
            };
            schema.fields.push(field);
            all.push(source);
        }
        Some(Arc::new(Absent { table, schema, columns: all }))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(&self.asked(wanted)?.1, parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let names: Vec<_> = wanted.columns_of(&self.schema)?;
        let names: Vec<_> =
            names.iter().filter_map(|place| Some(self.schema.fields.get(*place)?.name.clone())).collect();
        let (sources, asked) = self.asked(wanted)?;
        let batches = Arc::clone(&self.table).read(split, &asked)?;
        Ok(Box::new(batches.map(move |batch| {
            let batch = batch?;
            let rows = batch.num_rows();
            let mut found = batch.into_columns().into_iter();
            let column = |source: &Source| match source {
                Source::Of(_) => found.next().map(|(_, column)| column),
                Source::Missing(ty) => {
                    let mut cells = Cells::with_room(*ty, rows);
                    (0..rows).for_each(|_| cells.push_missing(0));
                    cells.into_column()
                }
            };
            let columns: Option<Vec<_>> = sources.iter().map(column).collect();
            let columns = columns.ok_or_else(|| Error::other("a batch has not all columns"))?;
            Ok(Columns::of_rows(rows, names.iter().cloned().zip(columns).collect()))
        })))
    }
}
