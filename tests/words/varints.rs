//! `as = leb128`, `sleb128`, `zigzag`, `vlq`, and forms of the user's own.

use crate::support::wire::{assert_error, bad, reads_with, refused, same, same_be, short};
use binfmt::dump::trace;
use binfmt::integer::IntegerForm;
use binfmt::{BinFormat, Describe, Error, ErrorKind, Layout, Options, Order, Sink, Source, TypedColumns};

macro_rules! forms {
    ($($name:ident $form:ident $t:ident;)*) => { $(
        #[derive(BinFormat, Debug, PartialEq)]
        struct $name {
            #[binfmt(as = $form)]
            n: $t,
        }
    )* };
}
forms! {
    Leb8 leb128 u8; Leb16 leb128 u16; Leb32 leb128 u32; Leb64 leb128 u64; Leb128 leb128 u128; LebSize leb128 usize;
    Sleb8 sleb128 i8; Sleb16 sleb128 i16; Sleb32 sleb128 i32; Sleb64 sleb128 i64; Sleb128 sleb128 i128;
    Zig8 zigzag i8; Zig32 zigzag i32; Zig64 zigzag i64; Zig128 zigzag i128;
    Vlq8 vlq u8; Vlq32 vlq u32; Vlq64 vlq u64; Vlq128 vlq u128;
}

/// The examples of the DWARF standard, figures 22 and 23 (version 5), and of Wikipedia.
#[test]
fn known_bytes() {
    for (n, bytes) in
        [(2, &[2][..]), (127, &[0x7f]), (128, &[0x80, 1]), (129, &[0x81, 1]), (12857, &[0xb9, 0x64])]
    {
        same(&Leb64 { n }, bytes);
        same_be(&Leb64 { n }, bytes);
    }
    same(&Leb32 { n: 624485 }, &[0xe5, 0x8e, 0x26]);
    for (n, bytes) in [
        (2, &[2][..]),
        (-2, &[0x7e]),
        (127, &[0xff, 0]),
        (-127, &[0x81, 0x7f]),
        (128, &[0x80, 1]),
        (-128, &[0x80, 0x7f]),
        (129, &[0x81, 1]),
        (-129, &[0xff, 0x7e]),
        (-123456, &[0xc0, 0xbb, 0x78]),
    ] {
        same(&Sleb64 { n }, bytes);
        same_be(&Sleb64 { n }, bytes);
    }
    // protobuf's table
    for (n, bytes) in
        [(0, &[0][..]), (-1, &[1]), (1, &[2]), (-2, &[3]), (i32::MAX, &[0xfe, 0xff, 0xff, 0xff, 0x0f])]
    {
        same(&Zig32 { n }, bytes);
    }
    same(&Zig32 { n: i32::MIN }, &[0xff, 0xff, 0xff, 0xff, 0x0f]);
    // the table of the MIDI file specification
    for (n, bytes) in [
        (0, &[0][..]),
        (0x40, &[0x40]),
        (0x7f, &[0x7f]),
        (0x80, &[0x81, 0]),
        (0x2000, &[0xc0, 0]),
        (0x3fff, &[0xff, 0x7f]),
        (0x4000, &[0x81, 0x80, 0]),
        (0x1f_ffff, &[0xff, 0xff, 0x7f]),
        (0x0fff_ffff, &[0xff, 0xff, 0xff, 0x7f]),
    ] {
        same(&Vlq32 { n }, bytes);
    }
}

/// Around each boundary of a byte and of the type, for every width.
#[test]
fn there_and_back() {
    macro_rules! check {
        ($($name:ident $t:ident;)*) => { $(
            for shift in 0..$t::BITS {
                for low in [-2i128, -1, 0, 1] {
                    for n in [(1i128 << shift).wrapping_add(low), (-1i128 << shift).wrapping_add(low)] {
                        let n = n as $t;
                        for n in [n, !n] {
                            let bytes = binfmt::to_vec(&$name { n }).unwrap();
                            assert_eq!(binfmt::encoded_len(&$name { n }).unwrap(), bytes.len());
                            assert_eq!(binfmt::from_slice::<$name>(&bytes).unwrap(), $name { n }, "{bytes:02x?}");
                            assert_eq!(binfmt::from_reader::<$name>(&bytes[..]).unwrap(), $name { n });
                            let sizes = $name::FACTS.sizes();
                            assert!(sizes.min <= bytes.len() && bytes.len() <= sizes.max, "{n}");
                            // each byte of it is needed
                            for k in 0..bytes.len() {
                                assert!(binfmt::from_slice::<$name>(&bytes[..k]).unwrap_err().is_incomplete());
                            }
                        }
                    }
                }
            }
            let longest = [$t::MIN, $t::MAX].map(|n| binfmt::encoded_len(&$name { n }).unwrap());
            assert_eq!($name::FACTS.sizes().max, longest[0].max(longest[1]), stringify!($name));
        )* };
    }
    check! {
        Leb8 u8; Leb16 u16; Leb32 u32; Leb64 u64; Leb128 u128; LebSize usize;
        Sleb8 i8; Sleb16 i16; Sleb32 i32; Sleb64 i64; Sleb128 i128;
        Zig8 i8; Zig32 i32; Zig64 i64; Zig128 i128;
        Vlq8 u8; Vlq32 u32; Vlq64 u64; Vlq128 u128;
    }
}

