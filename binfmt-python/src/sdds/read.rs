//! Pages, one by one.

use super::header;
use crate::failure::{Failure, Result};
use crate::parts;
use crate::patience::Ear;
use crate::source::{Named, Source};
use binfmt::Endian;
use binfmt::formats::sdds::{Elements, Header, Options, Page, PageFront, StreamReader, Unpacked, Value};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::fs::File;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Reads a file that Python names or holds.
enum Opened {
    File(StreamReader<Unpacked<File>>),
    Bytes(StreamReader<Unpacked<Cursor<Shared>>>),
}

/// Bytes of Python that several readers have.
#[derive(Clone)]
struct Shared(Arc<PyBackedBytes>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Where the readers read.
enum Place {
    File(PathBuf),
    Bytes(Shared),
}

/// Some pages, and the reader after them.
type Found = (Opened, Header, Vec<Page>);

/// The pages of a file. Readers are kept where they stopped, so that pages that are asked for one after the other are read once.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Pages {
    place: Place,
    name: Named,
    any_names: bool,
    assume: Option<Endian>,
    known: Mutex<Known>,
}

/// What is known of the file from one call to the next.
#[derive(Default)]
struct Known {
    /// The size and time of the file that it is of.
    stamp: Option<(u64, SystemTime)>,
    /// Where the pages begin that a reader has come to.
    fronts: Vec<PageFront>,
    /// The reader of parameters and arrays, and that of columns, which comes after it.
    readers: [Option<Opened>; 2],
}

impl Opened {
    fn header(&self) -> &Header {
        match self {
            Opened::File(reader) => reader.file_header(),
            Opened::Bytes(reader) => reader.file_header(),
        }
    }

    fn num_read(&self) -> usize {
        match self {
            Opened::File(reader) => reader.num_read(),
            Opened::Bytes(reader) => reader.num_read(),
        }
    }

    fn page_front(&self) -> PageFront {
        match self {
            Opened::File(reader) => reader.page_front(),
            Opened::Bytes(reader) => reader.page_front(),
        }
    }

    fn go_to(&mut self, page: &PageFront) -> binfmt::Result<bool> {
        match self {
            Opened::File(reader) => reader.go_to(page),
            Opened::Bytes(reader) => reader.go_to(page),
        }
    }

    /// Adds where the next page begins.
    fn note(&self, fronts: &mut Vec<PageFront>) {
        if fronts.len() == self.num_read() {
            fronts.push(self.page_front());
        }
    }

    fn skip_page(&mut self) -> binfmt::Result<bool> {
        Ok(match self {
            Opened::File(reader) => reader.skip_page()?,
            Opened::Bytes(reader) => reader.skip_page()?,
        })
    }

    fn next_page(&mut self) -> binfmt::Result<Option<Page>> {
        Ok(match self {
            Opened::File(reader) => reader.next_page()?,
            Opened::Bytes(reader) => reader.next_page()?,
        })
    }

    /// From here on these columns only, and the header that has them only.
    fn columns(self, names: &[&str]) -> binfmt::Result<(Opened, Header)> {
        Ok(match self {
            Opened::File(reader) => {
                let reader = reader.columns(names)?;
                let header = reader.header().clone();
                (Opened::File(reader), header)
            }
            Opened::Bytes(reader) => {
                let reader = reader.columns(names)?;
                let header = reader.header().clone();
                (Opened::Bytes(reader), header)
            }
        })
    }

    /// So many pages after the first `skip` of the file, before which the reader is.
    fn pages(self, skip: usize, take: usize, columns: &[&str], fronts: &mut Vec<PageFront>) -> Result<Found> {
        let (mut reader, header) = self.columns(columns)?;
        let mut pages = Vec::new();
        let mut ear = Ear::new();
        while reader.num_read() < skip {
            ear.listen()?;
            reader.note(fronts);
            if !reader.skip_page()? {
                return Ok((reader, header, pages));
            }
        }
        while pages.len() < take {
            ear.listen()?;
            reader.note(fronts);
            let Some(page) = reader.next_page()? else { break };
            pages.push(page);
        }
        Ok((reader, header, pages))
    }
}

