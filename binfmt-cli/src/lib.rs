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
mod limits;
mod npy;
mod output;
mod place;
mod progress;
mod settings;
mod style;
mod suggest;
mod summary;
mod table;
mod terminal;
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
    let cli = match args::Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(e) => return answer(&e, &words),
    };
    style::choose(cli.color);
    ended(commands::run(cli.command))
}

/// How the program ends.
fn ended(done: error::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            show(&e);
            ExitCode::from(e.status())
        }
    }
}

/// Help that was asked for, or what is wrong with the command line.
fn answer(e: &clap::Error, words: &[OsString]) -> ExitCode {
    if !e.use_stderr() {
        return ended(output::text(&style::rendered(e, style::on_stdout())));
    }
    // words may be names of files, which a shell has put there
    let words = words.iter().map(|word| terminal::field(word.as_encoded_bytes()).into_owned());
    let text = match args::Cli::try_parse_from(words) {
        Err(e) => style::rendered(&e, style::on_stderr()),
        Ok(_) => terminal::lines(&style::rendered(e, false)),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2))
}

/// Says on standard error what went wrong and what to do about it.
pub(crate) fn show(e: &Error) {
    let Some(Message { place, text, drawing, tip, .. }) = e.message() else { return };
    let on = style::on_stderr();
    let (red, green) = (style::when(on, style::ERROR), style::when(on, style::TIP));
    let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let mut message = format!("{red}error:{red:#} {}\n", terminal::line(&(place + text)));
    for line in drawing.lines() {
        // indented, whatever it is: no line of a message is one of its own
        message.push_str(&format!("  {}\n", terminal::line(line.strip_prefix("  ").unwrap_or(line))));
    }
    if let Some(tip) = tip {
        let tips = terminal::lines(tip).replace('\n', "\n       ");
        message.push_str(&format!("  {green}tip:{green:#} {tips}\n"));
    }
    let _ = std::io::stderr().write_all(message.as_bytes());
}

/// Says on standard error what is worth knowing and no error.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("note: {}\n", terminal::line(text)).as_bytes());
}
