//! Arrays of the crate `ndarray` as attributes to write.

use super::insert::{Insert, NewCells};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType};
use crate::formats::tiledb::region::region;
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::{Column, whole};
use crate::numbers::{Element, Numbers};
use crate::{ErrorKind, Result};
use ndarray::{ArrayRef, Dimension};

impl<S: Storage> Insert<'_, S> {
    /// What an attribute contains in the cells of the ranges, whose shape the array has; where a cell has several values they
    /// are one more dimension of it, the last. The order of its memory does not count, and that of the insert is row-major.
    ///
    /// The [ranges](Insert::range) come before.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I8(0), Number::I8(3), Number::I8(2));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("a", Datatype::Int16));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let e = array.insert().range("x", 1..3).array("a", &ndarray::arr1(&[1i16, 2, 3])).unwrap_err();
    /// assert_eq!(e.to_string(), "shape of attribute `a`: expected [2], found [3]");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such attribute, its values are of another type or variable, or the array has another shape.
    pub fn array<T: Element, D: Dimension>(
        mut self,
        attribute: &str,
        array: &ArrayRef<T, D>,
    ) -> Result<Self> {
        let schema = &self.array.schema;
        let own = &schema.attributes[schema.place_of(attribute)?];
        let (datatype, cell_val_num) = (own.datatype, own.cell_val_num);
        if datatype.number_type() != Some(T::TYPE) {
            let (of, found) = (format!("attribute `{attribute}`"), core::any::type_name::<T>());
            return Err(ErrorKind::mismatch(of, datatype.to_string(), found).into());
        }
        let values_per_cell = cell_val_num.fixed().filter(|n| *n > 1).map(|n| n as usize);
        let shape: Vec<usize> = self.new.shape(schema)?.into_iter().chain(values_per_cell).collect();
        if array.shape() != shape {
            let of = format!("shape of attribute `{attribute}`");
            let (expected, found) = (format!("{shape:?}"), format!("{:?}", array.shape()));
            return Err(ErrorKind::mismatch(of, expected, found).into());
        }
        let column =
            Column::fixed(datatype, cell_val_num, Numbers::from(array.iter().copied().collect::<Vec<T>>()));
        let column = whole(column, own)?;
        self.new.columns.push((attribute.into(), column));
        self.new.row_major = true;
        Ok(self)
    }
}

impl NewCells {
    /// How many cells of each dimension are written.
    fn shape(&self, schema: &ArraySchema) -> Result<Vec<usize>> {
        if schema.array_type != ArrayType::Dense {
            return Err(ErrorKind::unsupported("a sparse array", "arrays of `ndarray`").into());
        }
        let keys = self.keys(schema)?;
        let len = |[low, high]: &[i128; 2]| {
            usize::try_from(high - low + 1).map_err(|_| ErrorKind::TooLarge { of: "the region" })
        };
        Ok(region(&keys, schema).iter().map(len).collect::<Result<_, ErrorKind>>()?)
    }
}
