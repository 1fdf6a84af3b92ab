//! Pages that cannot be read.

use super::layout::page::Page;
use crate::error::{Error, Step};
use alloc::boxed::Box;
use core::fmt;

/// A page that cannot be read, with what there is of it.
pub(crate) struct Failed {
    pub(crate) error: Error,
    pub(crate) page: Option<Page>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed { error, page: None }
    }
}

/// A page that cannot be read. When only its last rows are missing or damaged, it has the whole rows before them.
///
/// ```
/// use binfmt::formats::sdds::Options;
/// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x03\0\0\0\x01\0\x02\0\x03";
/// let mut reader = Options::new().slice(file)?;
/// let e = reader.next_page().unwrap_err();
/// assert_eq!(
///     e.error().to_string(),
///     "pages[0].table[2].x at byte 0x56: 2 bytes needed, 1 remain"
/// );
/// assert_eq!(e.recover().unwrap().rows(), 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct PageError(pub(crate) Box<Failed>);

impl PageError {
    /// What went wrong, and where.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\nx\n";
    /// let e = binfmt::formats::sdds::Options::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(
    ///     e.error().to_string(),
    ///     "pages[0].table[0] at byte 0x3e: line 2 of the data: column `x`: `x` is not a short"
    /// );
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// The page with its whole rows, of a row-major or ascii page that is damaged in its rows.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n";
    /// let e = binfmt::formats::sdds::Options::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(e.recover().unwrap().rows(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn recover(self) -> Option<Page> {
        self.0.page
    }

    /// The error without the page.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n";
    /// let e = binfmt::formats::sdds::Options::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(e.into_error().to_string(), "pages[0].table at byte 0x40: the file ends before row 1 of 2");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn into_error(self) -> Error {
        self.0.error
    }
}

impl PageError {
    /// The same of a page of a file, whose number alone it names so far.
    pub(crate) fn of_file(mut self) -> Self {
        self.0.error = self.0.error.within(Step::Field("pages"));
        self
    }

    /// The whole rows before the place, and why there are no more.
    #[cfg(feature = "table")]
    pub(crate) fn into_parts(self) -> (Option<Page>, Error) {
        (self.0.page, self.0.error)
    }
}

impl From<PageError> for Error {
    fn from(e: PageError) -> Error {
        e.into_error()
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.error, f)
    }
}

impl fmt::Debug for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.page.as_ref().map(Page::rows);
        f.debug_struct("PageError").field("error", &self.0.error).field("whole_rows", &rows).finish()
    }
}

impl core::error::Error for PageError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.0.error)
    }
}
