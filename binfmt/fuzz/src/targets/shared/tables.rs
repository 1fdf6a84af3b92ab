//! Rows of a file as a table: who finds rows for others to decode, and who reads them alone, come to the same.

use crate::targets::shared::agree::is_limit;
use binfmt::columns::Columns;
use binfmt::schema::Description;
use binfmt::storage::{Memory, Storage};
use binfmt::table::{RowsTable, Split, Table, Wanted};
use binfmt::{Error, Options};
use std::sync::Arc;

/// The rows of batches as text, in which a NaN is what it is, and the error that ended them.
#[derive(Debug)]
struct Read {
    rows: Vec<String>,
    end: Option<Error>,
}

impl Read {
    fn of(batches: impl IntoIterator<Item = Result<Columns, Error>>) -> Self {
        let mut read = Read { rows: Vec::new(), end: None };
        for batch in batches {
            match batch {
                Ok(batch) => {
                    assert!(batch.num_rows() > 0, "an empty batch");
                    let rows = (0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row)));
                    read.rows.extend(rows);
                }
                Err(e) => {
                    read.end = Some(e);
                    break;
                }
            }
        }
        read
    }

    fn is_limited(&self) -> bool {
        self.end.as_ref().is_some_and(is_limit)
    }
}

pub(super) fn tables(
    layout: &Description,
    bytes: &[u8],
    options: &Options,
    rows: usize,
    error: Option<&Error>,
) {
    let files = Memory::new();
    files.write("file", bytes).expect("there is room in memory");
    let table =
        RowsTable::open(Arc::new(files), "file", layout, options).expect("what has a plan is a table");
    // with so few bytes at once rows are found in pieces
    let pieces = usize::from(bytes.first().copied().unwrap_or_default());
    let mut wanted = Wanted::new().batch_rows(1 + pieces % 9);
    if pieces % 2 == 1 {
        wanted.batch_bytes = pieces as u64;
    }
    let table: Arc<dyn Table> =
        if pieces % 4 > 1 { Arc::new(table.with_row_numbers()) } else { Arc::new(table) };
    let mut found = 0;
    let mut end = None;
    for split in table.splits(&wanted, 2).expect("the columns are there") {
        let read = same(&table, &split, &wanted, layout);
        found += read.rows.len();
        if read.is_limited() {
            return;
        }
        end = read.end;
        if end.is_some() {
            break;
        }
    }
    if error.is_some_and(is_limit) {
        return;
    }
    assert_eq!((found, end.is_some()), (rows, error.is_some()), "{end:?}\nrows: {error:?}\n{layout:?}");
    // no column is read, but each row has its end
    let wanted = Wanted::new().columns([]).limit(3);
    for split in table.splits(&wanted, 1).expect("no column is wanted") {
        let _ = same(&table, &split, &wanted, layout);
    }
}

/// A part that one reads, of which tasks must make the same; those that come last are done first.
fn same(table: &Arc<dyn Table>, split: &Split, wanted: &Wanted, layout: &Description) -> Read {
    let read = match table.clone().read(split, wanted) {
        Ok(batches) => Read::of(batches),
        Err(e) => Read::of([Err(e)]),
    };
    let done = match table.clone().tasks(split, wanted) {
        Ok(tasks) => {
            let mut tasks: Vec<_> = tasks.collect();
            let mut done: Vec<_> = std::iter::from_fn(|| tasks.pop()).map(|task| task()).collect();
            done.reverse();
            Read::of(done.into_iter().flatten())
        }
        Err(e) => Read::of([Err(e)]),
    };
    if !read.is_limited() && !done.is_limited() {
        assert_eq!(done.rows, read.rows, "{:?}\nread: {:?}\n{layout:?}", done.end, read.end);
        let text = |read: &Read| read.end.as_ref().map(ToString::to_string);
        assert_eq!(text(&done), text(&read), "{layout:?}");
    }
    read
}
