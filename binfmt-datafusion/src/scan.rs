//! The scan: the files of DataFusion's scan are numbered splits.
//!
//! A plan that is cut up for several machines is cut along such files; each has the list of all splits, and reads those whose numbers
//! it has.

use crate::files::Files;
use crate::outside;
use crate::statistics::sum;
use binfmt::columns::Columns;
use binfmt::table::{Split, Wanted};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::utils::memory::RecordBatchMemoryCounter;
use datafusion::common::{DataFusionError, Result, ScalarValue, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileGroup, FileOpenFuture, FileOpener, FileScanConfig, FileScanConfigBuilder, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::ObjectStore;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan, apply_expression_roots};
use futures::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::yield_now;

/// A split of one of the files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) file: usize,
    pub(crate) split: Split,
}

/// What is read: the source of the scan.
#[derive(Clone)]
pub(crate) struct Scan {
    pub(crate) files: Arc<Files>,
    pub(crate) wanted: Wanted,
    /// The splits by their numbers.
    pub(crate) parts: Arc<BTreeMap<i64, Part>>,
    schema: TableSchema,
    /// The memory that the query may have; without one nobody counts.
    pool: Option<Arc<dyn MemoryPool>>,
    /// Why nothing is read.
    refused: Option<Arc<DataFusionError>>,
    projection: SplitProjection,
    metrics: ExecutionPlanMetricsSet,
}

impl Scan {
    pub(crate) fn new(files: Arc<Files>, wanted: Wanted, groups: &[Vec<Part>], schema: TableSchema) -> Self {
        let parts = (0..).zip(groups.iter().flatten().cloned()).collect();
        Scan::of_parts(files, wanted, parts, schema)
    }

    /// Writes how many of the pages, tiles or chunks of all files are left and, of files that have only some of them, which.
    fn fmt_pruned(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let read: BTreeSet<usize> = self.parts.values().map(|part| part.file).collect();
        let (mut left, mut all, mut kind, mut told) = (0u64, 0u64, "", Vec::new());
        for (number, file) in self.files.all() {
            let Ok(Some(pruned)) = file.table.pruned(&self.wanted) else { return Ok(()) };
            (kind, all) = (pruned.pieces, all.saturating_add(pruned.all));
            // a folder may have told that nothing of the file is wanted
            if read.contains(&number) {
                left = left.saturating_add(pruned.num_left());
                if pruned.num_left() < pruned.all {
                    told.push(format!("{}: {pruned}", self.files.name(number)));
                }
            }
        }
        match told.is_empty() {
            _ if kind.is_empty() => Ok(()),
            true => write!(f, ", {kind}={left} of {all}"),
            // of many files the first ones
            false => {
                let rest = if told.len() > SHOWN { "; .." } else { "" };
                told.truncate(SHOWN);
                write!(f, ", {kind}={left} of {all} [{}{rest}]", told.join("; "))
            }
        }
    }

    /// What another machine has told of: some of the splits.
    pub(crate) fn of_parts(
        files: Arc<Files>,
        wanted: Wanted,
        parts: BTreeMap<i64, Part>,
        schema: TableSchema,
    ) -> Self {
        Scan {
            files,
            wanted,
            parts: Arc::new(parts),
            projection: SplitProjection::unprojected(&schema),
            schema,
            pool: None,
            refused: None,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// One that gives an error and no rows.
    #[cfg(feature = "ballista")]
    pub(crate) fn refused(self, why: DataFusionError) -> Self {
        Scan { refused: Some(Arc::new(why)), ..self }
    }

    /// The same, whose batches take of that memory.
    pub(crate) fn in_memory(self, pool: &Arc<dyn MemoryPool>) -> Self {
        Scan { pool: Some(Arc::clone(pool)), ..self }
    }
}

/// The plan of a scan: one partition for each group, one file for each split, which has the values that the folders of its file say.
pub(crate) fn plan(
    scan: Scan,
    groups: &[Vec<Part>],
    folders: &[Vec<ScalarValue>],
    statistics: Statistics,
    projection: Option<&Vec<usize>>,
    limit: Option<usize>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let mut numbers = 0i64..;
    let mut file = |part: &Part| {
        let number = numbers.next().unwrap_or(i64::MAX);
        let name = scan.files.name(part.file);
        // nobody looks at the size, and nobody cuts the range: see `supports_repartitioning`
        let file =
            PartitionedFile::new_with_range(name.to_owned(), 1 << 40, number, number.saturating_add(1));
        file.with_partition_values(folders.get(part.file).cloned().unwrap_or_default())
    };
    let groups = groups.iter().map(|group| FileGroup::new(group.iter().map(&mut file).collect()));
    let groups = groups.collect();
    let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(scan))
        .with_file_groups(groups)
        .with_statistics(statistics)
        .with_limit(limit)
        .with_projection_indices(projection.cloned())?
        .build();
    Ok(DataSourceExec::from_data_source(config))
}

impl FileSource for Scan {
    fn create_file_opener(
        &self,
        _: Arc<dyn ObjectStore>,
        _: &FileScanConfig,
        _: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        if let Some(e) = &self.refused {
            return Err(DataFusionError::Shared(Arc::clone(e)));
        }
        let file_schema = self.schema.file_schema();
        let fields = self.projection.file_indices.clone();
        let opener = Arc::new(Opener {
            files: Arc::clone(&self.files),
            parts: Arc::clone(&self.parts),
            wanted: self.wanted.clone(),
            schema: Arc::new(file_schema.project(&fields)?),
            fields,
            pool: self.pool.clone(),
        });
        ProjectionOpener::try_new(self.projection.clone(), opener, file_schema)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Arc::new(Scan { wanted: self.wanted.clone().batch_rows(rows), ..self.clone() })
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.schema.file_schema(), &merged);
        Ok(Some(Arc::new(Scan { projection, ..self.clone() })))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        self.files.opening().format.as_deref().unwrap_or("binfmt")
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", splits={}", self.parts.len())?;
        // what was left out is known where all rows are counted
        let read = sum(self.parts.values().map(|part| part.split.num_rows.exact()));
        let all = sum(self.files.all().map(|(_, file)| file.table.num_rows().exact()));
        if let (Some(read), Some(all)) = (read, all) {
            write!(f, ", rows={read} of {all}")?;
        }
        self.fmt_pruned(f)?;
        if let Some((_, file)) = self.files.all().next()
            && !self.wanted.ranges.is_empty()
        {
            let fields = &file.table.schema().fields;
            let named = self.wanted.ranges.iter().filter_map(|(column, _)| fields.get(*column));
            let named: Vec<&str> = named.map(|field| field.name.as_str()).collect();
            write!(f, ", ranges_of=[{}]", named.join(", "))?;
        }
        Ok(())
    }

    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.projection.source.iter(), f)
    }
}

