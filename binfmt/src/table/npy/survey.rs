//! What an array of some columns is: their types, and what only their values say.

use super::dtype::{Dtype, Element, Member, product};
use crate::columns::{Column, ColumnData, ColumnType, ValueRef};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Number, NumberType};
use crate::table::{Leaf, Logical, TableField, keys};
use crate::wire::amount::{after, plus};

/// A column on its way into an array.
#[derive(Debug)]
pub(super) struct Cells {
    name: String,
    kind: Kind,
    /// Whether a value may be missing.
    nullable: bool,
    /// The lengths of its dimensions in each row; `None` as long as no row has said them.
    shape: Option<Vec<u64>>,
    /// How many of them there are, where rows say them.
    rank: usize,
    /// The longest text.
    bytes: u64,
    chars: u64,
    utf8: bool,
}

/// What one element becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number(NumberType),
    Time(char, crate::table::TimeUnit),
    Complex(NumberType),
    Text,
    Character,
    Bytes(usize),
}

impl Cells {
    /// The column of this leaf.
    pub(super) fn of(leaf: &Leaf, field: Option<&TableField>) -> Result<Cells> {
        let inside = field.and_then(|field| leaf.name.strip_prefix(&*field.name)).unwrap_or_default();
        let native = match leaf.path.is_empty() {
            true => field.and_then(|field| field.get(keys::NATIVE)),
            false => field.and_then(|field| field.get(keys::NATIVE_INSIDE)).and_then(|lines| {
                lines.lines().find_map(|line| line.strip_prefix(inside)?.strip_prefix(' '))
            }),
        };
        let field = field.filter(|_| leaf.path.is_empty());
        let logical = field.and_then(|field| field.logical.as_ref());
        let is_complex =
            logical == Some(&Logical::Complex) || native.is_some_and(|native| native.starts_with("complex"));
        let (mut ty, mut nullable, mut shape, mut rank) = (&leaf.ty, false, Some(Vec::new()), 0);
        let mut tensor = match logical {
            Some(Logical::Tensor { shape, column_major: false }) => Some(shape.clone()),
            _ => None,
        };
        loop {
            ty = match ty {
                ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => {
                    nullable = true;
                    values
                }
                ColumnType::Array { len: 2, items } if is_complex && is_float(items) => break,
                ColumnType::Array { items, .. } if tensor.is_some() => {
                    shape = tensor.take();
                    items
                }
                ColumnType::Array { len, items } if rank == 0 => {
                    shape.get_or_insert_default().push(*len as u64);
                    items
                }
                ColumnType::List(items) if rank == 0 && shape == Some(Vec::new()) => {
                    (rank, shape) = (1, None);
                    items
                }
                ColumnType::Shaped(items) if rank == 0 && shape == Some(Vec::new()) => {
                    (rank, shape) = (1, None);
                    items
                }
                _ => break,
            };
        }
        if logical == Some(&Logical::X87) {
            let text = format!("column `{}`, whose numbers have 80 bits", leaf.name);
            return Err(ErrorKind::unsupported("NPY", text).into());
        }
        let time = native.and_then(Element::logical_of);
        let logical = if matches!(logical, Some(Logical::Tensor { .. }) | None) {
            time.as_ref().or(logical)
        } else {
            logical
        };
        let kind = kind(ty, logical, is_complex).ok_or_else(|| {
            let text = format!("column `{}`, which is {}", leaf.name, leaf.ty);
            Error::from(ErrorKind::unsupported("NPY", text))
        })?;
        let name = leaf.name.clone();
        Ok(Cells { name, kind, nullable, shape, rank, bytes: 0, chars: 0, utf8: true })
    }

    /// Whether the values must be seen before the header is known.
    pub(super) fn is_open(&self) -> bool {
        self.kind == Kind::Text || self.shape.is_none() || (self.nullable && self.blank().is_none())
    }

