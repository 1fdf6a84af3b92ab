//! The sinks: what writes to memory or to a writer, with the parts that lie elsewhere and wait.

#[cfg(feature = "alloc")]
use super::elsewhere::landing::Landing;
#[cfg(feature = "alloc")]
use super::elsewhere::{Before, cannot_place};
use super::elsewhere::{Locator, Placed, settle};
use super::endian::Order;
use super::options::Options;
use super::raw::Facts;
use super::raw::facts::{Known, PutTogether};
#[cfg(feature = "std")]
use super::raw::out::Block;
#[cfg(feature = "alloc")]
use super::raw::out::Grow;
use super::raw::out::{Fixed, RawOut, Room};
use super::sink::{Begun, Parts, Sink};
use super::source::sealed::Sealed;
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::ManuallyDrop;

/// A place to write to: a vector, a slice, or a writer behind a block of memory.
#[derive(Debug)]
pub struct Out<'g, G: Room> {
    raw: RawOut<'g, G>,
    /// The parts that wait; none where there may be none.
    placed: Option<&'g mut Placed>,
    /// Whether text may fill a field of a fixed size.
    optional_nul: bool,
}

impl<'g, G: Room> Out<'g, G> {
    #[inline(always)]
    fn new(raw: RawOut<'g, G>, placed: &'g mut Placed) -> Self {
        Out { raw, placed: Some(placed), optional_nul: false }
    }

    /// One that takes no parts.
    #[inline(always)]
    fn without_parts(raw: RawOut<'g, G>) -> Self {
        Out { raw, placed: None, optional_nul: false }
    }

    /// The same, which lets pass what readers of these options do, and has no more bytes than they say.
    #[inline(always)]
    pub(crate) fn with<C>(&mut self, options: &Options<C>) -> &mut Self {
        self.at_most(options.most).letting_pass(options.policy.optional_nul)
    }

    /// The same, which has no more bytes than these.
    #[inline(always)]
    pub(crate) fn at_most(&mut self, bytes: u64) -> &mut Self {
        if let Some(placed) = &mut self.placed {
            placed.at_most(bytes);
        }
        self.raw.limit(bytes);
        self
    }

    /// The same, in which text may fill a field of a fixed size, or not.
    #[inline(always)]
    pub(crate) fn letting_pass(&mut self, optional_nul: bool) -> &mut Self {
        self.optional_nul = optional_nul;
        self
    }

    /// Writes the parts that lie elsewhere, or those of the region that begins with the part of a number.
    #[inline(always)]
    fn settle_since(&mut self, region: Option<u64>) -> Result<()> {
        match &mut self.placed {
            Some(placed) if placed.is_due(region) => {
                let at = self.raw.at();
                placed.ends(at, region.map(|parts| Begun { parts, at, ..Begun::default() }))?;
                self.raw.apart(|raw| settle(raw, placed, region))
            }
            _ => Ok(()),
        }
    }

    /// Writes all parts that lie elsewhere.
    #[inline(always)]
    fn settle(&mut self) -> Result<()> {
        self.settle_since(None)
    }
}

impl<G: Room> Sealed for Out<'_, G> {}

