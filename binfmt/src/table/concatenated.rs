//! Several tables of the same columns as one.

use super::csv::CellType;
use super::field::{TableField, TableSchema, keys};
use super::leaf::Leaf;
use super::split::{Estimate, Split};
use super::timed::{in_one_unit, unit};
use super::wanted::{Limited, Wanted};
use super::widened::{common, of_types};
use super::{Batches, Table};
use crate::columns::{BytesColumn, Column, ColumnType, Columns};
use crate::error::{Error, Result, Step};
use crate::wire::amount::after;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The rows of several tables, one after the other. Errors name the table that they are about.
///
/// Columns whose types differ are of the type that has the values of both: the wider one of two numbers, text where the values of a
/// file of text are read as such in one of them and as something else in the other. Times are counted in the finest unit of all.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Concatenated, Estimate, Table, Wanted};
/// use std::sync::Arc;
/// let of = |v: Vec<u8>| -> Result<Arc<dyn Table>, binfmt::Error> {
///     Ok(Arc::new(ColumnsTable::new(Columns::new(vec![("a".into(), Column::from(v))])?)))
/// };
/// let all = Concatenated::new(vec![("x".into(), of(vec![1, 2])?), ("y".into(), of(vec![3])?)])?;
/// let all: Arc<dyn Table> = Arc::new(all);
/// assert_eq!(all.num_rows(), Estimate::Exact(3));
/// let batch = all.batches(&Wanted::new().rows(2..9))?.next().unwrap()?;
/// assert_eq!(batch.get("a"), Some(&Column::from(vec![3u8])));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Concatenated {
    tables: Vec<(String, Arc<dyn Table>)>,
    schema: TableSchema,
    /// Which column has the name of the table, if one does.
    names: Option<usize>,
}

impl Concatenated {
    /// Tables with their names; what is said of the columns is what the first one says.
    ///
    /// ```
    /// use binfmt::table::Concatenated;
    /// assert!(Concatenated::new(vec![]).is_err());
    /// ```
    ///
    /// # Errors
    /// There is no table, or one has other columns than the first.
    pub fn new(tables: Vec<(String, Arc<dyn Table>)>) -> Result<Self> {
        let schemas = || tables.iter().map(|(_, table)| table.schema());
        let types = common(&schemas().collect::<Vec<_>>());
        let mut tables: Vec<(String, Arc<dyn Table>)> =
            tables.into_iter().map(|(name, table)| (name, of_types(table, &types))).collect();
        in_one_unit(tables.iter_mut().map(|(_, table)| table));
        let Some((first, table)) = tables.first() else { return Err(Error::other("there is no table")) };
        let mut schema = table.schema().clone();
        for (name, other) in tables.iter().skip(1) {
            if let Some(difference) = difference(&schema, other.schema(), first) {
                return Err(Error::other(difference).within(Step::Name(name.as_str().into())));
            }
        }
        for (place, field) in schema.fields.iter_mut().enumerate() {
            // all of them have fields of text, or it is not said
            let mut fields = tables.iter().filter_map(|(_, table)| table.schema().fields.get(place));
            let is_inferred = fields.all(|field| field.inferred.is_some());
            field.inferred = field.inferred.filter(|_| is_inferred);
        }
        Ok(Concatenated { tables, schema, names: None })
    }

