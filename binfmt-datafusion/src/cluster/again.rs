//! Queries that are asked again when an executor was lost on the way to their answers.

use crate::cluster::LOST;
use crate::wrong;
use async_trait::async_trait;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::extension::SessionConfigExt;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion_proto::logical_plan::AsLogicalPlan;
use datafusion_proto::protobuf::LogicalPlanNode;
use datafusion_session::Session;
use futures::{StreamExt, stream};
use prost::Message;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// How often a query is asked at most.
const ATTEMPTS: u32 = 5;
/// Before a query is asked again, for the first time; each later time twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// How large a query may be: what Ballista's schedulers take.
const LARGEST: usize = 16 << 20;

type Query = DistributedQueryExec<LogicalPlanNode>;

/// Ballista's planner of queries for a cluster, whose queries are asked again.
#[derive(Debug)]
pub(super) struct Planner(pub(super) Arc<dyn QueryPlanner + Send + Sync>);

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        query: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if let LogicalPlan::Dml(statement) = query {
            let text = "not supported by a cluster; a file is written by COPY (SELECT ..) TO 'x.parquet', or by --output";
            return Err(wrong(format!("{}: {text}", statement.op.name().to_uppercase())));
        }
        if query.exists(|node| Ok(matches!(node, LogicalPlan::RecursiveQuery(_))))? {
            return Err(wrong(
                "WITH RECURSIVE is not supported by a cluster; without --cluster it is answered",
            ));
        }
        let plan = self.0.create_physical_plan(query, session).await?;
        if plan.downcast_ref::<Query>().is_none() {
            return Ok(plan);
        }
        let writes = matches!(query, LogicalPlan::Copy(_));
        Ok(Arc::new(Asked { plan, query: Arc::new(query.clone()), writes }))
    }
}

/// A query of a cluster.
#[derive(Debug)]
struct Asked {
    plan: Arc<dyn ExecutionPlan>,
    query: Arc<LogicalPlan>,
    /// Whether it writes, so that it is not asked twice.
    writes: bool,
}

impl DisplayAs for Asked {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt_as(how, f)
    }
}

impl ExecutionPlan for Asked {
    fn name(&self) -> &str {
        self.plan.name()
    }

    fn schema(&self) -> SchemaRef {
        self.plan.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let answer = Answer {
            plan: Arc::clone(&self.plan),
            query: Arc::clone(&self.query),
            writes: self.writes,
            batches: Some(self.plan.execute(partition, Arc::clone(&context))?),
            context,
            partition,
            attempt: 1,
            rows: 0,
        };
        let batches = stream::try_unfold(answer, Answer::next);
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.plan.metrics()
    }
}

/// An answer on its way. Dropping it ends the job: the scheduler sees that the client is gone.
struct Answer {
    plan: Arc<dyn ExecutionPlan>,
    query: Arc<LogicalPlan>,
    writes: bool,
    context: Arc<TaskContext>,
    partition: usize,
    batches: Option<SendableRecordBatchStream>,
    attempt: u32,
    /// Rows that have been given out, and cannot be taken back.
    rows: usize,
}

impl Answer {
    async fn next(mut self) -> Result<Option<(RecordBatch, Self)>> {
        loop {
            let mut batches = match self.batches.take() {
                Some(batches) => batches,
                None => self.plan.execute(self.partition, Arc::clone(&self.context))?,
            };
            match batches.next().await {
                None => return Ok(None),
                Some(Ok(batch)) => {
                    self.rows += batch.num_rows();
                    self.batches = Some(batches);
                    return Ok(Some((batch, self)));
                }
                Some(Err(e)) => {
                    self.is_to_be_asked_again(e)?;
                    sleep(PAUSE * 2_u32.pow(self.attempt - 1)).await;
                    self.attempt += 1;
                }
            }
        }
    }

    /// The error, if the query is not to be asked again.
    fn is_to_be_asked_again(&self, e: DataFusionError) -> Result<()> {
        let text = match loss(&e, self.is_accepted()) {
            Ok(text) => text,
            // the scheduler reads no more of it than it takes
            Err(_) if !self.is_accepted() && self.is_too_large() => {
                return Err(wrong(format!(
                    "the query is larger than a cluster takes ({} MiB): a list of so many values is better a file that is joined",
                    LARGEST >> 20
                )));
            }
            // without Ballista's number of the job, which says nothing to a user
            Err(Some(reason)) => return Err(DataFusionError::Execution(reason)),
            Err(None) => return Err(e),
        };
        let more = match self.attempt {
            _ if self.rows > 0 => format!("{} rows of the answer had been given out; ask again", self.rows),
            _ if self.writes => "what it wrote until then is there; look before you ask again".to_owned(),
            ATTEMPTS => format!("it was asked {ATTEMPTS} times"),
            _ => return Ok(()),
        };
        Err(DataFusionError::Execution(format!("{text} ({more})")))
    }

    /// Whether the query is more than a scheduler takes.
    fn is_too_large(&self) -> bool {
        let codec = self.context.session_config().ballista_logical_extension_codec();
        LogicalPlanNode::try_from_logical_plan(&self.query, &*codec)
            .is_ok_and(|query| query.encoded_len() > LARGEST)
    }

    /// Whether the scheduler has taken the query.
    fn is_accepted(&self) -> bool {
        self.plan.downcast_ref::<Query>().is_some_and(|query| query.job_id().is_some())
    }
}

/// How an executor was lost; or, if none was, what the scheduler says of the job, if it says something.
fn loss(e: &DataFusionError, is_accepted: bool) -> Result<String, Option<String>> {
    if let DataFusionError::Execution(text) = e.find_root()
        && text.starts_with("Job ")
        && let Some((_, reason)) = text.split_once(" failed: ")
    {
        return match reason.starts_with(LOST) {
            true => Ok(reason.to_owned()),
            false => Err(Some(reason.to_owned())),
        };
    }
    // what is left is that the answer cannot be fetched, or that the scheduler is gone
    let text = e.to_string();
    let is_broken = ["h2 protocol error", "tonic::transport::Error("].iter().any(|word| text.contains(word));
    match is_accepted {
        true if is_broken => Ok(format!("{LOST}the connection to the scheduler or to an executor broke")),
        true => Ok(format!("{LOST}{text}")),
        // before the first word of the scheduler: one that was reached
        false if text.contains("h2 protocol error") => {
            Err(Some("the connection to the scheduler broke; ask again".to_owned()))
        }
        false => Err(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_told_from_mistakes() {
        let failed = |text: &str| DataFusionError::Execution(format!("Job 01J failed: {text}"));
        let lost = format!("{LOST}executor node1:50051 is gone");
        assert_eq!(loss(&failed(&lost), true), Ok(lost));
        assert_eq!(
            loss(&failed("a.bin: 3 bytes remain"), true),
            Err(Some("a.bin: 3 bytes remain".to_owned()))
        );
        let fetch = DataFusionError::Execution("connection refused".to_owned());
        assert!(loss(&fetch, true).is_ok_and(|text| text.starts_with(LOST)));
        assert_eq!(loss(&fetch, false), Err(None));
    }
}
