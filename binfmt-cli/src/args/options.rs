//! The options of all formats on one command line: those of the same name are one, whose help names each.

use crate::formats;
use crate::settings::{Setting, Settings};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

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
                let source = matches.value_source(setting.name);
                settings.insert(setting.name, value, source == Some(ValueSource::EnvVariable));
            }
        }
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
