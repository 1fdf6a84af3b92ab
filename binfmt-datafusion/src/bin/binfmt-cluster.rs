//! `binfmt-cluster`: the machines that answer `binfmt-sql --cluster`.

use binfmt_datafusion::Command;
use binfmt_datafusion::cluster::{Executor, Scheduler};
use clap::{Parser, Subcommand};
use log::{LevelFilter, Log, Metadata, Record};
use std::error::Error;
use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The machines that answer `binfmt-sql --cluster`: a scheduler, and executors.
///
/// There is neither encryption nor a password. Whoever reaches the ports has every file read that these programs may read, written what they
/// may write, and any server asked, unless --root says a folder.
#[derive(Debug, Parser)]
#[command(name = "binfmt-cluster", version, after_help = EXAMPLES)]
struct Program {
    #[command(subcommand)]
    role: Role,
    /// What is told on standard error: off, error, warn, info, debug
    #[arg(long, global = true, default_value = "error", value_parser = level)]
    log: LevelFilter,
}

const EXAMPLES: &str = "Examples:
  binfmt-cluster scheduler
  binfmt-cluster executor --scheduler 127.0.0.1:50050 --root /data
  binfmt-cluster executor --scheduler node0:50050 --host node1 --bind 0.0.0.0:50051 --root /data
  binfmt-sql --cluster node0:50050 --partitions 16 \"SELECT count(*), avg(x) FROM '/data/run*.sdds'\"";

#[derive(Debug, Subcommand)]
enum Role {
    /// Plans queries and hands out their tasks
    Scheduler(Scheduler),
    /// Runs tasks
    Executor(Executor),
}

fn level(text: &str) -> Result<LevelFilter, String> {
    text.parse().map_err(|_| "one of off, error, warn, info, debug".to_owned())
}

/// Lines on standard error.
struct Stderr;

impl Log for Stderr {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        eprintln!("{}: {}", record.level().as_str().to_lowercase(), record.args());
    }

    fn flush(&self) {}
}

fn main() -> ExitCode {
    let Program { role, log } = Program::parse();
    if log::set_logger(&Stderr).is_ok() {
        log::set_max_level(log);
    }
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(e) => return Command::exit(Err(e.into())),
    };
    let done = runtime.block_on(run(role));
    // a task that computes would be waited for
    runtime.shutdown_background();
    Command::exit(done)
}

async fn run(role: Role) -> Result<(), Box<dyn Error>> {
    match role {
        Role::Scheduler(scheduler) => Ok(scheduler.run().await?),
        Role::Executor(executor) => Ok(executor.run().await?),
    }
}
