//! The dump of a word, of the derived type and of a `Value` along its description: the same rows.
//!
//! `words.txt` has them all; `BINFMT_BLESS=1 cargo test --test layouts dump::words` writes it again.

use crate::support::composite::{Composite, sample};
use binfmt::dump::{self, Trace};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{Decode, Options};
use std::fmt::Write as _;
use std::path::Path;

/// Types of one word each, or of some that belong together.
mod types {
    use binfmt::{Array, BinFormat, Endian, Gaps, Ignored, Kept, Nullable};

    #[derive(BinFormat)]
    pub(super) struct Padded {
        #[binfmt(pad_to = 4)]
        pub(super) n: u16,
        #[binfmt(pad_to = 6, length_prefixed(u8))]
        pub(super) text: String,
        #[binfmt(nullable, pad_to = 3)]
        pub(super) code: Nullable<u8>,
        #[binfmt(pad_to = 4, fill = 0xff)]
        pub(super) pair: (u8, u8),
        #[binfmt(pad_to = 4, trim = b' ')]
        pub(super) label: String,
    }

    #[derive(BinFormat)]
    pub(super) struct Around {
        #[binfmt(pad_before = 1, pad_after = 2)]
        pub(super) n: u8,
        #[binfmt(align_before = 4)]
        pub(super) m: u16,
        #[binfmt(reserved(2))]
        pub(super) gap: (),
        #[binfmt(length_prefixed(u8))]
        pub(super) extra: Ignored,
        #[binfmt(length_prefixed(u8, in = bytes))]
        pub(super) pairs: Vec<(u8, u8)>,
    }

    #[derive(BinFormat)]
    pub(super) struct Regions {
        pub(super) len: u8,
        #[binfmt(region = len)]
        pub(super) whole: (u8, u8),
        #[binfmt(region(len, rest = skip))]
        pub(super) skipped: u8,
        #[binfmt(region(len, rest = keep))]
        pub(super) kept: Kept<u8>,
    }

    #[derive(BinFormat)]
    pub(super) struct Numbers {
        #[binfmt(len_of(name, u16))]
        pub(super) name_len: (),
        #[binfmt(calc(u8 = 3))]
        pub(super) three: (),
        #[binfmt(count = name_len)]
        pub(super) name: String,
        #[binfmt(as = u24)]
        pub(super) wide: u32,
        #[binfmt(as = leb128)]
        pub(super) short: u64,
        #[binfmt(as = zigzag)]
        pub(super) signed: i32,
        #[binfmt(length_prefixed(leb128))]
        pub(super) list: Vec<u16>,
    }

    #[derive(BinFormat)]
    pub(super) struct Texts {
        #[binfmt(ends(b'|'))]
        pub(super) a: String,
        #[binfmt(region(ends(b';')))]
        pub(super) pair: (u8, u8),
        #[binfmt(ends(b";;", keep))]
        pub(super) b: Vec<u8>,
        #[binfmt(count = 4, trim = b' ')]
        pub(super) c: String,
        #[binfmt(length_prefixed(u8), text = utf16be)]
        pub(super) d: String,
        #[binfmt(nul, text = latin1)]
        pub(super) e: String,
        #[binfmt(ends(b'\n', or_eof))]
        pub(super) f: String,
    }

    #[derive(BinFormat)]
    pub(super) struct Flags {
        #[binfmt(bits(4, of = u16, order = msb))]
        pub(super) a: u8,
        #[binfmt(bits(1))]
        pub(super) b: bool,
        #[binfmt(bits(3, reserved))]
        pub(super) c: (),
        #[binfmt(bits(8))]
        pub(super) d: u8,
    }

    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    pub(super) enum Speed {
        Slow,
        Fast,
        #[binfmt(other)]
        Unknown(u8),
    }

    #[derive(BinFormat)]
    #[binfmt(tag(u16))]
    pub(super) enum Side {
        Left = 1,
        Right = 300,
    }

    #[derive(BinFormat)]
    #[binfmt(be)]
    pub(super) struct Named {
        #[binfmt(bits(2, of = u32, order = msb))]
        pub(super) speed: Speed,
        #[binfmt(bits(1))]
        pub(super) on: bool,
        #[binfmt(bits(9))]
        pub(super) side: Side,
        #[binfmt(bits(1))]
        pub(super) off: bool,
        #[binfmt(bits(2))]
        pub(super) next: Speed,
        #[binfmt(bits(17))]
        pub(super) level: i32,
        #[binfmt(align_before = 2, align_after = 2)]
        pub(super) full: u16,
    }

