//! A stream of values, binary and text: from a slice and in pieces it has the same values, which are read again from each
//! form in which they are written.

use crate::targets::shared::agree::same;
use crate::targets::shared::input::Pieces;
use binfmt::Options;
use binfmt::formats::futhark::{OutputStyle, Value, read, values_from_reader_with, values_with, write};

const MOST: usize = 200;

pub fn run(data: &[u8]) {
    let options = Options::new().max_memory(1 << 20);
    let read_all: Vec<_> = values_with(data, &options).take(MOST).collect();
    let streamed: Vec<_> = values_from_reader_with(Pieces::new(data), &options).take(MOST).collect();
    assert_eq!(read_all.len(), streamed.len(), "{read_all:?}\nstream: {streamed:?}");
    for pair in read_all.iter().zip(&streamed) {
        match pair {
            (Ok(a), Ok(b)) => assert!(same(a, b), "{a:?}\nstream: {b:?}"),
            (Err(_), Err(_)) => {}
            (a, b) => panic!("{a:?}\nstream: {b:?}"),
        }
    }
    let values: Vec<Value> = read_all.into_iter().filter_map(Result::ok).collect();
    for style in [OutputStyle::Text, OutputStyle::Packed, OutputStyle::Printed] {
        let out = write(&values, style).expect("values are written");
        let again = read(&out).unwrap_or_else(|e| panic!("{e}: {:?}", String::from_utf8_lossy(&out)));
        assert_eq!(write(&again, style).expect("again"), out);
        // a NaN has other bits after its text
        assert!(style == OutputStyle::Text || same(&again, &values), "{again:?}\nwas {values:?}");
    }
}
