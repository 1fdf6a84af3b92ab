//! Damaged files: exit status 1, the place, and nothing is left.

use crate::support::{Folder, cases, data, run, scidb};

/// Where each damaged file is refused: the path without the index of the cell, the cell, the byte.
const PLACES: [(&str, &str, u64, u64); 7] = [
    ("cut_body", "a", 0, 0),
    ("cut_fixed", "a", 1, 2),
    ("cut_flag", "a", 0, 0),
    ("cut_len", "a", 0, 0),
    ("cut_second_attr", "b", 1, 4),
    ("cut_trailing_skip", "padding", 1, 4),
    ("huge_len", "a", 0, 0),
];

#[test]
fn every_command_tells_the_place() {
    let folder = Folder::new("damaged");
    let cases = cases(true);
    assert_eq!(cases.len(), PLACES.len());
    for case in cases {
        let (_, name, cell, byte) = *PLACES.iter().find(|p| p.0 == case.name).unwrap();
        let json = folder.path("out.json");
        let csv = folder.path("out.csv");
        let bin = folder.path("out.bin");
        let commands: [&[&str]; 9] = [
            &["cat", &case.path],
            &["cat", "--json", &case.path],
            &["cat", "--csv", &case.path],
            &["check", &case.path],
            &["inspect", &case.path],
            &["dump", &case.path],
            &["convert", &case.path, &json],
            &["convert", &case.path, &csv],
            &["convert", &case.path, &bin],
        ];
        for words in commands {
            // cells of one size are counted without reading them, but not when the last one is cut
            let run = scidb(words, case.format()).fails(1);
            let what = format!("{} {}: {}", words[0], case.name, run.err);
            assert!(run.err.starts_with(&format!("error: {}: [{cell}]", case.path)), "{what}");
            assert!(run.err.contains(&format!("[{cell}].{name} ")), "{what}");
            assert!(run.err.contains(&format!("at byte {byte} ({byte:#x})")), "{what}");
        }
        assert_eq!(folder.names(), Vec::<String>::new(), "{}", case.name);
    }
}

#[test]
fn a_file_that_ends_early_is_said_to() {
    let folder = Folder::new("damaged-cut");
    let data =
        |path: &str| std::fs::read(format!("{}/../tests/data/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let npy = data("npy/mixed/input.npy");
    let cut = |name: &str, bytes: &[u8], len: usize| folder.file(name, &bytes[..len]);
    let mut files = vec![cut("a.npy", &npy, 100), cut("b.npy", &npy, 300), cut("c.npy", &npy, npy.len() - 1)];
    for case in ["cut_elems", "cut_dim"] {
        files.push(folder.file(case, &data(&format!("futhark/{case}/input.bin"))));
    }
    let array = folder.path("array");
    let csv = folder.file("a.csv", b"n\n1\n2\n3\n");
    run(&["convert", &csv, &array, "--to", "tiledb"]);
    let schema = folder.path("array/__array_schema.tdb");
    let whole = std::fs::read(&schema).unwrap();
    std::fs::write(&schema, &whole[..10]).unwrap();
    for file in files.iter().chain([&array]) {
        let told = run(&["check", file]).fails(1).err;
        assert!(told.ends_with("  tip: the file was cut short, or is still being written\n"), "{told}");
    }
    std::fs::write(&schema, whole).unwrap();
    run(&["check", &array]).ok();
    let fragment =
        std::fs::read_dir(&array).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir());
    let cells = fragment.unwrap().join("n.tdb");
    let bytes = std::fs::read(&cells).unwrap();
    std::fs::write(&cells, &bytes[..bytes.len() - 1]).unwrap();
    for command in ["check", "cat"] {
        let told = run(&[command, &array]).fails(1).err;
        assert!(
            told.contains(&format!("found {}\n  tip: the file was cut short", bytes.len() - 1)),
            "{told}"
        );
    }
}

#[test]
fn whole_cells_before_the_damage_are_shown() {
    let path = data("cut_fixed/input.bin");
    let run = scidb(&["cat", &path], "(int16)").fails(1);
    assert_eq!(run.text().lines().count(), 2, "{}", run.text());
    let run = scidb(&["inspect", &path], "(int16)").fails(1);
    assert!(run.text().contains("Cells           1\n"), "{}", run.text());
}

#[test]
fn a_file_that_stood_there_stays() {
    let folder = Folder::new("stays");
    let old = folder.file("out.json", b"old");
    scidb(&["convert", &data("cut_body/input.bin"), &old], "(string)").fails(1);
    assert_eq!(std::fs::read(&old).unwrap(), b"old");
    assert_eq!(folder.names(), ["out.json"]);
}

#[test]
fn check_goes_on_after_a_damaged_file() {
    let (good, bad) = (data("t_string/input.bin"), data("cut_body/input.bin"));
    let run = scidb(&["check", &good, &bad, "/nowhere", &good], "(string)");
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.text().matches(": ok (").count(), 2, "{run:?}");
    assert_eq!(run.err.matches("error:").count(), 2, "{run:?}");
    assert!(run.err.contains("/nowhere: no such file"), "{run:?}");
}

