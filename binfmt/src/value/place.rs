//! Where the codec is in a program: what both directions ask while they follow it.

use super::Value;
use super::expr::Earlier;
use super::program::{Code, DEEPEST, FixedOrder, Node};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Endian;
use alloc::format;
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
}

/// A definition that may be in itself, and those that it is in.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    number: usize,
    outer: Option<&'a Definition<'a>>,
}

impl<'a> Frame<'a> {
    /// At the root of a program.
    pub(super) fn root(code: &'a Code, start: u64) -> Self {
        Frame { code, start, bits: None, depth: 0, definition: None }
    }

    /// In a record that begins here.
    #[inline]
    pub(super) fn record(&self, start: u64) -> Self {
        Frame { start, ..*self }
    }

    /// In a record whose fields are the bits of an integer.
    pub(super) fn with_run(&self, run: &'a Cell<u128>) -> Self {
        Frame { bits: Some(run), ..*self }
    }

    /// Inside of a definition that may be in itself.
    pub(super) fn inside<'b>(&self, definition: &'b Definition<'b>) -> Frame<'b>
    where
        'a: 'b,
    {
        Frame { definition: Some(definition), ..*self }
    }

    /// Where expressions name nothing.
    #[inline]
    pub(super) fn place(&'a self) -> Place<'a> {
        self.after(&Earlier::NONE)
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

/// Runs the same code for the integer type of a length that has a fixed size.
macro_rules! with_len {
    ($bytes:expr, $signed:expr, $at:expr, $P:ident => $body:expr) => {
        match ($bytes, $signed) {
            (1, false) => {
                type $P = u8;
                $body
            }
            (2, false) => {
                type $P = u16;
                $body
            }
            (4, false) => {
                type $P = u32;
                $body
            }
            (8, false) => {
                type $P = u64;
                $body
            }
            (1, true) => {
                type $P = i8;
                $body
            }
            (2, true) => {
                type $P = i16;
                $body
            }
            (4, true) => {
                type $P = i32;
                $body
            }
            (8, true) => {
                type $P = i64;
                $body
            }
            (3, false) => {
                type $P = $crate::codec::integer::Wired<u32, $crate::codec::integer::FixedInt<3, false>>;
                $body
            }
            (5, false) => {
                type $P = $crate::codec::integer::Wired<u64, $crate::codec::integer::FixedInt<5, false>>;
                $body
            }
            (6, false) => {
                type $P = $crate::codec::integer::Wired<u64, $crate::codec::integer::FixedInt<6, false>>;
                $body
            }
            (7, false) => {
                type $P = $crate::codec::integer::Wired<u64, $crate::codec::integer::FixedInt<7, false>>;
                $body
            }
            (3, true) => {
                type $P = $crate::codec::integer::Wired<i32, $crate::codec::integer::FixedInt<3, true>>;
                $body
            }
            (5, true) => {
                type $P = $crate::codec::integer::Wired<i64, $crate::codec::integer::FixedInt<5, true>>;
                $body
            }
            (6, true) => {
                type $P = $crate::codec::integer::Wired<i64, $crate::codec::integer::FixedInt<6, true>>;
                $body
            }
            (7, true) => {
                type $P = $crate::codec::integer::Wired<i64, $crate::codec::integer::FixedInt<7, true>>;
                $body
            }
            (bytes, _) => Err($crate::value::place::odd_width(bytes, $at)),
        }
    };
}
pub(crate) use with_len;
