//! Descriptions that the user gives in a file.

use crate::error::{Error, Result};
use binfmt::schema::{Description, SyntaxError};
use std::fs;
use std::io::ErrorKind;

/// The description in a file: JSON, or the text of a schema. `said` is how the command line names the file.
pub(crate) fn read(path: &str, said: &str) -> Result<Description> {
    let text = fs::read_to_string(path).map_err(|e| {
        let error = Error::usage(format_args!("{said}: {}", Error::reason(&e)));
        match e.kind() {
            ErrorKind::InvalidData => {
                error.tip("a layout is a text that describes a file; binfmt inspect tells what a file is")
            }
            _ => error,
        }
    })?;
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(&text)
            .map_err(|e| Error::usage(format_args!("{said}: this is not the description of a layout: {e}")));
    }
    text.parse().map_err(|e: SyntaxError| {
        let line = text.lines().nth(e.line().saturating_sub(1)).unwrap_or("");
        let place = format!("{said}, line {}", e.line());
        let caret = format!("{:>column$}", "^", column = e.column());
        Error::drawn(|text| Error::usage(text), &format!("{place}: {}\n  {line}\n  {caret}", e.message()))
    })
}
