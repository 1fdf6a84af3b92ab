//! Where the codec is in a program: what both directions ask while they follow it.

use super::expr::Earlier;
use super::program::{Code, DEEPEST, FixedOrder, Node};
use super::{Fields, Name, Value};
use crate::codec::integer::{FixedInt, Wired};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::expr::{Expression, Term};
use crate::wire::Endian;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use core::cell::Cell;

/// Where the codec is in the tree of types: two words, which stay in registers.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) frame: &'a Frame<'a>,
    /// What expressions name.
    pub(super) earlier: &'a Earlier<'a>,
}

/// What holds for all fields of a record.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) code: &'a Code,
    /// The first byte of the record, from which alignment counts.
    pub(super) start: u64,
    /// The integer whose bits are fields.
    pub(super) bits: Option<&'a Cell<u128>>,
    /// How many types are around the definition that the record stands in.
    depth: u32,
    definition: Option<&'a Definition<'a>>,
    /// What the definition or record was passed, or is to be.
    passed: &'a Earlier<'a>,
}

/// A definition that may be in itself, and those that it is in.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    number: usize,
    outer: Option<&'a Definition<'a>>,
}

impl<'a> Frame<'a> {
    /// At the root of a program.
    pub(super) fn root(code: &'a Code, passed: &'a Earlier<'a>, start: u64) -> Self {
        Frame { code, start, bits: None, depth: 0, definition: None, passed }
    }

    /// In fields that begin here, and of which some may be the bits of an integer.
    #[inline]
    pub(super) fn fields<'b>(&self, start: u64, run: &'b Cell<u128>) -> Frame<'b>
    where
        'a: 'b,
    {
        Frame { start, bits: Some(run), ..*self }
    }

    /// Inside of a definition that may be in itself.
    pub(super) fn inside<'b>(&self, definition: &'b Definition<'b>) -> Frame<'b>
    where
        'a: 'b,
    {
        Frame { definition: Some(definition), ..*self }
    }

    /// Around types that are passed these arguments.
    pub(super) fn passing<'b>(&self, passed: &'b Earlier<'b>) -> Frame<'b>
    where
        'a: 'b,
    {
        Frame { passed, ..*self }
    }

    /// Where expressions name nothing but arguments.
    #[inline]
    pub(super) fn place(&'a self) -> Place<'a> {
        self.after(self.passed)
    }

    /// These values of the record, in the order of their slots, beside its arguments.
    #[inline]
    pub(super) fn earlier<'b>(&self, values: &'b [Value]) -> Earlier<'b>
    where
        'a: 'b,
    {
        self.passed.with(values)
    }

    /// Values that stand in another order than the slots of these names.
    pub(super) fn earlier_by_name<'b>(&self, fields: &'b Fields, names: &'b [Name]) -> Earlier<'b>
    where
        'a: 'b,
    {
        self.passed.with_names(fields, names)
    }

    /// After these fields of the record.
    #[inline]
    pub(super) fn after(&'a self, earlier: &'a Earlier<'a>) -> Place<'a> {
        Place { frame: self, earlier }
    }
}

impl<'a> Place<'a> {
    /// Refuses a type inside more others than are followed: each takes a part of the stack.
    #[inline]
    pub(super) fn descend(&self, node: &Node, at: impl FnOnce() -> u64) -> Result<()> {
        if self.depth(node) < DEEPEST { Ok(()) } else { Err(too_deep(at())) }
    }

    /// How many types are around a node; within its definition the program knows that.
    #[inline]
    fn depth(&self, node: &Node) -> u32 {
        self.frame.depth.wrapping_add(node.depth)
    }

