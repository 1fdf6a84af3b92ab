//! Chosen rows of a file that is read from its front on.

use crate::error::{Error, Result};
use crate::format::{Job, Selection};
use crate::pick::Pick;
use crate::span::Span;
use binfmt::table::Table;
use std::sync::Arc;

/// Bytes of the file that one batch holds, where rows are not larger.
const BATCH: u64 = 256 << 10;

impl Selection {
    /// The columns of a file that is read once, from its front on: a stream is put aside nowhere. Rows before the wanted ones are looked at,
    /// unless all have their places.
    pub(crate) fn once(
        job: &mut Job<'_>,
        pick: &Pick,
        open: impl FnOnce(&mut Job<'_>) -> Result<Arc<dyn Table>>,
    ) -> Result<Self> {
        if job.input.is_directory() {
            // which says that a file is needed
            job.input.reader(0)?;
        }
        job.input.kept()?;
        if let Some(again) = job.input.again() {
            again.pass();
        }
        let table = open(job)?;
        let leaves = table.schema().whole_columns();
        let names: Vec<&str> = leaves.iter().map(|leaf| leaf.name.as_str()).collect();
        let chosen = pick.columns_of(&names)?.into_iter();
        let leaves = chosen.filter_map(|i| leaves.get(i).cloned()).collect();
        // one that is damaged may hide where the others begin
        let skip = if table.num_rows().guess().is_some() { 0 } else { pick.rows.from };
        let rows = if skip > 0 { Span { from: 0, ..pick.rows } } else { pick.rows };
        let mut chosen = Self::of_leaves(table, leaves, &Pick { rows, ..pick.clone() });
        (chosen.skip, chosen.wanted.batch_bytes) = (skip, BATCH);
        Ok(chosen)
    }

    /// The same with other words for what is wrong with the file.
    pub(crate) fn telling(mut self, told: fn(&binfmt::Error) -> Error) -> Self {
        self.told = Some(told);
        self
    }
}