    #[derive(BinFormat)]
    pub(super) struct Samples {
        #[binfmt(count = 3, bits(12, order = msb))]
        pub(super) a: Vec<u16>,
        #[binfmt(length_prefixed(u8), bits(4, order = lsb))]
        pub(super) b: Vec<i8>,
        #[binfmt(until_eof, bits(10))]
        pub(super) c: Vec<u16>,
    }

    #[derive(BinFormat)]
    #[binfmt(be, tag(u8, bits(3, of = u16)))]
    pub(super) enum Packed {
        #[binfmt(tag(1..=2))]
        Pair {
            tag: u8,
            #[binfmt(bits(1))]
            on: bool,
            #[binfmt(bits(12))]
            amount: u16,
        },
        #[binfmt(other)]
        Rest(u8, #[binfmt(bits(13))] u16),
    }

    pub(super) fn sum(bytes: &[u8]) -> u8 {
        bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
    }

    #[derive(BinFormat)]
    #[binfmt(magic = b"SU")]
    pub(super) struct Summed {
        #[binfmt(length_prefixed(u8))]
        pub(super) data: Vec<u8>,
        #[binfmt(checksum(sum, over = data..))]
        pub(super) sum: u8,
    }

    #[derive(BinFormat)]
    pub(super) struct Elsewhere {
        #[binfmt(offset_of(name, u8))]
        pub(super) place: (),
        pub(super) directory: u8,
        #[binfmt(at = directory)]
        pub(super) pair: (u8, u16),
        #[binfmt(at = place, nul)]
        pub(super) name: String,
        #[binfmt(at(end) = 2)]
        pub(super) last: u16,
        #[binfmt(gaps)]
        pub(super) rest: Gaps,
    }

    #[derive(BinFormat)]
    pub(super) struct Peeked {
        #[binfmt(peek)]
        pub(super) first: u16,
        pub(super) second: u16,
        pub(super) packet: Packet,
    }

    #[derive(BinFormat)]
    #[binfmt(tag(peek u8))]
    pub(super) enum Packet {
        #[binfmt(tag(0x80..))]
        Long(u16),
        #[binfmt(other)]
        Short(u8),
    }

    #[derive(BinFormat)]
    #[binfmt(untagged)]
    pub(super) enum Tried {
        #[binfmt(magic = b"LONG")]
        Long(u16),
        List {
            #[binfmt(length_prefixed(u8))]
            list: Vec<Tried>,
            #[binfmt(range = 7..=7)]
            end: u8,
        },
        Short(u8),
    }

    #[derive(BinFormat)]
    #[binfmt(magic = b"E", tag(u8))]
    pub(super) enum Marked {
        #[binfmt(tag = 1)]
        One { n: u8 },
        #[binfmt(tag = 2)]
        None,
    }

    #[derive(BinFormat)]
    pub(super) struct Conditions {
        pub(super) version: u8,
        #[binfmt(if(*version > 1))]
        pub(super) there: Option<u8>,
        #[binfmt(if(*version > 9, else = 7))]
        pub(super) otherwise: u16,
        #[binfmt(nullable)]
        pub(super) maybe: Option<u8>,
        pub(super) marked: Marked,
        #[binfmt(optional_tail)]
        pub(super) tail: Option<u16>,
        #[binfmt(optional_tail)]
        pub(super) more: Option<u16>,
    }

    #[derive(BinFormat)]
    #[binfmt(version = *version)]
    pub(super) struct Versions {
        pub(super) version: u8,
        #[binfmt(since = 2)]
        pub(super) new: Option<u16>,
        #[binfmt(until_version = 1)]
        pub(super) old: Option<u16>,
        #[binfmt(since = 9, default)]
        pub(super) newest: u8,
    }

    pub(super) fn flip(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|byte| !byte).collect()
    }

    #[derive(BinFormat)]
    pub(super) struct Processed {
        #[binfmt(region = 3, process(decode = flip, encode = flip))]
        pub(super) pair: (u8, u16),
        #[binfmt(length_prefixed(u8, in = bytes), process(decode = flip, encode = flip))]
        pub(super) name: String,
        pub(super) end: u8,
    }

    #[derive(BinFormat)]
    #[binfmt(process(decode = flip, encode = flip), assert(*a > 0, "a is 0"))]
    pub(super) struct Inverted {
        pub(super) a: u16,
        #[binfmt(until_eof)]
        pub(super) rest: Vec<u8>,
    }

