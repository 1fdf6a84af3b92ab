//! Commands that are programs of their own, since they bring more crates than everything else together: `binfmt sql` is `binfmt-sql`.

use crate::args::Elsewhere;
use crate::error::{Error, Result};
use std::env::consts::EXE_SUFFIX;
use std::io;
use std::path::PathBuf;
use std::process::Command;

pub(crate) fn sql(args: &Elsewhere) -> Result<()> {
    let mut command = Command::new(program("binfmt-sql"));
    become_it(command.args(&args.words), "sql", "binfmt-sql", "objects,prompt")
}

pub(crate) fn cluster(role: &str, args: &Elsewhere) -> Result<()> {
    let mut command = Command::new(program("binfmt-cluster"));
    become_it(command.arg(role).args(&args.words), role, "binfmt-cluster", "ballista")
}

/// The program that was installed beside this one, else the one that a shell would find.
fn program(name: &str) -> PathBuf {
    let name = format!("{name}{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok().and_then(|here| Some(here.parent()?.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Runs the program in the place of this one.
fn become_it(command: &mut Command, word: &str, name: &str, features: &str) -> Result<()> {
    match end(command) {
        Ok(0) => Ok(()),
        Ok(status) => Err(Error::Shown(status)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let e = Error::usage(format_args!("`binfmt {word}` is the program {name}, which is not there"));
            Err(e.tip(format_args!("cargo install --path binfmt-datafusion --features {features}")))
        }
        Err(e) => Err(Error::data(format_args!("{name}: {}", Error::reason(&e)))),
    }
}

/// The exit status of the program; where a program may become another, signals and all else are that one's.
#[cfg(unix)]
fn end(command: &mut Command) -> io::Result<u8> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn end(command: &mut Command) -> io::Result<u8> {
    Ok(command.status()?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
