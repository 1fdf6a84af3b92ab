//! Lists and n-dimensional arrays.

use super::Value;
use super::decode::{count, grow, value};
use super::encode::{check_count, put, put_prefix};
use super::expr;
use super::measure::min_max;
use super::unwrap::{Place, expected, with_len};
use crate::codec::Encode;
use crate::containers::counted::mismatch;
use crate::containers::items::Items;
use crate::containers::prefixed::read_dim;
use crate::containers::shaped::overflow;
use crate::containers::{DecodeBody, items};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::{Extent, Type};
use crate::wire::limits::{checked, max_empty_items};
use crate::wire::{Kind, Label, Order, Sink, Source};
use alloc::vec::Vec;

/// Runs the same code for the numbers of a list, which are read and written all at once.
macro_rules! with_number {
    ($item:expr, $T:ident $make:ident => $body:expr, else $other:expr) => {
        match $item {
            Type::Int { bytes: 1, signed: false } => {
                type $T = u8;
                let $make = Value::U8;
                $body
            }
            Type::Int { bytes: 2, signed: false } => {
                type $T = u16;
                let $make = Value::U16;
                $body
            }
            Type::Int { bytes: 4, signed: false } => {
                type $T = u32;
                let $make = Value::U32;
                $body
            }
            Type::Int { bytes: 8, signed: false } => {
                type $T = u64;
                let $make = Value::U64;
                $body
            }
            Type::Int { bytes: 16, signed: false } => {
                type $T = u128;
                let $make = Value::U128;
                $body
            }
            Type::Int { bytes: 1, signed: true } => {
                type $T = i8;
                let $make = Value::I8;
                $body
            }
            Type::Int { bytes: 2, signed: true } => {
                type $T = i16;
                let $make = Value::I16;
                $body
            }
            Type::Int { bytes: 4, signed: true } => {
                type $T = i32;
                let $make = Value::I32;
                $body
            }
            Type::Int { bytes: 8, signed: true } => {
                type $T = i64;
                let $make = Value::I64;
                $body
            }
            Type::Int { bytes: 16, signed: true } => {
                type $T = i128;
                let $make = Value::I128;
                $body
            }
            Type::Float { bytes: 2 } => {
                type $T = u16;
                let $make = Value::F16;
                $body
            }
            Type::Float { bytes: 4 } => {
                type $T = f32;
                let $make = Value::F32;
                $body
            }
            Type::Float { bytes: 8 } => {
                type $T = f64;
                let $make = Value::F64;
                $body
            }
            _ => $other,
        }
    };
}

/// Reads a list.
pub(super) fn list<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Type,
    len: &Extent,
    place: Place<'_>,
) -> Result<Value> {
    match len {
        Extent::ToEnd => to_end::<O, S>(src, item, place).map(Value::List),
        Extent::Until(text) => until::<O, S>(src, item, text, place).map(Value::List),
        _ => {
            let n = count::<O, S>(src, len, min_max(place.description, item), place)?;
            if !matches!(len, Extent::Prefixed { .. }) {
                return some::<O, S>(src, item, n, place).map(Value::List);
            }
            src.open(Label::Value, "");
            let v = some::<O, S>(src, item, n, place)?;
            src.close();
            Ok(Value::List(v))
        }
    }
}

/// Reads `n` elements, which were checked against what remains.
fn some<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Type,
    n: usize,
    place: Place<'_>,
) -> Result<Vec<Value>> {
    with_number!(item, T make => {
        let numbers = <Items as DecodeBody<'de, Vec<T>>>::body::<O, S>(src, n, ())?;
        if *item == (Type::Float { bytes: 2 }) {
            src.mark(Kind::Float { bytes: 2 }, O::LE);
        }
        return wrapped::<S, T>(src, numbers, make);
    }, else {});
    src.enter()?;
    let mut v = Vec::new();
    let mut empty = 0usize;
    while v.len() < n {
        let to_come = n.saturating_sub(v.len());
        grow(src, &mut v, to_come)?;
        let at = src.pos();
        v.push(element::<O, S>(src, item, v.len(), place)?);
        empty = empty.saturating_add(usize::from(src.pos() == at));
        // nothing on the wire bounds their number
        if empty > max_empty_items::<Value>() {
            let max = max_empty_items::<Value>() as u64;
            return Err(Error::new(ErrorKind::LengthLimit { length: n as u64, max }, at));
        }
    }
    src.leave();
    Ok(v)
}

