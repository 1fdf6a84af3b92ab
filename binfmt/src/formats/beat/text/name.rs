//! Names of formats and fields.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;

/// The name of a data format: user, name and version.
///
/// The platform's own rule is `^[a-zA-Z_][a-zA-Z0-9_-]*/[a-zA-Z0-9_-]+/[0-9]+$`: the name in the middle may begin with a
/// digit or a hyphen, and a version has any number of digits. Names that differ in the zeros before their version are
/// different: so are their files.
///
/// ```
/// use binfmt::formats::beat::FormatName;
/// let name = FormatName::parse("system/1d_array_of_floats/1").unwrap();
/// assert_eq!((name.user(), name.name(), name.version()), ("system", "1d_array_of_floats", "1"));
/// assert_eq!(FormatName::parse("../../etc/1"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FormatName {
    user: String,
    name: String,
    /// Digits.
    version: String,
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
        let is_name = !name.is_empty() && name.bytes().all(is_inner);
        let is_number = !version.is_empty() && version.bytes().all(|c| c.is_ascii_digit());
        if parts.next().is_some() || !is_field_name(user) || !is_name || !is_number {
            return None;
        }
        Some(FormatName { user: user.to_owned(), name: name.to_owned(), version: version.to_owned() })
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

    /// The version: one digit or more, as many as there are.
    ///
    /// ```
    /// use binfmt::formats::beat::FormatName;
    /// assert_eq!(FormatName::parse("u/n/20261122093015").unwrap().version(), "20261122093015");
    /// ```
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the order of names goes by: versions as the numbers that they are.
    fn key(&self) -> (&str, &str, usize, &str, usize) {
        let number = self.version.trim_start_matches('0');
        (&self.user, &self.name, number.len(), number, self.version.len())
    }
}

/// By user and name, then by the number of the version.
impl Ord for FormatName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for FormatName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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
    bytes.next().is_some_and(|c| c.is_ascii_alphabetic() || c == b'_') && bytes.all(is_inner)
}

/// A letter of a name after the first.
fn is_inner(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-')
}
