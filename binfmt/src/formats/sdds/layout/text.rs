//! Text of unspecified encoding.

use crate::BinFormat;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Text of a header or a value of type string: bytes, mostly ASCII or UTF-8. In a page it has its length in front.
///
/// ```
/// use binfmt::formats::sdds::Text;
/// let t = Text::from("µm");
/// assert_eq!((t.as_str(), t.to_string()), (Some("µm"), "µm".to_string()));
/// assert_eq!(binfmt::to_vec(&t)?, b"\x03\0\0\0\xc2\xb5m");
/// let e = binfmt::from_slice::<Text>(&[255; 4]).unwrap_err();
/// assert_eq!(e.to_string(), "at byte 0x0: -1 is not a valid length");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[binfmt(transparent)]
pub struct Text {
    #[binfmt(length_prefixed(i32))]
    bytes: Vec<u8>,
}

impl Text {
    /// Text of these bytes.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::new(*b"a\xff").as_str(), None);
    /// ```
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Text { bytes: bytes.into() }
    }

    /// The bytes.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::from("ab").as_bytes(), b"ab");
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, taken out.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::from("ab").into_bytes(), b"ab");
    /// ```
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The text, if it is UTF-8.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::from("ab").as_str(), Some("ab"));
    /// ```
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(&self.bytes).ok()
    }

    /// The text, with a replacement for what is not UTF-8.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::new(*b"a\xff").lossy(), "a\u{fffd}");
    /// ```
    pub fn lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The bytes up to the first NUL: what programs in C see.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Text::new(*b"a\0b").until_nul(), b"a");
    /// ```
    pub fn until_nul(&self) -> &[u8] {
        let end = self.bytes.iter().position(|b| *b == 0).unwrap_or(self.bytes.len());
        &self.bytes[..end]
    }

    /// Whether there is nothing but blanks.
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(|b| is_space(*b))
    }
}

/// The characters of C's `isspace`.
pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::new(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text::new(text)
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Text::new(bytes)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => write!(f, "b\"{}\"", self.bytes.escape_ascii()),
        }
    }
}
