//! Names of fragments: `__T1_T2_UUID`.

use core::fmt;

/// The name of a fragment's folder: `__`, when its first and its last cell were written (milliseconds since 1970), and
/// 32 hexadecimal digits that make it unique.
///
/// ```
/// use binfmt::formats::tiledb::FragmentName;
/// let name = FragmentName::parse("__3_8_4754521a611adca75a5fa7795027903a").unwrap();
/// assert_eq!(name.timestamps(), (3, 8));
/// assert!(FragmentName::parse("__lock.tdb").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FragmentName {
    first: u64,
    // the whole name comes next in the order of fragments
    text: String,
    last: u64,
}

impl FragmentName {
    /// The name of a folder, if it is that of a fragment. As in libtiledb 1.6.3 what follows the timestamps may be
    /// anything.
    ///
    /// ```
    /// use binfmt::formats::tiledb::FragmentName;
    /// assert!(FragmentName::parse("__1_1_x").is_some());
    /// assert!(FragmentName::parse("__1_x").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<FragmentName> {
        let (first, rest) = text.strip_prefix("__")?.split_once('_')?;
        let last = rest.split('_').next()?;
        Some(FragmentName { first: first.parse().ok()?, last: last.parse().ok()?, text: text.into() })
    }

    /// The name of a fragment that was written at one time; `None` for a time that libtiledb cannot hold.
    pub(crate) fn new(at: u64, uuid: u128) -> Option<FragmentName> {
        FragmentName::spanning(at, at, uuid)
    }

    /// The same of one whose cells were written at several times.
    pub(crate) fn spanning(first: u64, last: u64, uuid: u128) -> Option<FragmentName> {
        let text = format!("__{first}_{last}_{uuid:032x}");
        i64::try_from(last).ok().map(|_| FragmentName { first, text, last })
    }

    /// When the first and the last of its cells were written, in milliseconds since 1970.
    ///
    /// ```
    /// use binfmt::formats::tiledb::FragmentName;
    /// assert_eq!(FragmentName::parse("__5_5_x").unwrap().timestamps(), (5, 5));
    /// ```
    pub fn timestamps(&self) -> (u64, u64) {
        (self.first, self.last)
    }

    /// The name of the folder.
    ///
    /// ```
    /// use binfmt::formats::tiledb::FragmentName;
    /// assert_eq!(FragmentName::parse("__5_5_x").unwrap().as_str(), "__5_5_x");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this fragment stands for `other`, whose times lie within its own: it is taken for one that was consolidated
    /// into this one, and no reader sees it.
    ///
    /// ```
    /// use binfmt::formats::tiledb::FragmentName;
    /// let [whole, part, later] = ["__3_8_a", "__7_7_b", "__9_9_c"].map(|name| FragmentName::parse(name).unwrap());
    /// assert!(whole.hides(&part) && !whole.hides(&later) && !whole.hides(&whole));
    /// ```
    pub fn hides(&self, other: &FragmentName) -> bool {
        let inside = self.first <= other.first && other.last <= self.last;
        inside && self.timestamps() != other.timestamps()
    }
}

impl fmt::Display for FragmentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The fragments that count at time `at`, the oldest first: those that began by then, without those that were
/// consolidated into another.
pub(crate) fn visible(mut names: Vec<FragmentName>, at: u64) -> Vec<FragmentName> {
    names.retain(|name| name.first <= at);
    names.sort();
    let covered = |name: &FragmentName| names.iter().any(|other| other.hides(name));
    names.iter().filter(|name| !covered(name)).cloned().collect()
}
