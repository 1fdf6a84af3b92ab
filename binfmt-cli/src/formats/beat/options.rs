//! The options of data of the platform.

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
        prefix: String = Setting::new(
            "prefix",
            "DIR",
            "the folder beneath which declarations stand as the platform\n\
             keeps them: DIR/dataformats/user/name/version.json",
        );
    }
}
