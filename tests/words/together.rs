//! Words that meet in one struct, as real layouts have them: what each says alone still holds.

use crate::support::wire::{from_file, same, short, writes};
use binfmt::process::xor;
use binfmt::{BinFormat, DecodeOwned, Encode, Endian, Gaps};
use std::fmt::Debug;

/// A layout that goes back and forth, which a reader that only goes on cannot follow.
#[track_caller]
fn sought<T: DecodeOwned + Encode + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(&binfmt::from_slice::<T>(bytes).unwrap(), value);
    assert_eq!(&from_file::<T>(std::io::Cursor::new(bytes)).unwrap(), value);
    writes(value, bytes);
    for end in 0..bytes.len() {
        assert!(binfmt::from_slice::<T>(&bytes[..end]).is_err(), "{end}");
    }
}

/// What reads, but keeps not every byte, is written as bytes that read the same.
#[track_caller]
fn lossy<T: DecodeOwned + Encode + PartialEq + Debug>(value: &T, bytes: &[u8], written: &[u8]) {
    assert_eq!(&binfmt::from_slice::<T>(bytes).unwrap(), value);
    writes(value, written);
    assert_eq!(&binfmt::from_slice::<T>(written).unwrap(), value);
}

/// Runs of bits in integers of unusual widths, beside such integers.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Sensor {
    kind: u8,
    #[binfmt(bits(1, of = u8, order = lsb))]
    on: bool,
    #[binfmt(bits(3))]
    gain: u8,
    #[binfmt(bits(4))]
    channel: u8,
    #[binfmt(bits(10, of = u24, order = lsb))]
    low: u16,
    #[binfmt(bits(3))]
    mode: u8,
    #[binfmt(bits(11))]
    high: u16,
    #[binfmt(be)]
    offset: i16,
    #[binfmt(as = u40)]
    time: u64,
    #[binfmt(bits(31, of = u40))]
    count: u32,
    #[binfmt(bits(9))]
    check: u16,
}

#[test]
fn bits_of_three_and_five_bytes() {
    let sensor = Sensor {
        kind: 7,
        on: true,
        gain: 5,
        channel: 9,
        low: 0x2a5,
        mode: 3,
        high: 0x555,
        offset: -2,
        time: 0x01_0203_0405,
        count: 0x7fff_0001,
        check: 0x101,
    };
    let run: u64 = 0x2a5 | 3 << 10 | 0x555 << 13;
    let last: u64 = 0x7fff_0001 | 0x101 << 31;
    let mut bytes = vec![7, 0b1001_1011];
    bytes.extend(&run.to_le_bytes()[..3]);
    bytes.extend([0xff, 0xfe, 5, 4, 3, 2, 1]);
    bytes.extend(&last.to_le_bytes()[..5]);
    same(&sensor, &bytes);
}

/// Bits before fields that may be missing at the end.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Tail {
    #[binfmt(bits(20, of = u24, order = msb))]
    id: u32,
    #[binfmt(bits(4))]
    flags: u8,
    #[binfmt(optional_tail)]
    first: Option<u16>,
    #[binfmt(optional_tail)]
    second: Option<u16>,
}

/// The same struct in regions of two sizes.
#[derive(BinFormat, Debug, PartialEq)]
struct Tails {
    #[binfmt(region = 3)]
    none: Tail,
    #[binfmt(region = 5)]
    one: Tail,
    both: Tail,
}

#[test]
fn an_end_that_comes_early_in_a_region() {
    let tail = |first, second| Tail { id: 0xabcde, flags: 1, first, second };
    let all = Tails { none: tail(None, None), one: tail(Some(2), None), both: tail(Some(3), Some(4)) };
    let head = [0xab, 0xcd, 0xe1];
    same(&all, &[&head[..], &head, &[0, 2], &head, &[0, 3, 0, 4]].concat());
}

/// Entries that lead into what comes after the last of them.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Catalogue {
    #[binfmt(len_of(entries, u16))]
    num: (),
    #[binfmt(count = num, args(2 + 6 * num))]
    entries: Vec<Entry>,
    #[binfmt(until_eof)]
    names: Vec<Name>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(base: u16))]
struct Entry {
    offset: u16,
    weight: u32,
    #[binfmt(at(file) = base + offset, nul)]
    name: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(transparent)]
