//! The options of data of the platform.

use crate::error::Result;
use crate::settings::{Setting, Text, options};

options! {
    /// What is said about a data file or an object.
    pub(super) struct Options {
        schema: Text = Setting::new(
            "schema",
            "TEXT|@FILE",
            "the declaration in JSON, or the name of a format beneath --prefix;\n\
             a file that does not begin with a header is one object of it",
        );
        dataformat: String = Setting::new(
            "dataformat",
            "NAME",
            "what the objects of a data file that convert writes are called: user/name/version",
        );
        start: u64 = Setting::new(
            "start",
            "INDEX",
            "only chunks that begin at this index or after it",
        );
        end: u64 = Setting::new("end", "INDEX", "only chunks that end at this index or before it");
        prefix: String = Setting::new(
            "prefix",
            "DIR",
            "the folder beneath which declarations stand as the platform\n\
             keeps them: DIR/dataformats/user/name/version.json",
        );
    }
}

impl Options {
    /// The indices of which chunks are wanted, if not all are.
    pub(super) fn indices(&self) -> Option<(u64, u64)> {
        let (start, end) = (self.start.value(), self.end.value());
        (start.is_some() || end.is_some())
            .then(|| (start.copied().unwrap_or(0), end.copied().unwrap_or(u64::MAX)))
    }

    /// Refuses a choice of chunks.
    pub(super) fn of_whole_file(&self) -> Result<()> {
        self.start.refused()?;
        self.end.refused()
    }
}
