//! A slice against a stream: a value, and records to the end. What ends early is incomplete at every cut, and only there.

use crate::targets::shared::agree::{is_limit, same};
use crate::targets::shared::input::Pieces;
use crate::targets::shared::structs::{Arrays, Fixed, Judged, Message, Packed, Reading, Texts, Tree, choose};
use binfmt::{DecodeOwned, Options};
use std::fmt::Debug;

pub fn run(data: &[u8]) {
    choose!(data, check: Reading, Fixed, Texts, Tree, Message, Arrays, Packed, Judged);
}

fn check<T: DecodeOwned + PartialEq + Debug>(bytes: &[u8]) {
    let options = Options::new().max_memory(1 << 20);
    let read = binfmt::from_prefix_with::<T, _>(bytes, &options);
    match (&read, binfmt::from_reader_with::<T, _>(Pieces::new(bytes), &options)) {
        (Ok((a, _)), Ok(b)) => assert!(same(a, &b), "{a:?}\nstream: {b:?}"),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(e)) if is_limit(&e) => {}
        (a, b) => panic!("{a:?}\nstream: {b:?}"),
    }
    if let Ok((_, rest)) = &read {
        let whole = bytes.len() - rest.len();
        for cut in (0..whole).rev().take(64) {
            // a value up to the end of the input is whole wherever that is
            if let Err(e) = binfmt::from_prefix_with::<T, _>(&bytes[..cut], &options) {
                assert!(e.is_incomplete() || is_limit(&e), "cut at {cut} of {whole}: {e}");
            }
        }
    }
    records::<T>(bytes, &options);
}

fn records<T: DecodeOwned + PartialEq + Debug>(bytes: &[u8], options: &Options) {
    let mut streamed = binfmt::records_from_reader_with::<T, _, _>(Pieces::new(bytes), options);
    for record in binfmt::records_with::<T, _>(bytes, options) {
        match (record, streamed.next().expect("a stream has as many")) {
            (Ok(a), Ok(b)) => assert!(same(&a, &b), "{a:?}\nstream: {b:?}"),
            (Err(_), Err(_)) => return,
            (a, Err(e)) if is_limit(&e) => return drop(a),
            (a, b) => panic!("{a:?}\nstream: {b:?}"),
        }
    }
    if let Some(more) = streamed.next() {
        panic!("a stream has more: {more:?}");
    }
}
