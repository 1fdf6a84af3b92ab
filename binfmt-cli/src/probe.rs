//! What is known of a file before its format is.

/// What is known of a file before its format is.
pub(crate) struct Probe<'a> {
    /// The first bytes, up to [`Probe::BYTES`]; none of a directory.
    pub(crate) head: &'a [u8],
    pub(crate) path: &'a std::path::Path,
    pub(crate) is_directory: bool,
}

impl Probe<'_> {
    pub(crate) const BYTES: usize = 4096;
}
