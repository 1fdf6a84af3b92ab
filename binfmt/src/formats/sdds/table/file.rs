//! A file that was opened: its header, and where its pages are.

use super::index::Index;
use super::input::{self, ReaderOptions};
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
    /// Where the pages are, once it was looked for: nowhere in a compressed file, and in one with too many.
    pub(super) places: OnceLock<Option<Index>>,
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

    /// How many are known, if any page was looked at.
    pub(super) fn count(&self) -> Option<u64> {
        let (pages, empty) = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (pages > 0).then_some(empty)
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

    /// Where the pages are; `None` of a compressed file, and of one with too many.
    pub(super) fn index(&self) -> Option<&Index> {
        let look = || {
            let reader = input::whole(&self.storage, &self.path, self.said).ok()?.0;
            let (index, plan) = Index::of(reader).ok()?;
            if let Some(plan) = plan {
                self.plan.get_or_init(|| plan);
            }
            index
        };
        // a file that cannot be looked through is one part: who reads it is told why
        self.places.get_or_init(look).as_ref()
    }

    /// The same for who reads all pages anyway: where they are found only row by row, nobody goes over them before they are read.
    pub(super) fn index_in_front(&self) -> Option<&Index> {
        let Header { mode, column_major, ref columns, .. } = *self.header;
        let is_walked =
            mode == Mode::Binary && !column_major && !columns.is_empty() && self.stride().is_none();
        match is_walked {
            true => self.places.get()?.as_ref(),
            false => self.index(),
        }
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
