//! Annotated dumps for Python.

use crate::failure::Result;
use crate::headroom;
use crate::patience::every;
use binfmt::Options;
use binfmt::dump::{Style, Trace, trace_all_with};
use binfmt::value::{Program, Value};
use binfmt::wire::Label;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::fmt::{self, Write};

/// The text; a tuple for each node: first byte, byte after the last, depth, path, type, value; what each node is of its value; the error.
pub(crate) type Dump<'py> = (String, Bound<'py, PyList>, Bound<'py, PyList>, Option<String>);

/// What the bytes of all records are: of so many lines.
pub(crate) fn traces(bytes: &[u8], options: &Options<&Program>, most: usize) -> Result<Vec<Trace>> {
    let (mut all, mut shown) = (Vec::new(), 0usize);
    // what nobody sees is not traced
    for trace in trace_all_with::<Value, _>(bytes, options) {
        if shown >= most {
            break;
        }
        if let Some(e) = trace.error().and_then(headroom::refused) {
            return Err(e.into());
        }
        shown = shown.saturating_add(trace.nodes().count().max(1));
        headroom::every(all.len())?;
        if all.try_reserve(1).is_err() {
            headroom::check(all.len().saturating_mul(2 * size_of::<Trace>()))?;
        }
        all.push(trace);
    }
    Ok(all)
}

/// Text that says where there is no memory for more.
#[derive(Default)]
struct Text {
    text: String,
    pieces: usize,
    refused: Option<binfmt::Error>,
}

impl Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.pieces = self.pieces.wrapping_add(1);
        let room = match self.text.try_reserve(more.len()) {
            // lines are made in memory of their own
            Ok(()) => headroom::every(self.pieces),
            Err(_) => headroom::check(self.text.capacity().saturating_add(more.len())),
        };
        self.refused = room.err();
        if self.refused.is_some() || self.text.try_reserve(more.len()).is_err() {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

impl Text {
    /// Adds a trace; gives how many lines it has.
    fn add(&mut self, trace: &Trace, style: &Style) -> Result<usize> {
        let before = self.text.len();
        if write!(self, "{}", trace.text(style)).is_err() {
            let requested = self.text.capacity();
            let e = binfmt::ErrorKind::OutOfMemory { requested };
            return Err(self.refused.take().unwrap_or_else(|| e.into()).into());
        }
        Ok(self.text.get(before..).map_or(0, |more| more.lines().count()))
    }
}

/// The dump of all records.
pub(crate) fn dump<'py>(
    py: Python<'py>,
    traces: &[Trace],
    color: bool,
    depth: Option<usize>,
    most: usize,
) -> Result<Dump<'py>> {
    let mut style = Style::new().color(color);
    if let Some(depth) = depth {
        style = style.depth(depth);
    }
    let (mut text, nodes, roles, mut error) = (Text::default(), PyList::empty(py), PyList::empty(py), None);
    let mut left = most;
    for trace in traces {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(text.add(trace, &style.clone().lines(left))?);
        for node in trace.nodes() {
            every(py, nodes.len())?;
            headroom::every(nodes.len())?;
            let range = node.range();
            let kind = match node.type_text() {
                kind if kind.is_empty() => node.native().to_owned(),
                kind => kind,
            };
            nodes.append((range.start, range.end, node.depth(), node.path(), kind, node.value()))?;
            roles.append(match node.label() {
                Label::Dimension(i) => Some(format!("dimension {i}")),
                _ => node.piece().map(str::to_owned),
            })?;
        }
        error = trace.error().map(ToString::to_string).or(error);
    }
    Ok((text.text, nodes, roles, error))
}
