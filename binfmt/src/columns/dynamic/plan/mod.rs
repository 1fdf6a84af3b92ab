//! Between the rows of a layout that is known only at run time and columns.
//!
//! A plan is made once of a program. Where the layout allows, it has a `Body` (`place`): a row is a chain of runs of known size,
//! so that the places of all values follow from where the runs begin. For a block of rows one pass finds these beginnings and
//! looks at nothing else (`walk`); then one column after the other is taken from the block (`fill`), in a loop that decides
//! nothing for a row. Encoding is the mirror image: lengths first, then a column at a time (`scatter`).
//!
//! A block takes only what is beyond doubt. Any other row goes to the value codec by itself, which has the last word and makes all
//! errors. So blocks may be cautious: refusing too much costs time and changes no result. A few common kinds of rows have loops of
//! their own, which do the same faster: chains of texts (`chain`), texts alone (`text`), numbers alone (`numbers`), one column that is all
//! of its rows (`straight`).

mod chain;
mod decode;
mod encode;
mod fill;
#[cfg(feature = "table")]
mod found;
mod lengths;
mod major;
mod narrow;
mod numbers;
mod place;
mod put;
mod ranges;
#[cfg(feature = "std")]
mod reader;
mod scatter;
mod spans;
mod straight;
mod text;
mod walk;
mod whole;

use super::batch::Columns;
use super::column::Column;
use super::column_type::ColumnType;
use super::form::Forms;
use crate::columns::BytesColumn;
use crate::columns::rows::BLOCK_ROWS;
use crate::numbers::Numbers;
use crate::schema::{Description, DescriptionError, Name};
use crate::value::program::{Code, Kind, Length, Node, Program, Record, Tag};
use crate::wire::Fate;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use place::Body;

#[cfg(all(feature = "sdds", feature = "table"))]
pub(crate) use found::{Finder, FoundRows};
#[cfg(feature = "std")]
pub use reader::ColumnsReader;
pub use spans::{RowSpan, Spans};
#[cfg(feature = "sdds")]
pub(crate) use {
    decode::{RowReader, skip_rows},
    encode::ColumnWriter,
    scatter::Scratch,
};

/// How the rows of a layout become columns, and columns rows: made once for a layout, used for any number of files.
///
/// Rows of one size are taken apart in blocks, one column after the other; of rows of any size only the lengths are looked
/// at first. Neither allocates for a value.
///
/// ```
/// use binfmt::columns::{Column, Plan};
/// use binfmt::schema::{Description, Encoding, Extent, Field, Integer, Record, Type};
/// let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
/// let name = Field::new("name", Type::Text { encoding: Encoding::Utf8, nul: false, len });
/// let size = Field::new("size", Type::Float { bytes: 4 });
/// let layout = Description::new(Type::Record(Record::new("Row", [name, size])));
///
/// let plan = Plan::new(&layout)?;
/// let columns = plan.decode(b"\x01a\0\0\x80\x3f\x02bc\0\0\0\x40")?;
/// assert_eq!(columns.get("size"), Some(&Column::from(vec![1.0f32, 2.0])));
/// assert_eq!(columns.cell(1, 0).unwrap().to_value().as_str(), Some("bc"));
///
/// let e = plan.decode(b"\x01a\0\0\x80\x3f\x02bc\0").unwrap_err();
/// assert_eq!(e.to_string(), "[1].size at byte 0x9: 4 bytes needed, 1 remain");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// A copy is the same plan: it is shared, and costs nothing.
#[derive(Clone, Debug)]
pub struct Plan {
    parts: Arc<Parts>,
}

/// What a plan consists of.
#[derive(Clone, Debug)]
struct Parts {
    program: Arc<Program>,
    /// The columns without rows, those of the fields that were picked.
    columns: Vec<(Name, Column)>,
    /// Which fields the columns are.
    picks: Vec<usize>,
    /// How many fields there are.
    fields: usize,
    /// Where everything is; `None` for a layout whose rows only the value decoder can read.
    body: Option<Body>,
    size: Option<usize>,
    /// Whether a row may take more memory than others.
    grows: bool,
    /// Whether a row takes all that there is, so that bytes at hand are not a row.
    greedy: bool,
    /// Whether rows may be other ones where the input ends.
    ends_with_input: bool,
    /// Whether rows may be other ones where other bytes come after them.
    looks_past: bool,
    /// Plans of the columns one by one, for files that have them one after the other.
    #[cfg(feature = "std")]
    each: std::sync::OnceLock<Result<Arc<[Plan]>, DescriptionError>>,
}

