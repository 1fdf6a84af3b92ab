//! How many different values there are.

use super::hashes::{Seen, of_integer};
use binfmt::numbers::{Element, Loop, in_wide_vectors};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many hashes are kept: up to here the count is exact.
const ROOM: usize = 1 << 14;

/// Lines of the first table. It grows to twice the room.
const LINES: usize = 1 << 6;

/// Hashes whose last bits are the same, which are looked at together.
type Line = [u64; 4];

/// A place without a hash: those that are kept are odd. It is not zero, so that a new table is written to at once: pages of zeros that are
/// looked at first and written to later fault twice, and the second fault interrupts all other threads.
const FREE: u64 = 2;

/// The greatest hashes that the parts of a column keep. What an earlier part has found to be too many are too many for all parts up to
/// a later one; never the other way around: of damaged files the later parts are left out.
#[derive(Clone, Debug)]
pub(crate) struct Limits(Arc<[AtomicU64]>);

impl Limits {
    pub(crate) fn of_parts(parts: usize) -> Self {
        Limits((0..parts).map(|_| AtomicU64::new(u64::MAX)).collect())
    }

    /// The limit of a part.
    fn of(&self, part: usize) -> u64 {
        self.0.get(part).map_or(u64::MAX, |limit| limit.load(Ordering::Relaxed))
    }

    /// Lowers the limit of a part and of all after it.
    fn lower(&self, part: usize, most: u64) {
        self.0.iter().skip(part).for_each(|limit| _ = limit.fetch_min(most, Ordering::Relaxed));
    }
}

/// Counts different values: exactly while they are few, then by a sample of them. Kept are the hashes below a limit, which is halved
/// whenever they are too many (adaptive sampling, Wegman 1984); the count is wrong by some one in a hundred.
#[derive(Debug)]
pub(super) struct Distinct {
    /// Each hash in the line that its last bits say, or in the next one that is not full. A power of two, at least half of the places free.
    lines: Vec<Line>,
    /// How many hashes are kept.
    count: usize,
    /// The greatest hash that is kept.
    most: u64,
    limits: Limits,
    /// Which part of the column this is.
    part: usize,
    seen: Seen,
}

impl Distinct {
    pub(super) fn of_part(part: usize, limits: Limits) -> Self {
        Distinct {
            lines: vec![[FREE; 4]; LINES],
            count: 0,
            most: limits.of(part),
            limits,
            part,
            seen: Seen::default(),
        }
    }

    /// Adds values by their hashes.
    #[inline]
    pub(super) fn add(&mut self, hashes: impl Iterator<Item = u64>) {
        let limit = self.limits.of(self.part);
        if limit < self.most {
            self.most = limit;
            self.rebuild(self.lines.len());
        }
        in_wide_vectors(Add { distinct: self, hashes });
    }

    /// Adds integers, or bools.
    pub(super) fn add_integers<T: Element>(&mut self, values: &[T]) {
        let mut seen = std::mem::take(&mut self.seen);
        self.add(seen.new_of(values).map(of_integer));
        self.seen = seen;
    }

    /// The first line of a hash.
    #[inline(always)]
    fn line(&self, hash: u64) -> usize {
        (hash >> 1) as usize & (self.lines.len() - 1)
    }

    #[inline(never)]
    fn keep(&mut self, hash: u64) {
        self.put(hash);
        while self.count > ROOM {
            self.most >>= 1;
            self.limits.lower(self.part, self.most);
            self.rebuild(self.lines.len());
        }
        if self.count * 2 > self.lines.len() * 4 {
            self.rebuild(self.lines.len() * 2);
        }
    }

    /// Puts a hash at the first free place, if it is not there.
    fn put(&mut self, hash: u64) {
        let mut at = self.line(hash);
        while let Some(line) = self.lines.get_mut(at) {
            if let Some(place) = line.iter_mut().find(|place| **place == hash || **place == FREE) {
                self.count += usize::from(*place == FREE);
                *place = hash;
                return;
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }

    /// The hashes up to the limit in a table of that many lines.
    fn rebuild(&mut self, lines: usize) {
        let mut kept = std::mem::replace(&mut self.lines, vec![[FREE; 4]; lines]);
        let kept = kept.as_flattened_mut();
        // whether one is kept is by chance, so nothing is branched on it
        let mut count = 0;
        for i in 0..kept.len() {
            let hash = kept[i];
            kept[count] = hash;
            count += usize::from((hash != FREE) & (hash <= self.most));
        }
        self.count = 0;
        kept.iter().take(count).for_each(|hash| self.put(*hash));
    }

    /// Adds what a later part has seen.
    pub(super) fn merge(&mut self, other: Distinct) {
        self.limits.lower(self.part, other.most);
        self.add(other.lines.into_iter().flatten().filter(|hash| *hash != FREE));
    }

    /// How many there are, and whether that is exact.
    pub(super) fn count(&self) -> (u64, bool) {
        // how often the limit was halved
        let halved = self.most.leading_zeros();
        ((self.count as u64) << halved.min(48), halved == 0)
    }
}

struct Add<'a, H> {
    distinct: &'a mut Distinct,
    hashes: H,
}

impl<H: Iterator<Item = u64>> Loop for Add<'_, H> {
    type Found = ();

