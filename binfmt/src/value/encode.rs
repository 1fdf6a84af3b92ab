//! Writing a value: what `decode` reads. A value that contradicts its layout is an error.

use super::Value;
use super::choice::put_choice;
use super::decode::{check, no_extent, unknown_codec};
use super::expr;
use super::lists::{put_list, put_shaped};
use super::measure::Known;
use super::records::put_record;
use super::text::{put_bytes, put_text};
use super::unwrap::{Place, expected, magic_bytes, odd_width, with_len};
use crate::codec::Encode;
use crate::codec::form::no_blank;
use crate::containers::counted::mismatch;
use crate::containers::nullable::put_missing;
use crate::containers::padding::gap;
use crate::containers::prefixed::{put_len, put_no_len};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::{Number, NumberType, with_numbers};
use crate::schema::{Description, Extent, Type};
use crate::wire::{Be, Counter, Endian, Le, Order, Sink};
use alloc::format;

impl<'d> Encode<&'d Description> for Value {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, description: &'d Description) -> Result<()> {
        check(description, out.pos())?;
        put_whole::<O, W>(self, description, out)
    }
}

/// Writes a value of a description that was checked before.
pub(crate) fn put_whole<O: Order, W: Sink>(
    value: &Value,
    description: &Description,
    out: &mut W,
) -> Result<()> {
    let known = Known::of(description);
    let place = Place::root(&known, out.pos());
    put::<O, W>(value, &description.root, out, place)
}

/// Writes a value of any type.
pub(super) fn put<O: Order, W: Sink>(value: &Value, ty: &Type, out: &mut W, place: Place<'_>) -> Result<()> {
    match ty {
        Type::Unit => match value {
            Value::Unit => Ok(()),
            other => Err(expected("nothing", other, out.pos())),
        },
        Type::Int { bytes, .. } | Type::Float { bytes } => match ty.number_type() {
            Some(kind) => put_number::<O, W>(value, kind, out),
            None => Err(odd_width(*bytes, out.pos())),
        },
        Type::Bool { .. } => put_number::<O, W>(value, NumberType::Bool, out),
        Type::Text { encoding, nul, len } => put_text::<O, W>(value, *encoding, *nul, len, out, place),
        Type::Bytes { len } => put_bytes::<O, W>(value, len, out, place),
        ty => composite::<O, W>(value, ty, out, place.inner(out.pos())?),
    }
}

fn composite<O: Order, W: Sink>(value: &Value, ty: &Type, out: &mut W, place: Place<'_>) -> Result<()> {
    match ty {
        Type::List { item, len } => put_list::<O, W>(value, item, len, out, place),
        Type::Shaped { .. } => put_shaped::<O, W>(value, ty, out, place),
        Type::Region { len, body } => put_region::<O, W>(value, len, body, out, place),
        Type::Nullable { present, missing, blank, body } => match value {
            Value::Missing(code) => {
                put_missing(*code, *missing, out)?;
                if *blank { put_blank::<O, W>(body, out, place) } else { Ok(()) }
            }
            value => {
                out.array([*present])?;
                put::<O, W>(value, body, out, place)
            }
        },
        Type::Conditional { condition, body } => {
            let on = expr::flag(condition, place.scope, out.pos())?;
            match value {
                Value::Absent if !on => Ok(()),
                value if on && *value != Value::Absent => put::<O, W>(value, body, out, place),
                _ => Err(Error::new(ErrorKind::PresenceMismatch { expected: on }, out.pos())),
            }
        }
        Type::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put::<Le, W>(value, body, out, place),
            Endian::Big => put::<Be, W>(value, body, out, place),
        },
        Type::Padded { size, fill, body, .. } => {
            let start = out.pos();
            put::<O, W>(value, body, out, place)?;
            let found = out.pos().saturating_sub(start);
            match size.checked_sub(found) {
                Some(left) => out.fill(*fill, left),
                None => Err(Error::new(ErrorKind::TooLong { found, max: *size }, start)),
            }
        }
        Type::Record(record) => put_record::<O, W>(value, record, out, place),
        Type::Choice(choice) => put_choice::<O, W>(value, choice, out, place),
        Type::Named(_) => {
            let (ty, name, _) = place.named(ty, out.pos())?;
            put::<O, W>(value, ty, out, place.inside(&name))
        }
        Type::Opaque { min, max, .. } if *max == Some(*min) => {
            put_bytes::<O, W>(value, &Extent::Fixed(*min), out, place)
        }
        Type::Opaque { by, .. } => Err(unknown_codec(by, out.pos())),
        ty => put_silent::<O, W>(ty, out, place),
    }
}

