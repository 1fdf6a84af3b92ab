//! Every word of the derive, as its schema says it.

use super::says;
use binfmt::schema::{Describe, Field, Schema, Type};
use binfmt::value::Value;
use binfmt::{Array, ArrayD, BinFormat, Blank, Endian, Ignored, Kept, Nullable, Options};
use std::borrow::Cow;

#[test]
fn types_without_a_word() {
    #[derive(BinFormat)]
    struct All {
        a: u8,
        b: i16,
        c: u128,
        d: f32,
        e: bool,
        f: [u16; 3],
        g: [u8; 4],
        h: (u8, (i8, f64)),
        i: Box<u32>,
        j: [[i8; 2]; 3],
    }
    says::<All>(
        "\
All: record
  a: u8
  b: i16
  c: u128
  d: f32
  e: bool
  f: [u16; 3]
  g: bytes, count = 4
  h: record
    0: u8
    1: record
      0: i8
      1: f64
  i: u32
  j: [[i8; 2]; 3]
",
    );
}

#[test]
fn lengths() {
    #[derive(BinFormat)]
    #[binfmt(len = u16, max_len = 100)]
    struct Lengths<'a> {
        n: u8,
        #[binfmt(var_len)]
        a: String,
        #[binfmt(length_prefixed(i64, max = 7))]
        b: Vec<u8>,
        #[binfmt(length_prefixed(u8, inclusive))]
        c: Vec<u32>,
        #[binfmt(length_prefixed(u32, in = bytes))]
        d: Vec<u32>,
        #[binfmt(length_prefixed(u32, in = bytes))]
        e: (u8, u16),
        #[binfmt(count = n * 2)]
        f: Vec<f64>,
        #[binfmt(count = 5)]
        g: Vec<u16>,
        #[binfmt(count = usize::from(*n) + 1)]
        h: &'a [u8],
        #[binfmt(each([(), ()]))]
        i: Vec<u16>,
        #[binfmt(until = |x| *x == 0)]
        j: Vec<u8>,
        #[binfmt(length_prefixed(u8))]
        k: Ignored,
        #[binfmt(until_eof)]
        z: Cow<'a, [u8]>,
    }
    says::<Lengths<'_>>(
        "\
Lengths: record
  n: u8
  a: text, length_prefixed(u16, max = 100)
  b: bytes, length_prefixed(i64, max = 7)
  c: [u32], length_prefixed(u8, inclusive, max = 100)
  d: [u32], length_prefixed(u32, in = bytes, max = 100)
  e: record, length_prefixed(u32, in = bytes, max = 100)
    0: u8
    1: u16
  f: [f64], count = n * 2
  g: [u16; 5]
  h: bytes, count = usize::from(*n) + 1
  i: [u16], each([(), ()])
  j: [u8], until = |x| *x == 0
  k: ignored, length_prefixed(u8, max = 100)
  z: bytes, until_eof
",
    );
}

#[test]
fn regions() {
    #[derive(BinFormat)]
    struct All {
        n: u8,
        #[binfmt(region = *n)]
        a: (u8, u16),
        #[binfmt(region = n * 2, count = *n)]
        b: Vec<u16>,
        #[binfmt(region(*n, rest = skip), nul)]
        c: String,
        #[binfmt(region(*n, rest = skip), fill = 7)]
        d: u8,
        #[binfmt(region(*n, rest = keep))]
        e: Kept<u8>,
        #[binfmt(nullable(body = absent), pad_to = 9, le, region = *n)]
        f: Option<Vec<u8>>,
    }
    says::<All>(
        "\
All: record
  n: u8
  a: record, region = *n
    0: u8
    1: u16
  b: [u16], region = n * 2, count = *n
  c: text, region(*n, rest = skip), nul
  d: u8, region(*n, rest = skip), fill = 0x07
  e: Kept<u8>, region = *n
  f: bytes, le, pad_to = 9, nullable(present = 255, missing = 0..=127, body = absent), region = *n, until_eof
Kept<u8>: record
  value: u8
  rest: bytes, until_eof
",
    );
}

