//! Load files of SciDB that only its loader takes, and schemas of many columns.

mod support;

use serde_json::json;
use std::time::Duration;
use support::{Folder, cpu_of_children, run};

#[test]
fn what_was_read_is_written_again() {
    let folder = Folder::new("scidb-full");
    for (schema, bytes, expected) in [
        ("(string(4))", &b"abcdab\0\0"[..], &b"abcdab\0\0"[..]),
        ("(int8, string(2) null)", b"\x01\xffab\x02\xfecd\x03\x05\0\0", b"\x01\xffab\x02\xffcd\x03\x05\0\0"),
        ("(string, bool)", b"\x02\0\0\0ab\x02", b"\x03\0\0\0ab\0\x01"),
    ] {
        let (from, to) = (folder.file("from.bin", bytes), folder.path("to.bin"));
        let document = folder.path("document.json");
        let said = ["--format", "scidb", "--schema", schema];
        run(&[&["check", &from][..], &said].concat()).ok();
        run(&[&["convert", &from, &to][..], &said].concat()).ok();
        assert_eq!(std::fs::read(&to).unwrap(), expected, "{schema}");
        run(&[&["convert", &from, &document][..], &said].concat()).ok();
        run(&["convert", &document, &to]).ok();
        assert_eq!(std::fs::read(&to).unwrap(), expected, "{schema}");
    }
    let full = folder.file("full.bin", b"abcd");
    let said = ["--format", "scidb", "--schema", "(string(4))", "--strict"];
    assert!(run(&[&["check", &full][..], &said].concat()).fails(1).err.contains("NUL"));
    let long = json!({"format": "scidb", "schema": "(string(4))", "cells": [["abcde"]]});
    let long = folder.file("long.json", long.to_string().as_bytes());
    let e = run(&["convert", &long, &folder.path("to.bin")]).fails(1).err;
    assert!(e.contains("cells[0].a: 6 bytes long, at most 4 fit"), "{e}");
}

#[test]
fn schemas_of_many_columns_take_no_longer_for_each() {
    const COLUMNS: usize = 60_000;
    // a time that grows with the square would be minutes
    const LONGEST: Duration = Duration::from_secs(60);
    let folder = Folder::new("scidb-wide");
    let bytes = folder.file("wide.bin", &[7; COLUMNS]);
    let format = format!("({})", ["int8"; COLUMNS].join(", "));
    let names: Vec<String> = (0..COLUMNS).map(|i| format!("a{i}:int8 NOT NULL")).collect();
    let schema = format!("<{}>[i=0:*]", names.join(", "));
    let (document, again) = (folder.path("wide.json"), folder.path("again.bin"));
    let start = cpu_of_children();
    for text in [&format, &schema] {
        let text = format!("@{}", folder.file("schema.txt", text.as_bytes()));
        let said = ["--format", "scidb", "--schema", &text];
        run(&[&["check", &bytes][..], &said].concat()).ok();
        run(&[&["convert", &bytes, &document][..], &said].concat()).ok();
        run(&["convert", &document, &again]).ok();
        assert_eq!(std::fs::read(&again).unwrap(), [7; COLUMNS]);
    }
    let taken = cpu_of_children() - start;
    assert!(taken < LONGEST, "{taken:?}");
    let twice = schema.replace("a59999:", "a7:");
    let twice = format!("@{}", folder.file("schema.txt", twice.as_bytes()));
    let e = run(&["check", &bytes, "--format", "scidb", "--schema", &twice]).fails(2).err;
    assert!(e.contains("the schema has two attributes `a7`"), "{e}");
}
