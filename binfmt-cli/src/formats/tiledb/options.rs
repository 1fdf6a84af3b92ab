//! The options of arrays.

use crate::error::{Error, Result};
use crate::settings::{Choice, OptionValue, Secret, Setting, options};
use binfmt::formats::tiledb::Layout;
use binfmt::table::TimeUnit;

const TO_KEY: Setting = Setting::new(
    "to-key",
    "KEY",
    "the key of the array that convert writes, where --key is that of the\none that is read",
)
.only(&["convert"]);

options! {
    /// What is said about an array.
    pub(super) struct Options {
        key: Secret = Setting::new(
            "key",
            "KEY",
            "the key of an encrypted array: 32 characters, 64 hexadecimal\n\
             digits, or @FILE; BINFMT_KEY keeps it off the command line.\n\
             Said to convert, it encrypts what is written",
        )
        .env("BINFMT_KEY")
        .beside(&TO_KEY);
        at: Milliseconds = Setting::new(
            "at",
            "TIME",
            "the array as it was then: milliseconds since 1970, or a time such\n\
             as 2024-05-01T12:00:00Z",
        );
        threads: u64 = Setting::new(
            "threads",
            "N",
            "how many threads filter tiles; 0 is all of the machine [default: 1]",
        );
        amplification: f64 = Setting::new(
            "amplification",
            "N",
            "how many times the tiles that it replaces a dense fragment may\n\
             have [default: 1]",
        )
        .only(&["consolidate"]);
        subarray: String = Setting::new(
            "subarray",
            "RANGES",
            "only these coordinates: a range for each dimension, such as\n\
             '10..20, -5..=5, .., 0.5..=1.5'",
        );
        order: Layout = Setting::new("order", "ORDER", "row or column: the order of the cells (default: row)");
        dimensions: String = Setting::new(
            "dimensions",
            "NAME,NAME",
            "columns that become dimensions in the array that convert writes\n\
             of a table; without it those that were, else the number of the row",
        )
        .only(&["convert"]);
        array: String = Setting::new(
            "array",
            "KIND",
            "dense or sparse: what convert makes of a table [default: what it\n\
             was, else sparse]",
        )
        .only(&["convert"]);
        append: () = Setting::switch(
            "append",
            "the rows that convert writes become a fragment of an array that is there",
        )
        .only(&["convert"]);
        strict: () =
            Setting::switch("strict", "fragments without metadata and unknown files are errors").only(&["check"]);
    }
}

impl Options {
    /// Whether only some cells are wanted, or in another order.
    pub(super) fn chooses_cells(&self) -> bool {
        self.subarray.is_given() || self.order.is_given()
    }

    /// Refuses options about an array that is written where none is.
    pub(super) fn nothing_is_written(&self) -> Result<()> {
        self.dimensions.refused()?;
        self.append.refused()?;
        self.array.refused()
    }

    /// Refuses a choice of cells.
    pub(super) fn of_whole_array(&self) -> Result<()> {
        self.subarray.refused().map_err(|e| e.tip("cat, convert, stats, diff and plot take it"))?;
        self.order.refused()
    }

    /// The order of the cells.
    pub(super) fn order(&self) -> Layout {
        self.order.value().copied().unwrap_or(Layout::RowMajor)
    }

    /// How many threads filter tiles.
    pub(super) fn threads(&self) -> usize {
        usize::try_from(self.threads.value().copied().unwrap_or(1)).unwrap_or(usize::MAX)
    }

    /// The time at which the array is wanted, or written.
    pub(super) fn at(&self) -> Option<u64> {
        self.at.value().map(|Milliseconds(time)| *time)
    }
}

/// Since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct Milliseconds(u64);

impl OptionValue for Milliseconds {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let number = || text.replace('_', "").parse().ok();
        let time = || TimeUnit::Milli.parse_time(text).and_then(|time| u64::try_from(time).ok());
        number().or_else(time).map(Milliseconds).ok_or_else(|| {
            Error::usage(format_args!("--{name} must be a number of milliseconds since 1970, or a time"))
                .tip("a time is such as 2024-05-01T12:00:00Z, 2024-05-01 14:00:00.250+02:00 or 2024-05-01")
        })
    }
}

impl Choice for Layout {
    const WORDS: &[(&str, Self)] = &[("row", Layout::RowMajor), ("column", Layout::ColumnMajor)];
    const ALSO: &[(&str, Self)] = &[
        ("row-major", Layout::RowMajor),
        ("col", Layout::ColumnMajor),
        ("column-major", Layout::ColumnMajor),
    ];
}
