//! The options of files whose layout the user gives.

use crate::error::{Error, Result};
use crate::settings::{Setting, options};
use binfmt::Endian;

/// The option that says what is written.
pub(super) const TO_LAYOUT: &str = "to-layout";

options! {
    /// What is said about such a file.
    pub(super) struct Options {
        layout: String = Setting::new(
            "layout",
            "FILE",
            "what a record of the file consists of: the schema of a type, as\n\
             text or JSON; the file is records, one after the other",
        );
        to_layout: String = Setting::new(
            TO_LAYOUT,
            "FILE",
            "the layout of the file that convert writes, where --layout is\n\
             that of the one that is read",
        )
        .only(&["convert"]);
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

impl Options {
    /// What is said of the file that is read.
    pub(super) fn read(mut self) -> Self {
        if self.to_layout.is_given() {
            self.byte_order.leave_out();
        }
        self
    }

    /// What is said of the file that is written.
    pub(super) fn written(mut self) -> Self {
        if self.to_layout.is_given() {
            if self.layout.is_given() {
                self.assume.leave_out();
            }
            self.layout = self.to_layout.clone();
        }
        self
    }

    /// Refuses the layout of a file that is written where none is.
    pub(super) fn no_layout_is_written(&self) -> Result<()> {
        match self.to_layout.is_given() {
            true => Err(Error::usage("--to-layout is for convert, when it writes a file of a layout")),
            false => Ok(()),
        }
    }

    /// Refuses the layout of a file that is written where its records come with their own.
    pub(super) fn has_no_second(&self) -> Result<()> {
        match self.to_layout.is_given() {
            true => Err(Error::usage(
                "--to-layout is for rows of a file, and a JSON document has records of one layout",
            )
            .tip("convert the document into a file, and then that file")),
            false => Ok(()),
        }
    }
}