    #[derive(BinFormat)]
    #[binfmt(le, key_order = lexicographic, len = u16)]
    pub(super) struct Orders {
        pub(super) b_order: u8,
        #[binfmt(endian = if *b_order == 1 { Endian::Big } else { Endian::Little })]
        pub(super) c_chosen: u16,
        #[binfmt(var_len, rename = "called otherwise")]
        pub(super) d: Vec<u8>,
        #[binfmt(skip(bytes = 2), strict)]
        pub(super) e_skipped: (),
        #[binfmt(bool_lax)]
        pub(super) a_lax: bool,
    }

    #[derive(BinFormat)]
    pub(super) struct Passed {
        pub(super) kind: u8,
        #[binfmt(tag_from = *kind)]
        pub(super) chosen: Chosen,
        #[binfmt(args(*kind))]
        pub(super) counted: Counted,
        pub(super) id: Id,
        #[binfmt(shape(u8, rank = 2))]
        pub(super) grid: Array<u16, 2>,
    }

    #[derive(BinFormat)]
    #[binfmt(ctx(kind: u8), tag_from = kind)]
    pub(super) enum Chosen {
        #[binfmt(tag = 2)]
        Two(u16),
        #[binfmt(other)]
        Other,
    }

    #[derive(BinFormat)]
    #[binfmt(ctx(n: u8))]
    pub(super) struct Counted {
        #[binfmt(count = n)]
        pub(super) list: Vec<u16>,
    }

    #[derive(BinFormat)]
    #[binfmt(transparent)]
    pub(super) struct Id(pub(super) u32);

    /// What only the type's own code explains.
    #[derive(BinFormat)]
    pub(super) struct Codecs {
        #[binfmt(with = twice)]
        pub(super) with: u8,
        #[binfmt(decode_with = twice::decode, encode_with = twice::encode)]
        pub(super) apart: u8,
        #[binfmt(map(decode = |n: u8| n.wrapping_add(1), encode = |n: &u8| n.wrapping_sub(1)))]
        pub(super) mapped: u8,
        #[binfmt(try_map(decode = |n: u8| Ok::<_, String>(n > 0), encode = |on: &bool| Ok::<_, String>(u8::from(*on)), as = u8))]
        pub(super) tried: bool,
        #[binfmt(length_prefixed(u8))]
        pub(super) wholes: Vec<Whole>,
        pub(super) list: Listed,
    }

    mod twice {
        #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

        use binfmt::{Order, Result, Sink, Source};

        pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u8> {
            src.array::<2>().map(|[a, _]| a)
        }

        pub(super) fn encode<O: Order, W: Sink>(n: &u8, out: &mut W) -> Result<()> {
            out.array([*n, *n])
        }
    }

    #[derive(BinFormat)]
    #[binfmt(with = whole, size = 2)]
    pub(super) struct Whole(pub(super) u8);

    mod whole {
        use super::{Whole, twice};
        use binfmt::{Order, Result, Sink, Source};

        pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Whole> {
            twice::decode::<O, S>(src).map(Whole)
        }

        pub(super) fn encode<O: Order, W: Sink>(whole: &Whole, out: &mut W) -> Result<()> {
            twice::encode::<O, W>(&whole.0, out)
        }
    }

    /// One row of numbers for each width.
    #[derive(BinFormat)]
    pub(super) struct Listed {
        #[binfmt(length_prefixed(u8))]
        pub(super) widths: Vec<u8>,
        #[binfmt(each(widths.iter().copied()))]
        pub(super) rows: Vec<Counted>,
    }

    /// Upper case in the file, lower case in memory.
    pub(super) struct Upper;

    impl binfmt::CodePage for Upper {
        const NAME: &'static str = "UPPER";
        type Error = std::string::FromUtf8Error;

        fn decode(bytes: &[u8]) -> Result<String, Self::Error> {
            String::from_utf8(bytes.to_ascii_lowercase())
        }

        fn encode(text: &str) -> Result<Vec<u8>, Self::Error> {
            Ok(text.bytes().map(|byte| byte.to_ascii_uppercase()).collect())
        }
    }

    #[derive(BinFormat)]
    pub(super) struct Pages {
        #[binfmt(length_prefixed(u8), text = with(Upper))]
        pub(super) own: String,
        #[binfmt(nul, text = encoding(shift_jis))]
        pub(super) japanese: String,
        #[binfmt(count = 4, trim = b' ', text = encoding(windows_1252))]
        pub(super) western: String,
    }
}
use types::*;

