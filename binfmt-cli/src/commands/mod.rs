//! What each command does. No format is named here.

mod cat;
mod changed;
mod check;
mod completions;
mod convert;
mod definitions;
mod diff;
mod document;
mod dump;
mod elsewhere;
mod find;
mod follow;
mod inspect;
mod layout;
mod make;
mod man;
mod npz;
mod open;
#[cfg(feature = "plot")]
mod plot;
mod several;
mod spared;
mod stats;
mod tables;
mod tend;
mod together;

use crate::args::Command;
use crate::error::Result;
use crate::find::Formats;
use crate::output::STDOUT;

pub(crate) fn run(command: Command, formats: Formats) -> Result<()> {
    let done = match command {
        Command::Inspect(args) => inspect::run(&args, formats),
        Command::Cat(args) => cat::run(&args, formats),
        Command::Dump(args) => dump::run(&args, formats),
        Command::Check(args) => check::run(&args, formats),
        Command::Stats(args) => stats::run(&args, formats),
        Command::Diff(args) => diff::run(&args, formats),
        Command::Find(args) => find::run(&args, formats),
        #[cfg(feature = "plot")]
        Command::Plot(args) => plot::run(&args, formats),
        Command::Convert(args) => convert::run(&args, formats),
        Command::Layout(args) => layout::run(&args),
        Command::Consolidate(args) => tend::consolidate(&args, formats),
        Command::Vacuum(args) => tend::vacuum(&args, formats),
        Command::Make(args) => make::run(&args, formats),
        Command::Sql(args) => elsewhere::sql(&args),
        Command::Scheduler(args) => elsewhere::cluster("scheduler", &args),
        Command::Executor(args) => elsewhere::cluster("executor", &args),
        Command::Man(args) => man::run(&args, formats),
        Command::Completions(args) => completions::run(&args, formats),
    };
    done.map_err(|e| e.writing(STDOUT))
}
