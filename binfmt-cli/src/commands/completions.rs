//! `binfmt completions`: what a shell needs to complete words.

use crate::args::{Completions, command};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::output;
use std::io::Write;

pub(crate) fn run(args: &Completions, formats: Formats) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(formats), "binfmt", &mut script);
    let mut out = output::stdout();
    out.write_all(&script).and_then(|()| out.flush()).map_err(Error::output)
}
