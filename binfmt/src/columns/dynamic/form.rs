//! Which column a type becomes: an empty one says it all.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "rows and bytes that are in memory, and a depth that is limited"
)]

use super::choice::ChoiceColumn;
use super::column::Column;
use crate::columns::data::{BlankRows, ColumnData};
use crate::columns::{BytesColumn, ListColumn, NullableColumn};
use crate::error::{Error, ErrorKind};
use crate::numbers::{NumberType, Numbers};
use crate::schema::expr::shortened;
use crate::schema::{DescriptionError, Name};
use crate::value::program::{Choice, Code, Field, Kind, Length, Node, Program, Tag};
use crate::value::{Elements, Value};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Types inside types that are followed: a type that is in itself has no end.
const DEEPEST: usize = 64;

/// Columns of a plan at most, besides those that its description has types for.
const MOST: usize = 1 << 16;

/// A missing value without a body may become that many bytes in memory.
const LARGEST_ABSENT: usize = 1 << 10;

/// Makes columns for the types of a program.
pub(super) struct Forms<'c> {
    code: &'c Code,
    depth: usize,
    path: Vec<&'c str>,
    /// Columns that may still be made.
    left: usize,
}

impl<'c> Forms<'c> {
    pub(super) fn new(program: &'c Program) -> Self {
        let left = MOST + program.description().num_types();
        Forms { code: program.code(), depth: 0, path: Vec::new(), left }
    }

    #[cold]
    fn refused(&self, text: impl Into<String>) -> DescriptionError {
        self.path.iter().rev().fold(DescriptionError::new(text), |e, step| e.within(step))
    }

    fn no_form(&self, what: &str) -> DescriptionError {
        self.refused(format!("{what} has no form as a column; read it as values"))
    }

    /// The fields that have values, each with its empty column.
    pub(super) fn fields(&mut self, fields: &'c [Field]) -> Result<Vec<(Name, Column)>, DescriptionError> {
        let mut columns = Vec::new();
        for field in fields.iter().filter(|field| !field.silent) {
            self.path.push(&field.name);
            columns.push((field.name.clone(), self.of(&field.node)?));
            self.path.pop();
        }
        Ok(columns)
    }

    /// The empty column of a type.
    pub(super) fn of(&mut self, node: &'c Node) -> Result<Column, DescriptionError> {
        if self.depth >= DEEPEST {
            return Err(self.no_form("a type that is in itself, or nested too deeply,"));
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Err(DescriptionError::new("the description has types that multiply each other"));
        };
        self.left = left;
        self.depth += 1;
        let column = self.any(node)?;
        self.depth -= 1;
        Ok(column)
    }

