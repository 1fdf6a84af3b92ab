//! Rows as columns with their names.

use super::cell::ValueRef;
use super::column::Column;
use super::form::is_whole;
use crate::columns::data::ColumnData;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::Name;
use crate::value::Value;

use alloc::string::ToString;
use alloc::vec::Vec;

/// Columns of the same number of rows: what a [`Plan`](super::Plan) decodes and encodes.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// let columns = Columns::new(vec![("id".into(), Column::from(vec![7u8, 8]))])?;
/// assert_eq!((columns.num_rows(), columns.names().next()), (2, Some("id")));
/// assert_eq!(columns.cell(1, 0).unwrap().to_value(), 8u8.into());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    pub(super) rows: usize,
    pub(super) columns: Vec<(Name, Column)>,
}

impl Columns {
    /// These columns.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let uneven = vec![("a".into(), Column::from(vec![1u8])), ("b".into(), Column::from(Vec::<u8>::new()))];
    /// assert!(Columns::new(uneven).is_err());
    /// ```
    ///
    /// # Errors
    /// They have not the same number of rows, or one says that it has more or fewer than are inside of it.
    pub fn new(columns: Vec<(Name, Column)>) -> Result<Self> {
        Columns::with_rows(columns.first().map_or(0, |(_, column)| column.len()), columns)
    }

    /// The same of a known number of rows: also where there is no column that would tell it.
    ///
    /// ```
    /// use binfmt::columns::Columns;
    /// assert_eq!(Columns::with_rows(3, vec![])?.num_rows(), 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A column has another number of rows, or says that it has more or fewer than are inside of it.
    pub fn with_rows(rows: usize, columns: Vec<(Name, Column)>) -> Result<Self> {
        for (name, column) in &columns {
            let e = if column.len() != rows {
                Error::from(ErrorKind::count("rows", rows, column.len()))
            } else if !is_whole(column) {
                Error::other("the column has another number of rows inside")
            } else {
                continue;
            };
            return Err(e.within(Step::Name(name.to_string())));
        }
        Ok(Columns { rows, columns })
    }

    /// Columns that are known to have that many rows; there may be none of them.
    #[cfg(feature = "table")]
    pub(crate) fn of_rows(rows: usize, columns: Vec<(Name, Column)>) -> Self {
        debug_assert!(columns.iter().all(|(_, column)| column.len() == rows));
        Columns { rows, columns }
    }

    /// Leaves the first rows.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let mut columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2]))]).unwrap();
    /// columns.truncate(1);
    /// assert_eq!((columns.num_rows(), columns.get("a")), (1, Some(&Column::from(vec![1u8]))));
    /// ```
    pub fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        self.columns.iter_mut().for_each(|(_, column)| column.truncate(rows));
    }

    /// How many rows there are.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::Columns::new(vec![]).unwrap().num_rows(), 0);
    /// ```
    pub fn num_rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::Columns::new(vec![]).unwrap().num_columns(), 0);
    /// ```
    pub fn num_columns(&self) -> usize {
        self.columns.len()
    }

    /// The names in the order of the columns.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(Vec::<u8>::new()))]).unwrap();
    /// assert_eq!(columns.names().collect::<Vec<_>>(), ["a"]);
    /// ```
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The column of a name.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    /// assert_eq!(columns.get("a"), Some(&Column::from(vec![1u8])));
    /// ```
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(found, _)| found == name).map(|(_, column)| column)
    }

    /// The column with this number.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    /// assert_eq!(columns.at(0), columns.get("a"));
    /// ```
    pub fn at(&self, place: usize) -> Option<&Column> {
        self.columns.get(place).map(|(_, column)| column)
    }

    /// The columns with their names.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    /// assert_eq!(columns.iter().count(), 1);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Column)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// The value in a row of a column, both by their number.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![true]))]).unwrap();
    /// assert!(columns.cell(0, 0).is_some() && columns.cell(1, 0).is_none());
    /// ```
    pub fn cell(&self, row: usize, column: usize) -> Option<ValueRef<'_>> {
        self.columns.get(column)?.1.get(row)
    }

    /// A copy of a row, as a record (a list where the fields have no names).
    ///
    /// ```
    /// use binfmt::{columns::{Column, Columns}, value::Value};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    /// assert_eq!(columns.row(0), Some(Value::record([("a", 1u8)])));
    /// ```
    ///
    /// # Panics
    /// When there is no memory for it; [`try_row`](Self::try_row) says so instead.
    pub fn row(&self, row: usize) -> Option<Value> {
        self.row_ref(row).map(|row| row.to_value())
    }

    /// The same, if there is memory for it.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Columns}, value::Value};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))])?;
    /// assert_eq!(columns.try_row(0)?, Some(Value::record([("a", 1u8)])));
    /// assert_eq!(columns.try_row(1)?, None);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]: the system does not give that much.
    pub fn try_row(&self, row: usize) -> Result<Option<Value>> {
        self.row_ref(row).map(|row| row.try_to_value()).transpose()
    }

    fn row_ref(&self, row: usize) -> Option<ValueRef<'_>> {
        (row < self.rows).then_some(ValueRef::Record(&self.columns, row))
    }

    /// The columns themselves.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    /// assert_eq!(columns.into_columns(), [(binfmt::schema::Name::from("a"), Column::from(vec![1u8]))]);
    /// ```
    pub fn into_columns(self) -> Vec<(Name, Column)> {
        self.columns
    }
}
