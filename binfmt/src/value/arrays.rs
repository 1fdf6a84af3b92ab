//! N-dimensional arrays: their dimensions, then their elements.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "as many elements in memory as the dimensions multiply to"
)]

use super::Value;
use super::decode::{count, grow};
use super::elements::Elements;
use super::encode::{check_len, put_prefix};
use super::lists::{elements, put_elements};
use super::place::{Place, expected, with_len};
use super::program::{Length, Node, Shaped, Word};
use crate::codec::{Decode, Encode, Layout};
use crate::containers::counted::mismatch;
use crate::containers::prefixed::{put_len, read_dim};
use crate::containers::shaped::overflow;
use crate::error::{Error, ErrorKind, Result};
use crate::numbers::with_numbers;
use crate::wire::limits::checked;
use crate::wire::raw::bulk::{self, NoMemory};
use crate::wire::{Cursor, Erased, Hooks, Label, Len, Order, Sink, Source};
use alloc::format;
use alloc::vec::Vec;

/// A number of dimensions that is not checked by a division, as it is so small.
const MOST_SEEN: u64 = 255;

/// Reads an n-dimensional array: its dimensions, then its elements.
#[inline(never)]
pub(super) fn shaped<O: Order>(
    src: &mut Erased<'_, '_>,
    Shaped { item, dim_bytes, dim_signed, word, rank, column_major, dimensions }: &Shaped,
    place: Place<'_>,
) -> Result<Value> {
    let width = usize::from(*dim_bytes);
    let rank = match rank {
        Length::Fixed(n) if *n <= MOST_SEEN && src.left() >= Some((*n as usize).wrapping_mul(width)) => {
            *n as usize
        }
        rank => count::<O>(src, rank, (width, width), place)?,
    };
    let at = src.pos();
    let shape = match word {
        Some(Word::U64) if !src.is_heard() && src.left().is_some() => plain_dims::<O>(src, rank),
        _ => with_len!(*dim_bytes, *dim_signed, at, P => dims::<O, P>(src, rank)),
    }?;
    let Some(all) = product(&shape) else { return Err(overflow(shape.into_iter(), at)) };
    let n = checked(src, all.into(), item.min_max(), u64::MAX, at)?;
    src.open(Label::Value, "");
    let values = elements::<O>(src, item, n, place)?;
    src.close();
    check_dims(&shape, dimensions, width, || at)?;
    let values = if *column_major { reordered(values, &shape, false, at)? } else { values };
    Ok(Value::Array { shape: shape.into_boxed_slice(), values })
}

/// Reads dimensions of eight bytes, which were checked against what remains.
#[inline]
fn plain_dims<O: Order>(src: &mut Erased<'_, '_>, rank: usize) -> Result<Vec<u64>> {
    let mut shape = Vec::new();
    src.bulk::<O, u64>(u64::FACTS, rank, &mut shape)?;
    Ok(shape)
}

#[inline(never)]
fn dims<'de, O: Order, P: Len + Decode<'de>>(src: &mut Erased<'_, 'de>, rank: usize) -> Result<Vec<u64>> {
    let mut shape = Vec::new();
    for i in 0..rank {
        grow(src, &mut shape, rank.wrapping_sub(i))?;
        let at = src.pos();
        let n = read_dim::<O, P, _>(src, i)?;
        let Ok(dim) = u64::try_from(n) else {
            return Err(Error::new(ErrorKind::InvalidLength { found: n }, at));
        };
        shape.push(dim);
    }
    Ok(shape)
}

/// Whether an array has the dimensions that a rule fixes; they take that many bytes each.
#[inline]
fn check_dims(shape: &[u64], fixed: &[u64], width: usize, at: impl FnOnce() -> u64) -> Result<()> {
    for (i, expected) in fixed.iter().enumerate() {
        match shape.get(i) {
            Some(found) if expected != found && *expected != 0 => {
                return Err(another(i, (*found, *expected), width, at()));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn another(i: usize, (found, expected): (u64, u64), width: usize, first: u64) -> Error {
    let at = first + (i * width) as u64;
    Error::message(format!("dimension {i} is {found}, the declaration says {expected}"), at)
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

/// Writes an n-dimensional array.
#[inline(never)]
pub(super) fn put_shaped<O: Order, W: Sink>(
    value: &Value,
    shaped: &Shaped,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::Array { shape, values } = value else { return Err(expected("an array", value, out.pos())) };
    let n = values.len() as u64;
    let is_complete = match **shape {
        [own] => own == n,
        _ => product(shape) == Some(n),
    };
    if !is_complete {
        return Err(incomplete(shape, values.len(), out.pos()));
    }
    match &shaped.rank {
        Length::Fixed(rank) if *rank == shape.len() as u64 => {}
        rank => put_rank::<O, W>(rank, shape.len(), out, place)?,
    }
    check_dims(shape, &shaped.dimensions, shaped.dim_bytes.into(), || out.pos())?;
    match (shaped.word, &**shape) {
        (Some(Word::U64), [n]) => n.encode::<O, W>(out, ())?,
        (Some(Word::U64), shape) => out.bulk::<O, u64>(u64::FACTS, shape)?,
        (_, shape) => put_dims::<O, W>(shaped, shape, out)?,
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

/// Writes dimensions of another width than most have.
#[inline(never)]
fn put_dims<O: Order, W: Sink>(shaped: &Shaped, shape: &[u64], out: &mut W) -> Result<()> {
    for n in shape {
        let (n, at) = (usize::try_from(*n).unwrap_or(usize::MAX), out.pos());
        with_len!(shaped.dim_bytes, shaped.dim_signed, at, P => put_len::<O, P, W>(out, n, u64::MAX, false))?;
    }
    Ok(())
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
