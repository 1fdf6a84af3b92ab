//! Any table as text or of NumPy, also compressed: what the command tells, shows and explains of it ends with an exit status,
//! and what `convert` makes of it is sound.

use super::shared::command::{FORMS, Folder, convert, run as binfmt};
use super::shared::gzip::gzip;
use crate::targets::shared::input::Choices;

const KINDS: &[&str] = &["csv", "jsonl", "npy", "tsv", "csv.gz", "jsonl.gz", "npy.gz"];
const TOLD: &[&[&str]] = &[
    &["inspect"],
    &["inspect", "--json"],
    &["stats"],
    &["stats", "--json", "--brief"],
    &["dump"],
    &["dump", "--jsonl", "--range", "3..40"],
    &["check"],
    &["find", "1"],
    &["find", "a", "--most", "2"],
];
const SHOWN: &[&[&str]] = &[
    &["--csv"],
    &["--jsonl"],
    &["--tsv"],
    &["--table"],
    &["--markdown", "--rows", "1..9"],
    &["--csv", "--rows", "-2.."],
    &["--jsonl", "--sample", "2"],
    &["--table", "--columns", "a*,?"],
    &["--csv", "--where", "a > 1"],
];

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let (kind, what) = (c.pick(KINDS), c.byte());
    let compressed;
    let bytes = if kind.ends_with(".gz") {
        compressed = gzip(c.0);
        &compressed
    } else {
        c.0
    };
    let file = Folder::get().put(&format!("in.{kind}"), bytes);
    let which = usize::from(what / 3);
    match what % 3 {
        0 => drop(binfmt(&[TOLD[which % TOLD.len()], &[&file]].concat())),
        1 => drop(binfmt(&[&["cat", &file], SHOWN[which % SHOWN.len()]].concat())),
        _ => convert(&file, FORMS[which % FORMS.len()], &[]),
    }
}
