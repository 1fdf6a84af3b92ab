//! The options of load files.

use crate::settings::{Setting, Text, options};

const TO_SCHEMA: Setting = Setting::new(
    "to-schema",
    "TEXT|@FILE",
    "the schema of the file that convert writes, where --schema is that\nof the one that is read",
)
.only(&["convert"]);

const TO_TEMPLATE: Setting =
    Setting::new("to-template", "TEXT|@FILE", "the same, where --template is about the file that is read")
        .only(&["convert"])
        .beside(&TO_SCHEMA);

const TO_USER_TYPES: Setting = Setting::new(
    "to-user-types",
    "NAME=BYTES,..",
    "the same, where --user-types is about the file that is read",
)
.only(&["convert"]);

/// The options about a file that is written as another one.
pub(super) const OF_OUTPUT: &[&str] = &[TO_SCHEMA.name, TO_TEMPLATE.name, TO_USER_TYPES.name];

options! {
    /// What is said about a load file.
    pub(super) struct Options {
        schema: Text = Setting::new(
            "schema",
            "TEXT|@FILE",
            "what a cell consists of: a format string such as\n\
             '(int8, string null)', or an array schema, which also names the\n\
             columns, such as '<a:int8 NOT NULL, b:string>[i=0:*]';\n\
             @FILE takes it from a file",
        )
        .beside(&TO_SCHEMA);
        template: Text = Setting::new(
            "template",
            "TEXT|@FILE",
            "the format string, where --schema is the array whose attributes\n\
             its columns are: it can have skip, string(n) and other types",
        )
        .beside(&TO_TEMPLATE);
        user_types: String = Setting::new(
            "user-types",
            "NAME=BYTES,..",
            "types of plugins, which no text tells the size of, such as\n\
             rational=16; without =BYTES values have any length",
        )
        .beside(&TO_USER_TYPES);
        strict: () = Setting::switch(
            "strict",
            "refuse what SciDB reads but never writes:\n\
             presence bytes other than ff, bytes after missing values that\n\
             are not zero, texts without a NUL at the end, bools other than\n\
             00 and 01",
        );
    }
}