#[test]
fn elsewhere() {
    const HEAD: u8 = 4;
    #[derive(BinFormat)]
    struct All {
        n: u8,
        #[binfmt(at = n, count = n)]
        a: Vec<u16>,
        #[binfmt(at(file) = *n + HEAD, be)]
        b: u16,
        #[binfmt(offset_of(d, u32))]
        place: (),
        #[binfmt(offset_of(n))]
        first: u8,
        #[binfmt(at = place)]
        d: u8,
        #[binfmt(if(*n > 0), at = 9)]
        c: Option<(u8, u8)>,
        #[binfmt(at(end) = n * 2)]
        e: u8,
        #[binfmt(gaps)]
        rest: binfmt::Gaps,
    }
    says::<All>(
        "\
All: record
  n: u8
  a: [u16], at = n, count = n
  b: u16, at(file) = *n + 4, be
  place: u32, offset_of(d, u32)
  first: u8, offset_of(n)
  d: u8, at = place
  c: record, if(*n > 0), at = 9
    0: u8
    1: u8
  e: u8, at(end) = n * 2
  rest: [Gap], gaps
Gap: record
  offset: u64
  bytes: bytes, until_eof
",
    );
}

#[test]
fn ahead() {
    #[derive(BinFormat)]
    struct All {
        #[binfmt(peek, be)]
        next: u16,
        n: u8,
        #[binfmt(peek, if(*n > 0))]
        other: Option<Item>,
    }
    #[derive(BinFormat)]
    #[binfmt(tag(peek u16, be))]
    enum Item {
        #[binfmt(tag(1 | 2))]
        Known { kind: u16 },
        #[binfmt(other)]
        Rest(u8),
    }
    says::<All>(
        "\
All: record
  next: u16, peek, be
  n: u8
  other: Item, if(*n > 0), peek
Item: choice, tag(u16, be, peek)
  1 | 2 => Known
    kind: u16
  _ => Rest
    0: u8
",
    );
}

#[test]
fn tried() {
    #[derive(BinFormat)]
    #[binfmt(untagged, be, magic = b"T")]
    enum All {
        #[binfmt(magic = b"A")]
        One(u16),
        #[binfmt(assert(*n > 4), le)]
        Two { n: u16 },
    }
    says::<All>(
        "\
All: choice, be, magic = b\"T\", untagged
  _ => One
    _: magic = b\"A\"
    0: u16
  _ => Two, assert(*n > 4)
    n: u16, le
",
    );
}

#[test]
fn marked() {
    const MARK: u16 = 0x0102;
    #[derive(BinFormat)]
    #[binfmt(tag(u8), magic = b"E\n")]
    enum All {
        #[binfmt(tag = 1)]
        Inner(Inner),
    }
    #[derive(BinFormat)]
    #[binfmt(tag(u8), be, magic = MARK)]
    enum Inner {
        #[binfmt(tag = 0)]
        N(u16),
    }
    says::<All>(
        "\
All: choice, magic = b\"E\\n\", tag(u8)
  1 => Inner
    0: Inner
Inner: choice, be, magic = 258u16, tag(u8)
  0 => N
    0: u16
",
    );
}

#[test]
fn made_by_functions() {
    fn turn(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|b| !b).collect()
    }
    #[derive(BinFormat)]
    struct All {
        key: u8,
        #[binfmt(length_prefixed(u16, in = bytes), process(decode = turn, encode = turn))]
        text: String,
        #[binfmt(region = key, process(decode = turn, encode = turn), be)]
        n: (u16, u8),
        #[binfmt(until_eof, process(decode = turn, encode = turn))]
        rest: Vec<u16>,
    }
    says::<All>(
        "\
All: record
  key: u8
  text: text, length_prefixed(u16, in = bytes), process(decode = turn, encode = turn), until_eof
  n: record, be, region = key, process(decode = turn, encode = turn)
    0: u16
    1: u8
  rest: [u16], process(decode = turn, encode = turn), until_eof
",
    );
}

#[test]
fn at_the_end() {
    #[derive(BinFormat)]
    struct All {
        n: u8,
        #[binfmt(optional_tail, be)]
        more: Option<u16>,
        #[binfmt(optional_tail, length_prefixed(u8))]
        name: Option<String>,
    }
    says::<All>(
        "\
All: record
  n: u8
  more: u16, optional_tail, be
  name: text, optional_tail, length_prefixed(u8)
",
    );
}

