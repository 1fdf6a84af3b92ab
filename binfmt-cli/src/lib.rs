//! The command `binfmt`: look into binary files, check them, convert them. A library only so that tests can call it; what
//! it offers programs is in the crate `binfmt`.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod error;
mod format;
mod formats;
mod input;
mod json;
mod npy;
mod output;
mod place;
mod progress;
mod settings;
mod style;
mod suggest;
mod summary;
mod table;
mod units;

use clap::Parser;
use error::{Error, Message};
use std::ffi::OsString;
use std::io::Write;
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
    style::choose(style::said(words.iter().cloned()));
    let cli = match args::Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(e) => {
            // help that nobody reads to its end is no error
            let _ = e.print();
            return ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2));
        }
    };
    style::choose(cli.color);
    match commands::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            show(&e);
            ExitCode::from(e.status())
        }
    }
}

/// Says on standard error what went wrong and what to do about it.
pub(crate) fn show(e: &Error) {
    let Some(Message { place, text, tip, .. }) = e.message() else { return };
    let on = style::on_stderr();
    let (red, green) = (style::when(on, style::ERROR), style::when(on, style::TIP));
    let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let mut message = format!("{red}error:{red:#} {}\n", printable(&(place + text)));
    if let Some(tip) = tip {
        message.push_str(&format!("  {green}tip:{green:#} {}\n", printable(tip)));
    }
    let _ = std::io::stderr().write_all(message.as_bytes());
}

/// Says on standard error what is worth knowing and no error.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("note: {}\n", printable(text)).as_bytes());
}

/// What a message quotes must not drive the terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