/// How long a thread decodes before it looks for other tasks: a query that was cancelled ends there.
const SLICE: Duration = Duration::from_millis(20);

/// Batches as they are decoded, with pauses in which other tasks of the thread may run.
fn yielding<T: Send>(batches: impl Iterator<Item = T> + Send) -> impl Stream<Item = T> + Send {
    futures::stream::unfold((batches, Instant::now()), |(mut batches, mut since)| async move {
        if since.elapsed() > SLICE {
            yield_now().await;
            since = Instant::now();
        }
        batches.next().map(|batch| (batch, (batches, since)))
    })
}

struct Opener {
    files: Arc<Files>,
    parts: Arc<BTreeMap<i64, Part>>,
    wanted: Wanted,
    schema: SchemaRef,
    /// The numbers of the wanted fields.
    fields: Vec<usize>,
    pool: Option<Arc<dyn MemoryPool>>,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let Some(part) = file.range.as_ref().and_then(|range| self.parts.get(&range.start)) else {
            return Err(DataFusionError::Internal("the plan does not name the split".to_owned()));
        };
        let file = self.files.get(part.file)?;
        // a column, and the field of its codes, if that is wanted
        let all = 0..file.table.schema().fields.len();
        let has = |column: &usize| file.mapping.fields_of(*column).any(|field| self.fields.contains(&field));
        let columns: Vec<usize> = all.filter(has).collect();
        let mapping = file.mapping.project(&columns).map_err(outside)?;
        let read: Vec<usize> = columns.iter().flat_map(|column| file.mapping.fields_of(*column)).collect();
        let order: Vec<usize> =
            self.fields.iter().filter_map(|field| read.iter().position(|f| f == field)).collect();
        let of = || MemoryConsumer::new(format!("a batch of {}", self.files.name(part.file)));
        let memory = self.pool.as_ref().map(|pool| Arc::new(of().register(pool)));
        let (files, number) = (Arc::clone(&self.files), part.file);
        let named = move |e: binfmt::Error| files.error(number, e);
        let wanted = self.wanted.clone().columns(columns);
        // what decoding takes is told before it begins, about; what came of it after it
        let decoding = usize::try_from(file.table.memory(&part.split, &wanted)).unwrap_or(usize::MAX);
        let mut decoded = Arc::clone(&file.table).read(&part.split, &wanted).map_err(&named)?;
        let schema = Arc::clone(&self.schema);
        let taken = memory.clone();
        let batch = move |columns: binfmt::Result<Columns>| {
            let batch =
                columns.and_then(|columns| mapping.to_batch(columns)).map_err(&named)?.project(&order)?;
            let rows =
                datafusion::arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            // the batch before it is with whoever keeps it
            if let Some(memory) = &taken {
                memory.try_resize(RecordBatchMemoryCounter::new().count_batch(&batch).max(decoding))?;
            }
            // files of a table may say different things in their metadata
            Ok(RecordBatch::try_new_with_options(Arc::clone(&schema), batch.columns().to_vec(), &rows)?)
        };
        // decoding is work, and is done on the thread of the partition
        let batches = std::iter::from_fn(move || {
            if let Some(memory) = memory.as_ref().filter(|memory| memory.size() == 0)
                && let Err(e) = memory.try_resize(decoding)
            {
                return Some(Err(e));
            }
            decoded.next().map(&batch)
        });
        Ok(Box::pin(async move { Ok(yielding(batches).boxed()) }))
    }
}
