//! Cells of a format that is known only at run time, as annotated types: the format's columns are their context.

use super::template::{Column, Extent};
use super::types::ScidbType;
use crate::{BinFormat, Blank, Ignored, Nullable};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One cell of a load file, column by column.
///
/// The context is the list of columns, so a cell is read with [`Options::ctx`](crate::Options::ctx):
///
/// ```
/// use binfmt::Nullable;
/// use binfmt::formats::scidb::{Cell, Loader, Template, Value};
/// let format: Template = "(int8, skip(2), string null)".parse().unwrap();
/// let columns = format.columns().unwrap();
/// let file = b"\x07..\xff\x03\0\0\0ab\0\x08..\x05\0\0\0\0";
/// let options = Loader::new().options().ctx(columns);
/// let cells: Vec<Cell> = binfmt::decode_all_with(file, &options)?;
/// let values: Vec<_> = cells[1].values().collect();
/// assert_eq!(values, [Nullable::Value(&Value::Int8(8)), Nullable::Missing(5)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, PartialEq)]
#[binfmt(le, transparent, ctx(columns: &[Column]))]
pub struct Cell {
    #[binfmt(each(columns))]
    slots: Vec<Slot>,
}

/// The values, without what is skipped.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cell ")?;
        f.debug_list().entries(self.values()).finish()
    }
}