impl Plan {
    /// A plan for the rows of this layout, which is a record.
    ///
    /// ```
    /// use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
    /// assert_eq!(plan.row_size(), Some(2));
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    ///
    /// # Errors
    /// It contradicts itself (see [`Description::validate`]), or has something that has no form as a column: a type that is in
    /// itself, a value without bytes, a codec that the description does not explain.
    pub fn new(layout: &Description) -> Result<Self, DescriptionError> {
        let program = Program::new(layout)?;
        let code = program.code();
        let record = record_of(code)?;
        let columns = Forms::new(&program).fields(&record.fields)?;
        let body = place::body(code, record, None).filter(|body| {
            body.nodes.len() == columns.len()
                && body.nodes.iter().zip(&columns).all(|(node, (_, column))| place::fits(node, column))
        });
        let parts = Parts {
            picks: (0..columns.len()).collect(),
            fields: columns.len(),
            size: place::row_size(body.as_ref(), record),
            grows: columns.iter().any(|(_, column)| grows(column)),
            greedy: any(code, code.root(), 0, is_greedy),
            ends_with_input: any(code, code.root(), 0, ends_with_input),
            looks_past: any(code, code.root(), 0, looks_past),
            columns,
            body,
            program: Arc::new(program),
            #[cfg(feature = "std")]
            each: std::sync::OnceLock::new(),
        };
        Ok(Plan { parts: Arc::new(parts) })
    }

    /// The bytes of a row, when every row has the same.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Extent, Field, Integer, Record, Type}};
    /// let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    /// let x = Field::new("x", Type::Bytes { len });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
    /// assert_eq!(plan.row_size(), None);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn row_size(&self) -> Option<usize> {
        self.parts.size
    }

    /// The layout.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let layout = Description::new(Type::Record(Record::new("Row", [])));
    /// assert_eq!(Plan::new(&layout)?.description(), &layout);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn description(&self) -> &Description {
        self.parts.program.description()
    }

    /// What reads and writes one row as a [`Value`](crate::value::Value).
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", []))))?;
    /// assert_eq!(plan.program().description(), plan.description());
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn program(&self) -> &Program {
        &self.parts.program
    }

    /// Whether bytes after a row may decide what the row is.
    #[cfg(feature = "table")]
    pub(crate) fn looks_past_rows(&self) -> bool {
        self.parts.looks_past
    }

    /// The names of the columns that it decodes.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Bool { lax: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
    /// assert_eq!(plan.names().collect::<Vec<_>>(), ["x"]);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.parts.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The same plan for some of the columns, in this order; the others are stepped over.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let fields = ["a", "b"].map(|name| Field::new(name, Type::Int { bytes: 1, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields))))?.select(&["b"])?;
    /// assert_eq!(plan.decode(&[1, 2]).unwrap().names().collect::<Vec<_>>(), ["b"]);
    /// assert_eq!(plan.select(&["c"]).unwrap_err().to_string(), "there is no column `c`; there are: b");
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    ///
    /// # Errors
    /// There is no column of a name.
    pub fn select(&self, names: &[&str]) -> Result<Plan, DescriptionError> {
        let mut places = BTreeMap::new();
        for (i, name) in self.names().enumerate() {
            // of two columns of one name the first
            places.entry(name).or_insert(i);
        }
        let mut picked = Vec::new();
        for name in names {
            let Some(&i) = places.get(name) else {
                let all: Vec<&str> = self.names().collect();
                let text = format!("there is no column `{name}`; there are: {}", all.join(", "));
                return Err(DescriptionError::new(text));
            };
            picked.push(i);
        }
        Ok(self.pick(&picked))
    }

    /// The same plan for the columns of these numbers, in this order; a number without a column is left out.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let fields = ["a", "b"].map(|name| Field::new(name, Type::Int { bytes: 1, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields))))?.pick(&[1, 0]);
    /// assert_eq!(plan.names().collect::<Vec<_>>(), ["b", "a"]);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    #[must_use]
    pub fn pick(&self, places: &[usize]) -> Plan {
        if places.iter().copied().eq(0..self.parts.columns.len()) {
            return self.clone();
        }
        let there = || places.iter().filter(|place| **place < self.parts.columns.len());
        let columns = there().filter_map(|i| self.parts.columns.get(*i).cloned()).collect();
        let picks = there().filter_map(|i| self.parts.picks.get(*i).copied()).collect();
        Plan { parts: Arc::new(Parts { columns, picks, ..Parts::clone(&self.parts) }) }
    }

    /// The names of the columns, with their types.
    ///
    /// ```
    /// # use binfmt::{columns::{ColumnType, Plan}, numbers::NumberType, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Bool { lax: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
    /// assert_eq!(plan.types().next(), Some(("x", ColumnType::Number(NumberType::Bool))));
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn types(&self) -> impl ExactSizeIterator<Item = (&str, ColumnType)> {
        self.parts.columns.iter().map(|(name, column)| (name.as_str(), column.column_type()))
    }

    /// Columns without rows.
    ///
    /// ```
    /// # use binfmt::{columns::Plan, schema::{Description, Field, Record, Type}};
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", []))))?;
    /// assert_eq!(plan.empty().num_rows(), 0);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn empty(&self) -> Columns {
        Columns { rows: 0, columns: self.parts.columns.clone() }
    }

    /// Columns without rows, for about that many.
    fn empty_columns(&self, rows: usize) -> impl Iterator<Item = Column> {
        // a copy of an empty vector is more work than a new one
        self.parts.columns.iter().map(move |(_, column)| match column {
            Column::Numbers(v) => Column::Numbers(Numbers::with_room(v.number_type(), rows)),
            Column::Text(_) => Column::Text(BytesColumn::with_room(rows)),
            other => other.clone(),
        })
    }
}

