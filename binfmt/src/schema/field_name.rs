//! Names that many values share.

use alloc::string::String;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

/// The name of a field or variant: text whose copies share its memory.
///
/// A description has each name once, and all records that are read along it hold the same one.
///
/// ```
/// use binfmt::schema::Name;
/// let name = Name::from("weight");
/// assert_eq!(name, "weight");
/// assert_eq!(name.clone(), name);
/// assert!(name.starts_with('w'));
/// ```
#[derive(Clone)]
pub struct Name(Arc<str>);

impl Name {
    /// The text.
    ///
    /// ```
    /// assert_eq!(binfmt::schema::Name::from("x").as_str(), "x");
    /// ```
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether two names share their memory: one of them, or both, are copies of the same one. Then they are equal; names
    /// that share nothing may be, too.
    #[inline]
    pub(crate) fn is_same(&self, other: &Name) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for Name {
    fn default() -> Self {
        Name::from("")
    }
}

impl Deref for Name {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name(name.into())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Name(name.into())
    }
}

impl From<&String> for Name {
    fn from(name: &String) -> Self {
        Name::from(name.as_str())
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Self {
        name.clone()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        String::from(&*name)
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Name) -> bool {
        self.is_same(other) || *self.0 == *other.0
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> core::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

// as a `str`, which `Borrow` promises
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}

macro_rules! compared {
    ($($t:ty)*) => { $(
        impl PartialEq<$t> for Name {
            fn eq(&self, other: &$t) -> bool {
                let other: &str = other;
                **self == *other
            }
        }
        impl PartialEq<Name> for $t {
            fn eq(&self, other: &Name) -> bool {
                *other == *self
            }
        }
    )* };
}
compared! { str &str String }

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Name {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        <String as serde::Deserialize>::deserialize(d).map(Name::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::format;

    #[test]
    fn copies_share_and_others_are_compared() {
        let name = Name::from("value");
        assert!(name.is_same(&name.clone()));
        let other = Name::from(String::from("value"));
        assert!(!name.is_same(&other));
        assert_eq!(name, other);
        assert_ne!(name, Name::from("values"));
        let text = String::from("value");
        assert_eq!(name, *"value");
        assert_eq!("value", name);
        assert_eq!(text, name);
        assert_eq!(name, text);
        assert_ne!(name, "x");
        let longer = Name::from("values");
        assert!(name < longer);
    }

    #[test]
    fn looks_like_text() {
        let name = Name::from("a\"b");
        assert_eq!(format!("{name:>5}|{name:?}"), "  a\"b|\"a\\\"b\"");
        assert!(Name::default().is_empty());
        assert_eq!(String::from(name), "a\"b");
    }

    #[test]
    fn is_found_by_its_text() {
        let map = BTreeMap::from([(Name::from("b"), 2), (Name::from("a"), 1)]);
        assert_eq!(map.get("b"), Some(&2));
    }
}
