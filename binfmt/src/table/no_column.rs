//! The error of a file that is written and needs a column which its table does not have.

use crate::error::{Error, ErrorKind};
use core::fmt;

/// A file that is written needs a column which its table does not have. [`Error::downcast_ref`] finds it.
///
/// ```
/// use binfmt::formats::scidb::Tables;
/// use binfmt::storage::Memory;
/// use binfmt::table::{NoColumn, Settings, TableFormat, TableSchema};
/// use std::sync::Arc;
/// let settings = Settings::new().with("schema", "<x:int8>");
/// let e = Tables.create(Arc::new(Memory::new()), "a.bin", &TableSchema::default(), &settings).unwrap_err();
/// assert_eq!(e.downcast_ref::<NoColumn>().map(NoColumn::name), Some("x"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColumn {
    what: String,
    name: String,
    columns: String,
}

impl NoColumn {
    /// `what` has a column, as in `the array has the attribute`; the table has these columns.
    pub(super) fn error<'a>(what: &str, name: &str, columns: impl Iterator<Item = &'a str>) -> Error {
        let columns = columns.collect::<Vec<_>>().join(", ");
        let none = NoColumn { what: what.to_owned(), name: name.to_owned(), columns };
        ErrorKind::Custom(Box::new(none)).into()
    }

    /// The name of the column.
    ///
    /// ```
    /// let name: fn(&binfmt::table::NoColumn) -> &str = binfmt::table::NoColumn::name;
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for NoColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoColumn { what, name, columns } = self;
        write!(f, "{what} `{name}`, and the table has none: its columns are {columns}")
    }
}

impl core::error::Error for NoColumn {}
