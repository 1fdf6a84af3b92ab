//! What is wrong with a declaration.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// Where and why a declaration cannot be used.
///
/// ```
/// use binfmt::formats::beat::Declaration;
/// let e = Declaration::parse(r#"{"value": "int31"}"#).unwrap_err();
/// assert_eq!(e.to_string(), "declaration, byte 10: `int31` is neither a type nor the name of a format");
/// assert_eq!((e.format(), e.position()), (None, 10));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DeclarationError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    format: Option<String>,
    at: usize,
    text: String,
}

impl DeclarationError {
    #[cold]
    pub(super) fn at(at: usize, text: String) -> Self {
        DeclarationError(Box::new(Inner { format: None, at, text }))
    }

    /// The error of a declaration that another one refers to.
    #[cold]
    pub(super) fn of(mut self, format: &str) -> Self {
        self.0.format.get_or_insert_with(|| format.into());
        self
    }

    /// The name of the declaration, when it is one that was referred to or loaded by name.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// let e = Declaration::resolve("u/a/1", |_| Ok("{".into())).unwrap_err();
    /// assert_eq!(e.format(), Some("u/a/1"));
    /// ```
    #[must_use]
    pub fn format(&self) -> Option<&str> {
        self.0.format.as_deref()
    }

    /// The byte of the text, from 0, at which the error begins.
    ///
    /// ```
    /// use binfmt::formats::beat::Declaration;
    /// assert_eq!(Declaration::parse("{]").unwrap_err().position(), 1);
    /// ```
    #[must_use]
    pub fn position(&self) -> usize {
        self.0.at
    }
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.format.as_deref();
        write!(f, "declaration{}{}", if name.is_some() { " " } else { "" }, name.unwrap_or(""))?;
        write!(f, ", byte {}: {}", self.0.at, self.0.text)
    }
}

impl fmt::Debug for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeclarationError({self})")
    }
}

impl core::error::Error for DeclarationError {}