    /// Numbers that are in the file as they are in memory.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Number(_)) && !self.nullable && self.shape == Some(Vec::new())
    }

    /// Whether its rows have no bytes, however many there are.
    pub(super) fn has_no_elements(&self) -> bool {
        self.shape.as_ref().is_some_and(|shape| shape.contains(&0))
    }

    /// The bytes of a value that is missing.
    fn blank(&self) -> Option<Number> {
        match self.kind {
            Kind::Number(kind) if kind.is_float() => Number::from_f64(kind, f64::NAN),
            Kind::Time(..) => Some(Number::I64(i64::MIN)),
            _ => None,
        }
    }

    /// Looks at the values of a batch, whose first row has this number.
    pub(super) fn look(&mut self, column: &Column, first: u64) -> Result<()> {
        for row in 0..column.len() {
            if let Some(value) = column.get(row) {
                let told = self.look_at(value);
                told.map_err(|e| self.at_row(after(first, row as u64), e))?;
            }
        }
        Ok(())
    }

    fn look_at(&mut self, value: ValueRef<'_>) -> Result<()> {
        match value {
            ValueRef::Missing(_) | ValueRef::Absent if self.blank().is_none() || self.shape.is_none() => {
                let what = "a missing value: only those of floats and times have a form there";
                Err(ErrorKind::unsupported("NPY", what).into())
            }
            ValueRef::Text(text) if text.ends_with(b"\0") => {
                Err(ErrorKind::unsupported("NPY", "a text that ends with NUL, which NumPy takes away").into())
            }
            ValueRef::Text(text) => {
                self.bytes = self.bytes.max(text.len() as u64);
                match std::str::from_utf8(text) {
                    Ok(text) => self.chars = self.chars.max(text.chars().count() as u64),
                    Err(_) => self.utf8 = false,
                }
                Ok(())
            }
            // the halves of a complex number
            ValueRef::List(_) if matches!(self.kind, Kind::Complex(_)) && self.rank == 0 => Ok(()),
            ValueRef::List(items) => {
                if self.rank > 0 {
                    self.has_shape(&[items.len() as u64])?;
                }
                self.look_inside(items.iter())
            }
            ValueRef::Array(shape, items) => {
                self.has_shape(shape)?;
                self.look_inside(items.iter())
            }
            _ => Ok(()),
        }
    }

    fn look_inside<'a>(&mut self, mut items: impl Iterator<Item = ValueRef<'a>>) -> Result<()> {
        let looks_at_all = self.kind == Kind::Text;
        if !looks_at_all && (!self.nullable || self.blank().is_some()) {
            return Ok(());
        }
        items.try_for_each(|item| match item {
            ValueRef::Missing(_) | ValueRef::Absent => self.look_at(item),
            item if looks_at_all => self.look_at(item),
            _ => Ok(()),
        })
    }

    fn has_shape(&mut self, found: &[u64]) -> Result<()> {
        let known = self.shape.get_or_insert_with(|| found.to_vec());
        match known == found {
            true => Ok(()),
            false => Err(Error::other(format!("the rows have several shapes: {known:?} and {found:?}"))),
        }
    }

    fn at_row(&self, row: u64, e: Error) -> Error {
        Error::other(format!("column `{}`, row {row}: {}", self.name, e.kind()))
    }

    /// The field of the array, when all values have been seen.
    pub(super) fn member(&self) -> Member {
        let element = match self.kind {
            Kind::Number(kind) => Element::new(letter(kind), kind.size() as u64),
            Kind::Time(letter, unit) => Element { unit: Some(unit), ..Element::new(letter, 8) },
            Kind::Complex(half) => Element::new('c', (half.size() as u64).saturating_mul(2)),
            Kind::Text if self.utf8 => Element::new('U', self.chars.max(1).saturating_mul(4)),
            Kind::Text => Element::new('S', self.bytes.max(1)),
            Kind::Character => Element::new('S', 1),
            Kind::Bytes(size) => Element::new('V', size as u64),
        };
        // no row has said how long its lists are
        let shape = self.shape.clone().unwrap_or_else(|| vec![0; self.rank]);
        Member { name: self.name.clone(), dtype: Dtype::Element(element), shape }
    }

    /// Bytes of a row.
    pub(super) fn size(&self) -> u64 {
        let Member { dtype, shape, .. } = self.member();
        dtype.size().zip(product(&shape)).and_then(|(n, count)| n.checked_mul(count)).unwrap_or(u64::MAX)
    }

    /// Appends the value of a row.
    pub(super) fn put(&self, value: ValueRef<'_>, out: &mut Vec<u8>) -> Result<()> {
        match value {
            ValueRef::Missing(_) | ValueRef::Absent => match self.blank() {
                Some(blank) => {
                    let count = self.shape.as_deref().and_then(product).unwrap_or(0);
                    (0..count).for_each(|_| blank.put_le_bytes(out));
                }
                None => return Err(changed()),
            },
            ValueRef::Number(n) => match (self.kind, n.as_i128()) {
                (Kind::Time(..), Some(n)) => out.extend_from_slice(&(n as i64).to_le_bytes()),
                _ => n.put_le_bytes(out),
            },
            ValueRef::Text(text) => self.put_text(text, out)?,
            ValueRef::Bytes(bytes) => out.extend_from_slice(bytes),
            ValueRef::List(items) | ValueRef::Array(_, items) => {
                items.iter().try_for_each(|item| match (item, self.blank()) {
                    (ValueRef::Missing(_) | ValueRef::Absent, Some(blank)) => {
                        blank.put_le_bytes(out);
                        Ok(())
                    }
                    (item, _) => self.put(item, out),
                })?;
            }
            _ => return Err(changed()),
        }
        Ok(())
    }

    fn put_text(&self, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let width = match self.utf8 {
            true => self.chars.max(1).saturating_mul(4),
            false => self.bytes.max(1),
        };
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        let end = plus(out.len(), width);
        match self.utf8 {
            true => {
                let text = std::str::from_utf8(text).map_err(|_| changed())?;
                text.chars().for_each(|c| out.extend_from_slice(&u32::from(c).to_le_bytes()));
            }
            false => out.extend_from_slice(text),
        }
        if out.len() > end {
            return Err(changed());
        }
        out.resize(end, 0);
        Ok(())
    }
}

