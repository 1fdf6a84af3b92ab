//! `var_len`, `length_prefixed(..)`, `len`, `max_len`: a length that nobody keeps in a field.

use crate::support::wire::{assert_error, bad, is_inside, lent, refused, same, same_be, short};
use binfmt::{BinFormat, ErrorKind, Ignored};
use std::borrow::Cow;

#[derive(BinFormat, Debug, PartialEq)]
struct VarLen {
    #[binfmt(var_len)]
    text: String,
    #[binfmt(var_len)]
    bytes: Vec<u8>,
    #[binfmt(var_len)]
    numbers: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct VarLenRef<'a> {
    #[binfmt(var_len)]
    text: &'a str,
    #[binfmt(var_len)]
    bytes: &'a [u8],
    #[binfmt(var_len)]
    numbers: Vec<u16>,
}

const VAR_LEN: &[u8] = b"\x02\0\0\0hi\x01\0\0\0\xff\x02\0\0\0\x01\x02\x03\x04";

#[test]
fn var_len_is_a_u32_and_the_items() {
    same(&VarLen { text: "hi".into(), bytes: vec![0xFF], numbers: vec![0x201, 0x403] }, VAR_LEN);
    same(&VarLen { text: String::new(), bytes: vec![], numbers: vec![] }, &[0; 12]);
    let value = VarLen { text: "hi".into(), bytes: vec![0xFF], numbers: vec![0x102] };
    same_be(&value, b"\0\0\0\x02hi\0\0\0\x01\xff\0\0\0\x01\x01\x02");
}

#[test]
fn var_len_borrows() {
    let value = lent(&VarLenRef { text: "hi", bytes: &[0xFF], numbers: vec![0x201, 0x403] }, VAR_LEN);
    assert!(is_inside(VAR_LEN, value.text.as_bytes()) && is_inside(VAR_LEN, value.bytes));
}

#[test]
fn var_len_longer_than_the_input() {
    let [slice, stream] = short::<VarLen>(b"\x05\0\0\0a");
    assert_error!(slice, 0, "text", ErrorKind::CountTooLarge { count: 5, needed: 5, remaining: Some(1), .. });
    assert_error!(stream, 4, "text", ErrorKind::UnexpectedEnd { needed: 5, remaining: 1 });
    assert_eq!((slice.needed(), stream.needed()), (Some(4), Some(4)));
    let [slice, stream] = short::<VarLen>(b"\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0");
    assert_error!(
        slice,
        8,
        "numbers",
        ErrorKind::CountTooLarge { count: 2, needed: 4, remaining: Some(2), .. }
    );
    assert_error!(stream, 12, "numbers", ErrorKind::UnexpectedEnd { needed: 4, remaining: 2 });
    assert_error!(bad::<VarLen>(&[0, 0]), 0, "text", ErrorKind::UnexpectedEnd { needed: 4, remaining: 2 });
    let e = binfmt::from_slice::<VarLenRef<'_>>(b"\x05\0\0\0a").unwrap_err();
    assert_error!(e, 0, "text", ErrorKind::CountTooLarge { count: 5, .. });
}

#[test]
fn var_len_text_is_utf8() {
    let e = bad::<VarLen>(b"\x02\0\0\0a\xff");
    assert_error!(e, 5, "text", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 1 });
    let e = binfmt::from_slice::<VarLenRef<'_>>(b"\x02\0\0\0a\xff").unwrap_err();
    assert_error!(e, 5, "text", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(len = u8)]
struct Len {
    #[binfmt(var_len)]
    a: String,
    #[binfmt(length_prefixed)]
    b: Vec<u16>,
    #[binfmt(length_prefixed(u16))]
    c: String,
}

