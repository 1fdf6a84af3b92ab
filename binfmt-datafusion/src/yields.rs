//! Joins that let go of their thread from time to time, so that a query can be ended in the middle of one.
//!
//! The engine yields where rows are read. A join that makes thousands of rows of each that it reads does not come there for minutes.

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, exec_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::StreamExt;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The last rule for plans that run here.
#[derive(Debug)]
pub(crate) struct Yields;

impl PhysicalOptimizerRule for Yields {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        yielding(plan)
    }

    fn name(&self) -> &str {
        "yields"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The plan whose operators that make many rows of one yield. It looks the same, and has the same number of operators.
pub(crate) fn yielding(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let wrap = |node: Arc<dyn ExecutionPlan>| {
        let any: &dyn Any = &*node;
        let multiplies = node.children().len() > 1 || node.is::<UnnestExec>();
        Ok(match multiplies && !any.is::<Yielding>() {
            true => Transformed::yes(Arc::new(Yielding { node, ended: None }) as Arc<dyn ExecutionPlan>),
            false => Transformed::no(node),
        })
    };
    plan.transform_up(wrap).map(|changed| changed.data)
}

/// The plan of a task whose operators below its root yield, and end with an error once the task has ended.
#[cfg(feature = "ballista")]
pub(crate) fn stoppable(
    plan: Arc<dyn ExecutionPlan>,
    ended: &Arc<AtomicBool>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let wrap = |node: Arc<dyn ExecutionPlan>| {
        let ended = Some(Arc::clone(ended));
        Ok(Transformed::yes(Arc::new(Yielding { node, ended }) as Arc<dyn ExecutionPlan>))
    };
    let below =
        |child: &&Arc<dyn ExecutionPlan>| Arc::clone(child).transform_up(wrap).map(|changed| changed.data);
    let children: Vec<_> = plan.children().iter().map(below).collect::<Result<_>>()?;
    plan.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
}

/// An operator, after so many batches of which others have their turn.
#[derive(Debug)]
struct Yielding {
    node: Arc<dyn ExecutionPlan>,
    /// Whether the task has ended that it is of.
    ended: Option<Arc<AtomicBool>>,
}

impl Yielding {
    fn of(&self, node: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(Yielding { node, ended: self.ended.clone() })
    }
}

impl DisplayAs for Yielding {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt_as(how, f)
    }
}

impl ExecutionPlan for Yielding {
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

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let batches = make_cooperative(self.node.execute(partition, context)?);
        let Some(ended) = self.ended.clone() else { return Ok(batches) };
        let batches = batches.map(move |batch| match ended.load(Ordering::Relaxed) {
            true => exec_err!("the task has ended"),
            false => batch,
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.node.metrics()
    }
}
