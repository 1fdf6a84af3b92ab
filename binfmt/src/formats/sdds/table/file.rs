//! A file that was opened: its header, and where its pages are.

use super::index::Index;
use super::input::ReaderOptions;
use crate::error::Result;
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::layout::types::Mode;
use crate::storage::Storage;
use crate::table::TableSchema;
use crate::wire::amount::{after, plus};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A file as a table.
pub(super) struct SddsTable {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) path: String,
    pub(super) said: ReaderOptions,
    pub(super) header: Arc<Header>,
    pub(super) schema: TableSchema,
    /// How binary rows are read, once it was asked for: to find out takes longer than to read a small file.
    pub(super) plan: OnceLock<RowPlan>,
    /// Where the pages are; `None` of a compressed file, and of one with too many.
    pub(super) index: Option<Index>,
    /// Whether the first column has the numbers of the pages: 1 or 0.
    pub(super) numbers: usize,
    /// What is learnt of pages that no index has.
    pub(super) empty: Empty,
}

/// How many pages without rows were read, each counted once.
#[derive(Debug, Default)]
pub(super) struct Empty {
    /// Pages that were looked at, and those of them without rows.
    seen: Mutex<(usize, u64)>,
}

impl Empty {
    pub(super) fn add(&self, page: usize, is_empty: bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if page >= seen.0 {
            *seen = (plus(page, 1), after(seen.1, u64::from(is_empty)));
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

impl fmt::Debug for SddsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SddsTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl SddsTable {
    pub(super) fn plan(&self) -> Result<&RowPlan> {
        if let Some(plan) = self.plan.get() {
            return Ok(plan);
        }
        let plan = RowPlan::new(&self.header)?;
        Ok(self.plan.get_or_init(|| plan))
    }

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
