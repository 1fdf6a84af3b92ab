//! `convert` to NPY, and NPY files themselves: one writer for the files of every format.

use crate::support::{Folder, run};

/// What `cat --csv` shows, without the line of names.
fn rows(words: &[&str]) -> Vec<String> {
    run(&[&["cat", "--csv", "--no-header"][..], words].concat())
        .ok()
        .text()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn data(path: &str) -> String {
    format!("{}/../tests/data/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn columns_of_any_layout_become_an_array() {
    let folder = Folder::new("npy-layout");
    let layout = folder.file("x.layout", b"Row: record, le\n  a: u16\n  b: f64\n");
    let bytes: Vec<u8> = (0..1000u16)
        .flat_map(|n| [&n.to_le_bytes()[..], &(f64::from(n) / 4.0).to_le_bytes()].concat())
        .collect();
    let input = folder.file("x.bin", &bytes);
    let said = [input.as_str(), "--layout", &layout];
    let out = folder.path("x.npy");
    run(&[&["convert"][..], &[&input, &out], &said[1..]].concat()).ok();
    assert_eq!(rows(&[&out]), rows(&said));
    assert_eq!(rows(&[&out]).len(), 1000);
    let json = run(&["inspect", "--json", &out]).ok().json();
    assert_eq!((&json["rows"], &json["fields"][1]["dtype"]), (&1000.into(), &"<f8".into()));
    run(&["check", &out]).ok();

    // some columns and rows; the array itself again
    let some = folder.path("some.npy");
    run(&["convert", &out, &some, "--columns", "b", "--rows", "10..12"]).ok();
    assert_eq!(std::fs::read(&some).unwrap()[128..], [2.5f64.to_le_bytes(), 2.75f64.to_le_bytes()].concat());
    let e = run(&["convert", &out, &some, "--columns", "c", "--force"]).fails(2).err;
    assert!(e.contains("unknown column `c`"), "{e}");
    // what is damaged leaves no file
    let cut = folder.file("cut.bin", &bytes[..bytes.len() - 1]);
    let none = folder.path("none.npy");
    run(&["convert", &cut, &none, "--layout", &layout]).fails(1);
    assert!(!folder.names().contains(&"none.npy".to_owned()));
}

#[test]
fn rows_of_any_format_are_json_in_lines() {
    let folder = Folder::new("npy-lines");
    let layout = folder.file("x.layout", b"Row: record, le\n  a: u16\n  b: f32\n");
    let input = folder.file("x.bin", &[1, 0, 0, 0, 0x80, 0x3f, 2, 0, 0, 0, 0xc0, 0x7f, 3]);
    let said = ["--layout", layout.as_str()];
    let cat = |words: &[&str]| run(&[&["cat", "--jsonl", &input][..], &said, words].concat());
    // the rows before the damage, then the message
    let found = cat(&[]).fails(1);
    assert!(found.text().starts_with("{\"a\":1,\"b\":1.0}\n{\"a\":2,") && found.text().lines().count() == 2);
    assert!(found.err.contains("at byte 12"), "{}", found.err);
    assert_eq!(cat(&["--rows", "..1", "--columns", "b,a"]).ok().text(), "{\"b\":1.0,\"a\":1}\n");
    let out = folder.path("x.jsonl");
    run(&[&["convert", &input, &out, "--rows", "..1"][..], &said].concat()).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"{\"a\":1,\"b\":1.0}\n");
    let sdds = folder.file(
        "x.sdds",
        b"SDDS1\n&column name=s, type=double &end\n&data mode=ascii &end\n2\n0.5\n1.5\n1\n2.5\n",
    );
    assert_eq!(run(&["cat", "--jsonl", &sdds]).ok().text(), "{\"s\":0.5}\n{\"s\":1.5}\n{\"s\":2.5}\n");
}

#[test]
fn the_other_formats_become_arrays_too() {
    let folder = Folder::new("npy-formats");
    let out = folder.path("x.npy");
    let sdds = folder.file(
        "x.sdds",
        b"SDDS1\n&parameter name=Run, type=long &end\n&column name=s, type=double, units=m &end\n\
          &column name=name, type=string &end\n&data mode=ascii &end\n7\n2\n0.5 a\n1.5 bc\n8\n1\n2.5 d\n",
    );
    run(&["convert", &sdds, &out]).noted("_page, Run");
    assert_eq!(rows(&[&out]), ["0.5,a", "1.5,bc", "2.5,d"]);
    run(&["convert", &sdds, &out, "--columns", "Run,s"]).ok();
    assert_eq!(rows(&[&out]), ["7,0.5", "7,1.5", "8,2.5"]);

    let cells = folder.file("x.bin", &[1, 0, 0, 0, 0, 0, 0, 0, 0xff, 2, 3, 0]);
    let said = ["--format", "scidb", "--schema", "(int64, int8, int8 null)"];
    run(&[&["convert", &cells, &out][..], &said].concat()).fails(1);
    let cells = folder.file("x.bin", &[1, 0, 0, 0, 0, 0, 0, 0, 5, 0xff, 3]);
    run(&[&["convert", &cells, &out][..], &said].concat()).ok();
    assert_eq!(rows(&[&out]), ["1,5,3"]);
    let json = run(&["cat", "--json", &data("npy/mixed/input.npy"), "--columns", "t,pair"]).ok().json();
    assert_eq!(json["rows"], serde_json::json!([[0, [1, -2]], [1, [3, -4]], [20513, [5, -6]]]));
}

/// What has the same length in each row is a list, and a list that has the length of an array is one.
#[test]
fn arrays_and_lists_of_a_layout_fit() {
    let folder = Folder::new("npy-lists");
    let out = folder.path("x.bin");
    let input = data("npy/mixed/input.npy");
    let convert = |member: &str| {
        let layout = folder.file("x.layout", format!("record, le\n  {member}\n").as_bytes());
        (run(&["convert", &input, &out, "--layout", &layout, "--columns", "pair"]), layout)
    };
    let pairs = "{\"pair\":[1,-2]}\n{\"pair\":[3,-4]}\n{\"pair\":[5,-6]}\n";
    for member in ["pair: [i64; 2]", "pair: [i32], length_prefixed(u8)", "pair: [f64], count = 2"] {
        let (done, layout) = convert(member);
        assert_eq!(done.status, 0, "{member}: {}", done.err);
        let lines = run(&["cat", "--jsonl", &out, "--layout", &layout]).ok();
        assert_eq!(lines.text().replace(".0", ""), pairs, "{member}");
    }
    let (done, _) = convert("pair: [i64; 3]");
    assert!(done.fails(2).err.contains("2], which cannot be written as [i64; 3]"));
    let (done, _) = convert("pair: [i64], count = 3");
    assert!(done.fails(2).err.contains("2], which cannot be written as [i64; 3]"));
    // and back
    let lists = folder.file("x.jsonl", b"{\"pair\":[1,-2]}\n{\"pair\":[3,-4,5]}\n");
    let layout = folder.file("y.layout", b"record, le\n  pair: [i32; 2]\n");
    let e = run(&["convert", &lists, &out, "--layout", &layout, "--to", "layout"]).fails(1).err;
    assert!(e.contains("[1].pair: a list of 3 does not fit in one of 2"), "{e}");
    run(&["convert", &lists, &out, "--layout", &layout, "--to", "layout", "--rows", "..1"]).noted("checked");
    assert_eq!(run(&["cat", "--jsonl", &out, "--layout", &layout]).ok().text(), "{\"pair\":[1,-2]}\n");
}

#[test]
fn arrays_of_an_archive_that_are_called_otherwise_are_told() {
    let folder = Folder::new("npy-archive");
    let csv = folder.file("n.csv", b"a/b,a_b,c\n1,2,3\n");
    let out = folder.path("n.npz");
    let told = "note: column `a/b` becomes the array `a_b`\nnote: column `a_b` becomes the array `1_a_b`\n";
    run(&["convert", &csv, &out]).noted(told);
}
