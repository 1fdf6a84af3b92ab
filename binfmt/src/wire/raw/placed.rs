//! Parts that are written elsewhere: they wait until what they come after is written.
//!
//! What is written one after the other has no holes. So a part elsewhere comes after it, or says again what is there; and
//! when all parts are known, they are appended in the order of their positions. No sink goes back, but to fill in numbers.
//! Where the output is a vector, a part is written to its place at once if that is free: see [`direct`].
//!
//! A part whose position is not given *floats*: it comes after all others. Until then it has positions of its own, above all
//! real ones: each floating part has a space of them, whose number is in the upper bits. What is noted inside it counts there.

mod bytes;
mod covered;
mod direct;
mod last;
mod locate;
mod position;

use self::bytes::{Bytes, Span};
use self::covered::Covered;
use self::direct::Free;
pub(crate) use self::direct::{Before, OVER, Place};
pub(crate) use self::locate::Locator;
use self::locate::{Blame, Watch};
pub(crate) use self::position::{cannot_place, distance, position, position_before, position_in};
use super::bulk;
use super::landing::{BITS, FLOATING, LARGEST, Landing, is_float};
use super::out::{Out, Room};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{after as sum, between, known};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::num::NonZeroU64;

/// The space of a position: 0 for real ones.
fn space(at: u64) -> u64 {
    if at < FLOATING { 0 } else { at >> BITS }
}

/// The position in its space.
fn inside(at: u64) -> u64 {
    if at < FLOATING { at } else { at & LARGEST }
}

/// The parts for which there is room at first: a kibibyte of them, which costs an allocator the least.
const SOME: usize = 1024 / size_of::<Waiting>();

/// What waits.
#[derive(Debug, Default)]
pub struct Placed {
    // one word, which is looked at when a value is written
    list: Option<Box<List>>,
    /// Where something ends that a reader takes to the end of the region or input, so that nothing comes after it.
    sealed: Option<NonZeroU64>,
}

#[derive(Debug, Default)]
struct List {
    parts: Vec<Waiting>,
    bytes: Bytes,
    numbers: Vec<Number>,
    floats: u64,
    /// How many parts are being encoded, each in the one before.
    open: u32,
    /// The parts so far.
    begun: u64,
    /// What of the output is written, where parts are written to their places, and the end of them.
    covered: Covered,
    reach: u64,
    free: Free,
    /// Whether from here on all parts wait, and whether some do.
    waits: bool,
    has_own: bool,
    /// What all parts are looked at for, which is mostly nothing.
    watch: Option<Box<Watch>>,
}

/// A part that is encoded.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    at: u64,
    place: Landing,
    span: Span,
    /// Its number among all parts.
    number: u64,
}

/// Which bytes a number is in: others may lie at the same positions, and must then say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// What is being encoded in that many parts.
    Open(u32),
    /// The part of a number.
    Part(u64),
}

impl Waiting {
    /// The position after its last byte.
    fn end(&self) -> u64 {
        self.at.saturating_add(self.span.len() as u64)
    }

    /// How many bytes before the end it begins, if that is what its position says.
    fn before_end(&self) -> Option<u64> {
        match self.place {
            Landing::End(distance) => Some(distance),
            _ => None,
        }
    }
}

/// A number that is filled in, and what it is in.
#[derive(Clone, Copy, Debug)]
struct Number {
    offset: Offset,
    owner: Owner,
}

/// Where a floating part is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    /// Where the number is.
    pub(crate) at: u64,
    /// From where it counts.
    pub(crate) base: u64,
    /// The part.
    pub(crate) float: u64,
    /// Writes it over the bytes that stand for it.
    pub(crate) put: fn(&mut [u8], i128) -> Result<()>,
    pub(crate) name: &'static str,
}

impl List {
    /// The part that was begun last, at a position.
    #[inline(always)]
    fn add(&mut self, (at, place): (u64, Landing), span: Span) -> Result<()> {
        let is_plain = self.numbers.is_empty() && self.watch.is_none() && at < FLOATING;
        let done = match self.parts.len() == self.parts.capacity() || !is_plain {
            true => self.before_part((at, place), &span),
            false => Ok(()),
        };
        // it has come to its end in any case: what is around it gives its vector back as its own
        self.open = self.open.wrapping_sub(1);
        done?;
        let number = self.begun;
        self.begun = number.wrapping_add(1);
        self.parts.push(Waiting { at, place, span, number });
        Ok(())
    }

    /// What must be seen to before a part is added.
    #[cold]
    #[inline(never)]
    fn before_part(&mut self, (at, place): (u64, Landing), span: &Span) -> Result<()> {
        if let Some(watch) = &mut self.watch {
            watch.part(self.begun, (at, place), span.len())?;
        }
        let more = if self.parts.is_empty() { SOME } else { 1 };
        bulk::try_room(&mut self.parts, more).map_err(|e| e.at(at))?;
        if at >= FLOATING && span.len() as u64 > LARGEST {
            return Err(Error::message("a part whose position is not given is too large", at));
        }
        let own = Owner::Open(self.open);
        for noted in self.numbers.iter_mut().filter(|noted| noted.owner == own) {
            noted.owner = Owner::Part(self.begun);
        }
        Ok(())
    }
}