fn traces<T: for<'de> Decode<'de> + Describe>(bytes: &[u8]) -> (Trace, Trace) {
    let description = T::SCHEMA.description();
    let program = Program::new(&description).unwrap();
    let value = dump::trace_with::<Value, _>(bytes, &Options::new().ctx(&program));
    (dump::trace::<T>(bytes), value)
}

fn all() -> Vec<(&'static str, Trace, Trace)> {
    fn one<T: for<'de> Decode<'de> + Describe>(
        name: &'static str,
        bytes: &[u8],
    ) -> (&'static str, Trace, Trace) {
        let (typed, value) = traces::<T>(bytes);
        (name, typed, value)
    }
    vec![
        one::<Composite>("composite", &binfmt::to_vec(&sample()).unwrap()),
        one::<Padded>("pad_to", b"\x01\0\0\0\x02ab\0\0\0\xff\x07\0\x01\x02\xff\xffab  "),
        one::<Around>(
            "pad_before, align_before, reserved, in = bytes",
            b"\0\x07\0\0\x08\0\0\0\x02xy\x02\x01\x02",
        ),
        one::<Regions>("region", b"\x02\x01\x02\x03\0\x04\x05"),
        one::<Numbers>("len_of, calc, as", b"\x02\0\x03ab\x01\0\0\x80\x01\x03\x02\x01\0\x02\0"),
        one::<Texts>("ends, trim, text", b"ab|\x01\x02;cd;;ef  \x02\0a\0bg\xe4\0last"),
        one::<Flags>("bits", &[0x05, 0xa8]),
        one::<Named>("bits of enums and bools", &[0x72, 0xc7, 0xff, 0xfe, 0, 7]),
        one::<Packed>("tag of bits", &[0x50, 0x07]),
        one::<Samples>("bits of a list", &[0x12, 0x34, 0x56, 0x78, 0x90, 2, 0xf1, 0xff, 3, 0]),
        one::<Summed>("checksum", b"SU\x02\x01\x02\x05"),
        one::<Elsewhere>("offset_of, at, at(end), gaps", b"\x02\x06ab\0\x09\x01\x02\0zz\x05\0"),
        one::<Tried>("untagged", b"\x02LONG\x01\0\x09\x07"),
        one::<Peeked>("peek", &[1, 0, 0x81, 3]),
        one::<Conditions>("if, else, optional_tail", b"\x02\x09\xff\x01E\x01\x05\x01\0"),
        one::<Versions>("version, since, until_version", b"\x02\x09\0"),
        one::<Orders>("endian, key_order, len, rename, strict, bool_lax", b"\x02\x01\0\x05\x02\0ab\0\0"),
        one::<Passed>(
            "args, ctx, tag_from, transparent, shape",
            b"\x02\x07\0\x01\0\x02\0\x09\0\0\0\x01\x02\x05\0\x06\0",
        ),
    ]
}

/// Types that a description does not explain: a `Value` has their bytes.
fn typed() -> Vec<(&'static str, Trace)> {
    vec![
        ("process", dump::trace::<Processed>(&[!1, !2, !0, 2, !b'a', !b'b', 9])),
        ("process of a whole type", dump::trace::<Inverted>(&[!1, !0, !7, !8])),
        ("process, cut", dump::trace::<Processed>(&[!1, !2])),
        (
            "with, decode_with, map, try_map, each",
            dump::trace::<Codecs>(&[1, 1, 2, 2, 3, 1, 2, 4, 4, 5, 5, 2, 1, 2, 1, 0, 2, 0, 3, 0]),
        ),
        ("text = with, text = encoding", dump::trace::<Pages>(b"\x02AB\x83\x65\x83\x58\x83\x67\0\x80uro")),
    ]
}

#[test]
fn dumps_are_what_was_looked_at() {
    let mut text = String::new();
    let both = all().into_iter().map(|(name, typed, _)| (name, typed));
    for (name, typed) in both.chain(typed()) {
        writeln!(text, "{name}\n{typed}").unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dump/words.txt");
    if std::env::var_os("BINFMT_BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(crate::dump::golden::first_difference(&expected, &text), None);
}

#[test]
fn a_value_is_dumped_as_its_type() {
    let mut wrong = Vec::new();
    for (name, typed, value) in all() {
        let (typed, value) = (typed.to_string(), value.to_string());
        if let Some(line) = crate::dump::golden::first_difference(&typed, &value) {
            wrong.push(format!("{name}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
