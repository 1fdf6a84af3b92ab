//! Lists and n-dimensional arrays.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "elements that are in memory, as many as the dimensions multiply to"
)]

use super::Value;
use super::decode::{self, count, flag, grow, value};
use super::elements::Elements;
use super::encode::{check_len, put, put_prefix, put_word};
use super::place::{Place, expected, with_len};
use super::program::{Kind, Length, Node, Plain, Shaped};
use super::text;
use crate::codec::Decode;
use crate::codec::compound::encode_items;
use crate::containers::counted::mismatch;
use crate::containers::items::Items;
use crate::containers::prefixed::{put_len, read_dim};
use crate::containers::shaped::overflow;
use crate::containers::{DecodeBody, items};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Element, NumberType, Numbers, with_numbers};
use crate::schema::expr::Predicate;
use crate::wire::limits::{checked, max_empty_items, memory_of};
use crate::wire::raw::bulk::{self, NoMemory};
use crate::wire::{Label, Len, Order, Sink, Source};
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Numbers that are read one by one where they are so few: a vector of their own costs more.
const FEW: usize = 8;

/// Reads a list.
pub(super) fn list<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Node,
    len: &Length,
    place: Place<'_>,
) -> Result<Value> {
    match len {
        Length::ToEnd => to_end::<O, S>(src, item, place).map(Value::List),
        Length::Until(last) => until::<O, S>(src, item, last, place).map(Value::List),
        _ => {
            let n = count::<O, S>(src, len, item.min_max(), place)?;
            if let Kind::Number(of) = item.kind
                && n <= FEW
                && !S::TRACED
                && src.left().is_some()
            {
                return few::<O, S>(src, of, n).map(Value::List);
            }
            let prefixed = len.is_prefixed();
            if prefixed {
                src.open(Label::Value, "");
            }
            let elements = elements::<O, S>(src, item, n, place)?;
            let values = one_by_one(src, elements)?;
            if prefixed {
                src.close();
            }
            Ok(Value::List(values))
        }
    }
}

/// Reads a few numbers, which were checked against what remains.
fn few<'de, O: Order, S: Source<'de>>(src: &mut S, of: NumberType, n: usize) -> Result<Vec<Value>> {
    let bytes = n.wrapping_mul(of.size());
    src.charge(bytes)?;
    src.charge(n.wrapping_mul(size_of::<Value>()))?;
    let mut values = Vec::new();
    bulk::try_room_exact(&mut values, n).map_err(|e| e.at(src.pos()))?;
    src.ensure(bytes)?;
    with_numbers!(of, type T => for _ in 0..n {
        values.push(T::decode::<O, S>(src, ())?.into());
    });
    Ok(values)
}

/// Reads `n` elements, which were checked against what remains.
#[inline]
fn elements<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Node,
    n: usize,
    place: Place<'_>,
) -> Result<Elements> {
    if let Some(numbers) = numbers::<O, S>(src, item, Some(n))? {
        return Ok(numbers.into());
    }
    if let Kind::Bool { lax } = &item.kind {
        let flag = |src: &mut S, i| flag::<O, S>(src, *lax).map_err(|e| e.within(Step::Index(i)));
        return each(src, n, flag).map(Elements::from);
    }
    let values = match item.plain() {
        Some(Plain::Text(word)) if !S::TRACED => each(src, n, |src, i| {
            text::plain::<O, S>(src, word).map(Value::Text).map_err(|e| e.within(Step::Index(i)))
        })?,
        _ => each(src, n, |src, i| element::<O, S>(src, item, i, place))?,
    };
    Ok(Elements::Values(values.into()))
}