    #[inline(always)]
    fn run(self) {
        let Add { distinct, hashes } = self;
        let mut most = distinct.most;
        for hash in hashes {
            if hash > most {
                continue;
            }
            let hash = hash | 1;
            // most have been seen before
            let is_known =
                |line: &Line| line.map(|place| place == hash).into_iter().fold(false, |a, b| a | b);
            if !distinct.lines.get(distinct.line(hash)).is_some_and(is_known) {
                distinct.keep(hash);
                most = distinct.most;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hashes::{of_bits, of_bytes};
    use super::*;

    fn part(part: usize, limits: &Limits) -> Distinct {
        Distinct::of_part(part, limits.clone())
    }

    #[test]
    fn few_are_exact_and_many_are_near() {
        let mut distinct = part(0, &Limits::of_parts(1));
        distinct.add((0..100_000u64).map(|n| of_bits(n % 1000)));
        assert_eq!(distinct.count(), (1000, true));
        for count in [20_000u64, 300_000, 3_000_000] {
            // integers, and floats with many zeros at their ends
            for bits in [|n: u64| n, |n: u64| (n as f64 * 0.125).to_bits(), |n: u64| n << 40] {
                let limits = Limits::of_parts(2);
                let (mut distinct, mut half) = (part(0, &limits), part(1, &limits));
                distinct.add((0..count / 2).map(|n| of_bits(bits(n))));
                half.add((count / 3..count).map(|n| of_bits(bits(n))));
                distinct.merge(half);
                let (found, is_exact) = distinct.count();
                assert!(!is_exact && found.abs_diff(count) * 25 < count, "{count}: {found}");
            }
        }
        let mut texts = part(0, &Limits::of_parts(1));
        texts.add((0..30_000).map(|n| of_bytes(format!("{}", n % 25_000).as_bytes())));
        assert!(texts.count().0.abs_diff(25_000) < 1000, "{:?}", texts.count());
    }

    #[test]
    fn parts_share_limits_and_the_count_stays_the_same() {
        let hashes = |values: std::ops::Range<u64>| values.map(of_bits);
        let mut whole = part(0, &Limits::of_parts(1));
        whole.add(hashes(0..1_000_000));
        for is_first_done in [true, false] {
            let limits = Limits::of_parts(3);
            let (mut first, mut second) = (part(0, &limits), part(1, &limits));
            if is_first_done {
                first.add(hashes(0..400_000));
                second.add(hashes(300_000..1_000_000));
                // it never kept what the first one had left behind
                assert_eq!(part(2, &limits).most, second.most);
            } else {
                second.add(hashes(300_000..1_000_000));
                // nothing that comes later is known to the first one
                assert_eq!(limits.of(0), u64::MAX);
                first.add(hashes(0..400_000));
            }
            first.merge(second);
            first.merge(part(2, &limits));
            assert_eq!((first.count(), first.most), (whole.count(), whole.most));
        }
    }

    #[test]
    fn small_integers_are_hashed_once_and_large_ones_too() {
        fn count<T: Element>(values: &[T]) -> (u64, bool) {
            let mut distinct = part(0, &Limits::of_parts(1));
            values.chunks(1000).for_each(|some| distinct.add_integers(some));
            distinct.count()
        }
        let near = [-65_537, -65_536, -1, 0, 1, 65_535, 65_536];
        assert_eq!(count(&near.map(i64::from).repeat(3)), (7, true));
        assert_eq!(count(&near.map(i128::from).repeat(3)), (7, true));
        // the same last bits
        assert_eq!(count(&[1, 1 << 64, (1 << 64) + 1, u128::MAX, u64::MAX.into(), 1]), (5, true));
        assert_eq!(count(&[1, u64::MAX, 1, 1 << 63]), (3, true));
        assert_eq!(count(&[i8::MIN, i8::MAX, 0, 0]), (3, true));
        assert_eq!(count(&[true, false, true]), (2, true));
        // more than are counted exactly
        let many: Vec<i32> = (0..200_000).map(|n| n % 50_000).collect();
        let mut all = part(0, &Limits::of_parts(1));
        all.add(many.iter().map(|n| of_integer(*n)));
        assert_eq!(count(&many), all.count());
    }

    #[test]
    fn a_part_of_few_values_and_one_of_many() {
        let mut whole = part(0, &Limits::of_parts(1));
        whole.add((0..100_000).map(of_bits));
        let limits = Limits::of_parts(2);
        let (mut few, mut many) = (part(0, &limits), part(1, &limits));
        few.add((0..10).map(of_bits));
        many.add((5..100_000).map(of_bits));
        few.merge(many);
        assert_eq!((few.count(), few.most), (whole.count(), whole.most));
    }
}
