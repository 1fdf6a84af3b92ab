//! `cat --follow`: what is appended to a file is shown when it is there.
#![cfg(unix)]

use crate::support::{Folder, command, run};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};

/// The command at work.
struct Followed {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Followed {
    fn new(words: &[&str]) -> Self {
        let mut child = command()
            .args(["cat", "--follow"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Followed { child, lines }
    }

    /// The next lines, which may have to be waited for.
    fn lines(&mut self, count: usize) -> String {
        let mut text = String::new();
        (0..count).for_each(|_| assert!(self.lines.read_line(&mut text).unwrap() > 0, "it ended: {text}"));
        text
    }

    /// Stops it, by the signal that a shell's background jobs do not ignore. What it says until then.
    fn stop(self) -> String {
        std::process::Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.code().is_none_or(|code| code == 143), "{output:?}");
        drop(self.lines);
        String::from_utf8(output.stderr).unwrap()
    }

    /// What it says when it ends by itself.
    fn error(self) -> String {
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    }
}

fn append(path: &str, bytes: &[u8]) {
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn lines_of_csv_and_json() {
    let folder = Folder::new("follow-lines");
    let csv = folder.file("a.csv", b"n,name\n1,a\n2,b");
    let mut shown = Followed::new(&["--csv", &csv]);
    assert_eq!(shown.lines(2), "n,name\n1,a\n");
    // the rest of the line, and one with a line end in it
    append(&csv, b"c\n3,\"x\n");
    assert_eq!(shown.lines(1), "2,bc\n");
    append(&csv, b"y\"\n4,d\n");
    assert_eq!(shown.lines(3), "3,\"x\ny\"\n4,d\n");
    assert_eq!(shown.stop(), "");

    let lines = folder.file("a.jsonl", b"{\"n\":1}\n");
    let mut shown = Followed::new(&["--jsonl", &lines, "--where", "n > 1"]);
    append(&lines, b"{\"n\":2}\n{\"n\":0}\n{\"n\":3}\n{\"n\"");
    assert_eq!(shown.lines(2), "{\"n\":2}\n{\"n\":3}\n");
    append(&lines, b":4}\n");
    assert_eq!(shown.lines(1), "{\"n\":4}\n");
    assert_eq!(shown.stop(), "");
}

#[test]
fn rows_of_a_layout_from_the_last_ones_on() {
    let folder = Folder::new("follow-rows");
    for (name, fields, row) in [
        ("fixed", "  n: u16\n", (|n: u16| n.to_le_bytes().to_vec()) as fn(u16) -> Vec<u8>),
        ("variable", "  n: u16\n  t: text, length_prefixed(u8)\n", |n| {
            [&n.to_le_bytes()[..], b"\x01x"].concat()
        }),
    ] {
        let layout = folder.file("x.layout", format!("Row: record, le\n{fields}").as_bytes());
        let rows: Vec<u8> = (0..100).flat_map(row).collect();
        let file = folder.file(name, &rows);
        let mut shown = Followed::new(&[&file, "--layout", &layout, "--rows", "-2..", "--columns", "n"]);
        assert_eq!(shown.lines(3), "n\n98\n99\n");
        let (front, rest) = (row(100)[..1].to_vec(), row(100)[1..].to_vec());
        append(&file, &front);
        std::thread::sleep(std::time::Duration::from_millis(500));
        append(&file, &[rest, row(101)].concat());
        assert_eq!(shown.lines(2), "100\n101\n");
        assert_eq!(shown.stop(), "");
    }
}

#[test]
fn pages_of_sdds() {
    let folder = Folder::new("follow-sdds");
    let head = b"SDDS1\n&parameter name=Run, type=long &end\n&column name=x, type=short &end\n&data mode=ascii &end\n";
    let file = folder.file("a.sdds", &[&head[..], b"7\n2\n1\n2\n"].concat());
    let mut shown = Followed::new(&[&file]);
    assert_eq!(shown.lines(3), "x\n1\n2\n");
    append(&file, b"8\n3\n3\n4\n");
    assert_eq!(shown.lines(2), "3\n4\n");
    append(&file, b"5\n9\n1\n6\n");
    assert_eq!(shown.lines(2), "5\n6\n");
    assert_eq!(shown.stop(), "");
}

/// Time in which a file is looked at more than once.
fn wait() {
    std::thread::sleep(std::time::Duration::from_millis(600));
}

#[test]
fn half_a_line_of_ascii_sdds_is_waited_for() {
    let folder = Folder::new("follow-ascii");
    let columns = "&column name=x, type=double &end\n&column name=s, type=string &end\n";
    let head = format!("SDDS1\n{columns}&data mode=ascii, no_row_counts=1 &end\n1.5 a\n2.");
    let file = folder.file("a.sdds", head.as_bytes());
    let mut shown = Followed::new(&[&file]);
    assert_eq!(shown.lines(2), "x\ts\n1.5\ta\n");
    append(&file, b"5 hel");
    wait();
    append(&file, b"lo\n3 x\n");
    assert_eq!(shown.lines(2), "2.5\thello\n3.0\tx\n");
    assert_eq!(shown.stop(), "");

    let head = b"SDDS1\n&column name=x, type=double &end\n&data mode=ascii &end\n2\n1.5\n4.5";
    let file = folder.file("b.sdds", head);
    let mut shown = Followed::new(&[&file]);
    assert_eq!(shown.lines(2), "x\n1.5\n");
    wait();
    append(&file, b"5\n");
    assert_eq!(shown.lines(1), "4.55\n");
    assert_eq!(shown.stop(), "");
}

#[test]
fn columns_of_an_empty_file_are_waited_for() {
    let folder = Folder::new("follow-empty");
    let csv = folder.file("a.csv", b"");
    let mut shown = Followed::new(&["--csv", &csv]);
    wait();
    append(&csv, b"n,na");
    wait();
    append(&csv, b"me\n");
    assert_eq!(shown.lines(1), "n,name\n");
    append(&csv, b"1,a\n2,b\n");
    assert_eq!(shown.lines(2), "1,a\n2,b\n");
    assert_eq!(shown.stop(), "");

    // a header says nothing of types
    let csv = folder.file("b.csv", b"n,name\n");
    let mut shown = Followed::new(&["--jsonl", &csv, "--where", "n > 1"]);
    wait();
    append(&csv, b"1,a\n2,b\n");
    assert_eq!(shown.lines(1), "{\"n\":2,\"name\":\"b\"}\n");
    assert_eq!(shown.stop(), "");

    let lines = folder.file("a.jsonl", b"");
    let mut shown = Followed::new(&["--csv", &lines]);
    wait();
    append(&lines, b"{\"n\":1,\"t\":\"a\"}\n{\"n\":2");
    assert_eq!(shown.lines(2), "n,t\n1,a\n");
    append(&lines, b"}\n");
    assert_eq!(shown.lines(1), "2,\n");
    assert_eq!(shown.stop(), "");
}

#[test]
fn what_is_damaged_or_does_not_grow_is_told() {
    let folder = Folder::new("follow-refused");
    let csv = folder.file("a.csv", b"n\n1\n");
    let mut shown = Followed::new(&["--csv", &csv]);
    assert_eq!(shown.lines(2), "n\n1\n");
    append(&csv, b"2\n");
    assert_eq!(shown.lines(1), "2\n");
    append(&csv, b"x\n");
    let e = shown.error();
    assert!(e.contains("a.csv") && e.contains("[2].n") && e.contains("found \"x\" in line 4"), "{e}");
    let mut shorter = Followed::new(&["--csv", &csv, "--types", "n:text"]);
    assert_eq!(shorter.lines(4), "n\n1\n2\nx\n");
    std::fs::write(&csv, b"n\n").unwrap();
    assert!(shorter.error().contains("the file has become shorter"));
    // as programs replace a log; its rows are not those that come next
    std::fs::write(&csv, b"n\n1\n").unwrap();
    let mut replaced = Followed::new(&["--csv", &csv]);
    assert_eq!(replaced.lines(2), "n\n1\n");
    let other = folder.file("b.csv", b"n\n10\n20\n30\n");
    std::fs::rename(other, &csv).unwrap();
    assert!(replaced.error().contains("a.csv: another file was put in its place"));
    let lines = folder.file("a.jsonl", b"{\"n\":1}\n");
    let mut shown = Followed::new(&["--jsonl", &lines]);
    assert_eq!(shown.lines(1), "{\"n\":1}\n");
    append(&lines, b"{\"n\":2}\n{\"n\":\n");
    assert_eq!(shown.lines(1), "{\"n\":2}\n");
    let e = shown.error();
    assert!(e.contains("a.jsonl") && e.contains("line 3"), "{e}");
    for (words, expected) in [
        (&["-", "--csv"][..], "standard input ends by itself"),
        (&[&csv, "--table"], "rows are shown as they come"),
        (&[&csv, "--rows", "1..2"], "--rows has no end"),
        (&[&csv, &csv], "--follow is for one file"),
    ] {
        let e = run(&[&["cat", "--follow"][..], words].concat()).fails(2).err;
        assert!(e.contains(expected), "{e}");
    }
}

#[test]
fn a_header_that_is_half_written_is_waited_for() {
    let folder = Folder::new("follow-header");
    let file = folder.file("a.sdds", b"SDDS1\n&column name=x, ty");
    let mut shown = Followed::new(&["--csv", &file]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    append(&file, b"pe=short &end\n");
    std::thread::sleep(std::time::Duration::from_millis(500));
    append(&file, b"&data mode=ascii &end\n2\n5\n");
    assert_eq!(shown.lines(2), "x\n5\n");
    append(&file, b"6\n");
    assert_eq!(shown.lines(1), "6\n");
    let told = shown.stop();
    assert_eq!(told.matches("what comes is waited for").count(), 1, "{told}");
}
