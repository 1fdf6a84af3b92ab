//! What waits.

use super::bytes::{Bytes, Span};
use super::landing::{BITS, FLOATING, LARGEST, Landing, is_float};
use super::watch::Watch;
use crate::error::{Error, Result};
use crate::wire::raw::bulk;
use crate::wire::raw::grow::boxed;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::take;
use core::num::NonZeroU64;

/// The space of a position: 0 for real ones.
pub(super) fn space(at: u64) -> u64 {
    if at < FLOATING { 0 } else { at >> BITS }
}

/// The position in its space.
pub(super) fn inside(at: u64) -> u64 {
    if at < FLOATING { at } else { at & LARGEST }
}

/// The parts for which there is room at first: a kibibyte of them, which costs an allocator the least.
const SOME: usize = 1024 / size_of::<Waiting>();

/// The parts of an output that wait.
#[derive(Debug)]
pub(crate) struct Placed {
    // one word, which is looked at when a value is written
    pub(super) list: Option<Box<List>>,
    /// Where something ends that a reader takes to the end of the region or input, so that nothing comes after it.
    sealed: Option<NonZeroU64>,
    /// The most bytes of the output.
    most: u64,
}

#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) parts: Vec<Waiting>,
    pub(super) bytes: Bytes,
    pub(super) numbers: Vec<Number>,
    pub(super) floats: u64,
    /// How many parts are being encoded, each in the one before; those that ended by an error or a panic stay here.
    pub(super) open: u32,
    /// The parts so far, and the bytes of all of them.
    pub(super) begun: u64,
    spent: u64,
    /// What all parts are looked at for, which is mostly nothing.
    pub(super) watch: Option<Box<Watch>>,
}

/// A part that is encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) at: u64,
    pub(super) place: Landing,
    pub(super) span: Span,
    /// Its number among all parts.
    pub(super) number: u64,
    /// Whether a reader takes what follows it for more of it.
    pub(super) is_sealed: bool,
}

/// Which bytes a number is in: others may lie at the same positions, and must then say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// What is being encoded in that many parts.
    Open(u32),
    /// The part of a number.
    Part(u64),
}

impl Waiting {
    /// The position after its last byte.
    pub(super) fn end(&self) -> u64 {
        self.at.saturating_add(self.span.len() as u64)
    }

    /// How many bytes before the end it begins, if that is what its position says.
    pub(super) fn before_end(&self) -> Option<u64> {
        match self.place {
            Landing::End(distance) => Some(distance),
            _ => None,
        }
    }
}

/// A number that is filled in, and what it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) offset: Offset,
    pub(super) owner: Owner,
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

/// What is put aside while a part is encoded.
#[derive(Debug)]
pub(crate) struct Before {
    sealed: Option<NonZeroU64>,
    level: u32,
    vector: usize,
    /// Where the part begins in its vector.
    from: usize,
}

impl Default for Placed {
    #[inline(always)]
    fn default() -> Self {
        Placed { list: None, sealed: None, most: u64::MAX }
    }
}

impl Placed {
    /// The most bytes of the output.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The output has no more bytes than these.
    #[inline(always)]
    pub(crate) fn at_most(&mut self, most: u64) {
        self.most = most;
    }

    pub(super) fn list(&mut self, at: u64) -> Result<&mut List> {
        let list = match self.list.take() {
            Some(list) => list,
            None => boxed(List::default()).map_err(|e| e.at(at))?,
        };
        Ok(self.list.insert(list))
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_none()
    }

    /// Whether there is anything to settle: at all, or in the region that begins with the part of a number.
    #[inline(always)]
    pub(crate) fn is_due(&self, region: Option<u64>) -> bool {
        self.list.as_ref().is_some_and(|list| region.is_none_or(|begun| list.parts.len() as u64 > begun))
    }

