//! The words of `convert`.

use super::typed::typed;
use super::{Choose, Reading};
use clap::Args;
use std::path::PathBuf;

const CONVERT_HELP: &str = "\
What is written follows from the ending of OUT: .json, .jsonl, .csv, or the ending of a format such as
.npy; --to says it if the ending does not. Without either the format stays, and a JSON document is
written in the format that it names.

Options of formats are about IN if its format is named by --format, else about OUT; --to-schema, --to-key,
--to-delimiter and the like are about OUT.

OUT appears when it is complete. If something goes wrong, a file that was there stays as it was.";

const USAGE: &str = "binfmt convert [OPTIONS] <IN>... <OUT>";

#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP, override_usage = USAGE)]
pub(crate) struct Convert {
    /// The files to read, and as the last the file to write; - is standard input and output. What is read is binary, or JSON
    /// as cat --json prints it; of several files the rows come one after the other
    #[arg(value_name = "FILE", required = true, value_parser = typed())]
    pub(crate) inputs: Vec<PathBuf>,

    /// The last of the files: options may stand between them, which no second list of words allows
    #[arg(skip)]
    pub(crate) output: PathBuf,

    /// What to write, if the ending of OUT does not say it
    #[arg(long, value_name = "FORM")]
    pub(crate) to: Option<String>,

    /// Replace OUT where it is IN itself, or the file that is there after several IN
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) choose: Choose,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Convert {
    /// Takes the last of the files for the one to write; `None` if it is the only one.
    pub(super) fn parted(&mut self) -> Option<()> {
        let output = self.inputs.pop()?;
        (!self.inputs.is_empty()).then(|| self.output = output)
    }
}
