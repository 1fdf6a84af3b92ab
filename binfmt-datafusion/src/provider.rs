//! Files as a table of DataFusion.

use crate::files::{File, Files};
use crate::folders::Folders;
use crate::opening::Opening;
use crate::outside;
use crate::ranges::ranges;
use crate::scan::{Part, Scan, plan};
use crate::statistics::statistics;
use async_trait::async_trait;
use binfmt::table::{ScalarRange, Table, Wanted, keys};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use std::cmp::Reverse;
use std::sync::Arc;

/// Files of one format, with the same columns, as a table.
///
/// ```no_run
/// # async fn run() -> datafusion::common::Result<()> {
/// use binfmt_datafusion::Opening;
/// use datafusion::prelude::SessionContext;
/// use std::sync::Arc;
/// let context = SessionContext::new();
/// context.register_table("runs", Arc::new(Opening::new("run*.sdds").table()?))?;
/// context.sql("SELECT count(*) FROM runs").await?.show().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct BinfmtTable {
    files: Arc<Files>,
    folders: Folders,
    schema: TableSchema,
}

impl BinfmtTable {
    pub(crate) fn new(opening: Opening, tables: Vec<(String, Arc<dyn Table>)>) -> Result<Self> {
        let file = |(name, table)| Ok((name, File::new(&opening, table)?));
        let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
        let files = tables.into_iter().map(file).collect::<Result<_>>()?;
        let files = Arc::new(Files::opened(opening, files)?);
        let folders = Folders::new(&files.opening().paths, &names, files.schema())?;
        let folders = match files.opening().file_names {
            true => folders.with_files(&names, files.schema()),
            false => folders,
        };
        let schema = TableSchema::builder(Arc::clone(files.schema()));
        let schema = schema.with_table_partition_cols(folders.fields.clone()).build();
        Ok(BinfmtTable { files, folders, schema })
    }

    /// How the files were opened.
    ///
    /// ```no_run
    /// let table = binfmt_datafusion::Opening::new("run*.sdds").table()?;
    /// assert_eq!(table.opening().paths, ["run*.sdds"]);
    /// # Ok::<(), datafusion::common::DataFusionError>(())
    /// ```
    pub fn opening(&self) -> &Opening {
        self.files.opening()
    }

    /// The same with a column that a setting adds; `None` if it is there, or if nothing of the files' format adds it.
    pub(crate) fn with_added(&self, column: &str, setting: &str) -> Option<BinfmtTable> {
        let is_there = self.schema.table_schema().field_with_name(column).is_ok();
        let format = self.format();
        let format = binfmt::FORMATS.iter().find(|known| Some(known.name()) == format.as_deref());
        let is_known = setting == FILE_NAMES
            || format.is_some_and(|format| format.settings().iter().any(|known| known.name == setting));
        let table = (!is_there && is_known).then(|| self.opening().clone().with(setting, "true").table())?;
        // that it cannot be added is told of the column
        table.ok().filter(|table| table.schema().field_with_name(column).is_ok())
    }

    /// The name of the format.
    pub(crate) fn format(&self) -> Option<String> {
        let of_first = || self.files.all().next()?.1.table.schema().get(keys::FORMAT).map(str::to_owned);
        self.opening().format.clone().or_else(of_first)
    }

    /// What filters say of the columns.
    fn ranges<'a>(&self, filters: impl IntoIterator<Item = &'a Expr>) -> Vec<(usize, ScalarRange)> {
        let first = self.files.all().next();
        first.map_or_else(Vec::new, |(_, file)| ranges(&file.mapping, self.opening().texts, filters))
    }
}

/// The setting of all formats that adds the names of the files.
const FILE_NAMES: &str = "file_names";

/// How much work a split is, beside others: its bytes if all know theirs, else its rows.
fn weights(parts: &[Part]) -> Vec<u64> {
    let bytes = |part: &Part| match part.split.bytes.end {
        u64::MAX => None,
        end => Some(end.saturating_sub(part.split.bytes.start)),
    };
    let bytes: Option<Vec<u64>> = parts.iter().map(bytes).collect();
    bytes.unwrap_or_else(|| parts.iter().map(|part| part.split.num_rows.guess().unwrap_or(1)).collect())
}

