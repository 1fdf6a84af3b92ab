//! What is wrong in a header, and where.

use crate::error::Error;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// A place in the text of a header, and of which file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// From 1.
    pub(super) line: usize,
    /// In bytes, from 1.
    pub(super) column: usize,
    /// Of the line, in the file.
    pub(super) line_start: u64,
}

impl Place {
    pub(super) fn offset(&self) -> u64 {
        // of an unwritable header there is no column
        self.line_start + (self.column.max(1) - 1) as u64
    }
}

/// A header that cannot be read, or written, with the place where it is wrong.
///
/// ```
/// use binfmt::formats::sdds::Header;
/// let e = Header::parse(b"SDDS1\n&column name=x, type=int32 &end\n&data mode=ascii &end\n").unwrap_err();
/// assert_eq!((e.line(), e.column(), e.offset()), (2, 22, 27));
/// assert!(e.to_string().starts_with("line 2, column 22: unknown data type `int32`, expected one of short, ushort,"));
/// ```
#[derive(Debug)]
pub struct HeaderError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    message: String,
    place: Place,
    file: Option<String>,
    source: Option<Error>,
}

impl HeaderError {
    #[cold]
    pub(super) fn new(message: impl Into<String>, place: &Place) -> Self {
        HeaderError(Box::new(Inner {
            message: message.into(),
            place: place.clone(),
            file: None,
            source: None,
        }))
    }

    /// A header in memory that cannot be written: it has no place yet.
    #[cold]
    pub(super) fn unwritable(message: impl Into<String>) -> Self {
        HeaderError::new(message, &Place::default())
    }

    /// The bytes themselves could not be had.
    #[cold]
    pub(super) fn source(e: Error) -> Self {
        let mut error = HeaderError::new("", &Place::default());
        error.0.source = Some(e);
        error
    }

    /// The place is in a file that the header includes; the innermost says so.
    #[cold]
    pub(super) fn in_file(mut self, file: &str) -> Self {
        self.0.file.get_or_insert_with(|| file.into());
        self
    }

    /// What is wrong, without the place.
    ///
    /// ```
    /// let e = binfmt::formats::sdds::Header::parse(b"SDDS9\n").unwrap_err();
    /// assert_eq!(e.message(), "unsupported version 9 of SDDS, expected 1 to 5");
    /// ```
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The line, from 1; 0 for a header in memory that cannot be written.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Header::parse(b"SDDS9\n").unwrap_err().line(), 1);
    /// ```
    pub fn line(&self) -> usize {
        self.0.place.line
    }

    /// The byte of the line, from 1.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Header::parse(b"SDDS9\n").unwrap_err().column(), 5);
    /// ```
    pub fn column(&self) -> usize {
        self.0.place.column
    }

    /// The byte of the file, from 0.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Header::parse(b"SDDS9\n").unwrap_err().offset(), 4);
    /// ```
    pub fn offset(&self) -> u64 {
        self.0.place.offset()
    }

    /// The included file that the place is in; `None` in the file itself.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Header::parse(b"SDDS9\n").unwrap_err().file(), None);
    /// ```
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { message, place, file, source } = &*self.0;
        if let Some(e) = source {
            return fmt::Display::fmt(e, f);
        }
        if let Some(file) = file {
            write!(f, "{file}, ")?;
        }
        if place.line > 0 {
            write!(f, "line {}, column {}: ", place.line, place.column)?;
        }
        f.write_str(message)
    }
}

impl core::error::Error for HeaderError {}

impl From<HeaderError> for Error {
    /// A message at the offset of the place, if that is in the file itself and not in an included one; what the source itself said stays as it is.
    fn from(mut e: HeaderError) -> Error {
        if let Some(source) = e.0.source.take() {
            return source;
        }
        match e.file() {
            // what is to be written has no place
            None if e.line() == 0 => Error::other(String::from(e.message())),
            None => Error::message(alloc::format!("header {e}"), e.offset()),
            Some(_) => Error::other(alloc::format!("header {e}")),
        }
    }
}
