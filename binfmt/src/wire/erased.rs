//! Any source as one type: what a file decides at run time reads through it, and so is compiled once and not once for each source.
//!
//! A slice and a stream answer by their own fields, as fast as they would by themselves but for one branch; the others are asked
//! through a table of functions.

#[cfg(feature = "alloc")]
use super::amount::{times, times64};
use super::budget::{Budget, Lent};
use super::cursor::{Cursor, Found, Saved};
use super::endian::Order;
use super::hooks::Hooks;
use super::label::{Kind, Label};
use super::limits::Window;
#[cfg(feature = "table")]
use super::options::Limits;
#[cfg(feature = "alloc")]
use super::raw::bulk;
use super::raw::facts::{Together, together_in};
use super::raw::{Facts, InputBytes, Jump, Slice, Visits};
#[cfg(feature = "alloc")]
use super::source::too_much;
use super::source::{Source, sealed::Sealed};
#[cfg(feature = "table")]
use super::stream::Stream;
#[cfg(feature = "std")]
use super::stream::{Input, flow::Flow};
#[cfg(feature = "std")]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Bytes that are taken at once where it is not known how many there are.
#[cfg(feature = "alloc")]
const BLOCK: usize = 32 << 10;

/// Any source. A function that takes one and has no type parameters is compiled in this crate, whatever calls it.
pub enum Erased<'a, 'de> {
    /// Bytes in memory.
    Slice(&'a mut Slice<'de>),
    /// What the stream has at hand, and its reader.
    #[cfg(feature = "std")]
    Stream(&'a mut Flow, &'a mut dyn Input),
    /// One that wants to know what is read, or has bytes of its own.
    Other(&'a mut dyn Cursor<'de>),
}

/// Asks the source: a slice and any other in one way, a stream with its reader.
macro_rules! ask {
    ($erased:expr, $src:ident => $asked:expr, ($flow:pat, $input:pat) => $of_stream:expr) => {
        match $erased {
            Erased::Slice($src) => $asked,
            #[cfg(feature = "std")]
            Erased::Stream($flow, $input) => $of_stream,
            Erased::Other($src) => $asked,
        }
    };
}

#[cfg(all(feature = "std", any(feature = "dump", feature = "table")))]
impl Erased<'_, '_> {
    /// Appends all bytes of a stream that follow: whether it ended within `most`. Of what is not a stream there are none.
    #[cfg(feature = "dump")]
    pub(crate) fn drain(&mut self, most: u64, out: &mut Vec<u8>) -> std::io::Result<bool> {
        match self {
            Erased::Stream(flow, input) => flow.drain(*input, most, out),
            _ => Ok(false),
        }
    }

    /// The next `n` bytes that a stream has at hand, as a source of their own with the budget of a new one, which gets memory that was used
    /// before for those after them. What is not a stream has none.
    #[cfg(feature = "table")]
    pub(crate) fn split_off(
        &mut self,
        n: usize,
        limits: Limits,
        room: impl FnOnce() -> Vec<u8>,
    ) -> Result<Option<Stream<std::io::Empty>>> {
        match self {
            Erased::Stream(flow, _) => flow.split_off(n, limits, room()).map(Some),
            _ => Ok(None),
        }
    }
}

impl Sealed for Erased<'_, '_> {}

impl Hooks for Erased<'_, '_> {
    #[inline(always)]
    fn is_traced(&self) -> bool {
        match self {
            Erased::Other(src) => src.is_traced(),
            _ => false,
        }
    }

    #[inline(always)]
    fn is_by_field(&self) -> bool {
        match self {
            Erased::Other(src) => src.is_by_field(),
            _ => false,
        }
    }

