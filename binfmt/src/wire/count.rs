//! The sink that measures: a value's size is what its encoder would write, so the two cannot disagree.

use super::amount::{after, between, times64};
use super::elsewhere::landing::{Landing, is_float};
use super::endian::Order;
use super::raw::Facts;
use super::raw::facts::{PutTogether, Together};
use super::sink::{Begun, Sink};
use super::source::sealed::Sealed;
use crate::error::Result;
use core::mem::take;

/// Counts the bytes that an encoder writes.
///
/// ```
/// use binfmt::{Encode, Le, wire::{Counter, Sink}};
/// let mut out = Counter::new();
/// (1u8, 2u32).encode::<Le, _>(&mut out, ())?;
/// assert_eq!(out.pos(), 5);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// One that `FINDS` writes on after a length that could not be measured, to what is wrong in its place.
#[derive(Debug, Default)]
pub struct Counter<const FINDS: bool = false> {
    n: u64,
    /// Where what lies elsewhere in this region ends, and what lies elsewhere in the whole output.
    reach: u64,
    far: u64,
    /// The bytes of parts whose positions are not given: of this region, and of the whole output.
    floating: u64,
    far_floating: u64,
    /// How far before the end of this region the first of those parts begins whose positions count from there.
    tail: u64,
    /// The most bytes that what is measured in memory may have; 0 is without a limit.
    most: u64,
}

impl Counter {
    /// At 0.
    ///
    /// ```
    /// use binfmt::wire::{Counter, Sink};
    /// assert_eq!(Counter::new().pos(), 0);
    /// ```
    pub const fn new() -> Self {
        Counter { n: 0, reach: 0, far: 0, floating: 0, far_floating: 0, tail: 0, most: 0 }
    }

    /// One that measures for a sink.
    #[inline(always)]
    pub(crate) fn of<W: Sink>(out: &W) -> Self {
        Counter { most: out.most(), ..Counter::new() }
    }
}

impl<const FINDS: bool> Counter<FINDS> {
    /// The bytes of all, with those of parts that lie elsewhere.
    pub(crate) fn all(&self) -> u64 {
        let given = self.n.max(self.reach).max(self.far);
        after(after(after(given, self.floating), self.far_floating), self.tail)
    }

    /// The bytes of a region: parts that count from the first byte of the output are not in it.
    pub(crate) fn region(&self) -> u64 {
        after(after(self.n.max(self.reach), self.floating), self.tail)
    }

    #[inline(always)]
    fn add(&mut self, n: u64) -> Result<()> {
        self.n = after(self.n, n);
        Ok(())
    }
}

impl<const FINDS: bool> Sealed for Counter<FINDS> {}

impl<const FINDS: bool> Sink for Counter<FINDS> {
    const COUNT: bool = true;
    const FINDS: bool = FINDS;

    #[inline(always)]
    fn ensure(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, _: [u8; N]) -> Result<()> {
        self.add(N as u64)
    }

    #[inline(always)]
    fn together<O: Order, T: PutTogether>(&mut self, _: T) -> Result<()> {
        self.add(<T::Values as Together>::SIZE as u64)
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8], _: usize) -> Result<()> {
        self.add(bytes.len() as u64)
    }

    #[inline(always)]
    fn fill(&mut self, _: u8, n: u64) -> Result<()> {
        self.add(n)
    }

    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()> {
        self.add(times64(facts.sizes().min as u64, items.len() as u64))
    }

    #[inline(always)]
    fn most(&self) -> u64 {
        if self.most == 0 { u64::MAX } else { self.most }
    }

    /// What measures does not judge: who writes says whether the text may be so long.
    #[inline(always)]
    fn optional_nul(&self) -> bool {
        true
    }

    #[inline(always)]
    fn pos(&self) -> u64 {
        self.n
    }

    #[inline(always)]
    fn begin_region(&mut self) -> Begun {
        let (reach, floating, tail) = (&mut self.reach, &mut self.floating, &mut self.tail);
        Begun { parts: 0, at: 0, reach: take(reach), floating: take(floating), tail: take(tail) }
    }

    #[inline(always)]
    fn end_region(&mut self, begun: Begun) -> Result<()> {
        self.n = self.region();
        (self.reach, self.floating, self.tail) = (begun.reach, begun.floating, begun.tail);
        Ok(())
    }

    fn jump(&mut self, to: u64) -> (u64, u64) {
        (core::mem::replace(&mut self.n, to), take(&mut self.reach))
    }

    fn land(&mut self, to: u64, (n, reach): (u64, u64), place: Landing) {
        let end = self.n.max(self.reach);
        (self.n, self.reach) = (n, reach);
        let (farthest, floating) = match place {
            Landing::File => (&mut self.far, &mut self.far_floating),
            Landing::Container => (&mut self.reach, &mut self.floating),
            Landing::End(distance) => {
                self.tail = self.tail.max(distance);
                return;
            }
        };
        match is_float(to) {
            true => *floating = after(*floating, between(to, end)),
            false => *farthest = end.max(*farthest),
        }
    }
}
