//! Fingerprints while compiling: the same numbers as at run time.

use binfmt::{BinFormat, Describe, Nullable};

/// The number of run time, of a type whose number was compared while compiling: the word is checked by rustc, so a test that
/// compiles has passed half of it.
macro_rules! pinned {
    ($($name:ty = $number:literal)*) => { $(
        assert_eq!(format!("{:#018x}", <$name>::SCHEMA.fingerprint()), $number, "{}", stringify!($name));
    )* };
}

const N: usize = 3;
const ON: bool = true;
const LOW: u8 = 4;
const MARK: [u8; 2] = *b"\xffm";
const VERSION: u16 = 0x0201;

#[derive(BinFormat)]
#[binfmt(le, fingerprint = 0xb0b4a1c933317770)]
pub(super) struct Numbers {
    a: u8,
    b: i16,
    c: f32,
    d: bool,
    #[binfmt(be)]
    e: u128,
    f: (u8, i8),
    g: [[u16; 2]; 3],
    h: [u8; 4],
    i: Box<u64>,
    j: (),
    k: std::num::NonZero<u8>,
    l: std::net::Ipv6Addr,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0xd92c0da5c4476e5f, magic = MARK)]
pub(super) struct Words {
    n: u8,
    on: bool,
    #[binfmt(nullable)]
    null: Nullable<i16>,
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    maybe: Option<f64>,
    #[binfmt(var_len)]
    text: String,
    #[binfmt(length_prefixed(u16, inclusive, max = 99), text = latin1)]
    latin: String,
    #[binfmt(length_prefixed(leb128))]
    varint: Vec<u32>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    region: Vec<(u8, u16)>,
    #[binfmt(count = 5)]
    fixed: Vec<u8>,
    #[binfmt(count = *n as usize * (N + 1))]
    counted: Vec<u16>,
    #[binfmt(each((0..*n).map(|_| ())))]
    each: Vec<u8>,
    #[binfmt(until = |v: &u8| *v == LOW)]
    until: Vec<u8>,
    #[binfmt(nul)]
    nul: String,
    #[binfmt(ends(b"\r\n", keep, or_eof))]
    line: Vec<u8>,
    #[binfmt(count = 8, trim = b' ')]
    trimmed: String,
    #[binfmt(if(*on && ON), pad_before = 2, align_after = 4, magic = VERSION)]
    condition: Option<u8>,
    #[binfmt(pad_to = 16, fill = 0xff, strict)]
    padded: Inner,
    #[binfmt(endian = if *on { binfmt::Endian::Big } else { binfmt::Endian::Little })]
    chosen: u32,
    #[binfmt(region = *n as usize)]
    within: Inner,
    #[binfmt(shape(u32, rank = 2, order = column))]
    shape: binfmt::Array<f32, 2>,
    #[binfmt(as = u24)]
    three: u32,
    #[binfmt(as = zigzag)]
    zigzag: i32,
    #[binfmt(bits(4, of = u16))]
    high: u8,
    #[binfmt(bits(11))]
    mid: u16,
    #[binfmt(bits(1, reserved))]
    none: (),
    #[binfmt(count = *n, bits(12, order = msb), strict)]
    samples: Vec<u16>,
    #[binfmt(magic = 0x1234u16)]
    mark: (),
    #[binfmt(reserved(3))]
    reserved: (),
    #[binfmt(len_of(last, u16))]
    len: (),
    #[binfmt(bool_lax)]
    lax: bool,
    #[binfmt(skip)]
    skipped: u8,
    #[binfmt(count = len)]
    last: Vec<Inner>,
    again: Inner,
    choice: Choice,
    #[binfmt(args(*n))]
    from: From,
    pair: Pair<u8>,
    other: Pair<u16>,
    id: Id,
    row: Row,
    gap: Gap,
    #[binfmt(if(*on, else = 7))]
    otherwise: u8,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0xa3c3b1f472fce313)]
pub(super) struct Inner {
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(BinFormat)]
#[binfmt(transparent, fingerprint)]
struct Id(u32);

