//! Names of formats and fields.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

/// The name of a data format: user, name and version.
///
/// ```
/// use binfmt::formats::beat::FormatName;
/// let name = FormatName::parse("system/array_1d_floats/1").unwrap();
/// assert_eq!((name.user(), name.name(), name.version()), ("system", "array_1d_floats", 1));
/// assert_eq!(FormatName::parse("../../etc/1"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormatName {
    user: String,
    name: String,
    version: u32,
}

impl FormatName {
    /// The name of a text `user/name/version`.
    ///
    /// ```
    /// assert!(binfmt::formats::beat::FormatName::parse("int32").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<FormatName> {
        let mut parts = text.split('/');
        let (user, name, version) = (parts.next()?, parts.next()?, parts.next()?);
        let is_number = !version.is_empty() && version.bytes().all(|c| c.is_ascii_digit());
        if parts.next().is_some() || !is_field_name(user) || !is_field_name(name) || !is_number {
            return None;
        }
        Some(FormatName { user: user.to_owned(), name: name.to_owned(), version: version.parse().ok()? })
    }

    /// Whose it is.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::FormatName::parse("u/n/1").unwrap().user(), "u");
    /// ```
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The name in the middle.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::FormatName::parse("u/n/1").unwrap().name(), "n");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::FormatName::parse("u/n/7").unwrap().version(), 7);
    /// ```
    pub fn version(&self) -> u32 {
        self.version
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.user, self.name, self.version)
    }
}

/// `^[a-zA-Z_][a-zA-Z0-9_-]*$`
pub(super) fn is_field_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|c| c.is_ascii_alphabetic() || c == b'_')
        && bytes.all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'))
}
