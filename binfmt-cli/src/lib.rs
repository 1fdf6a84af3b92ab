//! The command `binfmt`: look into binary files, check them, convert them. A library only so that tests can call it; what
//! it offers programs is in the crate `binfmt`.

#![forbid(unsafe_code)]

mod args;
mod base64;
mod commands;
mod description;
mod diagram;
mod error;
mod find;
mod format;
mod formats;
mod front;
mod hex;
mod html;
mod input;
mod json;
mod limits;
mod needle;
mod output;
mod paths;
mod pick;
mod place;
#[cfg(feature = "plot")]
mod plot;
mod probe;
mod progress;
mod report;
mod resembles;
mod rows;
mod same;
mod settings;
mod span;
mod stats;
mod style;
mod summary;
mod table;
mod tabular;
mod terminal;
mod units;
mod unpack;
mod window;

use std::ffi::OsString;
use std::process::ExitCode;

/// Does what a command line says, the first word of which is the name of the program.
///
/// ```
/// # use std::process::ExitCode;
/// assert_eq!(binfmt_cli::run(["binfmt", "check", "no such file"].map(Into::into)), ExitCode::from(1));
/// ```
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    // help and mistakes on the command line are coloured before the line is understood
    style::choose(style::asked_for(words.iter().cloned()));
    let formats = find::Formats(formats::ALL);
    let cli = match args::parse(&words, formats) {
        Ok(cli) => cli,
        Err(e) => return args::answer(&e, &words, formats),
    };
    style::choose(cli.color);
    report::ended(commands::run(cli.command, formats))
}
