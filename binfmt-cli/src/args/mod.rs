//! The command line: what can be said, and the help about it.

mod aside;
mod choose;
mod convert;
mod daily;
mod mistake;
mod options;
#[cfg(feature = "plot")]
mod plot;
mod typed;

pub(crate) use aside::{Completions, Consolidate, Elsewhere, Layout, Make, Vacuum};
pub(crate) use choose::Choose;
pub(crate) use convert::Convert;
pub(crate) use daily::{Diff, Find, Man, Stats};
pub(crate) use mistake::answer;
pub(crate) use options::{command, parse};
#[cfg(feature = "plot")]
pub(crate) use plot::{Axes, Ends, Plot};

use crate::limits::Limits;
use crate::settings::Settings;
use crate::span::Span;
use crate::style::Color;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use typed::typed;

/// Look into binary files, check them, convert them
#[derive(Debug, Parser)]
#[command(name = "binfmt", version, arg_required_else_help = true)]
#[command(max_term_width = 100)]
pub(crate) struct Cli {
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) color: Color,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell what a file is: its format, columns, sizes, and how much is in it
    Inspect(Inspect),
    /// Show the data, as a table for people or as text, JSON or CSV for programs
    Cat(Cat),
    /// Explain the bytes: offset, bytes, name, type and value of every part
    Dump(Dump),
    /// Read files to the end and tell for each whether it is sound
    Check(Check),
    /// Sum up the values of each column: least, greatest, mean, quartiles, missing
    Stats(Stats),
    /// Tell in which columns, values and first byte two files differ
    #[command(visible_alias = "compare")]
    Diff(Diff),
    /// Tell where in a file a value is, or some bytes
    Find(Find),
    /// Draw columns as a picture: lines, points, a histogram, an image
    #[cfg(feature = "plot")]
    Plot(Plot),
    /// Write a file in another form: binary to JSON or CSV, JSON to binary, binary again
    Convert(Convert),
    /// Explain the description of a layout: print it, its offsets, and compare two
    Layout(Layout),
    /// Make a file of random data
    Make(Make),
    /// Ask files of all formats by SQL: the program binfmt-sql
    #[command(disable_help_flag = true)]
    Sql(Elsewhere),
    /// Plan the queries of a cluster: the program binfmt-cluster
    #[command(disable_help_flag = true, hide = true)]
    Scheduler(Elsewhere),
    /// Run the tasks of a cluster: the program binfmt-cluster
    #[command(disable_help_flag = true, hide = true)]
    Executor(Elsewhere),
    /// Make one fragment of those that an array has
    Consolidate(Consolidate),
    /// Remove what no reader of an array sees: replaced fragments, what killed writers left
    Vacuum(Vacuum),
    /// Print a page of the manual
    Man(Man),
    /// Print what a shell needs to complete this command's words
    Completions(Completions),
}

impl Command {
    /// What is said about the file to be read.
    fn reading(&mut self) -> Option<&mut Reading> {
        Some(match self {
            Command::Inspect(args) => &mut args.reading,
            Command::Cat(args) => &mut args.reading,
            Command::Dump(args) => &mut args.reading,
            Command::Check(args) => &mut args.reading,
            Command::Stats(args) => &mut args.reading,
            Command::Diff(args) => &mut args.reading,
            Command::Find(args) => &mut args.reading,
            #[cfg(feature = "plot")]
            Command::Plot(args) => &mut args.reading,
            Command::Convert(args) => &mut args.reading,
            Command::Consolidate(args) => &mut args.reading,
            Command::Vacuum(args) => &mut args.reading,
            Command::Layout(_) | Command::Make(_) | Command::Man(_) | Command::Completions(_) => return None,
            Command::Sql(_) | Command::Scheduler(_) | Command::Executor(_) => return None,
        })
    }

    /// Where the options of formats are kept.
    fn settings(&mut self) -> Option<&mut Settings> {
        match self {
            Command::Make(args) => Some(&mut args.settings),
            other => other.reading().map(|reading| &mut reading.settings),
        }
    }
}