#[derive(BinFormat)]
#[binfmt(transparent, fingerprint)]
struct Gap(#[binfmt(count = 3)] binfmt::Ignored);

#[derive(BinFormat)]
#[binfmt(transparent, fingerprint)]
struct Row(Pair<u16>);

#[derive(BinFormat)]
#[binfmt(tag(u8), be, fingerprint = 0x0e6da5760bd5a7f0)]
pub(super) enum Choice {
    Empty,
    #[binfmt(tag = LOW)]
    Low(u16),
    Named {
        #[binfmt(count = N)]
        a: Vec<Inner>,
    },
    #[binfmt(tag(10..=20 | 40))]
    Some(u8),
    #[binfmt(other)]
    Other {
        tag: u8,
        #[binfmt(var_len)]
        rest: Vec<u8>,
    },
}

#[derive(BinFormat)]
#[binfmt(tag([u8; 2], be), fingerprint = 0xa2f6976e2a4bf2f4)]
pub(super) enum Bytes {
    #[binfmt(tag = b"xy")]
    Mark,
    #[binfmt(tag = b"ab")]
    Ab(u8),
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: u8), tag_from = kind, fingerprint)]
enum From {
    #[binfmt(tag = 1)]
    One(u8),
    #[binfmt(other)]
    Other,
}

#[derive(BinFormat)]
#[binfmt(tag(u16), be, fingerprint = 0xb8bf1c78e07d99f5)]
pub(super) enum Orders {
    #[binfmt(le)]
    Little {
        a: u32,
        #[binfmt(be)]
        b: u16,
        #[binfmt(if(*a > 1))]
        c: Option<u64>,
        #[binfmt(pad_before = 2, var_len)]
        d: Vec<u16>,
    },
    #[binfmt(be)]
    Big(u32, Inner),
    None(u32),
}

/// Types that are others on the wire.
#[derive(BinFormat)]
#[binfmt(map(decode = |n: u16| Mapped(n.into()), encode = |m: &Mapped| m.0 as u16, as = u16))]
struct Mapped(u32);

#[derive(BinFormat)]
#[binfmt(le, try_map(decode = Tried::of, encode = |t: &Tried| Ok::<_, String>(Pair { a: t.0, b: 0 }), as = Pair<u16>))]
struct Tried(u16);

impl Tried {
    fn of(pair: Pair<u16>) -> Result<Self, String> {
        if pair.b == 0 { Ok(Tried(pair.a)) } else { Err("not 0".into()) }
    }
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0xc66b40ede4c786cb)]
pub(super) struct Around {
    mapped: Mapped,
    #[binfmt(be)]
    other: Mapped,
    #[binfmt(var_len)]
    tried: Vec<Tried>,
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

fn invert(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}

/// Words that say where parts are, when, and what of them counts.
#[derive(BinFormat)]
#[binfmt(fingerprint = 0xc303d31efb1edd9b, version = *version)]
pub(super) struct Elsewhere {
    version: u8,
    #[binfmt(peek)]
    next: u16,
    #[binfmt(offset_of(part, auto))]
    place: u16,
    #[binfmt(calc(u16 = n * 2))]
    twice: (),
    n: u8,
    #[binfmt(at = place, count = n)]
    part: Vec<u8>,
    #[binfmt(at(file) = 4)]
    file: u8,
    #[binfmt(at(end) = 2)]
    last: u16,
    #[binfmt(since = 2)]
    new: Option<u16>,
    #[binfmt(since = 3, default)]
    newest: u8,
    #[binfmt(until_version = 1)]
    old: Option<u8>,
    #[binfmt(checksum(sum, over = version..))]
    sum: u8,
    #[binfmt(region = n, process(decode = invert, encode = invert))]
    inverted: Inner,
    #[binfmt(region(ends(b"\r\n", keep)))]
    ended: Inner,
    #[binfmt(region(n, rest = keep))]
    kept: binfmt::Kept<Inner>,
    message: Message,
    #[binfmt(optional_tail)]
    tail: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0x4bd2cdd291acf873)]
pub(super) struct Whole {
    place: u8,
    #[binfmt(at = place)]
    part: Inner,
    #[binfmt(gaps)]
    gaps: binfmt::Gaps,
}

/// Text in a code page counts as the bytes that it is.
struct Page;

impl binfmt::CodePage for Page {
    const NAME: &'static str = "PAGE";
    type Error = std::string::FromUtf8Error;

    fn decode(bytes: &[u8]) -> Result<String, Self::Error> {
        String::from_utf8(bytes.to_vec())
    }

    fn encode(text: &str) -> Result<Vec<u8>, Self::Error> {
        Ok(text.into())
    }
}

