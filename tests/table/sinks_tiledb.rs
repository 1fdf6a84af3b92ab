//! Tables that become arrays: several fragments, and rows that are appended.

use binfmt::columns::{BytesColumn, Column, Columns};
use binfmt::formats::tiledb::{ArraySchema, Filter, Options};
use binfmt::numbers::Number;
use binfmt::storage::{Memory, Storage};
use binfmt::table::{ColumnsTable, Settings, Table, Wanted, keys};
use std::sync::Arc;

fn table(columns: Vec<(&'static str, Column)>) -> Arc<dyn Table> {
    let columns = columns.into_iter().map(|(name, column)| (name.into(), column)).collect();
    Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()))
}

fn write(files: &Arc<Memory>, table: &Arc<dyn Table>, settings: &Settings) -> binfmt::Result<u64> {
    let sink = binfmt::create_in(binfmt::FORMATS, files.clone(), "out", "tiledb", table.schema(), settings)?;
    table.write_to(&Wanted::new().batch_rows(3), sink).map(|written| written.rows)
}

/// The rows as JSON, and how many fragments there are.
fn found(files: &Arc<Memory>) -> (Vec<String>, usize) {
    let none = Settings::new();
    let table = binfmt::open_in(binfmt::FORMATS, files.clone(), "out", Some("tiledb"), &none).unwrap();
    let mut rows = Vec::new();
    for batch in table.batches(&Wanted::new()).unwrap() {
        let batch = batch.unwrap();
        rows.extend(
            (0..batch.num_rows()).map(|row| serde_json::to_string(&batch.row(row).unwrap()).unwrap()),
        );
    }
    // a fragment is a folder of its own
    let fragments = files.list("out").unwrap().iter().filter(|name| !name.contains('.')).count();
    (rows, fragments)
}

#[test]
fn rows_go_into_several_fragments() {
    for array in ["sparse", "dense"] {
        let settings = Settings::new().with("array", array).with("fragment_rows", "3");
        let files = Arc::new(Memory::new());
        let values = table(vec![("v", Column::from((0..10i16).collect::<Vec<_>>()))]);
        assert_eq!(write(&files, &values, &settings).unwrap(), 10);
        let (rows, fragments) = found(&files);
        let expected: Vec<String> = (0..10).map(|n| format!("{{\"row\":{n},\"v\":{n}}}")).collect();
        assert_eq!((rows, fragments), (expected, 4), "{array}");
    }
}

#[test]
fn rows_are_appended_to_an_array() {
    let of = |x: Vec<i32>, v: Vec<f64>| table(vec![("x", Column::from(x)), ("v", Column::from(v))]);
    let first = Settings::new().with("dimensions", "x");
    let append = Settings::new().with("append", "true");
    for array in ["sparse", "dense"] {
        let files = Arc::new(Memory::new());
        write(&files, &of(vec![0, 1, 2, 3], vec![0.0, 1.0, 2.0, 3.0]), &first.clone().with("array", array))
            .unwrap();
        // a later cell hides an earlier one
        assert_eq!(write(&files, &of(vec![1, 2], vec![10.0, 20.0]), &append).unwrap(), 2);
        let (rows, fragments) = found(&files);
        let expected =
            [(0, 0.0), (1, 10.0), (2, 20.0), (3, 3.0)].map(|(x, v)| format!("{{\"x\":{x},\"v\":{v:?}}}"));
        assert_eq!((rows, fragments), (expected.to_vec(), 2), "{array}");
        // without rows there is no fragment
        write(&files, &of(vec![], vec![]), &append).unwrap();
        assert_eq!(found(&files).1, 2);
        // what does not fit leaves the array as it was
        let before = files.list("out").unwrap();
        for (table, expected) in [
            (of(vec![9], vec![1.0]), "9"),
            (
                table(vec![("v", Column::from(vec![1.0]))]),
                "the array has the dimension `x`, and the table has none",
            ),
            (table(vec![("x", Column::from(vec![1i32]))]), "the array has the attribute `v`"),
        ] {
            let e = write(&files, &table, &append).unwrap_err().to_string();
            assert!(e.contains(expected), "{array}: {e}");
            assert_eq!(files.list("out").unwrap(), before);
        }
        let e = write(&files, &of(vec![1], vec![1.0]), &first).unwrap_err().to_string();
        assert!(e.contains("an array exists already"), "{e}");
    }
    let files = Arc::new(Memory::new());
    // an array that does not exist cannot grow
    let e = write(&files, &of(vec![1], vec![1.0]), &append.clone().with("dimensions", "x")).unwrap_err();
    assert!(e.to_string().contains("there is no array to append to"), "{e}");
    assert!(files.list("out").unwrap().is_empty());
}

