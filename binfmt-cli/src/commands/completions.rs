//! `binfmt completions`: what a shell needs to complete words.

use crate::args::{Cli, Completions};
use crate::error::{Error, Result};
use crate::output;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(args: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "binfmt", &mut script);
    let mut out = output::stdout();
    out.write_all(&script).and_then(|()| out.flush()).map_err(Error::output)
}
