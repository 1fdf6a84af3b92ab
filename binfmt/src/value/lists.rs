//! Lists, and the elements of arrays.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "elements that are in memory, as many as the dimensions multiply to"
)]

use super::Value;
use super::decode::{self, count, flag, grow, value};
use super::elements::Elements;
use super::encode::{check_len, put, put_prefix};
use super::fields::Fields;
use super::packed;
use super::place::{Place, expected};
use super::program::{Kind, Length, Node, Plain};
use super::text;
use crate::codec::Decode;
use crate::codec::compound::encode_items;
use crate::containers::gaps::{put_gap, unread};
use crate::containers::items::Items;
use crate::containers::{DecodeBody, items};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Element, NumberType, Numbers, with_numbers};
use crate::schema::expr::{Expression, Predicate};
use crate::wire::limits::{max_empty_items, memory_of};
use crate::wire::raw::bulk;
use crate::wire::{Cursor, Erased, Hooks, Label, Order, Sink, Source};
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Numbers that are read one by one where they are so few: a vector of their own costs more.
const FEW: usize = 8;

/// Reads a list.
pub(super) fn list<O: Order>(
    src: &mut Erased<'_, '_>,
    item: &Node,
    len: &Length,
    place: Place<'_>,
) -> Result<Value> {
    if let Some(element) = packed::Element::of::<O>(item) {
        return element.list::<O>(src, len, item.min_max(), place);
    }
    match len {
        Length::ToEnd => to_end::<O>(src, item, place).map(Value::List),
        Length::Until(last) => until::<O>(src, item, last, place).map(Value::List),
        Length::Gaps => gaps(src, item, place).map(Value::List),
        _ => {
            let n = count::<O>(src, len, item.min_max(), place)?;
            if let Kind::Number(of) = item.kind
                && n <= FEW
                && !src.is_heard()
                && src.left().is_some()
            {
                return few::<O>(src, of, n).map(Value::List);
            }
            let prefixed = len.is_prefixed();
            if prefixed {
                src.open(Label::Value, "");
            }
            let values = match len {
                Length::Each(list) => each_passed::<O>(src, item, list, n, place)?,
                _ if matches!(item.kind, Kind::Number(_) | Kind::Bool { .. }) => {
                    spread::<O>(src, item, n, place)?
                }
                _ => values::<O>(src, item, n, place)?,
            };
            if prefixed {
                src.close();
            }
            Ok(Value::List(values))
        }
    }
}

/// Reads a few numbers, which were checked against what remains.
fn few<O: Order>(src: &mut Erased<'_, '_>, of: NumberType, n: usize) -> Result<Vec<Value>> {
    let bytes = n.wrapping_mul(of.size());
    src.charge(bytes)?;
    src.charge(n.wrapping_mul(size_of::<Value>()))?;
    let mut values = Vec::new();
    bulk::try_room_exact(&mut values, n).map_err(|e| e.at(src.pos()))?;
    src.ensure(bytes)?;
    with_numbers!(of, type T => for _ in 0..n {
        values.push(T::decode::<O, _>(src, ())?.into());
    });
    Ok(values)
}

/// Reads `n` elements, which were checked against what remains.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn elements<O: Order>(
    src: &mut Erased<'_, '_>,
    item: &Node,
    n: usize,
    place: Place<'_>,
) -> Result<Elements> {
    if let Some(numbers) = numbers::<O>(src, item, Some(n))? {
        return Ok(numbers.into());
    }
    if let Kind::Bool { lax } = &item.kind {
        let flag = |src: &mut Erased<'_, '_>, i| flag::<O>(src, *lax).map_err(|e| e.within(Step::Index(i)));
        return each(src, n, flag).map(Elements::from);
    }
    values::<O>(src, item, n, place).map(|values| Elements::Values(values.into()))
}

/// Reads `n` elements that are neither numbers nor bools.
#[cfg_attr(not(debug_assertions), inline(always))]
fn values<O: Order>(src: &mut Erased<'_, '_>, item: &Node, n: usize, place: Place<'_>) -> Result<Vec<Value>> {
    match item.plain() {
        Some(Plain::Text(word)) if !src.is_heard() => each(src, n, |src, i| {
            text::plain::<O>(src, word).map(Value::Text).map_err(|e| e.within(Step::Index(i)))
        }),
        _ => each(src, n, |src, i| element::<O>(src, item, i, place)),
    }
}

/// Reads `n` numbers or bools, which become values.
#[cfg_attr(not(debug_assertions), inline(always))]
fn spread<O: Order>(src: &mut Erased<'_, '_>, item: &Node, n: usize, place: Place<'_>) -> Result<Vec<Value>> {
    let elements = elements::<O>(src, item, n, place)?;
    one_by_one(src, elements)
}

/// Reads an element for each item of a list, which it is passed.
fn each_passed<O: Order>(
    src: &mut Erased<'_, '_>,
    item: &Node,
    list: &Expression,
    n: usize,
    place: Place<'_>,
) -> Result<Vec<Value>> {
    each(src, n, |src, i| {
        let at = src.pos();
        place.passing_item((list, i), at, |place| element::<O>(src, item, i, place))
    })
}

/// Reads numbers all at once, `n` of them or to the end; `None` if the elements are not numbers.
fn numbers<O: Order>(src: &mut Erased<'_, '_>, item: &Node, n: Option<usize>) -> Result<Option<Numbers>> {
    fn read<O: Order, T: Element>(src: &mut Erased<'_, '_>, n: Option<usize>) -> Result<Numbers> {
        let numbers: Vec<T> = match n {
            Some(n) => <Items as DecodeBody<'_, Vec<T>>>::body::<O, _>(src, n, ())?,
            None => <Items as DecodeBody<'_, Vec<T>>>::to_end::<O, _>(src, ())?,
        };
        Ok(numbers.into())
    }
    let Kind::Number(kind) = item.kind else { return Ok(None) };
    with_numbers!(kind, type T => read::<O, T>(src, n)).map(Some)
}

