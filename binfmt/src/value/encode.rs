//! Writing a value: what `decode` reads. A value that contradicts its layout is an error.

use super::choice::put_choice;
use super::decode::{compiled, no_length, unknown_codec};
use super::lists::{put_list, put_shaped};
use super::place::{Place, expected, too_deep, with_len};
use super::program::{Code, Kind, Length, Node, NumberType, Program};
use super::records::put_record;
use super::text::{put_bytes, put_text};
use super::{Value, float};
use crate::codec::Encode;
use crate::codec::form::no_blank;
use crate::containers::counted::mismatch;
use crate::containers::nullable::put_missing;
use crate::containers::padding::gap;
use crate::containers::prefixed::{put_len, put_no_len};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::Description;
use crate::wire::{Be, Counter, Endian, Le, Order, Sink};
use alloc::format;

impl<'p> Encode<&'p Program> for Value {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, program: &'p Program) -> Result<()> {
        put_run::<O, W>(self, program.code(), out)
    }
}

/// The description is compiled for this one value: whoever writes more than a few makes a [`Program`].
impl<'d> Encode<&'d Description> for Value {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, description: &'d Description) -> Result<()> {
        let code = compiled(description, out.pos())?;
        put_run::<O, W>(self, &code, out)
    }
}

/// Writes a value of the whole layout.
#[inline]
pub(crate) fn put_run<O: Order, W: Sink>(value: &Value, code: &Code, out: &mut W) -> Result<()> {
    let place = code.place(out.pos());
    put::<O, W>(value, code.root(), out, place)
}

/// Writes a value of any type.
#[inline]
pub(super) fn put<O: Order, W: Sink>(
    value: &Value,
    node: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match &node.kind {
        Kind::Number(of) => put_number::<O, W>(value, *of, out),
        kind => other::<O, W>(value, kind, out, place),
    }
}

fn other<O: Order, W: Sink>(value: &Value, kind: &Kind, out: &mut W, place: Place<'_>) -> Result<()> {
    match kind {
        Kind::Unit => match value {
            Value::Unit => Ok(()),
            other => Err(expected("nothing", other, out.pos())),
        },
        Kind::Named(definition) if !place.code.is_recursive() => {
            put::<O, W>(value, place.code.definition(*definition), out, place)
        }
        Kind::Bool { .. } => match value {
            Value::Bool(b) => b.encode::<O, W>(out, ()),
            other => Err(expected("a bool", other, out.pos())),
        },
        Kind::Text { encoding, nul, len } => put_text::<O, W>(value, *encoding, *nul, len, out, place),
        Kind::Bytes { len } => put_bytes::<O, W>(value, len, out, place),
        kind => composite::<O, W>(value, kind, out, place.inner(out.pos())?),
    }
}

