//! Answers on their way into files of all formats.

use crate::decimals;
use crate::kept::Kept;
use crate::place;
use crate::{outside, wrong};
use binfmt::table::{Settings, Table, TableFormat, TableSink, Wanted, Written};
use binfmt_arrow::{BatchReader, BatchesTable, Mapping};
use datafusion::arrow::array::RecordBatchIterator;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use futures::StreamExt;
use std::sync::Arc;

/// The formats that are written, with those of Arrow.
pub(crate) fn formats() -> impl Iterator<Item = &'static dyn TableFormat> {
    let arrow: [&'static dyn TableFormat; 2] = [&binfmt_arrow::Parquet, &binfmt_arrow::Ipc];
    arrow.into_iter().chain(binfmt::FORMATS.iter().copied()).filter(|format| format.writes())
}

/// Endings of files that are not the names of their formats.
pub(crate) const ENDINGS: [(&str, &str); 3] = [("feather", "arrow"), ("ndjson", "jsonl"), ("tdb", "tiledb")];

/// The setting of formats whose files have codes of missing values as columns.
const CODES: &str = "missing_codes";

/// The name of the format of files with this ending.
pub(crate) fn format_of(ending: &str) -> &str {
    ENDINGS.iter().find(|(known, _)| *known == ending).map_or(ending, |(_, format)| format)
}

/// A format by its name.
pub(crate) fn format(name: &str) -> Result<&'static dyn TableFormat> {
    formats().find(|format| format.name() == name).ok_or_else(|| {
        let known: Vec<&str> = formats().map(|format| format.name()).collect();
        wrong(format!("{name:?} is not a format that is written; these are: {}", known.join(", ")))
    })
}

/// The same rows, made by a task of its own: whoever writes them can stop at once, whatever the query is busy with.
fn apart(mut rows: SendableRecordBatchStream) -> SendableRecordBatchStream {
    let mut builder = RecordBatchReceiverStream::builder(rows.schema(), 1);
    let to = builder.tx();
    builder.spawn(async move {
        while let Some(batch) = rows.next().await {
            if to.send(batch).await.is_err() {
                break;
            }
        }
        Ok(())
    });
    builder.build()
}

/// A file that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) path: String,
    pub(crate) format: &'static dyn TableFormat,
    pub(crate) settings: Settings,
}

impl Target {
    fn create(&self, schema: &SchemaRef) -> Result<Box<dyn TableSink>> {
        let (storage, file) = place::to_write(&self.path).map_err(|e| wrong(e.to_string()))?;
        let mapping = Mapping::of_arrow(schema).map_err(outside)?;
        let mut settings = self.settings.clone();
        // an answer has codes only where a query asks for them
        let knows = self.format.write_settings().iter().any(|setting| setting.name == CODES);
        if knows && settings.get(CODES).is_none() {
            settings = settings.with(CODES, mapping.has_codes().to_string());
        }
        let sink = self.format.create(storage, &file, mapping.table_schema(), &settings);
        sink.map_err(outside)
    }

    /// Writes all rows; how many there were. Those that must be kept until all are there are in the memory that the query may have.
    pub(crate) async fn write(
        &self,
        batches: SendableRecordBatchStream,
        pool: &Arc<dyn MemoryPool>,
    ) -> Result<u64> {
        let (batches, notes) = decimals::without(batches, self.format.name() == "csv");
        self.remark(&notes);
        let (schema, mut batches) = (batches.schema(), apart(batches));
        let mut sink = self.create(&schema)?;
        self.remark(&sink.notes());
        let mapping = Mapping::of_arrow(&schema).map_err(outside)?;
        if sink.looks_at().is_none() {
            while let Some(batch) = batches.next().await {
                sink.write(mapping.to_columns(batch?).map_err(outside)?).map_err(outside)?;
            }
            return Ok(self.rows_of(&sink.finish().map_err(outside)?));
        }
        // the front of such a file says what only the rows tell
        let mut kept = Kept::new(&format!("the rows of {}, whose front tells of all", self.path), pool);
        while let Some(batch) = batches.next().await {
            kept.push(batch?)?;
        }
        let all = std::mem::take(&mut kept.batches).into_iter().map(Ok);
        let reader = BatchReader::new(RecordBatchIterator::new(all, schema)).map_err(outside)?;
        let table: Arc<dyn Table> = Arc::new(BatchesTable::read(reader).map_err(outside)?);
        Ok(self.rows_of(&table.write_to(&Wanted::new(), sink).map_err(outside)?))
    }

    /// How many rows there are. What became of values that are not kept as they are is told.
    fn rows_of(&self, written: &Written) -> u64 {
        self.remark(&written.notes);
        written.rows
    }

    /// Tells on standard error what a file does not keep, as nothing else of an answer has a place for it.
    fn remark(&self, notes: &[String]) {
        notes.iter().for_each(|note| eprintln!("note: {}: {note}", self.path));
    }
}
