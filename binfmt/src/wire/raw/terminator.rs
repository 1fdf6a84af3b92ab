//! Bytes that end a text, as data: what they are, and what becomes of them.
#![allow(clippy::arithmetic_side_effects, reason = "a terminator has at most 8 bytes")]

#[cfg(feature = "serde")]
use alloc::vec::Vec;
use core::fmt;

/// The most bytes that a terminator has.
const MOST: usize = 8;

/// What becomes of the bytes that end a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Fate {
    /// They are read and are not part of the value.
    #[default]
    Dropped,
    /// They are part of the value.
    Kept,
    /// They stay in the input: what follows begins with them.
    Unread,
}

/// What `ends` says: 1 to 8 bytes that end a text, what becomes of them, and whether the end of the input or region ends it, too.
///
/// ```
/// use binfmt::wire::{Fate, Terminator};
/// let line = Terminator::new(b"\r\n").unwrap().with_fate(Fate::Kept).or_eof();
/// assert_eq!(line.to_string(), "ends(b\"\\r\\n\", keep, or_eof)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Plain", into = "Plain")
)]
pub struct Terminator {
    /// Those beyond `len` are 0.
    bytes: [u8; MOST],
    len: u8,
    fate: Fate,
    or_eof: bool,
}

impl Terminator {
    /// A terminator that is not part of the value; `None` if there are not 1 to 8 bytes.
    ///
    /// ```
    /// use binfmt::wire::Terminator;
    /// assert_eq!(Terminator::new(b"|").unwrap().bytes(), b"|");
    /// assert!(Terminator::new(b"").is_none() && Terminator::new(b"123456789").is_none());
    /// ```
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut all = [0; MOST];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let len = u8::try_from(bytes.len()).ok().filter(|len| *len > 0)?;
        Some(Terminator { bytes: all, len, fate: Fate::Dropped, or_eof: false })
    }

    /// The same bytes with another fate.
    ///
    /// ```
    /// use binfmt::wire::{Fate, Terminator};
    /// assert_eq!(Terminator::new(b"|").unwrap().with_fate(Fate::Unread).fate(), Fate::Unread);
    /// ```
    #[must_use]
    pub fn with_fate(mut self, fate: Fate) -> Self {
        self.fate = fate;
        self
    }

    /// The same, and the end of the input or region ends the text, too.
    ///
    /// ```
    /// use binfmt::wire::Terminator;
    /// assert!(Terminator::new(b"|").unwrap().or_eof().is_or_eof());
    /// ```
    #[must_use]
    pub fn or_eof(mut self) -> Self {
        self.or_eof = true;
        self
    }

    /// The bytes.
    ///
    /// ```
    /// use binfmt::wire::Terminator;
    /// assert_eq!(Terminator::new(b"\r\n").unwrap().bytes(), b"\r\n");
    /// ```
    pub const fn bytes(&self) -> &[u8] {
        match self.bytes.split_at_checked(self.len as usize) {
            Some((bytes, _)) => bytes,
            None => &self.bytes,
        }
    }

    /// What becomes of them.
    ///
    /// ```
    /// use binfmt::wire::{Fate, Terminator};
    /// assert_eq!(Terminator::new(b"|").unwrap().fate(), Fate::Dropped);
    /// ```
    pub const fn fate(&self) -> Fate {
        self.fate
    }

    /// Whether the end of the input or region ends the text, too.
    ///
    /// ```
    /// use binfmt::wire::Terminator;
    /// assert!(!Terminator::new(b"|").unwrap().is_or_eof());
    /// ```
    pub const fn is_or_eof(&self) -> bool {
        self.or_eof
    }

    /// The least number of bytes that a text with it takes.
    pub(crate) const fn least(self) -> usize {
        if self.or_eof || matches!(self.fate, Fate::Unread) { 0 } else { self.len as usize }
    }

    /// It as a number that a type can have as its argument.
    pub(crate) const fn pack(bytes: &[u8], fate: u8, or_eof: bool) -> u128 {
        assert!(!bytes.is_empty() && bytes.len() <= MOST, "a terminator has 1 to 8 bytes");
        let (mut packed, mut i) = (0, 0);
        while i < bytes.len() {
            packed |= (bytes[i] as u128) << (8 * i);
            i += 1;
        }
        packed | (bytes.len() as u128) << 64 | (fate as u128) << 72 | (or_eof as u128) << 80
    }

    /// What `pack` made.
    #[inline(always)]
    pub(crate) const fn unpack(packed: u128) -> Self {
        Terminator {
            bytes: (packed as u64).to_le_bytes(),
            len: (packed >> 64) as u8,
            fate: match (packed >> 72) as u8 {
                0 => Fate::Dropped,
                1 => Fate::Kept,
                _ => Fate::Unread,
            },
            or_eof: (packed >> 80) as u8 == 1,
        }
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes() {
            [byte] => write!(f, "ends(b'{}'", byte.escape_ascii())?,
            bytes => write!(f, "ends(b\"{}\"", bytes.escape_ascii())?,
        }
        f.write_str(match self.fate {
            Fate::Dropped => "",
            Fate::Kept => ", keep",
            Fate::Unread => ", unread",
        })?;
        f.write_str(if self.or_eof { ", or_eof)" } else { ")" })
    }
}

/// A terminator as a file says it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Terminator", deny_unknown_fields)]
struct Plain {
    bytes: Vec<u8>,
    #[serde(default)]
    fate: Fate,
    #[serde(default)]
    or_eof: bool,
}

#[cfg(feature = "serde")]
impl From<Terminator> for Plain {
    fn from(end: Terminator) -> Self {
        Plain { bytes: end.bytes().to_vec(), fate: end.fate, or_eof: end.or_eof }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Plain> for Terminator {
    type Error = &'static str;

    fn try_from(plain: Plain) -> core::result::Result<Self, Self::Error> {
        let end = Terminator::new(&plain.bytes).ok_or("a terminator has 1 to 8 bytes")?;
        Ok(Terminator { fate: plain.fate, or_eof: plain.or_eof, ..end })
    }
}