fn composite<O: Order, W: Sink>(value: &Value, kind: &Kind, out: &mut W, place: Place<'_>) -> Result<()> {
    match kind {
        Kind::Record(record) => put_record::<O, W>(value, record, out, place),
        Kind::List { item, len } => put_list::<O, W>(value, item, len, out, place),
        Kind::Shaped(shaped) => put_shaped::<O, W>(value, shaped, out, place),
        Kind::Region { len, body } => put_region::<O, W>(value, len, body, out, place),
        Kind::Nullable { present, missing, blank, body } => match value {
            Value::Missing(code) => {
                put_missing(*code, *missing, out)?;
                if *blank { put_blank::<O, W>(body, out, place) } else { Ok(()) }
            }
            value => {
                out.array([*present])?;
                put::<O, W>(value, body, out, place)
            }
        },
        Kind::Conditional { condition, body } => {
            let on = condition.flag(place.scope, out.pos())?;
            match value {
                Value::Absent if !on => Ok(()),
                value if on && *value != Value::Absent => put::<O, W>(value, body, out, place),
                _ => Err(Error::new(ErrorKind::PresenceMismatch { expected: on }, out.pos())),
            }
        }
        Kind::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put::<Le, W>(value, body, out, place),
            Endian::Big => put::<Be, W>(value, body, out, place),
        },
        Kind::Padded { size, fill, body, .. } => {
            let start = out.pos();
            put::<O, W>(value, body, out, place)?;
            let found = out.pos().saturating_sub(start);
            match size.checked_sub(found) {
                Some(left) => out.fill(*fill, left),
                None => Err(Error::new(ErrorKind::TooLong { found, max: *size }, start)),
            }
        }
        Kind::Choice(choice) => put_choice::<O, W>(value, choice, out, place),
        Kind::Named(definition) => {
            let (node, name, _) = place.named(*definition);
            put::<O, W>(value, node, out, place.inside(&name))
        }
        Kind::Opaque { min, max, .. } if *max == Some(*min) => {
            put_bytes::<O, W>(value, &Length::Fixed(*min), out, place)
        }
        Kind::Opaque { by, .. } => Err(unknown_codec(by, out.pos())),
        Kind::Unreachable => Err(too_deep(out.pos())),
        kind => put_silent::<O, W>(kind, out, place),
    }
}

/// Writes bytes that no value has.
fn put_silent<O: Order, W: Sink>(kind: &Kind, out: &mut W, place: Place<'_>) -> Result<()> {
    match kind {
        Kind::Padding { len: Length::ToEnd, .. } => Ok(()),
        Kind::Padding { len: len @ Length::Prefixed { .. }, .. } => put_prefix::<O, W>(len, 0, out),
        Kind::Padding { len, fill, .. } => {
            let n = check_count(len, out.pos(), place)?;
            match u64::try_from(n) {
                Ok(n) => out.fill(*fill, n),
                Err(_) => Err(Error::new(ErrorKind::InvalidLength { found: n }, out.pos())),
            }
        }
        Kind::Alignment { to, fill, .. } => {
            let gap = gap(place.start, out.pos(), *to);
            out.fill(*fill, gap)
        }
        Kind::Magic(magic) => {
            let bytes = magic.of(O::LE, out.pos())?;
            out.bytes(bytes, 0)
        }
        _ => Ok(()),
    }
}

/// Writes a number: of its own type at once, else what fits.
#[inline]
pub(super) fn put_number<O: Order, W: Sink>(value: &Value, of: NumberType, out: &mut W) -> Result<()> {
    macro_rules! as_it_is {
        ($($variant:ident)*) => {
            match (of, value) {
                $( (NumberType::$variant, Value::$variant(n)) => n.encode::<O, W>(out, ()), )*
                (NumberType::F16 | NumberType::F32 | NumberType::F64, _) => put_float::<O, W>(value, of, out),
                _ => put_int::<O, W>(value, of, out),
            }
        };
    }
    as_it_is! { I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F16 F32 F64 }
}

/// Writes an integer of another width, if it fits.
fn put_int<O: Order, W: Sink>(value: &Value, of: NumberType, out: &mut W) -> Result<()> {
    let at = out.pos();
    let n = match value {
        Value::U128(n) => i128::try_from(*n).map_err(|_| too_large(value, of, at))?,
        value => value.as_i128().ok_or_else(|| expected("an integer", value, at))?,
    };
    macro_rules! as_type {
        ($($variant:ident $T:ident)*) => {
            match of {
                $( NumberType::$variant => match $T::try_from(n) {
                    Ok(n) => n.encode::<O, W>(out, ()),
                    Err(_) => Err(too_large(value, of, at)),
                }, )*
                _ => Err(too_large(value, of, at)),
            }
        };
    }
    as_type! { I8 i8 I16 i16 I32 i32 I64 i64 I128 i128 U8 u8 U16 u16 U32 u32 U64 u64 U128 u128 }
}

