//! Arrays of libtiledb 1.6.3 that later libraries have changed: none is read as if nothing had happened.

use crate::support::tiledb::{load, path};
use binfmt::formats::tiledb::*;
use std::collections::BTreeMap;

/// What the error of each array says.
fn says() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path("later/says.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_array_is_refused_by_its_version() {
    let says = says();
    assert_eq!(says.len(), 11);
    for (name, says) in says {
        let e = Array::open(path(&format!("later/{name}"))).unwrap_err().to_string();
        assert!(e.contains(&says), "{name}: {e}");
        // an array in memory has no empty folders
        let e = Options::new().open(load(&format!("later/{name}")).0).unwrap_err().to_string();
        assert!(e.contains(&says), "{name}: {e}");
    }
}

#[test]
fn an_open_array_writes_nothing_that_a_later_one_would_hide() {
    let (files, _) = load("d1_i32");
    let mut array = Options::new().open(&files).unwrap();
    files.write("__fragments/__9_9_2758e4cbc087afbc87fcea36f6900b4d_22/a0.tdb", b"").unwrap();
    let cells = array.read().unwrap();
    let mut insert = array.insert();
    for (name, column) in cells.columns() {
        insert = insert.column(name, column.clone());
    }
    let e = insert.write().unwrap_err().to_string();
    assert!(e.contains("TileDB 2.25 or later"), "{e}");
}

#[test]
fn no_array_is_made_where_one_of_a_later_version_is() {
    let (files, _) = load("d1_i32");
    let schema = Options::new().open(&files).unwrap().schema().clone();
    let later = Memory::new();
    later.write("__schema/__1_1_2758e4cbc087afbc87fcea36f6900b4d", &[22, 0, 0, 0]).unwrap();
    let e = Options::new().create(&later, schema).unwrap_err().to_string();
    assert_eq!(e, "__schema: an array exists already");
    assert_eq!(later.list("").unwrap(), ["__schema"]);
}