/// What was seen is not there any more.
#[cold]
pub(super) fn changed() -> Error {
    Error::other("the file has changed while it was read")
}

fn is_float(ty: &ColumnType) -> bool {
    matches!(ty, ColumnType::Number(NumberType::F32 | NumberType::F64))
}

fn kind(ty: &ColumnType, logical: Option<&Logical>, is_complex: bool) -> Option<Kind> {
    Some(match (ty, logical) {
        (ColumnType::Number(kind), Some(Logical::Timestamp(unit))) if kind.size() == 8 => {
            Kind::Time('M', *unit)
        }
        (ColumnType::Number(kind), Some(Logical::Duration(unit))) if kind.size() == 8 => {
            Kind::Time('m', *unit)
        }
        (ColumnType::Number(kind), Some(Logical::Character)) if kind.size() == 1 => Kind::Character,
        (ColumnType::Number(kind), _) if kind.size() <= 8 => Kind::Number(*kind),
        (ColumnType::Array { len: 2, items }, _) if is_complex => match **items {
            ColumnType::Number(half @ (NumberType::F32 | NumberType::F64)) => Kind::Complex(half),
            _ => return None,
        },
        (ColumnType::Text, _) => Kind::Text,
        (ColumnType::FixedBytes(size), _) => Kind::Bytes(*size),
        _ => return None,
    })
}

/// The letter of a number.
fn letter(kind: NumberType) -> char {
    match kind {
        NumberType::Bool => 'b',
        kind if kind.is_float() => 'f',
        kind if kind.is_signed() => 'i',
        _ => 'u',
    }
}
