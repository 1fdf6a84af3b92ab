//! Functions of the user's that panic at their k-th call, for each k there is.

use crate::turns;
use crate::values::{all, reading_panics};
use binfmt::{DecodeOwned, Encode};
use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    /// Calls until the one that panics; none does at 0.
    static LEFT: Cell<u32> = const { Cell::new(0) };
}

/// What a function of the user's does first.
pub(crate) fn tick() {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    if left == 1 {
        // without a message
        resume_unwind(Box::new("blast"));
    }
}

/// Runs a case with a panic in each call in turn, until it goes through; `None` is what a panic leaves.
pub(crate) fn each<S, R>(
    state: &mut S,
    mut case: impl FnMut(&mut S) -> R,
    mut after: impl FnMut(&mut S, Option<R>),
) {
    let mut calls = 0;
    for k in turns() {
        LEFT.set(k);
        let done = catch_unwind(AssertUnwindSafe(|| case(state)));
        let is_through = LEFT.replace(0) > 0;
        calls = k;
        after(state, done.ok());
        if is_through {
            break;
        }
    }
    assert!(calls > 1, "no function was called");
}

/// A vector whose spare memory is full of what must not be seen.
pub(crate) fn stained(capacity: usize) -> Vec<u8> {
    let mut v = vec![0x53; capacity];
    v.truncate(3);
    v
}

const STAIN: [u8; 3] = [0x53; 3];

fn write<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T) {
    let bytes = binfmt::to_vec(value).expect("it is written");
    let capacities = if cfg!(miri) { &[8][..] } else { &[3, 8, 700, 5000] };
    for capacity in capacities.iter().copied() {
        each(
            &mut stained(capacity),
            |v| binfmt::append(value, v),
            |v, done| {
                assert_eq!(v[..3], STAIN);
                match done {
                    Some(done) => {
                        done.unwrap();
                        assert_eq!(v[3..], bytes);
                    }
                    None => assert_eq!(v.len(), 3),
                }
                v.truncate(3);
            },
        );
    }
    let all = |v: &mut Vec<u8>| binfmt::encode_all_into(std::slice::from_ref(value), v).is_ok();
    each(&mut stained(700), all, |v, done| {
        assert_eq!(v.len(), if done == Some(true) { 3 + bytes.len() } else { 3 });
        v.truncate(3);
    });
    let slice = &mut vec![0; bytes.len() + 9];
    each(
        slice,
        |slice| binfmt::to_slice(value, slice).unwrap(),
        |_, done| {
            assert!(done.is_none_or(|n| n == bytes.len()));
        },
    );
    each(
        &mut (),
        |()| binfmt::to_vec(value).unwrap(),
        |(), done| {
            assert!(done.is_none_or(|v| v == bytes));
        },
    );
    each(
        &mut (),
        |()| binfmt::encoded_len(value).unwrap(),
        |(), done| {
            assert!(done.is_none_or(|n| n == bytes.len()));
        },
    );
    each(
        &mut Vec::new(),
        |file| binfmt::to_writer(value, file).unwrap(),
        |file, done| {
            assert_eq!(done.is_some(), *file == bytes);
            file.clear();
        },
    );
    reading_panics(|| {
        each(
            &mut (),
            |()| binfmt::from_slice::<T>(&bytes).unwrap(),
            |(), done| {
                assert!(done.is_none_or(|again| again == *value));
            },
        );
        let seek = |()| binfmt::from_seeker::<T>(std::io::Cursor::new(&bytes)).is_ok();
        each(&mut (), |()| seek(()), |(), _| {});
    });
}

#[test]
fn a_vector_is_what_it_was() {
    all!(write);
}