impl Pages {
    fn open(&self) -> Result<Opened> {
        let open = Options::new().any_names(self.any_names);
        let open = self.assume.map_or(open, |order| open.assume(order));
        let opened = match &self.place {
            Place::Bytes(bytes) => Opened::Bytes(open.seekable(Cursor::new(bytes.clone()))?),
            Place::File(path) => Opened::File(open.file(path)?),
        };
        Ok(opened)
    }

    /// The file, opened again: what is known is forgotten if it is of another.
    fn opened(&self, known: &mut Known) -> Result<Opened> {
        let stamp = match &self.place {
            Place::Bytes(_) => None,
            Place::File(path) => {
                std::fs::metadata(path).ok().and_then(|of| Some((of.len(), of.modified().ok()?)))
            }
        };
        if stamp != known.stamp {
            *known = Known { stamp, ..Known::default() };
        }
        self.open()
    }

    fn found(&self, skip: usize, take: usize, columns: &[&str]) -> Result<(Header, Vec<Page>)> {
        let which = usize::from(!columns.is_empty());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // one that has failed is not used again
        let mut reader = match known.readers[which].take() {
            Some(reader) => reader,
            None => self.opened(&mut known)?,
        };
        let nearest = known.fronts.get(skip).or(known.fronts.last());
        let nearest = nearest.filter(|page| !(page.number()..=skip).contains(&reader.num_read()));
        let is_there = nearest.map_or(Ok(false), |page| reader.go_to(page))?;
        if !is_there && reader.num_read() > skip {
            reader = self.opened(&mut known)?;
        }
        let (reader, header, pages) = reader.pages(skip, take, columns, &mut known.fronts)?;
        // at the end the file is closed
        known.readers[which] = (pages.len() == take).then_some(reader);
        Ok((header, pages))
    }
}

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (source, any_names=false, assume=None, name="bytes"))]
    fn new(source: Source, any_names: bool, assume: Option<&str>, name: &str) -> Result<Pages> {
        let assume = match assume {
            None => None,
            Some("little") => Some(Endian::Little),
            Some("big") => Some(Endian::Big),
            Some(other) => {
                return Err(Failure::other(format!("unknown byte order {other:?}; expected little or big")));
            }
        };
        let name = source.name(name);
        let place = match source {
            Source::Bytes(bytes) => Place::Bytes(Shared(Arc::new(bytes))),
            Source::Path(path) => Place::File(path),
        };
        Ok(Pages { place, name, any_names, assume, known: Mutex::default() })
    }

    /// What the header says.
    fn header<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let opened = py.detach(|| self.open()).map_err(|e| e.named(&self.name))?;
        header::to_dict(py, opened.header())
    }

    /// How many pages there are.
    fn count(&self, py: Python<'_>) -> Result<usize> {
        let count = || {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut reader, _) = self.opened(&mut known)?.columns(&[])?;
            let mut ear = Ear::new();
            reader.note(&mut known.fronts);
            while reader.skip_page()? {
                ear.listen()?;
                reader.note(&mut known.fronts);
            }
            Ok(reader.num_read())
        };
        py.detach(count).map_err(|e: Failure| e.named(&self.name))
    }

    /// Some pages: of each the number of rows; its parameters; its arrays with their sizes; its columns, by name. Without names of columns
    /// it has none.
    fn read<'py>(
        &self,
        py: Python<'py>,
        skip: usize,
        take: usize,
        columns: Vec<String>,
    ) -> Result<Bound<'py, PyList>> {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let found = py.detach(|| self.found(skip, take, &columns));
        let (header, pages) = found.map_err(|e| e.named(&self.name))?;
        let list = PyList::empty(py);
        for page in pages {
            list.append(of_page(py, &header, page)?)?;
        }
        Ok(list)
    }
}

fn of_page<'py>(py: Python<'py>, header: &Header, mut page: Page) -> Result<Bound<'py, PyTuple>> {
    let parameters = PyDict::new(py);
    for parameter in &header.parameters {
        if let Some(value) = page.parameter(header, &parameter.name) {
            parameters.set_item(&parameter.name, of_value(py, value)?)?;
        }
    }
    let arrays = PyDict::new(py);
    for (array, value) in header.arrays.iter().zip(page.take_arrays()) {
        let (sizes, elements) = value.into_parts();
        arrays.set_item(&array.name, (sizes, parts::of(py, elements.into())?))?;
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
