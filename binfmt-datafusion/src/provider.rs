//! Files as a table of DataFusion.

use crate::opening::Opening;
use crate::ranges::ranges;
use crate::scan::{Part, Scan, plan};
use crate::statistics::statistics;
use crate::{outside, wrong};
use async_trait::async_trait;
use binfmt::table::{Table, Wanted};
use binfmt_arrow::{Choices, Conversion, Mapping};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, Statistics};
use datafusion::datasource::TableType;
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
    opening: Opening,
    files: Arc<Vec<File>>,
}

/// A file with its way to Arrow.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) table: Arc<dyn Table>,
    pub(crate) mapping: Mapping,
}

impl BinfmtTable {
    pub(crate) fn new(opening: Opening, tables: Vec<(String, Arc<dyn Table>)>) -> Result<Self> {
        let how = Conversion::new()
            .choices(Choices::Struct)
            .missing_codes(opening.missing_codes)
            .texts(opening.texts);
        let mut files: Vec<File> = Vec::with_capacity(tables.len());
        for (name, table) in tables {
            let mapping = Mapping::of_table(table.schema(), &how).map_err(outside)?;
            if let Some(first) = files.first() {
                alike(first, &name, mapping.arrow_schema())?;
            }
            files.push(File { name, table, mapping });
        }
        if files.is_empty() {
            return Err(wrong("which file?"));
        }
        Ok(BinfmtTable { opening, files: Arc::new(files) })
    }

    /// How the files were opened.
    ///
    /// ```no_run
    /// let table = binfmt_datafusion::Opening::new("run*.sdds").table()?;
    /// assert_eq!(table.opening().paths, ["run*.sdds"]);
    /// # Ok::<(), datafusion::common::DataFusionError>(())
    /// ```
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    fn first(&self) -> &Mapping {
        // there is one
        &self.files[0].mapping
    }
}

/// Files of one table have the same columns.
fn alike(first: &File, name: &str, found: &SchemaRef) -> Result<()> {
    let expected = first.mapping.arrow_schema();
    let (a, b) = (expected.fields(), found.fields());
    let place = (0..a.len().max(b.len())).find(|i| match (a.get(*i), b.get(*i)) {
        (Some(a), Some(b)) => {
            a.name() != b.name() || a.data_type() != b.data_type() || a.is_nullable() != b.is_nullable()
        }
        _ => true,
    });
    let Some(place) = place else { return Ok(()) };
    let said = |fields: &datafusion::arrow::datatypes::Fields| match fields.get(place) {
        Some(field) => format!("`{}` of type {}", field.name(), field.data_type()),
        None => "nothing".to_owned(),
    };
    Err(wrong(format!(
        "{name} has other columns than {}: column {place} is {}, and there {}",
        first.name,
        said(b),
        said(a)
    )))
}

/// Splits in groups of about the same number of bytes or rows, the largest first; those of a group in their order.
fn groups(mut parts: Vec<Part>, most: usize) -> Vec<Vec<Part>> {
    let count = most.min(parts.len()).max(1);
    let weight = |part: &Part| part.split.num_rows.guess().unwrap_or(1).max(1);
    parts.sort_by_key(|part| Reverse(weight(part)));
    let mut groups: Vec<(u64, Vec<Part>)> = vec![(0, Vec::new()); count];
    for part in parts {
        if let Some((sum, group)) = groups.iter_mut().min_by_key(|(sum, _)| *sum) {
            *sum = sum.saturating_add(weight(&part));
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
        Arc::clone(self.first().arrow_schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // what cannot match is left out where that is cheap; the engine looks again
        let said = filters.iter().map(|filter| {
            match ranges(self.first(), self.opening.texts, [*filter]).is_empty() {
                true => TableProviderFilterPushDown::Unsupported,
                false => TableProviderFilterPushDown::Inexact,
            }
        });
        Ok(said.collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(statistics(&self.files, true))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut wanted = Wanted::new().batch_rows(state.config().batch_size());
        wanted.ranges = ranges(self.first(), self.opening.texts, filters);
        wanted.limit = limit.map(|rows| rows as u64);
        let partitions = state.config().target_partitions();
        let each = partitions.div_ceil(self.files.len()).max(1);
        let mut parts = Vec::new();
        for (file, File { table, .. }) in self.files.iter().enumerate() {
            let splits = table.splits(&wanted, each).map_err(outside)?;
            parts.extend(splits.into_iter().map(|split| Part { file, split }));
        }
        let groups = groups(parts, partitions);
        let statistics = statistics(&self.files, wanted.ranges.is_empty() && limit.is_none());
        let scan = Scan::new(self.opening.clone(), Arc::clone(&self.files), wanted, &groups);
        plan(scan, &groups, statistics, projection, limit)
    }
}