    fn begin_field(&mut self) -> Result<()> {
        match self {
            Erased::Other(src) => src.begin_field(),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn open(&mut self, label: Label<&str>, native: &str) {
        if let Erased::Other(src) = self {
            src.open(label, native);
        }
    }

    #[inline(always)]
    fn mark(&mut self, kind: Kind<&str>, little: bool) {
        if let Erased::Other(src) = self {
            src.mark(kind, little);
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        if let Erased::Other(src) = self {
            src.close();
        }
    }
}

impl<'de> Cursor<'de> for Erased<'_, 'de> {
    #[inline(always)]
    fn budget(&self) -> &Budget {
        ask!(self, src => Cursor::budget(&**src), (flow, _) => &flow.budget)
    }

    #[inline(always)]
    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        ask!(self, src => src.budget_mut(), (flow, _) => Lent(&mut flow.budget))
    }

    #[inline]
    fn blank(&mut self, n: usize) -> Result<()> {
        ask!(self, src => src.blank(n), (flow, input) => flow.blank(*input, n))
    }

    #[inline(always)]
    fn pos(&self) -> u64 {
        ask!(self, src => src.pos(), (flow, _) => flow.pos)
    }

    #[inline(always)]
    fn left(&self) -> Option<usize> {
        ask!(self, src => src.left(), (_, _) => None)
    }

    fn expected(&self) -> Option<usize> {
        ask!(self, src => src.expected(), (flow, _) => flow.expected())
    }

    #[inline]
    fn in_region(&self) -> bool {
        ask!(self, src => src.in_region(), (flow, _) => flow.in_region())
    }

    #[inline]
    fn at_end(&mut self) -> Result<bool> {
        ask!(self, src => src.at_end(), (flow, input) => flow.at_end(*input))
    }

    #[inline]
    fn chunk(&mut self) -> Result<usize> {
        ask!(self, src => src.chunk(), (flow, input) => flow.chunk(*input))
    }

    #[inline]
    fn find(&mut self, byte: u8) -> Result<usize> {
        ask!(self, src => src.find(byte), (flow, input) => flow.find(*input, byte))
    }

    #[inline]
    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
        ask!(self, src => src.search(wanted), (flow, input) => flow.search(*input, wanted))
    }

    #[inline(always)]
    fn look(&mut self, n: usize) -> Result<&[u8]> {
        ask!(self, src => src.look(n), (flow, input) => flow.look(*input, n))
    }

    #[inline(always)]
    fn ensure(&mut self, n: usize) -> Result<()> {
        ask!(self, src => src.ensure(n), (flow, input) => flow.ensure(*input, n))
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self {
            Erased::Slice(src) => src.array(),
            #[cfg(feature = "std")]
            Erased::Stream(flow, input) => flow.array(*input),
            Erased::Other(src) => array_of(*src),
        }
    }

    #[inline(always)]
    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        ask!(self, src => src.take(n), (flow, input) => flow.take(*input, n))
    }

