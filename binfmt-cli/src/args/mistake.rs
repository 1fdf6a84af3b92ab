//! What is said of a command line that is not understood, or asks for help.

use super::parse;
use crate::find::Formats;
use crate::report::ended;
use crate::{output, style, terminal};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
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
        Err(e) => style::rendered(&meant(e), style::on_stderr()),
        Ok(_) => terminal::lines(&style::rendered(e, false)),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2))
}

/// What words of other programs are called here.
const MEANT: [(&str, &str); 16] = [
    ("--head", "--rows ..10 shows the first ten rows"),
    ("--tail", "--rows -10.. shows the last ten rows"),
    ("--stats", "binfmt stats FILE sums up the columns"),
    ("--describe", "binfmt stats FILE sums up the columns"),
    ("--filter", "--where 'x > 1.5' chooses rows"),
    ("--select", "--columns a,b chooses columns"),
    ("--limit", "--rows ..10 shows the first ten rows"),
    ("--output", "the file that is written is the last word of the line"),
    ("--npy", "binfmt convert FILE out.npy writes it for NumPy"),
    ("--npz", "binfmt convert FILE out.npz writes it for NumPy"),
    ("head", "binfmt cat FILE --rows ..10 shows the first ten rows"),
    ("tail", "binfmt cat FILE --rows -10.. shows the last ten rows, --follow those to come"),
    ("info", "binfmt inspect FILE tells what a file is"),
    ("describe", "binfmt stats FILE sums up the columns"),
    ("grep", "binfmt find VALUE FILE tells where a value is"),
    ("hexdump", "binfmt dump FILE explains every byte"),
];

/// The same with what is meant by a word of another program, and not what looks like it.
fn meant(mut e: clap::Error) -> clap::Error {
    let word = e.get(ContextKind::InvalidArg).or_else(|| e.get(ContextKind::InvalidSubcommand));
    let Some(ContextValue::String(word)) = word else { return e };
    let word = word.split(['=', ' ']).next().unwrap_or_default();
    if let Some((_, tip)) = MEANT.iter().find(|(known, _)| *known == word) {
        e.remove(ContextKind::SuggestedArg);
        e.remove(ContextKind::SuggestedSubcommand);
        e.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*tip)]));
    }
    e
}
