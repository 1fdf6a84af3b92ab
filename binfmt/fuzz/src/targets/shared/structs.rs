//! Structs with every word, beside each other as their bytes come.

use super::runs::Runs;
use binfmt::{Array, ArrayD, BinFormat, Gaps, Kept, Nullable};
use std::borrow::Cow;

/// A function for each struct, chosen by the first byte.
macro_rules! choose {
    ($data:expr, $check:ident: $($ty:ty),+ $(; $more:path)?) => {{
        let checks: &[fn(&[u8])] = &[$($check::<$ty>,)+ $($more)?];
        if let Some((first, bytes)) = $data.split_first() {
            checks[usize::from(*first) % checks.len()](bytes);
        }
    }};
}
pub(crate) use choose;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns, fingerprint)]
pub(crate) struct Reading {
    pub(crate) a: u16,
    #[binfmt(nullable)]
    b: Nullable<i32>,
    #[binfmt(var_len)]
    c: String,
    #[binfmt(length_prefixed(u8))]
    d: Vec<i16>,
    #[binfmt(be)]
    e: [u32; 3],
    #[binfmt(range = 1..=12)]
    month: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, columns, fingerprint = 0xb2fabfe812ba88d5)]
pub(crate) struct Fixed {
    on: bool,
    #[binfmt(le)]
    x: f64,
    #[binfmt(range = -5..=5)]
    level: i16,
    #[binfmt(skip(bytes = 2))]
    nothing: (),
    big: u128,
    #[binfmt(nullable)]
    y: Nullable<f32>,
    #[binfmt(bool_lax)]
    lax: bool,
    #[binfmt(count = 5, nul)]
    name: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
pub(crate) struct Texts {
    #[binfmt(nul, text = latin1)]
    l: String,
    #[binfmt(nullable, var_len)]
    s: Nullable<String>,
    #[binfmt(length_prefixed(i16))]
    bytes: Vec<u8>,
    #[binfmt(nullable, length_prefixed(u8, max = 9))]
    list: Nullable<Vec<u32>>,
    pair: (u8, u32, i8),
    #[binfmt(range = ..100)]
    small: u64,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub(crate) enum Tree {
    Empty,
    Leaf(u16),
    #[binfmt(tag = 7)]
    Node {
        x: f32,
        #[binfmt(length_prefixed(u8))]
        below: Vec<Tree>,
    },
    Boxed(Box<Tree>),
    #[binfmt(tag(9..=12))]
    Many {
        tag: u8,
        on: bool,
    },
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, magic = b"HI", fingerprint = 0xae7a31cf0238f4c1)]
pub(crate) struct Message {
    n: u8,
    #[binfmt(count = *n)]
    numbers: Vec<u32>,
    #[binfmt(if(*n & 1 == 1))]
    odd: Option<u64>,
    #[binfmt(if(*n & 2 == 2, else = 2 * (n & 0x7f)))]
    twice: u8,
    #[binfmt(nul, text = latin1)]
    title: String,
    #[binfmt(align_before = 4)]
    q: u16,
    #[binfmt(length_prefixed(u16, in = bytes))]
    readings: Inner,
    #[binfmt(pad_to = 8, length_prefixed(u8))]
    padded: Vec<u8>,
    #[binfmt(range = 1..=12)]
    month: u8,
    #[binfmt(until_eof)]
    rest: Vec<u16>,
}

/// Values that are read ahead, bytes that functions make, and an end that may come early.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Ahead {
    #[binfmt(peek)]
    kind: u8,
    #[binfmt(if(*kind < 128))]
    low: Option<u8>,
    #[binfmt(if(*kind >= 128))]
    high: Option<u16>,
    #[binfmt(length_prefixed(u8))]
    marks: Vec<Mark>,
    #[binfmt(length_prefixed(u8, in = bytes), process(decode = turned, encode = turned))]
    turned: Vec<u16>,
    #[binfmt(optional_tail)]
    more: Option<u8>,
    #[binfmt(optional_tail, length_prefixed(u8))]
    name: Option<String>,
}

fn turned(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|b| !b).collect()
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek u8), magic = b"m")]
enum Mark {
    #[binfmt(tag(0..=0x7F))]
    Small(u8),
    #[binfmt(tag = 0x80, magic = b"\x80")]
    Empty,
    #[binfmt(other)]
    Pair(u8, u8),
}

