//! Files as tables: the columns of all pages, and their parameters, which are constant in a page.

mod arrays;
mod batches;
mod counted;
mod detect;
mod file;
mod gathered;
mod index;
mod input;
mod pages;
mod schema;
mod sink;
mod splits;

use super::file::Contents;
use super::layout::types::Mode;
use super::pack::Compression;
use crate::error::Result;
use crate::storage::Storage;
use crate::table::{
    Batches, Estimate, Limited, Probe, Pruned, ScalarRange, Section, Setting, Settings, Split, Table,
    TableFormat, TableSchema, TableSink, Tasks, Wanted, in_turn,
};
use arrays::{ArraysTable, Beside};
use batches::PageBatches;
use detect::begins;
use file::{Empty, SddsTable};
use index::{Index, PagePlace};
use input::ReaderOptions;
use sink::SddsSink;
use std::sync::{Arc, OnceLock};

/// SDDS files as tables: a row for each row of each page. Parameters are columns whose value is the same in all rows of a page;
/// pages in which no wanted row can be are not read. Of a file without columns the elements of the arrays are rows, and of one without
/// arrays, too, the pages.
///
/// Files that are compressed are one part, and so are those of so many pages (some 70,000) that their places would take more than
/// 8 MiB: how many rows they have is not known before they are read. In others the pages are found when somebody asks how many rows there are, what
/// values parameters have, or for parts: rows of numbers are stepped over, of other pages the lengths are read. Who reads all rows of binary pages with texts reads
/// them once. Small binary pages are batches together. A part may begin in a page if its rows are numbers, else where one begins.
///
/// ```
/// use binfmt::formats::sdds::Tables;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Estimate, Settings, TableFormat, Wanted};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("x.sdds", b"SDDS1\n&parameter name=Run, type=long &end\n&column name=s, type=short &end\n\
///     &data mode=ascii &end\n7\n2\n5\n6\n8\n1\n9\n")?;
/// let table = Tables.open(Arc::new(files), "x.sdds", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(3));
/// let last = Wanted::new().range(0, 8..);
/// let batch = table.batches(&last)?.next().unwrap()?;
/// assert_eq!(batch.get("s").unwrap().as_slice::<i16>(), Some(&[9][..]));
/// assert_eq!(batch.get("Run").unwrap().as_slice::<i32>(), Some(&[8][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "sdds"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        begins(probe.head)
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "any_names", help: "Whether names may be any text (true or false)" },
            Setting {
                name: "assume_byte_order",
                help: "The byte order of a file that declares none: little or big",
            },
            Setting { name: "page_numbers", help: "Whether there is a column `_page` (true or false)" },
            Setting {
                name: "pages",
                help: "Whether a row is a page, with its parameters and `_rows`, how many rows it has (true or false)",
            },
            Setting {
                name: "arrays",
                help: "Arrays (a,b or * for all) whose elements are rows; where a row is a page, each array is a list in a column",
            },
            Setting {
                name: "indices",
                help: "Whether there is a column `_index` with the numbers of the elements of arrays, and `_index0`, `_index1`, .. of several dimensions (true or false)",
            },
        ]
    }

    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        settings.check(self.settings())?;
        let mut head = vec![0; storage.size(path)?.map_or(0, |size| size.min(8)) as usize];
        storage.read(path, 0, &mut head)?;
        // what is compressed has bytes of another kind
        let is_plain = Compression::of(&head) == Compression::None;
        Ok(is_plain.then(Section::of::<Contents>).into_iter().collect())
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let assume = settings.endian("assume_byte_order")?;
        let said =
            ReaderOptions { any_names: settings.is_on("any_names")?, assume, memory: settings.max_memory()? };
        let (reader, packed) = input::whole(&storage, path, said)?;
        let numbers = settings.is_on("page_numbers")?;
        let beside = Beside { numbers, indices: settings.is_on("indices")? };
        let header = reader.shared_header();
        let arrays = settings.get("arrays").filter(|names| !names.is_empty());
        let has_rows = !header.columns.is_empty();
        match arrays {
            _ if settings.is_on("pages")? => return Ok(Arc::new(pages::of(reader, arrays)?)),
            Some(names) => return Ok(Arc::new(ArraysTable::read(reader, names, (beside, said.memory))?)),
            None if !has_rows && !header.arrays.is_empty() => {
                return Ok(Arc::new(ArraysTable::read(reader, "*", (beside, said.memory))?));
            }
            None if !has_rows && !header.parameters.is_empty() => {
                return Ok(Arc::new(pages::of(reader, None)?));
            }
            None => {}
        }
        // pages of what is compressed come one after the other
        let places = if packed { OnceLock::from(None) } else { OnceLock::new() };
        Ok(Arc::new(SddsTable {
            schema: schema::of(&header, numbers),
            path: path.to_owned(),
            numbers: usize::from(numbers),
            storage,
            said,
            header,
            plan: OnceLock::new(),
            places,
            empty: Empty::default(),
        }))
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "like", help: "A file whose header is taken" },
            Setting {
                name: "as_parameters",
                help: "Columns that become parameters: a,b; those that were become some anyway",
            },
            Setting { name: "mode", help: "ascii or binary" },
            Setting { name: "byte_order", help: "little or big" },
            Setting { name: "order", help: "row or column: how binary pages are arranged" },
            Setting { name: "compression", help: "none, gz or xz; without this as the name ends" },
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
        Ok(Box::new(SddsSink::new(storage, path, schema, settings)?))
    }
}

impl Table for SddsTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn is_text(&self) -> bool {
        self.header.mode == Mode::Ascii
    }

    fn num_rows(&self) -> Estimate {
        self.index().map_or(Estimate::Unknown, Index::num_rows)
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let index = self.index().filter(|index| index.open.is_none())?;
        match column.checked_sub(self.numbers) {
            None => {
                let has_rows = |page: &PagePlace| !page.rows.is_empty();
                let first = index.pages.iter().position(has_rows)?;
                Some(ScalarRange::of(first as i64..=index.pages.iter().rposition(has_rows)? as i64))
            }
            Some(parameter) => index.bounds(parameter),
        }
    }

    fn left_out(&self) -> Vec<String> {
        let mut told = Vec::new();
        let arrays: Vec<String> =
            self.header.arrays.iter().map(|array| format!("`{}`", array.name)).collect();
        if !arrays.is_empty() {
            told.push(format!("arrays are not columns, and are left out: {}", arrays.join(", ")));
        }
        let looked = self.places.get().and_then(Option::as_ref).map(Index::empty_pages);
        let learnt = looked.or_else(|| self.empty.count());
        let empty = learnt.or_else(|| self.index().map(Index::empty_pages)).unwrap_or_default();
        match empty {
            0 => {}
            1 => told.push("a page without rows is left out, and the values of its parameters".to_owned()),
            n => {
                told.push(format!("{n} pages without rows are left out, and the values of their parameters"))
            }
        }
        told
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        splits::of(self, wanted, parts)
    }

    fn pruned(&self, wanted: &Wanted) -> Result<Option<Pruned>> {
        Ok(splits::pruned(self, wanted))
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let batches = PageBatches::new(self, split, wanted, columns)?;
        Ok(Box::new(Limited::new(batches, wanted.limit.unwrap_or(u64::MAX))))
    }

    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        if wanted.limit.is_some() {
            return Ok(in_turn(self.read(split, wanted)?));
        }
        let columns = wanted.columns_of(&self.schema)?;
        Ok(Box::new(PageBatches::new(self, split, wanted, columns)?.into_tasks()))
    }
}
