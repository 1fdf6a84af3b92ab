//! Rows of a struct, its typed columns, values of its schema and run-time columns: the same rows, the same bytes back, or
//! an error at the same place.

use crate::targets::shared::agree::{is_limit, place, same};
use crate::targets::shared::structs::{FixedColumns, ReadingColumns, StripsColumns, TextsColumns, choose};
use binfmt::columns::Plan;
use binfmt::{DecodeOwned, Describe, Encode, Error, Options, TypedColumns};
use std::fmt::Debug;

pub fn run(data: &[u8]) {
    choose!(data, check: ReadingColumns, FixedColumns, TextsColumns, StripsColumns);
}

fn check<C>(bytes: &[u8])
where
    C: TypedColumns,
    C::Row: DecodeOwned + Encode + Describe + PartialEq + Debug,
{
    let options = Options::new().max_memory(1 << 20);
    let mut rows = Vec::new();
    let mut error = None;
    for row in binfmt::records_with::<C::Row, _>(bytes, &options) {
        match row {
            Ok(row) => rows.push(row),
            Err(e) => error = Some(e),
        }
    }
    let columns = agreed(C::from_slice_with(bytes, &options), error.as_ref());
    let plan = Plan::new(&C::Row::SCHEMA.description()).expect("what has columns has a plan");
    let dynamic = agreed(plan.decode_with(bytes, &options), error.as_ref());
    let streamed = C::from_reader(bytes, &options);
    assert_eq!(streamed.is_ok(), error.is_none());
    let (Some(columns), Some(dynamic)) = (columns, dynamic) else { return };
    assert!(same(&columns.rows().collect::<Vec<_>>(), &rows));
    assert_eq!(dynamic.num_rows(), rows.len());
    let out = binfmt::encode_all_with(&rows, &options);
    written(columns.to_vec_with(&options), &out);
    written(plan.encode_with(&dynamic, &options), &out);
}

/// What was read, or an error at the same place.
fn agreed<T>(read: Result<T, Error>, error: Option<&Error>) -> Option<T> {
    match (read, error) {
        (Ok(read), None) => Some(read),
        (Err(a), Some(b)) if is_limit(&a) || is_limit(b) => None,
        (Err(a), Some(b)) => {
            assert_eq!(place(&a), place(b), "{a}\nrows: {b}");
            None
        }
        (Err(a), None) if is_limit(&a) => None,
        (a, b) => panic!("{:?}\nrows: {b:?}", a.map(|_| ())),
    }
}

fn written(found: Result<Vec<u8>, Error>, expected: &Result<Vec<u8>, Error>) {
    match (found, expected) {
        (Ok(a), Ok(b)) => assert_eq!(a, *b),
        (Err(a), Err(b)) => assert_eq!(place(&a), place(b), "{a}\nrows: {b}"),
        (a, b) => panic!("{a:x?}\nrows: {b:x?}"),
    }
}
