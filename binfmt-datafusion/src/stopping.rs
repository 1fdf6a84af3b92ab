//! Plans that look whether their query was cancelled, or takes longer than it may.
//!
//! The engine ends a query that is dropped where it waits for something, which a join of many rows may not do for minutes. So each step of
//! a plan looks before each batch, and a join before it looks at a condition.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, FieldRef, Schema};
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{ColumnarValue, LogicalPlan};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether a query is to end.
#[derive(Clone, Debug, Default)]
struct Flag {
    is_cancelled: Arc<AtomicBool>,
    limit: Option<Limit>,
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

/// What cancels the query of a session that is answered now.
#[derive(Debug, Default)]
pub(crate) struct Stop(Mutex<Flag>);

impl Stop {
    fn flag(&self) -> std::sync::MutexGuard<'_, Flag> {
        // it is whole after every call
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another query begins: those before it stay cancelled if they were.
    pub(crate) fn begin(&self) {
        *self.flag() = Flag::default();
    }

    /// Limits the queries that begin from now on.
    pub(crate) fn limit(&self, limit: Option<Limit>) {
        self.flag().limit = limit;
    }

    /// Cancels the query that began last.
    pub(crate) fn stop(&self) {
        self.flag().is_cancelled.store(true, Ordering::Relaxed);
    }

    fn current(&self) -> Flag {
        self.flag().clone()
    }
}

/// That of a session, which it has if its plans look at it.
pub(crate) fn of(context: &SessionContext) -> Option<Arc<Stop>> {
    context.copied_config().get_extension()
}

/// The session, whose plans look whether their query was cancelled.
pub(crate) fn with_stop(context: SessionContext) -> SessionContext {
    let stop = Arc::<Stop>::default();
    let state = context.state();
    let planner = Planner { inner: Arc::clone(state.query_planner()), stop: Arc::clone(&stop) };
    let config = state.config().clone().with_extension(stop);
    let state = context.into_state_builder().with_config(config).with_query_planner(Arc::new(planner));
    SessionContext::new_with_state(state.build())
}

#[derive(Debug)]
struct Planner {
    inner: Arc<dyn QueryPlanner + Send + Sync>,
    stop: Arc<Stop>,
}

#[async_trait::async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.inner.create_physical_plan(plan, session).await?;
        // what is measured is shown
        if plan.downcast_ref::<AnalyzeExec>().is_some() {
            return Ok(plan);
        }
        let flag = self.stop.current();
        let step = |plan: Arc<dyn ExecutionPlan>| {
            let plan = looking(plan, &flag)?;
            Ok(Transformed::yes(Arc::new(Step { plan, flag: flag.clone() }) as Arc<dyn ExecutionPlan>))
        };
        Ok(plan.transform_up(step)?.data)
    }
}

fn cancelled(flag: &Flag) -> Result<()> {
    match flag.limit {
        _ if flag.is_cancelled.load(Ordering::Relaxed) => {
            Err(DataFusionError::Execution("cancelled".to_owned()))
        }
        Some(limit) if limit.end <= Instant::now() => Err(limit.passed()),
        _ => Ok(()),
    }
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

/// A step of a plan that looks before each batch.
#[derive(Debug)]
struct Step {
    plan: Arc<dyn ExecutionPlan>,
    flag: Flag,
}

impl DisplayAs for Step {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt_as(how, f)
    }
}

impl ExecutionPlan for Step {
    fn name(&self) -> &'static str {
        "Step"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.plan]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match children.pop() {
            Some(plan) => Ok(Arc::new(Step { plan, flag: self.flag.clone() })),
            None => Err(DataFusionError::Internal("a step has one plan".to_owned())),
        }
    }

    fn execute(&self, partition: usize, task: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (rows, flag) = (self.plan.execute(partition, task)?, self.flag.clone());
        let schema = rows.schema();
        let rows = rows.map(move |batch| cancelled(&flag).and(batch));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
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
        cancelled(&self.flag)?;
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
