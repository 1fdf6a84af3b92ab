//! Layouts of the user.

use crate::failure::{Failure, Result};
use crate::trace;
use crate::value::{from_python, to_python};
use binfmt::schema::{Description, Schema};
use binfmt::value::{Program, Value};
use binfmt::{Endian, Options};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};

/// A layout, ready to be used.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Layout {
    program: Program,
    endian: Endian,
}

impl Layout {
    fn options(&self) -> Options<&Program> {
        Options::new().endian(self.endian).ctx(&self.program)
    }

    fn schema(&self) -> Schema {
        Schema::from(self.program.description().clone())
    }
}

/// A description from its text or its JSON.
fn description(text: &str) -> Result<Description> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(Failure::other);
    }
    text.parse().map_err(Failure::other)
}

#[pymethods]
impl Layout {
    #[new]
    fn new(py: Python<'_>, text: &str, big: bool) -> Result<Layout> {
        py.detach(|| {
            let program = Program::new(&description(text)?).map_err(Failure::other)?;
            Ok(Layout { program, endian: if big { Endian::Big } else { Endian::Little } })
        })
    }

    /// As text.
    fn text(&self) -> String {
        self.program.description().to_string()
    }

    /// As JSON.
    fn json(&self) -> Result<String> {
        serde_json::to_string(self.program.description()).map_err(Failure::other)
    }

    fn fingerprint(&self) -> String {
        self.schema().fingerprint().to_string()
    }

    /// What differs in another layout: where, what is expected, what is found.
    fn differences(&self, other: &Layout) -> Vec<(String, String, String, String)> {
        let Err(found) = self.schema().check(&other.schema()) else { return Vec::new() };
        let of = |d: &binfmt::schema::Difference| {
            (d.path().to_owned(), d.expected().to_owned(), d.found().to_owned(), d.to_string())
        };
        found.list().iter().map(of).collect()
    }

    /// The value of which these are the bytes.
    fn decode<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> Result<Bound<'py, PyAny>> {
        let value: Value = py.detach(|| binfmt::from_slice_with(&bytes, &self.options()))?;
        to_python(py, &value)
    }

    /// The value at the beginning, and how many bytes it has.
    fn decode_prefix<'py>(
        &self,
        py: Python<'py>,
        bytes: PyBackedBytes,
    ) -> Result<(Bound<'py, PyAny>, usize)> {
        let (value, rest): (Value, usize) = py.detach(|| {
            binfmt::from_prefix_with(&bytes, &self.options()).map(|(value, rest)| (value, rest.len()))
        })?;
        Ok((to_python(py, &value)?, bytes.len().saturating_sub(rest)))
    }

    /// All values, one after the other.
    fn decode_all<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> Result<Bound<'py, PyList>> {
        let values: Vec<Value> = py.detach(|| binfmt::decode_all_with(&bytes, &self.options()))?;
        let list = PyList::empty(py);
        for value in &values {
            list.append(to_python(py, value)?)?;
        }
        Ok(list)
    }

    /// The bytes of a value.
    fn encode<'py>(&self, py: Python<'py>, object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        let value = from_python(object, &self.program)?;
        let bytes = py.detach(|| binfmt::to_vec_with(&value, &self.options()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes of values, one after the other.
    fn encode_all<'py>(&self, py: Python<'py>, objects: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        let mut values = Vec::new();
        for object in objects.try_iter()? {
            values.push(from_python(&object?, &self.program)?);
        }
        let bytes = py.detach(|| binfmt::encode_all_with(&values, &self.options()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// What each byte is: the text of a dump and its nodes.
    fn dump<'py>(
        &self,
        py: Python<'py>,
        bytes: PyBackedBytes,
        color: bool,
        depth: Option<usize>,
        lines: Option<usize>,
    ) -> Result<trace::Dump<'py>> {
        trace::dump(py, &bytes, &self.options(), color, depth, lines)
    }
}
