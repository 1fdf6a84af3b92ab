//! What a page is about.

use super::parts::Parts;
use super::runs::Runs;

/// What the heading of a page says.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) file: String,
    pub(crate) format: String,
    pub(crate) size: Option<u64>,
    /// The layout, as text.
    pub(crate) layout: Option<String>,
}

/// Bytes of one file, or what comes out of the filters of a tile, and what they are.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) title: String,
    /// Its bytes are not in the file as they are.
    pub(super) is_inner: bool,
    pub(super) runs: Runs,
    pub(super) parts: Parts,
}
