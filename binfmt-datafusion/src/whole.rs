//! Files that DataFusion writes itself, such as `COPY TO 'x.parquet'`, whole or not at all: its sinks take an error of the rows for their
//! end, and finish a file that is too short. Here no file appears before the last row has come.

mod commit;

use crate::wrong;
use async_trait::async_trait;
use commit::{Commit, Stores};
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{DataFusionError, GetExt, Result, Statistics, exec_datafusion_err, internal_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::object_store::{ObjectMeta, ObjectStore};
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::task::{Poll, ready};
use tokio::sync::watch::{self, Receiver};

#[derive(Debug)]
struct Factory(Arc<dyn FileFormatFactory>);

impl GetExt for Factory {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }
}

impl FileFormatFactory for Factory {
    fn create(&self, session: &dyn Session, said: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(Format(self.0.create(session, said)?)))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(Format(self.0.default()))
    }
}

#[derive(Debug)]
struct Format(Arc<dyn FileFormat>);

#[async_trait]
impl FileFormat for Format {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.0.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.0.compression_type()
    }

    async fn infer_schema(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        files: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.0.infer_schema(session, store, files).await
    }

    async fn infer_stats(
        &self,
        session: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        file: &ObjectMeta,
    ) -> Result<Statistics> {
        self.0.infer_stats(session, store, schema, file).await
    }

    async fn create_physical_plan(
        &self,
        session: &dyn Session,
        said: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.create_physical_plan(session, said).await
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        session: &dyn Session,
        said: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if said.original_url.contains(['*', '?', '[']) {
            return Err(wrong(format!(
                "{}: a pattern does not name a file that is written",
                said.original_url
            )));
        }
        let folders = said.table_partition_cols.iter().map(|(name, _)| name.clone()).collect();
        let rows = Arc::clone(&input);
        let plan = self.0.create_writer_physical_plan(input, session, said, order.clone()).await?;
        let Some(writer) = plan.downcast_ref::<DataSinkExec>() else { return Ok(plan) };
        let schema = Arc::clone(writer.sink().schema());
        Ok(Arc::new(DataSinkExec::new(rows, Arc::new(Sink { plan, schema, folders }), order)))
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        self.0.file_source(schema)
    }
}

/// The sink of a plan that writes.
#[derive(Debug)]
struct Sink {
    plan: Arc<dyn ExecutionPlan>,
    schema: SchemaRef,
    /// The columns whose values are names of folders.
    folders: Vec<String>,
}

impl DisplayAs for Sink {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plan.downcast_ref::<DataSinkExec>() {
            Some(writer) => writer.sink().fmt_as(how, f),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl DataSink for Sink {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    async fn write_all(&self, rows: SendableRecordBatchStream, task: &Arc<TaskContext>) -> Result<u64> {
        let Some(writer) = self.plan.downcast_ref::<DataSinkExec>() else {
            return internal_err!("a plan that writes has no sink");
        };
        let damage = Arc::new(Mutex::new(None));
        let (rows, end) = watched(rows, self.folders.clone(), Arc::clone(&damage));
        let commit = Arc::new(Commit::new(end));
        let written = writer.sink().write_all(rows, &Arc::new(committing(task, &commit))).await;
        let Err(e) = written else { return written };
        commit.take_back().await;
        let damage = damage.lock().ok().and_then(|mut damage| damage.take());
        Err(damage.or_else(|| commit.failure()).unwrap_or(e))
    }
}

/// These rows, and whether all of them have come; nobody says so after a damaged one, which is kept in `damage`.
fn watched(
    mut rows: SendableRecordBatchStream,
    folders: Vec<String>,
    damage: Arc<Mutex<Option<DataFusionError>>>,
) -> (SendableRecordBatchStream, Receiver<bool>) {
    let (all, end) = watch::channel(false);
    let (schema, mut all) = (rows.schema(), Some(all));
    let watched = futures::stream::poll_fn(move |context| {
        let next = ready!(rows.poll_next_unpin(context));
        let next = next.map(|batch| batch.and_then(|batch| in_folders(batch, &folders)));
        match &next {
            Some(Ok(_)) => {}
            Some(Err(_)) => all = None,
            // nobody waits for it where no file was begun
            None => all.iter().for_each(|all| _ = all.send(true)),
        }
        let Some(Err(e)) = next else { return Poll::Ready(next) };
        let said = exec_datafusion_err!("{e}");
        if let Ok(mut damage) = damage.lock() {
            damage.get_or_insert(e);
        }
        Poll::Ready(Some(Err(said)))
    });
    (Box::pin(RecordBatchStreamAdapter::new(schema, watched)), end)
}

/// A batch whose rows all have folders: of a missing value DataFusion takes what lies below it for one.
fn in_folders(batch: RecordBatch, folders: &[String]) -> Result<RecordBatch> {
    let has_null = |name: &&String| batch.column_by_name(name).is_some_and(|column| column.null_count() > 0);
    match folders.iter().find(has_null) {
        Some(name) => Err(wrong(format!(
            "PARTITIONED BY: `{name}` is missing in a row, and no folder stands for that; WHERE {name} IS NOT NULL leaves such rows out"
        ))),
        None => Ok(batch),
    }
}

/// This task with stores in which no file appears before the last row has come.
fn committing(task: &TaskContext, commit: &Arc<Commit>) -> TaskContext {
    let mut runtime = RuntimeEnv::clone(&task.runtime_env());
    runtime.object_store_registry = Arc::new(Stores::new(runtime.object_store_registry, Arc::clone(commit)));
    TaskContext::new(
        task.task_id(),
        task.session_id(),
        task.session_config().clone(),
        task.scalar_functions().clone(),
        task.higher_order_functions().clone(),
        task.aggregate_functions().clone(),
        task.window_functions().clone(),
        Arc::new(runtime),
    )
}

/// Stops the sinks of DataFusion's own formats where rows are damaged. Plans of a cluster are sent as DataFusion has them, and
/// cannot have this.
pub(crate) fn register(context: &SessionContext) {
    let state = context.state_ref();
    let mut state = state.write();
    for ending in ["parquet", "arrow", "csv", "json"] {
        if let Some(factory) = state.get_file_format_factory(ending) {
            let _ = state.register_file_format(Arc::new(Factory(factory)), true);
        }
    }
}
