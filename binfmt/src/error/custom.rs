//! Errors that take memory: of the user's own types, of names in a list.

use super::{Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

impl Error {
    /// An error of the caller's own type, at a byte offset: the [`source`](core::error::Error::source) of this one, and what
    /// [`downcast_ref`](Error::downcast_ref) finds.
    ///
    /// ```
    /// let cause = u8::try_from(300).unwrap_err();
    /// let e = binfmt::Error::caused_by(cause, 3);
    /// assert_eq!(e.to_string(), "at byte 0x3: out of range integral type conversion attempted");
    /// ```
    #[cold]
    #[inline(never)]
    pub fn caused_by(error: impl Into<Box<dyn core::error::Error + Send + Sync>>, offset: u64) -> Self {
        Error::new(ErrorKind::Custom(error.into()), offset)
    }

    /// The error of the caller's own type that this one was made of, by [`caused_by`](Error::caused_by), `try_map` or `assert`.
    ///
    /// ```
    /// use std::num::TryFromIntError;
    /// let e = binfmt::Error::caused_by(u8::try_from(300).unwrap_err(), 3);
    /// assert!(e.downcast_ref::<TryFromIntError>().is_some());
    /// ```
    pub fn downcast_ref<E: core::error::Error + 'static>(&self) -> Option<&E> {
        match &self.0.kind {
            ErrorKind::Custom(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// The same by value.
    ///
    /// ```
    /// use std::num::TryFromIntError;
    /// let e = binfmt::Error::caused_by(u8::try_from(300).unwrap_err(), 3);
    /// let e = e.downcast::<std::fmt::Error>().unwrap_err();
    /// assert!(e.downcast::<TryFromIntError>().is_ok());
    /// ```
    ///
    /// # Errors
    /// This error, if it was not made of one of this type.
    pub fn downcast<E: core::error::Error + 'static>(mut self) -> Result<Box<E>> {
        match self.0.kind {
            ErrorKind::Custom(error) => match error.downcast() {
                Ok(error) => Ok(error),
                Err(error) => {
                    self.0.kind = ErrorKind::Custom(error);
                    Err(self)
                }
            },
            _ => Err(self),
        }
    }
}

impl ErrorKind {
    /// A name that is not among those that there are.
    ///
    /// ```
    /// use binfmt::{Error, ErrorKind};
    /// let e = Error::from(ErrorKind::unknown("column", "z", ["x", "y"]));
    /// assert_eq!(e.to_string(), "unknown column `z`, expected one of `x`, `y`");
    /// ```
    #[cold]
    pub fn unknown<N: Into<String>>(
        of: &'static str,
        name: impl Into<String>,
        known: impl IntoIterator<Item = N>,
    ) -> Self {
        ErrorKind::UnknownName { of, name: name.into(), known: known.into_iter().map(Into::into).collect() }
    }
}

/// The first dimensions; a rank from the wire may be large.
pub(super) fn dims_text(dims: &[u64]) -> String {
    let shown: Vec<String> = dims.iter().take(8).map(|n| format!("{n}")).collect();
    let more = if dims.len() > shown.len() { ", .." } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

/// A name, and those that there are.
pub(super) fn unknown_name(
    f: &mut fmt::Formatter<'_>,
    of: &str,
    name: &str,
    known: &[String],
) -> fmt::Result {
    write!(f, "unknown {of} `{name}`")?;
    match known {
        [] => Ok(()),
        [only] => write!(f, ", expected `{only}`"),
        all => write!(f, ", expected one of `{}`", all.join("`, `")),
    }
}
