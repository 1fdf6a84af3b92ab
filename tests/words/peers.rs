//! Layouts of binrw's and deku's own tests (binrw 0.15.2, deku 0.20.3), one for each class of them that takes a word of its own.
//! The bytes and values are those of their tests.

#![allow(clippy::unusual_byte_groupings, reason = "each group is a field")]

use crate::support::wire::{assert_error, bad, refused, same, same_be, same_with};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Describe, ErrorKind, Layout, Options, Tagged, WithMagic};
use std::fmt;

/// What a run-time value of the same layout is written as.
fn again<T: Describe>(bytes: &[u8]) -> Vec<u8> {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let value: Value = binfmt::from_slice_with(bytes, &Options::new().ctx(&program)).unwrap();
    binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap()
}

/// The text of a layout says it.
fn as_text<T: Describe>() -> String {
    let (text, description) = (T::SCHEMA.to_string(), T::SCHEMA.description());
    let read: binfmt::schema::Description = text.parse().unwrap();
    assert_eq!(read.to_string(), description.to_string());
    text
}

// deku, bit_order.rs: structs and enums in a run of bits

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum FrameType {
    Management,
    Control,
    Data,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Flags {
    #[binfmt(bits(1, of = u8))]
    to_ds: bool,
    #[binfmt(bits(1))]
    from_ds: bool,
    #[binfmt(bits(5, reserved))]
    between: (),
    #[binfmt(bits(1))]
    order: bool,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct FrameControl {
    #[binfmt(bits(4, of = u16))]
    sub_type: u8,
    #[binfmt(bits(2))]
    protocol_version: u8,
    #[binfmt(bits(2))]
    frame_type: FrameType,
    #[binfmt(bits(8))]
    flags: Flags,
}

#[test]
fn a_run_in_a_run() {
    let flags = Flags { to_ds: true, from_ds: false, between: (), order: false };
    let frame = FrameControl { sub_type: 8, protocol_version: 0, frame_type: FrameType::Data, flags };
    same(&frame, &[0x88, 0x01]);
    assert_eq!(again::<FrameControl>(&[0x88, 0x81]), [0x88, 0x81]);
    assert!(as_text::<FrameControl>().contains("flags: Flags, bits(8)"), "{}", as_text::<FrameControl>());
    assert_error!(bad::<FrameControl>(&[0xC8, 0]), 0, "frame_type", ErrorKind::UnknownTag { .. });
}

/// The inner run has the order of the outer one, and may be shorter than its integer.
#[derive(BinFormat, Debug, PartialEq)]
struct Operands {
    #[binfmt(bits(2, of = u8, reserved))]
    rest: (),
    #[binfmt(bits(2))]
    i: u8,
    #[binfmt(bits(4))]
    o: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Word {
    #[binfmt(bits(4, of = u32))]
    kind: u8,
    #[binfmt(bits(6))]
    operands: Operands,
    #[binfmt(bits(16))]
    pair: [u8; 2],
    #[binfmt(bits(6))]
    last: i8,
}

#[test]
fn values_that_begin_inside_a_byte() {
    let operands = Operands { rest: (), i: 0b10, o: 0b0111 };
    let word = Word { kind: 0b1010, operands, pair: [0xAB, 0xCD], last: -1 };
    let bytes = 0b1010_1001_1110_1010_1111_0011_0111_1111u32.to_be_bytes();
    same(&word, &bytes);
    assert_eq!(again::<Word>(&bytes), bytes);
    as_text::<Word>();
    let e = refused(&Word { operands: Operands { rest: (), i: 4, o: 0 }, ..word });
    assert_error!(e, 0, "operands.i", ErrorKind::BitOverflow { value: 4, bits: 2 });
}

// deku, test_regression.rs (issue 292): a float and a number across bytes
#[derive(BinFormat, Debug, PartialEq)]
struct Across {
    #[binfmt(bits(2, of = u40))]
    first: u8,
    #[binfmt(bits(32))]
    float: f32,
    #[binfmt(bits(6))]
    last: u8,
}

#[test]
fn a_float_across_bytes() {
    let value = Across { first: 1, float: 1.5, last: 3 };
    let n = 1u64 | u64::from(1.5f32.to_bits()) << 2 | 3 << 34;
    same(&value, &n.to_le_bytes()[..5]);
    let n = 1u64 << 38 | u64::from(1.5f32.to_bits()) << 6 | 3;
    same_be(&value, &n.to_be_bytes()[3..]);
    assert_eq!(again::<Across>(&n.to_le_bytes()[..5]), n.to_le_bytes()[..5]);
}

// deku, bit_order.rs: a run of 88 bits
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Long {
    #[binfmt(bits(4, of = u88))]
    a: u16,
    #[binfmt(bits(11))]
    b: u16,
    #[binfmt(bits(13))]
    c: u16,
    #[binfmt(bits(10))]
    d: u16,
    #[binfmt(bits(8))]
    e: u16,
    #[binfmt(bits(9))]
    f: u16,
    #[binfmt(bits(9))]
    g: u16,
    #[binfmt(bits(8))]
    h: u16,
    #[binfmt(bits(7))]
    i: u16,
    #[binfmt(bits(9))]
    j: u16,
}

#[test]
fn a_run_of_eleven_bytes() {
    let bytes = [0x8B, 0xF3, 0xDC, 0x7B, 0x94, 0x38, 0x98, 0x42, 0x78, 0xB8, 0x5E];
    let value = Long { a: 11, b: 1848, c: 6073, d: 327, e: 226, f: 96, g: 133, h: 120, i: 56, j: 189 };
    same(&value, &bytes);
    assert_eq!(Long::FACTS.sizes().exact(), Some(11));
    assert_eq!(again::<Long>(&bytes), bytes);
    as_text::<Long>();
}

// deku, test_temp_value_with_cond.rs: bits that say which fields are there
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Presence {
    #[binfmt(bits(5, of = u8, reserved), strict)]
    spare: (),
    #[binfmt(bits(1), calc(bool = first.is_some()))]
    has_first: (),
    #[binfmt(bits(1), calc(bool = second.is_some()))]
    has_second: (),
    #[binfmt(bits(1), calc(u8 = 0))]
    more: (),
    #[binfmt(if(has_first))]
    first: Option<u32>,
    #[binfmt(if(*has_second))]
    second: Option<u32>,
}

#[test]
fn bits_that_are_computed() {
    let value =
        |first, second| Presence { spare: (), has_first: (), has_second: (), more: (), first, second };
    same(&value(Some(1), Some(2)), &[6, 0, 0, 0, 1, 0, 0, 0, 2]);
    same(&value(None, Some(2)), &[2, 0, 0, 0, 2]);
    same(&value(Some(1), None), &[4, 0, 0, 0, 1]);
    same(&value(None, None), &[0]);
    let e = bad::<Presence>(&[1]);
    assert_error!(e, 0, "more", ErrorKind::Computed { expected: 0, found: 1, .. });
    assert_eq!(again::<Presence>(&[2, 0, 0, 0, 2]), [2, 0, 0, 0, 2]);
    let text = as_text::<Presence>();
    assert!(text.contains("has_first: bool, bits(1), calc(bool = first.is_some())"), "{text}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Flag {
    #[binfmt(calc(bool = !text.is_empty()))]
    is_there: (),
    #[binfmt(until_eof)]
    text: String,
}

#[test]
fn a_flag_that_is_computed() {
    same(&Flag { is_there: (), text: "a".into() }, b"\x01a");
    same(&Flag { is_there: (), text: String::new() }, b"\0");
    let e = bad::<Flag>(b"\0a");
    assert_eq!(e.to_string(), "is_there at byte 0x0: expected 1 (`!text.is_empty()`), found 0");
}

// deku, test_catch_all.rs and test_enum.rs: unknown tags, which are written as one

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Remapped {
    #[binfmt(tag = 1)]
    A,
    #[binfmt(tag = 3, other)]
    C,
    #[binfmt(tag = 2)]
    B,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag([u8; 2]))]
enum Named {
    #[binfmt(tag = b"ab")]
    Ab(u8),
    #[binfmt(other, tag = b"??")]
    Other {
        #[binfmt(length_prefixed(u8))]
        bytes: Vec<u8>,
    },
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct InBits {
    #[binfmt(bits(3, of = u8))]
    inner: Remapped,
    #[binfmt(bits(5))]
    rest: u8,
}

#[test]
fn other_tags_are_written_as_one() {
    for (value, tag) in [(Remapped::A, 1), (Remapped::B, 2), (Remapped::C, 3)] {
        same(&value, &[tag]);
        assert_eq!(value.tag(), tag);
    }
    let read: Remapped = binfmt::from_slice(&[10]).unwrap();
    assert_eq!((read, binfmt::to_vec(&read).unwrap()), (Remapped::C, vec![3]));
    same(&Named::Other { bytes: vec![7] }, b"??\x01\x07");
    assert_eq!(binfmt::from_slice::<Named>(b"xy\x01\x07").unwrap(), Named::Other { bytes: vec![7] });
    assert_eq!(binfmt::from_slice::<InBits>(&[0b101_00101]).unwrap(), InBits { inner: Remapped::C, rest: 5 });
    same(&InBits { inner: Remapped::B, rest: 5 }, &[0b010_00101]);
    // a value at run time keeps the tag that was read
    for bytes in [[10], [3], [1]] {
        assert_eq!(again::<Remapped>(&bytes), bytes);
    }
    assert!(as_text::<Remapped>().contains("3 | _ => C"), "{}", as_text::<Remapped>());
}

// binrw, derive/struct.rs: an expression that may fail, whose error comes back

#[derive(Debug, PartialEq)]
struct TooLong(usize);

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is too long", self.0)
    }
}

impl std::error::Error for TooLong {}

fn short(len: usize) -> Result<u16, TooLong> {
    u16::try_from(len).ok().filter(|n| *n < 4).ok_or(TooLong(len))
}

fn even(len: usize) -> Result<bool, &'static str> {
    if len < 3 { Ok(len & 1 == 0) } else { Err("neither") }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tried {
    n: u8,
    #[binfmt(calc(u16 = short(text.len())? * 2 + 1))]
    size: (),
    #[binfmt(calc(bool = even(text.len())?))]
    is_even: (),
    #[binfmt(count = (size - 1) / 2)]
    text: String,
}

#[test]
fn what_is_computed_may_fail() {
    let value = |text: &str| Tried { n: 9, size: (), is_even: (), text: text.into() };
    same(&value("ab"), b"\x09\x05\0\x01ab");
    let e = refused(&value("abcde"));
    assert_eq!(e.to_string(), "size at byte 0x0: 5 is too long");
    assert_eq!(e.downcast_ref::<TooLong>(), Some(&TooLong(5)));
    assert_eq!(refused(&value("abc")).to_string(), "is_even at byte 0x0: neither");
    let e = bad::<Tried>(b"\x09\x0b\0\x01abcde");
    assert_eq!(
        (e.to_string(), e.downcast_ref()),
        ("size at byte 0x1: 5 is too long".into(), Some(&TooLong(5)))
    );
}

// binrw, meta.rs: the magic as a constant

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"TEST")]
struct Plain;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be, magic = 0x123i16, tag(u8))]
enum Numbered<T> {
    One(T),
}

