//! Parts that have waited come to their places.

use super::bytes::{Bytes, Span};
use super::landing::{FLOATING, Landing};
use super::placed::{List, Number, Owner, Placed, Places, Waiting, copied, find, inside, real, space};
use super::watch::Blame;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{after as sum, between, known};
use crate::wire::raw::bulk;
use crate::wire::raw::out::{RawOut, Room};
use alloc::format;
use alloc::vec::Vec;

/// Sorts parts; those of one key stay in their order. One function, so that the library and its users compile it once.
#[inline(never)]
fn sort(parts: &mut [Waiting], key: fn(&Waiting) -> u64) {
    parts.sort_unstable_by_key(|part| (key(part), part.number));
}

/// Writes what is due, all of it or that of the region which begins with the part of a number: the gaps are zeros.
#[cold]
#[inline(never)]
pub(crate) fn settle<G: Room>(
    raw: &mut RawOut<'_, G>,
    placed: &mut Placed,
    region: Option<u64>,
) -> Result<()> {
    let (begun, sealed) = (raw.at(), placed.seal(None));
    let List { mut parts, numbers, open, mut bytes, mut watch, .. } = placed.take(region, begun)?;
    if region.is_none() && open > 0 {
        return Err(Error::message(
            "the output lacks a part (`at`) that has failed while it was written",
            begun,
        ));
    }
    let own = space(begun);
    let is_floating = |part: &Waiting| space(part.at) != own;
    let mut floating = copied(&parts, begun)?;
    floating.retain(is_floating);
    sort(&mut floating, |part| space(part.at));
    let (places, whole) = match floating.is_empty() {
        true => (Places::default(), 0),
        false => {
            let given = parts.iter().filter(|part| !is_floating(part));
            places(&floating, given.map(Waiting::end).fold(begun, u64::max))?
        }
    };
    if !numbers.is_empty() {
        for number in &numbers {
            fill_in(raw, number, (&places, open), (&parts, &mut bytes))?;
        }
        placed.filled(&places, &parts, open);
    }
    let sealed_part = parts.iter().filter(|part| part.is_sealed);
    let sealed_part = sealed_part.map(|part| (real(part.end(), &places), part.number)).min();
    let written = if region.is_some() { copied(&parts, begun)? } else { Vec::new() };
    parts.retain(|part| !is_floating(part));
    let done = append(raw, &mut parts, &mut bytes)
        .and_then(|()| append_floating(raw, &floating, &places, &mut bytes));
    match done {
        Ok(()) => {}
        Err(Unsettled::Error(e)) => return Err(e),
        Err(Unsettled::Overlap(position, blame)) => {
            placed.blames(blame);
            return Err(Error::new(ErrorKind::Overlap { position, other: None }, position));
        }
    }
    match whole.checked_sub(raw.at()) {
        Some(missing) if missing > 0 => {
            let text = format!("the parts that count from the end leave the last {missing} bytes of it");
            return Err(Error::message(text, raw.at()));
        }
        _ if sealed == Some(begun) && raw.at() > begun => return Err(after_all(begun)),
        _ => {}
    }
    if let Some((end, part)) = sealed_part.filter(|(end, _)| raw.at() > *end) {
        placed.blames(Blame::Part(part));
        let text = "the part is read to the end, and what comes after it would be read as more of it";
        return Err(Error::message(text, end));
    }
    if let Some(watch) = watch.as_mut().or_else(|| placed.watched()) {
        let done = watch.reaches(&places, raw.at(), region.is_none());
        if let Err(e) = done {
            watch.blame.into_iter().for_each(|blame| placed.blames(blame));
            return Err(e);
        }
    }
    placed.keep(bytes, &written, region);
    Ok(())
}

/// Why parts do not come to their places.
enum Unsettled {
    /// Two are at one position, with other bytes.
    Overlap(u64, Blame),
    Error(Error),
}

impl From<Error> for Unsettled {
    fn from(e: Error) -> Self {
        Unsettled::Error(e)
    }
}

/// A part after what is read to the end would be read as more of it.
#[cold]
fn after_all(at: u64) -> Error {
    Error::message("a part that lies elsewhere (`at`) comes after bytes that are read to the end", at)
}

