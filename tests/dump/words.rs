//! The dump of a word, of the derived type and of a `Value` along its description: the same rows.
//!
//! `words.txt` has them all; `BINFMT_BLESS=1 cargo test --test dump words` writes it again.

use crate::composite::{Composite, sample};
use binfmt::dump::{self, Trace};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{Decode, Options};
use std::fmt::Write as _;
use std::path::Path;

/// Types of one word each, or of some that belong together.
mod types {
    use binfmt::{BinFormat, Gaps, Ignored, Kept, Nullable};

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
        one::<Padded>("pad_to", b"\x01\0\0\0\x02ab\0\0\0\xff\x07\0\x01\x02\xff\xff"),
        one::<Around>(
            "pad_before, align_before, reserved, in = bytes",
            b"\0\x07\0\0\x08\0\0\0\x02xy\x02\x01\x02",
        ),
        one::<Regions>("region", b"\x02\x01\x02\x03\0\x04\x05"),
        one::<Numbers>("len_of, calc, as", b"\x02\0\x03ab\x01\0\0\x80\x01\x03\x02\x01\0\x02\0"),
        one::<Texts>("ends, trim, text", b"ab|cd;;ef  \x02\0a\0bg\xe4\0last"),
        one::<Flags>("bits", &[0x05, 0xa8]),
        one::<Summed>("checksum", b"SU\x02\x01\x02\x05"),
        one::<Elsewhere>("offset_of, at, at(end), gaps", b"\x02\x06ab\0\x09\x01\x02\0zz\x05\0"),
        one::<Peeked>("peek", &[1, 0, 0x81, 3]),
        one::<Conditions>("if, else, optional_tail", b"\x02\x09\xff\x01E\x01\x05\x01\0"),
        one::<Versions>("version, since, until_version", b"\x02\x09\0"),
    ]
}

#[test]
fn dumps_are_what_was_looked_at() {
    let mut text = String::new();
    for (name, typed, _) in all() {
        writeln!(text, "{name}\n{typed}").unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dump/words.txt");
    if std::env::var_os("BINFMT_BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(crate::golden::first_difference(&expected, &text), None);
}

#[test]
fn a_value_is_dumped_as_its_type() {
    let mut wrong = Vec::new();
    for (name, typed, value) in all() {
        let (typed, value) = (typed.to_string(), value.to_string());
        if let Some(line) = crate::golden::first_difference(&typed, &value) {
            wrong.push(format!("{name}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
