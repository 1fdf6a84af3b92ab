//! Commands that show no data themselves: descriptions, random data, order among files, completions, other programs.

use super::Reading;
use super::typed::typed;
use crate::settings::Settings;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct Layout {
    /// The description of a layout, as the text of a schema or as JSON
    #[arg(value_name = "FILE")]
    pub(crate) path: String,

    /// Only that type of it, and what it consists of
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) only: Option<String>,

    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print where each field lies, how many bytes it takes, and its type
    #[arg(long)]
    pub(crate) offsets: bool,

    /// Draw it as an SVG picture, each field as wide as it is long
    #[arg(long, conflicts_with_all = ["json", "offsets", "against"])]
    pub(crate) svg: bool,

    /// Tell where the bytes that another description describes are not what this one says
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["json", "offsets"])]
    pub(crate) against: Option<String>,
}

const MAKE_HELP: &str = "\
Every --generate makes one value. One --bounds holds for all of them; several are for one each, in
the same order. The same seed gives the same data everywhere.";

#[derive(Args, Debug)]
#[command(after_help = MAKE_HELP)]
pub(crate) struct Make {
    /// The format of the file
    #[arg(index = 1, value_name = "FORMAT")]
    pub(crate) format: String,

    /// The file to write; - is standard output
    #[arg(index = 2, value_name = "OUT", default_value = "-", hide_default_value = true, value_parser = typed())]
    pub(crate) output: PathBuf,

    /// What is made, such as [10][20]f32, or a value itself, such as [1i32, 2]
    #[arg(long, value_name = "TYPE", required = true, allow_hyphen_values = true)]
    pub(crate) generate: Vec<String>,

    /// The least and the greatest number, such as 0:1
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    pub(crate) bounds: Vec<String>,

    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    #[arg(skip)]
    pub(crate) settings: Settings,
}

const CONSOLIDATE_HELP: &str = "\
What is read stays the same. The old fragments stay on the disk, where no reader sees them, until vacuum
removes them: a program that reads them just now can go on.";

#[derive(Args, Debug)]
#[command(after_help = CONSOLIDATE_HELP)]
pub(crate) struct Consolidate {
    /// The array
    #[arg(value_parser = typed())]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

const VACUUM_HELP: &str = "\
Fragments that a consolidated one replaces go, and what killed writers left: fragments without metadata,
and files that never got their name. Of the latter those of the last hour stay, for another program may
be writing them. No reader sees what goes. Files that are not of the format stay.";

#[derive(Args, Debug)]
#[command(after_help = VACUUM_HELP)]
pub(crate) struct Vacuum {
    /// The array
    #[arg(value_parser = typed())]
    pub(crate) path: PathBuf,

    /// Only tell what would go
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Also what was written within the last hour: nobody is writing
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// A command that is a program of its own.
#[derive(Args, Debug)]
pub(crate) struct Elsewhere {
    /// What that program is told
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}