    /// The same with one column more, which has the name of the table that a row is of.
    ///
    /// ```
    /// # use binfmt::columns::{Column, Columns};
    /// # use binfmt::table::{ColumnsTable, Concatenated, Table, Wanted};
    /// # use binfmt::value::Value;
    /// # use std::sync::Arc;
    /// # let of = |v: Vec<u8>| -> Result<Arc<dyn Table>, binfmt::Error> {
    /// #     Ok(Arc::new(ColumnsTable::new(Columns::new(vec![("v".into(), Column::from(v))])?)))
    /// # };
    /// let all = Concatenated::new(vec![("x".into(), of(vec![1])?), ("y".into(), of(vec![3])?)])?;
    /// let all: Arc<dyn Table> = Arc::new(all.with_names("_file"));
    /// let batch = all.batches(&Wanted::new())?.nth(1).unwrap()?;
    /// assert_eq!(batch.row(0), Some(Value::record([("v", Value::from(3u8)), ("_file", Value::from("y"))])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with_names(mut self, column: &str) -> Self {
        if self.names.is_none() && self.schema.position(column).is_none() {
            self.names = Some(self.schema.fields.len());
            let field = TableField::new(column, ColumnType::Text).constant().with(keys::ADDED, "true");
            self.schema.fields.push(field);
        }
        self
    }

    /// Where a column is in the tables.
    fn inner(&self, column: usize) -> usize {
        column.saturating_sub(usize::from(self.names.is_some_and(|names| names < column)))
    }

    /// The wanted rows of each table, all of it without an end.
    fn parts(&self, wanted: &Wanted) -> Result<Vec<Split>> {
        let whole = |part: usize, table: &dyn Table| Split {
            part: part as u64,
            num_rows: table.num_rows(),
            ..Split::default()
        };
        let Some(rows) = &wanted.rows else {
            let tables = self.tables.iter().enumerate();
            return Ok(tables.map(|(part, (_, table))| whole(part, &**table)).collect());
        };
        let (mut splits, mut first) = (Vec::new(), 0i64);
        for (part, (name, table)) in self.tables.iter().enumerate() {
            if first >= rows.end {
                break;
            }
            let is_last = part.checked_add(1) == Some(self.tables.len());
            let next = match is_last {
                true => i64::MAX,
                false => {
                    let named = |e: Error| e.within(Step::Name(name.as_str().into()));
                    let count = table.count_rows().map_err(named)?;
                    first.saturating_add(i64::try_from(count).unwrap_or(i64::MAX))
                }
            };
            let (from, to) = (rows.start.max(first), rows.end.min(next));
            if from < to {
                let rows = from.saturating_sub(first)..to.saturating_sub(first);
                splits.push(Split { rows, num_rows: Estimate::Unknown, ..whole(part, &**table) });
            }
            first = next;
        }
        Ok(splits)
    }
}

/// In which column a table is not as the first one.
fn difference(first: &TableSchema, other: &TableSchema, name: &str) -> Option<String> {
    let (wanted, found) = (first.leaves(), other.leaves());
    // the columns of the file come before what is one value in all rows of a page, and before what a reader adds
    let mut ordered: Vec<_> = wanted.iter().collect();
    ordered.sort_by_key(|leaf| {
        let field = first.fields.get(leaf.column);
        field.map(|field| (field.get(keys::ADDED).is_some(), field.constant))
    });
    // of two columns of one name the first
    let by_name: HashMap<&str, &Leaf> = found.iter().rev().map(|leaf| (leaf.name.as_str(), leaf)).collect();
    let fields = other.fields.iter().rev().map(|field| (field.name.as_str(), field));
    let fields: HashMap<&str, &TableField> = fields.collect();
    for leaf in ordered {
        match by_name.get(leaf.name.as_str()) {
            None => return Some(format!("column `{}` of {name} is missing", leaf.name)),
            Some(other) if other.ty != leaf.ty => {
                let (ty, of) = (&other.ty, &leaf.ty);
                return Some(format!("column `{}` is {ty}, in {name} it is {of}", leaf.name));
            }
            Some(_) => {}
        }
    }
    for field in &first.fields {
        match fields.get(field.name.as_str()).map(|other| (unit(field).is_some(), unit(other).is_some())) {
            Some((true, false)) => {
                return Some(format!("column `{}` has numbers, in {name} it has times", field.name));
            }
            Some((false, true)) => {
                return Some(format!("column `{}` has times, in {name} it has none", field.name));
            }
            _ => {}
        }
        let units = [Some(&field), fields.get(field.name.as_str())].map(|field| field?.get(keys::UNITS));
        if let [Some(own), Some(others)] = units
            && own != others
        {
            return Some(format!("column `{}` is in {others}, in {name} it is in {own}", field.name));
        }
    }
    let known: HashSet<&str> = wanted.iter().map(|leaf| leaf.name.as_str()).collect();
    let more = found.iter().find(|leaf| !known.contains(leaf.name.as_str()));
    let moved = wanted.iter().zip(&found).find(|(a, b)| a.name != b.name);
    match (more, moved) {
        (Some(leaf), _) => Some(format!("column `{}` is not in {name}", leaf.name)),
        (None, Some((a, b))) => {
            Some(format!("the columns are in another order than in {name}: `{}` before `{}`", b.name, a.name))
        }
        (None, None) => None,
    }
}

