//! Pages as the columns of a layout that is known only at run time, and back.

use crate::columns::{Column, Columns};
use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::Elements;
use crate::formats::sdds::layout::x87::X87;
use crate::schema::Name;
use alloc::vec::Vec;

impl Page {
    /// The columns with their names, for everything that takes the columns of a run-time layout. Nothing is copied but
    /// `longdouble`, which becomes ten bytes a row.
    ///
    /// ```
    /// use binfmt::columns::Column;
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n5\n6\n";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// let columns = reader.next_page()?.unwrap().into_batch(reader.header())?;
    /// assert_eq!(columns.get("x"), Some(&Column::from(vec![5i16, 6])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The page is not one of this header.
    pub fn into_batch(self, header: &Header) -> Result<Columns> {
        self.check(header)?;
        let names = header.columns.iter().map(|c| Name::from(&c.name));
        Columns::new(names.zip(self.into_columns().into_iter().map(Column::from)).collect())
    }
}

impl From<Elements> for Column {
    fn from(elements: Elements) -> Column {
        match elements {
            Elements::Numbers(v) => Column::Numbers(v),
            Elements::LongDouble(v) => Column::FixedBytes {
                size: 10,
                rows: v.len(),
                bytes: v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            },
            Elements::String(v) => Column::Text(v),
        }
    }
}

/// Columns of kinds that SDDS has none for are refused.
impl TryFrom<Column> for Elements {
    type Error = Error;

    fn try_from(column: Column) -> Result<Elements> {
        Ok(match column {
            Column::Numbers(v) if DataType::of_number(v.number_type()).is_some() => Elements::Numbers(v),
            Column::FixedBytes { size: 10, bytes, .. } => {
                let (tens, _) = bytes.as_chunks::<10>();
                let all: Vec<X87> = tens.iter().map(|ten| X87::from_le_bytes(*ten)).collect();
                Elements::LongDouble(all)
            }
            Column::Text(v) | Column::Bytes(v) => Elements::String(v),
            _ => return Err(ErrorKind::unsupported("SDDS", "the type of this column").into()),
        })
    }
}
