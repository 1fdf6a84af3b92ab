//! Files that are damaged, or say more than they have: reading them ends.

use crate::files::{opened, rows};
use crate::support::catch;
use arrow_array::{ArrayRef, NullArray, RecordBatch};
use binfmt::storage::{Memory, Storage};
use binfmt::table::jsonl::JsonLines;
use binfmt::table::{Settings, TableFormat, Wanted};
use binfmt_arrow::{Ipc, Parquet};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// A Parquet file with lists and records, of two rows.
fn with_lists() -> Vec<u8> {
    let files = Arc::new(Memory::new());
    let text = "{\"a\":1,\"l\":[1,2],\"r\":{\"x\":1.5,\"y\":\"q\"}}\n{\"a\":null,\"l\":[],\"r\":null}\n";
    files.write("s.jsonl", text.as_bytes()).unwrap();
    let table = JsonLines.open(files.clone(), "s.jsonl", &Settings::new()).unwrap();
    let mut sink = Parquet.create(files.clone(), "s.parquet", table.schema(), &Settings::new()).unwrap();
    for batch in table.batches(&Wanted::new()).unwrap() {
        sink.write(batch.unwrap()).unwrap();
    }
    sink.finish().unwrap();
    let mut bytes = vec![0; usize::try_from(files.size("s.parquet").unwrap().unwrap()).unwrap()];
    files.read("s.parquet", 0, &mut bytes).unwrap();
    bytes
}

/// Reads all of a file, and the rows after the first, as far as it goes.
fn read(bytes: &[u8]) {
    for wanted in [Wanted::new(), Wanted::new().rows(1..2), Wanted::new().rows(1..9).batch_rows(1)] {
        let _ = catch(|| opened(&Parquet, bytes).and_then(|table| rows(&table, &wanted)));
    }
}

/// Whether it ends; of what hangs the thread stays.
fn ends(bytes: Vec<u8>) -> bool {
    let (done, waits) = mpsc::channel();
    std::thread::spawn(move || {
        read(&bytes);
        let _ = done.send(());
    });
    waits.recv_timeout(Duration::from_secs(20)).is_ok()
}

#[test]
fn lists_whose_levels_are_damaged_are_not_stepped_over_without_end() {
    let whole = with_lists();
    let table = opened(&Parquet, &whole).unwrap();
    let all = rows(&table, &Wanted::new()).unwrap();
    assert_eq!(rows(&table, &Wanted::new().rows(1..2)).unwrap(), all[1..]);
    // levels of no bytes, in a page that says it has some
    let mut known = whole.clone();
    known[199..202].fill(0);
    known[509] = 48;
    assert!(ends(known));
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).unwrap()
    };
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            bytes[at] = [0, 1, 0x30, 0xff, next(256) as u8][next(5)];
        }
        assert!(ends(bytes.clone()), "{bytes:?}");
    }
}

#[test]
fn rows_that_take_no_bytes_are_few() {
    let nothing: ArrayRef = Arc::new(NullArray::new(1 << 40));
    let batch = RecordBatch::try_from_iter_with_nullable([("x", nothing, true)]).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let bytes = writer.into_inner().unwrap();
    let e = opened(&Ipc, &bytes).err().unwrap();
    assert!(e.to_string().starts_with("1099511627776 rows in a file of"), "{e}");
}
