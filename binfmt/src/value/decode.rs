//! Reading a value: one function for each kind of type, each with the wire code of the derived codec.

use super::expr;
use super::lists;
use super::measure::{Known, sizes};
use super::records;
use super::text;
use super::unwrap::{Place, magic_bytes, odd_width, with_len};
use super::{Value, choice};
use crate::codec::form::{DecodeAs, no_blank};
use crate::codec::scalar::BoolLax;
use crate::codec::{Decode, Layout};
use crate::containers::magic::different;
use crate::containers::nullable::{Presence, presence};
use crate::containers::padding::{gap, pass};
use crate::containers::prefixed::{pass_missing, read_len};
use crate::error::{Error, Result};
use crate::numbers::{NumberType, with_numbers};
use crate::schema::expr::shortened;
use crate::schema::{ByteOrder, Description, Extent, Type};
use crate::wire::limits::checked;
use crate::wire::raw::bulk;
use crate::wire::{Be, Endian, Facts, Kind, Label, Le, OPEN, Order, Source};
use alloc::format;
use alloc::vec::Vec;

impl Layout for Value {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de, 'd> Decode<'de, &'d Description> for Value {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, description: &'d Description) -> Result<Self> {
        check(description, src.pos())?;
        whole::<O, S>(src, description)
    }

    fn min_size(description: &&'d Description) -> usize {
        sizes(description, &description.root).min
    }
}

/// Whether a description can be followed. It costs less than a value does: expressions are read where they are needed.
pub(super) fn check(description: &Description, at: u64) -> Result<()> {
    description.validate_types().map_err(|e| e.at(at))
}

/// A value of a description that was checked before.
pub(crate) fn whole<'de, O: Order, S: Source<'de>>(src: &mut S, description: &Description) -> Result<Value> {
    let known = Known::of(description);
    value::<O, S>(src, &description.root, Place::root(&known, src.pos()))
}

/// A value of any type.
pub(super) fn value<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    ty: &Type,
    place: Place<'_>,
) -> Result<Value> {
    match ty {
        Type::Unit => Ok(Value::Unit),
        Type::Int { bytes, .. } | Type::Float { bytes } => match ty.number_type() {
            Some(kind) => number::<O, S>(src, kind),
            None => Err(odd_width(*bytes, src.pos())),
        },
        Type::Bool { lax: false } => bool::decode::<O, S>(src, ()).map(Value::from),
        Type::Bool { lax: true } => BoolLax::decode::<O, S>(src, ()).map(Value::from),
        Type::Text { encoding, nul, len } => text::text::<O, S>(src, *encoding, *nul, len, place),
        Type::Bytes { len } => text::bytes::<O, S>(src, len, place),
        ty => composite::<O, S>(src, ty, place.inner(src.pos())?),
    }
}

/// A type with others inside. Each kind is a function of its own, so that a value deep inside of others takes no stack for
/// the kinds that it is not.
fn composite<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<Value> {
    match ty {
        Type::List { item, len } => lists::list::<O, S>(src, item, len, place),
        Type::Shaped { .. } => lists::shaped::<O, S>(src, ty, place),
        Type::Region { len, body } => region::<O, S>(src, len, body, place),
        Type::Nullable { .. } => nullable::<O, S>(src, ty, place),
        Type::Conditional { condition, body } => conditional::<O, S>(src, condition, body, place),
        Type::Ordered { order, body } => ordered::<S>(src, order, body, place),
        Type::Padded { size, fill, strict, body } => {
            padded::<O, S>(src, *size, (*fill, *strict), body, place)
        }
        Type::Record(record) => records::record::<O, S>(src, record, place),
        Type::Choice(choice) => choice::choice::<O, S>(src, choice, place),
        Type::Named(_) => named::<O, S>(src, ty, place),
        Type::Opaque { by, min, max } => opaque::<O, S>(src, by, (*min, *max), place),
        ty => silent::<O, S>(src, ty, place),
    }
}

