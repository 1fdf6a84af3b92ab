//! The query of a session that is answered now, and what ends it.

use crate::stoppable::{Flag, Limit, stoppable};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use std::sync::{Arc, Mutex, PoisonError};

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
        let mut flag = self.flag();
        *flag = flag.limited(limit);
    }

    /// Cancels the query that began last.
    pub(crate) fn stop(&self) {
        self.flag().cancel();
    }

    /// Whether the query that is answered now is to end.
    pub(crate) fn current(&self) -> Flag {
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
        stoppable(plan, &self.stop.current())
    }
}