#[test]
fn computed() {
    #[derive(BinFormat)]
    struct All {
        #[binfmt(len_of(body, bytes, u24), be)]
        size: (),
        /// How many.
        #[binfmt(len_of(body, u8))]
        num: (),
        #[binfmt(calc(leb128 = num + 1))]
        more: (),
        #[binfmt(region = *size, count = num)]
        body: Vec<u16>,
        #[binfmt(checksum(u32 = sum, over = num..))]
        sum: (),
        #[binfmt(checksum(|bytes| [bytes[0]], over = .., self_as = [0]))]
        kept: [u8; 1],
    }
    fn sum(bytes: &[u8]) -> u32 {
        bytes.len() as u32
    }
    says::<All>(
        "\
All: record
  size: u24, be, len_of(body, bytes, u24)
  num: u8, len_of(body, u8)  // How many.
  more: u64, as = leb128, calc(leb128 = num + 1)
  body: [u16], region = *size, count = num
  sum: u32, checksum(u32 = sum, over = num..)
  kept: bytes, count = 1, checksum(|bytes| [bytes[0]], over = .., self_as = [0])
",
    );
}

#[test]
fn terminators() {
    #[derive(BinFormat)]
    struct Ends {
        #[binfmt(ends(b'|'))]
        a: String,
        #[binfmt(ends(b"\r\n", keep), text = latin1)]
        b: String,
        #[binfmt(ends(0, unread, or_eof))]
        c: Vec<u8>,
    }
    says::<Ends>(
        "\
Ends: record
  a: text, ends(b'|')
  b: text, ends(b\"\\r\\n\", keep), text = latin1
  c: bytes, ends(b'\\x00', unread, or_eof)
",
    );
}

#[test]
fn fillings() {
    #[derive(BinFormat)]
    struct Trims {
        #[binfmt(count = 4, trim = b' ')]
        a: String,
        #[binfmt(pad_to = 4, trim = 0xff)]
        b: Vec<u8>,
    }
    says::<Trims>(
        "\
Trims: record
  a: text, count = 4, trim = b' '
  b: bytes, pad_to = 4, fill = 0xff, until_eof, trim = b'\\xff'
",
    );
}

#[test]
fn runs_of_bits() {
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Kind {
        A,
        B,
    }
    #[derive(BinFormat)]
    struct Flags {
        #[binfmt(be, bits(1, of = u16))]
        a: bool,
        #[binfmt(bits(7))]
        b: i8,
        #[binfmt(bits(3, reserved), strict)]
        c: (),
        #[binfmt(bits(5))]
        d: Kind,
        #[binfmt(bits(8, of = u8, order = lsb))]
        e: u32,
    }
    says::<Flags>(
        "\
Flags: record
  a: bool, be, bits(1, of = u16)
  b: i8, be, bits(7)
  c: (), be, strict, bits(3, reserved)
  d: Kind, be, bits(5)
  e: u32, bits(8, of = u8, order = lsb)
Kind: choice, tag(u8)
  0 => A
  1 => B
",
    );
    #[derive(BinFormat)]
    #[binfmt(tag(u8, bits(3, of = u16, order = lsb), be))]
    enum Packed {
        #[binfmt(tag = 2)]
        Flag(#[binfmt(bits(1))] bool, #[binfmt(bits(12, reserved))] ()),
        #[binfmt(other)]
        Rest(u8, #[binfmt(bits(13))] u16, u16),
    }
    says::<Packed>(
        "\
Packed: choice, tag(u8, be, bits(3, of = u16, order = lsb))
  2 => Flag
    0: bool, be, bits(1)
    1: (), be, bits(12, reserved)
  _ => Rest
    1: u16, be, bits(13)
    2: u16
",
    );
}

#[test]
fn lists_of_bits() {
    #[derive(BinFormat)]
    struct Lists {
        n: u8,
        #[binfmt(count = n, bits(12, order = msb))]
        a: Vec<u16>,
        #[binfmt(count = 3, bits(4), strict, pad_to = 8)]
        b: Vec<i8>,
        #[binfmt(be, length_prefixed(u16, in = bytes), bits(1))]
        c: Vec<bool>,
        #[binfmt(until_eof, bits(6, order = lsb))]
        d: Box<[u8]>,
    }
    says::<Lists>(
        "\
Lists: record
  n: u8
  a: [u16, bits(12, order = msb)], count = n
  b: [i8, bits(4), strict; 3], pad_to = 8, strict
  c: [bool, bits(1)], be, length_prefixed(u16, in = bytes)
  d: [u8, bits(6, order = lsb)], until_eof
",
    );
}

#[test]
fn texts() {
    #[derive(BinFormat)]
    struct Texts {
        #[binfmt(nul)]
        a: String,
        #[binfmt(var_len, nul)]
        b: String,
        #[binfmt(count = 8, nul, text = ascii)]
        c: String,
        #[binfmt(var_len, text = latin1)]
        d: String,
        #[binfmt(var_len, text = utf8)]
        e: String,
        #[binfmt(var_len, nul)]
        f: Vec<u8>,
        #[binfmt(var_len, text = bytes)]
        g: Vec<u8>,
        #[binfmt(nul)]
        h: Vec<u8>,
    }
    says::<Texts>(
        "\
Texts: record
  a: text, nul
  b: text, length_prefixed(u32), nul
  c: text, count = 8, nul, text = ascii
  d: text, length_prefixed(u32), text = latin1
  e: text, length_prefixed(u32)
  f: text, length_prefixed(u32), nul, text = bytes
  g: bytes, length_prefixed(u32)
  h: text, nul, text = bytes
",
    );
}

#[test]
fn presence() {
    const MOST: u16 = 7;
    #[derive(BinFormat)]
    struct Maybe {
        flags: u8,
        #[binfmt(nullable)]
        a: Option<i16>,
        #[binfmt(nullable(present = 1, missing = 0, body = absent))]
        b: Nullable<i16>,
        #[binfmt(nullable(present = 0, missing = 1..=3), var_len, nul)]
        c: Nullable<String>,
        #[binfmt(if(*flags & 1 != 0), var_len, pad_before = 2)]
        d: Option<Vec<u16>>,
        #[binfmt(if(*flags & 2 != 0), count = flags)]
        e: Option<Blank>,
        #[binfmt(if(*flags & 4 != 0, else = MOST), align_before = 2)]
        f: u16,
    }
    says::<Maybe>(
        "\
Maybe: record
  flags: u8
  a: i16, nullable
  b: i16, nullable(present = 1, missing = 0, body = absent)
  c: text, nullable(present = 0, missing = 1..=3), length_prefixed(u32), nul
  _: skip(bytes = 2), if(*flags & 1 != 0)
  d: [u16], if(*flags & 1 != 0), length_prefixed(u32)
  e: ignored, if(*flags & 2 != 0), count = flags
  _: align(2), if(*flags & 4 != 0)
  f: u16, if(*flags & 4 != 0, else = 7)
",
    );
}

#[test]
fn byte_orders() {
    #[derive(BinFormat)]
    #[binfmt(be)]
    struct Orders {
        e: u8,
        a: u16,
        #[binfmt(le)]
        b: u16,
        #[binfmt(be)]
        c: u16,
        #[binfmt(endian = if *e == 0 { Endian::Little } else { Endian::Big })]
        d: u16,
    }
    says::<Orders>(
        "\
Orders: record, be
  e: u8
  a: u16
  b: u16, le
  c: u16, be
  d: u16, endian = if *e == 0 { Endian::Little } else { Endian::Big }
",
    );
    #[derive(BinFormat)]
    #[binfmt(endian = order, ctx(order: Endian))]
    struct Chosen {
        a: u16,
    }
    says::<Chosen>("Chosen: record, endian = order, ctx(order: Endian)\n  a: u16\n");
}

#[test]
fn padding() {
    #[derive(BinFormat)]
    struct Padded {
        #[binfmt(skip(bytes = 4))]
        a: u8,
        #[binfmt(pad_before = 1, pad_after = 2, fill = 0xAA, strict)]
        b: u8,
        #[binfmt(align_before = 8, align_after = 4)]
        c: u8,
        #[binfmt(pad_to = 16, var_len)]
        d: String,
        #[binfmt(reserved(3))]
        e: (),
        #[binfmt(skip, default = 3)]
        f: u8,
    }
    says::<Padded>(
        "\
Padded: record
  _: skip(bytes = 4)
  a: u8
  _: skip(bytes = 1), fill = 0xaa, strict
  b: u8
  _: skip(bytes = 2), fill = 0xaa, strict
  _: align(8)
  c: u8
  _: align(4)
  d: text, pad_to = 16, length_prefixed(u32)
  e: reserved(3)
",
    );
}

#[test]
fn magic() {
    const VERSION: u16 = 3;
    #[derive(BinFormat)]
    #[binfmt(magic = b"RI\xffF")]
    struct Magic {
        #[binfmt(magic = VERSION)]
        a: (),
        #[binfmt(magic = 0x1234u32)]
        b: u8,
        #[binfmt(magic = [1, 2])]
        c: (),
        #[binfmt(magic = b'x')]
        d: (),
    }
    says::<Magic>(
        "\
Magic: record
  _: magic = b\"RI\\xffF\"
  a: magic = 3u16
  _: magic = 0x1234u32
  b: u8
  c: magic = b\"\\x01\\x02\"
  d: magic = b\"x\"
",
    );
}

#[test]
fn rules() {
    fn f(n: u8) -> char {
        n.into()
    }
    fn g(c: &char) -> u8 {
        *c as u8
    }
    fn h(c: &char) -> Result<u8, String> {
        Ok(*c as u8)
    }
    fn i(n: u8) -> Result<char, String> {
        Ok(n.into())
    }
    #[derive(BinFormat)]
    #[binfmt(ctx(max: u8, _name: &str), assert(*a < max, "too large"), max_depth = 9)]
    struct Rules {
        #[binfmt(range = 1..=9, assert(a % 2 == 0), assert(*a > 2, "small \"a\""))]
        a: u8,
        #[binfmt(len_of(data))]
        b: u8,
        #[binfmt(len_of(data, bytes, auto))]
        c: u16,
        #[binfmt(count = b)]
        data: Vec<u8>,
        #[binfmt(map(decode = f, encode = g, as = u8))]
        d: char,
        #[binfmt(try_map(decode = i, encode = h))]
        e: char,
        #[binfmt(args(rows = *a, extra = 1))]
        k: Child,
        #[binfmt(tag_from = *a)]
        l: Kind,
        #[binfmt(bool_lax)]
        m: bool,
    }
    #[derive(BinFormat)]
    #[binfmt(ctx(rows: u8, extra: u8))]
    struct Child {
        #[binfmt(count = rows + extra)]
        bytes: Vec<u8>,
    }
    #[derive(BinFormat)]
    #[binfmt(ctx(kind: u8), tag_from = kind)]
    enum Kind {
        #[binfmt(tag = 1)]
        One,
        #[binfmt(other)]
        Rest,
    }
    says::<Rules>(
        "\
Rules: record, ctx(max: u8, _name: &str), assert(*a < max, \"too large\"), max_depth = 9
  a: u8, range = 1..=9, assert(a % 2 == 0), assert(*a > 2, \"small \\\"a\\\"\")
  b: u8, len_of(data)
  c: u16, len_of(data, bytes, auto)
  data: bytes, count = b
  d: u8, map(decode = f, encode = g, as = u8)
  e: opaque(try_map(decode = i, encode = h)), size(0, ..)
  k: Child, args(rows = *a, extra = 1)
  l: Kind, tag_from = *a
  m: bool, bool_lax
Child: record, ctx(rows: u8, extra: u8)
  bytes: bytes, count = rows + extra
Kind: choice, tag_from = kind, ctx(kind: u8)
  1 => One
  _ => Rest
",
    );
}

// a codec gets the byte order whether it needs it or not
#[allow(clippy::extra_unused_type_parameters)]
mod u24 {
    use binfmt::{Order, Result, Sink, Source};
    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u32> {
        src.array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }
    pub(super) fn encode<O: Order, W: Sink>(n: &u32, out: &mut W) -> Result<()> {
        let [a, b, c, _] = n.to_le_bytes();
        out.array([a, b, c])
    }
}

#[test]
fn codecs_of_the_users_own() {
    #[derive(BinFormat)]
    struct Custom {
        #[binfmt(with = u24, size(3))]
        a: u32,
        #[binfmt(with = u24, le)]
        b: u32,
        #[binfmt(decode_with = u24::decode, encode_with = u24::encode, size(1, 4))]
        c: u32,
    }
    let description = says::<Custom>(
        "\
Custom: record
  a: opaque(with = u24), size(3)
  b: opaque(with = u24), le, size(0, ..)
  c: opaque(decode_with = u24::decode, encode_with = u24::encode), size(1, 4)
",
    );
    let Some(Type::Record(custom)) = description.definitions.get("Custom") else { panic!("no record") };
    assert_eq!(
        custom.fields[0],
        Field::new("a", Type::Opaque { by: "with = u24".into(), min: 3, max: Some(3) }).native("u32")
    );
}

#[test]
fn documentation() {
    /// A whole
    /// thing.
    ///
    /// More of it.
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Documented {
        /// Nothing at all.
        None,
        /// Two numbers.
        Two(
            /// The first.
            u8,
            u16,
            /**  The last:
            of all. */
            u16,
            #[doc(hidden)] u8,
            /// Some bytes.
            #[binfmt(var_len)]
            Vec<u8>,
            /// Nothing in particular.
            #[binfmt(reserved(2))]
            (),
        ),
    }
    let description = says::<Documented>(
        "\
Documented: choice, tag(u8)  // A whole thing.
  0 => None  // Nothing at all.
  1 => Two  // Two numbers.
    0: u8  // The first.
    1: u16
    2: u16  // The last: of all.
    3: u8
    4: bytes, length_prefixed(u32)  // Some bytes.
    5: reserved(2)  // Nothing in particular.
",
    );
    let Some(Type::Choice(choice)) = description.definitions.get("Documented") else { panic!("no choice") };
    assert_eq!(choice.doc, "A whole\nthing.\n\nMore of it.");
}

#[test]
fn tags() {
    const SIX: u8 = 6;
    #[derive(BinFormat)]
    #[binfmt(tag(u16, be), le)]
    #[repr(u16)]
    enum Tags {
        A = 3,
        B,
        #[binfmt(tag = 0x10)]
        C {
            x: u16,
        },
        #[binfmt(tag(7 | 8))]
        D(u16),
        #[binfmt(tag = 100..=200)]
        E {
            tag: u16,
        },
        #[binfmt(other)]
        F {
            tag: u16,
            rest: u8,
        },
    }
    says::<Tags>(
        "\
Tags: choice, le, tag(u16, be)
  3 => A
  4 => B
  0x10 => C
    x: u16
  7 | 8 => D
  100..=200 => E
  _ => F
    rest: u8
",
    );
    #[derive(BinFormat)]
    #[binfmt(tag([u8; 4]))]
    enum Chunk {
        #[binfmt(tag = b" i32", rename = "number")]
        Number(i32),
        #[binfmt(tag = b"none")]
        Nothing,
    }
    says::<Chunk>(
        "Chunk: choice, tag(bytes, count = 4)\n  b\" i32\" => number\n    0: i32\n  b\"none\" => Nothing\n",
    );
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    #[repr(u8)]
    enum Computed {
        A = SIX + 1,
        B,
    }
    says::<Computed>("Computed: choice, tag(u8)\n  7 => A\n  8 => B\n");
}

/// What a constant is stands in the description, so that its bytes are known where the source is not.
#[test]
fn constants() {
    const LOW: i16 = -2;
    const NAME: [u8; 2] = *b"n\"";
    const PAIR: (u8, u8) = (1, 2);
    const MIXED: (u8, u16) = (1, 2);
    trait Tags {
        const FIRST: u8;
    }
    impl Tags for bool {
        const FIRST: u8 = 40;
    }
    mod kinds {
        pub(super) const WORD: u8 = 2;
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(i16), be)]
    enum Numbers {
        #[binfmt(tag = LOW)]
        Low,
        #[binfmt(tag(i16::MIN..=0 | 5 | i16::MAX))]
        Others { tag: i16 },
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag([u8; 2]))]
    enum Bytes {
        #[binfmt(tag = NAME)]
        Name { n: u8 },
    }
    #[derive(BinFormat)]
    #[binfmt(ctx(kind: u8), tag_from = kind)]
    enum Elsewhere {
        #[binfmt(tag = kinds::WORD)]
        Word(u16),
        #[binfmt(tag = <bool as Tags>::FIRST)]
        Byte(u8),
    }
    says::<Numbers>("Numbers: choice, be, tag(i16)\n  -2 => Low\n  -32768..=0 | 5 | 32767 => Others\n");
    says::<Bytes>("Bytes: choice, tag(bytes, count = 2)\n  b\"n\\\"\" => Name\n    n: u8\n");
    says::<Elsewhere>(
        "Elsewhere: choice, tag_from = kind, ctx(kind: u8)\n  2 => Word\n    0: u16\n  40 => Byte\n    0: u8\n",
    );
    #[derive(BinFormat)]
    struct Magics {
        #[binfmt(magic = LOW)]
        low: (),
        #[binfmt(magic = NAME)]
        name: (),
        #[binfmt(magic = PAIR)]
        pair: (),
        #[binfmt(magic = MIXED)]
        mixed: (),
    }
    says::<Magics>(
        "Magics: record\n  low: magic = -2i16\n  name: magic = b\"n\\\"\"\n  pair: magic = b\"\\x01\\x02\"\n  mixed: magic = MIXED, size(4)\n",
    );
    // the run-time codec knows them too
    let read = |schema: &Schema, bytes: &[u8]| {
        let description = schema.description();
        let options = Options::new().ctx(&*description);
        let value = binfmt::from_slice_with::<Value, _>(bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
        value
    };
    let numbers = Numbers::SCHEMA;
    let variant = |value: Value| match value {
        Value::Variant { name, .. } => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(variant(read(numbers, &[0xff, 0xfe])), "Low");
    assert_eq!(variant(read(numbers, &[0x7f, 0xff])), "Others");
    assert_eq!(variant(read(Bytes::SCHEMA, b"n\"\x07")), "Name");
    #[derive(BinFormat)]
    #[binfmt(be)]
    struct Head {
        #[binfmt(magic = LOW)]
        low: (),
        #[binfmt(magic = NAME)]
        n: u8,
    }
    assert_eq!(read(Head::SCHEMA, b"\xff\xfen\"\x07").get("n"), Some(&Value::from(7u8)));
}

#[test]
fn names_and_orders_of_fields() {
    #[derive(BinFormat)]
    #[binfmt(key_order = lexicographic, rename = "header", size = 3)]
    struct Header {
        #[binfmt(rename = "zz")]
        a: u8,
        b: u16,
    }
    says::<Header>("header: record\n  b: u16\n  zz: u8\n");
    #[derive(BinFormat)]
    #[binfmt(transparent, be)]
    struct Meters(u32);
    #[derive(BinFormat)]
    #[binfmt(transparent)]
    struct Depth(Meters);
    #[derive(BinFormat)]
    struct Dive {
        from: Meters,
        to: Depth,
    }
    let description = says::<Dive>("Dive: record\n  from: Meters\n  to: Meters\nMeters: u32, be\n");
    assert_eq!(description.definitions.len(), 2);
}

#[test]
fn arrays_of_several_dimensions() {
    #[derive(BinFormat)]
    struct Arrays {
        n: u8,
        #[binfmt(shape(u64))]
        own: Array<f32, 3>,
        #[binfmt(shape(i16, rank = 2, order = column))]
        said: ArrayD<u8>,
        #[binfmt(shape(u32, rank = *n + 1))]
        by: ArrayD<bool>,
        #[binfmt(shape(u8))]
        foreign: ndarray::Array2<u16>,
    }
    says::<Arrays>(
        "\
Arrays: record
  n: u8
  own: [f32], shape(u64, rank = 3)
  said: [u8], shape(i16, rank = 2, order = column)
  by: [bool], shape(u32, rank = *n + 1)
  foreign: [u16], shape(u8, rank = 2)
",
    );
}

#[test]
fn integers_in_other_forms() {
    #[derive(BinFormat)]
    #[binfmt(len = leb128)]
    struct Integers {
        #[binfmt(as = u24)]
        a: u32,
        #[binfmt(as = i56, be)]
        b: i64,
        #[binfmt(as = u16)]
        c: usize,
        #[binfmt(as = leb128, count = 3)]
        d: Vec<u32>,
        #[binfmt(as = sleb128)]
        e: [i64; 2],
        #[binfmt(as = zigzag, nullable)]
        f: Option<i32>,
        #[binfmt(var_len)]
        g: String,
        #[binfmt(length_prefixed(u8, as = vlq, max = 9))]
        h: Vec<u8>,
        #[binfmt(length_prefixed(u40, in = bytes))]
        i: (u8, u16),
        #[binfmt(shape(i24))]
        j: Array<u8, 2>,
        k: Tagged,
    }
    #[derive(BinFormat)]
    #[binfmt(tag(u24, be))]
    enum Tagged {
        #[binfmt(tag = 7)]
        A(#[binfmt(as = vlq)] u16),
    }
    says::<Integers>(
        "\
Integers: record
  a: u24
  b: i56, be
  c: u16
  d: [u32, as = leb128; 3]
  e: [i64, as = sleb128; 2]
  f: i32, nullable, as = zigzag
  g: text, length_prefixed(leb128)
  h: bytes, length_prefixed(u8, as = vlq, max = 9)
  i: record, length_prefixed(u40, in = bytes)
    0: u8
    1: u16
  j: [u8], shape(i24, rank = 2)
  k: Tagged
Tagged: choice, tag(u24, be)
  7 => A
    0: u16, as = vlq
",
    );
}

#[test]
fn words_that_say_nothing_of_the_bytes() {
    #[derive(BinFormat)]
    #[binfmt(bound(T: Copy), crate = ::binfmt)]
    struct Quiet<'a, T> {
        #[binfmt(length_prefixed(u8), borrow)]
        text: Cow<'a, str>,
        #[binfmt(skip, default = None)]
        cache: Option<T>,
    }
    says::<Quiet<'_, u8>>("Quiet<u8>: record\n  text: text, length_prefixed(u8)\n");
    #[derive(BinFormat)]
    #[binfmt(columns)]
    struct Cell {
        a: u8,
        #[binfmt(nullable)]
        b: Option<u16>,
    }
    says::<Cell>("Cell: record\n  a: u8\n  b: u16, nullable\n");
}

#[test]
fn words_of_variants() {
    #[derive(BinFormat)]
    #[binfmt(tag(u16), assert(self.is_known(), "{:?}", 1))]
    enum Variants {
        /// Low to high.
        #[binfmt(be, assert(*low <= *high))]
        Range {
            low: u16,
            #[binfmt(le)]
            high: u16,
        },
        #[binfmt(magic = b"AB", assert(*_0 < 7, "{_0} of {}", 6))]
        Marked(u16),
    }
    impl Variants {
        fn is_known(&self) -> bool {
            true
        }
    }
    says::<Variants>(
        "\
Variants: choice, tag(u16), assert(self.is_known(), \"{:?}\", 1)
  0 => Range, assert(*low <= *high)  // Low to high.
    low: u16, be
    high: u16, le
  1 => Marked, assert(*_0 < 7, \"{_0} of {}\", 6)
    _: magic = b\"AB\"
    0: u16
",
    );
}

/// It is the number of all the rest, so it adds nothing.
#[test]
fn fingerprint() {
    #[derive(BinFormat)]
    #[binfmt(fingerprint)]
    struct Point {
        x: i32,
        y: i32,
    }
    #[derive(BinFormat)]
    #[binfmt(le, fingerprint = 0x50380683fb8fd5cc)]
    struct Line {
        from: Point,
        to: Point,
        width: u8,
    }
    assert_eq!(
        Line::SCHEMA.to_string(),
        "\
Line: record, le
  from: Point
  to: Point
  width: u8
Point: record
  x: i32
  y: i32
"
    );
}

#[test]
fn version_since_until_version() {
    const THIRD: u8 = 3;
    #[derive(BinFormat)]
    #[binfmt(version = version)]
    struct Header {
        version: u8,
        #[binfmt(since = 2)]
        flags: Option<u8>,
        #[binfmt(since = THIRD, until_version = 5, default = 80)]
        columns: u16,
    }
    assert_eq!(
        Header::SCHEMA.to_string(),
        "\
Header: record
  version: u8
  flags: u8, if(*version >= 2), since = 2
  columns: u16, if(*version >= 3 && *version < 5, else = 80), since = 3, until_version = 5
"
    );
    assert_eq!(
        Header::SCHEMA.at_version(4).to_string(),
        "Header: record\n  version: u8\n  flags: u8\n  columns: u16\n"
    );
    assert_eq!(Header::SCHEMA.at_version(1).to_string(), "Header: record\n  version: u8\n");
}
