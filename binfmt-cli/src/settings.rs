//! Options that only some formats have. A format declares its own as a struct, with [`options!`]; the command line takes those
//! of all formats ([`Settings`]), and each format reads its own from what was given.

mod choice;
mod sides;

pub(crate) use choice::Choice;
pub(crate) use sides::{Sides, with_those_of_output};

use crate::error::{Error, Result};
use crate::units::with_article;
use std::collections::BTreeMap;
use std::path::Path;

/// An option of one format, as the command line and its help have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// As it is typed, without the dashes.
    pub(crate) name: &'static str,
    /// What its value is called in the help; `None` for a switch.
    pub(crate) value: Option<&'static str>,
    /// What it does, for people.
    pub(crate) help: &'static str,
    /// The environment variable that gives it too.
    pub(crate) env: Option<&'static str>,
    /// The commands whose help shows it; none are all.
    pub(crate) commands: &'static [&'static str],
    /// The option that says the same of the file that is written, where this one is about the one that is read. Of one that does, the option
    /// that it goes with: if that is said and it is not, nothing is said of it.
    pub(crate) of_output: Option<&'static Setting>,
}

impl Setting {
    /// An option with a value.
    pub(crate) const fn new(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Setting { name, value: Some(value), help, env: None, commands: &[], of_output: None }
    }

    /// An option without a value.
    pub(crate) const fn switch(name: &'static str, help: &'static str) -> Self {
        Setting { name, value: None, help, env: None, commands: &[], of_output: None }
    }

    /// The same, which an environment variable gives too.
    pub(crate) const fn env(mut self, variable: &'static str) -> Self {
        self.env = Some(variable);
        self
    }

    /// The same with the option that says it of the file that is written.
    pub(crate) const fn beside(mut self, other: &'static Setting) -> Self {
        self.of_output = Some(other);
        self
    }

    /// The same, which means something to these commands only.
    pub(crate) const fn only(mut self, commands: &'static [&'static str]) -> Self {
        self.commands = commands;
        self
    }
}

/// Declares the options of a format: a struct with a [`Given`] for each, and the list for the command line.
macro_rules! options {
    ($(#[$about:meta])* $visibility:vis struct $options:ident {
        $( $(#[$field_about:meta])* $field:ident: $type:ty = $setting:expr; )*
    }) => {
        $(#[$about])*
        $visibility struct $options {
            $( $(#[$field_about])* pub(super) $field: $crate::settings::Given<$type>, )*
        }

        impl $options {
            pub(super) const LIST: &'static [$crate::settings::Setting] = &[$($setting),*];

            /// What was given of them.
            pub(super) fn of(settings: &$crate::settings::Settings) -> $crate::error::Result<Self> {
                Ok($options { $( $field: settings.get($setting.name)?, )* })
            }
        }
    };
}
pub(crate) use options;

/// What the value of an option may be.
pub(crate) trait OptionValue: Sized {
    /// The value that a text means; `name` is that of the option, for messages.
    fn parse(name: &str, text: &str) -> Result<Self>;
}

/// What was given for an option.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    name: &'static str,
    value: Option<T>,
    /// It came from the environment and may be meant for another file.
    is_ambient: bool,
}

impl<T> Given<T> {
    pub(crate) fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Whether it was given, by the command line or the environment.
    pub(crate) fn is_given(&self) -> bool {
        self.value.is_some()
    }

    /// Whether the command line says it, and not the environment.
    pub(crate) fn is_on_command_line(&self) -> bool {
        self.value.is_some() && !self.is_ambient
    }

    /// Its name, if it was given.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.value.as_ref().map(|_| self.name)
    }

    /// Leaves it out where it is about another file.
    pub(crate) fn leave_out(&mut self) {
        self.value = None;
    }

    /// Refuses it where it means something to other commands only.
    pub(crate) fn refused(&self) -> Result<()> {
        match self.name() {
            Some(name) => Err(Error::usage(format_args!("--{name} means nothing to this command"))),
            None => Ok(()),
        }
    }
}

/// What was given of all formats' options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    values: BTreeMap<&'static str, String>,
    /// Those that came from the environment and may be meant for another file.
    ambient: Vec<&'static str>,
}

impl Settings {
    /// Adds what was given for an option; `is_ambient` of what came from the environment. A switch has an empty value.
    pub(crate) fn insert(&mut self, name: &'static str, value: String, is_ambient: bool) {
        self.values.insert(name, value);
        if is_ambient {
            self.ambient.push(name);
        }
    }

    /// What was given of a format's own options, as the library is told it, as far as it knows them.
    pub(crate) fn said(&self, own: &[Setting], known: &[binfmt::table::Setting]) -> binfmt::table::Settings {
        own.iter().fold(binfmt::table::Settings::new(), |said, setting| {
            let name = setting.name.replace('-', "_");
            match self.values.get(setting.name) {
                Some(text) if known.iter().any(|known| known.name == name) => {
                    // a switch says no more than that it is there
                    said.with(name, if setting.value.is_none() { "true" } else { text.as_str() })
                }
                _ => said,
            }
        })
    }

    /// The option with this file as its value, as it is or after `@`.
    pub(crate) fn of_file(&self, is_it: impl Fn(&Path) -> bool) -> Option<&'static str> {
        let found =
            self.values.iter().find(|(_, text)| is_it(Path::new(text.strip_prefix('@').unwrap_or(text))));
        found.map(|(name, _)| *name)
    }

    /// Whether no option was given on the command line.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.keys().all(|name| self.ambient.contains(name))
    }

    /// Whether the option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// What was given for an option of a format.
    pub(crate) fn get<T: OptionValue>(&self, name: &'static str) -> Result<Given<T>> {
        let value = self.values.get(name).map(|text| T::parse(name, text)).transpose()?;
        Ok(Given { name, value, is_ambient: self.ambient.contains(&name) })
    }

    /// Refuses what was given and means nothing to a format with these options.
    pub(crate) fn check_for(&self, known: &[Setting], format: &str) -> Result<()> {
        let foreign = |name: &&str| !known.iter().any(|s| s.name == *name) && !self.ambient.contains(name);
        match self.values.keys().copied().find(foreign) {
            Some(name) => {
                Err(Error::usage(format_args!("--{name} means nothing for {}", with_article(format))))
            }
            None => Ok(()),
        }
    }
}

