//! The formats of the library of which the command knows a little more than their tables.

use super::TableFile;
use crate::format::Facts;
use crate::settings::Setting;
use crate::target::DELIMITER;
use binfmt::table::Logical;
use binfmt::table::csv::Csv;
use binfmt::table::jsonl::JsonLines;
use binfmt::table::npy::Npy;

/// Arrays of NumPy.
pub(crate) static NPY: TableFile = TableFile {
    facts: &Facts {
        endings: &["npy"],
        examples: &[
            "binfmt convert twiss.sdds twiss.npy --columns s,betax",
            "binfmt cat orbit.npy --rows ..10",
        ],
        takes_tables: true,
        takes: &[Logical::Character],
        ..Facts::new("npy", "NPY file")
    },
    format: &Npy,
};

/// Comma-separated values, which every format can be written as: here they are read.
pub(crate) static CSV: TableFile = TableFile {
    facts: &Facts {
        examples: &[
            "binfmt stats orbit.csv --where 'x is not missing'",
            "binfmt convert orbit.csv orbit.npy",
        ],
        settings: &[
            Setting::new(
                "types",
                "NAME:TYPE,..",
                "types of columns, such as a:i64,b:text; the others are inferred",
            ),
            DELIMITER,
            Setting::new("header", "BOOL", "whether the first line has the names: true or false"),
            Setting::new("missing", "WORD", "what stands for a missing value, such as NA"),
            Setting::new("skip", "N", "how many lines are before the names"),
            Setting::new("comment", "CHAR", "what a line begins with that is not read, such as #"),
            Setting::new("decimal", "CHAR", "the decimal point of numbers, such as ,"),
        ],
        undetected: Some("comma-separated values are named .csv or .tsv, or --format csv"),
        ..Facts::new("csv", "CSV file")
    },
    format: &Csv,
};

/// JSON in lines, which every format can be written as, too.
pub(crate) static LINES: TableFile = TableFile {
    facts: &Facts {
        settings: &[Setting::new(
            "types",
            "NAME:TYPE,..",
            "types of columns, such as a:i64,b:text; the others are inferred",
        )],
        undetected: Some("JSON lines are named .jsonl or .ndjson, or --format jsonl"),
        ..Facts::new("jsonl", "file of JSON lines")
    },
    format: &JsonLines,
};

/// What the forms of Arrow have to say when they are written.
#[cfg(feature = "arrow")]
const OF_ARROW: &[Setting] = &[
    Setting::new(
        "texts",
        "KIND",
        "texts that may be no UTF-8: checked (then an error), binary, latin1, lossy",
    ),
    Setting::new("times", "UNIT", "times: seconds, milliseconds, unscaled"),
];

/// Parquet.
#[cfg(feature = "arrow")]
pub(crate) static PARQUET: TableFile = TableFile {
    facts: &Facts {
        endings: &["parquet"],
        examples: &["binfmt convert twiss.sdds twiss.parquet", "binfmt cat orbit.parquet --rows ..10"],
        settings: OF_ARROW,
        takes_tables: true,
        takes: &[Logical::TimestampWithOffset],
        takes_records: true,
        takes_all: true,
        ..Facts::new("parquet", "Parquet file")
    },
    format: &binfmt_arrow::Parquet,
};

/// The files of Arrow itself.
#[cfg(feature = "arrow")]
pub(crate) static ARROW: TableFile = TableFile {
    facts: &Facts {
        endings: &["arrow", "feather"],
        examples: &["binfmt convert twiss.sdds twiss.arrow"],
        settings: OF_ARROW,
        takes_tables: true,
        takes: &[Logical::TimestampWithOffset],
        takes_records: true,
        takes_all: true,
        ..Facts::new("arrow", "Arrow file")
    },
    format: &binfmt_arrow::Ipc,
};