/// Every input of up to three bytes: what is read is what is written, and everything else is an error.
#[test]
fn one_form_each() {
    // of three bytes some: all take half a minute in a build that is not optimised
    let step = if cfg!(debug_assertions) { 5 } else { 1 };
    let all = || (0..1 << 16).chain((1u32 << 16..1 << 24).step_by(step));
    macro_rules! check {
        ($($name:ident)*) => { $(
            for n in all() {
                let bytes = n.to_le_bytes();
                // where the first byte ends it, once is enough
                if bytes[0] < 0x80 && n > 0xff || bytes[1] < 0x80 && n > 0xffff {
                    continue;
                }
                if let Ok((value, rest)) = binfmt::from_prefix::<$name>(&bytes[..3]) {
                    let read = &bytes[..3 - rest.len()];
                    assert_eq!(binfmt::to_vec(&value).unwrap(), read);
                }
            }
        )* };
    }
    check! { Leb16 Sleb16 Zig8 Vlq8 Leb32 Sleb32 Vlq32 }
}

#[test]
fn padding_is_refused_unless_asked_for() {
    let lenient = Options::new().padded_integers(true);
    let padded: &[&[u8]] = &[&[0x80, 0], &[0x85, 0x80, 0], &[0x85, 0x80, 0x80, 0x80, 0x00]];
    for bytes in padded {
        let e = bad::<Leb32>(bytes);
        assert_error!(e, 0, "n", ErrorKind::PaddedInteger { form: "leb128" });
        assert!(!e.is_incomplete());
        reads_with(&Leb32 { n: u32::from(bytes[0] & 0x7f) }, bytes, &lenient);
    }
    assert_eq!(
        bad::<Leb32>(padded[0]).to_string(),
        "n at byte 0x0: leb128 with more bytes than the integer needs"
    );
    for (n, bytes) in [(-1, &[0xff, 0x7f][..]), (1, &[0x81, 0]), (-2, &[0xfe, 0xff, 0xff, 0xff, 0x7f])] {
        assert_error!(bad::<Sleb32>(bytes), 0, "n", ErrorKind::PaddedInteger { form: "sleb128" });
        reads_with(&Sleb32 { n }, bytes, &lenient);
    }
    assert_error!(bad::<Zig32>(&[0x83, 0]), 0, "n", ErrorKind::PaddedInteger { form: "zigzag" });
    reads_with(&Zig32 { n: -2 }, &[0x83, 0], &lenient);
    assert_error!(bad::<Vlq32>(&[0x80, 1]), 0, "n", ErrorKind::PaddedInteger { form: "vlq" });
    reads_with(&Vlq32 { n: 1 }, &[0x80, 0x80, 0x80, 0x80, 1], &lenient);
    // never more bytes than the type takes
    for e in [
        binfmt::from_slice_with::<Leb32, _>(&[0x80, 0x80, 0x80, 0x80, 0x80, 0], &lenient).unwrap_err(),
        binfmt::from_slice_with::<Vlq32, _>(&[0x80, 0x80, 0x80, 0x80, 0x80, 0], &lenient).unwrap_err(),
    ] {
        assert_error!(e, 0, "n", ErrorKind::IntegerTooLarge { bytes: 4, .. });
    }
}

