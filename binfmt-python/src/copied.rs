//! Copies of what a file or an argument makes large: without memory for them they are errors.

use crate::failure::Result;
use binfmt::columns::Column;
use binfmt::numbers::Numbers;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The error of a vector for which there is no memory.
fn no_memory(bytes: usize) -> binfmt::Error {
    binfmt::ErrorKind::OutOfMemory { requested: bytes }.into()
}

/// Items of an iterator that says how many there are.
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(items.len()).map_err(|_| no_memory(items.len().saturating_mul(size_of::<T>())))?;
    all.extend(items);
    Ok(all)
}

/// Bytes.
pub(crate) fn bytes(from: &[u8]) -> Result<Vec<u8>> {
    collected(from.iter().copied())
}

/// Numbers.
pub(crate) fn numbers(from: &Numbers) -> Result<Column> {
    let mut column = Column::Numbers(Numbers::new(from.number_type()));
    column.reserve(from.len())?;
    if let Column::Numbers(numbers) = &mut column {
        numbers.append(from);
    }
    Ok(column)
}

/// Bytes as an object of Python.
pub(crate) fn to_python<'py>(py: Python<'py>, from: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, from.len(), |to| {
        to.copy_from_slice(from);
        Ok(())
    })
}
