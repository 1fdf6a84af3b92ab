//! What errors say: the exact line, and the same as data. A changed message is seen here.

use binfmt::{BinFormat, DecodeOwned, Encode, Error, ErrorKind, Nullable, Options, Step};
use std::fmt::Debug;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"FRAG")]
struct Fragment {
    version: u16,
    #[binfmt(length_prefixed(u8))]
    tile_offsets: Vec<u64>,
    #[binfmt(length_prefixed(u8, max = 8))]
    name: String,
    dense: bool,
    #[binfmt(nullable)]
    code: Nullable<u8>,
    #[binfmt(range = 1..=12)]
    month: u8,
    #[binfmt(skip(bytes = 2, strict))]
    kind: Kind,
    #[binfmt(length_prefixed(i8))]
    note: Vec<u8>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    level: (u8, u16),
    #[binfmt(length_prefixed(u8), nul)]
    label: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Kind {
    Empty,
    #[binfmt(tag = 7)]
    Named {
        #[binfmt(count = 2, nul)]
        text: String,
    },
}

const GOOD: &[u8] =
    b"FRAG\x03\0\x01\x09\0\0\0\0\0\0\0\x01n\x01\xff\x05\x0c\0\0\x07x\0\x01z\x03\x01\x02\0\x02l\0";

fn good() -> Fragment {
    Fragment {
        version: 3,
        tile_offsets: vec![9],
        name: "n".into(),
        dense: true,
        code: Nullable::Value(5),
        month: 12,
        kind: Kind::Named { text: "x".into() },
        note: b"z".to_vec(),
        level: (1, 2),
        label: "l".into(),
    }
}

/// The good bytes with one of them changed.
fn changed(place: usize, b: u8) -> Error {
    let mut bytes = GOOD.to_vec();
    bytes[place] = b;
    read::<Fragment>(&bytes)
}

fn read<T: DecodeOwned + Debug>(bytes: &[u8]) -> Error {
    binfmt::from_slice::<T>(bytes).expect_err("decoded")
}

fn write(change: impl FnOnce(&mut Fragment)) -> Error {
    let mut value = good();
    change(&mut value);
    binfmt::to_vec(&value).expect_err("encoded")
}

#[track_caller]
fn says(e: Error, text: &str) {
    assert_eq!(e.to_string(), text);
}

#[test]
fn the_good_bytes_are_good() {
    assert_eq!(binfmt::to_vec(&good()).unwrap(), GOOD);
    assert_eq!(binfmt::from_slice::<Fragment>(GOOD).unwrap(), good());
}

#[test]
fn messages_of_reading() {
    says(read::<Fragment>(&GOOD[..5]), "version at byte 0x4: 2 bytes needed, 1 remain");
    says(read::<Fragment>(&GOOD[..17]), "dense at byte 0x11: 1 byte needed, 0 remain");
    says(changed(0, b'f'), r#"magic at byte 0x0: expected the bytes "FRAG", found "fRAG""#);
    says(changed(0, 0), r#"magic at byte 0x0: expected the bytes "FRAG", found 00 52 41 47"#);
    says(changed(6, 9), "tile_offsets at byte 0x6: count 9 needs 72 bytes, 28 remain");
    says(changed(15, 9), "name at byte 0xf: length 9 exceeds the limit of 8");
    says(changed(16, 0xFF), "name at byte 0x10: invalid UTF-8 text");
    says(changed(17, 2), "dense at byte 0x11: 0x02 is not a bool, expected 0 or 1");
    says(
        changed(18, 0x80),
        "code at byte 0x12: presence byte 0x80 is neither 0xff (a value follows) nor a code of a missing value (0..=127)",
    );
    says(changed(20, 13), "month at byte 0x14: 13 is not in 1..=12");
    says(changed(22, 1), "kind (padding) at byte 0x16: padding byte 0x01, expected 0x00");
    says(changed(23, 9), "kind at byte 0x17: 9 is not a tag of Kind");
    says(changed(25, b'y'), "kind.text at byte 0x1a: text without its terminating NUL");
    says(changed(26, 0xFF), "note at byte 0x1a: -1 is not a valid length");
    says(changed(28, 4), "level at byte 0x20: 1 byte left over in the region");
    says(changed(28, 2), "level.1 at byte 0x1e: 2 bytes needed, 1 remain in the region");
    says(read::<Fragment>(&[GOOD, b"xy"].concat()), "at byte 0x23: 2 bytes after the value");
}

#[test]
fn messages_of_writing() {
    says(
        write(|v| v.tile_offsets = vec![0; 300]),
        "tile_offsets at byte 0x6: length 300 does not fit in its prefix, which holds at most 255",
    );
    says(write(|v| v.name = "123456789".into()), "name at byte 0xf: length 9 exceeds the limit of 8");
    says(
        write(|v| v.code = Nullable::Missing(128)),
        "code at byte 0x12: missing code 128 is outside 0..=127",
    );
    says(write(|v| v.month = 0), "month at byte 0x14: 0 is not in 1..=12");
    says(
        write(|v| v.kind = Kind::Named { text: "xy".into() }),
        "kind.text at byte 0x18: 3 bytes long, at most 2 fit",
    );
    says(
        write(|v| v.kind = Kind::Named { text: "\0".into() }),
        "kind.text at byte 0x18: NUL inside NUL-terminated text",
    );
    let e = binfmt::to_slice(&good(), &mut [0; 5]).unwrap_err();
    says(e, "magic at byte 0x0: 7 bytes of room needed, 5 remain in the output");
    let e = binfmt::to_slice(&good(), &mut [0; 17]).unwrap_err();
    says(e, "dense at byte 0x11: 7 bytes of room needed, 0 remain in the output");
}

#[derive(BinFormat, Debug)]
struct Rules {
    #[binfmt(len_of(v))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
    #[binfmt(if(*n > 1))]
    some: Option<u8>,
    #[binfmt(until = |n: &u8| *n == 0)]
    list: Vec<u8>,
    #[binfmt(assert(*last != 9, "nine is taken"))]
    last: u8,
    #[binfmt(length_prefixed(u8), text = ascii)]
    text: String,
}

#[test]
fn messages_of_rules() {
    let rules = |n, v: &[u8], some, list: &[u8], last, text: &str| {
        let value = Rules { n, v: v.to_vec(), some, list: list.to_vec(), last, text: text.into() };
        binfmt::to_vec(&value).expect_err("encoded")
    };
    says(
        rules(2, &[1], None, &[0], 0, ""),
        "n at byte 0x0: the layout requires a length of 1, the value has 2",
    );
    says(
        rules(2, &[1, 2], None, &[0], 0, ""),
        "some at byte 0x3: None, where the condition says that a value is present",
    );
    says(
        rules(1, &[1], Some(1), &[0], 0, ""),
        "some at byte 0x2: Some, where the condition says that no value is present",
    );
    says(
        rules(1, &[1], None, &[], 0, ""),
        "list at byte 0x2: `until` must hold for the last element and for no other",
    );
    says(rules(1, &[1], None, &[0], 9, ""), "last at byte 0x3: nine is taken");
    says(rules(1, &[1], None, &[0], 0, "é"), "text at byte 0x5: invalid ASCII text");
    says(read::<Rules>(&[0, 0, 9, 0]), "last at byte 0x2: nine is taken");
}

#[derive(BinFormat, Debug)]
struct Node {
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    next: Option<Box<Node>>,
}

#[derive(BinFormat, Debug)]
struct Empties {
    #[binfmt(length_prefixed(u32))]
    list: Vec<()>,
}

#[derive(BinFormat, Debug)]
#[binfmt(ctx(_i: u64))]
struct Nothing;

#[derive(BinFormat, Debug)]
struct Each {
    num: u64,
    #[binfmt(each(0..*num))]
    list: Vec<Nothing>,
}

#[derive(BinFormat, Debug)]
struct Wide {
    #[binfmt(length_prefixed(u64))]
    list: Vec<u64>,
}

#[test]
fn messages_of_limits() {
    let e = binfmt::from_slice_with::<Node, _>(&[1, 1, 1, 0], &Options::new().max_depth(2)).unwrap_err();
    says(e, "next.next.next at byte 0x3: nested deeper than 2 levels");
    let e = binfmt::from_slice::<Each>(&u64::MAX.to_le_bytes()).unwrap_err();
    says(
        e,
        "list at byte 0x8: length 65569 exceeds the limit of 65536 for elements of zero size, which no option raises",
    );
    let limit = "list at byte 0x0: length 4294967295 exceeds the limit of 65536 for elements of zero size, which no option raises";
    says(read::<Empties>(&[0xFF; 4]), limit);
    let e = read::<Wide>(&[0xFF; 8]);
    says(e, "list at byte 0x0: count 18446744073709551615 is larger than the input can hold, 0 bytes remain");
    let e = binfmt::from_reader::<Wide>(&[0xFF; 8][..]).unwrap_err();
    says(e, "list at byte 0x0: count 18446744073709551615 is larger than a program can hold");
    let options = Options::new().max_memory(10);
    let e = binfmt::from_slice_with::<Fragment, _>(GOOD, &options).unwrap_err();
    says(e, "kind.text at byte 0x18: 2 bytes of memory needed, the limit leaves 1");
}

#[test]
fn the_same_as_data() {
    let e = changed(6, 9);
    assert!(matches!(e.kind(), ErrorKind::CountTooLarge { count: 9, needed: 72, remaining: Some(28), .. }));
    assert_eq!((e.offset(), e.path().to_string().as_str()), (Some(6), "tile_offsets"));
    assert_eq!((e.is_incomplete(), e.needed()), (true, Some(44)));
    assert_eq!((e.expected().as_deref(), e.found().as_deref()), (Some("72 bytes"), Some("28 bytes")));
    assert_eq!(e.excerpt(GOOD).to_string(), "0x00000000  46 52 41 47 03 00>01 09 00 00 00 00 00 00 00 01");

    let e = changed(20, 13);
    assert_eq!((e.is_incomplete(), e.needed()), (false, None));
    assert_eq!((e.expected().as_deref(), e.found().as_deref()), (Some("1..=12"), Some("13")));
    assert_eq!(e.path().steps().collect::<Vec<_>>(), [&Step::Field("month")]);
    assert_eq!(e.excerpt(GOOD).to_string(), "0x0000000c  00 00 00 01 6e 01 ff 05>0c 00 00 07 78 00 01 7a");

    let e = changed(25, b'y');
    assert_eq!(e.path().steps().collect::<Vec<_>>(), [&Step::Field("kind"), &Step::Field("text")]);
    assert_eq!((e.expected(), e.found()), (None, None));

    let e = read::<Fragment>(&GOOD[..5]);
    assert_eq!((e.needed(), e.found().as_deref()), (Some(1), Some("1 byte")));
    assert_eq!(e.excerpt(&GOOD[..4]).to_string(), "0x00000000  46 52 41 47>end");
    assert!(format!("{e:?}").contains("UnexpectedEnd"));
    let io = std::io::Error::from(e);
    assert_eq!(io.kind(), std::io::ErrorKind::UnexpectedEof);
    assert_eq!(io.to_string(), "version at byte 0x4: 2 bytes needed, 1 remain");

    for (e, expected, found) in [
        (changed(0, 0), "\"FRAG\"", "00 52 41 47"),
        (changed(15, 9), "at most 8", "9"),
        (changed(16, 0xFF), "UTF-8", ""),
        (changed(17, 2), "0 or 1", "2"),
        (changed(18, 0x80), "0xff, or 0..=127 for missing", "0x80"),
        (changed(22, 1), "0x00", "0x01"),
        (changed(23, 9), "", "9"),
        (changed(26, 0xFF), "a length that is not negative", "-1"),
        (changed(28, 4), "", "1 byte"),
        (write(|v| v.tile_offsets = vec![0; 300]), "at most 255", "300"),
        (write(|v| v.code = Nullable::Missing(128)), "0..=127", "128"),
    ] {
        assert_eq!(e.expected().unwrap_or_default(), expected, "{e}");
        assert_eq!(e.found().unwrap_or_default(), found, "{e}");
        assert!(!e.is_incomplete(), "{e}");
    }
}

/// Fails on the third byte.
struct Broken(u8);

impl std::io::Read for Broken {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::Error::new(std::io::ErrorKind::TimedOut, "the line is dead"));
        }
        self.0 -= 1;
        out[0] = 7;
        Ok(1)
    }
}

#[test]
fn a_reader_that_fails() {
    let e = binfmt::from_reader::<(u8, u32)>(Broken(2)).unwrap_err();
    says(e, "0 at byte 0x2: the line is dead");
    let e = binfmt::from_reader::<(u8, u32)>(Broken(2)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Io(io) if io.kind() == std::io::ErrorKind::TimedOut));
    assert!(std::error::Error::source(&e).is_some_and(|source| source.to_string() == "the line is dead"));
    assert!(!e.is_incomplete());
    assert_eq!(std::io::Error::from(e).kind(), std::io::ErrorKind::TimedOut);
}

#[test]
fn paths_of_records() {
    let bytes = [GOOD, GOOD, &GOOD[..9]].concat();
    let e = binfmt::records::<Fragment>(&bytes).find_map(Result::err).unwrap();
    says(e, "[2].tile_offsets at byte 0x4c: count 1 needs 8 bytes, 2 remain");
    let e = binfmt::encode_all(&[good(), Fragment { month: 0, ..good() }]).unwrap_err();
    says(e, "[1].month at byte 0x37: 0 is not in 1..=12");
    assert_eq!(good().encoded_len(()).unwrap(), GOOD.len());
}
