//! `binfmt`: look into binary files, check them, convert them.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod error;
mod format;
mod formats;
mod input;
mod json;
mod limits;
mod npy;
mod output;
mod place;
mod progress;
mod report;
mod settings;
mod style;
mod suggest;
mod summary;
mod table;
mod terminal;
mod units;

use clap::Parser;
pub(crate) use report::{remark, show};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // help and mistakes on the command line are coloured before the line is understood
    style::choose(style::said(words.iter().cloned()));
    let cli = match args::Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(e) => return report::answer(&e, &words),
    };
    style::choose(cli.color);
    report::ended(commands::run(cli.command))
}
