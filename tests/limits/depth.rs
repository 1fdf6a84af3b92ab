//! Values inside values, as deep as the limit allows and deeper, in a thread with a small stack: the limit is reached as
//! an error, with and without optimisation, for an enum of as many variants as MessagePack has.

use binfmt::dump::trace;
use binfmt::value::Value;
use binfmt::{BinFormat, Describe, ErrorKind, Options};

/// The stack of a thread: half of what Rust gives one, and what the first thread of a program has on Windows.
const STACK: usize = 1 << 20;

/// The limit where nobody sets another.
const LIMIT: usize = 128;

/// MessagePack, with one kind more, which is boxed.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be, tag(u8))]
enum Packed {
    #[binfmt(tag(0..=0x7f))]
    Positive { tag: u8 },
    #[binfmt(tag(0xe0..=0xff))]
    Negative { tag: u8 },
    #[binfmt(tag(0x80..=0x8f))]
    FixMap {
        tag: u8,
        #[binfmt(count = tag & 15)]
        pairs: Vec<(Packed, Packed)>,
    },
    #[binfmt(tag(0x90..=0x9f))]
    FixArray {
        tag: u8,
        #[binfmt(count = tag & 15)]
        items: Vec<Packed>,
    },
    #[binfmt(tag(0xa0..=0xbf))]
    FixText {
        tag: u8,
        #[binfmt(count = tag & 31)]
        text: String,
    },
    #[binfmt(tag = 0xc0)]
    Nil,
    #[binfmt(tag = 0xc1)]
    Boxed(Box<Packed>),
    #[binfmt(tag = 0xc2)]
    False,
    #[binfmt(tag = 0xc3)]
    True,
    #[binfmt(tag = 0xc4)]
    Bytes8(#[binfmt(length_prefixed(u8))] Vec<u8>),
    #[binfmt(tag = 0xc5)]
    Bytes16(#[binfmt(length_prefixed(u16))] Vec<u8>),
    #[binfmt(tag = 0xc6)]
    Bytes32(#[binfmt(length_prefixed(u32))] Vec<u8>),
    #[binfmt(tag = 0xc7)]
    Other8 {
        #[binfmt(len_of(data, auto))]
        len: u8,
        kind: i8,
        #[binfmt(count = len)]
        data: Vec<u8>,
    },
    #[binfmt(tag = 0xc8)]
    Other16 {
        #[binfmt(len_of(data, auto))]
        len: u16,
        kind: i8,
        #[binfmt(count = len)]
        data: Vec<u8>,
    },
    #[binfmt(tag = 0xc9)]
    Other32 {
        #[binfmt(len_of(data, auto))]
        len: u32,
        kind: i8,
        #[binfmt(count = len)]
        data: Vec<u8>,
    },
    #[binfmt(tag = 0xca)]
    F32(f32),
    #[binfmt(tag = 0xcb)]
    F64(f64),
    #[binfmt(tag = 0xcc)]
    U8(u8),
    #[binfmt(tag = 0xcd)]
    U16(u16),
    #[binfmt(tag = 0xce)]
    U32(u32),
    #[binfmt(tag = 0xcf)]
    U64(u64),
    #[binfmt(tag = 0xd0)]
    I8(i8),
    #[binfmt(tag = 0xd1)]
    I16(i16),
    #[binfmt(tag = 0xd2)]
    I32(i32),
    #[binfmt(tag = 0xd3)]
    I64(i64),
    #[binfmt(tag = 0xd4)]
    Fix1(i8, [u8; 1]),
    #[binfmt(tag = 0xd5)]
    Fix2(i8, [u8; 2]),
    #[binfmt(tag = 0xd6)]
    Fix4(i8, [u8; 4]),
    #[binfmt(tag = 0xd7)]
    Fix8(i8, [u8; 8]),
    #[binfmt(tag = 0xd8)]
    Fix16(i8, [u8; 16]),
    #[binfmt(tag = 0xd9)]
    Text8(#[binfmt(length_prefixed(u8))] String),
    #[binfmt(tag = 0xda)]
    Text16(#[binfmt(length_prefixed(u16))] String),
    #[binfmt(tag = 0xdb)]
    Text32(#[binfmt(length_prefixed(u32))] String),
    #[binfmt(tag = 0xdc)]
    Array16(#[binfmt(length_prefixed(u16))] Vec<Packed>),
    #[binfmt(tag = 0xdd)]
    Array32(#[binfmt(length_prefixed(u32))] Vec<Packed>),
    #[binfmt(tag = 0xde)]
    Map16(#[binfmt(length_prefixed(u16))] Vec<(Packed, Packed)>),
    #[binfmt(tag = 0xdf)]
    Map32(#[binfmt(length_prefixed(u32))] Vec<(Packed, Packed)>),
}

/// The ways to hold one value more: the bytes before it.
const WAYS: &[&[u8]] = &[
    &[0x91],
    &[0xc1],
    &[0xdc, 0, 1],
    &[0xdd, 0, 0, 0, 1],
    &[0x81, 0xc0],
    &[0xde, 0, 1, 0xc0],
    &[0xdf, 0, 0, 0, 1, 0xc0],
];

fn nested(way: &[u8], levels: usize) -> Vec<u8> {
    let mut bytes = way.repeat(levels);
    bytes.push(0xc0);
    bytes
}

/// Runs `check` for each way in a thread of its own with little stack.
fn for_each_way(check: fn(&'static [u8])) {
    for way in WAYS {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(move || check(way)).unwrap().join().unwrap();
    }
}

fn is_limit(result: binfmt::Result<Packed>) -> bool {
    result.is_err_and(|e| matches!(e.kind(), ErrorKind::DepthLimit { max: 128 }))
}

#[test]
fn a_derived_enum_reaches_its_limit() {
    for_each_way(|way| {
        let bytes = nested(way, LIMIT);
        let value: Packed = binfmt::from_slice(&bytes).unwrap();
        assert_eq!(binfmt::encoded_len(&value).unwrap(), bytes.len());
        assert_eq!(binfmt::to_vec(&value).unwrap(), bytes);
        let mut written = Vec::new();
        binfmt::to_writer(&value, &mut written).unwrap();
        assert_eq!(written, bytes);
        let again: Packed = binfmt::from_reader(&bytes[..]).unwrap();
        assert_eq!(again, value);
        drop(value);

        for levels in [LIMIT + 1, 100_000] {
            let bytes = nested(way, levels);
            assert!(is_limit(binfmt::from_slice(&bytes)), "{way:x?} {levels}");
            assert!(is_limit(binfmt::from_reader(&bytes[..])), "{way:x?} {levels}");
        }
    });
}

#[test]
fn a_trace_reaches_its_limit() {
    for_each_way(|way| {
        let traced = trace::<Packed>(&nested(way, LIMIT));
        assert!(traced.error().is_none());
        drop(traced.to_string());
        let traced = trace::<Packed>(&nested(way, 100_000));
        assert!(traced.error().is_some_and(|e| matches!(e.kind(), ErrorKind::DepthLimit { max: 128 })));
        drop(traced.to_string());
    });
}

#[test]
fn a_value_reaches_its_limit() {
    for_each_way(|way| {
        let description = Packed::SCHEMA.description();
        let options = Options::new().ctx(&*description);
        let read = |levels| binfmt::from_slice_with::<Value, _>(&nested(way, levels), &options);
        // a value has types between its values, which are levels too, and has a limit of them
        let levels = (1..=LIMIT).rev().find(|levels| read(*levels).is_ok()).unwrap();
        assert!(levels >= 50, "{way:x?} {levels}");
        let bytes = nested(way, levels);
        let value = read(levels).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
        assert_eq!(binfmt::encoded_len_with(&value, &options).unwrap(), bytes.len());
        assert_eq!(value.clone(), value);
        let streamed = binfmt::from_reader_with::<Value, _>(&bytes[..], &options).unwrap();
        assert_eq!(streamed, value);
        for levels in [levels + 1, 100_000] {
            let e = read(levels).unwrap_err();
            assert!(matches!(e.kind(), ErrorKind::DepthLimit { .. }), "{way:x?} {levels}: {e}");
        }
    });
}