/// Reads numbers all at once, `n` of them or to the end; `None` if the elements are no numbers.
fn numbers<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Node,
    n: Option<usize>,
) -> Result<Option<Numbers>> {
    fn read<'de, O: Order, S: Source<'de>, T: Element>(src: &mut S, n: Option<usize>) -> Result<Numbers> {
        let numbers: Vec<T> = match n {
            Some(n) => <Items as DecodeBody<'de, Vec<T>>>::body::<O, S>(src, n, ())?,
            None => <Items as DecodeBody<'de, Vec<T>>>::to_end::<O, S>(src, ())?,
        };
        Ok(numbers.into())
    }
    let Kind::Number(kind) = item.kind else { return Ok(None) };
    with_numbers!(kind, type T => read::<O, S, T>(src, n)).map(Some)
}

/// Reads `n` elements one after the other.
fn each<'de, S: Source<'de>, T>(
    src: &mut S,
    n: usize,
    mut read: impl FnMut(&mut S, usize) -> Result<T>,
) -> Result<Vec<T>> {
    src.enter()?;
    let mut v = Vec::new();
    while v.len() < n {
        if v.len() == v.capacity() {
            let to_come = n - v.len();
            grow(src, &mut v, to_come)?;
        }
        let at = src.pos();
        let item = read(src, v.len())?;
        bulk::push(&mut v, item);
        if src.pos() == at {
            items::add_empty(src, n, max_empty_items::<Value>())?;
        }
    }
    src.leave();
    Ok(v)
}

/// Elements as the values of a list.
fn one_by_one<'de, S: Source<'de>>(src: &mut S, elements: Elements) -> Result<Vec<Value>> {
    let numbers = match elements {
        Elements::Numbers(numbers) => numbers,
        Elements::Values(values) => return Ok(values.into_vec()),
    };
    src.charge(memory_of(numbers.len(), size_of::<Value>()))?;
    let mut all: Vec<Value> = Vec::new();
    bulk::try_room_exact(&mut all, numbers.len()).map_err(|e| e.at(src.pos()))?;
    with_numbers!(numbers, v => all.extend(v.into_iter().map(Value::from)));
    Ok(all)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn element<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    item: &Node,
    i: usize,
    place: Place<'_>,
) -> Result<Value> {
    let named = S::TRACED && !matches!(item.kind, Kind::Number(_) | Kind::Integer(..) | Kind::Bool { .. });
    if named {
        src.open(Label::Index(i), "");
    }
    let read = match &item.kind {
        Kind::Named(number) if place.frame.code.is_recursive() => {
            place.descend(item, || src.pos())?;
            decode::named::<O, S>(src, item, *number, true, place)
        }
        _ => value::<O, S>(src, item, place),
    };
    match read {
        Ok(v) => {
            if named {
                src.close();
            }
            Ok(v)
        }
        Err(e) => Err(e.within(Step::Index(i))),
    }
}

fn to_end<'de, O: Order, S: Source<'de>>(src: &mut S, item: &Node, place: Place<'_>) -> Result<Vec<Value>> {
    if let Some(numbers) = numbers::<O, S>(src, item, None)? {
        return one_by_one(src, numbers.into());
    }
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
    item: &Node,
    last: &Predicate,
    place: Place<'_>,
) -> Result<Vec<Value>> {
    src.enter()?;
    let mut v = Vec::new();
    loop {
        let at = src.pos();
        grow(src, &mut v, usize::MAX)?;
        let value = element::<O, S>(src, item, v.len(), place)?;
        let ends = last.is_last(&value, at)?;
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
#[inline(never)]
pub(super) fn shaped<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    Shaped { item, dim_bytes, dim_signed, rank, column_major, .. }: &Shaped,
    place: Place<'_>,
) -> Result<Value> {
    let width = usize::from(*dim_bytes);
    let rank = count::<O, S>(src, rank, (width, width), place)?;
    let at = src.pos();
    let shape = with_len!(*dim_bytes, *dim_signed, at, P => dims::<O, P, S>(src, rank))?;
    let Some(all) = product(&shape) else { return Err(overflow(shape.into_iter(), at)) };
    let n = checked(src, all.into(), item.min_max(), u64::MAX, at)?;
    src.open(Label::Value, "");
    let values = elements::<O, S>(src, item, n, place)?;
    src.close();
    let values = if *column_major { reordered(values, &shape, false, at)? } else { values };
    Ok(Value::Array { shape: shape.into_boxed_slice(), values })
}

#[inline]
fn dims<'de, O: Order, P: Len + Decode<'de>, S: Source<'de>>(src: &mut S, rank: usize) -> Result<Vec<u64>> {
    let mut shape = Vec::new();
    for i in 0..rank {
        grow(src, &mut shape, rank.wrapping_sub(i))?;
        let at = src.pos();
        let n = read_dim::<O, P, S>(src, i)?;
        let Ok(dim) = u64::try_from(n) else {
            return Err(Error::new(ErrorKind::InvalidLength { found: n }, at));
        };
        shape.push(dim);
    }
    Ok(shape)
}

