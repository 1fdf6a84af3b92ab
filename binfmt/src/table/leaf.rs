//! Columns and the fields of their records as one flat list.

use super::{TableField, TableSchema, Wanted};
use crate::columns::{Column, ColumnType, Columns};
use crate::error::{Error, Result};

/// A column of a table, or a field inside its records: what has one value in each row.
///
/// ```
/// use binfmt::columns::ColumnType;
/// use binfmt::numbers::NumberType;
/// use binfmt::table::{TableField, TableSchema};
/// let inner = vec![("x".into(), ColumnType::Number(NumberType::F32)), ("y".into(), ColumnType::Text)];
/// let schema = TableSchema::new([TableField::new("a", ColumnType::Bytes), TableField::new("b", ColumnType::Record(inner))]);
/// let leaves = schema.leaves();
/// assert_eq!(leaves.iter().map(|leaf| leaf.name.as_str()).collect::<Vec<_>>(), ["a", "b.x", "b.y"]);
/// assert_eq!((leaves[2].column, leaves[2].path.as_slice()), (1, &[1][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Leaf {
    /// The name of the column, and after dots those of the fields inside.
    pub name: String,
    /// The number of the column.
    pub column: usize,
    /// The numbers of the fields inside.
    pub path: Vec<usize>,
    /// The type of its values.
    pub ty: ColumnType,
}

impl Leaf {
    /// Its values in the column.
    ///
    /// ```
    /// use binfmt::{columns::{Column, ColumnType}, table::{TableField, TableSchema}};
    /// let column = Column::Record { rows: 1, fields: vec![("x".into(), Column::from(vec![7u8]))] };
    /// let schema = TableSchema::new([TableField::new("a", column.column_type())]);
    /// assert_eq!(schema.leaves()[0].of(&column), Some(&Column::from(vec![7u8])));
    /// ```
    pub fn of<'a>(&self, column: &'a Column) -> Option<&'a Column> {
        self.path.iter().try_fold(column, |column, field| match column {
            Column::Record { fields, .. } => fields.get(*field).map(|(_, column)| column),
            _ => None,
        })
    }
}

impl TableSchema {
    /// The columns themselves, each as one leaf, whatever is in them.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, table::{TableField, TableSchema}};
    /// let schema = TableSchema::new([TableField::new("a", ColumnType::Record(vec![("x".into(), ColumnType::Text)]))]);
    /// assert_eq!((&*schema.leaves()[0].name, &*schema.whole_columns()[0].name), ("a.x", "a"));
    /// ```
    pub fn whole_columns(&self) -> Vec<Leaf> {
        let leaf = |(column, field): (usize, &TableField)| Leaf {
            name: field.name.to_string(),
            column,
            path: Vec::new(),
            ty: field.ty.clone(),
        };
        self.fields.iter().enumerate().map(leaf).collect()
    }

    /// The columns, records taken apart into their fields.
    ///
    /// ```
    /// assert!(binfmt::table::TableSchema::default().leaves().is_empty());
    /// ```
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut all = Vec::new();
        for (column, field) in self.fields.iter().enumerate() {
            let leaf = Leaf { name: field.name.to_string(), column, path: Vec::new(), ty: field.ty.clone() };
            take_apart(leaf, &mut all);
        }
        all
    }
}

fn take_apart(leaf: Leaf, all: &mut Vec<Leaf>) {
    let ColumnType::Record(fields) = &leaf.ty else {
        all.push(leaf);
        return;
    };
    for (i, (name, ty)) in fields.iter().enumerate() {
        let path = leaf.path.iter().copied().chain([i]).collect();
        take_apart(
            Leaf { name: format!("{}.{name}", leaf.name), column: leaf.column, path, ty: ty.clone() },
            all,
        );
    }
}

/// Leaves, and how they are read: each column once.
#[derive(Clone, Debug)]
pub(crate) struct Picked {
    leaves: Vec<Leaf>,
    columns: Vec<usize>,
}

impl Picked {
    pub(crate) fn of(leaves: &[Leaf]) -> Self {
        let mut columns: Vec<usize> = leaves.iter().map(|leaf| leaf.column).collect();
        columns.sort_unstable();
        columns.dedup();
        Picked { leaves: leaves.to_vec(), columns }
    }

    /// The same rows, of these columns.
    pub(crate) fn wanted(&self, wanted: &Wanted) -> Wanted {
        wanted.clone().columns(self.columns.iter().copied())
    }

    /// The columns of a batch that was read so.
    pub(crate) fn columns<'a>(&self, batch: &'a Columns) -> Result<Vec<&'a Column>> {
        let of = |leaf: &Leaf| {
            let place = self.columns.binary_search(&leaf.column).ok()?;
            leaf.of(batch.at(place)?)
        };
        let missing =
            |leaf: &Leaf| Error::other(format!("the table did not give the column `{}`", leaf.name));
        self.leaves.iter().map(|leaf| of(leaf).ok_or_else(|| missing(leaf))).collect()
    }

    /// The same as a batch of these columns: moved, if each is asked for once.
    pub(crate) fn batch(&self, batch: Columns) -> Result<Columns> {
        let rows = batch.num_rows();
        let are_columns =
            self.leaves.len() == self.columns.len() && self.leaves.iter().all(|leaf| leaf.path.is_empty());
        let columns = if are_columns {
            let mut columns: Vec<Option<Column>> =
                batch.into_columns().into_iter().map(|(_, column)| Some(column)).collect();
            let mut of = |leaf: &Leaf| {
                let place = self.columns.binary_search(&leaf.column).ok()?;
                Some((leaf.name.as_str().into(), columns.get_mut(place)?.take()?))
            };
            self.leaves.iter().filter_map(&mut of).collect()
        } else {
            let columns = self.columns(&batch)?;
            let named = self.leaves.iter().zip(columns);
            named.map(|(leaf, column)| (leaf.name.as_str().into(), column.clone())).collect()
        };
        Ok(Columns::of_rows(rows, columns))
    }
}
