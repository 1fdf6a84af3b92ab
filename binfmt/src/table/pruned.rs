//! Which pieces of a file are left.

use crate::wire::amount::after;
use std::fmt;
use std::ops::Range;

/// Pieces of a file that are read or left out as a whole, and which of them may have wanted rows.
///
/// ```
/// use binfmt::table::Pruned;
/// let pages = Pruned::new("pages", [0, 1, 2, 5], 6);
/// assert_eq!(pages.left, [0..3, 5..6]);
/// assert_eq!((pages.num_left(), pages.to_string().as_str()), (4, "0-2, 5"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// What they are: `pages`, `tiles`, `chunks`.
    pub pieces: &'static str,
    /// The numbers of those that are left, in order.
    pub left: Vec<Range<u64>>,
    /// How many there are in all.
    pub all: u64,
}

impl Pruned {
    /// Pieces of which those with these numbers are left; the numbers rise.
    ///
    /// ```
    /// assert!(binfmt::table::Pruned::new("tiles", [], 3).left.is_empty());
    /// ```
    pub fn new(pieces: &'static str, numbers: impl IntoIterator<Item = u64>, all: u64) -> Self {
        let mut left: Vec<Range<u64>> = Vec::new();
        for number in numbers {
            let next = after(number, 1);
            match left.last_mut() {
                Some(run) if run.end == number => run.end = next,
                _ => left.push(number..next),
            }
        }
        Pruned { pieces, left, all }
    }

    /// How many are left.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Pruned::new("pages", [3, 4], 9).num_left(), 2);
    /// ```
    pub fn num_left(&self) -> u64 {
        self.left.iter().map(|run| run.end.saturating_sub(run.start)).fold(0, u64::saturating_add)
    }
}

/// The numbers of those that are left: of long lists the first ones.
impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (i, run) in self.left.iter().take(SHOWN).enumerate() {
            let last = run.end.saturating_sub(1);
            let separator = if i == 0 { "" } else { ", " };
            match run.start == last {
                true => write!(f, "{separator}{last}")?,
                false => write!(f, "{separator}{}-{last}", run.start)?,
            }
        }
        if self.left.len() > SHOWN { f.write_str(", ..") } else { Ok(()) }
    }
}