fn nullable<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<Value> {
    let Type::Nullable { present, missing, blank, body } = ty else { return Ok(Value::Unit) };
    match presence(src, *present, *missing)? {
        Presence::Value => named_value::<O, S>(src, body, place),
        Presence::Missing(code) => {
            if *blank {
                src.open(Label::Piece("blank"), "");
                src.mark(Kind::Blank, true);
                pass_blank::<O, S>(src, body, place)?;
                src.close();
            }
            Ok(Value::Missing(code))
        }
    }
}

fn conditional<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    condition: &str,
    body: &Type,
    place: Place<'_>,
) -> Result<Value> {
    if expr::flag(condition, place.scope, src.pos())? {
        value::<O, S>(src, body, place)
    } else {
        src.mark(Kind::Absent, true);
        Ok(Value::Absent)
    }
}

fn ordered<'de, S: Source<'de>>(
    src: &mut S,
    order: &ByteOrder,
    body: &Type,
    place: Place<'_>,
) -> Result<Value> {
    match place.order(order, src.pos())? {
        Endian::Little => value::<Le, S>(src, body, place),
        Endian::Big => value::<Be, S>(src, body, place),
    }
}

fn padded<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    size: u64,
    (fill, strict): (u8, bool),
    body: &Type,
    place: Place<'_>,
) -> Result<Value> {
    let start = src.pos();
    let window = src.narrow(size)?;
    let v = value::<O, S>(src, body, place)?;
    let used = src.pos().saturating_sub(start);
    pass(src, size.saturating_sub(used), fill, strict)?;
    src.widen(window)?;
    Ok(v)
}

/// A value beside the pieces that serve it.
fn named_value<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<Value> {
    src.open(Label::Value, "");
    let v = value::<O, S>(src, ty, place)?;
    src.close();
    Ok(v)
}

fn named<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<Value> {
    let (ty, name, again) = place.named(ty, src.pos())?;
    if !again {
        return value::<O, S>(src, ty, place.inside(&name));
    }
    src.enter()?;
    src.charge(size_of::<Value>())?;
    let v = value::<O, S>(src, ty, place.inside(&name))?;
    src.leave();
    Ok(v)
}

/// Bytes without a value.
fn silent<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<Value> {
    pass_silent::<O, S>(src, ty, place)?;
    Ok(Value::Unit)
}

fn pass_silent<'de, O: Order, S: Source<'de>>(src: &mut S, ty: &Type, place: Place<'_>) -> Result<()> {
    let kind = if matches!(ty, Type::Magic { .. }) { Kind::Magic } else { Kind::Padding };
    src.mark(kind, true);
    match ty {
        Type::Padding { len: Extent::ToEnd, .. } => loop {
            let n = src.chunk()?;
            if n == 0 {
                return Ok(());
            }
            src.skip(n as u64)?;
        },
        Type::Padding { len: Extent::Fixed(n), fill, strict } => pass(src, *n, *fill, *strict),
        Type::Padding { len, fill, strict } => {
            let n = count::<O, S>(src, len, (1, 1), place)?;
            src.open(Label::Value, "");
            src.mark(Kind::Padding, true);
            pass(src, n as u64, *fill, *strict)?;
            src.close();
            Ok(())
        }
        Type::Alignment { to, fill, strict } => pass(src, gap(place.start, src.pos(), *to), *fill, *strict),
        Type::Magic { value } => {
            let at = src.pos();
            let expected = magic_bytes(value, O::LE, at)?;
            let found = src.take(expected.len())?.bytes().to_vec();
            if found == expected { Ok(()) } else { Err(different(expected, found, at)) }
        }
        _ => Ok(()),
    }
}

/// A number.
#[inline]
fn number<'de, O: Order, S: Source<'de>>(src: &mut S, kind: NumberType) -> Result<Value> {
    with_numbers!(kind, type T => T::decode::<O, S>(src, ()).map(Value::from))
}

