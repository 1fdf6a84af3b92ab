//! Columns as plain tuples of Python over their memory: what the Python half makes arrays of.

use crate::failure::{Failure, Result};
use crate::memory::{Memory, Strings};
use crate::patience::every;
use crate::value;
use binfmt::columns::{Column, ColumnData};
use binfmt::numbers::{Element, NumberType, Numbers};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A tuple of what the column is, then its parts.
pub(crate) fn of<'py>(py: Python<'py>, column: Column) -> Result<Bound<'py, PyAny>> {
    let all = match column {
        Column::Numbers(numbers) => return of_numbers(py, numbers),
        Column::Text(v) => ("text", Strings::new(v, true)).into_pyobject(py)?,
        Column::Bytes(v) => ("bytes", Strings::new(v, false)).into_pyobject(py)?,
        Column::FixedBytes { size, rows, bytes } => {
            ("fixed_bytes", size, rows, Memory::of(bytes)).into_pyobject(py)?
        }
        Column::Nullable(v) | Column::Optional(v) => {
            let present = v.present();
            let (codes, values) = v.into_parts();
            ("nullable", present, Memory::of(codes), of(py, values)?).into_pyobject(py)?
        }
        Column::List(v) => {
            let (offsets, items) = v.into_parts();
            ("list", Memory::of_places(offsets), of(py, items)?).into_pyobject(py)?
        }
        Column::Array { len, rows, items } => ("array", len, rows, of(py, *items)?).into_pyobject(py)?,
        Column::Record { rows, fields } => {
            let named = PyList::empty(py);
            for (name, field) in fields {
                named.append((name.as_str(), of(py, field)?))?;
            }
            ("record", rows, named).into_pyobject(py)?
        }
        Column::Shaped { shapes, items } => {
            let ((ranks, sizes), (offsets, items)) = (shapes.into_parts(), items.into_parts());
            let shapes = (Memory::of_places(ranks), Memory::of(sizes));
            ("shaped", shapes, Memory::of_places(offsets), of(py, items)?).into_pyobject(py)?
        }
        other => return objects(py, &other),
    };
    Ok(all.into_any())
}

fn of_numbers<'py>(py: Python<'py>, numbers: Numbers) -> Result<Bound<'py, PyAny>> {
    fn kept<'py, T: Element>(py: Python<'py>, v: Vec<T>) -> Result<Bound<'py, PyAny>> {
        Ok(("numbers", Memory::of(v)).into_pyobject(py)?.into_any())
    }
    match numbers {
        Numbers::U8(v) => kept(py, v),
        Numbers::U16(v) => kept(py, v),
        Numbers::U32(v) => kept(py, v),
        Numbers::U64(v) => kept(py, v),
        Numbers::I8(v) => kept(py, v),
        Numbers::I16(v) => kept(py, v),
        Numbers::I32(v) => kept(py, v),
        Numbers::I64(v) => kept(py, v),
        Numbers::F16(v) => kept(py, v),
        Numbers::F32(v) => kept(py, v),
        Numbers::F64(v) => kept(py, v),
        Numbers::Bool(v) => kept(py, v),
        // NumPy has no integers of 128 bits
        wide => objects(py, &Column::Numbers(wide)),
    }
}

/// Row by row as objects of Python.
fn objects<'py>(py: Python<'py>, column: &Column) -> Result<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for row in 0..column.len() {
        every(py, row)?;
        let cell = column.get(row).ok_or_else(|| Failure::other("a column has lost a row"))?;
        list.append(value::to_python(py, &cell.try_to_value()?)?)?;
    }
    Ok(("objects", list).into_pyobject(py)?.into_any())
}

/// Columns of numbers, those of one type in one memory.
#[derive(Default)]
pub(crate) struct Blocks(Vec<(Vec<usize>, Numbers)>);

impl Blocks {
    /// Adds a column, which has this place; or gives it back, if NumPy has no such numbers.
    pub(crate) fn add(&mut self, place: usize, column: Numbers) -> Option<Numbers> {
        let kind = column.number_type();
        if matches!(kind, NumberType::I128 | NumberType::U128) {
            return Some(column);
        }
        match self.0.iter_mut().find(|(_, numbers)| numbers.number_type() == kind) {
            Some((places, numbers)) => {
                places.push(place);
                numbers.append(&column);
            }
            None => self.0.push((vec![place], column)),
        }
        None
    }

    /// The places of each block, and its parts.
    pub(crate) fn into_parts(self, py: Python<'_>) -> Result<Vec<(Vec<usize>, Bound<'_, PyAny>)>> {
        let parts = |(places, numbers)| Ok((places, of(py, Column::Numbers(numbers))?));
        self.0.into_iter().map(parts).collect()
    }
}
