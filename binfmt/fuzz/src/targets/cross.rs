//! Any file of any format to another one, all of its rows or some: what is written is sound.

use super::shared::command::{FORMS, Folder, convert, said_of};
use crate::targets::shared::input::Choices;

/// The formats, with the endings of their files.
const FORMATS: &[(&str, &str)] = &[
    ("futhark", "in"),
    ("sdds", "sdds"),
    ("beat", "beat"),
    ("scidb", "bin"),
    ("npy", "npy"),
    ("csv", "csv"),
    ("jsonl", "jsonl"),
    ("layout", "dat"),
];
const LAYOUTS: &[&str] = &[
    "R: record, le\n  n: u16\n  x: f64, nullable\n  s: text, length_prefixed(u8)\n",
    "R: record, be\n  a: [i16], length_prefixed(u8)\n  b: bool\n  t: bytes, count = 3\n",
    "R: record, le\n  kind: u8\n  c: C\n  line: text, ends(b\"\\n\", or_eof)\nC: choice, tag(u8)\n  0 => No\n  1 => Yes\n    n: u32\n",
];
const CHOSEN: &[&[&str]] = &[
    &[],
    &["--rows", "1..3"],
    &["--sample", "2"],
    &["--rows", "-2.."],
    &["--rows", "..1"],
    &["--sample", "3", "--rows", "1.."],
    &["--pages", "1.."],
    &["--rows", "2..", "--pages", "..1"],
];

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let ((format, ending), form, what) = (c.pick(FORMATS), c.pick(FORMS), c.byte());
    let folder = Folder::get();
    let file = folder.put(&format!("in.{ending}"), c.0);
    let number = usize::from(what >> 4);
    let layout;
    let mut options = said_of(format, number);
    if format == "layout" {
        layout = folder.put("in.layout", LAYOUTS[number % LAYOUTS.len()].as_bytes());
        options = vec!["--layout", &layout];
    }
    options.extend(CHOSEN[usize::from(what & 15) % CHOSEN.len()]);
    convert(&file, form, &options);
}
