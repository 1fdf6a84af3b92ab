//! Columns take the memory of their values and little more, while they are decoded too.

use crate::support::memory::memory_of;
use binfmt::columns::ColumnData;
use binfmt::{BinFormat, Nullable, Options, TypedColumns};

/// What `f` allocates at its peak.
fn peak_of<R>(f: impl FnOnce() -> R) -> (R, usize) {
    let (result, peak, _) = memory_of(f);
    (result, peak)
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Numbers {
    a: i32,
    b: f64,
    #[binfmt(nullable)]
    c: Nullable<f32>,
    d: i16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Texts {
    id: i64,
    #[binfmt(nullable)]
    weight: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    name: Nullable<String>,
    #[binfmt(length_prefixed(u8))]
    list: Vec<u16>,
}

fn texts(n: usize, longest: impl Fn(usize) -> usize) -> TextsColumns {
    TextsColumns::from_rows((0..n).map(|i| Texts {
        id: i as i64,
        weight: if i % 5 == 0 { Nullable::Missing(1) } else { Nullable::Value(0.5) },
        name: if i % 7 == 0 {
            Nullable::Missing(0)
        } else {
            Nullable::Value("x".repeat(i * 7919 % longest(i)))
        },
        list: vec![1; i * 31 % 5],
    }))
}

fn size_of_texts(c: &TextsColumns) -> usize {
    let text = c.name.values();
    let lists = c.list.offsets().len() * 8 + c.list.items().len() * 2;
    c.len() * (8 + 9 + 1) + text.offsets().len() * 8 + text.text().len() + lists
}

#[track_caller]
fn bounded(what: &str, peak: usize, size: usize, most: f64) {
    let ratio = peak as f64 / size as f64;
    assert!(ratio <= most, "{what}: {peak} bytes at the peak for {size} of values, {ratio:.2} times");
}

#[test]
fn rows_of_one_size() {
    let columns = NumbersColumns::from_rows((0..100_000).map(|i| Numbers {
        a: i,
        b: 0.5,
        c: if i % 3 == 0 { Nullable::Missing(3) } else { Nullable::Value(1.5) },
        d: -1,
    }));
    let bytes = columns.to_vec().unwrap();
    let size = columns.len() * 19;
    let (found, peak) = peak_of(|| NumbersColumns::from_slice(&bytes).unwrap());
    assert_eq!(found, columns);
    bounded("slice", peak, size, 1.01);
    let (_, peak) = peak_of(|| NumbersColumns::from_reader(&bytes[..], &Options::new()).unwrap());
    // nobody knows how long a stream is: vectors double
    bounded("reader", peak, size, 2.1);
    let mut again = found;
    let (_, peak) = peak_of(|| {
        again.truncate(0);
        again.decode_all(&bytes).unwrap();
    });
    assert!(peak < 1000, "{peak} bytes for columns that were there");
}

#[test]
fn rows_of_any_size() {
    // the same all the way; and ever longer, so that what is foreseen is too little
    let cases = [("even", texts(50_000, |_| 40), 1.3), ("growing", texts(50_000, |i| 1 + i / 300), 2.0)];
    for (what, columns, most) in cases {
        let bytes = columns.to_vec().unwrap();
        let (found, peak) = peak_of(|| TextsColumns::from_slice(&bytes).unwrap());
        assert_eq!(found, columns);
        bounded(what, peak, size_of_texts(&columns), most);
    }
}

#[test]
fn what_is_beside_the_columns_is_small() {
    let columns = texts(20_000, |_| 40);
    let bytes = columns.to_vec().unwrap();
    let mut room = columns.clone();
    let (_, peak) = peak_of(|| {
        room.truncate(0);
        room.read_rows(&bytes[..], columns.len(), &Options::new()).unwrap();
    });
    assert_eq!(room, columns);
    assert!(peak < 100_000, "{peak} bytes beside the columns");
    let (_, peak) = peak_of(|| columns.to_writer(std::io::sink(), &Options::new()).unwrap());
    assert!(peak < 100_000, "{peak} bytes beside the writer");
}
