//! What reading one value may cost, and what the reader lets pass.

use super::amount::{after, times64};
use super::options::{Limits, Policy};

/// As often may the bytes of an input be read by jumps, and a few more of a small one.
const TIMES: u64 = 16;
const LEAST: u64 = 1 << 16;

/// Something of a source that is lent to this crate alone: who implements `Decode` can neither take it nor put another in its place.
#[derive(Debug)]
pub struct Lent<'s, T>(pub(crate) &'s mut T);

/// Levels and memory that are left to one value, and the policy of the reader.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    depth: u32,
    /// The limit that `depth` counts down from, for the message.
    max_depth: u32,
    memory: usize,
    /// Elements so far that took no bytes.
    empty: u32,
    /// Variants that were tried in vain.
    tries: u32,
    /// Jumps that are left.
    jumps: u32,
    /// Bytes that may be read by jumps; `u64::MAX` until the first, if the input says how many.
    jump_bytes: u64,
    /// Bytes that were read and left unread again.
    peeked: u64,
    pub(super) policy: Policy,
}

impl Budget {
    #[inline(always)]
    pub(crate) fn new(limits: Limits, policy: Policy) -> Self {
        Budget {
            depth: limits.depth,
            max_depth: limits.depth,
            memory: limits.memory,
            empty: 0,
            tries: 0,
            jumps: limits.jumps,
            jump_bytes: limits.jump_bytes,
            peeked: 0,
            policy,
        }
    }

    /// Each value of a file of many begins with all of its limits.
    #[inline(always)]
    pub(crate) fn renew(&mut self, limits: Limits) {
        *self = Budget::new(limits, self.policy);
    }

    #[inline(always)]
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    #[inline(always)]
    pub(super) fn max_depth(&self) -> u32 {
        self.max_depth
    }

    /// One level deeper, if there is one.
    #[inline(always)]
    pub(super) fn descend(&mut self) -> bool {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    pub(super) fn ascend(&mut self) {
        self.depth = self.depth.wrapping_add(1);
    }

    #[inline(always)]
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        match self.memory.checked_sub(bytes) {
            Some(memory) => {
                self.memory = memory;
                true
            }
            None => false,
        }
    }

    /// Memory that was spent and is free again.
    #[cfg(feature = "dump")]
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.memory = super::amount::plus(self.memory, bytes);
    }

    /// One element more that takes no bytes: how many there are.
    #[inline]
    pub(crate) fn add_empty(&mut self) -> u32 {
        self.empty = self.empty.saturating_add(1);
        self.empty
    }

    /// One jump more, if there is one, in an input of a size.
    pub(crate) fn jump(&mut self, size: u64) -> bool {
        if self.jump_bytes == u64::MAX {
            self.jump_bytes = after(times64(size, TIMES), LEAST);
        }
        let Some(left) = self.jumps.checked_sub(1) else { return false };
        self.jumps = left;
        true
    }

    /// Bytes that were read by a jump, if that many may be: how many may be if not.
    pub(crate) fn jumped(&mut self, bytes: u64) -> Option<u64> {
        match self.jump_bytes.checked_sub(bytes) {
            Some(left) => {
                self.jump_bytes = left;
                None
            }
            None => Some(self.jump_bytes),
        }
    }

    /// Bytes that are read once more, if that many may be at a position: how many may be if not.
    pub(crate) fn peeked(&mut self, bytes: u64, at: u64) -> Option<u64> {
        let most = after(times64(at, TIMES), LEAST);
        let left = most.saturating_sub(self.peeked);
        self.peeked = after(self.peeked, bytes);
        (bytes > left).then_some(left)
    }

    /// How many variants were tried in vain so far.
    #[inline(always)]
    pub(crate) fn tries(&self) -> u32 {
        self.tries
    }

    /// One variant more that was tried in vain, with that many bytes at a position; `before` were there when it was begun. Whether
    /// that much may be.
    ///
    /// A few bytes are free, unless others were tried inside: then each level of a value would double the work.
    pub(crate) fn tried(&mut self, bytes: u64, before: u32, at: u64) -> bool {
        const FREE: u64 = 64;
        let cost = if self.tries == before { bytes.saturating_sub(FREE) } else { after(bytes, 1) };
        self.tries = self.tries.wrapping_add(1);
        self.peeked(cost, at).is_none()
    }

    /// Levels and memory are again those of an earlier time; what was done since then is done.
    pub(crate) fn go_on_from(&mut self, before: Budget) {
        (self.depth, self.max_depth, self.memory) = (before.depth, before.max_depth, before.memory);
    }

    #[inline]
    pub(super) fn limit_depth(&mut self, levels: u32) -> u32 {
        let less = self.depth.saturating_sub(levels);
        if less > 0 {
            self.depth = levels;
            self.max_depth = levels;
        }
        less
    }

    #[inline]
    pub(super) fn restore_depth(&mut self, less: u32) {
        self.depth = self.depth.saturating_add(less);
    }
}
