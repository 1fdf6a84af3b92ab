//! The jobs of a scheduler, as Ballista asks for them.

use crate::cluster::oversight::Oversight;
use async_trait::async_trait;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::JobStatus;
use ballista_core::{JobId, JobStatusSubscriber};
use ballista_scheduler::cluster::{JobState, JobStateEventStream};
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::sync::mpsc::channel;

/// How many changes of a job wait for its client.
const CHANGES: usize = 16;

/// Those that Ballista keeps, under oversight.
pub(super) struct Jobs(pub(super) Arc<Oversight>);

#[async_trait]
impl JobState for Jobs {
    fn accept_job(&self, id: &JobId, name: &str, queued_at: u64) -> Result<()> {
        self.0.jobs.accept_job(id, name, queued_at)
    }

    fn pending_job_number(&self) -> usize {
        self.0.jobs.pending_job_number()
    }

    /// A job whose client waits is watched.
    async fn submit_job(
        &self,
        id: JobId,
        graph: &ExecutionGraphBox,
        client: Option<JobStatusSubscriber>,
    ) -> Result<()> {
        let Some(client) = client else {
            return self.0.jobs.submit_job(id, graph, None).await;
        };
        let (sender, statuses) = channel(CHANGES);
        self.0.jobs.submit_job(id.clone(), graph, Some(sender)).await?;
        tokio::spawn(Arc::clone(&self.0).watch(id, statuses, client));
        Ok(())
    }

    async fn get_jobs(&self) -> Result<HashSet<JobId>> {
        self.0.jobs.get_jobs().await
    }

    async fn get_all_jobs(&self) -> Result<HashSet<JobId>> {
        self.0.jobs.get_all_jobs().await
    }

    async fn get_job_status(&self, id: &JobId) -> Result<Option<JobStatus>> {
        self.0.jobs.get_job_status(id).await
    }

    async fn get_execution_graph(&self, id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.0.jobs.get_execution_graph(id).await
    }

    async fn save_job(&self, id: &JobId, graph: &ExecutionGraphBox) -> Result<()> {
        self.0.jobs.save_job(id, graph).await
    }

    async fn fail_unscheduled_job(&self, id: &JobId, reason: String) -> Result<()> {
        self.0.jobs.fail_unscheduled_job(id, reason).await
    }

    async fn remove_job(&self, id: &JobId) -> Result<()> {
        self.0.jobs.remove_job(id).await
    }

    async fn try_acquire_job(&self, id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.0.jobs.try_acquire_job(id).await
    }

    async fn job_state_events(&self) -> Result<JobStateEventStream> {
        self.0.jobs.job_state_events().await
    }

    async fn create_or_update_session(
        &self,
        id: &str,
        config: &SessionConfig,
    ) -> Result<Arc<SessionContext>> {
        self.0.jobs.create_or_update_session(id, config).await
    }

    async fn remove_session(&self, id: &str) -> Result<()> {
        self.0.jobs.remove_session(id).await
    }

    fn produce_config(&self) -> SessionConfig {
        self.0.jobs.produce_config()
    }
}
