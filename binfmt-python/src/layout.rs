//! Layouts of the user.

use crate::copied;
use crate::failure::{Failure, Result};
use crate::headroom;
use crate::patience::{every, patiently};
use crate::trace;
use crate::value::{from_python, to_python};
use binfmt::schema::{ByteOrder, Choice, Description, Record, Schema, Type};
use binfmt::value::{Program, Value};
use binfmt::{Endian, Options, Step};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use std::collections::HashSet;
use std::sync::Arc;

/// Values, or their bytes, that are decoded before they become objects.
const VALUES_AT_ONCE: usize = 1024;
const BYTES_AT_ONCE: u64 = 1 << 16;

/// A layout, ready to be used.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Layout {
    program: Arc<Program>,
    endian: Endian,
}

impl Layout {
    fn options(&self) -> Options<&Program> {
        options(&self.program, self.endian)
    }

    /// The description, which says the byte order of what it leaves open.
    fn schema(&self) -> Schema {
        let mut description = self.program.description().clone();
        set_order(
            &mut description,
            if self.endian == Endian::Big { ByteOrder::Big } else { ByteOrder::Little },
        );
        Schema::from(description)
    }

    /// What is done with bytes, which may be many.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        bytes: PyBackedBytes,
        work: impl FnOnce(&[u8], &Options<&Program>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (program, endian) = (Arc::clone(&self.program), self.endian);
        patiently(py, bytes.len() as u64, move || {
            work(&bytes, &headroom::options(options(&program, endian), bytes.len()))
        })
    }
}

fn options(program: &Program, endian: Endian) -> Options<&Program> {
    Options::new().endian(endian).ctx(program)
}

/// A value has this order where nothing says another: its own type says it for all that is in it.
fn set_order(description: &mut Description, all: ByteOrder) {
    let mut root = &mut description.root;
    if let Type::Named(name) = root
        && let Some(named) = description.definitions.get_mut(name)
    {
        root = named;
    }
    match root {
        Type::Record(Record { order, .. }) | Type::Choice(Choice { order, .. }) => {
            order.get_or_insert(all);
        }
        Type::Ordered { .. } => {}
        other => {
            let body = Box::new(std::mem::replace(other, Type::Named(String::new())));
            *other = Type::Ordered { order: all, body };
        }
    }
}

/// A description from its text or its JSON.
fn description(text: &str) -> Result<Description> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(Failure::other);
    }
    text.parse().map_err(Failure::other)
}

/// Refuses two fields of one name in a record: its value is a dict.
fn named_once(description: &Description) -> Result<()> {
    for ty in description.definitions.values().chain([&description.root]) {
        let Type::Record(Record { name, fields, .. }) = ty else { continue };
        let mut known = HashSet::new();
        let twice = fields.iter().find(|field| !field.name.is_empty() && !known.insert(field.name.as_str()));
        if let Some(field) = twice {
            return Err(Failure::other(format!("two fields of `{name}` are called `{}`", field.name)));
        }
    }
    Ok(())
}

#[pymethods]
impl Layout {
    #[new]
    fn new(py: Python<'_>, text: &str, big: bool) -> Result<Layout> {
        py.detach(|| {
            let description = description(text)?;
            named_once(&description)?;
            let program = Program::new(&description).map_err(Failure::other)?;
            Ok(Layout { program: Arc::new(program), endian: if big { Endian::Big } else { Endian::Little } })
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

    /// That of the description as it is, if what it leaves open is little-endian: as the derived type and the command have it.
    fn fingerprint(&self) -> String {
        let schema = match self.endian {
            Endian::Big => self.schema(),
            _ => Schema::from(self.program.description().clone()),
        };
        schema.fingerprint().to_string()
    }

    /// What differs in another layout: where, what is expected, what is found.
    fn differences(&self, other: &Layout) -> Vec<(String, String, String)> {
        let Err(found) = self.schema().check(&other.schema()) else { return Vec::new() };
        let of = |d: &binfmt::schema::Difference| {
            (d.path().to_owned(), d.expected().to_owned(), d.found().to_owned())
        };
        found.list().iter().map(of).collect()
    }

    /// The value of which these are the bytes.
    fn decode<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> Result<Bound<'py, PyAny>> {
        let decode = |bytes: &[u8], options: &Options<&Program>| {
            Ok(binfmt::from_slice_with(bytes, options).map_err(headroom::told)?)
        };
        let value: Value = self.work(py, bytes, decode)?;
        to_python(py, &value)
    }

    /// The value at the beginning, and how many bytes it has.
    fn decode_prefix<'py>(
        &self,
        py: Python<'py>,
        bytes: PyBackedBytes,
    ) -> Result<(Bound<'py, PyAny>, usize)> {
        let (value, len): (Value, usize) = self.work(py, bytes, |bytes, options| {
            let (value, rest) = binfmt::from_prefix_with(bytes, options).map_err(headroom::told)?;
            Ok((value, bytes.len().saturating_sub(rest.len())))
        })?;
        Ok((to_python(py, &value)?, len))
    }

    /// All values, one after the other. Some are decoded, then made objects, so that Ctrl-C is heard between and memory holds only the objects.
    fn decode_all<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> Result<Bound<'py, PyList>> {
        let (list, options) = (PyList::empty(py), headroom::options(self.options(), bytes.len()));
        let mut records = binfmt::records_with::<Value, _>(&bytes, &options);
        loop {
            let some: Vec<Value> = py.detach(|| {
                let end = records.offset().saturating_add(BYTES_AT_ONCE);
                let mut some = Vec::new();
                while records.offset() < end && some.len() < VALUES_AT_ONCE {
                    let Some(value) = records.next() else { break };
                    some.push(value.map_err(headroom::told)?);
                }
                Ok::<_, Failure>(some)
            })?;
            if some.is_empty() {
                return Ok(list);
            }
            py.check_signals()?;
            headroom::check(0)?;
            for value in &some {
                list.append(to_python(py, value)?)?;
            }
        }
    }

    /// The bytes of a value.
    fn encode<'py>(&self, py: Python<'py>, object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        let value = from_python(object, &self.program)?;
        let bytes = py.detach(|| binfmt::to_vec_with(&value, &self.options()))?;
        Ok(copied::to_python(py, &bytes)?)
    }

    /// The bytes of values, one after the other.
    fn encode_all<'py>(&self, py: Python<'py>, objects: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        let mut values = Vec::new();
        for (index, object) in objects.try_iter()?.enumerate() {
            every(py, index)?;
            headroom::every(index)?;
            let requested = size_of::<Value>();
            values
                .try_reserve(1)
                .map_err(|_| binfmt::Error::from(binfmt::ErrorKind::OutOfMemory { requested }))?;
            values.push(from_python(&object?, &self.program).map_err(|e| e.within(Step::Index(index)))?);
        }
        let bytes = py.detach(|| binfmt::encode_all_with(&values, &self.options()))?;
        Ok(copied::to_python(py, &bytes)?)
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
        let most = lines.unwrap_or(usize::MAX);
        let traces = self.work(py, bytes, move |bytes, options| trace::traces(bytes, options, most))?;
        trace::dump(py, &traces, color, depth, most)
    }
}
