//! What reading one value may cost, and what the reader lets pass.

use super::options::{Limits, Policy};

/// Levels and memory that are left to one value, and the policy of the reader.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    depth: u32,
    /// The limit that `depth` counts down from, for the message.
    max_depth: u32,
    memory: usize,
    /// Elements so far that took no bytes.
    empty: u32,
    pub(super) policy: Policy,
}

impl Budget {
    #[inline(always)]
    pub(crate) fn new(limits: Limits, policy: Policy) -> Self {
        Budget { depth: limits.depth, max_depth: limits.depth, memory: limits.memory, empty: 0, policy }
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

    /// One element more that takes no bytes: how many there are.
    #[inline]
    pub(crate) fn add_empty(&mut self) -> u32 {
        self.empty = self.empty.saturating_add(1);
        self.empty
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