/// Splits in groups of about the same work, the largest first; those of a group in their order.
fn groups(parts: Vec<Part>, most: usize) -> Vec<Vec<Part>> {
    let count = most.min(parts.len()).max(1);
    let mut weighed: Vec<(u64, Part)> = weights(&parts).into_iter().map(|n| n.max(1)).zip(parts).collect();
    weighed.sort_by_key(|(weight, _)| Reverse(*weight));
    let mut groups: Vec<(u64, Vec<Part>)> = vec![(0, Vec::new()); count];
    for (weight, part) in weighed {
        if let Some((sum, group)) = groups.iter_mut().min_by_key(|(sum, _)| *sum) {
            *sum = sum.saturating_add(weight);
            group.push(part);
        }
    }
    let place = |part: &Part| (part.file, part.split.part, part.split.rows.start);
    groups.iter_mut().for_each(|(_, group)| group.sort_by_key(place));
    groups.into_iter().map(|(_, group)| group).collect()
}

#[async_trait]
impl TableProvider for BinfmtTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.schema.table_schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // what cannot match is left out where that is cheap; the engine looks again
        let said = filters.iter().map(|filter| match self.ranges([*filter]).is_empty() {
            _ if self.folders.decide(filter) => TableProviderFilterPushDown::Exact,
            true => TableProviderFilterPushDown::Unsupported,
            false => TableProviderFilterPushDown::Inexact,
        });
        Ok(said.collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(statistics(&self.files, &self.schema, true, |_| true))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut wanted = Wanted::new().batch_rows(state.config().batch_size());
        wanted.ranges = self.ranges(filters);
        wanted.limit = limit.map(|rows| rows as u64);
        let partitions = state.config().target_partitions();
        let left = self.folders.left(state, filters)?;
        let is_left = |file: usize| left.get(file) == Some(&true);
        let each = partitions.div_ceil(left.iter().filter(|left| **left).count().max(1)).max(1);
        let mut parts = Vec::new();
        for (file, opened) in self.files.all().filter(|(file, _)| is_left(*file)) {
            let splits = opened.table.splits(&wanted, each).map_err(outside)?;
            parts.extend(splits.into_iter().map(|split| Part { file, split }));
        }
        let groups = groups(parts, partitions);
        let all = wanted.ranges.is_empty() && limit.is_none();
        let statistics = statistics(&self.files, &self.schema, all, is_left);
        let scan = Scan::new(Arc::clone(&self.files), wanted, &groups, self.schema.clone())
            .in_memory(&state.runtime_env().memory_pool);
        plan(scan, &groups, &self.folders.values, statistics, projection, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binfmt::table::{Estimate, Split};

    fn files(splits: impl IntoIterator<Item = Split>, most: usize) -> Vec<Vec<usize>> {
        let parts = splits.into_iter().enumerate().map(|(file, split)| Part { file, split });
        let numbers = |group: Vec<Part>| group.iter().map(|part| part.file).collect();
        groups(parts.collect(), most).into_iter().map(numbers).collect()
    }

    #[test]
    fn groups_are_of_the_same_work() {
        let bytes = |n: u64| Split { bytes: 10..10 + n, ..Split::default() };
        assert_eq!(files([1, 2, 3, 6, 90].map(bytes), 2), [vec![4], vec![0, 1, 2, 3]]);
        let rows = |n: u64| Split { num_rows: Estimate::About(n), ..Split::default() };
        assert_eq!(files([50, 20, 40, 20].map(rows), 2), [vec![0, 3], vec![1, 2]]);
        // of one the bytes are not known: rows are
        let mixed = [Split { num_rows: Estimate::Exact(9), ..bytes(1) }, rows(4), rows(5)];
        assert_eq!(files(mixed, 2), [vec![0], vec![1, 2]]);
        assert_eq!(files([Split::default(), Split::default(), Split::default()], 2), [vec![0, 2], vec![1]]);
        assert_eq!(files([], 2), [Vec::<usize>::new()]);
    }
}
