//! Damaged files: exit status 1, the place, and nothing left behind.

mod support;

use support::{Folder, cases, data, run, scidb};

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
        let commands: [&[&str]; 8] = [
            &["cat", &case.path],
            &["cat", "--json", &case.path],
            &["cat", "--csv", &case.path],
            &["check", &case.path],
            &["inspect", &case.path],
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
fn check_goes_on_behind_a_damaged_file() {
    let (good, bad) = (data("t_string/input.bin"), data("cut_body/input.bin"));
    let run = scidb(&["check", &good, &bad, "/nowhere", &good], "(string)");
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.text().matches(": ok (").count(), 2, "{run:?}");
    assert_eq!(run.err.matches("error:").count(), 2, "{run:?}");
    assert!(run.err.contains("/nowhere: no such file"), "{run:?}");
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
fn members_of_a_document_stand_in_any_order() {
    let folder = Folder::new("order");
    let out = folder.path("out.bin");
    let text = r#"{"cells":[[1,"x"],[2,{"missing":3}]],"other":{"a":[1]},"schema":"(int8, string null)","format":"scidb"}"#;
    let file = folder.file("in.json", text.as_bytes());
    run(&["convert", &file, &out]).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"\x01\xff\x02\0\0\0x\0\x02\x03\0\0\0\0");
    let piped = support::run_with(&["convert", "-", "-"], text.as_bytes()).ok();
    assert_eq!(piped.out, std::fs::read(&out).unwrap());
}
