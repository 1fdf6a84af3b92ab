//! Joins that let go of their thread from time to time, so that a query can be ended in the middle of one.
//!
//! The engine yields where rows are read. A join that makes thousands of rows of each that it reads does not come there for minutes.

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The plan whose operators that make many rows of one yield. It looks the same, and has the same number of operators.
pub(crate) fn yielding(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let wrap = |node: Arc<dyn ExecutionPlan>| {
        let any: &dyn Any = &*node;
        let multiplies = node.children().len() > 1 || node.is::<UnnestExec>();
        Ok(match multiplies && !any.is::<Yielding>() {
            true => Transformed::yes(Arc::new(Yielding(node)) as Arc<dyn ExecutionPlan>),
            false => Transformed::no(node),
        })
    };
    plan.transform_up(wrap).map(|changed| changed.data)
}

/// An operator, after so many batches of which others have their turn.
#[derive(Debug)]
struct Yielding(Arc<dyn ExecutionPlan>);

impl DisplayAs for Yielding {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt_as(how, f)
    }
}

impl ExecutionPlan for Yielding {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn downcast_delegate(&self) -> Option<&dyn ExecutionPlan> {
        Some(&*self.0)
    }

    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.0.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.0.maintains_input_order()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.0.children()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.0.apply_expressions(f)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Yielding(Arc::clone(&self.0).replace_children(children, options)?)))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Yielding(Arc::clone(&self.0).reset_state()?)))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        Ok(make_cooperative(self.0.execute(partition, context)?))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.0.metrics()
    }
}