/// What is said about the file to be read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// The format, if the first bytes do not tell it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[arg(skip)]
    pub(crate) settings: Settings,
    /// Whether an option implies the format, which may be that of the output
    #[arg(skip)]
    pub(crate) is_implied: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// The files, or patterns of their names; - is standard input
    #[arg(required = true, value_parser = typed())]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Print one JSON object; a list of them for several files
    #[arg(long)]
    pub(crate) json: bool,
}

const CAT_HELP: &str = "\
Unless a form is named, the output is a table on a terminal, and tab-separated text in a pipe or file; if
a format has a text form of its own, it is that. In tab-separated text, tabs, newlines and backslashes
inside a text are written \\t, \\n and \\\\, and a missing value is \\N. In CSV a missing value is an empty
field, an empty text is \"\".

Rows are counted from 0: 10..20 is the eleventh to the twentieth, 10..=20 one more, ..20 the first
twenty, 5.. all but the first five, 7 the eighth alone, -10.. the last ten. With --where only the rows
that match are counted.

A condition compares columns with numbers, texts in quotes and each other (= != < <= > >=), computes
(+ - * / %), and joins comparisons by and, or, not; x in (1, 2) compares with several, x between 1 and 5
with both ends of a range; name like 'BPM%' matches texts (% is any text, _ any character), ilike the same
whatever the case; x is missing asks for missing values. Names that are not plain words stand in backquotes.";

#[derive(Args, Debug)]
#[command(after_help = CAT_HELP)]
pub(crate) struct Cat {
    /// The files, or patterns of their names, all with the same columns; - is standard input
    #[arg(required = true, value_parser = typed())]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) form: Form,

    #[command(flatten)]
    pub(crate) choose: Choose,

    /// Leave out the line with the names of the columns
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Show what is appended to the file as well, until the command is stopped
    #[arg(long)]
    pub(crate) follow: bool,
}

/// How data are shown; one of them.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[group(multiple = false)]
pub(crate) struct Form {
    /// Print one JSON document, from which the file can be made again (not CSV and NPY)
    #[arg(long)]
    pub(crate) json: bool,

    /// Print a JSON object for each row, in a line of its own
    #[arg(long)]
    pub(crate) jsonl: bool,

    /// Print comma-separated values
    #[arg(long)]
    pub(crate) csv: bool,

    /// Print tables of Markdown
    #[arg(long, alias = "md")]
    pub(crate) markdown: bool,

    /// Print tab-separated text, also on a terminal
    #[arg(long)]
    pub(crate) tsv: bool,

    /// Print aligned columns, also in a pipe
    #[arg(long)]
    pub(crate) table: bool,
}

const DUMP_HELP: &str = "\
The page of --html needs no network: bytes at the left, at the right what they are, each pointing at the
other; search, folding and keys are told by its ? key. It holds up to 16 MiB of the file, says so if that
is not all, and --range chooses others. It is written for damaged files, too, up to the damage.";

#[derive(Args, Debug)]
#[command(after_help = DUMP_HELP)]
pub(crate) struct Dump {
    /// The file; - is standard input
    #[arg(value_parser = typed())]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Go at most that many levels into parts that have parts
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,

    /// Only what touches these bytes, such as 0x100..0x200
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) range: Option<Span>,

    /// Write a page for a browser: bytes, and what they are, side by side
    #[arg(long)]
    pub(crate) html: bool,

    /// Print a JSON object for each part, in a line of its own
    #[arg(long, conflicts_with = "html")]
    pub(crate) jsonl: bool,

    /// The file for the page [default: standard output]
    #[arg(long, value_name = "OUT", requires = "html", value_parser = typed())]
    pub(crate) output: Option<PathBuf>,

    /// The most parts of the file that the page explains [default: 200000]
    #[arg(long, value_name = "N", requires = "html")]
    pub(crate) most: Option<u64>,

    /// Replace the file itself, when OUT is the same
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// The files, or patterns of their names; - is standard input
    #[arg(required = true, value_parser = typed())]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

const CHECK_HELP: &str = "\
Every file is read, even if others are wrong. The exit status is 0 if all are sound, 1 if one
is not or cannot be opened, else 2 if one could not be recognised.";
