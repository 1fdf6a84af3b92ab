//! Annotated dumps: every byte named once, and never another verdict than the decoder's.

use crate::support::composite::{Composite, sample};
use binfmt::dump::{self, Style, Trace};
use binfmt::{BinFormat, Decode, Endian, Error, Facts, Layout, Nullable, Options, Order, Result, Source};

/// The leaves lie side by side from the first byte to the last.
fn assert_covered(trace: &Trace) {
    let mut at = trace.range().start;
    for leaf in trace.nodes().filter(|node| !node.is_group()) {
        assert_eq!(leaf.range().start, at, "a gap or an overlap in front of {}", leaf.path());
        at = leaf.range().end;
    }
    assert_eq!(at, trace.range().end);
}

/// The same error, whichever source the decoder ran on.
fn assert_same(dump: Option<&Error>, decode: Option<&Error>, what: &str) {
    assert_eq!(dump.map(Error::to_string), decode.map(Error::to_string), "{what}");
}

#[test]
fn every_byte_of_every_kind_of_field_is_named_once() {
    for endian in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(endian);
        let bytes = binfmt::to_vec_with(&sample(), &options).unwrap();
        let trace = dump::trace_with::<Composite, _>(&bytes, &options);
        assert!(trace.error().is_none(), "{:?}", trace.error());
        assert_eq!(trace.bytes(), bytes);
        assert_covered(&trace);
        assert!(!trace.to_string().contains("not named"), "{trace}");
    }
}

/// The text of a field ends at its first NUL, fixed bytes do not.
#[test]
fn magic_is_shown_with_its_nuls() {
    #[derive(BinFormat)]
    #[binfmt(magic = b"\0\x01x")]
    struct Head {
        #[binfmt(count = 3)]
        _name: String,
    }
    let trace = dump::trace::<Head>(b"\0\x01xa\0b");
    let shown: Vec<_> = trace.nodes().filter_map(|node| node.value()).collect();
    assert_eq!(shown, [r#""\0\u{1}x""#, r#""a""#]);
}

#[test]
fn values_are_shown_in_their_byte_order() {
    let bytes = binfmt::to_vec_with(&sample(), &Options::new().endian(Endian::Big)).unwrap();
    let trace = dump::trace_with::<Composite, _>(&bytes, &Options::new().endian(Endian::Big));
    let value = |path: &str, piece: Option<&str>| {
        let node = trace.nodes().find(|n| n.path() == path && n.piece() == piece && !n.is_group());
        node.unwrap_or_else(|| panic!("no {path} in\n{trace}")).value().unwrap()
    };
    assert_eq!(value("big", None), 0x0102_0304_0506_0708u64.to_string());
    assert_eq!(value("points[1].x", None), "-5");
    assert_eq!(value("numbers", None), "[7, 8, 9]");
    assert_eq!(value("numbers", Some("length")), "3");
    assert_eq!(value("code", Some("presence")), "0x35, missing with code 53");
    assert_eq!(value("comment", None), "\"why\"");
    assert_eq!(value("filters[2]", Some("tag")), "5");
    assert_eq!(value("filters[1].0.level", None), "9");
    assert_eq!(value("tree.next.n", None), "2");
    let variants: Vec<_> =
        trace.nodes().filter(|n| n.path() == "filters[3]").filter_map(|n| n.value()).collect();
    assert_eq!(variants[0], "Unknown");
}

#[test]
fn damaged_input_is_shown_up_to_the_damage_and_then_the_decoders_own_error() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    for n in 0..bytes.len() {
        let cut = &bytes[..n];
        let (trace, decoded) = (dump::trace::<Composite>(cut), binfmt::from_slice::<Composite>(cut));
        assert_same(trace.error(), decoded.as_ref().err(), &format!("cut at {n}"));
        assert!(trace.range().end <= n as u64);
        assert!(trace.to_string().lines().last().unwrap().contains("error: "), "{trace}");
        let mut changed = bytes.clone();
        changed[n] ^= 0x81;
        let (trace, decoded) =
            (dump::trace::<Composite>(&changed), binfmt::from_slice::<Composite>(&changed));
        assert_same(trace.error(), decoded.as_ref().err(), &format!("byte {n} changed"));
        if decoded.is_ok() {
            assert_covered(&trace);
        }
    }
}

#[test]
fn a_stream_gives_the_same_rows() {
    let one = binfmt::to_vec(&sample()).unwrap();
    let bytes = [&one[..], &one, &one[..20]].concat();
    let slice: Vec<String> = dump::trace_all::<Composite>(&bytes).map(|t| t.to_string()).collect();
    let stream: Vec<String> = dump::trace_reader::<Composite, _>(&bytes[..]).map(|t| t.to_string()).collect();
    assert_eq!(slice.len(), 3);
    assert_eq!(slice, stream);
    assert!(stream[2].contains("error: [2]"), "{}", stream[2]);
}

#[test]
fn damage_behind_a_run_of_fields_is_told_as_the_decoder_tells_it() {
    #[derive(BinFormat, Debug)]
    struct Sample {
        #[binfmt(length_prefixed(u16))]
        text: String,
        #[binfmt(nullable(present = 1, missing = 0))]
        maybe: Option<u32>,
        fixed: (u16, u8),
        #[binfmt(length_prefixed(u16))]
        numbers: Vec<u32>,
    }
    let sample = Sample { text: "xyz".into(), maybe: Some(7), fixed: (1, 2), numbers: vec![3, 4] };
    let good = binfmt::to_vec(&sample).unwrap();
    let mut inputs = Vec::new();
    for n in 0..=good.len() {
        for (at, byte) in (0..n).flat_map(|at| [0x00, 0x01, 0x9f, 0xff].map(|byte| (at, byte))) {
            let mut bad = good[..n].to_vec();
            bad[at] = byte;
            inputs.push(bad);
        }
    }
    for bytes in inputs {
        let all = binfmt::decode_all::<Sample>(&bytes).err();
        let slice = dump::trace_all::<Sample>(&bytes).last();
        assert_same(slice.as_ref().and_then(Trace::error), all.as_ref(), &format!("{bytes:02x?}"));
        let stream = dump::trace_reader::<Sample, _>(&bytes[..]).last();
        assert_same(stream.as_ref().and_then(Trace::error), all.as_ref(), &format!("{bytes:02x?}"));
        let one = binfmt::from_slice::<Sample>(&bytes).err();
        assert_same(dump::trace::<Sample>(&bytes).error(), one.as_ref(), &format!("{bytes:02x?}"));
    }
}

#[test]
fn records_of_plain_memory_are_named_field_by_field() {
    #[derive(BinFormat)]
    #[repr(C)]
    struct Pair {
        a: u16,
        b: u16,
    }
    #[derive(BinFormat)]
    struct Pairs {
        #[binfmt(length_prefixed(u8))]
        pairs: Vec<Pair>,
        fixed: [Pair; 1],
    }
    let trace = dump::trace::<Pairs>(&[1, 1, 0, 2, 0, 3, 0, 4, 0]);
    let paths: Vec<_> = trace.nodes().filter(|n| !n.is_group()).map(|n| n.path()).collect();
    assert_eq!(paths, ["pairs", "pairs[0].a", "pairs[0].b", "fixed[0].a", "fixed[0].b"]);
    assert_covered(&trace);
}

/// A codec by hand that says nothing of its bytes.
struct Rgb;

impl Layout for Rgb {
    const FACTS: Facts<Self> = Facts::exact(3);
}

impl<'de> Decode<'de> for Rgb {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        u8::decode::<O, S>(src, ())?;
        u16::decode::<O, S>(src, ())?;
        Ok(Rgb)
    }
}

