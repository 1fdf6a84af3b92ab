//! What is said of the file that is read, and of the one that is written.

use super::{Setting, Settings};
use crate::error::{Error, Result};

/// What is said of each of two files.
#[derive(Debug)]
pub(crate) struct Sides {
    pub(crate) read: Settings,
    pub(crate) written: Settings,
}

impl Settings {
    /// What is said of a file with these options, and of the one that is written, with those. `--to-schema` is about the latter. An option
    /// that both know is about the one that is read where `is_named` says that its format is told beside it, else about the other; if
    /// both are of one format, it is about both.
    pub(crate) fn sides(
        &self,
        read: &[Setting],
        written: &[Setting],
        (is_named, is_one_format): (bool, bool),
    ) -> Result<Sides> {
        let mut sides = Sides { read: self.clone(), written: self.clone() };
        for setting in written {
            let Some(of_output) = setting.of_output else { continue };
            let is_known = read.iter().any(|known| known.name == setting.name);
            let is_given = self.has(setting.name);
            match sides.written.values.remove(of_output.name) {
                Some(_) if is_given && !is_known && !self.ambient.contains(&setting.name) => {
                    let (one, other) = (setting.name, of_output.name);
                    let text = format_args!("--{one} and --{other} are both about the file that is written");
                    return Err(Error::usage(text));
                }
                Some(value) => {
                    sides.written.values.insert(setting.name, value);
                    sides.written.ambient.retain(|name| *name != setting.name);
                }
                None if is_known && of_output.of_output.is_some_and(|other| self.has(other.name)) => {
                    sides.written.values.remove(setting.name);
                }
                None if is_known && !is_one_format && is_named => {
                    _ = sides.written.values.remove(setting.name)
                }
                None if is_known && !is_one_format => _ = sides.read.values.remove(setting.name),
                None => {}
            }
            sides.read.values.remove(of_output.name);
        }
        Ok(sides)
    }
}

/// Options, and those that say the same of the file that is written.
pub(crate) fn with_those_of_output(settings: &[Setting]) -> Vec<Setting> {
    settings.iter().flat_map(|setting| [Some(*setting), setting.of_output.copied()]).flatten().collect()
}