#[derive(BinFormat)]
#[binfmt(le, len = u16, key_order = lexicographic, fingerprint = 0xc9ec285f8e90e9fe)]
pub(super) struct Sorted {
    #[binfmt(var_len, rename = "called otherwise", pad_after = 2)]
    names: Vec<u8>,
    #[binfmt(length_prefixed(u8), text = with(Page))]
    page: String,
    #[binfmt(nul, text = encoding(shift_jis))]
    japanese: String,
    #[binfmt(align_before = 4)]
    at_last: u16,
    limited: Limited,
}

#[derive(BinFormat)]
#[binfmt(size = 3, fingerprint)]
struct Limited {
    a: u8,
    b: u16,
}

#[derive(BinFormat)]
#[binfmt(magic = b"M", tag(peek u8), fingerprint = 0x72fc35caa7024cfe)]
pub(super) enum Message {
    #[binfmt(tag(0x80..))]
    Long(u16),
    #[binfmt(other)]
    Short(u8),
}

#[derive(BinFormat)]
#[binfmt(untagged, fingerprint = 0xe7fd5bb819bdefec)]
pub(super) enum Attempts {
    #[binfmt(magic = b"L")]
    Long(u16),
    Short(u8),
}

/// Types in types: what they cost while compiling is what one costs, for each.
macro_rules! levels {
    ($($outer:ident { $inner:ty })*) => { $(
        #[derive(BinFormat)]
        #[binfmt(fingerprint)]
        struct $outer {
            a: $inner,
            b: $inner,
        }
    )* };
}

levels! {
    L1 { Inner } L2 { L1 } L3 { L2 } L4 { L3 } L5 { L4 } L6 { L5 } L7 { L6 } L8 { L7 } L9 { L8 } L10 { L9 }
    L11 { L10 } L12 { L11 } L13 { L12 } L14 { L13 } L15 { L14 } L16 { L15 } L17 { L16 } L18 { L17 } L19 { L18 } L20 { L19 }
    L21 { L20 } L22 { L21 } L23 { L22 } L24 { L23 } L25 { L24 } L26 { L25 } L27 { L26 } L28 { L27 } L29 { L28 } L30 { L29 }
    L31 { L30 } L32 { L31 } L33 { L32 } L34 { L33 } L35 { L34 } L36 { L35 } L37 { L36 } L38 { L37 } L39 { L38 } L40 { L39 }
}

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct One<T> {
    a: T,
    b: T,
}

type Two<T> = One<One<T>>;
type Four<T> = Two<Two<T>>;
type Eight<T> = Four<Four<T>>;
type Sixteen<T> = Eight<Eight<T>>;

#[derive(BinFormat)]
#[binfmt(fingerprint = 0x886d0d8c79909902)]
struct Deep(L40, L9, One<u8>, One<u16>, Sixteen<u8>);

#[test]
fn the_same_number_as_at_run_time() {
    pinned! {
        Deep = "0x886d0d8c79909902"
        Elsewhere = "0xc303d31efb1edd9b"
        Whole = "0x4bd2cdd291acf873"
        Sorted = "0xc9ec285f8e90e9fe"
        Message = "0x72fc35caa7024cfe"
        Attempts = "0xe7fd5bb819bdefec"
        Numbers = "0xb0b4a1c933317770"
        Words = "0xd92c0da5c4476e5f"
        Inner = "0xa3c3b1f472fce313"
        Choice = "0x0e6da5760bd5a7f0"
        Bytes = "0xa2f6976e2a4bf2f4"
        Orders = "0xb8bf1c78e07d99f5"
        Around = "0xc66b40ede4c786cb"
    }
}

/// Generic in types, numbers and lifetimes: each instance has a fingerprint of its own.
#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Block<T, const N: usize> {
    #[binfmt(count = N)]
    items: Vec<T>,
    fixed: [T; N],
}

#[derive(BinFormat)]
#[binfmt(tag(u8), fingerprint)]
enum Either<A, B = u8> {
    Left(A),
    Right { b: B },
}

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Lent<'a, T> {
    #[binfmt(length_prefixed(u8))]
    name: &'a str,
    value: T,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0xde9dcc5965cd1149)]
struct Instances<'a>(Block<u16, 2>, Block<u16, 3>, Either<u8, Block<u8, 2>>, Lent<'a, Either<i8>>);

#[test]
fn generic_types_have_one_for_each_instance() {
    pinned! { Instances<'_> = "0xde9dcc5965cd1149" }
    assert_ne!(Block::<u16, 2>::SCHEMA.fingerprint(), Block::<u16, 3>::SCHEMA.fingerprint());
    assert_ne!(Either::<u8>::SCHEMA.fingerprint(), Either::<i8>::SCHEMA.fingerprint());
}
