//! What is said of a command line that is not understood, or asks for help.

use super::parse;
use crate::find::Formats;
use crate::report::ended;
use crate::{output, style, terminal};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Help that was asked for, or what is wrong with the words of the command line.
pub(crate) fn answer(e: &clap::Error, words: &[OsString], formats: Formats) -> ExitCode {
    if !e.use_stderr() {
        return ended(output::text(&style::rendered(e, style::on_stdout())));
    }
    // words may be names of files, which a shell has put there: the same mistake, quoted in one line
    let words = words.iter().map(|word| terminal::field(word.as_encoded_bytes()).into_owned().into());
    let text = match parse(&words.collect::<Vec<_>>(), formats) {
        Err(e) => style::rendered(&e, style::on_stderr()),
        Ok(_) => terminal::lines(&style::rendered(e, false)),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2))
}
