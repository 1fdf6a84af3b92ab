//! A stream as a source: what it has at hand answers, with the reader for what needs more.

use super::Stream;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::budget::{Budget, Lent};
use crate::wire::cursor::{Cursor, Found, Saved};
use crate::wire::endian::Order;
use crate::wire::erased::Erased;
use crate::wire::hooks::Hooks;
use crate::wire::limits::Window;
use crate::wire::raw::{Facts, InputBytes, Jump, Visits};
use crate::wire::source::{Source, sealed::Sealed};
use alloc::vec::Vec;
use std::io::Read;

impl<R> Sealed for Stream<R> {}

impl<R> Hooks for Stream<R> {}

impl<'de, R: Read> Cursor<'de> for Stream<R> {
    #[inline(always)]
    fn budget(&self) -> &Budget {
        &self.flow.budget
    }

    #[inline(always)]
    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        Lent(&mut self.flow.budget)
    }

    fn blank(&mut self, n: usize) -> Result<()> {
        self.flow.blank(&mut self.input, n)
    }

    #[inline(always)]
    fn pos(&self) -> u64 {
        self.flow.pos
    }

    #[inline(always)]
    fn left(&self) -> Option<usize> {
        None
    }

    #[inline]
    fn expected(&self) -> Option<usize> {
        self.flow.expected()
    }

    #[inline]
    fn in_region(&self) -> bool {
        self.flow.in_region()
    }

    #[inline]
    fn at_end(&mut self) -> Result<bool> {
        self.flow.at_end(&mut self.input)
    }

    #[inline]
    fn chunk(&mut self) -> Result<usize> {
        self.flow.chunk(&mut self.input)
    }

    #[inline]
    fn find(&mut self, byte: u8) -> Result<usize> {
        self.flow.find(&mut self.input, byte)
    }

    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
        self.flow.search(&mut self.input, wanted)
    }

    #[inline]
    fn look(&mut self, n: usize) -> Result<&[u8]> {
        self.flow.look(&mut self.input, n)
    }

    #[inline]
    fn ensure(&mut self, n: usize) -> Result<()> {
        self.flow.ensure(&mut self.input, n)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.flow.array(&mut self.input)
    }

    #[inline]
    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        self.flow.take(&mut self.input, n)
    }

    // unreachable through the functions of this crate: they ask for `DecodeOwned`
    fn borrow(&mut self, _: usize) -> Result<InputBytes<'de>> {
        Err(Error::new(ErrorKind::CannotBorrow, self.flow.pos))
    }

    #[inline]
    fn skip(&mut self, n: u64) -> Result<()> {
        self.flow.skip(&mut self.input, n)
    }

    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        self.flow.append(&mut self.input, n, out)
    }

    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        self.flow.bulk::<O, T>(&mut self.input, facts, n, out)
    }

    #[inline]
    fn peek(&mut self, most: usize) -> Result<&[u8]> {
        self.flow.peek(&mut self.input, most)
    }

    #[inline]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>> {
        self.flow.plain::<O, T>(&mut self.input, facts)
    }

    #[inline]
    fn hold(&mut self) -> u64 {
        self.flow.hold()
    }

    #[inline]
    fn release(&mut self, before: u64) {
        self.flow.held = before;
    }

    #[inline]
    fn held(&self, from: u64) -> Option<&[u8]> {
        self.flow.held(from)
    }

    fn rewind(&mut self, to: u64) {
        self.flow.go_back(to);
    }

    fn save(&mut self) -> Saved<'de> {
        Saved::Stream(self.flow.saved())
    }

    fn restore(&mut self, saved: Saved<'de>) -> Result<()> {
        self.flow.back_to(&mut self.input, saved)
    }

    fn narrow(&mut self, n: u64) -> Result<Window> {
        self.flow.narrow(n)
    }

    fn widen(&mut self, window: Window) -> Result<()> {
        self.flow.widen(&mut self.input, window)
    }

    fn jump(&mut self, to: u64, whole: bool) -> Result<Jump> {
        self.flow.jump_to(&mut self.input, to, whole)
    }

    fn input_size(&self) -> u64 {
        self.flow.size()
    }

    fn end(&self) -> Result<u64> {
        self.flow.end_of_input()
    }

    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        self.flow.visits()
    }

    fn land(&mut self, jump: Jump) -> Result<()> {
        self.flow.jump_back(&mut self.input, jump)
    }
}

impl<'de, R: Read> Source<'de> for Stream<R> {
    #[inline(always)]
    fn erase(&mut self) -> Erased<'_, 'de> {
        Erased::Stream(&mut self.flow, &mut self.input)
    }
}
