//! The options of files of values.

use crate::settings::{Choice, Setting, options};
use binfmt::formats::futhark::OutputStyle;

options! {
    /// What is said about values.
    pub(super) struct Options {
        style: OutputStyle = Setting::new(
            "style",
            "STYLE",
            "how values are written: packed (binary, nothing in between),\n\
             printed (binary, a newline after each, as programs print them)\n\
             or text; without it text where the output ends in .txt, else\n\
             packed",
        )
        .only(&["cat", "convert", "make"]);
        types: () = Setting::switch("types", "only the types of the values, a line each: [10]f32").only(&["inspect"]);
    }
}

impl Choice for OutputStyle {
    const WORDS: &[(&str, Self)] =
        &[("packed", OutputStyle::Packed), ("printed", OutputStyle::Printed), ("text", OutputStyle::Text)];
}
