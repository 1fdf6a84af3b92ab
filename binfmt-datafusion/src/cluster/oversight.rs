//! What the scheduler of a cluster sees to beyond Ballista's: that a job ends when it cannot be answered, or when no client waits for it.
//!
//! Ballista repeats tasks and stages of a job whose executor is lost. This does not always come to an end, so that here the whole job
//! ends, with an error that begins with [`LOST`]; its client asks again.

use crate::cluster::LOST;
use ballista_core::JobId;
use ballista_core::serde::protobuf::JobStatus;
use ballista_core::serde::protobuf::failed_task::FailedReason;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::task_status;
use ballista_core::serde::scheduler::ExecutorMetadata;
use ballista_scheduler::cluster::{BallistaCluster, ClusterState, JobState};
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::{ExecutionGraphBox, RunningTaskInfo};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use log::{info, warn};
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{sleep, timeout};

type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// How often a job is looked at.
const TICK: Duration = Duration::from_secs(1);
/// Until a job is told again to end, or an executor is called again.
const PAUSE: Duration = Duration::from_millis(200);
/// When the tasks of a job that ended are told again to end: one that waits for a core does not hear it.
const REMINDERS: [Duration; 6] = [
    PAUSE,
    PAUSE,
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];
/// How long an executor may take to accept a connection.
const CALL: Duration = Duration::from_secs(2);
/// What Ballista says of a stage that could not fetch what it reads, with `stage_max_failures: 1`.
const NOT_FETCHED: &str = "has failed 1 times, most recent failure reason";

/// The executors and the jobs of a scheduler.
pub(super) struct Oversight {
    pub(super) executors: Arc<dyn ClusterState>,
    pub(super) jobs: Arc<dyn JobState>,
    scheduler: OnceLock<Server>,
    lost_after: Duration,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Why jobs that have not ended yet are to end.
    reasons: HashMap<JobId, String>,
    /// Executors whose address refuses connections, until they are removed.
    gone: HashSet<String>,
    /// Executors that said goodbye. They go on talking until they are gone.
    left: HashSet<String>,
    /// Since when there has been no executor, if there had been one.
    deserted: Option<Instant>,
}

impl Oversight {
    /// Over the state that Ballista keeps. An executor that says nothing for that long is lost.
    pub(super) fn new(cluster: &BallistaCluster, lost_after: Duration) -> Arc<Self> {
        Arc::new(Oversight {
            executors: cluster.cluster_state(),
            jobs: cluster.job_state(),
            scheduler: OnceLock::new(),
            lost_after,
            known: Mutex::default(),
        })
    }