/// A count that stands in front, is fixed, or follows from earlier fields: `item` is the size of one element.
pub(super) fn count<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    len: &Extent,
    item: (usize, usize),
    place: Place<'_>,
) -> Result<usize> {
    let at = src.pos();
    let (n, max) = match len {
        Extent::Prefixed { bytes, signed, max, inclusive } => {
            let n = with_len!(*bytes, *signed, at, P => read_len::<O, P, S>(src, *inclusive))?;
            (n, max.unwrap_or(u64::MAX))
        }
        Extent::Fixed(n) => (i128::from(*n), u64::MAX),
        Extent::Expr(text) => (expr::int(text, place.scope, at)?, u64::MAX),
        Extent::Each(text) => (expr::num_items(text, place.scope, at)? as i128, u64::MAX),
        Extent::Until(_) | Extent::Terminated | Extent::ToEnd => return Err(no_extent(len, at)),
    };
    checked(src, n, item, max, at)
}

#[cold]
pub(super) fn no_extent(len: &Extent, at: u64) -> Error {
    let shown = format!("{len:?}");
    Error::message(format!("the description has a type whose extent cannot be {}", shortened(&shown)), at)
}

fn region<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    len: &Extent,
    body: &Type,
    place: Place<'_>,
) -> Result<Value> {
    if *len == Extent::ToEnd {
        return value::<O, S>(src, body, place);
    }
    let n = count::<O, S>(src, len, (1, 1), place)?;
    let window = src.narrow(n as u64)?;
    let v = named_value::<O, S>(src, body, place)?;
    src.widen(window)?;
    Ok(v)
}

/// The body of a missing value.
fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S, body: &Type, place: Place<'_>) -> Result<()> {
    if let Some(n) = place.known.sizes(body).exact() {
        return src.blank(n);
    }
    match body {
        Type::Ordered { order, body } => match place.order(order, src.pos())? {
            Endian::Little => pass_blank::<Le, S>(src, body, place),
            Endian::Big => pass_blank::<Be, S>(src, body, place),
        },
        Type::Text { len, .. }
        | Type::Bytes { len }
        | Type::Region { len, .. }
        | Type::Padding { len, .. } => pass_extent::<O, S>(src, len, (1, 1)),
        Type::List { item, len } => pass_extent::<O, S>(src, len, place.known.min_max(item)),
        _ => Err(no_blank(src.pos())),
    }
}

fn pass_extent<'de, O: Order, S: Source<'de>>(src: &mut S, len: &Extent, item: (usize, usize)) -> Result<()> {
    let at = src.pos();
    match len {
        Extent::Prefixed { bytes, signed, inclusive, .. } => {
            with_len!(*bytes, *signed, at, P => pass_missing::<O, P, S>(src, *inclusive, item))
        }
        Extent::Terminated => text::pass_terminated::<O, S>(src),
        _ => Err(no_blank(at)),
    }
}

/// Bytes of a codec that a description does not have: only their number may be known.
fn opaque<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    by: &str,
    (min, max): (u64, Option<u64>),
    place: Place<'_>,
) -> Result<Value> {
    if max == Some(min) {
        return text::bytes::<O, S>(src, &Extent::Fixed(min), place);
    }
    Err(unknown_codec(by, src.pos()))
}

#[cold]
pub(super) fn unknown_codec(by: &str, at: u64) -> Error {
    Error::message(
        format!("these bytes are made by `{}`, which the description does not explain", shortened(by)),
        at,
    )
}

/// Charges for the growth of a vector and grows it, at most by what is still to come.
pub(crate) fn grow<'de, S: Source<'de>, T>(src: &mut S, v: &mut Vec<T>, to_come: usize) -> Result<()> {
    if v.len() == v.capacity() {
        let more = v.len().max(16).min(to_come);
        src.charge(more.saturating_mul(size_of::<T>()))?;
        bulk::try_room_exact(v, more).map_err(|e| e.at(src.pos()))?;
    }
    Ok(())
}