impl Placed {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_none()
    }

    /// Lets go of what waits, which is mostly nothing: one comparison, and no call.
    #[inline(always)]
    pub(crate) fn free(self) {
        match self.list {
            None => core::mem::forget(self),
            Some(list) => free(list),
        }
    }

    /// Whether there is anything to settle: at all, or in the region that begins with the part of a number.
    #[inline(always)]
    pub(crate) fn is_due(&self, region: Option<u64>) -> bool {
        self.list.as_ref().is_some_and(|list| region.is_none_or(|begun| list.parts.len() as u64 > begun))
    }

    /// The parts so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.parts.len())
    }

    /// A part is encoded from here on.
    fn begin(&mut self) -> &mut List {
        let list = self.list.get_or_insert_with(Box::default);
        list.open = list.open.wrapping_add(1);
        list
    }

    /// What was written up to here is read to the end.
    #[inline(always)]
    pub(crate) fn seal(&mut self, at: Option<u64>) -> Option<u64> {
        // one more, so that it takes a word
        let at = at.and_then(|at| NonZeroU64::new(at.wrapping_add(1)));
        core::mem::replace(&mut self.sealed, at).map(|at| at.get().wrapping_sub(1))
    }

    /// A number to be filled in.
    pub(crate) fn fill_in(&mut self, offset: Offset) -> Result<()> {
        let list = self.list.get_or_insert_with(Box::default);
        bulk::try_room(&mut list.numbers, 1).map_err(|e| e.at(offset.at))?;
        list.numbers.push(Number { offset, owner: Owner::Open(list.open) });
        Ok(())
    }

    /// Whether a number in these bytes is to be filled in.
    pub(crate) fn has_number_in(&self, from: u64, to: u64) -> bool {
        self.list
            .as_ref()
            .is_some_and(|list| list.numbers.iter().any(|number| (from..to).contains(&number.offset.at)))
    }

    /// The first position of one more floating part.
    pub(crate) fn float(&mut self, at: u64) -> Result<u64> {
        let list = self.list.get_or_insert_with(Box::default);
        let number = list.floats;
        list.floats = number.wrapping_add(1);
        match number < FLOATING >> BITS {
            true => Ok(FLOATING | number << BITS),
            false => Err(Error::message("too many parts whose positions are not given", at)),
        }
    }

    /// What is due: all, or that of a region.
    fn take(&mut self, region: Option<u64>) -> List {
        let Some(mut list) = self.list.take() else { return List::default() };
        let Some(begun) = region else { return *list };
        let since = usize::try_from(begun).unwrap_or(usize::MAX).min(list.parts.len());
        let recent = list.parts.split_off(since);
        let of_file = |part: &Waiting| part.place == Landing::File;
        let (mut parts, mut others) = (recent, Vec::new());
        if parts.iter().any(of_file) {
            let in_floats: Vec<u64> = parts
                .iter()
                .filter(|part| is_float(part.at) && of_file(part))
                .map(|part| space(part.at))
                .collect();
            // what is in a floating part goes with it
            (parts, others) =
                parts.into_iter().partition(|part| !of_file(part) && !in_floats.contains(&space(part.at)));
        }
        list.parts.extend(others);
        list.has_fewer();
        let (numbers, bytes, open) = (list.numbers.clone(), core::mem::take(&mut list.bytes), list.open);
        self.list = Some(list);
        List { parts, numbers, bytes, open, ..List::default() }
    }

    /// The bytes of the parts that go on to wait, after those of a region are written, which was the last to have parts.
    fn keep(&mut self, mut bytes: Bytes, written: &[Waiting], since: Option<u64>) {
        let Some(list) = &mut self.list else { return };
        // where others of the region wait for the end of the output, theirs may come after
        let all = since == Some(list.parts.len() as u64);
        bytes.forget(written.iter().map(|part| &part.span).filter(|_| all));
        list.bytes = bytes;
    }

    /// Forgets the numbers that are filled in; the others may be in parts that have come to their places.
    fn filled(&mut self, places: &Places, written: &[Waiting]) {
        let Some(list) = &mut self.list else { return };
        list.numbers.retain(|number| places.of(number.offset.float).is_none());
        for Number { offset, owner } in &mut list.numbers {
            (offset.at, offset.base) = (real(offset.at, places), real(offset.base, places));
            match owner {
                Owner::Part(number) if find(written, *number).is_some() => *owner = Owner::Open(list.open),
                _ => {}
            }
        }
    }
}

#[cold]
#[inline(never)]
fn free(list: Box<List>) {
    drop(list);
}

/// Where each space has come to be, in the order of their numbers.
#[derive(Default)]
struct Places {
    list: Vec<(u64, u64)>,
}

impl Places {
    /// The place of the space that a position is in.
    fn of(&self, at: u64) -> Option<u64> {
        let i = self.list.binary_search_by_key(&space(at), |(space, _)| *space).ok()?;
        self.list.get(i).map(|(_, place)| *place)
    }
}

