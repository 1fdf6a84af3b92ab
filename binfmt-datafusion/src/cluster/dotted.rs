//! Names of files in plans that travel.

use datafusion::common::{Result, TableReference};
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use datafusion::sql::sqlparser::ast::TableFactor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Gives files a folder in their names: `run0.sdds` without one is, for the engine's way of sending columns, the table `sdds` of a schema
/// `run0`.
#[derive(Debug, Default)]
pub(super) struct Dotted {
    /// Whether a table is being planned: the way to its plan leads here again.
    is_busy: AtomicBool,
}

impl RelationPlanner for Dotted {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let is_plain = matches!(&relation, TableFactor::Table { alias: None, args: None, .. });
        if !is_plain || self.is_busy.swap(true, Ordering::Relaxed) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        let planned = context.plan(relation);
        self.is_busy.store(false, Ordering::Relaxed);
        let mut plan = planned?;
        if let LogicalPlan::TableScan(scan) = &plan
            && let TableReference::Bare { table } = &scan.table_name
            && !matches!(TableReference::parse_str(table), TableReference::Bare { .. })
        {
            let name = TableReference::bare(format!("./{table}"));
            plan = LogicalPlanBuilder::scan(name, Arc::clone(&scan.source), None)?.build()?;
        }
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
    }
}