/// How many elements an array of these dimensions has, if that is a number.
#[inline]
fn product(shape: &[u64]) -> Option<u64> {
    let all = shape.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    if all.is_none() && shape.contains(&0) { Some(0) } else { all }
}

/// Between the last index fastest (in memory) and the first index fastest (on the wire).
fn reordered(elements: Elements, shape: &[u64], to_wire: bool, at: u64) -> Result<Elements> {
    match elements {
        Elements::Numbers(numbers) => {
            with_numbers!(numbers, v => moved(v, shape, to_wire).map(Elements::from))
        }
        Elements::Values(v) => {
            moved(v.into_vec(), shape, to_wire).map(|v| Elements::Values(v.into_boxed_slice()))
        }
    }
    .map_err(|e| e.at(at))
}

fn copy(elements: &Elements, at: u64) -> Result<Elements> {
    fn copied<T: Clone>(v: &[T]) -> Result<Vec<T>, NoMemory> {
        let mut all = Vec::new();
        bulk::try_room_exact(&mut all, v.len())?;
        all.extend_from_slice(v);
        Ok(all)
    }
    match elements {
        Elements::Numbers(numbers) => with_numbers!(numbers, v => copied(v).map(Elements::from)),
        Elements::Values(v) => copied(v).map(|v| Elements::Values(v.into_boxed_slice())),
    }
    .map_err(|e| e.at(at))
}