    fn any(&mut self, node: &'c Node) -> Result<Column, DescriptionError> {
        Ok(match &node.kind {
            Kind::Number(kind) | Kind::Integer(_, kind) => Numbers::new(*kind).into(),
            Kind::Bool { .. } => Numbers::new(NumberType::Bool).into(),
            Kind::Text { .. } | Kind::Paged { .. } => Column::Text(BytesColumn::new()),
            Kind::Bytes { len: Length::Fixed(n) } => self.bytes(*n)?,
            Kind::Bytes { .. } => Column::Bytes(BytesColumn::new()),
            Kind::Trimmed { body, .. } => match &body.kind {
                Kind::Bytes { .. } => Column::Bytes(BytesColumn::new()),
                _ => self.of(body)?,
            },
            Kind::List { item, len: Length::Fixed(n) } => {
                let len = self.narrow(*n)?;
                Column::Array { len, rows: 0, items: Box::new(self.of(item)?) }
            }
            Kind::List { len: Length::Gaps, .. } => return Err(self.no_form("what no part describes")),
            Kind::List { item, .. } => Column::List(Box::new(ListColumn::over(self.of(item)?))),
            Kind::Nullable { present, blank, body, .. } => {
                self.absent(*blank, body)?;
                if self.code.is_nullable(body) {
                    return Err(self.no_form("a value that is missing in two ways"));
                }
                Column::Nullable(Box::new(NullableColumn::over(self.of(body)?, *present)))
            }
            Kind::Bits { body, .. }
            | Kind::Packed { body, .. }
            | Kind::Ordered { body, .. }
            | Kind::Padded { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Region { body, .. } => self.of(body)?,
            Kind::Record(record) => Column::Record { rows: 0, fields: self.fields(&record.fields)? },
            Kind::Named(_) => {
                let code = self.code;
                self.of(code.resolve(node))?
            }
            Kind::Opaque { min, max, .. } if *max == Some(*min) => self.bytes(*min)?,
            Kind::Opaque { by, .. } => {
                return Err(self.refused(format!(
                    "these bytes are made by `{}`, which the description does not explain",
                    shortened(by)
                )));
            }
            Kind::At { .. } => return Err(self.no_form("a part that lies elsewhere")),
            Kind::Peeked { .. } => return Err(self.no_form("a value that is read ahead")),
            Kind::Tail { .. } => return Err(self.no_form("a field at an end that may be missing")),
            Kind::Unit => return Err(self.no_form("a value without bytes")),
            Kind::Shaped(shaped) => Column::Shaped {
                shapes: ListColumn::new(),
                items: Box::new(ListColumn::over(self.of(&shaped.item)?)),
            },
            Kind::Conditional { otherwise: Some(_), body, .. } => self.of(body)?,
            Kind::Conditional { body, .. } => {
                self.absent(false, body)?;
                Column::Optional(Box::new(NullableColumn::over(self.of(body)?, 1)))
            }
            Kind::Choice(choice) => Column::Choice(Box::new(self.choice(choice)?)),
            Kind::Padding { .. } | Kind::Alignment { .. } | Kind::Magic { .. } => {
                return Err(self.no_form("what is not a value"));
            }
            Kind::Unreachable => return Err(self.no_form("a type that is nested too deeply")),
        })
    }

    /// A column for each variant: its fields, after the tag where it has several.
    fn choice(&mut self, choice: &'c Choice) -> Result<ChoiceColumn, DescriptionError> {
        let mut columns = Vec::new();
        for arm in &choice.arms {
            self.path.push(&arm.name);
            let mut fields = match (&choice.tag, choice.keeps_tag(arm, 0)) {
                (Tag::Front(_), Ok(false)) if choice.front().is_some_and(Node::is_peeked) => {
                    return Err(self.no_form("a tag that is read ahead"));
                }
                (Tag::Front(node), Ok(true)) => Vec::from([(Name::from("tag"), self.of(node)?)]),
                (_, Err(e)) => return Err(self.refused(e.kind().to_string())),
                _ => Vec::new(),
            };
            fields.append(&mut self.fields(&arm.record.fields)?);
            self.path.pop();
            columns.push((arm.name.clone(), Column::Record { rows: 0, fields }));
        }
        Ok(ChoiceColumn::of(columns))
    }

    fn bytes(&self, n: u64) -> Result<Column, DescriptionError> {
        Ok(Column::FixedBytes { size: self.narrow(n)?, rows: 0, bytes: Vec::new() })
    }

    fn narrow(&self, n: u64) -> Result<usize, DescriptionError> {
        usize::try_from(n)
            .ok()
            .filter(|n| *n <= isize::MAX as usize)
            .ok_or_else(|| self.refused(format!("{n} is more than memory holds")))
    }

    /// A missing value takes memory all the same, which the input must justify.
    fn absent(&self, blank: bool, body: &Node) -> Result<(), DescriptionError> {
        if !blank && body.sizes.exact().is_some_and(|size| size > LARGEST_ABSENT) {
            return Err(self.no_form("a large value that may have no bytes"));
        }
        Ok(())
    }
}

/// Why a value was not added to a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refused {
    /// It is not of the column's type.
    Type,
    /// There is no memory for that many bytes.
    Memory(usize),
}

