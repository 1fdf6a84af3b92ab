//! Bits of an integer: each value goes through its bytes.

use super::Value;
use super::decode::value;
use super::encode::put;
use super::place::Place;
use super::program::{Kind, Node};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::Number;
use crate::wire::amount::between;
use crate::wire::bits::{BitPlace, in_bytes, number};
use crate::wire::out::slice_sink;
use crate::wire::{Cursor, Erased, Hooks, Kind as Mark, Order, Sink, Slice, Source};

/// Reads the bits of a field.
pub(super) fn bits<O: Order>(
    src: &mut Erased<'_, '_>,
    bits: BitPlace,
    body: &Node,
    place: Place<'_>,
) -> Result<Value> {
    let Some(run) = place.frame.bits else { return Err(no_run(src.pos())) };
    let found = bits.read::<O, _>(src, run)?;
    let n = if is_signed(body) { bits.extended(found) } else { found };
    src.mark(Mark::Bits { value: n as i128, bits: bits.width, name: None }, O::LE);
    let at = between(bits.bytes.into(), src.pos());
    if let Kind::Padding { strict, .. } = body.kind {
        return match strict && found != 0 {
            true => {
                let found = u8::try_from(found).unwrap_or(u8::MAX);
                Err(Error::new(ErrorKind::Padding { expected: 0, found }, at))
            }
            false => Ok(Value::Unit),
        };
    }
    let read = of_number::<O>(n, body, place).map_err(|e| e.shifted(at))?;
    if src.is_heard() {
        let name = match &read {
            Value::Variant { name, .. } => Some(name.as_str()),
            Value::Number(Number::Bool(on)) => Some(if *on { "true" } else { "false" }),
            _ => None,
        };
        src.mark(Mark::Bits { value: n as i128, bits: bits.width, name }, O::LE);
    }
    Ok(read)
}

/// The value whose bytes are those of a number, in the byte order that holds.
pub(super) fn of_number<O: Order>(n: u128, body: &Node, place: Place<'_>) -> Result<Value> {
    let size = body.sizes.exact().unwrap_or(1);
    let bytes = in_bytes::<O>(n.to_le_bytes(), size);
    let mut inner = Slice::new(bytes.get(..size).unwrap_or(&bytes));
    value::<O>(&mut inner.erase(), body, place)
}

/// The number whose bytes are those of a value, and whether it has a sign.
pub(super) fn as_number<O: Order>(value: &Value, body: &Node, place: Place<'_>) -> Result<(u128, bool)> {
    let (mut bytes, signed) = ([0; 16], is_signed(body));
    let size = slice_sink(&mut bytes, |inner| put::<O, _>(value, body, inner, place))?;
    Ok((number(in_bytes::<O>(bytes, size), size, signed), signed))
}

/// Writes the bits of a field.
pub(super) fn put_bits<O: Order, W: Sink>(
    value: &Value,
    bits: BitPlace,
    body: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Some(run) = place.frame.bits else { return Err(no_run(out.pos())) };
    let (number, signed) = match body.kind {
        Kind::Padding { .. } => (0, false),
        _ => as_number::<O>(value, body, place).map_err(|e| e.shifted(out.pos()))?,
    };
    bits.write::<O, W>(number, signed, run, out)
}

pub(super) fn is_signed(body: &Node) -> bool {
    let number = match &body.kind {
        Kind::Number(kind) => Some(*kind),
        // of a width that no number has: a wider one holds it
        Kind::Integer(_, kind) => Some(*kind),
        _ => None,
    };
    number.is_some_and(|kind| kind.is_int() && kind.is_signed())
}

#[cold]
fn no_run(at: u64) -> Error {
    Error::message("these bits are not a field of a record", at)
}
