//! Numbers of any type as doubles, some at a time.

use binfmt::numbers::{Element, Loop, in_wide_vectors};

/// Numbers that are looked at together.
pub(super) const BLOCK: usize = 1024;

/// Numbers as doubles.
pub(super) fn doubles<'a, T: Element>(block: &[T], room: &'a mut [f64; BLOCK]) -> &'a [f64] {
    in_wide_vectors(Convert { block, doubles: &mut *room });
    room.get(..block.len()).unwrap_or_default()
}

struct Convert<'a, 'b, T> {
    block: &'a [T],
    doubles: &'b mut [f64],
}

impl<T: Element> Loop for Convert<'_, '_, T> {
    type Found = ();

    #[inline(always)]
    fn run(self) {
        self.doubles.iter_mut().zip(self.block).for_each(|(double, value)| *double = value.to_f64());
    }
}