impl Refused {
    /// The error at this place.
    #[cold]
    pub(super) fn at(self, at: u64) -> Error {
        match self {
            Refused::Type => Error::message("the value is not of the column's type", at),
            Refused::Memory(requested) => Error::new(ErrorKind::OutOfMemory { requested }, at),
        }
    }
}

/// Adds a value to a column; when that fails, part of it may have been added.
pub(super) fn push(column: &mut Column, value: &Value) -> Result<(), Refused> {
    if !column.room(1) {
        return Err(Refused::Memory(size_of::<u128>()));
    }
    match (column, value) {
        (Column::Numbers(v), Value::Number(n)) => return v.push(*n).map_err(|_| Refused::Type),
        (Column::Text(v), Value::Text(text)) => return push_bytes(v, text.as_bytes()),
        (Column::Text(v) | Column::Bytes(v), Value::Bytes(b)) => return push_bytes(v, b),
        (Column::FixedBytes { size, rows, bytes }, Value::Bytes(b)) if b.len() == *size => {
            *rows += 1;
            bytes.extend_from_slice(b);
        }
        (Column::Nullable(v), value) => {
            let present = v.present();
            let (codes, values) = v.parts_mut();
            return match value {
                Value::Missing(code) if *code != present => {
                    codes.push(*code);
                    values.push_blank();
                    Ok(())
                }
                Value::Missing(_) => Err(Refused::Type),
                value => {
                    codes.push(present);
                    push(values, value)
                }
            };
        }
        (Column::Optional(v), value) => {
            let (codes, values) = v.parts_mut();
            codes.push(u8::from(*value != Value::Absent));
            return match value {
                Value::Absent => {
                    values.push_blank();
                    Ok(())
                }
                value => push(values, value),
            };
        }
        (Column::Choice(v), Value::Variant { name, value }) => {
            return push(v.begin(name).ok_or(Refused::Type)?, value);
        }
        (Column::Shaped { shapes, items }, Value::Array { shape, values }) => {
            if !shapes.try_push(shape) {
                return Err(Refused::Memory(size_of_val(&**shape)));
            }
            return items.push_with(|items| push_elements(items, values));
        }
        (Column::Record { rows, fields }, Value::Unit) if fields.is_empty() => *rows += 1,
        (Column::List(v), Value::List(items)) => {
            return v.push_with(|column| items.iter().try_for_each(|item| push(column, item)));
        }
        (Column::Array { len, rows, items }, Value::List(list)) if list.len() == *len => {
            *rows += 1;
            return list.iter().try_for_each(|item| push(items, item));
        }
        (Column::Record { rows, fields }, value) => {
            *rows += 1;
            let mut fields = fields.iter_mut().map(|(_, column)| column);
            let mut values = values_of(value).ok_or(Refused::Type)?.iter();
            return fields.try_for_each(|column| push(column, values.next().ok_or(Refused::Type)?));
        }
        _ => return Err(Refused::Type),
    }
    Ok(())
}

fn push_elements(column: &mut Column, values: &Elements) -> Result<(), Refused> {
    match (column, values) {
        (Column::Numbers(v), Elements::Numbers(numbers)) => {
            if !v.room(numbers.len()) {
                return Err(Refused::Memory(numbers.num_bytes()));
            }
            if v.append(numbers) { Ok(()) } else { Err(Refused::Type) }
        }
        (column, values) => values.iter().try_for_each(|value| push(column, &value)),
    }
}

/// As `push`. Bytes that are longer than all rows before them are not copied.
pub(super) fn push_owned(column: &mut Column, value: Value) -> Result<(), Refused> {
    let (column, bytes) = match (column, value) {
        (Column::Text(v), Value::Text(text)) => (v, text.into_bytes()),
        (Column::Text(v) | Column::Bytes(v), Value::Bytes(bytes)) => (v, bytes),
        (column, value) => return push(column, &value),
    };
    let len = bytes.len();
    if column.try_push_owned(bytes) { Ok(()) } else { Err(Refused::Memory(len)) }
}