#[test]
fn len_is_the_container_s_prefix() {
    let value = Len { a: "x".into(), b: vec![1], c: "y".into() };
    same(&value, b"\x01x\x01\x01\0\x01\0y");
    let e = refused(&Len { a: "x".repeat(256), b: vec![], c: String::new() });
    assert_error!(e, 0, "a", ErrorKind::PrefixOverflow { value: 256, max: 255 });
    let e = refused(&Len { a: "x".into(), b: vec![0; 300], c: String::new() });
    assert_error!(e, 2, "b", ErrorKind::PrefixOverflow { value: 300, max: 255 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Owners {
    #[binfmt(length_prefixed(u8))]
    string: String,
    #[binfmt(length_prefixed(u8))]
    boxed_str: Box<str>,
    #[binfmt(length_prefixed(u8))]
    bytes: Vec<u8>,
    #[binfmt(length_prefixed(u8))]
    boxed_bytes: Box<[u8]>,
    #[binfmt(length_prefixed(u8))]
    boxed_numbers: Box<[u16]>,
    #[binfmt(length_prefixed(u8))]
    cow: Cow<'static, str>,
    #[binfmt(length_prefixed(u8))]
    cow_bytes: Cow<'static, [u8]>,
    #[binfmt(length_prefixed(u8))]
    bools: Vec<bool>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Borrowers<'a> {
    #[binfmt(length_prefixed(u8))]
    text: &'a str,
    #[binfmt(length_prefixed(u8))]
    bytes: &'a [u8],
    #[binfmt(length_prefixed(u8), borrow)]
    cow: Cow<'a, str>,
    #[binfmt(length_prefixed(u8), borrow)]
    cow_bytes: Cow<'a, [u8]>,
}

#[test]
fn length_prefixed_owned() {
    let value = Owners {
        string: "a".into(),
        boxed_str: "b".into(),
        bytes: vec![3],
        boxed_bytes: [4].into(),
        boxed_numbers: [5].into(),
        cow: "c".into(),
        cow_bytes: vec![7].into(),
        bools: vec![true, false],
    };
    same(&value, b"\x01a\x01b\x01\x03\x01\x04\x01\x05\0\x01c\x01\x07\x02\x01\0");
    let e = bad::<Owners>(b"\0\0\0\0\0\0\0\x03\x01\0\x02");
    assert_error!(e, 10, "bools[2]", ErrorKind::InvalidBool { found: 2 });
}

#[test]
fn length_prefixed_borrowed() {
    let bytes = b"\x01a\x02bc\x01d\x01e";
    let value = Borrowers { text: "a", bytes: b"bc", cow: "d".into(), cow_bytes: b"e"[..].into() };
    let found = lent(&value, bytes);
    assert!(matches!(found.cow, Cow::Borrowed(text) if is_inside(bytes, text.as_bytes())));
    assert!(matches!(found.cow_bytes, Cow::Borrowed(part) if is_inside(bytes, part)));
    assert!(is_inside(bytes, found.text.as_bytes()) && is_inside(bytes, found.bytes));
    let e = binfmt::from_slice::<Borrowers<'_>>(b"\0\0\x01\xff").unwrap_err();
    assert_error!(e, 3, "cow", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 0 });
}

macro_rules! prefix {
    ($($name:ident $Struct:ident $t:ident)*) => { $(
        #[derive(BinFormat, Debug, PartialEq)]
        struct $Struct {
            #[binfmt(length_prefixed($t))]
            v: Vec<u16>,
        }

        #[test]
        fn $name() {
            let items = [1, 0, 2, 0];
            same(&$Struct { v: vec![1, 2] }, &[&(2 as $t).to_le_bytes()[..], &items].concat());
            let items = [0, 1, 0, 2];
            same_be(&$Struct { v: vec![1, 2] }, &[&(2 as $t).to_be_bytes()[..], &items].concat());
            let width = size_of::<$t>();
            let [slice, stream] = short::<$Struct>(&$t::MAX.to_le_bytes());
            let all = $t::MAX as u64;
            assert_error!(slice, 0, "v", ErrorKind::CountTooLarge { count, remaining: Some(0), .. } if *count == all);
            assert_eq!(stream.path().to_string(), "v");
            let cut = vec![0; width - 1];
            assert_error!(bad::<$Struct>(&cut), 0, "v", ErrorKind::UnexpectedEnd { needed, .. } if *needed == width);
        }
    )* };
}

prefix! {
    prefix_u8 PrefixU8 u8
    prefix_u16 PrefixU16 u16
    prefix_u32 PrefixU32 u32
    prefix_u64 PrefixU64 u64
    prefix_i8 PrefixI8 i8
    prefix_i16 PrefixI16 i16
    prefix_i32 PrefixI32 i32
    prefix_i64 PrefixI64 i64
}

#[test]
fn a_negative_length_is_refused() {
    assert_error!(bad::<PrefixI8>(&[0xFF]), 0, "v", ErrorKind::InvalidLength { found: -1 });
    assert_error!(bad::<PrefixI32>(&[0, 0, 0, 0x80]), 0, "v", ErrorKind::InvalidLength { found } if *found == i128::from(i32::MIN));
    assert_error!(bad::<PrefixI64>(&[0xFF; 8]), 0, "v", ErrorKind::InvalidLength { found: -1 });
    let e = refused(&PrefixI8 { v: vec![0; 128] });
    assert_error!(e, 0, "v", ErrorKind::PrefixOverflow { value: 128, max: 127 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inclusive {
    #[binfmt(length_prefixed(u8, inclusive))]
    text: String,
    n: u8,
}

#[test]
fn inclusive_counts_itself() {
    same(&Inclusive { text: "abc".into(), n: 9 }, b"\x04abc\x09");
    same(&Inclusive { text: String::new(), n: 9 }, b"\x01\x09");
    assert_error!(bad::<Inclusive>(&[0, 9]), 0, "text", ErrorKind::InvalidLength { found: 0 });
    same(
        &Inclusive { text: "x".repeat(254), n: 9 },
        format!("\u{ff}{}\x09", "x".repeat(254)).chars().map(|c| c as u8).collect::<Vec<_>>().as_slice(),
    );
    let e = refused(&Inclusive { text: "x".repeat(255), n: 9 });
    assert_error!(e, 0, "text", ErrorKind::PrefixOverflow { value: 256, max: 255 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(max_len = 2)]
struct Limited {
    #[binfmt(var_len)]
    a: String,
    #[binfmt(length_prefixed(u8, max = 4))]
    b: Vec<u8>,
}

#[test]
fn max_and_max_len_limit_both_directions() {
    same(&Limited { a: "ab".into(), b: vec![1, 2, 3, 4] }, b"\x02\0\0\0ab\x04\x01\x02\x03\x04");
    assert_error!(bad::<Limited>(b"\x03\0\0\0abc\0"), 0, "a", ErrorKind::LengthLimit { length: 3, max: 2 });
    let e = bad::<Limited>(b"\0\0\0\0\x05\x01\x02\x03\x04\x05");
    assert_error!(e, 4, "b", ErrorKind::LengthLimit { length: 5, max: 4 });
    let e = refused(&Limited { a: "abc".into(), b: vec![] });
    assert_error!(e, 0, "a", ErrorKind::LengthLimit { length: 3, max: 2 });
    let e = refused(&Limited { a: String::new(), b: vec![0; 5] });
    assert_error!(e, 4, "b", ErrorKind::LengthLimit { length: 5, max: 4 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Pair {
    a: u8,
    b: u16,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Region {
    #[binfmt(length_prefixed(u8, in = bytes))]
    pair: Pair,
    #[binfmt(length_prefixed(u16, in = bytes))]
    numbers: Vec<u16>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    text: String,
    #[binfmt(length_prefixed(u8, in = bytes))]
    nothing: (),
    #[binfmt(length_prefixed(u8, in = elements))]
    counted: Vec<u16>,
}

#[test]
fn a_region_is_used_up_exactly() {
    let value = Region {
        pair: Pair { a: 1, b: 2 },
        numbers: vec![3, 4],
        text: "x".into(),
        nothing: (),
        counted: vec![5],
    };
    same(&value, b"\x03\x01\x02\0\x04\0\x03\0\x04\0\x01x\0\x01\x05\0");
    let e = bad::<Region>(b"\x04\x01\x02\0\x09");
    assert_error!(e, 4, "pair", ErrorKind::UnconsumedRegion { count: 1 });
    let e = bad::<Region>(b"\x02\x01\x02\0\0\0\0\0");
    assert_error!(e, 2, "pair.b", ErrorKind::RegionEnd { needed: 2, remaining: 1 });
    assert!(!e.is_incomplete());
    let e = bad::<Region>(b"\x03\x01\x02\0\x03\0\x03\0\x04\0\0\0");
    assert_error!(e, 8, "numbers[1]", ErrorKind::RegionEnd { needed: 2, remaining: 1 });
    let e = bad::<Region>(b"\x03\x01\x02\0\0\0\0\x01\x09\0");
    assert_error!(e, 8, "nothing", ErrorKind::UnconsumedRegion { count: 1 });
    let [slice, stream] = short::<Region>(b"\x03\x01");
    assert!(slice.is_incomplete() && stream.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq)]
struct RegionOptions {
    #[binfmt(length_prefixed(u8, in = bytes, inclusive, max = 6))]
    numbers: Vec<u16>,
}

#[test]
fn a_region_with_limit_and_inclusive_length() {
    same(&RegionOptions { numbers: vec![1, 2] }, &[5, 1, 0, 2, 0]);
    same(&RegionOptions { numbers: vec![1, 2, 3] }, &[7, 1, 0, 2, 0, 3, 0]);
    let e = refused(&RegionOptions { numbers: vec![0; 4] });
    assert_error!(e, 0, "numbers", ErrorKind::LengthLimit { length: 8, max: 6 });
    let e = bad::<RegionOptions>(&[9, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_error!(e, 0, "numbers", ErrorKind::LengthLimit { length: 8, max: 6 });
    assert_error!(bad::<RegionOptions>(&[0]), 0, "numbers", ErrorKind::InvalidLength { found: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Deep {
    #[binfmt(length_prefixed(u8, in = bytes))]
    outer: Middle,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Middle {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Pair,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

#[test]
fn regions_nest() {
    let value = Deep { outer: Middle { inner: Pair { a: 1, b: 2 }, rest: vec![7, 8] }, last: 9 };
    same(&value, &[6, 3, 1, 2, 0, 7, 8, 9]);
    let [slice, stream] = short::<Deep>(&[3, 3, 1, 2, 0, 9]);
    assert_eq!((slice.offset(), slice.path().to_string().as_str()), (Some(1), "outer.inner"));
    assert_error!(stream, 2, "outer.inner", ErrorKind::RegionEnd { needed: 3, remaining: 2 });
    // more input would not help: the region before it is what is too short
    assert!(!slice.is_incomplete() && !stream.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Unwanted {
    id: u8,
    #[binfmt(length_prefixed(u8))]
    extra: Ignored,
    n: u8,
}

#[test]
fn ignored_bytes_are_stepped_over() {
    crate::support::wire::reads(&Unwanted { id: 1, extra: Ignored, n: 2 }, &[1, 3, 9, 9, 9, 2]);
    same(&Unwanted { id: 1, extra: Ignored, n: 2 }, &[1, 0, 2]);
    let [slice, _] = short::<Unwanted>(&[1, 3, 9]);
    assert_error!(slice, 1, "extra", ErrorKind::CountTooLarge { count: 3, .. });
}

/// Each count is a field that nothing fills in.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Untied {
    items: u8,
    bytes: u8,
    text: u8,
    nul: u8,
    trim: u8,
    region: u8,
    loose: u8,
    each: u8,
    flag: bool,
    #[binfmt(count = items)]
    a: Vec<u16>,
    #[binfmt(count = bytes)]
    b: Vec<u8>,
    #[binfmt(count = text)]
    c: String,
    #[binfmt(count = nul, nul)]
    d: String,
    #[binfmt(count = trim, trim = b' ')]
    e: String,
    #[binfmt(region = region)]
    f: Vec<u16>,
    #[binfmt(region(loose, rest = skip), count = 1)]
    g: Vec<u16>,
    #[binfmt(each((0..*each).map(|_| ())))]
    h: Vec<u8>,
    #[binfmt(if(*flag))]
    i: Option<u8>,
}

/// No value is written whose counts are not those that are read back, so there is no lint for them.
#[test]
fn a_count_that_nothing_fills_in_is_held_to() {
    let right = Untied {
        items: 1,
        bytes: 1,
        text: 1,
        nul: 2,
        trim: 1,
        region: 2,
        loose: 3,
        each: 1,
        flag: true,
        a: vec![7],
        b: vec![7],
        c: "c".into(),
        d: "d".into(),
        e: "e".into(),
        f: vec![7],
        g: vec![7],
        h: vec![7],
        i: Some(7),
    };
    let bytes = binfmt::to_vec(&right).unwrap();
    assert_eq!(binfmt::from_slice::<Untied>(&bytes).unwrap(), right);
    type Change = (&'static str, fn(&mut Untied));
    let wrong: [Change; 9] = [
        ("a", |v| v.items = 2),
        ("b", |v| v.bytes = 0),
        ("c", |v| v.text = 2),
        ("d", |v| v.nul = 0),
        ("e", |v| v.trim = 0),
        ("f", |v| v.region = 4),
        ("g", |v| v.loose = 1),
        ("h", |v| v.each = 2),
        ("i", |v| v.flag = false),
    ];
    for (path, change) in wrong {
        let mut value = right.clone();
        change(&mut value);
        let e = refused(&value);
        assert_eq!(e.path().to_string(), path, "{e}");
    }
}
