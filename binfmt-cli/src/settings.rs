//! The options that only some formats have: which there are, and what was given.
//!
//! A format lists its own ([`Format::settings`](crate::format::Format::settings)); options of the same name in several
//! formats are one option on the command line, whose help names each.

use crate::error::{Error, Result};
use crate::formats;
use clap::{Arg, ArgAction, ArgMatches, Command};
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

/// All settings of all formats, each name once, with its help.
fn merged() -> Vec<(&'static Setting, String)> {
    let mut list: Vec<(&'static Setting, String)> = Vec::new();
    for format in formats::ALL {
        for setting in format.settings() {
            let help = format!("[{}] {}", format.name(), setting.help);
            match list.iter_mut().find(|(known, _)| known.name == setting.name) {
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&help);
                }
                None => list.push((setting, help)),
            }
        }
    }
    list
}

impl clap::Args for Settings {
    fn augment_args(command: Command) -> Command {
        merged().into_iter().fold(command, |command, (setting, help)| {
            let mut arg =
                Arg::new(setting.name).long(setting.name).help(help).help_heading("Options of some formats");
            arg = match setting.value {
                // ranges may begin with a minus
                Some(value) => {
                    let hyphens = value.starts_with("RANGE");
                    arg.value_name(value).action(ArgAction::Set).allow_hyphen_values(hyphens)
                }
                None => arg.action(ArgAction::SetTrue),
            };
            if let Some(variable) = setting.env {
                arg = arg.env(variable).hide_env_values(true);
            }
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Settings::default();
        for (setting, _) in merged() {
            let value = match setting.value {
                Some(_) => matches.get_one::<String>(setting.name).cloned(),
                None => matches.get_flag(setting.name).then(String::new),
            };
            if let Some(value) = value {
                settings.values.insert(setting.name, value);
                if matches.value_source(setting.name) == Some(clap::parser::ValueSource::EnvVariable) {
                    settings.ambient.push(setting.name);
                }
            }
        }
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
