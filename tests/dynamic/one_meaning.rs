//! A struct, the values and columns of its own schema, and the columns that the derive makes: of the same bytes they say
//! the same, value or error, at the same offset and path.

use crate::support::random::Random;
use crate::support::wire::Drip;
use binfmt::columns::Plan;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{
    Array, ArrayD, BinFormat, Columnar, DecodeOwned, Encode, Endian, Kept, Nullable, Options, TypedColumns,
};
use std::fmt::Debug;

const EDGES: [u8; 9] = [0, 1, 2, 9, 12, 13, 0x7f, 0x80, 0xff];
const ROUNDS: u64 = if cfg!(debug_assertions) { 300 } else { 5000 };

/// At run time a constant is its value.
fn shown(e: &binfmt::Error) -> String {
    e.to_string().replace("..=MOST", "..=12")
}

/// The bytes of a value, and what the two sides say of them.
fn same<T: DecodeOwned + Encode + Describe + Debug>(bytes: &[u8], options: &Options) {
    let layout = T::SCHEMA.description();
    let with = options.ctx(&*layout);
    let typed = binfmt::from_slice_with::<T, _>(bytes, options);
    let value = binfmt::from_slice_with::<Value, _>(bytes, &with);
    match (&typed, &value) {
        (Ok(typed), Ok(value)) => {
            let written = binfmt::to_vec_with(typed, options).map_err(|e| e.to_string());
            assert_eq!(binfmt::to_vec_with(value, &with).map_err(|e| e.to_string()), written, "{typed:?}");
        }
        (Err(a), Err(b)) => assert_eq!(shown(a), shown(b), "{bytes:02x?}"),
        _ => panic!("{bytes:02x?}: {typed:?}, {value:?}"),
    }
    let streamed = binfmt::from_reader_with::<T, _>(Drip(bytes), options);
    match (streamed, binfmt::from_reader_with::<Value, _>(Drip(bytes), &with)) {
        (Ok(streamed), Ok(value)) => {
            let written = binfmt::to_vec_with(&streamed, options).map_err(|e| e.to_string());
            assert_eq!(binfmt::to_vec_with(&value, &with).map_err(|e| e.to_string()), written);
        }
        (Err(a), Err(b)) => assert_eq!(shown(&a), shown(&b), "stream {bytes:02x?}"),
        (a, b) => panic!("stream {bytes:02x?}: {a:?}, {b:?}"),
    }
}

/// Whole, cut at every byte, with every byte changed, and with noise.
fn each_damage(seed: u64, good: &[u8], mut check: impl FnMut(&[u8])) {
    check(good);
    for end in 0..good.len() {
        check(&good[..end]);
    }
    for place in 0..good.len() {
        for edge in EDGES {
            let mut bytes = good.to_vec();
            bytes[place] = edge;
            check(&bytes);
        }
    }
    let r = &mut Random::new(seed);
    for _ in 0..ROUNDS {
        let mut bytes = good.to_vec();
        bytes.truncate(r.below(good.len() as u64 + 1) as usize);
        for _ in 0..r.below(4) {
            if !bytes.is_empty() {
                let place = r.below(bytes.len() as u64) as usize;
                bytes[place] = r.pick(&EDGES);
            }
        }
        check(&bytes);
    }
}

pub(crate) fn all<T: DecodeOwned + Encode + Describe + Debug>(seed: u64, good: &[u8]) {
    binfmt::from_slice::<T>(good).unwrap();
    for options in [Options::new(), Options::new().endian(Endian::Big)] {
        each_damage(seed, good, |bytes| same::<T>(bytes, &options));
    }
}

#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Plain {
    a: u16,
    #[binfmt(nullable)]
    b: Nullable<i32>,
    #[binfmt(var_len)]
    c: String,
    #[binfmt(length_prefixed(u8))]
    d: Vec<i16>,
    #[binfmt(be)]
    e: [u32; 3],
}

