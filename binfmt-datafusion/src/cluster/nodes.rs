//! The scheduler and the executors.

use crate::cluster::codec::{LogicalCodec, PhysicalCodec};
use crate::cluster::engine::Engine;
use crate::cluster::executors::Executors;
use crate::cluster::fence;
use crate::cluster::jobs::Jobs;
use crate::cluster::oversight::Oversight;
use crate::cluster::session::config;
use crate::root::Root;
use ballista_core::error::Result;
use ballista_core::extension::EndpointOverrideFn;
use ballista_core::utils::{create_grpc_client_endpoint, default_session_builder};
use ballista_core::{ConfigProducer, RuntimeProducer};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::SessionBuilder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service};
use clap::Args;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::signal::ctrl_c;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{sleep, timeout};

/// How long an executor waits for its scheduler, and between two tries.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(200);
/// How long an executor that is asked to end says goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

fn producer() -> ConfigProducer {
    Arc::new(|| config(SessionConfig::new()))
}

/// Plans queries and hands out their tasks.
///
/// ```no_run
/// # async fn run() -> ballista_core::error::Result<()> {
/// use binfmt_datafusion::cluster::Scheduler;
/// Scheduler { bind: "127.0.0.1:50050".parse().unwrap(), lost_after: 20, root: None }.run().await
/// # }
/// ```
#[derive(Clone, Debug, Args)]
pub struct Scheduler {
    /// The address to listen at: without this, programs of this machine alone reach it. There is neither encryption nor a password
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50050")]
    pub bind: SocketAddr,
    /// After how many seconds without a word an executor is lost, and its tasks go to others; at least 6, since executors say
    /// something every 2 seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(6..))]
    pub lost_after: u64,
    /// The folder in which all files of queries are; without this whoever reaches the port reads any file that this program may read
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
}

impl Scheduler {
    /// Runs until the program ends.
    ///
    /// # Errors
    /// It cannot listen at the address.
    pub async fn run(&self) -> Result<()> {
        let root = root(self.root.as_deref())?;
        let address = self.bind;
        let inside = root.clone();
        let builder: SessionBuilder = match root.is_some() {
            false => Arc::new(default_session_builder),
            true => Arc::new(move |config| {
                let state = default_session_builder(config)?;
                let runtime = fence::runtime(&inside, None)?;
                Ok(SessionStateBuilder::new_from_existing(state).with_runtime_env(runtime).build())
            }),
        };
        let config = SchedulerConfig {
            bind_host: address.ip().to_string(),
            external_host: address.ip().to_string(),
            bind_port: address.port(),
            executor_timeout_seconds: self.lost_after,
            expire_dead_executor_interval_seconds: 1,
            // one that says goodbye is gone
            executor_termination_grace_period: 0,
            // jobs that have no executor end by oversight
            no_executors_grace_period_seconds: u64::from(u32::MAX),
            // what cannot be fetched is asked again by the client, as a whole
            stage_max_failures: 1,
            override_logical_codec: Some(Arc::new(LogicalCodec::within(root.clone()))),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default().within(root))),
            override_config_producer: Some(producer()),
            override_session_builder: Some(Arc::clone(&builder)),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_memory(address.to_string(), builder, producer());
        let oversight = Oversight::new(&cluster, Duration::from_secs(self.lost_after));
        let executors = Executors(Arc::clone(&oversight));
        let cluster = BallistaCluster::new(Arc::new(executors), Arc::new(Jobs(Arc::clone(&oversight))));
        let scheduler = create_scheduler(cluster, Arc::new(config)).await?;
        oversight.attach(scheduler.clone());
        start_grpc_service(address, scheduler).await
    }
}

/// Runs tasks of a scheduler.
///
/// ```no_run
/// # async fn run() -> ballista_core::error::Result<()> {
/// let executor = binfmt_datafusion::cluster::Executor {
///     scheduler: "scheduler:50050".to_owned(),
///     bind: "0.0.0.0:50051".parse().unwrap(),
///     root: Some("/data".into()),
///     host: Some("node7".to_owned()),
///     cores: 8,
///     work_dir: None,
/// };
/// executor.run().await
/// # }
/// ```
#[derive(Clone, Debug, Args)]
pub struct Executor {
    /// Where the scheduler listens
    #[arg(long, value_name = "HOST:PORT")]
    pub scheduler: String,
    /// The address to listen at, from where other executors and clients fetch results; the scheduler
    /// gives tasks at the port after it. Without this, programs of this machine alone reach it. There is neither encryption nor a password
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50051")]
    pub bind: SocketAddr,
    /// The name or address under which others reach this machine; that of the connection to the scheduler without this
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// How many partitions are worked on at the same time; all cores without this
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub cores: usize,
    /// The folder for what tasks pass on; a temporary one without this
    #[arg(long, value_name = "FOLDER")]
    pub work_dir: Option<String>,
    /// The folder in which all files are that tasks read and write; without this whoever reaches the port reads and writes any file that
    /// this program may, and has it ask any server
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
}