/// Variants that are tried, in each other and after parts of them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged)]
pub(crate) enum Tried {
    #[binfmt(magic = b"LI")]
    List(#[binfmt(length_prefixed(u8, in = bytes))] Vec<Tried>),
    #[binfmt(magic = b"L")]
    Far {
        at: u8,
        #[binfmt(at = at)]
        far: u16,
        #[binfmt(range = ..8)]
        end: u8,
    },
    Twice(#[binfmt(range = 1..=2)] u8, Box<Tried>, #[binfmt(range = 1..=2)] u8),
    Once(#[binfmt(range = 1..=2)] u8, Box<Tried>),
    Number(#[binfmt(as = leb128)] u32),
}

/// Parts elsewhere, which may lead to each other and to themselves.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Pointers {
    n: u8,
    #[binfmt(at = n)]
    x: u16,
    #[binfmt(at(file) = *n / 2, count = *n & 7)]
    list: Vec<Pointer>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Pointer,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Pointer {
    place: u8,
    #[binfmt(if(*place > 0), at = place)]
    next: Option<Box<Pointer>>,
    #[binfmt(if(*place > 9), at(file) = place, length_prefixed(u8))]
    data: Option<Vec<u8>>,
}

/// Parts in places that are given, from both ends, and every byte that is in none of them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Gapped {
    n: u8,
    place: u8,
    #[binfmt(at = place, count = *n & 3)]
    list: Vec<Pointer>,
    #[binfmt(at(end) = 3)]
    end: (u8, u16),
    #[binfmt(if(end.0 > 3), at(end) = end.0, length_prefixed(u8))]
    last: Option<String>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Region,
    #[binfmt(gaps)]
    gaps: Gaps,
}

/// The same in a region.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Region {
    place: u8,
    #[binfmt(if(*place > 0), at = place)]
    x: Option<u16>,
    #[binfmt(if(*place > 7), at(end) = *place - 7)]
    y: Option<u8>,
    #[binfmt(gaps)]
    gaps: Gaps,
}

/// Parts in places that are found when they are written.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Floating {
    n: u8,
    #[binfmt(offset_of(list, auto))]
    place: u16,
    #[binfmt(offset_of(name, u8))]
    name_at: (),
    #[binfmt(at = place, count = *n & 7)]
    list: Vec<Sheet>,
    #[binfmt(at(file) = name_at, length_prefixed(u8))]
    name: String,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inside: Sheet,
    #[binfmt(at(end) = 2)]
    end: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sheet {
    on: bool,
    #[binfmt(offset_of(cells, u8))]
    place: (),
    #[binfmt(if(*on), at = place, count = 2)]
    cells: Option<Vec<u16>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Inner {
    #[binfmt(length_prefixed(u8))]
    readings: Vec<Reading>,
    #[binfmt(pad_before = 1, pad_after = 2, fill = 7)]
    x: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint = 0x49281f8db5695aa5)]
pub(crate) struct Arrays {
    #[binfmt(shape(u32))]
    a: Array<f32, 2>,
    #[binfmt(shape(u8, rank = 3, order = column))]
    b: ArrayD<u16>,
    #[binfmt(until = |x: &u8| *x == 0)]
    u: Vec<u8>,
    #[binfmt(length_prefixed(i32))]
    z: Vec<(u8, u16)>,
    #[binfmt(align_after = 8, strict)]
    end: u8,
    reserved: Reserved,
    regions: Regions,
}

/// Regions whose lengths are elsewhere.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Regions {
    #[binfmt(len_of(body, bytes, auto))]
    len: u16,
    n: u8,
    #[binfmt(region = *len)]
    body: Reserved,
    #[binfmt(region(*n, rest = skip), fill = 3, nul)]
    name: String,
    #[binfmt(region(*n, rest = keep))]
    kept: Kept<u16>,
    #[binfmt(region = n * 2, count = *n)]
    numbers: Vec<u16>,
    hidden: Hidden,
    ended: Ended,
    versions: Versions,
    flags: Flags,
}

/// Numbers that are not fields.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Hidden {
    #[binfmt(len_of(name, u8))]
    name_len: (),
    #[binfmt(len_of(list, bytes, u24))]
    list_size: (),
    #[binfmt(calc(leb128 = name_len + list_size * 3))]
    sum: (),
    #[binfmt(count = name_len)]
    name: String,
    #[binfmt(length_prefixed(u8))]
    list: Vec<u16>,
    #[binfmt(checksum(u16 = add_up, over = sum..=list))]
    check: (),
}

