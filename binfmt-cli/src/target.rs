//! What `convert` writes: a format, or a form that any table has.

use crate::error::{Error, Result};
use crate::format::Format;
use crate::settings::{Setting, Settings};

/// What `convert` writes.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Json,
    JsonLines,
    Csv,
    Npz,
    Format(&'static dyn Format),
}

impl Target {
    /// The options that are about it.
    pub(crate) fn settings(self) -> &'static [Setting] {
        match self {
            Target::Format(format) if format.facts().takes_tables => format.facts().settings,
            Target::Csv => OF_LINES,
            _ => &[],
        }
    }

    /// What says of which file options are that both know: whether the format of the one that is read is told, and whether it is this one.
    pub(crate) fn how(self, read: &dyn Format, is_named: bool) -> (bool, bool) {
        let is_one = matches!(self, Target::Format(to) if to.facts().name == read.facts().name);
        // lines that are read have the options, unless they are those of no other file
        (is_named || matches!(self, Target::Csv), is_one)
    }

    /// As messages call it.
    pub(crate) fn what(self) -> String {
        match self {
            Target::Json => "JSON".to_owned(),
            Target::JsonLines => "JSON lines".to_owned(),
            Target::Csv => "CSV".to_owned(),
            Target::Npz => "NPZ".to_owned(),
            Target::Format(format) => format.facts().one(),
        }
    }
}

/// What separates the fields of lines that are read.
pub(crate) const DELIMITER: Setting = Setting::new(
    "delimiter",
    "CHAR",
    "what separates fields: one character, tab, or blanks for any\nnumber of them",
)
.beside(
    &Setting::new(
        "to-delimiter",
        "CHAR",
        "the same of the lines that convert writes, where --delimiter is\nabout those that are read",
    )
    .only(&["convert"]),
);

/// The options about lines that are written.
const OF_LINES: &[Setting] = &[DELIMITER];

/// What separates the fields of lines that are written.
pub(crate) fn delimiter(named: Option<&str>, out: &str, said: &Settings) -> Result<u8> {
    match said.get::<String>(DELIMITER.name)?.value().map(String::as_str) {
        None if named == Some("tsv") || out.to_lowercase().ends_with(".tsv") => Ok(b'\t'),
        None => Ok(b','),
        Some("tab" | "\\t") => Ok(b'\t'),
        Some(text) => match text.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
            _ => Err(Error::usage(format_args!(
                "the delimiter of what is written is one character or tab, not {text:?}"
            ))),
        },
    }
}
