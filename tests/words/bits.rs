//! `bits`: fields that are some bits of an integer.

use crate::support::wire::{assert_error, bad, refused, same, same_be, short};
use binfmt::dump;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Endian, ErrorKind, Layout, Options, TypedColumns};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Opcode {
    Query,
    Status = 2,
    #[binfmt(tag = 5)]
    Update,
}

/// The header of a DNS message.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Dns {
    id: u16,
    #[binfmt(bits(1, of = u16))]
    qr: bool,
    #[binfmt(bits(4))]
    opcode: Opcode,
    #[binfmt(bits(1))]
    aa: bool,
    #[binfmt(bits(1))]
    tc: bool,
    #[binfmt(bits(1))]
    rd: bool,
    #[binfmt(bits(1))]
    ra: bool,
    #[binfmt(bits(3, reserved))]
    z: (),
    #[binfmt(bits(4))]
    rcode: u8,
    qd: u16,
}

fn dns() -> Dns {
    Dns {
        id: 7,
        qr: true,
        opcode: Opcode::Update,
        aa: true,
        tc: false,
        rd: false,
        ra: true,
        z: (),
        rcode: 9,
        qd: 1,
    }
}

/// Integers of widths that no type has.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, fingerprint = 0xdaae83d44b6cda71)]
struct Odd {
    #[binfmt(bits(10, of = u24))]
    a: u16,
    #[binfmt(bits(14))]
    b: i16,
    #[binfmt(bits(31, of = u40), le)]
    c: u32,
    #[binfmt(bits(9))]
    d: u16,
    #[binfmt(bits(47, of = u48, order = lsb))]
    e: u64,
    #[binfmt(bits(1))]
    f: bool,
    #[binfmt(bits(4, of = u56, order = msb), le)]
    g: u8,
    #[binfmt(bits(52))]
    h: u64,
}

#[test]
fn runs_in_integers_of_any_width() {
    let value = Odd { a: 0x155, b: -2, c: 1, d: 0x1ff, e: 0x1234, f: true, g: 5, h: 0x7060504030201 };
    let bytes = [
        [0x55, 0x7f, 0xfe].as_slice(),
        &[1, 0, 0, 0x80, 0xff],
        &[0x80, 0, 0, 0, 0x12, 0x34],
        &[1, 2, 3, 4, 5, 6, 0x57],
    ]
    .concat();
    same(&value, &bytes);
    assert_eq!(Odd::FACTS.sizes().exact(), Some(21));
    for n in 0..bytes.len() {
        short::<Odd>(&bytes[..n]);
    }
    let e = refused(&Odd { h: 1 << 52, ..value });
    assert_error!(e, 14, "h", ErrorKind::BitOverflow { .. });
    // at run time, by the description and its text
    let text = Odd::SCHEMA.to_string();
    assert!(text.contains("a: u16, bits(10, of = u24)"), "{text}");
    for layout in [Odd::SCHEMA.description().into_owned(), text.parse().unwrap()] {
        let program = Program::new(&layout).unwrap();
        let options = Options::new().ctx(&program);
        let read: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&read, &options).unwrap(), bytes);
    }
}

#[test]
fn the_highest_bit_is_first_in_big_endian_order() {
    same(&dns(), &[0, 7, 0b1010_1100, 0b1000_1001, 0, 1]);
    assert_eq!(Dns::FACTS.sizes().exact(), Some(6));
    // reserved bits are ignored
    assert_eq!(binfmt::from_slice::<Dns>(&[0, 7, 0b1010_1100, 0b1111_1001, 0, 1]).unwrap(), dns());
}

