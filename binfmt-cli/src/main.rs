//! `binfmt`: look into binary files, check them, convert them.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    binfmt_cli::run(std::env::args_os())
}
