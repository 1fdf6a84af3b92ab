//! Pages, one by one.

use super::header;
use crate::failure::{Failure, Result};
use crate::parts;
use crate::source::Source;
use binfmt::Endian;
use binfmt::formats::sdds::{Compression, Elements, Header, Open, Page, Reader, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// The pages of a file.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Pages {
    source: Source,
    any_names: bool,
    assume: Option<Endian>,
}

/// Which pages, and what of them.
struct Chosen {
    skip: usize,
    take: usize,
    columns: Option<Vec<String>>,
}

impl Pages {
    fn open(&self) -> Open<'static> {
        let open = Open::new().any_names(self.any_names);
        self.assume.map_or(open, |order| open.assume(order))
    }

    /// The header with all columns, and what `visit` makes of the reader.
    fn with<T>(&self, visit: impl Visit<T>) -> Result<T> {
        match &self.source {
            Source::Bytes(bytes) if Compression::of(bytes) == Compression::None => {
                visit.visit(self.open().slice(bytes)?)
            }
            Source::Bytes(bytes) => visit.visit(self.open().packed(&bytes[..])?),
            Source::Path(path) => visit.visit(self.open().file(path)?),
        }
    }
}

/// What is done with a reader, wherever it reads.
trait Visit<T> {
    fn visit<'de, S: binfmt::Source<'de>>(self, reader: Reader<'de, S>) -> Result<T>;
}

struct HeaderOf;

impl Visit<Header> for HeaderOf {
    fn visit<'de, S: binfmt::Source<'de>>(self, reader: Reader<'de, S>) -> Result<Header> {
        Ok(reader.file_header().clone())
    }
}

struct Count;

impl Visit<usize> for Count {
    fn visit<'de, S: binfmt::Source<'de>>(self, mut reader: Reader<'de, S>) -> Result<usize> {
        while reader.skip_page().map_err(binfmt::Error::from)? {}
        Ok(reader.num_read())
    }
}

impl Visit<(Header, Vec<Page>)> for Chosen {
    fn visit<'de, S: binfmt::Source<'de>>(self, mut reader: Reader<'de, S>) -> Result<(Header, Vec<Page>)> {
        if let Some(names) = &self.columns {
            reader = reader.columns(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        let mut pages = Vec::new();
        for _ in 0..self.skip {
            if !reader.skip_page().map_err(binfmt::Error::from)? {
                return Ok((reader.header().clone(), pages));
            }
        }
        while pages.len() < self.take {
            let Some(page) = reader.next_page().map_err(binfmt::Error::from)? else { break };
            pages.push(page);
        }
        Ok((reader.header().clone(), pages))
    }
}

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (source, any_names=false, assume=None))]
    fn new(source: Source, any_names: bool, assume: Option<&str>) -> Result<Pages> {
        let assume = match assume {
            None => None,
            Some("little") => Some(Endian::Little),
            Some("big") => Some(Endian::Big),
            Some(other) => {
                return Err(Failure::other(format!("unknown byte order {other:?}; expected little or big")));
            }
        };
        Ok(Pages { source, any_names, assume })
    }

    /// What the header says.
    fn header<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let header = py.detach(|| self.with(HeaderOf))?;
        header::to_dict(py, &header)
    }

    /// How many pages there are.
    fn count(&self, py: Python<'_>) -> Result<usize> {
        py.detach(|| self.with(Count))
    }

    /// Some pages: of each the number of rows; its parameters; its arrays with their sizes; its columns, by name.
    fn read<'py>(
        &self,
        py: Python<'py>,
        skip: usize,
        take: usize,
        columns: Option<Vec<String>>,
    ) -> Result<Bound<'py, PyList>> {
        let (header, pages) = py.detach(|| self.with(Chosen { skip, take, columns }))?;
        let list = PyList::empty(py);
        for page in pages {
            list.append(of_page(py, &header, page)?)?;
        }
        Ok(list)
    }
}

fn of_page<'py>(py: Python<'py>, header: &Header, page: Page) -> Result<Bound<'py, PyTuple>> {
    let parameters = PyDict::new(py);
    for parameter in &header.parameters {
        if let Some(value) = page.parameter(header, &parameter.name) {
            parameters.set_item(&parameter.name, of_value(py, value)?)?;
        }
    }
    let arrays = PyDict::new(py);
    for (array, value) in header.arrays.iter().zip(page.arrays()) {
        let elements = parts::of(py, value.elements().clone().into())?;
        arrays.set_item(&array.name, (value.sizes().to_vec(), elements))?;
    }
    let rows = page.rows();
    let columns = PyDict::new(py);
    for (column, elements) in header.columns.iter().zip(page.into_columns()) {
        columns.set_item(&column.name, parts::of(py, elements.into())?)?;
    }
    Ok((rows, parameters, arrays, columns).into_pyobject(py)?)
}

/// A value as the parts of a column with one row, so that arrays and parameters are made by the same code.
fn of_value<'py>(py: Python<'py>, value: Value) -> Result<Bound<'py, PyAny>> {
    let kind = value.data_type().ok_or_else(|| Failure::other("a number of no type of SDDS"))?;
    let mut elements = Elements::empty(kind);
    elements.push(value).map_err(|_| Failure::other("a number of another type"))?;
    parts::of(py, elements.into())
}