impl<G: Room> Sink for Out<'_, G> {
    const MEMORY: bool = G::MEMORY;
    const FORGETS: bool = G::MEMORY && G::OWN;

    #[inline(always)]
    fn memory_from(&mut self, at: u64) -> &mut [u8] {
        if !G::MEMORY {
            return &mut [];
        }
        let len = self.raw.at().wrapping_sub(at);
        let written = self.raw.recent();
        let from = usize::try_from(len).ok().and_then(|len| written.len().checked_sub(len));
        written.get_mut(from.unwrap_or(usize::MAX)..).unwrap_or(&mut [])
    }

    #[inline(always)]
    fn ensure(&mut self, n: usize) -> Result<()> {
        self.raw.ensure_room(n)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        self.raw.put_array(bytes)
    }

    #[inline(always)]
    fn together<O: Order, T: PutTogether>(&mut self, values: T) -> Result<()> {
        self.raw.put_together::<O, T>(values)
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8], then: usize) -> Result<()> {
        self.raw.put_bytes(bytes, then)
    }

    #[inline(always)]
    fn front(&mut self, bytes: &[u8], n: usize, then: usize) -> Result<()> {
        self.raw.put_front(bytes, n, then)
    }

    #[inline(always)]
    fn fill(&mut self, byte: u8, n: u64) -> Result<()> {
        self.raw.put_fill(byte, n)
    }

    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()> {
        self.raw.put_items::<O, T>(facts, items)
    }

    #[inline(always)]
    fn pos(&self) -> u64 {
        self.raw.at()
    }

    #[inline(always)]
    fn parts(&mut self) -> Parts<'_> {
        // numbers are filled in later
        self.raw.keep_all();
        Parts::of(self.placed.as_deref_mut())
    }

    #[inline(always)]
    fn has_number_in(&self, from: u64, to: u64) -> bool {
        self.placed.as_ref().is_some_and(|placed| placed.has_number_in(from, to))
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn part(
        &mut self,
        at: u64,
        landing: Landing,
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> Result<()> {
        let Some(placed) = self.placed.as_deref_mut() else { return Err(cannot_place(self.raw.at())) };
        // a part may be compared with what is written, and change it
        self.raw.keep_all();
        let (own, limit, before) = placed.begin(at)?;
        let mut lent = OnLoan { placed, own, before };
        append(&mut lent.own, (at, limit), lent.placed, self.optional_nul, write)?;
        lent.placed.end((at, landing), lent.own.len(), &lent.before)
    }

    #[cfg(feature = "alloc")]
    fn in_memory(&mut self, write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>) -> Result<()> {
        let (at, optional_nul) = (self.raw.at(), self.optional_nul);
        let Some(placed) = self.placed.as_deref_mut() else { return apart_in_memory(self, write) };
        let mut bytes = Vec::new();
        let limit = at.saturating_add(placed.most());
        append(&mut bytes, (at, limit), placed, optional_nul, write)?;
        if !placed.is_empty() {
            self.raw.keep_all();
        }
        self.raw.put_bytes(&bytes, 0)
    }

    #[inline(always)]
    fn most(&self) -> u64 {
        self.placed.as_ref().map_or(u64::MAX, |placed| placed.most())
    }

    #[inline(always)]
    fn seal(&mut self) {
        if let Some(placed) = &mut self.placed {
            placed.seal(Some(self.raw.at()));
        }
    }

    #[inline(always)]
    fn begin_region(&mut self) -> Begun {
        let parts = self.placed.as_ref().map_or(0, |placed| placed.num_parts() as u64);
        Begun { parts, at: self.raw.at(), ..Begun::default() }
    }

    #[inline(always)]
    fn fills_to(&mut self, to: u64, begun: Begun) -> Result<()> {
        match &mut self.placed {
            Some(placed) => placed.ends(to, Some(begun)),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn end_region(&mut self, begun: Begun) -> Result<()> {
        let Some(placed) = &mut self.placed else { return Ok(()) };
        if !placed.is_empty() {
            placed.ends(self.raw.at(), Some(begun))?;
            self.settle_since(Some(begun.parts))?;
        }
        if let Some(placed) = &mut self.placed {
            placed.seal(None);
        }
        Ok(())
    }

    #[inline(always)]
    fn optional_nul(&self) -> bool {
        self.optional_nul
    }
}

/// The vector of a part, which comes back with the parts before it in a panic, too.
#[cfg(feature = "alloc")]
struct OnLoan<'p> {
    placed: &'p mut Placed,
    own: Vec<u8>,
    before: Before,
}

#[cfg(feature = "alloc")]
impl Drop for OnLoan<'_> {
    fn drop(&mut self) {
        self.placed.give_back(core::mem::take(&mut self.own), &self.before);
    }
}

/// The parts that wait, of a value that has none: a frame with something to drop would make every call in it one that may unwind,
/// and the compiler no longer moves the rare ones out of the way. What a hand-written codec has in spite of that leaks in a panic.
type Kept = ManuallyDrop<Placed>;

/// Whether an error may be one of which the fields are found by writing once more. What fails for want of room has them already.
fn may_name_fields(e: &Error) -> bool {
    !matches!(
        e.kind(),
        ErrorKind::OutputFull { .. } | ErrorKind::OutOfMemory { .. } | ErrorKind::OutputLimit { .. }
    )
}

/// Writes once, or until an error has found its fields.
///
/// There is one function that writes, and one place that calls it: a second one would cost each type its code twice, and
/// the first its place in the code around it.
#[inline(always)]
fn located<R>(mut write: impl FnMut(Option<&mut Locator>) -> Result<R>) -> Result<R> {
    match write(None) {
        Err(e) if may_name_fields(&e) => locate(Locator::default(), &mut write),
        done => done,
    }
}

/// Writes for who looks for the fields of an error, out of the way of what is usual.
#[cold]
#[inline(never)]
fn locate<R>(mut locator: Locator, write: &mut dyn FnMut(Option<&mut Locator>) -> Result<R>) -> Result<R> {
    loop {
        let done = write(Some(&mut locator));
        if done.is_ok() && !locator.is_asking() {
            return done;
        }
        if let Some(done) = locator.next(done) {
            return done;
        }
    }
}

/// Writes and settles, for who may look for the fields of an error.
#[inline(always)]
fn run<G: Room>(
    mut locator: Option<&mut Locator>,
    out: &mut Out<'_, G>,
    write: impl Fn(&mut Out<'_, G>) -> Result<()>,
) -> Result<()> {
    if let (Some(locator), Some(placed)) = (&locator, &mut out.placed) {
        locator.begin(placed);
    }
    let mut done = write(out);
    if done.is_ok() {
        done = out.settle();
    }
    if done.is_err()
        && let (Some(locator), Some(placed)) = (&mut locator, &mut out.placed)
    {
        locator.note(placed);
    }
    done
}

/// Runs `write` with a sink that appends to `v`. When it fails, `v` is what it was.
///
/// ```
/// use binfmt::{Encode, Le, wire::vec_sink};
/// let mut v = vec![9];
/// vec_sink(&mut v, 2, |out| 7u16.encode::<Le, _>(out, ()))?;
/// assert_eq!(v, [9, 7, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn vec_sink<R>(
    v: &mut Vec<u8>,
    reserve: usize,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<R> {
    let (mut room, mut placed) = (Grow::after(v, 0), Kept::new(Placed::default()));
    let mut out = Out::new(room.begin(reserve)?, &mut placed);
    let done = write(&mut out).and_then(|result| out.settle().map(|()| result));
    if done.is_ok() {
        out.raw.commit();
    }
    drop_parts(placed);
    done
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
/// Types without either need no code for that.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn locating_vec<T: Known>(
    v: &mut Vec<u8>,
    reserve: usize,
    write: impl Fn(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    if const { T::KNOWN.is_in_place() } {
        let (mut room, mut placed) = (Grow::after(v, 0), Kept::new(Placed::default()));
        let mut out = Out::new(room.begin(reserve)?, &mut placed);
        let done = write(&mut out);
        let done = if done.is_ok() { out.settle() } else { done };
        if done.is_ok() {
            out.raw.commit();
        }
        drop_parts(placed);
        return done;
    }
    located(|locator| vec_once(v, reserve, locator, &write))
}

#[cfg(feature = "alloc")]
#[inline(always)]
fn vec_once(
    v: &mut Vec<u8>,
    reserve: usize,
    locator: Option<&mut Locator>,
    write: impl Fn(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let (mut room, mut placed) = (Grow::after(v, 0), Placed::default());
    let mut out = Out::new(room.begin(reserve)?, &mut placed);
    let is_again = locator.as_ref().is_some_and(|locator| locator.is_asking());
    run(locator, &mut out, write)?;
    // what is written again only looks for the fields of an error, even if there is none this time
    if !is_again {
        out.raw.commit();
    }
    Ok(())
}

/// Drops parts, which there mostly are none of: one comparison, and no call.
#[inline(always)]
fn drop_parts(placed: Kept) {
    if !placed.is_empty() {
        drop(ManuallyDrop::into_inner(placed));
    }
}

/// The same as `locating_vec`, which looks for a field from the beginning.
#[cfg(feature = "dynamic")]
pub(crate) fn locating_vec_from(
    locator: Locator,
    v: &mut Vec<u8>,
    write: impl Fn(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    locate(locator, &mut |locator| vec_once(v, 0, locator, &write))
}

/// Runs `write` with a sink that appends to `v` a part of something larger: its first byte is at one position, and it must end at another
/// one. Its own parts wait in `placed`.
#[cfg(feature = "alloc")]
fn append(
    v: &mut Vec<u8>,
    (at, limit): (u64, u64),
    placed: &mut Placed,
    optional_nul: bool,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let mut room = Grow::after(v, at);
    let mut raw = room.begin(0)?;
    raw.limit(limit);
    let mut out = Out { raw, placed: Some(placed), optional_nul };
    write(&mut out)?;
    out.raw.commit();
    Ok(())
}

/// The bytes that `write` writes at a position of a sink, apart from what that has, and the parts elsewhere that are not in them.
#[cfg(feature = "alloc")]
pub(crate) fn bytes_apart<W: Sink>(
    of: &W,
    at: u64,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<(Vec<u8>, Placed)> {
    let (mut bytes, mut placed) = (Vec::new(), Placed::default());
    placed.at_most(of.most());
    append(&mut bytes, (at, at.saturating_add(of.most())), &mut placed, of.optional_nul(), write)?;
    Ok((bytes, placed))
}

/// Writes to memory, for a sink that takes no parts, and then to that.
#[cfg(feature = "alloc")]
pub(crate) fn apart_in_memory<W: Sink>(
    out: &mut W,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let (at, mut bytes, mut placed) = (out.pos(), Vec::new(), Placed::default());
    append(&mut bytes, (at, at.saturating_add(out.most())), &mut placed, out.optional_nul(), write)?;
    if !placed.is_empty() {
        return Err(cannot_place(at));
    }
    out.bytes(&bytes, 0)
}

/// Runs `write` with a sink that fills `b` from its start; returns how many bytes were written.
#[inline(always)]
pub(crate) fn slice_sink(
    b: &mut [u8],
    write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    let (mut room, mut placed) = (Fixed::new(b), Kept::new(Placed::default()));
    let mut out = Out::new(room.begin(), &mut placed);
    let done = write(&mut out);
    let done = if done.is_ok() { out.settle() } else { done };
    let n = out.raw.at() as usize;
    drop_parts(placed);
    done.map(|()| n)
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
/// Types without either need no code for that.
#[inline(always)]
pub(crate) fn locating_slice<T: Known>(
    b: &mut [u8],
    write: impl Fn(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    if const { T::KNOWN.is_in_place() } {
        return slice_sink(b, write);
    }
    located(|locator| {
        let (mut room, mut placed) = (Fixed::new(b), Placed::default());
        let mut out = Out::new(room.begin(), &mut placed);
        run(locator, &mut out, &write)?;
        Ok(out.raw.at() as usize)
    })
}

/// Fills in a number where something stands in its place: it has no parts elsewhere.
#[inline(always)]
pub(crate) fn patch(b: &mut [u8], write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>) -> Result<()> {
    let mut room = Fixed::new(b);
    write(&mut Out::without_parts(room.begin()))
}

/// Fills bytes that need not be set: what of them is set then. There are no parts elsewhere.
#[cfg(feature = "columns")]
#[inline(always)]
pub(crate) fn fill<'b>(
    b: &'b mut [core::mem::MaybeUninit<u8>],
    write: impl FnOnce(&mut Out<'_, Fixed<'b>>) -> Result<()>,
) -> Result<&'b mut [u8]> {
    let mut room = Fixed::unset(b);
    let mut out = Out::without_parts(room.begin());
    write(&mut out)?;
    Ok(out.raw.filled())
}

/// Runs `write` with a sink in front of `w`; returns how many bytes were written. `w` is flushed at the end.
#[cfg(all(feature = "std", any(feature = "columns", feature = "futhark")))]
pub(crate) fn writer_sink(
    w: impl std::io::Write,
    write: impl FnOnce(&mut Out<'_, Block<'_>>) -> Result<()>,
) -> Result<u64> {
    writer_sink_in(w, &mut Vec::new(), write)
}

/// The same with a block that the caller keeps; what is in it is of no use.
#[cfg(all(feature = "std", any(feature = "columns", feature = "futhark", feature = "sdds")))]
pub(crate) fn writer_sink_in(
    mut w: impl std::io::Write,
    block: &mut Vec<u8>,
    write: impl FnOnce(&mut Out<'_, Block<'_>>) -> Result<()>,
) -> Result<u64> {
    one_writer(&mut w, (block, false), |out| write(out).and_then(|()| out.settle()))
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
#[cfg(feature = "std")]
pub(crate) fn locating_writer(
    mut w: impl std::io::Write,
    write: impl Fn(&mut Out<'_, Block<'_>>) -> Result<()>,
) -> Result<u64> {
    let (mut block, mut locator) = (Vec::new(), Locator::default());
    loop {
        let is_again = locator.is_asking();
        let done = one_writer(&mut w, (&mut block, is_again), |out| run(Some(&mut locator), out, &write));
        if done.is_ok() && !is_again {
            return done;
        }
        if let Some(done) = locator.next(done) {
            return done;
        }
    }
}

#[cfg(feature = "std")]
fn one_writer(
    w: &mut dyn std::io::Write,
    (block, again): (&mut Vec<u8>, bool),
    write: impl FnOnce(&mut Out<'_, Block<'_>>) -> Result<()>,
) -> Result<u64> {
    let (mut room, mut placed) = (Block::before(w, block, again), Placed::default());
    let mut out = Out::new(room.begin()?, &mut placed);
    write(&mut out)?;
    out.raw.commit()
}
