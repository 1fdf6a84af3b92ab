//! Parts of an input that can be decoded each by itself, by several threads at once.
//!
//! The rows of a part must be known before it can be decoded. Where they are of one size that is a division; of others one pass
//! looks at lengths and at nothing else, which takes a small part of the time that decoding takes. The parts come one by one, so
//! that the first can be decoded while the others are looked for.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "rows, of at least a byte each, and places in bytes that are in memory"
)]

use super::super::batch::Columns;
use super::Plan;
use super::decode::RowReader;
use super::walk::Unfinished;
use crate::error::Result;
use crate::wire::options::{Limits, Policy};
use crate::wire::{Cursor, Endian, Options, Slice, Source};
use core::ops::Range;

/// Some rows of an input, and where they are in it.
///
/// ```
/// use binfmt::{Options, columns::{Plan, RowSpan}, schema::{Description, Field, Record, Type}};
/// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
/// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
/// let span = RowSpan { bytes: 2..6, rows: 1..3 };
/// let columns = plan.decode_span(&[1, 0, 2, 0, 3, 0], &span, &Options::new())?;
/// assert_eq!(columns.num_rows(), 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSpan {
    /// The bytes of the rows.
    pub bytes: Range<usize>,
    /// The numbers of the rows. Of a span in which a row is damaged, those before it.
    pub rows: Range<u64>,
}

/// The spans of an input, in order: see [`Plan::spans`].
#[derive(Debug)]
pub struct Spans<'a> {
    rows: RowReader,
    plan: &'a Plan,
    bytes: &'a [u8],
    little: bool,
    limits: Limits,
    policy: Policy,
    /// A span ends after that many bytes, with the row that has the last of them.
    most: usize,
    /// Where the next span begins.
    at: usize,
    row: u64,
}

/// Bytes of a span, unless the caller says otherwise: many rows, and few enough that all threads have work.
const SPAN: usize = 1 << 20;

impl Plan {
    /// Parts of the rows that [`decode`](Self::decode) decodes, each to be decoded by itself with
    /// [`decode_span`](Self::decode_span): by threads that share the iterator, for example.
    ///
    /// Whether the rows are valid is not looked at. A damaged row, where that keeps the next one from being found, is in the last
    /// span; so an input has the same first error in spans as it has at once.
    ///
    /// ```
    /// use binfmt::{Options, columns::{Plan, RowSpan}, schema::{Description, Encoding, Extent, Field, Integer, Record, Type}};
    /// let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    /// let name = Field::new("name", Type::Text { encoding: Encoding::Utf8, nul: false, len });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [name]))))?;
    /// let spans: Vec<RowSpan> = plan.spans(b"\x01a\x03bcd\x02ef", &Options::new()).span_bytes(3).collect();
    /// assert_eq!(spans, [RowSpan { bytes: 0..6, rows: 0..2 }, RowSpan { bytes: 6..9, rows: 2..3 }]);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    ///
    /// Rows of layouts that have columns, but no blocks (conditions, choices, regions), are found by decoding them.
    pub fn spans<'a, C>(&'a self, bytes: &'a [u8], options: &Options<C>) -> Spans<'a> {
        Spans {
            rows: RowReader::new(self, options.endian),
            plan: self,
            bytes,
            little: options.endian == Endian::Little,
            limits: options.limits,
            policy: options.policy,
            most: SPAN,
            at: 0,
            row: 0,
        }
    }

    /// The rows of a span of an input. Limits hold for the span by itself.
    ///
    /// ```
    /// use binfmt::{Options, columns::{Plan, RowSpan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Bool { lax: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let span = RowSpan { bytes: 1..3, rows: 1..3 };
    /// let e = plan.decode_span(&[1, 0, 7], &span, &Options::new()).unwrap_err();
    /// assert_eq!(e.to_string(), "[2].x at byte 0x2: 0x07 is not a bool, expected 0 or 1");
    /// ```
    ///
    /// # Errors
    /// A row is damaged or not complete: the error's place and row are those of the whole input. Or a limit is reached.
    pub fn decode_span<C>(&self, bytes: &[u8], span: &RowSpan, options: &Options<C>) -> Result<Columns> {
        let Range { start, end } = span.bytes;
        let end = end.min(bytes.len());
        let size = end.saturating_sub(start);
        let after = if self.parts.looks_past { bytes.len() } else { end };
        let part = &bytes[start.min(after)..after];
        // only a span of another input has a row that memory cannot hold; it gets a number after which others fit
        let first = usize::try_from(span.rows.start).unwrap_or(usize::MAX).min(isize::MAX as usize);
        let mut rows = RowReader::new(self, options.endian).at_row(first);
        let mut src = Slice::with(part, options.limits, options.policy);
        while src.pos() < size as u64 {
            rows.step(&mut src.erase(), usize::MAX).map_err(|e| e.moved(start as u64, 0))?;
        }
        Ok(rows.into_columns())
    }
}

impl Spans<'_> {
    /// Makes spans of about that many bytes, each with one row at least; a mebibyte without this.
    ///
    /// ```
    /// use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
    /// assert_eq!(plan.spans(&[0; 10], &Options::new()).span_bytes(4).count(), 3);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    #[must_use]
    pub fn span_bytes(mut self, most: usize) -> Self {
        self.most = most.max(1);
        self
    }

    /// How many rows are in the next span, and how many bytes they take: all that are left where a row has no end.
    fn measure(&mut self, rest: &[u8]) -> (usize, usize) {
        if let Some(size) = self.plan.row_size()
            && let Some(there) = rest.len().checked_div(size)
        {
            let rows = self.most.div_ceil(size).min(there);
            return if rows > 0 { (rows, rows * size) } else { (0, rest.len()) };
        }
        let (mut rows, mut size) = (0usize, 0usize);
        while size < self.most.min(rest.len()) {
            let left = &rest[size..];
            let (found, taken, why) = match &self.plan.parts.body {
                Some(body) => body.step_over(left, usize::MAX, self.most - size, self.little),
                None => (0, 0, Some(Unfinished::Doubtful)),
            };
            rows += found;
            size += taken;
            if why.is_some() {
                let mut one = Slice::with(&left[taken..], self.limits, self.policy);
                if self.rows.value(&mut one.erase()).is_err() {
                    return (rows, rest.len());
                }
                rows += 1;
                size += one.pos() as usize;
            }
        }
        (rows, size)
    }
}

impl Iterator for Spans<'_> {
    type Item = RowSpan;

    fn next(&mut self) -> Option<RowSpan> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (rows, size) = self.measure(rest);
        let (at, row) = (self.at, self.row);
        self.at = at + size;
        self.row = row + rows as u64;
        Some(RowSpan { bytes: at..self.at, rows: row..self.row })
    }
}

impl core::iter::FusedIterator for Spans<'_> {}