#[test]
fn check_goes_on_after_a_file_of_no_format() {
    let folder = Folder::new("unknown");
    let (unknown, folder_of) = (folder.file("unknown", b"????"), folder.path(""));
    let good = format!("{}/../examples/data/twiss.sdds", env!("CARGO_MANIFEST_DIR"));
    let done = run(&["check", &unknown, &folder_of, &good]);
    assert_eq!((done.status, done.text().matches(": ok (").count()), (2, 1), "{done:?}");
    assert!(done.err.contains("unknown: cannot tell the format of this file"), "{done:?}");
    assert!(done.err.contains("cannot tell the format of this folder"), "{done:?}");
    let empty = run(&["check", &folder.file("empty", b"")]).fails(2);
    assert!(empty.err.contains("empty: the file is empty"), "{}", empty.err);
    // a file that is not sound is worse
    let bad = folder.file("bad.sdds", b"SDDS1\n&data mode=");
    let done = run(&["check", &bad, &unknown, "/nowhere", &good]);
    assert_eq!((done.status, done.text().matches(": ok (").count()), (1, 1), "{done:?}");
    assert_eq!(done.err.matches("error:").count(), 3, "{done:?}");
    // what is wrong with the command line is not said again for each file
    let done = run(&["check", "--format", "scidb", &good, &good, &unknown]);
    assert_eq!((done.status, done.err.matches("error:").count()), (2, 1), "{done:?}");
}

