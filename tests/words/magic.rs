//! `magic`: bytes that must be there, before a struct or before a field.

use crate::support::wire::{assert_error, bad, lent, same, same_be};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Describe, ErrorKind, Layout, Options};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, magic = b"RIFF")]
struct File {
    n: u16,
}

#[test]
fn magic_bytes_of_a_container() {
    same(&File { n: 1 }, b"RIFF\x01\0");
    assert_eq!(File::FACTS.sizes().exact(), Some(6));
    let e = bad::<File>(b"RIFX\x01\0");
    assert_error!(e, 0, "magic", ErrorKind::Magic { expected, found } if expected == b"RIFF" && found == b"RIFX");
    let e = bad::<File>(b"RI");
    assert_error!(e, 0, "magic", ErrorKind::UnexpectedEnd { needed: 4, remaining: 2 });
    let e = bad::<File>(b"RIFF\x01");
    assert_error!(e, 4, "n", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
}

const VERSION: u16 = 0x102;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = 0x0A0B0C0Du32)]
struct Numbers {
    #[binfmt(magic = b'x')]
    a: u8,
    #[binfmt(magic = VERSION)]
    b: u8,
    #[binfmt(magic = [1, 2])]
    c: u8,
    #[binfmt(magic = -1i16)]
    d: u8,
    #[binfmt(magic = b"END")]
    end: (),
}

#[test]
fn magic_numbers_follow_the_byte_order() {
    let value = Numbers { a: 1, b: 2, c: 3, d: 4, end: () };
    same(&value, b"\x0d\x0c\x0b\x0ax\x01\x02\x01\x02\x01\x02\x03\xff\xff\x04END");
    same_be(&value, b"\x0a\x0b\x0c\x0dx\x01\x01\x02\x02\x01\x02\x03\xff\xff\x04END");
    let e = bad::<Numbers>(b"\x0a\x0b\x0c\x0dx\x01\x01\x02\x02\x01\x02\x03\xff\xff\x04END");
    assert_error!(e, 0, "magic", ErrorKind::Magic { expected, found } if expected == b"\x0d\x0c\x0b\x0a" && found == b"\x0a\x0b\x0c\x0d");
    let e = bad::<Numbers>(b"\x0d\x0c\x0b\x0ay\x01\x02\x01\x02\x01\x02\x03\xff\xff\x04END");
    assert_error!(e, 4, "a (magic)", ErrorKind::Magic { .. });
    let e = bad::<Numbers>(b"\x0d\x0c\x0b\x0ax\x01\x02\x01\x02\x01\x02\x03\xff\xff\x04EN!");
    assert_error!(e, 15, "end", ErrorKind::Magic { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"L")]
struct Lent<'a> {
    #[binfmt(magic = b"T", until_eof)]
    text: &'a str,
}

#[test]
fn magic_before_borrowed_data() {
    lent(&Lent { text: "ab" }, b"LTab");
    let e = binfmt::from_slice::<Lent<'_>>(b"Lxab").unwrap_err();
    assert_error!(e, 1, "text (magic)", ErrorKind::Magic { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"E")]
struct OnlyMagic;

#[derive(BinFormat, Debug, PartialEq)]
struct List {
    #[binfmt(length_prefixed(u8))]
    list: Vec<OnlyMagic>,
}

#[test]
fn a_struct_of_magic_alone() {
    same(&OnlyMagic, b"E");
    same(&List { list: vec![OnlyMagic, OnlyMagic] }, b"\x02EE");
    assert_error!(bad::<List>(b"\x02EX"), 2, "list[1].magic", ErrorKind::Magic { .. });
}

/// A type of a fixed size that is too short and another one is that first of all.
#[test]
fn a_wrong_magic_comes_before_the_end() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Fixed {
        n: u16,
        inner: Inner,
        end: u32,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(magic = b"RIFF")]
    struct Inner {
        size: u32,
    }
    let layout = <Fixed as Describe>::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for (bytes, text) in [
        (&b"\0\0RIFX"[..], "inner.magic at byte 0x2: expected the bytes \"RIFF\", found \"RIFX\""),
        (b"\0\0RX", "inner.magic at byte 0x2: expected the bytes \"RIFF\", found \"RX\""),
        (b"\0\0RI", "inner.magic at byte 0x2: 4 bytes needed, 2 remain"),
        (b"\0\0RIFF\0\0\0\0", "end at byte 0xa: 4 bytes needed, 0 remain"),
    ] {
        assert_eq!(binfmt::from_slice::<Fixed>(bytes).unwrap_err().to_string(), text);
        assert_eq!(binfmt::from_reader::<Fixed>(bytes).unwrap_err().to_string(), text);
        let e = binfmt::from_slice_with::<Value, _>(bytes, &options).unwrap_err();
        assert_eq!(e.to_string(), text);
    }
}
