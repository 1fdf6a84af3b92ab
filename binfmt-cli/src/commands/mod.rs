//! What each command does. No format is named here.

mod cat;
mod check;
mod completions;
mod convert;
mod dump;
mod inspect;
mod make;
mod open;

use crate::args::Command;
use crate::error::Result;
use crate::output::STDOUT;

pub(crate) fn run(command: Command) -> Result<()> {
    let done = match command {
        Command::Inspect(args) => inspect::run(&args),
        Command::Cat(args) => cat::run(&args),
        Command::Dump(args) => dump::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Make(args) => make::run(&args),
        Command::Completions(args) => completions::run(&args),
    };
    done.map_err(|e| e.writing(STDOUT))
}
