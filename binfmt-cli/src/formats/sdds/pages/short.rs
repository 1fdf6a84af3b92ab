//! Pages whose rows may be one block, which only reading tells.

use super::Pages;
use crate::formats::sdds::damage::Damage;
use binfmt::formats::sdds::{Page, PageStart};

impl Pages<'_> {
    /// Whether texts make it a page of which only reading tells how large it is.
    pub(in crate::formats::sdds) fn has_texts(&self, start: &PageStart) -> bool {
        let header = self.reader.file_header();
        let is_sure = start.is_counted() && !header.fixed_row_count && start.rows > 0;
        is_sure && self.ranges.is_none() && self.shown.columns.iter().any(|c| c.data_type.size().is_none())
    }

    /// The rows of the page that was begun, if a block has them all.
    pub(in crate::formats::sdds) fn short(&mut self, start: &PageStart) -> Result<Option<Page>, Damage> {
        let Some(rows) = self.block()?.filter(|rows| rows.rows() == start.rows) else { return Ok(None) };
        // what ends the page is read as well
        match self.block() {
            Ok(_) => Ok(Some(rows)),
            Err(damage) => Err(damage.after(rows.rows())),
        }
    }
}
