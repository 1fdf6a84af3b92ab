//! What a call can end with: an error of the library becomes `binfmt.Error`, those of Python stay what they are.

use crate::source::Named;
use binfmt::{ErrorKind, Step};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use std::convert::Infallible;

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// An error on its way to Python.
#[derive(Debug)]
pub(crate) enum Failure {
    Format(binfmt::Error),
    /// The same in a file, or in bytes that have a name.
    In(binfmt::Error, Named),
    Python(PyErr),
}

impl From<binfmt::Error> for Failure {
    fn from(e: binfmt::Error) -> Self {
        // what Python has raised while the library ran, such as at Ctrl-C
        match e.downcast::<PyErr>() {
            Ok(raised) => Failure::Python(*raised),
            Err(e) => Failure::Format(e),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(e: PyErr) -> Self {
        Failure::Python(e)
    }
}

impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Failure {
    /// An error without a place.
    pub(crate) fn other(text: impl std::fmt::Display) -> Self {
        Failure::Format(binfmt::Error::other(text.to_string()))
    }

    /// Whether it is an error whose path begins with this name.
    pub(crate) fn begins_with(&self, name: &str) -> bool {
        let Failure::Format(e) = self else { return false };
        matches!(e.path().steps().next(), Some(Step::Name(first)) if first == name)
    }

    /// The same in a field or element, if it is an error of the library.
    pub(crate) fn within(self, step: Step) -> Self {
        match self {
            Failure::Format(e) => Failure::Format(e.within(step)),
            other => other,
        }
    }

    /// The same of this file, if it is an error of the library.
    pub(crate) fn named(self, name: &Named) -> Self {
        match self {
            Failure::Format(e) => Failure::In(e, name.clone()),
            other => other,
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Python(e) => e,
            Failure::Format(e) => Python::attach(|py| raised(py, &e, None).unwrap_or_else(|e| e)),
            Failure::In(e, name) => Python::attach(|py| raised(py, &e, Some(&name)).unwrap_or_else(|e| e)),
        }
    }
}

/// The function of Python that makes the exception.
static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn raised(py: Python<'_>, e: &binfmt::Error, name: Option<&Named>) -> PyResult<PyErr> {
    let make = MAKE.import(py, "binfmt._error", "_made")?;
    let about = PyDict::new(py);
    let path = path(e, name);
    let place = match (path.is_empty(), e.offset()) {
        (true, None) => String::new(),
        (false, None) => format!("{path}: "),
        (true, Some(offset)) => format!("at byte {offset:#x}: "),
        (false, Some(offset)) => format!("{path} at byte {offset:#x}: "),
    };
    let shown = name.map_or(String::new(), |name| format!("{}: ", name.shown));
    about.set_item("filename", name.and_then(|name| name.file.as_deref()))?;
    about.set_item("kind", kind(e.kind()))?;
    about.set_item("offset", e.offset())?;
    about.set_item("path", path)?;
    if let ErrorKind::Io(io) = e.kind() {
        about.set_item("errno", io.raw_os_error())?;
        if io.kind() == std::io::ErrorKind::OutOfMemory {
            about.set_item("kind", "OutOfMemory")?;
        }
    }
    let mut text = format!("{shown}{place}{}", e.kind());
    if let ErrorKind::OutOfMemory { requested } = e.kind()
        && *requested >= 1 << 20
    {
        text.push_str(&format!(" ({})", large(*requested)));
    }
    Ok(PyErr::from_value(make.call((text,), Some(&about))?))
}

/// A number of bytes, as NumPy says it.
fn large(bytes: usize) -> String {
    let (unit, name) = if bytes >= 1 << 30 { (1u64 << 30, "GiB") } else { (1 << 20, "MiB") };
    format!("{:.1} {name}", bytes as f64 / unit as f64)
}

/// Where in the file: the path without the name of the file, which the library says where it is the one that opens it.
fn path(e: &binfmt::Error, name: Option<&Named>) -> String {
    let path = e.path().to_string();
    let Some((Step::Name(first), name)) = e.path().steps().next().zip(name) else { return path };
    if !name.is(first) {
        return path;
    }
    let rest = path.strip_prefix(first.as_str()).unwrap_or(&path);
    rest.strip_prefix('.').unwrap_or(rest).to_owned()
}

/// The name of the kind, as in the documentation of the library.
fn kind(kind: &ErrorKind) -> String {
    use std::fmt::Write;
    /// Takes the name and refuses the rest.
    struct Name(String);
    impl Write for Name {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let name = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
            self.0.push_str(text.get(..name).unwrap_or_default());
            if name < text.len() { Err(std::fmt::Error) } else { Ok(()) }
        }
    }
    let mut name = Name(String::new());
    // it stops at the first character that is not of the name
    let _ = write!(name, "{kind:?}");
    name.0
}
