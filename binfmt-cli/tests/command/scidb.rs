//! Load files of SciDB that only its loader takes.

use crate::support::{Folder, run};
use serde_json::json;

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
