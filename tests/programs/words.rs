//! Every field word in a crate that forbids unsafe code and denies warnings: values survive a round trip.
#![forbid(unsafe_code)]
#![deny(warnings)]

use binfmt::{BinFormat, Endian, Nullable, Options, Order, Result, Sink, Source};
use std::borrow::Cow;
use std::collections::HashMap;

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(le)]
struct Cell {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Nullable<String>,
    #[binfmt(var_len, nul)]
    d: String,
    #[binfmt(skip(bytes = 4))]
    e: f64,
    #[binfmt(nullable(present = 0, missing = 1, body = absent))]
    f: Option<u32>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(be, magic = b"WD", len = u16, max_len = 100, assert(*few < 100, "few"), assert(true))]
struct Words<'a> {
    #[binfmt(magic = b'x', pad_before = 2, pad_after = 1, fill = 7, strict, le)]
    first: u16,
    #[binfmt(magic = 0x0102u16)]
    _version: (),
    #[binfmt(reserved(3))]
    _reserved: (),
    #[binfmt(range = 0..=50)]
    few: u8,
    #[binfmt(len_of(rows))]
    num_rows: u16,
    #[binfmt(len_of(tail, bytes, auto))]
    tail_bytes: u32,
    #[binfmt(count = num_rows)]
    rows: Vec<u32>,
    #[binfmt(length_prefixed(u8, max = 3))]
    small: Vec<u16>,
    #[binfmt(length_prefixed(u32, in = bytes, inclusive))]
    region: Vec<Pair>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    boxed: Pair,
    #[binfmt(if(*few > 3), pad_before = 1)]
    more: Option<u64>,
    #[binfmt(align_before = 4, align_after = 8, assert(*x != 0, "x is never 0"))]
    x: u8,
    #[binfmt(pad_to = 8)]
    padded: u16,
    #[binfmt(count = 8, nul, text = latin1)]
    fixed: String,
    #[binfmt(nul)]
    ended: String,
    #[binfmt(bool_lax)]
    lax: bool,
    #[binfmt(map(decode = |n: u8| n != 0, encode = |b: &bool| u8::from(*b), as = u8))]
    mapped: bool,
    #[binfmt(try_map(decode = char_of, encode = |c: &char| Ok::<u32, String>(*c as u32), as = u32))]
    letter: char,
    #[binfmt(with = pairs, size(4, 4000))]
    map: HashMap<u8, u8>,
    #[binfmt(decode_with = twice::decode, encode_with = twice::encode, args(*few))]
    twice: u8,
    #[binfmt(skip, default = *few + 1, rename = "not here")]
    computed: u8,
    #[binfmt(skip)]
    cached: Option<String>,
    #[binfmt(endian = if *few > 3 { Endian::Little } else { Endian::Big })]
    either: u32,
    #[binfmt(tag_from = *few)]
    chosen: Chosen,
    #[binfmt(args(k = *few))]
    child: Child,
    #[binfmt(each([1u8, 2, 3]))]
    children: Vec<Child>,
    #[binfmt(until = |last: &u8| *last == 0)]
    ending: Vec<u8>,
    #[binfmt(var_len)]
    lent: &'a [u8],
    #[binfmt(var_len, borrow)]
    cow: Cow<'a, str>,
    #[binfmt(until_eof)]
    tail: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Pair(u8, #[binfmt(assert(*_1 >= u16::from(*_0), "sorted"))] u16);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(ctx(k: u8))]
struct Child {
    #[binfmt(count = k)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Chosen {
    #[binfmt(tag = 0)]
    Nothing,
    #[binfmt(tag(1..=9))]
    Number(u32),
    #[binfmt(other, rename = "rest")]
    Rest { a: u8 },
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(tag(u16, be))]
enum Tagged {
    Zero,
    #[binfmt(tag = 7)]
    Seven(u8, u16),
    #[binfmt(tag(10..=20))]
    Teens {
        tag: u16,
        #[binfmt(var_len)]
        text: String,
    },
    #[binfmt(other)]
    Unknown(u16, u8),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(tag([u8; 4]), be)]
enum Text {
    #[binfmt(tag = b" i32")]
    I32(i32),
    #[binfmt(other)]
    Other { tag: [u8; 4] },
}

const BASE: u8 = 40;

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[binfmt(tag(u8))]
#[repr(u8)]
enum Ranks {
    A = BASE + 2,
    B,
    C = 200,
    D,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(transparent)]
struct Thin(u32);

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(le, key_order = lexicographic, size = 3)]
struct Sorted {
    b: u8,
    a: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(endian = *order, ctx(order: &Endian, n: u8), max_depth = 5, rename = "chosen")]