#[test]
fn a_magic_is_a_constant() {
    assert_eq!((&Plain::MAGIC, Numbered::<u8>::MAGIC), (b"TEST", 0x123));
    same(&Numbered::One(5u8), &[1, 0x23, 0, 5]);
}

// binrw, named_args.rs and derive/struct.rs; deku, test_ctx.rs: contexts with defaults
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(n: u8 = 1, m: u8 = 2))]
struct TopLevel {
    #[binfmt(if(n == 1))]
    a: Option<u8>,
    #[binfmt(if(m == 1))]
    b: Option<u8>,
}

#[test]
fn contexts_with_defaults() {
    same(&TopLevel { a: Some(0xFF), b: None }, &[0xFF]);
    same_with(&TopLevel { a: Some(1), b: Some(2) }, &[1, 2], &Options::new().ctx((1, 1)));
    assert_eq!(again::<TopLevel>(&[0xFF]), [0xFF]);
}

// deku, test_enum.rs: a tag of two bits, and fields that go on after it

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be, tag(u8, bits(2, of = u8)))]
enum IdPatBits {
    #[binfmt(tag = 1)]
    A(#[binfmt(bits(6))] u8),
    #[binfmt(other)]
    B(u8, #[binfmt(bits(6))] u8),
}

// deku, test_to_bits.rs: the last byte is filled
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be, tag(u8, bits(4, of = u8)))]
enum FourBits {
    #[binfmt(tag = 0b1010)]
    VarA(#[binfmt(bits(4, reserved))] ()),
}

#[test]
fn a_tag_of_some_bits() {
    same(&IdPatBits::B(0b11, 0b00_1111), &[0b1100_1111]);
    same(&IdPatBits::A(1), &[0b0100_0001]);
    assert_eq!(IdPatBits::FACTS.sizes().exact(), Some(1));
    assert_eq!(again::<IdPatBits>(&[0b1100_1111]), [0b1100_1111]);
    as_text::<IdPatBits>();
    same(&FourBits::VarA(()), &[0b1010_0000]);
}

// deku, test_regression.rs (issue 224): an enum with data inside a run. The lowest bit is first, so that what its bits leave of its
// bytes comes after it.

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum One {
    Start,
    Go,
    Stop,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8, bits(4, of = u24, order = lsb)))]
