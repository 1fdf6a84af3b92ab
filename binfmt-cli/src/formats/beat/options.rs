//! The options of data of the platform.

use crate::error::{Error, Result};
use crate::settings::{Setting, Text, options};
use std::ops::RangeInclusive;
use std::path::Path;

const TO_SCHEMA: Setting = Setting::new(
    "to-schema",
    "TEXT|@FILE",
    "the declaration of the file that convert writes, where --schema is\nthat of the one that is read",
)
.only(&["convert"]);

const TO_PREFIX: Setting =
    Setting::new("to-prefix", "DIR", "the same, where --prefix is about the file that is read")
        .only(&["convert"]);

/// The options by which a file becomes another one.
pub(super) const REMAKES: &[&str] = &["dataformat", TO_SCHEMA.name, TO_PREFIX.name];

options! {
    /// What is said about a data file or an object.
    pub(super) struct Options {
        schema: Text = Setting::new(
            "schema",
            "TEXT|@FILE",
            "the declaration in JSON, or the name of a format beneath --prefix;\n\
             a file that does not begin with a header is one object of it",
        )
        .beside(&TO_SCHEMA);
        dataformat: String = Setting::new(
            "dataformat",
            "NAME",
            "what the objects of a data file that convert writes are called: user/name/version",
        )
        .only(&["convert"]);
        start: u64 = Setting::new(
            "start",
            "INDEX",
            "only chunks that lie wholly within the indices from this one on",
        );
        end: u64 = Setting::new("end", "INDEX", "and up to this one, which is included");
        join: String = Setting::new(
            "join",
            "BASE,NAME=BASE",
            "other data sets whose objects stand beside those of the same\n\
             indices; their declarations are beneath --prefix",
        )
        .only(&["cat", "convert"]);
        prefix: String = Setting::new(
            "prefix",
            "DIR",
            "the folder beneath which declarations stand as the platform\n\
             keeps them: DIR/dataformats/user/name/version.json",
        )
        .beside(&TO_PREFIX);
    }
}

impl Options {
    /// The indices that are wanted, if not all.
    pub(super) fn indices(&self) -> Result<Option<RangeInclusive<u64>>> {
        match (self.start.value().copied(), self.end.value().copied()) {
            (None, None) => Ok(None),
            (Some(start), Some(end)) if end < start => {
                Err(Error::usage(format_args!("--end {end} is before --start {start}")))
            }
            (start, end) => Ok(Some(start.unwrap_or(0)..=end.unwrap_or(u64::MAX))),
        }
    }

    /// The folder of declarations, if it is said; it has to be there.
    pub(super) fn prefix(&self) -> Result<Option<&str>> {
        match self.prefix.value() {
            Some(prefix) if !Path::new(prefix).is_dir() => {
                Err(Error::usage(format_args!("--prefix {prefix}: there is no such folder")))
            }
            prefix => Ok(prefix.map(String::as_str)),
        }
    }

    /// Refuses a choice among the chunks, and other sets.
    pub(super) fn of_whole_set(&self) -> Result<()> {
        self.start.refused()?;
        self.end.refused()?;
        self.join.refused()
    }
}
