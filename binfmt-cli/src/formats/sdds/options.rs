//! The options of SDDS files.

use crate::error::{Error, Result};
use crate::settings::{Choice, Setting, options};
use binfmt::Endian;
use binfmt::formats::sdds::{Compression, Mode};

options! {
    /// What is said about a file that is read, and about one that is written.
    pub(super) struct Options {
        include: String =
            Setting::new("include", "DIR", "the folder beneath which files lie that a header includes");
        assume: Endian = Setting::new(
            "assume-byte-order",
            "ORDER",
            "little or big: the byte order of a file that declares none",
        );
        mode: Mode = Setting::new("mode", "MODE", "ascii or binary: how convert writes the pages")
            .only(&["convert"]);
        byte_order: Endian = Setting::new(
            "byte-order",
            "ORDER",
            "little or big: the byte order of the binary file that convert\nwrites",
        )
        .only(&["convert"]);
        order: PageOrder = Setting::new(
            "order",
            "ORDER",
            "row or column: whether convert writes binary pages row by row or\ncolumn by column",
        )
        .only(&["convert"]);
        compression: Compression = Setting::new(
            "compression",
            "KIND",
            "none, gz or xz: how convert compresses, if the ending of OUT\n(.gz, .xz) does not say it",
        )
        .only(&["convert"]);
        like: String = Setting::new(
            "like",
            "FILE",
            "an SDDS file whose header convert takes for the table that it\nwrites",
        )
        .only(&["convert"]);
        parameters: String = Setting::new(
            "parameters",
            "NAME,NAME",
            "these parameters as a table, with a row for each page",
        );
        arrays: String = Setting::new(
            "arrays",
            "NAME,NAME",
            "these arrays as a table, with a row for each element; * are all",
        );
        as_parameters: String = Setting::new(
            "as-parameters",
            "NAME,NAME",
            "columns that become parameters of the SDDS file that convert\nwrites",
        )
        .only(&["convert"]);
        no_parameters: () = Setting::switch(
            "no-parameters",
            "only the columns, without the parameters and arrays above them",
        )
        .only(&["cat"]);
        any_names: () = Setting::switch(
            "any-names",
            "names may be any text, such as `1st x`, as sddsconvert's\n-acceptAllNames has it",
        );
        strict: () = Setting::switch(
            "strict",
            "texts that are not the values that are read of them are errors",
        )
        .only(&["check"]);
        recover: () = Setting::switch(
            "recover",
            "of a file that is damaged or cut off, convert writes the pages\nand whole rows before the damage",
        )
        .only(&["convert"]);
    }
}

/// How the values of a binary page are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageOrder {
    Row,
    Column,
}

impl Options {
    /// Refuses options about an SDDS file that is written where none is.
    pub(super) fn nothing_is_written(&self) -> Result<()> {
        let given = [
            self.mode.name(),
            self.byte_order.name(),
            self.order.name(),
            self.compression.name(),
            self.recover.name(),
            self.like.name(),
            self.as_parameters.name(),
        ];
        given.into_iter().flatten().next().map_or(Ok(()), |name| {
            Err(Error::usage(format_args!("--{name} is for convert, when it writes an SDDS file")))
        })
    }

    /// Refuses options about what is shown as a table, for a JSON document.
    pub(super) fn all_is_in_a_document(&self) -> Result<()> {
        let given = self.parameters.name().or(self.arrays.name()).or(self.no_parameters.name());
        given.map_or(Ok(()), |name| {
            let why =
                "is for tables, and a JSON document has the parameters, arrays and columns of each page";
            Err(Error::usage(format_args!("--{name} {why}"))
                .tip("JSON lines are a table: --jsonl, or --to jsonl where a file is written"))
        })
    }

    /// Refuses options about how a file is read, for a dump.
    pub(super) fn nothing_is_assumed(&self) -> Result<()> {
        let given = self.include.name().or(self.assume.name());
        given.map_or(Ok(()), |name| {
            let why = "is not for dump, which explains what the file itself says";
            Err(Error::usage(format_args!("--{name} {why}")))
        })
    }
}

impl Choice for Mode {
    const WORDS: &[(&str, Self)] = &[("ascii", Mode::Ascii), ("binary", Mode::Binary)];
}

impl Choice for PageOrder {
    const WORDS: &[(&str, Self)] = &[("row", PageOrder::Row), ("column", PageOrder::Column)];
}

impl Choice for Compression {
    const WORDS: &[(&str, Self)] =
        &[("none", Compression::None), ("gz", Compression::Gzip), ("xz", Compression::Xz)];
}