fn wrapped<'de, S: Source<'de>, T>(src: &mut S, numbers: Vec<T>, make: fn(T) -> Value) -> Result<Vec<Value>> {
    src.charge(numbers.len().saturating_mul(size_of::<Value>()))?;
    Ok(numbers.into_iter().map(make).collect())
}

fn element<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Type,
    i: usize,
    place: Place<'_>,
) -> Result<Value> {
    let named = S::TRACED && !matches!(item, Type::Int { .. } | Type::Float { .. } | Type::Bool { .. });
    if named {
        src.open(Label::Index(i), "");
    }
    match value::<O, S>(src, item, place.item()) {
        Ok(v) => {
            if named {
                src.close();
            }
            Ok(v)
        }
        Err(e) => Err(e.within(Step::Index(i))),
    }
}

fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, item: &Type, place: Place<'_>) -> Result<Vec<Value>> {
    with_number!(item, T make => {
        let numbers = <Items as DecodeBody<'de, Vec<T>>>::to_end::<O, S>(src, ())?;
        if *item == (Type::Float { bytes: 2 }) {
            src.mark(Kind::Float { bytes: 2 }, O::LE);
        }
        return wrapped::<S, T>(src, numbers, make);
    }, else {});
    src.enter()?;
    let mut v = Vec::new();
    while !src.at_end()? {
        grow(src, &mut v, usize::MAX)?;
        let at = src.pos();
        v.push(element::<O, S>(src, item, v.len(), place)?);
        if src.pos() == at {
            return Err(items::endless(at));
        }
    }
    src.leave();
    Ok(v)
}

fn until<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Type,
    last: &str,
    place: Place<'_>,
) -> Result<Vec<Value>> {
    src.enter()?;
    let mut v = Vec::new();
    loop {
        let at = src.pos();
        grow(src, &mut v, usize::MAX)?;
        let value = element::<O, S>(src, item, v.len(), place)?;
        let ends = expr::is_last(last, &value, at)?;
        v.push(value);
        if ends {
            break;
        }
        if src.pos() == at {
            return Err(Error::new(ErrorKind::Until, at));
        }
    }
    src.leave();
    Ok(v)
}

/// Reads an n-dimensional array: its dimensions, then its elements.
pub(super) fn shaped<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    ty: &Type,
    place: Place<'_>,
) -> Result<Value> {
    let Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } = ty else { return Ok(Value::Unit) };
    let width = usize::from(*dim_bytes);
    let rank = count::<O, S>(src, rank, (width, width), place)?;
    let at = src.pos();
    let mut shape = Vec::new();
    let mut all = 1i128;
    for i in 0..rank {
        grow(src, &mut shape, rank.saturating_sub(i))?;
        let here = src.pos();
        let n = with_len!(*dim_bytes, *dim_signed, here, P => read_dim::<O, P, S>(src, i))?;
        let Ok(dim) = u64::try_from(n) else {
            return Err(Error::new(ErrorKind::InvalidLength { found: n }, here));
        };
        shape.push(dim);
        all = all.saturating_mul(n);
    }
    if all > i128::from(u64::MAX) {
        return Err(overflow(shape.into_iter(), at));
    }
    let n = checked(src, all, min_max(place.description, item), u64::MAX, at)?;
    src.open(Label::Value, "");
    let mut values = some::<O, S>(src, item, n, place)?;
    src.close();
    if *column_major {
        reorder(&mut values, &shape, false);
    }
    Ok(Value::Array { shape, values })
}

