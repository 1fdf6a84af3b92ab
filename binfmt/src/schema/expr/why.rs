//! Why an expression has no value.

use super::{Operand, shortened};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Deref;

/// Why an expression has no value, without the expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Why {
    text: Cow<'static, str>,
    is_missing: bool,
}

impl Why {
    /// Whether it is because a value that it needs is missing.
    pub(super) fn is_missing(&self) -> bool {
        self.is_missing
    }
}

impl Deref for Why {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<&'static str> for Why {
    fn from(text: &'static str) -> Self {
        Why { text: Cow::Borrowed(text), is_missing: false }
    }
}

impl From<String> for Why {
    fn from(text: String) -> Self {
        Why { text: Cow::Owned(text), is_missing: false }
    }
}

#[cold]
pub(super) fn no_field(name: &str) -> Why {
    format!("`{}` is neither an earlier field of the record nor passed to it", shortened(name)).into()
}

#[cold]
pub(super) fn no_member(name: &str) -> Why {
    format!("there is no field `{}`", shortened(name)).into()
}

/// A value is not what it must be.
#[cold]
pub(super) fn is_not<V: Operand>(what: &str, value: &V) -> Why {
    let text = format!("{} is not {what}", value.what());
    Why { text: Cow::Owned(text), is_missing: !value.is_there() }
}

#[cold]
pub(super) fn overflow() -> Why {
    "the number is too large".into()
}