/// What one column holds in one cell.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(column: &Column), tag_from = column.role())]
enum Slot {
    #[binfmt(tag = Role::Required)]
    Required(#[binfmt(args(column))] Value),
    #[binfmt(tag = Role::Nullable)]
    Nullable(#[binfmt(args(column))] Maybe),
    #[binfmt(tag = Role::SkipFixed)]
    SkipFixed(#[binfmt(count = column.fixed_len())] Ignored),
    #[binfmt(tag = Role::SkipPrefixed)]
    SkipPrefixed(#[binfmt(var_len)] Ignored),
    // whatever the flag says, a length follows
    #[binfmt(tag = Role::SkipPrefixedNull)]
    SkipPrefixedNull(u8, #[binfmt(var_len)] Ignored),
}

/// A presence byte, then the value or what stands for it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(column: &Column))]
struct Maybe {
    #[binfmt(nullable(body = absent), args(column))]
    value: Nullable<Value>,
    #[binfmt(if(value.missing().is_some() && !column.is_prefixed()), count = column.fixed_len())]
    blank: Option<Blank>,
    #[binfmt(if(value.missing().is_some() && column.is_prefixed()), var_len)]
    blank_prefixed: Option<Blank>,
}

/// One value of a load file.
///
/// `Display` and JSON forms are the caller's: this is what the bytes say.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(column: &Column), tag_from = (column.ty(), column.is_prefixed()))]
#[non_exhaustive]
pub enum Value {
    /// `bool`: SciDB keeps any byte, everything but 0 is true.
    #[binfmt(tag((Some(ScidbType::Bool), _)))]
    Bool(#[binfmt(bool_lax)] bool),
    /// `char`: one byte.
    #[binfmt(tag((Some(ScidbType::Char), _)))]
    Char(u8),
    /// `int8`.
    #[binfmt(tag((Some(ScidbType::Int8), _)))]
    Int8(i8),
    /// `int16`.
    #[binfmt(tag((Some(ScidbType::Int16), _)))]
    Int16(i16),
    /// `int32`.
    #[binfmt(tag((Some(ScidbType::Int32), _)))]
    Int32(i32),
    /// `int64`.
    #[binfmt(tag((Some(ScidbType::Int64), _)))]
    Int64(i64),
    /// `uint8`.
    #[binfmt(tag((Some(ScidbType::Uint8), _)))]
    Uint8(u8),
    /// `uint16`.
    #[binfmt(tag((Some(ScidbType::Uint16), _)))]
    Uint16(u16),
    /// `uint32`.
    #[binfmt(tag((Some(ScidbType::Uint32), _)))]
    Uint32(u32),
    /// `uint64`.
    #[binfmt(tag((Some(ScidbType::Uint64), _)))]
    Uint64(u64),
    /// `float`.
    #[binfmt(tag((Some(ScidbType::Float), _)))]
    Float(f32),
    /// `double`.
    #[binfmt(tag((Some(ScidbType::Double), _)))]
    Double(f64),
    /// `datetime`: seconds since 1970-01-01.
    #[binfmt(tag((Some(ScidbType::Datetime), _)))]
    Datetime(i64),
    /// `datetimetz`: seconds of the local wall clock since 1970-01-01, and the offset from UTC in seconds.
    #[binfmt(tag((Some(ScidbType::Datetimetz), _)))]
    Datetimetz(i64, i64),
    /// `string`, with its length in front.
    #[binfmt(tag((Some(ScidbType::String), true)))]
    String(#[binfmt(var_len, nul)] String),
    /// `string(n)`: n bytes, the text ends at the first NUL.
    #[binfmt(tag((Some(ScidbType::String), false)))]
    FixedString(#[binfmt(count = column.fixed_len(), nul)] String),
    /// `binary`, with its length in front, and a user's type of variable size.
    #[binfmt(tag((Some(ScidbType::Binary | ScidbType::User(_)), true)))]
    Binary(#[binfmt(var_len)] Vec<u8>),
    /// `binary(n)`, and a user's type of a fixed size.
    #[binfmt(tag((Some(ScidbType::Binary | ScidbType::User(_)), false)))]
    FixedBinary(#[binfmt(count = column.fixed_len())] Vec<u8>),
}

/// What a column is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Required,
    Nullable,
    SkipFixed,
    SkipPrefixed,
    SkipPrefixedNull,
}

impl Column {
    fn role(&self) -> Role {
        match (self.is_skip(), self.is_nullable(), self.is_prefixed()) {
            (false, false, _) => Role::Required,
            (false, true, _) => Role::Nullable,
            (true, _, false) => Role::SkipFixed,
            (true, false, true) => Role::SkipPrefixed,
            (true, true, true) => Role::SkipPrefixedNull,
        }
    }

    fn is_prefixed(&self) -> bool {
        self.extent() == Extent::Prefixed
    }

    /// Bytes of a column of fixed size; those of a skipped one with its flag.
    fn fixed_len(&self) -> u64 {
        let flag = u64::from(self.is_skip() && self.is_nullable());
        match self.extent() {
            Extent::Fixed(n) => u64::from(n).saturating_add(flag),
            Extent::Prefixed => 0,
        }
    }
}

impl Cell {
    /// The cell of these values in a format of these columns, which also says where bytes are skipped.
    ///
    /// `None` when their number is not that of the attributes.
    ///
    /// ```
    /// use binfmt::{Nullable, Options};
    /// use binfmt::formats::scidb::{Cell, Template, Value};
    /// let format: Template = "(int8, skip(2))".parse().unwrap();
    /// let columns = format.columns().unwrap();
    /// let cell = Cell::new(columns, [Nullable::Value(Value::Int8(7))]).unwrap();
    /// assert_eq!(binfmt::to_vec_with(&cell, &Options::new().ctx(columns))?, [7, 0, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(columns: &[Column], values: impl IntoIterator<Item = Nullable<Value>>) -> Option<Cell> {
        let mut values = values.into_iter();
        let mut slots = Vec::with_capacity(columns.len());
        for column in columns {
            slots.push(match column.role() {
                Role::SkipFixed => Slot::SkipFixed(Ignored),
                Role::SkipPrefixed => Slot::SkipPrefixed(Ignored),
                Role::SkipPrefixedNull => Slot::SkipPrefixedNull(0, Ignored),
                Role::Required => Slot::Required(values.next()?.value()?),
                Role::Nullable => {
                    let value = values.next()?;
                    let missing = value.missing().is_some();
                    let (blank, blank_prefixed) = match (missing, column.is_prefixed()) {
                        (false, _) => (None, None),
                        (true, false) => (Some(Blank), None),
                        (true, true) => (None, Some(Blank)),
                    };
                    Slot::Nullable(Maybe { value, blank, blank_prefixed })
                }
            });
        }
        match values.next() {
            None => Some(Cell { slots }),
            Some(_) => None,
        }
    }

    /// The values of the attributes, without what is skipped.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Cell, Template, Value};
    /// use binfmt::Nullable;
    /// let format: Template = "(int8)".parse().unwrap();
    /// let cell = Cell::new(format.columns().unwrap(), [Nullable::Value(Value::Int8(7))]).unwrap();
    /// assert_eq!(cell.values().count(), 1);
    /// ```
    pub fn values(&self) -> impl Iterator<Item = Nullable<&Value>> + '_ {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Required(v) => Some(Nullable::Value(v)),
            Slot::Nullable(maybe) => Some(maybe.value.as_ref()),
            Slot::SkipFixed(_) | Slot::SkipPrefixed(_) | Slot::SkipPrefixedNull(..) => None,
        })
    }
}
