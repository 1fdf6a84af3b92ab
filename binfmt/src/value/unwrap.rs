//! What both directions ask of a type: its place in the path, its place in the tree, the widths of its integers.

use super::Value;
use super::expr::{self, Scope};
use super::measure::Known;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::expr::{constant, shortened};
use crate::schema::{ByteOrder, Field, Magic, Type};
use crate::wire::{Endian, OPEN, Sizes};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Types inside of types that are followed, whatever the limit of levels: it bounds the stack.
const DEEPEST: u32 = 256;

/// Where the codec is in the tree of types.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) known: &'a Known<'a>,
    /// The earlier fields of the record.
    pub(super) scope: Scope<'a>,
    /// The first byte of the record, from which alignment counts.
    pub(super) start: u64,
    depth: u32,
    names: Option<&'a Named<'a>>,
    /// Whether this is the element of a list, which counts as a level itself.
    in_list: bool,
}

/// The named types that this one is in, innermost first.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    name: &'a str,
    outer: Option<&'a Named<'a>>,
}

impl<'a> Place<'a> {
    pub(super) fn root(known: &'a Known<'a>, start: u64) -> Self {
        Place { known, scope: &expr::Nothing, start, depth: 0, names: None, in_list: false }
    }

    /// One type further inside.
    pub(super) fn inner(self, at: u64) -> Result<Self> {
        if self.depth >= DEEPEST {
            return Err(Error::new(ErrorKind::DepthLimit { max: DEEPEST }, at));
        }
        Ok(Place { depth: self.depth.saturating_add(1), in_list: false, ..self })
    }

    /// In an element of a list.
    pub(super) fn item(self) -> Self {
        Place { in_list: true, ..self }
    }

    /// In a record that begins here; its fields see none of what is around it.
    pub(super) fn record(self, start: u64) -> Self {
        Place { start, scope: &expr::Nothing, ..self }
    }

    /// With these earlier fields.
    pub(super) fn with<'b>(self, scope: Scope<'b>) -> Place<'b>
    where
        'a: 'b,
    {
        Place { scope, ..self }
    }

    /// The type of a name, and whether it is in itself without a list between: that counts as a level.
    pub(super) fn named(self, ty: &'a Type, at: u64) -> Result<(&'a Type, Named<'a>, bool)> {
        let (Type::Named(name), Some(found)) = (ty, self.known.description.resolve(ty)) else {
            let name = if let Type::Named(name) = ty { name.as_str() } else { "" };
            return Err(Error::message(
                format!("the description has no definition of `{}`", shortened(name)),
                at,
            ));
        };
        let again = self.is_inside(name) && !self.in_list;
        Ok((found, Named { name, outer: self.names }, again))
    }

    /// Whether this is in the type of a name.
    fn is_inside(&self, name: &str) -> bool {
        let mut outer = self.names;
        while outer.is_some_and(|named| named.name != name) {
            outer = outer.and_then(|named| named.outer);
        }
        outer.is_some()
    }

    /// The sizes of a field: a type that is in itself is behind a pointer in the struct, and the derive asks for none of
    /// its bytes before it is reached.
    pub(super) fn sizes(&self, ty: &Type) -> Sizes {
        match ty {
            Type::Named(name) if self.is_inside(name) => Sizes { head: 0, min: 0, max: OPEN },
            Type::Ordered { body, .. } => self.sizes(body),
            ty => self.known.sizes(ty),
        }
    }

    pub(super) fn inside<'b>(self, named: &'b Named<'b>) -> Place<'b>
    where
        'a: 'b,
    {
        Place { names: Some(named), ..self }
    }

    /// The byte order that a type fixes.
    pub(super) fn order(&self, order: &ByteOrder, at: u64) -> Result<Endian> {
        match order {
            ByteOrder::Little => Ok(Endian::Little),
            ByteOrder::Big => Ok(Endian::Big),
            ByteOrder::Expr(text) => expr::order(text, self.scope, at),
        }
    }
}

/// Bytes that are no field's: they have no value.
pub(crate) fn is_silent(ty: &Type) -> bool {
    match ty {
        Type::Padding { .. } | Type::Alignment { .. } | Type::Magic { .. } => true,
        Type::Ordered { body, .. } => is_silent(body),
        _ => false,
    }
}

/// The step of a field in the path of an error: its name, or the word that makes its bytes.
pub(crate) fn step(field: &Field) -> Step {
    if !field.name.is_empty() {
        return Step::Name(field.name.to_string());
    }
    if let Some(owner) = owner(field) {
        return Step::Name(owner.to_string());
    }
    Step::Field(match &field.ty {
        Type::Magic { .. } => "magic",
        Type::Alignment { .. } => "alignment",
        ty if is_silent(ty) => "padding",
        _ => "",
    })
}

/// What a struct calls bytes that stand beside a field: `q (alignment)`, in the place of a type's name.
pub(super) fn owner(field: &Field) -> Option<&str> {
    let words = [" (magic)", " (padding)", " (alignment)"];
    let owned = field.name.is_empty() && words.iter().any(|word| field.native.ends_with(word));
    owned.then_some(&field.native)
}

/// Whether the fields of a record or variant have numbers for names: then it is a list.
pub(crate) fn is_tuple(fields: &[Field]) -> bool {
    are_numbers(fields.iter().filter(|field| !is_silent(&field.ty)).map(|field| field.name.as_str()))
}

/// Whether names are `0`, `1` and so on: those of a tuple.
pub(crate) fn are_numbers<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut found = 0usize;
    for name in names {
        // most names say with their first byte that they are none
        if !name.bytes().all(|b| b.is_ascii_digit()) || name.parse() != Ok(found) {
            return false;
        }
        found = found.saturating_add(1);
    }
    found > 0
}

/// The bytes that a magic takes.
pub(super) fn magic_len(magic: &Magic) -> usize {
    match magic {
        Magic::Bytes(bytes) => bytes.len(),
        Magic::Number { bytes, .. } => usize::from(*bytes),
    }
}

/// The bytes of a magic in a byte order.
pub(crate) fn magic_bytes(magic: &Magic, little: bool, at: u64) -> Result<Vec<u8>> {
    match magic {
        Magic::Bytes(bytes) => Ok(bytes.clone()),
        Magic::Number { value, bytes } => {
            let all = constant(value, at)?.to_le_bytes();
            let Some(number) = all.get(..usize::from(*bytes)) else { return Err(odd_width(*bytes, at)) };
            let mut number = number.to_vec();
            if !little {
                number.reverse();
            }
            Ok(number)
        }
    }
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
            (bytes, _) => Err($crate::value::unwrap::odd_width(bytes, $at)),
        }
    };
}
pub(crate) use with_len;
