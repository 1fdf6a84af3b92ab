//! The options of load files.

use crate::settings::{Setting, Text, options};

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
        );
        strict: () = Setting::switch(
            "strict",
            "refuse what SciDB reads but never writes:\n\
             presence bytes other than ff, bytes after missing values that\n\
             are not zero, texts without a NUL at the end, bools other than\n\
             00 and 01",
        );
    }
}