    /// Gives it the scheduler, before the first job.
    pub(super) fn attach(&self, scheduler: Server) {
        let _ = self.scheduler.set(scheduler);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An executor begins; one that had its address is gone.
    pub(super) async fn joined(self: &Arc<Self>, executor: &ExecutorMetadata) {
        let at = |of: &ExecutorMetadata| (of.host.clone(), of.grpc_port);
        for other in self.executors.registered_executor_metadata().await {
            if other.id != executor.id && at(&other) == at(executor) {
                self.known().gone.insert(other.id);
            }
        }
        self.known().deserted = None;
        tokio::spawn(Arc::clone(self).listen(executor.clone()));
    }

    /// Holds a connection to an executor, which ends with its process: a process that is killed says no goodbye.
    async fn listen(self: Arc<Self>, executor: ExecutorMetadata) {
        while self.executors.get_executor_metadata(&executor.id).await.is_ok() {
            match call(&executor).await {
                Ok(mut stream) => {
                    let mut heard = [0; 256];
                    while stream.read(&mut heard).await.is_ok_and(|length| length > 0) {}
                }
                // the heartbeats of one that only cannot be reached decide
                Err(e) if e.kind() != ErrorKind::ConnectionRefused => sleep(TICK).await,
                Err(_) => {
                    warn!("executor {} refuses connections: it is gone", name(&executor));
                    self.known().gone.insert(executor.id);
                    return;
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// An executor takes no tasks from now on.
    pub(super) fn leaves(&self, executor: &str) {
        self.known().left.insert(executor.to_owned());
    }

    pub(super) fn has_left(&self, executor: &str) -> bool {
        self.known().left.contains(executor)
    }

    pub(super) fn is_gone(&self, executor: &str) -> bool {
        self.known().gone.contains(executor)
    }

    /// Ends the jobs that had something from an executor, which has been removed.
    pub(super) async fn lost(&self, executor: &ExecutorMetadata) {
        self.known().gone.remove(&executor.id);
        if self.executors.registered_executor_metadata().await.is_empty() {
            self.known().deserted.get_or_insert_with(Instant::now);
        }
        let Some(scheduler) = self.scheduler.get() else { return };
        for (id, job) in &*scheduler.state.task_manager.get_running_job_cache() {
            if has_used(&*job.execution_graph.read().await, &executor.id) {
                self.end(id, format!("{LOST}executor {} is gone", name(executor))).await;
            }
        }
    }

    /// Ends a job, if it runs. The first reason is the one that is told.
    async fn end(&self, id: &JobId, reason: String) {
        let Some(scheduler) = self.scheduler.get() else { return };
        let status = scheduler.state.task_manager.get_job_status(id).await.ok().flatten();
        if status.is_some_and(|status| is_over(&status)) {
            return;
        }
        info!("job {id} ends: {reason}");
        self.known().reasons.entry(id.clone()).or_insert(reason);
        if let Err(e) = scheduler.cancel_job(id.clone()).await {
            warn!("job {id} cannot be ended: {e}");
        }
    }

    /// Passes on to a client what its job says, until the job or the client is gone, which ends the job.
    pub(super) async fn watch(
        self: Arc<Self>,
        id: JobId,
        mut statuses: Receiver<JobStatus>,
        client: Sender<JobStatus>,
    ) {
        let begin = Instant::now();
        let mut idle = None;
        loop {
            tokio::select! {
                status = statuses.recv() => {
                    let Some(status) = status else { break };
                    if matches!(status.status, Some(Status::Failed(_))) {
                        tokio::spawn(Arc::clone(&self).remind(id.clone()));
                    }
                    // an error: the client left, which the next round sees
                    let _ = client.send(self.told(&id, status).await).await;
                }
                () = client.closed() => {
                    self.end(&id, "the client left".to_owned()).await;
                    // one that is not yet planned to its end does not hear it
                    sleep(PAUSE).await;
                }
                () = sleep(TICK) => {
                    if let Some(reason) = self.hopeless(begin, &mut idle).await {
                        self.end(&id, reason).await;
                    }
                }
            }
        }
        self.known().reasons.remove(&id);
    }

    /// Tells executors again that a job has ended.
    async fn remind(self: Arc<Self>, id: JobId) {
        let Some(scheduler) = self.scheduler.get() else { return };
        let Ok(Some(graph)) = self.jobs.get_execution_graph(&id).await else { return };
        let tasks = ended_tasks(&graph);
        for pause in REMINDERS {
            sleep(pause).await;
            let executors = self.executors.registered_executor_metadata().await;
            // whose tasks they were is no longer known; the others do not know them
            let of = |executor: &ExecutorMetadata| {
                let id = executor.id.clone();
                tasks.iter().map(move |task| RunningTaskInfo { executor_id: id.clone(), ..task.clone() })
            };
            let tasks: Vec<_> = executors.iter().flat_map(of).collect();
            if !tasks.is_empty()
                && let Err(e) = scheduler.state.executor_manager.cancel_running_tasks(tasks).await
            {
                warn!("the tasks of job {id} cannot be ended: {e}");
            }
        }
    }

    /// A status with the reason why the job ended, which Ballista does not know.
    async fn told(&self, id: &JobId, mut status: JobStatus) -> JobStatus {
        if let Some(Status::Failed(failed)) = &mut status.status {
            let reason = self.known().reasons.get(id).cloned();
            if let Some(reason) = reason {
                failed.error = reason;
            } else if failed.error.contains(NOT_FETCHED) || self.is_one_gone().await {
                failed.error = format!("{LOST}{}", failed.error);
            }
        }
        status
    }

    /// Whether an executor is gone, which an error may tell before its connection ends.
    async fn is_one_gone(&self) -> bool {
        for executor in self.executors.registered_executor_metadata().await {
            if let Err(e) = call(&executor).await {
                if e.kind() == ErrorKind::ConnectionRefused {
                    self.known().gone.insert(executor.id);
                }
                return true;
            }
        }
        false
    }

    /// Why a job cannot come to an end: there is no executor, or none has had a task for long.
    async fn hopeless(&self, begin: Instant, idle: &mut Option<Instant>) -> Option<String> {
        let deserted = self.known().deserted;
        if let Some(since) = deserted {
            let patience = self.lost_after * 3;
            let is_over = since.max(begin).elapsed() > patience;
            return is_over
                .then(|| format!("the cluster has had no executor for {} seconds", patience.as_secs()));
        }
        let scheduler = self.scheduler.get()?;
        let mut are_idle = !self.executors.registered_executor_metadata().await.is_empty();
        for job in scheduler.state.task_manager.get_running_job_cache().values() {
            are_idle &= job.execution_graph.read().await.running_tasks().is_empty();
        }
        if !are_idle {
            *idle = None;
            return None;
        }
        let since = *idle.get_or_insert_with(Instant::now);
        let text =
            || format!("{LOST}no executor was given a task of it for {} seconds", self.lost_after.as_secs());
        (since.elapsed() > self.lost_after).then(text)
    }
}

/// How errors name an executor.
fn name(executor: &ExecutorMetadata) -> String {
    format!("{}:{}", executor.host, executor.port)
}

async fn call(executor: &ExecutorMetadata) -> std::io::Result<TcpStream> {
    timeout(CALL, TcpStream::connect((executor.host.as_str(), executor.grpc_port))).await?
}

fn is_over(status: &JobStatus) -> bool {
    matches!(status.status, Some(Status::Failed(_) | Status::Successful(_)))
}

/// The tasks that the end of a job has ended.
fn ended_tasks(graph: &ExecutionGraphBox) -> Vec<RunningTaskInfo> {
    let mut tasks = Vec::new();
    for (&stage_id, stage) in graph.stages() {
        for task in stage.task_infos().into_iter().flatten() {
            if let task_status::Status::Failed(failed) = &task.task_status
                && matches!(failed.failed_reason, Some(FailedReason::TaskKilled(_)))
            {
                let job_id = graph.job_id().clone();
                let task_id = task.task_id;
                tasks.push(RunningTaskInfo { task_id, job_id, stage_id, executor_id: String::new() });
            }
        }
    }
    tasks
}

/// Whether an executor runs tasks of a job, or has results of them.
fn has_used(graph: &ExecutionGraphBox, executor: &str) -> bool {
    let mut tasks = graph.stages().values().filter_map(|stage| stage.task_infos()).flatten();
    tasks.any(|task| match &task.task_status {
        task_status::Status::Running(running) => running.executor_id == executor,
        task_status::Status::Successful(done) => done.executor_id == executor,
        task_status::Status::Failed(_) => false,
    })
}
