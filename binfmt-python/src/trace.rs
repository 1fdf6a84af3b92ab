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

/// The text; a tuple for each node: first byte, byte after the last, depth, path, type, value; what each node is of its value; the error.
pub(crate) type Dump<'py> = (String, Bound<'py, PyList>, Vec<Option<String>>, Option<String>);

/// What the bytes of all records are: of so many lines.
pub(crate) fn traces(bytes: &[u8], options: &Options<&Program>, most: usize) -> Result<Vec<Trace>> {
    let mut shown = 0usize;
    let all = trace_all_with::<Value, _>(bytes, options);
    // what nobody sees is not traced
    all.take_while(|trace| {
        let before = shown;
        shown = shown.saturating_add(trace.nodes().count().max(1));
        before < most
    })
    .enumerate()
    .map(|(index, trace)| headroom::every(index).map(|()| trace).map_err(Into::into))
    .collect()
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
    let (mut text, nodes, mut roles, mut error) = (String::new(), PyList::empty(py), Vec::new(), None);
    let mut left = most;
    for (index, trace) in traces.iter().enumerate() {
        if left == 0 {
            break;
        }
        headroom::every(index)?;
        let more = trace.text(&style.clone().lines(left)).to_string();
        left = left.saturating_sub(more.lines().count());
        if text.try_reserve(more.len()).is_err() {
            headroom::check(text.capacity().saturating_add(more.len()))?;
        }
        text.push_str(&more);
        for (number, node) in trace.nodes().enumerate() {
            every(py, number)?;
            headroom::every(number)?;
            let range = node.range();
            let kind = match node.type_text() {
                kind if kind.is_empty() => node.native().to_owned(),
                kind => kind,
            };
            nodes.append((range.start, range.end, node.depth(), node.path(), kind, node.value()))?;
            roles.push(match node.label() {
                Label::Dimension(i) => Some(format!("dimension {i}")),
                _ => node.piece().map(str::to_owned),
            });
        }
        error = trace.error().map(ToString::to_string).or(error);
    }
    Ok((text, nodes, roles, error))
}