#[derive(BinFormat, Debug)]
#[binfmt(tag(u8))]
enum Kind {
    A,
    B(#[binfmt(range = 1..=0x1234)] u16),
    #[binfmt(tag = 7)]
    C {
        x: f32,
        #[binfmt(length_prefixed(u8))]
        y: Vec<Kind>,
    },
    D(Box<Kind>),
    #[binfmt(tag(9..=12))]
    E {
        tag: u8,
        z: bool,
    },
    #[binfmt(tag = 20, be, magic = 0x0102u16)]
    F {
        n: u16,
        #[binfmt(le, length_prefixed(u16))]
        v: Vec<u16>,
    },
}

/// Arrays of what is not a number, after what has any length.
#[derive(BinFormat, Debug)]
struct Rows {
    #[binfmt(length_prefixed(u8))]
    name: String,
    pairs: [(u8, u16); 3],
    kinds: [Kind; 2],
    grid: [[u16; 2]; 2],
    #[binfmt(count = 2)]
    list: Vec<(bool, u16)>,
    on: [bool; 3],
}

const MOST: u8 = 12;

#[derive(BinFormat, Debug)]
#[binfmt(be, magic = b"HI")]
struct Words {
    n: u8,
    #[binfmt(count = *n)]
    v: Vec<u32>,
    #[binfmt(if(*n & 1 == 1))]
    o: Option<u64>,
    #[binfmt(nul, text = latin1)]
    l: String,
    #[binfmt(align_before = 4)]
    q: u16,
    #[binfmt(length_prefixed(u16, in = bytes))]
    r: Vec<Plain>,
    #[binfmt(pad_to = 8, length_prefixed(u8))]
    p: Vec<u8>,
    #[binfmt(range = 1..=MOST, pad_before = 1, fill = 7, strict)]
    m: u8,
    #[binfmt(range = ..=*m, align_after = 2, strict)]
    up: u8,
    #[binfmt(range = -0.5..1e3)]
    f: f32,
    #[binfmt(until_eof)]
    rest: Vec<u16>,
}

/// Regions whose lengths are elsewhere.
#[derive(BinFormat, Debug)]
struct Regions {
    n: u8,
    tag: u8,
    #[binfmt(region = *n + 1)]
    pair: (u8, u16),
    #[binfmt(region(*n, rest = skip), fill = 3, nul)]
    name: String,
    #[binfmt(region(*n, rest = keep), be)]
    kept: Kept<u16>,
    #[binfmt(if(*tag == 0), region = *n)]
    list: Option<Vec<u16>>,
    #[binfmt(nullable(body = absent), region(*tag, rest = skip))]
    maybe: Nullable<u8>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Vec<Region>,
}

#[derive(BinFormat, Debug)]
struct Region {
    n: u8,
    #[binfmt(region = n, count = n / 2)]
    numbers: Vec<u16>,
}

/// Parts that lie elsewhere.
#[derive(BinFormat, Debug)]
struct Elsewhere {
    n: u8,
    place: u8,
    #[binfmt(at = place, count = n)]
    entries: Vec<Entry>,
    #[binfmt(if(*n > 1), at(file) = place - 1, be)]
    last: Option<u8>,
    #[binfmt(region = *n + 4)]
    inner: Entry,
}

#[derive(BinFormat, Debug)]
struct Entry {
    place: u8,
    #[binfmt(at = place, nul)]
    name: String,
}

fn regions() -> Regions {
    Regions {
        n: 2,
        tag: 0,
        pair: (1, 2),
        name: "a".into(),
        kept: 7.into(),
        list: Some(vec![1]),
        maybe: Nullable::Missing(1),
        inner: vec![Region { n: 4, numbers: vec![1, 2] }, Region { n: 0, numbers: vec![] }],
    }
}

/// Bits of integers.
#[derive(BinFormat, Debug)]
struct Flags {
    #[binfmt(bits(1, of = u16))]
    set: bool,
    #[binfmt(bits(11))]
    n: i16,
    #[binfmt(bits(4))]
    small: u8,
    #[binfmt(if(*set))]
    more: Option<u8>,
    #[binfmt(if(*set, else = i16::from(*small) * 2), be)]
    twice: i16,
    #[binfmt(if(!*set, else = -0.5), le, pad_before = 1)]
    half: f32,
    #[binfmt(if(*set, else = Default::default()), ends(b'|'))]
    name: String,
    #[binfmt(bits(3, of = u8, order = msb), range = 0..=5)]
    kind: u8,
    #[binfmt(bits(5, reserved), strict)]
    gap: (),
    last: u8,
}

/// Text up to terminators.
#[derive(BinFormat, Debug)]
struct Ended {
    #[binfmt(ends(b'|'))]
    name: String,
    #[binfmt(nullable, ends(b"\r\n", keep), text = latin1)]
    line: Nullable<String>,
    #[binfmt(ends(0xff, unread))]
    bytes: Vec<u8>,
    #[binfmt(count = 3, trim = 0xff)]
    filled: Vec<u8>,
    #[binfmt(ends(b'|', or_eof))]
    last: Vec<u8>,
}

/// Fields in the order of their names, and what has no value, or another.
#[derive(BinFormat, Debug)]
#[binfmt(key_order = lexicographic)]
struct Sorted {
    #[binfmt(bool_lax)]
    on: bool,
    #[binfmt(reserved(2), fill = 1, strict)]
    gap: (),
    #[binfmt(try_map(decode = turned, encode = |n: &i16| turned(*n as u16).map(|n| n as u16), as = u16))]
    half: i16,
    last: u8,
}

/// What `encode` makes of it is that number again.
fn turned(n: u16) -> Result<i16, String> {
    Ok(n.swap_bytes() as i16)
}

/// Types up to terminators.
#[derive(BinFormat, Debug)]
struct Terminated {
    #[binfmt(region(ends(b'|')))]
    region: Region,
    #[binfmt(nullable, region(ends(b"\r\n", keep)))]
    lines: Nullable<Vec<u16>>,
    #[binfmt(region(ends(0x7f, unread)), be)]
    pair: (u8, u16),
    end: u8,
    #[binfmt(pad_to = 4, fill = 9, region(ends(b'|', or_eof)))]
    padded: Box<Region>,
    #[binfmt(region(ends(b'|', or_eof)))]
    last: Vec<u8>,
}

/// Structs that are their field, and may be missing as it may.
#[derive(BinFormat, Debug)]
struct Wrapped {
    #[binfmt(nullable)]
    name: Nullable<Name>,
    #[binfmt(nullable)]
    line: Nullable<Outer>,
    #[binfmt(nullable)]
    sized: Nullable<Sized<3>>,
    last: Sized<1>,
}

#[derive(BinFormat, Debug)]
#[binfmt(be, transparent)]
struct Name(#[binfmt(length_prefixed(u16))] String);

#[derive(BinFormat, Debug)]
#[binfmt(transparent)]
struct Outer(Line);

#[derive(BinFormat, Debug)]
#[binfmt(transparent)]
struct Line(#[binfmt(ends(b'|'))] Vec<u8>);

#[derive(BinFormat, Debug)]
#[binfmt(transparent)]
struct Sized<const N: usize>(#[binfmt(count = N)] Vec<u16>);

#[derive(BinFormat, Debug)]
struct Arrays {
    #[binfmt(shape(u32))]
    a: Array<f32, 2>,
    #[binfmt(shape(u8, rank = 3, order = column))]
    b: ArrayD<u16>,
    #[binfmt(until = |x: &u8| *x == 0)]
    u: Vec<u8>,
    #[binfmt(nullable, var_len)]
    s: Nullable<String>,
    t: (u8, u32, i8),
    #[binfmt(length_prefixed(i32))]
    z: Vec<(u8, u16)>,
    #[binfmt(length_prefixed(u8))]
    trees: Vec<Tree>,
}

/// Integers in other forms than their own.
#[derive(BinFormat, Debug)]
#[binfmt(len = leb128)]
struct Integers {
    #[binfmt(as = u24)]
    a: u32,
    #[binfmt(as = i40, be, nullable)]
    b: Nullable<i64>,
    #[binfmt(as = leb128)]
    n: u32,
    #[binfmt(as = zigzag, count = *n)]
    c: Vec<i32>,
    #[binfmt(as = sleb128, nullable)]
    d: Nullable<i16>,
    #[binfmt(as = vlq, var_len)]
    e: Vec<u64>,
    #[binfmt(var_len)]
    f: String,
    #[binfmt(length_prefixed(u24, in = bytes))]
    g: Vec<Tagged>,
    #[binfmt(length_prefixed(u8, as = vlq, in = bytes, max = 5))]
    h: Vec<u16>,
    #[binfmt(nullable, length_prefixed(sleb128))]
    i: Nullable<Vec<u8>>,
    #[binfmt(as = u48)]
    j: [u64; 2],
    #[binfmt(shape(i24))]
    k: Array<u16, 2>,
    #[binfmt(as = leb128, range = 1..=9)]
    l: u8,
    #[binfmt(as = vlq, until_eof)]
    m: Vec<u16>,
}

#[derive(BinFormat, Debug)]
#[binfmt(tag(i24, be))]
enum Tagged {
    #[binfmt(tag = -2)]
    A(#[binfmt(as = leb128)] u128),
    #[binfmt(tag(1..=300))]
    B { tag: i32 },
    #[binfmt(tag = 301)]
    C(Varied),
}

#[derive(BinFormat, Debug)]
#[binfmt(tag(zigzag))]
enum Varied {
    #[binfmt(tag = -65)]
    A,
    #[binfmt(other)]
    B(i64),
}

#[test]
fn integers_in_other_forms() {
    for options in [Options::new(), Options::new().endian(Endian::Big)] {
        let integers = Integers {
            a: 1 << 20,
            b: Nullable::Value(-5),
            n: 2,
            c: vec![-1, 1 << 30],
            d: Nullable::Value(-200),
            e: vec![1, 1 << 50],
            f: "é".into(),
            g: vec![
                Tagged::A(1 << 100),
                Tagged::B { tag: 300 },
                Tagged::C(Varied::A),
                Tagged::C(Varied::B(1 << 40)),
            ],
            h: vec![7],
            i: Nullable::Missing(3),
            j: [1, 1 << 47],
            k: Array::new([1, 2], vec![1, 2]).unwrap(),
            l: 9,
            m: vec![1, 300],
        };
        let good = binfmt::to_vec_with(&integers, &options).unwrap();
        each_damage(7, &good, |bytes| same::<Integers>(bytes, &options));
        each_damage(8, &good, |bytes| same::<Integers>(bytes, &options.padded_integers(true)));
    }
}

/// Text in units of several bytes.
#[derive(BinFormat, Debug)]
struct Units {
    #[binfmt(length_prefixed(u8), text = utf16le)]
    units: String,
    #[binfmt(length_prefixed(u16, in = bytes), text = utf16be)]
    bytes: String,
    #[binfmt(nullable, nul, text = utf16be)]
    ended: Nullable<String>,
    #[binfmt(count = 2, nul, text = utf32le)]
    padded: String,
    #[binfmt(count = 3, trim = 0x7f, text = utf16be)]
    filled: String,
    #[binfmt(until_eof, trim = 9, text = utf16le)]
    rest: String,
}

/// Words whose errors have a reason of their own.
#[derive(BinFormat, Debug)]
struct Reasons {
    #[binfmt(as = zigzag)]
    signed: i32,
    #[binfmt(as = sleb128)]
    other: i16,
    #[binfmt(length_prefixed(leb128))]
    list: Vec<u16>,
    #[binfmt(ends(b";;", or_eof))]
    last: String,
}

/// Lists that are there or not.
#[derive(BinFormat, Debug)]
struct Lists {
    flags: u8,
    #[binfmt(if(flags & 1 == 1, else = [1, 2].to_vec()), count = 2)]
    numbers: Vec<u16>,
    #[binfmt(if(flags & 2 == 2, else = vec![i16::from(*flags), -3]), length_prefixed(u8))]
    computed: Vec<i16>,
    #[binfmt(if(flags & 4 == 4, else = [0x20; 3].to_vec()), count = 3)]
    bytes: Vec<u8>,
    #[binfmt(if(flags & 8 == 8, else = vec![0.5; 2]), count = 2)]
    floats: Vec<f32>,
}

/// Lists in lists, of which a stream reads one after the other.
#[derive(BinFormat, Debug)]
struct Nested {
    flags: u8,
    #[binfmt(if(flags & 1 == 1, else = vec![[0.5, -1.0]; 2]), count = 2)]
    nested: Vec<[f32; 2]>,
}

/// In itself twice, each time after a condition.
#[derive(BinFormat, Debug)]
struct Twice {
    #[binfmt(range = ..=3)]
    flags: u8,
    #[binfmt(if(flags & 1 == 1))]
    left: Option<Box<Twice>>,
    #[binfmt(if(flags & 2 == 2))]
    right: Option<Box<Twice>>,
}

/// In itself, after a condition and in a list.
#[derive(BinFormat, Debug)]
struct Tree {
    #[binfmt(range = ..=3)]
    flags: u8,
    #[binfmt(if(flags & 1 == 1))]
    next: Option<Box<Tree>>,
    #[binfmt(length_prefixed(u8))]
    more: Vec<Tree>,
}

fn trees() -> Vec<Tree> {
    let leaf = || Tree { flags: 0, next: None, more: vec![] };
    vec![leaf(), Tree { flags: 1, next: Some(Box::new(leaf())), more: vec![leaf(), leaf()] }]
}

fn words() -> Words {
    Words {
        n: 1,
        v: vec![9],
        o: Some(3),
        l: "é".into(),
        q: 5,
        r: vec![plain()],
        p: vec![1, 2],
        m: 9,
        up: 9,
        f: 0.5,
        rest: vec![1, 2],
    }
}

fn plain() -> Plain {
    Plain { a: 1, b: Nullable::Value(-5), c: "ab".into(), d: vec![1, 2], e: [1, 2, 3] }
}

#[test]
fn structs_that_are_their_field() {
    all::<Wrapped>(12, b"\xff\0\x02ab\xffcd|\xff\x01\0\x02\0\x03\0\x04\0");
    all::<Wrapped>(13, b"\x01\0\0\x02|\x03\0\0\0\0\0\0\x04\0");
}

#[test]
fn reasons() {
    all::<Reasons>(18, b"\x03\x7f\x01ab\0c;;");
    all::<Reasons>(19, b"\xff\xff\xff\xff\x0f\x80\x80\x7e\x01ab;x");
    for bytes in [
        &b""[..],
        b"\x03",
        b"\x80",
        b"\x03\x80",
        b"\x03\x01\x05\0",
        b"\x03\x01\0a;",
        b"\x03\x01\0a;;b",
        b"\x03\x01\0\xff",
    ] {
        same::<Reasons>(bytes, &Options::new());
    }
    let options = Options::new();
    let layout = Reasons::SCHEMA.description();
    let with = options.ctx(&*layout);
    for last in ["a;;b", "a;", ";;", "a"] {
        let typed = binfmt::to_vec(&Reasons { signed: -1, other: 2, list: vec![], last: last.into() });
        let mut value: Value = binfmt::from_slice_with(b"\x01\x02\0", &with).unwrap();
        if let Value::Record(fields) = &mut value {
            fields.values_mut()[3] = Value::from(last.to_owned());
        }
        let written = binfmt::to_vec_with(&value, &with).map_err(|e| e.to_string());
        assert_eq!(written, typed.map_err(|e| e.to_string()), "{last}");
    }
}

#[test]
fn lists_that_are_not_there() {
    all::<Lists>(15, b"\0");
    all::<Lists>(16, b"\x05\x01\0\x03\0abc");
    all::<Lists>(17, b"\x02\x01\x05\0");
    same::<Nested>(b"\0", &Options::new());
    same::<Nested>(b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f", &Options::new());
}

#[test]
fn types_that_are_in_themselves_twice() {
    all::<Twice>(14, &[3, 1, 0, 2, 3, 0, 0]);
    let deep = |n: usize| [vec![1; n], vec![0]].concat();
    for n in [20, 100] {
        same::<Twice>(&deep(n), &Options::new());
    }
}

#[test]
fn structs_and_values() {
    all::<Plain>(1, &binfmt::to_vec(&plain()).unwrap());
    all::<Rows>(10, b"\x01a\x01\x02\0\x03\x04\0\x05\x06\0\0\x01\x02\0\x01\0\x02\0\x03\0\x04\0\x01\x07\0\0\x08\0\x01\0\x01");
    all::<Regions>(4, &binfmt::to_vec(&regions()).unwrap());
    all::<Elsewhere>(9, b"\x02\x0a\x02.abc\0\0\xee\x02\x04z\0y\0");
    all::<Flags>(7, &[0x23, 0x81, 7, 0, 5, b'x', b'|', 0x60, 9]);
    all::<Flags>(8, &[0x22, 0xf1, 0, 0, 0, 0x80, 0x3f, 0xa0, 9]);
    all::<Ended>(5, b"ab|\xffcd\r\nef\xff\xff\xffgh|");
    all::<Ended>(6, b"ab|\x01\r\nef\xff4\xff");
    all::<Terminated>(7, b"\x02\x01\x02|\xff\x01\x02\r\n\x01\x02\x03\x7f\x00|\x09\x09\x7fab|");
    all::<Terminated>(8, b"\x00|\x05\r\n\x01\x02\x03\x7f\x02\x05\x06|\x7f");
    all::<Sorted>(10, &[1, 1, 6, 0, 7, 2]);
    all::<Units>(9, b"\x01a\0\x02\0\x20\xac\xff\0x\0\0p\0\0\0\0\0\0\0\0f\0\x7f\0\x7fz\0\x09\0");
    all::<Words>(2, &binfmt::to_vec(&words()).unwrap());
    for options in [Options::new(), Options::new().endian(Endian::Big)] {
        let arrays = Arrays {
            a: Array::new([1, 2], vec![0.5, 1.0]).unwrap(),
            b: ArrayD::new(vec![1, 2, 1], vec![1, 2]).unwrap(),
            u: vec![1, 2, 0],
            s: Nullable::Value("é".into()),
            t: (1, 2, 3),
            z: vec![(1, 2)],
            trees: trees(),
        };
        let good = binfmt::to_vec_with(&arrays, &options).unwrap();
        each_damage(3, &good, |bytes| same::<Arrays>(bytes, &options));
    }
}

#[test]
fn enums_that_hold_themselves() {
    let inner = Kind::C {
        x: 1.0,
        y: vec![Kind::E { tag: 10, z: true }, Kind::D(Box::new(Kind::A)), Kind::F { n: 5, v: vec![6] }],
    };
    let kinds = [Kind::B(0x0101), Kind::C { x: 0.5, y: vec![inner, Kind::B(0x0202), Kind::A] }];
    for (seed, kind) in kinds.into_iter().enumerate() {
        all::<Kind>(seed as u64, &binfmt::to_vec(&kind).unwrap());
    }
    // the smallest size of what is in itself bounds a count
    let layout = Kind::SCHEMA.description();
    let e = binfmt::from_slice_with::<Value, _>(&[7, 0, 0, 0, 0, 255], &Options::new().ctx(&*layout))
        .unwrap_err();
    assert_eq!(e.to_string(), "y at byte 0x5: count 255 needs 255 bytes, 0 remain");
    // alignment that is cut off has the field's name
    let good = binfmt::to_vec(&words()).unwrap();
    let at = (0..good.len()).find_map(|end| {
        let e = binfmt::from_slice_with::<Value, _>(
            &good[..end],
            &Options::new().ctx(&*Words::SCHEMA.description()),
        );
        e.unwrap_err()
            .to_string()
            .split_once(" at byte")
            .map(|(path, _)| path.to_string())
            .filter(|p| p.contains('('))
    });
    assert_eq!(at.as_deref(), Some("q (alignment)"));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Ruled {
    #[binfmt(range = 1..=12)]
    m: u8,
    #[binfmt(range = ..=MOST, align_before = 2)]
    n: u8,
    #[binfmt(range = 0.5..)]
    x: f32,
    v: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct AnySize {
    #[binfmt(range = -1..9)]
    m: i16,
    #[binfmt(length_prefixed(u8))]
    name: String,
    #[binfmt(nullable)]
    code: Nullable<u16>,
    #[binfmt(pad_before = 1, fill = 3, strict, length_prefixed(u8))]
    list: Vec<u16>,
    #[binfmt(nullable, nul)]
    end: Nullable<String>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Narrow {
    #[binfmt(as = u24)]
    a: u32,
    #[binfmt(as = i40, nullable)]
    b: Nullable<i64>,
    #[binfmt(as = i56, range = -1..9)]
    c: i64,
    #[binfmt(as = u48)]
    d: [u64; 2],
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Varints {
    #[binfmt(as = leb128)]
    a: u32,
    #[binfmt(as = sleb128, nullable)]
    b: Nullable<i64>,
    #[binfmt(as = zigzag, length_prefixed(leb128))]
    c: Vec<i16>,
    #[binfmt(length_prefixed(u24))]
    d: String,
    #[binfmt(as = i24, length_prefixed(u8))]
    e: Vec<i32>,
}

/// Rows as structs, as columns of the derive, as values, and as columns that are known at run time.
fn columns<R>(rows: &[R], bytes: &[u8], options: &Options)
where
    R: Columnar + Describe + DecodeOwned + Encode + Debug,
    R::Columns: TypedColumns<Row = R>,
{
    let layout = R::SCHEMA.description();
    let plan = Plan::new(&layout).unwrap();
    let with = options.ctx(&*layout);
    let text = |e: binfmt::Error| shown(&e);
    let structs = binfmt::decode_all_with::<R, _>(bytes, options).map_err(text);
    let values = binfmt::decode_all_with::<Value, _>(bytes, &with).map_err(text);
    let typed = R::Columns::from_slice_with(bytes, options).map_err(text);
    let planned = plan.decode_with(bytes, options).map_err(text);
    match (structs, values, typed, planned) {
        (Ok(structs), Ok(values), Ok(typed), Ok(planned)) => {
            let written = binfmt::encode_all_with(&structs, options).map_err(text);
            assert_eq!(typed.to_vec_with(options).map_err(text), written);
            assert_eq!(plan.encode_with(&planned, options).map_err(text), written);
            assert_eq!(binfmt::encode_all_with(&values, &with).map_err(text), written);
            assert_eq!(structs.len(), planned.num_rows());
        }
        (Err(a), Err(b), Err(c), Err(d)) => {
            assert!(a == b && a == c && a == d, "{bytes:02x?}\nstruct {a}\nvalue {b}\ntyped {c}\nplan {d}");
        }
        (a, b, c, d) => panic!(
            "{rows:?} {bytes:02x?}\nstruct {a:?}\nvalue {b:?}\ntyped {:?}\nplan {:?}",
            c.map(|_| ()),
            d.map(|_| ())
        ),
    }
    let (mut reader, mut read) = (plan.reader(Drip(bytes), options), 0);
    let end = loop {
        match reader.next_batch(2) {
            Ok(Some(batch)) => read += batch.num_rows(),
            Ok(None) => break None,
            Err(e) => break Some(shown(&e)),
        }
    };
    match plan.decode_with(bytes, options) {
        Ok(all) => assert_eq!((all.num_rows(), None), (read, end)),
        Err(e) => assert_eq!(end, Some(shown(&e))),
    }
}

/// Rows that may end with the input.
#[derive(BinFormat, Debug)]
#[binfmt(columns)]
struct Unended {
    #[binfmt(ends(b'|', or_eof), trim = b' ')]
    text: String,
}

/// The end of a stream is meant, and not of what it has given so far.
#[test]
fn rows_that_may_end_with_the_input() {
    let text = |text: &str| Unended { text: text.into() };
    columns(
        &[text("\u{e9}\u{e9}"), text("ab"), text("c")],
        "\u{e9}\u{e9}|ab  |c".as_bytes(),
        &Options::new(),
    );
    columns(&[text("ab"), text("\u{fffd}")], b"ab|\xc3", &Options::new());
}

#[test]
fn rows_and_columns() {
    let ruled = [(1, 0, 0.5, 3), (12, 12, 1e9, 0)].map(|(m, n, x, v)| Ruled { m, n, x, v });
    let sizes = [(-1, "ab", 5), (8, "", 0)].map(|(m, name, code)| AnySize {
        m,
        name: name.into(),
        code: if code == 0 { Nullable::Missing(3) } else { Nullable::Value(code) },
        list: vec![code; 2],
        end: Nullable::Value(name.into()),
    });
    let narrow = [(1 << 20, -9, -1), (0, 0, 8)].map(|(a, b, c)| Narrow {
        a,
        b: if b == 0 { Nullable::Missing(3) } else { Nullable::Value(b) },
        c,
        d: [1, 1 << 47],
    });
    let varints = [(300, -300, "ab"), (1, 0, "")].map(|(a, b, d)| Varints {
        a,
        b: if b == 0 { Nullable::Missing(3) } else { Nullable::Value(b) },
        c: vec![b as i16; 2],
        d: d.into(),
        e: vec![-1; d.len()],
    });
    for options in [Options::new(), Options::new().endian(Endian::Big), Options::new().blank_missing(true)] {
        let good = binfmt::encode_all_with(&narrow, &options).unwrap();
        each_damage(7, &good, |bytes| columns(&narrow, bytes, &options));
        let good = binfmt::encode_all_with(&varints, &options).unwrap();
        each_damage(8, &good, |bytes| columns(&varints, bytes, &options));
        let good = binfmt::encode_all_with(&ruled, &options).unwrap();
        each_damage(5, &good, |bytes| columns(&ruled, bytes, &options));
        let good = binfmt::encode_all_with(&sizes, &options).unwrap();
        each_damage(6, &good, |bytes| columns(&sizes, bytes, &options));
    }
}

/// A literal beside a number of single precision is of single precision, as in Rust.
#[test]
fn floats_of_single_precision() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le)]
    struct Row {
        x: f32,
        #[binfmt(if(*x > 0.1))]
        more: Option<u8>,
        #[binfmt(if(*x * 3.0 == -0.3))]
        same: Option<u8>,
    }
    let description = Row::SCHEMA.description();
    let with = Options::new().ctx(&*description);
    for x in [0.1f32, 0.100_000_01, -0.1, 0.2, -0.3 / 3.0] {
        let row = Row { x, more: (x > 0.1).then_some(1), same: (x * 3.0 == -0.3).then_some(2) };
        let bytes = binfmt::to_vec(&row).unwrap();
        let value: Value = binfmt::from_slice_with(&bytes, &with).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &with).unwrap(), bytes, "{x}");
    }
}

/// Parts whose length takes one byte or more.
#[derive(BinFormat, Debug)]
struct Prefixed {
    n: u8,
    #[binfmt(length_prefixed(leb128, in = bytes))]
    inner: Vec<Small>,
    #[binfmt(length_prefixed(u16, in = bytes))]
    fixed: Vec<Small>,
}

#[derive(BinFormat, Debug)]
struct Small {
    name: u8,
    #[binfmt(range = 1..=9)]
    n: u8,
}

/// What is wrong inside has the same place for every output, and for a count of the bytes.
#[test]
fn errors_in_parts_with_a_length_before_them() {
    let small = |n| Small { name: 0, n };
    let program = Program::new(&Prefixed::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    for (wrong, field, count) in [(0, "inner", 1), (2, "inner", 3), (99, "inner", 100), (1, "fixed", 2)] {
        let all = || (0..count).map(|i| small(if i == wrong { 10 } else { 1 })).collect::<Vec<_>>();
        let typed = match field {
            "inner" => Prefixed { n: 7, inner: all(), fixed: Vec::new() },
            _ => Prefixed { n: 7, inner: vec![small(1)], fixed: all() },
        };
        let list = |all: &[Small]| {
            let one = |of: &Small| Value::record([("name", of.name), ("n", of.n)]);
            Value::List(all.iter().map(one).collect())
        };
        let fields = [("n", Value::from(7u8)), ("inner", list(&typed.inner)), ("fixed", list(&typed.fixed))];
        let value = Value::record(fields);
        let expected = binfmt::to_vec(&typed).unwrap_err().to_string();
        assert!(expected.starts_with(&format!("{field}[{wrong}].n at byte ")), "{expected}");
        let mut room = [0; 4096];
        for e in [
            binfmt::to_vec_with(&value, &options).unwrap_err(),
            binfmt::to_slice_with(&value, &mut room, &options).unwrap_err(),
            binfmt::to_writer_with(&value, std::io::sink(), &options).unwrap_err(),
        ] {
            assert_eq!(e.to_string(), expected);
        }
        let counted = binfmt::encoded_len_with(&value, &options).unwrap_err().to_string();
        assert_eq!(counted, binfmt::encoded_len(&typed).unwrap_err().to_string());
    }
}