    #[inline(always)]
    fn borrow(&mut self, n: usize) -> Result<InputBytes<'de>> {
        ask!(self, src => src.borrow(n), (flow, _) => Err(Error::new(ErrorKind::CannotBorrow, flow.pos)))
    }

    #[inline(always)]
    fn skip(&mut self, n: u64) -> Result<()> {
        ask!(self, src => src.skip(n), (flow, input) => flow.skip(*input, n))
    }

    #[inline(always)]
    fn pass(&mut self, n: usize) -> Result<()> {
        ask!(self, src => src.pass(n), (flow, input) => flow.skip(*input, n as u64))
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        ask!(self, src => src.append(n, out), (flow, input) => flow.append(*input, n, out))
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        match self {
            Erased::Slice(src) => src.bulk::<O, T>(facts, n, out),
            #[cfg(feature = "std")]
            Erased::Stream(flow, input) => flow.bulk::<O, T>(*input, facts, n, out),
            Erased::Other(src) => bulk_of::<O, T>(*src, facts, n, out),
        }
    }

    #[inline(always)]
    fn run(&mut self, n: usize, k: usize) -> Result<Option<(&'de [u8], Slice<'de>)>> {
        match self {
            Erased::Slice(src) => src.run(n, k),
            _ => Ok(None),
        }
    }

    #[inline]
    fn peek(&mut self, most: usize) -> Result<&[u8]> {
        ask!(self, src => src.peek(most), (flow, input) => flow.peek(*input, most))
    }

    #[inline(always)]
    fn together<O: Order, T: Together>(&mut self) -> Result<T> {
        let bytes = match self {
            Erased::Slice(src) => return src.together::<O, T>(),
            #[cfg(feature = "std")]
            Erased::Stream(flow, input) => flow.take(*input, T::SIZE)?,
            Erased::Other(src) => src.take(T::SIZE)?,
        };
        match together_in::<O, T>(bytes.bytes()) {
            Some(values) => Ok(values),
            None => Err(Error::short(T::SIZE, 0, self.pos(), false)),
        }
    }

    #[inline(always)]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>> {
        match self {
            Erased::Slice(src) => src.plain::<O, T>(facts),
            #[cfg(feature = "std")]
            Erased::Stream(flow, input) => flow.plain::<O, T>(*input, facts),
            // the others want to know of each part
            Erased::Other(_) => Ok(None),
        }
    }

    #[inline]
    fn hold(&mut self) -> u64 {
        ask!(self, src => src.hold(), (flow, _) => flow.hold())
    }

    #[inline]
    fn release(&mut self, before: u64) {
        ask!(self, src => src.release(before), (flow, _) => flow.held = before);
    }

    #[inline]
    fn held(&self, from: u64) -> Option<&[u8]> {
        ask!(self, src => src.held(from), (flow, _) => flow.held(from))
    }

    #[inline]
    fn rewind(&mut self, to: u64) {
        ask!(self, src => src.rewind(to), (flow, _) => flow.go_back(to));
    }

    fn save(&mut self) -> Saved<'de> {
        ask!(self, src => src.save(), (flow, _) => Saved::Stream(flow.saved()))
    }

    fn restore(&mut self, saved: Saved<'de>) -> Result<()> {
        ask!(self, src => src.restore(saved), (flow, input) => flow.back_to(*input, saved))
    }

    #[inline]
    fn narrow(&mut self, n: u64) -> Result<Window> {
        ask!(self, src => src.narrow(n), (flow, _) => flow.narrow(n))
    }

    #[inline]
    fn widen(&mut self, window: Window) -> Result<()> {
        ask!(self, src => src.widen(window), (flow, input) => flow.widen(*input, window))
    }

    fn jump(&mut self, to: u64, whole: bool) -> Result<Jump> {
        ask!(self, src => src.jump(to, whole), (flow, input) => flow.jump_to(*input, to, whole))
    }

    fn end(&self) -> Result<u64> {
        ask!(self, src => Cursor::end(&**src), (flow, _) => flow.end_of_input())
    }

    fn land(&mut self, jump: Jump) -> Result<()> {
        ask!(self, src => src.land(jump), (flow, input) => flow.jump_back(*input, jump))
    }

    fn lend(&self) -> Option<Slice<'de>> {
        ask!(self, src => src.lend(), (_, _) => None)
    }

    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        ask!(self, src => src.visits(), (flow, _) => flow.visits())
    }

    fn input_size(&self) -> u64 {
        ask!(self, src => src.input_size(), (flow, _) => flow.size())
    }

    #[inline]
    fn left_over(&self) -> Option<usize> {
        ask!(self, src => src.left_over(), (_, _) => None)
    }
}

impl<'de> Source<'de> for Erased<'_, 'de> {
    const HEARS: bool = true;

    #[inline(always)]
    fn erase(&mut self) -> Erased<'_, 'de> {
        match self {
            Erased::Slice(src) => Erased::Slice(src),
            #[cfg(feature = "std")]
            Erased::Stream(flow, input) => Erased::Stream(flow, *input),
            Erased::Other(src) => Erased::Other(*src),
        }
    }
}

#[inline(never)]
fn array_of<const N: usize>(src: &mut dyn Cursor<'_>) -> Result<[u8; N]> {
    let bytes = src.take(N)?.bytes().first_chunk().copied();
    bytes.ok_or_else(|| Error::short(N, 0, src.pos(), false))
}

/// Values that are moved at once, by one request where the input is in memory, else by a block at a time.
#[cfg(feature = "alloc")]
#[inline(never)]
fn bulk_of<O: Order, T>(src: &mut dyn Cursor<'_>, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
    let k = facts.sizes().min.max(1);
    let most = match src.left() {
        Some(_) => n,
        None => BLOCK.checked_div(k).unwrap_or(1).max(1),
    };
    let huge_pages = src.budget().policy.huge_pages;
    let mut left = n;
    while left > 0 {
        let step = left.min(most);
        let item = times64(left as u64, k as u64);
        left = left.wrapping_sub(step);
        let (at, wanted) = (src.pos(), times(step, size_of::<T>()));
        if !src.budget_mut().0.spend(wanted) {
            return Err(too_much(wanted, src.budget().memory(), at));
        }
        let bytes = src.take(times(step, k)).map_err(|e| e.of_item(item))?.bytes();
        bulk::extend::<O, T>(facts, bytes, huge_pages, out).map_err(|e| e.at(at))?;
    }
    Ok(())
}
