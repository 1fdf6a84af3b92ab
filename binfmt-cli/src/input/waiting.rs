//! How far a reading is, where a person waits for it.

use super::Input;
use crate::progress::Progress;

impl Input {
    /// Shows how far the reading is, where a person waits for it.
    pub(crate) fn with_progress(mut self, on: bool) -> Self {
        self.progress = on;
        self
    }

    /// A bar for so many bytes of it.
    pub(crate) fn progress(&self, bytes: Option<u64>) -> Progress {
        Progress::new(&self.name(), bytes, self.progress)
    }
}
