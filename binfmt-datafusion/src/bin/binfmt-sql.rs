//! `binfmt-sql`: SQL over files of all formats.

use binfmt_datafusion::Command;
use clap::Parser;
use std::process::ExitCode;
use std::time::Duration;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// SQL over SDDS, TileDB, SciDB, Futhark, BEAT, NPY, CSV, Parquet and other files.
#[derive(Debug, Parser)]
#[command(name = "binfmt-sql", version, after_help = EXAMPLES)]
struct Program {
    #[command(flatten)]
    command: Command,
    /// The scheduler of a cluster that answers; all its machines must see the files under the same paths
    #[cfg(feature = "ballista")]
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "max_memory")]
    cluster: Option<String>,
}

const EXAMPLES: &str = "Examples:
  binfmt-sql \"SELECT count(*), avg(x) FROM 'run*.sdds'\"
  binfmt-sql \"SELECT _file, max(_page) FROM 'run*.sdds' GROUP BY 1\"
  binfmt-sql \"SELECT * FROM layout('log.bin', '@log.layout')\"
  binfmt-sql \"SELECT * FROM scidb('load.bin', '(int64, double null)') WHERE a > 3\" --output x.parquet
  binfmt-sql \"SELECT g.celsius, o.x FROM 'grid.tdb' g JOIN 'run0.sdds' o ON g.x = o.id\" --format csv";

fn main() -> ExitCode {
    let program = Program::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(e) => return Command::exit(Err(e.into())),
    };
    let status = Command::exit(runtime.block_on(run(&program)));
    // files that are not whole are removed; what was cancelled may still be at work, or wait for standard input
    runtime.shutdown_timeout(Duration::from_secs(2));
    status
}

async fn run(program: &Program) -> Result<(), Box<dyn std::error::Error>> {
    let command = &program.command;
    #[cfg(feature = "ballista")]
    if let Some(scheduler) = &program.cluster {
        return command.run(&binfmt_datafusion::cluster::connect(scheduler, command.config())?).await;
    }
    command.run(&command.session()?).await
}