fn add_up(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_mul(3).wrapping_add(u16::from(*byte)))
}

/// Bits of integers.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Flags {
    #[binfmt(bits(1, of = u16))]
    set: bool,
    #[binfmt(bits(11))]
    n: i16,
    #[binfmt(bits(4))]
    reserved: u8,
    #[binfmt(bits(3, of = u8, order = msb))]
    kind: u8,
    #[binfmt(bits(5, reserved), strict)]
    gap: (),
}

/// Bits of any type whose values have one size.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
pub(crate) struct Packed {
    #[binfmt(bits(1, of = u64))]
    on: bool,
    #[binfmt(bits(7))]
    mode: Mode,
    #[binfmt(bits(16))]
    pair: [u8; 2],
    #[binfmt(bits(32))]
    x: f32,
    #[binfmt(bits(8))]
    n: i8,
    #[binfmt(bits(6, of = u16, order = lsb))]
    low: u8,
    #[binfmt(bits(10))]
    high: i16,
}

/// Lists whose elements have any number of bits.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Samples {
    n: u8,
    #[binfmt(count = n % 9, bits(12, order = msb))]
    samples: Vec<u16>,
    #[binfmt(length_prefixed(u16), bits(3, order = lsb), strict)]
    small: Vec<i8>,
    #[binfmt(count = 3, bits(7))]
    modes: Vec<Mode>,
    #[binfmt(length_prefixed(u8, in = bytes), bits(2))]
    pairs: Vec<u8>,
    #[binfmt(until_eof, bits(57, order = msb))]
    wide: Vec<u64>,
}

/// Columns of which some are lists of bits, and texts in code pages.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, columns)]
pub(crate) struct Strips {
    #[binfmt(length_prefixed(u8), bits(12, order = msb))]
    samples: Vec<u16>,
    #[binfmt(count = 5, bits(3), strict)]
    small: [i8; 5],
    #[binfmt(length_prefixed(u8), text = encoding(windows_1252))]
    west: String,
    #[binfmt(count = 4, trim = b' ', text = encoding(ibm437))]
    kind: String,
    #[binfmt(length_prefixed(u8), bits(1))]
    flags: Vec<bool>,
    #[binfmt(nullable, length_prefixed(u8), bits(65))]
    wide: Nullable<Vec<u128>>,
}

/// Text in code pages wherever text may be.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Paged {
    #[binfmt(nul, text = encoding(shift_jis))]
    ended: String,
    #[binfmt(count = 4, nul, text = encoding(koi8_r))]
    room: String,
    #[binfmt(ends(b";"), text = encoding(windows_1251))]
    until: String,
    #[binfmt(nullable, length_prefixed(u8), text = encoding(big5))]
    nullable: Nullable<String>,
    len: u8,
    #[binfmt(if(*len > 0), count = *len, text = encoding(iso_2022_jp))]
    counted: Option<String>,
    #[binfmt(until_eof, text = encoding(gb18030))]
    rest: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Mode {
    #[binfmt(bits(1, of = u8, order = msb, reserved))]
    high: (),
    #[binfmt(bits(3))]
    user: u8,
    #[binfmt(bits(4))]
    group: u8,
}

/// What functions say of the value, contexts with defaults, and a variant for all other tags that keeps none.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    #[binfmt(bits(1, of = u8), calc(bool = owner.is_some()))]
    has_owner: (),
    #[binfmt(bits(7))]
    n: u8,
    #[binfmt(if(has_owner))]
    owner: Option<u16>,
    #[binfmt(calc(u16 = few(*n)? * 3))]
    size: (),
    #[binfmt(count = size / 3)]
    codecs: Vec<Codec>,
    first: Cell,
    #[binfmt(args(3))]
    second: Cell,
    runs: Runs,
}

