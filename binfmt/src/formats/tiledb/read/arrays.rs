//! Attributes of dense results as arrays of the crate `ndarray`.

use super::grid::Grid;
use super::result::Cells;
use crate::formats::tiledb::layout::Layout;
use crate::formats::tiledb::region::strides;
use crate::formats::tiledb::values::Column;
use crate::numbers::{Element, Numbers};
use crate::wire::amount::known;
use crate::{Error, ErrorKind, Result};
use ndarray::{ArrayD, IxDyn, ShapeBuilder};

/// What an array of a column is: the shape of the cells, their order, and the values of a cell.
struct Form {
    cells: Vec<usize>,
    order: Layout,
    values_per_cell: usize,
}

impl Cells {
    /// The values of an attribute as an array of the result's shape.
    ///
    /// Its memory is in the order of the query: the last index runs fastest, or the first where the query is
    /// column-major. Where a cell has several values they are one more dimension, the last.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(3), Number::I8(2)));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x, y]).attribute(Attribute::new("a", Datatype::Float32));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let a = ndarray::arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// array.insert().range("x", 1..=2).range("y", ..=2).array("a", &a)?.write()?;
    /// let cells = array.query().range("x", 1..=2).range("y", ..=2).read()?;
    /// assert_eq!(cells.array::<f32>("a")?, a.into_dyn());
    /// let e = cells.array::<f64>("a").unwrap_err();
    /// assert_eq!(e.to_string(), "attribute `a`: expected f64, found FLOAT32 (f32)");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The result has no such attribute or no shape (it is sparse, or in global order), or the values are of another type or
    /// variable.
    pub fn array<T: Element>(&self, attribute: &str) -> Result<ArrayD<T>> {
        let column = self.column(attribute).ok_or_else(|| missing(attribute))?;
        let form = self.form(attribute, column)?;
        let Some(values) = column.values().as_slice::<T>() else {
            return Err(other_type::<T>(attribute, column));
        };
        form.build(values.to_vec())
    }

    /// The same without a copy of the values: the attribute is taken out of the result.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I8(0), Number::I8(3), Number::I8(2));
    /// let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("a", Datatype::Int16));
    /// let mut cells = Options::new().create(Memory::new(), schema)?.read()?;
    /// assert_eq!(cells.take_array::<i16>("a")?, ndarray::arr1(&[i16::MIN; 4]).into_dyn());
    /// assert!(cells.column("a").is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`array`](Cells::array); the attribute is still there then.
    pub fn take_array<T: Element>(&mut self, attribute: &str) -> Result<ArrayD<T>> {
        let place = self.columns.iter().position(|(name, _)| name == attribute);
        let place = place.ok_or_else(|| missing(attribute))?;
        let column = &self.columns[place].1;
        let form = self.form(attribute, column)?;
        if column.values().number_type() != T::TYPE {
            return Err(other_type::<T>(attribute, column));
        }
        let values = Numbers::into_vec::<T>(self.columns.remove(place).1.into_values());
        form.build(known(values.ok()))
    }

    fn form(&self, attribute: &str, column: &Column) -> Result<Form> {
        let order = self.grid.as_ref().and_then(Grid::layout);
        let (Some(shape), Some(order)) = (self.shape(), order) else {
            let reason = "only row- and column-major results of dense arrays have one";
            return Err(ErrorKind::invalid("shape", "", reason).into());
        };
        match column.cell_val_num().fixed() {
            Some(n) => Ok(Form { cells: shape.to_vec(), order, values_per_cell: n as usize }),
            None => {
                let feature = format!("attribute `{attribute}`, whose cells have any number of values");
                Err(ErrorKind::unsupported("`array`", feature).into())
            }
        }
    }
}

impl Form {
    fn build<T>(&self, values: Vec<T>) -> Result<ArrayD<T>> {
        let n = self.values_per_cell;
        let mut shape = self.cells.clone();
        shape.extend((n > 1).then_some(n));
        let array = match values.is_empty() {
            // the other dimensions may be of any length
            true => ArrayD::from_shape_vec(IxDyn(&shape), values),
            false => {
                let mut steps: Vec<usize> =
                    strides(&self.cells, self.order).into_iter().map(|step| step * n).collect();
                steps.extend((n > 1).then_some(1));
                ArrayD::from_shape_vec(IxDyn(&shape).strides(IxDyn(&steps)), values)
            }
        };
        array.map_err(|e| ErrorKind::invalid("shape", "", e.to_string()).into())
    }
}

#[cold]
fn missing(attribute: &str) -> Error {
    ErrorKind::Missing { of: "attribute", name: attribute.into() }.into()
}

#[cold]
fn other_type<T>(attribute: &str, column: &Column) -> Error {
    let found = format!("{:?}", column.values().number_type()).to_lowercase();
    let found = format!("{} ({found})", column.datatype());
    ErrorKind::mismatch(format!("attribute `{attribute}`"), core::any::type_name::<T>(), found).into()
}