/// A switch.
impl OptionValue for () {
    fn parse(_: &str, _: &str) -> Result<Self> {
        Ok(())
    }
}

/// A number that counts something.
impl OptionValue for u64 {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let wrong = |_| Error::usage(format_args!("--{name} must be a number, not `{text}`"));
        text.parse().map_err(wrong)
    }
}

/// A number that may have a fraction.
impl OptionValue for f64 {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| Error::usage(format_args!("--{name} must be a number, not `{text}`")))
    }
}

/// As it was typed.
impl OptionValue for String {
    fn parse(_: &str, text: &str) -> Result<Self> {
        Ok(text.to_owned())
    }
}

/// The value itself, or the content of the file that `@FILE` names, without the newline at its end.
#[derive(Clone, Debug)]
pub(crate) struct Text(pub(crate) String);

impl OptionValue for Text {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let Some(path) = text.strip_prefix('@') else { return Ok(Text(text.to_owned())) };
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Text(text.trim_end_matches(['\n', '\r']).to_owned())),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                Err(Error::usage(format_args!("--{name} @{path}: the file is not text in UTF-8")))
            }
            Err(e) => Err(Error::usage(format_args!("--{name} @{path}: {}", Error::reason(&e)))),
        }
    }
}

/// What must not be told: no message repeats it. The file that `@FILE` names is read when it is needed.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl OptionValue for Secret {
    fn parse(_: &str, text: &str) -> Result<Self> {
        Ok(Secret(text.to_owned()))
    }
}

impl Given<Secret> {
    /// The value as bytes, or the content of the file.
    pub(crate) fn bytes(&self) -> Result<Option<Vec<u8>>> {
        let Some(Secret(text)) = &self.value else { return Ok(None) };
        let Some(path) = text.strip_prefix('@') else { return Ok(Some(text.clone().into_bytes())) };
        let unread =
            |e| format!("--{}: the file that it names cannot be read: {}", self.name, Error::reason(&e));
        std::fs::read(path).map(Some).map_err(|e| Error::usage(unread(e)))
    }
}

#[cfg(test)]
mod tests;
