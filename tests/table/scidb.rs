//! Load files that SciDB wrote.

use crate::table::support::{all, is_the_same_in_parts, picks, rows};
use binfmt::columns::Plan;
use binfmt::formats::scidb::{Reader, Template};
use binfmt::table::{Logical, Settings, TimeUnit, Wanted, keys};
use serde_json::Value as Json;
use std::path::Path;

/// Every case with its format string.
fn cases() -> impl Iterator<Item = (std::path::PathBuf, String, bool)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb");
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|path| path.is_dir()).map(|path| {
        let text = std::fs::read_to_string(path.join("content.json")).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        let damaged = json.get("cells_before_error").is_some();
        (path.join("input.bin"), json["format"].as_str().unwrap().to_owned(), damaged)
    })
}

#[test]
fn files_of_scidb_are_what_its_loader_reads() {
    let mut count = 0;
    for (path, format, damaged) in cases() {
        let template: Template = format.parse().unwrap();
        let plan = Plan::new(&template.description()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let table = binfmt::open_as(&path, "scidb", &Settings::new().with("schema", &format)).unwrap();
        match plan.decode_with(&bytes, &Reader::new().options()) {
            Ok(columns) => {
                assert!(!damaged, "{}", path.display());
                let expected = rows([&columns]);
                is_the_same_in_parts(&table, &expected);
                if expected.len() > 2 {
                    picks(&table, &expected);
                }
            }
            Err(e) => {
                assert!(damaged, "{}", path.display());
                assert_eq!(all(&table, &Wanted::new(), 3).1.unwrap().to_string(), e.to_string());
            }
        }
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn types_and_names_of_the_schema_are_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb/all_types/input.bin");
    let schema =
        "<a:bool NOT NULL, b:char NOT NULL, m:datetime, n:datetimetz NOT NULL, o:string NOT NULL>[i]";
    let table = binfmt::open_as(&folder, "scidb", &Settings::new().with("schema", schema)).unwrap();
    let fields = &table.schema().fields;
    let logical: Vec<_> = fields.iter().map(|field| field.logical.clone()).collect();
    let time = Some(Logical::Timestamp(TimeUnit::Second));
    assert_eq!(logical, [None, Some(Logical::Character), time, Some(Logical::TimestampWithOffset), None]);
    let types: Vec<String> = fields.iter().map(|field| field.ty.to_string()).collect();
    assert_eq!(types[..3], ["bool", "u8", "i64?"]);
    assert_eq!(
        (fields[2].get(keys::NATIVE), fields[4].get(keys::ENCODING)),
        (Some("datetime null"), Some("any"))
    );
    assert!(
        table.schema().meta.iter().any(|(key, text)| key == "scidb:schema" && text.starts_with("<a:bool"))
    );
}

#[test]
fn what_is_said_wrong_is_told() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb/all_types/input.bin");
    let told = |settings: &Settings| binfmt::open_as(&path, "scidb", settings).unwrap_err().to_string();
    assert!(told(&Settings::new()).contains("the setting `schema` must"));
    let e = told(&Settings::new().with("schema", "(int8, doble)"));
    assert!(e.contains("did you mean `double`"), "{e}");
    assert_eq!(
        told(&Settings::new().with("shema", "(int8)")),
        "unknown setting `shema`, expected one of `schema`, `template`, `user_types`, `strict`, `row_numbers`"
    );
    assert!(binfmt::open(&path).is_err());
}

#[test]
fn a_strict_table_takes_no_bool_that_is_never_written() {
    let path = std::env::temp_dir().join(format!("binfmt-strict-{}.bin", std::process::id()));
    std::fs::write(&path, [1, 2]).unwrap();
    let settings = Settings::new().with("schema", "(bool)");
    let rows = |settings: &Settings| binfmt::open_as(&path, "scidb", settings).unwrap().count_rows();
    assert_eq!(rows(&settings).unwrap(), 2);
    let table = binfmt::open_as(&path, "scidb", &settings.with("strict", "true")).unwrap();
    let read = table.batches(&Wanted::new()).unwrap().collect::<binfmt::Result<Vec<_>>>();
    assert_eq!(read.unwrap_err().offset(), Some(1));
    std::fs::remove_file(path).unwrap();
}
