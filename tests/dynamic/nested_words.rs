//! Each word in each other one: a stream in pieces, a slice, values and columns say the same of all bytes.

use crate::dynamic::spans;
use crate::support::nested::{WRAPS, items, layout, shown};
use crate::support::random::Random;
use crate::support::wire::Drip;
use binfmt::columns::{Columns, Plan};
use binfmt::schema::{Description, Type};
use binfmt::value::{Program, Value};
use binfmt::{Error, ErrorKind, Options};
use std::io::Read;

/// Bytes that mean something to the types, as many.
fn bytes(r: &mut Random, size: usize) -> Vec<u8> {
    (0..size).map(|_| r.pick(&[b'|', b'|', b'a', b'b', 0, 1, 2, 3])).collect()
}

fn is_limit(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::MemoryLimit { .. } | ErrorKind::LengthLimit { .. } | ErrorKind::TryLimit)
}

/// A value of a slice and of a stream; what was read is written, and then read as the same.
fn one_value(program: &Program, bytes: &[u8], what: &str) {
    let with = Options::new().ctx(program);
    let layout = program.description();
    let read = binfmt::from_prefix_with::<Value, _>(bytes, &with);
    let streamed = binfmt::from_reader_with::<Value, _>(&mut Drip(bytes) as &mut dyn Read, &with);
    match (&read, &streamed) {
        (Ok((a, _)), Ok(b)) => assert_eq!(a, b, "{what} {bytes:?}\n{layout}"),
        (Err(_), Err(_)) => {}
        // a stream cannot go where a part is
        (_, Err(e)) if matches!(e.kind(), ErrorKind::ForwardOnly) => {}
        (a, b) => panic!("{what} {bytes:?}: {a:?}\nstream: {b:?}\n{layout}"),
    }
    let Ok((value, _)) = &read else { return };
    let shown = format!("{layout:?}");
    // what follows has its terminator; and what a variant that is tried reads ahead may be what follows
    if shown.contains("fate: Unread") || (shown.contains("Peeked") && shown.contains("Untagged")) {
        return;
    }
    let Ok(written) = binfmt::to_vec_with(value, &with) else { return };
    assert_eq!(binfmt::encoded_len_with(value, &with).unwrap(), written.len(), "{what} {value:?}\n{layout}");
    match binfmt::from_slice_with::<Value, _>(&written, &with) {
        Ok(again) => assert_eq!(again, *value, "{what} {bytes:?} {written:?}\n{layout}"),
        // what comes after a variant may be another tag
        Err(_) if shown.contains("Front(Peeked") => {}
        Err(e) => {
            panic!("{what} {bytes:?}: {value:?} is written as {written:?}, which is not read: {e}\n{layout}")
        }
    }
}

fn rows(columns: &Columns) -> Vec<Value> {
    (0..columns.num_rows()).map(|row| columns.row(row).unwrap()).collect()
}

/// Rows as values, as columns, from streams in pieces of two sizes, and in spans.
fn columns(plan: &Plan, bytes: &[u8], what: &str) {
    let options = Options::new();
    let (mut expected, mut error) = (Vec::new(), None);
    for row in binfmt::records_with::<Value, _>(bytes, &options.ctx(plan.program())) {
        match row {
            Ok(row) => expected.push(row),
            Err(e) => error = Some(e),
        }
    }
    if error.as_ref().is_some_and(is_limit) {
        return;
    }
    let layout = plan.description();
    let error = error.map(|e| e.to_string());
    match plan.decode_with(bytes, &options) {
        Ok(columns) => {
            assert_eq!((rows(&columns), None), (expected.clone(), error.clone()), "{what}\n{layout}")
        }
        Err(e) => assert_eq!(Some(e.to_string()), error, "{what} {bytes:?}\n{layout}"),
    }
    for reader in [&mut Drip(bytes) as &mut dyn Read, &mut &*bytes] {
        let mut reader = plan.reader(reader, &options);
        let mut found = Vec::new();
        let end = loop {
            match reader.next_batch(7) {
                Ok(Some(batch)) => found.extend(rows(&batch)),
                Ok(None) => break None,
                Err(e) => break Some(e.to_string()),
            }
        };
        assert!(
            found == expected && end == error,
            "{what}: {} rows, {end:?}, not {} and {error:?}\n{layout}",
            found.len(),
            expected.len()
        );
    }
    if bytes.len() < 1000 {
        spans::agree(plan, bytes, &options);
    }
}

fn agree(layout: &Description, r: &mut Random, what: &str) {
    let program = Program::new(layout).unwrap();
    let plan = Plan::new(layout).ok().filter(|plan| plan.row_size() != Some(0));
    for size in [0, 1, 2, 5, 9, 30] {
        let bytes = bytes(r, size);
        one_value(&program, &bytes, what);
        if let Some(plan) = &plan {
            columns(plan, &bytes, what);
        }
    }
}

#[test]
fn every_word_in_every_other_one() {
    let r = &mut Random::new(1);
    let mut valid = 0;
    for (name, item) in items() {
        for first in 0..WRAPS.len() {
            for after in [false, true] {
                if let Some(layout) = layout(&item, &[first], after) {
                    agree(&layout, r, &shown(name, &[first]));
                    valid += 1;
                }
            }
        }
    }
    assert!(valid > 700, "{valid}");
}

#[test]
fn every_word_in_two_others() {
    // an optimised build goes through all of them
    let some = if cfg!(debug_assertions) { 12 } else { 1 };
    let r = &mut Random::new(2);
    for (name, item) in items() {
        for first in 0..WRAPS.len() {
            for second in 0..WRAPS.len() {
                let around = [first, second];
                if r.below(some) == 0
                    && let Some(layout) = layout(&item, &around, r.below(2) == 0)
                {
                    agree(&layout, r, &shown(name, &around));
                }
            }
        }
    }
}

/// Rows that end where what a stream has read at once does.
#[test]
fn rows_beyond_what_is_read_at_once() {
    let r = &mut Random::new(3);
    for (name, item) in items() {
        for first in 0..WRAPS.len() {
            let Some(layout) = layout(&item, &[first], false) else { continue };
            // a row that takes everything is one
            let takes_all = matches!(&item, Type::Bytes { len } | Type::List { len, .. } if *len == binfmt::schema::Extent::ToEnd);
            let Some(plan) = Plan::new(&layout).ok().filter(|plan| plan.row_size() != Some(0) && !takes_all)
            else {
                continue;
            };
            let piece = bytes(r, 300);
            let mut good = Vec::new();
            // rows that are read, again and again
            for row in binfmt::records_with::<Value, _>(&piece, &Options::new().ctx(plan.program()))
                .map_while(Result::ok)
            {
                good.push(row);
            }
            let Ok(one) = binfmt::encode_all_with(&good, &Options::new().ctx(plan.program())) else {
                continue;
            };
            if !one.is_empty() {
                columns(&plan, &one.repeat(5_000 / one.len()), &shown(name, &[first]));
            }
        }
    }
}
