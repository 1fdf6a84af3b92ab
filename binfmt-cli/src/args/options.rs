//! What the formats add to the command line: their names, their examples, and their options. Options of the same name are one,
//! whose help names each format.

use super::Cli;
use crate::find::Formats;
use crate::settings::{Setting, Settings};
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;

/// Reads a command line.
pub(crate) fn parse(words: &[OsString], formats: Formats) -> Result<Cli, clap::Error> {
    let mut command = command(formats);
    let matches = command.try_get_matches_from_mut(words)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))?;
    if let (Some(settings), Some((_, matches))) = (cli.command.settings(), matches.subcommand()) {
        *settings = given(matches, formats);
    }
    if let Some(reading) = cli.command.reading()
        && reading.format.is_none()
    {
        reading.format = formats.implied(&reading.settings).map(str::to_owned);
    }
    Ok(cli)
}

/// The command line, with what the formats add.
pub(crate) fn command(formats: Formats) -> Command {
    Cli::command().after_help(closing_words(formats)).mut_subcommands(|command| {
        let names: Vec<&str> = match command.get_name() {
            "make" => formats.makers().collect(),
            _ => formats.names().collect(),
        };
        // what has a format has the options of formats
        if command.get_arguments().all(|arg| arg.get_id() != "format") {
            return command;
        }
        let command = command.mut_arg("format", |arg| arg.value_parser(PossibleValuesParser::new(names)));
        let command = match command.get_name() {
            "convert" => {
                command.mut_arg("to", |arg| arg.value_parser(PossibleValuesParser::new(formats.targets())))
            }
            _ => command,
        };
        command.args(merged(formats).iter().map(|(setting, help)| arg(setting, help)))
    })
}

/// What stands below the list of commands.
fn closing_words(formats: Formats) -> String {
    let mut text = "Examples:\n".to_owned();
    for example in formats.iter().flat_map(|format| format.facts().examples) {
        text.push_str(&format!("  {example}\n"));
    }
    text + "\nExit status: 0 all well, 1 the data are bad or not supported, 2 the command line is wrong."
}

/// All settings of all formats, each name once, with its help.
fn merged(formats: Formats) -> Vec<(&'static Setting, String)> {
    let mut list: Vec<(&'static Setting, String)> = Vec::new();
    for format in formats.iter() {
        for setting in format.facts().settings {
            let help = format!("[{}] {}", format.facts().name, setting.help);
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

fn arg(setting: &Setting, help: &str) -> Arg {
    let arg = Arg::new(setting.name)
        .long(setting.name)
        .help(help.to_owned())
        .help_heading("Options of some formats");
    let arg = match setting.value {
        // ranges may begin with a minus
        Some(value) => {
            arg.value_name(value).action(ArgAction::Set).allow_hyphen_values(value.starts_with("RANGE"))
        }
        None => arg.action(ArgAction::SetTrue),
    };
    match setting.env {
        Some(variable) => arg.env(variable).hide_env_values(true),
        None => arg,
    }
}

/// What was given of them.
fn given(matches: &ArgMatches, formats: Formats) -> Settings {
    let mut settings = Settings::default();
    for (setting, _) in merged(formats) {
        let value = match setting.value {
            Some(_) => matches.get_one::<String>(setting.name).cloned(),
            None => matches.get_flag(setting.name).then(String::new),
        };
        if let Some(value) = value {
            let source = matches.value_source(setting.name);
            settings.insert(setting.name, value, source == Some(ValueSource::EnvVariable));
        }
    }
    settings
}