#[cold]
fn too_large(value: &Value, of: NumberType, at: u64) -> Error {
    let found = match value {
        Value::U128(n) => format!("{n}"),
        value => format!("{}", value.as_i128().unwrap_or(0)),
    };
    Error::message(format!("{found} does not fit {}", of.name()), at)
}

/// Writes a floating-point number of another width: the nearest one of this width.
fn put_float<O: Order, W: Sink>(value: &Value, of: NumberType, out: &mut W) -> Result<()> {
    let Some(n) = value.as_f64() else { return Err(expected("a floating-point number", value, out.pos())) };
    match of {
        NumberType::F16 => float::to_f16(n).encode::<O, W>(out, ()),
        NumberType::F32 => (n as f32).encode::<O, W>(out, ()),
        _ => n.encode::<O, W>(out, ()),
    }
}

/// Writes the length in front.
pub(super) fn put_prefix<O: Order, W: Sink>(len: &Length, n: usize, out: &mut W) -> Result<()> {
    let at = out.pos();
    let Length::Prefixed { bytes, signed, max, inclusive } = len else { return Err(no_length(at)) };
    with_len!(*bytes, *signed, at, P => put_len::<O, P, W>(out, n, *max, *inclusive))
}

/// The count that a type or earlier fields give.
pub(super) fn check_count(len: &Length, at: u64, place: Place<'_>) -> Result<i128> {
    match len {
        Length::Fixed(n) => Ok(i128::from(*n)),
        Length::Expr(n) => n.int(place.scope, at),
        Length::Each(list) => Ok(list.num_items(place.scope, at)? as i128),
        _ => Err(no_length(at)),
    }
}

fn put_region<O: Order, W: Sink>(
    value: &Value,
    len: &Length,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    if matches!(len, Length::ToEnd) {
        return put::<O, W>(value, body, out, place);
    }
    if W::COUNT && len.is_prefixed() {
        // whoever counts needs only the width of the length, and counts the inside once
        put_prefix::<O, W>(len, 0, out)?;
        return put::<O, W>(value, body, out, place);
    }
    let measured = if W::COUNT { Ok(0) } else { measured::<O>(value, body, place) };
    let n = measured.map_err(|e| {
        // the counter began at 0
        let width = if let Length::Prefixed { bytes, .. } = len { u64::from(*bytes) } else { 0 };
        e.moved(out.pos().saturating_add(width), 0)
    })?;
    if let Length::Prefixed { .. } = len {
        put_prefix::<O, W>(len, usize::try_from(n).unwrap_or(usize::MAX), out)?;
    } else if !W::COUNT {
        let expected = check_count(len, out.pos(), place)?;
        if expected != i128::from(n) {
            return Err(mismatch(expected, n, out.pos()));
        }
    }
    put::<O, W>(value, body, out, place)
}

fn measured<O: Order>(value: &Value, body: &Node, place: Place<'_>) -> Result<u64> {
    let mut counter = Counter::new();
    put::<O, Counter>(value, body, &mut counter, place)?;
    Ok(counter.pos())
}

/// Writes what stands for the body of a missing value.
fn put_blank<O: Order, W: Sink>(body: &Node, out: &mut W, place: Place<'_>) -> Result<()> {
    if let Some(n) = body.sizes.exact() {
        return out.fill(0, n as u64);
    }
    match &body.kind {
        Kind::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put_blank::<Le, W>(body, out, place),
            Endian::Big => put_blank::<Be, W>(body, out, place),
        },
        Kind::Text { len, .. }
        | Kind::Bytes { len }
        | Kind::Region { len, .. }
        | Kind::Padding { len, .. }
        | Kind::List { len, .. } => match len {
            Length::Prefixed { bytes, inclusive, .. } => {
                put_no_len::<O, W>(out, usize::from(*bytes), *inclusive)
            }
            Length::Terminated => out.array([0]),
            _ => Err(no_blank(out.pos())),
        },
        _ => Err(no_blank(out.pos())),
    }
}
