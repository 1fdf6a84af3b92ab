//! Golden cases: one folder a case, `tests/data/<format>/<case>/`.
//!
//! * `input.*`: bytes of the real software,
//! * `dump.txt`: the annotated dump that the decoder draws of them, up to the error where they are damaged,
//! * `content.json`: what they say, compared by the format's own tests,
//! * `PROVENANCE.toml`: who made them, their hash, why they are kept.
//!
//! `BINFMT_BLESS=1 cargo test --test layouts dump::golden` writes the dumps again; read the difference before you commit it.

use binfmt::Options;
use binfmt::dump::{self, Style, Trace};
use binfmt::formats::beat::{DataFile, Declaration, Object};
use binfmt::formats::futhark::Entry;
use binfmt::formats::scidb::{Reader, Template};
use binfmt::value::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The formats whose cases stand here.
const FORMATS: &[&str] = &["beat", "futhark", "scidb"];

/// The sets of SDDS (files with two headers for one content) and of TileDB (folders) are kept as their generators made them, and
/// NPY is a table without a layout; these read them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("npy", "tests/table/npy.rs"),
    ("sdds", "tests/sdds/fixtures.rs"),
    ("tiledb", "tests/tiledb/fixtures.rs"),
];

struct Case {
    folder: PathBuf,
    name: String,
    input: Vec<u8>,
    content: serde_json::Value,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path());
    let mut list: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    list.sort();
    list
}

/// Every case of a format, each with all of its files.
fn cases(format: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in folders(&data().join(format)) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let inputs: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.file_stem().is_some_and(|stem| stem == "input"))
            .collect();
        assert_eq!(inputs.len(), 1, "{name}: one file `input.*`");
        let input = fs::read(&inputs[0]).unwrap();
        let content = fs::read_to_string(folder.join("content.json")).unwrap();
        let content = serde_json::from_str(&content).unwrap();
        provenance(&folder, &name, &input);
        cases.push(Case { folder, name, input, content });
    }
    cases
}

/// Who made the bytes, and that they are still these.
fn provenance(folder: &Path, name: &str, input: &[u8]) {
    let text = fs::read_to_string(folder.join("PROVENANCE.toml"))
        .unwrap_or_else(|e| panic!("{name}: PROVENANCE.toml: {e}"));
    for key in ["program", "content", "why"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{key} = \""))), "{name}: no `{key}`");
    }
    let mut hash = String::new();
    for byte in Sha256::digest(input) {
        write!(hash, "{byte:02x}").unwrap();
    }
    assert!(text.contains(&format!("sha256 = \"{hash}\"")), "{name}: the input's hash is {hash}");
}

/// The dump of a case, of any format.
fn dump_of(format: &str, case: &Case) -> String {
    let text = |traces: &mut dyn Iterator<Item = Trace>| {
        traces.map(|trace| trace.text(&Style::new()).to_string()).collect::<String>()
    };
    match format {
        "scidb" => {
            let template: Template = case.content["format"].as_str().unwrap().parse().unwrap();
            let description = template.description();
            let options: Options<_> = Reader::new().options().ctx(&description);
            text(&mut dump::trace_all_with::<Value, _>(&case.input, &options))
        }
        "futhark" => text(&mut dump::trace_all::<Entry>(&case.input)),
        "beat" => {
            let declaration = Declaration::parse(&case.content["declaration"].to_string()).unwrap();
            let options = Options::new().ctx(&declaration);
            let is_file = case.content.get("name").is_some();
            let trace = if is_file {
                dump::trace_with::<DataFile<Object>, _>(&case.input, &options)
            } else {
                dump::trace_with::<Object, _>(&case.input, &options)
            };
            text(&mut std::iter::once(trace))
        }
        other => panic!("tests/data/{other}: say here how its dump is made"),
    }
}

#[test]
fn dumps_are_what_was_looked_at() {
    let bless = std::env::var_os("BINFMT_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut num = 0;
    for format in FORMATS {
        for case in cases(format) {
            num += 1;
            let (file, found) = (case.folder.join("dump.txt"), dump_of(format, &case));
            if bless {
                fs::write(&file, &found).unwrap();
                continue;
            }
            let expected = fs::read_to_string(&file).unwrap_or_default();
            if let Some(line) = first_difference(&expected, &found) {
                wrong.push(format!("{format}/{}: {line}", case.name));
            }
        }
    }
    assert!(num > 60, "only {num} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the fuzzer found is of no format.
#[test]
fn the_cases_of_every_format_are_looked_at() {
    for folder in folders(&data()) {
        let format = folder.file_name().unwrap().to_string_lossy().into_owned();
        let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == format);
        let is_read = elsewhere.is_some_and(|(_, test)| data().join("../..").join(test).is_file());
        assert!(
            is_read || format == "fuzz" || FORMATS.contains(&&*format),
            "nothing reads tests/data/{format}"
        );
    }
}

/// The first line that differs, as it was and as it is.
pub(crate) fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut a, mut b) = (expected.lines(), found.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (a.next(), b.next()) {
            (a, b) if a == b && a.is_some() => {}
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("(no line)").to_owned();
                return Some(format!("line {number}\n  was {}\n  is  {}", shown(a), shown(b)));
            }
        }
    }
}

/// Each byte of a file is in exactly one row, and the rows follow each other.
#[test]
fn dumps_show_each_byte_once() {
    for format in FORMATS {
        for case in cases(format) {
            // not from the file, which another test may be writing
            let text = dump_of(format, &case);
            let (mut at, mut cut) = (0usize, false);
            for line in text.lines() {
                if line.starts_with("  ") {
                    // more bytes of one value than are shown: the next row says where they end
                    cut = true;
                    continue;
                }
                let address = usize::from_str_radix(&line[2..10], 16).unwrap();
                assert!(cut || address == at, "{}: {line}", case.name);
                let shown: Vec<u8> = line[12..59]
                    .split_whitespace()
                    .map(|byte| u8::from_str_radix(byte, 16).unwrap())
                    .collect();
                assert_eq!(shown, case.input[address..address + shown.len()], "{}: {line}", case.name);
                (at, cut) = (address + shown.len(), false);
            }
            let damaged = text.contains("error: ");
            assert!(damaged || cut || at == case.input.len(), "{}: bytes after the last row", case.name);
        }
    }
}