fn real(at: u64, places: &Places) -> u64 {
    places.of(at).map_or(at, |place| place.saturating_add(inside(at)))
}

/// Sorts parts; those of one key stay as they are. One function, so that the library and its users compile it once.
#[inline(never)]
fn sort(parts: &mut [Waiting], key: fn(&Waiting) -> u64) {
    parts.sort_by_key(key);
}

/// The part of a number, of parts that are in the order of these.
fn find(parts: &[Waiting], number: u64) -> Option<&Waiting> {
    parts.binary_search_by_key(&number, |part| part.number).ok().and_then(|i| parts.get(i))
}

/// Writes what is due, all of it or that of the region which begins with the part of a number: the gaps are zeros.
#[cold]
#[inline(never)]
pub(crate) fn settle<G: Room>(out: &mut Out<'_, G>, region: Option<u64>) -> Result<()> {
    let sealed = out.placed_parts().seal(None);
    let List { mut parts, numbers, open, mut bytes, .. } = out.placed_parts().take(region);
    let (begun, own) = (out.at(), space(out.at()));
    let is_floating = |part: &Waiting| space(part.at) != own;
    let mut floating: Vec<Waiting> = parts.iter().copied().filter(is_floating).collect();
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
            fill_in(out, number, (&places, open), (&parts, &mut bytes))?;
        }
        out.placed_parts().filled(&places, &parts);
    }
    let written = if region.is_some() { parts.clone() } else { Vec::new() };
    if !floating.is_empty() {
        parts.retain(|part| !is_floating(part));
    }
    let done = append(out, &mut parts, &mut bytes)
        .and_then(|()| append_floating(out, &floating, &places, &mut bytes));
    match done {
        Ok(()) => {}
        Err(Unsettled::Error(e)) => return Err(e),
        Err(Unsettled::Overlap(position, blame)) => {
            out.placed_parts().blames(blame);
            return Err(Error::new(ErrorKind::Overlap { position, other: None }, position));
        }
    }
    match whole.checked_sub(out.at()) {
        Some(missing) if missing > 0 => {
            let text = format!("the parts that count from the end leave the last {missing} bytes of it");
            Err(Error::message(text, out.at()))
        }
        _ if sealed == Some(begun) && out.at() > begun => Err(after_all(begun)),
        _ => {
            out.placed_parts().keep(bytes, &written, region);
            Ok(())
        }
    }
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
    out: &mut Out<'_, G>,
    floating: &[Waiting],
    places: &Places,
    bytes: &mut Bytes,
) -> Result<(), Unsettled> {
    let mut tail = Vec::new();
    for parts in by_space(floating) {
        let part = merged(parts, bytes)?;
        match part.before_end() {
            Some(_) => tail.push(Waiting { at: real(part.at, places), ..part }),
            None => out.put_bytes(bytes.of(&part.span), 0)?,
        }
    }
    if !tail.is_empty() {
        append(out, &mut tail, bytes)?;
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
    out: &mut Out<'_, G>,
    parts: &mut Vec<Waiting>,
    bytes: &mut Bytes,
) -> Result<(), Unsettled> {
    if !parts.is_sorted_by_key(|part| part.at) {
        sort(parts, |part| part.at);
    }
    join_all(parts, bytes)?;
    if let Some(last) = parts.last().filter(|_| G::MEMORY && G::OWN) {
        out.ensure_room(last.end().saturating_sub(out.at()).min(MOST_AT_ONCE) as usize)?;
    }
    for part in parts.iter() {
        out.put_fill(0, part.at.saturating_sub(out.at()))?;
        let shared = usize::try_from(out.at().saturating_sub(part.at)).unwrap_or(usize::MAX);
        let bytes = bytes.of(&part.span);
        let (same, more) = bytes.split_at(shared.min(bytes.len()));
        if let Some(n) = difference(written(out, part.at), same) {
            return Err(overlap(part, n));
        }
        out.put_bytes(more, 0)?;
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
    let none = Waiting { at: FLOATING, place: Landing::Container, span: Span::default(), number: 0 };
    let (mut whole, inner) = parts.split_last().map_or((none, &[][..]), |(last, inner)| (*last, inner));
    let mut inner = inner.to_vec();
    sort(&mut inner, |part| part.at);
    inner.iter().try_for_each(|part| join(&mut whole, part, bytes))?;
    Ok(whole)
}

/// Fills in a number, if what it leads to has come to its place.
fn fill_in<G: Room>(
    out: &mut Out<'_, G>,
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
            let pos = out.at();
            let written = out.recent_bytes();
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
fn written<'b, G: Room>(out: &'b mut Out<'_, G>, at: u64) -> &'b [u8] {
    let pos = out.at();
    let written = out.recent_bytes();
    let first = between(written.len() as u64, pos);
    let from = at.checked_sub(first).and_then(|from| usize::try_from(from).ok());
    from.and_then(|from| written.get(from..)).unwrap_or(&[])
}
