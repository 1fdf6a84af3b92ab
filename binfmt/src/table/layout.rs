//! Files of a layout that the user gives.

use super::format::{Setting, Settings, TableFormat};
use super::{Match, RowsSink, RowsTable, Table, TableSchema, TableSink, fields_of, keys};
use crate::columns::Plan;
use crate::error::{Error, Result};
use crate::schema::Description;
use crate::storage::Storage;
use crate::wire::{Endian, Options};
use std::sync::Arc;

/// Rows of a layout that is said when the file is opened: `layout`, as text. No file tells that it is one.
///
/// ```
/// use binfmt::{storage::{Memory, Storage}, table::{AnyLayout, Estimate, Settings, TableFormat}};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("log.bin", &[0, 1, 0, 2])?;
/// let settings = Settings::new().with("layout", "record, be\n  x: u16\n");
/// let table = AnyLayout.open(Arc::new(files), "log.bin", &settings)?;
/// assert_eq!(table.num_rows(), Estimate::Exact(2));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyLayout;

impl TableFormat for AnyLayout {
    fn name(&self) -> &'static str {
        "layout"
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "layout", help: "The layout of a row, as the text of a description" },
            Setting { name: "endian", help: "The byte order of what the layout leaves open: little or big" },
            Setting { name: "row_numbers", help: "Whether there is a column `_row` (true or false)" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let said = settings.get("layout");
        let layout = layout(said, "the file does not say what its rows are: the setting `layout` must")?;
        let options = options(settings)?.max_memory(settings.max_memory()?);
        let table = RowsTable::open(storage, path, &layout, &options)?;
        let numbered = settings.is_on("row_numbers")?;
        Ok(Arc::new(if numbered { table.with_row_numbers() } else { table }))
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "layout",
                help: "The layout of a row; without this that of the rows that were read",
            },
            Setting { name: "endian", help: "The byte order of what the layout leaves open: little or big" },
        ]
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        let said = settings.get("layout").or(schema.get(keys::SCHEMA));
        let layout =
            layout(said, "the table does not say what rows are to be written: the setting `layout` must")?;
        let plan = Plan::new(&layout)?;
        // numbers of a layout have no units
        let fields = fields_of(&plan);
        let sink = RowsSink::new(storage, path, plan, options(settings)?, (schema, fields), Match::Name)?;
        Ok(Box::new(sink.counted(schema)))
    }
}

/// With the byte order of what the layout leaves open.
fn options(settings: &Settings) -> Result<Options> {
    Ok(Options::new().endian(settings.endian("endian")?.unwrap_or(Endian::Little)))
}

fn layout(said: Option<&str>, missing: &'static str) -> Result<Description> {
    let text = said.ok_or_else(|| Error::other(missing))?;
    text.parse().map_err(|e| Error::other(format!("setting `layout`: {e}")))
}
