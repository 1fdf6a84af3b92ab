//! `tag(u8, bits(5, of = u56))`: enums whose tag is the first bits of a run, and each variant of which has the rest.

#![allow(clippy::unusual_byte_groupings, reason = "each group is a field")]

use crate::support::wire::{assert_error, bad, refused, same, same_be, short};
use binfmt::columns::Plan;
use binfmt::dump;
use binfmt::schema::{Describe, Description};
use binfmt::value::{Program, Value, ValueSeed};
use binfmt::{BinFormat, ErrorKind, Layout, Options, Tagged};
use serde::de::DeserializeSeed as _;

/// The message of an ADS-B squitter: five bits say what the other 51 are.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, tag(u8, bits(5, of = u56)), fingerprint)]
enum Message {
    #[binfmt(tag(1..=4))]
    Identification {
        tag: u8,
        #[binfmt(bits(3))]
        category: u8,
        #[binfmt(bits(48))]
        callsign: [u8; 6],
    },
    #[binfmt(tag(9..=18))]
    AirbornePosition {
        tag: u8,
        #[binfmt(bits(2))]
        surveillance: u8,
        #[binfmt(bits(1))]
        single_antenna: bool,
        #[binfmt(bits(12))]
        altitude: u16,
        #[binfmt(bits(1))]
        time: bool,
        #[binfmt(bits(1))]
        odd: bool,
        #[binfmt(bits(17))]
        latitude: u32,
        #[binfmt(bits(17))]
        longitude: u32,
    },
    #[binfmt(tag = 19)]
    AirborneVelocity {
        #[binfmt(bits(3))]
        subtype: u8,
        #[binfmt(bits(1))]
        intent_change: bool,
        #[binfmt(bits(1, reserved))]
        gap: (),
        #[binfmt(bits(3))]
        accuracy: u8,
        #[binfmt(bits(11))]
        east: i16,
        #[binfmt(bits(11))]
        north: i16,
        #[binfmt(bits(21))]
        vertical: u32,
    },
    #[binfmt(tag = 31)]
    OperationStatus(#[binfmt(bits(3))] Subtype, #[binfmt(bits(48, reserved))] ()),
    #[binfmt(other)]
    Other(u8, #[binfmt(bits(51))] u64),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8), fingerprint)]
enum Subtype {
    Airborne,
    Surface,
}

/// Downlink format 17: the message begins where a byte does, and so does a format that has no message.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, tag(u8, bits(5, of = u8)))]
enum Frame {
    #[binfmt(tag = 17)]
    ExtendedSquitter {
        #[binfmt(bits(3))]
        capability: u8,
        icao: [u8; 3],
        message: Message,
        parity: [u8; 3],
    },
    #[binfmt(tag = 11)]
    AllCallReply {
        #[binfmt(bits(3))]
        capability: u8,
        icao: [u8; 3],
        parity: [u8; 3],
    },
}

/// The same frame as one run: the message is 56 of its bits.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, fingerprint = 0x3473c7a39822a81d)]
struct InARun {
    #[binfmt(bits(5, of = u112))]
    format: u8,
    #[binfmt(bits(3))]
    capability: u8,
    #[binfmt(bits(24))]
    icao: u32,
    #[binfmt(bits(56))]
    message: Message,
    #[binfmt(bits(24))]
    parity: u32,
}

/// `8D40621D58C382D690C8AC2863A7` of "The 1090 Megahertz Riddle".
const POSITION: [u8; 14] =
    [0x8D, 0x40, 0x62, 0x1D, 0x58, 0xC3, 0x82, 0xD6, 0x90, 0xC8, 0xAC, 0x28, 0x63, 0xA7];

fn position() -> Message {
    Message::AirbornePosition {
        tag: 11,
        surveillance: 0,
        single_antenna: false,
        altitude: 0xC38,
        time: false,
        odd: false,
        latitude: 93000,
        longitude: 51372,
    }
}

fn frame() -> Frame {
    let icao = [0x40, 0x62, 0x1D];
    Frame::ExtendedSquitter { capability: 5, icao, message: position(), parity: [0x28, 0x63, 0xA7] }
}

#[test]
fn a_tag_of_five_bits() {
    same(&frame(), &POSITION);
    same(&position(), &POSITION[4..11]);
    let velocity = Message::AirborneVelocity {
        subtype: 1,
        intent_change: false,
        gap: (),
        accuracy: 2,
        east: -1,
        north: 5,
        vertical: 3,
    };
    let bits = 19u64 << 51 | 1 << 48 | 2 << 43 | 0x7FF << 32 | 5 << 21 | 3;
    same(&velocity, &bits.to_be_bytes()[1..]);
    same(&Message::OperationStatus(Subtype::Surface, ()), &[0b11111_001, 0, 0, 0, 0, 0, 0]);
    same(&Message::Other(30, 7), &[0b11110_000, 0, 0, 0, 0, 0, 7]);
    let reply = Frame::AllCallReply { capability: 7, icao: [1, 2, 3], parity: [4, 5, 6] };
    same(&reply, &[0b01011_111, 1, 2, 3, 4, 5, 6]);
    assert_eq!((position().tag(), velocity.tag(), reply.tag()), (11, 19, 11));
}

#[test]
fn inside_of_a_run() {
    let run = InARun { format: 17, capability: 5, icao: 0x40621D, message: position(), parity: 0x2863A7 };
    same(&run, &POSITION);
    assert_eq!(Message::FACTS.sizes().exact(), Some(7));
    assert_eq!(InARun::FACTS.sizes().exact(), Some(14));
}

#[test]
fn what_is_not_one_of_them() {
    let mut bytes = POSITION;
    bytes[0] = 0b10010_101;
    let e = bad::<Frame>(&bytes);
    assert_eq!(e.to_string(), "at byte 0x0: 18 is not a tag of Frame");
    bytes = POSITION;
    bytes[4] = 0b11111_010;
    assert_error!(bad::<Frame>(&bytes), 4, "message.0", ErrorKind::UnknownTag { .. });
    assert_error!(bad::<InARun>(&bytes), 0, "message.0", ErrorKind::UnknownTag { .. });
    let _ = short::<Message>(&POSITION[4..10]);
    // a tag of another variant, and one that has no room
    let e = refused(&Message::Other(19, 0));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { .. });
    assert_error!(refused(&Message::Other(32, 0)), 0, "", ErrorKind::BitOverflow { value: 32, bits: 5 });
    let wide = Message::Other(30, 1 << 51);
    assert_error!(refused(&wide), 0, "1", ErrorKind::BitOverflow { bits: 51, .. });
}

/// What a run-time value of the same layout is written as.
fn again<T: Describe>(bytes: &[u8]) -> (Value, Vec<u8>) {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
    let written = binfmt::to_vec_with(&value, &options).unwrap();
    (value, written)
}

#[test]
fn at_run_time() {
    for bytes in [POSITION, [17 << 3, 1, 2, 3, 30 << 3, 0, 0, 0, 0, 0, 9, 4, 5, 6]] {
        let (value, written) = again::<Frame>(&bytes);
        assert_eq!(written, bytes);
        assert_eq!(again::<InARun>(&bytes).1, bytes);
        let text = serde_json::to_string(&value).unwrap();
        let program = Program::new(&Frame::SCHEMA.description()).unwrap();
        let mut json = serde_json::Deserializer::from_str(&text);
        let read = ValueSeed::new(&program).deserialize(&mut json).unwrap();
        assert_eq!(read, value, "{text}");
    }
    let (value, _) = again::<Message>(&POSITION[4..11]);
    let Value::Variant { name, value } = value else { panic!("{value:?}") };
    assert_eq!(&*name, "AirbornePosition");
    assert_eq!(value.get("tag").and_then(Value::as_i128), Some(11));
    assert_eq!(value.get("latitude").and_then(Value::as_i128), Some(93000));
}

#[test]
fn as_a_schema() {
    let description = InARun::SCHEMA.description();
    let text = description.to_string();
    assert!(text.contains("choice, be, tag(u8, bits(5, of = u56))"), "{text}");
    assert!(text.contains("message: Message, bits(56)"), "{text}");
    let read: Description = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
    let json = serde_json::to_string(&description).unwrap();
    assert_eq!(serde_json::from_str::<Description>(&json).unwrap(), *description);
}

/// The lowest bit first, and another order of bytes: both are said with the tag.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u16, bits(5, of = u16, order = lsb), be))]
enum Unit {
    #[binfmt(tag = 5)]
    Parameters(#[binfmt(bits(10))] u16, #[binfmt(bits(1))] bool, u16),
    #[binfmt(tag = 6)]
    Nothing {
        #[binfmt(bits(11, reserved))]
        rest: (),
    },
}

#[test]
fn the_order_is_that_of_the_tag() {
    let unit = Unit::Parameters(0x155, true, 0x0102);
    let run = 0x8000u16 | 0x155 << 5 | 5;
    let bytes = run.to_be_bytes();
    same(&unit, &[bytes[0], bytes[1], 2, 1]);
    same_be(&unit, &[bytes[0], bytes[1], 1, 2]);
    same(&Unit::Nothing { rest: () }, &[0, 6]);
    let text = Unit::SCHEMA.to_string();
    let read: Description = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
    assert_eq!(again::<Unit>(&[bytes[0], bytes[1], 2, 1]).1, [bytes[0], bytes[1], 2, 1]);
}

#[test]
fn a_dump_names_the_tag() {
    let trace = dump::trace::<Frame>(&POSITION);
    assert!(trace.error().is_none());
    let shown = |path: &str| {
        let node = trace.nodes().find(|node| node.path() == path && !node.is_group());
        node.unwrap_or_else(|| panic!("no {path} in\n{trace}")).value().unwrap()
    };
    assert_eq!((shown("capability").as_str(), shown("message.latitude").as_str()), ("5", "93000"));
}

#[test]
fn every_changed_bit() {
    for i in 0..POSITION.len() * 8 {
        let mut bytes = POSITION;
        bytes[i / 8] ^= 0x80 >> (i % 8);
        let typed = binfmt::from_slice::<InARun>(&bytes);
        let program = Program::new(&InARun::SCHEMA.description()).unwrap();
        let options = Options::new().ctx(&program);
        let value: Result<Value, _> = binfmt::from_slice_with(&bytes, &options);
        assert_eq!(typed.is_ok(), value.is_ok());
        let (Ok(typed), Ok(value)) = (typed, value) else { continue };
        let written = binfmt::to_vec(&typed).unwrap();
        assert_eq!(binfmt::from_slice::<InARun>(&written).unwrap(), typed);
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), written);
    }
}

/// A unit of an H.264 stream: its kind is the low bits of the first byte.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8, bits(5, of = u8, order = lsb)))]
enum Nal {
    #[binfmt(tag = 7)]
    Sequence {
        #[binfmt(bits(2))]
        reference: u8,
        #[binfmt(bits(1, reserved), strict)]
        forbidden: (),
        profile: u8,
    },
    #[binfmt(other)]
    Other {
        tag: u8,
        #[binfmt(bits(2))]
        reference: u8,
        #[binfmt(bits(1, reserved), strict)]
        forbidden: (),
        #[binfmt(until_eof)]
        bytes: Vec<u8>,
    },
}

#[test]
fn a_tag_in_the_low_bits() {
    same(&Nal::Sequence { reference: 3, forbidden: (), profile: 100 }, &[0x67, 100]);
    same(&Nal::Other { tag: 1, reference: 2, forbidden: (), bytes: vec![9, 8] }, &[0x41, 9, 8]);
    assert_error!(bad::<Nal>(&[0xE7, 100]), 0, "forbidden", ErrorKind::Padding { .. });
}

#[test]
fn columns_of_variants() {
    let rows = [POSITION, [17 << 3, 1, 2, 3, 30 << 3, 0, 0, 0, 0, 0, 9, 4, 5, 6]].concat();
    let plan = Plan::new(&InARun::SCHEMA.description()).unwrap();
    let columns = plan.decode_with(&rows, &Options::new()).unwrap();
    assert_eq!(columns.num_rows(), 2);
    assert_eq!(plan.encode_with(&columns, &Options::new()).unwrap(), rows);
}

/// A tag with a sign, of which some bits are the lowest.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(i8, bits(3, of = u8)))]
enum Signed {
    #[binfmt(tag = -4)]
    Low(#[binfmt(bits(5))] u8),
    #[binfmt(tag = -1)]
    Minus(#[binfmt(bits(5))] u8),
    #[binfmt(tag(1..=3))]
    Some(i8, #[binfmt(bits(5))] u8),
    #[binfmt(other)]
    Rest(i8, #[binfmt(bits(5))] u8),
}

#[test]
fn tags_have_signs() {
    same(&Signed::Low(1), &[0b00001_100]);
    same(&Signed::Minus(31), &[0b11111_111]);
    same(&Signed::Some(3, 2), &[0b00010_011]);
    same(&Signed::Rest(-2, 0), &[0b00000_110]);
    let e = refused(&Signed::Rest(4, 0));
    assert!(matches!(e.kind(), ErrorKind::BitOverflow { value: 4, bits: 3 }), "{e}");
    let program = Program::new(&Signed::SCHEMA.description()).unwrap();
    let value: Value = binfmt::from_slice_with(&[0b11111_111], &Options::new().ctx(&program)).unwrap();
    assert!(matches!(&value, Value::Variant { name, .. } if name == "Minus"), "{value:?}");
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), [0b11111_111]);
}