/// Appends what has come to places of its own, and at last what counts from the end.
fn append_floating<G: Room>(
    raw: &mut RawOut<'_, G>,
    floating: &[Waiting],
    places: &Places,
    bytes: &mut Bytes,
) -> Result<(), Unsettled> {
    let mut tail = Vec::new();
    bulk::try_room(&mut tail, floating.len()).map_err(|e| e.at(raw.at()))?;
    for parts in by_space(floating) {
        let part = merged(parts, bytes)?;
        match part.before_end() {
            Some(_) => tail.push(Waiting { at: real(part.at, places), ..part }),
            None => raw.put_bytes(bytes.of(&part.span), 0)?,
        }
    }
    if !tail.is_empty() {
        append(raw, &mut tail, bytes)?;
    }
    Ok(())
}

/// Each floating part with what is in it, of parts that are sorted by their spaces.
fn by_space(floating: &[Waiting]) -> impl Iterator<Item = &[Waiting]> {
    floating.chunk_by(|a, b| space(a.at) == space(b.at))
}

/// Where each floating part comes to be, the first at `end`, and the end of what counts from the end: that comes last.
fn places(floating: &[Waiting], mut end: u64) -> Result<(Places, u64)> {
    // a floating part is as long as what reaches farthest in it; the part itself comes last
    let of_space = |parts: &[Waiting]| {
        let len = parts.iter().map(|part| inside(part.end())).fold(0, u64::max);
        parts.last().map(|part| (space(part.at), len, part.before_end()))
    };
    let (mut places, mut farthest) = (Places::default(), None);
    bulk::try_room(&mut places.list, floating.len()).map_err(|e| e.at(end))?;
    for (space, len, before_end) in by_space(floating).filter_map(of_space) {
        places.list.push((space, end));
        match before_end {
            Some(distance) => farthest = farthest.max(Some(distance)),
            None => end = end.saturating_add(len),
        }
    }
    let whole = farthest.map_or(end, |distance| end.saturating_add(distance));
    for ((_, len, before_end), place) in by_space(floating).filter_map(of_space).zip(&mut places.list) {
        let Some(distance) = before_end else { continue };
        place.1 = between(distance, whole);
        if len > distance {
            let text = format!("a part that begins {distance} bytes before the end has {len} bytes");
            return Err(Error::message(text, place.1));
        }
    }
    Ok((places, if whole > end { whole } else { 0 }))
}

/// Appends parts that have positions.
fn append<G: Room>(
    raw: &mut RawOut<'_, G>,
    parts: &mut Vec<Waiting>,
    bytes: &mut Bytes,
) -> Result<(), Unsettled> {
    if !parts.is_sorted_by_key(|part| part.at) {
        sort(parts, |part| part.at);
    }
    join_all(parts, bytes)?;
    if let Some(last) = parts.last().filter(|_| G::MEMORY && G::OWN) {
        // as much as waits is in memory anyhow: what lies between is not made room for without bounds
        let waits = parts.iter().map(|part| part.span.len() as u64).fold(MOST_AT_ONCE, u64::saturating_add);
        raw.ensure_room(last.end().saturating_sub(raw.at()).min(waits) as usize)?;
    }
    for part in parts.iter() {
        raw.put_fill(0, part.at.saturating_sub(raw.at()))?;
        let shared = usize::try_from(raw.at().saturating_sub(part.at)).unwrap_or(usize::MAX);
        let bytes = bytes.of(&part.span);
        let (same, more) = bytes.split_at(shared.min(bytes.len()));
        if let Some(n) = difference(written(raw, part.at), same) {
            return Err(overlap(part, n));
        }
        raw.put_bytes(more, 0)?;
    }
    Ok(())
}

/// As much as room is made for before it is written.
const MOST_AT_ONCE: u64 = 1 << 16;

/// Of parts in the order of their positions makes those one that share bytes.
fn join_all(parts: &mut Vec<Waiting>, bytes: &mut Bytes) -> Result<(), Unsettled> {
    let mut done = Ok(());
    parts.dedup_by(|part, last| {
        let shares = part.at < last.end();
        if shares && done.is_ok() {
            done = join(last, part, bytes);
        }
        shares
    });
    done
}