#[test]
fn a_codec_by_hand_is_shown_as_what_it_is() {
    let trace = dump::trace::<(u8, Rgb)>(&[7, 1, 2, 3]);
    assert_eq!(
        trace.to_string(),
        "0x00000000  07                                               .                 0: 7 (u8)\n\
         0x00000001  01 02 03                                         ...               1: 3 bytes (a codec of its own)\n"
    );
}

#[test]
fn depth_and_range_choose_rows() {
    let bytes = binfmt::to_vec(&sample()).unwrap();
    let trace = dump::trace::<Composite>(&bytes);
    let flat = trace.text(&Style::new().depth(0)).to_string();
    assert!(!flat.contains("filters["), "{flat}");
    assert!(flat.contains("name: \"näme\"\n"), "{flat}");
    assert!(flat.contains("code: 0x35, missing with code 53\n"), "{flat}");
    let part = trace.text(&Style::new().range(2..5)).to_string();
    let rows: Vec<_> = part.lines().map(|line| &line[..10]).collect();
    assert_eq!(rows, ["0x00000002", "0x00000003"]);
}

#[test]
fn nothing_in_a_text_reaches_the_terminal_unescaped() {
    #[derive(BinFormat)]
    struct Name {
        #[binfmt(length_prefixed(u8), text = bytes)]
        name: Vec<u8>,
        #[binfmt(length_prefixed(u8))]
        text: String,
    }
    let trace = dump::trace::<Name>(b"\x03\x1b[2\x04\x1b[2J");
    assert!(!trace.to_string().contains('\x1b'), "{trace}");
    assert!(trace.to_string().contains("text: \"\\u{1b}[2J\""), "{trace}");
}