#[test]
fn too_large() {
    for bytes in [&[0xff, 0xff, 0xff, 0xff, 0x1f][..], &[0xff; 6], &[0x80, 0x80, 0x80, 0x80, 0x10]] {
        let e = bad::<Leb32>(bytes);
        assert_error!(e, 0, "n", ErrorKind::IntegerTooLarge { form: "leb128", bytes: 4 });
        assert_eq!(e.to_string(), "n at byte 0x0: leb128 does not fit in 32 bits");
    }
    for bytes in [
        &[0x80, 0x80, 0x80, 0x80, 0x08][..],
        &[0xff, 0xff, 0xff, 0xff, 0x77],
        &[0x80, 0x80, 0x80, 0x80, 0x70],
    ] {
        assert_error!(bad::<Sleb32>(bytes), 0, "n", ErrorKind::IntegerTooLarge { form: "sleb128", bytes: 4 });
    }
    same(&Sleb32 { n: i32::MIN }, &[0x80, 0x80, 0x80, 0x80, 0x78]);
    same(&Sleb32 { n: i32::MAX }, &[0xff, 0xff, 0xff, 0xff, 0x07]);
    assert_error!(bad::<Zig8>(&[0x80, 2]), 0, "n", ErrorKind::IntegerTooLarge { form: "zigzag", bytes: 1 });
    assert_error!(bad::<Vlq8>(&[0x82, 0]), 0, "n", ErrorKind::IntegerTooLarge { form: "vlq", bytes: 1 });
    assert_error!(bad::<Leb128>(&[0xff; 19]), 0, "n", ErrorKind::IntegerTooLarge { bytes: 16, .. });
    let [slice, stream] = short::<Leb64>(&[0x80, 0x80]);
    for e in [slice, stream] {
        assert_error!(e, 2, "n", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(len = leb128)]
struct Everywhere {
    #[binfmt(as = zigzag, length_prefixed(leb128))]
    list: Vec<i32>,
    #[binfmt(var_len)]
    text: String,
    #[binfmt(length_prefixed(u32, as = vlq, in = bytes))]
    region: Vec<u16>,
    #[binfmt(as = sleb128)]
    array: [i16; 3],
    #[binfmt(as = leb128, nullable)]
    maybe: Option<u64>,
    #[binfmt(nullable, var_len)]
    missing: Option<Vec<u8>>,
    #[binfmt(len_of(counted, auto), as = leb128)]
    n: u32,
    #[binfmt(as = leb128, count = *n)]
    counted: Vec<u8>,
    #[binfmt(as = leb128, range = 0..=300)]
    bounded: u16,
    #[binfmt(as = leb128, if(*bounded > 200))]
    when: Option<u32>,
    #[binfmt(as = vlq, until_eof)]
    rest: Vec<u32>,
}

fn everywhere() -> (Everywhere, Vec<u8>) {
    let value = Everywhere {
        list: vec![-1, 64],
        text: "x".repeat(130),
        region: vec![1],
        array: [-1, 64, 0],
        maybe: Some(300),
        missing: None,
        n: 2,
        counted: vec![200, 1],
        bounded: 300,
        when: Some(1),
        rest: vec![128, 1],
    };
    let bytes = [
        &[2, 1, 0x80, 1, 0x82, 1][..],
        &[b'x'; 130],
        &[2, 1, 0, 0x7f, 0xc0, 0, 0, 0xff, 0xac, 2, 0, 0, 2, 0xc8, 1, 1, 0xac, 2, 1, 0x81, 0, 1],
    ];
    (value, bytes.concat())
}

#[test]
fn with_every_other_word() {
    let (value, bytes) = everywhere();
    same(&value, &bytes);
    same_be(&Everywhere { region: vec![0x0101], ..value.clone() }, &{
        let mut bytes = bytes.clone();
        bytes[137..139].copy_from_slice(&[1, 1]);
        bytes
    });
    let sizes = Everywhere::FACTS.sizes();
    assert_eq!((sizes.min, sizes.head), (1 + 1 + 1 + 3 + 2 + 2 + 1 + 1, 1));
    let [slice, stream] = short::<Everywhere>(&[3, 1]);
    assert_error!(slice, 0, "list", ErrorKind::CountTooLarge { count: 3, needed: 3, remaining: Some(1), .. });
    assert_error!(stream, 2, "list[1]", ErrorKind::UnexpectedEnd { .. });
    let mut wrong = bytes.clone();
    wrong[2..4].copy_from_slice(&[0x81, 0]);
    assert_error!(bad::<Everywhere>(&wrong), 2, "list[1]", ErrorKind::PaddedInteger { form: "zigzag" });
    let e = refused(&Everywhere { bounded: 301, ..value });
    assert_error!(e, 152, "bounded", ErrorKind::OutOfRange { .. });
}

/// Of a missing value one byte stands for the integer, as zeros do for one of a fixed size.
#[test]
fn missing() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Maybe {
        #[binfmt(as = sleb128, nullable)]
        n: Option<i32>,
        last: u8,
    }
    same(&Maybe { n: None, last: 9 }, &[0, 0, 9]);
    same(&Maybe { n: Some(-1), last: 9 }, &[0xff, 0x7f, 9]);
    reads_with(&Maybe { n: None, last: 9 }, &[3, 0x80, 1, 9], &Options::new());
    let e = binfmt::from_slice_with::<Maybe, _>(&[3, 0x80, 1, 9], &Options::new().blank_missing(true))
        .unwrap_err();
    assert_error!(e, 1, "n", ErrorKind::MissingNotBlank);
}

#[test]
fn lengths() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Short {
        #[binfmt(length_prefixed(u8, as = leb128, max = 200))]
        bytes: Vec<u8>,
    }
    let e = refused(&Short { bytes: vec![0; 201] });
    assert_error!(e, 0, "bytes", ErrorKind::LengthLimit { length: 201, max: 200 });
    assert_error!(bad::<Short>(&[0x80, 2]), 0, "bytes", ErrorKind::IntegerTooLarge { bytes: 1, .. });
    #[derive(BinFormat, Debug, PartialEq)]
    struct Signed {
        #[binfmt(length_prefixed(zigzag))]
        bytes: Vec<u8>,
    }
    same(&Signed { bytes: vec![7] }, &[2, 7]);
    assert_error!(bad::<Signed>(&[1]), 0, "bytes", ErrorKind::InvalidLength { found: -1 });
    #[derive(BinFormat, Debug, PartialEq)]
    struct Nested {
        #[binfmt(length_prefixed(leb128, in = bytes))]
        inner: Inner,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Inner {
        #[binfmt(length_prefixed(leb128, in = bytes))]
        text: Vec<u16>,
        last: u8,
    }
    let value = Nested { inner: Inner { text: vec![0; 100], last: 1 } };
    let mut bytes = vec![0xcb, 1, 0xc8, 1];
    bytes.extend([0; 200]);
    bytes.push(1);
    same(&value, &bytes);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(tag(leb128))]
enum Message {
    #[binfmt(tag = 300)]
    Text(#[binfmt(length_prefixed(leb128))] String),
    #[binfmt(tag(0..=9))]
    Small { tag: u64 },
    #[binfmt(other)]
    Other {
        tag: u64,
        #[binfmt(as = zigzag)]
        n: i64,
    },
}

#[test]
fn tags() {
    same(&Message::Text("a".into()), &[0xac, 2, 1, b'a']);
    same(&Message::Small { tag: 9 }, &[9]);
    same(&Message::Other { tag: 1 << 40, n: -1 }, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 1]);
    assert_error!(bad::<Message>(&[0x80, 0]), 0, "tag", ErrorKind::PaddedInteger { .. });
    assert_eq!((Message::FACTS.sizes().min, Message::FACTS.sizes().head), (1, 1));
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(i8, as = zigzag))]
    enum Sign {
        #[binfmt(tag = -1)]
        Minus,
        #[binfmt(tag = 0)]
        Zero,
        #[binfmt(other)]
        Other(i8),
    }
    same(&Sign::Minus, &[1]);
    same(&Sign::Other(-128), &[0xff, 1]);
    assert_error!(bad::<Sign>(&[0x80, 2]), 0, "tag", ErrorKind::IntegerTooLarge { bytes: 1, .. });
}

