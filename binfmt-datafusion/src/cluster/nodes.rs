//! The scheduler and the executors.

use crate::cluster::codec::{LogicalCodec, PhysicalCodec};
use crate::cluster::session::config;
use ballista_core::ConfigProducer;
use ballista_core::error::Result;
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::SessionBuilder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;
use datafusion::prelude::SessionConfig;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// How long an executor waits for its scheduler, and between two tries.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(200);

fn producer() -> ConfigProducer {
    Arc::new(|| config(SessionConfig::new()))
}

/// Plans queries and hands out their tasks.
///
/// ```no_run
/// # async fn run() -> ballista_core::error::Result<()> {
/// use binfmt_datafusion::cluster::Scheduler;
/// Scheduler { bind: "0.0.0.0:50050".parse().unwrap(), lost_after: 20 }.run().await
/// # }
/// ```
#[derive(Clone, Debug, Args)]
pub struct Scheduler {
    /// The address to listen at
    #[arg(long, value_name = "IP:PORT", default_value = "0.0.0.0:50050")]
    pub bind: SocketAddr,
    /// After how many seconds without a word an executor is lost, and its tasks go to others; at least 6, since executors say
    /// something every 2 seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(6..))]
    pub lost_after: u64,
}

impl Scheduler {
    /// Runs until the program ends.
    ///
    /// # Errors
    /// It cannot listen at the address.
    pub async fn run(&self) -> Result<()> {
        let builder: SessionBuilder = Arc::new(default_session_builder);
        let address = self.bind;
        let config = SchedulerConfig {
            bind_host: address.ip().to_string(),
            external_host: address.ip().to_string(),
            bind_port: address.port(),
            executor_timeout_seconds: self.lost_after,
            expire_dead_executor_interval_seconds: 1,
            // others may be on their way
            no_executors_grace_period_seconds: self.lost_after.saturating_mul(3),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            override_config_producer: Some(producer()),
            override_session_builder: Some(Arc::clone(&builder)),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_memory(address.to_string(), builder, producer());
        start_server(cluster, address, Arc::new(config)).await
    }
}

/// Runs tasks of a scheduler.
///
/// ```no_run
/// # async fn run() -> ballista_core::error::Result<()> {
/// let executor = binfmt_datafusion::cluster::Executor {
///     scheduler: "scheduler:50050".to_owned(),
///     bind: "0.0.0.0:50051".parse().unwrap(),
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
    /// gives tasks at the port after it
    #[arg(long, value_name = "IP:PORT", default_value = "0.0.0.0:50051")]
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
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::of(machine))),
            override_config_producer: Some(producer()),
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(config)).await
    }
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
