//! The JSON form of a load file, in both directions.

use super::cells::Cells;
use super::layout::Layout;
use super::value::Json;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::settings::Settings;
use serde::ser::{Serialize, Serializer};
use std::io::Write;

/// Writes the document, cell by cell.
pub(super) fn write(
    layout: &Layout,
    mut cells: Cells<'_>,
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    out.object()?;
    out.member("format", "scidb")?;
    out.member("schema", &layout.chosen_template().map(|t| t.to_string()))?;
    out.member("fields", &layout.fields().collect::<Vec<_>>())?;
    out.member_list("cells")?;
    while let Some(batch) = cells.next_batch()? {
        for row in 0..crate::table::Rows::num_rows(&batch) {
            out.item(&Line(&batch, row))?;
        }
        out.flush()?;
    }
    out.end()?;
    out.end()
}

struct Line<'a>(&'a super::cells::Batch<'a>, usize);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.num_columns()).map(|column| Json(self.0.cell(self.1, column))))
    }
}

pub(super) fn read(_: &mut Source, _: &Settings, _: &Target) -> Result<Tally> {
    Err(Error::data("not there yet"))
}