#[test]
fn a_dump_of_any_bytes_ends() {
    #[derive(BinFormat)]
    struct Cell {
        #[binfmt(nullable)]
        a: Nullable<i64>,
        #[binfmt(var_len, nul)]
        b: String,
    }
    let mut seed = 7u32;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..60)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                [0, 0, 255, (seed >> 24) as u8][(seed >> 16) as usize % 4]
            })
            .collect();
        let shown = dump::trace_all::<Cell>(&bytes).map(|t| t.range().end).last().unwrap_or(0);
        assert!(shown <= bytes.len() as u64);
    }
}

/// What no field owns is told in the words of the format, each byte of it.
#[test]
fn what_is_skipped_is_told() {
    use binfmt::formats::scidb::{Reader, Template};
    use binfmt::value::Value;
    let template: Template = "(int8, skip(2) null, skip null)".parse().unwrap();
    let description = template.description();
    let options: Options<_> = Reader::new().options().ctx(&description);
    let bytes = b"\x01\x90ab\x05\x01\0\0\0c";
    let text = dump::trace_with::<Value, _>(bytes, &options).to_string();
    let words: Vec<&str> = text.lines().map(|line| line[79..].trim_end()).collect();
    let expected = [
        "a: 1 (i8)",
        "padding: 1 byte ignored (presence byte)",
        "padding: 2 bytes ignored (skip(2))",
        "padding: 1 byte ignored (presence byte)",
        "padding (length): 1 (u32 le)",
        "padding: 1 byte ignored",
    ];
    assert_eq!(words, expected);
    // a type that holds nothing tells nothing
    #[derive(BinFormat)]
    struct Gap {
        #[binfmt(skip(bytes = 2))]
        _gap: (),
        #[binfmt(pad_before = 1)]
        _n: u8,
    }
    let text = dump::trace::<Gap>(&[0; 4]).to_string();
    let words: Vec<&str> = text.lines().map(|line| line[79..].trim_end()).collect();
    assert_eq!(words, ["_gap: 2 bytes ignored", "_n (padding): 1 byte ignored", "_n: 0 (u8)"]);
}

#[test]
fn names_and_texts_stay_in_their_row() {
    use binfmt::schema::Description;
    use binfmt::value::Value;
    let name = "a\n0x00000000\u{202e}\u{9b}2J";
    let template = "(int8)".parse::<binfmt::formats::scidb::Template>().unwrap();
    let mut description: Description = template.description();
    if let binfmt::schema::Type::Record(record) = &mut description.root {
        record.fields[0].name = name.into();
    }
    let options = Options::new().ctx(&description);
    for bytes in [&[7][..], &[]] {
        let text = dump::trace_with::<Value, _>(bytes, &options).to_string();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.trim_end().contains(dump::drives_terminal), "{text}");
        assert!(text.contains("a\\n0x00000000\\u{202e}\\u{9b}2J"), "{text}");
    }
}

/// So many bytes, and then an error.
struct Failing(usize);

impl std::io::Read for Failing {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.min(out.len());
        if n == 0 {
            return Err(std::io::Error::other("the disk is gone"));
        }
        self.0 -= n;
        out[..n].fill(1);
        Ok(n)
    }
}

#[test]
fn a_reader_that_fails_is_no_end() {
    for len in 0..6 {
        let last = dump::trace_reader::<u16, _>(Failing(len)).last().unwrap();
        let expected = format!("[{}] at byte {len:#x}: the disk is gone", len / 2);
        assert_eq!(last.error().map(ToString::to_string), Some(expected), "{len} bytes");
    }
}

#[test]
fn what_is_noted_takes_memory_that_has_a_limit() {
    let bytes = vec![7; 20_000];
    let options = Options::new().max_memory(1 << 20);
    assert_eq!(binfmt::from_slice_with::<[u8; 20_000], _>(&bytes, &options).unwrap().len(), 20_000);
    let trace = dump::trace_all_with::<(u8, u8), _>(&bytes, &options).last().unwrap();
    assert!(trace.error().is_none(), "each record has the limit to itself: {:?}", trace.error());
    let trace = dump::trace_with::<Records, _>(&bytes, &options);
    let e = trace.error().expect("two million bytes are more");
    assert!(matches!(e.kind(), binfmt::ErrorKind::MemoryLimit { .. }), "{e}");
    assert!(trace.nodes().count() > 1000, "what was noted so far is shown");
    assert!(dump::trace_with::<Records, _>(&bytes, &Options::new()).error().is_none());
}

#[derive(BinFormat)]
struct Records {
    #[binfmt(until_eof)]
    records: Vec<(u8, u8)>,
}
