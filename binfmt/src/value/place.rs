//! Where the codec is in a program: what both directions ask while they follow it.

use super::Value;
use super::expr::{Nothing, Scope};
use super::program::{Code, DEEPEST, FixedOrder, Node};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Endian;
use alloc::format;

/// Where the codec is in the tree of types.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(super) code: &'a Code,
    /// The earlier fields of the record.
    pub(super) scope: Scope<'a>,
    /// The first byte of the record, from which alignment counts.
    pub(super) start: u64,
    depth: u32,
    names: Option<&'a Named<'a>>,
    /// Whether this is the element of a list, which counts as a level itself.
    in_list: bool,
}

/// The definitions that this one is in, innermost first.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    number: usize,
    outer: Option<&'a Named<'a>>,
}

impl<'a> Place<'a> {
    pub(super) fn root(code: &'a Code, start: u64) -> Self {
        Place { code, scope: &Nothing, start, depth: 0, names: None, in_list: false }
    }

    /// One type further inside.
    #[inline]
    pub(super) fn inner(&self, at: u64) -> Result<Self> {
        if self.depth >= DEEPEST {
            return Err(too_deep(at));
        }
        Ok(Place { depth: self.depth.saturating_add(1), in_list: false, ..*self })
    }

    /// In an element of a list.
    #[inline]
    pub(super) fn item(&self) -> Self {
        Place { in_list: true, ..*self }
    }

    /// In a record that begins here; its fields see none of what is around it.
    #[inline]
    pub(super) fn record(&self, start: u64) -> Self {
        Place { start, scope: &Nothing, ..*self }
    }

    /// With these earlier fields.
    #[inline]
    pub(super) fn with<'b>(&self, scope: Scope<'b>) -> Place<'b>
    where
        'a: 'b,
    {
        Place { scope, ..*self }
    }

    /// A definition, and whether it is in itself without a list between: that counts as a level.
    pub(super) fn named(&self, number: usize) -> (&'a Node, Named<'a>, bool) {
        let mut outer = self.names;
        while outer.is_some_and(|named| named.number != number) {
            outer = outer.and_then(|named| named.outer);
        }
        let again = outer.is_some() && !self.in_list;
        (self.code.definition(number), Named { number, outer: self.names }, again)
    }

    pub(super) fn inside<'b>(&self, named: &'b Named<'b>) -> Place<'b>
    where
        'a: 'b,
    {
        Place { names: Some(named), ..*self }
    }

    /// The byte order that a type fixes.
    #[inline]
    pub(super) fn order(&self, order: &FixedOrder, at: u64) -> Result<Endian> {
        match order {
            FixedOrder::Little => Ok(Endian::Little),
            FixedOrder::Big => Ok(Endian::Big),
            FixedOrder::Expr(order) => order.order(self.scope, at),
        }
    }
}

/// Nothing is followed so deep inside of other types.
#[cold]
pub(super) fn too_deep(at: u64) -> Error {
    Error::new(ErrorKind::DepthLimit { max: DEEPEST }, at)
}

#[cold]
pub(crate) fn odd_width(bytes: u8, at: u64) -> Error {
    Error::message(format!("the description has a number of {bytes} bytes, which there is not"), at)
}

/// When writing: a value that is none of this type.
#[cold]
pub(super) fn expected(what: &str, found: &Value, at: u64) -> Error {
    Error::message(format!("{what} is expected, the value is {}", found.what()), at)
}

/// Runs the same code for the integer type of a length.
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
            (bytes, _) => Err($crate::value::place::odd_width(bytes, $at)),
        }
    };
}
pub(crate) use with_len;
