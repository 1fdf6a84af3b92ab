//! What runs the tasks of an executor: Ballista's engine, whose tasks end when they are told to.
//!
//! Ballista stops waiting for a task that is cancelled, and the rows go on being made. Here each operator looks whether the task is
//! still waited for.

use crate::stoppable::{Flag, stoppable};
use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::serde::protobuf::{
    RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_core::utils::GrpcClientConfig;
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use datafusion::common::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};
use datafusion::prelude::SessionConfig;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a connection to another executor is kept that is not used.
const KEPT: Duration = Duration::from_secs(30);

/// Ballista's, with connections that are kept.
pub(super) struct Engine(DefaultExecutionEngine);

impl Engine {
    pub(super) fn new() -> Self {
        Engine(DefaultExecutionEngine::with_client_pool(Arc::new(Connections::default())))
    }
}

impl ExecutionEngine for Engine {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        outputs: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let flag = Flag::default();
        // its root is Ballista's, which asks for it by its type
        let below = plan.children().into_iter().map(|child| stoppable(Arc::clone(child), &flag));
        let below = below.collect::<Result<Vec<_>>>()?;
        let recompute = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        let plan = plan.replace_children(below, recompute)?;
        let task = self.0.create_query_stage_exec(job, stage, task, outputs, plan, work_dir, config)?;
        Ok(Arc::new(Task { task, flag }))
    }
}

/// A task, and whether nothing waits for it any more.
#[derive(Debug)]
struct Task {
    task: Arc<dyn QueryStageExecutor>,
    flag: Flag,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.task.fmt(f)
    }
}

/// Ends a task when the future that waits for it is dropped.
struct Ends(Flag);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[async_trait]
impl QueryStageExecutor for Task {
    async fn execute_query_stage(
        &self,
        task: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        let _ends = Ends(self.flag.clone());
        self.task.execute_query_stage(task, context).await
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.task.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.task.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.task.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.task.collect_column_stats()
    }
}

type Way = (String, u16, GrpcClientConfig);
type Idle = HashMap<Way, Vec<(BallistaClient, Instant)>>;

/// Connections to other executors that nothing uses at the moment.
#[derive(Default)]
struct Connections(Arc<Mutex<Idle>>);

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connections")
    }
}

fn forget_old(idle: &mut Idle) {
    idle.retain(|_, kept| {
        kept.retain(|(_, since)| since.elapsed() < KEPT);
        !kept.is_empty()
    });
}

#[async_trait]
impl BallistaClientPool for Connections {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customize: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> ballista_core::error::Result<PooledClient> {
        let way = (host.to_owned(), port, config.clone());
        let kept = {
            let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            forget_old(&mut idle);
            idle.get_mut(&way).and_then(Vec::pop)
        };
        let client = match kept {
            Some((client, _)) => client,
            None => {
                BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    config.use_tls,
                    customize,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    config.initial_connection_window_size,
                    config.initial_stream_window_size,
                )
                .await?
            }
        };
        let idle = Arc::clone(&self.0);
        let back = move |client| {
            let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.entry(way).or_default().push((client, Instant::now()));
        };
        Ok(PooledClient::new(client, Box::new(back)))
    }

    async fn evict_idle(&self) {
        forget_old(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
