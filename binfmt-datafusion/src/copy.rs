//! `COPY (SELECT ..) TO 'x.sdds'`: answers as files of the formats that DataFusion does not write itself.

use crate::files::Files;
use crate::opening::Opening;
use crate::said::text_of;
use crate::scan::Scan;
use crate::sink::{ENDINGS, Target, format, formats};
use crate::wrong;
use async_trait::async_trait;
use binfmt::table::{Settings, TableFormat, Wanted};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Result, Statistics};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::object_store::{ObjectMeta, ObjectStore};
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use datafusion::prelude::SessionContext;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// A format by the ending of its files, with what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    ending: &'static str,
    format: &'static dyn TableFormat,
    settings: Settings,
}

impl Written {
    fn refused<T>(&self) -> Result<T> {
        let name = self.format.name();
        Err(wrong(format!(
            "files of {name} are read by the function {name}('..') and by CREATE EXTERNAL TABLE"
        )))
    }
}

impl GetExt for Written {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }
}

impl FileFormatFactory for Written {
    fn create(&self, _: &dyn Session, said: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        let mut settings = Settings::new();
        for (name, text) in said {
            let name = name.strip_prefix("format.").unwrap_or(name);
            settings = settings.with(name, text_of(name, text)?);
        }
        settings.check(self.format.write_settings()).map_err(crate::outside)?;
        Ok(Arc::new(Written { settings, ..self.clone() }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(self.clone())
    }
}

#[async_trait]
impl FileFormat for Written {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }

    fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
        Ok(self.ending.to_owned())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.refused()
    }

    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        self.refused()
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        _: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.refused()
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _: &dyn Session,
        said: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if !said.table_partition_cols.is_empty() {
            let name = self.format.name();
            return Err(wrong(format!(
                "PARTITIONED BY: {name} is written as one file; use a query for each"
            )));
        }
        let target = Target { path: said.original_url, format: self.format, settings: self.settings.clone() };
        let sink = Sink { target, schema: Arc::clone(&said.output_schema) };
        Ok(Arc::new(DataSinkExec::new(input, Arc::new(sink), order)))
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        // nothing is read through this format
        let files =
            Files::told(Opening::new(""), Arc::clone(schema.file_schema()), BTreeMap::new(), &"".into());
        Arc::new(Scan::of_parts(Arc::new(files), Wanted::new(), BTreeMap::new(), schema))
    }
}

#[derive(Debug)]
struct Sink {
    target: Target,
    schema: SchemaRef,
}

impl DisplayAs for Sink {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.target.format.name(), self.target.path)
    }
}

#[async_trait]
impl DataSink for Sink {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    async fn write_all(&self, rows: SendableRecordBatchStream, task: &Arc<TaskContext>) -> Result<u64> {
        self.target.write(rows, task.memory_pool()).await
    }
}

pub(crate) fn register(context: &SessionContext) {
    let state = context.state_ref();
    let mut state = state.write();
    let names = formats().map(|format| (format.name(), format));
    let more = ENDINGS.iter().filter_map(|(ending, name)| Some((*ending, format(name).ok()?)));
    for (ending, format) in names.chain(more) {
        // DataFusion writes these itself; a name that is taken stays what it is
        if !["parquet", "arrow", "csv"].contains(&ending) {
            let written = Written { ending, format, settings: Settings::new() };
            let _ = state.register_file_format(Arc::new(written), false);
        }
    }
}
