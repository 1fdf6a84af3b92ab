//! The options that only some formats have: what one is, and what was given. A format lists its own
//! ([`Format::settings`](crate::format::Format::settings)).

use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// An option of one format.
#[derive(Debug)]
pub(crate) struct Setting {
    /// As it is typed, without the dashes.
    pub(crate) name: &'static str,
    /// What its value is called in the help; `None` for a switch.
    pub(crate) value: Option<&'static str>,
    /// What it does, for people.
    pub(crate) help: &'static str,
    /// The environment variable that gives it too.
    pub(crate) env: Option<&'static str>,
}

/// What was given of all formats' options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    values: BTreeMap<&'static str, String>,
    /// Those that came from the environment and may be meant for another file.
    ambient: Vec<&'static str>,
}

impl Settings {
    /// Adds what was given for an option; `is_ambient` of what came from the environment.
    pub(crate) fn insert(&mut self, name: &'static str, value: String, is_ambient: bool) {
        self.values.insert(name, value);
        if is_ambient {
            self.ambient.push(name);
        }
    }

    /// The value of an option; a switch that was given has an empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Whether it was said on the command line, and not by the environment.
    pub(crate) fn is_said(&self, name: &str) -> bool {
        self.values.contains_key(name) && !self.ambient.contains(&name)
    }

    /// Whether a switch was given.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value itself, or the content of the file that `@FILE` names, without the newline at its end.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let Some(path) = value.strip_prefix('@') else { return Ok(Some(value.to_owned())) };
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned())),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                Err(Error::usage(format_args!("--{name} @{path}: the file is not text in UTF-8")))
            }
            Err(e) => Err(Error::usage(format_args!("--{name} @{path}: {}", read_failure(e)))),
        }
    }

    /// The value as bytes, or the content of the file that `@FILE` names, for what must not be told: no message repeats it.
    pub(crate) fn secret(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let Some(path) = value.strip_prefix('@') else { return Ok(Some(value.as_bytes().to_vec())) };
        std::fs::read(path).map(Some).map_err(|e| {
            Error::usage(format_args!("--{name}: the file that it names cannot be read: {}", read_failure(e)))
        })
    }

    /// Refuses what was given and means nothing to a format with these options.
    pub(crate) fn check_for(&self, known: &[Setting], format: &str) -> Result<()> {
        let foreign = |name: &&str| !known.iter().any(|s| s.name == *name) && !self.ambient.contains(name);
        match self.values.keys().copied().find(foreign) {
            Some(name) => Err(Error::usage(format_args!("--{name} means nothing for a {format}"))),
            None => Ok(()),
        }
    }
}

fn read_failure(e: std::io::Error) -> String {
    Error::input(e).message().map(|m| m.text.clone()).unwrap_or_default()
}