/// Writes bytes that no value has.
fn put_silent<O: Order, W: Sink>(ty: &Type, out: &mut W, place: Place<'_>) -> Result<()> {
    match ty {
        Type::Padding { len: Extent::ToEnd, .. } => Ok(()),
        Type::Padding { len: len @ Extent::Prefixed { .. }, .. } => put_prefix::<O, W>(len, 0, out),
        Type::Padding { len, fill, .. } => {
            let n = check_count(len, out.pos(), place)?;
            match u64::try_from(n) {
                Ok(n) => out.fill(*fill, n),
                Err(_) => Err(Error::new(ErrorKind::InvalidLength { found: n }, out.pos())),
            }
        }
        Type::Alignment { to, fill, .. } => {
            let gap = gap(place.start, out.pos(), *to);
            out.fill(*fill, gap)
        }
        Type::Magic { value } => {
            let bytes = magic_bytes(value, O::LE, out.pos())?;
            out.bytes(&bytes, 0)
        }
        _ => Ok(()),
    }
}

/// Writes a number that may be of another width: an integer if it fits, a floating-point number as the nearest one.
fn put_number<O: Order, W: Sink>(value: &Value, kind: NumberType, out: &mut W) -> Result<()> {
    let number = match value {
        Value::Number(n) if n.number_type() == kind => *n,
        value => converted(value, kind, out.pos())?,
    };
    with_numbers!(number, one n => n.encode::<O, W>(out, ()))
}

#[inline(never)]
fn converted(value: &Value, kind: NumberType, at: u64) -> Result<Number> {
    let what = match kind {
        NumberType::Bool => "a bool",
        kind if kind.is_float() => "a floating-point number",
        _ => "an integer",
    };
    let Some(number) = value.as_number() else { return Err(expected(what, value, at)) };
    let found = match number.as_f64() {
        Some(n) => Number::from_f64(kind, n),
        None => number.as_i128().and_then(|n| Number::from_i128(kind, n)),
    };
    match found {
        Some(found) => Ok(found),
        None if kind.is_int() && number.number_type().is_int() => {
            Err(Error::message(format!("{number} does not fit {kind}"), at))
        }
        None => Err(expected(what, value, at)),
    }
}

/// Writes the length in front.
pub(super) fn put_prefix<O: Order, W: Sink>(len: &Extent, n: usize, out: &mut W) -> Result<()> {
    let at = out.pos();
    let Extent::Prefixed { bytes, signed, max, inclusive } = len else { return Err(no_extent(len, at)) };
    let max = max.unwrap_or(u64::MAX);
    with_len!(*bytes, *signed, at, P => put_len::<O, P, W>(out, n, max, *inclusive))
}

/// The count that a type or earlier fields give.
pub(super) fn check_count(len: &Extent, at: u64, place: Place<'_>) -> Result<i128> {
    match len {
        Extent::Fixed(n) => Ok(i128::from(*n)),
        Extent::Expr(text) => expr::int(text, place.scope, at),
        Extent::Each(text) => Ok(expr::num_items(text, place.scope, at)? as i128),
        _ => Err(no_extent(len, at)),
    }
}

fn put_region<O: Order, W: Sink>(
    value: &Value,
    len: &Extent,
    body: &Type,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    if *len == Extent::ToEnd {
        return put::<O, W>(value, body, out, place);
    }
    if W::COUNT && matches!(len, Extent::Prefixed { .. }) {
        // whoever counts needs only the width of the length, and counts the inside once
        put_prefix::<O, W>(len, 0, out)?;
        return put::<O, W>(value, body, out, place);
    }
    let measured = if W::COUNT { Ok(0) } else { measured::<O>(value, body, place) };
    let n = measured.map_err(|e| {
        // the counter began at 0
        let width = if let Extent::Prefixed { bytes, .. } = len { u64::from(*bytes) } else { 0 };
        let at = out.pos().saturating_add(width);
        e.shifted(at).or_at(at)
    })?;
    if let Extent::Prefixed { .. } = len {
        put_prefix::<O, W>(len, usize::try_from(n).unwrap_or(usize::MAX), out)?;
    } else if !W::COUNT {
        let expected = check_count(len, out.pos(), place)?;
        if expected != i128::from(n) {
            return Err(mismatch(expected, n, out.pos()));
        }
    }
    put::<O, W>(value, body, out, place)
}

fn measured<O: Order>(value: &Value, body: &Type, place: Place<'_>) -> Result<u64> {
    let mut counter = Counter::new();
    put::<O, Counter>(value, body, &mut counter, place)?;
    Ok(counter.pos())
}

/// Writes what stands for the body of a missing value.
fn put_blank<O: Order, W: Sink>(body: &Type, out: &mut W, place: Place<'_>) -> Result<()> {
    if let Some(n) = place.known.sizes(body).exact() {
        return out.fill(0, n as u64);
    }
    match body {
        Type::Ordered { order, body } => match place.order(order, out.pos())? {
            Endian::Little => put_blank::<Le, W>(body, out, place),
            Endian::Big => put_blank::<Be, W>(body, out, place),
        },
        Type::Text { len, .. }
        | Type::Bytes { len }
        | Type::Region { len, .. }
        | Type::Padding { len, .. }
        | Type::List { len, .. } => match len {
            Extent::Prefixed { bytes, inclusive, .. } => {
                put_no_len::<O, W>(out, usize::from(*bytes), *inclusive)
            }
            Extent::Terminated => out.array([0]),
            _ => Err(no_blank(out.pos())),
        },
        _ => Err(no_blank(out.pos())),
    }
}
