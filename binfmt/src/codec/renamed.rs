//! What fields are called in descriptions, where expressions of another type name them.

use super::Layout;
use crate::error::owned::{String, printed};

use core::fmt;
use core::marker::PhantomData;

/// The type of a place in a value, which is never asked for.
pub const fn place<T: ?Sized, U>(_: fn(&T) -> *const U) -> PhantomData<U> {
    PhantomData
}

/// The names of the fields of a type, if it has a layout.
#[derive(Debug)]
pub struct Names<U>(pub PhantomData<U>);

impl<U: Layout> Names<U> {
    /// What descriptions call a field.
    pub const fn described(&self, name: &'static str) -> &'static str {
        name_of(U::RENAMED, name)
    }
}

/// What [`Names`] says of other types.
pub trait NoNames {
    /// The same name.
    fn described(&self, name: &'static str) -> &'static str;
}

impl<U> NoNames for Names<U> {
    fn described(&self, name: &'static str) -> &'static str {
        name
    }
}

/// The second of the pair that begins with the name, or the name itself.
#[allow(clippy::arithmetic_side_effects, reason = "a place in a list")]
pub const fn name_of(renamed: &[(&str, &'static str)], name: &'static str) -> &'static str {
    let mut i = 0;
    while i < renamed.len() {
        if is(renamed[i].0.as_bytes(), name.as_bytes()) {
            return renamed[i].1;
        }
        i += 1;
    }
    name
}

const fn is(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, rest @ ..], [y, others @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

/// Whether a name needs no backquotes in an expression.
pub(crate) const fn is_word(name: &str) -> bool {
    let mut rest = name.as_bytes();
    while let [byte, others @ ..] = rest {
        if !byte.is_ascii_alphanumeric() && *byte != b'_' && byte.is_ascii() {
            return false;
        }
        rest = others;
    }
    !name.is_empty()
}

/// A path with the names of descriptions, if one differs; each comes with its own name.
pub fn described_path(root: &str, names: &[(&str, &str)]) -> Option<String> {
    let differs = names.iter().any(|(own, name)| own != name);
    differs.then(|| printed(format_args!("{}", Path { root, names })))
}

struct Path<'a> {
    root: &'a str,
    names: &'a [(&'a str, &'a str)],
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.root)?;
        self.names.iter().try_for_each(|(_, name)| match is_word(name) {
            true => write!(f, ".{name}"),
            false => write!(f, ".`{name}`"),
        })
    }
}
