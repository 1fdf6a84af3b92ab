//! Plans that look whether their query was cancelled, or takes longer than it may.
//!
//! The engine ends a query that is dropped where it waits for something, which a join of many rows may not do for minutes. So each step of
//! a plan looks before each batch, and a join before it looks at a condition.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, FieldRef, Schema, SchemaRef};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder};
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::StreamExt;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Whether a query is to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flag {
    is_cancelled: Arc<AtomicBool>,
    cancelled: Arc<Notify>,
    limit: Option<Limit>,
}

impl Flag {
    /// The same query, which may take that long.
    pub(crate) fn limited(&self, limit: Option<Limit>) -> Self {
        Flag { limit, ..self.clone() }
    }

    /// Cancels the query.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.cancelled.notify_one();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Waits until the query is cancelled.
    pub(crate) async fn cancelled(&self) {
        self.cancelled.notified().await;
    }

    /// # Errors
    /// The query is to end.
    pub(crate) fn look(&self) -> Result<()> {
        match self.limit {
            _ if self.is_cancelled() => Err(DataFusionError::Execution("cancelled".to_owned())),
            Some(limit) if limit.end <= Instant::now() => Err(limit.passed()),
            _ => Ok(()),
        }
    }
}

/// How long a query may take, and until when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) time: Duration,
    end: Instant,
}

impl Limit {
    /// From now on.
    pub(crate) fn of(time: Duration) -> Self {
        // what no clock counts is no limit that is ever reached
        let end = Instant::now().checked_add(time).unwrap_or_else(|| Instant::now() + FOR_EVER);
        Limit { time, end }
    }

    /// What is said of a query that took longer.
    pub(crate) fn passed(self) -> DataFusionError {
        let seconds = self.time.as_secs();
        let unit = if seconds == 1 { "second" } else { "seconds" };
        DataFusionError::Execution(format!("the query took longer than {seconds} {unit} (--timeout)"))
    }
}

/// Some years.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// The plan, each step of which looks. It looks the same, and has the same number of steps.
pub(crate) fn stoppable(plan: Arc<dyn ExecutionPlan>, flag: &Flag) -> Result<Arc<dyn ExecutionPlan>> {
    let step = |node: Arc<dyn ExecutionPlan>| {
        let (node, flag) = (looking(node, flag)?, flag.clone());
        Ok(Transformed::yes(Arc::new(Step { node, flag }) as Arc<dyn ExecutionPlan>))
    };
    Ok(plan.transform_up(step)?.data)
}

/// A join whose condition looks, too: one that no rows fulfil gives no batches.
fn looking(plan: Arc<dyn ExecutionPlan>, flag: &Flag) -> Result<Arc<dyn ExecutionPlan>> {
    let looking = |filter: &JoinFilter| {
        let condition = Condition { inner: Arc::clone(filter.expression()), flag: flag.clone() };
        JoinFilter::new(Arc::new(condition), filter.column_indices().to_vec(), Arc::clone(filter.schema()))
    };
    if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>()
        && let Some(filter) = join.filter()
    {
        return Ok(Arc::new(
            NestedLoopJoinExecBuilder::from(join).with_filter(Some(looking(filter))).build()?,
        ));
    }
    if let Some(join) = plan.downcast_ref::<HashJoinExec>()
        && let Some(filter) = join.filter()
    {
        return join.builder().with_filter(Some(looking(filter))).build_exec();
    }
    Ok(plan)
}

/// A step of a plan that looks before each batch, and gives others their turn after some.
#[derive(Debug)]
struct Step {
    node: Arc<dyn ExecutionPlan>,
    flag: Flag,
}

impl Step {
    fn of(&self, node: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(Step { node, flag: self.flag.clone() })
    }
}

impl DisplayAs for Step {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt_as(how, f)
    }
}

impl ExecutionPlan for Step {
    fn name(&self) -> &str {
        self.node.name()
    }

    fn downcast_delegate(&self) -> Option<&dyn ExecutionPlan> {
        Some(&*self.node)
    }

    fn schema(&self) -> SchemaRef {
        self.node.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.node.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.node.maintains_input_order()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.node.children()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.node.apply_expressions(f)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self.of(Arc::clone(&self.node).replace_children(children, options)?))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self.of(Arc::clone(&self.node).reset_state()?))
    }

    /// A recursive query gives the table of its last rows to the step that reads it in this way.
    fn with_new_state(&self, state: Arc<dyn Any + Send + Sync>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(self.of(self.node.with_new_state(state)?))
    }

    fn dynamic_expressions_produced(&self) -> Vec<Arc<dyn PhysicalExpr>> {
        self.node.dynamic_expressions_produced()
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (batches, flag) = (make_cooperative(self.node.execute(partition, context)?), self.flag.clone());
        let batches = batches.map(move |batch| flag.look().and(batch));
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.node.metrics()
    }
}

/// A condition that looks before it is looked at.
#[derive(Debug)]
struct Condition {
    inner: Arc<dyn PhysicalExpr>,
    flag: Flag,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.inner.eq(&other.inner)
    }
}

impl Eq for Condition {}

impl Hash for Condition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PhysicalExpr for Condition {
    fn data_type(&self, schema: &Schema) -> Result<DataType> {
        self.inner.data_type(schema)
    }

    fn nullable(&self, schema: &Schema) -> Result<bool> {
        self.inner.nullable(schema)
    }

    fn return_field(&self, schema: &Schema) -> Result<FieldRef> {
        self.inner.return_field(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        self.flag.look()?;
        self.inner.evaluate(batch)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.inner]
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        match children.pop() {
            Some(inner) => Ok(Arc::new(Condition { inner, flag: self.flag.clone() })),
            None => Err(DataFusionError::Internal("a condition is one expression".to_owned())),
        }
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_sql(f)
    }
}