    /// In a definition that a node calls.
    #[inline]
    pub(super) fn called(&self, call: &Node) -> Frame<'a> {
        Frame { depth: self.depth(call), ..*self.frame }
    }

    /// The definition of a number, and whether it is around already.
    pub(super) fn definition(&self, number: usize) -> (Definition<'a>, bool) {
        let mut outer = self.frame.definition;
        while outer.is_some_and(|definition| definition.number != number) {
            outer = outer.and_then(|definition| definition.outer);
        }
        (Definition { number, outer: self.frame.definition }, outer.is_some())
    }

    /// Goes on in a type that is passed arguments, which are computed here, and take no stack of other types.
    #[inline(never)]
    pub(super) fn passing<T>(
        &self,
        arguments: &[Expression],
        at: u64,
        go: impl FnOnce(Place<'_>) -> Result<T>,
    ) -> Result<T> {
        let (one, many);
        let arguments: &[Cow<'_, Value>] = match arguments {
            // most often it is one, for which nothing is allocated
            [argument] => {
                one = [computed(argument, self.earlier, at)?];
                &one
            }
            all => {
                many = all
                    .iter()
                    .map(|argument| computed(argument, self.earlier, at))
                    .collect::<Result<Vec<_>>>()?;
                &many
            }
        };
        let passed = Earlier::passed(arguments);
        let frame = self.frame.passing(&passed);
        go(frame.after(self.earlier))
    }

    /// Goes on in a type that is passed one item of a list.
    #[inline(never)]
    pub(super) fn passing_item<T>(
        &self,
        (list, i): (&Expression, usize),
        at: u64,
        go: impl FnOnce(Place<'_>) -> Result<T>,
    ) -> Result<T> {
        let item = match list.term(self.earlier, at)? {
            Term::Field(Value::List(items)) => items.get(i).map(Cow::Borrowed),
            Term::Field(Value::Array { values, .. }) => values.get(i),
            Term::Field(field) => {
                field.as_bytes().and_then(|bytes| bytes.get(i)).map(|byte| Cow::Owned((*byte).into()))
            }
            Term::Bytes(bytes) => bytes.get(i).map(|byte| Cow::Owned((*byte).into())),
            _ => None,
        };
        let arguments: Vec<_> = item.into_iter().collect();
        let passed = Earlier::passed(&arguments);
        let frame = self.frame.passing(&passed);
        go(frame.after(self.earlier))
    }

    /// The byte order that a type fixes.
    #[inline]
    pub(super) fn order(&self, order: &FixedOrder, at: u64) -> Result<Endian> {
        match order {
            FixedOrder::Little => Ok(Endian::Little),
            FixedOrder::Big => Ok(Endian::Big),
            FixedOrder::Expr(order) => order.order(self.earlier, at),
        }
    }
}

/// The value of an argument; a field is not copied.
pub(super) fn computed<'e>(
    argument: &'e Expression,
    earlier: &'e Earlier<'_>,
    at: u64,
) -> Result<Cow<'e, Value>> {
    Ok(match argument.term(earlier, at)? {
        Term::Field(value) => Cow::Borrowed(value),
        Term::Int(n) => Cow::Owned(n.into()),
        Term::Flag(flag) => Cow::Owned(flag.into()),
        Term::Bytes(bytes) => Cow::Owned(bytes.to_vec().into()),
    })
}

/// Nothing is followed that deep inside other types.
#[cold]
pub(super) fn too_deep(at: u64) -> Error {
    Error::new(ErrorKind::DepthLimit { max: DEEPEST }, at)
}

#[cold]
pub(crate) fn odd_width(bytes: u8, at: u64) -> Error {
    Error::message(format!("the description has a number of {bytes} bytes; no number is that wide"), at)
}

/// When writing: a value that is not of this type.
#[cold]
pub(super) fn expected(what: &str, found: &Value, at: u64) -> Error {
    Error::message(format!("{what} is expected, the value is {}", found.what()), at)
}

/// An integer of a width that no number has, in the number that holds it.
pub(super) type Odd<T, const BYTES: usize, const SIGNED: bool> = Wired<T, FixedInt<BYTES, SIGNED>>;

/// Runs the same code for the integer type of a length that has a fixed size.
macro_rules! with_len {
    ($bytes:expr, $signed:expr, $at:expr, $P:ident => $body:expr) => {
        with_len!(@ $bytes, $signed, $at, $P => $body;
            1 false u8, 2 false u16, 4 false u32, 8 false u64, 1 true i8, 2 true i16, 4 true i32, 8 true i64,
            3 false Odd<u32, 3, false>, 5 false Odd<u64, 5, false>, 6 false Odd<u64, 6, false>,
            7 false Odd<u64, 7, false>, 3 true Odd<i32, 3, true>, 5 true Odd<i64, 5, true>,
            6 true Odd<i64, 6, true>, 7 true Odd<i64, 7, true>)
    };
    (@ $bytes:expr, $signed:expr, $at:expr, $P:ident => $body:expr; $($n:literal $s:literal $T:ty),*) => {{
        use $crate::value::place::Odd;
        match ($bytes, $signed) {
            $(($n, $s) => {
                type $P = $T;
                $body
            })*
            (bytes, _) => Err($crate::value::place::odd_width(bytes, $at)),
        }
    }};
}
pub(crate) use with_len;
