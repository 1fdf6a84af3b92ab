//! Numbers that are on the wire and not in the struct: `len_of(field, u16)` and `calc(u16 = expr)`.

use crate::support::wire::{assert_error, bad, lent, refused, same, same_be, same_with, short};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Decode, Encode, ErrorKind, Options, TypedColumns};
use std::fmt::Debug;

/// The local header of a ZIP entry: two lengths together, then what they count.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"PK")]
struct Entry {
    #[binfmt(len_of(name, u16))]
    name_len: (),
    #[binfmt(len_of(extra, u8))]
    extra_len: (),
    #[binfmt(count = name_len)]
    name: String,
    #[binfmt(count = *extra_len)]
    extra: Vec<u16>,
}

fn entry() -> Entry {
    Entry { name_len: (), extra_len: (), name: "ab".into(), extra: vec![3, 4, 5] }
}

#[test]
fn lengths_are_filled_in_and_in_scope() {
    same(&entry(), b"PK\x02\0\x03ab\x03\0\x04\0\x05\0");
    same_be(&entry(), b"PK\0\x02\x03ab\0\x03\0\x04\0\x05");
    let long = Entry { extra: vec![0; 256], ..entry() };
    assert_error!(refused(&long), 0, "extra_len", ErrorKind::PrefixOverflow { value: 256, max: 255 });
    let [slice, stream] = short::<Entry>(b"PK\x02\0\x03ab\x03\0\x04\0\x05");
    assert_error!(slice, 7, "extra", ErrorKind::CountTooLarge { count: 3, remaining: Some(5), .. });
    assert!(stream.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Forms {
    #[binfmt(len_of(a, leb128))]
    a_len: (),
    #[binfmt(len_of(b, bytes, u24), be)]
    b_size: (),
    #[binfmt(len_of(c, i64), align_before = 4)]
    c_len: (),
    #[binfmt(calc(u24 = a_len + b_size * 2), assert(*sum < 1000), range = 1..=999)]
    sum: (),
    #[binfmt(count = a_len)]
    a: Vec<u8>,
    #[binfmt(region = *b_size)]
    b: Vec<u16>,
    #[binfmt(count = *c_len)]
    c: Vec<u8>,
}

#[test]
fn any_integer_holds_them() {
    let value = Forms { a_len: (), b_size: (), c_len: (), sum: (), a: vec![7; 2], b: vec![1, 2], c: vec![9] };
    same(&value, &[2, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 7, 7, 1, 0, 2, 0, 9]);
    let many = Forms { a: vec![0; 200], ..value };
    same(&many, &{
        let mut bytes = vec![0xc8, 1, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 208, 0, 0];
        bytes.extend([0; 200]);
        bytes.extend([1, 0, 2, 0, 9]);
        bytes
    });
    let more = Forms { a: vec![0; 2000], ..many };
    assert_error!(refused(&more), 16, "sum", ErrorKind::OutOfRange { .. });
}

/// What nothing ties to its number is held to it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Untied {
    #[binfmt(len_of(name, bytes, u8))]
    size: (),
    #[binfmt(len_of(list, u8))]
    items: (),
    #[binfmt(calc(u16 = list.len() * 2 + 1))]
    total: (),
    #[binfmt(nul)]
    name: String,
    #[binfmt(until_eof)]
    list: Vec<u16>,
}

#[test]
fn a_number_that_differs_is_refused() {
    let value = Untied { size: (), items: (), total: (), name: "ab".into(), list: vec![1, 2] };
    let bytes = b"\x03\x02\x05\0ab\0\x01\0\x02\0";
    same(&value, bytes);
    let with = |place: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[place] = byte;
        bad::<Untied>(&bytes)
    };
    let e = with(0, 2);
    assert_error!(e, 0, "size", ErrorKind::LengthMismatch { expected: 2, found: 3 });
    assert_error!(with(1, 3), 1, "items", ErrorKind::LengthMismatch { expected: 3, found: 2 });
    let e = with(2, 6);
    assert_error!(e, 2, "total", ErrorKind::Computed { expected: 5, found: 6, .. });
    assert_eq!(e.to_string(), "total at byte 0x2: expected 5 (`list.len() * 2 + 1`), found 6");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Fits {
    a: u8,
    b: i64,
    #[binfmt(calc(u8 = *a - 1))]
    less: (),
    #[binfmt(calc(i8 = *b))]
    small: (),
    #[binfmt(calc(u8 = b + 256 - less))]
    mixed: (),
}

#[test]
fn a_result_fits_in_its_type() {
    same(&Fits { a: 9, b: -2, less: (), small: (), mixed: () }, &{
        let mut bytes = vec![9];
        bytes.extend((-2i64).to_le_bytes());
        bytes.extend([8, 0xfe, 246]);
        bytes
    });
    let e = refused(&Fits { a: 0, b: -2, less: (), small: (), mixed: () });
    assert_error!(e, 0, "less", ErrorKind::IntegerOverflow { bits: 8, signed: false, .. });
    assert_eq!(e.to_string(), "less at byte 0x0: `*a - 1`, -1, does not fit in u8");
    let e = refused(&Fits { a: 1, b: i64::MAX, less: (), small: (), mixed: () });
    assert_error!(e, 0, "small", ErrorKind::IntegerOverflow { bits: 8, signed: true, .. });
    let mut bytes = vec![0];
    bytes.extend([0; 10]);
    bytes.push(1);
    assert_error!(bad::<Fits>(&bytes), 9, "less", ErrorKind::Computed { expected: -1, found: 0, .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Message<'a> {
    #[binfmt(tag = 1)]
    Text {
        #[binfmt(len_of(text, u16))]
        len: (),
        flags: u8,
        #[binfmt(count = len)]
        text: &'a str,
    },
    #[binfmt(tag = 2)]
    Pair(#[binfmt(calc(u8 = _1 ^ 0xff))] (), u8),
    #[binfmt(tag(3..=5))]
    Kept {
        #[binfmt(len_of(list, bytes, u8))]
        size: (),
        tag: u8,
        #[binfmt(region = *size)]
        list: Vec<u16>,
    },
}

#[test]
fn variants_and_borrowed_text() {
    lent(&Message::Text { len: (), flags: 7, text: "hi" }, b"\x01\x02\0\x07hi");
    lent(&Message::Pair((), 0x0f), b"\x02\xf0\x0f");
    lent(&Message::Kept { size: (), tag: 4, list: vec![1, 2] }, b"\x04\x04\x01\0\x02\0");
    let e = binfmt::from_slice::<Message<'_>>(b"\x02\xf1\x0f").unwrap_err();
    assert_error!(e, 1, "0", ErrorKind::Computed { expected: 0xf0, found: 0xf1, .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Generic<T> {
    #[binfmt(len_of(items, u8))]
    n: (),
    #[binfmt(len_of(one, bytes, u16))]
    size: (),
    #[binfmt(region = *size)]
    one: T,
    #[binfmt(count = n)]
    items: Vec<T>,
}

#[test]
fn generic_structs() {
    same(&Generic { n: (), size: (), one: 7u16, items: vec![1, 2] }, &[2, 2, 0, 7, 0, 1, 0, 2, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(scale: u8))]
struct Scaled {
    #[binfmt(calc(u16 = scale * 2))]
    twice: (),
    #[binfmt(count = twice)]
    bytes: Vec<u8>,
}

/// In whatever order they are needed.
#[derive(BinFormat, Debug, PartialEq)]
struct Chain {
    #[binfmt(len_of(body, bytes, u8))]
    size: (),
    #[binfmt(calc(u8 = n + 1))]
    more: (),
    #[binfmt(len_of(list, u8))]
    n: (),
    #[binfmt(args(*n))]
    body: Scaled,
    #[binfmt(count = *n)]
    list: Vec<u8>,
}

#[test]
fn numbers_of_numbers() {
    let body = Scaled { twice: (), bytes: vec![5; 4] };
    same_with(&body, &[4, 0, 5, 5, 5, 5], &Options::new().ctx(2));
    same(&Chain { size: (), more: (), n: (), body, list: vec![8, 9] }, &[6, 3, 2, 4, 0, 5, 5, 5, 5, 8, 9]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    id: u16,
    #[binfmt(len_of(name, u8))]
    len: (),
    #[binfmt(calc(u8 = *id & 15))]
    low: (),
    #[binfmt(count = len)]
    name: String,
}

#[test]
fn columns_have_none() {
    let rows: Vec<Row> =
        (0..40u16).map(|id| Row { id, len: (), low: (), name: "x".repeat(usize::from(id % 3)) }).collect();
    let bytes: Vec<u8> = rows.iter().flat_map(|row| binfmt::to_vec(row).unwrap()).collect();
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.id.len(), 40);
    assert_eq!(columns.rows().collect::<Vec<_>>(), rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

fn at_run_time<'a, T: Encode + Decode<'a> + Describe + Debug + PartialEq>(bytes: &'a [u8]) {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let value = binfmt::from_slice_with::<Value, _>(bytes, &Options::new().ctx(&program)).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), bytes);
    assert_eq!(binfmt::to_vec(&binfmt::from_slice::<T>(bytes).unwrap()).unwrap(), bytes);
}

/// Fields of tuples have numbers for names, which expressions write otherwise.
#[test]
fn a_description_of_a_tuple() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Pair(#[binfmt(len_of(_2, u8))] (), i8, #[binfmt(count = _0)] Vec<u8>);
    at_run_time::<Pair>(b"\x02\xffab");
}

#[test]
fn a_description_has_them_as_fields() {
    at_run_time::<Entry>(b"PK\x02\0\x03ab\x03\0\x04\0\x05\0");
    at_run_time::<Untied>(b"\x03\x02\x05\0ab\0\x01\0\x02\0");
    let text = Untied::SCHEMA.to_string();
    for line in ["size: u8", "len_of(name, bytes, u8)", "calc(u16 = list.len() * 2 + 1)"] {
        assert!(text.contains(line), "{text}");
    }
    /// The same bytes with its lengths as fields.
    #[derive(BinFormat)]
    #[binfmt(rename = "Entry", magic = b"PK")]
    struct Visible {
        name_len: u16,
        extra_len: u8,
        #[binfmt(count = name_len)]
        name: String,
        #[binfmt(count = *extra_len)]
        extra: Vec<u16>,
    }
    assert_eq!(Entry::SCHEMA.fingerprint(), Visible::SCHEMA.fingerprint());
    Entry::SCHEMA.check(Visible::SCHEMA).unwrap();
}

#[test]
fn damage_is_an_error_or_another_value() {
    let good =
        binfmt::to_vec(&Untied { size: (), items: (), total: (), name: "ab".into(), list: vec![1, 2] })
            .unwrap();
    for place in 0..good.len() {
        assert!(binfmt::from_slice::<Untied>(&good[..place]).is_err());
        for byte in 0..=255 {
            let mut bytes = good.clone();
            bytes[place] = byte;
            let streamed = binfmt::from_reader::<Untied>(&bytes[..]);
            match binfmt::from_slice::<Untied>(&bytes) {
                // whatever is read is written as these bytes
                Ok(value) => assert_eq!(binfmt::to_vec(&value).unwrap(), bytes),
                Err(e) => assert_eq!(streamed.unwrap_err().to_string(), e.to_string()),
            }
        }
    }
}

#[test]
fn a_dump_shows_them() {
    let text = binfmt::dump::trace::<Entry>(b"PK\x02\0\x03ab\x03\0\x04\0\x05\0").to_string();
    for line in ["name_len: 2 (u16 le)", "extra_len: 3 (u8)", "name: \"ab\""] {
        assert!(text.contains(line), "{text}");
    }
    let text = binfmt::dump::trace::<Untied>(b"\x03\x02\x06\0ab\0\x01\0\x02\0").to_string();
    assert!(text.contains("total: 6 (u16 le)") && text.contains("expected 5"), "{text}");
}

/// What a length counts beside its target: a header of its own.
const HEAD: usize = 3;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Longer {
    kind: u8,
    #[binfmt(len_of(body, bytes, u16, plus = HEAD))]
    size: (),
    #[binfmt(region = size - 3)]
    body: Vec<u16>,
    #[binfmt(len_of(text, auto, plus = 1))]
    len: u8,
    #[binfmt(len_of(list, plus = HEAD + 1))]
    more: u8,
    #[binfmt(count = len - 1)]
    text: String,
    #[binfmt(count = more - 4)]
    list: Vec<u8>,
}

#[test]
fn lengths_that_count_more() {
    let value =
        Longer { kind: 9, size: (), body: vec![7], len: 3, more: 5, text: "ab".into(), list: vec![8] };
    let bytes = [9, 0, 5, 0, 7, 3, 5, b'a', b'b', 8];
    same(&value, &bytes);
    for n in 0..bytes.len() {
        let [_, stream] = short::<Longer>(&bytes[..n]);
        assert!(stream.is_incomplete(), "{n}");
    }
    // a number that is filled in, and one that must be right
    assert_eq!(binfmt::to_vec(&Longer { len: 0, ..value.clone() }).unwrap(), bytes);
    let e = refused(&Longer { more: 1, ..value.clone() });
    assert_error!(e, 0, "more", ErrorKind::LengthMismatch { expected: 5, found: 1 });
    // what is too short to count even that
    let e = bad::<Longer>(&[9, 0, 2, 0, 7, 3, 5, b'a', b'b', 8]);
    assert_error!(e, 3, "body", ErrorKind::InvalidLength { found: -1 });
    let long = Longer { body: vec![0; 0x8000], ..value };
    assert_error!(refused(&long), 1, "size", ErrorKind::PrefixOverflow { value: 0x10003, max: 0xffff });
    let layout = Longer::SCHEMA.to_string();
    assert!(layout.contains("size: u16, len_of(body, bytes, u16, plus = HEAD)"), "{layout}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Boxes {
    #[binfmt(len_of(inside, bytes, u32, plus = 4))]
    size: (),
    #[binfmt(region = size - 4)]
    inside: Vec<Boxes>,
}

/// Boxes in boxes, each with its own four bytes: measured again at each level they would take 2^60 steps.
#[test]
fn lengths_that_count_more_cost_their_bytes() {
    let mut boxes = Boxes { size: (), inside: Vec::new() };
    for _ in 1..60 {
        boxes = Boxes { size: (), inside: vec![boxes] };
    }
    let bytes: Vec<u8> = (1..=60u32).rev().flat_map(|level| (4 * level).to_le_bytes()).collect();
    same(&boxes, &bytes);
}

/// A region that is not what is left of its length.
#[derive(BinFormat, Debug, PartialEq)]
struct Askew {
    #[binfmt(len_of(body, bytes, u16, plus = 3))]
    size: (),
    n: u8,
    #[binfmt(region = size - 2 - n)]
    body: Vec<u8>,
}

#[test]
fn a_region_is_held_to_what_its_length_makes_of_it() {
    same(&Askew { size: (), n: 1, body: vec![7, 8] }, &[5, 0, 1, 7, 8]);
    let value = Askew { size: (), n: 0, body: vec![7, 8] };
    assert_error!(refused(&value), 3, "body", ErrorKind::LengthMismatch { expected: 3, found: 2 });
}

/// Where nothing else says how long the target is, the number is held to it.
#[derive(BinFormat, Debug, PartialEq)]
struct Held {
    #[binfmt(len_of(body, bytes, u8, plus = 2))]
    size: (),
    #[binfmt(length_prefixed(u8))]
    body: Vec<u8>,
}

#[test]
fn a_longer_number_is_held_to_its_target() {
    same(&Held { size: (), body: vec![1, 2] }, &[5, 2, 1, 2]);
    let e = bad::<Held>(&[3, 2, 1, 2]);
    assert_error!(e, 0, "size", ErrorKind::LengthMismatch { expected: 3, found: 5 });
}

/// Regions in regions, each after its length as a varint.
#[derive(BinFormat, Debug, PartialEq)]
struct Nested {
    #[binfmt(len_of(inner, bytes, leb128))]
    size: (),
    #[binfmt(region = *size)]
    inner: Vec<Nested>,
    mark: u16,
}

/// What is measured is measured once: 64 levels would take for ever if each was measured twice for the one around it.
#[test]
fn lengths_of_variable_size_cost_no_more_in_each_other() {
    let leaf = || Nested { size: (), inner: vec![], mark: 7 };
    let deep = (0..64).fold(leaf(), |inner, mark| Nested { size: (), inner: vec![inner, leaf()], mark });
    let mut bytes = vec![0u8, 7, 0];
    for mark in 0..64u8 {
        let len = bytes.len() + 3;
        let mut outer = if len < 128 { vec![len as u8] } else { vec![len as u8 | 0x80, (len >> 7) as u8] };
        outer.extend_from_slice(&bytes);
        outer.extend_from_slice(&[0, 7, 0, mark, 0]);
        bytes = outer;
    }
    assert_eq!(binfmt::encoded_len(&deep).unwrap(), bytes.len());
    same(&deep, &bytes);
}

/// Beside what counts from the first byte, the size of the length is known first.
#[derive(BinFormat, Debug, PartialEq)]
struct Aligned {
    #[binfmt(len_of(body, bytes, leb128))]
    size: (),
    #[binfmt(region = *size, align_before = 4)]
    body: Vec<u8>,
    #[binfmt(align_before = 4)]
    last: u8,
}

#[test]
fn a_length_of_variable_size_beside_alignment() {
    for len in [0usize, 1, 127, 128, 131] {
        let value = Aligned { size: (), body: vec![5; len], last: 9 };
        let mut bytes = if len < 128 { vec![len as u8] } else { vec![len as u8 | 0x80, 1] };
        bytes.resize(4, 0);
        bytes.resize(4 + len, 5);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.push(9);
        assert_eq!(binfmt::encoded_len(&value).unwrap(), bytes.len());
        same(&value, &bytes);
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Small {
    #[binfmt(len_of(body, bytes, u8))]
    size: (),
    #[binfmt(region = *size)]
    body: Vec<u16>,
}

#[test]
fn a_value_whose_length_does_not_fit_has_no_size() {
    let small = |len| Small { size: (), body: vec![1; len] };
    assert_eq!(binfmt::encoded_len(&small(127)).unwrap(), 255);
    let e = binfmt::encoded_len(&small(128)).unwrap_err();
    assert_error!(e, 0, "size", ErrorKind::PrefixOverflow { value: 256, max: 255 });
    assert_eq!(e.to_string(), refused(&small(128)).to_string());
}
