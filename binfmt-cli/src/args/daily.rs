//! The commands that look into data: what they are like, in what they differ, where something is.

use super::typed::typed;
use super::{Choose, Reading};
use std::path::PathBuf;

const STATS_HELP: &str = "\
All is counted in one pass, in memory that does not grow with the file: quartiles are exact up to 65,536
values and wrong by less than one in a hundred beyond, distinct values are counted exactly up to 16,384.
The deviation is that of a sample. A NaN counts for nothing but itself. --brief leaves out quartiles, distinct
values and the histogram, and is up to twice as fast.";

#[derive(clap::Args, Debug)]
#[command(after_help = STATS_HELP)]
pub(crate) struct Stats {
    /// The files, or patterns of their names, all with the same columns; - is standard input
    #[arg(required = true, value_parser = typed())]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) choose: Choose,

    /// Only how many there are, the least, the greatest, mean and deviation
    #[arg(long)]
    pub(crate) brief: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const DIFF_HELP: &str = "\
Columns are compared by their names, rows by their numbers. The exit status is 0 if nothing differs,
1 if something does.";

#[derive(clap::Args, Debug)]
#[command(after_help = DIFF_HELP)]
pub(crate) struct Diff {
    /// A file
    #[arg(value_name = "A", value_parser = typed())]
    pub(crate) first: PathBuf,

    /// Another file, which may be of another format
    #[arg(value_name = "B", value_parser = typed())]
    pub(crate) second: PathBuf,

    /// Numbers are the same if they differ by no more than that part of the greater one
    #[arg(
        long,
        value_name = "PART",
        default_value = "0",
        hide_default_value = true,
        allow_hyphen_values = true,
        value_parser = part
    )]
    pub(crate) tolerance: f64,

    /// Numbers are the same, too, if they differ by no more than that
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "0",
        hide_default_value = true,
        allow_hyphen_values = true,
        value_parser = distance
    )]
    pub(crate) absolute: f64,

    /// Show at most that many values that differ
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) most: u64,

    #[command(flatten)]
    pub(crate) choose: Choose,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part: &f64| (0.0..1.0).contains(part));
    part.ok_or_else(|| {
        "expected a part from 0 to less than 1, such as 1e-6; --absolute takes a difference".to_owned()
    })
}

fn distance(text: &str) -> Result<f64, String> {
    let distance = text.parse().ok().filter(|distance: &f64| distance.is_finite() && *distance >= 0.0);
    distance.ok_or_else(|| "expected a number from 0 on, such as 1e-12".to_owned())
}

const FIND_HELP: &str = "\
A value is a number, or a text; it is looked for in every part of the file, as dump explains it. Numbers
are compared as numbers: 1 finds 1.0. Each place is a line with offset, path and value. The exit status is
0 if there is any, 1 if there is none.";

#[derive(clap::Args, Debug)]
#[command(after_help = FIND_HELP)]
pub(crate) struct Find {
    /// The value, or with --bytes pairs of hexadecimal digits
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) value: String,

    /// The file; - is standard input
    #[arg(value_parser = typed())]
    pub(crate) path: PathBuf,

    /// Look for bytes, such as "2a 00", wherever they are
    #[arg(long)]
    pub(crate) bytes: bool,

    /// Show at most that many places
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<u64>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

const MAN_HELP: &str = "\
To read a page at once: binfmt man cat | man -l -";

#[derive(clap::Args, Debug)]
#[command(after_help = MAN_HELP)]
pub(crate) struct Man {
    /// The command; without it the page is that of binfmt itself
    pub(crate) command: Option<String>,
}
