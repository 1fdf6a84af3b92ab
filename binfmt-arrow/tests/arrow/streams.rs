//! Streams: every row, and an error after the rows before it.

use crate::fixtures::all;
use crate::support::shown;
use arrow_array::RecordBatchReader;
use binfmt::columns::{Column, Columns};
use binfmt::storage::{Memory, Storage};
use binfmt::table::{ColumnsTable, Settings, Table, Wanted};
use binfmt_arrow::{BatchReader, BatchesTable, Conversion, TableReader, Texts, Times};
use std::sync::Arc;

fn how() -> Conversion {
    Conversion::new().missing_codes(true).texts(Texts::Binary).times(Times::Unscaled)
}

/// The rows up to an error, each as text.
fn rows(batches: impl Iterator<Item = binfmt::Result<Columns>>) -> (Vec<String>, Option<String>) {
    let mut rows = Vec::new();
    for batch in batches {
        match batch {
            Ok(batch) => rows.extend((0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row)))),
            Err(e) => return (rows, Some(e.to_string())),
        }
    }
    (rows, None)
}

#[test]
fn a_stream_has_the_rows_and_the_errors_of_the_table() {
    let (mut whole, mut damaged) = (0, 0);
    for fixture in all() {
        let Ok(table) = fixture.open() else { continue };
        let wanted = Wanted::new().batch_rows(2);
        let (expected, error) = rows(table.clone().batches(&wanted).unwrap());
        let stream = binfmt_arrow::stream(table, &wanted, &how()).unwrap();
        let (found, found_error) = rows(BatchReader::of_stream(stream).unwrap());
        assert_eq!(found, expected, "{fixture:?}");
        match (error, found_error) {
            (None, None) => whole += 1,
            (Some(e), Some(found)) => {
                assert!(found.contains(&e), "{fixture:?}: {found:?} is not {e:?}");
                damaged += 1;
            }
            (e, found) => panic!("{fixture:?}: {e:?} and {found:?}"),
        }
    }
    assert!(whole > 200 && damaged > 5, "{whole} {damaged}");
}

#[test]
fn after_an_error_there_is_nothing() {
    let files = Memory::new();
    files.write("load.bin", &[1, 0, 0, 0, b'a', 0, 2, 0]).unwrap();
    let settings = Settings::new().with("schema", "(binary)");
    let table =
        binfmt::open_in(binfmt::FORMATS, Arc::new(files), "load.bin", Some("scidb"), &settings).unwrap();
    let mut reader = TableReader::new(table, &Wanted::new(), &how()).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    let e = reader.next().unwrap().unwrap_err();
    assert!(e.to_string().contains("at byte 0x5"), "{e}");
    assert!(reader.next().is_none());
}

#[test]
fn columns_and_rows_are_picked() {
    let names = ["a", "b", "c"];
    let numbers = |k: i64| Column::from((0..10).map(|i| i * k).collect::<Vec<i64>>());
    let columns = names.iter().zip(1..).map(|(name, k)| ((*name).into(), numbers(k))).collect();
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()));
    let wanted = Wanted::new().columns([2, 0]).rows(4..6);
    let reader = TableReader::new(table.clone(), &wanted, &how()).unwrap();
    assert_eq!(reader.schema().fields().iter().map(|f| f.name().as_str()).collect::<Vec<_>>(), ["c", "a"]);
    let (found, _) = rows(BatchReader::new(reader).unwrap());
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("12") && found[0].contains('4'), "{found:?}");
    // the same through a table of batches, in parts
    let reader = TableReader::new(table, &Wanted::new().batch_rows(3), &how()).unwrap();
    let again: Arc<dyn Table> = Arc::new(BatchesTable::read(BatchReader::new(reader).unwrap()).unwrap());
    assert_eq!(rows(again.clone().batches(&wanted).unwrap()).0, found);
    for parts in [1, 2, 3, 100] {
        let mut all = Vec::new();
        for split in again.splits(&Wanted::new(), parts).unwrap() {
            all.extend(rows(again.clone().read(&split, &Wanted::new().batch_rows(2)).unwrap()).0);
        }
        assert_eq!(all, rows(again.clone().batches(&Wanted::new()).unwrap()).0);
    }
    assert!(again.splits(&Wanted::new().columns([3]), 1).is_err());
}

#[test]
fn a_text_with_a_zero_in_an_error_does_not_end_the_program() {
    let failing = || {
        let e = binfmt::Error::other("a\0b");
        Box::new(std::iter::once(Err(e))) as binfmt::table::Batches
    };
    let mapping = binfmt_arrow::Mapping::of_table(&Default::default(), &how()).unwrap();
    let reader = TableReader::of_batches(failing(), mapping);
    let stream = arrow_array::ffi_stream::FFI_ArrowArrayStream::new(Box::new(reader));
    let mut batches = BatchReader::of_stream(stream).unwrap();
    let e = batches.next().unwrap().unwrap_err().to_string();
    assert!(e.contains("a\u{fffd}b"), "{e}");
    assert_eq!(shown(&Columns::with_rows(0, vec![]).unwrap()), shown(&Columns::new(vec![]).unwrap()));
}
