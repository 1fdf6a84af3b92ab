//! `count`, `each`, `len_of`, `until`, `until_eof`: sequences without a length of their own.

use crate::support::wire::{
    assert_error, bad, is_inside, lent, refused, refused_with, same, same_be, same_with, short, short_with,
    writes,
};
use binfmt::{BinFormat, ErrorKind, Layout, Options};

#[derive(BinFormat, Debug, PartialEq)]
struct Counted {
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u16>,
    #[binfmt(count = usize::from(*n) * 2)]
    twice: Vec<u8>,
    #[binfmt(count = *n)]
    text: String,
}

#[test]
fn count_from_a_field() {
    let value = Counted { n: 1, v: vec![2], twice: vec![3, 4], text: "x".into() };
    same(&value, b"\x01\x02\0\x03\x04x");
    same_be(&value, b"\x01\0\x02\x03\x04x");
    let [slice, stream] = short::<Counted>(&[3, 1, 0]);
    assert_error!(slice, 1, "v", ErrorKind::CountTooLarge { count: 3, needed: 6, remaining: Some(2), .. });
    assert_error!(stream, 1, "v", ErrorKind::UnexpectedEnd { needed: 6, remaining: 2 });
}

#[test]
fn a_count_that_lies_is_not_written() {
    let e = refused(&Counted { n: 2, v: vec![2], twice: vec![], text: String::new() });
    assert_error!(e, 1, "v", ErrorKind::LengthMismatch { expected: 2, found: 1 });
    let e = refused(&Counted { n: 1, v: vec![2], twice: vec![3, 4], text: "xy".into() });
    assert_error!(e, 5, "text", ErrorKind::LengthMismatch { expected: 1, found: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct CountedRef<'a> {
    n: u8,
    #[binfmt(count = n)]
    text: &'a str,
    #[binfmt(count = n)]
    bytes: &'a [u8],
}

#[test]
fn counted_data_are_borrowed() {
    let bytes = b"\x02hixy";
    let found = lent(&CountedRef { n: 2, text: "hi", bytes: b"xy" }, bytes);
    assert!(is_inside(bytes, found.text.as_bytes()) && is_inside(bytes, found.bytes));
}

#[derive(BinFormat, Debug, PartialEq)]
struct SignedCount {
    n: i8,
    #[binfmt(count = *n)]
    v: Vec<u8>,
}

#[test]
fn a_negative_count_is_refused() {
    assert_error!(bad::<SignedCount>(&[0xFF]), 1, "v", ErrorKind::InvalidLength { found: -1 });
    let e = refused(&SignedCount { n: -1, v: vec![] });
    assert_error!(e, 1, "v", ErrorKind::LengthMismatch { expected: -1, found: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Literal {
    #[binfmt(count = 2)]
    v: Vec<u16>,
    #[binfmt(count = 3)]
    text: String,
    #[binfmt(count = 2)]
    bytes: Box<[u8]>,
}

#[test]
fn a_literal_count_gives_a_fixed_size() {
    same(&Literal { v: vec![1, 2], text: "abc".into(), bytes: [8, 9].into() }, b"\x01\0\x02\0abc\x08\x09");
    assert_eq!(Literal::FACTS.sizes().exact(), Some(9));
    let e = refused(&Literal { v: vec![1], text: "abc".into(), bytes: [8, 9].into() });
    assert_error!(e, 0, "v", ErrorKind::LengthMismatch { expected: 2, found: 1 });
    let e = bad::<Literal>(b"\x01\0\x02\0ab");
    assert_error!(e, 4, "text", ErrorKind::UnexpectedEnd { needed: 3, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(width: u8))]
struct Value {
    #[binfmt(count = width)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(widths: &[u8]))]
struct Row {
    #[binfmt(each(widths.iter().copied()))]
    values: Vec<Value>,
}

fn row(values: &[&[u8]]) -> Row {
    Row { values: values.iter().map(|bytes| Value { bytes: bytes.to_vec() }).collect() }
}

#[test]
fn each_has_one_element_for_each_item() {
    let options = Options::new().ctx(&[1u8, 0, 2][..]);
    same_with(&row(&[&[1], &[], &[2, 3]]), &[1, 2, 3], &options);
    let [slice, _] = short_with::<Row, _>(&[1, 2], &options);
    assert_error!(slice, 1, "values[2].bytes", ErrorKind::CountTooLarge { count: 2, .. });
    let e = refused_with(&row(&[&[1], &[]]), &options);
    assert_error!(e, 1, "values", ErrorKind::LengthMismatch { expected: 3, found: 2 });
    let e = refused_with(&row(&[&[1], &[], &[2, 3], &[]]), &options);
    assert_error!(e, 3, "values", ErrorKind::LengthMismatch { expected: 3, found: 4 });
    let e = refused_with(&row(&[&[1], &[9], &[2, 3]]), &options);
    assert_error!(e, 1, "values[1].bytes", ErrorKind::LengthMismatch { expected: 0, found: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(widths: &[u8]))]
struct Rows {
    #[binfmt(length_prefixed(u32), args(widths))]
    rows: Vec<Row>,
}

#[test]
fn many_elements_whose_size_the_context_gives() {
    // the type alone says that a row may be empty, so no minimum bounds how many there are
    let rows = Rows { rows: (0..70_000u32).map(|n| row(&[&[n as u8]])).collect() };
    let options = Options::new().ctx(&[1u8][..]);
    let bytes = binfmt::to_vec_with(&rows, &options).unwrap();
    assert_eq!(bytes.len(), 70_004);
    assert_eq!(binfmt::from_slice_with::<Rows, _>(&bytes, &options).unwrap(), rows);
    assert_eq!(binfmt::from_reader_with::<Rows, _>(bytes.as_slice(), &options).unwrap(), rows);
}

#[derive(BinFormat, Debug, PartialEq)]
struct LenOf {
    #[binfmt(len_of(items))]
    num_items: u8,
    #[binfmt(len_of(name, auto))]
    len_name: u16,
    #[binfmt(count = num_items)]
    items: Vec<u16>,
    #[binfmt(count = len_name)]
    name: String,
}

#[test]
fn len_of_is_checked_or_filled() {
    let value = LenOf { num_items: 1, len_name: 2, items: vec![3], name: "hi".into() };
    same(&value, b"\x01\x02\0\x03\0hi");
    let e = refused(&LenOf { num_items: 2, len_name: 2, items: vec![3], name: "hi".into() });
    assert_error!(e, 0, "num_items", ErrorKind::LengthMismatch { expected: 1, found: 2 });
    writes(&LenOf { num_items: 1, len_name: 0, items: vec![3], name: "hi".into() }, b"\x01\x02\0\x03\0hi");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Apart {
    #[binfmt(len_of(section, bytes, auto))]
    len_section: u8,
    #[binfmt(len_of(second, bytes, auto))]
    len_second: u8,
    #[binfmt(length_prefixed(u16))]
    section: Vec<u32>,
    #[binfmt(if(*len_second > 0), length_prefixed(u8))]
    second: Option<String>,
}

#[test]
fn len_of_in_bytes() {
    let value = Apart { len_section: 10, len_second: 3, section: vec![1, 2], second: Some("hi".into()) };
    same(&value, &[10, 3, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, b'h', b'i']);
    let e = refused(&Apart { section: vec![0; 64], ..value });
    assert_error!(e, 0, "len_section", ErrorKind::PrefixOverflow { value: 258, max: 255 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Overflow {
    #[binfmt(len_of(v, auto))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[test]
fn len_of_never_wraps() {
    let e = refused(&Overflow { n: 44, v: vec![0; 300] });
    assert_error!(e, 0, "n", ErrorKind::PrefixOverflow { value: 300, max: 255 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Behind(#[binfmt(length_prefixed(u8))] Vec<u8>, #[binfmt(len_of(0))] u8);

#[test]
fn len_of_behind_a_tuple_field() {
    same(&Behind(vec![7, 8], 2), &[2, 7, 8, 2]);
    let e = refused(&Behind(vec![7, 8], 3));
    assert_error!(e, 0, "1", ErrorKind::LengthMismatch { expected: 2, found: 3 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Until {
    #[binfmt(until = |n: &u16| *n == 0)]
    v: Vec<u16>,
    last: u8,
}

#[test]
fn until_takes_the_element_that_ends_it() {
    same(&Until { v: vec![1, 2, 0], last: 9 }, &[1, 0, 2, 0, 0, 0, 9]);
    same(&Until { v: vec![0], last: 9 }, &[0, 0, 9]);
    let e = bad::<Until>(&[1, 0, 2]);
    assert_error!(e, 2, "v[1]", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    for v in [vec![], vec![1], vec![0, 1, 0]] {
        assert_error!(refused(&Until { v, last: 9 }), 0, "v", ErrorKind::Until);
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    key: u8,
    #[binfmt(length_prefixed(u8))]
    value: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Entries {
    end: u8,
    #[binfmt(until = |entry: &Entry| entry.key == *end)]
    entries: Vec<Entry>,
}

#[test]
fn until_may_ask_an_earlier_field() {
    let entry = |key, value: &str| Entry { key, value: value.into() };
    same(&Entries { end: 5, entries: vec![entry(1, "a"), entry(5, "")] }, b"\x05\x01\x01a\x05\0");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Nothing;

#[derive(BinFormat, Debug, PartialEq)]
struct Endless {
    #[binfmt(until = |_: &Nothing| false)]
    v: Vec<Nothing>,
}

#[test]
fn until_does_not_run_for_ever() {
    assert_error!(bad::<Endless>(&[]), 0, "v", ErrorKind::Endless);
}

#[derive(BinFormat, Debug, PartialEq)]
struct ToEnd {
    n: u8,
    #[binfmt(until_eof)]
    v: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct TextToEnd {
    #[binfmt(until_eof)]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct EntriesToEnd {
    #[binfmt(until_eof)]
    list: Vec<Entry>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct RefToEnd<'a> {
    n: u8,
    #[binfmt(until_eof)]
    rest: &'a [u8],
}

#[test]
fn until_eof_takes_the_rest() {
    same(&ToEnd { n: 1, v: vec![2, 3] }, &[1, 2, 0, 3, 0]);
    same(&ToEnd { n: 1, v: vec![] }, &[1]);
    same(&TextToEnd { text: "hello".into() }, b"hello");
    let entry = |key, value: &str| Entry { key, value: value.into() };
    same(&EntriesToEnd { list: vec![entry(1, "a"), entry(2, "bc")] }, b"\x01\x01a\x02\x02bc");
    let bytes = b"\x01rest";
    assert!(is_inside(bytes, lent(&RefToEnd { n: 1, rest: b"rest" }, bytes).rest));
    let e = bad::<ToEnd>(&[1, 2, 0, 3]);
    assert_error!(e, 3, "v[1]", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    let e = bad::<TextToEnd>(b"a\xff");
    assert_error!(e, 1, "text", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 1 });
    let e = bad::<EntriesToEnd>(b"\x01\x01a\x02");
    assert_error!(e, 4, "list[1].value", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct EitherToEnd {
    all: bool,
    #[binfmt(if(*all), until_eof)]
    rest: Option<Vec<u8>>,
    #[binfmt(if(!*all))]
    one: Option<u16>,
    #[binfmt(skip)]
    count: u8,
}

#[test]
fn what_excludes_the_rest_may_follow_it() {
    same(&EitherToEnd { all: true, rest: Some(vec![7, 8, 9]), one: None, count: 0 }, &[1, 7, 8, 9]);
    same(&EitherToEnd { all: false, rest: None, one: Some(2), count: 0 }, &[0, 2, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct NothingToEnd {
    #[binfmt(until_eof)]
    list: Vec<Nothing>,
}

#[test]
fn elements_of_no_size_never_reach_the_end() {
    assert_error!(bad::<NothingToEnd>(&[1]), 0, "list", ErrorKind::Endless);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(rows: u16, scale: u8))]
struct TwoArgs {
    #[binfmt(count = rows * u16::from(scale))]
    v: Vec<u8>,
}

#[test]
fn count_from_the_context() {
    same_with(&TwoArgs { v: vec![1, 2, 3, 4] }, &[1, 2, 3, 4], &Options::new().ctx((2u16, 2u8)));
    same_with(&TwoArgs { v: vec![] }, &[], &Options::new().ctx((0u16, 2u8)));
    let [slice, _] = short_with::<TwoArgs, _>(&[1], &Options::new().ctx((2u16, 2u8)));
    assert_error!(slice, 0, "v", ErrorKind::CountTooLarge { count: 4, .. });
}
