//! The command as a library: a program with a format of a laboratory, that of `examples/own_format.rs`. This file is that program, and
//! calls itself.

#[path = "../../examples/own_format.rs"]
#[allow(dead_code, reason = "its own main")]
mod own_format;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};

/// Whether the process is the command.
const IS_COMMAND: &str = "BINFMT_TEST_OWN_FORMAT";

fn main() -> ExitCode {
    if std::env::var_os(IS_COMMAND).is_some() {
        return binfmt_cli::run_with(std::env::args_os(), &[&own_format::Lab]);
    }
    every_command_knows_the_format();
    ExitCode::SUCCESS
}

fn run(words: &[&str]) -> Output {
    let program = std::env::current_exe().unwrap();
    Command::new(program).args(words).env(IS_COMMAND, "1").output().unwrap()
}

#[track_caller]
fn ok(words: &[&str]) -> String {
    let done = run(words);
    assert!(done.status.success(), "{words:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

fn every_command_knows_the_format() {
    let folder = Folder::new();
    let lab = folder.path("run.lab");
    let mut bytes = b"LAB1\ns f64\nn u8\n\n".to_vec();
    for (s, n) in [(0.5f64, 1u8), (1.75, 2), (-3.0, 3)] {
        bytes.extend_from_slice(&s.to_le_bytes());
        bytes.push(n);
    }
    fs::write(&lab, &bytes).unwrap();
    // recognised by its first bytes
    assert_eq!(ok(&["check", &lab]), format!("{lab}: ok (3 rows, {} bytes)\n", bytes.len()));
    let told = ok(&["inspect", &lab]);
    assert!(told.starts_with("Format  lab file\nRows    3\n") && told.contains("f64"), "{told}");
    assert_eq!(ok(&["cat", &lab, "--where", "s > 0", "--columns", "n,s"]), "n\ts\n1\t0.5\n2\t1.75\n");
    assert!(ok(&["stats", "--json", &lab]).contains("\"max\": 1.75"));
    // every byte is explained by the layout that its table has
    let dump = ok(&["dump", &lab]);
    assert!(dump.contains("[2].s: -3 (f64 le)") && dump.lines().next().unwrap().contains("LAB1"), "{dump}");
    assert!(ok(&["find", "1.75", &lab]).contains("[1].s: 1.75"));
    // into other formats, by the ending back, and the same bytes
    let (csv, npy, again) = (folder.path("run.csv"), folder.path("run.npy"), folder.path("again.lab"));
    ok(&["convert", &lab, &csv]);
    assert_eq!(fs::read_to_string(&csv).unwrap(), "s,n\n0.5,1\n1.75,2\n-3.0,3\n");
    ok(&["convert", &lab, &npy]);
    ok(&["convert", &npy, &again]);
    assert_eq!(fs::read(&again).unwrap(), bytes);
    assert!(ok(&["diff", &lab, &csv]).contains("the values are the same: 3 rows of 2 columns"));
    // what it cannot hold, and what is damaged, is told as of every format
    let text = folder.path("text.csv");
    fs::write(&text, "a\nx\n").unwrap();
    let bad = folder.path("bad.lab");
    fs::write(&bad, b"LAB1\ns f65\n\n").unwrap();
    for (words, status, message) in [
        (&["convert", &text, &bad][..], 2, "column `a` is text, and a lab file has numbers"),
        (&["check", &bad], 1, "expected a name and a type such as `x f64`, found \"s f65\""),
        (&["cat", &lab, "--schema", "(int8)"], 2, "--schema means nothing for a lab file"),
    ] {
        let done = run(words);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(status) && said.contains(message), "{words:?}: {said}");
    }
    // in the help, the manual, and beside the formats that are there anyway
    assert!(ok(&["cat", "--help"]).contains("lab") && ok(&["completions", "bash"]).contains("\"lab "));
    assert!(ok(&["cat", &csv]).starts_with("s\tn\n"));
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("binfmt-own-format-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