fn record_of(code: &Code) -> Result<&Record, DescriptionError> {
    match &code.resolve(code.root()).kind {
        Kind::Record(record) => Ok(record),
        _ => Err(DescriptionError::new("only records have columns; read it as values")),
    }
}

fn grows(column: &Column) -> bool {
    match column {
        Column::Text(_) | Column::Bytes(_) | Column::List(_) | Column::Choice(_) | Column::Shaped { .. } => {
            true
        }
        Column::Nullable(v) | Column::Optional(v) => grows(v.values()),
        Column::Array { items, .. } => grows(items),
        Column::Record { fields, .. } => fields.iter().any(|(_, column)| grows(column)),
        _ => false,
    }
}

/// Whether a row may end, or a part of it be absent, because the input ends.
fn ends_with_input(kind: &Kind) -> bool {
    match kind {
        Kind::Tail { .. } => true,
        Kind::Text { len: Length::Ends(end), .. }
        | Kind::Bytes { len: Length::Ends(end) }
        | Kind::Paged { len: Length::Ends(end), .. }
        | Kind::Region { len: Length::Ends(end), .. } => end.is_or_eof(),
        _ => false,
    }
}

/// Whether a type reads to the end of the input.
fn is_greedy(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Text { len: Length::ToEnd, .. }
            | Kind::Bytes { len: Length::ToEnd }
            | Kind::Paged { len: Length::ToEnd, .. }
            | Kind::Padding { len: Length::ToEnd, .. }
            | Kind::List { len: Length::ToEnd, .. }
            | Kind::Region { len: Length::ToEnd, .. }
    )
}

/// Whether bytes after a row may decide what the row is: those that a variant needs which does not fit, and a terminator that stays.
fn looks_past(kind: &Kind) -> bool {
    match kind {
        Kind::Choice(choice) => matches!(choice.tag, Tag::Untagged { .. }),
        Kind::Text { len: Length::Ends(end), .. }
        | Kind::Bytes { len: Length::Ends(end) }
        | Kind::Paged { len: Length::Ends(end), .. }
        | Kind::Region { len: Length::Ends(end), .. } => end.fate() == Fate::Unread,
        _ => false,
    }
}

/// Whether one of the types that meet the end of the input is such a one: in a region of known size they meet its end. Deeper than any
/// column goes, the answer does not matter.
fn any(code: &Code, node: &Node, depth: usize, is: fn(&Kind) -> bool) -> bool {
    let has_end = match &node.kind {
        Kind::Region { len, .. } => !matches!(len, Length::ToEnd),
        Kind::Padded { .. } => true,
        _ => false,
    };
    let mut inside = code.resolve(node).children();
    is(&code.resolve(node).kind)
        || (!has_end && depth < 64 && inside.any(|node| any(code, node, depth.wrapping_add(1), is)))
}
