//! Damaged files of Parquet and Arrow: whatever is asked of them ends with an exit status, and what `convert` makes is sound.
//! The command has these formats only with its feature `arrow`, as the fuzzer builds it.

use super::shared::command::{FORMS, Folder, OK, convert, run as binfmt};
use super::shared::panics::let_unwind;
use crate::targets::shared::arrays::edit;
use crate::targets::shared::input::Choices;
use std::sync::OnceLock;

const TABLES: &[&str] = &[
    "{\"a\":1,\"l\":[1,2],\"r\":{\"x\":1.5,\"y\":\"q\"}}\n{\"a\":null,\"l\":[],\"r\":null}\n",
    "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":-4}\n{\"a\":5}\n{\"a\":6}\n{\"a\":70000}\n{\"a\":8}\n{\"a\":9}\n",
    "{\"a\":\"x\",\"b\":true}\n{\"a\":\"x\",\"b\":false}\n{\"a\":\"yy\",\"b\":null}\n{\"a\":null,\"b\":true}\n",
    "{\"a\":[[1.5],[],[2,3]],\"t\":\"2024-02-01T12:00:00\"}\n{\"a\":[],\"t\":null}\n{\"a\":[[]],\"t\":\"1970-01-01T00:00:00\"}\n",
];
const ENDINGS: &[&str] = &["parquet", "arrow"];
const ASKED: &[&[&str]] = &[
    &["cat", "--jsonl"],
    &["cat", "--csv", "--rows", "1..9"],
    &["cat", "--jsonl", "--rows", "-1.."],
    &["cat", "--table", "--columns", "a"],
    &["cat", "--jsonl", "--where", "a > 1"],
    &["cat", "--csv", "--sample", "1"],
    &["inspect"],
    &["check"],
    &["stats"],
    &["dump"],
];

pub fn run(data: &[u8]) {
    let files = files();
    if files.is_empty() {
        return;
    }
    let_unwind();
    let c = &mut Choices(data);
    let (number, what) = (usize::from(c.byte()) % files.len(), c.byte());
    let (ending, original) = &files[number];
    let file = Folder::get().put(&format!("in.{ending}"), &edit(original.clone(), c));
    let which = usize::from(what / 3);
    match what % 3 {
        0 => convert(&file, FORMS[which % FORMS.len()], &[]),
        1 => convert(&file, FORMS[which % FORMS.len()], &["--rows", "1..3"]),
        _ => drop(binfmt(&[ASKED[which % ASKED.len()], &[&file]].concat())),
    }
}

/// Sound files; none if the command does not know them.
fn files() -> &'static [(&'static str, Vec<u8>)] {
    static FILES: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = Folder::get();
        let mut files = Vec::new();
        for table in TABLES {
            let rows = folder.put("rows.jsonl", table.as_bytes());
            for ending in ENDINGS {
                let made = folder.path(&format!("made.{ending}"));
                if binfmt(&["convert", &rows, &made]) == OK {
                    files.push((*ending, std::fs::read(&made).expect("it was made")));
                }
            }
        }
        files
    })
}