#[test]
fn texts_that_are_not_utf8_become_char() {
    let texts = |rows: &[&[u8]]| Column::Text(rows.iter().copied().collect::<BytesColumn>());
    let of = |rows: &[&[u8]]| {
        table(vec![("x", Column::from((0..rows.len() as i32).collect::<Vec<_>>())), ("s", texts(rows))])
    };
    let said = |files: &Arc<Memory>| {
        let table =
            binfmt::open_in(binfmt::FORMATS, files.clone(), "out", Some("tiledb"), &Settings::new()).unwrap();
        table.schema().fields[1].get(keys::NATIVE).unwrap().to_owned()
    };
    let dimensions = Settings::new().with("dimensions", "x");
    for (rows, datatype) in [(&[&b"a"[..], b"\xff"], "CHAR"), (&[b"a", "\u{e9}".as_bytes()], "STRING_UTF8")] {
        let files = Arc::new(Memory::new());
        write(&files, &of(rows), &dimensions).unwrap();
        assert_eq!(said(&files), datatype);
        // where the type stands, texts that are not of it are refused
        let more = write(&files, &of(&[b"b", b"\xfe"]), &Settings::new().with("append", "true"));
        match datatype {
            "CHAR" => assert_eq!(more.unwrap(), 2),
            _ => assert_eq!(
                more.unwrap_err().to_string(),
                "[1].s: STRING_UTF8 does not support a text that is not UTF-8"
            ),
        }
    }
}

#[test]
fn tiles_and_filters_are_chosen() {
    let of = |n: i32| {
        let (x, y): (Vec<i32>, Vec<i32>) = (0..n * n).map(|cell| (cell / n, cell % n)).unzip();
        let v: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        table(vec![("x", Column::from(x)), ("y", Column::from(y)), ("v", Column::from(v))])
    };
    let said = Settings::new().with("dimensions", "x,y").with("array", "dense");
    let schema = |settings: &Settings| -> binfmt::Result<ArraySchema> {
        let files = Arc::new(Memory::new());
        write(&files, &of(4), settings)?;
        assert_eq!(found(&files).0.len(), 16);
        let array = Options::new().open(binfmt::storage::Below::new(files, "out"))?;
        Ok(array.schema().clone())
    };
    let tiles = |schema: &ArraySchema| -> Vec<Option<Number>> {
        schema.domain.dimensions.iter().map(|dimension| dimension.tile_extent).collect()
    };
    let of_i32 = |all: [i32; 2]| all.map(|n| Some(Number::I32(n))).to_vec();
    assert_eq!(tiles(&schema(&said).unwrap()), of_i32([4, 4]));
    assert_eq!(tiles(&schema(&said.clone().with("tiles", "2, 3")).unwrap()), of_i32([2, 3]));
    // no longer than the dimension
    assert_eq!(tiles(&schema(&said.clone().with("tiles", "99999999999")).unwrap()), of_i32([4, 4]));
    let filtered = schema(&said.clone().with("filters", "byteshuffle, zstd:3")).unwrap();
    assert_eq!(filtered.attributes[0].filters.filters, [Filter::byteshuffle(), Filter::zstd(3)]);
    for (name, text, expected) in [
        ("tiles", "0", "expected lengths from 1, found \"0\""),
        ("tiles", "1,2,3", "3 lengths for 2 dimensions"),
        ("filters", "zip", "expected names of zstd,"),
        ("filters", "zstd:x", "found \"zstd:x\""),
    ] {
        let e = schema(&said.clone().with(name, text)).unwrap_err().to_string();
        assert!(e.contains(expected), "{e}");
    }
}

#[test]
fn an_array_as_it_was_is_told_by_a_time() {
    let files = Arc::new(Memory::new());
    write(&files, &table(vec![("v", Column::from(vec![1i32]))]), &Settings::new()).unwrap();
    let rows = |at: &str| {
        let settings = Settings::new().with("at", at);
        let table = binfmt::open_in(binfmt::FORMATS, files.clone(), "out", Some("tiledb"), &settings)?;
        table.count_rows()
    };
    for (at, expected) in [("0", 0), ("2020-01-01", 0), ("2020-01-01T12:00:00Z", 0), ("2999-01-01", 1)] {
        assert_eq!(rows(at).unwrap(), expected, "{at}");
    }
    assert!(rows("yesterday").unwrap_err().to_string().contains("such as 2024-05-01T12:00:00Z"));
}
