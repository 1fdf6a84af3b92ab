//! Parquet and Arrow's own files: written from every format, and back.

use crate::support::{Folder, run};

fn data(path: &str) -> String {
    format!("{}/../tests/data/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// What `cat --csv` shows.
#[test]
fn a_load_file_comes_back_to_the_same_bytes() {
    let folder = Folder::new("arrow-scidb");
    for case in ["all_types", "all_types_null", "random_3"] {
        let content = std::fs::read_to_string(data(&format!("scidb/{case}/content.json"))).unwrap();
        let content: serde_json::Value = serde_json::from_str(&content).unwrap();
        let schema = content["format"].as_str().unwrap();
        let input = data(&format!("scidb/{case}/input.bin"));
        let said = ["--format", "scidb", "--schema", schema];
        let rows = run(&[&["cat", "--jsonl", &input][..], &said].concat()).ok().text().to_owned();
        for ending in ["parquet", "arrow", "feather"] {
            let (there, back) = (folder.path(&format!("x.{ending}")), folder.path(&format!("{ending}.bin")));
            let how = ["--times", "unscaled", "--texts", "binary", "--force"];
            run(&[&["convert", &input, &there][..], &said, &how].concat()).ok();
            // characters are text there, and come back with a note
            let written =
                run(&[&["convert", &there, &back, "--to", "scidb", "--force"][..], &said[2..]].concat());
            assert!(written.status == 0 && !written.err.contains("error:"), "{written:?}");
            assert_eq!(std::fs::read(&back).unwrap(), std::fs::read(&input).unwrap(), "{case} {ending}");
            assert_eq!(run(&["cat", "--jsonl", &there]).ok().text(), rows, "{case} {ending}");
        }
    }
}

#[test]
fn files_of_every_format_become_parquet() {
    let folder = Folder::new("arrow-all");
    let out = folder.path("x.parquet");
    let files: [(&str, &[&str]); 4] = [
        ("sdds/official/alltypes_be_rm.sdds", &["--texts", "latin1"]),
        ("tiledb/d2_row_row", &[]),
        ("futhark/arr3_f32/input.bin", &[]),
        ("npy/mixed/input.npy", &["--texts", "latin1"]),
    ];
    for (file, said) in files {
        let file = data(file);
        assert_eq!(run(&[&["convert", &file, &out, "--force"][..], said].concat()).status, 0, "{file}");
        let all = run(&["cat", "--jsonl", &out]).ok().text().to_owned();
        assert!(!all.is_empty(), "{file}");
        run(&["check", &out]).ok();
        let json = run(&["inspect", "--json", &out]).ok().json();
        assert_eq!(json["rows"], serde_json::json!(all.lines().count()), "{file}");
    }
}

#[test]
fn pages_keep_their_parameters() {
    let folder = Folder::new("arrow-sdds");
    let (there, csv) = (folder.path("x.arrow"), folder.path("x.csv"));
    // a character that is not UTF-8
    let file = data("sdds/official/alltypes_be_rm.sdds");
    assert!(run(&["convert", &file, &there]).fails(1).err.contains("c_character[0]: the text is not UTF-8"));
    let converted = run(&["convert", &file, &there, "--texts", "latin1"]);
    assert!(
        converted.status == 0 && converted.err.starts_with("note: arrays are not columns"),
        "{converted:?}"
    );
    let json = run(&["inspect", "--json", &there]).ok().json();
    let names: Vec<&str> =
        json["fields"].as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
    let shown = run(&["cat", "--csv", &file]).ok().out;
    let columns = String::from_utf8_lossy(&shown).lines().next().unwrap().split(',').count();
    assert!(names.len() > columns, "{names:?}");
    let written = run(&["convert", &there, &csv]);
    assert!(written.status == 0, "{written:?}");
    assert_eq!(std::fs::read(&csv).unwrap(), run(&["cat", "--csv", &there]).ok().out);
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new("arrow-wrong");
    let input = folder.file("x.bin", &[3, 0, 0, 0, 0xff, b'a', 0]);
    let out = folder.path("x.parquet");
    let e = run(&["convert", &input, &out, "--format", "scidb", "--schema", "(string)"]).fails(1).err;
    assert!(e.contains("the text is not UTF-8"), "{e}");
    assert!(!folder.names().contains(&"x.parquet".to_owned()));
    run(&["convert", &input, &out, "--format", "scidb", "--schema", "(string)", "--texts", "latin1"]).ok();
    let cut = std::fs::read(&out).unwrap();
    let cut = folder.file("cut.parquet", &cut[..cut.len() - 3]);
    run(&["check", &cut]).fails(1);
    let e = run(&[
        "convert", &input, &out, "--format", "scidb", "--schema", "(string)", "--texts", "ebcdic", "--force",
    ])
    .fails(2)
    .err;
    assert!(e.contains("expected checked, binary, latin1 or lossy"), "{e}");
}