    /// The parts so far.
    #[inline(always)]
    pub(crate) fn num_parts(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.parts.len())
    }

    /// Begins a part at a position: the vector to whose end it is written, and the position where it must end.
    pub(crate) fn begin(&mut self, at: u64) -> Result<(Vec<u8>, u64, Before)> {
        let most = self.most;
        let list = self.list(at)?;
        let level = list.open;
        let (vector, own) = list.bytes.lend(level as usize).map_err(|e| e.at(at))?;
        list.open = level.wrapping_add(1);
        // what overlaps is in memory more than once, but not without bounds
        let limit = match most {
            u64::MAX => u64::MAX,
            most => {
                let in_output = most.saturating_sub(inside(at));
                at.saturating_add(most.saturating_mul(2).saturating_sub(list.spent).min(in_output))
            }
        };
        let before = Before { sealed: self.sealed.take(), level, vector, from: own.len() };
        Ok((own, limit, before))
    }

    /// The vector of a part comes back, whether the part has come to its end or not.
    pub(crate) fn give_back(&mut self, own: Vec<u8>, before: &Before) {
        if let Some(list) = &mut self.list {
            list.bytes.give_back(before.vector, own);
        }
    }

    /// The part has come to its end, with the bytes of its vector up to that length: it waits.
    pub(crate) fn end(&mut self, (at, place): (u64, Landing), len: usize, before: &Before) -> Result<()> {
        let span = Span { vector: before.vector, from: before.from, to: len };
        let is_sealed = self.seal(None) == Some(at.saturating_add(span.len() as u64));
        self.sealed = before.sealed;
        let Some(list) = &mut self.list else { return Ok(()) };
        list.add(Waiting { at, place, span, number: list.begun, is_sealed }, before.level)
    }

    /// The parts of a value that was written apart, with their bytes.
    ///
    /// # Errors
    /// The position of one is not given, or it has failed.
    pub(crate) fn given(&self, at: u64) -> Result<impl Iterator<Item = (u64, Landing, &[u8])>> {
        let list = self.list.as_deref();
        if list.is_some_and(|list| list.open > 0 || list.floats > 0 || !list.numbers.is_empty()) {
            return Err(Error::message("what is read ahead has parts whose positions are not given", at));
        }
        let parts = list.into_iter().flat_map(|list| list.parts.iter().map(move |part| (list, part)));
        Ok(parts.map(|(list, part)| (part.at, part.place, list.bytes.of(&part.span))))
    }

    /// Whether a part is being written, or has failed while it was.
    pub(crate) fn is_open(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.open > 0)
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
        let list = self.list(offset.at)?;
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
        let list = self.list(at)?;
        let number = list.floats;
        list.floats = number.wrapping_add(1);
        match number < FLOATING >> BITS {
            true => Ok(FLOATING | number << BITS),
            false => Err(Error::message("too many parts whose positions are not given", at)),
        }
    }

    /// What is due: all, or that of a region. Until `keep`, what is left counts as open.
    pub(super) fn take(&mut self, region: Option<u64>, at: u64) -> Result<List> {
        let Some(begun) = region else {
            return Ok(self.list.take().map(|list| *list).unwrap_or_default());
        };
        let Some(list) = &mut self.list else { return Ok(List::default()) };
        let open = list.open;
        list.open = open.wrapping_add(1);
        let since = usize::try_from(begun).unwrap_or(usize::MAX).min(list.parts.len());
        let mut parts = copied(list.parts.get(since..).unwrap_or(&[]), at)?;
        let numbers = copied(&list.numbers, at)?;
        list.parts.truncate(since);
        let of_file = |part: &Waiting| part.place == Landing::File;
        if parts.iter().any(of_file) {
            let mut in_floats = copied(&parts, at)?;
            in_floats.retain(|part| is_float(part.at) && of_file(part));
            // what is in a floating part goes with it
            let goes = |part: &Waiting| {
                of_file(part) || in_floats.iter().any(|float| space(float.at) == space(part.at))
            };
            // there was room for all of them before
            list.parts.extend(parts.iter().filter(|part| goes(part)));
            parts.retain(|part| !goes(part));
        }
        Ok(List { parts, numbers, bytes: take(&mut list.bytes), open, ..List::default() })
    }

    /// Ends what `take` began. The bytes of the parts that go on to wait are kept, after those of a region are written, which was
    /// the last to have parts.
    pub(super) fn keep(&mut self, mut bytes: Bytes, written: &[Waiting], since: Option<u64>) {
        let Some(list) = &mut self.list else { return };
        list.open = list.open.wrapping_sub(1);
        // where others of the region wait for the end of the output, theirs may come after
        let all = since == Some(list.parts.len() as u64);
        bytes.forget(written.iter().map(|part| &part.span).filter(|_| all));
        list.bytes = bytes;
    }

    /// Forgets the numbers that are filled in; the others may be in parts that have come to their places.
    pub(super) fn filled(&mut self, places: &Places, written: &[Waiting], open: u32) {
        let Some(list) = &mut self.list else { return };
        list.numbers.retain(|number| places.of(number.offset.float).is_none());
        for Number { offset, owner } in &mut list.numbers {
            (offset.at, offset.base) = (real(offset.at, places), real(offset.base, places));
            match owner {
                Owner::Part(number) if find(written, *number).is_some() => *owner = Owner::Open(open),
                _ => {}
            }
        }
    }
}

impl List {
    /// The part that was begun last, in so many others.
    fn add(&mut self, part: Waiting, level: u32) -> Result<()> {
        let Waiting { at, place, span, number, .. } = part;
        if let Some(watch) = &mut self.watch {
            watch.part(number, (at, place), span.len())?;
        }
        let more = if self.parts.is_empty() { SOME } else { 1 };
        bulk::try_room(&mut self.parts, more).map_err(|e| e.at(at))?;
        if at >= FLOATING && span.len() as u64 > LARGEST {
            return Err(Error::message("a part whose position is not given is too large", at));
        }
        let own = Owner::Open(level.wrapping_add(1));
        for noted in self.numbers.iter_mut().filter(|noted| noted.owner == own) {
            noted.owner = Owner::Part(number);
        }
        self.open = self.open.wrapping_sub(1);
        self.begun = number.wrapping_add(1);
        self.spent = self.spent.saturating_add(span.len() as u64);
        self.parts.push(part);
        Ok(())
    }
}

/// A copy, if there is memory for it.
pub(super) fn copied<T: Copy>(list: &[T], at: u64) -> Result<Vec<T>> {
    let mut copy = Vec::new();
    bulk::try_room(&mut copy, list.len()).map_err(|e| e.at(at))?;
    copy.extend_from_slice(list);
    Ok(copy)
}

/// Where each space has come to be, in the order of their numbers.
#[derive(Default)]
pub(super) struct Places {
    pub(super) list: Vec<(u64, u64)>,
}

impl Places {
    /// The place of the space that a position is in.
    pub(super) fn of(&self, at: u64) -> Option<u64> {
        let i = self.list.binary_search_by_key(&space(at), |(space, _)| *space).ok()?;
        self.list.get(i).map(|(_, place)| *place)
    }
}

pub(super) fn real(at: u64, places: &Places) -> u64 {
    places.of(at).map_or(at, |place| place.saturating_add(inside(at)))
}

/// The part of a number, of parts that are in the order of these.
pub(super) fn find(parts: &[Waiting], number: u64) -> Option<&Waiting> {
    parts.binary_search_by_key(&number, |part| part.number).ok().and_then(|i| parts.get(i))
}
