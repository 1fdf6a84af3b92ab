//! Writing load files.

use super::cells::Cells;
use super::layout::Layout;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::output::Target;
use std::io::Write;

/// Writes the same cells again, as SciDB would.
pub(super) fn rewrite(layout: &Layout, mut cells: Cells<'_>, out: &Target) -> Result<Tally> {
    let options = binfmt::Options::new().ctx(layout.columns());
    let mut file = out.create()?;
    let mut bytes = 0;
    while let Some(batch) = cells.next_batch()? {
        let block = binfmt::encode_all_with(batch.cells(), &options).map_err(Error::data)?;
        bytes += block.len() as u64;
        file.write_all(&block).map_err(Error::output)?;
    }
    file.finish()?;
    Ok(Tally { bytes, ..cells.tally() })
}
