//! What a person is told who asks for what cannot be, or for what is not there.

use crate::support::{Folder, command, run};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn words_that_begin_with_a_minus_are_values() {
    let folder = Folder::new("answers-minus");
    let csv = folder.file("a.csv", b"x\n-2\n0\n3\n");
    assert_eq!(run(&["cat", "--csv", &csv, "--where", "-x < 1"]).ok().text(), "x\n0\n3\n");
    let e = run(&["cat", &csv, "--sample", "-1"]).fails(2).err;
    assert!(e.contains("invalid value '-1' for '--sample <N>'"), "{e}");
}

#[test]
fn mistakes_are_answered_with_what_to_say() {
    let folder = Folder::new("answers-mistakes");
    let csv = folder.file("a.csv", b"x,y\n1,2\n");
    let twiss = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/twiss.sdds");
    for (words, status, said) in [
        (&["cat", &csv, "-n", "10"][..], 2, "--rows ..10 shows the first ten rows"),
        (&["check", &csv, "--rows", "3"], 2, "--rows is an option of cat, stats, diff, plot, convert"),
        (&["dump", &csv, "--depth", "x"], 2, "'x' for '--depth <N>': expected a whole number"),
        (&["cat", &csv, "--columns", "x y"], 2, "commas are between names: x,y"),
        (&["layout", twiss], 2, "twiss.sdds: the file is not text\n  tip: a layout is a text"),
        (
            &["inspect", &csv, "--layout", twiss],
            2,
            "twiss.sdds: the file is not text\n  tip: a layout is a text",
        ),
        (&["cat", twiss, &csv], 1, "a.csv: column `s` of"),
        (&["cat", &folder.file("empty", b"")], 2, "--format says of which format an empty file is"),
    ] {
        let told = run(words).fails(status).err;
        assert!(told.contains(said), "{words:?}: {told}");
    }
    // of an option that the command has only its value is wrong
    let told = run(&["diff", &csv, &csv, "--tolerance", "x"]).fails(2).err;
    assert!(told.contains("'x' for '--tolerance <PART>'") && !told.contains("is an option of"), "{told}");
}

#[test]
fn tabs_and_lines_have_two_names() {
    let folder = Folder::new("answers-forms");
    let csv = folder.file("a.csv", b"x,y\n1,a\n");
    assert_eq!(run(&["convert", &csv, "-", "--to", "tsv"]).ok().text(), "x\ty\n1\ta\n");
    assert_eq!(run(&["convert", &csv, "-", "--to", "ndjson"]).ok().text(), "{\"x\":1,\"y\":\"a\"}\n");
    for name in ["a.tsv", "a.ndjson"] {
        let out = folder.path(name);
        run(&["convert", &csv, &out]).ok();
        assert_eq!(run(&["cat", "--csv", &out]).ok().text(), "x,y\n1,a\n");
    }
}

#[test]
fn options_are_named_as_they_are_written() {
    let folder = Folder::new("answers-options");
    let csv = folder.file("a.csv", b"x;y\n1;a\n");
    let e = run(&["cat", &csv, "--types", "z:i64"]).fails(2).err;
    assert!(e.contains("--types: there is no column `z`"), "{e}");
    let e = run(&["convert", &csv, &folder.path("a.npy"), "--append"]).fails(2).err;
    assert!(e.contains("--append means nothing for a CSV file that is written as an NPY file"), "{e}");
    let told = run(&["cat", "--csv", &csv]).noted("--delimiter ';' separates more").err;
    assert!(told.contains("one column, `x;y`"), "{told}");
    assert_eq!(run(&["cat", "--csv", &csv, "--delimiter", ";"]).ok().text(), "x,y\n1,a\n");
    let tabs = folder.file("b.csv", b"x\ty\n1\ta\n");
    run(&["cat", &tabs]).noted("--delimiter tab separates more");
}

#[test]
fn an_option_may_be_about_one_of_two_files() {
    let folder = Folder::new("answers-diff");
    let csv = folder.file("a.csv", b"n\n7\n8\n");
    let cells = folder.file("a.scidb", &[7i64.to_le_bytes(), 8i64.to_le_bytes()].concat());
    let words = ["--format", "scidb", "--schema", "<n:int64 NOT NULL>[i=0:*]"];
    for files in [[&csv, &cells], [&cells, &csv]] {
        let done = run(&[&["diff", files[0], files[1]][..], &words].concat()).ok();
        assert!(done.text().contains("the values are the same: 2 rows of 1 column"), "{}", done.text());
    }
    let e = run(&["diff", &csv, &folder.file("b.csv", b"n\n7\n"), "--style", "text"]).fails(2).err;
    assert!(e.contains("--style means nothing for a CSV file"), "{e}");
}

#[test]
fn no_more_values_differ_than_there_are() {
    let folder = Folder::new("answers-distinct");
    let rows: String = (0..40_000).map(|n| format!("{n},{}.5\n", n * 7919)).collect();
    let csv = folder.file("a.csv", format!("a,b\n{rows}").as_bytes());
    let json = run(&["stats", "--json", &csv]).ok().json();
    for column in json["columns"].as_array().unwrap() {
        assert!(column["distinct"].as_u64().unwrap() <= 40_000, "{column}");
    }
}

#[test]
fn a_float_is_found_as_it_is_written() {
    let folder = Folder::new("answers-find");
    let layout = folder.file("x.layout", b"Row: record, le\n  a: f32\n  b: f64\n");
    let row = |a: f32, b: f64| [&a.to_le_bytes()[..], &b.to_le_bytes()].concat();
    let file = folder.file("x.bin", &[row(0.1, 0.1), row(f32::NAN, 0.25), row(1.0, f64::NAN)].concat());
    let found = |value: &str| {
        let done = run(&["find", value, &file, "--layout", &layout]).ok();
        done.text().lines().map(|line| line.split("  ").nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("nan"), ["[1].a: NaN", "[2].b: NaN"]);
    assert_eq!(found("0.1").len(), 2);
    assert_eq!(found("1").len(), 1);
    // no other float is nearer to a third
    assert_eq!(run(&["find", "0.1000001", &file, "--layout", &layout]).status, 1);
}

#[test]
fn rows_of_a_stream_are_shown_before_it_ends() {
    for form in ["csv", "jsonl"] {
        let mut child = command()
            .args(["cat", "-", "--jsonl", "--format", form])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let row = |n: u32| match form {
            "csv" => format!("{n},some text\n"),
            _ => format!("{{\"n\":{n},\"text\":\"some text\"}}\n"),
        };
        // more than is looked at for the types, and a batch
        let head = if form == "csv" { "n,text\n" } else { "" };
        let text: String = std::iter::once(head.to_owned()).chain((0..400_000).map(row)).collect();
        let writer = std::thread::spawn(move || {
            input.write_all(text.as_bytes()).unwrap();
            input
        });
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert_eq!(line, "{\"n\":0,\"text\":\"some text\"}\n");
        let rest = std::thread::spawn(move || lines.lines().count());
        // it is open until here
        drop(writer.join().unwrap());
        assert_eq!(rest.join().unwrap(), 399_999);
        assert!(child.wait().unwrap().success());
    }
}