/// Adds a part to one that begins before it: what is between the two is zeros.
fn join(first: &mut Waiting, part: &Waiting, bytes: &mut Bytes) -> Result<(), Unsettled> {
    let at = usize::try_from(between(first.at, part.at)).unwrap_or(usize::MAX);
    let gap = at.saturating_sub(first.span.len());
    let (whole, own) = (bytes.of(&first.span), bytes.of(&part.span));
    let (_, there) = whole.split_at(at.min(whole.len()));
    let shared = there.len().min(own.len());
    if let Some(n) = difference(there, known(own.get(..shared))) {
        return Err(overlap(part, n));
    }
    if gap > 0 || own.len() > shared {
        first.span = bytes.joined(&first.span, gap, (&part.span, shared)).map_err(|e| e.at(part.at))?;
    }
    Ok(())
}

/// A floating part with those whose positions count in it.
fn merged(parts: &[Waiting], bytes: &mut Bytes) -> Result<Waiting, Unsettled> {
    // the part itself comes last, after what is in it
    let none = Waiting {
        at: FLOATING,
        place: Landing::Container,
        span: Span::default(),
        number: 0,
        is_sealed: false,
    };
    let (mut whole, inner) = parts.split_last().map_or((none, &[][..]), |(last, inner)| (*last, inner));
    let mut inner = copied(inner, whole.at)?;
    sort(&mut inner, |part| part.at);
    inner.iter().try_for_each(|part| join(&mut whole, part, bytes))?;
    Ok(whole)
}

/// Fills in a number, if what it leads to has come to its place.
fn fill_in<G: Room>(
    raw: &mut RawOut<'_, G>,
    Number { offset: number, owner }: &Number,
    (places, open): (&Places, u32),
    (parts, bytes): (&[Waiting], &mut Bytes),
) -> Result<()> {
    if places.of(number.float).is_none() {
        return Ok(());
    }
    let value = i128::from(real(number.float, places)).wrapping_sub(i128::from(real(number.base, places)));
    let bytes = match owner {
        Owner::Part(part) => after(find(parts, *part), bytes, number.at),
        Owner::Open(depth) if *depth == open => {
            let pos = raw.at();
            let written = raw.recent();
            let first = between(written.len() as u64, pos);
            let n = number.at.checked_sub(first).and_then(|n| usize::try_from(n).ok());
            n.and_then(|n| written.get_mut(n..))
        }
        Owner::Open(_) => None,
    };
    (number.put)(bytes.unwrap_or(&mut []), value)
        .map_err(|e| e.shifted(number.at).within(Step::Field(number.name)))
}

/// The bytes of a part from a position on.
fn after<'b>(part: Option<&Waiting>, bytes: &'b mut Bytes, at: u64) -> Option<&'b mut [u8]> {
    let part = part?;
    let n = at.checked_sub(part.at).and_then(|n| usize::try_from(n).ok())?;
    bytes.of_mut(&part.span).get_mut(n..)
}

/// Of a part, one byte of which is another one in the output.
#[cold]
fn overlap(part: &Waiting, byte: usize) -> Unsettled {
    let blame = Blame::Over { part: part.number, byte: sum(part.at, byte as u64) };
    Unsettled::Overlap(inside(part.at), blame)
}

/// The first of some bytes that is not there, or another one.
fn difference(there: &[u8], bytes: &[u8]) -> Option<usize> {
    if there.starts_with(bytes) {
        return None;
    }
    Some(bytes.iter().zip(there).take_while(|(byte, there)| byte == there).count())
}

/// What was written from a position on and is still in memory.
fn written<'b, G: Room>(raw: &'b mut RawOut<'_, G>, at: u64) -> &'b [u8] {
    let pos = raw.at();
    let written = raw.recent();
    let first = between(written.len() as u64, pos);
    let from = at.checked_sub(first).and_then(|from| usize::try_from(from).ok());
    from.and_then(|from| written.get(from..)).unwrap_or(&[])
}
