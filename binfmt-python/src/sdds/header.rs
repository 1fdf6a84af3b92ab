//! The header as a dict, in both directions.

use crate::failure::{Failure, Result};
use crate::memory::text;
use binfmt::Endian;
use binfmt::formats::sdds::{Array, Column, DataType, Definition, Header, Mode, Parameter, Text};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What a header says.
pub(super) fn to_dict<'py>(py: Python<'py>, header: &Header) -> Result<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("version", header.version)?;
    put(&dict, "description", &header.text)?;
    put(&dict, "contents", &header.contents)?;
    dict.set_item("mode", header.mode.name())?;
    dict.set_item("endian", header.endian.map(|order| if order == Endian::Big { "big" } else { "little" }))?;
    dict.set_item("column_major", header.column_major)?;
    dict.set_item("no_row_counts", header.no_row_counts)?;
    dict.set_item("lines_per_row", header.lines_per_row)?;
    if !header.dialect.is_empty() {
        let found = header.dialect.iter().map(|found| (found.command, &found.name, &found.type_name));
        dict.set_item("dialect", found.collect::<Vec<_>>())?;
    }
    dict.set_item("parameters", definitions(py, &header.parameters, |_, _| Ok(()))?)?;
    let dimensions = |dict: &Bound<'py, PyDict>, array: &Array| dict.set_item("dimensions", array.dimensions);
    dict.set_item("arrays", definitions(py, &header.arrays, dimensions)?)?;
    dict.set_item("columns", definitions(py, &header.columns, |_, _| Ok(()))?)?;
    Ok(dict)
}

fn put(dict: &Bound<'_, PyDict>, key: &str, of: &Option<Text>) -> Result<()> {
    if let Some(found) = of {
        dict.set_item(key, text(dict.py(), found.as_bytes())?)?;
    }
    Ok(())
}

fn definitions<'py, D: Definition>(
    py: Python<'py>,
    all: &[D],
    more: impl Fn(&Bound<'py, PyDict>, &D) -> PyResult<()>,
) -> Result<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for definition in all {
        let dict = PyDict::new(py);
        dict.set_item("name", definition.name())?;
        dict.set_item("type", definition.data_type().name())?;
        for (tag, text) in D::TAGS.iter().zip(definition.texts()) {
            put(&dict, tag, text)?;
        }
        more(&dict, definition)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The header that a dict says.
pub(super) fn from_dict(dict: &Bound<'_, PyDict>) -> Result<Header> {
    let mode: String = said(dict, "mode")?.unwrap_or_else(|| "binary".to_owned());
    let mode = match mode.as_str() {
        "ascii" => Mode::Ascii,
        "binary" => Mode::Binary,
        other => return Err(Failure::other(format!("unknown mode {other:?}; expected ascii or binary"))),
    };
    let mut header = Header::new(mode);
    header.text = words(dict, "description")?;
    header.contents = words(dict, "contents")?;
    header.column_major = said(dict, "column_major")?.unwrap_or(false);
    header.no_row_counts = said(dict, "no_row_counts")?.unwrap_or(false);
    match said::<String>(dict, "endian")?.as_deref() {
        Some("big") => header.endian = Some(Endian::Big),
        Some("little") => header.endian = Some(Endian::Little),
        Some(other) => {
            return Err(Failure::other(format!("unknown byte order {other:?}; expected little or big")));
        }
        None => {}
    }
    header.parameters = all(dict, "parameters", |name, kind, _| Ok(Parameter::new(name, kind)))?;
    header.arrays = all(dict, "arrays", |name, kind, dict| {
        Ok(Array::new(name, kind, said(dict, "dimensions")?.unwrap_or(1)))
    })?;
    header.columns = all(dict, "columns", |name, kind, _| Ok(Column::new(name, kind)))?;
    header.version = header.required_version();
    Ok(header)
}

fn said<'py, T>(dict: &Bound<'py, PyDict>, key: &str) -> Result<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    match dict.get_item(key)? {
        Some(found) if !found.is_none() => Ok(Some(found.extract()?)),
        _ => Ok(None),
    }
}

fn words(dict: &Bound<'_, PyDict>, key: &str) -> Result<Option<Text>> {
    let Some(found) = dict.get_item(key)?.filter(|found| !found.is_none()) else { return Ok(None) };
    let bytes = found.str()?.call_method1("encode", ("utf-8", "surrogateescape"))?;
    Ok(Some(Text::new(bytes.extract::<Vec<u8>>()?)))
}

fn all<D: Definition>(
    dict: &Bound<'_, PyDict>,
    key: &str,
    make: impl Fn(String, DataType, &Bound<'_, PyDict>) -> Result<D>,
) -> Result<Vec<D>> {
    let Some(list) = dict.get_item(key)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for item in list.try_iter()? {
        let item = item?;
        let dict = item.cast::<PyDict>().map_err(PyErr::from)?;
        let name =
            said(dict, "name")?.ok_or_else(|| Failure::other(format!("one of the {key} has no name")))?;
        let kind: String = said(dict, "type")?.unwrap_or_default();
        let kind =
            DataType::named(&kind).ok_or_else(|| Failure::other(format!("unknown type {kind:?} of SDDS")))?;
        let mut definition = make(name, kind, dict)?;
        for (tag, into) in D::TAGS.iter().zip(definition.texts_mut()) {
            *into = words(dict, tag)?;
        }
        found.push(definition);
    }
    Ok(found)
}
