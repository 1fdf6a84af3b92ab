//! The rows of a table, in any parts and batches.

use binfmt::columns::Columns;
use binfmt::storage::{Memory, Storage};
use binfmt::table::{Split, Table, Wanted};
use binfmt::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file in memory.
pub(crate) fn file(bytes: &[u8]) -> Arc<Memory> {
    let files = Memory::new();
    files.write("file", bytes).unwrap();
    Arc::new(files)
}

/// Files in memory of which the bytes are counted that are read.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    pub(crate) files: Memory,
    pub(crate) read: AtomicU64,
}

impl Storage for Counting {
    fn list(&self, folder: &str) -> std::io::Result<Vec<String>> {
        self.files.list(folder)
    }
    fn size(&self, path: &str) -> std::io::Result<Option<u64>> {
        self.files.size(path)
    }
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.read.fetch_add(out.len() as u64, Ordering::Relaxed);
        self.files.read(path, offset, out)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        self.files.write(path, bytes)
    }
}

/// The rows of batches, each as text: so a NaN is equal to itself.
pub(crate) fn rows<'a>(batches: impl IntoIterator<Item = &'a Columns>) -> Vec<String> {
    let rows = |batch: &'a Columns| (0..batch.num_rows()).filter_map(|row| batch.row(row));
    batches.into_iter().flat_map(rows).map(|row: Value| format!("{row:?}")).collect()
}

/// The batches of a part, up to an error. By tasks, of which the last are done first, the same comes.
pub(crate) fn read(
    table: &Arc<dyn Table>,
    split: &Split,
    wanted: &Wanted,
) -> (Vec<Columns>, Option<binfmt::Error>) {
    let (batches, e) = read_by_one(table, split, wanted);
    let tasks = match table.clone().tasks(split, wanted) {
        Ok(tasks) => tasks.collect::<Vec<_>>(),
        Err(e) => vec![Box::new(|| vec![Err(e)]) as binfmt::table::Task],
    };
    let mut done: Vec<_> = tasks.into_iter().rev().map(|task| task()).collect();
    done.reverse();
    let (mut found, mut failed) = (Vec::new(), None);
    for batch in done.into_iter().flatten() {
        match batch {
            Ok(batch) => found.push(batch),
            Err(e) => {
                failed = Some(e);
                break;
            }
        }
    }
    assert_eq!(failed.map(|e| e.to_string()), e.as_ref().map(binfmt::Error::to_string));
    assert!(found.iter().all(|batch| batch.num_rows() > 0), "an empty batch");
    if found != batches {
        // cut elsewhere, or with NaN
        assert_eq!(rows(&found), rows(&batches));
    }
    (batches, e)
}

fn read_by_one(
    table: &Arc<dyn Table>,
    split: &Split,
    wanted: &Wanted,
) -> (Vec<Columns>, Option<binfmt::Error>) {
    let mut batches = Vec::new();
    match table.clone().read(split, wanted) {
        Err(e) => (batches, Some(e)),
        Ok(found) => {
            let mut found = found;
            for batch in found.by_ref() {
                match batch {
                    Ok(batch) => {
                        assert!(batch.num_rows() > 0, "an empty batch");
                        batches.push(batch);
                    }
                    Err(e) => {
                        assert!(found.next().is_none(), "more after an error");
                        return (batches, Some(e));
                    }
                }
            }
            (batches, None)
        }
    }
}

/// The rows of all parts, up to an error.
pub(crate) fn all(
    table: &Arc<dyn Table>,
    wanted: &Wanted,
    parts: usize,
) -> (Vec<String>, Option<binfmt::Error>) {
    let mut found = Vec::new();
    for split in table.splits(wanted, parts).unwrap() {
        let (batches, e) = read(table, &split, wanted);
        let part = rows(&batches);
        if let (Some(exact), true) = (split.num_rows.exact(), e.is_none() && wanted.limit.is_none()) {
            assert_eq!(exact, part.len() as u64, "{split:?}");
        }
        found.extend(part);
        if e.is_some() {
            return (found, e);
        }
    }
    (found, None)
}

/// The same rows come in any number of parts and in batches of any size, by threads, and after the parts went through text.
pub(crate) fn is_the_same_in_parts(table: &Arc<dyn Table>, expected: &[String]) {
    for parts in [1, 2, 3, 7, 1000] {
        for batch in [1, 3, 8192] {
            let wanted = Wanted::new().batch_rows(batch);
            let (found, e) = all(table, &wanted, parts);
            assert!(e.is_none(), "{e:?}");
            assert_eq!(found, expected, "{parts} parts, batches of {batch}");
        }
    }
    if let Some(exact) = table.num_rows().exact() {
        assert_eq!(exact, expected.len() as u64);
    }
    let wanted = Wanted::new();
    let splits = table.splits(&wanted, 4).unwrap();
    let text = serde_json::to_string(&splits).unwrap();
    let splits: Vec<Split> = serde_json::from_str(&text).unwrap();
    let found: Vec<String> = std::thread::scope(|scope| {
        let wanted = &wanted;
        let threads: Vec<_> =
            splits.iter().map(|split| scope.spawn(move || rows(&read(table, split, wanted).0))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(found, expected);
}

/// Rows by their numbers, the columns in another order, none at all, and only some rows.
pub(crate) fn picks(table: &Arc<dyn Table>, expected: &[String]) {
    let n = expected.len() as i64;
    for rows in [0..1, 0..0, 1..3, n / 2..n, n - 1..n + 5, n..n + 1, -3..2] {
        let (from, to) = (rows.start.clamp(0, n), rows.end.clamp(0, n));
        let (found, e) = all(table, &Wanted::new().rows(rows.clone()), 3);
        assert!(e.is_none(), "{e:?}");
        assert_eq!(found, expected[from as usize..to.max(from) as usize], "{rows:?}");
    }
    let none = Wanted::new().columns([]);
    let count: usize = table.clone().batches(&none).unwrap().map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(count as i64, n, "{table:?}");
    let limited: usize =
        table.clone().batches(&Wanted::new().limit(2)).unwrap().map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(limited as i64, n.min(2));
    let columns = table.schema().fields.len();
    let turned: Vec<usize> = (0..columns).rev().collect();
    for batch in table.clone().batches(&Wanted::new().columns(turned.clone())).unwrap() {
        let batch = batch.unwrap();
        let names: Vec<&str> = turned.iter().map(|i| table.schema().fields[*i].name.as_str()).collect();
        assert_eq!(batch.names().collect::<Vec<_>>(), names);
        for (i, (_, column)) in turned.iter().zip(batch.iter()) {
            assert_eq!(column.column_type(), table.schema().fields[*i].ty);
        }
    }
    assert!(table.splits(&Wanted::new().columns([columns]), 1).is_err());
}