fn moved<T: Default>(mut from: Vec<T>, shape: &[u64], to_wire: bool) -> Result<Vec<T>, NoMemory> {
    // a dimension of one changes nothing, and there may be many of them
    let shape: Vec<usize> =
        shape.iter().filter(|n| **n != 1).map(|n| usize::try_from(*n).unwrap_or(usize::MAX)).collect();
    if shape.len() < 2 || from.is_empty() {
        return Ok(from);
    }
    let mut to: Vec<T> = Vec::new();
    bulk::try_room_exact(&mut to, from.len())?;
    to.resize_with(from.len(), T::default);
    let mut index = alloc::vec![0usize; shape.len()];
    for memory in 0..from.len() {
        let wire = index.iter().zip(&shape).rev().fold(0, |wire, (i, n)| wire * n + i);
        let (source, target) = if to_wire { (memory, wire) } else { (wire, memory) };
        core::mem::swap(&mut from[source], &mut to[target]);
        for (i, n) in index.iter_mut().zip(&shape).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    Ok(to)
}

/// Writes a list.
#[inline(never)]
pub(super) fn put_list<O: Order, W: Sink>(
    value: &Value,
    item: &Node,
    len: &Length,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::List(values) = value else { return Err(expected("a list", value, out.pos())) };
    match len {
        Length::Prefixed { .. } => put_prefix::<O, W>(len, values.len(), out)?,
        Length::ToEnd => {}
        Length::Until(predicate) => check_last(values, predicate, out.pos())?,
        _ => check_len(len, values.len(), out.pos(), place)?,
    }
    put_items::<O, W>(values.iter(), item, out, place)
}

fn check_last(values: &[Value], predicate: &Predicate, at: u64) -> Result<()> {
    for (i, value) in values.iter().enumerate() {
        let last = i + 1 == values.len();
        if predicate.is_last(value, at)? != last {
            return Err(Error::new(ErrorKind::Until, at));
        }
    }
    if values.is_empty() { Err(Error::new(ErrorKind::Until, at)) } else { Ok(()) }
}

fn put_items<O: Order, W: Sink>(
    values: impl Iterator<Item = impl Borrow<Value>>,
    item: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let text = match item.plain() {
        Some(Plain::Text(word)) => Some(word),
        _ => None,
    };
    for (i, value) in values.enumerate() {
        let done = match text {
            Some(word) => text::put_plain::<O, W>(value.borrow(), word, out),
            None => put::<O, W>(value.borrow(), item, out, place),
        };
        if let Err(e) = done {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

/// Writes an n-dimensional array.
#[inline(never)]
pub(super) fn put_shaped<O: Order, W: Sink>(
    value: &Value,
    shaped: &Shaped,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::Array { shape, values } = value else { return Err(expected("an array", value, out.pos())) };
    if product(shape) != Some(values.len() as u64) {
        return Err(incomplete(shape, values.len(), out.pos()));
    }
    match &shaped.rank {
        Length::Fixed(rank) if *rank == shape.len() as u64 => {}
        rank => put_rank::<O, W>(rank, shape.len(), out, place)?,
    }
    for n in shape {
        let n = usize::try_from(*n).unwrap_or(usize::MAX);
        match shaped.word {
            Some(word) => put_word::<O, W>(word, n, u64::MAX, false, out)?,
            None => put_dim::<O, W>(shaped, n, out)?,
        }
    }
    if shaped.column_major {
        return put_reordered::<O, W>(shape, values, &shaped.item, out, place);
    }
    put_elements::<O, W>(values, &shaped.item, out, place)
}

#[cold]
fn incomplete(shape: &[u64], found: usize, at: u64) -> Error {
    let all = shape.iter().fold(1i128, |all, n| all.saturating_mul(i128::from(*n)));
    mismatch(all, found as u64, at)
}

/// Writes how many dimensions there are where the layout does not fix it.
#[inline(never)]
fn put_rank<O: Order, W: Sink>(rank: &Length, n: usize, out: &mut W, place: Place<'_>) -> Result<()> {
    if rank.is_prefixed() { put_prefix::<O, W>(rank, n, out) } else { check_len(rank, n, out.pos(), place) }
}

/// Writes a dimension of an unusual width.
#[inline(never)]
fn put_dim<O: Order, W: Sink>(shaped: &Shaped, n: usize, out: &mut W) -> Result<()> {
    let at = out.pos();
    with_len!(shaped.dim_bytes, shaped.dim_signed, at, P => put_len::<O, P, W>(out, n, u64::MAX, false))
}

/// Writes elements whose first index is the fastest on the wire.
#[inline(never)]
fn put_reordered<O: Order, W: Sink>(
    shape: &[u64],
    values: &Elements,
    item: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let at = out.pos();
    put_elements::<O, W>(&reordered(copy(values, at)?, shape, true, at)?, item, out, place)
}

/// Writes the elements of an array: numbers of the layout's own type all at once.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_elements<O: Order, W: Sink>(
    elements: &Elements,
    item: &Node,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    match (elements, &item.kind) {
        (Elements::Numbers(numbers), Kind::Number(kind)) if numbers.number_type() == *kind => {
            with_numbers!(numbers, v => encode_items::<O, W, _, ()>(v, out, ()))
        }
        (Elements::Numbers(Numbers::Bool(v)), Kind::Bool { .. }) => encode_items::<O, W, _, ()>(v, out, ()),
        (Elements::Values(v), _) => put_items::<O, W>(v.iter(), item, out, place),
        _ => put_items::<O, W>(elements.iter(), item, out, place),
    }
}
