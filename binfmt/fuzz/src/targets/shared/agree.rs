//! What must be the same, whichever way it is read or written.

use crate::targets::shared::input::Pieces;
use crate::targets::shared::tables::tables;
use binfmt::columns::{Columns, Plan};
use binfmt::schema::Description;
use binfmt::value::{Program, Value};
use binfmt::{Error, ErrorKind, Options, dump};
use std::fmt::Debug;

/// Rows that are compared at most.
const ROWS: usize = 2000;

/// Equal, or shown alike: a NaN is equal to none.
pub(crate) fn same<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    a == b || format!("{a:?}") == format!("{b:?}")
}

/// Whether a limit ended it, which each way of reading meets at another place.
pub(crate) fn is_limit(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::MemoryLimit { .. } | ErrorKind::LengthLimit { .. })
}

/// Where an error is and what it is about.
pub(crate) fn place(e: &Error) -> (Option<u64>, String) {
    (e.offset(), e.path().to_string())
}

/// Values of a layout, from a slice and from a stream; written and read again; as columns, whole and in batches.
pub(crate) fn agree(layout: &Description, bytes: &[u8], options: Options) {
    let Ok(program) = Program::new(layout) else { return };
    one_value(&program, bytes, options);
    let Ok(plan) = Plan::new(layout) else { return };
    if plan.row_size() == Some(0) {
        // rows without bytes have no end
        return;
    }
    let with = options.ctx(&program);
    let mut rows = Vec::new();
    let mut error = None;
    for row in binfmt::records_with::<Value, _>(bytes, &with).take(ROWS) {
        match row {
            Ok(row) => rows.push(row),
            Err(e) => error = Some(e),
        }
    }
    if rows.len() + usize::from(error.is_some()) == ROWS {
        return;
    }
    columns(&plan, bytes, options, &rows, error.as_ref());
    batches(layout, &plan, bytes, &options, rows.len(), error.as_ref());
    tables(layout, bytes, &options, rows.len(), error.as_ref());
}

fn one_value(program: &Program, bytes: &[u8], options: Options) {
    let layout = program.description();
    let with = options.ctx(program);
    let read = binfmt::from_prefix_with::<Value, _>(bytes, &with);
    let streamed = binfmt::from_reader_with::<Value, _>(Pieces::new(bytes), &with);
    match (&read, &streamed) {
        (Ok((a, _)), Ok(b)) => assert!(same(a, b), "{a:?}\nstream: {b:?}\n{layout:?}"),
        (Err(a), Err(b)) => {
            let end = Some(bytes.len() as u64);
            // a region that is too small for what must be in it is told before a stream has all of its bytes
            let is_inside = b.offset() <= end || matches!(b.kind(), ErrorKind::RegionEnd { .. });
            assert!(a.offset() <= end && is_inside, "{a}\nstream: {b}\n{layout:?}");
        }
        (Ok(_), Err(e)) if is_limit(e) => {}
        (a, b) => panic!("{a:?}\nstream: {b:?}\n{layout:?}"),
    }
    if let Ok((value, rest)) = &read {
        written(program, value, options);
        // what is noted of the bytes takes memory, too
        let with = with.max_memory(usize::MAX);
        let trace = dump::trace_with::<Value, _>(&bytes[..bytes.len() - rest.len()], &with);
        // the terminator may be in the rest
        assert!(trace.error().is_none() || shows(layout, "fate: Unread"), "{:?}\n{layout:?}", trace.error());
        let _ = trace.to_string();
    } else if let Some(trace) = dump::trace_all_with::<Value, _>(bytes, &with).next() {
        let _ = trace.to_string();
    }
}

/// What was read can be written, and is then read again. What only leniency read may have no bytes; a text that the end of
/// its region ended is written with its terminator, for which there may be no room; and a text whose terminator belongs to what
/// comes next is not read again alone.
fn written(program: &Program, value: &Value, options: Options) {
    let layout = program.description();
    let with = options.ctx(program);
    match binfmt::to_vec_with(value, &with) {
        Ok(out) => {
            let again = binfmt::from_slice_with::<Value, _>(&out, &with);
            if again.is_err() && shows(layout, "fate: Unread") {
                return;
            }
            let again = again.unwrap_or_else(|e| panic!("{e}\n{value:?}\n{out:x?}\n{layout:?}"));
            assert!(same(&again, value), "{again:?}\nwas {value:?}\n{layout:?}");
            let len = binfmt::encoded_len_with(value, &with);
            assert_eq!(len.expect("what was written has a length"), out.len(), "{layout:?}");
        }
        Err(e) => {
            let allowed = is_limit(&e) || shows(&options, ": true") || shows(layout, "or_eof: true");
            assert!(allowed, "{e}\n{value:?}\n{layout:?}");
        }
    }
}

pub(crate) fn shows(what: &impl Debug, text: &str) -> bool {
    format!("{what:?}").contains(text)
}

fn columns(plan: &Plan, bytes: &[u8], options: Options, rows: &[Value], error: Option<&Error>) {
    let layout = plan.description();
    let with = options.ctx(plan.program());
    match (plan.decode_with(bytes, &options), error) {
        (Ok(columns), None) => {
            are_rows(layout, &columns, rows);
            let from_rows = binfmt::encode_all_with(rows, &with);
            match (plan.encode_with(&columns, &options), from_rows) {
                (Ok(a), Ok(b)) => assert_eq!(a, b, "{layout:?}"),
                (Err(a), Err(b)) => assert_eq!(place(&a), place(&b), "{a}\nvalues: {b}\n{layout:?}"),
                (a, b) => panic!("{a:?}\nvalues: {b:?}\n{layout:?}"),
            }
            let of_rows = plan.columns_of(rows);
            are_rows(layout, &of_rows.expect("rows that were read are columns"), rows);
        }
        (Err(a), Some(b)) if is_limit(&a) || is_limit(b) => {}
        (Err(a), Some(b)) => assert_eq!(place(&a), place(b), "{a}\nvalues: {b}\n{layout:?}"),
        // a row is let go before the next, columns are kept
        (Err(a), None) if is_limit(&a) => {}
        (a, b) => panic!("{:?}\nvalues: {b:?}\n{layout:?}", a.map(|c| c.num_rows())),
    }
    let _ = plan.decode_column_major(bytes, rows.len(), &options);
}

fn are_rows(layout: &Description, columns: &Columns, rows: &[Value]) {
    assert_eq!(columns.num_rows(), rows.len(), "{layout:?}");
    for (i, row) in rows.iter().enumerate() {
        let found = columns.row(i).expect("the row is there");
        assert!(same(&found, row), "row {i}: {found:?}\nvalue: {row:?}\n{layout:?}");
    }
}

fn batches(
    layout: &Description,
    plan: &Plan,
    bytes: &[u8],
    options: &Options,
    rows: usize,
    error: Option<&Error>,
) {
    let mut reader = plan.reader(Pieces::new(bytes), options);
    let mut found = 0;
    let end = loop {
        match reader.next_batch(7) {
            Ok(Some(batch)) => found += batch.num_rows(),
            Ok(None) => break None,
            Err(e) => break Some(e),
        }
    };
    match (&end, error) {
        (Some(a), _) if is_limit(a) => {}
        (_, Some(b)) if is_limit(b) => {}
        _ => assert_eq!((found, end.is_some()), (rows, error.is_some()), "{end:?}\n{error:?}\n{layout:?}"),
    }
}