/// Between the last index fastest (in memory) and the first index fastest (on the wire).
fn reorder(values: &mut Vec<Value>, shape: &[u64], to_wire: bool) {
    // a dimension of one changes nothing, and there may be many of them
    let shape: Vec<usize> =
        shape.iter().filter(|n| **n != 1).map(|n| usize::try_from(*n).unwrap_or(usize::MAX)).collect();
    if shape.len() < 2 || values.is_empty() {
        return;
    }
    let mut from = core::mem::take(values);
    let mut to: Vec<Value> = (0..from.len()).map(|_| Value::Unit).collect();
    let mut index = alloc::vec![0usize; shape.len()];
    for memory in 0..from.len() {
        let mut wire = 0usize;
        for (i, n) in index.iter().zip(&shape).rev() {
            wire = wire.saturating_mul(*n).saturating_add(*i);
        }
        let (source, target) = if to_wire { (memory, wire) } else { (wire, memory) };
        if let (Some(source), Some(target)) = (from.get_mut(source), to.get_mut(target)) {
            core::mem::swap(source, target);
        }
        for (i, n) in index.iter_mut().zip(&shape).rev() {
            *i = i.saturating_add(1);
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    *values = to;
}

/// Writes a list.
pub(super) fn put_list<O: Order, W: Sink>(
    value: &Value,
    item: &Type,
    len: &Extent,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::List(values) = value else { return Err(expected("a list", value, out.pos())) };
    match len {
        Extent::Prefixed { .. } => put_prefix::<O, W>(len, values.len(), out)?,
        Extent::ToEnd => {}
        Extent::Until(text) => check_last(values, text, out.pos())?,
        _ => {
            let n = check_count(len, out.pos(), place)?;
            if n != values.len() as i128 {
                return Err(mismatch(n, values.len() as u64, out.pos()));
            }
        }
    }
    put_items::<O, W>(values, item, out, place)
}

fn check_last(values: &[Value], text: &str, at: u64) -> Result<()> {
    for (i, value) in values.iter().enumerate() {
        let last = i.saturating_add(1) == values.len();
        if expr::is_last(text, value, at)? != last {
            return Err(Error::new(ErrorKind::Until, at));
        }
    }
    if values.is_empty() { Err(Error::new(ErrorKind::Until, at)) } else { Ok(()) }
}

fn put_items<O: Order, W: Sink>(values: &[Value], item: &Type, out: &mut W, place: Place<'_>) -> Result<()> {
    for (i, value) in values.iter().enumerate() {
        if let Err(e) = put::<O, W>(value, item, out, place.item()) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

/// Writes an n-dimensional array.
pub(super) fn put_shaped<O: Order, W: Sink>(
    value: &Value,
    ty: &Type,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Type::Shaped { item, dim_bytes, dim_signed, rank, column_major } = ty else { return Ok(()) };
    let at = out.pos();
    let Value::Array { shape, values } = value else { return Err(expected("an array", value, at)) };
    let all = shape.iter().fold(1i128, |all, n| all.saturating_mul(i128::from(*n)));
    if all != values.len() as i128 {
        return Err(mismatch(all, values.len() as u64, at));
    }
    if let Extent::Prefixed { .. } = rank {
        put_prefix::<O, W>(rank, shape.len(), out)?;
    } else {
        let n = check_count(rank, at, place)?;
        if n != shape.len() as i128 {
            return Err(mismatch(n, shape.len() as u64, at));
        }
    }
    for n in shape {
        with_len!(*dim_bytes, *dim_signed, at, P => put_dim::<O, P, W>(*n, out))?;
    }
    if !*column_major {
        return put_items::<O, W>(values, item, out, place);
    }
    let mut values = values.clone();
    reorder(&mut values, shape, true);
    put_items::<O, W>(&values, item, out, place)
}

fn put_dim<O: Order, P: crate::wire::Len + Encode, W: Sink>(n: u64, out: &mut W) -> Result<()> {
    crate::containers::prefixed::put_len::<O, P, W>(
        out,
        usize::try_from(n).unwrap_or(usize::MAX),
        u64::MAX,
        false,
    )
}
