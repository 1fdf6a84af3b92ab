//! Values as plain objects of Python.

use crate::copied;
use crate::failure::Result;
use crate::headroom;
use crate::parts;
use crate::patience::every;
use crate::table::number;
use binfmt::value::{Elements, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

/// Numbers, `str`, `bytes`, `None`, lists, dicts and NumPy arrays; a missing value whose code is not 0 is a `binfmt.Missing`, a variant
/// `{name: fields}`, or its name where it has no fields.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Unit | Value::Absent | Value::Missing(0) => py.None().into_bound(py),
        Value::Number(n) => number(py, *n)?,
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Bytes(bytes) => copied::to_python(py, bytes)?.into_any(),
        Value::Missing(code) => missing(py, *code)?,
        Value::List(values) => list(py, values)?.into_any(),
        Value::Array { shape, values } => array(py, shape, values)?,
        Value::Record(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields.iter() {
                dict.set_item(name.as_str(), to_python(py, value)?)?;
            }
            dict.into_any()
        }
        Value::Variant { name, value } if **value == Value::Unit => {
            PyString::new(py, name.as_str()).into_any()
        }
        Value::Variant { name, value } => {
            let dict = PyDict::new(py);
            dict.set_item(name.as_str(), to_python(py, value)?)?;
            dict.into_any()
        }
        other => PyString::new(py, &format!("{other:?}")).into_any(),
    })
}

fn list<'py>(py: Python<'py>, values: &[Value]) -> Result<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (index, value) in values.iter().enumerate() {
        every(py, index)?;
        headroom::one_more()?;
        list.append(to_python(py, value)?)?;
    }
    Ok(list)
}

static MISSING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn missing(py: Python<'_>, code: u8) -> Result<Bound<'_, PyAny>> {
    Ok(MISSING.import(py, "binfmt._missing", "Missing")?.call1((code,))?)
}

static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn array<'py>(py: Python<'py>, shape: &[u64], values: &Elements) -> Result<Bound<'py, PyAny>> {
    let parts = match values.numbers() {
        Some(numbers) => parts::of(py, copied::numbers(numbers)?)?,
        None => {
            let objects = PyList::empty(py);
            for (index, value) in values.iter().enumerate() {
                every(py, index)?;
                headroom::one_more()?;
                objects.append(to_python(py, &value)?)?;
            }
            ("objects", objects).into_pyobject(py)?.into_any()
        }
    };
    let made = ARRAY.import(py, "binfmt._arrays", "shaped")?;
    Ok(made.call1((parts, shape.to_vec()))?)
}
