//! A file that was opened: its header, and where its pages are.

use super::index::Index;
use super::input::Said;
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::layout::types::Mode;
use crate::storage::Storage;
use crate::table::TableSchema;
use std::fmt;
use std::sync::Arc;

/// A file as a table.
pub(super) struct SddsTable {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) path: String,
    pub(super) said: Said,
    pub(super) header: Header,
    pub(super) schema: TableSchema,
    /// How binary rows are read.
    pub(super) plan: RowPlan,
    /// Where the pages are; `None` of a compressed file.
    pub(super) index: Option<Index>,
    /// Whether the first column has the numbers of the pages: 1 or 0.
    pub(super) numbers: usize,
}

impl fmt::Debug for SddsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SddsTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl SddsTable {
    /// Columns that are constant in a page: they come first.
    pub(super) fn num_constants(&self) -> usize {
        self.numbers + self.header.parameters.len()
    }

    /// The bytes of a binary row whose place follows from its number.
    pub(super) fn stride(&self) -> Option<u64> {
        let sizes = self.header.columns.iter().map(|c| c.data_type.size().map(|n| n as u64));
        let fits = self.header.mode == Mode::Binary && !self.header.columns.is_empty();
        if fits { sizes.sum() } else { None }
    }
}
