//! The options of files whose layout the user gives.

use crate::settings::{Setting, options};
use binfmt::Endian;

options! {
    /// What is said about such a file.
    pub(super) struct Options {
        layout: String = Setting::new(
            "layout",
            "FILE",
            "what a record of the file consists of: the schema of a type, as\n\
             text or JSON; the file is records, one after the other",
        );
        assume: Endian = Setting::new(
            "assume-byte-order",
            "ORDER",
            "little or big: the byte order of what the layout leaves open\n\
             [default: little]",
        );
        byte_order: Endian = Setting::new(
            "byte-order",
            "ORDER",
            "little or big: in which byte order convert writes what the\n\
             layout leaves open",
        )
        .only(&["convert"]);
    }
}
