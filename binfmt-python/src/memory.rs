//! Memory of columns that NumPy sees as it is.
//!
//! A [`Memory`] owns a vector that no Rust code looks at any more: Python may write into it. [`Strings`] are looked at again, so that
//! their memory can only be read.

use crate::copied;
use crate::patience::every;
use binfmt::columns::BytesColumn;
use binfmt::numbers::{Element, Numbers};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::mem;

/// Numbers beside each other, as `__array_interface__` says.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Memory {
    address: usize,
    rows: usize,
    typestr: String,
    /// Keeps the memory; nobody looks into it.
    owner: Numbers,
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
        Memory { address, rows: v.len(), typestr: typestr::<T>(), owner: v.into() }
    }

    /// The same for numbers of places, of whatever width they are.
    pub(crate) fn of_places(v: Vec<usize>) -> Self {
        Memory::of(v.into_iter().map(|place| place as i64).collect())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        mem::replace(&mut self.owner, Numbers::U8(Vec::new())).recycle();
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

/// How many objects are remembered.
const SEEN: usize = 256;

/// Where one of these bytes is remembered.
fn slot_of(bytes: &[u8]) -> usize {
    let start = bytes.first_chunk().map_or_else(
        || bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
        |start| u64::from_le_bytes(*start),
    );
    let end = bytes.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    let mixed = (start ^ end.rotate_left(29) ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as usize
}

#[pymethods]
impl Strings {
    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// All of them: `str`, in which a byte that is not UTF-8 is a lone surrogate (as in names of files), or `bytes`.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        // names are often those of other rows: objects that cannot be changed may be the same
        let mut made: Vec<Option<(usize, Bound<'py, PyAny>)>> = vec![None; SEEN];
        for row in 0..self.column.len() {
            every(py, row)?;
            let bytes = self.column.get(row).unwrap_or_default();
            let slot = &mut made[slot_of(bytes)];
            if let Some((same, object)) = slot
                && self.column.get(*same) == Some(bytes)
            {
                list.append(&*object)?;
                continue;
            }
            let object = match self.is_text {
                true => text(py, bytes)?.into_any(),
                false => copied::to_python(py, bytes)?.into_any(),
            };
            list.append(&object)?;
            *slot = Some((row, object));
        }
        Ok(list)
    }
}

/// Bytes as text.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let text = copied::to_python(py, bytes)?.call_method1("decode", ("utf-8", "surrogateescape"))?;
            Ok(text.cast_into::<PyString>()?)
        }
    }
}
