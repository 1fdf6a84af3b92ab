//! Arrays of libtiledb 1.6.3, read, and written again for two libraries to read. Driven by `tiledb.py`.

use crate::interop::folder;
use binfmt::formats::tiledb::*;
use serde_json::{Value as Json, json};
use std::fs;

fn hex(bytes: &[u8]) -> Json {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<String>().into()
}

/// The bytes of every cell, which has that many values or ends where the next begins.
fn cells(values: &Numbers, per_cell: Option<u32>, offsets: &[usize]) -> Json {
    let bytes = values.to_le_bytes();
    let size = bytes.len() / values.len().max(1);
    match per_cell {
        Some(count) => bytes.chunks((size * count as usize).max(1)).map(hex).collect(),
        None => offsets.windows(2).map(|o| hex(&bytes[size * o[0]..size * o[1]])).collect(),
    }
}

/// What `wanted` has of an array.
fn compare(name: &str, found: &Json, wanted: &Json) {
    for (part, wanted) in wanted.as_object().unwrap() {
        assert_eq!(found[part], *wanted, "array {name}, {part}");
    }
}

/// The parts one after the other.
fn joined(batches: impl Iterator<Item = Json>) -> Json {
    let mut all = json!({});
    for batch in batches {
        for (part, cells) in batch.as_object().unwrap() {
            let mut before = all[part].as_array().cloned().unwrap_or_default();
            before.extend(cells.as_array().unwrap().iter().cloned());
            all[part] = before.into();
        }
    }
    all
}

fn content(cells_read: &Cells) -> Json {
    let mut found = json!({});
    for (name, column) in cells_read.columns() {
        found[name] = cells(column.values(), column.cell_val_num().fixed(), column.offsets());
    }
    for (name, values) in cells_read.coords() {
        found[name] = cells(values, Some(1), &[]);
    }
    found
}

#[test]
fn arrays_of_libtiledb() {
    let (Some(theirs), Some(ours)) = (folder("python"), folder("rust")) else {
        println!("not run: the arrays are those that tests/interop/tiledb.py makes with libtiledb");
        return;
    };
    let mut arrays = 0;
    for entry in fs::read_dir(theirs).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let json = |ending: &str| -> Json {
            serde_json::from_str(&fs::read_to_string(path.with_extension(ending)).unwrap()).unwrap()
        };
        let array = Array::open(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = array.read().unwrap_or_else(|e| panic!("{name}: {e}"));
        compare(name, &content(&found), &json("json"));
        let query = array.query().global_order();
        compare(name, &content(&query.read().unwrap()), &json("global.json"));
        let batches = query.batches(700).map(|cells| content(&cells.unwrap()));
        compare(name, &joined(batches), &json("global.json"));
        let schema = array.schema().clone();
        let mut anew = Options::new().create(Folder::new(ours.join(name)), schema.clone()).unwrap();
        let mut insert = anew.insert();
        for (name, column) in found.columns() {
            insert = insert.column(name, column.clone());
        }
        if schema.array_type == ArrayType::Sparse {
            insert = insert.coords(found.coords().iter().map(|(_, values)| values.clone()));
        } else {
            for dimension in &schema.domain.dimensions {
                let [low, high] = dimension.domain.map(|end| i64::try_from(end.as_i128().unwrap()).unwrap());
                insert = insert.range(&dimension.name, low..=high);
            }
        }
        insert.write().unwrap_or_else(|e| panic!("{name}: {e}"));
        arrays += 1;
    }
    assert!(arrays > 0, "no arrays of libtiledb");
}
