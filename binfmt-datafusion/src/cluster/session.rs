//! Sessions whose queries a cluster answers.

use crate::cluster::again::Planner;
use crate::cluster::codec::{LogicalCodec, PhysicalCodec};
use crate::cluster::dotted::Dotted;
use crate::wrong;
use ballista_core::extension::{SessionConfigExt, SessionStateExt};
use ballista_core::utils::default_session_builder;
use datafusion::common::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// A configuration of DataFusion with what a cluster needs: Ballista's settings, and the codecs of this crate.
///
/// ```
/// use datafusion::prelude::SessionConfig;
/// let config = binfmt_datafusion::cluster::config(SessionConfig::new().with_target_partitions(8));
/// assert_eq!(config.target_partitions(), 8);
/// ```
pub fn config(config: SessionConfig) -> SessionConfig {
    let config = config.upgrade_for_ballista();
    let config = config.with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()));
    config.with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()))
}

/// What the configuration of a session has whose queries a cluster answers.
struct Cluster;

/// An error of a statement that needs the rows here, of a session whose queries a cluster answers.
///
/// # Errors
/// It is one.
pub(crate) fn check(context: &SessionContext, plan: &LogicalPlan) -> Result<()> {
    match plan {
        LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(_))
            if context.copied_config().get_extension::<Cluster>().is_some() =>
        {
            Err(wrong(
                "CREATE TABLE is not supported with --cluster: its rows would be on this machine alone; CREATE VIEW gives the query a name, and COPY (SELECT ..) TO 'x.parquet' or --output writes its rows",
            ))
        }
        _ => Ok(()),
    }
}

/// A session whose queries the scheduler at an address answers, with files of all formats. Nothing is sent before the first query.
///
/// `target_partitions` of the configuration is in how many parts files are read: as many as the executors have cores together, at
/// least.
///
/// ```no_run
/// use datafusion::prelude::SessionConfig;
/// let context = binfmt_datafusion::cluster::connect("scheduler:50050", SessionConfig::new())?;
/// # Ok::<(), datafusion::common::DataFusionError>(())
/// ```
///
/// # Errors
/// The session cannot be set up.
pub fn connect(scheduler: &str, how: SessionConfig) -> Result<SessionContext> {
    let state = default_session_builder(config(how).with_extension(Arc::new(Cluster)))?;
    let state = state.upgrade_for_ballista(format!("http://{scheduler}"))?;
    let planner = Planner(Arc::clone(state.query_planner()));
    let state = SessionStateBuilder::new_from_existing(state).with_query_planner(Arc::new(planner)).build();
    let context = crate::with_formats(SessionContext::new_with_state(state));
    context.state_ref().write().register_relation_planner(Arc::new(Dotted::default()))?;
    Ok(context)
}
