//! What is known of a file before its format is.

/// Tells whether a file is of a format that is known.
pub(crate) type Recogniser = Box<dyn Fn(&Probe<'_>) -> bool>;

/// What is known of a file before its format is.
pub(crate) struct Probe<'a> {
    /// The first bytes, up to [`Probe::BYTES`]; none of a directory.
    pub(crate) head: &'a [u8],
    pub(crate) path: &'a std::path::Path,
    pub(crate) is_directory: bool,
}

impl<'a> Probe<'a> {
    /// Of a path that is not one file.
    pub(crate) fn of_several(path: &'a std::path::Path) -> Self {
        Probe { head: &[], path, is_directory: true }
    }

    pub(crate) const BYTES: usize = 4096;
}
