//! The executors of a scheduler, as Ballista asks for them.

use crate::cluster::oversight::Oversight;
use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::ExecutorHeartbeat;
use ballista_core::serde::protobuf::executor_status::Status;
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::memory::InMemoryClusterState;
use ballista_scheduler::cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::state::task_manager::JobInfoCache;
use log::info;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Those that Ballista keeps, under oversight.
pub(super) struct Executors(pub(super) Arc<Oversight>);

#[async_trait]
impl ClusterState for Executors {
    async fn init(&self) -> Result<()> {
        self.0.executors.init().await
    }

    /// Tasks for executors that are not at work: what runs is counted each time. A count that is kept loses those that a job takes with it.
    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        let mut busy: HashMap<String, u32> = HashMap::new();
        for job in jobs.values() {
            let graph = job.execution_graph.read().await;
            for task in graph.running_tasks() {
                let cores = graph.task_vcores(task.stage_id, task.task_id).unwrap_or(1);
                *busy.entry(task.executor_id).or_default() += cores;
            }
        }
        let free = InMemoryClusterState::default();
        for executor in self.0.executors.registered_executor_metadata().await {
            let may = executors.as_ref().is_none_or(|ids| ids.contains(&executor.id));
            if !may || self.0.has_left(&executor.id) || self.0.is_gone(&executor.id) {
                continue;
            }
            let all = executor.specification.vcores;
            let left = all.saturating_sub(busy.get(&executor.id).copied().unwrap_or(0));
            let id = executor.id.clone();
            let data = ExecutorData { executor_id: id, total_vcores: all, available_vcores: left };
            free.register_executor(executor, data).await?;
        }
        let bound = free.bind_schedulable_tasks(distribution, jobs, None).await?;
        let mut told: BTreeMap<(String, usize, &str), usize> = BTreeMap::new();
        for (executor, task) in &bound {
            let key = (task.key.job_id.to_string(), task.key.stage_id, executor.as_str());
            *told.entry(key).or_default() += 1;
        }
        for ((job, stage, id), tasks) in told {
            let executor = free.get_executor_metadata(id).await?;
            info!("job {job}, stage {stage}: {tasks} tasks to executor {}:{}", executor.host, executor.port);
        }
        Ok(bound)
    }

    async fn unbind_tasks(&self, _: Vec<ExecutorSlot>) -> Result<()> {
        Ok(())
    }

    async fn register_executor(&self, metadata: ExecutorMetadata, data: ExecutorData) -> Result<()> {
        if self.0.has_left(&metadata.id) {
            return Err(format!("executor {} has said goodbye", metadata.id).into());
        }
        self.0.executors.register_executor(metadata.clone(), data).await?;
        self.0.joined(&metadata).await;
        Ok(())
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.0.executors.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, id: &str) -> Result<ExecutorMetadata> {
        self.0.executors.get_executor_metadata(id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.0.executors.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        let status = heartbeat.status.as_ref().and_then(|status| status.status.as_ref());
        if matches!(status, Some(Status::Terminating(_))) {
            self.0.leaves(&heartbeat.executor_id);
        }
        self.0.executors.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, id: &str) -> Result<()> {
        let executor = self.0.executors.get_executor_metadata(id).await;
        self.0.executors.remove_executor(id).await?;
        // before Ballista hears of it and rolls the jobs back
        if let Ok(executor) = executor {
            self.0.lost(&executor).await;
        }
        Ok(())
    }

    /// One that is gone was last heard long ago, so that Ballista removes it.
    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        let mut all = self.0.executors.executor_heartbeats();
        for (id, heartbeat) in &mut all {
            if self.0.is_gone(id) {
                heartbeat.timestamp = 0;
            }
        }
        all
    }

    fn get_executor_heartbeat(&self, id: &str) -> Option<ExecutorHeartbeat> {
        self.0.executors.get_executor_heartbeat(id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.0.executors.cluster_state_events().await
    }
}