/// Git's offsets: each further group counts from one more than what was there.
struct PackOffset;

impl IntegerForm<u64> for PackOffset {
    const SIZES: (usize, usize) = (1, 10);

    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> binfmt::Result<u64> {
        let at = src.pos();
        let mut n = 0u64;
        loop {
            let [b] = src.array()?;
            n |= u64::from(b & 0x7f);
            if b < 0x80 {
                return Ok(n);
            }
            n = n.checked_add(1).filter(|n| n >> 57 == 0).ok_or_else(|| Error::message("too large", at))?
                << 7;
        }
    }

    fn encode<O: Order, W: Sink>(mut n: u64, out: &mut W) -> binfmt::Result<()> {
        let mut bytes = vec![n as u8 & 0x7f];
        while n > 0x7f {
            n = (n >> 7) - 1;
            bytes.push(n as u8 | 0x80);
        }
        bytes.reverse();
        out.bytes(&bytes, 0)
    }
}

/// Declares three bytes and takes two.
struct Wrong;

impl IntegerForm<u16> for Wrong {
    const SIZES: (usize, usize) = (3, 3);

    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> binfmt::Result<u16> {
        src.array().map(u16::from_le_bytes)
    }

    fn encode<O: Order, W: Sink>(n: u16, out: &mut W) -> binfmt::Result<()> {
        out.array(n.to_le_bytes())
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Pack {
    #[binfmt(as = PackOffset)]
    base: u64,
    #[binfmt(length_prefixed(as = PackOffset), as = self::PackOffset)]
    list: Vec<u64>,
    kind: Kind,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(tag(u64, as = PackOffset))]
enum Kind {
    #[binfmt(tag = 0x81)]
    A,
}

#[test]
fn forms_of_the_users_own() {
    let value = Pack { base: 0x80, list: vec![1, 0x4080], kind: Kind::A };
    same(&value, &[0x80, 0, 2, 1, 0x80, 0x80, 0, 0x80, 1]);
    assert_eq!((Pack::FACTS.sizes().min, Pack::FACTS.sizes().max), (3, usize::MAX));
    let text = Pack::SCHEMA.to_string();
    for line in [
        "base: opaque(PackOffset), size(1, 10)",
        "length_prefixed(as = PackOffset)",
        "tag(opaque(PackOffset), size(1, 10))",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Lies {
        #[binfmt(as = Wrong)]
        n: u16,
    }
    assert!(
        bad::<Lies>(&[1, 2, 3])
            .to_string()
            .ends_with("the integer takes 2 bytes, but its form declares 3 to 3")
    );
    assert!(
        refused(&Lies { n: 1 })
            .to_string()
            .ends_with("the integer takes 2 bytes, but its form declares 3 to 3")
    );
}

#[test]
fn generic_types() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Of<T> {
        #[binfmt(as = leb128)]
        one: T,
        #[binfmt(as = leb128, var_len)]
        many: Vec<T>,
    }
    same(&Of { one: 300u16, many: vec![2] }, &[0xac, 2, 1, 0, 0, 0, 2]);
}

#[test]
fn description_and_dump() {
    let text = Everywhere::SCHEMA.to_string();
    for line in [
        "list: [i32, as = zigzag], length_prefixed(leb128)",
        "text: text, length_prefixed(leb128)",
        "length_prefixed(u32, as = vlq, in = bytes)",
        "array: [i16, as = sleb128; 3]",
        "n: u32, as = leb128, len_of(counted, auto)",
        "bounded: u16, as = leb128, range = 0..=300",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(Message::SCHEMA.to_string().contains("tag(u64, as = leb128)"), "{}", Message::SCHEMA);
    let shown = trace::<Everywhere>(&everywhere().1).to_string();
    for text in ["[-1, 64]", "zigzag", "300", "[-1, 64, 0]", "sleb128", "[128, 1]"] {
        assert!(shown.contains(text), "{text} in {shown}");
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(columns)]
struct Row {
    #[binfmt(as = leb128)]
    a: u32,
    #[binfmt(as = zigzag, nullable(body = absent))]
    b: Option<i64>,
    #[binfmt(as = vlq, length_prefixed(leb128))]
    c: Vec<u32>,
    #[binfmt(length_prefixed(leb128))]
    d: String,
}

#[test]
fn columns_of_rows() {
    let row = |i: u32| Row {
        a: i * 50,
        b: (!i.is_multiple_of(3)).then_some(-i64::from(i)),
        c: vec![i * 90; i as usize % 4],
        d: "x".repeat(i as usize % 200),
    };
    let rows: Vec<Row> = (0..1000).map(row).collect();
    let bytes = binfmt::encode_all(&rows).unwrap();
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert!(columns.rows().eq(rows.iter().cloned()));
    assert_eq!(columns.to_vec().unwrap(), bytes);
    assert_eq!(columns, RowColumns::from_reader(&bytes[..], &Options::new()).unwrap());
    let mut wrong = bytes.clone();
    wrong[0..2].copy_from_slice(&[0x80, 0]);
    let e = RowColumns::from_slice(&wrong).unwrap_err();
    assert_eq!(e.to_string(), binfmt::decode_all::<Row>(&wrong).unwrap_err().to_string());
}