#[test]
fn bad_json_is_refused_with_its_place() {
    let folder = Folder::new("json");
    let schema = r#""format":"scidb","schema":"(int8, string null)""#;
    let bad = [
        ("{", "line 1 column 1"),
        ("[1]", "expected an object"),
        (r#"{"format":"scidb","cells":[]}"#, "schema"),
        (r#"{"format":"scidb","schema":"(int8"}"#, "the end of the text"),
        (r#"{"schema":"(int8)","cells":[]}"#, "does not name its format"),
        (r#"{"format":"sicdb","schema":"(int8)","cells":[]}"#, "unknown format `sicdb`"),
        (&format!(r#"{{{schema},"cells":[[1,"x"],[300,"x"]]}}"#), "cells[1]"),
        (&format!(r#"{{{schema},"cells":[[1]]}}"#), "cells[0]"),
        (&format!(r#"{{{schema},"cells":[[1,"x",2]]}}"#), "cells[0]"),
        (&format!(r#"{{{schema},"cells":[[1,5]]}}"#), "cells[0]"),
        (&format!(r#"{{{schema},"cells":[[{{"missing":1}},"x"]]}}"#), "cells[0]"),
        (&format!(r#"{{{schema},"cells":[[1,{{"missing":200}}]]}}"#), "cells[0]"),
        (&format!(r#"{{{schema},"cells":[[1,"x"]"#), "line 1"),
        (&format!(r#"{{{schema},"cells":[[1,"x"]]}} x"#), "trailing"),
        (&format!(r#"{{{schema}}}"#), "\"cells\""),
    ];
    for (text, expected) in bad {
        let file = folder.file("in.json", text.as_bytes());
        let run = run(&["convert", &file, &folder.path("out.bin")]).fails(1);
        assert!(run.err.contains(expected), "{text}: {}", run.err);
        assert_eq!(folder.names(), ["in.json"], "{text}");
    }
}

#[test]
fn values_that_do_not_fit_are_told_in_the_words_of_the_schema() {
    let folder = Folder::new("fit");
    let int8 = "int8, an integer from -128 to 127";
    let bad = [
        ("int8", "300", format!("300 is not {int8}")),
        ("int8", "1.0", format!("1.0 is not {int8}")),
        ("int8 null", "1.5", format!("1.5 is not {int8}")),
        ("int8", "18446744073709551616", format!("a number of about 1.8446744073709552e19 is not {int8}")),
        ("uint64", "-1", "-1 is not uint64, an integer from 0 to 18446744073709551615".into()),
        ("float", "1e39", "1e39 is not float, a number up to 3.4028235e38, \"nan\", \"inf\"".into()),
        ("float", "-1e39", "-1e39 is not float".into()),
        ("double", "\"NaN\"", "\"NaN\" is not double, a number, \"nan\", \"inf\" or \"-inf\"".into()),
        ("double", "1e400", "number out of range".into()),
        ("string null", "null", "null (a missing value is {\"missing\": 0}) is not text".into()),
        ("string null", "{\"missing\":-1}", "-1 is not a code of a missing value; expected 0 to 255".into()),
        ("string", "\"x\", 1", "expected a list of 1 value".into()),
    ];
    for (ty, value, expected) in bad {
        let text = format!(r#"{{"format":"scidb","schema":"({ty})","cells":[[{value}]]}}"#);
        let file = folder.file("in.json", text.as_bytes());
        let run = run(&["convert", &file, &folder.path("out.bin")]).fails(1);
        assert!(run.err.contains(&expected), "{text}: {}", run.err);
        assert!(!run.err.contains("i8") && !run.err.contains("f64"), "{}", run.err);
    }
    // the nearest number is the largest that there is
    let text = r#"{"format":"scidb","schema":"(float)","cells":[[3.4028235e38],["inf"]]}"#;
    let file = folder.file("in.json", text.as_bytes());
    run(&["convert", &file, &folder.path("out.bin")]).ok();
    assert_eq!(std::fs::read(folder.path("out.bin")).unwrap(), b"\xff\xff\x7f\x7f\0\0\x80\x7f");
}

#[test]
fn a_document_that_contradicts_itself_is_refused() {
    let folder = Folder::new("contradiction");
    let head = r#""format":"scidb","schema":"(int8, string null)""#;
    let field = |ty, nullable| format!(r#"{{"name":"n","type":"{ty}","nullable":{nullable}}}"#);
    let (a, b) = (field("int8", false), field("string", true));
    let wide = field("int16", false);
    let bad = [
        (format!(r#"{{{head},"fields":[{wide},{b}],"cells":[]}}"#), "`a` is int16 in \"fields\" and int8 in"),
        (format!(r#"{{{head},"fields":[{a},{a}],"cells":[]}}"#), "`b` is int8 in \"fields\" and string null"),
        (format!(r#"{{{head},"cells":[],"fields":[{a}]}}"#), "\"fields\" has 1 and \"schema\" 2 columns"),
        (format!(r#"{{{head},"schema":"(int8)","cells":[]}}"#), "a second member \"schema\""),
        (format!(r#"{{{head},"cells":[],"cells":[]}}"#), "a second member \"cells\""),
    ];
    for (text, expected) in bad {
        let file = folder.file("in.json", text.as_bytes());
        let run = run(&["convert", &file, &folder.path("out.bin")]).fails(1);
        assert!(run.err.contains(expected), "{text}: {}", run.err);
    }
    let file =
        folder.file("in.json", format!(r#"{{{head},"fields":[{a},{b}],"cells":[[1,"x"]]}}"#).as_bytes());
    run(&["convert", &file, &folder.path("out.bin")]).ok();
    let other = folder.file("in.json", br#"{"format":"sdds","schema":"(int8)","cells":[]}"#);
    let refused = run(&["convert", &other, &folder.path("x.bin"), "--to", "scidb"]).fails(1);
    assert!(refused.err.contains("says that its format is sdds"), "{}", refused.err);
}

#[test]
fn members_of_a_document_stand_in_any_order() {
    let folder = Folder::new("order");
    let out = folder.path("out.bin");
    let text = r#"{"cells":[[1,"x"],[2,{"missing":3}]],"other":{"a":[1]},"schema":"(int8, string null)","format":"scidb"}"#;
    let file = folder.file("in.json", text.as_bytes());
    run(&["convert", &file, &out]).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"\x01\xff\x02\0\0\0x\0\x02\x03\0\0\0\0");
    let piped = crate::support::run_with(&["convert", "-", "-"], text.as_bytes()).ok();
    assert_eq!(piped.out, std::fs::read(&out).unwrap());
}

#[test]
fn a_strict_reader_takes_no_bool_that_is_never_written() {
    let folder = Folder::new("bools");
    let file = folder.file("b.bin", b"\x01\x02");
    scidb(&["check", &file], "(bool)").ok();
    let refused = scidb(&["check", &file, "--strict"], "(bool)").fails(1);
    assert!(refused.err.contains("[1].a at byte 1 (0x1): 0x02 is not a bool"), "{}", refused.err);
    let nullable = folder.file("n.bin", b"\xff\x02\0\0");
    scidb(&["check", &nullable], "(bool null)").ok();
    scidb(&["check", &nullable, "--strict"], "(bool null)").fails(1);
}
