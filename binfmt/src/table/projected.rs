//! Some columns of a table, and fields inside its records, as a table.

use super::csv::CellType;
use super::leaf::Picked;
use super::tasks::and_then;
use super::wanted::Wanted;
use super::{Batches, Estimate, Leaf, ScalarRange, Split, Table, TableField, TableSchema, Tasks, keys};
use crate::error::Result;
use crate::wire::amount::known;
use std::sync::Arc;

/// Columns of a table, and fields inside its records, as the columns of another: in another order, of other names.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Projected, Table, Wanted};
/// use std::sync::Arc;
/// let inner = vec![("x".into(), Column::from(vec![1u8, 2]))];
/// let columns = Columns::new(vec![("a".into(), Column::Record { rows: 2, fields: inner })])?;
/// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
/// let leaves = table.schema().leaves();
/// let flat: Arc<dyn Table> = Arc::new(Projected::new(table, leaves));
/// let batch = flat.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.get("a.x"), Some(&Column::from(vec![1u8, 2])));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Projected {
    table: Arc<dyn Table>,
    leaves: Vec<Leaf>,
    schema: TableSchema,
}

impl Projected {
    /// These columns of a table, by the names that the leaves have.
    ///
    /// ```
    /// # use binfmt::{columns::Columns, table::{ColumnsTable, Projected, Table}};
    /// let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// assert!(Projected::new(table, vec![]).schema().fields.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(table: Arc<dyn Table>, leaves: Vec<Leaf>) -> Self {
        let of = table.schema();
        let fields = leaves.iter().map(|leaf| field(leaf, of.fields.get(leaf.column)));
        let schema = TableSchema { fields: fields.collect(), meta: of.meta.clone() };
        Projected { table, leaves, schema }
    }

    /// Columns that a reader adds to those of a file, such as the numbers of its pages, are columns like the others: they were asked for.
    ///
    /// ```
    /// # use binfmt::{columns::Columns, table::{ColumnsTable, Projected, Table}};
    /// # let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// assert!(Projected::new(table, vec![]).as_asked_for().schema().fields.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn as_asked_for(mut self) -> Self {
        self.schema.fields.iter_mut().for_each(|field| field.meta.retain(|(key, _)| &**key != keys::ADDED));
        self
    }
}

/// What is said of a leaf: of a column the same, of a field inside what is said of that.
fn field(leaf: &Leaf, of: Option<&TableField>) -> TableField {
    let made = TableField::new(leaf.name.as_str(), leaf.ty.clone());
    let Some(of) = of else { return made };
    if leaf.path.is_empty() {
        return TableField { name: made.name, ..of.clone() };
    }
    let lines = of.get(keys::NATIVE_INSIDE).into_iter().flat_map(str::lines);
    let inside = known(leaf.name.strip_prefix(&*of.name));
    let native = lines.filter_map(|line| line.strip_prefix(inside)?.strip_prefix(' ')).next();
    let native = native.unwrap_or_default();
    made.logical(super::npy::time_of(native)).with(keys::NATIVE, native)
}

impl Table for Projected {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let leaf = self.leaves.get(column).filter(|leaf| leaf.path.is_empty())?;
        self.table.bounds(leaf.column)
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let of = |(column, ty): &(usize, CellType)| {
            let leaf = self.leaves.get(*column).filter(|leaf| leaf.path.is_empty())?;
            Some((leaf.column, *ty))
        };
        let columns = columns.iter().map(of).collect::<Option<Vec<_>>>()?;
        let first = self.table.schema().fields.len();
        let table = Arc::clone(&self.table).read_as(&columns)?;
        let more = table.schema().whole_columns().into_iter().skip(first);
        let leaves = self.leaves.iter().cloned().chain(more).collect();
        Some(Arc::new(Projected::new(table, leaves)))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(&self.picked(wanted)?.1, parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let (picked, wanted) = self.picked(wanted)?;
        let batches = Arc::clone(&self.table).read(split, &wanted)?;
        Ok(Box::new(batches.map(move |batch| picked.batch(batch?))))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        let (picked, wanted) = self.picked(wanted)?;
        Ok(and_then(Arc::clone(&self.table).tasks(split, &wanted)?, move |batch| picked.batch(batch)))
    }
}

impl Projected {
    /// Which leaves are wanted, and what that means for the table.
    fn picked(&self, wanted: &Wanted) -> Result<(Picked, Wanted)> {
        let columns = wanted.columns_of(&self.schema)?;
        let leaves: Vec<Leaf> = columns.iter().filter_map(|i| self.leaves.get(*i).cloned()).collect();
        let picked = Picked::of(&leaves);
        let mut inner = picked.wanted(wanted);
        let range = |(column, range): &(usize, ScalarRange)| {
            let leaf = self.leaves.get(*column).filter(|leaf| leaf.path.is_empty())?;
            Some((leaf.column, range.clone()))
        };
        inner.ranges = wanted.ranges.iter().filter_map(range).collect();
        Ok((picked, inner))
    }
}
