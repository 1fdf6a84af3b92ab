//! Which positions of an output have their bytes: ranges in order, of which no two touch.

use crate::error::Result;
use crate::wire::amount::plus;
use crate::wire::raw::bulk;
use crate::wire::raw::visits::Range;
use alloc::vec::Vec;

/// The ranges for which there is room at first.
const SOME: usize = 16;
/// As many as are moved for one that comes between them.
const MANY: usize = 1 << 12;

#[derive(Debug, Default)]
pub(in crate::wire::raw) struct Covered {
    list: Vec<Range>,
}

impl Covered {
    pub(in crate::wire::raw) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(in crate::wire::raw) fn clear(&mut self) {
        self.list.clear();
    }

    /// Whether one more between the others would move too many of them.
    pub(in crate::wire::raw) fn is_full(&self) -> bool {
        self.list.len() > MANY
    }

    /// The end of the last one.
    pub(in crate::wire::raw) fn end(&self) -> u64 {
        self.list.last().map_or(0, |last| last.1)
    }

    /// The number of those that begin at a position or before it.
    #[inline]
    fn after(&self, at: u64) -> usize {
        // mostly what is written goes to the end, and there are few
        let mut n = self.list.len();
        while let Some(range) = n.checked_sub(1).and_then(|last| self.list.get(last)) {
            if range.0 <= at {
                return n;
            }
            n = n.wrapping_sub(1);
            if self.list.len().wrapping_sub(n) > SOME {
                return self.search(at);
            }
        }
        0
    }

    #[cold]
    #[inline(never)]
    fn search(&self, at: u64) -> usize {
        self.list.partition_point(|range| range.0 <= at)
    }

    /// Up to where nothing is covered from a position on; the range that is there, if one is.
    #[inline]
    pub(in crate::wire::raw) fn free(&self, at: u64) -> Result<u64, Range> {
        let i = self.after(at);
        match i.checked_sub(1).and_then(|i| self.list.get(i)) {
            Some(before) if before.1 > at => Err(*before),
            _ => Ok(self.list.get(i).map_or(u64::MAX, |next| next.0)),
        }
    }

    /// The same, where what is before the position is covered up to it: where the next one begins.
    #[inline]
    pub(in crate::wire::raw) fn free_after(&self, at: u64) -> u64 {
        self.free(at).unwrap_or(at)
    }

    /// Whether all of a range is covered.
    #[inline]
    pub(in crate::wire::raw) fn has(&self, (from, to): Range) -> bool {
        let before = self.after(from).checked_sub(1).and_then(|i| self.list.get(i));
        before.is_some_and(|range| to <= range.1)
    }

    /// Adds a range.
    ///
    /// # Errors
    /// There is no memory for it.
    #[inline]
    pub(in crate::wire::raw) fn add(&mut self, (from, to): Range) -> Result<()> {
        if from >= to {
            return Ok(());
        }
        match self.list.last_mut() {
            Some(last) if last.0 <= from && from <= last.1 => last.1 = last.1.max(to),
            Some(last) if from < last.0 => return self.add_among((from, to)),
            _ => return self.insert(self.list.len(), (from, to)),
        }
        Ok(())
    }

    /// The same of one that begins before the last one.
    #[inline(never)]
    fn add_among(&mut self, (from, to): Range) -> Result<()> {
        let i = self.after(from);
        let Some((before, next)) = self.list.split_at_mut_checked(i) else { return Ok(()) };
        match before.last_mut() {
            Some(before) if before.1 >= from => {
                before.1 = before.1.max(to);
                if next.first().is_some_and(|next| next.0 <= to) {
                    self.join(i.wrapping_sub(1));
                }
                Ok(())
            }
            _ => self.insert(i, (from, to)),
        }
    }

    fn insert(&mut self, i: usize, range: Range) -> Result<()> {
        let more = if self.list.is_empty() { SOME } else { 1 };
        bulk::try_room(&mut self.list, more).map_err(|e| e.at(range.0))?;
        self.list.insert(i, range);
        if i.wrapping_add(1) < self.list.len() {
            self.join(i);
        }
        Ok(())
    }

    /// Makes one of a range and those after it that it has come to touch.
    #[cold]
    #[inline(never)]
    fn join(&mut self, i: usize) {
        let Some((range, after)) = self.list.get_mut(i..).and_then(<[Range]>::split_first_mut) else {
            return;
        };
        let touched = after.iter().take_while(|next| next.0 <= range.1).count();
        if let Some(last) = after.iter().take(touched).next_back() {
            range.1 = range.1.max(last.1);
            let first = plus(i, 1);
            self.list.drain(first..plus(first, touched));
        }
    }

    /// They themselves.
    pub(in crate::wire::raw) fn ranges(&self) -> &[Range] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::Covered;

    #[test]
    fn ranges_that_touch_are_one() {
        let mut covered = Covered::default();
        for range in [(10, 20), (30, 40), (0, 5), (50, 50), (60, 70), (20, 25)] {
            covered.add(range).unwrap();
        }
        assert_eq!(covered.list, [(0, 5), (10, 25), (30, 40), (60, 70)]);
        assert_eq!(
            [4, 5, 9, 10, 45, 70].map(|at| covered.free(at).ok()),
            [None, Some(10), Some(10), None, Some(60), Some(u64::MAX)]
        );
        assert!(covered.has((11, 25)) && !covered.has((11, 26)) && !covered.has((5, 6)));
        covered.add((24, 61)).unwrap();
        assert_eq!((&covered.list[..], covered.end()), (&[(0, 5), (10, 70)][..], 70));
    }

    #[test]
    fn many_ranges_are_found() {
        let mut covered = Covered::default();
        for i in (0..100).rev() {
            covered.add((i * 10, i * 10 + 5)).unwrap();
        }
        for at in 0..1000 {
            assert_eq!(covered.free(at).is_err(), at % 10 < 5, "{at}");
        }
        (0..100).for_each(|i| covered.add((i * 10 + 5, i * 10 + 10)).unwrap());
        assert_eq!(covered.list, [(0, 1000)]);
    }
}