enum Two {
    Put(#[binfmt(bits(6))] Op1, #[binfmt(bits(14, reserved))] ()),
    Store(#[binfmt(bits(6))] Op1, #[binfmt(bits(14, reserved))] ()),
    Load(#[binfmt(bits(14))] Op2, #[binfmt(bits(6, reserved))] ()),
    Allocate(#[binfmt(bits(14))] Op2, #[binfmt(bits(6, reserved))] ()),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Op1 {
    #[binfmt(bits(2, of = u8, order = lsb))]
    i: u8,
    #[binfmt(bits(4))]
    o: u8,
    #[binfmt(bits(2, reserved))]
    rest: (),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Op2 {
    #[binfmt(bits(8, of = u16, order = lsb))]
    w: u8,
    #[binfmt(bits(6))]
    j: u8,
    #[binfmt(bits(2, reserved))]
    rest: (),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Data {
    #[binfmt(bits(2, of = u24, order = lsb))]
    one: One,
    #[binfmt(bits(18))]
    two: Two,
    #[binfmt(bits(4, reserved))]
    rest: (),
}

#[test]
fn an_enum_with_data_in_a_run() {
    let load = Two::Load(Op2 { w: 1, j: 2, rest: () }, ());
    same(&Data { one: One::Start, two: load, rest: () }, &[0x48, 0x80, 0]);
    assert_eq!(again::<Data>(&[0x48, 0x80, 0]), [0x48, 0x80, 0]);
    as_text::<Data>();
    let store = Two::Store(Op1 { i: 3, o: 15, rest: () }, ());
    same(&Data { one: One::Go, two: store, rest: () }, &[0b11_0001_01, 0b1111, 0]);
    assert_error!(bad::<Data>(&[0b11_1111_01, 0, 0]), 0, "two", ErrorKind::UnknownTag { .. });
}

// deku, test_to_slice.rs, test_to_bits.rs, test_bit_container_size.rs: the last byte is not full

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Over {
    #[binfmt(bits(4, of = u16))]
    a: u8,
    #[binfmt(bits(4))]
    b: u8,
    #[binfmt(bits(1))]
    c: u8,
    #[binfmt(bits(7, reserved))]
    rest: (),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Unaligned {
    a: u8,
    #[binfmt(bits(3, of = u32))]
    b: u8,
    #[binfmt(bits(8))]
    c: u8,
    #[binfmt(bits(12))]
    d: u16,
    #[binfmt(bits(8))]
    e: u8,
    #[binfmt(bits(1, reserved))]
    rest: (),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Three {
    #[binfmt(bits(3, of = u8))]
    inner: u8,
    #[binfmt(bits(5, reserved))]
    rest: (),
}

#[test]
fn the_last_byte_is_filled() {
    same(&Over { a: 15, b: 1, c: 1, rest: () }, &[0xf1, 0x80]);
    same(&Three { inner: 0b111, rest: () }, &[0b1110_0000]);
    let bytes = [0x11, 0x22, 0x33, 0x44, 0x54];
    let value: Unaligned = binfmt::from_slice_with(&bytes, &Options::new()).unwrap();
    same(&value, &bytes);
    let e = refused(&Over { a: 0, b: 0b11111, c: 0, rest: () });
    assert_error!(e, 0, "b", ErrorKind::BitOverflow { value: 31, bits: 4 });
}
