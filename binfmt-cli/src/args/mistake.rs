//! What is said of a command line that is not understood, or asks for help.

use super::{command, parse};
use crate::find::Formats;
use crate::report::ended;
use crate::{output, style, terminal};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Help that was asked for, or what is wrong with the words of the command line.
pub(crate) fn answer(e: &clap::Error, words: &[OsString], formats: Formats) -> ExitCode {
    if !e.use_stderr() {
        return ended(output::text(&style::rendered(e, style::on_stdout())));
    }
    // words may be names of files, which a shell has put there: the same mistake, quoted in one line
    let words = words.iter().map(|word| terminal::field(word.as_encoded_bytes()).into_owned().into());
    let text = match parse(&words.collect::<Vec<_>>(), formats) {
        Err(e) => style::rendered(&meant(e, formats), style::on_stderr())
            .replace(NO_NUMBER, "expected a whole number"),
        Ok(_) => terminal::lines(&style::rendered(e, false)),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2))
}

/// What the library says of a word that is to be a number.
const NO_NUMBER: &str = "invalid digit found in string";

/// What words of other programs are called here.
const MEANT: [(&str, &str); 18] = [
    ("--head", "--rows ..10 shows the first ten rows"),
    ("--tail", "--rows -10.. shows the last ten rows"),
    ("--stats", "binfmt stats FILE sums up the columns"),
    ("--describe", "binfmt stats FILE sums up the columns"),
    ("--filter", "--where 'x > 1.5' chooses rows"),
    ("--select", "--columns a,b chooses columns"),
    ("--limit", "--rows ..10 shows the first ten rows"),
    ("-n", "--rows ..10 shows the first ten rows, --rows -10.. the last ten"),
    ("-f", "--follow shows what is appended as well"),
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

/// The same with what is meant by a word of another program, and not what looks like it, or with the commands that have the option.
fn meant(mut e: clap::Error, formats: Formats) -> clap::Error {
    // a value that is wrong is one of an option that is right
    if !matches!(e.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) {
        return e;
    }
    let word = e.get(ContextKind::InvalidArg).or_else(|| e.get(ContextKind::InvalidSubcommand));
    let Some(ContextValue::String(word)) = word else { return e };
    let file = Some(word.as_str())
        .filter(|word| e.kind() == ErrorKind::InvalidSubcommand && Path::new(word).exists())
        .map(|word| {
            format!("binfmt inspect {word} tells what the file is, binfmt cat {word} shows what is in it")
        });
    let word = word.split(['=', ' ']).next().unwrap_or_default();
    let known = MEANT.iter().find(|(known, _)| *known == word).map(|(_, tip)| (*tip).to_owned());
    // that a word of an option may be a value helps nobody
    let is_close = e.get(ContextKind::SuggestedArg).is_some();
    let tip = known.or(file).or_else(|| if is_close { None } else { elsewhere(word, formats) });
    if let Some(tip) = tip {
        e.remove(ContextKind::SuggestedArg);
        e.remove(ContextKind::SuggestedSubcommand);
        e.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    e
}

/// Which commands have an option that another one has not.
fn elsewhere(word: &str, formats: Formats) -> Option<String> {
    let name = word.strip_prefix("--")?;
    let all = command(formats);
    let has = |command: &&clap::Command| {
        !command.is_hide_set() && command.get_arguments().any(|arg| arg.get_long() == Some(name))
    };
    let names: Vec<&str> = all.get_subcommands().filter(has).map(clap::Command::get_name).collect();
    (!names.is_empty()).then(|| format!("{word} is an option of {}", names.join(", ")))
}
