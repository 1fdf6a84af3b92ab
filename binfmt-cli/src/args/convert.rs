//! The words of `convert`.

use super::typed::typed;
use super::{Choose, Reading};
use clap::Args;
use std::path::PathBuf;

const CONVERT_HELP: &str = "\
What is written follows from the ending of OUT: .json, .jsonl, .csv, or the ending of a format such as
.npy; --to says it if the ending does not. Without either the format stays, and a JSON document is
written in the format that it names.

OUT appears when it is complete. If something goes wrong, a file that was there stays as it was.";

#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub(crate) struct Convert {
    /// The file to read, binary or JSON as cat --json prints it; - is standard input. Of several the rows come one after the other
    #[arg(value_name = "IN", num_args = 1.., required = true, value_parser = typed())]
    pub(crate) inputs: Vec<PathBuf>,

    /// The file to write; - is standard output
    #[arg(value_name = "OUT", value_parser = typed())]
    pub(crate) output: PathBuf,

    /// What to write, if the ending of OUT does not say it
    #[arg(long, value_name = "FORM")]
    pub(crate) to: Option<String>,

    /// Replace IN itself, when OUT is the same file
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) choose: Choose,

    #[command(flatten)]
    pub(crate) reading: Reading,
}
