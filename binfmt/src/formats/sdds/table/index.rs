//! Where the pages of a file are, and what their parameters are.

use super::input::Input;
use crate::error::Result;
use crate::formats::sdds::layout::definition::{Header, Parameter};
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::layout::value::Value;
use crate::formats::sdds::read::reader::StreamReader;
use crate::formats::sdds::text::ascii::TextPlace;
use crate::table::{Estimate, Scalar, ScalarRange, Wanted};
use crate::wire::amount::{between, row_after};
use std::cmp::Ordering;
use std::ops::{Bound, Range};

/// A page.
#[derive(Clone, Debug)]
pub(super) struct PagePlace {
    /// Where it begins, its rows do if it is binary, and where it ends.
    pub(super) offset: u64,
    pub(super) table: u64,
    pub(super) end: u64,
    pub(super) text: TextPlace,
    /// The numbers of its rows in the table of all pages.
    pub(super) rows: Range<i64>,
    /// Of all parameters, fixed ones, too.
    pub(super) parameters: Vec<Value>,
}

/// What is remembered of pages at most, in bytes.
const MEMORY: usize = 8 << 20;

impl PagePlace {
    /// About how many bytes it takes.
    fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(self.parameters.as_slice()) + text_bytes(&self.parameters)
    }

    /// Whether its rows are one batch.
    pub(super) fn is_small(&self, wanted: &Wanted) -> bool {
        let rows = (self.rows.end - self.rows.start).unsigned_abs();
        rows <= wanted.batch_rows as u64 && between(self.offset, self.end) <= wanted.batch_bytes
    }
}

/// The pages of a file.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) pages: Vec<PagePlace>,
    /// Where a last page begins that is damaged, or whose rows are still being written: it has any number of them.
    pub(super) open: Option<(u64, TextPlace)>,
}

/// The bytes of texts among values.
pub(super) fn text_bytes(values: &[Value]) -> usize {
    let text = |value: &Value| if let Value::String(text) = value { text.as_bytes().len() } else { 0 };
    values.iter().map(text).sum()
}

/// The values of all parameters.
pub(super) fn parameters(page: &Page, header: &Header) -> Vec<Value> {
    let mut stored = page.parameters().iter();
    let mut of = |parameter: &Parameter| match parameter.fixed() {
        Some(value) => value.ok(),
        None => stored.next().cloned(),
    };
    // each has a value in each page of its header
    header.parameters.iter().map(|parameter| of(parameter).unwrap_or_else(|| Value::from(""))).collect()
}

/// What parts are left out by; `None` of a `longdouble`, of which nothing is left out.
pub(super) fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Number(n) => Some(Scalar::from(*n)),
        Value::String(text) => Some(Scalar::from(text.as_bytes().to_vec())),
        Value::LongDouble(_) => None,
    }
}

impl Index {
    /// Goes over all pages and steps over their rows; the plan of rows, if that took one. What is wrong with a page is told by who reads it.
    /// `None` if there are too many pages to remember.
    pub(super) fn of(reader: StreamReader<Input>) -> Result<(Option<Self>, Option<RowPlan>)> {
        let mut reader = reader.columns(&[])?;
        let mut index = Index { pages: Vec::new(), open: None };
        let mut row = 0i64;
        let mut left = MEMORY;
        loop {
            let (offset, text) = (reader.offset(), reader.text_place());
            match reader.next_page() {
                Ok(None) => break,
                Ok(Some(page)) if !reader.is_cut() => {
                    let end = row_after(row, page.rows());
                    let (table, ends_at) = (reader.rows_offset(), reader.offset());
                    let parameters = parameters(&page, reader.file_header());
                    let rows = row..end;
                    let place = PagePlace { offset, table, end: ends_at, text, rows, parameters };
                    let Some(less) = left.checked_sub(place.memory()) else {
                        return Ok((None, reader.plan().take()));
                    };
                    left = less;
                    index.pages.push(place);
                    row = end;
                }
                _ => {
                    index.open = Some((offset, text));
                    break;
                }
            }
        }
        Ok((Some(index), reader.plan().take()))
    }

    /// The rows of the pages whose rows are known.
    pub(super) fn rows(&self) -> i64 {
        self.pages.last().map_or(0, |page| page.rows.end)
    }

    pub(super) fn num_rows(&self) -> Estimate {
        let rows = self.rows().unsigned_abs();
        if self.open.is_none() { Estimate::Exact(rows) } else { Estimate::About(rows) }
    }

    pub(super) fn empty_pages(&self) -> u64 {
        self.pages.iter().filter(|page| page.rows.is_empty()).count() as u64
    }

    /// The least and the greatest value of a parameter that a row has; `None` if they are in no order.
    pub(super) fn bounds(&self, parameter: usize) -> Option<ScalarRange> {
        let pages = self.pages.iter().filter(|page| !page.rows.is_empty());
        bounds(pages.map(|page| page.parameters.get(parameter)))
    }
}

/// The least and the greatest of the values that a parameter has in pages with rows.
pub(super) fn bounds<'v>(values: impl Iterator<Item = Option<&'v Value>>) -> Option<ScalarRange> {
    let mut found: Option<(Scalar, Scalar)> = None;
    for value in values {
        let value = scalar(value?)?;
        found = Some(match found {
            None if value.compare(&value).is_none() => return None,
            None => (value.clone(), value),
            Some((low, high)) => match (value.compare(&low)?, value.compare(&high)?) {
                (Ordering::Less, _) => (value, high),
                (_, Ordering::Greater) => (low, value),
                _ => (low, high),
            },
        });
    }
    found.map(|(low, high)| ScalarRange { low: Bound::Included(low), high: Bound::Included(high) })
}
