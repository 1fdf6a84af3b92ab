//! The command `binfmt`: look into binary files, check them, convert them.
//!
//! A program of three lines is the same command with formats of your own beside those that it has ([`run_with`]). What a program does
//! with files is in the crate [`binfmt`].

#![forbid(unsafe_code)]

mod args;
mod base64;
mod commands;
mod description;
mod diagram;
mod error;
mod facts;
mod find;
mod format;
mod formats;
mod front;
mod hex;
mod html;
mod input;
mod items;
mod json;
mod limits;
mod needle;
mod output;
mod paths;
mod pattern;
mod pick;
mod place;
#[cfg(feature = "plot")]
mod plot;
mod probe;
mod progress;
mod region;
mod report;
mod resembles;
mod rows;
mod same;
mod sections;
mod settings;
mod span;
mod stats;
mod style;
mod summary;
mod table;
mod tabular;
mod tally;
mod target;
mod terminal;
mod token;
mod units;
mod unpack;
mod watched;
mod window;

use binfmt::table::TableFormat;
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what a command line says, the first word of which is the name of the program.
///
/// ```
/// # use std::process::ExitCode;
/// assert_eq!(binfmt_cli::run(["binfmt", "check", "no such file"].map(Into::into)), ExitCode::from(1));
/// ```
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_with(words, &[])
}

/// The same with formats of your own, which every command takes: they are recognised before the others, read as tables, and written
/// by `convert` if they write. Their settings are options, `page_size` as `--page-size`.
///
/// A format takes the place of one of the command that has its name.
///
/// ```
/// use binfmt::storage::Storage;
/// use binfmt::table::{AnyLayout, Probe, Settings, Table, TableFormat};
/// use std::process::ExitCode;
/// use std::sync::Arc;
///
/// /// Numbers after the word `LAB1`.
/// struct Lab;
///
/// impl TableFormat for Lab {
///     fn name(&self) -> &'static str {
///         "lab"
///     }
///     fn detect(&self, probe: &Probe<'_>) -> bool {
///         probe.head.starts_with(b"LAB1")
///     }
///     fn open(&self, storage: Arc<dyn Storage>, path: &str, _: &Settings) -> binfmt::Result<Arc<dyn Table>> {
///         let layout = Settings::new().with("layout", "record, le\n  mark: u32\n  x: f64\n");
///         AnyLayout.open(storage, path, &layout)
///     }
/// }
///
/// // of a program it is the whole `main`: binfmt_cli::run_with(std::env::args_os(), &[&Lab])
/// # let path = std::env::temp_dir().join(format!("binfmt-doc-{}.lab", std::process::id()));
/// std::fs::write(&path, b"LAB1\0\0\0\0\0\0\xf8\x3f")?;
/// let words = ["binfmt".into(), "check".into(), path.clone().into_os_string()];
/// assert_eq!(binfmt_cli::run_with(words, &[&Lab]), ExitCode::SUCCESS);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run_with(words: impl IntoIterator<Item = OsString>, formats: &[&'static dyn TableFormat]) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    // help and mistakes on the command line are coloured before the line is understood
    style::choose(style::asked_for(words.iter().cloned()));
    let formats = find::Formats(formats::with(formats::ALL, formats));
    let cli = match args::parse(&words, formats) {
        Ok(cli) => cli,
        Err(e) => return args::answer(&e, &words, formats),
    };
    style::choose(cli.color);
    report::ended(commands::run(cli.command, formats))
}