impl Executor {
    /// Runs until the program ends. For ten seconds it waits for the scheduler.
    ///
    /// # Errors
    /// The scheduler cannot be reached, or the address is taken.
    pub async fn run(&self) -> Result<()> {
        let (host, port) = self.scheduler.rsplit_once(':').unwrap_or((&self.scheduler, "50050"));
        let port: u16 = port.parse().map_err(|_| format!("{:?} is not HOST:PORT", self.scheduler))?;
        let here = match self.bind.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => None,
            IpAddr::V6(ip) if ip.is_unspecified() => None,
            ip => Some(ip.to_string()),
        };
        if let Some(name) = self.host.as_ref().filter(|name| self.bind.ip().is_loopback() && !is_here(name)) {
            let bind = self.bind;
            let text = format!("--host {name}: at {bind} only programs of this machine reach it (--bind)");
            return Err(text.into());
        }
        let root = root(self.root.as_deref())?;
        let (inside, aside) = (root.clone(), self.work_dir.clone());
        let runtime: RuntimeProducer = Arc::new(move |_| fence::runtime(&inside, aside.as_deref()));
        reached(host, port).await?;
        // the name of a container is in its environment
        let name = self.host.clone().or(here.clone()).or(std::env::var("HOSTNAME").ok());
        let own = self.bind.port();
        let machine = match name {
            Some(name) => format!("executor {name}:{own}"),
            None => format!("the executor at port {own}"),
        };
        let config = ExecutorProcessConfig {
            bind_host: self.bind.ip().to_string(),
            port: own,
            grpc_port: own.saturating_add(1),
            external_host: self.host.clone().or(here),
            scheduler_host: host.to_owned(),
            scheduler_port: port,
            scheduler_connect_timeout_seconds: 10,
            vcores: self.cores,
            executor_heartbeat_interval_seconds: 2,
            work_dir: self.work_dir.clone(),
            override_runtime_producer: root.is_some().then_some(runtime),
            override_logical_codec: Some(Arc::new(LogicalCodec::within(root.clone()))),
            override_physical_codec: Some(Arc::new(PhysicalCodec::of(machine).within(root))),
            override_config_producer: Some(producer()),
            override_execution_engine: Some(Arc::new(Engine::new())),
            override_create_grpc_client_endpoint: Some(called_back(self.scheduler.clone())),
            ..ExecutorProcessConfig::default()
        };
        let mut process = pin!(start_executor_process(Arc::new(config)));
        tokio::select! {
            // Ballista hears the signal, too, and may be done at once
            biased;
            asked = asked_to_end() => asked?,
            done = &mut process => {
                done?;
                let text = "the scheduler has ended this executor, which it had not heard for long, or is gone itself";
                return Err(text.to_owned().into());
            }
        }
        // Ballista says goodbye, and would wait for its tasks, which others repeat
        let _ = timeout(GOODBYE, process).await;
        Ok(())
    }
}

/// The folder in which all files are.
fn root(folder: Option<&Path>) -> Result<Root> {
    let Some(folder) = folder else { return Ok(Root::default()) };
    Root::new(folder).map_err(|e| format!("--root {}: {e}", folder.display()).into())
}

/// Whether a name or an address is that of the machine itself, whichever it is.
fn is_here(name: &str) -> bool {
    name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// The way back to a scheduler that listens at all its addresses, which it calls `0.0.0.0`: where this executor reaches it.
fn called_back(scheduler: String) -> EndpointOverrideFn {
    Arc::new(move |endpoint| {
        let host = endpoint.uri().host().unwrap_or_default().trim_matches(['[', ']']);
        match host.parse::<IpAddr>() {
            Ok(ip) if ip.is_unspecified() => {
                Ok(create_grpc_client_endpoint(format!("http://{scheduler}"), None)?)
            }
            _ => Ok(endpoint),
        }
    })
}

/// Waits until the program is asked to end.
async fn asked_to_end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            done = ctrl_c() => done,
        }
    }
    #[cfg(not(unix))]
    ctrl_c().await
}

/// Waits until somebody listens there. Ballista itself waits without an end and says nothing.
async fn reached(host: &str, port: u16) -> Result<()> {
    let begin = Instant::now();
    loop {
        let left = PATIENCE.saturating_sub(begin.elapsed());
        let why = match timeout(left, TcpStream::connect((host, port))).await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(e)) => e.to_string(),
            Err(_) => "no answer".to_owned(),
        };
        if begin.elapsed() + PAUSE >= PATIENCE {
            return Err(
                format!("the scheduler at {host}:{port} cannot be reached (--scheduler): {why}").into()
            );
        }
        sleep(PAUSE).await;
    }
}
