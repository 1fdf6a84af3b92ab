//! Memory of columns that NumPy sees as it is.
//!
//! A [`Memory`] owns a vector that no Rust code looks at any more: Python may write into it. [`Strings`] are looked at again, so that
//! their memory can only be read.

use crate::patience::every;
use binfmt::columns::BytesColumn;
use binfmt::numbers::Element;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::any::Any;

/// Numbers beside each other, as `__array_interface__` says.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Memory {
    address: usize,
    rows: usize,
    typestr: String,
    /// Keeps the memory; nobody looks into it.
    _owner: Box<dyn Any + Send + Sync>,
}

/// What NumPy calls a type of numbers: its byte order, kind and size.
pub(crate) fn typestr<T: Element>() -> String {
    let kind = match T::TYPE {
        binfmt::numbers::NumberType::Bool => 'b',
        kind if kind.is_float() => 'f',
        kind if kind.is_signed() => 'i',
        _ => 'u',
    };
    let order = match (T::TYPE.size(), cfg!(target_endian = "little")) {
        (1, _) => '|',
        (_, true) => '<',
        (_, false) => '>',
    };
    format!("{order}{kind}{}", T::TYPE.size())
}

impl Memory {
    pub(crate) fn of<T: Element>(mut v: Vec<T>) -> Self {
        let address = v.as_mut_ptr().expose_provenance();
        Memory { address, rows: v.len(), typestr: typestr::<T>(), _owner: Box::new(v) }
    }

    /// The same for numbers of places, of whatever width they are.
    pub(crate) fn of_places(v: Vec<usize>) -> Self {
        Memory::of(v.into_iter().map(|place| place as i64).collect())
    }
}

fn interface<'py>(
    py: Python<'py>,
    (address, readonly): (usize, bool),
    rows: usize,
    typestr: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("typestr", typestr)?;
    interface.set_item("shape", (rows,))?;
    interface.set_item("data", (address, readonly))?;
    Ok(interface)
}

#[pymethods]
impl Memory {
    fn __len__(&self) -> usize {
        self.rows
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        interface(py, (self.address, false), self.rows, &self.typestr)
    }
}

/// Texts or bytes of any length.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Strings {
    column: BytesColumn,
    is_text: bool,
}

impl Strings {
    pub(crate) fn new(column: BytesColumn, is_text: bool) -> Self {
        Strings { column, is_text }
    }
}

#[pymethods]
impl Strings {
    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// All of them: `str`, in which a byte that is not UTF-8 is a lone surrogate (as in names of files), or `bytes`.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in 0..self.column.len() {
            every(py, row)?;
            let bytes = self.column.get(row).unwrap_or_default();
            match self.is_text {
                true => list.append(text(py, bytes)?)?,
                false => list.append(PyBytes::new(py, bytes))?,
            }
        }
        Ok(list)
    }
}

/// Bytes as text.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let text = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogateescape"))?;
            Ok(text.cast_into::<PyString>()?)
        }
    }
}
