//! All rows at once: of bytes that are in memory, and of values.

use super::super::batch::Columns;
use super::super::column::Column;
use super::super::form::{Refused, push, values_of};
use super::Plan;
use super::decode::RowReader;
use crate::error::{Result, Step};
use crate::value::Value;
use crate::wire::{Endian, Options, Slice, Source};

impl Plan {
    /// All rows of a slice, little-endian where the layout does not say.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let columns = plan.decode(&[1, 0, 2, 0])?;
    /// assert_eq!(columns.get("x"), Some(&Column::from(vec![1u16, 2])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A row is damaged or not complete.
    pub fn decode(&self, bytes: &[u8]) -> Result<Columns> {
        self.decode_with(bytes, &Options::new())
    }

    /// [`decode`](Self::decode) with byte order, limits and leniency from outside.
    ///
    /// ```
    /// use binfmt::{Endian, Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let big = Options::new().endian(Endian::Big);
    /// assert_eq!(plan.decode_with(&[0, 1], &big)?.get("x"), Some(&Column::from(vec![1u16])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode), or a limit is reached.
    pub fn decode_with<C>(&self, bytes: &[u8], options: &Options<C>) -> Result<Columns> {
        let mut rows = RowReader::new(self, options.endian);
        rows.read_all(&mut Slice::with(bytes, options.limits, options.policy).erase())?;
        Ok(rows.into_columns())
    }

    /// Columns of rows that are there as values.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Plan}, schema::{Description, Field, Record, Type}, value::Value};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let row = Value::record([("x", 7u16)]);
    /// assert_eq!(plan.columns_of(&[row])?.get("x"), Some(&Column::from(vec![7u16])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value does not fit the layout.
    pub fn columns_of(&self, values: &[Value]) -> Result<Columns> {
        let mut rows = RowReader::new(self, Endian::Little);
        for (row, value) in values.iter().enumerate() {
            let values = values_of(value);
            let add = |column: &mut Column, pick| {
                let value = values.and_then(|values| values.get(pick)).ok_or(Refused::Type)?;
                push(column, value)
            };
            rows.push(0, add).map_err(|e| e.within(Step::Index(row)))?;
        }
        Ok(rows.into_columns())
    }
}
