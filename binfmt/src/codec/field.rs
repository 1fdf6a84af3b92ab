//! The calls that generated code is made of: one for each part of a struct.
//!
//! Each makes the check for the run that begins at its part (see `Part::run`), does its work, and on the cold path adds
//! the part's name to the error.

use super::form::{DecodeAs, EncodeAs};
use super::{Decode, Encode};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::after;
use crate::wire::{Label, Order, Part, Shape, Sink, Sizes, Source};

/// A field as its own type says.
#[inline(always)]
pub fn own<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    ctx: C,
) -> Result<T> {
    begin(src, parts, i)?;
    match T::decode::<O, S>(src, ctx) {
        Ok(v) => {
            src.close();
            Ok(v)
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// A field in a wire form.
#[inline(always)]
pub fn field<'de, O: Order, S: Source<'de>, F: DecodeAs<'de, T, C>, T, C>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    ctx: C,
) -> Result<T> {
    begin(src, parts, i)?;
    match F::decode::<O, S>(src, ctx) {
        Ok(v) => {
            src.close();
            Ok(v)
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// Writes a field as its own type says.
#[inline(always)]
pub fn put_own<O: Order, W: Sink, T: Encode<C>, C>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    value: &T,
    ctx: C,
) -> Result<()> {
    begin_put(out, parts, i)?;
    match value.encode::<O, W>(out, ctx) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// Writes a field in a wire form.
#[inline(always)]
pub fn put<O: Order, W: Sink, F: EncodeAs<T, C>, T, C>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    value: &T,
    ctx: C,
) -> Result<()> {
    begin_put(out, parts, i)?;
    match F::encode::<O, W>(value, out, ctx) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// The check for the run that begins at part `i`, folded away where none does, and what stands in front of it.
#[inline(always)]
pub(crate) fn begin<'de, S: Source<'de>>(src: &mut S, parts: &'static [Part], i: usize) -> Result<()> {
    let run = parts[i].run();
    if run > 0
        && let Err(e) = src.ensure(run)
    {
        return Err(in_run(e, there(src, run), parts, i));
    }
    enter(src, parts, i)
}

/// Part `i` begins: a source that has bytes of its own between fields reads them, and a tracing source hears the part's name.
#[inline(always)]
pub(crate) fn enter<'de, S: Source<'de>>(src: &mut S, parts: &'static [Part], i: usize) -> Result<()> {
    if src.wants_fields()
        && let Err(e) = src.begin_field()
    {
        return Err(at_part(e, parts, i));
    }
    open(src, parts, i);
    Ok(())
}

/// Names part `i` to a tracing source. Whoever called this, or `begin`, closes it.
#[inline(always)]
pub fn open<'de, S: Source<'de>>(src: &mut S, parts: &'static [Part], i: usize) {
    if !src.is_heard() {
        return;
    }
    match parts.get(i) {
        Some(part) if !part.name().is_empty() => {
            // what stands beside a field has no type
            let native = if part.is_beside() { "" } else { part.type_name() };
            src.open(Label::Field(part.name()), native);
        }
        _ => src.open(Label::Value, ""),
    }
}

/// Room for the run that begins at part `i`.
#[inline(always)]
pub(crate) fn begin_put<W: Sink>(out: &mut W, parts: &'static [Part], i: usize) -> Result<()> {
    let run = parts[i].run();
    if run > 0
        && let Err(e) = out.ensure(run)
    {
        return Err(at_part(e, parts, i));
    }
    Ok(())
}

/// Adds the name of a part to an error.
#[cold]
#[inline(never)]
pub(crate) fn at_part(e: Error, parts: &'static [Part], i: usize) -> Error {
    match parts.get(i) {
        Some(p) => e.within(Step::Field(p.name())),
        None => e,
    }
}

/// What a codec of the user's own gives; its error gets the name of the part.
#[inline(always)]
pub fn by_codec<T>(given: Result<T>, parts: &'static [Part], i: usize) -> Result<T> {
    match given {
        Ok(v) => Ok(v),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

fn end_of(in_region: bool, needed: usize, remaining: usize) -> ErrorKind {
    match in_region {
        true => ErrorKind::RegionEnd { needed, remaining },
        false => ErrorKind::UnexpectedEnd { needed, remaining },
    }
}

/// Bytes that end too early, but were wrong before: those of a magic, as far as they are there.
#[cold]
fn wrong_magic(e: &Error, there: &[u8], parts: &'static [Part], first: usize) -> Option<Error> {
    let mut at = e.offset().filter(|_| is_end(e))?;
    let mut rest = there;
    for part in parts.iter().skip(first) {
        let size = part.sizes().exact()?;
        let found = match part.shape() {
            Shape::Magic { bytes } => wrong_bytes(bytes, rest, at),
            Shape::Record { parts, .. } => wrong_magic(&Error::short(0, 0, at, false), rest, parts(), 0),
            _ => None,
        };
        if let Some(e) = found {
            return Some(e.within(Step::Field(part.name())));
        }
        (rest, at) = (rest.get(size..)?, after(at, size as u64));
    }
    None
}

pub(crate) fn is_end(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::UnexpectedEnd { .. } | ErrorKind::RegionEnd { .. })
}

/// What there is of bytes of which not all are there, as an error has said; nothing, if looking fails, too.
#[cold]
pub(crate) fn there<'de, S: Source<'de>>(src: &mut S, n: usize) -> &[u8] {
    src.look(n).unwrap_or(&[])
}

/// The error of a magic that is cut, where the bytes that are there are not its first.
#[cold]
pub(crate) fn wrong_bytes(magic: &[u8], there: &[u8], at: u64) -> Option<Error> {
    let found = there.get(..magic.len()).unwrap_or(there);
    (!magic.starts_with(found))
        .then(|| Error::new(ErrorKind::Magic { expected: magic.into(), found: found.into() }, at))
}

/// A whole run was too short: names the first part of it that is not complete.
#[cold]
#[inline(never)]
fn in_run(e: Error, there: &[u8], parts: &'static [Part], first: usize) -> Error {
    wrong_magic(&e, there, parts, first).unwrap_or_else(|| cut(e, parts, first))
}

#[cold]
fn cut(e: Error, parts: &'static [Part], first: usize) -> Error {
    let (e, short) = first_short(e, parts.iter().skip(first).map(Part::sizes));
    let Some(p) = short.and_then(|short| parts.iter().skip(first).nth(short)) else {
        return at_part(e, parts, first);
    };
    // the fields of a record inside belong to the run too
    let e = match p.shape() {
        Shape::Record { parts, .. } => cut(e, parts(), 0),
        _ => e,
    };
    e.within(Step::Field(p.name()))
}

/// The error of a run that was too short, moved to the first of its parts that is not complete, and which one that is.
#[cold]
pub(crate) fn first_short(e: Error, parts: impl Iterator<Item = Sizes>) -> (Error, Option<usize>) {
    let (left, in_region, start) = match (e.kind(), e.offset()) {
        (ErrorKind::UnexpectedEnd { remaining, .. }, Some(start)) => (*remaining, false, start),
        (ErrorKind::RegionEnd { remaining, .. }, Some(start)) => (*remaining, true, start),
        _ => return (e, None),
    };
    let mut room = left;
    for (i, sizes) in parts.enumerate() {
        let head = sizes.head;
        if head > room || sizes.exact().is_none() {
            let at = after(start, left.wrapping_sub(room) as u64);
            return (e.relocate(end_of(in_region, head, room), at), Some(i));
        }
        room = room.wrapping_sub(head);
    }
    (e, None)
}