struct Name(#[binfmt(nul)] String);

#[test]
fn positions_that_count_from_another_struct() {
    let entry = |offset, weight, name: &str| Entry { offset, weight, name: name.into() };
    let file = Catalogue {
        num: (),
        entries: vec![entry(5, 9, "pear"), entry(0, 8, "plum"), entry(2, 7, "um")],
        names: ["plum", "pear"].map(|name| Name(name.into())).into(),
    };
    let mut bytes = vec![3, 0, 5, 0, 9, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 7, 0, 0, 0];
    bytes.extend(b"plum\0pear\0");
    sought(&file, &bytes);
}

/// A region with parts at places of its own, one in a smaller region, and what none of them describes.
#[derive(BinFormat, Debug, PartialEq)]
struct Boxed {
    #[binfmt(region = 12)]
    inside: Inside,
    after: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inside {
    #[binfmt(region(4, rest = skip))]
    front: Pair,
    next: u8,
    #[binfmt(at = 6)]
    far: u16,
    #[binfmt(at = 8, region(4, rest = skip))]
    last: Pair,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Pair {
    #[binfmt(at = 1)]
    has_value: u8,
    #[binfmt(if(*has_value > 0))]
    value: Option<u8>,
}

#[test]
fn parts_in_regions_in_regions() {
    let bytes = [3, 1, 0, 0, 5, 0, 7, 0, 4, 1, 0, 0, 9];
    let file: Boxed = binfmt::from_slice(&bytes).unwrap();
    let Inside { front, next, far, last, gaps } = &file.inside;
    assert_eq!((front.value, *next, *far, last.value, file.after), (Some(3), 5, 7, Some(4), 9));
    assert_eq!(gaps.list, []);
    sought(&file, &bytes);
    // the value is missing, its byte is that of the next part
    let file: Boxed = binfmt::from_slice(&[3, 0, 0, 0, 5, 6, 7, 0, 4, 1, 0, 0, 9]).unwrap();
    assert_eq!((file.inside.front.value, file.inside.gaps.list[0].offset), (None, 5));
}

/// Each in a byte order of its own, and a number that all lead to.
#[derive(BinFormat, Debug, PartialEq)]
struct Document {
    mark: [u8; 2],
    #[binfmt(endian = if *mark == *b"<<" { Endian::Little } else { Endian::Big })]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Body {
    size: u32,
    #[binfmt(at(file) = 2)]
    first: u16,
    nested: Nested,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Nested {
    a: u16,
    #[binfmt(region = 3, be, count = 1)]
    b: Vec<Odd>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Odd(u8, u16);

#[test]
fn an_order_that_is_inherited_and_overruled() {
    let of = |mark: &[u8; 2], first| {
        let nested = Nested { a: 0x0102, b: vec![Odd(1, 0x0203)] };
        Document { mark: *mark, body: Body { size: 0x0a0b_0c0d, first, nested } }
    };
    sought(&of(b"<<", 0x0c0d), b"<<\x0d\x0c\x0b\x0a\x02\x01\x01\x02\x03");
    sought(&of(b">>", 0x0a0b), b">>\x0a\x0b\x0c\x0d\x01\x02\x01\x02\x03");
}

/// Fields of a fixed size whose text ends early, and what fills them.
#[derive(BinFormat, Debug, PartialEq)]
struct Label {
    #[binfmt(count = 6, trim = b'.')]
    filled: String,
    #[binfmt(region(6, rest = skip), ends(b';', or_eof))]
    ended: String,
    #[binfmt(region(6, rest = skip), ends(b';', keep, or_eof), fill = b'-')]
    kept: Vec<u8>,
    #[binfmt(region = 6)]
    whole: Whole,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Whole {
    #[binfmt(ends(b';', or_eof))]
    text: String,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

#[test]
fn text_that_ends_in_a_region() {
    let label = |filled: &str, ended: &str, kept: &str, (text, rest): (&str, &str)| Label {
        filled: filled.into(),
        ended: ended.into(),
        kept: kept.into(),
        whole: Whole { text: text.into(), rest: rest.into() },
    };
    let written = b"ab....cd;\0\0\0ef;---gh;ijk";
    lossy(&label("ab", "cd", "ef;", ("gh", "ijk")), b"ab....cd;xyzef;uvwgh;ijk", written);
    same(&label("abcdef", "ghijk", "lmnop;", ("qrstu", "")), b"abcdefghijk;lmnop;qrstu;");
    // empty ones, and ends that are missing
    let written = b"......;\0\0\0\0\0;-----;hijkl";
    lossy(&label("", "", ";", ("", "hijkl")), b"......;12345;67890;hijkl", written);
}

/// A region whose bytes a function makes, with a key from an earlier field and from a list.
#[derive(BinFormat, Debug, PartialEq)]
struct Sealed {
    key: u8,
    #[binfmt(len_of(blocks, u8))]
    num: (),
    #[binfmt(count = num, args(*key))]
    blocks: Vec<Block>,
    #[binfmt(each(1..3u8))]
    numbered: Vec<Block>,
    #[binfmt(until_eof, process(decode = xor([*key]), encode = xor([*key])))]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(key: u8))]
struct Block {
    plain: u8,
    #[binfmt(region = 3, process(decode = xor([key]), encode = xor([key])))]
    body: Odd,
}

#[test]
fn processed_regions_with_keys() {
    let block = |plain| Block { plain, body: Odd(1, 0x0302) };
    let file = Sealed {
        key: 0x10,
        num: (),
        blocks: vec![block(9)],
        numbered: vec![block(8), block(7)],
        rest: vec![1, 2],
    };
    let bytes = [0x10, 1, 9, 0x11, 0x12, 0x13, 8, 0, 3, 2, 7, 3, 0, 1, 0x11, 0x12];
    same(&file, &bytes);
}

/// Sizes first, then as many texts; at last a list that leads on.
#[derive(BinFormat, Debug, PartialEq)]
struct Sizes {
    #[binfmt(len_of(sizes, u8))]
    num: (),
    #[binfmt(count = num)]
    sizes: Vec<u16>,
    #[binfmt(each(sizes.iter().copied()))]
    texts: Vec<Sized>,
    chain: Chain,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(n: u16))]
struct Sized(#[binfmt(count = n, text = ascii)] String);

#[derive(BinFormat, Debug, PartialEq)]
struct Chain {
    value: u8,
    #[binfmt(if(*value == 0xff))]
    next: Option<Box<Chain>>,
}

#[test]
fn sizes_before_what_they_count() {
    let file = Sizes {
        num: (),
        sizes: vec![1, 0, 3],
        texts: ["a", "", "bcd"].map(|text| Sized(text.into())).into(),
        chain: Chain { value: 0xff, next: Some(Box::new(Chain { value: 4, next: None })) },
    };
    let bytes = b"\x03\x01\0\0\0\x03\0abcd\xff\x04";
    same(&file, bytes);
    for e in short::<Sizes>(&bytes[..10]) {
        assert!(e.path().to_string().starts_with("texts[2]"), "{e}");
    }
}
