//! Files made of pages.

use super::header;
use crate::copied;
use crate::failure::{Failure, Result};
use crate::incoming;
use binfmt::formats::sdds::{ArrayValue, DataType, Elements, Header, Page, Value, Writer};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A page as Python gives it: parameters, arrays with their sizes, and columns, in the order of the header.
type Given<'py> = (Vec<Bound<'py, PyAny>>, Vec<(Vec<usize>, Bound<'py, PyAny>)>, Vec<Bound<'py, PyAny>>);

/// The bytes of a file.
#[pyfunction]
pub(crate) fn sdds_write<'py>(
    py: Python<'py>,
    header: &Bound<'py, PyDict>,
    pages: Vec<Given<'py>>,
) -> Result<Bound<'py, PyBytes>> {
    let header = header::from_dict(header)?;
    let made = pages.iter().map(|page| of_page(&header, page)).collect::<Result<Vec<_>>>()?;
    let bytes = py.detach(|| {
        let mut writer = Writer::new(Vec::new(), header)?;
        made.iter().try_for_each(|page| writer.write_page(page))?;
        Ok::<_, Failure>(writer.finish()?)
    })?;
    Ok(copied::to_python(py, &bytes)?)
}

fn of_page(header: &Header, (parameters, arrays, columns): &Given<'_>) -> Result<Page> {
    let values = header.stored_parameters().zip(parameters).map(|(parameter, parts)| {
        let one = elements(parts, parameter.data_type)?;
        one.get(0).ok_or_else(|| Failure::other(format!("parameter `{}` has no value", parameter.name)))
    });
    let values: Vec<Value> = values.collect::<Result<_>>()?;
    let arrays = header.arrays.iter().zip(arrays).map(|(array, (sizes, parts))| {
        let value = ArrayValue::new(sizes, elements(parts, array.data_type)?);
        value.ok_or_else(|| {
            Failure::other(format!("array `{}`: the sizes are not those of the elements", array.name))
        })
    });
    let arrays: Vec<ArrayValue> = arrays.collect::<Result<_>>()?;
    let columns = header.columns.iter().zip(columns).map(|(column, parts)| elements(parts, column.data_type));
    Ok(Page::new(header, values, arrays, columns.collect::<Result<Vec<_>>>()?)?)
}

fn elements(parts: &Bound<'_, PyAny>, kind: DataType) -> Result<Elements> {
    let column = incoming::column(parts)?;
    Elements::try_from(column).map_err(|_| Failure::other(format!("the values are not of type {kind}")))
}
