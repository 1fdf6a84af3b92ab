//! The kinds of errors that many places make, in one call.

use super::ErrorKind;
use super::owned::{Static, printed};
use core::fmt::Display;

impl ErrorKind {
    /// Whether memory ended the work, of a limit or of the system: the bytes may be sound.
    ///
    /// ```
    /// use binfmt::{Options, from_slice_with};
    /// let least = Options::new().max_memory(4);
    /// assert!(from_slice_with::<Box<u64>, _>(&[0; 8], &least).unwrap_err().kind().is_of_memory());
    /// assert!(!from_slice_with::<u64, _>(&[0; 7], &least).unwrap_err().kind().is_of_memory());
    /// ```
    #[must_use]
    pub fn is_of_memory(&self) -> bool {
        match self {
            #[cfg(feature = "std")]
            ErrorKind::Io(e) => e.kind() == std::io::ErrorKind::OutOfMemory,
            e => matches!(e, ErrorKind::MemoryLimit { .. } | ErrorKind::OutOfMemory { .. }),
        }
    }

    /// Something that is not what belongs there. What it is about may be empty, where the path says it.
    ///
    /// ```
    /// use binfmt::ErrorKind;
    /// assert_eq!(ErrorKind::mismatch("column `x`", "i64", "u8").to_string(), "column `x`: expected i64, found u8");
    /// assert_eq!(ErrorKind::mismatch("", "`]`", "`2`").to_string(), "expected `]`, found `2`");
    /// ```
    #[cold]
    pub fn mismatch(of: impl Into<Static>, expected: impl Into<Static>, found: impl Into<Static>) -> Self {
        ErrorKind::Mismatch { of: of.into(), expected: expected.into(), found: found.into() }
    }

    /// Another number of things than there must be.
    ///
    /// ```
    /// assert_eq!(binfmt::ErrorKind::count("tiles", 3, 2).to_string(), "expected 3 tiles, found 2");
    /// ```
    #[cold]
    pub fn count(of: &'static str, expected: usize, found: usize) -> Self {
        ErrorKind::CountMismatch { of, expected: expected as u64, found: found as u64 }
    }

    /// A value that cannot be what it stands for. The reason may be empty.
    ///
    /// ```
    /// use binfmt::ErrorKind;
    /// assert_eq!(ErrorKind::invalid("tile extent", 0, "").to_string(), "invalid tile extent 0");
    /// assert_eq!(ErrorKind::invalid("window", 3, "smaller than a value").to_string(), "invalid window 3: smaller than a value");
    /// ```
    #[cold]
    pub fn invalid(of: &'static str, found: impl Display, reason: impl Into<Static>) -> Self {
        ErrorKind::Invalid { of, found: printed(format_args!("{found}")), reason: reason.into() }
    }

    /// What a format, filter or function cannot do.
    ///
    /// ```
    /// let kind = binfmt::ErrorKind::unsupported("gzip", "levels above 9");
    /// assert_eq!(kind.to_string(), "gzip does not support levels above 9");
    /// ```
    #[cold]
    pub fn unsupported(by: &'static str, feature: impl Into<Static>) -> Self {
        ErrorKind::Unsupported { by, feature: feature.into() }
    }

    /// More bytes than the caller allowed.
    ///
    /// ```
    /// use binfmt::ErrorKind;
    /// assert_eq!(ErrorKind::size_limit("tile", Some(9), 8).to_string(), "tile of 9 bytes exceeds the limit of 8");
    /// assert_eq!(ErrorKind::size_limit("line", None, 80).to_string(), "line exceeds the limit of 80 bytes");
    /// ```
    #[cold]
    pub fn size_limit(of: impl Into<Static>, size: Option<u64>, max: u64) -> Self {
        ErrorKind::SizeLimit { of: of.into(), size, max }
    }
}
