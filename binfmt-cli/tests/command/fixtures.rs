//! Every command on every SciDB file that SciDB's own code wrote.

use crate::support::{Case, Folder, cases, is_same, run, scidb};
use serde_json::Value as Json;

#[track_caller]
fn assert_cells(case: &Case, cells: &Json) {
    let (name, described) = (&case.name, case.json["cells"].as_array().unwrap());
    let cells = cells.as_array().unwrap_or_else(|| panic!("{name}: no cells"));
    assert_eq!(cells.len(), described.len(), "{name}");
    let types = case.json["types"].as_array().unwrap();
    for (i, (cell, row)) in cells.iter().zip(described).enumerate() {
        let (cell, row) = (cell.as_array().unwrap(), row.as_array().unwrap());
        assert_eq!(cell.len(), row.len(), "{name}: cell {i}");
        for ((found, described), ty) in cell.iter().zip(row).zip(types) {
            let same = is_same(found, described, ty.as_str().unwrap());
            assert!(same, "{name}: cell {i}: {found} is not {described}");
        }
    }
}

#[test]
fn json_has_the_content_of_every_file() {
    let cases = cases(false);
    assert!(cases.len() > 50, "only {} cases", cases.len());
    for case in cases {
        let json = scidb(&["cat", "--json", &case.path], case.format()).ok().json();
        assert_eq!(json["format"], "scidb");
        assert_eq!(json["schema"], case.canonical(), "{}", case.name);
        assert_cells(&case, &json["cells"]);
        let fields = json["fields"].as_array().unwrap();
        assert_eq!(fields.len(), case.json["types"].as_array().unwrap().len(), "{}", case.name);
        assert_eq!(fields[0]["name"], "a");
    }
}

#[test]
fn files_become_json_and_the_same_files_again() {
    let folder = Folder::new("round");
    for case in cases(false) {
        let (json, back) = (folder.path("x.json"), folder.path("x.bin"));
        scidb(&["convert", &case.path, &json], case.format()).ok();
        run(&["convert", &json, &back]).ok();
        let again = std::fs::read(&back).unwrap();
        if case.is_canonical() {
            assert_eq!(again, case.bytes, "{}", case.name);
        }
        // of any file, what is written has the same content
        let read = scidb(&["cat", "--json", &back, "--strict"], case.format()).ok().json();
        assert_cells(&case, &read["cells"]);
    }
}

#[test]
fn files_are_written_anew_as_scidb_writes_them() {
    let folder = Folder::new("anew");
    for case in cases(false) {
        let out = folder.path("x.bin");
        scidb(&["convert", &case.path, &out], case.format()).ok();
        let again = std::fs::read(&out).unwrap();
        if case.is_canonical() {
            assert_eq!(again, case.bytes, "{}", case.name);
        } else {
            scidb(&["check", &out, "--strict"], case.format()).ok();
        }
    }
}

#[test]
fn every_file_is_sound() {
    for case in cases(false) {
        let run = scidb(&["check", &case.path], case.format()).ok();
        let cells = case.json["cells"].as_array().unwrap().len();
        let cells = format!("{cells} cell{}", if cells == 1 { "" } else { "s" });
        let bytes = case.bytes.len();
        let bytes = format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" });
        assert_eq!(run.text(), format!("{}: ok ({cells}, {bytes})\n", case.path));
    }
}

#[test]
fn csv_is_read_back_by_others() {
    for case in cases(false) {
        let run = scidb(&["cat", "--csv", &case.path], case.format()).ok();
        let mut reader = csv::Reader::from_reader(run.out.as_slice());
        assert_eq!(reader.headers().unwrap().len(), case.json["types"].as_array().unwrap().len());
        // a character may be any byte
        let records: Vec<csv::ByteRecord> = reader.byte_records().collect::<Result<_, _>>().unwrap();
        let cells = case.json["cells"].as_array().unwrap();
        // this reader passes over empty lines, which are rows of one missing value
        let is_missing = |cell: &serde_json::Value| {
            cell.as_array().is_some_and(|of| of.len() == 1 && !of[0]["null"].is_null())
        };
        let num_cells = cells.len();
        let cells: Vec<_> = cells.iter().filter(|cell| !is_missing(cell)).collect();
        let num_empty = run.out.split(|b| *b == b'\n').filter(|line| line.is_empty()).count();
        assert!(num_empty > num_cells - cells.len(), "{}", case.name);
        assert_eq!(records.len(), cells.len(), "{}", case.name);
        for (record, cell) in records.iter().zip(cells) {
            for ((field, value), ty) in
                record.iter().zip(cell.as_array().unwrap()).zip(case.json["types"].as_array().unwrap())
            {
                if value.get("null").is_some() {
                    assert_eq!(field, b"");
                } else if ty == "string" {
                    assert_eq!(field, value.as_str().unwrap().as_bytes(), "{}", case.name);
                }
            }
        }
    }
}

#[test]
fn plain_text_has_one_line_a_cell() {
    for case in cases(false) {
        let run = scidb(&["cat", &case.path], case.format()).ok();
        let types = case.json["types"].as_array().unwrap().len();
        let lines: Vec<&str> = run.text().lines().collect();
        assert_eq!(lines.len(), case.json["cells"].as_array().unwrap().len() + 1, "{}", case.name);
        assert!(lines.iter().all(|line| line.split('\t').count() == types), "{}", case.name);
    }
}

#[test]
fn inspect_tells_the_columns_and_the_number_of_cells() {
    for case in cases(false) {
        let json = scidb(&["inspect", "--json", &case.path], case.format()).ok().json();
        assert_eq!(json["cells"], case.json["cells"].as_array().unwrap().len(), "{}", case.name);
        assert_eq!(json["bytes"], case.bytes.len(), "{}", case.name);
        let types: Vec<&str> =
            json["fields"].as_array().unwrap().iter().map(|f| f["type"].as_str().unwrap()).collect();
        for (ty, described) in types.iter().zip(case.json["types"].as_array().unwrap()) {
            assert!(ty.starts_with(described.as_str().unwrap()), "{}", case.name);
        }
        let text = scidb(&["inspect", &case.path], case.format()).ok();
        assert!(text.text().contains(&case.canonical()), "{}", case.name);
    }
}

#[test]
fn an_array_schema_names_the_columns() {
    let case = cases(false).into_iter().find(|c| c.name == "all_types_null").unwrap();
    let schema = case.json["schema"].as_str().unwrap();
    let json = scidb(&["cat", "--json", &case.path], schema).ok().json();
    // the canonical form is the format string, regardless of what was given
    assert_eq!(json["schema"], case.canonical());
    assert_cells(&case, &json["cells"]);
    let names =
        scidb(&["cat", &case.path], "<time:int8 NOT NULL, b:int16, label:string, d:string NOT NULL>[i=0:*]");
    assert_eq!(names.status, 1, "{names:?}");
    let flat = crate::support::data("seed_flat_35/input.bin");
    let run =
        scidb(&["cat", &flat], "<x:int8 NOT NULL, b:int16, label:string, d:string NOT NULL>[i=0:*]").ok();
    assert!(run.text().starts_with("x\tb\tlabel\td\n"), "{}", run.text());
}
