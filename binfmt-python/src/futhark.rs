//! Futhark's values: several in a file, of any rank.

use crate::copied;
use crate::failure::{Failure, Result};
use crate::parts;
use crate::patience::patiently;
use binfmt::columns::Column;
use binfmt::formats::futhark::{ElementType, OutputStyle, Value, outline_of, read, write};
use binfmt::numbers::{NumberType, Numbers};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};

/// All values of a file: dimensions, type and the parts of the elements of each.
#[pyfunction]
pub(crate) fn futhark_read(py: Python<'_>, bytes: PyBackedBytes) -> Result<Bound<'_, PyList>> {
    let values = patiently(py, bytes.len() as u64, move || Ok(read(&bytes)?))?;
    let list = PyList::empty(py);
    for value in values {
        let kind = value.element_type().name();
        let (dims, elements) = value.into_parts();
        list.append((dims, kind, parts::of(py, Column::Numbers(elements))?))?;
    }
    Ok(list)
}

/// What a file of so many bytes is that begins with these, if it is one binary array of numbers: dimensions, type, and where the elements
/// begin.
#[pyfunction]
pub(crate) fn futhark_body(head: &[u8], size: u64) -> Option<(Vec<u64>, &'static str, u64)> {
    let (outline, at) = outline_of(head).ok()?;
    let (kind, at) = (outline.element_type, u64::try_from(at).ok()?);
    let num = outline.dims.iter().try_fold(1u64, |num, dim| num.checked_mul(*dim))?;
    let each = u64::try_from(kind.number_type().size()).ok()?;
    let end = num.checked_mul(each)?.checked_add(at)?;
    // flags are looked at one by one
    let is_plain = kind != ElementType::Bool && !outline.dims.is_empty();
    (is_plain && end == size).then(|| (outline.dims, kind.name(), at))
}

/// The file of values, each given as dimensions, type and the bytes of its elements, little-endian.
#[pyfunction]
pub(crate) fn futhark_write<'py>(
    py: Python<'py>,
    values: Vec<(Vec<u64>, String, PyBackedBytes)>,
    style: &str,
) -> Result<Bound<'py, PyBytes>> {
    let style = match style {
        "binary" => OutputStyle::Packed,
        "printed" => OutputStyle::Printed,
        "text" => OutputStyle::Text,
        other => {
            return Err(Failure::other(format!("unknown form {other:?}; expected binary, printed or text")));
        }
    };
    let bytes = py.detach(|| {
        let values = values.iter().map(|(dims, kind, bytes)| {
            let kind = NumberType::named(kind).filter(|kind| ElementType::of_number(*kind).is_some());
            let kind = kind.filter(|kind| bytes.len().checked_rem(kind.size()) == Some(0));
            let kind = kind.ok_or_else(|| Failure::other("the bytes are not of numbers that Futhark has"))?;
            let mut elements = Numbers::new(kind);
            elements.extend_from_le_bytes(bytes)?;
            Ok(Value::new(dims.clone(), elements)?)
        });
        Ok::<_, Failure>(write(&values.collect::<Result<Vec<_>>>()?, style)?)
    })?;
    Ok(copied::to_python(py, &bytes)?)
}