impl Table for Concatenated {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        let all = self.tables.iter().map(|(_, table)| table.num_rows());
        all.fold(Estimate::Exact(0), |sum, rows| match (sum, rows) {
            (Estimate::Exact(a), Estimate::Exact(b)) => Estimate::Exact(after(a, b)),
            (a, b) => match (a.guess(), b.guess()) {
                (Some(a), Some(b)) => Estimate::About(after(a, b)),
                _ => Estimate::Unknown,
            },
        })
    }

    fn left_out(&self) -> Vec<String> {
        self.tables
            .iter()
            .flat_map(|(name, table)| table.left_out().into_iter().map(move |text| format!("{name}: {text}")))
            .collect()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let of = |(column, ty): &(usize, CellType)| {
            (Some(*column) != self.names).then(|| (self.inner(*column), *ty))
        };
        let columns = columns.iter().map(of).collect::<Option<Vec<_>>>()?;
        let read = |(name, table): &(String, Arc<dyn Table>)| {
            Some((name.clone(), Arc::clone(table).read_as(&columns)?))
        };
        let tables = self.tables.iter().map(read).collect::<Option<Vec<_>>>()?;
        let mut all = (*self).clone();
        let first = self.inner(self.schema.fields.len());
        let more = tables.first().into_iter().flat_map(|(_, table)| table.schema().fields.iter().skip(first));
        all.schema.fields.extend(more.cloned());
        Some(Arc::new(Concatenated { tables, ..all }))
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        self.parts(wanted)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let part = usize::try_from(split.part).ok().and_then(|part| self.tables.get(part));
        let Some((name, table)) = part else {
            return Err(Error::other(format!("there is no table {}", split.part)));
        };
        let rows = (split.rows != (0..i64::MAX)).then(|| split.rows.clone());
        let columns = wanted.columns_of(&self.schema)?;
        let added = self.names.and_then(|names| columns.iter().position(|column| *column == names));
        let mut asked = Wanted { rows, limit: None, ..wanted.clone() };
        let others = columns.iter().filter(|column| Some(**column) != self.names);
        asked = asked.columns(others.map(|column| self.inner(*column)));
        asked.ranges.retain(|(column, _)| Some(*column) != self.names);
        asked.ranges.iter_mut().for_each(|(column, _)| *column = self.inner(*column));
        let (name, step) = (name.clone(), Step::Name(name.as_str().into()));
        let column =
            self.names.and_then(|names| self.schema.fields.get(names)).map(|field| field.name.clone());
        let batches = Arc::clone(table).batches(&asked).map_err(|e| e.within(step.clone()))?;
        let batches = batches.map(move |batch| {
            let batch = batch.map_err(|e| e.within(step.clone()))?;
            let rows = batch.num_rows();
            let mut columns = batch.into_columns();
            if let Some((at, column)) = added.zip(column.clone()) {
                let mut names = BytesColumn::new();
                (0..rows).for_each(|_| names.push(name.as_bytes()));
                columns.insert(at.min(columns.len()), (column, Column::Text(names)));
            }
            Ok(Columns::of_rows(rows, columns))
        });
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }
}
