//! Types that are compared with files while compiling: what rustc says of a type is what its schema prints.

use super::pinned::{Around, Bytes, Choice, Elsewhere, Message, Numbers, Orders, Whole, Words};
use binfmt::schema::{Describe, Description, Schema};
use binfmt::{BinFormat, Layout};

/// Every kind of type that constants know, in one.
#[derive(BinFormat)]
#[binfmt(fingerprint, schema = "tests/schema/described/all.txt")]
struct All {
    numbers: Numbers,
    choice: Choice,
    bytes: Bytes,
    orders: Orders,
    around: Around,
    message: Message,
    #[binfmt(length_prefixed(u32, in = bytes))]
    whole: Whole,
    #[binfmt(length_prefixed(u32, in = bytes))]
    elsewhere: Elsewhere,
    #[binfmt(length_prefixed(u32, in = bytes))]
    words: Words,
}

/// The same from JSON.
#[derive(BinFormat)]
#[binfmt(schema = "tests/schema/described/all.json")]
struct Json {
    all: All,
}

/// Written by hand: names of types do not count, nor do comments and rules; a record may stand where it is used.
#[derive(BinFormat)]
#[binfmt(le, schema = "tests/schema/described/by_hand.txt")]
struct ByHand {
    id: Id,
    #[binfmt(count = 2)]
    pair: Vec<Pair<u8>>,
    #[binfmt(count = pair.len() * 2)]
    points: Vec<Point>,
    #[binfmt(args(3))]
    point: Scaled,
}

#[derive(BinFormat)]
#[binfmt(transparent, fingerprint)]
struct Id(u32);

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Pair<T>(T, T);

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Point {
    x: i16,
    #[binfmt(range = 1..=9)]
    y: i16,
}

#[derive(BinFormat)]
#[binfmt(fingerprint, ctx(by: u8))]
struct Scaled {
    #[binfmt(if(by > 1, else = 7))]
    x: i16,
}

fn file(name: &str) -> String {
    let path = format!("{}/tests/schema/described/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn files_are_what_types_print() {
    if std::env::var_os("BINFMT_BLESS").is_some() {
        let folder = format!("{}/tests/schema/described", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(format!("{folder}/all.txt"), All::SCHEMA.to_string()).unwrap();
        std::fs::write(format!("{folder}/all.json"), serde_json::to_string_pretty(Json::SCHEMA).unwrap())
            .unwrap();
    }
    assert_eq!(file("all.txt"), All::SCHEMA.to_string());
    assert_eq!(serde_json::from_str::<Schema>(&file("all.json")).unwrap(), *Json::SCHEMA);
}

#[test]
fn a_layout_by_hand_is_one() {
    let layout: Description = file("by_hand.txt").parse().unwrap();
    assert!(ByHand::SCHEMA.check(&layout.into()).is_ok());
}

/// Each line of the file, changed, is noticed.
#[test]
fn every_line_counts() {
    // what the derive makes of the first line of a file
    let said = |name, what| binfmt::__private::Said { name, what, shown: what, definition: None, below: &[] };
    let fields: &'static [_] = Box::leak(Box::new([said("x", "i16"), said("y", "i16")]));
    let same: &'static [_] =
        Box::leak(Box::new([binfmt::__private::Said { below: fields, ..said("Point", "*") }]));
    binfmt::__private::described(&<Point as Layout>::TREE, same, "Point", "file");
    for (i, other) in [("x", "u16"), ("z", "i16"), ("y", "i16, le")].into_iter().enumerate() {
        let mut fields = fields.to_vec();
        fields[i % 2] = said(other.0, other.1);
        let fields: &'static [_] = fields.leak();
        let other: &'static [_] =
            Box::leak(Box::new([binfmt::__private::Said { below: fields, ..said("Point", "*") }]));
        let found = std::panic::catch_unwind(|| {
            binfmt::__private::described(&<Point as Layout>::TREE, other, "Point", "file");
        });
        assert!(found.is_err(), "{i}");
    }
}
