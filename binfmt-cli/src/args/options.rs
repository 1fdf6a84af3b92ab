//! What the formats add to the command line: their names, their examples, and their options. Options of the same name are one,
//! whose help names each format.

use super::Cli;
use super::Command as Named;
use crate::find::Formats;
use crate::settings::{Setting, Settings};
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::Path;

/// Reads a command line. Its help shows the options of the format that it names.
pub(crate) fn parse(words: &[OsString], formats: Formats) -> Result<Cli, clap::Error> {
    let words = &spelled(words, formats)[..];
    let mut command = command_about(formats, Some(named(words)));
    let matches = command.try_get_matches_from_mut(words)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))?;
    if let (Some(settings), Some((_, matches))) = (cli.command.settings(), matches.subcommand()) {
        *settings = given(matches, formats);
    }
    if let Named::Convert(convert) = &mut cli.command {
        convert.parted().ok_or_else(|| without_output(&mut command))?;
    }
    if let Some(reading) = cli.command.reading()
        && reading.format.is_none()
    {
        reading.format = formats.implied(&reading.settings).map(str::to_owned);
        reading.is_implied = reading.format.is_some();
    }
    Ok(cli)
}

/// Only the file to read is named.
fn without_output(command: &mut Command) -> clap::Error {
    let text = "the following required arguments were not provided:\n  <OUT>";
    let convert = command.find_subcommand_mut("convert");
    convert
        .map_or_else(clap::Command::default, |convert| convert.clone())
        .error(ErrorKind::MissingRequiredArgument, text)
}

/// The words, in which an option that is a switch of one format and has a value in another has an empty one where none follows. The
/// format that is named decides; without one `--types a:i64`, which says what the columns are, has a value, and `--types FILE` none.
fn spelled(words: &[OsString], formats: Formats) -> Vec<OsString> {
    let named = named(words);
    let is_meant = |format: &str| named.as_deref().is_none_or(|named| named == format);
    let all = |word: &str, only_meant: bool| {
        let formats = formats.iter().filter(move |format| !only_meant || is_meant(format.facts().name));
        let settings = formats.flat_map(|format| format.facts().settings);
        let own: Vec<&Setting> =
            settings.filter(|setting| word.strip_prefix("--") == Some(setting.name)).collect();
        let any = |has_value: bool| own.iter().any(|setting| setting.value.is_some() == has_value);
        (any(true), any(false))
    };
    let is_value = |word: Option<&OsString>| {
        let text = word.and_then(|word| word.to_str());
        text.is_some_and(|text| {
            text.contains(':') && !text.contains("://") && !text.starts_with('-') && !Path::new(text).exists()
        })
    };
    let spelled = words.iter().enumerate().map(|(i, word)| match word.to_str() {
        // a file may follow
        Some("--dates") if !is_value(words.get(i + 1)) && words.iter().any(|word| word == "plot") => {
            "--dates=".into()
        }
        Some(text) if all(text, false) == (true, true) => {
            let has_value = match all(text, true) {
                (true, true) => is_value(words.get(i + 1)),
                (has_value, _) => has_value,
            };
            if has_value { word.clone() } else { format!("{text}=").into() }
        }
        _ => word.clone(),
    });
    spelled.collect()
}

/// The command line, with what the formats add to each command: those of its words that mean something.
pub(crate) fn command(formats: Formats) -> Command {
    command_about(formats, None)
}

/// The format that a command line names.
fn named(words: &[OsString]) -> Option<String> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let value = words.by_ref().find_map(|word| word.strip_prefix("--format"))?;
    value.strip_prefix('=').map(str::to_owned).or_else(|| words.next().map(str::to_owned))
}

/// The command line, with what the formats add: in its help only that of the named one, without a word of which everything. What names a
/// format is there where none is named.
fn command_about(formats: Formats, named: Option<Option<String>>) -> Command {
    Cli::command().after_help(closing_words(formats)).mut_subcommands(|command| {
        let names: Vec<&str> = match command.get_name() {
            "make" => formats.makers().collect(),
            _ => formats.names().collect(),
        };
        // what has a format has the options of formats
        if command.get_arguments().all(|arg| arg.get_id() != "format") {
            return command;
        }
        let command =
            command.mut_arg("format", |arg| arg.value_parser(PossibleValuesParser::new(names.clone())));
        let command = match command.get_name() {
            "convert" => {
                command.mut_arg("to", |arg| arg.value_parser(PossibleValuesParser::new(formats.targets())))
            }
            _ => command,
        };
        let name = command.get_name().to_owned();
        let is_shown = |format: &str, setting: &Setting| {
            let is_of_format = match (&named, &name[..]) {
                (_, "make") => names.contains(&format),
                (None, _) => true,
                // any file is of a format that an option names
                (Some(None), "consolidate" | "vacuum") => false,
                (Some(None), _) => formats.tells(format, setting.name),
                (Some(named), _) => named.as_deref() == Some(format),
            };
            is_of_format && (setting.commands.is_empty() || setting.commands.contains(&&name[..]))
        };
        let all = merged(formats);
        // one that means nothing is read all the same, to say so
        let is_told = |arg: &Arg| named.is_some() || !arg.is_hide_set();
        let args: Vec<Arg> =
            all.iter().map(|(setting, help)| arg(setting, help, &is_shown)).filter(is_told).collect();
        let is_silent = matches!(named, Some(None)) && command.get_name() != "make";
        let after = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
        match is_silent {
            true => command.args(args).after_help(after + HIDDEN),
            false => command.args(args),
        }
    })
}

/// What stands in the place of the options of formats.
const HIDDEN: &str = "Formats have more options of their own: --help --format NAME shows those of one.";

/// What stands below the list of commands.
fn closing_words(formats: Formats) -> String {
    let mut text = "Examples:\n".to_owned();
    for example in formats.iter().flat_map(|format| format.facts().examples) {
        text.push_str(&format!("  {example}\n"));
    }
    text + "\nExit status: 0 all well, 1 the data are bad or not supported, 2 the command line is wrong."
}

/// All settings of all formats, each name once, with the help of each format.
fn merged(formats: Formats) -> Vec<(&'static Setting, Vec<(&'static str, &'static Setting)>)> {
    let mut list: Vec<(&'static Setting, Vec<_>)> = Vec::new();
    for format in formats.iter() {
        for setting in format.facts().settings.iter().flat_map(|own| [Some(own), own.of_output]).flatten() {
            let help = (format.facts().name, setting);
            match list.iter_mut().find(|(known, _)| known.name == setting.name) {
                Some((known, all)) => {
                    all.push(help);
                    // who has a value may have none, and not the other way round
                    if known.value.is_none() {
                        *known = setting;
                    }
                }
                None => list.push((setting, vec![help])),
            }
        }
    }
    list
}

fn arg(
    setting: &Setting,
    owners: &[(&str, &'static Setting)],
    is_shown: &dyn Fn(&str, &Setting) -> bool,
) -> Arg {
    let shown: Vec<_> = owners.iter().filter(|(format, own)| is_shown(format, own)).collect();
    let text: Vec<String> = shown.iter().map(|(format, own)| format!("[{format}] {}", own.help)).collect();
    let arg = Arg::new(setting.name)
        .long(setting.name)
        .help(text.join("\n"))
        .hide(shown.is_empty())
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
