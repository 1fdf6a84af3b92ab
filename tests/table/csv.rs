//! Files of lines: inferred types, parts, damage.

use crate::support::{all, file, is_the_same_in_parts, picks, rows};
use binfmt::table::csv::Csv;
use binfmt::table::{Settings, Table, TableFormat, Wanted};
use std::sync::Arc;

fn open(text: &str, settings: &Settings) -> binfmt::Result<Arc<dyn Table>> {
    Csv.open(file(text.as_bytes()), "file", settings)
}

fn types(table: &Arc<dyn Table>) -> Vec<String> {
    table.schema().fields.iter().map(|field| field.ty.to_string()).collect()
}

#[test]
fn rows_are_the_same_in_any_batches() {
    let mut text = "n,x,name\n".to_owned();
    for n in 0..2000 {
        text.push_str(&format!(
            "{n},{},\"Q\n{n}\"\n",
            if n % 3 == 0 { String::new() } else { format!("{}.5", n) }
        ));
    }
    let table = open(&text, &Settings::new()).unwrap();
    assert_eq!(types(&table), ["i64?", "f64?", "text?"]);
    let batches: Vec<_> = table.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
    let expected = rows(&batches);
    assert_eq!(expected.len(), 2000);
    is_the_same_in_parts(&table, &expected);
    picks(&table, &expected);
}

#[test]
fn settings_say_what_the_file_does_not() {
    let settings = Settings::new().with("types", "a:f64").with("delimiter", "tab");
    let table = open("a\t\tb\n1\t2\t-\n", &settings.clone().with("missing", "-"));
    let table = table.unwrap();
    assert_eq!(types(&table), ["f64?", "i64?", "text?"]);
    let bare = open("1,x\n2,y\n", &Settings::new().with("header", "false")).unwrap();
    assert_eq!(bare.count_rows().unwrap(), 2);
    assert_eq!(bare.schema().position("c1"), Some(1));
    for (name, value, expected) in [
        ("delimiter", "ab", "expected one character"),
        ("types", "a", "expected a name and a type"),
        ("types", "z:i64", "there is no column `z`"),
        ("header", "yes", "expected true or false"),
        ("kind", "x", "unknown setting `kind`"),
    ] {
        let e = open("a\n1\n", &Settings::new().with(name, value)).unwrap_err().to_string();
        assert!(e.contains(expected), "{e}");
    }
}

#[test]
fn damage_is_told_after_the_rows_before_it() {
    let settings = Settings::new().with("types", "a:i64,b:text");
    for (text, rows, offset, expected) in [
        ("a,b\n1,x\n2,y\nz,w\n", 2, 12, "expected i64, found \"z\" in line 4"),
        ("a,b\n1,x\n2\n", 1, 8, "line 3 has 1 fields, expected 2"),
        ("a,b\n1,\"x\n", 0, 6, "the quote in line 2 is not closed"),
    ] {
        let table = open(text, &settings).unwrap();
        let (found, e) = all(&table, &Wanted::new(), 1);
        let e = e.unwrap();
        assert_eq!((found.len(), e.offset()), (rows, Some(offset)), "{text:?}");
        assert!(e.to_string().contains(expected), "{e}");
    }
    let empty = open("", &Settings::new()).unwrap();
    assert!(empty.schema().fields.is_empty() && empty.count_rows().unwrap() == 0);
}

/// The values of the first column.
fn first(table: &Arc<dyn Table>) -> Vec<String> {
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    (0..batch.num_rows()).map(|row| format!("{:?}", batch.cell(row, 0).unwrap())).collect()
}

#[test]
fn an_empty_line_is_a_row_of_one_column() {
    for (text, ty, rows) in [
        ("n\n1\n\n3\n", "i64?", 3),
        ("n\n\n2\n\n", "i64?", 3),
        // as pandas writes it
        ("n\n1\n\"\"\n3\n", "i64?", 3),
        ("n\n\"\"\nx\n\n", "text?", 3),
        ("\n\nn\n1\n", "i64?", 1),
    ] {
        let table = open(text, &Settings::new()).unwrap();
        assert_eq!((types(&table), table.count_rows().unwrap()), (vec![ty.to_owned()], rows), "{text:?}");
    }
    let of = |text: &str| first(&open(text, &Settings::new()).unwrap());
    assert_eq!(of("n\n1\n\n\"\"\n"), of("n,m\n1,\n,\n,\n"));
    // a text is empty, and not missing
    assert_eq!(of("n\nx\n\"\"\n\n"), of("n,m\nx,\n\"\",\n,\n"));
    let bare = open("1\n\n3\n", &Settings::new().with("header", "false")).unwrap();
    assert_eq!(bare.count_rows().unwrap(), 3);
    // with several columns it is none
    assert_eq!(open("a,b\n1,2\n\n3,4\n", &Settings::new()).unwrap().count_rows().unwrap(), 2);
}

#[test]
fn a_file_with_a_nul_is_recognised() {
    let found = binfmt::open_in(
        binfmt::FORMATS,
        {
            let files = binfmt::storage::Memory::new();
            binfmt::storage::Storage::write(&files, "x.csv", b"a,b\nx\0y,1\n").unwrap();
            Arc::new(files)
        },
        "x.csv",
        None,
        &Settings::new(),
    );
    assert_eq!(first(&found.unwrap()).len(), 1);
}