struct Run {
    #[binfmt(count = n)]
    values: Vec<u16>,
}

fn char_of(n: u32) -> std::result::Result<char, String> {
    char::from_u32(n).ok_or_else(|| "no such letter".to_owned())
}

mod pairs {
    use super::*;
    use binfmt::{Decode, Encode};

    pub(crate) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<HashMap<u8, u8>> {
        let n = u32::decode::<O, S>(src, ())?;
        (0..n).map(|_| <(u8, u8)>::decode::<O, S>(src, ())).collect()
    }

    pub(crate) fn encode<O: Order, W: Sink>(map: &HashMap<u8, u8>, out: &mut W) -> Result<()> {
        (map.len() as u32).encode::<O, W>(out, ())?;
        map.iter().try_for_each(|(k, v)| (*k, *v).encode::<O, W>(out, ()))
    }
}

mod twice {
    use super::*;
    use binfmt::{Decode, Encode};

    pub(crate) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, factor: u8) -> Result<u8> {
        Ok(u8::decode::<O, S>(src, ())? / factor)
    }

    pub(crate) fn encode<O: Order, W: Sink>(n: &u8, out: &mut W, factor: u8) -> Result<()> {
        (*n * factor).encode::<O, W>(out, ())
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[repr(C, packed)]
#[binfmt(size = 7)]
struct Packed {
    a: u8,
    #[binfmt(assert(*b > u32::from(*a)))]
    b: u32,
    c: [u8; 2],
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Aligned {
    None,
    Some {
        #[binfmt(align_before = 4)]
        n: u8,
    },
}

// through an alias the macro cannot see that the type is recursive
type Boxed = Box<Tree>;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Tree {
    Leaf(u8),
    Node(Boxed, Boxed),
}

fn more() -> Result<()> {
    let packed = Packed { a: 1, b: 2, c: [3, 4] };
    assert_eq!(binfmt::to_vec(&packed)?, [1, 2, 0, 0, 0, 3, 4]);
    assert_eq!(binfmt::from_slice::<Packed>(&[1, 2, 0, 0, 0, 3, 4])?, packed);
    let refused = binfmt::to_vec(&Packed { b: 0, ..packed }).unwrap_err().to_string();
    assert!(refused.contains("*b > u32::from(*a)"), "{refused}");
    // the tag counts for the alignment
    assert_eq!(binfmt::to_vec(&Aligned::Some { n: 1 })?, [1, 0, 0, 0, 1]);
    assert_eq!(binfmt::from_slice::<Aligned>(&[1, 0, 0, 0, 1])?, Aligned::Some { n: 1 });
    assert_eq!(binfmt::from_slice::<Aligned>(&[0])?, Aligned::None);
    let tree = binfmt::from_slice::<Tree>(&[1, 0, 5, 0, 6])?;
    assert_eq!(binfmt::to_vec(&tree)?, [1, 0, 5, 0, 6]);
    Ok(())
}

pub(super) fn main() -> Result<()> {
    more()?;
    let cell = Cell {
        a: -1,
        b: Nullable::Missing(3),
        c: Nullable::Value("a".into()),
        d: String::new(),
        e: 1.5,
        f: None,
    };
    let bytes = binfmt::to_vec(&cell)?;
    assert_eq!(&bytes[..4], [0xff, 3, 0, 0]);
    assert_eq!(binfmt::from_slice::<Cell>(&bytes)?, cell);

    for few in [2, 5] {
        let child = |n: u8| Child { data: vec![9; n as usize] };
        let words = Words {
            first: 0x0102,
            _version: (),
            _reserved: (),
            few,
            num_rows: 2,
            tail_bytes: 0,
            rows: vec![1, 2],
            small: vec![3],
            region: vec![Pair(1, 2), Pair(3, 4)],
            boxed: Pair(5, 6),
            more: (few > 3).then_some(8),
            x: 1,
            padded: 4,
            fixed: "caf\u{e9}".into(),
            ended: "end".into(),
            lax: true,
            mapped: false,
            letter: 'q',
            map: [(1, 2)].into(),
            twice: 4,
            computed: few + 1,
            cached: None,
            either: 77,
            chosen: Chosen::Number(6),
            child: child(few),
            children: vec![child(1), child(2), child(3)],
            ending: vec![4, 5, 0],
            lent: b"lent",
            cow: "cow".into(),
            tail: vec![1; 5],
        };
        let bytes = binfmt::to_vec(&words)?;
        assert_eq!(&bytes[..10], [b'W', b'D', 7, 7, b'x', 2, 1, 7, 1, 2]);
        let back = binfmt::from_slice::<Words<'_>>(&bytes)?;
        assert_eq!(back, Words { tail_bytes: 5, ..words });
        assert!(matches!(back.cow, Cow::Borrowed(_)));
    }

    let run = Run { values: vec![0x0102] };
    for (order, expected) in [(Endian::Big, [1, 2]), (Endian::Little, [2, 1])] {
        let options = Options::new().ctx((&order, 1u8));
        let bytes = binfmt::to_vec_with(&run, &options)?;
        assert_eq!(bytes, expected);
        assert_eq!(binfmt::from_slice_with::<Run, _>(&bytes, &options)?, run);
    }

    for (value, expected) in
        [(Text::I32(1), &b" i32\0\0\0\x01"[..]), (Text::Other { tag: *b"else" }, b"else")]
    {
        assert_eq!(binfmt::to_vec(&value)?, expected);
        assert_eq!(binfmt::from_slice::<Text>(expected)?, value);
    }
    assert!(binfmt::to_vec(&Text::Other { tag: *b" i32" }).is_err());

    for (value, expected) in [(Ranks::A, 42), (Ranks::B, 43), (Ranks::C, 200), (Ranks::D, 201)] {
        assert_eq!(binfmt::to_vec(&value)?, [expected]);
        assert_eq!(binfmt::from_slice::<Ranks>(&[expected])?, value);
    }
    assert!(binfmt::from_slice::<Ranks>(&[44]).is_err());

    for (kind, value) in [(0u8, Chosen::Nothing), (3, Chosen::Number(9)), (200, Chosen::Rest { a: 1 })] {
        let options = Options::new().ctx(kind);
        let bytes = binfmt::to_vec_with(&value, &options)?;
        assert_eq!(binfmt::from_slice_with::<Chosen, _>(&bytes, &options)?, value);
        let wrong = if kind == 0 { 5u8 } else { 0 };
        assert!(binfmt::to_vec_with(&value, &Options::new().ctx(wrong)).is_err());
    }

    assert_eq!(binfmt::to_vec(&Sorted { b: 1, a: 2 })?, [2, 0, 1]);
    assert_eq!(binfmt::from_slice::<Sorted>(&[2, 0, 1])?, Sorted { b: 1, a: 2 });
    assert_eq!(binfmt::from_slice::<Thin>(&binfmt::to_vec(&Thin(3))?)?, Thin(3));

    for value in [
        Tagged::Zero,
        Tagged::Seven(1, 2),
        Tagged::Teens { tag: 12, text: "x".into() },
        Tagged::Unknown(99, 1),
    ] {
        let bytes = binfmt::to_vec(&value);
        let bytes = bytes?;
        assert_eq!(bytes[0], 0);
        assert_eq!(binfmt::from_slice::<Tagged>(&bytes)?, value);
    }
    Ok(())
}