fn few(n: u8) -> Result<u8, &'static str> {
    if n < 9 { Ok(n) } else { Err("too many") }
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub(crate) enum Codec {
    #[binfmt(other, tag = 0)]
    Unknown,
    #[binfmt(tag = 1)]
    Known,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(width: u8 = 2))]
pub(crate) struct Cell {
    #[binfmt(count = width)]
    bytes: Vec<u8>,
}

/// Fields that only some versions have.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(version = *version & 7, fingerprint)]
pub(crate) struct Versions {
    version: u8,
    #[binfmt(since = 2)]
    flags: Option<u8>,
    #[binfmt(until_version = 3, length_prefixed(u8))]
    name: Option<String>,
    #[binfmt(since = 3, default = 80)]
    columns: u16,
    #[binfmt(since = 2, until_version = 5, pad_before = 1)]
    mid: Option<Inner>,
}

/// Text up to terminators.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Ended {
    #[binfmt(ends(b'|'))]
    name: String,
    #[binfmt(ends(b"\r\n", keep), text = latin1)]
    line: String,
    #[binfmt(ends(0xff))]
    bytes: Vec<u8>,
    #[binfmt(region(ends(b"|", or_eof)))]
    list: Vec<u16>,
    #[binfmt(count = 4, trim = b' ')]
    filled: String,
    #[binfmt(nul, text = utf16be)]
    units: String,
    #[binfmt(count = 2, trim = b' ', text = utf32le)]
    padded: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(fingerprint)]
pub(crate) struct Reserved {
    #[binfmt(reserved(3))]
    nothing: (),
    #[binfmt(length_prefixed(u8, inclusive))]
    inclusive: Vec<u8>,
}

/// What only a struct can say: fields that are computed, borrowed, given from outside, converted.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, assert(*low <= *high))]
pub(crate) struct Computed<'a> {
    low: u8,
    high: u8,
    #[binfmt(len_of(body, auto))]
    len: u16,
    #[binfmt(len_of(named, bytes, auto))]
    size: u8,
    #[binfmt(count = *len)]
    body: Vec<u16>,
    #[binfmt(count = *size)]
    named: Cow<'a, str>,
    kind: u8,
    #[binfmt(tag_from = *kind)]
    choice: Choice,
    #[binfmt(map(decode = |n: u16| f64::from(n) / 2.0, encode = |x: &f64| (*x * 2.0) as u16))]
    half: f64,
    #[binfmt(try_map(decode = even, encode = |n: &u32| Ok::<u32, &str>(*n)))]
    even: u32,
    #[binfmt(args(*low))]
    scaled: Scaled,
    #[binfmt(length_prefixed(u8), borrow)]
    lent: &'a [u8],
    #[binfmt(length_prefixed(u8, max = 4))]
    few: Vec<u8>,
    integers: Integers,
}

/// Integers in other forms than their own.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, len = leb128)]
pub(crate) struct Integers {
    #[binfmt(as = u24)]
    a: u32,
    #[binfmt(as = i40, le)]
    b: i64,
    #[binfmt(as = leb128, var_len)]
    c: Vec<u32>,
    #[binfmt(as = sleb128)]
    d: i16,
    #[binfmt(as = zigzag, nullable)]
    e: Option<i64>,
    #[binfmt(as = vlq, length_prefixed(u24))]
    f: Vec<u128>,
    #[binfmt(length_prefixed(u16, as = vlq, in = bytes))]
    g: Vec<u16>,
    h: Tagged,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(leb128))]
pub(crate) enum Tagged {
    #[binfmt(tag = 0)]
    None,
    #[binfmt(tag = 300)]
    One(#[binfmt(as = u16)] usize),
    #[binfmt(other)]
    Other(u64),
}

fn even(n: u32) -> Result<u32, &'static str> {
    if n.is_multiple_of(2) { Ok(n) } else { Err("odd") }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
pub(crate) enum Choice {
    #[binfmt(tag = 0)]
    Nothing,
    #[binfmt(tag = 1)]
    One(u8),
    #[binfmt(tag = 5)]
    Five([u16; 2]),
    #[binfmt(other)]
    Other(u8, u8),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(n: u8))]
pub(crate) struct Scaled {
    #[binfmt(count = n)]
    items: Vec<i8>,
    #[binfmt(if(n > 3))]
    more: Option<u16>,
}
