//! Which parts of an input were read elsewhere: for a value that keeps all the others.

use core::mem::ManuallyDrop;
#[cfg(feature = "alloc")]
use list::List;
#[cfg(feature = "alloc")]
pub(crate) use list::{Noted, Range};

#[cfg(feature = "alloc")]
mod list;

/// Without a heap there is no list.
#[cfg(not(feature = "alloc"))]
type List = core::convert::Infallible;

/// The parts of an input that were read by jumps, while something wants to know them.
///
/// A source has one of these and nothing to do at its end: who begins a list takes it away again.
#[derive(Debug, Default)]
pub struct Visits {
    list: ManuallyDrop<Option<List>>,
}

impl Clone for Visits {
    /// A source that is cloned keeps no list.
    #[inline(always)]
    fn clone(&self) -> Self {
        Visits::NONE
    }
}

/// What was in a list at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    #[cfg(feature = "alloc")]
    given: Ranges,
    #[cfg(feature = "alloc")]
    from_end: Ranges,
    #[cfg(feature = "alloc")]
    is_from_end: bool,
}

/// How many ranges there were, and the last of them.
#[cfg(feature = "alloc")]
type Ranges = (usize, Option<Range>);

#[cfg(not(feature = "alloc"))]
impl Visits {
    pub(crate) fn mark(&self) -> Mark {
        Mark::default()
    }

    pub(crate) fn back_to(&mut self, _: Mark) {}
}

impl Visits {
    /// Nobody wants to know.
    pub(crate) const NONE: Visits = Visits { list: ManuallyDrop::new(None) };
}
