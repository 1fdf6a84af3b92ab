//! `pad_before`, `pad_after`, `align_before`, `align_after`, `pad_to`, `reserved`, `fill`, `strict`.

use crate::support::wire::{assert_error, bad, lent, reads, refused, same, short};
use binfmt::{BinFormat, ErrorKind, Layout};

#[derive(BinFormat, Debug, PartialEq)]
struct Padded {
    #[binfmt(pad_before = 1)]
    a: u8,
    #[binfmt(pad_after = 2, fill = 0xCC)]
    b: u16,
    c: u8,
}

#[test]
fn pad_before_and_after() {
    let value = Padded { a: 1, b: 2, c: 3 };
    same(&value, &[0, 1, 2, 0, 0xCC, 0xCC, 3]);
    reads(&value, &[9, 1, 2, 0, 9, 9, 3]);
    assert_eq!(Padded::FACTS.sizes().exact(), Some(7));
    let e = bad::<Padded>(&[0, 1, 2, 0, 9]);
    assert_error!(e, 4, "b (padding)", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct StrictPadding {
    #[binfmt(pad_before = 1, pad_after = 1, strict, fill = 5)]
    a: u8,
}

#[test]
fn strict_padding_is_checked() {
    same(&StrictPadding { a: 1 }, &[5, 1, 5]);
    let e = bad::<StrictPadding>(&[5, 1, 6]);
    assert_error!(e, 2, "a (padding)", ErrorKind::Padding { expected: 5, found: 6 });
    let e = bad::<StrictPadding>(&[0, 1, 5]);
    assert_error!(e, 0, "a (padding)", ErrorKind::Padding { expected: 5, found: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Aligned {
    a: u8,
    #[binfmt(align_before = 4)]
    b: u16,
    #[binfmt(align_after = 8)]
    c: u8,
    d: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Holder {
    first: u8,
    inner: Aligned,
    last: u8,
}

#[test]
fn alignment_counts_from_the_container() {
    let value = || Aligned { a: 1, b: 2, c: 3, d: 4 };
    same(&value(), &[1, 0, 0, 0, 2, 0, 3, 0, 4]);
    reads(&value(), &[1, 9, 9, 9, 2, 0, 3, 9, 4]);
    same(&Holder { first: 7, inner: value(), last: 8 }, &[7, 1, 0, 0, 0, 2, 0, 3, 0, 4, 8]);
    let e = bad::<Aligned>(&[1, 0, 0]);
    assert_error!(e, 1, "b (alignment)", ErrorKind::UnexpectedEnd { needed: 3, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct AlignedText {
    #[binfmt(length_prefixed(u8), align_after = 4, fill = 0xFF, strict)]
    name: String,
    n: u8,
}

#[test]
fn alignment_behind_text_of_any_length() {
    same(&AlignedText { name: String::new(), n: 9 }, b"\0\xff\xff\xff\x09");
    same(&AlignedText { name: "ab".into(), n: 9 }, b"\x02ab\xff\x09");
    same(&AlignedText { name: "abc".into(), n: 9 }, b"\x03abc\x09");
    same(&AlignedText { name: "abcd".into(), n: 9 }, b"\x04abcd\xff\xff\xff\x09");
    let e = bad::<AlignedText>(b"\x02ab\0\x09");
    assert_error!(e, 3, "name (alignment)", ErrorKind::Padding { expected: 0xFF, found: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct AlignedAlready {
    a: u32,
    #[binfmt(align_before = 4)]
    b: u32,
}

#[test]
fn no_padding_where_the_place_is_right() {
    same(&AlignedAlready { a: 1, b: 2 }, &[1, 0, 0, 0, 2, 0, 0, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct PadTo {
    #[binfmt(length_prefixed(u8), pad_to = 8)]
    name: String,
    #[binfmt(pad_to = 4, fill = b' ', strict)]
    n: u16,
    last: u8,
}

#[test]
fn pad_to_is_exactly_so_long() {
    let value = PadTo { name: "hi".into(), n: 1, last: 9 };
    same(&value, b"\x02hi\0\0\0\0\0\x01\0  \x09");
    same(&PadTo { name: "1234567".into(), n: 1, last: 9 }, b"\x071234567\x01\0  \x09");
    assert_eq!(PadTo::FACTS.sizes().exact(), Some(13));
    let e = refused(&PadTo { name: "12345678".into(), n: 1, last: 9 });
    assert_error!(e, 0, "name", ErrorKind::TooLong { found: 9, max: 8 });
    let e = bad::<PadTo>(b"\x02hi\0\0\0\0\0\x01\0 x\x09");
    assert_error!(e, 11, "n", ErrorKind::Padding { expected: b' ', found: b'x' });
    let [slice, stream] = short::<PadTo>(b"\x0812345678\x01\0  \x09");
    assert!(!slice.is_incomplete() && !stream.is_incomplete(), "{slice}; {stream}");
    let e = bad::<PadTo>(b"\x02hi\0");
    assert_error!(e, 0, "name", ErrorKind::UnexpectedEnd { needed: 8, remaining: 4 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct PadToRef<'a> {
    #[binfmt(nul, pad_to = 8)]
    name: &'a str,
    #[binfmt(until_eof, pad_to = 2)]
    rest: &'a [u8],
}

#[test]
fn pad_to_round_borrowed_data() {
    lent(&PadToRef { name: "hi", rest: b"xy" }, b"hi\0\0\0\0\0\0xy");
    let e = binfmt::from_slice::<PadToRef<'_>>(b"hihihihixy").unwrap_err();
    assert_error!(e, 0, "name", ErrorKind::Unterminated { needed: 9, remaining: 8, in_region: true, .. });
    assert_eq!(e.to_string(), "name at byte 0x0: no NUL in the 8 bytes that remain in the region");
    assert!(!e.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Reserved {
    a: u8,
    #[binfmt(reserved(3))]
    later: (),
    #[binfmt(reserved(2), fill = 0xFF, strict)]
    ones: (),
    b: u8,
}

#[test]
fn reserved_bytes_have_no_value() {
    let value = Reserved { a: 1, later: (), ones: (), b: 2 };
    same(&value, &[1, 0, 0, 0, 0xFF, 0xFF, 2]);
    reads(&value, &[1, 7, 8, 9, 0xFF, 0xFF, 2]);
    let e = bad::<Reserved>(&[1, 0, 0, 0, 0xFF, 0, 2]);
    assert_error!(e, 5, "ones", ErrorKind::Padding { expected: 0xFF, found: 0 });
    let e = bad::<Reserved>(&[1, 0, 0]);
    assert_error!(e, 1, "later", ErrorKind::UnexpectedEnd { needed: 3, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Order {
    #[binfmt(align_before = 4, pad_before = 1, magic = b"M", pad_after = 1, align_after = 4)]
    a: u8,
    b: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Outer {
    x: u8,
    #[binfmt(align_before = 4, pad_before = 1, magic = b"M", pad_after = 1, align_after = 4)]
    a: u8,
}

#[test]
fn alignment_is_outermost() {
    same(&Order { a: 1, b: 2 }, &[0, b'M', 1, 0, 2]);
    same(&Outer { x: 5, a: 1 }, &[5, 0, 0, 0, 0, b'M', 1, 0]);
}

const WIDTH: usize = 4;

#[derive(BinFormat, Debug, PartialEq)]
struct Constants {
    #[binfmt(pad_before = WIDTH - 1)]
    a: u8,
    #[binfmt(pad_to = WIDTH)]
    b: u8,
    #[binfmt(reserved(WIDTH / 2))]
    c: (),
}

#[test]
fn constants_as_numbers() {
    same(&Constants { a: 1, b: 2, c: () }, &[0, 0, 0, 1, 2, 0, 0, 0, 0, 0]);
    assert_eq!(Constants::FACTS.sizes().exact(), Some(10));
}