fn push_bytes(column: &mut BytesColumn, bytes: &[u8]) -> Result<(), Refused> {
    if column.try_push(bytes) { Ok(()) } else { Err(Refused::Memory(bytes.len())) }
}

/// The values of a record, one for each field.
pub(super) fn into_values(record: Value) -> Vec<Value> {
    match record {
        Value::Record(fields) => fields.into_values(),
        Value::List(values) => values,
        _ => Vec::new(),
    }
}

/// The values of a record, one for each field.
pub(super) fn values_of(record: &Value) -> Option<&[Value]> {
    match record {
        Value::Record(fields) => Some(fields.values()),
        Value::List(values) => Some(values),
        _ => None,
    }
}

/// Bytes of memory that a column's rows take, without room for more.
pub(super) fn memory(column: &Column) -> usize {
    const WORD: usize = size_of::<usize>();
    match column {
        Column::Numbers(numbers) => numbers.num_bytes(),
        Column::Text(v) | Column::Bytes(v) => v.items().len() + v.offsets().len() * WORD,
        Column::FixedBytes { bytes, .. } => bytes.len(),
        Column::Nullable(v) | Column::Optional(v) => v.len() + memory(v.values()),
        Column::Choice(v) => v.memory(),
        Column::Shaped { shapes, items } => {
            let words = shapes.offsets().len() + shapes.items().len() + items.offsets().len();
            memory(items.items()) + words * WORD
        }
        Column::List(v) => memory(v.items()) + v.offsets().len() * WORD,
        Column::Array { items, .. } => memory(items),
        Column::Record { fields, .. } => fields.iter().map(|(_, column)| memory(column)).sum(),
    }
}

/// Whether a column is one of the same type: what a plan encodes.
pub(super) fn same_form(wanted: &Column, found: &Column) -> bool {
    match (wanted, found) {
        (Column::Numbers(a), Column::Numbers(b)) => a.number_type() == b.number_type(),
        (Column::FixedBytes { size: a, .. }, Column::FixedBytes { size: b, .. }) => a == b,
        (Column::Nullable(a), Column::Nullable(b)) => {
            a.present() == b.present() && same_form(a.values(), b.values())
        }
        (Column::Optional(a), Column::Optional(b)) => {
            b.present() == a.present() && same_form(a.values(), b.values())
        }
        (Column::Choice(a), Column::Choice(b)) => a.same_form(b),
        (Column::Shaped { items: a, .. }, Column::Shaped { items: b, .. }) => same_form(a.items(), b.items()),
        (Column::List(a), Column::List(b)) => same_form(a.items(), b.items()),
        (Column::Array { len: a, items: x, .. }, Column::Array { len: b, items: y, .. }) => {
            a == b && same_form(x, y)
        }
        (Column::Record { fields: a, .. }, Column::Record { fields: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|((m, x), (n, y))| m == n && same_form(x, y))
        }
        (a, b) => core::mem::discriminant(a) == core::mem::discriminant(b),
    }
}

/// The rows of a column, and of all inside, must be as many as it says.
pub(super) fn is_whole(column: &Column) -> bool {
    match column {
        Column::FixedBytes { size, rows, bytes } => rows.checked_mul(*size) == Some(bytes.len()),
        Column::Nullable(v) | Column::Optional(v) => v.len() == v.values().len() && is_whole(v.values()),
        Column::Choice(v) => v.is_whole(),
        Column::Shaped { shapes, items } => shapes.len() == items.len() && is_whole(items.items()),
        Column::List(v) => is_whole(v.items()),
        Column::Array { len, rows, items } => rows.checked_mul(*len) == Some(items.len()) && is_whole(items),
        Column::Record { rows, fields } => {
            fields.iter().all(|(_, column)| column.len() == *rows && is_whole(column))
        }
        _ => true,
    }
}