#[test]
fn a_value_that_is_none_of_its_type() {
    let e = bad::<Dns>(&[0, 7, 0b1001_1100, 0, 0, 1]);
    assert_error!(e, 2, "opcode", ErrorKind::UnknownTag { .. });
    assert_eq!(e.to_string(), "opcode at byte 0x2: 3 is not a tag of Opcode");
    let e = refused(&Dns { rcode: 16, ..dns() });
    assert_error!(e, 2, "rcode", ErrorKind::BitOverflow { value: 16, bits: 4 });
    assert_eq!(e.to_string(), "rcode at byte 0x2: 16 does not fit in 4 bits");
    let [slice, stream] = short::<Dns>(&[0, 7, 1]);
    for e in [slice, stream] {
        assert_error!(e, 2, "qr", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Mixed {
    #[binfmt(bits(3, of = u32))]
    a: u8,
    #[binfmt(bits(12))]
    b: i16,
    #[binfmt(bits(17), range = 0..=70_000)]
    c: u32,
    #[binfmt(bits(4, of = u8, order = msb))]
    d: u8,
    #[binfmt(bits(4), map(decode = |n: u8| n + 1, encode = |n: &u8| *n - 1, as = u8))]
    e: u8,
    #[binfmt(bits(64, of = u64))]
    all: i64,
    #[binfmt(if(*a == 5))]
    more: Option<u8>,
}

fn mixed() -> Mixed {
    Mixed { a: 5, b: -2, c: 0x10001, d: 1, e: 3, all: -3, more: Some(8) }
}

#[test]
fn the_lowest_bit_is_first_in_little_endian_order() {
    let low = 5 | 0xffe << 3 | 0x10001u32 << 15;
    let bytes = [&low.to_le_bytes()[..], &[0x12], &(-3i64).to_le_bytes(), &[8]].concat();
    same(&mixed(), &bytes);
    let high = 5 << 29 | 0xffe << 17 | 0x10001u32;
    let bytes = [&high.to_be_bytes()[..], &[0x12], &(-3i64).to_be_bytes(), &[8]].concat();
    same_be(&mixed(), &bytes);
}

#[test]
fn every_value_that_does_not_fit_is_refused() {
    assert_error!(refused(&Mixed { a: 8, ..mixed() }), 0, "a", ErrorKind::BitOverflow { value: 8, bits: 3 });
    for b in [2048, -2049] {
        let e = refused(&Mixed { b, ..mixed() });
        assert_error!(e, 0, "b", ErrorKind::BitOverflow { bits: 12, .. });
    }
    for b in [2047, -2048] {
        let value = Mixed { b, ..mixed() };
        assert_eq!(binfmt::from_slice::<Mixed>(&binfmt::to_vec(&value).unwrap()).unwrap(), value);
    }
    assert_error!(refused(&Mixed { c: 70_001, ..mixed() }), 0, "c", _);
    assert_error!(refused(&Mixed { e: 18, ..mixed() }), 4, "e", ErrorKind::BitOverflow { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Packet {
    #[binfmt(tag = 1)]
    Flags {
        #[binfmt(be, bits(4, of = u16, order = lsb))]
        kind: u8,
        #[binfmt(bits(12))]
        len: u16,
    },
    #[binfmt(tag = 2)]
    Strict(#[binfmt(bits(7, of = u8, reserved), strict)] (), #[binfmt(bits(1))] bool),
}

#[test]
fn variants_have_runs() {
    same(&Packet::Flags { kind: 3, len: 0x123 }, &[1, 0x12, 0x33]);
    same(&Packet::Strict((), true), &[2, 0x80]);
    assert_error!(bad::<Packet>(&[2, 0x81]), 1, "0", ErrorKind::Padding { expected: 0, found: 1 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    id: u8,
    #[binfmt(bits(2, of = u8))]
    kind: u8,
    #[binfmt(bits(3, reserved))]
    gap: (),
    #[binfmt(bits(3))]
    opcode: Opcode,
}

#[test]
fn each_field_has_a_column() {
    let rows: Vec<Row> = (0..4)
        .map(|n| Row { id: n, kind: n, gap: (), opcode: if n > 1 { Opcode::Status } else { Opcode::Update } })
        .collect();
    let bytes = binfmt::encode_all(&rows).unwrap();
    assert_eq!(bytes, [0, 0xa0, 1, 0xa1, 2, 0x42, 3, 0x43]);
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.kind, [0, 1, 2, 3]);
    assert_eq!(columns.rows().collect::<Vec<Row>>(), rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

#[test]
fn at_run_time() {
    let program = Program::new(&Dns::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let bytes = [0, 7, 0b1010_1100, 0b1000_1001, 0, 1];
    let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
    assert_eq!(value.get("rcode").and_then(Value::as_i128), Some(9));
    assert_eq!(value.get("z"), None);
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    let program = Program::new(&Mixed::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program).endian(Endian::Big);
    let with = Options::new().endian(Endian::Big);
    let mixed = Mixed { e: 3, ..mixed() };
    let bytes = binfmt::to_vec_with(&mixed, &with).unwrap();
    let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
    assert_eq!(value.get("b").and_then(Value::as_i128), Some(-2));
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
}

#[test]
fn a_dump_names_each_field() {
    let trace = dump::trace::<Dns>(&[0, 7, 0b1010_1100, 0b1000_1001, 0, 1]);
    assert!(trace.error().is_none());
    let shown = |path: &str| {
        let node = trace.nodes().find(|node| node.path() == path && !node.is_group());
        node.unwrap_or_else(|| panic!("no {path} in\n{trace}")).value().unwrap()
    };
    assert_eq!(
        (shown("qr").as_str(), shown("opcode").as_str(), shown("rcode").as_str()),
        ("1, true", "5, Update", "9")
    );
}

#[test]
fn cut_and_changed() {
    let bytes = binfmt::to_vec(&mixed()).unwrap();
    for n in 0..bytes.len() {
        assert!(binfmt::from_slice::<Mixed>(&bytes[..n]).is_err());
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[n] ^= 1 << bit;
            if let Ok((value, rest)) = binfmt::from_prefix::<Mixed>(&changed) {
                let used = changed.len() - rest.len();
                assert_eq!(binfmt::to_vec(&value).unwrap(), changed[..used]);
            }
        }
    }
}