/// Reads `n` elements one after the other.
fn each<T>(
    src: &mut Erased<'_, '_>,
    n: usize,
    mut read: impl FnMut(&mut Erased<'_, '_>, usize) -> Result<T>,
) -> Result<Vec<T>> {
    src.enter()?;
    let mut v = Vec::new();
    while v.len() < n {
        let to_come = n - v.len();
        grow(src, &mut v, to_come)?;
        let at = src.pos();
        match read(src, v.len()) {
            Ok(item) => bulk::push(&mut v, item),
            Err(e) => return Err(e),
        }
        if src.pos() == at {
            items::add_empty(src, n, max_empty_items::<Value>())?;
        }
    }
    src.leave();
    Ok(v)
}

/// Elements as the values of a list.
fn one_by_one(src: &mut Erased<'_, '_>, elements: Elements) -> Result<Vec<Value>> {
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
fn element<O: Order>(src: &mut Erased<'_, '_>, item: &Node, i: usize, place: Place<'_>) -> Result<Value> {
    let named =
        src.is_heard() && !matches!(item.kind, Kind::Number(_) | Kind::Integer(..) | Kind::Bool { .. });
    if named {
        src.open(Label::Index(i), "");
    }
    let read = match &item.kind {
        Kind::Named(number) if place.frame.code.is_recursive() => {
            place.descend(item, || src.pos())?;
            decode::named::<O>(src, item, *number, true, place)
        }
        _ => value::<O>(src, item, place),
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

fn to_end<O: Order>(src: &mut Erased<'_, '_>, item: &Node, place: Place<'_>) -> Result<Vec<Value>> {
    if let Some(numbers) = numbers::<O>(src, item, None)? {
        return one_by_one(src, numbers.into());
    }
    src.enter()?;
    let mut v = Vec::new();
    while !src.at_end()? {
        grow(src, &mut v, usize::MAX)?;
        let at = src.pos();
        v.push(element::<O>(src, item, v.len(), place)?);
        if src.pos() == at {
            return Err(items::endless(at));
        }
    }
    src.leave();
    Ok(v)
}

fn until<O: Order>(
    src: &mut Erased<'_, '_>,
    item: &Node,
    last: &Predicate,
    place: Place<'_>,
) -> Result<Vec<Value>> {
    src.enter()?;
    let mut v = Vec::new();
    loop {
        let at = src.pos();
        grow(src, &mut v, usize::MAX)?;
        let value = element::<O>(src, item, v.len(), place)?;
        let ends = last.is_last(&value, at)?;
        v.push(value);
        if ends {
            break;
        }
        if src.pos() == at {
            return Err(Error::new(ErrorKind::Endless, at));
        }
    }
    src.leave();
    Ok(v)
}

/// Reads what nothing else has read: records with an offset and bytes.
fn gaps(src: &mut Erased<'_, '_>, item: &Node, place: Place<'_>) -> Result<Vec<Value>> {
    let Kind::Record(record) = &place.frame.code.resolve(item).kind else {
        return Err(decode::no_length(src.pos()));
    };
    if record.names.len() != 2 {
        return Err(decode::no_length(src.pos()));
    }
    let mut values = Vec::new();
    unread(src, place.frame.start, |offset, bytes| {
        let gap = Vec::from([Value::from(offset), Value::Bytes(bytes)]);
        values.push(Value::Record(Fields::new(&record.names, gap)));
    })?;
    Ok(values)
}

/// Writes such records to their places.
fn put_gaps<W: Sink>(values: &[Value], out: &mut W, place: Place<'_>) -> Result<()> {
    for (i, value) in values.iter().enumerate() {
        let fields = if let Value::Record(fields) = value { fields.values() } else { &[] };
        let [Value::Number(offset), Value::Bytes(bytes)] = fields else {
            return Err(
                expected("a record with an offset and bytes", value, out.pos()).within(Step::Index(i))
            );
        };
        let offset = offset.as_i128().and_then(|n| u64::try_from(n).ok());
        let offset = offset.ok_or_else(|| expected("an offset", value, out.pos()))?;
        put_gap(out, place.frame.start, offset, bytes).map_err(|e| e.within(Step::Index(i)))?;
    }
    Ok(())
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
        Length::ToEnd => {
            match packed::Element::of::<O>(item) {
                Some(element) => element.put_to_end::<O, W>(values, out, place)?,
                None => put_items::<O, W>(values.iter(), item, out, place)?,
            }
            out.seal();
            return Ok(());
        }
        Length::Gaps => return put_gaps(values, out, place),
        Length::Until(predicate) => check_last(values, predicate, out.pos())?,
        Length::Each(list) => {
            check_len(len, values.len(), out.pos(), place)?;
            return put_each_passed::<O, W>(values, item, list, out, place);
        }
        _ => check_len(len, values.len(), out.pos(), place)?,
    }
    match packed::Element::of::<O>(item) {
        Some(element) => element.put::<O, W>(values, out, place),
        None => put_items::<O, W>(values.iter(), item, out, place),
    }
}

fn put_each_passed<O: Order, W: Sink>(
    values: &[Value],
    item: &Node,
    list: &Expression,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    for (i, value) in values.iter().enumerate() {
        let at = out.pos();
        let done = place.passing_item((list, i), at, |place| put::<O, W>(value, item, out, place));
        done.map_err(|e| e.within(Step::Index(i)))?;
    }
    Ok(())
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

/// Writes the elements of an array: numbers of the layout's own type all at once.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_elements<O: Order, W: Sink>(
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
